#![doc = include_str!("../README.md")]
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(feature = "std")]
#[macro_use]
extern crate std;

mod generator;
mod id;
mod integrations;
#[cfg(feature = "ledger")]
mod ledger;
mod ledger_id;
mod text;

#[cfg(target_has_atomic = "ptr")]
pub use generator::SharedGenerator;
pub use generator::{Generator, Options};
pub use id::EventId;
#[cfg(feature = "ledger")]
pub use ledger::{
    CanonicalWriter, Event, EventError, Fault, FaultKind, Genesis, Json, JsonError, JsonErrorKind, Ledger,
    Profile, Report, Verifier, WriteError, canonical_json,
};
pub use ledger_id::LedgerId;
#[cfg(feature = "serde")]
pub use sortid_core::serde;
#[doc(no_inline)]
pub use sortid_core::{
    AsText, Clock, Entropy, EntropyError, GenerateError, GenerateErrorKind, NoEntropy, OptionError,
    ParseError, ParseErrorKind, Text, TimestampError, UnixTime,
};
#[cfg(target_has_atomic = "ptr")]
#[doc(no_inline)]
pub use sortid_core::{ManualClock, SeededEntropy};
#[cfg(feature = "std")]
#[doc(no_inline)]
pub use sortid_core::{OsEntropy, SystemClock, ThreadEntropy};
