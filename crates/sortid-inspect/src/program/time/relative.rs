//! Times that depend on the clock: `now`, `yesterday`, `-1h`, `2 days ago`.

use super::moment::Moment;
use jiff::{Span, Timestamp, tz::TimeZone};

/// Reads a word, or a duration with a sign, `ago` or `in`. `None` if the text is neither.
///
/// Days and longer units are those of the calendar in UTC.
pub(super) fn read(text: &str, now: Timestamp) -> Option<Result<Moment, String>> {
    let days = match &*text.to_ascii_lowercase() {
        "now" => return Some(Moment::of_micros(micros(now), None)),
        "yesterday" => -1,
        "today" => 0,
        "tomorrow" => 1,
        _ => return duration(text, now),
    };
    let midnight = TimeZone::UTC.to_datetime(now).date().checked_add(Span::new().days(days));
    let midnight = midnight.and_then(|date| date.to_zoned(TimeZone::UTC));
    Some(midnight.map_err(out_of_range).and_then(|time| Moment::of_micros(micros(time.timestamp()), Some(1))))
}

fn duration(text: &str, now: Timestamp) -> Option<Result<Moment, String>> {
    let signed = match text.split_at_checked(3) {
        Some((word, rest)) if word.eq_ignore_ascii_case("in ") => format!("+{rest}"),
        _ => text.to_owned(),
    };
    let lower = signed.to_ascii_lowercase();
    // A single M may mean months.
    let has_big_m = signed.split(|char: char| !char.is_ascii_alphabetic()).any(|word| word == "M");
    let span =
        signed.parse().or_else(|error| if has_big_m { Err(error) } else { lower.parse::<Span>() }).ok()?;
    if !(lower.starts_with(['+', '-']) || lower.ends_with("ago")) {
        return Some(Err(format!("expected a sign: write -{text} for the past, or +{text} for the future")));
    }
    let then = now.to_zoned(TimeZone::UTC).checked_add(span);
    Some(then.map_err(out_of_range).and_then(|time| Moment::of_micros(micros(time.timestamp()), None)))
}

fn micros(time: Timestamp) -> i128 {
    time.as_nanosecond().div_euclid(1000)
}

fn out_of_range(_: jiff::Error) -> String {
    "expected a time from 1970 to 9999".to_owned()
}

#[cfg(test)]
mod tests {
    use super::read;
    use crate::program::time::{Role, Time};
    use jiff::{Timestamp, ToSpan as _, tz::TimeZone};
    use proptest::prelude::*;

    fn now() -> Timestamp {
        "2024-03-31T06:06:06.666Z".parse().unwrap()
    }

    fn first(text: &str) -> String {
        read(text, now()).unwrap().unwrap().first.to_string()
    }

    #[test]
    fn a_relative_time_counts_from_now_in_utc() {
        for (text, time) in [
            ("now", "2024-03-31T06:06:06.666000Z"),
            ("NOW", "2024-03-31T06:06:06.666000Z"),
            ("today", "2024-03-31T00:00:00.000000Z"),
            ("Yesterday", "2024-03-30T00:00:00.000000Z"),
            ("tomorrow", "2024-04-01T00:00:00.000000Z"),
            ("-1h", "2024-03-31T05:06:06.666000Z"),
            ("+30m", "2024-03-31T06:36:06.666000Z"),
            ("-2d12h", "2024-03-28T18:06:06.666000Z"),
            ("-1.5h", "2024-03-31T04:36:06.666000Z"),
            ("1h ago", "2024-03-31T05:06:06.666000Z"),
            ("1 Hour AGO", "2024-03-31T05:06:06.666000Z"),
            ("2 years 5 months ago", "2021-10-31T06:06:06.666000Z"),
            ("-1mo", "2024-02-29T06:06:06.666000Z"),
            ("-1 Month", "2024-02-29T06:06:06.666000Z"),
            ("-P1M", "2024-02-29T06:06:06.666000Z"),
            ("in 3 days", "2024-04-03T06:06:06.666000Z"),
            ("-0s", "2024-03-31T06:06:06.666000Z"),
            ("-54y", "1970-03-31T06:06:06.666000Z"),
        ] {
            assert_eq!(first(text), time, "{text}");
        }
    }

    #[test]
    fn a_duration_needs_one_sign_and_a_time_that_the_program_knows() {
        for (text, message) in [
            ("1h", "expected a sign: write -1h for the past, or +1h for the future"),
            ("2 days", "write -2 days for the past"),
            ("P1D", "expected a sign"),
            ("-55y", "from 1970 on"),
            ("-9999y", "from 1970 on"),
            ("-19998y", "from 1970 to 9999"),
            ("+8000y", "from 1970 to 9999"),
            ("+19998 years", "from 1970 to 9999"),
        ] {
            let error = read(text, now()).unwrap().unwrap_err();
            assert!(error.contains(message), "{text}: {error}");
        }
        for text in [
            "",
            "-",
            "+",
            "-1",
            "+1",
            "-1M",
            "in -3 days",
            "-1h ago",
            "nows",
            "now-1",
            "now-1h",
            "in ",
            "2024-06-06",
        ] {
            assert!(read(text, now()).is_none(), "{text}");
        }
    }

    #[test]
    fn the_end_of_a_day_is_its_last_moment() {
        let today = TimeZone::UTC.to_datetime(now()).date();
        let parse = |word, role| crate::program::time::read(word, role, now(), |_| {});
        for (word, days) in [("yesterday", -1), ("today", 0), ("tomorrow", 1)] {
            let end = format!("{}T23:59:59.999999Z", today.checked_add(days.days()).unwrap());
            assert_eq!(parse(word, Role::Until).unwrap().to_string(), end);
        }
        assert_eq!(parse("now", Role::Until), parse("now", Role::Instant));
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in any::<String>()) {
            let _ = read(&text, now());
        }

        #[test]
        fn any_duration_is_read_or_refused(text in "(in |[+-]|)([0-9]{1,12}([.,][0-9]{1,10})? ?(y|mo|M|w|d|h|m|s|ms|us|ns),? ?){1,4}( ago)?") {
            let _ = read(&text, now());
        }

        /// `2 years 5 months ago` leaves the days out.
        #[test]
        fn a_distance_that_is_printed_is_read(millis in 0..253_402_300_799_999_u64) {
            let distance = Time::from_unix_millis(millis).relative_to(now()).unwrap();
            let time = read(&distance, now()).expect("a relative time").unwrap().first;
            let days = (time.unix_millis() - i128::from(millis)) / 86_400_000;
            prop_assert!(days.abs() <= 31, "{}", distance);
        }
    }
}
