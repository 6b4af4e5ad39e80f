//! `sortid check`.

use crate::common::{json_lines, run, shown, sortid};
use insta::assert_snapshot;
use serde_json::json;
use std::{
    io::{BufRead, BufReader, Write},
    process::Stdio,
    time::Duration,
};

const GOOD: &str = "05TTUP1HNCPNA1QHTDHRTCU3V32PD7C6";

#[test]
fn ids_that_new_makes_are_valid() {
    for spec in ["scru160", "euid", "ulid-flake"] {
        let made = run(&["new", spec, "-n", "5000"], b"").stdout;
        let output = run(&["check", spec], &made);
        assert_eq!(shown(&output), format!("exit 0\n--- stderr\n{spec}: 5000 valid, 0 invalid\n"));
    }
}

#[test]
fn faults_are_shown_with_their_lines() {
    let long = "x".repeat(300);
    let input = format!("{GOOD}\nnonsense\n{GOOD}\r\n\n{}W\n{long}\n{GOOD}", &GOOD[..31]);
    assert_snapshot!("faults", shown(&run(&["check", "scru160"], input.as_bytes())));
    let output = run(&["check", "scru160", "--json"], b"\xff\n");
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(
        json_lines(&output.stdout),
        [
            json!({
                "file": null, "line": 1, "input": "\u{fffd}", "valid": false, "spec": "scru160",
                "error": { "kind": "length", "message": "expected 32 characters of base32hex or 40 of hex, found 1 byte" },
            }),
            json!({ "lines": 1, "invalid": 1 }),
        ]
    );
}

#[test]
fn files_are_named_and_a_missing_one_is_an_error() {
    let directory = std::env::temp_dir().join(format!("sortid-check-{}", std::process::id()));
    std::fs::create_dir_all(&directory).unwrap();
    let (good, bad) = (directory.join("good"), directory.join("bad"));
    std::fs::write(&good, format!("{GOOD}\n")).unwrap();
    std::fs::write(&bad, "nonsense\n").unwrap();
    let [good, bad] = [&good, &bad].map(|path| path.to_str().unwrap());

    assert_eq!(
        shown(&run(&["check", "scru160", good], b"")),
        "exit 0\n--- stderr\nscru160: 1 valid, 0 invalid\n"
    );
    assert_eq!(
        shown(&run(&["check", "scru160", good, "-", bad], b"x\n")),
        format!(
            "exit 1\n-: line 1: expected 32 characters of base32hex or 40 of hex, found 1: \"x\"\n\
             {bad}: line 1: expected 32 characters of base32hex or 40 of hex, found 8: \"nonsense\"\n\
             --- stderr\nscru160: 1 valid, 2 invalid\n"
        )
    );
    let missing = run(&["check", "scru160", "/no/such/file"], b"");
    // Each operating system has a message of its own.
    let error = std::fs::File::open("/no/such/file").unwrap_err();
    assert_eq!(shown(&missing), format!("exit 2\n--- stderr\nerror: cannot read /no/such/file: {error}\n"));
    let folder = run(&["check", "scru160", directory.to_str().unwrap()], b"");
    assert_eq!(folder.status.code(), Some(2));
    std::fs::remove_dir_all(&directory).unwrap();
}

/// Even if valid lines come after it in the same piece.
#[test]
fn a_fault_is_shown_before_the_program_waits_for_input() {
    let mut child =
        sortid(&["check", "scru160"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(format!("nonsense\n{GOOD}\n{GOOD}\n").as_bytes()).unwrap();
    let (sender, shown) = std::sync::mpsc::channel();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    let reader = std::thread::spawn(move || {
        let mut line = String::new();
        stdout.read_line(&mut line).unwrap();
        sender.send(line).unwrap();
    });
    let shown = shown.recv_timeout(Duration::from_secs(10));
    drop(stdin);
    reader.join().unwrap();
    assert!(shown.is_ok_and(|line| line.starts_with("line 1: ")), "nothing is shown before the input ends");
    assert_eq!(child.wait().unwrap().code(), Some(1));
}

#[test]
fn a_line_that_is_too_long_to_keep_says_so() {
    let output = run(&["check", "--json", "scru160"], &vec![b'A'; 17 << 20]);
    let objects = json_lines(&output.stdout);
    assert_eq!(objects[0]["truncated"], true);
    assert_eq!(objects[1], json!({ "lines": 1, "invalid": 1 }));
}

#[test]
fn faults_count_even_if_the_reader_closes_the_pipe() {
    let mut child = sortid(&["check", "scru160"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().unwrap();
    while writeln!(stdin, "nonsense").is_ok() {}
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr.len()), (Some(1), 0));
}

#[test]
fn an_empty_stream_is_valid() {
    assert_eq!(shown(&run(&["check", "scru160"], b"")), "exit 0\n--- stderr\nscru160: 0 valid, 0 invalid\n");
}
