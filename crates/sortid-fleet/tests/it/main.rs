//! The tests of the crate as one program.

mod common;
mod directory;
mod etcd_members;
mod faults;
mod fleet;
mod protocol;
mod url;
