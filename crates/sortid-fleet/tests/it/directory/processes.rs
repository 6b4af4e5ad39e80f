//! Several processes.

use crate::directory::{SPACE, record, store, swap};
use sortid_fleet::{DirectoryStore, Holder, Record, Store, StoreErrorKind, init};
use std::{
    collections::{BTreeMap, BTreeSet},
    env,
    io::{BufRead as _, BufReader, Write as _},
    path::Path,
    process::{Child, Command, Stdio},
    sync::{
        Mutex,
        atomic::{AtomicBool, Ordering::SeqCst},
    },
    thread,
    time::Duration,
};

/// How the output of a child begins. The rest is the test runner's.
const MARK: &str = "\u{1}";

/// A command that runs this program as a child. `wrapper` is a program that runs it.
pub(crate) fn child(wrapper: &[&str], task: &str, path: &Path) -> Command {
    let program = env::current_exe().unwrap();
    let mut words = wrapper.iter().map(std::ffi::OsStr::new).chain([program.as_os_str()]);
    let mut command = Command::new(words.next().unwrap());
    command.args(words).args([
        "directory::processes::run_child",
        "--exact",
        "--ignored",
        "--nocapture",
        "--test-threads=1",
    ]);
    command.env("SORTID_TASK", task).env("SORTID_PATH", path);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    command
}

/// What the child said, after it ended.
pub(crate) fn said(output: &[u8]) -> Vec<String> {
    let output = String::from_utf8_lossy(output);
    let lines = output.lines().filter_map(|line| line.split_once(MARK));
    // A line without an end is lost if the child was killed.
    lines.filter_map(|(_, said)| said.strip_suffix('.').map(str::to_owned)).collect()
}

fn say(what: &str) {
    let mut output = std::io::stdout().lock();
    output.write_all(format!("{MARK}{what}.\n").as_bytes()).unwrap();
    output.flush().unwrap();
}

#[test]
#[ignore = "the other tests run it"]
fn run_child() {
    let Ok(task) = env::var("SORTID_TASK") else { return };
    let path = env::var_os("SORTID_PATH").unwrap();
    let store = match DirectoryStore::open(path) {
        Ok(store) => store,
        Err(error) => return say(&format!("{:?} {error}", error.kind())),
    };
    match task.as_str() {
        "once" => {
            let swap = store.read(SPACE).and_then(|mut snapshot| {
                let old = snapshot.records.remove(&0);
                let next = old.clone().map_or(record(1, 0), |old| old.changed(|it| it.until += 1));
                store.swap(SPACE, 0, old.as_ref(), &next)
            });
            match swap {
                Ok(it) => say(if it.swapped { "swapped" } else { "not swapped" }),
                Err(error) => say(&format!("{:?} {error}", error.kind())),
            }
        }
        "begin" => match init(&store, SPACE, 32) {
            Ok(it) => say(&format!("{it:?}")),
            Err(error) => say(&format!("{:?} {error}", error.kind())),
        },
        "read" => match store.read(SPACE) {
            Ok(it) if it.damaged.is_empty() => say(&format!("{} records", it.records.len())),
            Ok(it) => say(&format!("{} records, {} damaged", it.records.len(), it.damaged.len())),
            Err(error) => say(&format!("{:?} {error}", error.kind())),
        },
        "race" => thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| race(&store));
            }
        }),
        _ => count(&store, task.parse().unwrap()),
    }
}

/// Each generation of the record is a round.
fn race(store: &DirectoryStore) {
    const ROUNDS: u64 = 200;

    loop {
        let old = store.read(SPACE).unwrap().records.remove(&0).unwrap();
        if old.generation == ROUNDS {
            return;
        }
        let instance = format!("{} {:?}", std::process::id(), thread::current().id());
        let holder = Some(Holder::new(String::new(), instance));
        let next = old.clone().changed(|it| {
            it.generation += 1;
            it.holder = holder;
        });
        match store.swap(SPACE, 0, Some(&old), &next) {
            Ok(it) if it.swapped => say(&next.generation.to_string()),
            Ok(_) => {}
            Err(error) => assert_eq!(error.kind(), StoreErrorKind::Unavailable, "{error}"),
        }
    }
}

/// Raises the `until` of a node ID for ever, and says each that was acknowledged.
fn count(store: &DirectoryStore, node_id: u32) {
    loop {
        let old = store.read(SPACE).unwrap().records.remove(&node_id).unwrap();
        let next = old.clone().changed(|it| it.until += 1);
        match store.swap(SPACE, node_id, Some(&old), &next) {
            Ok(it) if it.swapped => say(&next.until.to_string()),
            Ok(_) => {}
            Err(error) => assert_eq!(error.kind(), StoreErrorKind::Unavailable, "{error}"),
        }
    }
}

#[test]
fn each_round_has_one_winner_among_8_threads_in_each_of_8_processes() {
    let (store, path, _folder) = store();
    assert!(swap(&store, 0, None, &record(0, 0)));
    let children: Vec<_> = (0..8).map(|_| child(&[], "race", &path).spawn().unwrap()).collect();
    let mut wins: Vec<u64> = vec![];
    for child in children {
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{output:?}");
        wins.extend(said(&output.stdout).iter().map(|win| win.parse::<u64>().unwrap()));
    }
    wins.sort_unstable();
    assert_eq!(wins, (1..=200).collect::<Vec<_>>());
}

#[test]
fn a_reader_sees_all_records_and_no_until_goes_back_while_others_swap() {
    const SIZE: u32 = 4;

    let (store, _path, _folder) = store();
    for node_id in 0..SIZE {
        assert!(swap(&store, node_id, None, &record(1, 0)));
    }
    let is_done = AtomicBool::new(false);
    thread::scope(|scope| {
        for node_id in 0..SIZE {
            let (store, is_done) = (&store, &is_done);
            scope.spawn(move || {
                let mut until = 0;
                while !is_done.load(SeqCst) {
                    assert!(swap(store, node_id, Some(&record(1, until)), &record(1, until + 1)));
                    until += 1;
                }
            });
        }
        let mut last = store.read(SPACE).unwrap().records;
        let is_right = (0..300).all(|_| {
            let Ok(found) = store.read(SPACE) else { return false };
            let before = std::mem::replace(&mut last, found.records);
            let is_later = |(node_id, before): (&u32, &Record)| {
                last.get(node_id).is_some_and(|it| it.until >= before.until)
            };
            before.len() == last.len() && before.iter().all(is_later)
        });
        is_done.store(true, SeqCst);
        assert!(is_right);
    });
}

/// Processes are killed at any point. Nothing that they acknowledged is lost, and no `until` is acknowledged twice.
#[test]
fn no_acknowledged_until_is_lost_when_processes_are_killed() {
    const SIZE: u32 = 3;
    const KILLED: u64 = 60;

    let (store, path, _folder) = store();
    for node_id in 0..SIZE {
        assert!(swap(&store, node_id, None, &record(1, 0)));
    }
    let acknowledged = Mutex::new(BTreeMap::<u32, BTreeSet<u64>>::new());
    thread::scope(|scope| {
        let start = |node_id: u32| -> Child {
            let mut child = child(&[], &node_id.to_string(), &path).spawn().unwrap();
            let output = BufReader::new(child.stdout.take().unwrap());
            let acknowledged = &acknowledged;
            scope.spawn(move || {
                for line in output.lines().map_while(Result::ok) {
                    for until in said(line.as_bytes()) {
                        let mut acknowledged = acknowledged.lock().unwrap();
                        assert!(
                            acknowledged.entry(node_id).or_default().insert(until.parse().unwrap()),
                            "{until}"
                        );
                    }
                }
            });
            child
        };
        let mut children: Vec<_> = (0..SIZE * 2).map(|it| (it % SIZE, start(it % SIZE))).collect();
        for killed in 0..KILLED {
            thread::sleep(Duration::from_millis(20 + killed * 7 % 30));
            let (node_id, mut child) = children.remove(0);
            child.kill().unwrap();
            child.wait().unwrap();
            children.push((node_id, start(node_id)));
        }
        for (_, mut child) in children {
            child.kill().unwrap();
            child.wait().unwrap();
        }
    });
    let records = store.read(SPACE).unwrap().records;
    for (node_id, acknowledged) in acknowledged.into_inner().unwrap() {
        let record = &records[&node_id];
        assert!(record.until >= *acknowledged.last().unwrap());
    }
    // The reader removed what the killed processes left.
    let names = std::fs::read_dir(path.join(SPACE)).unwrap().map(|entry| entry.unwrap().file_name());
    let stale: Vec<_> = names.filter(|name| name.to_str().unwrap().ends_with(".tmp")).collect();
    assert!(stale.is_empty(), "{stale:?}");
}
