//! The tests of the crate as one program.

mod exhaustive;
mod mutations;
mod simulation;
