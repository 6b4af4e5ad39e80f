#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod directory;
#[cfg(feature = "etcd")]
mod etcd;
#[cfg(any(feature = "etcd", feature = "postgres"))]
mod per_process;
#[cfg(feature = "postgres")]
mod postgres;
pub mod protocol;
mod record;
mod store;
pub mod testing;
#[cfg(any(feature = "etcd", feature = "postgres"))]
mod tls;
mod url;

pub use directory::DirectoryStore;
#[cfg(feature = "etcd")]
#[cfg_attr(docsrs, doc(cfg(feature = "etcd")))]
pub use etcd::EtcdStore;
#[cfg(feature = "postgres")]
#[cfg_attr(docsrs, doc(cfg(feature = "postgres")))]
pub use postgres::PostgresStore;
pub use record::{Holder, Millis, Record};
pub use store::{Snapshot, Store, StoreError, StoreErrorKind, Swapped};
pub use url::open;
