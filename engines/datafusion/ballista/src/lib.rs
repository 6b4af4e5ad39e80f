//! Ballista with the functions of sortid.
#![forbid(unsafe_code)]
