#![doc = include_str!("../README.md")]
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "std")]
extern crate std;

// The enums have a variant for each specification that is turned on: without any there is nothing to list.
#[cfg(any(
    feature = "evently-id",
    feature = "euid",
    feature = "ron-uid",
    feature = "scru160",
    feature = "ulid-flake"
))]
mod any;
mod sortable_id;

#[cfg(any(
    feature = "evently-id",
    feature = "euid",
    feature = "ron-uid",
    feature = "scru160",
    feature = "ulid-flake"
))]
pub use any::{AnyId, Candidate, Candidates, Reason, Spec, UnknownSpec, detect};
pub use sortable_id::SortableId;

#[cfg(feature = "euid")]
pub use euid;
#[cfg(feature = "evently-id")]
pub use evently_id;
#[cfg(feature = "evently-ledger")]
pub use evently_ledger;
#[cfg(feature = "ron-uid")]
pub use ron_uid;
#[cfg(feature = "scru160")]
pub use scru160;
#[cfg(feature = "ulid-flake")]
pub use ulid_flake;

#[doc(no_inline)]
pub use sortid_core::{
    Clock, Entropy, EntropyError, GenerateError, GenerateErrorKind, Generator, HybridRules, LocalCell,
    NoEntropy, OptionError, ParseError, ParseErrorKind, Position, Rules, StateCell, Text, UnixTime,
};
#[cfg(feature = "std")]
#[doc(no_inline)]
pub use sortid_core::{OsEntropy, SystemClock, ThreadEntropy};
#[cfg(target_has_atomic = "ptr")]
#[doc(no_inline)]
pub use sortid_core::{SharedCell, testing};
