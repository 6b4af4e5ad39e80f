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
}

/// The side that waits.
pub(crate) struct Outcome<T>(Arc<Shared<T>>);

/// The side that makes the value.
pub(crate) struct Promise<T>(Arc<Shared<T>>);

pub(crate) fn promise<T>() -> (Promise<T>, Outcome<T>) {
    let state = Mutex::new(State { value: None, waker: None, is_wanted: true });
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
        state.value = Some(value);
        let waker = state.waker.take();
        drop(state);
        self.0.changed.notify_all();
        if let Some(waker) = waker {
            waker.wake();
        }
        None
    }

    /// Whether somebody still waits for the value.
    pub(crate) fn is_wanted(&self) -> bool {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner).is_wanted
    }
}

impl<T> Outcome<T> {
    pub(crate) fn ready(value: T) -> Self {
        let (promise, outcome) = promise();
        promise.keep(value);
        outcome
    }

    pub(crate) fn wait(self) -> T {
        let mut state = self.0.state.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if let Some(value) = state.value.take() {
                return value;
            }
            state = self.0.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Waits for at most `patience`.
    pub(crate) fn wait_for(self, patience: Duration) -> Option<T> {
        let until = Instant::now() + patience;
        let mut state = self.0.state.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if let Some(value) = state.value.take() {
                return Some(value);
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
    type Output = T;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<T> {
        let mut state = self.0.state.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(value) = state.value.take() {
            return Poll::Ready(value);
        }
        state.waker = Some(context.waker().clone());
        Poll::Pending
    }
}
