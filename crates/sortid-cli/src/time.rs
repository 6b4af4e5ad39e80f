use jiff::{Timestamp, Unit, civil::Date, tz::TimeZone};
use sortid::Text;
use std::{fmt, str::FromStr, time::Duration};

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
        text.push(b'.');
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

/// RFC 3339, a date (its midnight in UTC), or Unix milliseconds.
impl FromStr for Time {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if let Ok(millis) = text.parse::<u64>() {
            return match millis.checked_mul(1000) {
                Some(_) => Ok(Self::from_unix_millis(millis)),
                None => Err("expected at most 18446744073709551 ms, which is in the year 586524".to_owned()),
            };
        }
        let timestamp = text
            .parse::<Timestamp>()
            .or_else(|_| Ok(date(text)?.to_zoned(TimeZone::UTC)?.timestamp()))
            .map_err(|_: jiff::Error| {
                "expected a time such as 2024-01-01T00:00:00Z, a date, or Unix milliseconds".to_owned()
            })?;
        match timestamp.as_microsecond() {
            micros @ 0.. => Ok(Self { micros: micros.into(), digits: 6 }),
            _ => Err("expected a time from 1970 on".to_owned()),
        }
    }
}

/// The parser of `Date` itself accepts a time without an offset and ignores it.
fn date(text: &str) -> Result<Date, jiff::Error> {
    Date::strptime("%Y-%m-%d", text)
}

/// As [`Time::from_str`], but a date means its last microsecond.
pub(crate) fn parse_until(text: &str) -> Result<Time, String> {
    let mut time: Time = text.parse()?;
    if date(text).is_ok() {
        time.micros += DAY_MICROS - 1;
    }
    Ok(time)
}

#[cfg(test)]
mod tests {
    use super::{Time, parse_until};

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
        for text in
            ["", "yesterday", "2024-01-01T00:00:00", "2024-13-01", "-1", "1969-12-31", "18446744073709552"]
        {
            assert!(text.parse::<Time>().is_err(), "{text}");
        }
    }
}
