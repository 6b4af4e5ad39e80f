//! Crashes, errors and stops at each system call of a swap, by strace.

use crate::directory::{
    SPACE, has,
    processes::{child, said},
    record, store, swap,
};
use sortid_fleet::{DirectoryStore, Init, Record, Store, StoreErrorKind, init, size_of};
use std::{
    fs,
    io::Read as _,
    path::Path,
    process::{Command, Stdio},
    thread,
    time::Duration,
};

fn has_strace() -> bool {
    has("strace", &["-o", "/dev/null", "true"])
}

/// What the trace of a process with a task says, and what the process said.
fn traced(task: &str, path: &Path, trace: &Path, options: &[&str]) -> (String, Vec<String>) {
    let _ = fs::remove_file(trace);
    let wrapper = [&["strace", "-f", "-qq", "-y", "-o", trace.to_str().unwrap()], options].concat();
    let output = child(&wrapper, task, path).output().unwrap();
    (fs::read_to_string(trace).unwrap(), said(&output.stdout))
}

#[test]
fn the_file_is_synced_before_it_is_renamed_and_the_folders_before_the_answer() {
    if !has_strace() {
        return;
    }
    let (_store, path, folder) = store();
    let calls = "trace=mkdir,mkdirat,flock,openat,write,fsync,rename,renameat,renameat2";
    // The beginning of the fleet, and a swap.
    fs::remove_dir_all(&path).unwrap();
    for (task, outcome) in [("begin", "Begun"), ("once", "swapped")] {
        let (trace, said) = traced(task, &path, &folder.path().join("trace"), &["-e", calls]);
        assert_eq!(said, [outcome]);
        let after = |from: usize, what: &[&str]| {
            let mut lines = trace.lines().enumerate().skip(from);
            let found = lines.find(|(_, line)| what.iter().all(|what| line.contains(what)));
            found.unwrap_or_else(|| panic!("{what:?} after line {from}: {trace}")).0
        };
        let mut at = 0;
        if task == "begin" {
            at = after(at, &["mkdir", "/ids\""]);
            let parent_synced = after(at, &["fsync(", &format!("<{}>", folder.path().display())]);
            let made = after(parent_synced, &["mkdir", "/ids/orders\""]);
            at = after(made, &["fsync(", "/ids>"]);
        }
        at = after(at, &["flock(", "/orders/0.lock>", "LOCK_EX"]);
        at = after(at, &["openat(", "/orders/0.", ".tmp\"", "O_EXCL"]);
        at = after(at, &["write(", "/orders/0.", ".tmp>"]);
        at = after(at, &["fsync(", "/orders/0.", ".tmp>"]);
        at = after(at, &["rename", ".tmp", "/orders/0.json"]);
        at = after(at, &["fsync(", "/orders>"]);
        at = after(at, &["flock(", "/orders/0.lock>", "LOCK_UN"]);
        after(at, &["write(1<", outcome]);
    }
}

/// A process is killed before its nth call of a kind, for all n. The record is the old or the new one, the new one if it was
/// acknowledged, and the next process can go on at once.
#[test]
fn a_process_can_be_killed_at_each_call_of_a_swap() {
    if !has_strace() {
        return;
    }
    let (store, path, folder) = store();
    let mut last = record(1, 0);
    assert!(swap(&store, 0, None, &last));
    // (call, least number of crashes)
    let calls = [("openat", 5), ("write", 2), ("fsync", 3), ("/^rename", 1), ("flock", 2), ("statx", 4)];
    for (call, least) in calls {
        let mut crashes = 0;
        for nth in 1.. {
            let inject = format!("inject={call}:signal=KILL:when={nth}");
            let (_, said) = traced("once", &path, &folder.path().join("trace"), &["-e", &inject]);
            let found = store.read(SPACE).unwrap().records.remove(&0).unwrap();
            assert!(found.until == last.until || found.until == last.until + 1, "{inject}: {found:?}");
            assert!(said.is_empty() || found.until > last.until, "{inject}: {said:?}");
            // A renewal, and a take.
            let renewed = found.clone().changed(|it| it.until += 1);
            assert!(swap(&store, 0, Some(&found), &renewed), "{inject}");
            last = renewed.freed();
            assert!(swap(&store, 0, Some(&renewed), &last), "{inject}");
            assert_eq!(fs::read_dir(path.join(SPACE)).unwrap().count(), 2, "{inject}");
            if !said.is_empty() {
                break;
            }
            crashes += 1;
        }
        assert!(crashes >= least, "{call}: {crashes}");
    }
}

/// A fleet was created with one size, or not at all. Where it was not, another fleet can be created.
#[test]
fn a_process_can_be_killed_at_each_call_of_the_beginning() {
    if !has_strace() {
        return;
    }
    for call in ["/^mkdir", "openat", "fsync", "/^rename", "flock"] {
        for nth in 1.. {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("ids");
            let inject = format!("inject={call}:signal=KILL:when={nth}");
            let (_, said) = traced("begin", &path, &folder.path().join("trace"), &["-e", &inject]);
            let store = DirectoryStore::open(&path).unwrap();
            let found = size_of(&store, SPACE).ok().flatten();
            assert!(found.is_none() || found == Some(32), "{inject}: {found:?}");
            assert!(said.is_empty() || found.is_some(), "{inject}: {said:?}");
            let again = init(&store, SPACE, 256);
            match found {
                Some(_) => assert_eq!(again.unwrap_err().kind(), StoreErrorKind::Config, "{inject}"),
                None => assert_eq!(again.unwrap(), Init::Begun, "{inject}"),
            }
            let size = found.unwrap_or(256);
            assert_eq!(store.read(SPACE).unwrap().records, [(0, Record::beginning(size))].into(), "{inject}");
            assert_eq!(fs::read_dir(path.join(SPACE)).unwrap().count(), 2, "{inject}");
            if !said.is_empty() {
                break;
            }
        }
    }
}

#[test]
fn an_error_at_each_call_of_a_swap_leaves_a_record_that_is_whole() {
    if !has_strace() {
        return;
    }
    let (store, path, folder) = store();
    let mut last = record(1, 0);
    assert!(swap(&store, 0, None, &last));
    // Calls: the folder when reading, the temporary file, the folder after the swap.
    let faults = [
        ("fsync:error=EIO:when=1", "Unavailable cannot sync", false),
        ("fsync:error=EIO:when=2", "Unavailable cannot write", false),
        ("fsync:error=ENOSPC:when=2", "Unavailable cannot write", false),
        ("fsync:error=EIO:when=3", "Unavailable cannot sync", true),
        ("/^rename:error=ENOSPC", "Unavailable cannot replace", false),
        ("/^rename:error=EACCES", "Denied cannot replace", false),
        ("/^rename:error=EROFS", "Denied cannot replace", false),
        ("flock:error=ENOLCK:when=1", "Unavailable cannot lock", false),
        ("flock:error=EOPNOTSUPP:when=1", "Config cannot lock", false),
    ];
    for (fault, message, is_replaced) in faults {
        let inject = format!("inject={fault}");
        let (trace, said) = traced("once", &path, &folder.path().join("trace"), &["-e", &inject]);
        assert!(said.len() == 1 && said[0].starts_with(message), "{inject}: {said:?} {trace}");
        let found = store.read(SPACE).unwrap().records.remove(&0).unwrap();
        assert_eq!(found.until, last.until + u64::from(is_replaced), "{inject}");
        assert_eq!(fs::read_dir(path.join(SPACE)).unwrap().count(), 2, "{inject}");
        last = found.clone().changed(|it| it.until += 1);
        assert!(swap(&store, 0, Some(&found), &last), "{inject}");
    }
}

/// What is read can be relied on, so it is synced: the process that wrote it may have died before it did that.
#[test]
fn what_is_read_is_durable() {
    if !has_strace() {
        return;
    }
    let (store, path, folder) = store();
    assert!(swap(&store, 0, None, &record(1, 0)));
    let trace = folder.path().join("trace");
    let wrapper = ["strace", "-f", "-qq", "-y", "-o", trace.to_str().unwrap(), "-e", "trace=openat,fsync"];
    let output = child(&wrapper, "read", &path).output().unwrap();
    assert_eq!(said(&output.stdout), ["1 records"]);
    let trace = fs::read_to_string(trace).unwrap();
    let read = trace.find("/orders/0.json\"").unwrap();
    assert!(
        trace[read..].lines().any(|line| line.contains("fsync(") && line.contains("/orders>")),
        "{trace}"
    );
}

#[test]
fn a_process_that_is_stopped_within_a_swap_blocks_its_node_id_only() {
    if !has_strace() {
        return;
    }
    let (store, path, folder) = store();
    for node_id in 0..3 {
        assert!(swap(&store, node_id, None, &record(1, 0)));
    }
    let trace = folder.path().join("trace");
    let wrapper = ["strace", "-f", "-qq", "-o", trace.to_str().unwrap()];
    let wrapper = [&wrapper[..], &["-e", "inject=/^rename:signal=STOP"]].concat();
    let mut stopped = child(&wrapper, "once", &path).spawn().unwrap();
    let pid = loop {
        assert!(stopped.try_wait().unwrap().is_none());
        let trace = fs::read_to_string(&trace).unwrap_or_default();
        if let Some(line) = trace.lines().find(|line| line.contains("stopped by SIGSTOP")) {
            break line.split_whitespace().next().unwrap().to_owned();
        }
        thread::sleep(Duration::from_millis(10));
    };
    let next = record(1, 5);
    let others = [1, 2].map(|node_id| store.swap(SPACE, node_id, Some(&record(1, 0)), &next));
    let read = store.read(SPACE);
    let same = store.swap(SPACE, 0, Some(&record(1, 0)), &next);
    assert!(has("kill", &["-CONT", &pid]));
    let output = stopped.wait_with_output().unwrap();

    assert!(others.into_iter().all(|it| it.unwrap().swapped));
    assert_eq!(read.unwrap().records.len(), 3);
    let error = same.unwrap_err();
    assert_eq!(error.kind(), StoreErrorKind::Unavailable);
    assert!(error.to_string().contains("0.lock within 3 s: "), "{error}");
    let found = store.read(SPACE).unwrap().records.remove(&0).unwrap();
    assert_eq!((said(&output.stdout), found.until), (vec!["swapped".to_owned()], 1));
}

/// The operator learns which process it is.
#[test]
fn the_error_of_a_lock_names_its_process() {
    if !has("flock", &["--version"]) {
        return;
    }
    let (store, path, _folder) = store();
    assert!(swap(&store, 0, None, &record(1, 0)));
    let lock = path.join(SPACE).join("0.lock");
    let mut holder = Command::new("flock")
        .args([lock.to_str().unwrap(), "sh", "-c", "echo locked; cat"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    holder.stdout.as_mut().unwrap().read_exact(&mut [0; 7]).unwrap();
    let error = store.swap(SPACE, 0, Some(&record(1, 0)), &record(1, 5)).unwrap_err();
    drop(holder.stdin.take());
    holder.wait().unwrap();
    // Some file systems show another device there.
    let expected = [format!("process {} (\"flock\")", holder.id()), "another process".to_owned()];
    assert!(expected.iter().any(|it| error.to_string().contains(it)), "{error}");
    assert!(swap(&store, 0, Some(&record(1, 0)), &record(1, 5)));
}
