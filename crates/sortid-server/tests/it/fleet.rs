//! Node IDs: a server waits for its store, says why it makes no IDs, and continues.

use crate::common::{Nodes, PATIENCE, Server};
use sortid_fleet::Fleet;
use std::{fs, time::Duration};

const NEED: [&str; 2] = ["/v1/ulid-flake", "/v1/ron-uid"];
const ALONE: [&str; 2] = ["/v1/euid", "/v1/scru160"];

fn answers_what_needs_no_node_id(server: &Server) {
    for path in ALONE {
        assert_eq!(server.get(path).lines().len(), 1);
    }
}

fn refuses(server: &Server, why: &str) {
    for path in NEED {
        let response = server.get(path);
        assert_eq!((response.status, response.header("retry-after")), (503, Some("1")), "{response:?}");
        assert_eq!(response.json()["code"], "unavailable");
        assert!(response.detail().contains(why), "{}", response.detail());
    }
    answers_what_needs_no_node_id(server);
}

#[test]
fn a_server_that_starts_before_its_store_waits_and_says_so() {
    let nodes = Nodes::none();
    let server = Server::start(&["--nodes", &nodes.url]);
    let line = server.logged("waiting for the fleet");
    let path = nodes.path.display().to_string();
    assert!(line.contains(&path), "{line}");
    let ready = server.get("/readyz");
    assert_eq!((ready.status, ready.header("content-type")), (503, Some("application/problem+json")));
    let told =
        "the server has no node ID, because it finds no fleet in its store: the log of the server says why";
    assert_eq!(ready.detail(), told);
    assert_eq!(server.get("/healthz").status, 200);
    refuses(&server, told);
    assert_eq!(server.metric("sortid_ready"), 0.0);
    assert_eq!(server.metric("sortid_node_id"), -1.0);

    nodes.init(4);
    let ready = server.wait_for("/readyz", |ready| ready.status == 200).json();
    assert_eq!(ready["fleet"], "holding");
    let node_id = ready["node_id"].as_u64().unwrap();
    assert!(node_id < 4 && ready["until"].is_string(), "{ready}");
    assert_eq!(server.metric("sortid_node_id"), node_id as f64);
    assert_eq!(server.metric("sortid_ready"), 1.0);
    assert!(server.metric("sortid_reservation_left_seconds") > 1.0);
    for path in NEED {
        assert_eq!(server.get(path).lines().len(), 1);
    }
    let log = server.stop();
    assert!(log.contains("released the node ID"), "{log}");
}

#[test]
fn a_server_without_a_free_node_id_waits_for_one_and_gets_it() {
    let nodes = Nodes::new(1);
    let first = Server::start(&["--nodes", &nodes.url, "--name", "first"]);
    first.logged("joined the fleet");
    let second = Server::start(&["--nodes", &nodes.url, "--name", "second"]);
    refuses(&second, "");
    assert_eq!(second.get("/readyz").status, 503);
    first.stop();
    second.wait_for("/readyz", |ready| ready.status == 200);
    assert_eq!(second.get("/v1/ulid-flake").lines().len(), 1);
    second.stop();
}

#[test]
fn a_server_that_lost_its_node_id_says_so_and_joins_again() {
    let nodes = Nodes::new(1);
    let server = Server::start(&["--nodes", &nodes.url, "--window", "1s"]);
    server.logged("joined the fleet");
    let before = NEED.map(|path| server.get(path).lines().remove(0));
    let store = sortid_fleet::open(&nodes.url).unwrap();
    sortid_fleet::release(&*store, "default", 0).unwrap();
    // Another process takes the node ID.
    let other =
        Fleet::new(sortid_fleet::StoreRef::from(store)).name("other").unwrap().wait(PATIENCE).join().unwrap();
    let lost = server.logged("lost the node ID");
    assert!(lost.contains("the server has lost node ID 0: "), "{lost}");
    refuses(&server, "");
    let ready = server.get("/readyz");
    assert!(ready.status == 503 && !ready.detail().is_empty(), "{ready:?}");
    other.release().unwrap();
    server.wait_for("/readyz", |ready| ready.status == 200);
    for (path, before) in NEED.iter().zip(before) {
        assert!(server.get(path).lines()[0] > before);
    }
    server.stop();
}

#[test]
fn a_store_that_stops_is_noticed_before_the_reservation_ends() {
    let nodes = Nodes::new(32);
    let server = Server::start(&["--nodes", &nodes.url, "--window", "3s"]);
    server.logged("joined the fleet");
    let before = server.get("/v1/ulid-flake").lines().remove(0);
    let away = nodes.path.with_extension("away");
    fs::rename(&nodes.path, &away).unwrap();
    // The server says that it is not ready, and still makes IDs.
    let ready = server.wait_for("/readyz", |ready| ready.status == 503);
    assert!(ready.detail().contains("the reservation of node ID "), "{ready:?}");
    server.logged(r#""message":"not ready""#);
    let refused = server.wait_for("/v1/ulid-flake", |response| response.status == 503);
    assert!(refused.detail().contains("was not renewed: "), "{}", refused.detail());
    assert!(server.get("/readyz").detail().contains("was not renewed: "));
    assert!(server.metric("sortid_store_failures") > 0.0);
    assert_eq!(server.metric("sortid_reservation_left_seconds"), 0.0);
    answers_what_needs_no_node_id(&server);
    fs::rename(&away, &nodes.path).unwrap();
    let after = server.wait_for("/v1/ulid-flake", |response| response.status == 200).lines().remove(0);
    assert!(after > before);
    server.wait_for("/readyz", |ready| ready.status == 200);
    server.stop();
}

#[test]
fn a_space_that_is_too_large_for_one_specification_serves_the_others() {
    let nodes = Nodes::new(64);
    let server = Server::start(&["--nodes", &nodes.url]);
    let line = server.logged("a specification cannot use the node ID");
    assert!(line.contains("32"), "{line}");
    server.logged("joined the fleet");
    let response = server.get("/v1/ulid-flake");
    assert_eq!(response.status, 503);
    assert!(response.detail().contains("32"), "{}", response.detail());
    assert_eq!(server.get("/readyz").status, 200);
    assert_eq!(server.get("/v1/ron-uid").lines().len(), 1);
    server.stop();
}

#[test]
fn a_server_can_have_a_given_node_id() {
    let nodes = Nodes::new(32);
    let server = Server::start(&["--nodes", &nodes.url, "--node-id", "7"]);
    server.logged("joined the fleet");
    assert_eq!(server.metric("sortid_node_id"), 7.0);
    let object = server.get("/v1/ulid-flake?format=json").json();
    assert_eq!(object["fields"]["scalability"], 7, "{object}");
    server.stop();
    // The end releases the node ID, so the next server does not wait for the reservation to end.
    let store = sortid_fleet::open(&nodes.url).unwrap();
    let fleet = Fleet::new(sortid_fleet::StoreRef::from(store)).wait(Duration::from_millis(1));
    assert_eq!(fleet.join_as(7).unwrap().id(), 7);
}
