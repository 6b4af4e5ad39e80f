//! A forked child has no reservation, and takes nothing from its parent.
#![cfg(unix)]

use fork::{Fork, fork, waitpid};
// Ends the child at once: `std::process::exit` would wait for ever for a lock of the standard library, if a thread of the
// parent began or ended during the fork.
use signal_hook::low_level::exit;
use sortid_fleet::{DirectoryStore, Fleet, GenerateErrorKind, Node, NodeState, Store as _, init};
use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    time::{Duration, SystemTime},
};

/// Runs `checks` in a child.
fn in_child(checks: impl FnOnce()) {
    match fork().unwrap() {
        Fork::Child => exit(i32::from(catch_unwind(AssertUnwindSafe(checks)).is_err())),
        Fork::Parent(child) => {
            assert_eq!(waitpid(child).unwrap() >> 8 & 0xff, 0, "a check failed in the child");
        }
    }
}

fn is_forked<T: std::fmt::Debug>(result: Result<T, sortid_fleet::GenerateError>) -> bool {
    let error = result.unwrap_err();
    error.kind() == GenerateErrorKind::OtherProcess
}

#[test]
fn a_child_makes_no_ids_and_releases_nothing_and_can_join_itself() {
    let folder = tempfile::tempdir().unwrap();
    init(&DirectoryStore::open(folder.path()).unwrap(), "default", 2).unwrap();
    let fleet = || Fleet::new(DirectoryStore::open(folder.path()).unwrap());
    let node = fleet().join().unwrap();
    let used = node.generator(scru160::Options::new()).unwrap();
    let unused = node.generator(ulid_flake::Options::new()).unwrap();
    used.generate().unwrap();
    // Several times: a child may be forked while the thread of the parent works.
    for _ in 0..20 {
        in_child(|| {
            assert!(is_forked(used.try_generate()) && is_forked(used.generate()));
            assert!(is_forked(unused.generate()), "also a generator that the parent did not use");
            assert!(is_forked(node.permits(SystemTime::now())));
            assert_eq!(node.status().state, NodeState::Forked);
            assert_eq!(used.status().node_id, node.id());
            assert!(node.generator(euid::Options::new()).unwrap_err().to_string().contains("after the fork"));
            let ours = fleet().join().unwrap();
            assert_ne!(ours.id(), node.id());
            ours.generator(scru160::Options::new()).unwrap().generate().unwrap();
            ours.release().unwrap();
        });
    }
    in_child(|| {
        let node_id = node.id();
        drop((used, unused, node));
        let records = DirectoryStore::open(folder.path()).unwrap().read("default").unwrap().records;
        assert!(records[&node_id].holder.is_some());
    });
}

#[test]
fn a_parent_goes_on_after_its_child_ended() {
    let folder = tempfile::tempdir().unwrap();
    let store = DirectoryStore::open(folder.path()).unwrap();
    init(&store, "default", 1).unwrap();
    let fleet = Fleet::new(store);
    let fleet = fleet.window(Duration::from_secs(1)).unwrap();
    let node: Node = fleet.join().unwrap();
    let ids = node.generator(scru160::Options::new()).unwrap();
    let before = ids.generate().unwrap();
    in_child(|| drop(fleet.clone()));
    std::thread::sleep(Duration::from_millis(1500));
    assert!(ids.generate().unwrap() > before);
    assert!(node.status().renewals > 0);
    assert_eq!(node.status().state, NodeState::Holding);
}
