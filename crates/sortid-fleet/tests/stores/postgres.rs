//! PostgreSQL, at the addresses of `SORTID_POSTGRES` and `SORTID_POSTGRES_TLS`.

use crate::{conformance, server};
use sortid_fleet::{PostgresStore, Store};
use std::sync::Arc;

const PLAIN: &str = "SORTID_POSTGRES";

/// A server with TLS that demands a password and a certificate, under the name `localhost`.
const TLS: &str = "SORTID_POSTGRES_TLS";

fn opened(url: &str) -> PostgresStore {
    PostgresStore::open(url).unwrap()
}

/// The URL with more options.
fn with(url: &str, options: &str) -> String {
    format!("{url}{}{options}", if url.contains('?') { '&' } else { '?' })
}

#[test]
fn postgresql_is_a_store() {
    let Some(url) = server(PLAIN) else { return };
    conformance::check(&(Arc::new(opened(&url)) as Arc<dyn Store>));
    conformance::check(&sortid_fleet::open(&url).unwrap());
    conformance::check_any_space(&opened(&url));
}

#[test]
fn postgresql_is_a_store_with_tls_and_a_password() {
    let Some(url) = server(TLS) else { return };
    conformance::check(&sortid_fleet::open(&url).unwrap());
    conformance::check(&sortid_fleet::open(&with(&url, "channel_binding=require")).unwrap());
}
