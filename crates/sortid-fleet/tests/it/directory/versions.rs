//! Records of later versions.

use crate::{
    common::wait_until,
    directory::{SPACE, store},
};
use sortid_fleet::{Fleet, JoinErrorKind, Repair, Store, StoreErrorKind, init, release};
use std::{fs, time::Duration};

/// Changes a file in its place: a file that replaces another counts as a copy.
fn edit(file: &std::path::Path, from: &str, to: &str) {
    let text = fs::read_to_string(file).unwrap();
    assert!(text.contains(from), "{text}");
    fs::write(file, text.replace(from, to)).unwrap();
}

#[test]
fn members_of_a_later_version_are_kept() {
    let (store, path, _folder) = store();
    init(&store, SPACE, 4).unwrap();
    let file = path.join(SPACE).join("0.json");
    edit(&file, "\"until\":0", "\"until\":0,\"zone\":{\"a\":[1,2.5,null]}");
    let has_zone = || fs::read_to_string(&file).unwrap().contains(r#","zone":{"a":[1,2.5,null]}},"place""#);
    let fleet = Fleet::new(store).space(SPACE).unwrap().window(Duration::from_secs(1)).unwrap();
    let node = fleet.join_as(0).unwrap();
    assert!(has_zone());
    let renewals = node.status().renewals;
    wait_until(|| node.status().renewals > renewals);
    assert!(has_zone());
    node.release().unwrap();
    assert!(has_zone());
    let store = sortid_fleet::DirectoryStore::open(&path).unwrap();
    Repair::plan(&store, SPACE, Some(8), Duration::from_secs(1)).unwrap().run(|_, _| {}).unwrap();
    assert!(has_zone());
    assert_eq!(store.read(SPACE).unwrap().records[&0].size, 8);
}

#[test]
fn a_holder_of_a_later_version_is_told_apart_and_its_node_id_can_be_taken_from_it() {
    let (store, path, _folder) = store();
    init(&store, SPACE, 1).unwrap();
    let file = path.join(SPACE).join("0.json");
    let until = 4_000_000_000_000_u64;
    edit(
        &file,
        "null,\"until\":0",
        &format!(r#"{{"name":"pod","instance":"7","zone":"b"}},"until":{until}"#),
    );
    let holder = store.read(SPACE).unwrap().records[&0].holder.clone().unwrap();
    assert_eq!((&*holder.name, &*holder.instance), ("pod", "7"));
    assert_eq!(release(&store, SPACE, 0).unwrap().unwrap().until, until);
    assert_eq!(store.read(SPACE).unwrap().records[&0].holder, None);
}

#[test]
fn a_record_of_a_later_format_stops_all_that_would_use_it() {
    let (store, path, _folder) = store();
    init(&store, SPACE, 4).unwrap();
    let file = path.join(SPACE).join("0.json");
    edit(&file, "\"until\":0", "\"until\":0,\"format\":2");
    let text = fs::read_to_string(&file).unwrap();
    let errors = [
        store.read(SPACE).unwrap_err(),
        release(&store, SPACE, 0).unwrap_err(),
        init(&store, SPACE, 4).unwrap_err(),
        Repair::plan(&store, SPACE, Some(4), Duration::from_secs(1)).err().unwrap(),
    ];
    for error in errors {
        assert_eq!(error.kind(), StoreErrorKind::Later);
        let message = format!(
            "{}: expected a record of format 1, found one of format 2, which a later version of sortid wrote: update this \
             program",
            file.display()
        );
        assert_eq!(error.to_string(), message);
    }
    let error = Fleet::new(store).space(SPACE).unwrap().join().unwrap_err();
    assert_eq!(error.kind(), JoinErrorKind::Store);
    assert!(error.to_string().contains("update this program"), "{error}");
    assert_eq!(fs::read_to_string(&file).unwrap(), text);
    // Format 1 may be named.
    edit(&file, "\"format\":2", "\"format\":1");
    let store = sortid_fleet::DirectoryStore::open(&path).unwrap();
    assert_eq!(store.read(SPACE).unwrap().records[&0].size, 4);
}
