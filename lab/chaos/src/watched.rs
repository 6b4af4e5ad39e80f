//! Stores that count, that fail, and that lie.

use sortid_fleet::{Record, Snapshot, Store, StoreError, Swapped};
use std::sync::Arc;

/// When a store calls its hook.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Moment {
    Before,
    /// After a swap. An error is a lost answer: the swap has happened.
    After,
}

/// A store that calls a hook, whose errors become its own.
pub(crate) struct Watched<F> {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) hook: F,
    /// Whether it says that each swap succeeded.
    pub(crate) is_sabotaged: bool,
}

impl<F: Fn(Moment) -> Result<(), StoreError> + Send + Sync + 'static> Store for Watched<F> {
    fn read(&self, space: &str) -> Result<Snapshot, StoreError> {
        (self.hook)(Moment::Before)?;
        self.store.read(space)
    }

    fn swap(
        &self,
        space: &str,
        node_id: u32,
        expected: Option<&Record>,
        next: &Record,
    ) -> Result<Swapped, StoreError> {
        (self.hook)(Moment::Before)?;
        let answer = self.store.swap(space, node_id, expected, next);
        (self.hook)(Moment::After)?;
        answer.map(|answer| Swapped::new(answer.swapped || self.is_sabotaged, answer.time))
    }

    fn warning(&self) -> Option<String> {
        self.store.warning()
    }
}

/// Calls `count` before each operation of a store.
pub(crate) fn counted(
    store: Arc<dyn Store>,
    is_sabotaged: bool,
    count: impl Fn() + Send + Sync + 'static,
) -> Arc<dyn Store> {
    let hook = move |moment| {
        if moment == Moment::Before {
            count();
        }
        Ok(())
    };
    Arc::new(Watched { store, hook, is_sabotaged })
}
