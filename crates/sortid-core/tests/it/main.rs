//! The tests of the crate as one program.

mod alphabets;
mod backfill;
mod errors;
mod generate;
mod generator;
mod text;
