//! Reads times: those of arguments, and those of the lines of standard input.

use super::{
    Time,
    absolute::absolute,
    moment::{Moment, Role},
    near, relative, usual,
};
use crate::stderr;
use std::fmt;

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
