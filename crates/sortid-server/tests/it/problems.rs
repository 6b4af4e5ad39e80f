//! Wrong requests: each answer says what was expected, what was found, and what to do.

use crate::common::{Server, command};

#[test]
fn a_wrong_request_gets_a_problem() {
    let server = Server::start(&[]);
    let long = format!("/v1/euid?n={}", "1".repeat(3000));
    for (method, path, status, code, detail) in [
        ("GET", "/v1/foo", 404, "unknown-specification", r#"found "foo""#),
        ("GET", "/v1/ron?n=2", 404, "unknown-specification", r#"found "ron": write /v1/ron-uid"#),
        ("GET", "/v1/EUID", 404, "unknown-specification", r#"found "EUID": write /v1/euid"#),
        ("GET", "/", 404, "unknown-path", r#"/openapi.json lists, such as /v1/euid, found "/""#),
        ("GET", "/v1", 404, "unknown-path", r#"found "/v1""#),
        ("GET", "/v1/", 404, "unknown-path", r#"found "/v1/""#),
        ("GET", "/v1/euid/", 404, "unknown-path", "expected /v1/euid, /v1/euid/range or /v1/euid/inspect/ID"),
        ("GET", "/v1/euid/inspect/", 404, "unknown-path", ": write the ID after it"),
        ("GET", "/v1/euid/inspect", 404, "unknown-path", ": write the ID after it"),
        ("GET", "/v1/euid/nope", 404, "unknown-path", r#"found "/v1/euid/nope""#),
        ("GET", "/v1/evently-id", 404, "not-made", "sortid ledger append"),
        ("GET", "/v1/ulid-flake", 404, "not-made", "start it with --nodes URL"),
        ("GET", "/v1/ron-uid?n=10", 404, "not-made", "start it with --nodes URL"),
        ("GET", "/v1/euid?n=0", 400, "wrong-parameter", r#"n: expected a number from 1 to 10000, found "0""#),
        ("GET", "/v1/euid?n=10001", 400, "wrong-parameter", "send several requests for more"),
        ("GET", "/v1/euid?n=1&n=2", 400, "wrong-parameter", "expected the parameter n once"),
        (
            "GET",
            "/v1/euid?count=1",
            400,
            "wrong-parameter",
            r#"n, format, extension and no-check, found "count": leave it out"#,
        ),
        ("GET", "/v1/euid?micros-counter", 400, "wrong-parameter", r#"found "micros-counter""#),
        (
            "GET",
            "/v1/euid?format=xml",
            400,
            "wrong-parameter",
            r#"text, hex, int, uuid, base64url, bytes or json, found "xml""#,
        ),
        ("GET", "/v1/euid?extension=x", 400, "wrong-parameter", r#"extension: expected a value up to 32767"#),
        ("GET", "/v1/euid?extension", 400, "wrong-parameter", r#"such as 5:8, found """#),
        (
            "GET",
            "/v1/euid?extension=32768",
            400,
            "wrong-parameter",
            "extension: expected 0 to 32767, found 32768",
        ),
        (
            "GET",
            "/v1/euid?extension=5:2",
            400,
            "wrong-parameter",
            "extension bits: expected 3 to 15, found 2",
        ),
        (
            "GET",
            "/v1/euid?extension=5:16",
            400,
            "wrong-parameter",
            "extension bits: expected 3 to 15, found 16",
        ),
        ("GET", "/v1/scru160?extension=5", 400, "wrong-parameter", r#"found "extension""#),
        ("GET", "/v1/scru160?format=uuid", 400, "wrong-parameter", "format: "),
        ("GET", "/v1/scru160?micros-counter=1", 400, "wrong-parameter", "expected true, false or no value"),
        ("GET", "/v1/ulid-flake?scalable=false", 400, "wrong-parameter", "scalable: expected true"),
        (
            "GET",
            "/v1/euid/range",
            400,
            "wrong-parameter",
            "expected since TIME, until TIME or both, found neither",
        ),
        (
            "GET",
            "/v1/euid/range?since=2025-01-01&until=x",
            400,
            "wrong-parameter",
            "until: expected a time such as",
        ),
        ("GET", "/v1/euid/range?since=2024", 400, "wrong-parameter", "since: 2024 is read as milliseconds"),
        (
            "GET",
            "/v1/ulid-flake/range?since=now&epoch=2024",
            400,
            "wrong-parameter",
            "epoch: 2024 is read as",
        ),
        ("GET", "/v1/euid/range?since=now&until=-1h", 400, "wrong-parameter", "swap the two times"),
        ("GET", "/v1/euid/range?since=1960-01-01", 400, "wrong-parameter", "from 1970 on"),
        ("GET", "/v1/euid/range?since=2024-06-06T06:06:06+02:00", 400, "wrong-parameter", "write %2B for +"),
        ("GET", "/v1/euid/range?since=now&epoch=2024-01-01", 400, "wrong-parameter", r#"found "epoch""#),
        (
            "GET",
            "/v1/ulid-flake/range?since=2020-01-01",
            400,
            "wrong-parameter",
            "leave since out to begin with the first ID",
        ),
        (
            "GET",
            "/v1/ulid-flake/inspect/00CMXB6TAK4SA?epoch=x",
            400,
            "wrong-parameter",
            "epoch: expected a time",
        ),
        ("GET", "/v1/ron-uid/inspect/1?scheme=99", 400, "wrong-parameter", "scheme: "),
        ("GET", "/v1/euid/inspect/1?from=octal", 400, "wrong-parameter", "text, hex, int, uuid or base64url"),
        ("GET", "/v1/scru160/inspect/1?from=uuid", 400, "wrong-parameter", "from: "),
        ("GET", "/v1/euid/inspect/%ff", 400, "wrong-request", "UTF-8"),
        (
            "POST",
            "/v1/euid",
            405,
            "wrong-method",
            r#"expected the method GET, or HEAD, for "/v1/euid", found "POST""#,
        ),
        ("DELETE", "/metrics", 405, "wrong-method", r#"found "DELETE""#),
        ("BREW", "/v1/euid", 405, "wrong-method", r#"found "BREW""#),
        ("POST", "/nope", 404, "unknown-path", r#"found "/nope""#),
        ("GET", &long, 414, "long-url", "at most 2048 bytes, found 3011"),
    ] {
        let response = server.connect().request(&format!("{method} {path} HTTP/1.1\r\nHost: a\r\n\r\n"));
        assert_eq!(response.status, status, "{method} {path}: {response:?}");
        assert_eq!(response.header("content-type"), Some("application/problem+json"), "{path}");
        assert_eq!(response.header("cache-control"), Some("no-store"), "{path}");
        let problem = response.json();
        assert_eq!((&problem["status"], &problem["code"]), (&status.into(), &code.into()), "{path}");
        assert!(problem["title"].as_str().is_some_and(|title| !title.is_empty()));
        let found = problem["detail"].as_str().unwrap();
        assert!(found.contains(detail), "{path}: {found}");
        assert_eq!(response.header("allow").is_some(), status == 405, "{path}");
        assert_eq!(response.header("retry-after").is_some(), status == 503, "{path}");
    }
    server.stop();
}

#[test]
fn json_has_no_bytes() {
    let server = Server::start(&[]);
    let request = "GET /v1/euid?format=bytes HTTP/1.1\r\nHost: a\r\nAccept: application/json\r\n\r\n";
    let response = server.connect().request(request);
    assert_eq!(response.status, 400);
    assert!(response.detail().contains("leave out the header Accept"));
    server.stop();
}

#[test]
fn a_request_has_no_body() {
    let server = Server::start(&[]);
    for body in ["Content-Length: 1\r\n\r\na", "Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n"] {
        let response = server.connect().request(&format!("GET /v1/euid HTTP/1.1\r\nHost: a\r\n{body}"));
        assert_eq!(response.status, 400);
        assert_eq!(response.detail(), "expected a request without a body, found one: leave it out");
    }
    let response = server.connect().request("GET /v1/euid HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n");
    assert_eq!(response.status, 200);
    server.stop();
}

#[test]
fn a_head_request_has_the_head_of_the_answer() {
    let server = Server::start(&[]);
    let mut client = server.connect();
    for path in ["/v1/euid", "/healthz", "/nope"] {
        let response = client.request(&format!("HEAD {path} HTTP/1.1\r\nHost: a\r\n\r\n"));
        assert!(response.body.is_empty());
    }
    assert_eq!(client.get("/healthz").text(), "ok\n");
    server.stop();
}

#[test]
fn a_wrong_command_line_ends_with_exit_code_2() {
    let run = |options: &[&str]| {
        let output = command().args(options).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{options:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    for (options, message) in [
        (
            &["--listen", "7160"][..],
            "expected an address and a port, such as 127.0.0.1:7160, or unix: and a path",
        ),
        (&["--listen", "unix:"], "expected a path after unix:"),
        (&["--nodes", "redis://a"], "expected the URL of a store, found one of the scheme redis:"),
        (&["--nodes", "nodes"], "expected the URL of a store"),
        (&["--nodes", "dir:x", "--space", "A"], "name of a space: expected 1 to 63"),
        (&["--nodes", "dir:x", "--window", "1ms"], "window of the fleet: expected 1s to 600s"),
        (&["--window", "15"], "expected a duration with its unit, such as 30s"),
        (&["--connections", "0"], "expected a number from 1 to 1000000"),
        (&["--log-level", "all"], "expected off, error, warn, info or debug"),
        (&["--origin", "?"], "--origin"),
        (&["--listen", "256.0.0.1:1"], "cannot listen on 256.0.0.1:1"),
        (&["--listen", "unix:/nowhere/a"], "cannot listen on unix:/nowhere/a"),
    ] {
        let error = run(options);
        assert!(error.contains(message), "{options:?}: {error}");
    }
    let server = Server::start(&[]);
    let error = run(&["--listen", &server.address]);
    assert!(error.contains("cannot listen on 127.0.0.1:"), "{error}");
    server.stop();
}

#[test]
fn what_is_not_http_gets_a_problem_after_the_answers_before_it() {
    let server = Server::start(&[]);
    let fields = "A: a\r\n".repeat(100);
    for (request, status, code) in [
        ("GET / HTTP/9.9\r\n\r\n", 400, "wrong-request"),
        ("GET / HTTP/1.1\r\nHost a\r\n\r\n", 400, "wrong-request"),
        ("\0\r\n\r\n", 400, "wrong-request"),
        (&format!("GET / HTTP/1.1\r\n{fields}\r\n"), 431, "long-head"),
    ] {
        for before in [
            "",
            "GET /v1/euid?n=10000 HTTP/1.1\r\nHost: a\r\n\r\n",
            "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n",
        ] {
            let mut client = server.connect();
            client.send([before, request].concat().as_bytes()).unwrap();
            if !before.is_empty() {
                assert!(!client.answer(true).unwrap().unwrap().lines().is_empty());
            }
            let response = client.answer(true).unwrap().unwrap();
            assert_eq!((response.status, &response.json()["code"]), (status, &code.into()), "{request:?}");
            assert_eq!(response.header("content-type"), Some("application/problem+json"));
            assert_eq!(response.header("connection"), Some("close"));
            assert!(client.answer(true).unwrap().is_none());
        }
    }
    server.stop();
}
