#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod canonical;
mod checksum;
mod error;
mod event;
mod json;
mod ledger;
mod line;
mod rfc3339;
#[cfg(feature = "serde_json")]
mod serde_json;
mod unknown;
mod verifier;

pub use canonical::{CanonicalWriter, WriteError, canonical_json};
pub use checksum::{Profile, UnknownProfile};
pub use error::{EventError, EventErrorKind, JsonError, JsonErrorKind};
pub use event::{Event, Json};
#[doc(no_inline)]
pub use evently_id::testing;
#[doc(no_inline)]
pub use evently_id::{
    Clock, EventId, GenerateError, GenerateErrorKind, LedgerId, ParseError, SystemClock, event_id,
};
pub use ledger::Ledger;
pub use unknown::UnknownMember;
pub use verifier::{Fault, FaultKind, Genesis, JoinError, Part, PartVerifier, Report, Verifier};
