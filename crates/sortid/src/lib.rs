#![doc = include_str!("../README.md")]
#![no_std]
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "std")]
extern crate std;

// The enums have a variant for each specification whose feature is on. Without any, they would be empty.
#[cfg(any(
    feature = "evently-id",
    feature = "euid",
    feature = "ron-uid",
    feature = "scru160",
    feature = "ulid-flake"
))]
mod any;

#[cfg(any(
    feature = "evently-id",
    feature = "euid",
    feature = "ron-uid",
    feature = "scru160",
    feature = "ulid-flake"
))]
pub use any::{
    AnyId, Candidate, Candidates, PLAUSIBLE as __PLAUSIBLE, Reason, Spec, UnexpectedSpec, UnknownSpec,
    detect, detect_bytes, every as __every,
};

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

#[doc(hidden)]
pub use sortid_core::__private;
pub use sortid_core::SortableId;
#[cfg(target_has_atomic = "ptr")]
#[doc(no_inline)]
pub use sortid_core::testing;
#[doc(no_inline)]
pub use sortid_core::{
    AsText, BackfillError, BackfillErrorKind, Clock, Entropy, EntropyError, Field, FieldValue, GenerateError,
    GenerateErrorKind, NoEntropy, OptionError, ParseError, ParseErrorKind, Role, Text, TimestampError,
    UnixTime,
};
#[cfg(feature = "std")]
#[doc(no_inline)]
pub use sortid_core::{OsEntropy, SystemClock, ThreadEntropy};
