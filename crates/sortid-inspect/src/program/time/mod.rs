//! Times: how they are printed, and which ones are read.

// A time without a zone is refused, because UTC and the local zone are both likely. All relative times of a command
// line count from one reading of the clock.

mod absolute;
mod duration;
mod moment;
mod number;
mod read;
mod relative;
mod usual;

pub use duration::parse_duration;
use jiff::{Timestamp, Unit, tz::TimeZone};
pub use moment::Role;
pub use read::{read, read_line};
/// A number that means a time outside this range is more likely in another unit.
pub use sortid::__PLAUSIBLE as PLAUSIBLE;
use sortid::Text;
use std::{
    fmt,
    time::{SystemTime, UNIX_EPOCH},
};

/// A point in time: Unix microseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Time {
    micros: i128,
    /// How many digits of the second's fraction are printed: up to 6.
    digits: u32,
}

/// 400 years of the Gregorian calendar, after which it repeats.
const CYCLE_YEARS: i128 = 400;
const CYCLE_MICROS: i128 = 146_097 * DAY_MICROS;

const DAY_MICROS: i128 = 86_400 * 1_000_000;

impl Time {
    pub fn from_unix_millis(millis: u64) -> Self {
        Self { micros: i128::from(millis) * 1000, digits: 3 }
    }

    pub fn from_unix_micros(micros: u64) -> Self {
        Self { micros: micros.into(), digits: 6 }
    }

    /// A time before 1970 is 1970.
    pub fn from_system_time(time: SystemTime) -> Self {
        let since_1970 = time.duration_since(UNIX_EPOCH).unwrap_or_default();
        Self::from_unix_millis(u64::try_from(since_1970.as_millis()).unwrap_or(u64::MAX / 1000))
    }

    pub const fn unix_micros(self) -> i128 {
        self.micros
    }

    /// Whether the time is after `now`.
    #[must_use]
    pub fn is_after(self, now: Timestamp) -> bool {
        self.micros > now.as_microsecond().into()
    }

    pub const fn unix_millis(self) -> i128 {
        self.micros.div_euclid(1000)
    }
}

impl Time {
    /// RFC 3339 in UTC. RFC 3339 has no years above 9999: they get a sign and six digits, as in ISO 8601 and ECMAScript.
    pub fn text(self) -> Text<30> {
        let greatest = i128::from(Timestamp::MAX.as_second()) * 1_000_000;
        let cycles = match self.micros - greatest {
            ..=0 => 0,
            beyond => beyond / CYCLE_MICROS + 1,
        };
        let micros = i64::try_from(self.micros - cycles * CYCLE_MICROS).ok();
        let timestamp = micros.and_then(|micros| Timestamp::from_microsecond(micros).ok());
        let datetime = TimeZone::UTC
            .to_datetime(timestamp.expect("without the cycles, the time is within jiff's range"));
        let year = i128::from(datetime.year()) + cycles * CYCLE_YEARS;

        let mut text = Text::EMPTY;
        let is_late = year > 9999;
        if is_late {
            text.push(b'+');
        }
        push(&mut text, year as u32, if is_late { 6 } else { 4 });
        for (before, value) in [
            (b'-', datetime.month()),
            (b'-', datetime.day()),
            (b'T', datetime.hour()),
            (b':', datetime.minute()),
            (b':', datetime.second()),
        ] {
            text.push(before);
            push(&mut text, value as u32, 2);
        }
        if self.digits > 0 {
            text.push(b'.');
        }
        let micros = datetime.subsec_nanosecond() as u32 / 1000;
        push(&mut text, micros / 10_u32.pow(6 - self.digits), self.digits);
        text.push(b'Z');
        text
    }
}

impl Time {
    /// The distance from `now`, in the greatest unit and the next one: `2 years 5 months ago`, `in 3 days`. `None` beyond
    /// the year 9999.
    pub fn relative_to(self, now: Timestamp) -> Option<String> {
        let then = Timestamp::from_microsecond(i64::try_from(self.micros).ok()?).ok()?;
        let [now, then] = [now, then].map(|time| TimeZone::UTC.to_datetime(time));
        let span = now.until((Unit::Year, then)).ok()?;
        let units = [
            (i64::from(span.get_years()), "year"),
            (span.get_months().into(), "month"),
            (span.get_days().into(), "day"),
            (span.get_hours().into(), "hour"),
            (span.get_minutes(), "minute"),
            (span.get_seconds(), "second"),
        ];
        let Some(first) = units.iter().position(|(count, _)| *count != 0) else {
            return Some("now".to_owned());
        };
        let parts: Vec<_> = units[first..]
            .iter()
            .take(2)
            .map(|(count, unit)| (count.abs(), unit))
            .filter(|(count, _)| *count > 0)
            .map(|(count, unit)| format!("{count} {unit}{}", if count == 1 { "" } else { "s" }))
            .collect();
        let parts = parts.join(" ");
        Some(if span.is_negative() { format!("{parts} ago") } else { format!("in {parts}") })
    }
}

fn push(text: &mut Text<30>, value: u32, digits: u32) {
    for digit in (0..digits).rev() {
        text.push(b'0' + (value / 10_u32.pow(digit) % 10) as u8);
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text())
    }
}

impl sortid::UnixTime for Time {
    fn unix_micros(self) -> i128 {
        self.micros
    }
}

/// Microseconds as seconds, without zeros at the end.
pub fn seconds(micros: u64) -> String {
    let text = format!("{}.{:06}", micros / 1_000_000, micros % 1_000_000);
    format!("{} s", text.trim_end_matches('0').trim_end_matches('.'))
}

/// How the tests read times: as the program does, without its warnings.
#[cfg(test)]
mod testing {
    use super::{Role, Time, read, read_line};
    use jiff::Timestamp;
    use std::sync::LazyLock;

    static NOW: LazyLock<Timestamp> = LazyLock::new(Timestamp::now);

    pub(super) fn parse_at(text: &str) -> Result<Time, String> {
        read(text, Role::Instant, *NOW, |_| {})
    }

    pub(super) fn parse_since(text: &str) -> Result<Time, String> {
        read(text, Role::Since, *NOW, |_| {})
    }

    pub(super) fn parse_until(text: &str) -> Result<Time, String> {
        read(text, Role::Until, *NOW, |_| {})
    }

    pub(super) fn parse_fixed(text: &str) -> Result<Time, String> {
        read_line(text.as_bytes(), |_| {})
    }
}

#[cfg(test)]
mod tests {
    use super::{
        Time, read_line,
        testing::{parse_at, parse_fixed, parse_since, parse_until},
    };
    use jiff::{Timestamp, tz::Offset};
    use proptest::prelude::*;

    #[test]
    fn times_print_in_rfc_3339_and_beyond() {
        for (millis, text) in [
            (0, "1970-01-01T00:00:00.000Z"),
            (951_782_400_000, "2000-02-29T00:00:00.000Z"),
            (253_402_207_200_999, "9999-12-30T22:00:00.999Z"),
            (253_402_207_201_000, "9999-12-30T22:00:01.000Z"),
            (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
            (253_402_300_800_000, "+010000-01-01T00:00:00.000Z"),
            ((1 << 48) - 1, "+010889-08-02T05:31:50.655Z"),
            (u64::MAX / 1000, "+586524-01-19T08:01:49.551Z"),
        ] {
            assert_eq!(Time::from_unix_millis(millis).to_string(), text);
        }
    }

    #[test]
    fn a_time_is_shown_as_its_distance_from_now() {
        let now = "2024-06-06T06:06:06.666Z".parse().unwrap();
        for (time, relative) in [
            ("2024-06-06T06:06:06.666Z", "now"),
            ("2024-06-06T06:06:07.665Z", "now"),
            ("2024-06-06T06:06:05.666Z", "1 second ago"),
            ("2024-06-06T06:08:07Z", "in 2 minutes"),
            ("2024-06-06T06:08:08Z", "in 2 minutes 1 second"),
            ("2024-06-09T06:06:08Z", "in 3 days"),
            ("2024-06-05T05:06:06Z", "1 day 1 hour ago"),
            ("2022-01-06T06:06:06.666Z", "2 years 5 months ago"),
            ("2023-05-30T00:00:00Z", "1 year ago"),
            ("1970-01-01T00:00:00Z", "54 years 5 months ago"),
            ("9999-12-30T00:00:00Z", "in 7975 years 6 months"),
        ] {
            assert_eq!(parse_at(time).unwrap().relative_to(now).unwrap(), relative, "{time}");
        }
        assert_eq!(Time::from_unix_millis(1 << 48).relative_to(now), None);
    }

    #[test]
    fn the_end_of_a_date_is_its_last_microsecond() {
        for (text, until) in [
            ("2024-02-28", "2024-02-28T23:59:59.999999Z"),
            ("9998-12-31", "9998-12-31T23:59:59.999999Z"),
            ("2024-02-28T00:00:00Z", "2024-02-28T00:00:00.000000Z"),
            ("20240228", "1970-01-01T05:37:20.228000Z"),
            ("9999-12-31", "9999-12-31T23:59:59.999999Z"),
            ("+010000-02-29", "+010000-02-29T23:59:59.999999Z"),
            ("+586524-01-19", "+586524-01-19T08:01:49.551615Z"),
        ] {
            assert_eq!(parse_until(text).unwrap().to_string(), until);
        }
        assert!(parse_until("1969-12-31").is_err());
    }

    #[test]
    fn a_month_is_the_span_from_its_first_moment_to_its_last() {
        for (text, since, until) in [
            ("2024-02", "2024-02-01T00:00:00.000000Z", "2024-02-29T23:59:59.999999Z"),
            ("2023-02", "2023-02-01T00:00:00.000000Z", "2023-02-28T23:59:59.999999Z"),
            ("9999-12", "9999-12-01T00:00:00.000000Z", "9999-12-31T23:59:59.999999Z"),
            ("+010000-02", "+010000-02-01T00:00:00.000000Z", "+010000-02-29T23:59:59.999999Z"),
            ("+586524-01", "+586524-01-01T00:00:00.000000Z", "+586524-01-19T08:01:49.551615Z"),
        ] {
            assert_eq!(parse_since(text).unwrap().to_string(), since);
            assert_eq!(parse_until(text).unwrap().to_string(), until);
        }
        for text in ["2024-13", "2024-1", "1969-12", "2024-", "+10000-01", "2024-06-"] {
            assert!(parse_since(text).is_err() && parse_until(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_line_and_an_epoch_do_not_depend_on_the_clock() {
        for text in ["now", "today", "-1h", "1h ago", "2024-06", "1h"] {
            assert!(read_line(text.as_bytes(), |_| ()).is_err() && parse_fixed(text).is_err(), "{text}");
        }
        for text in ["@1717653966", "2024-06-06T06:06:06Z", "1717653966000", "2024-06-06 06:06:06Z"] {
            let micros = parse_at(text).map(Time::unix_micros);
            assert_eq!(read_line(text.as_bytes(), |_| ()).map(Time::unix_micros), micros, "{text}");
            assert_eq!(parse_fixed(text).map(Time::unix_micros), micros, "{text}");
        }
    }

    /// Each text, and each text that differs from it in a byte, or lacks one.
    #[test]
    fn a_text_like_a_time_is_read_or_refused() {
        for text in [
            "1717653966666",
            "@1717653966.666",
            "2024-06-06T06:06:06.666+02:00",
            "+010889-08-02T05:31:50.655Z",
            "2024-06",
            "tomorrow",
            "-2d12h",
            "2 years 5 months ago",
            "in 3 days",
            "-P1DT2H",
            "06/06/2024 6:06 pm",
            "Thu, 06 Jun 2024 06:06:06 GMT",
            "2024-06-06T24:00 [Europe/Berlin]",
        ] {
            let _ = (parse_since(text), parse_until(text), parse_at(text));
            for (at, _) in text.char_indices() {
                for new in ["", "0", "9", "-", "+", ":", ".", "T", "Z", " ", "\0", "é", "😀"] {
                    let changed = [&text[..at], new, &text[at + 1..]].concat();
                    let _ = (parse_since(&changed), parse_until(&changed), parse_at(&changed));
                }
            }
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in any::<String>()) {
            let _ = (parse_since(&text), parse_until(&text), read_line(text.as_bytes(), |_| ()));
        }

        #[test]
        fn a_time_is_read_as_jiff_reads_it(micros in 0..253_402_207_200_000_000_i64, minutes in -1439..1440_i32) {
            let time = Timestamp::from_microsecond(micros).unwrap();
            let zoned = time.to_zoned(Offset::from_seconds(60 * minutes).unwrap().to_time_zone());
            let texts = [time.to_string(), zoned.strftime("%Y-%m-%d %H:%M:%S.%6f%:z").to_string()];
            let seconds = format!("@{}.{:06}", micros / 1_000_000, micros % 1_000_000);
            for text in texts.into_iter().chain([zoned.timestamp().to_string(), seconds]) {
                prop_assert_eq!(parse_at(&text).map(Time::unix_micros), Ok(i128::from(micros)), "{}", text);
            }
        }

        /// A duration of a known length.
        #[test]
        fn a_duration_counts_from_now(seconds in 0..1_500_000_000_i64) {
            let now = parse_at("now").unwrap().unix_micros();
            let [past, future] = ["-", "+"].map(|sign| parse_at(&format!("{sign}{seconds}s")).unwrap().unix_micros());
            prop_assert_eq!([now - past, future - now], [i128::from(seconds) * 1_000_000; 2]);
        }
    }

    #[test]
    fn the_forms_of_a_time_mean_the_same() {
        for text in [
            "1704067200000",
            "@1704067200",
            "@1704067200.000",
            "2024-01-01",
            "2024-01-01T00:00:00Z",
            "2024-01-01 00:00Z",
            "2024-01-01T01:00:00+01:00",
            "2024-01-01 01:00:00+01",
            "2024-01-01 23:59:00+23:59",
            "2023-12-31 00:01:00-23:59",
        ] {
            assert_eq!(parse_at(text).unwrap().unix_millis(), 1_704_067_200_000, "{text}");
        }
        for (text, message) in [
            ("-", "expected a time such as"),
            ("last week", "expected a time such as"),
            ("+010001-02-29", "expected a time such as"),
            ("+10000-01-01", "expected a time such as"),
            ("2024-06- 6", "expected a time such as"),
            ("2024-06-06T24:00Z", "expected a time such as"),
            ("2024-06-06T06:06:06+23:60", "expected a time such as"),
            ("1969-12-31", "from 1970 on"),
            ("0001-01-01", "from 1970 on"),
            ("1969-12-31T23:59:59.9999999Z", "from 1970 on"),
            ("-000001-01-01T00:00:00Z", "from 1970 on"),
            ("2016-12-31T23:59:60Z", "no leap seconds"),
            ("2016-12-31 23:59:60.5+00:00", "no leap seconds"),
            ("2024-06-06T06:06:06+24:00", "an offset from -23:59 to +23:59"),
            ("2024-06-06 06:06-24", "an offset from -23:59 to +23:59"),
            ("+010001-06-06T06:06:06+2500", "an offset from -23:59 to +23:59"),
            ("2024-06-06T06:06:06.5+24:00[UTC]", "an offset from -23:59 to +23:59"),
            ("+586524-01-19T08:01:49.551616Z", "up to +586524-01-19T08:01:49.551615Z"),
            ("+586525-01-01", "up to +586524"),
        ] {
            let error = parse_at(text).unwrap_err();
            assert!(error.contains(message), "{text}: {error}");
        }
    }

    #[test]
    fn a_time_that_was_printed_is_read() {
        let millis = [
            0,
            1,
            951_782_400_000,
            253_402_207_201_000,
            253_402_300_799_999,
            253_402_300_800_000,
            (1 << 48) - 1,
        ];
        let days = (0..20_000).map(|day| day * 86_400_000 * 9973 + day);
        for time in millis.into_iter().chain(days).chain([u64::MAX / 1000]).map(Time::from_unix_millis) {
            assert_eq!(parse_at(&time.to_string()).unwrap().unix_micros(), time.unix_micros(), "{time}");
        }
        let last = Time::from_unix_micros(u64::MAX);
        assert_eq!(parse_at(&last.to_string()), Ok(last));
    }
}
