#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod admin;
mod clock;
mod directory;
mod error;
mod fleet;
mod generator;
mod node;
mod outcome;
pub mod protocol;
mod record;
mod store;
pub mod testing;

pub use admin::{release, repair};
pub use directory::DirectoryStore;
pub use error::{ConfigError, JoinError, JoinErrorKind, NodeError};
pub use fleet::{Fleet, StoreRef};
pub use generator::Generator;
pub use node::{Node, NodeState, Status};
pub use record::{Holder, Millis, Record};
#[doc(no_inline)]
pub use sortid_core::{GenerateError, GenerateErrorKind, Numbered, Refusal};
pub use store::{Snapshot, Store, StoreError, StoreErrorKind, Swapped};
