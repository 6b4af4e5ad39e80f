//! Stops a thread at each step of a change, as a fork does with the threads of the parent in the child.

use core::{cell::Cell, sync::atomic::Ordering};
use std::{
    boxed::Box,
    panic::{self, AssertUnwindSafe},
};

#[cfg(loom)]
use crate::model::AtomicU32 as Native;
#[cfg(not(loom))]
use core::sync::atomic::AtomicU32 as Native;

std::thread_local!(static STEPS_LEFT: Cell<usize> = const { Cell::new(usize::MAX) });

/// Lets `work` use words so often, and then stops it. Returns whether the work came to its end.
pub(crate) fn stop_after(steps: usize, work: impl FnOnce()) -> bool {
    STEPS_LEFT.set(steps);
    let has_ended = panic::catch_unwind(AssertUnwindSafe(work)).is_ok();
    STEPS_LEFT.set(usize::MAX);
    has_ended
}

fn step() {
    match STEPS_LEFT.get() {
        // Without the message of a panic.
        0 => panic::resume_unwind(Box::new("stopped")),
        left => STEPS_LEFT.set(left - 1),
    }
}

/// A native word whose uses are steps.
#[derive(Debug)]
pub(super) struct AtomicU32(Native);

impl AtomicU32 {
    pub(super) const fn new(first: u32) -> Self {
        Self(Native::new(first))
    }

    pub(super) fn load(&self, order: Ordering) -> u32 {
        step();
        self.0.load(order)
    }

    pub(super) fn store(&self, value: u32, order: Ordering) {
        step();
        self.0.store(value, order);
    }

    pub(super) fn compare_exchange_weak(
        &self,
        current: u32,
        new: u32,
        success: Ordering,
        failure: Ordering,
    ) -> Result<u32, u32> {
        step();
        self.0.compare_exchange_weak(current, new, success, failure)
    }
}
