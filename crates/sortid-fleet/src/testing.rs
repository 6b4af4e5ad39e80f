//! A store for tests.

use crate::{Millis, Record, Snapshot, Store, StoreError, StoreErrorKind, Swapped};
use sortid_core::{Clock, SystemClock};
use std::{
    collections::BTreeMap,
    fmt,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, Ordering::SeqCst},
    },
};

/// A [`Store`] in the memory of this process. What it has is lost with it, so it is for tests only.
pub struct MemoryStore {
    records: Mutex<BTreeMap<(String, u32), Record>>,
    is_down: AtomicBool,
    clock: Box<dyn Clock + Send + Sync>,
    /// The time that it gives instead of its clock's.
    time: Mutex<Option<Option<Millis>>>,
}

impl Default for MemoryStore {
    fn default() -> Self {
        Self::with_clock(SystemClock)
    }
}

impl fmt::Debug for MemoryStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MemoryStore").field("records", &self.records).finish_non_exhaustive()
    }
}

impl MemoryStore {
    /// Creates an empty store, with the system's time.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates an empty store with the time of a clock, such as the clock of the [`Fleet`](crate::Fleet::clock).
    #[must_use]
    pub fn with_clock(clock: impl Clock + Send + Sync + 'static) -> Self {
        Self {
            records: Mutex::default(),
            is_down: AtomicBool::new(false),
            clock: Box::new(clock),
            time: Mutex::default(),
        }
    }

    /// Makes all operations fail, or work again.
    pub fn set_down(&self, is_down: bool) {
        self.is_down.store(is_down, SeqCst);
    }

    /// Sets the time that the store gives; `None` makes it a store without a time.
    pub fn set_time(&self, time: Option<Millis>) {
        *self.time.lock().unwrap_or_else(PoisonError::into_inner) = Some(time);
    }

    fn time(&self) -> Result<Option<Millis>, StoreError> {
        if self.is_down.load(SeqCst) {
            return Err(StoreError::new(StoreErrorKind::Unavailable, "the store of this test is down"));
        }
        let set = *self.time.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(set.unwrap_or_else(|| self.clock.unix_millis()))
    }
}

impl Store for MemoryStore {
    fn read(&self, space: &str) -> Result<Snapshot, StoreError> {
        let time = self.time()?;
        let records = self.records.lock().unwrap_or_else(PoisonError::into_inner);
        let of_space = records.iter().filter(|((name, _), _)| name == space);
        Ok(Snapshot::new(of_space.map(|((_, node_id), record)| (*node_id, record.clone())).collect(), time))
    }

    fn swap(
        &self,
        space: &str,
        node_id: u32,
        expected: Option<&Record>,
        next: &Record,
    ) -> Result<Swapped, StoreError> {
        let time = self.time()?;
        let mut records = self.records.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (space.to_owned(), node_id);
        let swapped = records.get(&key) == expected;
        if swapped {
            records.insert(key, next.clone());
        }
        Ok(Swapped::new(swapped, time))
    }
}
