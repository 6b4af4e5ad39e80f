use crate::time::Time;
use sortid::SystemClock;

/// The clock of the generators.
#[derive(Clone, Copy)]
pub(crate) enum Clock {
    System,
    /// Stands still at this time.
    Fixed(Time),
}

impl sortid::Clock for Clock {
    fn unix_micros(&self) -> Option<u64> {
        match self {
            Self::System => SystemClock.unix_micros(),
            Self::Fixed(time) => u64::try_from(time.unix_micros()).ok(),
        }
    }

    /// Gives up at once on a clock that stands still.
    fn wait(&self, until: u64) -> bool {
        match self {
            Self::System => SystemClock.wait(until),
            Self::Fixed(_) => false,
        }
    }
}
