//! Tests that every store has to pass. A store of your own passes them, too, if it keeps the contract of `Store`.

use sortid_fleet::{Holder, Init, Record, Snapshot, Store, Swapped, init, size_of};
use std::{
    collections::BTreeMap,
    sync::{
        Arc, Barrier,
        atomic::{AtomicUsize, Ordering::SeqCst},
    },
    thread,
};

/// The greatest node ID that all stores keep: PostgreSQL has no unsigned integers.
const GREATEST: u64 = i64::MAX as u64;

/// A space of one test, which no earlier test has used.
pub(crate) fn space(name: &str) -> String {
    static LAST: AtomicUsize = AtomicUsize::new(0);
    format!("{name}-{}-{}", std::process::id(), LAST.fetch_add(1, SeqCst))
}

pub(crate) fn held(generation: u64, until: u64) -> Record {
    let holder = Holder::new("pod-3", format!("{generation:032x}"));
    Record::new(32, generation, Some(holder), until)
}

pub(crate) fn swap(store: &dyn Store, space: &str, node_id: u32, old: Option<&Record>, new: &Record) -> bool {
    // As `init` does before the first record.
    if old.is_none() {
        store.prepare(space).unwrap();
    }
    let Swapped { swapped, .. } = store.swap(space, node_id, old, new).unwrap();
    swapped
}

pub(crate) fn records(store: &dyn Store, space: &str) -> BTreeMap<u32, Record> {
    store.read(space).unwrap().records
}

/// All that a store has to do.
pub(crate) fn check(store: &Arc<dyn Store>) {
    store.prepare(&space("empty")).unwrap();
    a_space_without_records_is_empty(&**store);
    a_fleet_is_begun_with_one_size(store);
    a_record_is_swapped_only_if_it_is_the_expected_one(&**store);
    all_fields_have_to_be_equal(&**store);
    spaces_are_apart(&**store);
    any_text_and_all_node_ids_come_back(&**store);
    all_node_ids_of_a_space_come_back(&**store);
    of_concurrent_swaps_one_wins(store);
    a_store_with_a_time_tells_it_with_every_answer(&**store);
}

fn a_space_without_records_is_empty(store: &dyn Store) {
    assert_eq!(records(store, &space("empty")), BTreeMap::new());
}

fn a_fleet_is_begun_with_one_size(store: &Arc<dyn Store>) {
    let space = space("begun");
    assert_eq!(size_of(&**store, &space).unwrap(), None);
    let barrier = Barrier::new(8);
    let outcomes: Vec<_> = thread::scope(|scope| {
        let begin = |index: u32| {
            let (space, barrier) = (&space, &barrier);
            move || {
                barrier.wait();
                init(&**store, space, 10 + index % 2)
            }
        };
        let threads: Vec<_> = (0..8).map(|index| scope.spawn(begin(index))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let size = size_of(&**store, &space).unwrap().unwrap();
    let begun = outcomes.iter().filter(|outcome| matches!(outcome, Ok(Init::Begun)));
    assert_eq!(begun.count(), 1, "{outcomes:?}");
    assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), 4, "{outcomes:?}");
    assert_eq!(records(&**store, &space), BTreeMap::from([(0, Record::beginning(size))]));
    assert_eq!(init(&**store, &space, size).unwrap(), Init::Existed);
    assert!(!store.location().is_empty());
}

fn a_record_is_swapped_only_if_it_is_the_expected_one(store: &dyn Store) {
    let space = space("swap");
    let (first, second, third) = (held(1, 10), held(2, 20), held(3, 30));
    assert!(!swap(store, &space, 7, Some(&first), &second), "there is no record");
    assert!(swap(store, &space, 7, None, &first));
    assert!(!swap(store, &space, 7, None, &second), "there is a record");
    assert!(!swap(store, &space, 7, Some(&second), &third), "the record is another");
    assert_eq!(records(store, &space), BTreeMap::from([(7, first.clone())]));
    assert!(swap(store, &space, 7, Some(&first), &second));
    assert!(swap(store, &space, 7, Some(&second), &second), "a record replaces itself");
    assert_eq!(records(store, &space), BTreeMap::from([(7, second)]));
}

fn all_fields_have_to_be_equal(store: &dyn Store) {
    let space = space("fields");
    let holder = |name: &str, instance: &str| Some(Holder::new(name, instance));
    let stored = Record::new(32, 5, holder("a", "b"), 9);
    assert!(swap(store, &space, 0, None, &stored));
    let others = [
        stored.clone().changed(|it| it.size = 33),
        stored.clone().changed(|it| it.generation = 6),
        stored.clone().changed(|it| it.holder = None),
        stored.clone().changed(|it| it.holder = holder("A", "b")),
        stored.clone().changed(|it| it.holder = holder("a ", "b")),
        stored.clone().changed(|it| it.holder = holder("a", "")),
        stored.clone().changed(|it| it.holder = holder("", "b")),
        stored.clone().changed(|it| it.until = 10),
    ];
    for other in &others {
        assert!(!swap(store, &space, 0, Some(other), &held(6, 11)), "{other:?}");
    }
    let free = stored.clone().changed(|it| it.holder = None);
    assert!(swap(store, &space, 0, Some(&stored), &free));
    assert!(!swap(store, &space, 0, Some(&stored), &free), "the holder is gone");
    let nameless = stored.changed(|it| it.holder = holder("", ""));
    assert!(!swap(store, &space, 0, Some(&nameless), &free), "an empty name is a name");
    assert!(swap(store, &space, 0, Some(&free), &nameless));
    assert_eq!(records(store, &space), BTreeMap::from([(0, nameless)]));
}

fn spaces_are_apart(store: &dyn Store) {
    let base = space("apart");
    // All begin with the first one.
    // All begin with the first one.
    let spaces = ["", "-", "0", "_1", "-1-1"].map(|end| format!("{base}{end}"));
    for (generation, space) in (1..).zip(&spaces) {
        assert!(swap(store, space, 1, None, &held(generation, 10)), "{space}");
    }
    for (generation, space) in (1..).zip(&spaces) {
        assert_eq!(records(store, space), BTreeMap::from([(1, held(generation, 10))]), "{space}");
    }
}

/// Tests of the stores whose spaces can have any text as a name. The spaces of a fleet have names such as
/// `[a-z0-9_-]{1,63}`.
pub(crate) fn check_any_space(store: &dyn Store) {
    let base = space("any");
    let ends =
        ["", "/", "/1", "/1/", "//", "%2F", "%", "'", "\\", "\"", "\n", " ", "é", "e\u{301}", "0", "."];
    for (generation, end) in (1..).zip(ends) {
        assert!(swap(store, &format!("{base}{end}"), 1, None, &held(generation, 10)), "{end:?}");
    }
    for (generation, end) in (1..).zip(ends) {
        let found = records(store, &format!("{base}{end}"));
        assert_eq!(found, BTreeMap::from([(1, held(generation, 10))]), "{end:?}");
    }
    store.read("").unwrap();
}

fn any_text_and_all_node_ids_come_back(store: &dyn Store) {
    let space = space("extremes");
    let texts = [
        "",
        "it's",
        "\"quoted\"",
        "back\\slash",
        "E'\\''; --",
        "two\nlines\r\t",
        "ἐν ἀρχῇ 🦀",
        "$1 %s {0}",
        "'; DROP TABLE x",
    ];
    for (node_id, text) in (0..).zip(texts) {
        let holder = Some(Holder::new(text, text));
        let record = Record::new(u32::MAX, GREATEST, holder, GREATEST);
        assert!(swap(store, &space, node_id, None, &record), "{text:?}");
        assert_eq!(records(store, &space)[&node_id], record);
        let next = record.clone().changed(|it| {
            it.size = 1;
            it.generation = 0;
            it.until = 0;
        });
        assert!(swap(store, &space, node_id, Some(&record), &next), "{text:?}");
        assert_eq!(records(store, &space)[&node_id], next);
    }
}

fn all_node_ids_of_a_space_come_back(store: &dyn Store) {
    let space = space("node-ids");
    let node_ids = [0, 1, 2, 9, 10, 11, 99, 100, 65_535, 65_536, u32::MAX];
    for node_id in node_ids {
        assert!(swap(store, &space, node_id, None, &held(node_id.into(), 1)));
    }
    let expected = node_ids.map(|node_id| (node_id, held(node_id.into(), 1)));
    assert_eq!(records(store, &space), BTreeMap::from(expected));
}

fn of_concurrent_swaps_one_wins(store: &Arc<dyn Store>) {
    const THREADS: u64 = 8;
    const ROUNDS: u64 = 20;
    let space = space("race");
    let (wins, barrier) = (AtomicUsize::new(0), Barrier::new(8));
    thread::scope(|scope| {
        for thread in 0..THREADS {
            let (space, wins, barrier) = (&space, &wins, &barrier);
            scope.spawn(move || {
                for round in 0..ROUNDS {
                    let current = records(&**store, space).remove(&3);
                    barrier.wait();
                    let mine = held(round + 1, thread);
                    if swap(&**store, space, 3, current.as_ref(), &mine) {
                        wins.fetch_add(1, SeqCst);
                        assert_eq!(records(&**store, space)[&3], mine, "the winner's record stays");
                    }
                    barrier.wait();
                }
            });
        }
    });
    assert_eq!(wins.into_inner(), ROUNDS as usize);
    assert_eq!(records(&**store, &space)[&3].generation, ROUNDS);
}

fn a_store_with_a_time_tells_it_with_every_answer(store: &dyn Store) {
    let space = space("time");
    let Snapshot { time: before, .. } = store.read(&space).unwrap();
    let Swapped { time, .. } = store.swap(&space, 0, None, &held(1, 1)).unwrap();
    let Snapshot { time: after, .. } = store.read(&space).unwrap();
    assert_eq!((before.is_some(), before.is_some()), (time.is_some(), after.is_some()));
    assert!(before <= time && time <= after, "{before:?} {time:?} {after:?}");
}
