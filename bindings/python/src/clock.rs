//! The clocks and the random bytes of generators: those of the system, or those of a test.

use crate::{
    error::{RAISED, wrong_type},
    time,
};
use pyo3::prelude::*;
use sortid::{Clock, Entropy, EntropyError, SystemClock, ThreadEntropy, testing::SeededEntropy};
use std::{
    thread,
    time::{Duration, Instant},
};

/// The longest sleep before a call looks for signals.
const LONGEST_SLEEP: Duration = Duration::from_millis(50);

/// How long a clock may stand still before a wait for it ends.
const PATIENCE: Duration = Duration::from_secs(1);

/// Sleeps without the interpreter. Ends early if a signal raises an exception.
pub(crate) fn sleep(py: Python<'_>, duration: Duration) -> PyResult<()> {
    let end = Instant::now() + duration;
    loop {
        let left = end.saturating_duration_since(Instant::now());
        py.detach(|| thread::sleep(left.min(LONGEST_SLEEP)));
        py.check_signals()?;
        if left <= LONGEST_SLEEP {
            return Ok(());
        }
    }
}

/// A clock. While a generator waits for it, other threads of Python run.
pub(crate) enum AnyClock {
    System,
    /// A function of Python that returns a `datetime`.
    Function(Py<PyAny>),
}

impl AnyClock {
    pub(crate) fn new(function: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        match function {
            None => Ok(Self::System),
            Some(function) if function.is_callable() => Ok(Self::Function(function.clone().unbind())),
            Some(other) => Err(wrong_type("a function that returns a datetime", other)),
        }
    }

    /// Returns the function of Python.
    pub(crate) fn function(&self) -> Option<&Py<PyAny>> {
        match self {
            Self::System => None,
            Self::Function(function) => Some(function),
        }
    }
}

impl Clock for AnyClock {
    #[inline]
    fn unix_micros(&self) -> Option<u64> {
        match self {
            Self::System => SystemClock.unix_micros(),
            // The call ends with its first exception, which may be a `KeyboardInterrupt`.
            Self::Function(_) if RAISED.with_borrow(Option::is_some) => None,
            Self::Function(function) => Python::try_attach(|py| {
                let read = || time::micros(&function.bind(py).call0()?);
                match read() {
                    Ok(time) => u64::try_from(time.0).ok(),
                    Err(error) => {
                        RAISED.set(Some(error));
                        None
                    }
                }
            })?,
        }
    }

    #[inline]
    fn unix_millis(&self) -> Option<u64> {
        match self {
            Self::System => SystemClock.unix_millis(),
            Self::Function(..) => Some(self.unix_micros()? / 1000),
        }
    }

    fn wait(&self, until: u64) -> bool {
        let (mut last, mut moved) = (0, Instant::now());
        while let Some(now) = self.unix_micros().filter(|now| (last..until).contains(now)) {
            if now > last {
                moved = Instant::now();
            } else if moved.elapsed() >= PATIENCE {
                return false;
            }
            last = now;
            let left = Duration::from_micros(until - now).min(LONGEST_SLEEP);
            match Python::try_attach(|py| sleep(py, left)) {
                Some(Ok(())) => {}
                // The interpreter ends.
                None => return false,
                Some(Err(error)) => {
                    RAISED.set(Some(error));
                    return false;
                }
            }
        }
        true
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
