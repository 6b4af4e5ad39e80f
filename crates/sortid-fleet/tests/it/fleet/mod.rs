//! Fleets in one process, on a store in memory.

mod begin;
mod callbacks;
mod disturbances;
mod events;
mod own_clock;
mod own_ids;
mod repairs;

use crate::common::{SECOND, now, wait_until};
use sortid_core::GenerateErrorKind;
use sortid_fleet::{
    Fleet, Holder, JoinErrorKind, NodeState, Record, Snapshot, Store, StoreError, Swapped, init, release,
    testing::MemoryStore,
};
use std::{
    collections::BTreeSet,
    future::Future,
    pin::pin,
    sync::Arc,
    task::{Context, Poll, Waker},
    thread,
    time::Duration,
};

fn fleet(store: &Arc<MemoryStore>, size: u32) -> Fleet {
    init(&**store, "default", size).unwrap();
    Fleet::new(Arc::clone(store)).window(SECOND).unwrap().wait(Duration::ZERO)
}

fn record(store: &MemoryStore, node_id: u32) -> Record {
    store.read("default").unwrap().records[&node_id].clone()
}

#[test]
fn node_ids_differ_and_a_released_one_is_free_at_once() {
    let store = Arc::new(MemoryStore::new());
    let fleet = fleet(&store, 3);
    let nodes = [(); 3].map(|()| fleet.join().unwrap());
    assert_eq!(nodes.iter().map(sortid_fleet::Node::id).collect::<BTreeSet<_>>(), BTreeSet::from([0, 1, 2]));
    let error = fleet.join().unwrap_err();
    assert_eq!(error.kind(), JoinErrorKind::Taken);
    assert!(error.to_string().starts_with("all 3 node IDs of space \"default\" are taken: "), "{error}");
    let [first, ..] = nodes;
    let (node_id, generation) = (first.id(), first.generation());
    first.release().unwrap();
    let again = fleet.join().unwrap();
    assert_eq!((again.id(), again.generation()), (node_id, generation + 1));
}

#[test]
fn ids_of_successive_holders_ascend() {
    let store = Arc::new(MemoryStore::new());
    let fleet = fleet(&store, 1).wait(SECOND);
    let mut last = None;
    for round in 0..20 {
        let node = fleet.join().unwrap();
        let ids = node.generator(scru160::Options::new()).unwrap();
        for _ in 0..50 {
            let id = ids.generate().unwrap();
            assert!(last < Some(id), "round {round}");
            last = Some(id);
        }
        if round % 2 == 0 {
            node.release().unwrap();
            let error = ids.generate().unwrap_err();
            assert_eq!(error.kind(), GenerateErrorKind::ReservationEnded, "{error}");
        }
    }
}

#[test]
fn a_release_lowers_the_bound_to_just_after_the_last_id() {
    let store = Arc::new(MemoryStore::new());
    let fleet = fleet(&store, 1).window(Duration::from_secs(600)).unwrap();
    let node = fleet.join().unwrap();
    let ids = node.generator(euid::Options::new()).unwrap();
    let id = ids.generate().unwrap();
    assert!(record(&store, 0).until > id.unix_millis() + 500_000);
    drop(node);
    assert!(record(&store, 0).holder.is_some(), "the generator keeps the reservation");
    drop(ids);
    assert_eq!((record(&store, 0).until, record(&store, 0).holder), (id.unix_millis() + 1, None));
    // A node without IDs gives back what it got.
    drop(fleet.join().unwrap());
    assert_eq!(record(&store, 0).until, id.unix_millis() + 1);
}

#[test]
fn a_generator_continues_after_the_bound_of_the_holder_before() {
    let store = Arc::new(MemoryStore::new());
    let until = now() + 300;
    let old = Record::new(1, 7, None, until);
    store.swap("default", 0, None, &old).unwrap();
    let node = fleet(&store, 1).join().unwrap();
    assert_eq!(node.generation(), 8);
    let ids = node.generator(scru160::Options::new()).unwrap();
    assert!(ids.try_generate().unwrap().unix_millis() >= until);
    // Within the tick, too: the microseconds begin at a whole millisecond.
    init(&*store, "micros", 1).unwrap();
    let node = fleet(&store, 1).space("micros").unwrap().join().unwrap();
    assert!(node.generator(scru160::Options::with_micros_counter()).is_ok());
}

#[test]
fn a_node_has_one_generator_of_a_kind() {
    let store = Arc::new(MemoryStore::new());
    let node = fleet(&store, 32).join().unwrap();
    let scru = node.generator(scru160::Options::new()).unwrap();
    let error = node.generator(scru160::Options::with_micros_counter()).unwrap_err();
    assert!(error.to_string().contains("two would repeat"), "{error}");
    let euid = node.generator(euid::Options::new()).unwrap();
    let flake = node.generator(ulid_flake::Options::new()).unwrap();
    let origin = ron_uid::Base64x64::parse("shop00").unwrap();
    let ron = node.generator(ron_uid::Options::new(origin)).unwrap();
    let node_id = node.id();
    assert_eq!(euid.generate().unwrap().extension().unwrap().value(), node_id as u16);
    assert_eq!(u32::from(flake.generate().unwrap().scalable().scalability()), node_id);
    assert_eq!(scru.generate().unwrap().random16() >> 11, node_id as u16);
    assert_eq!(ron.generate().unwrap().origin().to_int(), origin.to_int() + u64::from(node_id));
    // After a drop, the next one continues.
    let last = scru.generate().unwrap();
    drop(scru);
    let again = node.generator(scru160::Options::new()).unwrap();
    assert!(again.generate().unwrap() > last);
}

#[test]
fn a_generator_of_a_node_has_the_calls_of_any_generator() {
    let store = Arc::new(MemoryStore::new());
    let node = fleet(&store, 32).window(Duration::from_secs(600)).unwrap().join().unwrap();
    let options = || ron_uid::Options::new(ron_uid::Base64x64::parse("shop00").unwrap());
    let ids = node.generator(options()).unwrap();
    let mut made = [ids.generate().unwrap(); 10];
    ids.fill(&mut made[1..5]).unwrap();
    assert_eq!(ids.try_fill(&mut made[5..9]), Ok(4));
    made[9] = ids.try_generate().unwrap();
    assert!(made.is_sorted_by(|a, b| a < b));

    // An ID of a process whose clock is 9 s ahead.
    let clock = ron_uid::testing::ManualClock::new(Duration::from_millis(now() + 9000));
    let seen = options().build_with(clock, ron_uid::NoEntropy).generate().unwrap();
    ids.observe(seen).unwrap();
    assert!(ids.ahead().unwrap() > Duration::ZERO);
    assert!(ids.generate().unwrap() > seen);
    for text in [format!("{ids:?}"), format!("{node:?}")] {
        assert!(text.contains("state: Holding"), "{text}");
    }
}

#[test]
fn options_without_room_for_the_node_id_are_an_error() {
    let store = Arc::new(MemoryStore::new());
    let node = fleet(&store, 33).join().unwrap();
    let error = node.generator(ulid_flake::Options::new()).unwrap_err();
    assert_eq!(error.to_string(), "size of the space: expected 1 to 32, found 33");
    assert!(node.generator(scru160::Options::new().counter_extension_bits(11).unwrap()).is_err());
    let origin = ron_uid::Base64x64::parse("shop00000X").unwrap();
    let error = node.generator(ron_uid::Options::new(origin)).unwrap_err();
    assert!(
        error.to_string().starts_with("digits of the origin that the node ID takes: expected 0, found"),
        "{error}"
    );
}

#[test]
fn reservations_are_renewed_and_generators_stop_when_the_store_is_down() {
    let store = Arc::new(MemoryStore::new());
    let node = fleet(&store, 1).join().unwrap();
    let ids = node.generator(ulid_flake::Options::new()).unwrap();
    let first = node.status();
    wait_until(|| node.status().renewals > 2);
    assert!(node.status().until > first.until);
    assert!(ids.generate().is_ok());
    store.set_down(true);
    // A millisecond can be out of Ulid-Flakes before that: this is another error.
    wait_until(|| ids.try_generate().is_err_and(|error| error.kind() == GenerateErrorKind::ReservationLate));
    wait_until(|| node.status().failures > 0);
    assert_eq!(node.status().last_error.as_deref(), Some("the store of this test is down"));
    assert_eq!(node.status().state, NodeState::Holding);
    // `generate` waits for the renewal.
    thread::scope(|scope| {
        let waiting = scope.spawn(|| ids.generate());
        store.set_down(false);
        waiting.join().unwrap().unwrap();
    });
    assert_eq!(node.status().last_error, None);
}

#[test]
fn a_node_id_that_another_takes_is_lost_and_no_id_repeats() {
    let store = Arc::new(MemoryStore::new());
    let fleet = fleet(&store, 1).window(Duration::from_secs(3)).unwrap();
    let node = fleet.join().unwrap();
    let ids = node.generator(scru160::Options::new()).unwrap();
    let last = ids.generate().unwrap();
    assert!(release(&*store, "default", 0).unwrap().is_some());
    assert!(release(&*store, "default", 0).unwrap().is_none());
    let other = fleet.wait(Duration::from_secs(20)).join().unwrap();
    let others = other.generator(scru160::Options::new()).unwrap().generate().unwrap();
    assert!(others > last);
    wait_until(|| node.status().state == NodeState::Lost);
    let error = ids.generate().unwrap_err();
    assert_eq!(error.kind(), GenerateErrorKind::ReservationEnded, "{error}");
}

#[test]
fn a_process_whose_copy_renews_its_node_id_has_lost_it() {
    let store = Arc::new(MemoryStore::new());
    let node = fleet(&store, 1).join().unwrap();
    let ids = node.generator(ulid_flake::Options::new()).unwrap();
    let reserved = node.status().until;
    // The copy of a virtual machine has the memory of the first one, so it is the same holder to the store.
    loop {
        let old = record(&store, 0);
        let next = old.clone().changed(|it| it.until += 60_000);
        if store.swap("default", 0, Some(&old), &next).unwrap().swapped {
            break;
        }
    }
    wait_until(|| node.status().state == NodeState::Lost);
    assert!(
        node.status().until <= reserved + Duration::from_secs(30),
        "the `until` of the copy is not its own"
    );
    wait_until(|| ids.try_generate().is_err());
    assert!(node.status().last_error.unwrap().contains("a copy of this process"));
}

#[test]
fn clocks_that_differ_are_noticed() {
    let store = Arc::new(MemoryStore::new());
    store.set_time(Some(now() - 3_600_000));
    let error = fleet(&store, 1).join().unwrap_err();
    assert_eq!(error.kind(), JoinErrorKind::ClockAhead);
    assert!(error.to_string().contains("ahead of the store's, expected at most 11.000 s"), "{error}");
    // A clock that is behind can use a new node ID, and tells by how much.
    store.set_time(Some(now() + 3_600_000));
    let node = fleet(&store, 1).join().unwrap();
    let skew = node.status().skew.unwrap();
    assert!((-3_660_000..=-3_540_000).contains(&skew), "{skew}");
    let ids = node.generator(scru160::Options::new()).unwrap();
    ids.generate().unwrap();
    // But not one with IDs of later times.
    let until = now() + 3_600_000;
    store.swap("other", 0, None, &Record::new(1, 1, None, until)).unwrap();
    let error = fleet(&store, 1).space("other").unwrap().join().unwrap_err();
    assert_eq!(error.kind(), JoinErrorKind::ClockBehind);
}

#[test]
fn without_a_time_of_the_store_the_others_are_the_witness() {
    let store = Arc::new(MemoryStore::new());
    store.set_time(None);
    // A holder whose clock is an hour behind ours, and which is alive.
    let holder = Some(Holder::new("other", "1"));
    let mut other = Record::new(2, 1, holder, now() - 3_600_000);
    store.swap("default", 0, None, &other).unwrap();
    thread::scope(|scope| {
        let joining = scope.spawn(|| fleet(&store, 2).wait(SECOND).join());
        for _ in 0..20 {
            let next = other.clone().changed(|it| it.until += 100);
            assert!(store.swap("default", 0, Some(&other), &next).unwrap().swapped);
            other = next;
            thread::sleep(Duration::from_millis(100));
        }
        assert_eq!(joining.join().unwrap().unwrap_err().kind(), JoinErrorKind::ClockAhead);
    });
    // It is dead now, so our clock is the only one.
    let node = fleet(&store, 2).wait(Duration::from_secs(20)).join().unwrap();
    assert_eq!(node.status().skew, None);
    assert!(node.generator(scru160::Options::new()).unwrap().generate().is_ok());
}

/// Tells the time first, and answers later.
struct Slow(MemoryStore);

impl Store for Slow {
    fn read(&self, space: &str) -> Result<Snapshot, StoreError> {
        let answer = self.0.read(space);
        thread::sleep(Duration::from_millis(100));
        answer
    }

    fn swap(
        &self,
        space: &str,
        node_id: u32,
        expected: Option<&Record>,
        next: &Record,
    ) -> Result<Swapped, StoreError> {
        let answer = self.0.swap(space, node_id, expected, next);
        thread::sleep(Duration::from_millis(100));
        answer
    }
}

#[test]
fn a_slow_answer_is_not_a_wrong_clock() {
    let store = Slow(MemoryStore::new());
    init(&store, "default", 1).unwrap();
    let node = Fleet::new(store).join().unwrap();
    assert_eq!(node.status().skew, Some(0));
}

#[test]
fn a_restarted_process_waits_for_its_node_id() {
    let store = Arc::new(MemoryStore::new());
    let holder = Some(Holder::new("pod-3", "1"));
    let old = Record::new(9, 1, holder, now() + 700);
    store.swap("default", 4, None, &old).unwrap();
    let named = fleet(&store, 9).name("pod-3").unwrap();
    let error = named.clone().wait(Duration::ZERO).join().unwrap_err();
    assert!(error.to_string().starts_with("node ID 4 is held by the name of this process until "), "{error}");
    let node = named.clone().wait(Duration::from_secs(20)).join().unwrap();
    assert_eq!((node.id(), node.generation()), (4, 2));
    // A namesake that is alive keeps its node ID.
    let other = named.wait(Duration::from_secs(20)).join().unwrap();
    assert_ne!(other.id(), 4);
}

#[test]
fn two_processes_with_one_fixed_node_id_find_out() {
    let store = Arc::new(MemoryStore::new());
    let fleet = fleet(&store, 9);
    let node = fleet.join_as(7).unwrap();
    assert_eq!(node.id(), 7);
    let error = fleet.clone().wait(SECOND).join_as(7).unwrap_err();
    assert!(error.to_string().starts_with("node ID 7 of space \"default\" is taken: 7 by "), "{error}");
    let error = fleet.join_as(9).unwrap_err();
    assert_eq!(
        error.to_string(),
        "expected a node ID from 0 to 8, because space \"default\" has 9 node IDs, found 9"
    );
}

#[test]
fn a_process_joins_without_blocking_and_a_dropped_future_gives_the_node_id_back() {
    let store = Arc::new(MemoryStore::new());
    let fleet = fleet(&store, 1).wait(Duration::from_secs(20));
    let node = block_on(fleet.join_async()).unwrap();
    {
        let mut waiting = pin!(fleet.join_async());
        assert!(waiting.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
    }
    block_on(node.release_async()).unwrap();
    wait_until(|| fleet.clone().wait(Duration::ZERO).join_as(0).is_ok());
}

fn block_on<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    loop {
        if let Poll::Ready(value) = future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            return value;
        }
        thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn options_out_of_range_are_errors() {
    let store = Arc::new(MemoryStore::new());
    let fleet = Fleet::new(store);
    for name in ["", "A", "a/b", "..", &"a".repeat(64)] {
        assert!(fleet.clone().space(name).is_err(), "{name}");
    }
    for name in ["", "a\nb", &"a".repeat(256)] {
        assert!(fleet.clone().name(name).is_err(), "{name}");
    }
    assert!(fleet.clone().name("a".repeat(255)).is_ok());
    for window in [Duration::ZERO, Duration::from_millis(999), Duration::from_secs(601)] {
        assert!(fleet.clone().window(window).is_err(), "{window:?}");
    }
}

#[test]
fn many_threads_join_and_leave_and_no_id_repeats() {
    let store = Arc::new(MemoryStore::new());
    let fleet = fleet(&store, 4).wait(Duration::from_secs(60));
    let all = thread::scope(|scope| {
        let threads = [(); 12].map(|()| {
            scope.spawn(|| {
                let mut made = Vec::new();
                for _ in 0..5 {
                    let node = fleet.join().unwrap();
                    let ids = node.generator(ulid_flake::Options::new()).unwrap();
                    made.extend((0..200).map(|_| ids.generate().unwrap()));
                }
                made
            })
        });
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect::<Vec<_>>()
    });
    assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), 12 * 5 * 200);
}

#[test]
fn a_reservation_is_not_renewed_before_a_third_of_the_window_has_passed() {
    let fleet = fleet(&Arc::new(MemoryStore::new()), 1).window(Duration::from_secs(600)).unwrap();
    let node = fleet.join().unwrap();
    thread::sleep(Duration::from_millis(100));
    assert_eq!(node.status().renewals, 0);
}
