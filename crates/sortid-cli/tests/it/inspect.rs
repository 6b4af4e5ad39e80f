//! `sortid inspect`.

use crate::common::{json_lines, run, run_with, shown, sortid, text};
use insta::assert_snapshot;
use serde_json::{Value, json};
use sortid::Spec;
use sortid_testkit::vectors::cases;
use std::{
    io::{BufRead, BufReader, Write},
    process::{Command, Stdio},
};

const SCRU160: &str = "05TTUP1HNCPNA1QHTDHRTCU3V32PD7C6";

#[test]
fn the_picture_of_each_specification() {
    assert_snapshot!("scru160", shown(&run(&["inspect", SCRU160], b"")));
    assert_snapshot!(
        "scru160_from_hex",
        shown(&run(&["inspect", "017BDF6431BB33750751EB63BEB3C3F8C5969D86"], b""))
    );
    assert_snapshot!("euid", shown(&run(&["inspect", "C8EE934SR007G5Q94QKKXFRFV8B"], b"")));
    assert_snapshot!("euid_without_check", shown(&run(&["inspect", "C8ZM14GR4JXG0MQXVY18S8TJNBZ"], b"")));
    assert_snapshot!("ulid_flake", shown(&run(&["inspect", "00CMXB6TAK4SA"], b"")));
    assert_snapshot!(
        "ulid_flake_scalable",
        shown(&run(&["inspect", "--spec", "ulid-flake", "--scalable", "00cmxb6tak4sa"], b""))
    );
}

#[test]
fn the_ids_of_the_vectors_have_their_bytes_and_fields() {
    for spec in Spec::ALL {
        let cases: Vec<_> = cases(spec.name()).into_iter().filter(|case| case.check == "id").collect();
        let input: String = cases.iter().map(|case| case.text("text").to_owned() + "\n").collect();
        let output = run(&["inspect", "--json", "--spec", spec.name()], input.as_bytes());
        assert_eq!(output.status.code(), Some(0));
        let objects = json_lines(&output.stdout);
        assert_eq!(objects.len(), cases.len());
        for (case, object) in cases.iter().zip(objects) {
            assert_eq!((&object["text"], &object["hex"]), (&case["text"], &case["hex"]));
            for (name, value) in object["fields"].as_object().unwrap() {
                // The program prints an integer below 2^53 as a number, even if other values of the field are longer.
                let [printed, expected] =
                    [value, &case["fields"][name]].map(|value| value.to_string().replace('"', ""));
                assert_eq!(printed, expected, "{case}");
            }
        }
    }
}

#[test]
fn the_picture_fits_the_width_of_the_terminal() {
    for (columns, longest) in [("24", 24), ("45", 45), ("120", 120), ("200", 188)] {
        let mut command = sortid(&["inspect", SCRU160]);
        command.env("COLUMNS", columns);
        let picture = text(&run_with(command, b"").stdout);
        let bits = picture.split("\n\n").nth(1).unwrap();
        let widest = bits.lines().map(|line| line.chars().count()).max().unwrap();
        assert!(widest <= longest, "{widest} columns of {columns}:\n{bits}");
        let rows = bits.lines().step_by(2).flat_map(|row| row.chars().skip(7));
        assert_eq!(rows.filter(|char| "01".contains(*char)).count(), 160);
    }
    let mut narrow = sortid(&["inspect", SCRU160]);
    narrow.env("COLUMNS", "30");
    assert_snapshot!("narrow", shown(&run_with(narrow, b"")));
    let mut wide = sortid(&["inspect", SCRU160]);
    wide.env("COLUMNS", "200");
    assert_snapshot!("wide", shown(&run_with(wide, b"")));
}

/// IDs of all specifications, with details and several candidates, and refusals.
#[test]
fn the_whole_picture_fits_a_narrow_terminal() {
    let inputs = [
        SCRU160,
        "C8EE934SR007G5Q94QKKXFRFV8B",
        "00CMXB6TAK4SA",
        "1CQKn-0_D",
        "0005cd755a43d79238c05790c0331dd8",
        "621ce48c-99c0-0078-16e9-25e73ebf0fda",
    ];
    for columns in ["40", "60", "80"] {
        let mut command = sortid(&[&["inspect", "--scheme", "0163"], &inputs[..]].concat());
        command.env("COLUMNS", columns);
        let output = run_with(command, b"");
        let width: usize = columns.parse().unwrap();
        for line in text(&output.stdout).lines() {
            assert!(line.chars().count() <= width, "{columns}: {line}");
        }
        assert_snapshot!(format!("columns_{columns}"), shown(&output));
    }
}

#[test]
fn colours_appear_only_where_they_are_wanted() {
    let escapes = |variables: &[(&str, &str)]| {
        let mut command = sortid(&["inspect", SCRU160]);
        command.envs(variables.iter().copied());
        run_with(command, b"").stdout.contains(&0x1b)
    };
    assert!(!escapes(&[]), "a pipe is not a terminal");
    assert!(escapes(&[("CLICOLOR_FORCE", "1")]));
    assert!(!escapes(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]));

    let escapes = |args: &[&str], variable: &str| {
        let mut command = sortid(&[&["inspect"], args].concat());
        command.env(variable, "1");
        run_with(command, b"").stdout.contains(&0x1b)
    };
    assert!(escapes(&["--color", "always", SCRU160], "NO_COLOR"));
    assert!(!escapes(&["--color=never", SCRU160], "CLICOLOR_FORCE"));
    assert!(escapes(&["--color=auto", SCRU160], "CLICOLOR_FORCE"));
    assert!(escapes(&["--color=always", "no ID"], "NO_COLOR"));
    assert!(!escapes(&["--color=always", "--json", SCRU160], "CLICOLOR_FORCE"), "JSON has no colours");
}

/// In a file, "2 hours ago" would soon be wrong.
#[test]
fn only_a_terminal_shows_how_long_ago_it_was() {
    let picture = text(&run(&["--color=always", "inspect", SCRU160], b"").stdout);
    assert!(picture.contains("  time  2021-09-13T13:41:30.683Z\n"), "{picture}");

    let mut script = Command::new("script");
    script.args(["--quiet", "--command"]);
    script.arg(format!("{} inspect {SCRU160}", env!("CARGO_BIN_EXE_sortid"))).arg("/dev/null");
    if Command::new("script").arg("--version").output().is_err() {
        println!("left out: there is no script");
        return;
    }
    let picture = text(&run_with(script, b"").stdout);
    let time = picture.lines().find(|line| line.contains("  time  2021-09-13T13:41:30.683Z  ")).unwrap();
    assert!(time.contains(" years") && time.contains(" ago"), "{time}");
}

#[test]
fn json_is_the_contract() {
    let output =
        run(&["inspect", "--json", "--spec", "scru160"], format!("{SCRU160}\nnonsense\n").as_bytes());
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(
        json_lines(&output.stdout),
        [
            json!({
                "input": SCRU160, "valid": true, "spec": "scru160", "text": SCRU160,
                "hex": "017bdf6431bb33750751eb63beb3c3f8c5969d86", "time": "2021-09-13T13:41:30.683Z",
                "fields": {
                    "timestamp_ms": 1_631_540_490_683_u64, "counter": 13_173, "random16": 1_873,
                    "random80": "eb63beb3c3f8c5969d86",
                },
            }),
            json!({
                "input": "nonsense", "valid": false, "spec": "scru160",
                "error": {
                    "kind": "length",
                    "message": "expected 32 characters of base32hex or 40 of hex, found 8",
                },
            }),
        ]
    );
    let members: Vec<_> =
        text(&output.stdout).lines().next().unwrap().split('"').map(str::to_owned).collect();
    assert_eq!((&*members[1], &*members[5]), ("input", "valid"), "members come in the contract's order");

    let output = run(&["inspect", "--json", "--spec", "ulid-flake", "00cmxb6tak4sa", "8000000000000"], b"");
    assert_eq!(
        json_lines(&output.stdout),
        [
            json!({
                "input": "00cmxb6tak4sa", "valid": true, "spec": "ulid-flake", "text": "00CMXB6TAK4SA",
                "hex": "00329d59b4a9932a", "time": "2024-06-06T06:06:06.666Z",
                "fields": { "int": "14246757444195114", "timestamp_ms": 13_586_766_666_u64, "randomness": 627_498 },
            }),
            json!({
                "input": "8000000000000", "valid": false, "spec": "ulid-flake",
                "error": {
                    "kind": "overflow",
                    "message": "8000000000000 is above the greatest Ulid-Flake, 7ZZZZZZZZZZZZ",
                },
            }),
        ]
    );
}

#[test]
fn the_check_of_an_euid_comes_from_its_text() {
    let texts = ["C8EE934SR007G5Q94QKKXFRFV8B", "c8zm14gr4jxg0mqxvy18s8tjnbz"];
    let output = run(&[&["inspect", "--json", "--spec", "euid"], &texts[..]].concat(), b"");
    assert_eq!(
        json_lines(&output.stdout),
        [
            json!({
                "input": texts[0], "valid": true, "spec": "euid", "text": texts[0],
                "hex": "621ce48c99c0007816e925e73ebf0fda", "time": "2397-04-22T22:32:08.248Z",
                "fields": {
                    "timestamp_ms": 13_484_529_128_248_u64, "extension": 7, "extension_bits": 8, "check": 11,
                    "random_high": 384_378_343, "random_low": 1_052_708_826,
                },
            }),
            json!({
                "input": texts[1], "valid": true, "spec": "euid", "text": "C8ZM14GR4JXG0MQXVY18S8TJNA6",
                "hex": "623f40921824bb0052fddf828ca352aa", "time": "2397-11-22T10:35:22.244Z",
                "fields": {
                    "timestamp_ms": 13_502_975_722_244_u64, "extension": null, "extension_bits": 0, "check": null,
                    "random_high": 1_392_369_538, "random_low": 2_359_513_770_u32,
                },
            }),
        ]
    );
}

#[test]
fn the_options_choose_the_scalable_version_and_the_epoch() {
    let read = |args: &[&str]| {
        let args = [&["inspect", "--json", "--spec", "ulid-flake", "00CMXB6TAK4SA"], args].concat();
        json_lines(&run(&args, b"").stdout).remove(0)
    };
    let scalable = read(&["--scalable"]);
    assert_eq!(
        scalable["fields"],
        json!({
            "int": "14246757444195114", "timestamp_ms": 13_586_766_666_u64, "randomness": 19_609, "scalability": 10,
        })
    );
    assert_eq!(read(&["--epoch", "1970-01-01"])["time"], "1970-06-07T06:06:06.666Z");
    assert_eq!(read(&["--epoch", "1704067200001"])["time"], "2024-06-06T06:06:06.667Z");
}

#[test]
fn without_a_specification_it_finds_those_that_the_text_fits() {
    let output = run(&["inspect", "--json", SCRU160, "00CMXB6TAK4SA", "no ID"], b"");
    assert_eq!(output.status.code(), Some(1));
    let objects = json_lines(&output.stdout);
    let found: Vec<_> = objects.iter().map(|object| (&object["valid"], &object["spec"])).collect();
    assert_eq!(
        found,
        [
            (&json!(true), &json!("scru160")),
            (&json!(true), &json!("ulid-flake")),
            (&json!(false), &Value::Null)
        ]
    );
    assert_eq!(objects[0]["also"], json!([]));

    let wrong_check =
        json_lines(&run(&["inspect", "--json", "C8X2HA87098A0W837DX13FEAWVV"], b"").stdout).remove(0);
    assert_eq!(
        (&wrong_check["spec"], &wrong_check["error"]),
        (&json!("euid"), &json!({ "kind": "check", "message": "the check is 123, expected 56" })),
        "the reason of the one specification that comes near"
    );
    assert_snapshot!("unknown", shown(&run(&["inspect", "no ID", "12345678901", "any_word"], b"")));
}

/// Any line gets exactly one object, in the order of the lines.
#[test]
fn each_line_of_any_input_has_its_object() {
    let huge = "A".repeat(10_000_000);
    let input = [
        SCRU160.as_bytes(),
        b"\n\n\xff\xfe not UTF-8\n\r\n",
        huge.as_bytes(),
        b"\n\0\x1b[2J\n\"quoted\"\r\n",
        SCRU160.as_bytes(),
    ]
    .concat();
    let output = run(&["inspect", "--json", "--spec", "scru160"], &input);
    assert_eq!(output.status.code(), Some(1));
    let objects = json_lines(&output.stdout);
    let seen: Vec<_> = objects
        .iter()
        .map(|object| {
            let kind = object["error"]["kind"].as_str().unwrap_or("fine");
            (object["input"].as_str().unwrap(), object["valid"].as_bool().unwrap(), kind)
        })
        .collect();
    assert_eq!(
        seen,
        [
            (SCRU160, true, "fine"),
            ("", false, "length"),
            ("\u{fffd}\u{fffd} not UTF-8", false, "length"),
            ("", false, "length"),
            (&*huge, false, "length"),
            ("\0\x1b[2J", false, "length"),
            ("\"quoted\"", false, "length"),
            (SCRU160, true, "fine"),
        ]
    );
    assert_eq!(
        objects[4]["error"]["message"],
        "expected 32 characters of base32hex or 40 of hex, found 10000000"
    );
}

/// More lines than one thread answers at once, and more than a pipe holds.
#[test]
fn answers_come_in_the_order_of_the_lines() {
    let count = 50_000;
    let lines: Vec<_> = (0..count)
        .map(|number| if number % 3 == 0 { format!("no {number}") } else { format!("{number:013}") })
        .collect();
    let input = lines.join("\n");
    let inputs = |output: &[u8]| -> Vec<String> {
        json_lines(output).iter().map(|object| object["input"].as_str().unwrap().to_owned()).collect()
    };
    let inspected = run(&["inspect", "--json", "--spec", "ulid-flake"], input.as_bytes());
    assert_eq!(inputs(&inspected.stdout), lines);

    let converted = run(&["convert", "--spec", "ulid-flake", "--to", "text"], input.as_bytes());
    let valid: Vec<_> = lines.iter().filter(|line| !line.starts_with("no")).collect();
    assert_eq!(text(&converted.stdout).lines().collect::<Vec<_>>(), valid);

    let places = |output: &[u8]| -> Vec<usize> {
        let places = text(output);
        let places = places.lines().filter_map(|line| line.strip_prefix("line ")?.split_once(':'));
        places.map(|(number, _)| number.parse::<usize>().unwrap() - 1).collect()
    };
    let invalid: Vec<_> = (0..count).step_by(3).collect();
    assert_eq!(places(&converted.stderr), invalid);
    assert_eq!(places(&run(&["check", "ulid-flake"], input.as_bytes()).stdout), invalid);
}

/// So that the program answers `tail -f` line by line.
#[test]
fn a_line_is_answered_before_the_next_one_comes() {
    for args in [
        &["inspect", "--json", "--spec", "scru160"][..],
        &["inspect", "--json"],
        &["check", "--json", "scru160"],
    ] {
        let mut child = sortid(args).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let mut answers = BufReader::new(child.stdout.take().unwrap()).lines();
        for question in ["nonsense", "more", "and more"] {
            writeln!(stdin, "{question}").unwrap();
            let answer: Value = serde_json::from_str(&answers.next().unwrap().unwrap()).unwrap();
            assert_eq!(answer["input"], question);
        }
        drop(stdin);
        assert_eq!(child.wait().unwrap().code(), Some(1));
    }
}

#[test]
fn a_line_that_is_too_long_to_keep_says_so() {
    let length = 17 << 20;
    let output = run(&["inspect", "--json", "--spec", "ulid-flake"], &vec![b'A'; length]);
    let object = json_lines(&output.stdout).remove(0);
    assert_eq!(object["truncated"], true);
    assert_eq!(object["input"].as_str().unwrap().len(), 16 << 20);
    assert_eq!(object["error"]["message"], format!("expected 13 characters, found {length}"));
}

#[test]
fn a_byte_that_is_not_utf_8_is_named_with_its_place() {
    let mut line = SCRU160.as_bytes().to_vec();
    line[3] = 0xff;
    let output = run(&["inspect", "--json", "--spec", "scru160"], &[&line[..], b"\n00\n"].concat());
    let objects = json_lines(&output.stdout);
    assert_eq!(
        objects[0]["error"],
        json!({ "kind": "character", "message": "byte 0xff at position 3 is not a base32hex digit" })
    );
    assert_eq!(objects.len(), 2, "the next line is read");
}

#[test]
fn a_terminal_gets_no_control_characters_of_the_input() {
    let output = run(&["inspect"], b"\x1b[31mred\x07\n");
    assert!(!output.stdout.iter().any(|byte| byte.is_ascii_control() && *byte != b'\n'));
}

#[test]
fn times_at_the_ends_of_the_fields() {
    let time = |args: &[&str]| {
        json_lines(&run(&[&["inspect", "--json"], args].concat(), b"").stdout)[0]["time"].clone()
    };
    assert_eq!(time(&[&"V".repeat(32)]), "+010889-08-02T05:31:50.655Z");
    assert_eq!(time(&["--spec", "scru160", &"0".repeat(32)]), "1970-01-01T00:00:00.000Z");
    assert_eq!(time(&["--spec", "evently-id", &"0".repeat(32)]), "1970-01-01T00:00:00.000000Z");
    assert_eq!(time(&["--spec", "evently-id", &"f".repeat(32)]), "+586524-01-19T08:01:49.551615Z");
    assert_eq!(time(&["7ZZZZZZZZZZZZ"]), "2302-09-27T15:10:22.207Z");
    assert_eq!(
        time(&["--spec", "ulid-flake", "--epoch", "18437947980687343", "7ZZZZZZZZZZZZ"]),
        "+586524-01-19T08:01:49.550Z"
    );
}

#[test]
fn an_event_id_has_the_fields_of_the_contract() {
    let output = run(&["inspect", "--json", "--spec", "evently-id"], b"0005CD755A43D79238C05790C0331DD9\n");
    assert_eq!(
        json_lines(&output.stdout),
        [json!({
            "input": "0005CD755A43D79238C05790C0331DD9",
            "valid": true,
            "spec": "evently-id",
            "text": "0005cd755a43d79238c05790c0331dd9",
            "hex": "0005cd755a43d79238c05790c0331dd9",
            "time": "2021-10-03T16:33:12.816530Z",
            "fields": {
                "timestamp_us": 1_633_278_792_816_530_u64,
                "checksum": "38c05790",
                "ledger_id": "c0331dd9",
                "version": 1,
            },
        })]
    );
    assert_snapshot!("event_id", shown(&run(&["inspect", "0005cd755a43d79238c05790c0331dd8"], b"")));
    // The text fits SCRU160 too, but nobody is likely to have made that one.
    let output = run(&["inspect", "--json", "0005cd755a43d79238c05790c0331dd8"], b"");
    let object = &json_lines(&output.stdout)[0];
    assert_eq!((&object["spec"], &object["also"][0]["spec"]), (&json!("evently-id"), &json!("scru160")));
}

#[test]
fn options_of_one_specification_are_refused_for_another() {
    assert_snapshot!(
        "wrong_option",
        shown(&run(&["inspect", "--spec", "scru160", "--scalable", SCRU160], b""))
    );
    assert_snapshot!("unknown_spec", shown(&run(&["inspect", "--spec", "scru128", SCRU160], b"")));
}
