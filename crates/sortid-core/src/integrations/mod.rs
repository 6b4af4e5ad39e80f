//! Implementations of other libraries' traits, each behind a feature with the name of the library and its version.
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
//!   turned on the feature of core. Rustdoc takes the badge "Available on crate feature … only" from it.
//! - `[]` in the crate of a user, which has features of its own.

// All input goes through `TryFrom<&[u8]>` or `FromStr`, so no integration can make an ID that is not valid.
//
// `bytemuck` and `zerocopy` are not in the list: their derives are on the ID types. The traits of `bytemuck` are
// `unsafe` to implement, but its derives prove their claims from the definition of the type, which is
// `repr(transparent)`, and `forbid(unsafe_code)` accepts what a derive writes. Types of which all bytes are an ID are
// `Pod` and `FromBytes`. The others are `NoUninit`: their bytes can be viewed in place, and `try_from_bytes` reads
// them. They are not `TryFromBytes`, because the derive of `zerocopy` cannot call a check.
//
// docs/decisions.md says why a library, or a version of it, is missing.

use crate::SortableId;

#[cfg(feature = "arbitrary")]
pub mod arbitrary;
#[cfg(feature = "async-graphql")]
pub mod async_graphql;
#[cfg(feature = "borsh")]
pub mod borsh;
#[cfg(any(
    feature = "diesel",
    feature = "mysql_common037",
    feature = "rusqlite039",
    feature = "sea-orm",
    feature = "sqlx08",
    feature = "sqlx09"
))]
pub mod columns;
#[cfg(feature = "defmt")]
pub mod defmt;
#[cfg(feature = "diesel")]
pub mod diesel;
#[cfg(feature = "mysql_common037")]
pub mod mysql_common;
#[cfg(feature = "postgres-types02")]
pub mod postgres_types;
#[cfg(feature = "proptest")]
pub mod proptest;
#[cfg(feature = "redis")]
pub mod redis;
#[cfg(feature = "rkyv08")]
pub mod rkyv;
#[cfg(feature = "rusqlite039")]
pub mod rusqlite;
#[cfg(feature = "schemars")]
pub mod schemars;
#[cfg(feature = "sea-orm")]
pub mod sea_orm;
#[cfg(feature = "serde")]
pub mod serde;
#[cfg(any(feature = "schemars", feature = "utoipa5", feature = "utoipa6"))]
pub mod shape;
#[cfg(any(feature = "sqlx08", feature = "sqlx09"))]
pub mod sqlx;
#[cfg(any(feature = "chrono04", feature = "jiff02", feature = "time03"))]
pub mod timestamps;
#[cfg(any(feature = "utoipa5", feature = "utoipa6"))]
pub mod utoipa;
#[cfg(feature = "uuid")]
mod uuid;

/// Defines a macro that expands to nothing, for a feature that is off.
macro_rules! nothing {
    ($dollar:tt $feature:literal $macro:ident) => {
        #[cfg(not(feature = $feature))]
        #[doc(hidden)]
        #[macro_export]
        macro_rules! $macro {
            ($dollar($dollar arguments:tt)*) => {};
        }
    };
}

nothing!($ "alloc" __integrate_alloc);

/// Writes the items that follow from the list of integrations: the empty macros of features that are off, the names
/// of the libraries for the macros, and the macro `__every_integration!`, which calls the macros of all integrations.
///
/// `$` and the names before the parameters are arguments, because a macro cannot write the variables of another one itself.
macro_rules! list {
    (
        $dollar:tt $cfg:ident $id:ident $prefix:ident $lengths:ident $pattern:ident { $($parameters:tt)* }
        $($feature:literal ($($library:ident)?) $macro:ident { $($arguments:tt)* })*
    ) => {
        $(nothing!($dollar $feature $macro);)*

        /// The libraries, for the macros. A spec crate does not depend on them itself.
        pub mod dependencies {
            $($(
                #[cfg(feature = $feature)]
                pub use $library;
            )?)*
            #[cfg(feature = "bytemuck")]
            pub use bytemuck;
            #[cfg(all(
                any(feature = "sea-orm", feature = "sqlx08", feature = "sqlx09"),
                not(feature = "uuid")
            ))]
            pub use uuid;
            #[cfg(feature = "zerocopy08")]
            pub use zerocopy;
        }

        #[doc(hidden)]
        #[macro_export]
        macro_rules! __every_integration {
            ($($parameters)*) => {
                // The functions of all integrations require this.
                const _: fn() = || {
                    fn is_sortable_id<I: $crate::SortableId>() {}
                    is_sortable_id::<$dollar $id>();
                };

                impl $crate::__private::integrations::Texts for $dollar $id {
                    const PREFIX: &'static ::core::primitive::str = $dollar $prefix;
                    const LENGTHS: ::core::ops::RangeInclusive<::core::primitive::usize> = $dollar $lengths;
                    const PATTERN: &'static ::core::primitive::str = $dollar $pattern;
                }

                $($crate::$macro! {
                    [$dollar(#[$dollar $cfg(feature = $feature)])?] $($arguments)*
                })*
            };
        }
    };
}

list! {
    $ cfg id prefix lengths pattern {
        [$($cfg:ident)?]
        $id:ident,
        prefix: $prefix:expr,
        column: $column:ident,
        uuid: $uuid:ident,
        integer: ($($integer:ty)?),
        time: $time:ident,
        schema: $lengths:expr, $pattern:expr $(,)?
    }
    "arbitrary" (arbitrary) __integrate_arbitrary { $id }
    "async-graphql" (async_graphql) __integrate_async_graphql { $id }
    "borsh" (borsh) __integrate_borsh { $id }
    "chrono04" (chrono) __integrate_chrono { $id, $time }
    "defmt" (defmt) __integrate_defmt { $id }
    "diesel" (diesel) __integrate_diesel { $id, $column }
    "diesel-sqlite" () __integrate_diesel_sqlite { $id, $column }
    "jiff02" (jiff) __integrate_jiff { $id, $time }
    "mysql_common037" (mysql_common) __integrate_mysql_common { $id, $column }
    "postgres-types02" (postgres_types) __integrate_postgres_types { $id, $column }
    "proptest" (proptest) __integrate_proptest { $id }
    "redis" (redis) __integrate_redis { $id }
    "rkyv08" (rkyv) __integrate_rkyv { $id }
    "rusqlite039" (rusqlite) __integrate_rusqlite { $id, $column }
    "schemars" (schemars) __integrate_schemars { $id }
    "sea-orm" (sea_orm) __integrate_sea_orm { $id, $column }
    "serde" (serde) __integrate_serde { $id $(, $integer)? }
    "sqlx08" (sqlx08) __integrate_sqlx08 { $id, $column }
    "sqlx08-postgres" () __integrate_sqlx08_postgres { $id, $column }
    "sqlx09" (sqlx) __integrate_sqlx09 { $id, $column }
    "sqlx09-postgres" () __integrate_sqlx09_postgres { $id, $column }
    "time03" (time) __integrate_time { $id, $time }
    "utoipa5" (utoipa5) __integrate_utoipa5 { $id }
    "utoipa6" (utoipa6) __integrate_utoipa6 { $id }
    "uuid" (uuid) __integrate_uuid { $id, $uuid }
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

/// Returns the bits in which the least and the greatest ID differ. The other bits are the same in all IDs, and these
/// bits may have any value.
#[must_use]
pub fn used_bits<I: SortableId>() -> I::Bytes {
    let mut bits = I::Bytes::default();
    for (bits, (least, greatest)) in bits.as_mut().iter_mut().zip(I::MIN.as_ref().iter().zip(I::MAX.as_ref()))
    {
        *bits = least ^ greatest;
    }
    bits
}

/// Returns the ID with these bytes. Bits that are the same in every ID are set to their value.
#[must_use]
pub fn from_bits<I: SortableId>(mut bytes: I::Bytes) -> I {
    let (bits, least) = (used_bits::<I>(), I::MIN);
    for (byte, (bits, least)) in bytes.as_mut().iter_mut().zip(bits.as_ref().iter().zip(least.as_ref())) {
        *byte = *byte & bits | least & !bits;
    }
    I::try_from(bytes.as_ref()).expect("every value of the used bits is an ID")
}

/// The texts of an ID, for schemas.
pub trait Texts: SortableId {
    const PREFIX: &'static str;
    const LENGTHS: core::ops::RangeInclusive<usize>;
    const PATTERN: &'static str;
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
    // A path in this crate cannot name a macro that another one wrote.
    ($($arguments:tt)*) => {
        $crate::__every_integration! { $($arguments)* }
    };
}

/// Returns what other languages have to know of the ID: the natural column, the lengths of the texts, and their pattern.
#[doc(hidden)]
#[macro_export]
macro_rules! __description {
    (
        column: $column:ident,
        uuid: $uuid:ident,
        integer: $integer:tt,
        time: $time:ident,
        schema: $lengths:expr, $pattern:expr $(,)?
    ) => {
        (::core::stringify!($column), $lengths, $pattern)
    };
}
