//! A clock and random bytes that a test controls. Both are predictable: use their IDs in tests and simulations only.

// They have a module of their own, so that nobody takes `SeededEntropy` for an alternative to `OsEntropy`.

pub use crate::{clock::ManualClock, entropy::SeededEntropy};
