//! Members of etcd that answer, but not as they should.
#![cfg(feature = "etcd")]

use sortid_fleet::{EtcdStore, Store as _, StoreErrorKind};
use std::{
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::{TcpListener, TcpStream},
    thread,
};

/// Starts a server that gives each request the same answer. Returns its address.
fn server(status: &'static str, body: &'static str) -> String {
    let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let address = listener.local_addr().unwrap().to_string();
    thread::spawn(move || listener.incoming().for_each(|stream| answer(&stream.unwrap(), status, body)));
    address
}

fn answer(mut stream: &TcpStream, status: &str, body: &str) {
    let mut reader = BufReader::new(stream);
    let mut length = 0;
    for line in reader.by_ref().lines().map(Result::unwrap).take_while(|line| !line.is_empty()) {
        if let Some(text) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = text.trim().parse().unwrap();
        }
    }
    reader.read_exact(&mut vec![0; length]).unwrap();
    let head = format!("HTTP/1.1 {status}\r\nConnection: close\r\nContent-Length: {}\r\n\r\n", body.len());
    stream.write_all(format!("{head}{body}").as_bytes()).unwrap();
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
