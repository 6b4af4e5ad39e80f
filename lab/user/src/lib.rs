//! A crate as users write it. What `typed_id!` writes into it must fit lints that are stricter than those of the spec
//! crates, the missing prelude of `std`, and names that mean something else here. This crate builds only if all of
//! these hold.
//!
//! IDs of different types do not compare, convert or assign to each other:
//!
//! ```compile_fail,E0308
//! scru160::typed_id! {
//!     struct OrderId;
//!     struct UserId;
//! }
//! let order: OrderId = UserId::MIN;
//! ```
//!
//! ```compile_fail,E0308
//! # scru160::typed_id! { struct OrderId; struct UserId; }
//! assert!(OrderId::MIN == UserId::MIN);
//! ```
//!
//! ```compile_fail,E0277
//! # scru160::typed_id! { struct OrderId; struct UserId; }
//! let order: OrderId = UserId::MIN.into();
//! ```
//!
//! A type without `new` is made by a generator only:
//!
//! ```compile_fail,E0599
//! scru160::typed_id! {
//!     #[no_new]
//!     struct OrderId;
//! }
//! let order = OrderId::new();
//! ```
//!
//! A prefix that does not follow the rules does not compile:
//!
//! ```compile_fail,E0080
//! scru160::typed_id! {
//!     #[prefix = "User"]
//!     struct UserId;
//! }
//! ```

#![no_std]
#![forbid(unsafe_code)]
#![deny(
    warnings,
    missing_docs,
    missing_debug_implementations,
    unexpected_cfgs,
    unreachable_pub,
    unused_results
)]
#![deny(
    unused_qualifications,
    unused_import_braces,
    single_use_lifetimes,
    redundant_imports,
    let_underscore_drop
)]
#![deny(clippy::all, clippy::pedantic, clippy::nursery)]
#![deny(clippy::missing_inline_in_public_items, clippy::exhaustive_structs, clippy::arithmetic_side_effects)]
#![deny(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::as_conversions
)]
#![deny(clippy::single_char_lifetime_names, clippy::str_to_string, clippy::module_name_repetitions)]

// The macro of async-graphql names it, if another package of the workspace turns that feature on.
extern crate std;

scru160::typed_id! {
    /// The ID of an order.
    pub struct OrderId;

    /// The ID of a user.
    #[prefix = "user"]
    #[doc = "Its text has a prefix."]
    #[non_exhaustive]
    pub struct UserId;
}

euid::typed_id! {
    /// The ID of a product.
    #[prefix = "product"]
    pub struct ProductId;
}

ulid_flake::typed_id! {
    /// The ID of a visit.
    #[prefix = "visit"]
    pub struct VisitId;
}

ron_uid::typed_id! {
    /// The ID of a note.
    #[prefix = "note"]
    pub struct NoteId;
}

evently_id::typed_id! {
    /// The ID of a payment.
    #[prefix = "payment"]
    pub struct PaymentId;
}

// A second macro in the same module, from the umbrella crate.
sortid::scru160::typed_id! {
    /// The ID of a file.
    #[prefix = "file"]
    pub struct FileId;
}

impl OrderId {
    /// The types are structs of this crate, so they can have methods.
    #[must_use]
    #[inline]
    pub const fn year(self) -> u64 {
        1970_u64.saturating_add(self.get().unix_millis() / 31_556_952_000)
    }
}

/// Names that mean something else in this module.
pub mod names {
    /// A common alias.
    pub type Result<T> = ::core::result::Result<T, ::core::fmt::Error>;

    /// What some libraries export.
    #[allow(non_snake_case, clippy::missing_errors_doc, clippy::missing_inline_in_public_items)]
    pub const fn Ok<T>(value: T) -> Result<T> {
        Result::Ok(value)
    }

    /// Names of types and traits that expansions use.
    #[derive(Debug)]
    #[non_exhaustive]
    pub struct Option;

    /// A trait of this module.
    pub trait From {}

    /// A trait of this module.
    pub trait TryFrom {}

    /// A trait of this module.
    pub trait Into {}

    /// A trait of this module.
    pub trait Clone {}

    /// A trait of this module.
    pub trait Default {}

    /// A type of this module.
    #[derive(Debug)]
    #[non_exhaustive]
    pub struct Err;

    mod core_of_this_module {}
    #[allow(unused_imports)]
    use alloc as sortid_core;
    use core as std;
    use core_of_this_module as core;
    use std as alloc;

    scru160::typed_id! {
        /// The ID of a name.
        #[prefix = "n"]
        pub struct NameId;
    }

    ulid_flake::typed_id! {
        /// The ID of another name.
        pub(crate) struct OtherId;
        struct UnusedButNamed;
    }

    pub(crate) const OTHER: OtherId = OtherId::MAX;
    const _: UnusedButNamed = UnusedButNamed::MIN;
}

/// A type can be local to a function.
#[must_use]
#[inline]
pub fn is_local() -> bool {
    euid::typed_id! {
        #[prefix = "local"]
        struct LocalId;
    }
    LocalId::parse("local_C8EE934SR007G5Q94QKKXFRFV8B").is_ok() && names::OTHER > names::OTHER.get().into()
}

/// Constants of all types.
pub mod constants {
    use super::{OrderId, UserId};

    /// An ID from a literal.
    pub const ORDER: OrderId = OrderId::from_id(scru160::scru160!("05TTUP1HNCPNA1QHTDHRTCU3V32PD7C6"));

    /// A text made at compile time.
    pub const TEXT: scru160::Text<{ UserId::TEXT_LEN }> = UserId::from_id(ORDER.get()).encode();

    /// The result of parsing at compile time.
    pub const IS_PARSED: bool = UserId::parse(TEXT.as_str()).is_ok();
}
