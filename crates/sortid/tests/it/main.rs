//! The tests of the crate as one program.

mod integrations;
mod laws;
mod options;
mod serde;
mod vectors;
