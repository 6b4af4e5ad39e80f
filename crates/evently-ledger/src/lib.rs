#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

/// The greatest length of a line of a ledger, in bytes of the file, without the line feed at its end. [`Ledger`]
/// writes no longer line. [`Verifier`] refuses a longer line, blank or not, as a [malformed
/// line](FaultKind::MalformedLine).
///
/// A reader of a ledger needs no more memory than this for a line: the first `LONGEST_LINE + 1` bytes of a longer
/// line have the same verdict as the whole line. The memory of WebAssembly has room for several such lines.
///
/// ```
/// use evently_ledger::{FaultKind, LONGEST_LINE, Verifier};
///
/// let mut line = vec![b' '; LONGEST_LINE];
/// assert_eq!(Verifier::new(None).verify_line(&line), Ok(None));
/// line.push(b' ');
/// assert_eq!(Verifier::new(None).verify_line(&line).unwrap_err().kind, FaultKind::MalformedLine);
/// ```
// No other place has the limit. A reader keeps one byte more of a longer line and drops the rest, so the verdict does
// not depend on the pieces in which the file is read.
pub const LONGEST_LINE: usize = 64 << 20;

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
pub use evently_id::{
    Clock, EntropyError, GenerateError, GenerateErrorKind, ParseError, ParseErrorKind, SystemClock, testing,
};
#[doc(no_inline)]
pub use evently_id::{EventId, LedgerId, event_id};
pub use ledger::{Batch, Ledger};
pub use unknown::UnknownMember;
pub use verifier::{Fault, FaultKind, Genesis, JoinError, Part, PartVerifier, Report, Verifier};
