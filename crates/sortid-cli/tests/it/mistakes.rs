//! Words that are natural to type, but mean something else or nothing.

#![cfg(unix)] // The lines to copy are for its shells.

use crate::common::{Folder, gzip, run, run_with, shown, sortid, text};
use insta::assert_snapshot;
#[cfg(target_os = "linux")]
use std::process::Command;

const EUID: &str = "C8EE934SR007G5Q94QKKXFRFV8B";
const FLAKE: &str = "00CMXB6TAK4SA";

/// What the program answers to each of these command lines, in a folder with the files `ids.txt` and `shop`.
fn answers(command_lines: &[&str]) -> String {
    answers_to(command_lines, b"")
}

fn answers_to(command_lines: &[&str], stdin: &[u8]) -> String {
    let folder = Folder::new(&format!("mistakes-{:?}", std::thread::current().id()));
    folder.file("ids.txt", format!("{EUID}\n"));
    folder.file("shop", "time-origin\n");
    folder.file("shop.ndjson", include_bytes!("../../../../vectors/ledger-classic.ndjson"));
    let answer = |line: &&str| {
        let mut command = sortid(&line.split(' ').collect::<Vec<_>>());
        command.current_dir(&folder.0);
        let answer = shown(&run_with(command, stdin));
        format!("$ sortid {line}\n{answer}")
    };
    command_lines.iter().map(answer).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_specification_has_many_spellings() {
    for (typed, name) in [
        ("SCRU160", "scru160"),
        ("EUID", "euid"),
        ("event", "evently-id"),
        ("ulid_flake", "ulid-flake"),
        ("UlidFlake", "ulid-flake"),
        ("EventlyId", "evently-id"),
    ] {
        let output = run(&["new", typed, "--at", "2024-06-06", "-n", "2", "--json"], b"");
        assert_eq!(output.status.code(), Some(0), "{}", shown(&output));
        assert!(text(&output.stdout).contains(&format!(r#""spec":"{name}""#)), "{}", shown(&output));
    }
    let output = run(&["--color", "never", "new", "--json", "RON", "--origin", "X"], b"");
    assert!(text(&output.stdout).contains(r#""spec":"ron-uid""#), "{}", shown(&output));
    // The value of an option stays as it is.
    let output = run(&["new", "--name", "EUID", "EUID"], b"");
    assert!(text(&output.stderr).starts_with("error: --name is an option of a fleet"), "{}", shown(&output));
    for command in [&["check", "Euid"][..], &["inspect", "--json", "--spec", "EUID"]] {
        assert_eq!(run(command, EUID.as_bytes()).status.code(), Some(0), "{command:?}");
    }
    assert_eq!(run(&["range", "ULID-Flake", "--since", "2024-06-01"], b"").status.code(), Some(0));
    let page = run(&["man", "new", "scru160"], b"");
    for words in [&["man", "sortid", "new", "scru160"][..], &["man", "new", "SCRU160"]] {
        assert_eq!(shown(&run(words, b"")), shown(&page));
    }
    assert_eq!(run(&["inspect", "--spec", "RON", "word"], b"").status.code(), Some(0));
    for form in ["UUID", "Hex", "INT"] {
        assert_eq!(run(&["convert", "--to", form, EUID], b"").status.code(), Some(0));
        assert_eq!(run(&["new", "euid", "--format", form], b"").status.code(), Some(0));
        assert_eq!(
            run(&["range", "euid", "--since", "2024-06-01", "--format", form], b"").status.code(),
            Some(0)
        );
    }
}

#[test]
fn other_kinds_of_ids_have_a_nearest_one() {
    assert_snapshot!(answers(&[
        "new ulid",
        "new UUID -n 3",
        "ksuid",
        "new snowflake",
        "check uuid",
        "inspect --spec ulid 00CMXB6TAK4SA",
        "range uuid --since 2024-06-01",
    ]));
}

/// The commands that change data have no other names.
#[test]
fn what_other_programs_call_a_command_or_an_option_means_the_same() {
    let answer = |line: &str| answers(&[line]).split_once('\n').unwrap().1.to_owned();
    for (name, others, rest) in [
        ("new", "generate gen make create", "ron-uid --origin X --at 2024-06-06"),
        ("inspect", "decode parse show explain describe info read", "00CMXB6TAK4SA"),
        ("convert", "encode", "--to hex 00CMXB6TAK4SA"),
        ("check", "validate", "euid ids.txt"),
        ("nodes", "fleet", "list --nodes dir:ids"),
        ("ledger verify", "check validate audit", "shop.ndjson"),
        ("ledger canonical", "canonicalize", "shop.ndjson"),
        ("nodes list", "ls show status", "--nodes dir:ids"),
        ("ron zip", "compress pack", "shop"),
        ("ron unzip", "decompress unpack", "shop"),
        ("new --at", "--time --timestamp --date", "2024-06-06 ron-uid --origin X"),
        ("new --count", "--n --num --amount", "2 ron-uid --origin X --at 2024-06-06"),
        ("new --format", "--to --form --output-format", "hex ron-uid --origin X --at 2024-06-06"),
        ("new --nodes", "--store --fleet --url", "dir:ids ulid-flake"),
        ("new --space", "--namespace", "orders ulid-flake --nodes dir:ids"),
        ("new --wait", "--timeout", "5s ulid-flake --nodes dir:ids"),
        ("inspect --spec", "--type --as", "ulid-flake 00CMXB6TAK4SA"),
        ("convert --spec", "--type", "ulid-flake --to hex 00CMXB6TAK4SA"),
        ("convert --to", "--into --format", "hex 00CMXB6TAK4SA"),
        ("range --since", "--from --start --begin", "2024-06 euid"),
        ("range --until", "--to --end", "2024-06 euid"),
        ("range --format", "--form", "hex euid --since 2024-06"),
        ("sql --spec", "--type", "euid postgres"),
    ] {
        let expected = answer(&format!("{name} {rest}"));
        // There is no fleet, and the error names its place.
        assert!(expected.starts_with("exit 0\n") || rest.contains("dir:ids"), "{name}: {expected}");
        let command = name.rsplit_once(' ').map_or("", |(command, _)| command);
        for other in others.split(' ') {
            let line = format!("{command} {other} {rest}");
            assert_eq!(answer(line.trim_start()), expected, "{line}");
        }
    }
}

#[test]
fn new_tells_where_a_number_a_time_and_a_second_specification_belong() {
    assert_snapshot!(answers(&[
        "new scru160 3",
        "new -n 1e6 euid",
        "new euid -n 1_000_000",
        "new euid -n -3",
        "new euid -n 99999999999999999999",
        "new euid scru160",
        "new ron-uid",
        "new euid --count",
        "new --spec euid",
        "new euid --number 3",
        "new 00CMXB6TAK4SA",
        "new ron",
        "new RON -n 2",
        "new euid --at ids.txt",
    ]));
}

#[test]
fn the_store_of_a_fleet_is_an_option() {
    assert_snapshot!(answers(&[
        "release 7 --nodes dir:ids",
        "nodes free 7 --nodes dir:ids",
        "nodes fix --nodes dir:ids",
        "nodes dir:ids",
        "nodes list dir:ids",
        "nodes release --nodes dir:ids",
        "new ulid-flake --nodes dir:ids --wait 5",
        "new ulid-flake --nodes ids",
        "new ulid-flake --scalable",
    ]));
}

#[test]
fn the_commands_of_other_programs_have_a_name_here() {
    assert_snapshot!(answers(&[
        "euid",
        "SCRU160 -n 3",
        "gen",
        "verify shop.ndjson",
        "append",
        "repair shop.ndjson",
        "zip",
        "new --version",
        "shop.ndjson",
        "ledger shop.ndjson",
        "ledger add",
        "ledger fix shop.ndjson",
        "ron 00CMXB6TAK4SA",
        "help euid",
        "-n 3 euid",
        "ron zip time-origin",
        "ron unzip time-origin,[1",
        "completions",
        "range",
        "range euid 2024-06-01 2024-06-30",
        "range --since 2024-06-01 --sql orders.id euid",
        "range --sql id orders --since 2024-06-01",
        "range euid --since 2024-06-01 --sql orders.id --format text",
        "nwe euid",
    ]));
}

#[test]
fn convert_tells_where_the_form_belongs() {
    assert_snapshot!(answers(&[
        "convert 00CMXB6TAK4SA uuid",
        "convert 00CMXB6TAK4SA",
        "convert",
        "convert --to euid 00CMXB6TAK4SA",
        "convert --from euid --to hex 00CMXB6TAK4SA",
        "convert --to json 00CMXB6TAK4SA",
        "convert --to base64 00CMXB6TAK4SA",
        "convert --to hex uuid 00CMXB6TAK4SA",
        "convert --to hex ids.txt",
    ]));
}

#[test]
fn a_word_among_ids_can_be_something_else() {
    assert_snapshot!(answers(&[
        "inspect euid C8EE934SR007G5Q94QKKXFRFV8B",
        "inspect ids.txt",
        "inspect ids.txt 00CMXB6TAK4SA",
        "inspect 00CMXB6TAK4SA ids.txt --json",
        "inspect --json ids.txt shop",
        "inspect --json 00CMXB6TAK4SA ids.txt shop",
        "inspect --json ids.txt -",
        "inspect --json shop",
        "inspect -my",
        "convert --to hex -my",
        "inspect --time 00CMXB6TAK4SA",
    ]));
    // A word alone is an ID, and so is one after its specification.
    for words in [&["inspect", "--json", "euid"][..], &["inspect", "--json", "--spec", "ron", "euid", "hex"]]
    {
        assert!(run(words, b"").stderr.is_empty());
    }
}

#[test]
fn check_tells_where_the_file_and_the_specification_belong() {
    assert_snapshot!(answers(&[
        "check",
        "check ids.txt",
        "check ids.txt euid",
        "check euid C8EE934SR007G5Q94QKKXFRFV8B",
        "check C8EE934SR007G5Q94QKKXFRFV8B",
        "check --spec euid ids.txt",
        "check euid ids.txt -q",
        "check euid ids.txt --quiet",
        "check euid --sumary ids.txt",
        "ledger verify -q shop.ndjson",
        "ron zip ids.txt shop",
    ]));
}

#[test]
fn a_ledger_is_an_option_or_an_argument() {
    assert_snapshot!(answers(&[
        "ledger append shop.ndjson",
        "ledger append",
        "ledger append --ledger",
        r#"ledger append --ledger new.ndjson {"event":"opened"}"#,
        "ledger append --file shop.ndjson",
        "ledger append shop.ndjson ids.txt",
        "ledger verify --ledger shop.ndjson",
        "ledger repair --ledger shop.ndjson",
        "ledger repair",
        "ledger id shop.ndjson ids.txt",
    ]));
}

#[test]
fn input_that_is_not_plain_text_is_named_once() {
    let gz = gzip(format!("{EUID}\n").as_bytes());
    let zstd = [0x28, 0xb5, 0x2f, 0xfd, 4, 0, 0x41, 0, 0];
    let utf_16: Vec<u8> = format!("\u{feff}{EUID}\r\n").encode_utf16().flat_map(u16::to_le_bytes).collect();
    let marked = format!("\u{feff}{EUID}\n{EUID}\n").into_bytes();
    let inputs = [("gzip", gz), ("zstd", zstd.to_vec()), ("UTF-16", utf_16), ("byte order mark", marked)];
    let answers = inputs.iter().map(|(name, input)| {
        let answers = answers_to(
            &[
                "check euid",
                "inspect --json --spec euid",
                "convert --to hex",
                "ron zip",
                "ledger canonical",
                "ledger append --ledger new.ndjson",
            ],
            input,
        );
        format!("## {name}\n{answers}")
    });
    assert_snapshot!(answers.collect::<Vec<_>>().join("\n"));
}

#[test]
fn a_file_that_is_not_plain_text_is_named() {
    let folder = Folder::new("mistakes-files");
    let ledger = include_bytes!("../../../../vectors/ledger-classic.ndjson");
    for name in ["ids.gz", "euid"] {
        folder.file(name, gzip(format!("{EUID}\n").as_bytes()));
    }
    folder.file("ids.txt", format!("{EUID}\n"));
    folder.file("shop.ndjson.gz", gzip(ledger));
    let utf_16 = |text: &[u8]| -> Vec<u8> {
        format!("\u{feff}{}", text_of(text)).encode_utf16().flat_map(u16::to_le_bytes).collect()
    };
    folder.file("shop.utf-16", utf_16(ledger));
    folder.file("shop.bom", [b"\xef\xbb\xbf", &ledger[..]].concat());
    let answers = [
        "check euid ids.gz",
        "inspect ids.gz",
        "ledger canonical shop.ndjson.gz",
        "ledger append --ledger shop.ndjson.gz",
        "ledger repair shop.ndjson.gz",
        "ledger append --ledger shop.bom",
        "ledger append --ledger shop.utf-16",
        "check euid ids.txt ids.gz",
        "check --sorted euid euid",
        "check euid ids.txt -",
        "check euid ids.gz -",
        "ledger verify shop.ndjson.gz shop.bom",
        "ledger verify shop.utf-16",
        "ledger id shop.utf-16",
        "ledger verify shop.bom",
    ]
    .map(|line| {
        let mut command = sortid(&line.split(' ').collect::<Vec<_>>());
        command.current_dir(&folder.0);
        format!("$ sortid {line}\n{}", shown(&run_with(command, &utf_16(EUID.as_bytes()))))
    });
    assert_snapshot!(answers.join("\n"));
}

/// As the programs begin their files.
#[test]
fn other_compressed_files_are_named() {
    let folder = Folder::new("mistakes-compressed");
    folder.file("ids.bz2", b"BZh91AY&SY\xc1\xc0\x8a\x90\0\0");
    folder.file("ids.xz", b"\xfd7zXZ\0\0\x04\xe6\xd6\xb4F\0\0");
    folder.file("ids.zip", b"PK\x03\x04\x14\0\0\0\x08\0");
    // A RON UID.
    folder.file("uids", b"BZh91AY~SY\n");
    let answers = [
        "check euid ids.bz2",
        "ledger canonical ids.xz",
        "ron zip ids.zip",
        "ledger verify ids.bz2",
        "ledger verify --json ids.xz",
        "ledger id ids.zip",
        "ledger repair ids.bz2",
        "ledger append --ledger ids.zip",
        "check ron-uid uids",
    ]
    .map(|line| {
        let mut command = sortid(&line.split(' ').collect::<Vec<_>>());
        command.current_dir(&folder.0);
        format!("$ sortid {line}\n{}", shown(&run_with(command, b"")))
    });
    assert_snapshot!(answers.join("\n"));
}

fn text_of(bytes: &[u8]) -> &str {
    str::from_utf8(bytes).unwrap()
}

#[test]
fn what_is_around_an_id_is_named() {
    let answers = [
        ("inspect", format!("\"{EUID}\",\n {FLAKE} \n'05TTUP1HNCPNA1QHTDHRTCU3V32PD7C6'\n{EUID};\n")),
        ("inspect --json", format!(" {FLAKE} \n<{EUID}>\n")),
        ("check euid", format!("\"{EUID}\"\n{EUID},\n\t{EUID}\n\"{EUID}X\"\n")),
        ("check ron-uid", "time-origin,\n".to_owned()),
        // As psql prints a column: with a blank before each value.
        ("check ulid-flake", " 14246757444195114\n".to_owned()),
        ("check euid", " 621ce48c-99c0-0078-16e9-25e73ebf0fda\n".to_owned()),
        ("check euid", format!("id,name\n{EUID},Ada\n\"{EUID}\",\"Bob, Eve\"\n")),
        ("check ulid-flake", " id | name\n----+-----\n 14246757444195114 | Ada\n(1 row)\n".to_owned()),
        ("inspect --json --spec euid", format!("https://example.com/orders/{EUID}?x=1\norder={EUID} done\n")),
        ("convert --to hex", format!("{FLAKE},\n({EUID})\n")),
        ("convert --spec euid --to hex", format!("{EUID}.\n\u{a0}{EUID}\n")),
    ]
    .map(|(line, input)| {
        let output = run(&line.split(' ').collect::<Vec<_>>(), input.as_bytes());
        format!("$ sortid {line}\n{}", shown(&output))
    });
    assert_snapshot!(answers.join("\n"));
}

#[test]
fn a_line_that_is_not_an_event_gets_advice() {
    let lines = [
        r#"[{"event": "opened"}]"#,
        r#"{"#,
        r#"  "event": "opened","#,
        r#"}"#,
        r#"hello"#,
        r#"{'event': 'opened'}"#,
        r#"{"eventId": "x", "event": "opened", "entity": "shop", "key": "1"}"#,
        r#"{"eventId": "000660d9b102e8318077e36458f86494", "event": "opened", "entity": "shop", "key": "1"}"#,
        r#"{"timestamp": "now", "event": "opened", "entity": "shop", "key": "1"}"#,
        r#"{"event": "opened"}"#,
    ];
    let line = "ledger append --ledger new.ndjson";
    let [text, json] =
        ["", " --json"].map(|option| answers_to(&[&format!("{line}{option}")], lines.join("\n").as_bytes()));
    assert_snapshot!(format!("{text}\n{json}"));
}

#[test]
fn a_ledger_without_its_first_event_says_how_to_verify_the_rest() {
    let ledger = include_str!("../../../../vectors/ledger-classic.ndjson");
    let rest = ledger.split_once('\n').unwrap().1;
    let damaged = format!("garbage\n{rest}");
    let answers = [("a part", rest), ("a damaged first line", &damaged)].map(|(what, ledger)| {
        let commands = ["ledger verify", "ledger verify --all-faults", "ledger id"];
        format!("## {what}\n{}", answers_to(&commands, ledger.as_bytes()))
    });
    assert_snapshot!(answers.join("\n"));
}

#[test]
fn a_ledger_on_several_lines_or_in_an_array_gets_advice() {
    let ledger = include_str!("../../../../vectors/ledger-classic.ndjson");
    let event: serde_json::Value = serde_json::from_str(ledger.lines().next().unwrap()).unwrap();
    let pretty = serde_json::to_string_pretty(&event).unwrap();
    let array = format!("[\n{pretty}\n]\n");
    let folder = Folder::new("mistakes-pretty");
    folder.file("pretty.json", pretty);
    folder.file("array.json", array);
    let lines = [
        "ledger verify pretty.json",
        "ledger verify --json pretty.json",
        "ledger verify --all-faults array.json",
        "ledger verify -",
    ];
    let answers = lines.map(|line| {
        let mut command = sortid(&line.split(' ').collect::<Vec<_>>());
        command.current_dir(&folder.0);
        format!("$ sortid {line}\n{}", shown(&run_with(command, b"{\r\n}\r\n")))
    });
    assert_snapshot!(answers.join("\n"));
}

#[test]
fn a_ledger_can_come_from_standard_input_without_a_hyphen() {
    let ledger = include_bytes!("../../../../vectors/ledger-classic.ndjson");
    for command in [&["ledger", "verify"][..], &["ledger", "id"]] {
        let hyphen = run(&[command, &["-"]].concat(), ledger);
        assert_eq!(hyphen.status.code(), Some(0));
        assert_eq!(shown(&run(command, ledger)), shown(&hyphen));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn help_that_cannot_be_written_is_an_error() {
    for command in [&["--help"][..], &["ledger", "append", "--help"], &["--version"], &["help", "new"]] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = sortid(command).stdout(full).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{command:?}");
        assert!(text(&output.stderr).starts_with("error: cannot write: "), "{}", shown(&output));
    }
    // A reader that ends is not an error.
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let output = sortid(&["--help"]).stdout(writer).output().unwrap();
    assert_eq!((output.status.code(), output.stderr.len()), (Some(0), 0), "{}", shown(&output));
}

/// `script` of util-linux runs a command at a terminal of its own, and ends its input where its own ends.
#[cfg(target_os = "linux")]
#[test]
fn a_command_at_a_terminal_tells_what_it_waits_for_and_ends_at_once() {
    if !Command::new("script")
        .arg("--version")
        .output()
        .is_ok_and(|output| text(&output.stdout).contains("util-linux"))
    {
        println!("left out: there is no script of util-linux");
        return;
    }
    let folder = Folder::new("mistakes-terminal");
    for (command, waits_for) in [
        ("ledger append --ledger new.ndjson", "events, one JSON object per line"),
        ("ledger verify", "the events of a ledger, one per line"),
        ("ledger id", "the events of a ledger, one per line"),
        ("ledger canonical", "JSON texts, one per line"),
        ("inspect", "IDs, one per line"),
        ("check euid", "IDs, one per line"),
        ("convert --to hex", "IDs, one per line"),
        ("new euid --at -", "times, one per line"),
        ("ron zip", "RON UIDs, one per line"),
    ] {
        let mut script = Command::new("script");
        let line = format!("{} {command}", env!("CARGO_BIN_EXE_sortid"));
        script.args(["-q", "-c", &line, "/dev/null"]).current_dir(&folder.0);
        let shown = String::from_utf8_lossy(&run_with(script, b"").stdout).into_owned();
        assert!(
            shown.contains(&format!("reading {waits_for}, from the terminal; to end, press Ctrl-D")),
            "{shown}"
        );
    }
}
