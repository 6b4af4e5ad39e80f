//! Faults of stores, clocks and options, in one process.

use crate::common::{SECOND, now, wait_until};
use sortid_fleet::{
    Fleet, Holder, JoinErrorKind, NodeState, Record, Snapshot, Store, StoreError, Swapped, init,
    testing::MemoryStore,
};
use std::{
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering::SeqCst},
        mpsc,
    },
    thread,
    time::Duration,
};

/// A fleet of this size.
fn fleet<S: Store>(store: S, size: u32) -> Fleet {
    init(&store, "default", size).unwrap();
    Fleet::new(store)
}

/// Returns what a call returns that must not hang.
fn within_a_minute<T: Send + 'static>(call: impl FnOnce() -> T + Send + 'static) -> T {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || sender.send(call()));
    receiver.recv_timeout(Duration::from_secs(60)).expect("the call hangs")
}

#[test]
fn a_process_can_wait_for_ever() {
    let fleet = fleet(MemoryStore::new(), 1).wait(Duration::MAX);
    within_a_minute(move || fleet.join().unwrap());
}

/// A store with a warning.
struct Warns(MemoryStore, fn() -> String);

impl Store for Warns {
    fn read(&self, space: &str) -> Result<Snapshot, StoreError> {
        self.0.read(space)
    }

    fn swap(
        &self,
        space: &str,
        node_id: u32,
        expected: Option<&Record>,
        next: &Record,
    ) -> Result<Swapped, StoreError> {
        self.0.swap(space, node_id, expected, next)
    }

    fn warning(&self) -> Option<String> {
        Some((self.1)())
    }
}

#[test]
fn the_warning_of_a_store_is_told() {
    let store = Warns(MemoryStore::new(), || "the disk is old".to_owned());
    let node = fleet(store, 1).join().unwrap();
    assert_eq!(node.status().warning.as_deref(), Some("the disk is old"));
}

#[test]
fn a_store_that_panics_does_not_hang_the_caller() {
    let store = Warns(MemoryStore::new(), || panic!("a store of a test that panics"));
    let fleet = fleet(store, 1);
    let _ = within_a_minute(move || fleet.join());
}

#[test]
fn a_node_recovers_soon_after_the_clock_of_the_store_was_wrong() {
    let store = Arc::new(MemoryStore::new());
    init(&*store, "default", 1).unwrap();
    let fleet = Fleet::new(Arc::clone(&store)).window(SECOND).unwrap();
    let node = fleet.join().unwrap();
    let ids = node.generator(scru160::Options::new()).unwrap();
    store.set_time(Some(now() - 3_600_000));
    wait_until(|| node.status().skew.is_some_and(|skew| skew > 1_000_000));
    wait_until(|| ids.try_generate().is_err());
    let seconds_ahead = || -> Option<u64> {
        let error = node.status().last_error?;
        error.strip_prefix("the clock is ")?.split_once('.')?.0.parse().ok()
    };
    wait_until(|| seconds_ahead().is_some());
    assert!((3600..3700).contains(&seconds_ahead().unwrap()));
    // The clock of the store is corrected.
    store.set_time(Some(now() + 100));
    ids.generate().unwrap();
    assert_eq!(node.status().state, NodeState::Holding);
}

/// A store in which a copy of the process, whose clock is the same, is faster to raise `until`.
struct Copied(MemoryStore);

impl Store for Copied {
    fn read(&self, space: &str) -> Result<Snapshot, StoreError> {
        self.0.read(space)
    }

    fn swap(
        &self,
        space: &str,
        node_id: u32,
        expected: Option<&Record>,
        next: &Record,
    ) -> Result<Swapped, StoreError> {
        let answer = self.0.swap(space, node_id, expected, next)?;
        let is_renewal = expected.is_some_and(|record| record.holder.is_some());
        Ok(Swapped::new(answer.swapped && !is_renewal, answer.time))
    }
}

#[test]
fn a_copy_that_raises_the_bound_to_the_same_time_is_noticed() {
    let fleet = fleet(Copied(MemoryStore::new()), 1).window(SECOND).unwrap();
    let node = fleet.join().unwrap();
    wait_until(|| node.status().state == NodeState::Lost || node.status().renewals > 1);
    assert_eq!(node.status().state, NodeState::Lost);
}

/// A store in which other processes are faster to take a node ID, this often. Each of them gives it back.
struct Races(MemoryStore, AtomicU32);

impl Store for Races {
    fn read(&self, space: &str) -> Result<Snapshot, StoreError> {
        self.0.read(space)
    }

    fn swap(
        &self,
        space: &str,
        node_id: u32,
        expected: Option<&Record>,
        next: &Record,
    ) -> Result<Swapped, StoreError> {
        if self.1.fetch_update(SeqCst, SeqCst, |races| races.checked_sub(1)).is_ok() {
            let released = next.clone().changed(|it| {
                it.holder = None;
                it.until = 0;
            });
            self.0.swap(space, node_id, expected, &released)?;
        }
        self.0.swap(space, node_id, expected, next)
    }
}

#[test]
fn a_process_that_is_slower_than_others_tries_again_while_it_has_time() {
    let fleet = |races| {
        let store = MemoryStore::new();
        init(&store, "default", 1).unwrap();
        Fleet::new(Races(store, AtomicU32::new(races)))
    };
    fleet(3).join().unwrap();
    let fleet = fleet(u32::MAX).wait(Duration::ZERO);
    let error = within_a_minute(move || fleet.join().unwrap_err());
    assert_eq!(error.kind(), JoinErrorKind::Taken);
    assert!(error.to_string().starts_with("other processes were faster"), "{error}");
}

/// A store that says so, but does not write: a trigger of a table can do that. Or it writes another record.
struct Keeps(MemoryStore, bool);

impl Store for Keeps {
    fn read(&self, space: &str) -> Result<Snapshot, StoreError> {
        self.0.read(space)
    }

    fn swap(&self, _: &str, _: u32, _: Option<&Record>, _: &Record) -> Result<Swapped, StoreError> {
        Ok(Swapped::new(self.1, None))
    }
}

#[test]
fn a_store_that_keeps_a_record_as_it_is_is_not_taken_for_a_race() {
    let store = MemoryStore::new();
    init(&store, "default", 1).unwrap();
    let fleet = Fleet::new(Keeps(store, false)).wait(Duration::ZERO);
    let error = within_a_minute(move || fleet.join().unwrap_err());
    assert_eq!(error.kind(), JoinErrorKind::Store);
    assert!(error.to_string().contains("and nobody else did: something keeps it as it is"), "{error}");
    let error = init(&Keeps(MemoryStore::new(), false), "default", 1).unwrap_err();
    assert!(error.to_string().contains("or something keeps it as it is"), "{error}");
}

#[test]
fn a_process_joins_only_if_the_store_has_its_record_after_the_first_swap() {
    let store = MemoryStore::new();
    init(&store, "default", 1).unwrap();
    let fleet = Fleet::new(Keeps(store, true)).wait(Duration::ZERO);
    let error = within_a_minute(move || fleet.join().unwrap_err());
    assert_eq!(error.kind(), JoinErrorKind::Store);
    assert!(error.to_string().starts_with("this process has lost node ID 0"), "{error}");
}

/// A store that shows after the first write that it is a copy.
struct Copy(Arc<MemoryStore>, AtomicU32);

impl Store for Copy {
    fn read(&self, space: &str) -> Result<Snapshot, StoreError> {
        let mut snapshot = self.0.read(space)?;
        if self.1.load(SeqCst) == 1 {
            snapshot.damaged.insert(7, "7.json: it is a copy".to_owned());
        }
        Ok(snapshot)
    }

    fn swap(
        &self,
        space: &str,
        node_id: u32,
        expected: Option<&Record>,
        next: &Record,
    ) -> Result<Swapped, StoreError> {
        self.1.fetch_add(1, SeqCst);
        self.0.swap(space, node_id, expected, next)
    }
}

#[test]
fn a_process_gives_its_node_id_back_if_the_store_shows_after_the_first_swap_that_it_is_a_copy() {
    let store = Arc::new(MemoryStore::new());
    init(&*store, "default", 1).unwrap();
    let error = Fleet::new(Copy(Arc::clone(&store), AtomicU32::new(0))).join().unwrap_err();
    assert_eq!(error.to_string(), "7.json: it is a copy");
    let record = store.read("default").unwrap().records.remove(&0).unwrap();
    assert_eq!((record.generation, record.holder, record.until), (1, None, 0));
}

#[test]
fn a_node_id_of_its_name_whose_ids_are_far_ahead_is_not_taken() {
    let store = Arc::new(MemoryStore::new());
    // This clock is an hour behind the store's.
    store.set_time(Some(now() + 3_600_000));
    let holder = Some(Holder::new("pod-0", "1"));
    let old = Record::new(2, 1, holder, now() + 3_500_000);
    store.swap("default", 0, None, &old).unwrap();
    init(&*store, "default", 2).unwrap();
    let fleet = Fleet::new(Arc::clone(&store)).name("pod-0").unwrap().wait(Duration::ZERO);
    let node = fleet.join().unwrap();
    node.generator(scru160::Options::new()).unwrap().generate().unwrap();
    assert_eq!(node.id(), 1);
    let error = fleet.join_as(0).unwrap_err();
    assert_eq!(error.kind(), JoinErrorKind::ClockBehind);
}

#[test]
fn a_node_id_outside_the_space_is_not_taken() {
    let store = Arc::new(MemoryStore::new());
    let holder = Some(Holder::new("pod-0", "1"));
    let old = Record::new(2, 1, holder, 1);
    store.swap("default", 7, None, &old).unwrap();
    let node = Fleet::new(store).name("pod-0").unwrap().join().unwrap();
    assert!(node.id() < 2, "{}", node.id());
}

#[test]
fn names_of_holders_in_messages_have_no_control_characters() {
    let store = Arc::new(MemoryStore::new());
    let holder = Some(Holder::new("a\u{1b}[2J\nb", "1"));
    let old = Record::new(1, 1, holder, now() + 60_000);
    store.swap("default", 0, None, &old).unwrap();
    let error = Fleet::new(store).wait(Duration::ZERO).join().unwrap_err().to_string();
    assert!(error.starts_with("the only node ID of space \"default\" is taken: "), "{error}");
    assert!(!error.contains(char::is_control), "{error:?}");
}

#[test]
fn no_id_that_is_far_ahead_takes_a_generator_out_of_use() {
    let node = fleet(MemoryStore::new(), 1).join().unwrap();
    let ids = node.generator(ron_uid::Options::new(ron_uid::Base64x64::parse("shop00").unwrap())).unwrap();
    let last = ids.generate().unwrap();
    let years_ahead = ron_uid::RonUid::parse("7A1+shop00").unwrap();
    assert!(years_ahead > last);
    let error = ids.resume_after(years_ahead).unwrap_err();
    assert!(matches!(error.kind(), sortid_fleet::GenerateErrorKind::Ahead), "{error}");
    assert!(ids.generate().unwrap() > last);
}
