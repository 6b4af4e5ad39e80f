//! Reads times: those of arguments, and those of the lines of standard input.

use super::{CYCLE_MICROS, CYCLE_YEARS, DAY_MICROS, Time, near, number, relative, usual};
use crate::stderr;
use jiff::{Timestamp, civil::Date, fmt::temporal::Pieces, tz::TimeZone};
use std::{borrow::Cow, fmt};

/// The last time that the program knows: 64 bits of microseconds, in the year 586524.
pub(super) const LAST: i128 = u64::MAX as i128;

/// What a time is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// The time of an ID. A date is its midnight.
    Instant,
    /// The first time of a span.
    Since,
    /// The last time of a span. A date is its last microsecond.
    Until,
}

/// What a text means: a point in time, or all microseconds of a date or a month.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Moment {
    pub(super) first: Time,
    last: Time,
}

impl Moment {
    pub(super) const fn at(time: Time) -> Self {
        Self { first: time, last: time }
    }

    /// From `micros` on, so many days; or this point in time, without a number of days. In UTC.
    pub(super) fn of_micros(micros: i128, days: Option<i8>) -> Result<Self, String> {
        let time = |micros| Time { micros, digits: 6 };
        let end = days.map_or(micros, |days| micros + i128::from(days) * DAY_MICROS - 1);
        match micros {
            ..0 => Err("expected a time from 1970 on".to_owned()),
            0..=LAST => Ok(Self { first: time(micros), last: time(LAST.min(end)) }),
            _ => Err(format!("expected a time up to {}", time(LAST))),
        }
    }

    pub(super) const fn has_length(self) -> bool {
        self.first.micros != self.last.micros
    }

    const fn of(self, role: Role) -> Time {
        match role {
            Role::Instant | Role::Since => self.first,
            Role::Until => self.last,
        }
    }
}

/// Reads the time of an ID.
pub(crate) fn parse_at(text: &str) -> Result<Time, String> {
    argument(text, Role::Instant)
}

/// As [`parse_at`], but also reads a month, which means its first moment.
pub(crate) fn parse_since(text: &str) -> Result<Time, String> {
    argument(text, Role::Since)
}

/// As [`parse_since`], but a date or a month means its last microsecond.
pub(crate) fn parse_until(text: &str) -> Result<Time, String> {
    argument(text, Role::Until)
}

/// Reads a time that does not depend on the clock.
pub(crate) fn parse_fixed(text: &str) -> Result<Time, String> {
    if relative::read(text, relative::now()).is_some() {
        return Err("expected a time that does not change, such as 2024-01-01".to_owned());
    }
    fixed(text, print_warning)
}

/// Reads a time that does not depend on the clock. Passes warnings to `warn`.
#[inline]
pub(crate) fn read_line(text: &[u8], warn: impl FnMut(fmt::Arguments<'_>)) -> Result<Time, String> {
    if let Some(micros) = usual::micros(text) {
        return Ok(Time::from_unix_micros(micros));
    }
    // Characters that are not UTF-8 are in no time.
    fixed(&String::from_utf8_lossy(text), warn)
}

pub(super) fn fixed(text: &str, warn: impl FnMut(fmt::Arguments<'_>)) -> Result<Time, String> {
    let moment = absolute(text, Role::Instant, warn)?.ok_or_else(|| {
        near::advice(text, Role::Instant).unwrap_or_else(|| {
            "expected a time such as 2024-01-01T00:00:00Z, a date, Unix milliseconds, or @ and Unix seconds"
                .to_owned()
        })
    })?;
    Ok(moment.first)
}

fn argument(text: &str, role: Role) -> Result<Time, String> {
    let moment = match relative::read(text, relative::now()) {
        Some(moment) => moment?,
        None => absolute(text, role, print_warning)?.ok_or_else(|| {
            near::advice(text, role).unwrap_or_else(|| {
                "expected a time such as 2024-01-01T00:00:00Z, a date, now, -1h, Unix milliseconds, or @ and Unix \
                 seconds"
                    .to_owned()
            })
        })?,
    };
    Ok(moment.of(role))
}

/// Whether an argument is a date or a month, and so has a first and a last moment that differ. `None` if it is not a
/// time.
pub(crate) fn has_length(text: &str) -> Option<bool> {
    let moment = match relative::read(text, relative::now()) {
        Some(moment) => moment.ok(),
        None => absolute(text, Role::Since, |_| ()).ok().flatten(),
    };
    moment.map(Moment::has_length)
}

fn print_warning(warning: fmt::Arguments<'_>) {
    stderr::print_line(format_args!("warning: {warning}"));
}

/// Reads RFC 3339, a date, Unix milliseconds, `@` and Unix seconds, and what [`Time::text`] prints; a month if it is not
/// for an [`Role::Instant`]. `None` if the text has none of these forms.
pub(super) fn absolute(
    text: &str,
    role: Role,
    warn: impl FnMut(fmt::Arguments<'_>),
) -> Result<Option<Moment>, String> {
    if let Some(time) = number::read(text, role, warn) {
        return Ok(Some(Moment::at(time?)));
    }
    let (cycles, near) = without_cycles(text);
    let midnight = |date: Date| date.to_zoned(TimeZone::UTC).map(|time| time.timestamp().as_nanosecond());
    let (nanos, days) = if let Ok(timestamp) = near.parse::<Timestamp>() {
        if is_leap_second(&near) {
            return Err("expected a second up to 59: Unix time has no leap seconds".to_owned());
        }
        if has_long_offset(&near) {
            return Err("expected an offset from -23:59 to +23:59".to_owned());
        }
        (timestamp.as_nanosecond(), None)
    } else if let Some(midnight) = date(&near).and_then(|date| midnight(date).ok()) {
        (midnight, Some(1))
    } else if role != Role::Instant
        && let Some(first) = date(&format!("{near}-01"))
        && let Ok(midnight) = midnight(first)
    {
        (midnight, Some(first.days_in_month()))
    } else {
        return Ok(None);
    };
    // Rounds down, also before 1970.
    Moment::of_micros(nanos.div_euclid(1000) + cycles * CYCLE_MICROS, days).map(Some)
}

/// Whether the offset of a time is a day or longer. jiff reads offsets up to 25 hours. RFC 3339 allows hours up to 23.
fn has_long_offset(text: &str) -> bool {
    let offset = Pieces::parse(text).ok().and_then(|pieces| pieces.to_numeric_offset());
    offset.is_some_and(|offset| offset.seconds().abs() >= 86_400)
}

/// Reads a date of ten characters. jiff also accepts blanks and leaves out zeros.
pub(super) fn date(text: &str) -> Option<Date> {
    let is_strict = text.len() == 10 && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
    is_strict.then(|| Date::strptime("%Y-%m-%d", text).ok())?
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
