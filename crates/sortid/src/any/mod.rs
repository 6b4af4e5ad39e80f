//! IDs of any specification.

mod detect;
mod id;
#[cfg(feature = "serde")]
mod serde;
mod spec;

pub use detect::{Candidate, Candidates, Reason, detect, detect_bytes};
pub use id::AnyId;
pub use spec::{Spec, UnexpectedSpec, UnknownSpec};
