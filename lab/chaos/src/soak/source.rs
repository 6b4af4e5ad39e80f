//! A generator of any specification, and the check of the order of its IDs.

use super::clock::SteppedClock;
use crate::{
    ids::{Key, hex, key, make, options},
    lock,
};
use sortid::{AnyId, AnyOptions, Spec};
use sortid_core::{Fence, Fenced, Generate, GenerateError, Generator, ThreadEntropy};
use sortid_servers::shell::Result;
use std::sync::{Arc, Mutex};

/// What a generator has to do in the child of a fork.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum InChild {
    /// It continues in order, with other IDs than in the parent.
    Continues,
    /// It returns `OtherProcess`, because its IDs have no random bits, unless the parent has not used it.
    Refuses,
    /// It returns `OtherProcess`, because the reservation belongs to the parent.
    HasNoReservation,
}

/// A generator with a clock that is set.
type Stepped<R> = Generator<R, &'static SteppedClock, ThreadEntropy>;

/// A generator of any kind.
pub(crate) enum Ids {
    /// Without a reservation.
    Free(Stepped<AnyOptions>),
    /// Below a fence of this program.
    Reserved(Stepped<Fenced<AnyOptions, Arc<Fence>>>),
    /// Of a node of a real fleet, with the system's clock.
    OfFleet(sortid_fleet::Generator<AnyOptions>),
}

impl Ids {
    fn generator(&self) -> &dyn Generate<Id = AnyId> {
        match self {
            Self::Free(generator) => generator,
            Self::Reserved(generator) => generator,
            Self::OfFleet(generator) => generator,
        }
    }

    /// How often the generator was reset.
    fn resets(&self) -> u16 {
        if let Self::Free(generator) = self { generator.resets() } else { 0 }
    }

    /// Ends the generator. Returns the time after its last ID.
    pub(crate) fn close(&self) -> Option<u64> {
        if let Self::Reserved(generator) = self { generator.close() } else { None }
    }
}

/// An ID that a thread has handed over to others, and how often the generator had been reset when it made the ID.
type HandedOver = Option<(u16, Key)>;

/// A generator that all threads share.
pub(crate) struct Source {
    pub(crate) name: String,
    pub(crate) in_child: InChild,
    space: u8,
    pub(crate) ids: Ids,
    /// The greatest ID that a thread has handed over.
    desk: Mutex<HandedOver>,
}

impl Source {
    /// Creates a source of each of these specifications.
    pub(crate) fn of_all<'a>(
        specs: impl IntoIterator<Item = &'a Spec>,
        ids: impl Fn(Spec, AnyOptions) -> Result<Ids>,
    ) -> Result<Vec<Arc<Self>>> {
        specs.into_iter().map(|&spec| Ok(Self::new(spec, ids(spec, options(spec)?)?))).collect()
    }

    /// Creates a source of a specification. Two sources never make the same ID if the specification or the kind differs.
    fn new(spec: Spec, ids: Ids) -> Arc<Self> {
        let (kind, number, in_child) = match ids {
            Ids::Free(_) if [Spec::EventlyId, Spec::RonUid].contains(&spec) => ("", 0, InChild::Refuses),
            Ids::Free(_) => ("", 0, InChild::Continues),
            Ids::Reserved(_) => (", reserved", 1, InChild::HasNoReservation),
            Ids::OfFleet(_) => (", fleet", 2, InChild::HasNoReservation),
        };
        let (name, space) = (format!("{}{kind}", spec.title()), number << 4 | spec as u8);
        Arc::new(Self { name, in_child, space, ids, desk: Mutex::new(None) })
    }

    pub(crate) fn handed_over(&self) -> HandedOver {
        *lock(&self.desk)
    }

    /// Appends the keys of new IDs, and hands over the last one.
    ///
    /// The outer error is a broken law.
    pub(crate) fn make(&self, count: usize, keys: &mut Vec<Key>) -> Result<Result<(), GenerateError>> {
        let before = self.handed_over();
        let from = keys.len();
        let (made, last) = self.make_after(before, count, keys)?;
        if made.is_err() {
            keys.truncate(from);
        }
        if let Some((resets, last)) = last {
            let mut desk = lock(&self.desk);
            if desk.is_none_or(|(others, key)| others != resets || key < last) {
                *desk = Some((resets, last));
            }
        }
        Ok(made)
    }

    /// Appends the keys of new IDs. Unless the generator was reset meanwhile, they ascend, and are greater than `before`.
    pub(crate) fn make_after(
        &self,
        before: HandedOver,
        count: usize,
        keys: &mut Vec<Key>,
    ) -> Result<(Result<(), GenerateError>, HandedOver)> {
        let (from, resets) = (keys.len(), self.ids.resets());
        if let Err(error) = make(self.ids.generator(), count, |id| keys.push(key(self.space, id))) {
            return Ok((Err(error), None));
        }
        if self.ids.resets() != resets {
            return Ok((Ok(()), None));
        }
        let made = &keys[from..];
        if !made.is_sorted_by(|a, b| a < b) {
            let shown: Vec<_> = made.iter().map(|key| hex(key)).collect();
            return Err(format!("{}: the IDs of one call are out of order: {shown:?}", self.name).into());
        }
        let before = before.filter(|&(others, _)| others == resets).map(|(_, key)| key);
        if let Some(before) = before.filter(|before| made[0] <= *before) {
            let (id, before) = (hex(&made[0]), hex(&before));
            return Err(format!("{}: the ID {id} is not greater than {before} before it", self.name).into());
        }
        Ok((Ok(()), made.last().map(|&last| (resets, last))))
    }
}
