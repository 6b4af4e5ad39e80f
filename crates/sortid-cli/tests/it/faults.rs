//! The program under signals, limits of memory, errors of the disk, and with files that change meanwhile.
#![cfg(unix)]

use crate::common::{json_lines, run, run_with, shown, sortid, text};
use sortid::{evently_ledger::Verifier, scru160::Scru160};
use std::{
    fs,
    io::{BufRead, BufReader, Read as _, Write},
    path::PathBuf,
    process::{Command, Output, Stdio},
    thread,
    time::Duration,
};

fn event(number: usize) -> String {
    format!("{{\"event\":\"counted\",\"entity\":\"number\",\"key\":\"{number}\"}}\n")
}

fn temporary(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("sortid-faults-{name}-{}", std::process::id()));
    let _ = fs::remove_file(&path);
    path
}

/// The program in a shell that limits it.
fn limited(limit: &str, args: &str) -> Command {
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("ulimit {limit}; exec {} {args}", env!("CARGO_BIN_EXE_sortid"))]);
    shell
}

#[test]
fn sigterm_ends_append_and_loses_no_acknowledged_event() {
    let path = temporary("sigterm");
    let mut child = sortid(&["ledger", "append", "--ledger", path.to_str().unwrap()])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut acknowledged = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut last = String::new();
    for number in 0..20 {
        stdin.write_all(event(number).as_bytes()).unwrap();
        last = acknowledged.next().unwrap().unwrap();
    }
    let kill = Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap();
    assert!(kill.success());
    assert!(!child.wait().unwrap().success());
    let report = Verifier::new(None).verify(fs::read_to_string(&path).unwrap().lines());
    fs::remove_file(&path).unwrap();
    assert_eq!((report.events, report.first_fault), (20, None));
    assert_eq!(report.last_event_id.unwrap().to_string(), last);
}

/// strace makes system calls on the file fail. Without strace, or if it may not trace, nothing is tested.
#[test]
fn an_error_of_the_disk_under_append_is_an_error_and_acknowledges_nothing() {
    if !Command::new("strace").args(["-o", "/dev/null", "true"]).status().is_ok_and(|status| status.success())
    {
        println!("left out: there is no strace that may trace");
        return;
    }
    let path = temporary("disk");
    let ledger = path.to_str().unwrap();
    let append = ["ledger", "append", "--ledger", ledger];
    assert!(run_with(sortid(&append), event(0).as_bytes()).status.success());
    let before = fs::read(&path).unwrap();
    let folder = std::env::temp_dir();
    let folder = folder.to_str().unwrap();
    for (traced, faults, message) in [
        (ledger, &["read"][..], "cannot read"),
        (ledger, &["write"], "cannot write to"),
        // What the file already has is synced first.
        (ledger, &["fdatasync"], "cannot sync"),
        (ledger, &["fdatasync:when=2+"], "cannot write to"),
        (folder, &["fsync"], "cannot sync the directory of"),
        // Events that cannot be taken back stay, and are valid.
        (ledger, &["fdatasync:when=2+", "ftruncate"], "cannot be taken back"),
    ] {
        let mut strace = Command::new("strace");
        strace.args(["-f", "-qq", "-o", "/dev/null", "-P", traced, "-e", "trace=desc"]);
        for fault in faults {
            strace.args(["-e", &format!("inject={fault}:error=EIO")]);
        }
        strace.arg(env!("CARGO_BIN_EXE_sortid")).args(append);
        let output = run_with(strace, (1..4).map(event).collect::<String>().as_bytes());
        assert_eq!(
            (output.status.code(), &output.stdout[..]),
            (Some(2), &b""[..]),
            "{faults:?}: {}",
            shown(&output)
        );
        assert!(text(&output.stderr).contains(message), "{faults:?}: {}", shown(&output));
        let after = fs::read_to_string(&path).unwrap();
        assert_eq!(after.as_bytes() == before, !faults.contains(&"ftruncate"), "{faults:?}: {after}");
        assert_eq!(Verifier::new(None).verify(after.lines()).first_fault, None, "{faults:?}: {after}");
    }
    fs::remove_file(&path).unwrap();
}

#[test]
fn a_file_that_is_cut_while_it_is_verified_gets_an_answer() {
    let path = temporary("cut");
    let events: String = (0..200_000).map(event).collect();
    let appended =
        run_with(sortid(&["ledger", "append", "--ledger", path.to_str().unwrap()]), events.as_bytes());
    assert!(appended.status.success(), "{}", text(&appended.stderr));
    let length = fs::metadata(&path).unwrap().len();
    for part in 1..5 {
        let child = sortid(&["ledger", "verify", "--json", path.to_str().unwrap()])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        thread::sleep(Duration::from_millis(5));
        // In the middle of a line.
        fs::File::options().write(true).open(&path).unwrap().set_len(length - part * length / 6 - 7).unwrap();
        let output = child.wait_with_output().unwrap();
        // Valid if everything was read before, otherwise a fault of the last line, or an error of reading.
        assert!(output.status.code().is_some_and(|code| code <= 2), "{}", shown(&output));
        if output.status.code() == Some(1) {
            let report = &json_lines(&output.stdout)[0];
            assert_eq!(report["first_fault"]["line"], report["events"], "{report}");
        }
    }
    fs::remove_file(&path).unwrap();
}

/// Millions of lines in 256 MiB of address space: memory does not grow with the input.
#[test]
#[cfg(target_os = "linux")]
fn batches_need_little_memory() {
    let megabytes = 1 << 18;
    for (args, stdin, lines) in [
        ("new scru160 -n 2000000", String::new(), 2_000_000),
        ("new euid -n 1000000 --format hex", String::new(), 1_000_000),
        ("check ulid-flake", "00CMXB6TAK4SA\n".repeat(1_000_000), 0),
        ("ron zip", "1CQKneD1-X~\n1CQKneD2-X~\n".repeat(200_000), 1),
    ] {
        let output = run_with(limited(&format!("-v {megabytes}"), args), stdin.as_bytes());
        assert_eq!(output.status.code(), Some(0), "{args}: {}", text(&output.stderr));
        assert_eq!(output.stdout.iter().filter(|&&byte| byte == b'\n').count(), lines, "{args}");
    }
}

/// Without enough memory the program ends, and its output is whole lines of valid IDs.
#[test]
#[cfg(target_os = "linux")]
fn without_memory_nothing_half_made_is_printed() {
    for kilobytes in [2_000, 4_000, 6_000, 8_000, 10_000, 14_000, 20_000] {
        let output = run_with(limited(&format!("-v {kilobytes}"), "new scru160 -n 100000"), b"");
        let ids = output.stdout.split_inclusive(|&byte| byte == b'\n');
        let mut made = 0;
        for id in ids {
            let id = id.strip_suffix(b"\n").expect("a whole line");
            assert!(Scru160::parse_ascii(id).is_ok());
            made += 1;
        }
        assert_eq!(output.status.success(), made == 100_000, "{made} with {kilobytes} KiB");
    }
}

/// `ulimit -f` counts blocks of 512 bytes.
#[test]
fn a_limit_of_files_is_an_error_and_leaves_only_what_is_acknowledged() {
    let path = temporary("file-limit");
    let ledger = path.to_str().unwrap();
    let append = format!("ledger append --ledger {ledger}");
    // Nothing fits: no file is left.
    let output = run_with(limited("-f 0", &append), event(0).as_bytes());
    assert_eq!((output.status.code(), &*output.stdout), (Some(2), &b""[..]), "{}", shown(&output));
    assert!(text(&output.stderr).contains("cannot write to"), "{}", shown(&output));
    assert!(!path.exists());
    // Some batches fit, and the last one only in part.
    let mut shell = limited("-f 200", &append);
    let mut child =
        shell.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let feeder =
        thread::spawn(move || (0..2000).all(|number| stdin.write_all(event(number).as_bytes()).is_ok()));
    let output = child.wait_with_output().unwrap();
    feeder.join().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains("cannot write to"), "{}", text(&output.stderr));
    let acknowledged = output.stdout.iter().filter(|&&byte| byte == b'\n').count() as u64;
    let report = Verifier::new(None).verify(fs::read_to_string(&path).unwrap_or_default().lines());
    assert_eq!((report.events, report.first_fault), (acknowledged, None));

    // What is cut off cannot be kept, so it is not cut off, and no part of a copy stays.
    let _ = fs::remove_file(&path);
    assert!(run_with(sortid(&append.split(' ').collect::<Vec<_>>()), event(0).as_bytes()).status.success());
    let half = [fs::read(&path).unwrap(), format!("{{\"a\":\"{}", "a".repeat(3 << 20)).into_bytes()].concat();
    fs::write(&path, &half).unwrap();
    let cut = PathBuf::from(format!("{ledger}.cut"));
    for kept in [None, Some("kept before")] {
        if let Some(kept) = kept {
            fs::write(&cut, kept).unwrap();
        }
        for args in [append.clone(), format!("ledger repair --write {ledger}")] {
            let output = run_with(limited("-f 3000", &args), event(1).as_bytes());
            assert_eq!((output.status.code(), &*output.stdout), (Some(2), &b""[..]), "{}", shown(&output));
            assert!(text(&output.stderr).contains("cannot keep it"), "{}", shown(&output));
            assert!(fs::read(&path).unwrap() == half);
            assert_eq!(fs::read_to_string(&cut).ok().as_deref(), kept);
        }
    }
    fs::remove_file(&cut).unwrap();
    fs::remove_file(&path).unwrap();

    let ids = run_with(sortid(&["new", "scru160", "-n", "100000"]), b"").stdout;
    let mut ids: Vec<_> = ids.split_inclusive(|&byte| byte == b'\n').collect();
    ids.reverse();
    let output = run_with(limited("-f 100", "check scru160 --unique --memory 64K"), &ids.concat());
    assert_eq!(output.status.code(), Some(2), "{}", shown(&output));
    assert!(text(&output.stderr).contains("cannot use a temporary file"), "{}", shown(&output));
    let mut shell = Command::new("sh");
    let program = env!("CARGO_BIN_EXE_sortid");
    shell.args(["-c", &format!("ulimit -f 100; exec {program} new scru160 -n 100000 > {ledger}")]);
    let output = run_with(shell, b"");
    fs::remove_file(&path).unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", shown(&output));
}

/// A user who may not start a thread: the limit does not hold for root, so root becomes another user. If that cannot be, or
/// if the user may not run the program, nothing is tested.
#[test]
#[cfg(target_os = "linux")]
fn without_threads_there_is_an_error_and_no_empty_file() {
    let folder = temporary("threads");
    fs::create_dir(&folder).unwrap();
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o777);
    fs::set_permissions(&folder, mode).unwrap();
    let program = folder.join("sortid");
    fs::copy(env!("CARGO_BIN_EXE_sortid"), &program).unwrap();
    let valid = folder.join("valid");
    let events: String = (0..2000).map(event).collect();
    let args = ["ledger", "append", "--ledger", valid.to_str().unwrap()];
    assert!(run_with(sortid(&args), events.as_bytes()).status.success());
    // Threads are counted for each user, so the first one would be too many.
    let limited = |args: &str| {
        let mut command = Command::new("setpriv");
        command.args(["--reuid", "54321", "--clear-groups", "--no-new-privs", "prlimit", "--nproc=1"]);
        command.arg(&program).args(args.split(' '));
        command
    };
    if !Command::new("setpriv").arg("--version").status().is_ok_and(|status| status.success()) {
        println!("left out: setpriv is not installed");
        return;
    }
    let version = run_with(limited("--version"), b"");
    if version.status.success() {
        for (args, message) in [
            (format!("ledger append --ledger {}", folder.join("new").display()), "cannot start the thread"),
            (format!("ledger verify --threads 2 {}", valid.display()), "cannot start threads"),
        ] {
            let output = run_with(limited(&args), event(0).as_bytes());
            assert_eq!((output.status.code(), &*output.stdout), (Some(2), &b""[..]), "{}", shown(&output));
            assert!(text(&output.stderr).contains(message), "{}", shown(&output));
        }
        assert!(!folder.join("new").exists());
        // One thread is enough for these.
        let ids = run_with(sortid(&["new", "scru160", "-n", "20000"]), b"").stdout;
        for args in ["check scru160 --unique --memory 64K", "inspect --spec scru160 -", "convert --to hex -"]
        {
            let output = run_with(limited(args), &ids);
            assert_eq!(output.status.code(), Some(0), "{args}: {}", text(&output.stderr));
        }
    } else {
        println!("left out: {}", shown(&version));
    }
    fs::remove_dir_all(&folder).unwrap();
}

/// The program in a shell with these redirections.
fn redirected(args: &str, redirections: &str) -> Output {
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("exec {} {args} {redirections}", env!("CARGO_BIN_EXE_sortid"))]);
    run_with(shell, b"")
}

#[test]
fn a_descriptor_that_is_closed_or_open_for_the_other_direction_is_an_error() {
    let ledger = temporary("closed");
    let append = format!("ledger append --ledger {}", ledger.display());
    for args in
        ["new euid -n 3", "inspect 00CMXB6TAK4SA", "check euid", "sql sqlite", "--help", "--version", &append]
    {
        for redirection in [">&-", "1</dev/null"] {
            let output = redirected(args, redirection);
            assert_eq!(output.status.code(), Some(2), "{args} {redirection}");
            assert_eq!(text(&output.stderr), "error: cannot write: standard output is closed\n");
        }
    }
    let reading = [
        "check euid",
        "inspect",
        "convert --to hex",
        "new euid --at -",
        "ron zip",
        "ledger verify -",
        &append,
    ];
    for args in reading {
        for redirection in ["<&-", "0>/dev/null"] {
            let output = redirected(args, redirection);
            assert_eq!(output.status.code(), Some(2), "{args} {redirection}");
            assert_eq!(text(&output.stderr), "error: cannot read standard input: it is closed\n", "{args}");
        }
    }
    assert!(!ledger.exists());
}

#[test]
fn dev_null_is_not_a_closed_descriptor() {
    // Some programs open it for reading and writing, as the standard library does in place of a closed descriptor.
    for null in ["</dev/null >/dev/null", "0<>/dev/null 1<>/dev/null", "2>&-"] {
        for args in ["new euid -n 3", "check euid", "convert --to hex"] {
            assert_eq!(redirected(args, null).status.code(), Some(0), "{args} {null}");
        }
    }
    // An input that nobody reads may be closed.
    assert_eq!(redirected("new euid", "<&-").status.code(), Some(0));
}

#[test]
fn a_signal_leaves_no_part_of_an_id() {
    for args in [
        &["new", "scru160", "-n", "10000000"][..],
        &["new", "ron-uid", "--origin", "X", "--min-len", "5", "-n", "10000000"],
        &["new", "scru160", "-n", "10000000", "--format", "bytes"],
        &["new", "scru160", "-n", "10000000", "--at", "2024-06-06", "--format", "bytes"],
    ] {
        for len in [1, 5000, 20_000, 70_000, 150_000, 300_001] {
            let mut child = sortid(args).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
            let mut stdout = child.stdout.take().unwrap();
            let mut printed = vec![0; len];
            stdout.read_exact(&mut printed).unwrap();
            child.kill().unwrap();
            stdout.read_to_end(&mut printed).unwrap();
            child.wait().unwrap();
            let is_whole =
                if args.contains(&"bytes") { printed.len() % 20 == 0 } else { printed.ends_with(b"\n") };
            assert!(is_whole, "{args:?} {}", printed.len());
        }
    }
}

#[test]
fn the_ids_before_an_error_are_printed_and_counted() {
    let output = run(&["new", "ron-uid", "--logical", "--min-len", "2", "-n", "4032"], b"");
    assert_eq!(output.status.code(), Some(2));
    let ids = text(&output.stdout);
    assert_eq!((ids.lines().count(), ids.lines().last()), (4031, Some("z~-")));
    assert!(text(&output.stderr).starts_with("made 4031 of 4032 IDs\nerror: all IDs are used up"));
}
