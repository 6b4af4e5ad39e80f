//! What is natural to type, but means something else or nothing.

mod common;

use common::{Folder, gzip, run, run_with, shown, sortid, text};
use insta::assert_snapshot;

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
    folder.file("shop.ndjson", include_bytes!("../../evently-ledger/tests/data/evently_classic.ndjson"));
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
    for command in [&["check", "Euid"][..], &["inspect", "--json", "--spec", "EUID"]] {
        assert_eq!(run(command, EUID.as_bytes()).status.code(), Some(0), "{command:?}");
    }
    assert_eq!(run(&["range", "ULID-Flake", "--since", "2024-06-01"], b"").status.code(), Some(0));
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

#[test]
fn new_tells_where_a_number_a_time_and_a_second_specification_belong() {
    assert_snapshot!(answers(&[
        "new scru160 3",
        "new 3",
        "new -n 1e6 euid",
        "new euid -n 1_000_000",
        "new euid -n 1,000",
        "new euid -n 1M",
        "new euid -n 10k",
        "new euid -n -3",
        "new euid -n 99999999999999999999",
        "new euid -n many",
        "new euid scru160",
        "new ron-uid",
        "new euid --count",
        "new euid -n",
        "new all",
        "new euid 2024-06-06",
        "new 2024-06-06",
        "new euid uuid",
        "new euid --uuid",
        "new euid --to uuid",
        "new euid -f hex",
        "new --spec euid",
        "new euid --number 3",
        "new euid --count=1e6",
        "new euid -n1k",
        "new euid --time=2024-06-06",
        "new 00CMXB6TAK4SA",
    ]));
}

#[test]
fn the_commands_of_other_programs_have_a_name_here() {
    assert_snapshot!(answers(&[
        "euid",
        "SCRU160 -n 3",
        "--color never ulid_flake --format int",
        "generate euid -n 3",
        "gen",
        "make scru160",
        "create euid",
        "parse C8EE934SR007G5Q94QKKXFRFV8B",
        "decode C8EE934SR007G5Q94QKKXFRFV8B",
        "show x",
        "explain x",
        "validate euid ids.txt",
        "verify shop.ndjson",
        "append",
        "repair shop.ndjson",
        "zip",
        "unzip",
        "encode --to hex C8EE934SR007G5Q94QKKXFRFV8B",
        "version",
        "new --version",
        "shop.ndjson",
        "ledger shop.ndjson",
        "ledger check shop.ndjson",
        "ledger add",
        "ledger create shop.ndjson",
        "ledger fix shop.ndjson",
        "ron compress",
        "ron 00CMXB6TAK4SA",
        "completions",
        "range",
        "range euid 2024-06-01 2024-06-30",
        "range euid --from 2024-06-01 --to 2024-06-30",
    ]));
}

#[test]
fn convert_tells_where_the_form_belongs() {
    assert_snapshot!(answers(&[
        "convert 00CMXB6TAK4SA uuid",
        "convert hex 00CMXB6TAK4SA",
        "convert 00CMXB6TAK4SA",
        "convert",
        "convert --to euid 00CMXB6TAK4SA",
        "convert --to euid",
        "convert --from euid --to hex 00CMXB6TAK4SA",
        "convert --to JSON 00CMXB6TAK4SA",
        "convert --to json 00CMXB6TAK4SA",
        "convert --to base64 00CMXB6TAK4SA",
        "convert --format hex 00CMXB6TAK4SA",
        "convert -t hex 00CMXB6TAK4SA",
        "convert --hex 00CMXB6TAK4SA",
        "convert --to hex uuid 00CMXB6TAK4SA",
        "convert --to hex ids.txt",
    ]));
}

#[test]
fn a_word_among_ids_can_be_something_else() {
    assert_snapshot!(answers(&[
        "inspect euid C8EE934SR007G5Q94QKKXFRFV8B",
        "inspect ids.txt",
        "inspect --json shop",
        "inspect shop --json",
        "inspect -my",
        "convert --to hex -my",
        "inspect --json -my",
        "inspect --format json 00CMXB6TAK4SA",
        "inspect -s euid 00CMXB6TAK4SA",
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
        "check --spec=euid",
    ]));
}

#[test]
fn a_ledger_is_an_option_or_an_argument() {
    assert_snapshot!(answers(&[
        "ledger append shop.ndjson",
        "ledger append",
        "ledger append --file shop.ndjson",
        "ledger verify --ledger shop.ndjson",
        "ledger verify --file=shop.ndjson",
        "ledger repair --ledger shop.ndjson",
        "ledger repair",
        "ledger id shop.ndjson ids.txt",
    ]));
}
