//! The examples in `--help` and in the manual pages.

use clap::builder::StyledStr;
use std::fmt::Write as _;

/// What each command line is for, and the command line. clap would break one of more than 74 columns anywhere, so a
/// backslash in it says where.
pub(crate) fn examples(examples: &[(&str, &str)]) -> StyledStr {
    let styles = clap::builder::Styles::styled();
    let (header, literal) = (styles.get_header(), styles.get_literal());
    let mut text = StyledStr::new();
    // Writing to a string does not fail.
    let _ = write!(text, "{header}Examples:{header:#}");
    for (what, line) in examples {
        let line = line.replace(" \\ ", " \\\n          ");
        let _ = write!(text, "\n  {what}:\n      {literal}{line}{literal:#}");
    }
    text
}
