//! Broken requests, and random ones.

use crate::common::Server;
use std::env;

#[test]
fn a_broken_request_does_no_harm() {
    let server = Server::start(&[]);
    let before = server.files();
    for request in [
        &b"\r\n\r\n"[..],
        b"GET\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"GET / HTTP/0.9\r\n\r\n",
        b"\0\0\0\0",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"GET /v1/euid HTTP/1.1\r\nHost a\r\n\r\n",
        b"GET /v1/euid HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n",
        b"GET /v1/euid HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n",
        b"GET /v1/euid HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"GET /v1/euid HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n",
        b"POST /v1/euid HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n",
        b"GET http://[::1/v1/euid HTTP/1.1\r\n\r\n",
        b"GET \xff\xfe HTTP/1.1\r\n\r\n",
        b"CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n",
        b"GET /v1/euid HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: upgrade\r\n\r\n",
    ] {
        let mut client = server.connect();
        let _ = client.send(request);
        client.finish();
        // Each answer that is not an ID says what is wrong.
        while let Ok(Some(response)) = client.answer(true) {
            assert!(response.status == 200 || !response.detail().is_empty(), "{request:?}: {response:?}");
        }
        assert_eq!(server.get("/v1/euid").lines().len(), 1, "{request:?}");
    }
    server.closes_files(before);
    server.stop();
}

/// Pieces of requests, which random requests are put together from.
const PIECES: &[&str] = &[
    "/v1/",
    "/v1/",
    "/v1/",
    "euid",
    "scru160",
    "ulid-flake",
    "ron-uid",
    "evently-id",
    "/range",
    "/inspect/",
    "?",
    "?",
    "&",
    "=",
    "n=",
    "n=1",
    "n=3",
    "n=10000",
    "format=",
    "text",
    "hex",
    "int",
    "uuid",
    "base64url",
    "bytes",
    "json",
    "no-check",
    "extension=5:8",
    "micros-counter",
    "scalable",
    "since=",
    "until=",
    "epoch=",
    "from=",
    "scheme=",
    "2024-06",
    "now",
    "-1h",
    "@0",
    "%2B",
    "%ff",
    "%",
    "+",
    "0",
    "9999999999999999999999",
    "C8EE934SR007G5Q94QKKXFRFV8B",
    "00CMXB6TAK4SA",
    "1CQKneD1-X",
    "/",
    "//",
    "..",
    ";",
    "healthz",
    "readyz",
    "openapi.json",
    "a",
];

#[test]
fn random_requests_do_no_harm() {
    let count = if env::var_os("SORTID_LONG").is_some() { 1_000_000 } else { 100_000 };
    let seed =
        env::var("SORTID_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or_else(|| fastrand::u64(..));
    eprintln!("SORTID_SEED={seed}");
    let mut random = fastrand::Rng::with_seed(seed);
    let server = Server::start(&[]);
    let before = server.files();
    let mut client = server.connect();
    let (mut sent, mut answered) = (0, 0);
    while sent < count {
        // Several at a time, because most of the time is the way there and back.
        let mut batch = vec![];
        let expected = random.usize(1..=50);
        for _ in 0..expected {
            let begins = ["/v1/euid", "/v1/scru160?", "/v1/", "/"];
            let mut path = (*random.choice(&begins).unwrap()).to_owned();
            path.extend((0..random.usize(..8)).map(|_| *random.choice(PIECES).unwrap()));
            if random.u8(..) < 250 {
                path = path.replace("n=10000", "n=10");
            }
            let method = random.choice(["GET", "GET", "GET", "GET", "HEAD", "POST", "OPTIONS"]).unwrap();
            let accept = if random.bool() { "Accept: application/json\r\n" } else { "" };
            let mut request = format!("{method} {path} HTTP/1.1\r\nHost: a\r\n{accept}\r\n").into_bytes();
            if random.u8(..) == 0 {
                let at = random.usize(..request.len());
                request[at] = random.u8(..);
            }
            batch.append(&mut request);
        }
        sent += expected;
        batch.extend_from_slice(b"GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
        let _ = client.send(&batch);
        // Each answer begins with a status that the server knows.
        let text = client.take();
        for piece in text.split("HTTP/1.1 ").skip(1) {
            let status = piece.get(..3).unwrap_or_default();
            assert!(matches!(status, "200" | "400" | "404" | "405" | "414" | "431"), "{piece:?}");
            answered += 1;
        }
        client = server.connect();
    }
    assert!(answered > count / 2, "{answered} of {count}");
    drop(client);
    server.closes_files(before);
    server.stop();
}
