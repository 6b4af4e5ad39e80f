//! The end of a server: it answers what it took, and releases its number.

use crate::common::{Nodes, Server, command};
use std::{os::unix::fs::FileTypeExt as _, thread};

#[test]
fn a_server_answers_what_it_took_before_it_ends() {
    let nodes = Nodes::new(1);
    for signal in ["TERM", "INT"] {
        let server = Server::start(&["--nodes", &nodes.url]);
        server.logged("joined the fleet");
        let mut clients: Vec<_> = (0..4).map(|_| server.connect()).collect();
        for client in &mut clients {
            // 10 000 Ulid-Flakes take many milliseconds, because a millisecond has few.
            client.send(b"GET /v1/ulid-flake?n=10000 HTTP/1.1\r\nHost: a\r\n\r\n").unwrap();
        }
        // The last request of these is answered after the others, so all are taken.
        while server.metric("sortid_connections") < 5.0 {
            thread::yield_now();
        }
        server.wait_for("/healthz", |_| true);
        let (status, log) = {
            let first = clients[0].answer(true).unwrap().unwrap();
            assert_eq!(first.lines().len(), 10_000);
            server.signal(signal);
            server.ended()
        };
        for client in &mut clients[1..] {
            let answer = client.answer(true).unwrap().expect("an answer");
            assert_eq!(answer.lines().len(), 10_000);
        }
        assert!(status.success(), "{log}");
        for text in [r#""message":"ending""#, "released the node ID", r#""message":"ended""#] {
            assert!(log.contains(text), "{text}: {log}");
        }
        assert!(!log.contains("WARN") && !log.contains("ERROR"), "{log}");
    }
}

#[test]
fn connections_without_a_request_do_not_delay_the_end() {
    let server = Server::start(&["--drain", "10m"]);
    let mut clients: Vec<_> = (0..3).map(|_| server.connect()).collect();
    // One that sent nothing, one with half a head, and one that had an answer.
    clients[1].send(b"GET /v1/eu").unwrap();
    assert_eq!(clients[2].get("/healthz").status, 200);
    while server.metric("sortid_connections") < 4.0 {
        thread::yield_now();
    }
    server.stop();
    assert!(clients.iter_mut().all(|client| client.rest() == 0));
}

#[test]
fn a_unix_socket_is_removed_at_the_end_and_replaced_after_a_crash() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("socket");
    let listen = format!("unix:{}", path.display());
    let start = || Server::spawn(command().args(["--listen", &listen]));
    let server = start();
    assert_eq!(server.address, listen);
    assert_eq!(server.get("/v1/euid?n=5").lines().len(), 5);
    // A second server does not take the socket away.
    let second = command().args(["--listen", &listen]).output().unwrap();
    assert_eq!(second.status.code(), Some(2));
    assert_eq!(server.get("/healthz").status, 200);
    server.kill();
    assert!(path.metadata().unwrap().file_type().is_socket());
    let server = start();
    assert_eq!(server.get("/healthz").status, 200);
    server.stop();
    assert!(!path.exists());
    // A file that is not a socket stays.
    std::fs::write(&path, "mine").unwrap();
    let refused = command().args(["--listen", &listen]).output().unwrap();
    assert_eq!(refused.status.code(), Some(2));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "mine");
}
