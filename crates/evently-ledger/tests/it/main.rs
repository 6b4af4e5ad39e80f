//! The tests of the crate as one program.

mod append;
mod canonical;
mod common;
mod differential;
mod event;
mod faults;
mod hostile;
mod javascript;
mod json_errors;
mod limit;
mod parallel;
mod part;
mod serde_json;
mod streaming;
mod strict;
mod vectors;
mod verify;
