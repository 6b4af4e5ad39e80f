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
            forget(value);
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

impl<T> Drop for PerProcess<T> {
    fn drop(&mut self) {
        let slot = self.0.get_mut().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, value)) = slot.take().filter(|(process, _)| *process != process::id()) {
            forget(value);
        }
    }
}

/// To drop the parent's value could send a farewell over its connection, or end the parent's wait for answers.
fn forget<T>(value: Arc<T>) {
    mem::forget(value);
}

#[cfg(test)]
mod tests {
    use super::PerProcess;
    use std::{
        process,
        sync::{Arc, Mutex},
    };

    #[test]
    fn a_process_makes_its_value_once_and_a_child_its_own() {
        let slot = PerProcess::new();
        let get = |number| *slot.get(|| Ok::<_, ()>(number)).unwrap();
        assert_eq!((get(1), get(2)), (1, 1));
        *slot.0.lock().unwrap() = Some((process::id() + 1, Arc::new(1)));
        assert_eq!((get(3), get(4)), (3, 3));
        #[cfg(feature = "etcd")]
        {
            slot.clear();
            assert_eq!(get(5), 5);
        }
    }

    #[test]
    fn a_child_does_not_drop_the_value_of_its_parent() {
        let value = Arc::new(());
        for (process, left) in [(process::id(), 1), (process::id() + 1, 2)] {
            let slot = PerProcess(Mutex::new(Some((process, Arc::new(Arc::clone(&value))))));
            drop(slot);
            assert_eq!(Arc::strong_count(&value), left);
        }
    }
}
