//! Reads times: those of arguments, and those of the lines of standard input.

use super::{
    Time,
    absolute::{absolute, calendar},
    moment::Role,
    number::is_digits,
    relative, usual,
};
use jiff::Timestamp;
use std::fmt;

/// Reads a time that does not depend on the clock. Passes warnings to `warn`.
#[inline]
pub fn read_line(text: &[u8], warn: impl FnMut(fmt::Arguments<'_>)) -> Result<Time, String> {
    if let Some(micros) = usual::micros(text) {
        return Ok(Time::from_unix_micros(micros));
    }
    match absolute(text, Role::Instant, warn)? {
        Some(moment) => Ok(moment.first),
        None => Err(advice(text, Role::Instant, "")),
    }
}

/// Reads the time of an argument. Relative times count from `now`. Passes warnings to `warn`.
pub fn read(
    text: &str,
    role: Role,
    now: Timestamp,
    warn: impl FnMut(fmt::Arguments<'_>),
) -> Result<Time, String> {
    let moment = match relative::read(text, now) {
        Some(moment) => Some(moment?),
        None => absolute(text.as_bytes(), role, warn)?,
    };
    moment
        .map(|moment| moment.of(role))
        .ok_or_else(|| advice(text.as_bytes(), role, "now, -1h, \"2 days ago\", "))
}

/// What to write instead of a text that is not a time. `relative` has examples of times that depend on the clock, if they
/// are read.
fn advice(text: &[u8], role: Role, relative: &str) -> String {
    // A line of input can have megabytes.
    let text = std::str::from_utf8(text).ok().filter(|text| text.len() <= 64).unwrap_or_default();
    let is_read = |end, role| matches!(calendar(&format!("{text}{end}"), role), Ok(Some(_)));
    let parts: Vec<_> = text.split(['-', '/', '.']).collect();
    let is_date = parts.iter().all(|part| is_digits(part.as_bytes()));
    match parts[..] {
        [_, _, _] if is_date => "expected a date of the calendar in the form YYYY-MM-DD".to_owned(),
        [_, _] if is_date && text.contains('.') => {
            format!("expected an integer: write @{text} for seconds since 1970")
        }
        _ if is_read("", Role::Since) => format!("expected a time or a date, found a month: write {text}-01"),
        _ if is_read("Z", role) => {
            format!(
                "expected a time with its zone: write {text}Z for UTC, or an offset such as +02:00 instead of the Z"
            )
        }
        _ => format!(
            "expected a time such as 2024-06-06T06:06:06Z, a date such as 2024-06-06, {relative}Unix milliseconds, or @ and \
             Unix seconds"
        ),
    }
}

#[cfg(test)]
mod tests {
    use crate::program::time::testing::{parse_at, parse_since};

    #[test]
    fn what_comes_near_a_time_gets_advice() {
        let general = "expected a time such as 2024-06-06T06:06:06Z, a date such as 2024-06-06, now";
        for (text, message) in [
            ("2024-06-06 06:06:06", "write 2024-06-06 06:06:06Z for UTC, or an offset such as +02:00"),
            ("2024-06-06T06:06", "write 2024-06-06T06:06Z for UTC"),
            ("+010001-06-06T06:06", "write +010001-06-06T06:06Z for UTC"),
            ("06/07/2024", "a date of the calendar in the form YYYY-MM-DD"),
            ("31.12.2024", "a date of the calendar in the form YYYY-MM-DD"),
            ("2023-02-29", "a date of the calendar in the form YYYY-MM-DD"),
            ("2024-6-6", "a date of the calendar in the form YYYY-MM-DD"),
            ("2024-06", "found a month: write 2024-06-01"),
            ("1717653966.666", "write @1717653966.666 for seconds since 1970"),
            ("2024-13", general),
            ("June 6 2024", general),
            ("now-1h", general),
            ("-1", general),
            ("", general),
            (&format!("2024-06-06 06:06:06{}", " ".repeat(100)), general),
        ] {
            let error = parse_at(text).unwrap_err();
            assert!(error.contains(message), "{text}: {error}");
        }
        assert!(parse_since("2024-6").unwrap_err().starts_with(general));
    }
}
