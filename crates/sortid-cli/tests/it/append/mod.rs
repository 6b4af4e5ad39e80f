//! `sortid ledger append` beside readers that go away, other processes, and files that change meanwhile.
#![cfg(unix)]

mod cut;
mod end;

use crate::common::{Folder, json_lines, run, run_with, shown, sortid, text};
use sortid::evently_ledger::{Report, Verifier};
use std::{
    fs::{self, File},
    io::{BufRead, BufReader, Read, Write},
    os::unix::fs::symlink,
    path::Path,
    process::{Child, ChildStdin, ChildStdout, Command, Output, Stdio},
};

fn event(number: usize) -> String {
    format!("{{\"event\":\"counted\",\"entity\":\"number\",\"key\":\"{number}\"}}\n")
}

fn events(count: usize) -> String {
    (0..count).map(event).collect()
}

fn append(ledger: &str, events: &str) -> Output {
    run(&["ledger", "append", "--ledger", ledger], events.as_bytes())
}

fn verify(path: impl AsRef<Path>) -> Report {
    Verifier::new(None).verify(fs::read(path).unwrap().split(|&byte| byte == b'\n'))
}

/// A running `append` that gets its events one at a time.
struct Appender {
    child: Child,
    stdin: ChildStdin,
    acknowledged: BufReader<ChildStdout>,
}

impl Appender {
    fn start(ledger: &str) -> Self {
        let mut child = sortid(&["ledger", "append", "--ledger", ledger])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let (stdin, stdout) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        Self { child, stdin, acknowledged: BufReader::new(stdout) }
    }

    fn give(&mut self, number: usize) {
        // It may have ended.
        let _ = self.stdin.write_all(event(number).as_bytes());
    }

    /// Gives an event and waits until its ID is acknowledged.
    fn add(&mut self, number: usize) -> String {
        self.give(number);
        let mut id = String::new();
        self.acknowledged.read_line(&mut id).unwrap();
        assert_eq!(id.len(), 33, "{id:?}");
        id.trim_end().to_owned()
    }

    /// The exit code, what else was acknowledged, and the messages.
    fn end(mut self) -> (Option<i32>, String, String) {
        drop(self.stdin);
        let mut rest = String::new();
        self.acknowledged.read_to_string(&mut rest).unwrap();
        let output = self.child.wait_with_output().unwrap();
        (output.status.code(), rest, text(&output.stderr))
    }
}

fn has_strace() -> bool {
    let has = Command::new("strace")
        .args(["-o", "/dev/null", "true"])
        .status()
        .is_ok_and(|status| status.success());
    if !has {
        println!("left out: there is no strace that may trace");
    }
    has
}

#[test]
fn a_reader_of_acknowledgements_that_goes_away_is_an_error_that_tells_what_is_on_disk() {
    let folder = Folder::new("reader");
    fs::write(folder.path("events"), events(100_000)).unwrap();
    for (name, json) in [("text", ""), ("json", "--json")] {
        let ledger = folder.path(name);
        let script = format!(
            "{{ {} ledger append {json} --ledger {ledger} < {}; echo $? >&2; }} | head -n 1",
            env!("CARGO_BIN_EXE_sortid"),
            folder.path("events")
        );
        let output = Command::new("sh").args(["-c", &script]).output().unwrap();
        let stderr = text(&output.stderr);
        assert_eq!(stderr.lines().last(), Some("2"), "{stderr}");
        let report = verify(&ledger);
        assert_eq!(report.faults, 0);
        let last = report.last_event_id.unwrap().to_string();
        for part in [
            "cannot write the acknowledgements to standard output",
            &format!("{} events of the input were written to disk", report.events),
            &last,
            &format!("after line {}", report.events),
        ] {
            assert!(stderr.contains(part), "{part}: {stderr}");
        }
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_standard_output_that_is_full_is_an_error() {
    let folder = Folder::new("full-stdout");
    let ledger = folder.path("ledger");
    let mut child = sortid(&["ledger", "append", "--ledger", &ledger])
        .stdin(Stdio::piped())
        .stdout(File::options().write(true).open("/dev/full").unwrap())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(events(3).as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", shown(&output));
    assert!(
        text(&output.stderr).contains("3 events of the input were written to disk"),
        "{}",
        shown(&output)
    );
    assert_eq!(verify(&ledger).events, 3);
}

/// The file changes between two events of a running `append`. The second one is not acknowledged.
#[test]
fn a_file_that_is_not_what_it_was_is_an_error_and_gets_no_event() {
    type Change = fn(&str, &Folder);
    let renamed: Change = |ledger, folder| fs::rename(ledger, folder.path("renamed")).unwrap();
    let changes: [(&str, Change, &[&str]); 7] = [
        ("renamed", renamed, &["was renamed", "renamed"]),
        ("removed", |ledger, _| fs::remove_file(ledger).unwrap(), &["was removed"]),
        (
            "rotated",
            |ledger, folder| {
                fs::rename(ledger, folder.path("renamed")).unwrap();
                fs::write(ledger, "").unwrap();
            },
            &["another file", "renamed"],
        ),
        (
            "replaced",
            |ledger, folder| {
                fs::copy(ledger, folder.path("copy")).unwrap();
                fs::rename(folder.path("copy"), ledger).unwrap();
            },
            &["another file"],
        ),
        (
            "rewritten",
            |ledger, _| {
                let content = fs::read_to_string(ledger).unwrap().replace("counted", "Counted");
                File::options().write(true).open(ledger).unwrap().write_all(content.as_bytes()).unwrap();
            },
            &["last event has changed"],
        ),
        (
            "shortened",
            |ledger, _| File::options().write(true).open(ledger).unwrap().set_len(3).unwrap(),
            &["shorter"],
        ),
        (
            "rewritten and longer",
            |ledger, _| {
                let content = fs::read_to_string(ledger).unwrap().replace("counted", "Counted!");
                fs::write(ledger, content).unwrap();
            },
            &["last event has changed"],
        ),
    ];
    for (name, change, messages) in changes {
        let folder = Folder::new("changed");
        let ledger = folder.path("ledger");
        let mut appender = Appender::start(&ledger);
        let ids = [appender.add(0), appender.add(1)];
        change(&ledger, &folder);
        let before = fs::read(&ledger).ok();
        let moved = fs::read(folder.path("renamed")).ok();
        appender.give(2);
        let (code, rest, stderr) = appender.end();
        assert_eq!((code, &*rest), (Some(2), ""), "{name}: {stderr}");
        for part in messages.iter().chain(&["2 events of the input", &*ids[1], "after line 2"]) {
            assert!(stderr.contains(part), "{name}: {part}: {stderr}");
        }
        assert_eq!(fs::read(&ledger).ok(), before, "{name}");
        assert_eq!(fs::read(folder.path("renamed")).ok(), moved, "{name}");
        assert!(!Path::new(&folder.path("ledger.cut")).exists(), "{name}");
    }
}

#[test]
fn what_another_process_has_added_is_built_on() {
    let folder = Folder::new("other");
    let ledger = folder.path("ledger");
    let mut appender = Appender::start(&ledger);
    for number in 0..5 {
        appender.add(number);
        assert!(append(&ledger, &events(3)).status.success());
    }
    // Half a line that another process leaves, and blank lines.
    File::options().append(true).open(&ledger).unwrap().write_all(b"{\"half").unwrap();
    appender.add(5);
    assert_eq!(fs::read(folder.path("ledger.cut")).unwrap(), b"{\"half");
    let content = fs::read_to_string(&ledger).unwrap();
    File::options().append(true).open(&ledger).unwrap().write_all(b"\n \r\n").unwrap();
    appender.add(6);
    assert!(fs::read_to_string(&ledger).unwrap().starts_with(&content));
    assert_eq!(appender.end().0, Some(0));
    assert_eq!((verify(&ledger).events, verify(&ledger).faults), (22, 0));
}

/// Before the running `append` has read an event, it has only written one.
#[test]
fn what_another_process_leaves_behind_does_not_begin_the_ledger_anew() {
    for left in ["\n", "  ", " \r\n\n", "{\"half", "\0\0\0"] {
        let folder = Folder::new("left");
        let ledger = folder.path("ledger");
        let mut appender = Appender::start(&ledger);
        appender.add(0);
        File::options().append(true).open(&ledger).unwrap().write_all(left.as_bytes()).unwrap();
        appender.add(1);
        assert_eq!(appender.end().0, Some(0));
        assert_eq!((verify(&ledger).events, verify(&ledger).faults), (2, 0), "{left:?}");
    }
}

#[test]
fn a_file_that_stayed_empty_is_removed_and_others_begin_it_anew() {
    let folder = Folder::new("empty");
    let ledger = folder.path("ledger");
    for (input, code) in [("", 0), ("\n \n", 0), ("nonsense\n", 1), ("{\"event\":\"no entity\"}\n", 1)] {
        let output = append(&ledger, input);
        assert_eq!(output.status.code(), Some(code), "{}", shown(&output));
        assert!(!Path::new(&ledger).exists(), "{input:?}");
    }
    // A file that was there before stays, and so does a link.
    fs::write(&ledger, "").unwrap();
    append(&ledger, "nonsense\n");
    assert!(Path::new(&ledger).exists());
    fs::remove_file(&ledger).unwrap();

    // The first process makes the file, the second one opens it, the first one removes it.
    let first = Appender::start(&ledger);
    while !Path::new(&ledger).exists() {
        std::thread::yield_now();
    }
    let mut second = Appender::start(&ledger);
    std::thread::sleep(std::time::Duration::from_millis(100));
    assert_eq!(first.end().0, Some(0));
    let id = second.add(1);
    assert_eq!(second.end().0, Some(0));
    assert_eq!(verify(&ledger).last_event_id.unwrap().to_string(), id);
}

#[test]
fn processes_that_begin_a_ledger_at_once_make_one_ledger() {
    let folder = Folder::new("at-once");
    for round in 0..20 {
        let ledger = folder.path(&round.to_string());
        let mut appenders: Vec<_> = (0..4).map(|_| Appender::start(&ledger)).collect();
        for (number, appender) in appenders.iter_mut().enumerate() {
            // The first process adds nothing, and may remove the file.
            if number > 0 {
                appender.give(number);
            }
        }
        let ends: Vec<_> = appenders.into_iter().map(Appender::end).collect();
        assert!(ends.iter().all(|(code, ..)| *code == Some(0)), "{ends:?}");
        let report = verify(&ledger);
        assert_eq!((report.events, report.faults), (3, 0), "{ends:?}");
    }
}

#[test]
fn a_path_that_does_not_lead_to_a_file_is_refused() {
    let folder = Folder::new("places");
    let path = |name| folder.path(name);
    symlink(path("circle"), path("circle")).unwrap();
    symlink(path("missing/ledger"), path("dangling")).unwrap();
    assert!(Command::new("mkfifo").arg(path("pipe")).status().unwrap().success());
    for (name, message) in [
        ("circle", "symbolic link"),
        ("dangling", "No such file"),
        ("pipe", "expected a file, found a device or a pipe"),
        (".", "expected a file, found a folder"),
        ("missing/ledger", "No such file"),
    ] {
        for args in [&["append", "--ledger"][..], &["repair", "--write"]] {
            let output = run(&[&["ledger"], args, &[&path(name)]].concat(), event(0).as_bytes());
            assert_eq!(output.status.code(), Some(2), "{name}: {}", shown(&output));
            let stderr = text(&output.stderr);
            assert!(stderr.contains(message) || args[0] == "repair", "{name}: {}", shown(&output));
        }
    }
    assert!(!Path::new(&path("missing")).exists());
}

#[test]
fn a_ledger_behind_a_link_is_one_ledger_and_keeps_what_is_cut_beside_it() {
    let folder = Folder::new("link");
    fs::create_dir(folder.path("real")).unwrap();
    fs::create_dir(folder.path("links")).unwrap();
    let (real, link) = (folder.path("real/ledger"), folder.path("links/ledger"));
    symlink("../real/other", &link).unwrap();
    symlink("ledger", folder.path("real/other")).unwrap();
    // The links stay, and the file is made where they lead to.
    assert_eq!(append(&link, "nonsense").status.code(), Some(1));
    assert!(!Path::new(&real).exists() && fs::symlink_metadata(&link).is_ok());
    assert!(append(&link, &events(2)).status.success());
    assert!(append(&real, &events(2)).status.success());
    File::options().append(true).open(&real).unwrap().write_all(b"{\"half").unwrap();
    assert!(append(&link, &events(1)).status.success());
    assert_eq!((verify(&real).events, verify(&real).faults), (5, 0));
    assert_eq!(fs::read(folder.path("real/ledger.cut")).unwrap(), b"{\"half");
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
}

#[test]
fn acknowledgements_do_not_go_into_the_ledger() {
    let folder = Folder::new("output");
    let ledger = folder.path("ledger");
    assert!(append(&ledger, &events(1)).status.success());
    let before = fs::read(&ledger).unwrap();
    let file = || File::options().append(true).open(&ledger).unwrap();
    for args in [&["ledger", "append", "--ledger", &ledger][..], &["ledger", "repair", &ledger]] {
        // The event would have a warning.
        let run = |mut command: Command| {
            let mut child = command.stdin(Stdio::piped()).spawn().unwrap();
            let event = event(1).replace('}', ",\"note\":1}");
            let _ = child.stdin.take().unwrap().write_all(event.as_bytes());
            let output = child.wait_with_output().unwrap();
            assert_eq!(output.status.code(), Some(2), "{}", shown(&output));
            assert!(fs::read(&ledger).unwrap() == before);
            text(&[output.stdout, output.stderr].concat())
        };
        let mut command = sortid(args);
        command.stdout(file()).stderr(Stdio::piped());
        assert!(run(command).contains("expected another standard output, found the ledger"));
        let mut command = sortid(args);
        command.stdout(Stdio::piped()).stderr(file());
        assert!(run(command).contains("expected another standard error, found the ledger"));
        let mut command = sortid(args);
        command.stdout(file()).stderr(file());
        assert_eq!(run(command), "");
    }
}

#[test]
fn a_new_ledger_that_another_program_empties_stays_a_file() {
    let folder = Folder::new("emptied");
    let ledger = folder.path("ledger");
    let mut appender = Appender::start(&ledger);
    appender.add(0);
    fs::write(&ledger, "").unwrap();
    appender.give(1);
    assert_eq!(appender.end().0, Some(2));
    assert!(Path::new(&ledger).exists());
}

/// Each process makes the directory durable before its first acknowledgement: the directory that has the file, not the
/// one that has a link to it.
#[test]
#[cfg(target_os = "linux")]
fn the_directory_of_the_file_is_synced_before_the_first_acknowledgement() {
    if !has_strace() {
        return;
    }
    let folder = Folder::new("synced");
    fs::create_dir(folder.path("real")).unwrap();
    fs::create_dir(folder.path("links")).unwrap();
    symlink("../real/ledger", folder.path("links/ledger")).unwrap();
    // The file is new in the first round.
    for round in 0..2 {
        let trace = folder.path("trace");
        let mut strace = Command::new("strace");
        strace.args(["-f", "-qq", "-y", "-o", &trace, "-e", "trace=fsync,fdatasync,write"]);
        strace.args([
            env!("CARGO_BIN_EXE_sortid"),
            "ledger",
            "append",
            "--ledger",
            &folder.path("links/ledger"),
        ]);
        let output = run_with(strace, event(round).as_bytes());
        assert!(output.status.success(), "{}", shown(&output));
        let trace = fs::read_to_string(trace).unwrap();
        let at = |call: &str, file: &str| {
            let found = trace.lines().position(|line| line.contains(call) && line.contains(file));
            found.unwrap_or_else(|| panic!("{call} {file}: {trace}"))
        };
        let directory = at("fsync(", "/real>)");
        assert!(at("fdatasync(", "/real/ledger>)") < directory, "{trace}");
        assert!(directory < at("write(1<", ""), "{trace}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_lock_that_another_process_keeps_is_an_error_that_names_the_process() {
    let folder = Folder::new("locked");
    let ledger = folder.path("ledger");
    append(&ledger, &events(2));
    let half = [fs::read(&ledger).unwrap(), b"{\"half".to_vec()].concat();
    fs::write(&ledger, &half).unwrap();
    let Ok(mut holder) = Command::new("flock")
        .args([&*ledger, "sh", "-c", "echo locked; cat"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
    else {
        println!("left out: there is no flock");
        return;
    };
    let mut line = String::new();
    BufReader::new(holder.stdout.take().unwrap()).read_line(&mut line).unwrap();
    for args in [&["append", "--ledger"][..], &["repair"], &["repair", "--write"]] {
        let args = [&["ledger"], args, &[&ledger, "--lock-timeout", "0"]].concat();
        let output = run(&args, event(9).as_bytes());
        assert_eq!(output.status.code(), Some(2), "{}", shown(&output));
        let stderr = text(&output.stderr);
        assert!(stderr.contains("--lock-timeout"), "{stderr}");
        assert!(stderr.contains(&format!("process {} (\"flock\")", holder.id())), "{stderr}");
        assert_eq!(fs::read(&ledger).unwrap(), half);
    }
    // A reader need not wait for ever: it has the lines that are whole.
    let output = run(&["ledger", "verify", "--json", "--lock-timeout", "0", &ledger], b"");
    assert_eq!(output.status.code(), Some(0), "{}", shown(&output));
    assert_eq!(json_lines(&output.stdout)[0]["events"], 2);
    assert!(text(&output.stderr).contains("locked"), "{}", shown(&output));

    // Once the lock is free, whoever waits goes on.
    let waiting = Appender::start(&ledger);
    drop(holder.stdin.take());
    assert!(holder.wait().unwrap().success());
    let mut waiting = waiting;
    waiting.add(3);
    assert_eq!(waiting.end().0, Some(0));
    assert_eq!((verify(&ledger).events, verify(&ledger).faults), (3, 0));
}

#[test]
fn an_input_that_cannot_be_read_is_an_error_and_leaves_no_file() {
    let folder = Folder::new("input");
    let ledger = folder.path("ledger");
    // A folder can be opened, but not read.
    let mut command = sortid(&["ledger", "append", "--ledger", &ledger]);
    let output = command.stdin(File::open(&folder.0).unwrap()).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", shown(&output));
    assert!(text(&output.stderr).contains("cannot read standard input"), "{}", shown(&output));
    assert!(!Path::new(&ledger).exists());
}
