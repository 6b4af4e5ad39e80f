#![doc = include_str!("../README.md")]
#![no_std]
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "std")]
extern crate std;

mod generator;
mod id;
mod integrations;
mod ledger_id;
#[cfg(feature = "uuid")]
mod or_uuid;
mod text;

pub use generator::{Backfill, Generator, Options};
pub use id::EventId;
#[doc(hidden)]
pub use integrations::typed as __typed;
pub use ledger_id::LedgerId;
#[cfg(feature = "uuid")]
pub use or_uuid::EventIdOrUuid;
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
    GenerateErrorKind, NoEntropy, ParseError, ParseErrorKind, RangeError, Rollback, Text, UnixMicros,
    UnixMillis, UnixTime,
};
#[cfg(feature = "std")]
pub use sortid_core::{OsEntropy, SystemClock, ThreadEntropy};
