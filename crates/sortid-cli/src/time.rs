//! The times of the command line.

use crate::stderr;
use jiff::Timestamp;
use sortid_inspect::__private::program::time::{Role, read};
pub(crate) use sortid_inspect::__private::program::time::{Time, parse_duration, read_line, seconds};
use std::{fmt, sync::OnceLock};

/// The time that relative times count from: the same for all arguments, so that `--until now` is not before `--since
/// now`.
pub(crate) fn now() -> Timestamp {
    static NOW: OnceLock<Timestamp> = OnceLock::new();
    *NOW.get_or_init(Timestamp::now)
}

/// Reads the time of an ID.
pub(crate) fn parse_at(text: &str) -> Result<Time, String> {
    read(text, Role::Instant, now(), print_warning)
}

/// As [`parse_at`], but also reads a month, which means its first moment.
pub(crate) fn parse_since(text: &str) -> Result<Time, String> {
    read(text, Role::Since, now(), print_warning)
}

/// As [`parse_since`], but a date or a month means its last microsecond.
pub(crate) fn parse_until(text: &str) -> Result<Time, String> {
    read(text, Role::Until, now(), print_warning)
}

/// Reads a time that does not depend on the clock.
pub(crate) fn parse_fixed(text: &str) -> Result<Time, String> {
    read_line(text.as_bytes(), print_warning)
}

fn print_warning(warning: fmt::Arguments<'_>) {
    stderr::print_line(format_args!("warning: {warning}"));
}
