//! The tests of the crate as one program.

mod generator;
mod integrations;
mod laws;
mod typed;
mod vectors;
