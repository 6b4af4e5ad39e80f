//! The clocks and the random bytes of generators: those of the system, or those of a test.

use crate::{error::wrong_type, time};
use pyo3::prelude::*;
use sortid::{Clock, Entropy, EntropyError, SystemClock, ThreadEntropy, testing::SeededEntropy};
use std::sync::Mutex;

/// A clock.
pub(crate) enum AnyClock {
    System,
    /// A function of Python that returns a `datetime`, and the exception of its last call.
    Function(Py<PyAny>, Mutex<Option<PyErr>>),
}

impl AnyClock {
    pub(crate) fn new(function: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        match function {
            None => Ok(Self::System),
            Some(function) if function.is_callable() => {
                Ok(Self::Function(function.clone().unbind(), Mutex::default()))
            }
            Some(other) => Err(wrong_type("a function that returns a datetime", other)),
        }
    }

    /// Returns the function of Python.
    pub(crate) fn function(&self) -> Option<&Py<PyAny>> {
        match self {
            Self::System => None,
            Self::Function(function, _) => Some(function),
        }
    }

    /// Returns the exception that the function raised since the last call.
    #[cold]
    pub(crate) fn exception(&self) -> Option<PyErr> {
        match self {
            Self::System => None,
            Self::Function(_, exception) => exception.lock().ok()?.take(),
        }
    }
}

impl Clock for AnyClock {
    #[inline]
    fn unix_micros(&self) -> Option<u64> {
        match self {
            Self::System => SystemClock.unix_micros(),
            Self::Function(function, exception) => Python::attach(|py| {
                let read = || time::micros(&function.bind(py).call0()?);
                match read() {
                    Ok(time) => u64::try_from(time.0).ok(),
                    Err(error) => {
                        // The exception before is freed without the lock: its objects may call this clock.
                        drop(exception.lock().map(|mut last| last.replace(error)));
                        None
                    }
                }
            }),
        }
    }

    #[inline]
    fn unix_millis(&self) -> Option<u64> {
        match self {
            Self::System => SystemClock.unix_millis(),
            Self::Function(..) => Some(self.unix_micros()? / 1000),
        }
    }
}

/// A source of random bytes.
pub(crate) enum AnyEntropy {
    System,
    Seeded(SeededEntropy),
}

impl AnyEntropy {
    pub(crate) fn new(seed: Option<u64>) -> Self {
        seed.map_or(Self::System, |seed| Self::Seeded(SeededEntropy::new(seed)))
    }
}

impl Entropy for AnyEntropy {
    #[inline]
    fn fill(&self, bytes: &mut [u8]) -> Result<(), EntropyError> {
        match self {
            Self::System => ThreadEntropy.fill(bytes),
            Self::Seeded(seeded) => seeded.fill(bytes),
        }
    }
}
