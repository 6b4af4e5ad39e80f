//! A value that one thread makes and another one waits for, blocked or as a future.

use std::{
    future::Future,
    pin::Pin,
    sync::{Arc, Condvar, Mutex, PoisonError},
    task::{Context, Poll, Waker},
    time::{Duration, Instant},
};

struct Shared<T> {
    state: Mutex<State<T>>,
    changed: Condvar,
}

struct State<T> {
    value: Option<T>,
    waker: Option<Waker>,
    /// Whether somebody waits for the value, or will.
    is_wanted: bool,
    /// Whether the promise is gone, so that no value can come any more.
    is_over: bool,
}

/// The side that waits.
pub(crate) struct Outcome<T>(Arc<Shared<T>>);

/// The side that makes the value.
pub(crate) struct Promise<T>(Arc<Shared<T>>);

pub(crate) fn promise<T>() -> (Promise<T>, Outcome<T>) {
    let state = Mutex::new(State { value: None, waker: None, is_wanted: true, is_over: false });
    let shared = Arc::new(Shared { state, changed: Condvar::new() });
    (Promise(Arc::clone(&shared)), Outcome(shared))
}

impl<T> Promise<T> {
    /// Gives the value to who waits for it. Returns it if nobody does any more.
    pub(crate) fn keep(self, value: T) -> Option<T> {
        let mut state = self.0.state.lock().unwrap_or_else(PoisonError::into_inner);
        if !state.is_wanted {
            return Some(value);
        }
        // The drop of the promise wakes who waits.
        state.value = Some(value);
        None
    }

    /// Whether somebody still waits for the value.
    pub(crate) fn is_wanted(&self) -> bool {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner).is_wanted
    }
}

impl<T> Drop for Promise<T> {
    /// Wakes who waits, even if the thread that had to make the value has panicked.
    fn drop(&mut self) {
        let mut state = self.0.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.is_over = true;
        let waker = state.waker.take();
        drop(state);
        self.0.changed.notify_all();
        if let Some(waker) = waker {
            waker.wake();
        }
    }
}

impl<T> Outcome<T> {
    pub(crate) fn ready(value: T) -> Self {
        let (promise, outcome) = promise();
        promise.keep(value);
        outcome
    }

    /// Waits for the value; `None` if its thread has panicked.
    pub(crate) fn wait(self) -> Option<T> {
        let mut state = self.0.state.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if state.value.is_some() || state.is_over {
                return state.value.take();
            }
            state = self.0.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Waits for at most `patience`.
    pub(crate) fn wait_for(self, patience: Duration) -> Option<T> {
        let until = Instant::now() + patience;
        let mut state = self.0.state.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if state.value.is_some() || state.is_over {
                return state.value.take();
            }
            let left = until.checked_duration_since(Instant::now())?;
            state = self.0.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

impl<T> Drop for Outcome<T> {
    fn drop(&mut self) {
        let mut state = self.0.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.is_wanted = false;
        let value = state.value.take();
        // The drop of a value may wait for its thread.
        drop(state);
        drop(value);
    }
}

impl<T> Future for Outcome<T> {
    type Output = Option<T>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<T>> {
        let mut state = self.0.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.value.is_some() || state.is_over {
            return Poll::Ready(state.value.take());
        }
        state.waker = Some(context.waker().clone());
        Poll::Pending
    }
}

#[cfg(test)]
mod tests {
    use super::promise;
    use std::{
        future::Future,
        pin::pin,
        task::{Context, Poll, Waker},
        time::Duration,
    };

    #[test]
    fn a_value_that_nobody_waits_for_comes_back() {
        let (promise, outcome) = promise();
        assert!(promise.is_wanted());
        drop(outcome);
        assert!(!promise.is_wanted());
        assert_eq!(promise.keep(7), Some(7));
    }

    #[test]
    fn who_waits_learns_that_a_promise_was_broken() {
        let broken = || promise::<u32>().1;
        assert_eq!(broken().wait(), None);
        assert_eq!(broken().wait_for(Duration::from_secs(3600)), None);
        assert_eq!(pin!(broken()).poll(&mut Context::from_waker(Waker::noop())), Poll::Ready(None));
    }
}
