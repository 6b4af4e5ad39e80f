//! What a connection does: whether a request is being answered, and since when.

use axum::body::Body;
use bytes::Bytes;
use std::{
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering::SeqCst},
    },
    time::{Duration, Instant},
};
use tokio::sync::OwnedSemaphorePermit;

/// The requests of a connection whose answers are not written yet.
#[derive(Default)]
pub(crate) struct Exchange {
    open: AtomicUsize,
    since: Mutex<Option<Instant>>,
}

/// A request, from its head to the last byte of its answer.
pub(crate) struct Open(Arc<Exchange>);

impl Exchange {
    /// Begins with a request.
    pub(crate) fn begin(self: &Arc<Self>) -> Open {
        if self.open.fetch_add(1, SeqCst) == 0 {
            *self.since.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
        }
        Open(Arc::clone(self))
    }

    /// How long ago the request began that is not answered yet.
    pub(crate) fn age(&self) -> Option<Duration> {
        let since = *self.since.lock().unwrap_or_else(PoisonError::into_inner);
        since.filter(|_| self.open.load(SeqCst) > 0).map(|since| since.elapsed())
    }

    /// A body that keeps the permits and the request open until its last byte is written.
    pub(crate) fn hold(self: &Arc<Self>, text: Vec<u8>, permits: OwnedSemaphorePermit) -> Body {
        Bytes::from_owner(Held { text, _permits: permits, _open: self.begin() }).into()
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        self.0.open.fetch_sub(1, SeqCst);
    }
}

struct Held {
    text: Vec<u8>,
    _permits: OwnedSemaphorePermit,
    _open: Open,
}

impl AsRef<[u8]> for Held {
    fn as_ref(&self) -> &[u8] {
        &self.text
    }
}
