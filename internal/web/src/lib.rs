//! Tests of the ID types with libraries for services. They are in `tests/`, one file for each library; this library is
//! empty.

#![forbid(unsafe_code)]
