//! The error of a backfill.

use super::Seconds;
use crate::{EntropyError, civil};
use core::fmt;

/// The error of a backfill that could not make an ID for a time.
///
/// The backfill stays as it was, and usable.
#[derive(Clone, PartialEq, Eq)]
pub struct BackfillError {
    pub(super) kind: BackfillErrorKind,
    /// In microseconds since 1970.
    pub(super) time: i128,
    pub(super) index: Option<usize>,
}

/// Why a backfill could not make an ID. All times are in microseconds since 1970.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BackfillErrorKind {
    /// No ID is left: the tick of the time is full, and so are the following ticks that the ID may spill into.
    #[non_exhaustive]
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
    #[non_exhaustive]
    Descending {
        /// How far the time is before the last one, in microseconds, from tick to tick.
        by: u64,
        /// The start of the last tick.
        last: u64,
        /// Whether the last tick is the one of the ID after which the backfill continues, and not the one of a time.
        is_resumed: bool,
    },
    /// The time is outside the range of the ID's timestamp.
    #[non_exhaustive]
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
    pub const fn kind(&self) -> &BackfillErrorKind {
        &self.kind
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

impl From<EntropyError> for BackfillErrorKind {
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
        match &self.kind {
            BackfillErrorKind::Full { capacity, spill, is_end } => {
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
            BackfillErrorKind::Descending { last, is_resumed: true, .. } => write!(
                f,
                "{time} is before the ID after which the backfill continues, of {}: leave out the times that have IDs, or allow the same `spill` as before",
                civil::rfc3339(*last)
            ),
            BackfillErrorKind::Descending { by, last, .. } => {
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
            BackfillErrorKind::OutOfRange { first, last } => {
                let article = if u64::try_from(self.time).is_ok() { "the time " } else { "" };
                let [first, last] = [*first, *last].map(civil::rfc3339);
                write!(
                    f,
                    "no ID has {article}{time}, expected {first} to {last}: correct the time, or choose another kind of ID"
                )
            }
            BackfillErrorKind::NoTime => {
                f.write_str("the ID has no time, so a backfill cannot continue after it")
            }
            BackfillErrorKind::Entropy(error) => error.fmt(f),
        }
    }
}

impl fmt::Debug for BackfillError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "BackfillError({:?}: {self})", self.kind)
    }
}

impl core::error::Error for BackfillError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match &self.kind {
            BackfillErrorKind::Entropy(error) => Some(error),
            _ => None,
        }
    }
}
