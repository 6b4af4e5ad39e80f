//! The tests of the program as one program.
#![cfg(target_os = "linux")]

mod broken;
mod clients;
mod common;
mod deploy;
mod ends;
mod fleet;
mod ids;
mod limits;
mod log;
mod openapi;
mod order;
mod problems;
