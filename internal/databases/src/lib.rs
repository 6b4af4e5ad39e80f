//! Nothing: the tests are in `tests/`, one file for each database.

#![forbid(unsafe_code)]
