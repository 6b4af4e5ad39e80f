use std::{
    mem, process,
    sync::{Arc, Mutex, PoisonError},
};

/// A value that each process makes for itself. The child of a `fork` would otherwise talk over its parent's connection.
#[derive(Debug)]
pub(crate) struct PerProcess<T>(Mutex<Option<(u32, Arc<T>)>>);

impl<T> PerProcess<T> {
    pub(crate) const fn new() -> Self {
        Self(Mutex::new(None))
    }

    /// Returns the value of this process, made on first use.
    pub(crate) fn get<E>(&self, make: impl FnOnce() -> Result<T, E>) -> Result<Arc<T>, E> {
        let mut slot = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((process, value)) = slot.take() {
            if process == process::id() {
                *slot = Some((process, Arc::clone(&value)));
                return Ok(value);
            }
            // To drop it could send a farewell over the parent's connection.
            mem::forget(value);
        }
        let value = Arc::new(make()?);
        *slot = Some((process::id(), Arc::clone(&value)));
        Ok(value)
    }

    /// Forgets the value, so that the next use makes a new one.
    #[cfg(feature = "etcd")]
    pub(crate) fn clear(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}
