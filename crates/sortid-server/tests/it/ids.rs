//! IDs of each specification, in each form, and what is said of them.

use crate::common::{Nodes, Server};
use sortid::{AnyId, Spec};
use sortid_inspect::Form;
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

#[test]
fn ids_of_each_specification_ascend_and_are_valid() {
    let nodes = Nodes::new(32);
    let server = Server::start(&["--nodes", &nodes.url, "--origin", "Xgritzk"]);
    server.logged("joined the fleet");
    for spec in Spec::ALL.iter().filter(|spec| **spec != Spec::EventlyId) {
        let mut last = None;
        for count in [1, 2, 63, 64, 65, 1000, 10_000] {
            let response = server.get(&format!("/v1/{spec}?n={count}"));
            assert_eq!(response.header("content-type"), Some("text/plain; charset=utf-8"));
            assert_eq!(response.header("cache-control"), Some("no-store"));
            let ids: Vec<_> =
                response.lines().iter().map(|text| AnyId::parse(*spec, text).unwrap()).collect();
            assert_eq!(ids.len(), count);
            assert!(ids.is_sorted_by(|a, b| a < b));
            assert!(last < ids.first().copied(), "{spec}");
            last = ids.last().copied();
        }
    }
    assert_eq!(server.get("/v1/euid").lines().len(), 1);
    let uid = &server.get("/v1/ron-uid").lines()[0];
    assert!(uid.contains("-Xgritzk"), "{uid}");
    server.stop();
}

#[test]
fn ids_have_the_forms_of_the_program() {
    let server = Server::start(&[]);
    for (spec, forms) in [
        (Spec::Euid, &["text", "hex", "int", "uuid", "base64url", "UUID"][..]),
        (Spec::Scru160, &["text", "hex", "base64url"]),
    ] {
        for form in forms {
            let lines = server.get(&format!("/v1/{spec}?n=3&format={form}")).lines();
            assert_eq!(lines.len(), 3);
            for line in &lines {
                let form = Form::ALL.into_iter().find(|it| it.name() == form.to_ascii_lowercase());
                let input = sortid_inspect::Input::from(&**line);
                let inspection = sortid_inspect::inspect_as(input, Some(spec), form, &Default::default());
                assert_eq!(inspection.candidates.len(), 1, "{line}");
            }
        }
    }
    let bytes = server.get("/v1/euid?n=100&format=bytes");
    assert_eq!((bytes.body.len(), bytes.header("content-type")), (1600, Some("application/octet-stream")));
    let objects = server.get("/v1/euid?n=2&format=json");
    assert_eq!(objects.header("content-type"), Some("application/x-ndjson"));
    for line in objects.lines() {
        let object: serde_json::Value = serde_json::from_str(&line).unwrap();
        assert_eq!(object["spec"], "euid");
    }
    let check =
        |query: &str| server.get(&format!("/v1/euid?format=json{query}")).json()["fields"]["check"].is_null();
    let nulls = ["", "&no-check", "&no-check=true", "&no-check=false"].map(check);
    assert_eq!(nulls, [false, true, true, false]);
    server.stop();
}

#[test]
fn json_is_an_object_with_an_array() {
    let server = Server::start(&[]);
    let get = |path: &str, accept: &str| {
        server.connect().request(&format!("GET {path} HTTP/1.1\r\nHost: a\r\nAccept: {accept}\r\n\r\n"))
    };
    for accept in ["application/json", "text/html, Application/JSON;q=0.9", "application/json, */*"] {
        let response = get("/v1/euid?n=3", accept);
        assert_eq!(response.header("content-type"), Some("application/json"), "{accept}");
        let json = response.json();
        assert_eq!(json["spec"], "euid");
        let ids: Vec<_> = json["ids"].as_array().unwrap().iter().map(|id| id.as_str().unwrap()).collect();
        assert_eq!(ids.len(), 3);
        assert!(ids.iter().all(|id| AnyId::parse(Spec::Euid, id).is_ok()) && ids.is_sorted());
    }
    for accept in ["*/*", "text/plain", "application/json;q=0", "application/jsonx"] {
        let response = get("/v1/euid", accept);
        assert_eq!(response.header("content-type"), Some("text/plain; charset=utf-8"), "{accept}");
    }
    let int = get("/v1/euid?format=int", "application/json").json();
    assert!(int["ids"][0].as_str().unwrap().bytes().all(|byte| byte.is_ascii_digit()));
    let objects = get("/v1/euid?n=2&format=json", "application/json").json();
    assert!(objects["ids"][1]["fields"]["timestamp_ms"].is_u64());
    server.stop();
}

#[test]
fn the_counter_of_a_scru160_can_have_microseconds() {
    let server = Server::start(&[]);
    let object = |query: &str| server.get(&format!("/v1/scru160?format=json{query}")).json();
    let micros = |object: &serde_json::Value| object["fields"]["counter"].as_u64().unwrap() >> 6;
    // The upper 10 bits of the counter are below 1000 each time; of other counters, in one of 42.
    assert!((0..100).all(|_| micros(&object("&micros-counter")) < 1000));
    assert!(object("&micros-counter=false")["fields"]["counter"].is_u64());
    server.stop();
}

#[test]
fn euids_can_keep_a_value_each_with_its_order() {
    let server = Server::start(&[]);
    let extension = |query: &str| {
        let fields = &server.get(&format!("/v1/euid?format=json{query}")).json()["fields"];
        (fields["extension"].as_u64(), fields["extension_bits"].as_u64())
    };
    assert_eq!(extension(""), (None, Some(0)));
    assert_eq!(extension("&extension=5"), (Some(5), Some(3)));
    assert_eq!(extension("&extension=5:8&no-check"), (Some(5), Some(8)));
    assert_eq!(extension("&extension=0"), extension("&extension=0:1"));
    assert_eq!(extension("&extension=32767:15"), (Some(32767), Some(15)));

    // Requests in turn have the order of their extension.
    let mut all = BTreeSet::new();
    let mut last = BTreeMap::new();
    for round in 0..100 {
        for query in ["", "&extension=5", "&extension=5:8", "&extension=6"] {
            for id in server.get(&format!("/v1/euid?n={}{query}", round % 3 + 1)).lines() {
                assert!(last.get(query) < Some(&id), "{query}: {last:?}, then {id}");
                last.insert(query, id.clone());
                assert!(all.insert(id));
            }
        }
    }
    server.stop();
}

/// The lines are those that `sortid inspect --json --spec SPEC ID` prints.
#[test]
fn an_inspected_id_has_the_json_of_the_program() {
    let server = Server::start(&[]);
    for (path, line) in INSPECTED {
        let response = server.get(path);
        assert_eq!(response.text(), format!("{line}\n"), "{path}");
        assert_eq!((response.status, response.header("content-type")), (200, Some("application/json")));
    }
    server.stop();
}

const INSPECTED: &[(&str, &str)] = &[
    (
        "/v1/euid/inspect/C8EE934SR007G5Q94QKKXFRFV8B",
        r#"{"input":"C8EE934SR007G5Q94QKKXFRFV8B","valid":true,"spec":"euid","text":"C8EE934SR007G5Q94QKKXFRFV8B","hex":"621ce48c99c0007816e925e73ebf0fda","time":"2397-04-22T22:32:08.248Z","fields":{"timestamp_ms":13484529128248,"extension":7,"extension_bits":8,"check":11,"random_high":384378343,"random_low":1052708826}}"#,
    ),
    (
        "/v1/ulid-flake/inspect/00CMXB6TAK4SA?scalable&epoch=2020-01-01",
        r#"{"input":"00CMXB6TAK4SA","valid":true,"spec":"ulid-flake","text":"00CMXB6TAK4SA","hex":"00329d59b4a9932a","time":"2020-06-06T06:06:06.666Z","fields":{"int":"14246757444195114","timestamp_ms":13586766666,"randomness":19609,"scalability":10}}"#,
    ),
    (
        "/v1/ron-uid/inspect/1CQKneD1-Xgritzk0_D?scheme=0163",
        r#"{"input":"1CQKneD1-Xgritzk0_D","valid":true,"spec":"ron-uid","text":"1CQKneD1-Xgritzk0_D","hex":"004c694ca9341000286bdade3ebc090d","time":"2016-05-27T20:50:41.833Z","fields":{"value":"1CQKneD1","value_int":"21507876207202304","scheme":"event","origin":"Xgritzk0_D","origin_int":"606819222881569037"}}"#,
    ),
    (
        "/v1/evently-id/inspect/0005cd755a43d79238c05790c0331dd8",
        r#"{"input":"0005cd755a43d79238c05790c0331dd8","valid":true,"spec":"evently-id","text":"0005cd755a43d79238c05790c0331dd8","hex":"0005cd755a43d79238c05790c0331dd8","time":"2021-10-03T16:33:12.816530Z","fields":{"timestamp_us":1633278792816530,"checksum":"38c05790","ledger_id":"c0331dd8","version":0}}"#,
    ),
    (
        "/v1/euid/inspect/nope",
        r#"{"input":"nope","valid":false,"spec":"euid","error":{"kind":"length","message":"expected 27 characters, found 4"}}"#,
    ),
    (
        "/v1/ulid-flake/inspect/a%E2%80%8bb%22%5C",
        r#"{"input":"a\u200bb\"\\","valid":false,"spec":"ulid-flake","error":{"kind":"length","message":"expected 13 characters, found 7 bytes"}}"#,
    ),
];

#[test]
fn the_bounds_of_a_time_span_are_those_of_the_program() {
    let server = Server::start(&[]);
    let month = "since=2024-06&until=2024-06";
    assert_eq!(server.get(&format!("/v1/ulid-flake/range?{month}")).text(), "00C7CD8000000\n00EMMASZZZZZZ\n");
    assert_eq!(server.get(&format!("/v1/ulid-flake/range?{month}&format=int")).lines().len(), 2);
    let json = server.get(&format!("/v1/ulid-flake/range?{month}&format=json"));
    assert_eq!(json.header("content-type"), Some("application/json"));
    let accepted = server.connect().request(&format!(
        "GET /v1/ulid-flake/range?{month} HTTP/1.1\r\nHost: a\r\nAccept: application/json\r\n\r\n"
    ));
    assert_eq!(json.text(), accepted.text());
    assert_eq!(json.json()["least"]["text"], "00C7CD8000000");
    let epoch = server.get(&format!("/v1/ulid-flake/range?{month}&epoch=2024-06-01")).lines();
    assert_eq!(epoch[0], "0000000000000");
    for path in [
        "/v1/euid/range?since=-1h",
        "/v1/evently-id/range?until=now",
        "/v1/ron-uid/range?since=2%20days%20ago",
    ] {
        let lines = server.get(path).lines();
        assert!(lines.len() == 2 && lines[0] < lines[1], "{lines:?}");
    }
    server.stop();
}

/// `…` stands for any text.
#[test]
fn the_page_shows_what_the_server_answers() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/server.md");
    let page = fs::read_to_string(page).unwrap();
    let server = Server::start(&[]);
    let bounds = server.get("/v1/euid/range?since=2024-06&until=2024-06").lines();
    assert!(page.contains(&format!("`{}` and `{}`", bounds[0], bounds[1])), "{bounds:?}");
    let json = "GET /v1/euid?n=2 HTTP/1.1\r\nHost: a\r\nAccept: application/json\r\n\r\n";
    let answers = [
        server.get("/v1/euid/inspect/1HZP2F3TARAH1VEXW8BDJPEKP44"),
        server.connect().request(json),
        server.get("/v1/euid?n=0"),
    ];
    let shown: Vec<_> = page.split('`').filter(|code| code.starts_with('{')).collect();
    assert_eq!(shown.len(), answers.len(), "{shown:?}");
    for (shown, answer) in shown.iter().zip(answers) {
        let (answer, mut at) = (answer.text(), 0);
        for part in shown.split('…') {
            let found = answer[at..].find(part).unwrap_or_else(|| panic!("no {part} in {answer}"));
            at += found + part.len();
        }
    }
    server.stop();
}
