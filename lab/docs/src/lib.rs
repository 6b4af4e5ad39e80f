//! Runs the Rust code of the README and of `docs/` as doctests. The test `docs` of `sortid-cli` runs the console blocks, and
//! this crate's test `sql` the SQL.

#![forbid(unsafe_code)]

include!(concat!(env!("OUT_DIR"), "/pages.rs"));
