//! A fleet is created once, on purpose.

use crate::{common::SECOND, fleet::fleet};
use sortid_fleet::{
    DirectoryStore, Fleet, Init, JoinErrorKind, Record, Store, StoreErrorKind, init, size_of,
    testing::MemoryStore,
};
use std::{
    fs,
    sync::{Arc, Barrier},
    thread,
    time::{Duration, Instant},
};

#[test]
fn a_process_joins_no_fleet_that_nobody_has_begun_and_says_so_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ids");
    let start = Instant::now();
    let joins = |space: &str| {
        let fleet = Fleet::new(DirectoryStore::open(&path).unwrap()).space(space).unwrap();
        let error = fleet.wait(Duration::from_secs(3600)).join().unwrap_err();
        assert_eq!(error.kind(), JoinErrorKind::NoFleet, "{error}");
        let place = format!("there is no fleet in space {space:?} of directory {}", path.display());
        assert!(error.to_string().starts_with(&place), "{error}");
        assert!(error.to_string().contains("sortid nodes init"), "{error}");
    };
    joins("default");
    assert!(!path.exists());
    // An empty directory, such as that of a volume that is not mounted, and another space.
    fs::create_dir(&path).unwrap();
    joins("default");
    assert_eq!(fs::read_dir(&path).unwrap().count(), 0);
    init(&DirectoryStore::open(&path).unwrap(), "default", 4).unwrap();
    joins("other");
    assert_eq!(fs::read_dir(&path).unwrap().count(), 1);
    // The longest wait is an hour.
    assert!(start.elapsed() < Duration::from_secs(600));
}

#[test]
fn a_fleet_keeps_the_size_with_which_it_was_begun() {
    let store = Arc::new(MemoryStore::new());
    assert_eq!(size_of(&*store, "default").unwrap(), None);
    assert_eq!(init(&*store, "default", 3).unwrap(), Init::Begun);
    assert_eq!(init(&*store, "default", 3).unwrap(), Init::Existed);
    let before = store.read("default").unwrap().records;
    let error = init(&*store, "default", 4).unwrap_err();
    assert_eq!(error.kind(), StoreErrorKind::Config);
    assert!(error.to_string().contains("has a fleet of 3 node IDs, expected 4"), "{error}");
    assert_eq!(store.read("default").unwrap().records, before);
    assert_eq!(init(&*store, "other", 4).unwrap(), Init::Begun);
    assert_eq!(size_of(&*store, "other").unwrap(), Some(4));

    // The size stays that of all records, also when processes have used them all.
    let nodes = [(); 3].map(|()| fleet(&store, 3).join().unwrap());
    assert!(store.read("default").unwrap().records.values().all(|record| record.size == 3));
    assert_eq!(fleet(&store, 3).join().unwrap_err().kind(), JoinErrorKind::Taken);
    drop(nodes);
    assert_eq!(init(&*store, "default", 3).unwrap(), Init::Existed);
}

#[test]
fn sizes_and_names_that_no_space_can_have_begin_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let store = DirectoryStore::open(folder.path().join("ids")).unwrap();
    for size in [0, 65_537, u32::MAX] {
        let error = init(&store, "default", size).unwrap_err();
        assert_eq!(error.to_string(), format!("size of the space: expected 1 to 65536, found {size}"));
    }
    for space in ["", "..", "a/b", "A"] {
        assert_eq!(init(&store, space, 1).unwrap_err().kind(), StoreErrorKind::Config, "{space}");
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn of_forty_that_begin_a_fleet_at_once_with_two_sizes_one_size_wins() {
    for _ in 0..20 {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("ids");
        let barrier = Barrier::new(40);
        let outcomes: Vec<_> = thread::scope(|scope| {
            let threads: Vec<_> = (0..40)
                .map(|index| {
                    let (path, barrier) = (&path, &barrier);
                    scope.spawn(move || {
                        let size = if index % 2 == 0 { 32 } else { 256 };
                        let store = DirectoryStore::open(path).unwrap();
                        barrier.wait();
                        (size, init(&store, "default", size).map_err(|error| error.kind()))
                    })
                })
                .collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        let store = DirectoryStore::open(&path).unwrap();
        let size = size_of(&store, "default").unwrap().unwrap();
        assert_eq!(store.read("default").unwrap().records, [(0, Record::beginning(size))].into());
        let begun = outcomes.iter().filter(|(_, outcome)| *outcome == Ok(Init::Begun));
        assert_eq!(begun.map(|(size, _)| *size).collect::<Vec<_>>(), [size]);
        for (asked, outcome) in outcomes {
            let expected =
                if asked == size { outcome.is_ok() } else { outcome == Err(StoreErrorKind::Config) };
            assert!(expected, "{asked} of {size}: {outcome:?}");
        }
    }
}

/// An older version let processes create a space, and two of them could do so with two sizes.
#[test]
fn a_space_whose_records_differ_in_its_size_is_refused_by_all() {
    let store = Arc::new(MemoryStore::new());
    let record = |size| Record::new(size, 1, None, 5);
    store.swap("default", 3, None, &record(32)).unwrap();
    store.swap("default", 241, None, &record(256)).unwrap();
    let fleet = Fleet::new(Arc::clone(&store)).window(SECOND).unwrap();
    let error = fleet.join().unwrap_err();
    assert_eq!(error.kind(), JoinErrorKind::Size);
    assert!(
        error.to_string().contains("found 32, 256") && error.to_string().contains("nodes repair"),
        "{error}"
    );
    for size in [32, 256] {
        assert_eq!(init(&*store, "default", size).unwrap_err().kind(), StoreErrorKind::Shape);
    }
    // A space of one size that has no record of node ID 0 is a fleet.
    store.swap("one", 3, None, &record(32)).unwrap();
    assert_eq!(init(&*store, "one", 32).unwrap(), Init::Existed);
    assert_eq!(fleet.clone().space("one").unwrap().join_as(0).unwrap().generation(), 1);
}
