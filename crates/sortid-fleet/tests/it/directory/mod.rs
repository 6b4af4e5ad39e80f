//! Tests of the store in a directory. Several processes are this program again, with the test `run_child`.

// Tests that are left out elsewhere use most of it.
#![cfg_attr(not(target_os = "linux"), allow(dead_code, unused_imports))]

#[cfg(unix)]
mod copies;
#[cfg(target_os = "linux")]
mod crashes;
#[cfg(target_os = "linux")]
mod layers;
mod lost;
mod mistakes;
mod processes;
mod versions;

use sortid_fleet::{DirectoryStore, Holder, Record, Store};
use std::{
    path::PathBuf,
    process::Command,
    time::{SystemTime, UNIX_EPOCH},
};
use tempfile::TempDir;

const SPACE: &str = "orders";

/// A record of the nth holder of a node ID.
fn record(generation: u64, until: u64) -> Record {
    let holder = Holder::new("a", format!("{generation:x}"));
    Record::new(32, generation, Some(holder), until)
}

/// An empty store, and the folder that it is in.
fn store() -> (DirectoryStore, PathBuf, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ids");
    let store = DirectoryStore::open(&path).unwrap();
    store.prepare(SPACE).unwrap();
    (store, path, folder)
}

fn swap(store: &dyn Store, node_id: u32, expected: Option<&Record>, next: &Record) -> bool {
    store.swap(SPACE, node_id, expected, next).unwrap().swapped
}

fn has(command: &str, args: &[&str]) -> bool {
    let has = Command::new(command).args(args).output().is_ok_and(|output| output.status.success());
    if !has {
        println!("left out: {command} {args:?} does not work here");
    }
    has
}

#[test]
fn a_record_is_swapped_if_all_its_fields_are_as_expected() {
    let (store, _path, _folder) = store();
    assert!(store.read(SPACE).unwrap().records.is_empty());
    let old = record(1, 1000);
    assert!(!swap(&store, 7, Some(&old), &old));
    assert!(swap(&store, 7, None, &old));
    assert!(!swap(&store, 7, None, &old));
    let next = record(2, 2000);
    let others = [
        old.clone().changed(|it| it.size = 33),
        old.clone().changed(|it| it.generation = 2),
        old.clone().changed(|it| it.until = 1001),
        old.clone().changed(|it| it.holder = None),
        old.clone().changed(|it| it.holder = Some(Holder::new("b", "1"))),
        old.clone().changed(|it| it.holder = Some(Holder::new("a", "2"))),
    ];
    for other in &others {
        assert!(!swap(&store, 7, Some(other), &next));
    }
    assert_eq!(store.read(SPACE).unwrap().records, [(7, old.clone())].into());
    assert!(swap(&store, 7, Some(&old), &next));
    assert!(!swap(&store, 7, Some(&old), &next));
    assert_eq!(store.read(SPACE).unwrap().records, [(7, next)].into());
}

#[test]
fn all_values_of_a_record_are_kept() {
    let (store, _path, _folder) = store();
    let records = [
        Record::new(0, 0, None, 0),
        Record::new(u32::MAX, u64::MAX, None, u64::MAX),
        record(3, 3).changed(|it| it.holder = Some(Holder::new("\"\\\n\0é🦀".repeat(50), String::new()))),
    ];
    let mut last = None;
    for next in &records {
        assert!(swap(&store, u32::MAX, last, next));
        assert_eq!(store.read(SPACE).unwrap().records, [(u32::MAX, next.clone())].into());
        last = Some(next);
    }
}

#[test]
fn spaces_and_node_ids_have_nothing_to_do_with_each_other() {
    let (store, path, _folder) = store();
    for (space, node_id) in [("a", 0), ("a", 1), ("b", 0), ("a-b_0", 10)] {
        store.prepare(space).unwrap();
        assert!(store.swap(space, node_id, None, &record(1, u64::from(node_id))).unwrap().swapped);
    }
    let again = DirectoryStore::open(path).unwrap();
    assert_eq!(again.read("a").unwrap().records, [(0, record(1, 0)), (1, record(1, 1))].into());
    assert_eq!(again.read("b").unwrap().records, [(0, record(1, 0))].into());
    assert!(again.read("c").unwrap().records.is_empty());
}

#[test]
fn the_time_of_the_store_is_that_of_the_host() {
    let now = || SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis();
    let (store, _path, _folder) = store();
    let before = now();
    let read = store.read(SPACE).unwrap().time.unwrap();
    let swapped = store.swap(SPACE, 0, None, &record(1, 1)).unwrap().time.unwrap();
    assert!(before <= u128::from(read) && read <= swapped && u128::from(swapped) <= now());
}
