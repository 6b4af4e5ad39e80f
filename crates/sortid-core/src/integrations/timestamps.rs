//! The timestamps of other libraries: they implement `UnixTime`, and IDs convert to them.

// `From` is implemented if every time of an ID type fits every timestamp type. `TryFrom` is for RON UIDs, some of
// which have no time, and for SCRU160 and Event IDs, whose last years are after 9999, the last year of `jiff` and
// `time`.

use crate::{SortableId, TimestampError, UnixTime, error::create};

/// A timestamp type of another library.
pub trait Timestamp: Sized {
    const NAME: &'static str;

    fn from_unix_micros(micros: i64) -> Option<Self>;
}

/// Returns the time of `id`.
pub fn timestamp<I: SortableId, T: Timestamp>(id: &I) -> Result<T, TimestampError> {
    let micros = id.unix_micros().ok_or(create::no_timestamp(I::TITLE))?;
    i64::try_from(micros).ok().and_then(T::from_unix_micros).ok_or(create::timestamp_beyond(
        I::TITLE,
        micros,
        T::NAME,
    ))
}

#[cfg(feature = "chrono04")]
impl Timestamp for chrono::DateTime<chrono::Utc> {
    const NAME: &'static str = "chrono::DateTime";

    fn from_unix_micros(micros: i64) -> Option<Self> {
        Self::from_timestamp_micros(micros)
    }
}

/// A leap second counts as the second after it.
#[cfg(feature = "chrono04")]
impl<Z: chrono::TimeZone> UnixTime for chrono::DateTime<Z> {
    fn unix_micros(self) -> i128 {
        i128::from(self.timestamp()) * 1_000_000 + i128::from(self.timestamp_subsec_micros())
    }
}

#[cfg(feature = "jiff02")]
impl Timestamp for jiff::Timestamp {
    const NAME: &'static str = "jiff::Timestamp";

    fn from_unix_micros(micros: i64) -> Option<Self> {
        Self::from_microsecond(micros).ok()
    }
}

#[cfg(feature = "jiff02")]
impl UnixTime for jiff::Timestamp {
    fn unix_micros(self) -> i128 {
        self.as_nanosecond().div_euclid(1000)
    }
}

#[cfg(feature = "jiff02")]
impl UnixTime for &jiff::Zoned {
    fn unix_micros(self) -> i128 {
        self.timestamp().unix_micros()
    }
}

#[cfg(feature = "time03")]
impl Timestamp for time::OffsetDateTime {
    const NAME: &'static str = "time::OffsetDateTime";

    fn from_unix_micros(micros: i64) -> Option<Self> {
        Self::from_unix_timestamp_nanos(i128::from(micros) * 1000).ok()
    }
}

#[cfg(feature = "time03")]
impl UnixTime for time::OffsetDateTime {
    fn unix_micros(self) -> i128 {
        self.unix_timestamp_nanos().div_euclid(1000)
    }
}

#[cfg(feature = "time03")]
impl Timestamp for time::UtcDateTime {
    const NAME: &'static str = "time::UtcDateTime";

    fn from_unix_micros(micros: i64) -> Option<Self> {
        Self::from_unix_timestamp_nanos(i128::from(micros) * 1000).ok()
    }
}

#[cfg(feature = "time03")]
impl UnixTime for time::UtcDateTime {
    fn unix_micros(self) -> i128 {
        self.unix_timestamp_nanos().div_euclid(1000)
    }
}

#[cfg(feature = "chrono04")]
#[doc(hidden)]
#[macro_export]
macro_rules! __integrate_chrono {
    ([$($cfg:tt)*] $id:ident, $time:ident) => {
        $crate::__integrate_timestamps!([$($cfg)*] $id, $time, chrono, chrono::DateTime<chrono::Utc>);
    };
}

#[cfg(feature = "jiff02")]
#[doc(hidden)]
#[macro_export]
macro_rules! __integrate_jiff {
    ([$($cfg:tt)*] $id:ident, $time:ident) => {
        $crate::__integrate_timestamps!([$($cfg)*] $id, $time, jiff, jiff::Timestamp);
    };
}

#[cfg(feature = "time03")]
#[doc(hidden)]
#[macro_export]
macro_rules! __integrate_time {
    ([$($cfg:tt)*] $id:ident, $time:ident) => {
        $crate::__integrate_timestamps!([$($cfg)*] $id, $time, time, time::OffsetDateTime, time::UtcDateTime);
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __integrate_timestamps {
    ([$($cfg:tt)*] $id:ident, from, $library:ident, $($timestamp:ty),*) => {
        $crate::__integrate_timestamps!(@ [$($cfg)*] $library, $(
            /// Returns the time of the ID.
            impl From<$id> for $timestamp {
                fn from(id: $id) -> Self {
                    timestamp(&id).expect("all times of this ID type fit")
                }
            }
        )*);
    };
    ([$($cfg:tt)*] $id:ident, try_from, $library:ident, $($timestamp:ty),*) => {
        $crate::__integrate_timestamps!(@ [$($cfg)*] $library, $(
            /// Returns the time of the ID, or an error if the ID has no time or the timestamp type cannot represent it.
            impl TryFrom<$id> for $timestamp {
                type Error = $crate::TimestampError;

                fn try_from(id: $id) -> Result<Self, Self::Error> {
                    timestamp(&id)
                }
            }
        )*);
    };
    (@ [$($cfg:tt)*] $library:ident, $($impl:item)*) => {
        $($cfg)*
        const _: () = {
            use $crate::__private::{dependencies::$library, integrations::timestamps::timestamp, prelude::*};

            $($impl)*
        };
    };
}
