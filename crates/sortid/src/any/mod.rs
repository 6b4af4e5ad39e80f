//! IDs of any specification.

#[macro_use]
mod spec;

mod detect;
mod generator;
mod id;
mod options;
#[cfg(feature = "serde")]
mod serde;

pub use detect::{Candidate, Candidates, Reason, detect, detect_bytes};
pub use generator::{Backfill as AnyBackfill, Generator as AnyGenerator};
pub use options::{AnyOptions, Typed};
pub use spec::{AnyId, Spec, UnexpectedSpec, UnknownSpec, every};
