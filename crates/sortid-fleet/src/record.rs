use serde::{Deserialize, Serialize};

/// Milliseconds since 1970-01-01T00:00:00Z.
pub type Millis = u64;

/// What a [`Store`](crate::Store) has of one number of a space.
///
/// A number without a record was never held. [`init`](crate::init) writes that of number 0, with the generation 0.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// How many numbers the space has: `0..size`. It is the same in all records of a space.
    pub size: u32,
    /// How many holders the number has had. It serves as a fencing token: a later holder has a greater one.
    pub generation: u64,
    /// The process that has the number; `None` after it was released.
    pub holder: Option<Holder>,
    /// The bound on the times of IDs. IDs of this holder and all earlier ones are before it; those of later holders are
    /// not.
    pub until: Millis,
}

impl Record {
    /// Returns whether the number has no holder, or one whose reservation ended before `now`.
    #[must_use]
    pub fn is_free(&self, now: Millis) -> bool {
        self.holder.is_none() || self.until <= now
    }
}

/// A process that has a number.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Holder {
    /// A name for people, such as that of a pod. Several processes can have the same.
    pub name: String,
    /// What tells this process from all others: random hex digits.
    pub instance: String,
}
