#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod admin;
mod clock;
mod directory;
mod error;
#[cfg(feature = "etcd")]
mod etcd;
mod event;
mod fleet;
mod generator;
mod node;
mod outcome;
mod parts;
#[cfg(any(feature = "etcd", feature = "postgres"))]
mod per_process;
#[cfg(feature = "postgres")]
mod postgres;
mod protocol;
mod record;
mod slots;
mod store;
pub mod testing;
#[cfg(any(feature = "etcd", feature = "postgres"))]
mod tls;
mod url;

pub use admin::{Init, Repair, init, release, size_of};
pub use directory::DirectoryStore;
pub use error::{ConfigError, JoinError, JoinErrorKind, NodeError};
#[cfg(feature = "etcd")]
#[cfg_attr(docsrs, doc(cfg(feature = "etcd")))]
pub use etcd::EtcdStore;
pub use event::{Event, EventKind};
pub use fleet::{Fleet, StoreRef};
pub use generator::Generator;
pub use node::{Node, NodeState, Status};
#[cfg(feature = "postgres")]
#[cfg_attr(docsrs, doc(cfg(feature = "postgres")))]
pub use postgres::PostgresStore;
pub use record::{Holder, Millis, Record};
pub use sortid_core::{
    Clock, Entropy, EntropyError, Generate, GenerateError, GenerateErrorKind, Hybrid, NodeOptions, Typed,
    UnixMicros, UnixMillis, UnixTime,
};
pub use store::{Snapshot, Store, StoreError, StoreErrorKind, Swapped};
pub use url::open;

/// For the program, the model and the tests of this project only. It may change in any release.
#[doc(hidden)]
pub mod __private {
    pub use crate::{protocol::*, url::Kind};
}
