//! Limits: nobody can take all connections, all memory or all time of a server.

use crate::common::{Client, Server, command};
use std::{thread, time::Instant};

#[test]
fn connections_that_send_nothing_do_not_stop_others_and_leave_nothing_behind() {
    let server = Server::start(&["--idle-timeout", "1s"]);
    let before = server.files();
    let mut silent: Vec<_> = (0..500).map(|_| server.connect()).collect();
    for client in silent.iter_mut().step_by(2) {
        client.send(b"GET /v1/euid HTTP/1.1\r\nHos").unwrap();
    }
    assert_eq!(server.get("/v1/euid?n=100").lines().len(), 100);
    // The server closes them.
    assert!(silent.iter_mut().all(|client| client.rest() == 0));
    server.closes_files(before);
    server.stop();
}

#[test]
fn connections_beyond_the_limit_wait() {
    let server = Server::start(&["--connections", "3"]);
    let mut first: Vec<_> = (0..3).map(|_| server.connect()).collect();
    assert!(first.iter_mut().all(|client| client.get("/healthz").status == 200));
    let mut fourth = server.connect();
    fourth.send(b"GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n").unwrap();
    let metrics = first[0].get("/metrics").text();
    assert!(metrics.contains("\nsortid_connections 3\n"), "{metrics}");
    drop(first);
    let metrics = fourth.answer(true).unwrap().unwrap().text();
    assert!(metrics.contains("\nsortid_connections_accepted_total 4\n"), "{metrics}");
    drop(fourth);
    server.stop();
}

/// A client of a Unix socket, whose buffers are small, that asks for megabytes and reads nothing.
fn slow(server: &Server) -> Client {
    let mut client = server.connect();
    client.send(b"GET /v1/euid?n=10000&format=json HTTP/1.1\r\nHost: a\r\n\r\n").unwrap();
    client
}

#[test]
fn slow_readers_are_cut_off_and_answers_have_a_limit() {
    let dir = tempfile::tempdir().unwrap();
    let listen = format!("unix:{}", dir.path().join("socket").display());
    let server = Server::spawn(command().args(["--listen", &listen, "--answer-timeout", "4s"]));
    let before = server.files();
    // Each of these answers may take 6.25 MB, and all together 64 MiB.
    let mut clients: Vec<_> = (0..10).map(|_| slow(&server)).collect();
    let started = Instant::now();
    // On a slow machine, clients may be cut off before they have an answer.
    let (all, cut_off) = (
        r#"sortid_requests_total{path="/v1/euid",code="200"} 10"#,
        "\nsortid_connections_cut_off_total 10\n",
    );
    server.wait_for("/metrics", |metrics| [all, cut_off].iter().any(|&it| metrics.text().contains(it)));
    let refused = server.get("/v1/euid?n=10000&format=json");
    assert!(refused.status == 503 || started.elapsed().as_secs() > 3);
    if refused.status == 503 {
        assert_eq!((&refused.json()["code"], refused.header("retry-after")), (&"busy".into(), Some("1")));
        assert!(refused.detail().contains("64 MiB"), "{}", refused.detail());
    }
    assert_eq!(server.get("/v1/euid").lines().len(), 1);
    server.wait_for("/metrics", |metrics| metrics.text().contains(cut_off));
    // What the buffers held is less than the answer.
    assert!(clients.iter_mut().all(|client| client.rest() < 1 << 20));
    assert_eq!(server.get("/v1/euid?n=10000&format=json").lines().len(), 10_000);
    server.closes_files(before);
    server.stop();
}

#[test]
fn requests_beyond_the_limit_are_told_to_try_again() {
    let nodes = crate::common::Nodes::new(1);
    let server = Server::start(&["--nodes", &nodes.url, "--requests", "1"]);
    server.logged("joined the fleet");
    let busy = thread::scope(|scope| {
        let threads: Vec<_> = (0..8)
            .map(|_| {
                scope.spawn(|| {
                    let mut client = server.connect();
                    let answers = (0..4).map(|_| client.get("/v1/ulid-flake?n=10000"));
                    answers.filter(|answer| answer.status == 503).collect::<Vec<_>>()
                })
            })
            .collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect::<Vec<_>>()
    });
    assert!(!busy.is_empty());
    for response in &busy {
        assert_eq!((&response.json()["code"], response.header("retry-after")), (&"busy".into(), Some("1")));
        assert!(response.detail().contains("answers 1 requests already"), "{}", response.detail());
    }
    assert_eq!(server.get("/v1/euid").lines().len(), 1);
    server.stop();
}

#[test]
fn ids_that_take_too_long_are_refused() {
    let nodes = crate::common::Nodes::new(1);
    let server = Server::start(&["--nodes", &nodes.url, "--make-timeout", "1ms"]);
    server.logged("joined the fleet");
    let mut client = server.connect();
    let mut before = String::new();
    for _ in 0..3 {
        let refused = client.get("/v1/ulid-flake?n=10000");
        assert_eq!((refused.status, &refused.json()["code"]), (503, &"unavailable".into()));
        assert!(refused.detail().contains("in time"), "{}", refused.detail());
        // The IDs that were made for it are not answered.
        let response = server.wait_for("/v1/ulid-flake", |response| response.status == 200);
        let id = response.lines().remove(0);
        assert!(id > before);
        before = id;
    }
    server.stop();
}

#[test]
fn a_long_head_is_refused() {
    let server = Server::start(&[]);
    for head in [
        format!("GET /{} HTTP/1.1\r\nHost: a\r\n\r\n", "a".repeat(100_000)),
        format!("GET / HTTP/1.1\r\nHost: a\r\nA: {}\r\n\r\n", "a".repeat(100_000)),
        format!("GET / HTTP/1.1\r\nHost: a\r\n{}\r\n", "A: a\r\n".repeat(100)),
    ] {
        let mut client = server.connect();
        // The server may have closed the connection before all is sent.
        if client.send(head.as_bytes()).is_ok()
            && let Ok(Some(response)) = client.answer(true)
        {
            assert!(matches!(response.status, 414 | 431), "{response:?}");
            assert_eq!(response.header("content-type"), Some("application/problem+json"));
            assert!(response.detail().starts_with("expected "), "{response:?}");
        }
    }
    assert_eq!(server.get("/healthz").status, 200);
    server.stop();
}
