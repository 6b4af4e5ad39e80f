//! The tests of the crate as one program.

mod asynchronous;
mod defaults;
mod faults;
mod statistics;
mod toy_spec;
mod wrappers;
