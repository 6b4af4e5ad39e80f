//! Tests of the ID types with databases. They are in `tests/`, one file for each database; this library is empty.

#![forbid(unsafe_code)]
