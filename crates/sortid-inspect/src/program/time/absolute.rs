//! Reads times that do not depend on the clock.

use super::{
    CYCLE_MICROS, CYCLE_YEARS,
    moment::{Moment, Role},
    number,
};
use jiff::{Timestamp, civil::Date, fmt::temporal::Pieces, tz::TimeZone};
use std::{borrow::Cow, fmt};

/// Reads RFC 3339, a date, Unix milliseconds, `@` and Unix seconds, and what [`Time::text`](super::Time::text) prints.
/// Reads a month, too, unless it is for a [`Role::Instant`]. `None` if the text has none of these forms.
pub(super) fn absolute(
    text: &[u8],
    role: Role,
    warn: impl FnMut(fmt::Arguments<'_>),
) -> Result<Option<Moment>, String> {
    if let Some(moment) = number::read(text, warn) {
        return moment.map(Some);
    }
    std::str::from_utf8(text).map_or(Ok(None), |text| calendar(text, role))
}

/// Reads a date, a month, or a date and a time of the day.
pub(super) fn calendar(text: &str, role: Role) -> Result<Option<Moment>, String> {
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
    } else if let Some((first, midnight)) = date(&format!("{near}-01"))
        .filter(|_| role != Role::Instant)
        .and_then(|first| Some((first, midnight(first).ok()?)))
    {
        (midnight, Some(first.days_in_month()))
    } else {
        return Ok(None);
    };
    // Rounds down, even before 1970.
    Moment::of_micros(nanos.div_euclid(1000) + cycles * CYCLE_MICROS, days).map(Some)
}

/// Whether the offset of a time is a day or longer. jiff reads offsets up to 25 hours. RFC 3339 allows hours up to 23.
fn has_long_offset(text: &str) -> bool {
    let offset = Pieces::parse(text).ok().and_then(|pieces| pieces.to_numeric_offset());
    offset.is_some_and(|offset| offset.seconds().abs() >= 86_400)
}

/// Reads a date of ten characters. jiff also accepts blanks and leaves out zeros.
fn date(text: &str) -> Option<Date> {
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
    let year = year.and_then(|(year, rest)| Some((year.parse::<i128>().ok()?, rest)));
    if let Some((year, rest)) = year.filter(|(year, _)| *year > 9998) {
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
