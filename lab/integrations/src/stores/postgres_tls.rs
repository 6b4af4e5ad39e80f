//! PostgreSQL, at the address of `SORTID_POSTGRES_TLS`: a server with TLS that demands a password and a certificate, under
//! the name `localhost`.

use crate::stores::{
    at,
    conformance::{self, held, records, space, swap},
    port,
    postgres::opened,
    proxy::Proxy,
    refused, server, with,
};
use sortid_fleet::{PostgresStore, Store, StoreErrorKind::*};

const TLS: &str = "SORTID_POSTGRES_TLS";

#[test]
fn postgresql_is_a_store_with_tls_and_a_password() {
    let Some(url) = server(TLS) else { return };
    conformance::check(&sortid_fleet::open(&url).unwrap());
    conformance::check(&sortid_fleet::open(&with(&url, "channel_binding=require")).unwrap());
}

#[test]
fn a_wrong_password_is_denied() {
    let Some(url) = server(TLS) else { return };
    let store = opened(&url.replace("p%40ss", "secret"));
    refused(
        store.read("s"),
        Denied,
        &["password authentication failed for user \"fleet\"", "Check the user"],
    );
    assert!(!format!("{store:?}").contains("secret"));
    let without = url.replace(":p%40ss%3Aw%2Frd%3F@", "@");
    refused(opened(&without).read("s"), Config, &["password missing", "PGPASSWORD"]);
}

#[test]
fn a_certificate_of_another_authority_is_refused() {
    let Some(url) = server(TLS) else { return };
    let other = url.replace("certificates/ca.pem", "certificates/other-ca.pem");
    for mode in ["verify-full", "verify-ca", "require", "prefer"] {
        let url = other.replace("verify-full", mode);
        refused(opened(&url).read("s"), Config, &["UnknownIssuer", "Check sslrootcert"]);
    }
    let system = url.split("&sslrootcert").next().unwrap();
    match PostgresStore::open(system) {
        Ok(store) => drop(refused(store.read("s"), Config, &["UnknownIssuer"])),
        // A system that trusts no one.
        error => drop(refused(error, Config, &["that this system trusts"])),
    }
}

#[test]
fn a_certificate_of_another_host_is_refused_only_by_verify_full() {
    let Some(url) = server(TLS) else { return };
    let url = at(&url, "127.0.0.1", port(&url));
    refused(opened(&url).read("s"), Config, &["not valid for name", "the host name in the URL"]);
    for mode in ["verify-ca", "require", "prefer"] {
        opened(&url.replace("verify-full", mode)).prepare("s").unwrap();
    }
}

#[test]
fn tls_without_an_authority_is_encrypted_only() {
    let Some(url) = server(TLS) else { return };
    let (start, rest) = url.split_once("&sslrootcert=").unwrap();
    let (_, rest) = rest.split_once('&').unwrap();
    let url = format!("{start}&{rest}");
    for mode in ["require", "prefer"] {
        opened(&url.replace("verify-full", mode)).prepare("s").unwrap();
    }
}

#[test]
fn a_server_that_demands_tls_or_a_certificate_refuses_others() {
    let Some(url) = server(TLS) else { return };
    let plain = url.replace("verify-full", "disable");
    refused(opened(&plain).read("s"), Denied, &["no pg_hba.conf entry", "no encryption"]);
    let (anonymous, _) = url.split_once("&sslcert").unwrap();
    refused(opened(anonymous).read("s"), Denied, &["requires a valid client certificate"]);
}

#[test]
fn a_certificate_and_its_key_have_to_fit() {
    let Some(url) = server(TLS) else { return };
    let other = url.replace("certificates/client.key", "certificates/ca.key");
    refused(PostgresStore::open(&other), Config, &["ca.key", "the private key of the certificate in"]);
    let no_key = url.replace("certificates/client.key", "certificates/client.pem");
    refused(PostgresStore::open(&no_key), Config, &["expected a private key in PEM in"]);
    let no_certificate = url.replace("certificates/ca.pem", "certificates/ca.key");
    refused(PostgresStore::open(&no_certificate), Config, &["expected certificates in PEM in", "found none"]);
}

#[test]
fn a_connection_that_is_cut_is_made_again() {
    let Some(url) = server(TLS) else { return };
    let proxy = Proxy::to(("127.0.0.1", port(&url)));
    let (store, space) = (opened(&at(&url, "localhost", proxy.port)), space("cut"));
    assert!(swap(&store, &space, 0, None, &held(1, 1)));
    proxy.cut();
    assert!(swap(&store, &space, 0, Some(&held(1, 1)), &held(2, 1)));
    proxy.set_silent(true);
    refused(store.read(&space), Unavailable, &["does not answer"]);
    refused(store.swap(&space, 0, Some(&held(2, 1)), &held(3, 1)), Unavailable, &["does not answer"]);
    proxy.set_silent(false);
    assert!(swap(&store, &space, 0, Some(&held(2, 1)), &held(4, 1)));
    assert_eq!(records(&store, &space)[&0], held(4, 1));
}
