//! A clock and random bytes that a test controls. Both are predictable: IDs made with them are for tests and simulations
//! only.

pub use crate::{clock::ManualClock, entropy::SeededEntropy};
