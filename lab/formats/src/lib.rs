//! Tests of all types in serde's formats, and of the schemas that describe what is written.
//!
//! The tests are the library, so that they are one program.

#![forbid(unsafe_code)]
#![cfg(test)]

mod formats;
mod matrix;
mod schemas;
mod shapes;
mod values;
