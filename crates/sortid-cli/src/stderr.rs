//! Messages for people.

use crate::terminal::escaped;
use std::{
    fmt::{self, Display},
    io::Write as _,
};

/// Prints a line on standard error, with hidden characters escaped. A failure to do so is ignored: no other place is left
/// to report it.
pub(crate) fn print_line(line: fmt::Arguments<'_>) {
    let _ = writeln!(anstream::stderr(), "{}", escaped(&line.to_string()));
}

/// Prints why the program could not do its work.
pub(crate) fn print_error(error: impl Display) {
    let styles = clap::builder::Styles::styled();
    let style = styles.get_error();
    let _ = writeln!(anstream::stderr(), "{style}error:{style:#} {}", escaped(&error.to_string()));
}
