//! The generators of a node.

use crate::parts::{FleetClock, FleetEntropy};
use sortid_core::{Fence, Fenced, Rules};
use std::sync::Arc;

pub(crate) type Core<R> = sortid_core::Generator<Fenced<R, Arc<Fence>>, FleetClock, FleetEntropy>;

/// The generators of a node: one of each kind of ID.
#[derive(Default)]
pub(crate) struct Slots {
    pub(crate) slots: Vec<Slot>,
    pub(crate) is_closed: bool,
}

pub(crate) struct Slot {
    /// The name of the specification.
    pub(crate) spec: &'static str,
    pub(crate) ids: Option<Arc<dyn Close>>,
    /// The time after the last ID of the generators of this kind that were dropped, in microseconds.
    pub(crate) after_last: Option<u64>,
}

pub(crate) trait Close: Send + Sync {
    fn close(&self) -> Option<u64>;
}

impl<R: Rules + Send + Sync> Close for Core<R> {
    fn close(&self) -> Option<u64> {
        Self::close(self)
    }
}

impl Slot {
    pub(crate) fn close(&mut self) {
        if let Some(ids) = self.ids.take() {
            self.after_last = self.after_last.max(ids.close());
        }
    }
}

impl Slots {
    /// Ends all generators. Returns the time after the last ID of all, in microseconds.
    pub(crate) fn close(&mut self) -> Option<u64> {
        self.is_closed = true;
        self.slots.iter_mut().for_each(Slot::close);
        self.slots.iter().filter_map(|slot| slot.after_last).max()
    }
}
