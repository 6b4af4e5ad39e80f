//! A generator of any specification, and the check of the order of its IDs.

use crate::{Result, clock::SteppedClock};
use sortid::{AnyId, AnyOptions, Spec};
use sortid_core::{Fence, Fenced, Generate, GenerateError, Generator, ThreadEntropy};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What makes an ID unique: the space in which it is unique, and its bytes, with zeros behind.
pub(crate) type Key = [u8; 21];

/// The most IDs of a batch.
pub(crate) const BATCH: usize = 128;

/// What a generator has to do in the child of a fork.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum InChild {
    /// It continues in order, with other IDs than in the parent.
    Continues,
    /// It returns `OtherProcess`, because its IDs have no random bits.
    Refuses,
    /// It returns the refusal `Forked`, because the reservation belongs to the parent.
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
    /// Appends the keys of `count` new IDs: at most [`BATCH`].
    fn make(&self, space: u8, count: usize, keys: &mut Vec<Key>) -> Result<(), GenerateError> {
        let generator: &dyn Generate<Id = AnyId> = match self {
            Self::Free(generator) => generator,
            Self::Reserved(generator) => generator,
            Self::OfFleet(generator) => generator,
        };
        let mut ids = [AnyId::min(Spec::UlidFlake); BATCH];
        let ids = &mut ids[..count];
        // `generate` makes a single ID, so that both ways are tried.
        if let [id] = ids {
            *id = generator.generate()?;
        } else {
            generator.fill(ids)?;
        }
        keys.extend(ids.iter().map(|id| key(space, id)));
        Ok(())
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

/// The options of a specification, whose IDs have room for a node ID below the origin or the ledger.
pub(crate) fn options(spec: Spec) -> Result<AnyOptions> {
    let required: &[_] = match spec {
        Spec::EventlyId => &[("ledger_id", "00000000")],
        Spec::RonUid => &[("origin", "soak")],
        _ => &[],
    };
    Ok(AnyOptions::new(spec, required)?)
}

fn key(space: u8, id: &AnyId) -> Key {
    let mut key = [0; 21];
    key[0] = space;
    key[1..=id.as_bytes().len()].copy_from_slice(id.as_bytes());
    key
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
    /// Creates a source of a specification. Two sources never make the same ID if the specification or the kind differs.
    pub(crate) fn new(spec: Spec, in_child: InChild, ids: Ids) -> Arc<Self> {
        let (kind, number) = match ids {
            Ids::Free(_) => ("", 0),
            Ids::Reserved(_) => (", reserved", 1),
            Ids::OfFleet(_) => (", fleet", 2),
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
        if let Err(error) = self.ids.make(self.space, count, keys) {
            return Ok((Err(error), None));
        }
        if self.ids.resets() != resets {
            return Ok((Ok(()), None));
        }
        let made = &keys[from..];
        if !made.is_sorted_by(|a, b| a < b) {
            return Err(
                format!("{}: the IDs of one call are out of order: {}", self.name, shown(made)).into()
            );
        }
        let before = before.filter(|&(others, _)| others == resets).map(|(_, key)| key);
        if before.is_some_and(|before| made[0] <= before) {
            let shown = shown(&[before.unwrap_or_default(), made[0]]);
            return Err(format!("{}: an ID is not greater than one before it: {shown}", self.name).into());
        }
        Ok((Ok(()), made.last().map(|&last| (resets, last))))
    }
}

/// The keys in hex.
pub(crate) fn shown(keys: &[Key]) -> String {
    let hex = |key: &Key| key.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    keys.iter().map(hex).collect::<Vec<_>>().join(" ")
}

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
