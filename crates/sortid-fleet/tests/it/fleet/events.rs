//! What `Fleet::on_event` tells.

use super::fleet;
use crate::common::{SECOND, now, wait_until};
use sortid_fleet::{Clock, EventKind, Fleet, release, testing::MemoryStore};
use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

type Told = Arc<Mutex<Vec<EventKind>>>;

/// A fleet of one node ID, and what it tells, each kind once in a row.
fn telling(store: &Arc<MemoryStore>) -> (Fleet, Told) {
    let told = Told::default();
    let fleet = fleet(store, 1).on_lost(|_| {}).on_event({
        let told = Arc::clone(&told);
        move |event| {
            assert_eq!((&*event.space, event.status.node_id), ("default", 0));
            let mut told = told.lock().unwrap();
            if told.last() != Some(&event.kind) {
                told.push(event.kind);
            }
        }
    });
    (fleet, told)
}

fn kinds(told: &Told) -> Vec<EventKind> {
    told.lock().unwrap().clone()
}

#[test]
fn an_outage_is_told_and_its_end_too() {
    let store = Arc::new(MemoryStore::new());
    let (fleet, told) = telling(&store);
    let node = fleet.join().unwrap();
    assert!(node.status().left() > Duration::from_millis(300));
    store.set_down(true);
    wait_until(|| kinds(&told).last() == Some(&EventKind::Failed));
    wait_until(|| node.status().left().is_zero());
    store.set_down(false);
    wait_until(|| kinds(&told).contains(&EventKind::Recovered));
    node.release().unwrap();
    assert_eq!(
        kinds(&told),
        [EventKind::Joined, EventKind::Failed, EventKind::Recovered, EventKind::Released]
    );
}

#[test]
fn a_release_that_the_store_did_not_hear_of_says_so() {
    let store = Arc::new(MemoryStore::new());
    let errors = Arc::new(Mutex::new(vec![]));
    let fleet = fleet(&store, 1).on_event({
        let errors = Arc::clone(&errors);
        move |event| {
            if event.kind == EventKind::Released {
                errors.lock().unwrap().push(event.status.last_error.clone());
            }
        }
    });
    let node = fleet.join().unwrap();
    store.set_down(true);
    let error = node.release().unwrap_err().to_string();
    assert_eq!(*errors.lock().unwrap(), [Some(error)]);
}

#[test]
fn a_node_id_that_was_freed_is_lost_once() {
    let store = Arc::new(MemoryStore::new());
    let (fleet, told) = telling(&store);
    let node = fleet.join().unwrap();
    release(&*store, "default", 0).unwrap();
    wait_until(|| kinds(&told).last() == Some(&EventKind::Lost));
    drop(node);
    assert_eq!(kinds(&told), [EventKind::Joined, EventKind::Lost]);
}

#[test]
fn a_clock_that_differs_from_the_stores_is_told_once() {
    struct Ahead;

    impl Clock for Ahead {
        fn unix_micros(&self) -> Option<u64> {
            Some(1000 * (now() + 2000))
        }
    }

    let store = Arc::new(MemoryStore::with_clock(Ahead));
    let (fleet, told) = telling(&store);
    let node = fleet.wait(10 * SECOND).join().unwrap();
    wait_until(|| kinds(&told).contains(&EventKind::Skewed));
    wait_until(|| node.status().renewals > 3);
    let skewed = |kind: &&EventKind| **kind == EventKind::Skewed;
    assert_eq!(kinds(&told).iter().filter(skewed).count(), 1);
}
