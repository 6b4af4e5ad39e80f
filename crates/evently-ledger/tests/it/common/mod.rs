//! What several test files use.
#![allow(dead_code, reason = "each test file uses a part of it")]

pub(crate) mod canonical;
pub(crate) mod damage;
pub(crate) mod json;
pub(crate) mod ledger;
/// The fuzz targets use it too.
pub(crate) mod reference;
