//! A clock and random bytes that a test controls. Both are predictable: use their IDs in tests and simulations only.

pub use crate::{clock::ManualClock, entropy::SeededEntropy};
