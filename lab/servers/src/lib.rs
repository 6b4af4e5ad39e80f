//! Real servers for tests and for chaos, and what else `xtask` and the driver of chaos share: programs that other packages
//! bring, and records.

#![forbid(unsafe_code)]

pub mod programs;
pub mod records;
#[cfg(unix)]
pub mod servers;
pub mod shell;
