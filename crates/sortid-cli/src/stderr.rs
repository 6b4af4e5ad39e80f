//! Messages for people.

use std::{fmt, io::Write as _};

/// Prints a line on standard error. A failure to do so is ignored: no other place is left to report it.
pub(crate) fn print_line(line: fmt::Arguments<'_>) {
    let _ = writeln!(anstream::stderr(), "{line}");
}
