//! Which process this is. A generator and a thread's random bytes must not continue in the child of a `fork` as if the
//! child were the process in which they began.

use forkguard::Guard;
use std::{
    boxed::Box,
    sync::{
        OnceLock,
        atomic::{AtomicU32, Ordering::Relaxed},
    },
    thread,
    time::Duration,
};

/// The place for the guard of the first process that asked. Each fork of a process has the next place.
static FIRST: Slot = Slot::new();

/// The bit that marks the number of a process without a guard. The lower bits are the process ID.
pub(crate) const BY_PROCESS_ID: u64 = 1 << 31;

/// A place for the guard of a process.
struct Slot {
    /// The ID of the process that creates the guard; 0 before.
    begun_by: AtomicU32,
    /// The guard, and the place for the guard of a process that is forked from this one; `None` if there cannot be a
    /// guard.
    node: OnceLock<Option<(Guard, Box<Self>)>>,
}

/// Returns a number of this process. It is not 0, and differs from the number of each process that this one was forked
/// from, directly or not, and in which this function was called before the fork.
///
/// It does not notice a process that was copied in another way: by a raw `clone` system call, by `_Fork`, or from a snapshot
/// of a virtual machine.
// The process ID would tell a child from its parent, too. But each question for it is a system call, which takes
// several times as long as an ID. In the first process, this check takes 13 instructions.
#[inline]
#[must_use]
pub fn process() -> u64 {
    #[cold]
    fn of_fork() -> u64 {
        FIRST.find(Slot::new_guard).0
    }
    if FIRST.guard_here().is_some() { 1 } else { of_fork() }
}

/// Returns a guard that detects a fork of this process; `None` if there cannot be one.
pub(crate) fn guard() -> Option<Guard> {
    FIRST.find(Slot::new_guard).1.cloned()
}

impl Slot {
    const fn new() -> Self {
        Self { begun_by: AtomicU32::new(0), node: OnceLock::new() }
    }

    fn new_guard() -> Option<Guard> {
        Guard::try_new().ok()
    }

    /// Returns the guard, if it belongs to this process.
    #[inline]
    fn guard_here(&self) -> Option<&Guard> {
        // A guard forgets the fork that it reports. The clone may, and the guard of the slot must not.
        self.node.get()?.as_ref().map(|(guard, _)| guard).filter(|&guard| !guard.clone().detected_fork())
    }

    /// Returns the number and the guard of this process.
    fn find(&self, make: impl FnOnce() -> Option<Guard>) -> (u64, Option<&Guard>) {
        let (mut slot, mut number) = (self, 1);
        while let (Some(Some((_, next))), None) = (slot.node.get(), slot.guard_here()) {
            (slot, number) = (next, number + 1);
        }
        slot.create(make);
        match slot.guard_here() {
            Some(guard) => (number, Some(guard)),
            None => (BY_PROCESS_ID | u64::from(std::process::id()), None),
        }
    }

    /// Creates the guard if nobody has, or waits for the thread that creates it. If this process was forked while a thread of
    /// its parent created the guard, the guard is never complete here, and nobody waits for it.
    fn create(&self, make: impl FnOnce() -> Option<Guard>) {
        if self.node.get().is_some() {
            return;
        }
        let id = std::process::id();
        match self.begun_by.compare_exchange(0, id, Relaxed, Relaxed) {
            Ok(_) => drop(self.node.set(make().map(|guard| (guard, Box::new(Self::new()))))),
            // At most for a minute, because a process in another namespace can have the ID of its parent.
            Err(other) => (0..60_000)
                .take_while(|_| other == id && self.node.get().is_none())
                .for_each(|_| thread::sleep(Duration::from_millis(1))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn new_slot() -> &'static Slot {
        Box::leak(Box::new(Slot::new()))
    }

    #[test]
    fn all_threads_of_a_process_get_the_same_number() {
        let slot = new_slot();
        let numbers = thread::scope(|scope| {
            let threads = [(); 8].map(|()| scope.spawn(|| slot.find(Slot::new_guard).0));
            threads.map(|thread| thread.join().unwrap())
        });
        assert_eq!(numbers, [1; 8]);
    }

    #[test]
    fn the_number_without_a_guard_is_the_process_id() {
        let slot = new_slot();
        for _ in 0..2 {
            assert_eq!(slot.find(|| None).0, 0x8000_0000 | u64::from(std::process::id()));
        }
    }

    #[test]
    fn no_thread_waits_for_a_guard_that_a_parent_began() {
        let slot = new_slot();
        slot.begun_by.store(std::process::id() + 1, Relaxed);
        assert_eq!(slot.find(Slot::new_guard).0, BY_PROCESS_ID | u64::from(std::process::id()));
        assert!(slot.node.get().is_none());
    }
}
