#![doc = include_str!("../README.md")]
#![no_std]
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

mod base64x64;
mod calendar;
mod generator;
mod id;
mod integrations;
mod lamport;
mod replica;
mod scheme;
mod text;
mod vector;
mod zip;

pub use base64x64::Base64x64;
pub use calendar::Calendar;
pub use generator::{Backfill, Generator, Options};
pub use id::RonUid;
#[doc(hidden)]
pub use integrations::{PATTERN as __PATTERN, typed as __typed};
pub use lamport::LamportClock;
pub use replica::{Replica, ReplicaScheme};
pub use scheme::Scheme;
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
    GenerateErrorKind, NoEntropy, ParseError, ParseErrorKind, RangeError, Rollback, Text, UnixMillis,
    UnixTime,
};
#[cfg(feature = "std")]
pub use sortid_core::{OsEntropy, SystemClock, ThreadEntropy};
pub use vector::Vector;
#[cfg(feature = "alloc")]
pub use vector::VectorBuilder;
