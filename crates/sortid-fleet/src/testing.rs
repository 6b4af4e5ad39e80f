//! A store for tests.

use crate::{Millis, Record, Snapshot, Store, StoreError, StoreErrorKind, Swapped};
use std::{
    collections::BTreeMap,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, Ordering::SeqCst},
    },
    time::{SystemTime, UNIX_EPOCH},
};

/// A [`Store`] in the memory of this process. What it has is lost with it, so it is for tests only.
#[derive(Debug, Default)]
pub struct MemoryStore {
    records: Mutex<BTreeMap<(String, u32), Record>>,
    is_down: AtomicBool,
    /// The time that it tells; `None` for the system's.
    time: Mutex<Option<Option<Millis>>>,
}

impl MemoryStore {
    /// Creates an empty store, with the system's time.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Makes all operations fail, or work again.
    pub fn set_down(&self, is_down: bool) {
        self.is_down.store(is_down, SeqCst);
    }

    /// Sets the time that the store tells; `None` is a store without a time.
    pub fn set_time(&self, time: Option<Millis>) {
        *self.time.lock().unwrap_or_else(PoisonError::into_inner) = Some(time);
    }

    fn time(&self) -> Result<Option<Millis>, StoreError> {
        if self.is_down.load(SeqCst) {
            return Err(StoreError::new(StoreErrorKind::Unavailable, "the store of this test is down"));
        }
        let set = *self.time.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(set.unwrap_or_else(|| {
            let since_1970 = SystemTime::now().duration_since(UNIX_EPOCH).ok()?;
            Millis::try_from(since_1970.as_millis()).ok()
        }))
    }
}

impl Store for MemoryStore {
    fn read(&self, space: &str) -> Result<Snapshot, StoreError> {
        let time = self.time()?;
        let records = self.records.lock().unwrap_or_else(PoisonError::into_inner);
        let of_space = records.iter().filter(|((name, _), _)| name == space);
        Ok(Snapshot {
            records: of_space.map(|((_, number), record)| (*number, record.clone())).collect(),
            damaged: BTreeMap::new(),
            time,
        })
    }

    fn swap(
        &self,
        space: &str,
        number: u32,
        expected: Option<&Record>,
        next: &Record,
    ) -> Result<Swapped, StoreError> {
        let time = self.time()?;
        let mut records = self.records.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (space.to_owned(), number);
        let swapped = records.get(&key) == expected;
        if swapped {
            records.insert(key, next.clone());
        }
        Ok(Swapped { swapped, time })
    }
}
