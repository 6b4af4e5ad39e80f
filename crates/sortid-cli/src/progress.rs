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

/// Files that are shorter together are read before anybody looks at the bar.
const LONG: u64 = 16 << 20;

/// Fewer IDs are compared before anybody looks at the bar.
const MANY: u64 = 1 << 20;

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

/// A bar for this many IDs, which were read and are now compared.
pub(crate) fn of_ids(count: u64) -> ProgressBar {
    if count < MANY {
        return ProgressBar::hidden();
    }
    styled(ProgressBar::new(count), "{wide_bar} {human_pos} of {human_len} IDs compared, {eta} left")
}

/// A bar for the node IDs of a fleet. Their count is set later.
pub(crate) fn of_node_ids() -> ProgressBar {
    styled(ProgressBar::new(0), "{wide_bar} {human_pos} of {human_len} node IDs, {eta} left")
}

fn bar(total: Option<u64>) -> ProgressBar {
    match total {
        Some(total) => styled(
            ProgressBar::new(total),
            "{wide_bar} {binary_bytes} of {binary_total_bytes}, {binary_bytes_per_sec}, {eta} left",
        ),
        None => styled(ProgressBar::no_length(), "{spinner} {binary_bytes}, {binary_bytes_per_sec}"),
    }
}

/// indicatif shows it on a terminal only.
fn styled(bar: ProgressBar, template: &str) -> ProgressBar {
    bar.with_style(ProgressStyle::with_template(template).expect("the template is one"))
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
