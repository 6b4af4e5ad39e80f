//! Stores that refuse, lose answers, are silent or panic.

use super::{block_on, fleet};
use crate::common::{SECOND, wait_until};
use sortid_fleet::{
    Fleet, NodeState, Record, Repair, Snapshot, Store, StoreError, StoreErrorKind, Swapped, init, release,
    testing::MemoryStore,
};
use std::sync::{
    Arc,
    atomic::{AtomicU32, Ordering::SeqCst},
};

/// A store whose calls a test disturbs.
struct Disturbed {
    store: MemoryStore,
    disturb: fn(&MemoryStore, Call<'_>) -> Result<(), StoreError>,
}

/// What a store is about to do, or has done.
#[derive(Clone, Copy)]
enum Call<'a> {
    Read,
    Swap { node_id: u32, next: &'a Record },
    Swapped { expected: Option<&'a Record> },
}

/// A store with a fleet of this size.
fn disturbed(size: u32, disturb: fn(&MemoryStore, Call<'_>) -> Result<(), StoreError>) -> Arc<Disturbed> {
    let store = MemoryStore::new();
    init(&store, "default", size).unwrap();
    Arc::new(Disturbed { store, disturb })
}

impl Store for Disturbed {
    fn read(&self, space: &str) -> Result<Snapshot, StoreError> {
        (self.disturb)(&self.store, Call::Read)?;
        self.store.read(space)
    }

    fn swap(
        &self,
        space: &str,
        node_id: u32,
        expected: Option<&Record>,
        next: &Record,
    ) -> Result<Swapped, StoreError> {
        (self.disturb)(&self.store, Call::Swap { node_id, next })?;
        let swapped = self.store.swap(space, node_id, expected, next)?;
        (self.disturb)(&self.store, Call::Swapped { expected })?;
        Ok(swapped)
    }
}

fn unavailable(message: &str) -> Result<(), StoreError> {
    Err(StoreError::new(StoreErrorKind::Unavailable, message))
}

#[test]
fn lost_answers_and_panics_of_a_store_are_survived() {
    static CALLS: AtomicU32 = AtomicU32::new(0);

    // The answer to a swap is lost after it was carried out.
    let store = disturbed(1, |_, call| {
        if matches!(call, Call::Swap { .. }) {
            return Ok(());
        }
        let count = CALLS.fetch_add(1, SeqCst);
        assert!(count % 7 != 6, "a store of a test that panics");
        if count.is_multiple_of(3) { unavailable("the answer is lost") } else { Ok(()) }
    });
    let fleet = Fleet::new(Arc::clone(&store)).window(SECOND).unwrap();
    let mut last = None;
    for _ in 0..3 {
        let node = fleet.join_as(0).unwrap();
        let ids = node.generator(scru160::Options::new()).unwrap();
        wait_until(|| node.status().renewals > 1);
        for _ in 0..10 {
            let id = ids.generate().unwrap();
            assert!(last < Some(id));
            last = Some(id);
        }
        assert!(node.status().failures > 0);
        node.release().unwrap();
    }
}

#[test]
fn a_renewal_whose_answer_is_lost_is_a_renewal() {
    let store = disturbed(1, |_, call| match call {
        Call::Swapped { expected: Some(record) } if record.holder.is_some() => {
            unavailable("the answer is lost")
        }
        _ => Ok(()),
    });
    let node = Fleet::new(store).window(SECOND).unwrap().join().unwrap();
    wait_until(|| node.status().renewals > 1 || node.status().failures > 0);
    let status = node.status();
    assert_eq!((status.state, status.failures, status.last_error), (NodeState::Holding, 0, None));
}

#[test]
fn a_renewal_that_fails_is_a_failure() {
    let store = disturbed(1, |store, call| match call {
        Call::Swap { node_id, .. } if store.read("default")?.records[&node_id].holder.is_some() => {
            unavailable("the store is silent")
        }
        _ => Ok(()),
    });
    let node = Fleet::new(store).window(SECOND).unwrap().join().unwrap();
    wait_until(|| node.status().failures > 1 || node.status().renewals > 0);
    let status = node.status();
    assert_eq!((status.renewals, status.last_error.as_deref()), (0, Some("the store is silent")));
}

#[test]
fn a_release_that_the_store_refuses_is_not_tried_again() {
    static CALLS: AtomicU32 = AtomicU32::new(0);

    let store = disturbed(2, |_, call| match call {
        Call::Swap { next, .. } if next.holder.is_none() => {
            CALLS.fetch_add(1, SeqCst);
            Err(StoreError::new(StoreErrorKind::Denied, "the store is read-only"))
        }
        _ => Ok(()),
    });
    let fleet = Fleet::new(store);
    let errors = [fleet.join().unwrap().release(), block_on(fleet.join().unwrap().release_async())];
    assert_eq!(errors.map(|error| error.unwrap_err().to_string()), ["the store is read-only"; 2]);
    assert_eq!(CALLS.load(SeqCst), 2);
}

#[test]
fn a_release_that_the_store_does_not_answer_is_tried_again_for_a_while() {
    static CALLS: AtomicU32 = AtomicU32::new(0);

    let store = disturbed(1, |_, call| match call {
        Call::Swap { next, .. } if next.holder.is_none() && CALLS.fetch_add(1, SeqCst) < 5 => {
            unavailable("the store is silent")
        }
        _ => Ok(()),
    });
    block_on(Fleet::new(store).join().unwrap().release_async()).unwrap();

    let store = Arc::new(MemoryStore::new());
    let node = fleet(&store, 1).join().unwrap();
    store.set_down(true);
    assert_eq!(block_on(node.release_async()).unwrap_err().kind(), StoreErrorKind::Unavailable);
}

#[test]
fn a_lost_node_id_is_told_although_the_store_does_not_answer() {
    let store = disturbed(1, |_, call| match call {
        Call::Swapped { expected: Some(record) } if record.holder.is_some() => {
            unavailable("the store is silent")
        }
        _ => Ok(()),
    });
    let fleet = Fleet::new(Arc::clone(&store)).window(SECOND).unwrap();
    let node = fleet.join().unwrap();
    release(&store.store, "default", 0).unwrap();
    wait_until(|| node.status().state == NodeState::Lost);
}

fn number_1_fails(_: &MemoryStore, call: Call<'_>) -> Result<(), StoreError> {
    if matches!(call, Call::Swap { node_id: 1, .. }) { unavailable("node ID 1 is locked") } else { Ok(()) }
}

#[test]
fn a_process_takes_another_node_id_if_the_store_fails_for_one() {
    let store = disturbed(3, number_1_fails);
    let fleet = Fleet::new(Arc::clone(&store));
    let nodes = [(); 2].map(|()| fleet.join().unwrap().id());
    assert!(!nodes.contains(&1));
}

#[test]
fn a_repair_goes_on_after_a_node_id_that_fails_and_says_so() {
    let store = disturbed(4, number_1_fails);
    let repair = Repair::plan(&*store, "default", None, SECOND).unwrap();
    let error = repair.run(|_, _| {}).unwrap_err();
    assert_eq!(
        error.to_string(),
        "space \"default\" is not repaired: node ID 1 failed: node ID 1 is locked. No process may join before a repair succeeds: repeat it"
    );
    let records = store.store.read("default").unwrap().records;
    assert_eq!(records.keys().copied().collect::<Vec<_>>(), [0, 2, 3]);
}
