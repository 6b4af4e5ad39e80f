//! Nothing: the tests are in `tests/`.

#![forbid(unsafe_code)]
