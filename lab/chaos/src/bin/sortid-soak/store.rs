//! The store of the fleet.

use crate::Result;
use sortid_fleet::{DirectoryStore, Record, Snapshot, Store, StoreError, StoreErrorKind, Swapped, init};
use std::{
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::SeqCst},
    },
};

/// The size of the fleet: a Ulid-Flake has room for no more node IDs.
pub(crate) const SIZE: u32 = 32;
/// The space of the fleet.
pub(crate) const SPACE: &str = "soak";

/// A directory that fails to answer from time to time.
pub(crate) struct Unreliable {
    directory: DirectoryStore,
    is_down: AtomicBool,
}

impl Unreliable {
    pub(crate) fn open(folder: &Path) -> Result<Arc<Self>> {
        let directory = DirectoryStore::open(folder)?;
        init(&directory, SPACE, SIZE)?;
        Ok(Arc::new(Self { directory, is_down: AtomicBool::new(false) }))
    }

    pub(crate) fn set_down(&self, is_down: bool) {
        self.is_down.store(is_down, SeqCst);
    }

    fn check(&self) -> Result<(), StoreError> {
        if self.is_down.load(SeqCst) {
            return Err(StoreError::new(StoreErrorKind::Unavailable, "the store of the soak is down"));
        }
        Ok(())
    }
}

impl Store for Unreliable {
    fn read(&self, space: &str) -> Result<Snapshot, StoreError> {
        self.check()?;
        self.directory.read(space)
    }

    fn swap(
        &self,
        space: &str,
        node_id: u32,
        expected: Option<&Record>,
        next: &Record,
    ) -> Result<Swapped, StoreError> {
        self.check()?;
        let answer = self.directory.swap(space, node_id, expected, next);
        // The answer is lost, but not the swap.
        self.check().and(answer)
    }
}
