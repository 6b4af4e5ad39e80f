//! Advice for texts that a person may mean as a time.

use super::{
    absolute::{absolute, date},
    moment::Role,
    number::is_digits,
};
use jiff::civil::Date;

/// Longer texts get no advice. A line of input can have megabytes.
const LONGEST: usize = 64;

/// What to write instead, if the text comes near a time.
pub(super) fn advice(text: &str, role: Role) -> Option<String> {
    if text.len() > LONGEST || !text.is_ascii() {
        return None;
    }
    if let Some((seconds, fraction)) = text.split_once('.')
        && is_digits(seconds)
        && is_digits(fraction)
    {
        return Some(format!("expected an integer: write @{text} for seconds since 1970"));
    }
    if text.strip_prefix(['+', '-']).is_some_and(is_digits) {
        return Some(format!("expected a unit after {text}, such as {text}h for hours or {text}d for days"));
    }
    // `2024-6`, `June 2024`.
    let has_word = text.split_whitespace().count() == 2;
    let first_day = if has_word { format!("1 {text}") } else { format!("{text}-01") };
    if let [first] = dates(&first_day)[..] {
        return Some(match role {
            Role::Instant => format!("expected a time or a date, found a month: write {first}"),
            _ => format!("expected a month of the form YYYY-MM: write {}", first.strftime("%Y-%m")),
        });
    }
    if let Some(date) = text.strip_suffix(['Z', 'z']).filter(|text| date(text).is_some()) {
        return Some(format!("expected a date without Z, because dates are in UTC: write {date}"));
    }
    let dates = dates(text);
    if !dates.is_empty() {
        let written: Vec<_> = dates.iter().map(Date::to_string).collect();
        return Some(format!("expected a date of the form YYYY-MM-DD: write {}", written.join(" or ")));
    }
    if let [_, _, _, _, b'-', _, _, b'-', _, _] = text.as_bytes()
        && text.split('-').all(is_digits)
    {
        return Some(format!("{text} is not a date of the calendar"));
    }
    if let [_, _, _, _, b'-', _, _] = text.as_bytes()
        && text.split('-').all(is_digits)
    {
        return Some(format!("{text} is not a month of the calendar"));
    }
    of_date_and_clock(text)
}

fn of_date_and_clock(text: &str) -> Option<String> {
    let mut splits = text.match_indices(['T', 't', ' ']);
    let (dates, clock) = splits.find_map(|(at, _)| {
        let (day, clock) = (&text[..at], text[at + 1..].trim_start());
        let dates = date(day).map_or_else(|| dates(day), |date| vec![date]);
        (!dates.is_empty()).then_some((dates, clock))
    })?;
    let Clock { hour, minute, second, fraction, zone } = Clock::read(clock)?;
    if hour > 24 || minute > 59 || second > 59 || hour == 24 && (minute, second) != (0, 0) {
        return Some("expected a time of the day from 00:00:00 to 23:59:59".to_owned());
    }
    let written = |zone: &str| {
        let write = |date: &Date| {
            let date = if hour == 24 { date.tomorrow().ok()? } else { *date };
            let hour = hour % 24;
            Some(format!("{date}T{hour:02}:{minute:02}:{second:02}{fraction}{zone}"))
        };
        let texts = dates.iter().map(write).collect::<Option<Vec<_>>>()?;
        let is_read = |text: &String| matches!(absolute(text, Role::Instant, |_| ()), Ok(Some(_)));
        texts.iter().all(is_read).then(|| texts.join(" or "))
    };
    let what = if hour == 24 {
        "expected an hour up to 23, because a day ends where the next one begins"
    } else {
        "expected a time of the form 2024-01-31T23:59:59Z"
    };
    Some(match zone {
        Zone::Absent => {
            let what = if hour == 24 { what } else { "expected a time with its zone" };
            format!("{what}: add Z for UTC, or an offset such as +02:00: {}", written("Z")?)
        }
        Zone::Offset(offset) => format!("{what}: write {}", written(offset)?),
        Zone::Utc => format!("expected Z for UTC: write {}", written("Z")?),
        Zone::HalfDay => "expected an hour from 00 to 23, without am or pm".to_owned(),
        Zone::Name(name) => format!(
            "expected an offset instead of the name of a zone: write the offset of {name} at that time, for example {}",
            written("+02:00")?
        ),
    })
}

/// Dates as people write them: several if the order of day and month is open.
fn dates(text: &str) -> Vec<Date> {
    const FORMS: [&str; 12] = [
        "%Y-%m-%d", "%Y/%m/%d", "%Y.%m.%d", "%m/%d/%Y", "%d/%m/%Y", "%m-%d-%Y", "%d-%m-%Y", "%d.%m.%Y",
        "%B %d %Y", "%b %d %Y", "%d %B %Y", "%d %b %Y",
    ];
    let words: Vec<_> = text.split([' ', ',']).filter(|word| !word.is_empty()).collect();
    let words = match &words[..] {
        // Without the day of the week.
        [_, rest @ ..] if rest.len() == 3 => rest.join(" "),
        words => words.join(" "),
    };
    let mut dates: Vec<_> = FORMS
        .iter()
        .filter_map(|form| Date::strptime(form, &words).ok())
        .filter(|date| date.year() >= 1970)
        .collect();
    dates.sort_unstable();
    dates.dedup();
    dates
}

/// A time of the day, and what follows it.
struct Clock<'a> {
    hour: u8,
    minute: u8,
    second: u8,
    /// With its point; may be empty.
    fraction: &'a str,
    zone: Zone<'a>,
}

enum Zone<'a> {
    Absent,
    Offset(&'a str),
    Utc,
    HalfDay,
    Name(&'a str),
}

impl<'a> Clock<'a> {
    fn read(text: &'a str) -> Option<Self> {
        let (hour, rest) = number(text)?;
        let (minute, rest) = number(rest.strip_prefix(':')?)?;
        let (second, rest) = rest.strip_prefix(':').map_or(Some((0, rest)), number)?;
        let digits =
            rest.strip_prefix('.').map_or(0, |rest| rest.bytes().take_while(u8::is_ascii_digit).count());
        let (fraction, rest) = rest.split_at(if digits == 0 { 0 } else { digits + 1 });
        Some(Self { hour, minute, second, fraction, zone: Zone::read(rest.trim())? })
    }
}

impl<'a> Zone<'a> {
    fn read(text: &'a str) -> Option<Self> {
        let name = text.trim_matches(['[', ']']);
        let is_name = name.bytes().all(|byte| byte.is_ascii_alphabetic() || b"/_".contains(&byte));
        Some(match &*name.to_ascii_lowercase() {
            "" => Self::Absent,
            "z" => Self::Offset("Z"),
            "utc" | "gmt" | "etc/utc" => Self::Utc,
            "am" | "pm" => Self::HalfDay,
            _ if is_name => Self::Name(name),
            // Whether it is an offset shows when the whole time is read.
            _ if text.starts_with(['+', '-']) => Self::Offset(text),
            _ => return None,
        })
    }
}

/// Reads one or two digits.
fn number(text: &str) -> Option<(u8, &str)> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, rest) = text.split_at(digits);
    (digits <= 2).then(|| Some((number.parse().ok()?, rest)))?
}

#[cfg(test)]
mod tests {
    use super::{Role, advice};
    use proptest::prelude::*;

    #[test]
    fn what_comes_near_a_time_gets_the_corrected_one() {
        for (text, expected) in [
            ("2024-06-06 06:06:06", "add Z for UTC, or an offset such as +02:00: 2024-06-06T06:06:06Z"),
            ("2024-06-06T06:06", "add Z for UTC, or an offset such as +02:00: 2024-06-06T06:06:00Z"),
            ("2024-06-06T06:06:06.666", "+02:00: 2024-06-06T06:06:06.666Z"),
            (
                "2024-06-06T24:00Z",
                "up to 23, because a day ends where the next one begins: write 2024-06-07T00:00:00Z",
            ),
            ("2024-12-31T24:00:00+02:00", "the next one begins: write 2025-01-01T00:00:00+02:00"),
            (
                "2024-06-06 24:00",
                "the next one begins: add Z for UTC, or an offset such as +02:00: 2024-06-07T00:00:00Z",
            ),
            ("2024-06-06T24:01Z", "a time of the day from 00:00:00 to 23:59:59"),
            ("2024-06-06T06:60Z", "a time of the day from 00:00:00 to 23:59:59"),
            ("06/06/2024", "a date of the form YYYY-MM-DD: write 2024-06-06"),
            ("06/07/2024", "a date of the form YYYY-MM-DD: write 2024-06-07 or 2024-07-06"),
            ("31.12.2024", "a date of the form YYYY-MM-DD: write 2024-12-31"),
            ("12/31/2024 6:06", "+02:00: 2024-12-31T06:06:00Z"),
            ("2024/06/06", "a date of the form YYYY-MM-DD: write 2024-06-06"),
            ("2024-6-6", "a date of the form YYYY-MM-DD: write 2024-06-06"),
            ("June 6 2024", "a date of the form YYYY-MM-DD: write 2024-06-06"),
            ("june 6, 2024", "a date of the form YYYY-MM-DD: write 2024-06-06"),
            ("6 Jun 2024", "a date of the form YYYY-MM-DD: write 2024-06-06"),
            ("Thu, 06 Jun 2024 06:06:06 GMT", "Z for UTC: write 2024-06-06T06:06:06Z"),
            (
                "Thu, 06 Jun 2024 06:06:06 +0200",
                "of the form 2024-01-31T23:59:59Z: write 2024-06-06T06:06:06+0200",
            ),
            ("2024-06-06T6:06Z", "of the form 2024-01-31T23:59:59Z: write 2024-06-06T06:06:00Z"),
            ("2024-6-6 06:06:06Z", "of the form 2024-01-31T23:59:59Z: write 2024-06-06T06:06:06Z"),
            (
                "2024-06-06 06:06:06 +02:00",
                "of the form 2024-01-31T23:59:59Z: write 2024-06-06T06:06:06+02:00",
            ),
            ("2024-06-06 06:06:06 UTC", "Z for UTC: write 2024-06-06T06:06:06Z"),
            ("2024-06-06T06:06:06[Europe/Berlin]", "the offset of Europe/Berlin at that time"),
            (
                "2024-06-06 06:06:06 CET",
                "the offset of CET at that time, for example 2024-06-06T06:06:06+02:00",
            ),
            ("2024-06-06 6:06 pm", "an hour from 00 to 23, without am or pm"),
            ("2023-02-29", "2023-02-29 is not a date of the calendar"),
            ("2024-06", "found a month: write 2024-06-01"),
            ("2024-6", "found a month: write 2024-06-01"),
            ("June 2024", "found a month: write 2024-06-01"),
            ("2024-13", "2024-13 is not a month of the calendar"),
            ("2024-06-06Z", "dates are in UTC: write 2024-06-06"),
            ("1717653966.666", "write @1717653966.666 for seconds since 1970"),
            ("-1", "expected a unit after -1, such as -1h for hours or -1d for days"),
        ] {
            let found = advice(text, Role::Instant).unwrap_or_default();
            assert!(found.contains(expected), "{text}: {found}");
        }
    }

    #[test]
    fn a_month_needs_two_digits() {
        let expected = "expected a month of the form YYYY-MM: write 2024-06";
        assert_eq!(advice("2024-6", Role::Until).as_deref(), Some(expected));
    }

    #[test]
    fn anything_else_gets_no_advice() {
        for text in
            ["", "-", "x", "soon", "06:06", "2024-06-06T", "2024-06-06Tx", "2024-06-06 06:06:06 +", "T06:06Z"]
        {
            assert_eq!(advice(text, Role::Since), None, "{text}");
        }
        assert_eq!(advice(&format!("2024-06-06 06:06:06{}", " ".repeat(100)), Role::Since), None);
    }

    proptest! {
        #[test]
        fn any_text_gets_advice_or_none(text in any::<String>()) {
            let _ = advice(&text, Role::Instant);
        }

        #[test]
        fn a_text_near_a_time_gets_advice_or_none(
            text in "[A-Za-z, ]{0,9}[0-9]{1,4}[-/. ][0-9]{1,3}[-/. ][0-9]{1,4}([Tt ]{1,2}[0-9]{0,3}:[0-9]{0,3}(:[0-9]{0,3})?([.,][0-9]{0,10})?)?( ?([A-Za-z/_]{0,9}|[+-][0-9:]{0,6}|\\[[a-z]*\\]))?"
        ) {
            for role in [Role::Instant, Role::Since, Role::Until] {
                let _ = advice(&text, role);
            }
        }
    }
}
