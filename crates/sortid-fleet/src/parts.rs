//! The clock and the random bytes of a fleet.

use sortid_core::{Clock, Entropy, EntropyError, SystemClock, ThreadEntropy};
use std::sync::Arc;

/// The system's clock, or one of the user's.
#[derive(Clone)]
pub(crate) enum FleetClock {
    System,
    Own(Arc<dyn Clock + Send + Sync>),
}

impl Clock for FleetClock {
    #[inline]
    fn unix_micros(&self) -> Option<u64> {
        match self {
            Self::System => SystemClock.unix_micros(),
            Self::Own(clock) => clock.unix_micros(),
        }
    }

    #[inline]
    fn unix_millis(&self) -> Option<u64> {
        match self {
            Self::System => SystemClock.unix_millis(),
            Self::Own(clock) => clock.unix_millis(),
        }
    }

    fn wait(&self, until: u64) -> bool {
        match self {
            Self::System => SystemClock.wait(until),
            Self::Own(clock) => clock.wait(until),
        }
    }
}

/// The random bytes of the system, or of a source of the user's.
#[derive(Clone)]
pub(crate) enum FleetEntropy {
    Thread,
    Own(Arc<dyn Entropy + Send + Sync>),
}

impl Entropy for FleetEntropy {
    #[inline]
    fn fill(&self, bytes: &mut [u8]) -> Result<(), EntropyError> {
        match self {
            Self::Thread => ThreadEntropy.fill(bytes),
            Self::Own(entropy) => entropy.fill(bytes),
        }
    }

    #[inline]
    fn draw<const N: usize>(&self) -> Result<[u8; N], EntropyError> {
        match self {
            Self::Thread => ThreadEntropy.draw(),
            Self::Own(entropy) => {
                let mut bytes = [0; N];
                entropy.fill(&mut bytes)?;
                Ok(bytes)
            }
        }
    }
}
