//! `Node::permits`: IDs that a program makes itself.

use super::fleet;
use crate::common::{SECOND, now};
use sortid_fleet::{GenerateErrorKind, Node, NodeState, UnixMillis, release, testing::MemoryStore};
use std::{
    sync::Arc,
    thread,
    time::{Duration, UNIX_EPOCH},
};

fn permits(node: &Node, millis: u64) -> Result<(), GenerateErrorKind> {
    node.permits(UnixMillis(millis.into())).map_err(|error| error.kind())
}

/// The end of the reservation, in milliseconds.
fn until(node: &Node) -> u64 {
    node.status().until.duration_since(UNIX_EPOCH).unwrap().as_millis() as u64
}

#[test]
fn times_of_the_reservation_are_permitted_and_no_others() {
    let store = Arc::new(MemoryStore::new());
    let fleet = fleet(&store, 1024).wait(10 * SECOND);
    let before = fleet.join_as(1023).unwrap();
    let start = now();
    assert_eq!(permits(&before, start), Ok(()));
    before.release().unwrap();
    let node = fleet.join_as(1023).unwrap();
    assert_eq!(permits(&node, start), Err(GenerateErrorKind::ClockRollback));
    let start = now() + 1;
    assert_eq!(permits(&node, start), Ok(()));
    // The IDs have no order.
    assert_eq!(permits(&node, start + 3), Ok(()));
    assert_eq!(permits(&node, start + 1), Ok(()));
    let late = node.permits(UnixMillis((start + 3_600_000).into())).unwrap_err();
    assert_eq!(late.kind(), GenerateErrorKind::ReservationLate);
    assert!(late.retry_after().is_some());
    for early in [0, 1, start - 3_600_000] {
        assert_eq!(permits(&node, early), Err(GenerateErrorKind::ClockRollback));
    }
    let before_1970 = node.permits(UnixMillis(-1)).unwrap_err();
    assert_eq!(before_1970.kind(), GenerateErrorKind::ClockRollback);
    assert_eq!(permits(&node, u64::MAX), Err(GenerateErrorKind::ReservationLate));
}

#[test]
fn the_next_holder_is_permitted_only_later_times_than_the_one_before() {
    let store = Arc::new(MemoryStore::new());
    let fleet = fleet(&store, 1).wait(10 * SECOND);
    let mut last = 0;
    for round in 0..20 {
        let node = fleet.join().unwrap();
        if last > 0 {
            assert_eq!(permits(&node, last), Err(GenerateErrorKind::ClockRollback), "round {round}");
        }
        // Threads ask while the node is released.
        let node = Arc::new(node);
        let threads = [(); 3].map(|()| {
            let node = Arc::clone(&node);
            thread::spawn(move || {
                let mut greatest = 0;
                for ahead in (0..100).cycle().take(2000) {
                    let millis = now() + ahead;
                    if permits(&node, millis).is_ok() {
                        greatest = greatest.max(millis);
                    }
                }
                greatest
            })
        });
        let greatest = threads.map(|thread| thread.join().unwrap()).into_iter().max().unwrap();
        assert!(greatest > last && greatest < until(&node));
        last = greatest;
        Arc::into_inner(node).unwrap().release().unwrap();
    }
}

#[test]
fn nothing_is_permitted_after_the_node_id_is_lost() {
    let store = Arc::new(MemoryStore::new());
    let node = fleet(&store, 1).on_lost(|_| {}).join().unwrap();
    release(&*store, "default", 0).unwrap();
    while node.status().state == NodeState::Holding {
        thread::sleep(Duration::from_millis(10));
    }
    assert_eq!(permits(&node, now()), Err(GenerateErrorKind::ReservationEnded));
}
