//! The IDs of a server ascend in the order of its answers, and none is answered twice.

use crate::common::{Nodes, Server};
use sortid::{AnyId, Spec};
use std::{
    collections::HashSet,
    sync::atomic::{AtomicU64, Ordering::SeqCst},
    thread,
};

/// An answer: when its request was sent, when it was read, and its IDs.
struct Answer {
    sent: u64,
    read: u64,
    ids: Vec<AnyId>,
}

#[test]
fn ids_ascend_in_the_order_of_answers_however_many_clients_ask() {
    const CLIENTS: usize = 8;
    const REQUESTS: usize = 60;

    let nodes = Nodes::new(32);
    let server = Server::start(&["--nodes", &nodes.url]);
    server.logged("joined the fleet");
    for spec in [Spec::Euid, Spec::Scru160, Spec::UlidFlake, Spec::RonUid] {
        let steps = AtomicU64::new(0);
        let client = |index: usize| {
            let mut client = server.connect();
            let mut answers = vec![];
            for request in 0..REQUESTS {
                let count = 1 + (index * 31 + request * 7) % 200;
                let sent = steps.fetch_add(1, SeqCst);
                let lines = client.get(&format!("/v1/{spec}?n={count}")).lines();
                let read = steps.fetch_add(1, SeqCst);
                let ids = lines.iter().map(|line| AnyId::parse(spec, line).unwrap()).collect();
                answers.push(Answer { sent, read, ids });
            }
            answers
        };
        let mut answers: Vec<Answer> = thread::scope(|scope| {
            let clients: Vec<_> = (0..CLIENTS).map(|index| scope.spawn(move || client(index))).collect();
            clients.into_iter().flat_map(|client| client.join().unwrap()).collect()
        });
        answers.sort_by_key(|answer| answer.ids[0]);
        let all: Vec<_> = answers.iter().flat_map(|answer| &answer.ids).collect();
        // No ID of an answer lies between the IDs of another one, and all are different.
        assert!(all.is_sorted_by(|a, b| a < b), "{spec}");
        // A request that is sent after an answer was read gets greater IDs.
        let mut latest_sent = 0;
        for Answer { sent, read, .. } in &answers {
            assert!(*read > latest_sent, "{spec}");
            latest_sent = latest_sent.max(*sent);
        }
    }
    server.stop();
}

#[test]
fn no_id_is_answered_again_after_a_restart() {
    let nodes = Nodes::new(2);
    let mut seen = HashSet::new();
    for is_killed in [false, true, false] {
        // The node ID of a server that was killed is free after a second.
        let server = Server::start(&["--nodes", &nodes.url, "--window", "1s"]);
        server.logged("joined the fleet");
        for spec in [Spec::Euid, Spec::Scru160, Spec::UlidFlake, Spec::RonUid] {
            for id in server.get(&format!("/v1/{spec}?n=1000")).lines() {
                assert!(seen.insert((spec, id)));
            }
        }
        if is_killed {
            server.kill();
        } else {
            server.stop();
        }
    }
}

#[test]
fn two_servers_of_a_fleet_never_answer_the_same_id() {
    let nodes = Nodes::new(32);
    let servers = [0, 1].map(|_| Server::start(&["--nodes", &nodes.url]));
    let mut seen = HashSet::new();
    let mut nodes_of = vec![];
    for server in &servers {
        server.logged("joined the fleet");
        nodes_of.push(server.metric("sortid_node_id"));
    }
    assert_ne!(nodes_of[0], nodes_of[1]);
    thread::scope(|scope| {
        let ids: Vec<_> = servers
            .iter()
            .map(|server| scope.spawn(|| server.get("/v1/ulid-flake?n=10000").lines()))
            .collect();
        for (ids, node) in ids.into_iter().zip(&nodes_of) {
            for id in ids.join().unwrap() {
                let flake = sortid::ulid_flake::UlidFlake::parse(&id).unwrap();
                assert_eq!(f64::from(flake.scalable().scalability()), *node);
                assert!(seen.insert(id));
            }
        }
    });
    for server in servers {
        server.stop();
    }
}
