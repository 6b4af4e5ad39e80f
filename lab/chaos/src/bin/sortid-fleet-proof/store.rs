//! Stores that count, and stores that lie.

use sortid_fleet::{Record, Snapshot, Store, StoreError, Swapped};
use std::sync::Arc;

/// A store with a call before each operation.
pub(crate) struct Counted<F> {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) count: F,
    /// Whether it says that each swap succeeded.
    pub(crate) is_sabotaged: bool,
}

impl<F: Fn() + Send + Sync + 'static> Store for Counted<F> {
    fn read(&self, space: &str) -> Result<Snapshot, StoreError> {
        (self.count)();
        self.store.read(space)
    }

    fn swap(
        &self,
        space: &str,
        node_id: u32,
        expected: Option<&Record>,
        next: &Record,
    ) -> Result<Swapped, StoreError> {
        (self.count)();
        let answer = self.store.swap(space, node_id, expected, next)?;
        Ok(Swapped::new(answer.swapped || self.is_sabotaged, answer.time))
    }

    fn warning(&self) -> Option<String> {
        self.store.warning()
    }
}
