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
    "chrono" __integrate_chrono
    "diesel" __integrate_diesel
    "diesel-sqlite" __integrate_diesel_sqlite
    "jiff" __integrate_jiff
    "postgres-types" __integrate_postgres_types
    "proptest" __integrate_proptest
    "rusqlite" __integrate_rusqlite
    "schemars" __integrate_schemars
    "serde" __integrate_serde
    "sqlx" __integrate_sqlx
    "sqlx-postgres" __integrate_sqlx_postgres
    "time" __integrate_time
    "uuid" __integrate_uuid
}

/// The libraries, for the macros. A spec crate does not depend on them itself.
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
        $crate::__integrate_chrono!([$(#[$cfg(feature = "chrono")])?] $id, $time);
        $crate::__integrate_diesel!([$(#[$cfg(feature = "diesel")])?] $id, $column);
        $crate::__integrate_diesel_sqlite!([$(#[$cfg(feature = "diesel-sqlite")])?] $id, $column);
        $crate::__integrate_jiff!([$(#[$cfg(feature = "jiff")])?] $id, $time);
        $crate::__integrate_postgres_types!([$(#[$cfg(feature = "postgres-types")])?] $id, $column);
        $crate::__integrate_proptest!([$(#[$cfg(feature = "proptest")])?] $id);
        $crate::__integrate_rusqlite!([$(#[$cfg(feature = "rusqlite")])?] $id, $column);
        $crate::__integrate_schemars!([$(#[$cfg(feature = "schemars")])?] $id, $prefix, $lengths, $pattern);
        $crate::__integrate_serde!([$(#[$cfg(feature = "serde")])?] $id $(, $integer)?);
        $crate::__integrate_sqlx!([$(#[$cfg(feature = "sqlx")])?] $id, $column);
        $crate::__integrate_sqlx_postgres!([$(#[$cfg(feature = "sqlx-postgres")])?] $id, $column);
        $crate::__integrate_time!([$(#[$cfg(feature = "time")])?] $id, $time);
        $crate::__integrate_uuid!([$(#[$cfg(feature = "uuid")])?] $id, $uuid);
    };
}
