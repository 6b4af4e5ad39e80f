//! Times of other libraries: as arguments where a `UnixTime` is asked for, and from an ID.

use super::Identifier;
use crate::{TimestampError, UnixTime};

/// A type that holds most times of IDs.
pub trait Timestamp: Sized {
    const NAME: &'static str;

    fn from_unix_micros(micros: i64) -> Option<Self>;
}

/// The time of `id`.
pub fn timestamp<I: Identifier, T: Timestamp>(id: &I) -> Result<T, TimestampError> {
    let micros = id.unix_micros().ok_or(TimestampError::none(I::NAME))?;
    i64::try_from(micros).ok().and_then(T::from_unix_micros).ok_or(TimestampError::beyond(
        I::NAME,
        micros,
        T::NAME,
    ))
}

#[cfg(feature = "chrono")]
impl Timestamp for chrono::DateTime<chrono::Utc> {
    const NAME: &'static str = "chrono::DateTime";

    fn from_unix_micros(micros: i64) -> Option<Self> {
        Self::from_timestamp_micros(micros)
    }
}

/// A leap second is read as the second after it.
#[cfg(feature = "chrono")]
impl<Z: chrono::TimeZone> UnixTime for chrono::DateTime<Z> {
    fn unix_micros(self) -> i128 {
        i128::from(self.timestamp()) * 1_000_000 + i128::from(self.timestamp_subsec_micros())
    }
}

#[cfg(feature = "jiff")]
impl Timestamp for jiff::Timestamp {
    const NAME: &'static str = "jiff::Timestamp";

    fn from_unix_micros(micros: i64) -> Option<Self> {
        Self::from_microsecond(micros).ok()
    }
}

#[cfg(feature = "jiff")]
impl UnixTime for jiff::Timestamp {
    fn unix_micros(self) -> i128 {
        self.as_nanosecond().div_euclid(1000)
    }
}

#[cfg(feature = "jiff")]
impl UnixTime for &jiff::Zoned {
    fn unix_micros(self) -> i128 {
        self.timestamp().unix_micros()
    }
}

#[cfg(feature = "time")]
impl Timestamp for time::OffsetDateTime {
    const NAME: &'static str = "time::OffsetDateTime";

    fn from_unix_micros(micros: i64) -> Option<Self> {
        Self::from_unix_timestamp_nanos(i128::from(micros) * 1000).ok()
    }
}

#[cfg(feature = "time")]
impl UnixTime for time::OffsetDateTime {
    fn unix_micros(self) -> i128 {
        self.unix_timestamp_nanos().div_euclid(1000)
    }
}

#[cfg(feature = "time")]
impl Timestamp for time::UtcDateTime {
    const NAME: &'static str = "time::UtcDateTime";

    fn from_unix_micros(micros: i64) -> Option<Self> {
        Self::from_unix_timestamp_nanos(i128::from(micros) * 1000).ok()
    }
}

#[cfg(feature = "time")]
impl UnixTime for time::UtcDateTime {
    fn unix_micros(self) -> i128 {
        self.unix_timestamp_nanos().div_euclid(1000)
    }
}

#[doc(hidden)]
#[macro_export]
macro_rules! integrate_timestamps {
    ($feature:tt, $id:ident, from, $($timestamp:ty),*) => {
        $(
            /// When the ID was made.
            #[cfg(feature = $feature)]
            impl From<$id> for $timestamp {
                fn from(id: $id) -> Self {
                    $crate::integrations::timestamps::timestamp(&id).expect("all times of this type fit")
                }
            }
        )*
    };
    ($feature:tt, $id:ident, try_from, $($timestamp:ty),*) => {
        $(
            /// When the ID was made. Errs where it has no time, or one that does not fit.
            #[cfg(feature = $feature)]
            impl TryFrom<$id> for $timestamp {
                type Error = $crate::TimestampError;

                fn try_from(id: $id) -> Result<Self, Self::Error> {
                    $crate::integrations::timestamps::timestamp(&id)
                }
            }
        )*
    };
}
