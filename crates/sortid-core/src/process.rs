//! Which process this is. A generator and a thread's random bytes must not continue in the child of a `fork` as if the
//! child were the process in which they began.

use std::{
    boxed::Box,
    sync::{
        OnceLock,
        atomic::{AtomicU32, Ordering::Relaxed},
    },
    thread,
};

/// The processes from the first one that asked to this one, each a fork of the one before.
static FIRST: Slot = Slot::new();

/// Marks the number of a process that has no guard.
const BY_PROCESS_ID: u64 = 1 << 32;

/// A place for the guard of one process.
struct Slot {
    /// The ID of the process that creates the guard; 0 before.
    begun_by: AtomicU32,
    /// `None` if there cannot be a guard.
    node: OnceLock<Option<Box<Node>>>,
}

struct Node {
    guard: forkguard::Guard,
    /// The place for the guard of a process that was forked from this one.
    next: Slot,
}

/// Returns a number of this process. It is not 0, and differs from the number of each process that this one was forked
/// from, directly or not, and in which this function was called before the fork.
///
/// It does not notice a process that was copied in another way: by a raw `clone` system call, or from a snapshot of a
/// virtual machine.
#[inline]
pub(crate) fn process() -> u64 {
    number_from(&FIRST, || forkguard::Guard::try_new().ok())
}

#[inline]
fn number_from(first: &'static Slot, make: impl FnOnce() -> Option<forkguard::Guard>) -> u64 {
    let (mut slot, mut number) = (first, 1);
    while let Some(Some(node)) = slot.node.get() {
        // The guard of the clone forgets the fork that it reports; that of the node does not.
        if !node.guard.clone().detected_fork() {
            return number;
        }
        slot = &node.next;
        number += 1;
    }
    slot.enter(number, make)
}

impl Slot {
    const fn new() -> Self {
        Self { begun_by: AtomicU32::new(0), node: OnceLock::new() }
    }

    /// Creates the guard, or waits for the thread that creates it. If this process was forked while a thread of its parent
    /// created the guard, the guard is never complete here. Then this process is told by its ID, with a system call for
    /// each question.
    #[cold]
    fn enter(&self, number: u64, make: impl FnOnce() -> Option<forkguard::Guard>) -> u64 {
        let id = std::process::id();
        match self.begun_by.compare_exchange(0, id, Relaxed, Relaxed) {
            Ok(_) => {
                let _ = self.node.set(make().map(|guard| Box::new(Node { guard, next: Self::new() })));
            }
            Err(other) => {
                // Bounded, because a process in another namespace can have the ID of its parent.
                let mut turns = 0;
                while other == id && self.node.get().is_none() && turns < 1_000_000 {
                    thread::yield_now();
                    turns += 1;
                }
            }
        }
        match self.node.get() {
            Some(Some(_)) => number,
            _ => BY_PROCESS_ID | u64::from(id),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn new_slot() -> &'static Slot {
        Box::leak(Box::new(Slot::new()))
    }

    fn guard() -> Option<forkguard::Guard> {
        forkguard::Guard::try_new().ok()
    }

    #[test]
    fn all_threads_of_a_process_get_the_same_number() {
        let slot = new_slot();
        let numbers = thread::scope(|scope| {
            let threads = [(); 8].map(|()| scope.spawn(|| number_from(slot, guard)));
            threads.map(|thread| thread.join().unwrap())
        });
        assert_eq!(numbers, [1; 8]);
    }

    #[test]
    fn the_number_without_a_guard_is_the_process_id() {
        let slot = new_slot();
        for _ in 0..2 {
            assert_eq!(number_from(slot, || None), BY_PROCESS_ID | u64::from(std::process::id()));
        }
    }

    #[test]
    fn no_thread_waits_for_a_guard_that_a_parent_began() {
        let slot = new_slot();
        slot.begun_by.store(std::process::id() + 1, Relaxed);
        assert_eq!(number_from(slot, guard), BY_PROCESS_ID | u64::from(std::process::id()));
        assert!(slot.node.get().is_none());
    }
}
