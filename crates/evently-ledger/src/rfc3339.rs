//! The time of an event as its ledger writes it: RFC 3339, in UTC, to the microsecond.

use sortid_core::Text;

/// 9999-12-31T23:59:59.999999Z, in microseconds since 1970: RFC 3339 has no later time.
pub(crate) const LAST: u64 = 253_402_300_799_999_999;

/// Years, months and days of the Gregorian calendar repeat after so many days, which are 400 years.
const CYCLE_DAYS: u64 = 146_097;
/// Days from 0000-03-01 to 1970-01-01.
const DAYS_TO_1970: u64 = 719_468;
/// Days from March on, the first day of each month: a year that begins in March ends with the leap day.
const MONTHS: [u16; 12] = [0, 31, 61, 92, 122, 153, 184, 214, 245, 275, 306, 337];

/// The time as `2021-10-03T16:33:12.816530Z`. A year above 9999 has a sign and six digits.
pub(crate) fn encode(unix_micros: u64) -> Text<30> {
    let (seconds, micros) = (unix_micros / 1_000_000, unix_micros % 1_000_000);
    let (days, second) = (seconds / 86_400 + DAYS_TO_1970, seconds % 86_400);
    let (cycle, day) = (days / CYCLE_DAYS, days % CYCLE_DAYS);
    // The last day of a century, and of the cycle, is the leap day of a year that would be one too many.
    let century = (day / 36_524).min(3);
    let day = day - century * 36_524;
    let leap_cycle = day / 1461;
    let day = day - leap_cycle * 1461;
    let year_of_four = (day / 365).min(3);
    let day = day - year_of_four * 365;
    let month = MONTHS.iter().rposition(|&first| u64::from(first) <= day).unwrap_or_default();
    let day = day - u64::from(MONTHS[month]) + 1;
    let is_after_december = month >= 10;
    let year = cycle * 400 + century * 100 + leap_cycle * 4 + year_of_four + u64::from(is_after_december);
    let month = if is_after_december { month - 9 } else { month + 3 };

    let mut writer = Writer { bytes: [0; 30], len: 0 };
    if year > 9999 {
        writer.push(b'+');
        writer.number(year, 6);
    } else {
        writer.number(year, 4);
    }
    for (separator, number, digits) in [
        (b'-', month as u64, 2),
        (b'-', day, 2),
        (b'T', second / 3600, 2),
        (b':', second / 60 % 60, 2),
        (b':', second % 60, 2),
        (b'.', micros, 6),
    ] {
        writer.push(separator);
        writer.number(number, digits);
    }
    writer.push(b'Z');
    let mut text = Text::new(writer.bytes);
    text.truncate(writer.len);
    text
}

struct Writer {
    bytes: [u8; 30],
    len: usize,
}

impl Writer {
    fn push(&mut self, byte: u8) {
        self.bytes[self.len] = byte;
        self.len += 1;
    }

    fn number(&mut self, mut number: u64, digits: usize) {
        for place in (self.len..self.len + digits).rev() {
            self.bytes[place] = b'0' + (number % 10) as u8;
            number /= 10;
        }
        self.len += digits;
    }
}

/// Unix microseconds of a time from 1970 on, such as `2021-10-03T16:33:12Z`, with up to 6 digits of a fraction.
pub(crate) fn parse(text: &str) -> Option<u64> {
    let (head, rest) = text.as_bytes().split_first_chunk::<19>()?;
    let fraction = match rest {
        [b'Z'] => &[],
        [b'.', fraction @ .., b'Z'] if matches!(fraction.len(), 1..=6) => fraction,
        _ => return None,
    };
    let separators = [head[4], head[7], head[10], head[13], head[16]];
    if separators != *b"--T::" {
        return None;
    }
    let year = number(&head[..4])?;
    let [month, day, hour, minute, second] =
        [&head[5..7], &head[8..10], &head[11..13], &head[14..16], &head[17..]].map(number);
    let (month, day, hour, minute, second) = (month?, day?, hour?, minute?, second?);
    let is_leap_year = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        2 => 28 + u64::from(is_leap_year),
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return None,
    };
    if !(1..=days).contains(&day) || hour > 23 || minute > 59 || second > 59 {
        return None;
    }
    // The year and the month, counted from March on.
    let (year, month) = if month > 2 { (year, month - 3) } else { (year.checked_sub(1)?, month + 9) };
    let days = year * 365 + year / 4 - year / 100 + year / 400 + u64::from(MONTHS[month as usize]) + day - 1;
    let seconds = days.checked_sub(DAYS_TO_1970)? * 86_400 + hour * 3600 + minute * 60 + second;
    let micros = number(fraction)? * [1_000_000, 100_000, 10_000, 1000, 100, 10, 1][fraction.len()];
    Some(seconds * 1_000_000 + micros)
}

#[inline]
fn number(digits: &[u8]) -> Option<u64> {
    digits.iter().try_fold(0, |number, digit| match digit {
        b'0'..=b'9' => Some(number * 10 + u64::from(digit - b'0')),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::{LAST, encode, parse};
    use proptest::prelude::*;

    #[test]
    fn known_times() {
        for (micros, text) in [
            (0, "1970-01-01T00:00:00.000000Z"),
            (951_782_399_999_999, "2000-02-28T23:59:59.999999Z"),
            (951_782_400_000_000, "2000-02-29T00:00:00.000000Z"),
            (951_868_800_000_000, "2000-03-01T00:00:00.000000Z"),
            (1_633_278_792_816_530, "2021-10-03T16:33:12.816530Z"),
            (4_107_542_399_999_999, "2100-02-28T23:59:59.999999Z"),
            (4_107_542_400_000_000, "2100-03-01T00:00:00.000000Z"),
            (LAST, "9999-12-31T23:59:59.999999Z"),
        ] {
            assert_eq!(encode(micros), text);
            assert_eq!(parse(text), Some(micros));
        }
        assert_eq!(encode(LAST + 1), "+010000-01-01T00:00:00.000000Z");
        assert_eq!(encode(u64::MAX), "+586524-01-19T08:01:49.551615Z");
    }

    #[test]
    fn each_day_of_eight_hundred_years_follows_the_one_before() {
        let mut last = (1969, 12, 31);
        for day in 0..2 * super::CYCLE_DAYS {
            let text = encode(day * 86_400_000_000);
            let [year, month, date] = [&text[..4], &text[5..7], &text[8..10]].map(|it| it.parse().unwrap());
            let is_next_day = (year, month, date) == (last.0, last.1, last.2 + 1);
            let is_next_month = (year, month, date) == (last.0, last.1 + 1, 1) && last.2 >= 28;
            let is_next_year = (year, month, date) == (last.0 + 1, 1, 1) && (last.1, last.2) == (12, 31);
            assert!(is_next_day || is_next_month || is_next_year, "{text} after {last:?}");
            assert_eq!(parse(&text), Some(day * 86_400_000_000));
            last = (year, month, date);
        }
    }

    #[test]
    fn fractions_of_each_length() {
        for (text, micros) in
            [("", 0), (".1", 100_000), (".12", 120_000), (".000001", 1), (".999999", 999_999)]
        {
            assert_eq!(parse(&format!("1970-01-01T00:00:00{text}Z")), Some(micros));
        }
    }

    #[test]
    fn what_is_no_time_of_a_ledger() {
        for text in [
            "",
            "1970-01-01",
            "1970-01-01T00:00:00",
            "1970-01-01T00:00:00z",
            "1970-01-01t00:00:00Z",
            "1970-01-01 00:00:00Z",
            "1970-01-01T00:00:00.Z",
            "1970-01-01T00:00:00.1234567Z",
            "1970-01-01T00:00:00+00:00",
            "1969-12-31T23:59:59.999999Z",
            "0000-01-01T00:00:00Z",
            "1970-00-01T00:00:00Z",
            "1970-13-01T00:00:00Z",
            "1970-01-00T00:00:00Z",
            "1970-01-32T00:00:00Z",
            "1970-04-31T00:00:00Z",
            "1971-02-29T00:00:00Z",
            "2100-02-29T00:00:00Z",
            "1970-01-01T24:00:00Z",
            "1970-01-01T00:60:00Z",
            "1970-01-01T00:00:60Z",
            "1970-01-01T00:00:0éZ",
            "+010000-01-01T00:00:00Z",
        ] {
            assert_eq!(parse(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn reading_what_was_printed_gives_the_time(micros in 0..=LAST) {
            prop_assert_eq!(parse(&encode(micros)), Some(micros));
        }
    }
}
