#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod directory;
pub mod protocol;
mod record;
mod store;
pub mod testing;

pub use directory::DirectoryStore;
pub use record::{Holder, Millis, Record};
pub use store::{Snapshot, Store, StoreError, StoreErrorKind, Swapped};
