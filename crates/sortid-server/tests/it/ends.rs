//! The end of a server: it answers what it took, and releases its number.

use crate::common::{Nodes, PATIENCE, Server, command};
use std::{
    fs,
    os::unix::{fs::FileTypeExt as _, net::UnixStream},
    path::Path,
    process::{Command, Stdio},
    thread,
    time::Instant,
};

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

fn on(socket: &Path) -> Server {
    Server::spawn(command().arg("--listen").arg(format!("unix:{}", socket.display())))
}

#[test]
fn a_server_that_ends_leaves_the_socket_of_its_successor() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("socket");
    for is_removed_before in [false, true] {
        let first = on(&path);
        // The socket has no room for the answer, so the first server waits until the client reads.
        let mut client = first.connect();
        client.send(b"GET /v1/euid?n=10000&format=json HTTP/1.1\r\nHost: a\r\n\r\n").unwrap();
        first.wait_for("/metrics", |metrics| metrics.text().contains(r#"path="/v1/euid",code="200"} 1"#));
        let (first, second) = if is_removed_before {
            // Somebody else removes the socket, while the first server does not end yet.
            fs::remove_file(&path).unwrap();
            let second = on(&path);
            first.signal("TERM");
            first.logged("ending");
            (first, second)
        } else {
            first.signal("TERM");
            while UnixStream::connect(&path).is_ok() {
                thread::yield_now();
            }
            (first, on(&path))
        };
        assert_eq!(client.answer(true).unwrap().unwrap().lines().len(), 10_000);
        let (status, log) = first.ended();
        assert!(status.success() && !log.contains("WARN"), "{log}");
        assert_eq!(second.get("/v1/euid").lines().len(), 1);
        second.stop();
        assert!(!path.exists());
    }
}

#[test]
fn of_servers_that_find_a_left_over_socket_one_gets_it() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("socket");
    for _ in 0..5 {
        on(&path).kill();
        let listen = format!("unix:{}", path.display());
        let start = || command().args(["--listen", &listen]).stderr(Stdio::null()).spawn().unwrap();
        let mut servers: Vec<_> = (0..4).map(|_| start()).collect();
        // All but one cannot serve.
        let started = Instant::now();
        while servers.len() > 1 {
            servers.retain_mut(|server| {
                server.try_wait().unwrap().is_none_or(|status| {
                    assert_eq!(status.code(), Some(2));
                    false
                })
            });
            assert!(started.elapsed() < PATIENCE, "{} servers listen", servers.len());
            thread::yield_now();
        }
        while UnixStream::connect(&path).is_err() {
            thread::yield_now();
        }
        let mut last = servers.remove(0);
        assert!(last.try_wait().unwrap().is_none());
        last.kill().unwrap();
        last.wait().unwrap();
        assert!(UnixStream::connect(&path).is_err());
        fs::remove_file(&path).unwrap();
    }
}

#[test]
fn a_hangup_ends_a_server_in_order_unless_it_was_started_to_outlive_its_terminal() {
    let nodes = Nodes::new(1);
    // The tests themselves may run below `nohup`.
    let mut as_usual = Command::new("env");
    as_usual.arg("--default-signal=HUP").arg(env!("CARGO_BIN_EXE_sortid-server"));
    as_usual.args(["--listen", "127.0.0.1:0", "--log", "json", "--nodes", &nodes.url]);
    let server = Server::spawn(&mut as_usual);
    server.logged("joined the fleet");
    server.signal("HUP");
    let (status, log) = server.ended();
    assert!(status.success() && log.contains("released the node ID"), "{log}");

    let mut nohup = Command::new("nohup");
    nohup.arg(env!("CARGO_BIN_EXE_sortid-server")).args(["--listen", "127.0.0.1:0", "--log", "json"]);
    let server = Server::spawn(nohup.env_remove("SORTID_NODES"));
    server.signal("HUP");
    assert_eq!(server.get("/v1/euid").lines().len(), 1);
    server.stop();
}
