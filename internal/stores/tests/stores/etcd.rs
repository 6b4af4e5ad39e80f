//! etcd, at the addresses of `SORTID_ETCD`, `SORTID_ETCD_TLS` and `SORTID_ETCD_CLUSTER`.

use crate::{conformance, server};
use sortid_fleet::{EtcdStore, Store};
use std::sync::Arc;

const PLAIN: &str = "SORTID_ETCD";

/// A server with TLS that demands a password and a certificate, under the name `localhost`.
const TLS: &str = "SORTID_ETCD_TLS";

/// Three servers.
const CLUSTER: &str = "SORTID_ETCD_CLUSTER";

fn opened(url: &str) -> EtcdStore {
    EtcdStore::open(url).unwrap()
}

#[test]
fn etcd_is_a_store() {
    let Some(url) = server(PLAIN) else { return };
    conformance::check(&(Arc::new(opened(&url)) as Arc<dyn Store>));
    conformance::check(&sortid_fleet::open(&url).unwrap());
    conformance::check_any_space(&opened(&url));
}

#[test]
fn etcd_is_a_store_with_tls_and_a_password() {
    let Some(url) = server(TLS) else { return };
    conformance::check(&sortid_fleet::open(&url).unwrap());
}

#[test]
fn a_cluster_of_etcd_is_a_store() {
    let Some(url) = server(CLUSTER) else { return };
    conformance::check(&sortid_fleet::open(&url).unwrap());
}
