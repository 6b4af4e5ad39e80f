//! Which process this is. A generator and a thread's random bytes must not continue in the child of a `fork` as if the
//! child were the process in which they began.

use std::{
    cell::Cell,
    sync::atomic::{
        AtomicU32,
        Ordering::{AcqRel, Acquire, Relaxed},
    },
    thread_local,
};

/// This process.
static PROCESS: Process = Process::new();

/// The bit that marks a number that is the ID of the process. The lower bits are the ID.
pub(crate) const BY_PROCESS_ID: u64 = 1 << 31;

/// Nobody has asked for the number.
const UNKNOWN: u32 = 0;

/// In place of the number: nothing counts the forks.
const UNCOUNTED: u32 = u32::MAX;

/// Returns a number of this process. It is not 0, and differs from the number of each process that this one was forked
/// from, directly or not, and in which this function was called before the fork.
///
/// It does not notice a process that was copied in another way: by a raw `clone` system call, by `_Fork`, or from a snapshot
/// of a virtual machine.
// The process ID would tell a child from its parent, too, unless the child is in another namespace. But each question for
// it is a system call, which takes several times as long as an ID.
#[inline]
#[must_use]
pub fn process() -> u64 {
    match PROCESS.0.load(Acquire) {
        UNKNOWN | UNCOUNTED => PROCESS.find(counts_forks),
        number => number.into(),
    }
}

/// The number of a process. Each fork adds 1 to it in the child.
struct Process(AtomicU32);

/// Lets each later fork of this process add 1 to the number of the child. Returns `false` if the system has no memory for
/// that.
#[allow(unsafe_code)]
fn counts_forks() -> bool {
    extern "C" fn in_child() {
        PROCESS.0.fetch_add(1, Relaxed);
    }
    // SAFETY: `in_child` may run in the child of any fork: it only changes an atomic, and cannot panic.
    unsafe { libc::pthread_atfork(None, None, Some(in_child)) == 0 }
}

impl Process {
    const fn new() -> Self {
        Self(AtomicU32::new(UNKNOWN))
    }

    // Each thread registers the handler before it returns the first number, and waits for no other thread. If several do, a
    // fork adds as many. So whoever has a number knows that each later fork changes it, and a fork that happens meanwhile
    // leaves nothing behind.
    #[cold]
    fn find(&self, register: impl FnOnce() -> bool) -> u64 {
        thread_local!(static IS_REGISTERING: Cell<bool> = const { Cell::new(false) });
        if self.0.load(Acquire) == UNKNOWN {
            // A signal handler that interrupts the registration would wait for itself.
            if IS_REGISTERING.replace(true) {
                return 1;
            }
            let first = if register() { 1 } else { UNCOUNTED };
            IS_REGISTERING.set(false);
            let _ = self.0.compare_exchange(UNKNOWN, first, AcqRel, Acquire);
        }
        match self.0.load(Acquire) {
            UNCOUNTED => BY_PROCESS_ID | u64::from(std::process::id()),
            number => number.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{boxed::Box, thread};

    fn new_process() -> &'static Process {
        Box::leak(Box::new(Process::new()))
    }

    #[test]
    fn all_threads_of_a_process_get_the_same_number() {
        let process = new_process();
        let numbers = thread::scope(|scope| {
            let threads = [(); 8].map(|()| scope.spawn(|| process.find(|| true)));
            threads.map(|thread| thread.join().unwrap())
        });
        assert_eq!(numbers, [1; 8]);
    }

    #[test]
    fn the_number_is_the_process_id_if_nothing_counts_forks() {
        let process = new_process();
        for _ in 0..2 {
            assert_eq!(process.find(|| false), 0x8000_0000 | u64::from(std::process::id()));
        }
    }

    #[test]
    fn a_signal_handler_that_interrupts_the_first_call_gets_the_number_at_once() {
        let process = new_process();
        let mut within = 0;
        let number = process.find(|| {
            within = process.find(|| unreachable!("it would wait for the lock of the system"));
            true
        });
        assert_eq!((within, number), (1, 1));
    }

    #[test]
    fn no_thread_waits_for_another_one_that_registers() {
        let process = new_process();
        let number = process.find(|| {
            let other = thread::spawn(|| process.find(|| true));
            assert_eq!(other.join().unwrap(), 1);
            true
        });
        assert_eq!(number, 1);
    }
}
