//! The generators of a node.

use crate::parts::{FleetClock, FleetEntropy};
use sortid_core::{Entropy, EntropyError, Fence, Fenced, Position, Rules};
use std::{ops::RangeInclusive, sync::Arc};

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

/// The rules of IDs that the program makes itself. Only their times count, in microseconds.
pub(crate) struct Own;

impl Rules for Own {
    type Id = u64;
    type Random = [u8; 0];

    fn tick(&self, unix_micros: u64) -> Option<u64> {
        Some(unix_micros)
    }

    fn tick_start(&self, tick: u64) -> u64 {
        tick
    }

    fn ticks(&self) -> RangeInclusive<u64> {
        0..=u64::MAX
    }

    fn first_count(&self, _: u64, _: &impl Entropy) -> Result<u64, EntropyError> {
        Ok(0)
    }

    fn next_position(&self, _: Position, _: &impl Entropy) -> Result<Option<Position>, EntropyError> {
        Ok(None)
    }

    fn id(&self, position: Position, _: u16, _: [u8; 0]) -> u64 {
        position.tick
    }

    fn position(&self, id: u64) -> Option<Position> {
        Some(Position { tick: id, count: 0 })
    }
}
