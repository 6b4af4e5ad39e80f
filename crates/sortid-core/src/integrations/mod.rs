//! Implementations of other libraries' traits, each behind the feature of that library's name.
//!
//! Only the crate that defines an ID type can implement a foreign trait for it. So this module has functions over any
//! [`SortableId`], and the macro [`__integrations!`](crate::__integrations!) writes implementations that call them into
//! the spec crate.
//!
//! Each implementation is in a block `const _: () = { … }`, so that it can import the names that it uses. Two
//! `#[cfg(feature = …)]` guard it. The compiler evaluates both in the spec crate, whose feature turns on that of core:
//!
//! - the one in `__integrations!`, because core defines the macro of an integration only with its feature;
//! - the one on the block, because rustdoc takes the badge "Available on crate feature … only" from it.

use crate::SortableId;

#[cfg(feature = "arbitrary")]
pub mod arbitrary;
#[cfg(feature = "async-graphql")]
pub mod async_graphql;
#[cfg(feature = "borsh")]
pub mod borsh;
#[cfg(any(
    feature = "diesel",
    feature = "mysql_common",
    feature = "rusqlite",
    feature = "sea-orm",
    feature = "sqlx"
))]
pub mod columns;
#[cfg(feature = "defmt")]
pub mod defmt;
#[cfg(feature = "diesel")]
pub mod diesel;
#[cfg(feature = "mysql_common")]
pub mod mysql_common;
#[cfg(feature = "postgres-types")]
pub mod postgres_types;
#[cfg(feature = "proptest")]
pub mod proptest;
#[cfg(feature = "redis")]
pub mod redis;
#[cfg(feature = "rkyv")]
pub mod rkyv;
#[cfg(feature = "rusqlite")]
pub mod rusqlite;
#[cfg(feature = "schemars")]
pub mod schemars;
#[cfg(feature = "sea-orm")]
pub mod sea_orm;
#[cfg(feature = "serde")]
pub mod serde;
#[cfg(feature = "sqlx")]
pub mod sqlx;
#[cfg(any(feature = "chrono", feature = "jiff", feature = "time"))]
pub mod timestamps;
#[cfg(feature = "utoipa")]
pub mod utoipa;
mod uuid;

/// Defines the macros of the features that are off. They expand to nothing.
macro_rules! nothing {
    ($dollar:tt $($feature:literal $macro:ident)*) => {
        $(
            #[cfg(not(feature = $feature))]
            #[doc(hidden)]
            #[macro_export]
            macro_rules! $macro {
                ($dollar($dollar arguments:tt)*) => {};
            }
        )*
    };
}

nothing! { $
    "async-graphql" __integrate_async_graphql
    "borsh" __integrate_borsh
    "defmt" __integrate_defmt
    "mysql_common" __integrate_mysql_common
    "redis" __integrate_redis
    "rkyv" __integrate_rkyv
    "sea-orm" __integrate_sea_orm
    "utoipa" __integrate_utoipa
}

/// The libraries, for the macros. A spec crate does not depend on them itself.
pub mod dependencies {
    #[cfg(feature = "arbitrary")]
    pub use arbitrary;
    #[cfg(feature = "async-graphql")]
    pub use async_graphql;
    #[cfg(feature = "borsh")]
    pub use borsh;
    #[cfg(feature = "bytemuck")]
    pub use bytemuck;
    #[cfg(feature = "chrono")]
    pub use chrono;
    #[cfg(feature = "defmt")]
    pub use defmt;
    #[cfg(feature = "diesel")]
    pub use diesel;
    #[cfg(feature = "jiff")]
    pub use jiff;
    #[cfg(feature = "mysql_common")]
    pub use mysql_common;
    #[cfg(feature = "postgres-types")]
    pub use postgres_types;
    #[cfg(feature = "proptest")]
    pub use proptest;
    #[cfg(feature = "redis")]
    pub use redis;
    #[cfg(feature = "rkyv")]
    pub use rkyv;
    #[cfg(feature = "rusqlite")]
    pub use rusqlite;
    #[cfg(feature = "schemars")]
    pub use schemars;
    #[cfg(feature = "sea-orm")]
    pub use sea_orm;
    #[cfg(feature = "serde")]
    pub use serde;
    #[cfg(feature = "sqlx")]
    pub use sqlx;
    #[cfg(feature = "time")]
    pub use time;
    #[cfg(feature = "utoipa")]
    pub use utoipa;
    #[cfg(any(feature = "sea-orm", feature = "uuid"))]
    pub use uuid;
    #[cfg(feature = "zerocopy")]
    pub use zerocopy;
}

/// Returns the bits that are 1 in some ID. Every value of these bits, with 0 elsewhere, is an ID.
#[must_use]
pub fn used_bits<I: SortableId>() -> I::Bytes {
    let mut bits = I::Bytes::default();
    for (bits, (least, greatest)) in bits.as_mut().iter_mut().zip(I::MIN.as_ref().iter().zip(I::MAX.as_ref()))
    {
        *bits = least | greatest;
    }
    bits
}

/// Returns the ID with these bits, without those that are 0 in every ID.
#[must_use]
pub fn from_bits<I: SortableId>(mut bytes: I::Bytes) -> I {
    for (byte, bits) in bytes.as_mut().iter_mut().zip(used_bits::<I>().as_ref()) {
        *byte &= bits;
    }
    I::try_from(bytes.as_ref()).expect("every value of the used bits is an ID")
}

/// Implements all integrations for a [`SortableId`].
///
/// - `column`: the type of a database's natural column, `bytes`, `uuid` or `integer`;
/// - `uuid`: `from` if every UUID is an ID, `try_from` if some are not, `none` for other lengths than 128 bits;
/// - `integer`: the integer type that the ID converts to and from, in parentheses; empty if there is none;
/// - `time`: `from` if every timestamp type can represent the times of all IDs, else `try_from`;
/// - `schema`: the lengths of texts, and a regular expression that matches them, in the dialect of JSON Schema.
#[doc(hidden)]
#[macro_export]
macro_rules! __integrations {
    (
        $id:ident,
        column: $column:ident,
        uuid: $uuid:ident,
        integer: ($($integer:ty)?),
        time: $time:ident,
        schema: $lengths:expr, $pattern:expr $(,)?
    ) => {
        // The functions of all integrations require this.
        const _: fn() = || {
            fn is_sortable_id<I: $crate::SortableId>() {}
            is_sortable_id::<$id>();
        };

        $crate::__integrate_uuid!($id, $uuid);
        #[cfg(feature = "arbitrary")]
        $crate::__integrate_arbitrary!($id);
        #[cfg(feature = "chrono")]
        $crate::__integrate_timestamps!(chrono, "chrono", $id, $time, chrono::DateTime<chrono::Utc>);
        #[cfg(feature = "diesel")]
        $crate::__integrate_diesel!($id, $column);
        #[cfg(feature = "jiff")]
        $crate::__integrate_timestamps!(jiff, "jiff", $id, $time, jiff::Timestamp);
        #[cfg(feature = "postgres-types")]
        $crate::__integrate_postgres_types!($id, $column);
        #[cfg(feature = "proptest")]
        $crate::__integrate_proptest!($id);
        #[cfg(feature = "rusqlite")]
        $crate::__integrate_rusqlite!($id, $column);
        #[cfg(feature = "schemars")]
        $crate::__integrate_schemars!($id, $lengths, $pattern);
        #[cfg(feature = "serde")]
        $crate::__integrate_serde!($id $(, $integer)?);
        #[cfg(feature = "sqlx")]
        $crate::__integrate_sqlx!($id, $column);
        #[cfg(feature = "time")]
        $crate::__integrate_timestamps!(time, "time", $id, $time, time::OffsetDateTime, time::UtcDateTime);
        $crate::__integrate_async_graphql!([#[cfg(feature = "async-graphql")]] $id);
        $crate::__integrate_borsh!([#[cfg(feature = "borsh")]] $id);
        $crate::__integrate_defmt!([#[cfg(feature = "defmt")]] $id);
        $crate::__integrate_mysql_common!([#[cfg(feature = "mysql_common")]] $id, $column);
        $crate::__integrate_redis!([#[cfg(feature = "redis")]] $id);
        $crate::__integrate_rkyv!([#[cfg(feature = "rkyv")]] $id);
        $crate::__integrate_sea_orm!([#[cfg(feature = "sea-orm")]] $id, $column);
        $crate::__integrate_utoipa!([#[cfg(feature = "utoipa")]] $id, $lengths, $pattern);
    };
}
