//! IDs of any specification.

#[macro_use]
mod spec;

mod detect;
mod id;
#[cfg(feature = "serde")]
mod serde;

pub use detect::{Candidate, Candidates, Reason, detect, detect_bytes};
pub use spec::{AnyId, Spec, UnexpectedSpec, UnknownSpec, every};
