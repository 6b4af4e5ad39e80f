#![doc = include_str!("../README.md")]
#![no_std]
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "std")]
extern crate std;

mod extension;
mod generator;
mod id;
mod integrations;
#[cfg(feature = "uuid")]
mod or_uuid;
mod text;

pub use extension::Extension;
#[cfg(feature = "std")]
pub use generator::new_unordered;
pub use generator::{Backfill, Generator, Options};
#[cfg(all(feature = "std", target_has_atomic = "ptr"))]
pub use generator::{new, shared};
pub use id::Euid;
#[doc(hidden)]
pub use integrations::typed as __typed;
#[cfg(feature = "uuid")]
pub use or_uuid::EuidOrUuid;
#[doc(hidden)]
pub use sortid_core::__private;
#[cfg(feature = "uuid")]
pub use sortid_core::UuidOr;
#[cfg(feature = "serde")]
pub use sortid_core::serde;
#[cfg(target_has_atomic = "ptr")]
pub use sortid_core::testing;
pub use sortid_core::{
    AsText, BackfillError, Clock, ConfigError, Entropy, EntropyError, Generate, GenerateError,
    GenerateErrorKind, ParseError, ParseErrorKind, RangeError, Rollback, Text, UnixMillis, UnixTime,
};
#[cfg(feature = "std")]
pub use sortid_core::{OsEntropy, SystemClock, ThreadEntropy};
