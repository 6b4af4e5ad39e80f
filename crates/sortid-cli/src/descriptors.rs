//! Whether standard input and standard output can be used.

#[cfg(unix)]
pub use unix::look;
#[cfg(unix)]
pub(crate) use unix::{is_input_closed, is_output_closed};

#[cfg(unix)]
mod unix {
    use rustix::{
        fs::{OFlags, fcntl_getfl},
        stdio::{stdin, stdout},
    };
    use std::{
        os::fd::BorrowedFd,
        sync::atomic::{AtomicBool, Ordering::Relaxed},
    };

    static IS_INPUT_CLOSED: AtomicBool = AtomicBool::new(false);
    static IS_OUTPUT_CLOSED: AtomicBool = AtomicBool::new(false);

    /// Looks at the descriptors. It has to run before the standard library opens `/dev/null` in place of closed ones: other
    /// programs open `/dev/null` in the same way to hide output.
    pub fn look() {
        IS_INPUT_CLOSED.store(is_closed(stdin(), OFlags::WRONLY), Relaxed);
        IS_OUTPUT_CLOSED.store(is_closed(stdout(), OFlags::RDONLY), Relaxed);
    }

    /// Whether the descriptor is closed, or open for the other direction only. The standard library takes the error of
    /// both for success.
    fn is_closed(descriptor: BorrowedFd<'_>, other: OFlags) -> bool {
        fcntl_getfl(descriptor).map_or(true, |flags| flags & OFlags::RWMODE == other)
    }

    pub(crate) fn is_input_closed() -> bool {
        IS_INPUT_CLOSED.load(Relaxed)
    }

    pub(crate) fn is_output_closed() -> bool {
        IS_OUTPUT_CLOSED.load(Relaxed)
    }
}

#[cfg(not(unix))]
pub(crate) fn is_input_closed() -> bool {
    false
}

#[cfg(not(unix))]
pub(crate) fn is_output_closed() -> bool {
    false
}
