//! A generator of any specification, and the check of the order of its IDs.

use crate::Result;
use sortid_core::{
    Clock, Fence, Fenced, GenerateError, Generator, NodeOptions, Rules, SortableId, ThreadEntropy,
};
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

/// A generator of any kind.
pub(crate) trait Ids: Send + Sync {
    /// Appends the keys of `count` new IDs: at most [`BATCH`].
    fn make(&self, space: u8, count: usize, keys: &mut Vec<Key>) -> Result<(), GenerateError>;

    /// How often the generator was reset.
    fn resets(&self) -> u16 {
        0
    }

    /// Ends the generator. Returns the time after its last ID.
    fn close(&self) -> Option<u64> {
        None
    }
}

/// A generator without a reservation.
pub(crate) struct Free<R, C>(pub(crate) Generator<R, C, ThreadEntropy>);

/// A generator below a fence of this program, with a clock that is set.
pub(crate) struct Reserved<R, C>(pub(crate) Generator<Fenced<R, Arc<Fence>>, C, ThreadEntropy>);

/// A generator of a node of a real fleet.
pub(crate) struct OfFleet<O: NodeOptions>(pub(crate) sortid_fleet::Generator<O>);

macro_rules! make {
    ($id:ty) => {
        fn make(&self, space: u8, count: usize, keys: &mut Vec<Key>) -> Result<(), GenerateError> {
            let mut ids = [<$id>::MIN; BATCH];
            let ids = &mut ids[..count];
            // `generate` makes a single ID, so that both ways are tried.
            if let [id] = ids {
                *id = self.0.generate()?;
            } else {
                self.0.fill(ids)?;
            }
            keys.extend(ids.iter().map(|id| key(space, id)));
            Ok(())
        }
    };
}

impl<R, C> Ids for Free<R, C>
where
    R: Rules<Id: SortableId> + Send + Sync,
    C: Clock + Send + Sync,
{
    make!(R::Id);

    fn resets(&self) -> u16 {
        self.0.resets()
    }
}

impl<R, C> Ids for Reserved<R, C>
where
    R: Rules<Id: SortableId> + Send + Sync,
    C: Clock + Send + Sync,
{
    make!(R::Id);

    fn close(&self) -> Option<u64> {
        self.0.close()
    }
}

impl<O: NodeOptions<Id: SortableId>> Ids for OfFleet<O> {
    make!(O::Id);
}

fn key<I: SortableId>(space: u8, id: &I) -> Key {
    let mut key = [0; 21];
    key[0] = space;
    key[1..=I::BYTES].copy_from_slice(id.as_bytes());
    key
}

/// An ID that a thread has handed over to others, and how often the generator had been reset when it made the ID.
type HandedOver = Option<(u16, Key)>;

/// A generator that all threads share.
pub(crate) struct Source {
    pub(crate) name: &'static str,
    pub(crate) in_child: InChild,
    space: u8,
    pub(crate) ids: Box<dyn Ids>,
    /// The greatest ID that a thread has handed over.
    desk: Mutex<HandedOver>,
}

impl Source {
    /// Creates a source. Two sources of one space never make the same ID.
    pub(crate) fn new(name: &'static str, space: u8, in_child: InChild, ids: impl Ids + 'static) -> Self {
        Self { name, in_child, space, ids: Box::new(ids), desk: Mutex::new(None) }
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
