//! `sortid convert`.

use crate::common::{json_lines, run, shown, sortid, text};
use insta::assert_snapshot;
use serde_json::json;
use sortid::{AnyId, Spec};
use std::{
    io::{BufRead, BufReader, Read, Write},
    process::Stdio,
};

const FORMS: [&str; 5] = ["text", "hex", "int", "uuid", "base64url"];

fn convert(args: &[&str], input: &[u8]) -> Vec<u8> {
    let output = run(&[&["convert"], args].concat(), input);
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), String::new()), "{args:?}");
    output.stdout
}

#[test]
fn a_dash_is_not_taken_for_an_id() {
    for text_of_sign in ["-", "+", "$", "%"] {
        let line = format!("{text_of_sign}\n");
        let output = run(&["convert", "--to", "hex"], line.as_bytes());
        assert_eq!(
            (output.status.code(), text(&output.stdout)),
            (Some(1), String::new()),
            "{}",
            shown(&output)
        );
        let output = run(&["convert", "--spec", "ron-uid", "--to", "hex"], line.as_bytes());
        assert_eq!((output.status.code(), text(&output.stdout)), (Some(1), String::new()));
    }
    assert_eq!(convert(&["--to", "hex"], b"-X\n"), b"00000000000000002840000000000000\n");
}

#[test]
fn every_form_is_read_as_what_it_was_printed_from() {
    for (spec, options) in [
        ("evently-id", &[][..]),
        ("scru160", &[]),
        ("euid", &[]),
        ("ulid-flake", &[]),
        ("ron-uid", &["--origin", "Xgritzk0_D"]),
    ] {
        let made = run(&[&["new", spec, "-n", "2000"], options].concat(), b"").stdout;
        for form in FORMS {
            if (spec == "scru160" && ["int", "uuid"].contains(&form))
                || (spec, form) == ("ulid-flake", "uuid")
            {
                continue;
            }
            let converted = convert(&["--to", form], &made);
            assert_eq!(convert(&["--spec", spec, "--to", form], &made), converted, "{spec} {form}");
            for from in [&[][..], &["--from", form]] {
                let args = [&["--spec", spec, "--to", "text"], from].concat();
                assert_eq!(convert(&args, &converted), made, "{spec} {form}");
            }
            let at = ["new", spec, "--at", "2025-06-06", "--format"];
            let printed = run(&[&at[..], &[form], options].concat(), b"");
            assert_eq!(printed.status.code(), Some(0), "new prints the form too");
        }
    }
}

#[test]
fn the_forms_of_known_ids() {
    let euid = "C8EE934SR007G5Q94QKKXFRFV8B";
    for (form, expected) in FORMS.into_iter().zip([
        euid,
        "621ce48c99c0007816e925e73ebf0fda",
        "130414363427876437771327854449247850458",
        "621ce48c-99c0-0078-16e9-25e73ebf0fda",
        "YhzkjJnAAHgW6SXnPr8P2g",
    ]) {
        assert_eq!(text(&convert(&["--to", form, euid], b"")), format!("{expected}\n"));
        let upper = expected.to_uppercase();
        let again = if form == "base64url" { expected } else { &upper };
        assert_eq!(text(&convert(&["--spec", "euid", "--to", "text", again], b"")), format!("{euid}\n"));
    }
    let flake = ["00CMXB6TAK4SA", "00329d59b4a9932a", "14246757444195114", "ADKdWbSpkyo"];
    for id in flake {
        let out = convert(&["--spec", "ulid-flake", "--to", "int", id], b"");
        assert_eq!(text(&out), "14246757444195114\n", "{id}");
    }
    let zeros = format!("{}1", "0".repeat(50));
    let out = convert(&["--spec", "euid", "--from", "int", "--to", "hex", &zeros, "0"], b"");
    assert_eq!(text(&out), format!("{:032x}\n{:032x}\n", 1, 0));
    // Both forms of the text.
    let scru160 = ["05TTUP1HNCPNA1QHTDHRTCU3V32PD7C6", "017bdf6431bb33750751eb63beb3c3f8c5969d86"];
    for id in scru160 {
        assert_eq!(text(&convert(&["--to", "text", id], b"")), format!("{}\n", scru160[0]));
    }
}

/// Even if the year has more than four digits, or the time has microseconds.
#[test]
fn the_time_is_the_one_that_inspect_shows() {
    let mut ids = "1CQKneD1-X\n".to_owned();
    for &spec in Spec::ALL {
        ids += &text(&run(&["new", spec.name(), "-n", "3"], b"").stdout);
        ids += &format!("{}\n{}\n", AnyId::min(spec), AnyId::max(spec));
    }
    let (mut timed, mut times) = (String::new(), String::new());
    for object in json_lines(&run(&["inspect", "--json"], ids.as_bytes()).stdout) {
        if let Some(time) = object["time"].as_str() {
            timed += &format!("{}\n", object["text"].as_str().unwrap());
            times += &format!("{time}\n");
        }
    }
    assert_eq!(text(&convert(&["--to", "time"], timed.as_bytes())), times);
    assert!(times.lines().count() > 20 && times.contains("\n+010889-"), "{times}");
    assert!(times.lines().any(|time| time.len() == "2024-06-06T06:06:06.666666Z".len()), "{times}");
}

#[test]
fn an_id_without_a_time_is_reported_and_left_out() {
    let flake = "00CMXB6TAK4SA";
    let input = "1CQKneD1-X\ninc\n0005cd755a43d79238c05790c0331dd8\n";
    assert_snapshot!(
        "no_time",
        shown(&run(&["convert", "--to", "time", "--spec", "ron-uid"], input.as_bytes()))
    );
    // 16 bytes or an integer can be an ID of several specifications.
    let input =
        format!("{flake}\n621ce48c-99c0-0078-16e9-25e73ebf0fda\n00329d59b4a9932a\n14246757444195114\ntime\n");
    assert_snapshot!("no_time_of_any", shown(&run(&["convert", "--to", "time"], input.as_bytes())));
    let output = run(&["convert", "--to", "time", "--json", "--spec", "ron-uid"], b"1CQKneD1-X\ninc\n");
    assert_eq!(
        json_lines(&output.stdout),
        [
            json!({
                "input": "1CQKneD1-X", "valid": true, "spec": "ron-uid", "from": "text", "to": "time",
                "output": "2016-05-27T20:50:41.833Z",
            }),
            json!({
                "input": "inc", "valid": false, "spec": "ron-uid",
                "error": { "kind": "time", "message": "this ron-uid has no time" },
            }),
        ]
    );
}

#[test]
fn the_times_of_ulid_flakes_count_from_another_epoch() {
    let flake = "00CMXB6TAK4SA";
    let args = ["--to", "time", "--epoch", "2020-01-01", flake];
    assert_eq!(convert(&args, b""), b"2020-06-06T06:06:06.666Z\n");
    assert_eq!(convert(&[&["--spec", "ulid-flake"], &args[..]].concat(), b""), b"2020-06-06T06:06:06.666Z\n");
}

#[test]
fn a_guess_can_be_overruled() {
    // An integer of 16 digits, which are hex digits too.
    let int = "1234567890123456";
    let hex = 0x1234_5678_9012_3456_u64.to_string();
    let to_int =
        |from: &[&str]| run(&[&["convert", "--spec", "ulid-flake", "--to", "int", int], from].concat(), b"");
    assert_eq!(shown(&to_int(&["--from", "int"])), format!("exit 0\n{int}\n"));
    assert_eq!(shown(&to_int(&["--from", "hex"])), format!("exit 0\n{hex}\n"));
    let note = "note: \"1234567890123456\" is read as int, and can also be hex: to choose, add --from";
    assert_eq!(shown(&to_int(&[])), format!("exit 0\n{int}\n--- stderr\n{note}\n"));
    // The note is about the first of many such lines.
    let lines = run(
        &["convert", "--spec", "ulid-flake", "--to", "text"],
        format!("{hex}\n{int}\n{int}\n").as_bytes(),
    );
    assert_eq!(text(&lines.stderr), note.replace("note: ", "note: line 2: ") + "\n");
    // 32 hex digits are a text of an Event ID, but bytes of an EUID.
    let hex = "0005cd755a43d79238c05790c0331dd8";
    assert_eq!(text(&convert(&["--to", "text", hex], b"")), format!("{hex}\n"));
    assert_eq!(text(&convert(&["--to", "text", "--spec", "euid", hex], b"")).len(), 28);
}

#[test]
fn bytes_become_other_bytes_without_a_specification() {
    let forms = [
        ("hex", "621ce48c99c0007816e925e73ebf0fda"),
        ("uuid", "621ce48c-99c0-0078-16e9-25e73ebf0fda"),
        ("base64url", "YhzkjJnAAHgW6SXnPr8P2g"),
        ("int", "130414363427876437771327854449247850458"),
    ];
    for (from, input) in &forms[..3] {
        for (to, output) in forms {
            let args = ["--from", from, "--to", to, input];
            assert_eq!(text(&convert(&args, b"")), format!("{output}\n"), "{args:?}");
        }
    }
    let input = b"00329d59b4a9932a\n017bdf6431bb33750751eb63beb3c3f8c5969d86\n621ce48c99c0007816e925e73ebf0fda\nff329d59b4a9932a\n00\n";
    assert_snapshot!("bytes", shown(&run(&["convert", "--from", "hex", "--to", "text"], input)));
    assert_snapshot!(
        "bytes_as_objects",
        shown(&run(&["convert", "--from", "hex", "--to", "uuid", "--json"], input))
    );
    // The length alone gives the form.
    let input = b"00329d59b4a9932a\n621ce48c-99c0-0078-16e9-25e73ebf0fda\n";
    assert_eq!(text(&convert(&["--to", "base64url"], input)), "ADKdWbSpkyo\nYhzkjJnAAHgW6SXnPr8P2g\n");
}

#[test]
fn ids_that_cannot_be_converted_are_reported_and_left_out() {
    let input =
        b"00CMXB6TAK4SA\nnonsense!\n\n8000000000000\r\n05TTUP1HNCPNA1QHTDHRTCU3V32PD7C6\n\xff\nword\n\
        7zzzzzzzzzzzz";
    assert_snapshot!("faults", shown(&run(&["convert", "--to", "int"], input)));
    assert_snapshot!(
        "faults_of_one",
        shown(&run(&["convert", "--to", "hex", "--spec", "ulid-flake"], input))
    );
    assert_snapshot!("fault_of_an_argument", shown(&run(&["convert", "--to", "hex", "a b", "word"], b"")));
}

#[test]
fn each_form_says_what_is_wrong_with_a_text() {
    let mut snapshot = String::new();
    for (spec, from, id) in [
        ("euid", "text", "C8EE934SR007G5Q94QKKXFRFV8C"),
        ("euid", "hex", "621c"),
        ("euid", "hex", "621ce48c99c0007816e925e73ebf0fdg"),
        ("ron-uid", "hex", "f21ce48c99c0007816e925e73ebf0fda"),
        ("euid", "int", ""),
        ("euid", "int", "-1"),
        ("euid", "int", "+1"),
        ("euid", "int", "12a"),
        ("euid", "int", "340282366920938463463374607431768211456"),
        ("euid", "int", "99999999999999999999999999999999999999999999"),
        ("ulid-flake", "int", "18446744073709551616"),
        ("ulid-flake", "int", "9223372036854775808"),
        ("euid", "uuid", "621ce48c-99c0-0078-16e9-25e73ebf0fd"),
        ("euid", "uuid", "621ce48c-99c0-0078-16e9+25e73ebf0fda"),
        ("euid", "uuid", "621ce48cb99c0-0078-16e9-25e73ebf0fda"),
        ("euid", "uuid", "621ce48c-99c0-0078-16e9-25e73ebf0fdg"),
        ("euid", "base64url", "YhzkjJnAAHgW6SXnPr8P2"),
        ("euid", "base64url", "YhzkjJnAAHgW6SXnPr8P2h"),
        ("euid", "base64url", "Yhzk-JnAAHgW6SXnPr8P+g"),
        ("euid", "base64url", "Yhzk+JnAAHgW6SXnPr8P_g"),
        ("euid", "base64url", "YhzkjJnAAHgW6SXnPr8P2g="),
        ("euid", "base64url", "YhzkjJnAAHgW6SXnPr8P2g==="),
        ("euid", "base64url", "YhzkjJnAAHgW6SXnPr8P2h=="),
        ("euid", "base64url", "YhzkjJnAAHgW6SXnPr8P2===="),
        ("euid", "base64url", "YhzkjJnAAHgW6SXnPr8P2\u{e9}"),
    ] {
        let output = run(&["convert", "--to", "text", "--spec", spec, "--from", from, "--", id], b"");
        assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0), "{id}");
        snapshot.push_str(&format!("{spec} {from}: {}", text(&output.stderr)));
    }
    assert_snapshot!("unread", snapshot);
}

#[test]
fn json_has_an_object_for_each_line() {
    let output =
        run(&["convert", "--to", "uuid", "--json"], b"C8EE934SR007G5Q94QKKXFRFV8B\n00CMXB6TAK4SA\nno ID\n");
    assert_eq!((output.status.code(), output.stderr.len()), (Some(1), 0));
    let objects = json_lines(&output.stdout);
    assert_eq!(
        objects[..2],
        [
            json!({
                "input": "C8EE934SR007G5Q94QKKXFRFV8B", "valid": true, "spec": "euid", "from": "text", "to": "uuid",
                "output": "621ce48c-99c0-0078-16e9-25e73ebf0fda",
            }),
            json!({
                "input": "00CMXB6TAK4SA", "valid": false, "spec": "ulid-flake",
                "error": {
                    "kind": "form",
                    "message": "ulid-flake has no UUID form because it has 8 bytes and a UUID has 16: try hex",
                },
            }),
        ]
    );
    assert_eq!((&objects[2]["spec"], &objects[2]["error"]["kind"]), (&json!(null), &json!("unknown")));

    let output = run(&["convert", "--spec", "euid", "--to", "text", "--json"], &vec![b'a'; 17 << 20]);
    let object = &json_lines(&output.stdout)[0];
    assert_eq!(
        (&object["truncated"], &object["error"]["message"]),
        (&json!(true), &json!(format!("expected 27 characters, found {}", 17 << 20)))
    );
}

#[test]
fn a_line_is_converted_before_the_next_one_comes() {
    for json in [&[][..], &["--json"]] {
        let mut child = sortid(&[&["convert", "--to", "hex"], json].concat())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let mut answers = BufReader::new(child.stdout.take().unwrap()).lines();
        for _ in 0..3 {
            writeln!(stdin, "00CMXB6TAK4SA").unwrap();
            assert!(answers.next().unwrap().unwrap().contains("00329d59b4a9932a"));
        }
        drop(stdin);
        assert_eq!(child.wait().unwrap().code(), Some(0));
    }
}

#[test]
fn a_reader_that_closes_the_pipe_is_not_an_error() {
    let mut child = sortid(&["convert", "--to", "hex"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut stdout = child.stdout.take().unwrap();
    writeln!(stdin, "00CMXB6TAK4SA").unwrap();
    stdout.read_exact(&mut [0; 17]).unwrap();
    drop(stdout);
    while writeln!(stdin, "00CMXB6TAK4SA").is_ok() {}
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), String::new()));
}

#[test]
fn wrong_options_say_what_was_expected() {
    let all = [
        &["convert"][..],
        &["convert", "--to", "octal"],
        &["convert", "--to", "text", "--from", "uuid"],
        &["convert", "--to", "hex", "--from", "int"],
        &["convert", "--to", "int", "--spec", "scru160"],
        &["convert", "--to", "text", "--from", "uuid", "--spec", "ulid-flake"],
        &["convert", "--to", "text", "--spec", "ulid"],
        &["convert", "--to", "time", "--from", "uuid"],
        &["convert", "--to", "hex", "--epoch", "2020-01-01"],
        &["convert", "--to", "time", "--spec", "euid", "--epoch", "2020-01-01"],
    ];
    let mut snapshot = String::new();
    for args in all {
        let output = run(args, b"");
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{args:?}");
        let stderr = text(&output.stderr);
        snapshot.push_str(&format!("$ sortid {}\n{}\n\n", args.join(" "), stderr.lines().next().unwrap()));
    }
    assert_snapshot!("wrong_options", snapshot);
}

#[test]
fn standard_base64_is_read_as_base64url() {
    for (spec, id, standard) in [
        ("ulid-flake", "00CMXB6TAK4SA", ["ADKdWbSpkyo", "ADKdWbSpkyo="]),
        ("euid", "1HZP2F3TARAH1VEXW8BDJPEKP44", ["DH9hPHpWFRDt3eIW2VnTsQ", "DH9hPHpWFRDt3eIW2VnTsQ=="]),
        ("euid", "ZZZZZZZZZZZZZZZZZZZZZZZZZW3", ["/////////////////////w", "/////////////////////w=="]),
        ("euid", "ZZZZZZZZZZZZZZZZZZZZZZZZZW3", ["_____________________w", "_____________________w=="]),
        (
            "scru160",
            "05TTUP1HNCPNA1QHTDHRTCU3V32PD7C6",
            ["AXvfZDG7M3UHUetjvrPD+MWWnYY", "AXvfZDG7M3UHUetjvrPD+MWWnYY="],
        ),
    ] {
        for base64 in standard {
            let output =
                run(&["convert", "--spec", spec, "--to", "hex", "--from", "base64url", "--", base64], b"");
            let hex = run(&["convert", "--spec", spec, "--to", "hex", "--from", "text", id], b"");
            assert_eq!(text(&output.stdout), text(&hex.stdout), "{base64}");
        }
    }
    let output = run(&["inspect", "DH9hPHpWFRDt3eIW2VnTsQ=="], b"");
    assert!(text(&output.stdout).contains("16 bytes of an ID in base64"));
}
