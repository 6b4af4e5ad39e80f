//! `-` is standard input in every command that takes IDs or files.

use crate::common::{run, shown, text};

const EUID: &str = "C8EE934SR007G5Q94QKKXFRFV8B";
const FLAKE: &str = "00CMXB6TAK4SA";

#[test]
fn a_hyphen_means_the_same_as_no_argument() {
    let lines = format!("{EUID}\nnonsense!\n{FLAKE}\n");
    for (command, input) in [
        (&["inspect"][..], &*lines),
        (&["inspect", "--json"], &lines),
        (&["inspect", "--spec", "euid"], &lines),
        (&["convert", "--to", "hex"], &lines),
        (&["convert", "--json", "--to", "hex"], &lines),
        (&["check", "--json", "euid"], &lines),
        (&["ron", "zip"], "time-origin\ntime01-origin\n!\n"),
        (&["ron", "--json", "zip"], "time-origin\ntime01-origin\n"),
        (&["ron", "unzip"], "time-origin,[1,(2{2\n"),
        (&["ledger", "canonical"], "{\"b\": 1, \"a\": 2}\n"),
    ] {
        let without = run(command, input.as_bytes());
        assert!(!without.stdout.is_empty(), "{command:?}");
        for hyphen in [&["-"][..], &["--", "-"]] {
            let mut with = run(&[command, hyphen].concat(), input.as_bytes());
            // A fault names the file as the command line does.
            with.stdout = text(&with.stdout).replace("\"file\":\"-\"", "\"file\":null").into();
            assert_eq!(shown(&with), shown(&without), "{command:?}");
        }
    }
    let ledger = include_bytes!("../../../../vectors/ledger-classic.ndjson");
    for command in [&["ledger", "verify", "-"][..], &["ledger", "id", "-"]] {
        let output = run(command, ledger);
        assert_eq!(output.status.code(), Some(0), "{}", shown(&output));
    }
}

#[test]
fn a_hyphen_stands_for_the_lines_in_their_place() {
    let output = run(&["convert", "--to", "hex", FLAKE, "-", EUID], format!("{EUID}\n!\n").as_bytes());
    let hex = |id: &str| text(&run(&["convert", "--to", "hex", id], b"").stdout);
    assert_eq!(text(&output.stdout), hex(FLAKE) + &hex(EUID) + &hex(EUID));
    assert!(text(&output.stderr).starts_with("line 2: "), "{}", shown(&output));
    assert_eq!(output.status.code(), Some(1));

    // Blank lines separate the IDs, wherever they come from.
    let all = [EUID, FLAKE, EUID, FLAKE];
    let expected = run(&[&["inspect"], &all[..]].concat(), b"");
    let lines = format!("{FLAKE}\n{EUID}\n");
    assert_eq!(shown(&run(&["inspect", EUID, "-", FLAKE], lines.as_bytes())), shown(&expected));
    assert_eq!(shown(&run(&["inspect", "-"], all.join("\n").as_bytes())), shown(&expected));
    assert_eq!(shown(&run(&["inspect", "-", EUID], b"")), shown(&run(&["inspect", EUID], b"")));
}

#[test]
fn standard_input_is_read_once() {
    for command in [
        &["inspect", "-", "-"][..],
        &["convert", "--to", "hex", "-", EUID, "-"],
        &["check", "euid", "-", "-"],
        &["ledger", "verify", "-", "-"],
        &["ledger", "canonical", "-", "-"],
    ] {
        let output = run(command, EUID.as_bytes());
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{}", shown(&output));
        let message = "error: expected - (standard input) once, found it 2 times\n";
        assert!(text(&output.stderr).starts_with(message), "{}", shown(&output));
    }
}

#[test]
fn a_ledger_that_is_changed_is_a_file() {
    for command in [&["ledger", "append", "--ledger", "-"][..], &["ledger", "repair", "-"]] {
        let output = run(command, b"{}");
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{}", shown(&output));
        assert!(text(&output.stderr).starts_with("error: expected a file, found -"), "{}", shown(&output));
    }
}

#[test]
fn a_hyphen_is_not_the_value_of_an_option() {
    for command in [
        &["range", "euid", "--since", "-"][..],
        &["range", "euid", "--until", "-"],
        &["inspect", "--spec", "-", EUID],
        &["convert", "--to", "-", EUID],
        &["check", "-"],
    ] {
        let output = run(command, EUID.as_bytes());
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{}", shown(&output));
        assert!(text(&output.stderr).starts_with("error: invalid value '-' for '"), "{}", shown(&output));
    }
}

#[test]
fn the_zero_of_ron_is_written_0_and_an_id_that_begins_with_a_sign_follows_two_hyphens() {
    let hex = |id| text(&run(&["convert", "--spec", "ron-uid", "--to", "hex", "--", id], b"").stdout);
    assert_eq!(hex("0"), "00000000000000002000000000000000\n");
    assert_eq!(hex("-my"), "00000000000000002c7d000000000000\n");
    let output = run(&["inspect", "-my"], b"");
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("write -- before the IDs: -- -my\n"), "{}", shown(&output));
}
