//! What users of other libraries expect, each behind the feature of that library's name.
//!
//! A foreign trait can be implemented for an ID only where the ID is defined. So the work is done here, by functions
//! over any [`Identifier`], and the macro [`integrations!`](crate::integrations!) writes implementations that call
//! them into the spec crate. Each of these asks for the spec crate's feature of that name, which turns on core's.

use crate::ParseError;
use core::{
    fmt::{Debug, Display, LowerHex},
    hash::Hash,
    ops::{Deref, RangeInclusive},
    str::FromStr,
};

#[cfg(feature = "arbitrary")]
pub mod arbitrary;
#[cfg(any(feature = "diesel", feature = "rusqlite", feature = "sqlx"))]
pub mod columns;
#[cfg(feature = "diesel")]
pub mod diesel;
#[cfg(feature = "postgres-types")]
pub mod postgres_types;
#[cfg(feature = "proptest")]
pub mod proptest;
#[cfg(feature = "rusqlite")]
pub mod rusqlite;
#[cfg(feature = "schemars")]
pub mod schemars;
#[cfg(feature = "serde")]
pub mod serde;
#[cfg(feature = "sqlx")]
pub mod sqlx;
#[cfg(any(feature = "chrono", feature = "jiff", feature = "time"))]
pub mod timestamps;
mod uuid;

/// The dependencies, for the macro: a spec crate has none of them itself.
pub mod dependencies {
    #[cfg(feature = "arbitrary")]
    pub use arbitrary;
    #[cfg(feature = "bytemuck")]
    pub use bytemuck;
    #[cfg(feature = "chrono")]
    pub use chrono;
    #[cfg(feature = "diesel")]
    pub use diesel;
    #[cfg(feature = "jiff")]
    pub use jiff;
    #[cfg(feature = "postgres-types")]
    pub use postgres_types;
    #[cfg(feature = "proptest")]
    pub use proptest;
    #[cfg(feature = "rusqlite")]
    pub use rusqlite;
    #[cfg(feature = "schemars")]
    pub use schemars;
    #[cfg(feature = "serde")]
    pub use serde;
    #[cfg(feature = "sqlx")]
    pub use sqlx;
    #[cfg(feature = "time")]
    pub use time;
    #[cfg(feature = "uuid")]
    pub use uuid;
}

/// What the integrations have to know of an ID type: what [`standard_traits!`](crate::standard_traits!) implements for
/// it, and what it says to [`integrations!`](crate::integrations!).
pub trait Identifier:
    Copy
    + Ord
    + Hash
    + Debug
    + Display
    + LowerHex
    + FromStr<Err = ParseError>
    + for<'b> TryFrom<&'b [u8], Error = ParseError>
    + AsRef<[u8]>
    + Send
    + Sync
    + 'static
{
    /// The name of the specification.
    const NAME: &'static str;

    /// The name of the type.
    const TYPE: &'static str;

    /// The bytes, most significant first.
    type Bytes: AsRef<[u8]> + AsMut<[u8]> + Copy + Default;

    /// The bits that are not 0 in every ID. All their values are IDs.
    const BITS: Self::Bytes;

    /// Characters of a text.
    const TEXT_LEN: RangeInclusive<usize>;

    /// A regular expression that texts match, in the dialect of JSON Schema.
    const PATTERN: &'static str;

    /// The text.
    fn text(&self) -> impl Deref<Target = str>;

    /// When it was made, in microseconds since 1970.
    fn unix_micros(&self) -> Option<u64>;

    /// An ID with these bits where an ID has any.
    fn from_bits(mut bytes: Self::Bytes) -> Self {
        for (byte, bits) in bytes.as_mut().iter_mut().zip(Self::BITS.as_ref()) {
            *byte &= bits;
        }
        Self::try_from(bytes.as_ref()).expect("all values of the bits are IDs")
    }
}

/// Implements all integrations for an ID type that has the [`standard_traits!`](crate::standard_traits!).
///
/// - `column`: what a database's natural column for the ID holds, `bytes`, `uuid` or `integer`;
/// - `uuid`: `from` where every UUID is an ID, `try_from` where some are not, `none` for another number of bits;
/// - `integer`: the type whose conversions the ID has, in parentheses; empty where there is none;
/// - `time`: microseconds since 1970 as an `Option`; `from` where every timestamp type can hold them.
#[doc(hidden)]
#[macro_export]
macro_rules! integrations {
    (
        $id:ident,
        name: $name:literal,
        bits: $bits:expr,
        text: $text_len:expr, $pattern:literal,
        column: $column:ident,
        uuid: $uuid:ident,
        integer: ($($integer:ty)?),
        time: $time:ident |$this:ident| $micros:expr $(,)?
    ) => {
        impl $crate::integrations::Identifier for $id {
            const NAME: &'static str = $name;
            const TYPE: &'static str = stringify!($id);
            type Bytes = [u8; size_of::<$id>()];
            const BITS: Self::Bytes = $bits;
            const TEXT_LEN: core::ops::RangeInclusive<usize> = $text_len;
            const PATTERN: &'static str = $pattern;

            fn text(&self) -> impl core::ops::Deref<Target = str> {
                self.encode()
            }

            fn unix_micros(&self) -> Option<u64> {
                let $this = self;
                $micros
            }
        }

        $crate::integrate_uuid!($id, $uuid);
        #[cfg(feature = "arbitrary")]
        $crate::integrate_arbitrary!($id);
        #[cfg(feature = "chrono")]
        $crate::integrate_timestamps!("chrono", $id, $time,
            $crate::integrations::dependencies::chrono::DateTime<$crate::integrations::dependencies::chrono::Utc>);
        #[cfg(feature = "diesel")]
        $crate::integrate_diesel!($id, $column);
        #[cfg(feature = "jiff")]
        $crate::integrate_timestamps!("jiff", $id, $time, $crate::integrations::dependencies::jiff::Timestamp);
        #[cfg(feature = "postgres-types")]
        $crate::integrate_postgres_types!($id, $column);
        #[cfg(feature = "proptest")]
        $crate::integrate_proptest!($id);
        #[cfg(feature = "rusqlite")]
        $crate::integrate_rusqlite!($id, $column);
        #[cfg(feature = "schemars")]
        $crate::integrate_schemars!($id);
        #[cfg(feature = "serde")]
        $crate::integrate_serde!($id $(, $integer)?);
        #[cfg(feature = "sqlx")]
        $crate::integrate_sqlx!($id, $column);
        #[cfg(feature = "time")]
        $crate::integrate_timestamps!("time", $id, $time,
            $crate::integrations::dependencies::time::OffsetDateTime,
            $crate::integrations::dependencies::time::UtcDateTime);
    };
}
