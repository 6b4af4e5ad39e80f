//! The error of a backfill.

use super::{GenerateErrorKind, Seconds};
use crate::{EntropyError, civil};
use core::fmt;

/// The error of a backfill that could not make an ID for a time.
///
/// The backfill stays as it was, and usable.
#[derive(Clone, PartialEq, Eq)]
pub struct BackfillError {
    pub(super) obstacle: BackfillObstacle,
    /// In microseconds since 1970.
    pub(super) time: i128,
    pub(super) index: Option<usize>,
}

/// Why a backfill could not make an ID. All times are in microseconds since 1970. Only the crates of this project use it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BackfillObstacle {
    /// No ID is left: the tick of the time is full, and so are the following ticks that the ID may spill into.
    Full {
        /// How many IDs a tick holds at least.
        capacity: u64,
        /// How much later than its time an ID may be, in microseconds.
        spill: u64,
        /// Whether the timestamp ends there: no tick is left to spill into.
        is_end: bool,
    },
    /// The time is before the last one, or before the ID after which the backfill continues, but the backfill expects
    /// ascending times.
    Descending {
        /// How far the time is before the last one, in microseconds, from tick to tick.
        by: u64,
        /// The start of the last tick.
        last: u64,
        /// Whether the last tick is the one of the ID after which the backfill continues, and not the one of a time.
        is_resumed: bool,
    },
    /// The time is outside the range of the ID's timestamp.
    OutOfRange {
        /// The first time that an ID can have.
        first: u64,
        /// The last time that an ID can have.
        last: u64,
    },
    /// The ID that was given to `resume_after` has no time.
    NoTime,
    /// The source of random bytes failed.
    Entropy(EntropyError),
}

impl BackfillError {
    /// Returns why the ID could not be made.
    #[must_use]
    pub const fn kind(&self) -> GenerateErrorKind {
        match self.obstacle {
            BackfillObstacle::Full { .. } => GenerateErrorKind::Exhausted,
            BackfillObstacle::Descending { .. } => GenerateErrorKind::ClockRollback,
            BackfillObstacle::OutOfRange { .. } => GenerateErrorKind::ClockOutOfRange,
            BackfillObstacle::NoTime => GenerateErrorKind::NoTime,
            BackfillObstacle::Entropy(_) => GenerateErrorKind::Entropy,
        }
    }

    /// The cause with its values.
    #[doc(hidden)]
    #[must_use]
    pub const fn obstacle(&self) -> &BackfillObstacle {
        &self.obstacle
    }

    /// Returns the index of the time in its batch, from 0; `None` if the time was not in a batch.
    #[must_use]
    pub const fn index(&self) -> Option<usize> {
        self.index
    }

    #[cfg(feature = "alloc")]
    pub(crate) fn at(self, index: usize) -> Self {
        Self { index: Some(index), ..self }
    }
}

impl From<EntropyError> for BackfillObstacle {
    fn from(error: EntropyError) -> Self {
        Self::Entropy(error)
    }
}

impl fmt::Display for BackfillError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(index) = self.index {
            write!(f, "index {index}: ")?;
        }
        let time = u64::try_from(self.time).ok().map(civil::rfc3339);
        let time = time.as_deref().unwrap_or(if self.time < 0 {
            "a time before 1970"
        } else {
            "a time after the year 586524"
        });
        match &self.obstacle {
            BackfillObstacle::Full { capacity, spill, is_end } => {
                let ids = if *capacity == 1 { "ID" } else { "IDs" };
                write!(f, "no ID is left for {time}: its tick")?;
                match spill {
                    _ if *is_end => f.write_str(" and all up to the last one are full")?,
                    0 => f.write_str(" is full")?,
                    _ => write!(f, " and those up to {} later are full", Seconds(*spill))?,
                }
                write!(f, ", with room for at least {capacity} {ids}; ")?;
                if !is_end {
                    let later = if *spill == 0 { "later" } else { "even later" };
                    write!(f, "let IDs take {later} ticks with `spill`, or ")?;
                }
                f.write_str("make the times differ")
            }
            BackfillObstacle::Descending { last, is_resumed: true, .. } => write!(
                f,
                "{time} is before the ID after which the backfill continues, of {}: leave out the times that have IDs, or allow the same `spill` as before",
                civil::rfc3339(*last)
            ),
            BackfillObstacle::Descending { by, last, .. } => {
                let (by, last) = (Seconds(*by), civil::rfc3339(*last));
                let advice = if cfg!(feature = "alloc") {
                    "leave `ascending` out"
                } else {
                    "turn on the feature `alloc`"
                };
                write!(
                    f,
                    "{time} is {by} before the last time, of {last}, expected ascending times: sort them, or {advice}"
                )
            }
            BackfillObstacle::OutOfRange { first, last } => {
                let article = if u64::try_from(self.time).is_ok() { "the time " } else { "" };
                let [first, last] = [*first, *last].map(civil::rfc3339);
                write!(
                    f,
                    "no ID has {article}{time}, expected {first} to {last}: correct the time, or choose another kind of ID"
                )
            }
            BackfillObstacle::NoTime => {
                f.write_str("the ID has no time, so a backfill cannot continue after it")
            }
            BackfillObstacle::Entropy(error) => error.fmt(f),
        }
    }
}

impl fmt::Debug for BackfillError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "BackfillError({:?}: {self})", self.kind())
    }
}

impl core::error::Error for BackfillError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match &self.obstacle {
            BackfillObstacle::Entropy(error) => Some(error),
            _ => None,
        }
    }
}
