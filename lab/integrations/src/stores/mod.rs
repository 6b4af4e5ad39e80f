//! All stores, with servers where they need them: `cargo xtask databases` starts these, and sets their addresses.

mod conformance;
mod etcd;
#[cfg(unix)]
mod failover;
mod postgres;
mod postgres_tls;
mod proxy;
mod settings;

use sortid_fleet::{DirectoryStore, StoreError, StoreErrorKind, testing::MemoryStore};
use std::{net::TcpListener, sync::Arc};

/// The address of a server; `None`, with a report, if no one has started it.
fn server(name: &str) -> Option<String> {
    let url = std::env::var(name).ok();
    if url.is_none() {
        eprintln!("left out, because {name} is not set");
    }
    url
}

/// Returns the message of an error, which is of this kind, has all these texts and no password.
#[track_caller]
fn refused<T>(result: Result<T, StoreError>, kind: StoreErrorKind, texts: &[&str]) -> String {
    let Err(error) = result else { panic!("expected an error with {texts:?}") };
    let message = error.to_string();
    assert_eq!(error.kind(), kind, "{message}");
    assert!(["p@ss", "p%40ss", "secret"].iter().all(|password| !message.contains(password)), "{message}");
    assert!(texts.iter().all(|&text| message.contains(text)), "{texts:?} in: {message}");
    message
}

/// A port that no one listens on.
fn closed_port() -> u16 {
    TcpListener::bind(("127.0.0.1", 0)).unwrap().local_addr().unwrap().port()
}

/// The URL with more options.
fn with(url: &str, options: &str) -> String {
    format!("{url}{}{options}", if url.contains('?') { '&' } else { '?' })
}

/// The URL with another host and port.
fn at(url: &str, host: &str, port: u16) -> String {
    let (user, rest) = url.split_once('@').unwrap();
    let end = rest.find(['/', '?']).unwrap_or(rest.len());
    format!("{user}@{host}:{port}{}", &rest[end..])
}

/// The first port in the URL.
fn port(url: &str) -> u16 {
    let hosts = url.split_once("://").unwrap().1.rsplit_once('@').map_or(url, |(_, hosts)| hosts);
    let (_, port) = hosts.trim_start_matches("etcd://").split_once(':').unwrap();
    port[..port.find(|sign: char| !sign.is_ascii_digit()).unwrap_or(port.len())].parse().unwrap()
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
