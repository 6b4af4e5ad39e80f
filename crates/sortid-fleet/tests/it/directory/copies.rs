//! Copies of the directory.

use crate::directory::{SPACE, has, record, store, swap};
use sortid_fleet::{DirectoryStore, Record, Store, StoreErrorKind};
use std::{fs, path::Path, process::Command};

fn run(command: &str) {
    let output = Command::new("sh").args(["-ec", command]).output().unwrap();
    assert!(output.status.success(), "{command}: {output:?}");
}

/// All operations refuse the records, and say why.
fn assert_is_copy(path: &Path, records: &[(u32, Record)]) {
    let store = DirectoryStore::open(path).unwrap();
    let snapshot = store.read(SPACE).unwrap();
    assert!(snapshot.records.is_empty());
    assert_eq!(snapshot.damaged.len(), records.len());
    let mut messages: Vec<_> = snapshot.damaged.into_values().collect();
    for (node_id, old) in records {
        let next = old.clone().changed(|it| it.until += 1);
        let error = store.swap(SPACE, *node_id, Some(old), &next).unwrap_err();
        assert_eq!(error.kind(), StoreErrorKind::Shape, "{error}");
        messages.push(error.to_string());
    }
    for message in messages {
        let repair = format!("sortid nodes repair --nodes dir:{} --space {SPACE}", path.display());
        assert!(message.contains(".json: it is a copy, or ") && message.contains(&repair), "{message}");
    }
}

/// What `repair` does.
fn repair(path: &Path) {
    let store = DirectoryStore::open(path).unwrap().for_repair().unwrap();
    let records = store.read(SPACE).unwrap().records;
    assert!(!records.is_empty());
    for (node_id, record) in records {
        assert!(swap(
            &*store,
            node_id,
            Some(&record),
            &Record::repaired(Some(&record), record.size, 1_000_000)
        ));
    }
}

#[test]
fn a_copy_is_refused_until_it_is_repaired() {
    // Copies a folder, or restores it from a copy, as `to`.
    let ways = [
        "cp -r $from $to",
        "cp -a $from $to",
        // A copy of hard links has the same files.
        "cp -al $from $to",
        "cp -al $from backup; rm -r $from; cp -al backup $to",
        "tar cf backup.tar $from; mkdir $to; tar xf backup.tar -C $to --strip-components=1",
        // Over the directory itself, by the time that it has later records.
        "cp -r $from backup; $renew; cp -r backup/. $from; mv $from $to",
        "cp -a $from backup; $renew; cp -a backup/. $from; mv $from $to",
        "cp -a $from backup; $renew; rm -r $from; cp -a backup $from; mv $from $to",
    ];
    let rsync = [
        "rsync -a $from/ $to",
        "rsync -a $from/ backup; $renew; rsync -aI backup/ $from; mv $from $to",
        "rsync -a $from/ backup; $renew; rsync -aI --inplace backup/ $from; mv $from $to",
    ];
    let rsync = rsync.into_iter().filter(|_| has("rsync", &["--version"]));
    for way in ways.into_iter().chain(rsync) {
        let (store, path, folder) = store();
        let records = [(0, record(1, 5)), (7, record(1, 6))];
        for (node_id, record) in &records {
            assert!(swap(&store, *node_id, None, record));
        }
        let to = folder.path().join("copy");
        let (before, after) = way.split_once("$renew").unwrap_or((way, ""));
        for part in [before, after] {
            run(&format!(
                "cd {}; from=ids; to=copy; {}",
                folder.path().display(),
                part.trim_start_matches(';')
            ));
            if part == before && !after.is_empty() {
                for (node_id, old) in &records {
                    // Twice: the file system can use the inode number of the first file again.
                    let next = old.clone().changed(|it| it.until += 1);
                    assert!(swap(&store, *node_id, Some(old), &next));
                    assert!(swap(&store, *node_id, Some(&next), &next.clone().changed(|it| it.until += 1)));
                }
            }
        }
        println!("{way}");
        assert_is_copy(&to, &records);
        repair(&to);
        let store = DirectoryStore::open(&to).unwrap();
        let repaired = store.read(SPACE).unwrap().records;
        assert!(
            repaired.values().all(|record| record.until == 1_000_000 && record.generation == (1 << 32) + 1)
        );
        assert!(swap(&store, 7, repaired.get(&7), &record(3, 2_000_000)));
        // The original is as before.
        if path.exists() {
            assert_eq!(DirectoryStore::open(path).unwrap().read(SPACE).unwrap().records, records.into());
        }
    }
}

/// A repair that is interrupted is repeated.
#[test]
fn a_copy_is_refused_until_all_its_records_are_repaired() {
    let (store, path, folder) = store();
    for node_id in [0, 1] {
        assert!(swap(&store, node_id, None, &record(1, 5)));
    }
    run(&format!("cd {}; cp -r ids copy", folder.path().display()));
    drop(path);
    let copy = DirectoryStore::open(folder.path().join("copy")).unwrap();
    assert!(swap(
        &*copy.for_repair().unwrap(),
        0,
        Some(&record(1, 5)),
        &Record::repaired(Some(&record(1, 5)), 32, 9)
    ));
    assert_eq!(copy.read(SPACE).unwrap().damaged.keys().collect::<Vec<_>>(), [&1]);
    assert!(swap(
        &*copy.for_repair().unwrap(),
        1,
        Some(&record(1, 5)),
        &Record::repaired(Some(&record(1, 5)), 32, 9)
    ));
    assert_eq!(copy.read(SPACE).unwrap().records.len(), 2);
}

/// A backup of hard links has the same files in the same folder, when it is put back.
#[test]
fn a_record_with_several_links_is_a_copy() {
    for way in ["cp -al ids backup", "ln ids/orders/7.json backup", "ln ids/orders/7.json ids/orders/7.old"] {
        let (store, path, folder) = store();
        let old = record(1, 5);
        assert!(swap(&store, 7, None, &old));
        run(&format!("cd {}; {way}", folder.path().display()));
        assert_is_copy(&path, &[(7, old)]);
        repair(&path);
        assert_eq!(DirectoryStore::open(&path).unwrap().read(SPACE).unwrap().records[&7].until, 1_000_000);
    }
}

/// Someone makes a backup of hard links while the fleet runs.
#[test]
fn a_fleet_goes_on_when_the_copy_of_hard_links_beside_it_is_removed() {
    let (store, _path, folder) = store();
    let old = record(1, 5);
    assert!(swap(&store, 7, None, &old));
    run(&format!("cd {}; cp -al ids backup", folder.path().display()));
    let error = store.swap(SPACE, 7, Some(&old), &record(1, 6)).unwrap_err().to_string();
    assert!(error.contains("its file has 2 links. If someone made the other link"), "{error}");
    run(&format!("cd {}; rm -r backup", folder.path().display()));
    assert!(swap(&store, 7, Some(&old), &record(1, 6)));
}

#[test]
fn a_directory_that_is_moved_is_not_a_copy() {
    let (store, path, folder) = store();
    assert!(swap(&store, 7, None, &record(1, 5)));
    let moved = folder.path().join("moved");
    fs::rename(&path, &moved).unwrap();
    let store = DirectoryStore::open(&moved).unwrap();
    assert!(swap(&store, 7, Some(&record(1, 5)), &record(1, 6)));
    // A space can get another name.
    fs::rename(moved.join(SPACE), moved.join("other")).unwrap();
    assert_eq!(store.read("other").unwrap().records, [(7, record(1, 6))].into());
}
