//! IDs in a column of a table: `--csv` and `--tsv` of `inspect`, `convert` and `check`.

use crate::common::{Folder, gzip, json_lines, run, shown, sortid, text};
use insta::assert_snapshot;
use serde_json::json;
use std::{
    fmt::Write as _,
    io::{BufRead as _, BufReader, Read as _, Write as _},
    process::Stdio,
};

const EUID: &str = "1HZP2F3TARAH1VEXW8BDJPEKP44";
const HEX: &str = "0c7f613c7a561510eddde216d959d3b1";

/// Rows of all kinds: with a fault, without an ID, and good ones.
fn mixed() -> String {
    format!(
        "name,id,note\n\
        Ada,{EUID},\"two\nlines\"\n\
        Bob,\"{EUID}\",\"a \"\"note\"\"\"\n\
        Cleo,,\n\
        Dan,\"\",x\n\
        Eve,nonsense!,x\n\
        short,{EUID}\n\
        long,{EUID},x,y\n\
        \n\
        Flo, {EUID},x\n\
        Gil,{EUID},\"open\n"
    )
}

#[test]
fn only_the_ids_of_a_column_change() {
    for (delimiter, option) in [(",", "--csv"), ("\t", "--tsv")] {
        for (mark, end) in [("", "\n"), ("\u{feff}", "\r\n"), ("", "\r")] {
            let table = |id: &str| {
                [
                    &format!("{mark}\"the, \"\"name\"\"\tof it\",id, x ,{end}")[..],
                    &format!("Ada,{id},\"{end}, \"\"\t{end}\",{end}"),
                    // Blank lines, quotes that are not needed, and a quote that is a part of the text.
                    &format!("{end}{end}\"Bob\",\"{id}\",5\" wide,\"\"{end}"),
                    &format!("\u{e9}\u{0},,{id},\\,{end}").replace(",\\,", ",\\"),
                    &format!("Cleo,{id},{id},"),
                ]
                .concat()
                .replace(',', delimiter)
            };
            for ending in ["", end, "\n\n"] {
                let [before, after] = [EUID, HEX].map(|id| table(id) + ending);
                // Only the column changes.
                let cell = format!("{delimiter}{HEX}{delimiter}");
                let after = after.replace(&format!("{cell}\\"), &format!("{delimiter}{EUID}{delimiter}\\"));
                let after = after.replace(&format!("{cell}{HEX}"), &format!("{cell}{EUID}"));
                let args = ["convert", option, "--column", "id", "--to", "hex"];
                let output = run(&args, before.as_bytes());
                assert_eq!(shown(&output), format!("exit 0\n{after}"), "{before:?}");
            }
        }
    }
}

/// What spreadsheets save where the decimal sign is a comma.
fn separated(delimiter: &str, end: &str, id: &str) -> String {
    [
        &format!("\"the{end} name\",id,a \"note\"{end}")[..],
        &format!("Ada,{id},\"{end}; \"\"\t{end}\"{end}"),
        &format!("{end}\"Bob\",\"{id}\",\"12;50\"{end}"),
        &format!("\u{e9},\"\",{end}"),
    ]
    .concat()
    .replace(',', delimiter)
}

/// Converts the column `id` to hex. Returns the table and what is on standard error.
fn to_hex(args: &[&str], table: &[u8]) -> (Vec<u8>, String) {
    let output = run(&[&["convert", "--to", "hex", "--column", "id"], args].concat(), table);
    assert_eq!(output.status.code(), Some(0), "{}", shown(&output));
    (output.stdout, text(&output.stderr))
}

#[test]
fn a_delimiter_separates_the_columns() {
    for (delimiter, names) in [
        (",", &[","][..]),
        (";", &[";"]),
        ("\t", &["\t", "\\t", "tab"]),
        ("|", &["|"]),
        (" ", &[" "]),
        ("\u{1}", &["\u{1}"]),
    ] {
        for (end, name) in
            ["\n", "\r\n", "\r"].iter().flat_map(|end| names.iter().map(move |name| (end, name)))
        {
            for mark in ["", "\u{feff}"] {
                // A space within the first name needs its quotes; other delimiters do not.
                let [before, after] = [EUID, HEX].map(|id| mark.to_owned() + &separated(delimiter, end, id));
                let before = before.replace("a \"note\"", "note").into_bytes();
                let after = after.replace("a \"note\"", "note").into_bytes();
                let converted = to_hex(&["--csv", "--delimiter", name], &before);
                assert!(converted == (after, String::new()), "{:?}: {converted:?}", text(&before));
            }
        }
    }
    // Bytes that are not UTF-8 stay.
    let table = |id: &str| [b"id;\xff\n", id.as_bytes(), b";\xe9\xff\n"].concat();
    assert_eq!(to_hex(&["--csv", "--delimiter", ";"], &table(EUID)), (table(HEX), String::new()));
}

#[test]
fn a_delimiter_is_found_in_the_first_row() {
    let note = |shown: &str| {
        format!(
            "note: the columns of standard input are separated by {shown}, as the first row shows: --delimiter {shown} \
            says so without this note\n"
        )
    };
    for (delimiter, shown) in [(";", "';'"), ("\t", "tab")] {
        for (end, mark) in [("\n", ""), ("\r\n", "\u{feff}"), ("\r", ""), ("\n", "\n\n")] {
            let [before, after] = [EUID, HEX].map(|id| mark.to_owned() + &separated(delimiter, end, id));
            let converted = to_hex(&["--csv"], before.as_bytes());
            assert_eq!((text(&converted.0), converted.1), (after, note(shown)), "{before:?}");
        }
        let rows = format!("{EUID}{delimiter}\"a\nb\"\n");
        let output = run(&["check", "euid", "--csv", "--no-header", "--column", "1"], rows.as_bytes());
        let expected = format!("exit 0\n--- stderr\n{}euid: 1 valid, 0 invalid\n", note(shown));
        assert_eq!(self::shown(&output), expected);
        // A line feed in the first row that only this delimiter finds.
        let table = |id: &str| format!("id{delimiter}\"no\nte\"\n{id}{delimiter}x\n");
        let converted = to_hex(&["--csv"], table(EUID).as_bytes());
        assert_eq!((text(&converted.0), converted.1), (table(HEX), note(shown)));
        // The line of a row is counted from the beginning of the input.
        let output = run(&["check", "euid", "--csv", "--column", "id"], table("x").as_bytes());
        assert!(text(&output.stdout).starts_with("line 3, column id: "), "{}", self::shown(&output));
    }
}

#[test]
fn a_delimiter_is_not_guessed_where_the_first_row_has_the_column() {
    for (header, column) in [("a; b", "a; b"), ("id,a;b;c", "id"), ("\"id;x\"", "id;x"), ("\"id;x\"", "1")] {
        let table = |id: &str| format!("{header}\n{id}{}\n", if header.contains(',') { ",x" } else { "" });
        let output = run(&["convert", "--to", "hex", "--csv", "--column", column], table(EUID).as_bytes());
        assert_eq!(shown(&output), format!("exit 0\n{}", table(HEX)));
    }
}

#[test]
fn a_line_before_the_first_row_names_the_delimiter() {
    for (delimiter, end, mark) in
        [(";", "\r\n", ""), (";", "\n", "\u{feff}"), ("\t", "\n", ""), (",", "\r", ""), ("|", "\r\n\n", "")]
    {
        for name in ["sep", "SEP"] {
            let table = |id: &str| format!("{mark}{name}={delimiter}{end}{}", separated(delimiter, "\n", id));
            let converted = to_hex(&["--csv"], table(EUID).as_bytes());
            assert_eq!((text(&converted.0), converted.1), (table(HEX), String::new()));
        }
    }
    // An option tells more than the line, which stays.
    for args in [&["--tsv"][..], &["--csv", "--delimiter", "tab"]] {
        let table = |id: &str| format!("sep=;\nid\tnote\n{id}\t;\n");
        assert_eq!(to_hex(args, table(EUID).as_bytes()), (table(HEX).into_bytes(), String::new()));
    }
    let rows = |id: &str| format!("sep=;\r\n\r\n{id};1\r\n");
    let args = ["convert", "--to", "hex", "--csv", "--no-header", "--column", "1"];
    assert_eq!(shown(&run(&args, rows(EUID).as_bytes())), format!("exit 0\n{}", rows(HEX)));
    let output = run(&["check", "euid", "--csv", "--no-header", "--column", "1"], rows("x").as_bytes());
    assert!(text(&output.stdout).starts_with("line 3, column 1: "), "{}", shown(&output));
    // Lines that name no delimiter are rows.
    for header in ["sep=", "sep=;;", "sep=x", "sep=\"", "sep"] {
        let table = |id: &str| format!("{header}\n{id}\n");
        let args = ["convert", "--to", "hex", "--csv", "--delimiter", ",", "--column", header];
        assert_eq!(shown(&run(&args, table(EUID).as_bytes())), format!("exit 0\n{}", table(HEX)));
    }
}

#[test]
fn many_rows_are_converted_there_and_back() {
    let ids = text(&run(&["new", "scru160", "-n", "20000"], b"").stdout);
    let mut table = "n,id,note\n".to_owned();
    for (n, id) in ids.lines().enumerate() {
        let note = ["plain", "\"two\nlines\"", "", "\"with, \"\"quotes\"\"\""][n % 4];
        let _ = writeln!(table, "{n},{id},{note}");
    }
    let convert = |args: &[&str], input: &[u8]| {
        let output = run(&[&["convert", "--csv", "--column", "id"], args].concat(), input);
        assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), String::new()));
        output.stdout
    };
    let hex = convert(&["--to", "hex"], table.as_bytes());
    assert_eq!(text(&convert(&["--from", "hex", "--to", "text"], &hex)), table);
    let times = text(&convert(&["--to", "time"], table.as_bytes()));
    let expected = text(&run(&["convert", "--to", "time"], ids.as_bytes()).stdout);
    let found: Vec<_> = times
        .lines()
        .filter_map(|line| line.split(',').nth(1)?.contains('T').then(|| line.split(',').nth(1))?)
        .collect();
    assert_eq!(found, expected.lines().collect::<Vec<_>>());
}

#[test]
fn each_command_reports_the_rows_without_an_id() {
    let folder = Folder::new("table");
    let file = folder.file("mixed.csv", mixed());
    let mut all = String::new();
    for args in [
        &["convert", "--to", "time"][..],
        &["check", "euid"],
        &["check", "euid", "--unique", "--json"],
        &["check", "euid", &file, "-"],
        &["inspect", "--json", "--spec", "euid"],
        &["inspect", "--spec", "ulid-flake"],
    ] {
        let output = run(&[args, &["--csv", "--column", "id"]].concat(), mixed().as_bytes());
        let command = args.join(" ");
        let _ = writeln!(all, "$ sortid {command} --csv --column id\n{}", shown(&output));
    }
    assert_snapshot!(all.replace(&folder.path(""), ""));
}

#[test]
fn a_column_has_a_name_or_a_number() {
    let table = format!("2,id,id,\"a \"\"name\"\"\"\n1,{EUID},3,4\n");
    let hex = |args: &[&str]| {
        run(&[&["convert", "--csv", "--to", "hex", "--column"], args].concat(), table.as_bytes())
    };
    // A column whose name is a number is found by its name.
    assert_eq!(
        text(&hex(&["2"]).stderr).lines().next(),
        Some("line 2, column 2: the text could be any word: to read it as an ID, add --spec ron-uid: \"1\"")
    );
    assert!(text(&hex(&["a \"name\""]).stderr).starts_with("line 2, column a \"name\": "));
    assert!(text(&hex(&["3"]).stderr).starts_with("line 2, column 3: "));
    let output = hex(&["2", "--no-header"]);
    assert_eq!(text(&output.stdout), format!("1,{HEX},3,4\n"));
    assert!(text(&output.stderr).starts_with("line 1, column 2: "));
}

#[test]
fn a_first_row_without_names_is_noted() {
    let [flake, euid] = ["00CMXB6TAK4SA", "1HZP2F3TARAH1VEXW8BDJPEKP44"];
    let table = format!("{flake},{euid}\n{flake},{euid}\n");
    for (spec, column, name) in [("ulid-flake", "1", flake), ("euid", "2", euid)] {
        let check = |args: &[&str]| {
            let args = [&["check", spec, "--csv", "--column", column], args].concat();
            shown(&run(&args, table.as_bytes()))
        };
        let note = format!(
            "note: the name of the column, \"{name}\", looks like an ID: if the first row has no names, add --no-header\n"
        );
        assert_eq!(check(&[]), format!("exit 0\n--- stderr\n{note}{spec}: 1 valid, 0 invalid\n"));
        assert_eq!(check(&["--no-header"]), format!("exit 0\n--- stderr\n{spec}: 2 valid, 0 invalid\n"));
    }
}

#[test]
fn a_table_without_the_column_is_an_error() {
    let wide = (1..=30).map(|n| format!("column {n}")).collect::<Vec<_>>().join("\t");
    let mut all = String::new();
    for (table, args) in [
        ("id,name\n", &["--csv", "--column", "ID"][..]),
        ("id,name\n", &["--csv", "--column", "3"]),
        ("id,name\n", &["--csv", "--column", "0"]),
        ("id,name\n", &["--csv", "--column", "+1"]),
        ("id,name\n", &["--csv", "--column", "3", "--no-header"]),
        ("id\tname\n", &["--csv", "--delimiter", ",", "--column", "id"]),
        ("id;name\n", &["--tsv", "--column", "ID"]),
        ("id;\"name, first\"\n", &["--csv", "--column", "id"]),
        ("id,name\n", &["--csv", "--delimiter", "|", "--column", "id"]),
        ("id;name\n", &["--csv", "--column", "ID"]),
        ("id;name\ttitle\n", &["--csv", "--column", "id"]),
        ("id;name\n", &["--csv", "--delimiter", ",", "--no-header", "--column", "2"]),
        ("sep=|\nid;name\n", &["--csv", "--column", "id"]),
        ("sep=;\r\n\r\n", &["--csv", "--column", "id"]),
        ("a,id,b,id\n", &["--csv", "--column", "id"]),
        ("\u{1b}[2J,\u{202e}\n", &["--csv", "--column", "\u{1b}[2J\u{202e}"]),
        (&wide, &["--tsv", "--column", "id"]),
        ("", &["--csv", "--column", "id"]),
        ("\u{feff}\n\r\n", &["--csv", "--column", "1"]),
        ("id,\"name\n", &["--csv", "--column", "id"]),
    ] {
        let output = run(&[&["inspect"], args].concat(), table.as_bytes());
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{args:?}");
        let _ = writeln!(all, "$ sortid inspect {}\n{}", args.join(" ").escape_debug(), text(&output.stderr));
    }
    assert_snapshot!(all);
    for args in [&["check", "euid"][..], &["convert", "--to", "hex"]] {
        let output = run(&[args, &["--csv", "--no-header", "--column", "1"]].concat(), b"");
        assert_eq!(output.status.code(), Some(0), "a table without a header can have no rows");
    }
}

#[test]
fn wrong_options_say_what_was_expected() {
    let folder = Folder::new("table-options");
    let file = folder.file("orders.csv", mixed());
    let mut all = String::new();
    for args in [
        &["inspect", "--csv"][..],
        &["inspect", "--column", "id"],
        &["check", "euid", "--no-header"],
        &["check", "euid", "--csv", "--tsv", "--column", "id"],
        &["check", "euid", "--csv", "--no-header", "--column", "id"],
        &["check", "euid", "--delimiter", ";"],
        &["check", "euid", "--tsv", "--column", "id", "--delimiter", ";"],
        &["check", "euid", "--csv", "--column", "id", "--delimiter", ";;"],
        &["check", "euid", "--csv", "--column", "id", "--delimiter", "\u{a7}"],
        &["check", "euid", "--csv", "--column", "id", "--delimiter", "t"],
        &["check", "euid", "--csv", "--column", "id", "--delimiter", "\""],
        &["check", "euid", "--csv", "--column", "id", "--delimiter", "\n"],
        &["check", "euid", "--csv", "--column", "id", "--delimiter", ""],
        &["convert", "--to", "hex", "--csv", "--column", "id", EUID],
        &["inspect", "--tsv", "--column", "id", "-", &file],
        &["convert", "--to", "hex", "--csv", "--column", "id", "--json"],
        &["convert", "--to", "hex", "--csv", "--column", "id", "-", "-"],
    ] {
        let output = run(args, mixed().as_bytes());
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{args:?}");
        let _ = writeln!(all, "$ sortid {}\n{}", args.join(" ").escape_debug(), text(&output.stderr));
    }
    assert_snapshot!(all.replace(&folder.path(""), ""));
}

#[test]
fn other_files_than_text_are_named() {
    let output = run(&["check", "euid", "--csv", "--column", "id"], &gzip(mixed().as_bytes()));
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("compressed with gzip"), "{}", shown(&output));
    let utf16: Vec<_> = "\u{feff}id\tname\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let output = run(&["check", "euid", "--tsv", "--column", "id"], &utf16);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("UTF-16"), "{}", shown(&output));
}

#[test]
fn a_row_that_is_too_long_to_keep_is_left_out() {
    let long = "\n".repeat(17 << 20);
    let table = format!("note,id\n\"{long}\",{EUID}\nshort,{EUID}\n");
    let output = run(&["convert", "--to", "hex", "--csv", "--column", "id"], table.as_bytes());
    assert_eq!((output.status.code(), text(&output.stdout)), (Some(1), format!("note,id\nshort,{HEX}\n")));
    let output = run(&["check", "euid", "--unique", "--json", "--csv", "--column", "id"], table.as_bytes());
    let objects = json_lines(&output.stdout);
    let len = long.len() + EUID.len() + 4;
    let message =
        format!("expected a row of at most 16777216 bytes, found {len}: a closing quote may be missing");
    assert_eq!(
        (&objects[0]["line"], &objects[0]["truncated"], &objects[0]["error"]),
        (&json!(2), &json!(true), &json!({ "kind": "row", "message": message }))
    );
    assert_eq!(objects[1], json!({ "rows": 2, "invalid": 1, "duplicates": 0 }));
    // The row after a row that is too long has the right line number.
    let table = format!("note,id\n\"{long}\",{EUID}\nshort,x\n");
    let output = run(&["check", "euid", "--csv", "--column", "id"], table.as_bytes());
    let line = format!("line {}, column id: ", (17 << 20) + 3);
    assert!(text(&output.stdout).lines().nth(1).unwrap().starts_with(&line), "{}", shown(&output));
}

#[test]
fn a_row_is_answered_before_the_next_one_comes() {
    for end in ["\n", "\r\n"] {
        let mut child = sortid(&["convert", "--csv", "--column", "id", "--to", "hex"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        for (row, expected) in [
            ("id,n", "id,n".to_owned()),
            (&format!("{EUID},1"), format!("{HEX},1")),
            (&format!("{EUID},\"2\n3\""), format!("{HEX},\"2\n3\"")),
        ] {
            write!(stdin, "{row}{end}").unwrap();
            let mut answer = vec![0; expected.len() + end.len()];
            stdout.read_exact(&mut answer).unwrap();
            assert_eq!(text(&answer), expected + end);
        }
        drop(stdin);
        assert_eq!(child.wait().unwrap().code(), Some(0));
        assert!(!stdout.fill_buf().is_ok_and(|rest| !rest.is_empty()));
    }
}

#[test]
fn a_reader_that_closes_the_pipe_is_not_an_error() {
    let mut child = sortid(&["convert", "--csv", "--column", "id", "--to", "time"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut stdout = child.stdout.take().unwrap();
    stdin.write_all(b"id\n").unwrap();
    stdout.read_exact(&mut [0; 3]).unwrap();
    drop(stdout);
    while writeln!(stdin, "{EUID}").is_ok() {}
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), String::new()));
}

/// The program `script` of util-linux makes the terminal. Where it is missing, the test is left out.
#[cfg(target_os = "linux")]
#[test]
fn a_terminal_gets_no_characters_that_it_obeys() {
    let command = format!(
        "printf 'id,\\033[2J\\r\\n{EUID},\\033[31m\\tx\\r\\n' | {} convert --csv --column id --to hex",
        env!("CARGO_BIN_EXE_sortid")
    );
    let mut script = std::process::Command::new("script");
    let Ok(output) = script.args(["--quiet", "--return", "--command", &command, "/dev/null"]).output() else {
        eprintln!("left out, because there is no program script");
        return;
    };
    // The terminal makes a carriage return and a line feed of each line feed.
    let printed = text(&output.stdout).replace('\r', "");
    assert_eq!(printed, format!("id,\\u{{1b}}[2J\n{HEX},\\u{{1b}}[31m\tx\n"));
}

#[test]
fn blank_lines_are_printed_where_there_is_no_row() {
    for blank in ["\n", "\r\n\n", "\u{feff}\n\n"] {
        let args = ["convert", "--csv", "--no-header", "--column", "2", "--spec", "euid", "--to", "hex"];
        assert_eq!(text(&run(&args, blank.as_bytes()).stdout), blank);
    }
}
