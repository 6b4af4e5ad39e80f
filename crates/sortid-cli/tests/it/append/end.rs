//! Ends of ledgers of any length, and the limit of a line.

use super::{Appender, append, event, events, verify};
use crate::common::{Folder, json_lines, run, shown, text};
use sortid::evently_ledger::{LONGEST_LINE, Ledger, Profile, testing::ManualClock};
use std::{
    fs::{self, File},
    io::Write as _,
    path::Path,
    time::Duration,
};

/// More than is verified of the end of a ledger.
const FAR: usize = 9 << 20;

fn long_event(length: usize) -> String {
    event(0).replace("\"0\"", &format!("\"{}\"", "k".repeat(length)))
}

fn add(ledger: &str, bytes: &[u8]) {
    File::options().append(true).open(ledger).unwrap().write_all(bytes).unwrap();
}

#[test]
fn the_last_event_is_built_on_however_long_it_is_and_whatever_blank_is_behind_it() {
    let folder = Folder::new("far");
    let ledger = folder.path("ledger");
    for (last, blank) in [
        (0, "\n".repeat(FAR)),
        (FAR, "\n".to_owned()),
        (FAR, String::new()),
        (FAR, " \t\r\n".repeat(FAR / 4)),
        (0, " ".repeat(FAR)),
        (3, "\0".repeat(FAR)),
    ] {
        for running in [false, true] {
            let _ = fs::remove_file(&ledger);
            assert!(append(&ledger, &events(2)).status.success());
            let mut process = Appender::start(&ledger);
            if running {
                process.add(0);
            }
            assert!(append(&ledger, &long_event(last)).status.success());
            add(&ledger, blank.as_bytes());
            let before = verify(&ledger);
            assert_eq!(before.faults, u64::from(blank.starts_with('\0')));
            process.add(1);
            assert_eq!(process.end().0, Some(0));
            let after = verify(&ledger);
            assert_eq!((after.faults, after.ledger_id), (0, before.ledger_id), "{last} {running}");
            assert_eq!(after.events, 4 + u64::from(running), "{last} {running}");
        }
    }
}

#[test]
fn a_last_event_is_not_built_on_without_proof() {
    let folder = Folder::new("proof");
    let ledger = folder.path("ledger");
    let appended = append(&ledger, &long_event(5 << 20).repeat(3));
    assert!(appended.status.success(), "{}", shown(&appended));
    let whole = fs::read(&ledger).unwrap();
    // One byte of each event in turn.
    for event in 0..3 {
        let mut damaged = whole.clone();
        damaged[(whole.len() / 3) * event + (4 << 20)] = b'x';
        fs::write(&ledger, &damaged).unwrap();
        let output = append(&ledger, &super::event(1));
        assert_eq!((output.status.code(), &*output.stdout), (Some(2), &b""[..]), "{event}");
        assert!(fs::read(&ledger).unwrap() == damaged, "{event}");
    }
    fs::write(&ledger, &whole).unwrap();
    let output = run(
        &["ledger", "append", "--ledger", &ledger, "--profile", "entities"],
        br#"{"event":"a","entities":{},"meta":{},"data":{}}"#,
    );
    assert_eq!((output.status.code(), &*output.stdout), (Some(2), &b""[..]));
    assert!(append(&ledger, &super::event(1)).status.success());
    assert_eq!(verify(&ledger).faults, 0);
}

/// One event has the members of both profiles, and its ID fits one of the profiles.
#[test]
fn the_profile_of_a_ledger_is_proven_also_if_an_event_has_the_members_of_both() {
    let folder = Folder::new("both");
    let ledger = folder.path("ledger");
    let both = long_event(5 << 20).replace("}", r#","entities":{},"meta":{},"data":{}}"#);
    assert!(append(&ledger, &(events(1) + &both.repeat(3))).status.success());
    let entities = br#"{"event":"a","entities":{},"meta":{},"data":{}}"#;
    let output = run(&["ledger", "append", "--ledger", &ledger, "--profile", "entities"], entities);
    assert_eq!(output.status.code(), Some(2), "{}", shown(&output));
    assert!(append(&ledger, &event(1)).status.success());
    assert_eq!((verify(&ledger).events, verify(&ledger).faults), (5, 0));
}

/// An input line whose event has a line of this many bytes in the ledger.
fn event_of(length: usize) -> String {
    let folder = Folder::new("length");
    let ledger = folder.path("ledger");
    assert!(append(&ledger, &event(0)).status.success());
    let around = fs::read(&ledger).unwrap().len() - 2;
    long_event(length - around)
}

#[test]
fn what_append_accepts_verify_and_repair_read_and_what_it_refuses_they_refuse() {
    let folder = Folder::new("limit");
    let ledger = folder.path("ledger");
    let [longest, too_long] = [LONGEST_LINE, LONGEST_LINE + 1].map(event_of);
    let output = append(&ledger, &format!("{}{too_long}{longest}{}", event(1), event(2)));
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    let refused = format!(
        "line 2: not added: expected a line of at most {LONGEST_LINE} bytes, found one of {} bytes with its ID and time\n",
        LONGEST_LINE + 1
    );
    assert_eq!(text(&output.stderr), refused);
    assert_eq!(text(&output.stdout).lines().count(), 3);
    assert_eq!((verify(&ledger).events, verify(&ledger).faults), (3, 0));
    for args in [&["verify", &ledger][..], &["verify", "--threads", "1", &ledger], &["repair", &ledger]] {
        assert_eq!(run(&[&["ledger"], args].concat(), b"").status.code(), Some(0), "{args:?}");
    }
    // The last line is one byte too long, wherever the pieces of the input end.
    let lines = fs::read(&ledger).unwrap();
    let at = lines.len() - lines.iter().rev().skip(1).position(|&byte| byte == b'\n').unwrap() - 3;
    let longer = [&lines[..at], b" ", &lines[at..]].concat();
    let before = (4 << 20) - 1;
    fs::write(&ledger, ["\n".repeat(before).as_bytes(), &longer].concat()).unwrap();
    let output = run(&["ledger", "verify", "--json", &ledger], b"");
    let fault = &json_lines(&output.stdout)[0]["first_fault"];
    assert_eq!((output.status.code(), &fault["kind"]), (Some(1), &"malformed_line".into()));
    assert_eq!(fault["expected"], format!("a line of at most {LONGEST_LINE} bytes"));
    assert_eq!(fault["line"], before + 2);
    let output = run(&["ledger", "repair", "--json", &ledger], b"");
    let damage = &json_lines(&output.stdout)[0]["damage"];
    assert_eq!((output.status.code(), &damage["line"]), (Some(1), &fault["line"]));
}

/// The program may use less memory than the file has.
#[test]
#[cfg(target_os = "linux")]
fn any_number_of_nuls_behind_an_event_needs_little_memory() {
    let folder = Folder::new("huge");
    let ledger = folder.path("ledger");
    assert!(append(&ledger, &events(2)).status.success());
    let len = fs::metadata(&ledger).unwrap().len();
    let limited = |args: &str, input: &str| {
        let mut shell = std::process::Command::new("sh");
        shell.args(["-c", &format!("ulimit -v 250000; exec {} ledger {args}", env!("CARGO_BIN_EXE_sortid"))]);
        crate::common::run_with(shell, input.as_bytes())
    };
    // A hole in the file: it takes no room on the disk.
    File::options().write(true).open(&ledger).unwrap().set_len(len + (256 << 20)).unwrap();
    for args in ["verify --threads 1", "repair"] {
        let output = limited(&format!("{args} {ledger}"), "");
        assert_eq!(output.status.code(), Some(1), "{args}: {}", shown(&output));
        let stdout = text(&output.stdout);
        let is_found = stdout.contains("found 268435456 NUL bytes") || stdout.contains("found a longer one");
        assert!(is_found, "{args}: {stdout}");
    }
    let output = limited(&format!("append --ledger {ledger}"), &event(1));
    assert_eq!(output.status.code(), Some(0), "{}", shown(&output));
    assert!(!Path::new(&format!("{ledger}.cut")).exists());
    assert_eq!((verify(&ledger).events, verify(&ledger).faults), (3, 0));
}

#[test]
fn a_time_that_no_event_has_is_an_error_and_not_that_of_a_line() {
    let folder = Folder::new("clock");
    let ledger = folder.path("ledger");
    // The last microsecond of the year 9999.
    let clock = ManualClock::new(Duration::from_micros(253_402_300_799_999_998));
    let mut made = Ledger::with_clock(Profile::Classic, None, &clock);
    let mut file = String::new();
    made.batch().append_line(event(0).as_bytes(), &mut file).unwrap();
    fs::write(&ledger, &file).unwrap();
    // One more event has a time.
    let output = append(&ledger, &format!("nonsense\n{}", events(3)));
    assert_eq!(output.status.code(), Some(2), "{}", shown(&output));
    assert_eq!(text(&output.stdout).lines().count(), 1);
    let stderr = text(&output.stderr);
    for part in
        ["line 1: not added", "no event can follow it", "1 event of the input", "after line 2 were not added"]
    {
        assert!(stderr.contains(part), "{stderr}");
    }
    assert_eq!((verify(&ledger).events, verify(&ledger).faults), (2, 0));
    assert_eq!(append(&ledger, &event(0)).status.code(), Some(2));
}
