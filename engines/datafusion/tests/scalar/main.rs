//! The functions of a row, against the Rust library.

mod agreement;
mod arrays;
mod documentation;
mod errors;
mod preimage;
mod pruning;
mod specs;
mod times;
mod typed;
