//! Members of etcd that answer, but not as they should.
#![cfg(feature = "etcd")]

use crate::common::SECOND;
use base64::{Engine as _, prelude::BASE64_STANDARD};
use sortid_fleet::{EtcdStore, Record, Repair, Store as _, StoreErrorKind};
use std::{
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::{TcpListener, TcpStream},
    thread,
};

/// Starts a server that gives each request the same answer: a status, which other headers may follow, and a body. Returns
/// its address.
fn server(head: &'static str, body: impl Into<String>) -> String {
    let body = body.into();
    let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let address = listener.local_addr().unwrap().to_string();
    thread::spawn(move || listener.incoming().for_each(|stream| answer(&stream.unwrap(), head, &body)));
    address
}

fn answer(mut stream: &TcpStream, head: &str, body: &str) {
    let mut reader = BufReader::new(stream);
    let mut length = 0;
    for line in reader.by_ref().lines().map(Result::unwrap).take_while(|line| !line.is_empty()) {
        if let Some(text) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = text.trim().parse().unwrap();
        }
    }
    reader.read_exact(&mut vec![0; length]).unwrap();
    let more = format!("Connection: close\r\nContent-Length: {}", body.len());
    stream.write_all(format!("HTTP/1.1 {head}\r\n{more}\r\n\r\n{body}").as_bytes()).unwrap();
}

#[test]
fn a_member_that_is_set_up_wrongly_does_not_keep_the_others_from_being_asked() {
    let wrong = server("404 Not Found", "");
    let right = server("200 OK", r#"{"header":{"revision":"1"}}"#);
    let store = EtcdStore::open(&format!("etcd://{wrong},{right}")).unwrap();
    assert!(store.read("orders").unwrap().records.is_empty());
    // If none is right, its error is the one that tells most.
    let down = TcpListener::bind(("127.0.0.1", 0)).unwrap().local_addr().unwrap();
    let store = EtcdStore::open(&format!("etcd://{down},{wrong}")).unwrap();
    let error = store.read("orders").unwrap_err();
    assert_eq!(error.kind(), StoreErrorKind::Config, "{error}");
}

/// The time of etcd is a whole second. A process can have reserved a window and 10 s from the end of that second on.
#[test]
fn a_repair_is_above_what_was_reserved_in_the_second_in_which_it_reads_the_time() {
    let second = 1_717_653_966_000;
    let record = serde_json::to_vec(&Record::beginning(2)).unwrap();
    let [key, value] = [&b"sortid/nodes/orders/0"[..], &record].map(|bytes| BASE64_STANDARD.encode(bytes));
    let body = format!(r#"{{"header":{{}},"kvs":[{{"key":"{key}","value":"{value}"}}]}}"#);
    let address = server("200 OK\r\nDate: Thu, 06 Jun 2024 06:06:06 GMT", body);
    let store = EtcdStore::open(&format!("etcd://{address}")).unwrap();
    assert_eq!(store.read("orders").unwrap().time, Some(second));
    let until = Repair::plan(&store, "orders", None, SECOND).unwrap().until();
    assert_eq!(until, second + 999 + 1_000 + 10_000);
}
