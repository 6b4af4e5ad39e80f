//! Implementations of other libraries' traits, each behind the feature of that library's name.
//!
//! Only the crate that defines an ID type can implement a foreign trait for it. So this module has functions over any
//! [`SortableId`], and the macro [`__integrations!`](crate::__integrations!) writes implementations that call them into
//! the spec crate.
//!
//! Each implementation is in a block `const _: () = { … }`, so that it can import the names that it uses. In a block, a
//! glob import is stronger than a name of the module around it. So `prelude::*` protects the block from a module with a
//! `Result` or an `Ok` of its own.
//!
//! Each library has a macro `__integrate_…!`, which expands to nothing without core's feature of its name. Its first
//! argument is a list of attributes for the block:
//!
//! - `[#[cfg(feature = "…")]]` in a spec crate. The compiler evaluates the feature there, because another crate may have
//!   turned on that of core. Rustdoc takes the badge "Available on crate feature … only" from it.
//! - `[]` in the crate of a user, which has features of its own.

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
#[cfg(feature = "uuid")]
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
    "alloc" __integrate_alloc
    "arbitrary" __integrate_arbitrary
    "async-graphql" __integrate_async_graphql
    "borsh" __integrate_borsh
    "chrono" __integrate_chrono
    "defmt" __integrate_defmt
    "diesel" __integrate_diesel
    "diesel-sqlite" __integrate_diesel_sqlite
    "jiff" __integrate_jiff
    "mysql_common" __integrate_mysql_common
    "postgres-types" __integrate_postgres_types
    "proptest" __integrate_proptest
    "redis" __integrate_redis
    "rkyv" __integrate_rkyv
    "rusqlite" __integrate_rusqlite
    "schemars" __integrate_schemars
    "sea-orm" __integrate_sea_orm
    "serde" __integrate_serde
    "sqlx" __integrate_sqlx
    "sqlx-postgres" __integrate_sqlx_postgres
    "time" __integrate_time
    "utoipa" __integrate_utoipa
    "uuid" __integrate_uuid
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

/// Returns the name of the specification with its article: `an EUID`, `a SCRU160`.
#[must_use]
pub fn one<I: SortableId>() -> impl core::fmt::Display {
    struct One(&'static str);

    impl core::fmt::Display for One {
        fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
            write!(f, "{} {}", if self.0.starts_with('E') { "an" } else { "a" }, self.0)
        }
    }

    One(I::TITLE)
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

/// What the schema of a text with a prefix says: its lengths and its pattern.
#[cfg(any(feature = "schemars", feature = "utoipa"))]
#[must_use]
pub fn with_prefix(
    prefix: &str,
    lengths: &core::ops::RangeInclusive<usize>,
    pattern: &str,
) -> (usize, usize, alloc::string::String) {
    let pattern = alloc::format!("^{prefix}{}", pattern.trim_start_matches('^'));
    (prefix.len() + lengths.start(), prefix.len() + lengths.end(), pattern)
}

/// Implements all integrations for a [`SortableId`].
///
/// - `[cfg]` in a spec crate, which has a feature for each integration; `[]` in the crate of a user;
/// - `prefix`: the prefix of the text with its separator, or an empty text;
/// - `column`: the type of a database's natural column, `bytes`, `uuid` or `integer`;
/// - `uuid`: `from` if every UUID is an ID, `try_from` if some are not, `none` for other lengths than 128 bits;
/// - `integer`: the integer type that the ID converts to and from, in parentheses; empty if there is none;
/// - `time`: `from` if every timestamp type can represent the times of all IDs, else `try_from`;
/// - `schema`: the lengths of texts, and a regular expression that matches them, in the dialect of JSON Schema,
///   from `^` to `$`, without the prefix.
#[doc(hidden)]
#[macro_export]
macro_rules! __integrations {
    (
        [$($cfg:ident)?]
        $id:ident,
        prefix: $prefix:expr,
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

        $crate::__integrate_arbitrary!([$(#[$cfg(feature = "arbitrary")])?] $id);
        $crate::__integrate_async_graphql!([$(#[$cfg(feature = "async-graphql")])?] $id);
        $crate::__integrate_borsh!([$(#[$cfg(feature = "borsh")])?] $id);
        $crate::__integrate_chrono!([$(#[$cfg(feature = "chrono")])?] $id, $time);
        $crate::__integrate_defmt!([$(#[$cfg(feature = "defmt")])?] $id);
        $crate::__integrate_diesel!([$(#[$cfg(feature = "diesel")])?] $id, $column);
        $crate::__integrate_diesel_sqlite!([$(#[$cfg(feature = "diesel-sqlite")])?] $id, $column);
        $crate::__integrate_jiff!([$(#[$cfg(feature = "jiff")])?] $id, $time);
        $crate::__integrate_mysql_common!([$(#[$cfg(feature = "mysql_common")])?] $id, $column);
        $crate::__integrate_postgres_types!([$(#[$cfg(feature = "postgres-types")])?] $id, $column);
        $crate::__integrate_proptest!([$(#[$cfg(feature = "proptest")])?] $id);
        $crate::__integrate_redis!([$(#[$cfg(feature = "redis")])?] $id);
        $crate::__integrate_rkyv!([$(#[$cfg(feature = "rkyv")])?] $id);
        $crate::__integrate_rusqlite!([$(#[$cfg(feature = "rusqlite")])?] $id, $column);
        $crate::__integrate_schemars!([$(#[$cfg(feature = "schemars")])?] $id, $prefix, $lengths, $pattern);
        $crate::__integrate_sea_orm!([$(#[$cfg(feature = "sea-orm")])?] $id, $column);
        $crate::__integrate_serde!([$(#[$cfg(feature = "serde")])?] $id $(, $integer)?);
        $crate::__integrate_sqlx!([$(#[$cfg(feature = "sqlx")])?] $id, $column);
        $crate::__integrate_sqlx_postgres!([$(#[$cfg(feature = "sqlx-postgres")])?] $id, $column);
        $crate::__integrate_time!([$(#[$cfg(feature = "time")])?] $id, $time);
        $crate::__integrate_utoipa!([$(#[$cfg(feature = "utoipa")])?] $id, $prefix, $lengths, $pattern);
        $crate::__integrate_uuid!([$(#[$cfg(feature = "uuid")])?] $id, $uuid);
    };
}
