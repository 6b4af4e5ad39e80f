//! A bar that shows on a terminal how much of a long input is read.
//!
//! It is on standard error. What else is printed there, or on a standard output that is the same terminal, is printed
//! within [`ProgressBar::suspend`], which removes the bar for the moment.

use indicatif::{ProgressBar, ProgressStyle};
use std::{
    fs::Metadata,
    io::{self, IsTerminal as _},
    path::Path,
};

/// Files that are shorter together are read before anybody looks.
const LONG: u64 = 16 << 20;

/// A bar for a command that prints little, and suspends the bar meanwhile.
pub(crate) fn of_inputs(paths: &[impl AsRef<Path>]) -> ProgressBar {
    let is_typed = || io::stdin().is_terminal() && paths.iter().any(|path| is_stdin(path.as_ref()));
    match paths.iter().map(|path| len(path.as_ref())).sum::<Option<u64>>() {
        Some(0..LONG) => ProgressBar::hidden(),
        None if is_typed() => ProgressBar::hidden(),
        total => bar(total),
    }
}

/// A bar for a command that prints as much as it reads: there is none if the output is on a terminal.
pub(crate) fn of_filter(paths: &[impl AsRef<Path>]) -> ProgressBar {
    if io::stdout().is_terminal() { ProgressBar::hidden() } else { of_inputs(paths) }
}

/// indicatif shows it on a terminal only.
fn bar(total: Option<u64>) -> ProgressBar {
    let (bar, style) = match total {
        Some(total) => (
            ProgressBar::new(total),
            "{wide_bar} {binary_bytes} of {binary_total_bytes}, {binary_bytes_per_sec}, {eta} left",
        ),
        None => (ProgressBar::no_length(), "{spinner} {binary_bytes}, {binary_bytes_per_sec}"),
    };
    bar.with_style(ProgressStyle::with_template(style).expect("the template is one"))
}

/// The stored bytes of an input; `None` unless it is a regular file. An input that cannot be opened is reported later.
fn len(path: &Path) -> Option<u64> {
    let metadata = if is_stdin(path) { stdin_metadata() } else { path.metadata().ok() };
    metadata.filter(Metadata::is_file).map(|metadata| metadata.len())
}

fn is_stdin(path: &Path) -> bool {
    path == Path::new("-")
}

#[cfg(unix)]
fn stdin_metadata() -> Option<Metadata> {
    use std::{fs::File, os::fd::AsFd as _};

    File::from(io::stdin().as_fd().try_clone_to_owned().ok()?).metadata().ok()
}

#[cfg(not(unix))]
fn stdin_metadata() -> Option<Metadata> {
    None
}
