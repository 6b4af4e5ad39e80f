//! Generators whose IDs contain the node ID of a node.

use crate::{
    Millis, NodeError, Status,
    node::{Handle, lock},
    slots::{Core, Slot},
};
use sortid_core::{Fenced, Generate, GenerateError, Hybrid, NodeOptions};
use std::{fmt, sync::Arc, time::Duration};

/// Generates IDs with the node ID of a [`Node`](crate::Node), for many threads, without locks. Each ID is greater than all
/// IDs before it, including those of earlier holders of the node ID.
///
/// It generates as the `Generator` of the specification does, with these differences. [`generate`](Self::generate) and
/// [`fill`](Self::fill) wait where the table says so, and [`try_generate`](Self::try_generate) does not:
/// [`retry_after`](GenerateError::retry_after) of its error says how long to wait.
///
/// | situation | what happens |
/// |---|---|
/// | the next ID is not before the end of the reservation | waits about 10 s for the renewal; error `ReservationLate` |
/// | the clock is behind the last ID by more than 10 s | error `ClockRollback`, whatever the options say: the generator is never reset |
/// | the reservation was released | error `ReservationEnded` |
/// | the process found that it has lost its node ID ([`NodeState::Lost`](crate::NodeState::Lost)) | error `ReservationEnded` |
/// | the process is a fork of the one that joined | error `OtherProcess` |
///
/// The reservation lasts while the node or a generator exists.
pub struct Generator<O: NodeOptions> {
    ids: Arc<Core<O::Rules>>,
    handle: Arc<Handle>,
    spec: &'static str,
}

impl<O: NodeOptions> Generator<O> {
    pub(crate) fn new(
        handle: &Arc<Handle>,
        spec: &'static str,
        rules: O::Rules,
        floor: Millis,
    ) -> Result<Self, NodeError> {
        if !handle.is_ours() {
            return Err(NodeError(
                "the node belongs to the process from which this one was forked: join the fleet after the fork".to_owned(),
            ));
        }
        let inner = handle.inner();
        let mut slots = lock(&inner.slots);
        if slots.is_closed {
            return Err(NodeError(
                "the node was released, or has lost its node ID: join the fleet again".to_owned(),
            ));
        }
        let index = slots.slots.iter().position(|slot| slot.spec == spec).unwrap_or_else(|| {
            slots.slots.push(Slot { spec, ids: None, after_last: None });
            slots.slots.len() - 1
        });
        let slot = &mut slots.slots[index];
        if slot.ids.is_some() {
            return Err(NodeError(
                "the node has a generator for this type of ID: share it, because two would repeat each other's IDs".to_owned(),
            ));
        }
        let floor = slot.after_last.unwrap_or(0).max(floor.saturating_mul(1000));
        let rules = Fenced::new(rules, Arc::clone(&inner.fence));
        let ids = Core::fenced(rules, floor, inner.clock.clone(), inner.entropy.clone());
        let ids = Arc::new(ids.map_err(|error| NodeError(error.to_string()))?);
        slot.ids = Some(Arc::clone(&ids) as _);
        Ok(Self { ids, handle: Arc::clone(handle), spec })
    }
}

impl<O: NodeOptions> Generator<O> {
    /// Generates the next ID. Does not wait.
    ///
    /// # Errors
    ///
    /// See the [table](Self), and the table of the specification's generator.
    #[inline]
    pub fn try_generate(&self) -> Result<O::Id, GenerateError> {
        self.ids.try_generate()
    }

    /// Generates the next ID. Waits when a tick is used up, and for a renewal of the reservation.
    ///
    /// # Errors
    ///
    /// See the [table](Self), and the table of the specification's generator.
    #[inline]
    pub fn generate(&self) -> Result<O::Id, GenerateError> {
        self.ids.generate()
    }

    /// Fills `ids` with the next IDs, as calls of [`generate`](Self::generate) do, but faster. IDs of other threads may lie
    /// between them.
    ///
    /// # Errors
    ///
    /// See the [table](Self). The content of `ids` is unspecified after an error.
    #[inline]
    pub fn fill(&self, ids: &mut [O::Id]) -> Result<(), GenerateError> {
        self.ids.fill(ids)
    }

    /// Fills the first of `ids` as far as it can without waiting, and returns how many: at least one, unless `ids` is empty.
    ///
    /// # Errors
    ///
    /// See the [table](Self): why there is not even one.
    pub fn try_fill(&self, ids: &mut [O::Id]) -> Result<usize, GenerateError> {
        self.ids.try_fill(ids)
    }

    /// Continues after an ID of an earlier generator, such as the greatest ID of a table: all later IDs are greater.
    ///
    /// A fleet needs this only once, for IDs from before it had reservations: each holder of a node ID continues after the
    /// IDs of the holder before it.
    ///
    /// # Errors
    ///
    /// `Ahead` if the ID is further ahead of the clock than 10 s; `NoTime` if no generator can continue from the ID;
    /// `ClockOutOfRange` if the time is unknown. An error leaves the generator unchanged.
    pub fn resume_after(&self, id: O::Id) -> Result<(), GenerateError> {
        self.ids.resume_after(id)
    }

    /// Returns how far the last ID is ahead of the clock. Zero if it is not ahead.
    ///
    /// # Errors
    ///
    /// `ClockOutOfRange` if the time of the clock is unknown, or outside the range of the timestamp.
    pub fn ahead(&self) -> Result<Duration, GenerateError> {
        self.ids.ahead()
    }

    /// Returns what became of the reservation.
    #[must_use]
    pub fn status(&self) -> Status {
        self.handle.status()
    }
}

impl<O: NodeOptions> Generate for Generator<O> {
    type Id = O::Id;

    #[inline]
    fn generate(&self) -> Result<O::Id, GenerateError> {
        Self::generate(self)
    }

    #[inline]
    fn try_generate(&self) -> Result<O::Id, GenerateError> {
        Self::try_generate(self)
    }

    #[inline]
    fn fill(&self, ids: &mut [O::Id]) -> Result<(), GenerateError> {
        Self::fill(self, ids)
    }

    fn try_fill(&self, ids: &mut [O::Id]) -> Result<usize, GenerateError> {
        Self::try_fill(self, ids)
    }
}

impl<O: Hybrid> Generator<O> {
    /// Observes an ID of another generator: all later IDs are greater. An ID that is not greater than the last one changes
    /// nothing.
    ///
    /// # Errors
    ///
    /// Those of `observe` of the specification's generator. An error leaves the generator unchanged.
    pub fn observe(&self, id: O::Id) -> Result<(), GenerateError> {
        self.ids.observe(id)
    }
}

impl<O: NodeOptions> Drop for Generator<O> {
    fn drop(&mut self) {
        if self.handle.is_ours() {
            let mut slots = lock(&self.handle.inner().slots);
            slots.slots.iter_mut().filter(|slot| slot.spec == self.spec).for_each(Slot::close);
        }
    }
}

impl<O: NodeOptions> fmt::Debug for Generator<O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Generator").field("status", &self.status()).finish_non_exhaustive()
    }
}
