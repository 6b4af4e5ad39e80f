//! Repairs, and processes that have lost their node ID.

use crate::{
    common::{SECOND, now, wait_until},
    fleet::{fleet, record},
};
use sortid_fleet::{
    Fleet, GenerateErrorKind, Generator, Holder, JoinErrorKind, Millis, NodeState, Record, Repair, Snapshot,
    Store, StoreError, StoreErrorKind, Swapped, init, release, testing::MemoryStore,
};
use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering::SeqCst},
    },
    time::{Duration, UNIX_EPOCH},
};

fn repair(store: &dyn Store, size: Option<u32>) -> Result<Millis, StoreError> {
    Repair::plan(store, "default", size, SECOND)?.run(|_, _| {})
}

#[test]
fn a_repair_raises_all_bounds_above_what_was_reserved() {
    let store = Arc::new(MemoryStore::new());
    let fleet = fleet(&store, 3);
    let node = fleet.join().unwrap();
    let ids = node.generator(scru160::Options::new()).unwrap();
    let plan = Repair::plan(&*store, "default", None, SECOND).unwrap();
    assert_eq!((plan.size(), plan.found()), (3, &store.read("default").unwrap()));
    let mut seen = Vec::new();
    let until = plan.run(|done, of| seen.push((done, of))).unwrap();
    assert_eq!(seen, [(1, 3), (2, 3), (3, 3)]);
    let records = store.read("default").unwrap().records;
    assert_eq!(records.len(), 3);
    let reserved = node.status().until.duration_since(UNIX_EPOCH).unwrap().as_millis() as Millis;
    assert!(records.values().all(|record| record.until >= reserved + 9_000 && record.holder.is_none()));
    assert!(records.values().all(|record| record.until <= until));
    wait_until(|| node.status().state == NodeState::Lost);
    wait_until(|| ids.try_generate().is_err());
    let again = fleet.wait(Duration::from_secs(20)).join().unwrap();
    let id = again.generator(scru160::Options::new()).unwrap().generate().unwrap();
    assert!(id.unix_millis() >= records[&0].until);
}

#[test]
fn a_repair_needs_a_fleet_and_changes_nothing_without_one() {
    let store = MemoryStore::new();
    for size in [None, Some(32)] {
        let error = Repair::plan(&store, "default", size, SECOND).err().unwrap();
        assert_eq!(error.kind(), StoreErrorKind::Config);
        assert!(error.to_string().starts_with("there is no fleet in space \"default\""), "{error}");
    }
    init(&store, "default", 3).unwrap();
    for window in [Duration::ZERO, Duration::from_secs(601), Duration::MAX] {
        let error = Repair::plan(&store, "default", Some(1), window).err().unwrap();
        assert_eq!(error.kind(), StoreErrorKind::Config);
    }
    for size in [0, 65_537] {
        assert!(Repair::plan(&store, "default", Some(size), SECOND).is_err());
    }
    Repair::plan(&store, "default", Some(8), SECOND).unwrap();
    assert_eq!(store.read("default").unwrap().records, [(0, Record::beginning(3))].into());
}

#[test]
fn a_repair_decides_a_space_whose_records_differ_in_its_size() {
    for size in [1, 32, 256] {
        let store = MemoryStore::new();
        let until = now() + 60_000;
        let of_size = |size| {
            let holder = Some(Holder::new("a", "1"));
            Record::new(size, 1, holder, until)
        };
        store.swap("default", 3, None, &of_size(32)).unwrap();
        store.swap("default", 241, None, &of_size(256)).unwrap();
        let error = repair(&store, None).unwrap_err();
        assert!(error.to_string().contains("found 32, 256"), "{error}");
        let free_from = repair(&store, Some(size)).unwrap();
        let records = store.read("default").unwrap().records;
        // Also those of node IDs that the space does not have any more: a process may be about to take one.
        assert_eq!(records.len(), 256);
        assert!(records.values().all(|record| record.size == size && record.holder.is_none()));
        // Each `until` is above what was reserved with the other size.
        assert!(free_from >= until && records.values().all(|record| record.until == free_from));
        assert_eq!(repair(&store, None).unwrap().max(free_from), free_from);
    }
}

/// A store in which a holder renews while another node ID is repaired, and a process tries to join.
struct Busy {
    store: Arc<MemoryStore>,
    renewed: Mutex<Option<Record>>,
}

impl Store for Busy {
    fn read(&self, space: &str) -> Result<Snapshot, StoreError> {
        self.store.read(space)
    }

    fn swap(
        &self,
        space: &str,
        node_id: u32,
        expected: Option<&Record>,
        next: &Record,
    ) -> Result<Swapped, StoreError> {
        if let Some(renewed) = self.renewed.lock().unwrap().take() {
            let old = record(&self.store, 1);
            assert!(self.store.swap(space, 1, Some(&old), &renewed)?.swapped);
        }
        let answer = self.store.swap(space, node_id, expected, next);
        let sizes: std::collections::BTreeSet<_> =
            self.store.read(space)?.records.values().map(|record| record.size).collect();
        if sizes != [4].into() {
            let fleet = Fleet::new(Arc::clone(&self.store)).wait(Duration::ZERO);
            assert_eq!(fleet.join().unwrap_err().kind(), JoinErrorKind::Size);
        }
        answer
    }
}

#[test]
fn no_process_joins_while_the_size_changes_and_no_bound_is_below_a_late_renewal() {
    let store = Arc::new(MemoryStore::new());
    init(&*store, "default", 2).unwrap();
    let holder = Some(Holder::new("a", "1"));
    let old = Record::new(2, 1, holder, now());
    store.swap("default", 1, None, &old).unwrap();
    let late = now() + 3_600_000;
    let renewed = old.changed(|it| it.until = late);
    let busy = Busy { store: Arc::clone(&store), renewed: Mutex::new(Some(renewed)) };
    assert_eq!(repair(&busy, Some(4)).unwrap(), late);
    let records = store.read("default").unwrap().records;
    assert_eq!(records.len(), 4);
    assert!(records.values().all(|record| record.size == 4 && record.until == late));
}

/// Joins, and returns what the fleet tells of a loss.
fn told(fleet: Fleet) -> (sortid_fleet::Node, Arc<Mutex<Vec<String>>>) {
    let told = Arc::new(Mutex::new(Vec::new()));
    let tell = Arc::clone(&told);
    let fleet = fleet.on_lost(move |error| {
        assert_eq!(error.kind(), StoreErrorKind::Lost);
        tell.lock().unwrap().push(error.to_string());
        // It ends nothing else.
        panic!("a function of a test that panics");
    });
    (fleet.join().unwrap(), told)
}

/// A service that wakes up looks at the state, and must not go on.
#[test]
fn all_that_a_process_can_look_at_says_that_the_node_id_is_lost_when_it_is_told() {
    let store = Arc::new(MemoryStore::new());
    let ids: Arc<Mutex<Option<Generator<scru160::Options>>>> = Arc::default();
    let (seen, told) = (Arc::new(Mutex::new(None)), Arc::clone(&ids));
    let tell = Arc::clone(&seen);
    let fleet = fleet(&store, 1).on_lost(move |error| {
        let guard = told.lock().unwrap();
        let ids = guard.as_ref().unwrap();
        let status = ids.status();
        assert_eq!(status.last_error, Some(error.to_string()));
        *tell.lock().unwrap() = Some((status.state, ids.try_generate().unwrap_err().kind()));
    });
    let node = fleet.join().unwrap();
    *ids.lock().unwrap() = Some(node.generator(scru160::Options::new()).unwrap());
    release(&*store, "default", 0).unwrap();
    wait_until(|| seen.lock().unwrap().is_some());
    let (state, error) = seen.lock().unwrap().unwrap();
    assert_eq!(state, NodeState::Lost);
    assert!(matches!(error, GenerateErrorKind::ReservationEnded), "{error:?}");
}

#[test]
fn a_process_learns_of_a_lost_node_id_at_the_latest_when_it_releases_it() {
    type Loss = fn(&MemoryStore);
    let losses: [(Loss, &str); 3] = [
        (|store| drop(release(store, "default", 0).unwrap()), "\"default\": an administrator freed it"),
        (|store| assert!(repair(store, None).is_ok()), "an administrator repaired the space"),
        (
            |store| {
                let old = record(store, 0);
                let other = Some(Holder::new("pod-7", "2"));
                let next = old.clone().changed(|it| {
                    it.generation += 1;
                    it.holder = other;
                });
                assert!(store.swap("default", 0, Some(&old), &next).unwrap().swapped);
            },
            "pod-7 has it: an administrator freed it, or the store lost its record",
        ),
    ];
    for (lose, why) in losses {
        let store = Arc::new(MemoryStore::new());
        // It does not renew before the release.
        let (node, told) = told(fleet(&store, 1).window(Duration::from_secs(600)).unwrap());
        let ids = node.generator(scru160::Options::new()).unwrap();
        ids.generate().unwrap();
        lose(&store);
        let after = record(&store, 0);
        let error = node.release().unwrap_err();
        assert_eq!(error.kind(), StoreErrorKind::Lost);
        assert!(
            error.to_string().starts_with("this process has lost node ID 0 of space \"default\": "),
            "{error}"
        );
        assert!(error.to_string().contains(why), "{error}");
        wait_until(|| *told.lock().unwrap() == [error.to_string()]);
        assert_eq!(ids.status().state, NodeState::Lost);
        assert_eq!(record(&store, 0), after, "the record is not its own any more");
    }
}

#[test]
fn a_process_that_finds_that_it_has_lost_its_node_id_makes_no_more_ids() {
    let store = Arc::new(MemoryStore::new());
    let (node, told) = told(fleet(&store, 1).window(Duration::from_secs(3)).unwrap());
    let ids = node.generator(scru160::Options::new()).unwrap();
    release(&*store, "default", 0).unwrap().unwrap();
    wait_until(|| node.status().state == NodeState::Lost);
    assert!(ids.try_generate().is_err());
    wait_until(|| told.lock().unwrap().len() == 1);
    let last_error = node.status().last_error.unwrap();
    let error = node.release().unwrap_err();
    assert_eq!((error.kind(), error.to_string()), (StoreErrorKind::Lost, last_error));
    assert_eq!(told.lock().unwrap().len(), 1);
}

/// The record of a backup has the same holder, and an earlier `until`.
#[test]
fn a_process_whose_record_went_back_to_an_older_state_has_lost_its_node_id() {
    let store = Arc::new(MemoryStore::new());
    let (node, told) = told(fleet(&store, 1));
    let backup = record(&store, 0);
    wait_until(|| node.status().renewals > 0);
    loop {
        let old = record(&store, 0);
        if store.swap("default", 0, Some(&old), &backup).unwrap().swapped {
            break;
        }
    }
    wait_until(|| node.status().state == NodeState::Lost);
    wait_until(|| !told.lock().unwrap().is_empty());
    assert!(told.lock().unwrap()[0].contains("went back to an older state"));
}

/// What others do with the node ID of a process that was paused.
#[test]
fn a_process_that_did_not_renew_in_time_is_told_so() {
    type Others = fn(&Fleet) -> Option<sortid_fleet::Node>;
    let others: [(Others, [&str; 2]); 2] = [
        (
            |fleet| fleet.clone().name("pod-7").unwrap().join().ok(),
            ["pod-7 has it: the reservation ended at 20", "Z and was not renewed before, as after a pause"],
        ),
        (
            |fleet| {
                fleet.join().unwrap().release().unwrap();
                None
            },
            [
                "the reservation ended at 20",
                "another process had it and released it, or an administrator freed it",
            ],
        ),
    ];
    for (others, why) in others {
        let store = Arc::new(MemoryStore::new());
        let fleet = fleet(&store, 1).wait(20 * SECOND);
        let paused = Arc::new(AtomicBool::new(false));
        let (node, told) =
            told(Fleet::new(Paused(Arc::clone(&store), Arc::clone(&paused))).window(SECOND).unwrap());
        paused.store(true, SeqCst);
        let _other = others(&fleet);
        paused.store(false, SeqCst);
        wait_until(|| !told.lock().unwrap().is_empty());
        let message = told.lock().unwrap()[0].clone();
        assert!(why.iter().all(|why| message.contains(why)), "{message}");
        assert_eq!(node.status().last_error, Some(message));
    }
}

/// A store as a process sees it that can be paused.
struct Paused(Arc<MemoryStore>, Arc<AtomicBool>);

impl Paused {
    fn wait(&self) {
        wait_until(|| !self.1.load(SeqCst));
    }
}

impl Store for Paused {
    fn read(&self, space: &str) -> Result<Snapshot, StoreError> {
        self.wait();
        self.0.read(space)
    }

    fn swap(
        &self,
        space: &str,
        node_id: u32,
        expected: Option<&Record>,
        next: &Record,
    ) -> Result<Swapped, StoreError> {
        self.wait();
        self.0.swap(space, node_id, expected, next)
    }
}
