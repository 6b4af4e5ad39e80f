//! etcd, at the addresses of `SORTID_ETCD`, `SORTID_ETCD_TLS` and `SORTID_ETCD_CLUSTER`.

use crate::stores::{
    at, closed_port,
    conformance::{self, held, records, space, swap},
    port,
    proxy::Proxy,
    refused, server, with,
};
use serde_json::{Value, json};
use sortid_fleet::{EtcdStore, Holder, Record, Store, StoreErrorKind::*};
use std::{
    io::{Read, Write},
    net::{TcpListener, TcpStream},
    sync::Arc,
    thread,
};

const PLAIN: &str = "SORTID_ETCD";

/// A server with TLS that demands a password and a certificate, under the name `localhost`.
const TLS: &str = "SORTID_ETCD_TLS";

/// Three servers.
const CLUSTER: &str = "SORTID_ETCD_CLUSTER";

fn opened(url: &str) -> EtcdStore {
    EtcdStore::open(url).unwrap()
}

/// Asks the gateway by hand, without the library that the store uses.
fn ask(url: &str, path: &str, question: &Value) -> Value {
    let mut server = TcpStream::connect(("127.0.0.1", port(url))).unwrap();
    let body = question.to_string();
    let length = body.len();
    write!(server, "POST {path} HTTP/1.0\r\nContent-Length: {length}\r\n\r\n{body}").unwrap();
    let mut answer = String::new();
    server.read_to_string(&mut answer).unwrap();
    serde_json::from_str(answer.split_once("\r\n\r\n").unwrap().1).unwrap()
}

/// A server that gives one answer to all questions.
fn answering(answer: &'static str) -> u16 {
    let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || {
        for mut client in listener.incoming().flatten() {
            let _ = client.read(&mut [0; 8192]);
            let _ = client.write_all(answer.as_bytes());
        }
    });
    port
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
    // The members have the same records.
    let (hosts, space) = (url.strip_prefix("etcd://").unwrap(), space("members"));
    for (node_id, host) in (0..).zip(hosts.split(',')) {
        let store = opened(&format!("etcd://{host}"));
        assert!(swap(&store, &space, node_id, None, &held(1, 1)));
        assert_eq!(records(&store, &space).len(), node_id as usize + 1);
    }
}

#[test]
fn node_ids_above_those_of_other_stores_come_back() {
    let Some(url) = server(PLAIN) else { return };
    let (store, space) = (opened(&url), space("limits"));
    let holder = Some(Holder::new("a\0b", "\0"));
    let record = Record::new(u32::MAX, u64::MAX, holder, u64::MAX);
    assert!(swap(&store, &space, 0, None, &record));
    assert!(swap(&store, &space, 0, Some(&record), &record));
    assert_eq!(records(&store, &space)[&0], record);
}

#[test]
fn keys_begin_with_the_prefix() {
    let Some(url) = server(PLAIN) else { return };
    let space = space("prefix");
    let [one, two] = ["a", "a/b/"].map(|prefix| opened(&with(&url, &format!("prefix=%2F{prefix}"))));
    assert!(swap(&one, &space, 7, None, &held(1, 1)));
    assert_eq!(records(&two, &space).len() + records(&opened(&url), &space).len(), 0);
    assert!(swap(&two, &space, 7, None, &held(2, 1)));
    // `/a/SPACE/7` and `/a/b/SPACE/7`, in base64.
    for (prefix, generation) in [("/a", 1), ("/a/b", 2)] {
        let key = base64(&format!("{prefix}/{space}/7"));
        let answer = ask(&url, "/v3/kv/range", &json!({ "key": key }));
        let value = serde_json::to_string(&held(generation, 1)).unwrap();
        assert_eq!(answer["kvs"][0]["value"], base64(&value));
    }
}

/// Base64, as etcd's gateway has it.
fn base64(text: &str) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut encoded = String::new();
    for bytes in text.as_bytes().chunks(3) {
        let word = bytes.iter().fold(0, |word, &byte| word << 8 | u32::from(byte)) << (8 * (3 - bytes.len()));
        let digits = (0..4).map(|at| char::from(DIGITS[(word >> (18 - 6 * at)) as usize & 63]));
        encoded.extend(digits.take(bytes.len() + 1).chain("==".chars()).take(4));
    }
    encoded
}

#[test]
fn keys_and_values_of_others_are_refused() {
    let Some(url) = server(PLAIN) else { return };
    let record = serde_json::to_string(&held(1, 1)).unwrap();
    for (end, value, found) in [
        ("7", "", "found \"\": EOF"),
        ("7", "busy", "found \"busy\": expected value"),
        ("7", "{\"size\":32}", "missing field `generation`"),
        ("7", "{\"size\":-1,\"generation\":1,\"holder\":null,\"until\":1}", "invalid value: integer `-1`"),
    ] {
        let space = space("shape");
        let key = format!("sortid/nodes/{space}/{end}");
        ask(&url, "/v3/kv/put", &json!({ "key": base64(&key), "value": base64(value) }));
        let store = opened(&url);
        // The other keys are read.
        assert!(swap(&store, &space, 8, None, &held(1, 1)));
        let snapshot = store.read(&space).unwrap();
        assert_eq!(snapshot.records.keys().collect::<Vec<_>>(), [&8]);
        let parts = ["expected a record of sortid-fleet", &key, found, "?prefix="];
        assert!(parts.iter().all(|part| snapshot.damaged[&7].contains(part)), "{snapshot:?}");
        refused(store.swap(&space, 7, None, &held(1, 1)), Shape, &[&key, found]);
        assert!(swap(&*store.for_repair().unwrap(), &space, 7, None, &held(2, 2)));
        assert_eq!(records(&store, &space)[&7], held(2, 2));
    }
    // As in a directory, keys of another form do not belong to a fleet.
    for end in ["seven", "07", "7/8", "4294967296"] {
        let space = space("shape");
        let key = format!("sortid/nodes/{space}/{end}");
        ask(&url, "/v3/kv/put", &json!({ "key": base64(&key), "value": base64(&record) }));
        assert_eq!(opened(&url).read(&space).unwrap().records.len(), 0, "{end}");
    }
}

#[test]
fn members_of_a_later_version_are_kept_and_a_later_format_is_refused() {
    let Some(url) = server(PLAIN) else { return };
    let (store, space) = (opened(&url), space("later"));
    let key = base64(&format!("sortid/nodes/{space}/0"));
    let put = |value: &str| ask(&url, "/v3/kv/put", &json!({ "key": key, "value": base64(value) }));
    put(r#"{"zone":"a","size":32,"generation":1,"holder":null,"until":1}"#);
    let record = records(&store, &space)[&0].clone();
    assert!(swap(&store, &space, 0, Some(&record), &record.clone().changed(|it| it.generation = 2)));
    let value = r#"{"size":32,"generation":2,"holder":null,"until":1,"zone":"a"}"#;
    assert_eq!(ask(&url, "/v3/kv/range", &json!({ "key": key }))["kvs"][0]["value"], base64(value));

    put(&value.replace("\"zone\":\"a\"", "\"format\":2"));
    let parts =
        ["/0 of etcd at ", "expected a record of format 1, found one of format 2", "update this program"];
    refused(store.read(&space), Later, &parts);
    refused(store.swap(&space, 0, None, &held(1, 1)), Later, &parts);
    let for_repair = store.for_repair().unwrap();
    refused(for_repair.read(&space), Later, &parts);
    refused(for_repair.swap(&space, 0, None, &held(1, 1)), Later, &parts);
}

#[test]
fn records_are_equal_if_their_fields_are_whatever_their_bytes() {
    let Some(url) = server(PLAIN) else { return };
    let (store, space) = (opened(&url), space("bytes"));
    let value = "{ \"until\": 1, \"holder\": null,\n \"generation\": 5, \"size\": 32 }";
    let key = base64(&format!("sortid/nodes/{space}/7"));
    ask(&url, "/v3/kv/put", &json!({ "key": key, "value": base64(value) }));
    let stored = held(5, 1).changed(|it| it.holder = None);
    assert_eq!(records(&store, &space)[&7], stored);
    assert!(swap(&store, &space, 7, Some(&stored), &held(6, 2)));
}

#[test]
fn a_wrong_password_is_denied() {
    let Some(url) = server(TLS) else { return };
    let store = opened(&url.replace("p%40ss", "secret"));
    refused(store.read("s"), Denied, &["invalid user ID or password", "Check the user"]);
    assert!(!format!("{store:?}").contains("secret"));
    let (scheme, rest) = url.split_once("fleet:p%40ss%3Aw%2Frd%3F@").unwrap();
    let nobody = format!("{scheme}{rest}");
    refused(opened(&nobody).read("s"), Denied, &["user name is empty", "etcd://USER:PASSWORD@HOST:PORT"]);
}

#[test]
fn a_user_without_permission_is_denied() {
    let Some(url) = server(TLS) else { return };
    let space = space("rights");
    assert!(swap(&opened(&url), &space, 0, None, &held(1, 1)));
    let reader = opened(&url.replace("fleet:", "reader:"));
    assert_eq!(records(&reader, &space).len(), 1);
    refused(
        reader.swap(&space, 0, Some(&held(1, 1)), &held(2, 2)),
        Denied,
        &["permission denied", "readwrite"],
    );
    let elsewhere = opened(&with(&url, "prefix=orders"));
    refused(elsewhere.read(&space), Denied, &["permission denied", "readwrite"]);
}

#[test]
fn a_user_is_not_needed_where_no_one_asks_for_a_password() {
    let Some(url) = server(PLAIN) else { return };
    let url = url.replace("etcd://", "etcd://me:secret@");
    assert!(swap(&opened(&url), &space("unasked"), 0, None, &held(1, 1)));
}

#[test]
fn a_certificate_of_another_authority_or_host_is_refused() {
    let Some(url) = server(TLS) else { return };
    let other = url.replace("certificates/ca.pem", "certificates/other-ca.pem");
    refused(opened(&other).read("s"), Config, &["UnknownIssuer", "Check ca, cert and key"]);
    let host = at(&url, "127.0.0.1", port(&url));
    refused(opened(&host).read("s"), Config, &["not valid for name"]);
    let (start, rest) = url.split_once("ca=").unwrap();
    let system = format!("{start}{}", rest.split_once('&').unwrap().1);
    match EtcdStore::open(&system) {
        Ok(store) => drop(refused(store.read("s"), Config, &["UnknownIssuer"])),
        // A system that trusts no one.
        error => drop(refused(error, Config, &["that this system trusts"])),
    }
}

#[test]
fn a_server_that_demands_a_certificate_refuses_others() {
    let Some(url) = server(TLS) else { return };
    let (anonymous, _) = url.split_once("&cert=").unwrap();
    let error = opened(anonymous).read("s").unwrap_err();
    // The server says why, and closes the connection. What comes first depends on its timing.
    let expected = match error.kind() {
        Unavailable => "If it demands a certificate, give cert and key",
        _ => "Check ca, cert and key",
    };
    assert!(error.to_string().contains(expected), "{error}");
}

#[test]
fn a_server_with_tls_and_one_without_are_told_apart() {
    if let Some(url) = server(TLS) {
        let plain = format!("etcd://localhost:{}", port(&url));
        refused(opened(&plain).read("s"), Unavailable, &["If it has TLS, write etcds: in place of etcd:"]);
    }
    if let (Some(tls), Some(url)) = (server(TLS), server(PLAIN)) {
        let tls = at(&tls, "localhost", port(&url));
        refused(opened(&tls).read("s"), Unavailable, &["If it has no TLS, write etcd: in place of etcds:"]);
    }
}

#[test]
fn a_server_that_is_not_there_is_unavailable() {
    let port = closed_port();
    let store = opened(&format!("etcd://me:secret@127.0.0.1:{port}"));
    refused(store.read("s"), Unavailable, &[&format!("etcd at http://127.0.0.1:{port}"), "refused"]);
    refused(store.swap("s", 0, None, &held(1, 1)), Unavailable, &["refused"]);
    refused(opened("etcd://nodes.invalid").read("s"), Unavailable, &["nodes.invalid:2379"]);
    refused(opened(&format!("etcd://[::1]:{port}")).read("s"), Unavailable, &[&format!("[::1]:{port}")]);
}

#[test]
fn a_server_that_does_not_answer_is_unavailable() {
    // The system accepts connections for it.
    let silent = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let port = silent.local_addr().unwrap().port();
    refused(opened(&format!("etcd://127.0.0.1:{port}")).read("s"), Unavailable, &["no answer in time"]);
    let Some(url) = server(PLAIN) else { return };
    // Neither a silent host nor a closed port keeps the store from the third host.
    let several = url.replace("//", &format!("//127.0.0.1:{port},127.0.0.1:{},", closed_port()));
    let (store, space) = (opened(&several), space("several"));
    assert!(swap(&store, &space, 0, None, &held(1, 1)));
    assert!(swap(&store, &space, 0, Some(&held(1, 1)), &held(2, 1)));
}

#[test]
fn another_server_than_etcd_is_a_wrong_address() {
    for answer in [
        "HTTP/1.1 404 Not Found\r\nContent-Length: 9\r\nConnection: close\r\n\r\nnot found",
        "HTTP/1.1 200 OK\r\nContent-Length: 6\r\nConnection: close\r\n\r\n<html>",
        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}",
        "HTTP/1.1 405 Not Allowed\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
    ] {
        let store = opened(&format!("etcd://127.0.0.1:{}", answering(answer)));
        refused(store.read("s"), Config, &["Expected etcd 3.4 or later with its JSON gateway"]);
    }
    for answer in [
        "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 4\r\nConnection: close\r\n\r\nbusy",
        "HTTP/1.1 200 OK\r\nContent-Length: 99\r\nConnection: close\r\n\r\n{",
        "nonsense",
    ] {
        let store = opened(&format!("etcd://127.0.0.1:{}", answering(answer)));
        refused(store.read("s"), Unavailable, &["etcd at http://127.0.0.1:"]);
    }
}

#[test]
fn a_connection_that_is_cut_is_made_again() {
    for name in [PLAIN, TLS] {
        let Some(url) = server(name) else { continue };
        let proxy = Proxy::to(("127.0.0.1", port(&url)));
        let url = match name {
            TLS => at(&url, "localhost", proxy.port),
            _ => format!("etcd://localhost:{}", proxy.port),
        };
        let (store, space) = (opened(&url), space("cut"));
        assert!(swap(&store, &space, 0, None, &held(1, 1)));
        proxy.cut();
        assert!(swap(&store, &space, 0, Some(&held(1, 1)), &held(2, 1)), "{name}");
        proxy.set_silent(true);
        refused(store.read(&space), Unavailable, &["no answer in time"]);
        refused(store.swap(&space, 0, Some(&held(2, 1)), &held(3, 1)), Unavailable, &["no answer in time"]);
        proxy.set_silent(false);
        assert!(swap(&store, &space, 0, Some(&held(2, 1)), &held(4, 1)), "{name}");
    }
}

#[test]
fn a_store_works_within_an_asynchronous_runtime() {
    let Some(url) = server(PLAIN) else { return };
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(async {
        assert!(swap(&opened(&url), &space("async"), 0, None, &held(1, 1)));
    });
}

#[test]
fn a_wrong_url_of_etcd_is_refused() {
    for (url, found) in [
        ("etcd:h", "expected a URL of etcd"),
        ("etcd://", "Write etcd://HOST:PORT"),
        ("etcd://u:secret@", "Write etcd://HOST:PORT"),
        ("etcd://me@h", "with a user and no password"),
        ("etcd://u:secret@h:port", "h:port"),
        ("etcd://u:secret@h:99999", "h:99999"),
        ("etcd://u:secret@h,,i", "\"\""),
        ("etcd://u:secret@h/orders", "with a path"),
        ("etcd://u:secret@h?nodes=32", "found nodes"),
        ("etcd://u:secret@h?ca=/ca.pem", "A URL with TLS begins with etcds:"),
        ("etcds://u:secret@h?ca=/none.pem", "/none.pem"),
        ("etcds://u:secret@h?ca", "NAME=VALUE"),
        ("etcd://%FF:secret@h", "UTF-8"),
    ] {
        refused(EtcdStore::open(url), Config, &[found]);
        refused(sortid_fleet::open(url).map(drop), Config, &[found]);
    }
    let shown = format!("{:?}", opened("etcd://u:secret@h,[::1]:79/?prefix=a"));
    assert_eq!(shown, "EtcdStore(a at http://h:2379, http://[::1]:79)");
}
