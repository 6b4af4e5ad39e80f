//! IDs of any specification.

#[macro_use]
mod spec;

mod detect;
mod id;
#[cfg(feature = "serde")]
mod serde;

pub use detect::{Candidate, Candidates, PLAUSIBLE, Reason, detect, detect_bytes};
#[cfg(all(
    feature = "evently-id",
    feature = "euid",
    feature = "ron-uid",
    feature = "scru160",
    feature = "ulid-flake"
))]
pub use spec::every;
pub use spec::{AnyId, Spec, UnexpectedSpec, UnknownSpec};
