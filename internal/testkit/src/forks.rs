//! The end of a forked child.

use rustix::process::{Signal, getpid, kill_process};

/// Ends the forked child of a test at once. [`std::process::exit`] would wait for ever for a lock of the standard library, if
/// a thread of the parent began or ended during the fork.
pub fn end_child() -> ! {
    let result = kill_process(getpid(), Signal::KILL);
    unreachable!("the signal ends the process: {result:?}")
}

/// Returns whether a status from `waitpid` is that of a child which [`end_child`] ended.
#[must_use]
pub const fn has_ended(status: i32) -> bool {
    status == Signal::KILL.as_raw()
}
