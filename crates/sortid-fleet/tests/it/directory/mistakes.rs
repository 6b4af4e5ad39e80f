//! Mistakes, and directories of another shape.

use crate::directory::{
    SPACE, has,
    processes::{child, said},
    record, store, swap,
};
use sortid_fleet::{DirectoryStore, Repair, Store, StoreErrorKind};
use std::{fs, process::Command, time::Duration};

#[test]
fn a_file_that_is_not_a_record_is_an_error_that_names_it() {
    let good = r#"{"record":{"size":32,"generation":1,"holder":null,"until":5},"place":null}"#;
    let contents = [
        String::new(),
        "\0".repeat(200),
        "null".to_owned(),
        "[]".to_owned(),
        "{".to_owned(),
        good[..good.len() - 1].to_owned(),
        format!("{good}{good}"),
        // A record of a later version, but not one that says which file it is.
        #[cfg(unix)]
        good.replace("\"size\"", "\"more\":1,\"size\""),
        good.replace("\"place\"", "\"more\":1,\"place\""),
        good.replace("\"until\":5", "\"until\":5,\"until\":6"),
        good.replace("32", "-1"),
        good.replace("32", "4294967296"),
        good.replace(":5", ":5.0"),
        good.replace(":5", ":18446744073709551616"),
        good.replace(r#""record":{"size":32,"generation":1,"holder":null,"until":5},"#, ""),
        // Not a record that says which file it is.
        #[cfg(unix)]
        good.to_owned(),
        format!("{good}{}", " ".repeat(16 << 10)),
        "[".repeat(10_000),
    ];
    let (store, path, _folder) = store();
    assert!(swap(&store, 1, None, &record(1, 5)));
    for content in contents {
        let file = path.join(SPACE).join("7.json");
        fs::write(&file, &content).unwrap();
        // The other records are read.
        let snapshot = store.read(SPACE).unwrap();
        assert_eq!(snapshot.records.keys().collect::<Vec<_>>(), [&1]);
        assert!(snapshot.damaged[&7].starts_with(file.to_str().unwrap()), "{snapshot:?}");
        let errors = [
            store.swap(SPACE, 7, None, &record(1, 5)).unwrap_err(),
            store.swap(SPACE, 7, Some(&record(1, 5)), &record(1, 6)).unwrap_err(),
        ];
        for error in errors {
            assert_eq!(error.kind(), StoreErrorKind::Shape, "{content}: {error}");
            assert!(error.to_string().starts_with(file.to_str().unwrap()), "{error}");
        }
        assert_eq!(fs::read_to_string(&file).unwrap(), content);
    }
    // The other node IDs can be renewed meanwhile.
    assert!(swap(&store, 1, Some(&record(1, 5)), &record(1, 6)));
}

#[test]
#[cfg(unix)]
fn a_folder_a_link_or_a_pipe_in_the_place_of_a_file_is_an_error_that_says_so() {
    let makes = [
        ("mkdir", "found a folder"),
        ("ln -s 1.json", "found a symbolic link"),
        ("mkfifo", "found a device"),
    ];
    for (make, message) in makes {
        for name in ["7.json", "7.lock"] {
            let (store, path, _folder) = store();
            assert!(swap(&store, 1, None, &record(1, 5)));
            let folder = path.join(SPACE);
            let made =
                Command::new("sh").args(["-c", &format!("{make} {name}")]).current_dir(folder).status();
            assert!(made.unwrap().success());
            let error = store.swap(SPACE, 7, None, &record(1, 5)).unwrap_err();
            assert_eq!(error.kind(), StoreErrorKind::Shape, "{error}");
            // The operating system refuses to write to a folder.
            let is_told = error.to_string().contains(message) || error.to_string().contains("directory");
            assert!(is_told && error.to_string().contains(name), "{make} {name}: {error}");
            let snapshot = store.read(SPACE).unwrap();
            assert_eq!((snapshot.records.len(), snapshot.damaged.len()), (1, usize::from(name == "7.json")));
        }
    }
}

#[test]
fn files_of_other_names_are_ignored() {
    let (store, path, _folder) = store();
    assert!(swap(&store, 7, None, &record(1, 5)));
    for name in
        [".DS_Store", "7.json~", "07.json", "+7.json", "4294967296.json", "7.0123.tmp", "8.lock", ".json"]
    {
        fs::write(path.join(SPACE).join(name), "?").unwrap();
    }
    assert_eq!(store.read(SPACE).unwrap().records, [(7, record(1, 5))].into());
}

#[test]
fn a_name_that_is_not_of_a_space_leads_nowhere() {
    let (store, path, folder) = store();
    let long = "a".repeat(64);
    for space in ["", ".", "..", "../x", "/tmp", "a/b", "a\\b", "A", "é", "a\0", "a.b", &long] {
        for error in [
            store.read(space).unwrap_err(),
            store.swap(space, 0, None, &record(1, 5)).unwrap_err(),
            store.for_repair().unwrap().swap(space, 0, None, &record(1, 5)).unwrap_err(),
            store.prepare(space).unwrap_err(),
        ] {
            assert_eq!(error.kind(), StoreErrorKind::Config, "{error}");
        }
    }
    assert_eq!(fs::read_dir(path).unwrap().count(), 1);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn a_directory_that_cannot_be_opened_is_an_error_that_says_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    let cases = [
        (file.clone(), StoreErrorKind::Shape, "expected a directory, found a file"),
        (file.join("ids"), StoreErrorKind::Shape, "Move away"),
        (folder.path().join("a/b"), StoreErrorKind::Config, "its parent is not there"),
        ("".into(), StoreErrorKind::Config, "expected a path"),
        (
            "a\0b".into(),
            StoreErrorKind::Config,
            if cfg!(windows) { "expected a path" } else { "cannot read" },
        ),
    ];
    for (path, kind, message) in cases {
        let error = DirectoryStore::open(&path).and_then(|store| store.prepare(SPACE)).unwrap_err();
        assert_eq!(error.kind(), kind, "{error}");
        assert!(error.to_string().contains(message), "{error}");
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn a_directory_that_is_gone_is_not_made_again() {
    let (store, path, _folder) = store();
    assert!(swap(&store, 0, None, &record(1, 5)));
    fs::remove_dir_all(path.join(SPACE)).unwrap();
    assert!(!swap(&store, 0, Some(&record(1, 5)), &record(1, 6)));
    assert!(store.read(SPACE).unwrap().records.is_empty());
    fs::remove_dir_all(&path).unwrap();
    let errors = [
        store.read(SPACE).unwrap_err(),
        store.swap(SPACE, 0, Some(&record(1, 5)), &record(1, 6)).unwrap_err(),
        store.swap(SPACE, 0, None, &record(1, 6)).unwrap_err(),
    ];
    for error in errors {
        assert_eq!(error.kind(), StoreErrorKind::Missing, "{error}");
        assert!(error.to_string().contains("is not there. Mount its volume"), "{error}");
    }
    assert!(!path.exists());
}

/// Another user runs the child, because root may do anything.
#[test]
#[cfg(unix)]
fn without_permission_the_error_says_which() {
    use std::os::unix::{fs::PermissionsExt as _, process::CommandExt as _};

    const NOBODY: u32 = 65534;

    let is_root = has("test", &["-w", "/"]);
    let (store, path, folder) = store();
    assert!(swap(&store, 0, None, &record(1, 5)));
    let set = |name: &str, mode: u32| {
        fs::set_permissions(path.join(name), fs::Permissions::from_mode(mode)).unwrap();
    };
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
    let run = |task: &str| {
        let mut child = child(&[], task, &path);
        if is_root {
            child.uid(NOBODY).gid(NOBODY);
        }
        child.output().map(|output| said(&output.stdout).join(" ")).unwrap_or_default()
    };
    set("", 0o755);
    set(SPACE, 0o555);
    if run("read") != "1 records" {
        println!("left out: another user cannot run this program");
        return;
    }
    let said = run("once");
    assert!(said.starts_with("Denied cannot make file") && said.contains("Let this user"), "{said}");
    // Files of another user are enough, if the folder is shared.
    set(SPACE, 0o777);
    assert_eq!(run("once"), "swapped");
    set("orders/0.json", 0o000);
    let said = run("read");
    assert_eq!(said, "0 records, 1 damaged");
    set(SPACE, 0o000);
    let said = run("read");
    assert!(said.starts_with("Denied cannot open"), "{said}");
    set(SPACE, 0o755);
    set("", 0o000);
    let said = run("read");
    assert!(said.starts_with("Denied cannot"), "{said}");
    set("", 0o755);
}

/// A small file system of its own, if this user may mount one.
#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_changes_no_record() {
    let folder = tempfile::tempdir().unwrap();
    let disk = folder.path().join("disk");
    fs::create_dir(&disk).unwrap();
    if !has("mount", &["-t", "tmpfs", "-o", "size=32k", "none", disk.to_str().unwrap()]) {
        return;
    }
    let full = || {
        let store = DirectoryStore::open(disk.join("ids")).unwrap();
        store.prepare(SPACE).unwrap();
        assert!(store.warning().unwrap().contains("is in memory"));
        assert!(swap(&store, 0, None, &record(1, 5)));
        let fill = disk.join("fill");
        assert!(fs::write(&fill, vec![1; 64 << 10]).is_err());
        let error = store.swap(SPACE, 0, Some(&record(1, 5)), &record(1, 6)).unwrap_err();
        assert_eq!(error.kind(), StoreErrorKind::Unavailable);
        assert!(error.to_string().contains("Make room"), "{error}");
        assert_eq!(fs::read_dir(disk.join("ids").join(SPACE)).unwrap().count(), 2);
        assert_eq!(store.read(SPACE).unwrap().records, [(0, record(1, 5))].into());
        fs::remove_file(fill).unwrap();
        assert!(swap(&store, 0, Some(&record(1, 5)), &record(1, 6)));
    };
    let result = std::panic::catch_unwind(full);
    let read_only = has("mount", &["-o", "remount,ro", disk.to_str().unwrap()]) && result.is_ok();
    let last = read_only.then(|| {
        let store = DirectoryStore::open(disk.join("ids")).unwrap();
        (store.read(SPACE).map(|it| it.records), store.swap(SPACE, 0, Some(&record(1, 6)), &record(1, 7)))
    });
    assert!(has("umount", &[disk.to_str().unwrap()]));
    result.unwrap();
    if let Some((read, swapped)) = last {
        assert_eq!(read.unwrap(), [(0, record(1, 6))].into());
        let error = swapped.unwrap_err();
        assert_eq!(error.kind(), StoreErrorKind::Denied, "{error}");
        assert!(error.to_string().contains("Mount it writable"), "{error}");
    }
}

#[test]
fn a_name_that_is_too_long_is_not_written() {
    let (store, _path, _folder) = store();
    let mut long = record(1, 5);
    long.holder.as_mut().unwrap().name = "x".repeat(20_000);
    let error = store.swap(SPACE, 0, None, &long).unwrap_err();
    assert_eq!(error.kind(), StoreErrorKind::Config, "{error}");
    assert!(store.read(SPACE).unwrap().records.is_empty());
}

/// Someone removes the lock while a process waits for it.
#[test]
fn a_lock_that_was_removed_is_made_anew() {
    let (store, path, _folder) = store();
    assert!(swap(&store, 0, None, &record(1, 5)));
    fs::remove_file(path.join(SPACE).join("0.lock")).unwrap();
    assert!(swap(&store, 0, Some(&record(1, 5)), &record(1, 6)));
    assert!(path.join(SPACE).join("0.lock").exists());
}

#[test]
fn a_repair_writes_a_damaged_record_anew() {
    let (store, path, _folder) = store();
    let next = record(1, 5);
    assert!(swap(&store, 4, None, &next) && swap(&store, 5, None, &next));
    let file = path.join(SPACE).join("4.json");
    for damaged in ["", "{", "\0\0\0\0"] {
        fs::write(&file, damaged).unwrap();
        let damage = &store.read(SPACE).unwrap().damaged[&4];
        assert!(damage.contains("run `sortid nodes repair`"), "{damage}");
        let repair = Repair::plan(&store, SPACE, None, Duration::from_secs(1)).unwrap();
        repair.run(|_, _| {}).unwrap();
        let snapshot = store.read(SPACE).unwrap();
        assert_eq!((snapshot.records.len(), snapshot.damaged.len()), (32, 0));
        assert!(snapshot.records[&4].until > 1_700_000_000_000 && snapshot.records[&4].holder.is_none());
    }
}
