mod usual;

use crate::stderr;
use jiff::{Timestamp, Unit, civil::Date, tz::TimeZone};
use sortid::Text;
use std::{borrow::Cow, fmt, str::FromStr, time::Duration};

/// A point in time: Unix microseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Time {
    micros: i128,
    /// How many digits of the second's fraction are printed: up to 6.
    digits: u32,
}

/// 400 years of the Gregorian calendar, after which it repeats.
const CYCLE_YEARS: i128 = 400;
const CYCLE_MICROS: i128 = 146_097 * DAY_MICROS;

const DAY_MICROS: i128 = 86_400 * 1_000_000;

impl Time {
    pub(crate) fn from_unix_millis(millis: u64) -> Self {
        Self { micros: i128::from(millis) * 1000, digits: 3 }
    }

    pub(crate) fn from_unix_micros(micros: u64) -> Self {
        Self { micros: micros.into(), digits: 6 }
    }

    /// Reads a time as [`from_str`](Self::from_str) does, but passes its warning to `warn`.
    #[inline]
    pub(crate) fn read_line(text: &[u8], warn: impl FnMut(fmt::Arguments<'_>)) -> Result<Self, String> {
        if let Some(micros) = usual::micros(text) {
            return Ok(Self::from_unix_micros(micros));
        }
        // Characters that are not UTF-8 are in no time.
        Ok(read(&String::from_utf8_lossy(text), warn)?.0)
    }

    pub(crate) const fn unix_micros(self) -> i128 {
        self.micros
    }

    /// No `Time` is before 1970.
    pub(crate) fn since_1970(self) -> Duration {
        Duration::from_micros(u64::try_from(self.micros).unwrap_or_default())
    }

    pub(crate) const fn unix_millis(self) -> i128 {
        self.micros.div_euclid(1000)
    }
}

impl Time {
    /// RFC 3339 in UTC. RFC 3339 has no years above 9999: they get a sign and six digits, as in ISO 8601 and ECMAScript.
    pub(crate) fn text(self) -> Text<30> {
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
    pub(crate) fn relative_to(self, now: Timestamp) -> Option<String> {
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

/// RFC 3339, a date (its midnight in UTC), or Unix milliseconds. Also reads what [`Time::text`] prints.
impl FromStr for Time {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Ok(read(text, print_warning)?.0)
    }
}

/// As [`Time::from_str`], but a date means its last microsecond.
pub(crate) fn parse_until(text: &str) -> Result<Time, String> {
    let (mut time, is_date) = read(text, print_warning)?;
    if is_date {
        time.micros = LAST.min(time.micros + DAY_MICROS - 1);
    }
    Ok(time)
}

/// The last time that the program knows: 64 bits of microseconds, in the year 586524.
const LAST: i128 = u64::MAX as i128;

fn print_warning(warning: fmt::Arguments<'_>) {
    stderr::print_line(format_args!("warning: {warning}"));
}

/// Reads a time, and tells whether it is a date alone.
fn read(text: &str, warn: impl FnMut(fmt::Arguments<'_>)) -> Result<(Time, bool), String> {
    if let Some(time) = integer(text, warn) {
        return Ok((time?, false));
    }
    let expected = || "expected a time such as 2024-01-01T00:00:00Z, a date, or Unix milliseconds".to_owned();
    let (cycles, near) = without_cycles(text);
    let (micros, is_date) = if let Ok(timestamp) = near.parse::<Timestamp>() {
        if is_leap_second(&near) {
            return Err("expected a second up to 59: Unix time has no leap seconds".to_owned());
        }
        // Rounds down, also before 1970.
        (timestamp.as_nanosecond().div_euclid(1000), false)
    } else {
        // The parser of `Date` itself accepts a time without an offset and ignores it.
        let date = Date::strptime("%Y-%m-%d", &*near).map_err(|_| expected())?;
        let midnight = date.to_zoned(TimeZone::UTC).map_err(|_| expected())?;
        (i128::from(midnight.timestamp().as_microsecond()), true)
    };
    match micros + cycles * CYCLE_MICROS {
        ..0 => Err("expected a time from 1970 on".to_owned()),
        micros @ 0..=LAST => Ok((Time { micros, digits: 6 }, is_date)),
        _ => Err(format!("expected a time up to {}", Time { micros: LAST, digits: 6 })),
    }
}

/// Reads Unix milliseconds, if the text is an integer. Warns of an integer that is more likely something else: it would
/// mean a time in 1970, or in a far future.
fn integer(text: &str, mut warn: impl FnMut(fmt::Arguments<'_>)) -> Option<Result<Time, String>> {
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let int: u128 = text.parse().unwrap_or(u128::MAX);
    let meant = meant(int);
    let time = u64::try_from(int).ok().filter(|millis| millis.checked_mul(1000).is_some());
    let Some(time) = time.map(Time::from_unix_millis) else {
        let hint =
            meant.map(|(unit, time)| format!("; if these are {unit}, write {time}")).unwrap_or_default();
        return Some(Err(format!(
            "expected at most 18446744073709551 ms, which is in the year 586524{hint}"
        )));
    };
    if let Some((unit, meant)) = meant {
        warn(format_args!("{int} is read as milliseconds: {time}; if these are {unit}, write {meant}"));
    }
    Some(Ok(time))
}

/// The unit other than milliseconds in which an integer is a time from 2000 to 2099, and that time. At most one unit fits.
fn meant(int: u128) -> Option<(&'static str, String)> {
    const SECONDS: std::ops::Range<i128> = 946_684_800..4_102_444_800;

    let int = i128::try_from(int).ok()?;
    let of = |micros: i128, digits| {
        let seconds = micros.div_euclid(1_000_000);
        SECONDS.contains(&seconds).then(|| Time { micros, digits }.to_string())
    };
    let units = [("seconds", of(int.checked_mul(1_000_000)?, 0)), ("microseconds", of(int, 6))];
    let nanos = ("nanoseconds", of(int / 1000, 6));
    let found = units.into_iter().chain([nanos]).find_map(|(unit, time)| Some((unit, time?)));
    found.or_else(|| {
        let date = Date::strptime("%Y%m%d", int.to_string()).ok()?;
        (2000..2100).contains(&date.year()).then(|| ("the digits of a date", date.to_string()))
    })
}

/// The same text with a year that jiff knows, and how many cycles later the time is. Years above 9999 have a sign and six
/// digits.
fn without_cycles(text: &str) -> (i128, Cow<'_, str>) {
    let (digits, unsigned) = match text.strip_prefix('+') {
        Some(text) => (6, text),
        None => (4, text),
    };
    let year = unsigned.split_once('-').filter(|(year, _)| year.len() == digits);
    if let Some((year, rest)) = year
        && let Ok(year) = year.parse::<i128>()
        && year > 9998
    {
        let cycles = (year - 9998).div_euclid(CYCLE_YEARS) + 1;
        return (cycles, format!("{:04}-{rest}", year - cycles * CYCLE_YEARS).into());
    }
    (0, text.into())
}

/// Whether the second of a time that jiff accepts is 60, which jiff reads as 59.
fn is_leap_second(text: &str) -> bool {
    let time = text.split(['T', 't', ' ']).nth(1).unwrap_or_default();
    let clock = time.split(['Z', 'z', '+', '-', '.', ',', '[']).next().unwrap_or_default();
    let digits = clock.bytes().filter(u8::is_ascii_digit);
    digits.clone().count() == 6 && digits.skip(4).eq(*b"60")
}

/// Microseconds as seconds, without zeros at the end.
pub(crate) fn seconds(micros: u64) -> String {
    let text = format!("{}.{:06}", micros / 1_000_000, micros % 1_000_000);
    format!("{} s", text.trim_end_matches('0').trim_end_matches('.'))
}

#[cfg(test)]
mod tests {
    use super::{Time, meant, parse_until};

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
            assert_eq!(time.parse::<Time>().unwrap().relative_to(now).unwrap(), relative, "{time}");
        }
        assert_eq!(Time::from_unix_millis(1 << 48).relative_to(now), None);
    }

    #[test]
    fn the_end_of_a_date_is_its_last_microsecond() {
        for (text, until) in [
            ("2024-02-28", "2024-02-28T23:59:59.999999Z"),
            ("9998-12-31", "9998-12-31T23:59:59.999999Z"),
            ("2024-02-28T00:00:00Z", "2024-02-28T00:00:00.000000Z"),
            ("20240228", "1970-01-01T05:37:20.228Z"),
            ("9999-12-31", "9999-12-31T23:59:59.999999Z"),
            ("+010000-02-29", "+010000-02-29T23:59:59.999999Z"),
            ("+586524-01-19", "+586524-01-19T08:01:49.551615Z"),
        ] {
            assert_eq!(parse_until(text).unwrap().to_string(), until);
        }
        assert!(parse_until("1969-12-31").is_err());
    }

    #[test]
    fn times_are_read_in_three_forms() {
        for text in ["1704067200000", "2024-01-01", "2024-01-01T00:00:00Z", "2024-01-01T01:00:00+01:00"] {
            assert_eq!(text.parse::<Time>().unwrap().unix_millis(), 1_704_067_200_000, "{text}");
        }
        for (text, message) in [
            ("", "expected a time such as"),
            ("-", "expected a time such as"),
            ("-1", "expected a time such as"),
            ("+1", "expected a time such as"),
            ("yesterday", "expected a time such as"),
            ("2024-01-01T00:00:00", "expected a time such as"),
            ("2024-13-01", "expected a time such as"),
            ("2023-02-29", "expected a time such as"),
            ("+010001-02-29", "expected a time such as"),
            ("+10000-01-01", "expected a time such as"),
            ("1969-12-31", "from 1970 on"),
            ("0001-01-01", "from 1970 on"),
            ("1969-12-31T23:59:59.9999999Z", "from 1970 on"),
            ("-000001-01-01T00:00:00Z", "from 1970 on"),
            ("2016-12-31T23:59:60Z", "no leap seconds"),
            ("2016-12-31 23:59:60.5+00:00", "no leap seconds"),
            ("+586524-01-19T08:01:49.551616Z", "up to +586524-01-19T08:01:49.551615Z"),
            ("+586525-01-01", "up to +586524"),
            ("18446744073709552", "at most 18446744073709551 ms"),
            ("1717653966666666666", "if these are nanoseconds, write 2024-06-06T06:06:06.666666Z"),
        ] {
            let error = text.parse::<Time>().unwrap_err();
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
            assert_eq!(time.to_string().parse::<Time>().unwrap().unix_micros(), time.unix_micros(), "{time}");
        }
        let last = Time::from_unix_micros(u64::MAX);
        assert_eq!(last.to_string().parse(), Ok(last));
    }

    #[test]
    fn an_integer_that_is_not_plausible_as_milliseconds_can_have_a_plausible_unit() {
        for (int, unit) in [
            (946_684_800, Some("seconds")),
            (1_717_653_966, Some("seconds")),
            (4_102_444_799, Some("seconds")),
            (1_717_653_966_666_666, Some("microseconds")),
            (1_717_653_966_666_666_666, Some("nanoseconds")),
            (20_240_606, Some("the digits of a date")),
            (20_241_306, None),
            (19_991_231, None),
            (0, None),
            (1000, None),
            (946_684_799, None),
            (4_102_444_800, None),
            (u128::MAX, None),
        ] {
            assert_eq!(meant(int).map(|(unit, _)| unit), unit, "{int}");
        }
        for millis in (946_684_800_000..=4_102_444_800_000).step_by(99_999_991) {
            assert_eq!(meant(millis), None, "{millis}");
        }
    }
}
