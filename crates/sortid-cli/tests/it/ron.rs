//! RON UIDs: `sortid ron`, and their options of `new` and `inspect`.

use crate::common::{json_lines, run, shown, sortid, text};
use insta::assert_snapshot;
use serde_json::{Value, json};
use sortid::ron_uid::{RonUid, Scheme};
use sortid_testkit::vectors::cases;
use std::{
    io::{Read, Write},
    process::Stdio,
};

#[test]
fn lists_of_the_vectors_are_unzipped_and_zipped() {
    for case in cases("ron-uid").iter().filter(|case| case.check == "list" && !case.text("text").is_empty()) {
        let (list, uids) = (case.text("text"), case.texts("ids").join("\n") + "\n");
        let unzipped = run(&["ron", "unzip"], list.as_bytes());
        assert_eq!((unzipped.status.code(), text(&unzipped.stdout)), (Some(0), uids.clone()));
        let zipped = run(&["ron", "zip"], uids.as_bytes());
        assert_eq!((zipped.status.code(), text(&zipped.stdout)), (Some(0), format!("{list}\n")));
    }
}

#[test]
fn a_vector_grows_as_its_uids_come() {
    let mut child = sortid(&["ron", "zip"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let (mut stdin, mut stdout) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    for (uid, zipped) in [("time-origin", &b"time-origin"[..]), ("time01-origin", b",[1")] {
        writeln!(stdin, "{uid}").unwrap();
        let mut grown = vec![0; zipped.len()];
        stdout.read_exact(&mut grown).unwrap();
        assert_eq!(grown, zipped);
    }
    drop(stdin);
    assert!(child.wait().unwrap().success());
}

#[test]
fn each_line_is_a_vector_of_its_own() {
    let output = run(&["ron", "unzip"], b"time-origin,[1\ninc\r\n\n,A-B\n");
    assert_eq!(shown(&output), "exit 0\ntime-origin\ntime01-origin\ninc\n0\nA-B\n");
    let output = run(&["ron", "unzip", "--json"], b"A-B\ninc,on");
    assert_eq!(
        json_lines(&output.stdout),
        [
            json!({ "line": 1, "text": "A-B" }),
            json!({ "line": 2, "text": "inc" }),
            json!({ "line": 2, "text": "on" }),
        ]
    );
    let output = run(&["ron", "--json", "zip"], b"A-B\nA+B\n");
    assert_eq!(json_lines(&output.stdout), [json!({ "vector": "A-B,+", "count": 2 })]);
}

#[test]
fn a_vector_can_be_longer_than_any_line_that_is_kept() {
    let uids = run(&["new", "ron-uid", "--logical", "--origin", "X", "-n", "6000000"], b"").stdout;
    let vector = run(&["ron", "zip"], &uids).stdout;
    assert!(vector.len() > 16 << 20);
    let unzipped = run(&["ron", "unzip"], &vector);
    assert!(unzipped.status.success() && unzipped.stdout == uids);
}

#[test]
fn input_that_is_not_a_uid_is_reported_and_left_out() {
    assert_snapshot!("zip_faults", shown(&run(&["ron", "zip"], b"A-B\nbad uid\nC-B\n12345678901\n\xff\n")));
    assert_snapshot!("unzip_faults", shown(&run(&["ron", "unzip"], b"A-B,bad uid,C-B\nok\n")));
}

#[test]
fn inspect_explains_the_digits_of_the_time_and_the_parts_of_the_origin() {
    let args = ["inspect", "--spec", "ron-uid", "--scheme", "0163", "1CQKneD1-Xgritzk0_D"];
    assert_snapshot!("inspect_event", shown(&run(&args, b"")));
    let args = ["inspect", "--spec", "ron-uid", "--scheme", "0163", "inc", "1CQKn-0_D", "~", "01S-X"];
    assert_snapshot!("inspect_others", shown(&run(&args, b"")));
}

#[test]
fn a_uid_without_a_time_has_none() {
    let output = run(
        &["inspect", "--json", "--spec", "ron-uid", "1CQKn-X~", "1CQKn+X~", "1CQKn$X~", "~", "01S-X"],
        b"",
    );
    let times: Vec<_> = json_lines(&output.stdout).iter().map(|object| object["time"].clone()).collect();
    let time = json!("2016-05-27T20:50:00.000Z");
    assert_eq!(times, [time.clone(), time, Value::Null, Value::Null, Value::Null]);
}

#[test]
fn events_are_made_at_their_origin_in_order() {
    let lines = |args: &[&str]| -> Vec<RonUid> {
        let output = run(&[&["new", "ron-uid"], args].concat(), b"");
        assert_eq!(output.status.code(), Some(0), "{}", shown(&output));
        text(&output.stdout).lines().map(|line| line.parse().unwrap()).collect()
    };
    let uids = lines(&["--origin", "Xgritzk0_D", "--scheme", "0163", "-n", "10000"]);
    assert!(uids.len() == 10_000 && uids.is_sorted_by(|a, b| a < b));
    assert!(uids.iter().all(|uid| uid.origin().encode() == "Xgritzk0_D" && uid.scheme() == Scheme::Event));
    assert!(uids.iter().all(|uid| uid.unix_millis().is_some()));

    let short = lines(&["--origin", "X", "--min-len", "5", "--at", "2016-05-27T20:50:13Z", "-n", "3"]);
    assert_eq!(
        short.iter().map(ToString::to_string).collect::<Vec<_>>(),
        ["1CQKnD-X", "1CQKnD0001-X", "1CQKnD0002-X"]
    );

    let counted = lines(&["--logical", "--origin", "X", "-n", "3"]);
    assert_eq!(
        counted.iter().map(ToString::to_string).collect::<Vec<_>>(),
        ["00001-X", "00002-X", "00003-X"]
    );
    let counted = lines(&["--logical", "--min-len", "2", "-n", "2"]);
    assert_eq!(counted.iter().map(ToString::to_string).collect::<Vec<_>>(), ["01-", "02-"]);
}

#[test]
fn wrong_options_say_what_was_expected() {
    let all = [
        &["new", "ron-uid"][..],
        &["new", "ron-uid", "--origin", "X!"],
        &["new", "ron-uid", "--origin", "12345678901"],
        &["new", "ron-uid", "--origin", "00X", "--scheme", "0163"],
        &["new", "ron-uid", "--origin", "X", "--scheme", "0162"],
        &["new", "ron-uid", "--origin", "X", "--min-len", "4"],
        &["new", "ron-uid", "--logical", "--min-len", "11"],
        &["new", "ron-uid", "--logical", "--at", "2020-01-01"],
        &["new", "--at", "2020-01-01", "ron-uid", "--logical"],
        &["new", "ron-uid", "--logical", "--min-len", "1", "-n", "100"],
        &["new", "ron-uid", "--origin", "X", "--at", "2009-12-31"],
        &["inspect", "--spec", "euid", "--scheme", "0163", "X"],
        &["inspect", "--scheme", "163", "X"],
        &["ron"],
    ];
    let mut snapshot = String::new();
    for args in all {
        let output = run(args, b"");
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        let stderr = text(&output.stderr);
        let message = stderr.lines().next().unwrap_or_default();
        snapshot.push_str(&format!("$ sortid {}\n{message}\n\n", args.join(" ")));
    }
    assert_snapshot!("wrong_options", snapshot);
}
