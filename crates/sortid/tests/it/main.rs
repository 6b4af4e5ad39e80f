//! The tests of the crate as one program.

mod integrations;
mod laws;
mod serde;
mod vectors;
