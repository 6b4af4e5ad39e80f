//! All stores, with servers where they need them: `cargo xtask databases` starts these, and sets their addresses.

mod conformance;
#[cfg(feature = "etcd")]
mod etcd;
#[cfg(feature = "postgres")]
mod postgres;
#[cfg(any(feature = "etcd", feature = "postgres"))]
mod proxy;

use sortid_fleet::{DirectoryStore, StoreErrorKind, testing::MemoryStore};
use std::sync::Arc;

/// The address of a server; `None`, with a report, if no one has started it.
#[cfg(any(feature = "etcd", feature = "postgres"))]
fn server(name: &str) -> Option<String> {
    let url = std::env::var(name).ok();
    if url.is_none() {
        eprintln!("left out, because {name} is not set");
    }
    url
}

/// The first error of a call, of this kind and with all these texts in its message.
#[cfg(any(feature = "etcd", feature = "postgres"))]
#[track_caller]
fn refused<T>(result: Result<T, sortid_fleet::StoreError>, kind: StoreErrorKind, texts: &[&str]) -> String {
    let Err(error) = result else { panic!("expected an error with {texts:?}") };
    let message = error.to_string();
    assert_eq!(error.kind(), kind, "{message}");
    assert!(texts.iter().all(|&text| message.contains(text)), "{texts:?} in: {message}");
    message
}

#[test]
fn the_memory_is_a_store() {
    conformance::check(&(Arc::new(MemoryStore::new()) as _));
}

#[test]
fn a_directory_is_a_store() {
    let folder = tempfile::tempdir().unwrap();
    conformance::check(&(Arc::new(DirectoryStore::open(folder.path()).unwrap()) as _));
    let folder = tempfile::tempdir().unwrap();
    conformance::check(&sortid_fleet::open(&format!("dir:{}", folder.path().display())).unwrap());
}

#[test]
fn a_url_of_no_store_is_refused() {
    for url in
        ["", "orders", "redis://h:6379", "mysql://u:secret@h/db", "https://h", "/var/lib/ids", "u:se cret@h"]
    {
        let error = sortid_fleet::open(url).err().unwrap();
        assert_eq!(error.kind(), StoreErrorKind::Config);
        let message = error.to_string();
        assert!(message.starts_with("expected the URL of a store"), "{message}");
        assert!(message.contains("etcds://HOST:PORT") && !message.contains("secret"), "{message}");
    }
}

#[cfg(not(feature = "postgres"))]
#[test]
fn a_url_of_postgresql_says_which_feature_it_needs() {
    let error = sortid_fleet::open("postgres://u:secret@h/db").err().unwrap();
    assert_eq!(
        error.to_string(),
        "this build of sortid-fleet has no PostgreSQL: turn on its feature `postgres`"
    );
}

#[cfg(not(feature = "etcd"))]
#[test]
fn a_url_of_etcd_says_which_feature_it_needs() {
    let error = sortid_fleet::open("etcds://u:secret@h").err().unwrap();
    assert_eq!(error.to_string(), "this build of sortid-fleet has no etcd: turn on its feature `etcd`");
}
