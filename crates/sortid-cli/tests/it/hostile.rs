//! Nothing from outside reaches a terminal as it is: arguments, file names, lines and files are escaped on both outputs.

use crate::common::{run_with, sortid, specs, text};
use std::{
    collections::BTreeSet,
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// Controls of C0 and C1, marks of direction, separators of lines, and invisible characters.
const HOSTILE: &str = "\x1b[2J\x07\r\x7f\u{85}\u{9b}2J\u{202e}\u{2066}\u{200f}\u{61c}\u{2028}\u{200b}\u{feff}\u{ad}\u{e0041}\u{115f}\u{3164}\u{ffa0}\u{180e}\u{fe0f}\u{e0100}";

/// A line that the program never prints.
const FORGED: &str = "\nFORGED";

/// The commands that take input, as `--help` names them.
const COMMANDS: [&str; 20] = [
    "",
    "new",
    "new scru160",
    "new euid",
    "new evently-id",
    "new ron-uid",
    "new ulid-flake",
    "inspect",
    "convert",
    "check",
    "range",
    "ledger verify",
    "ledger append",
    "ledger repair",
    "ledger id",
    "ledger canonical",
    "ron zip",
    "ron unzip",
    "sql postgres",
    "sql sqlite --spec euid",
];

/// A folder for files whose names are hostile. It is removed when this value is dropped.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("sortid-hostile-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    /// Runs the program, with and without colours, and checks what it prints.
    #[track_caller]
    fn is_harmless(&self, arguments: &[OsString], stdin: &[u8]) {
        for color in [None, Some("--color=always")] {
            let mut command = sortid(&[]);
            command.current_dir(&self.0).args(color).args(arguments);
            prints_nothing_hostile(command, stdin);
        }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[track_caller]
fn prints_nothing_hostile(command: Command, stdin: &[u8]) {
    let shown = format!("{command:?}");
    let output = run_with(command, stdin);
    for bytes in [&output.stdout, &output.stderr] {
        let printed = without_styles(&text(bytes));
        let found = printed.chars().find(|&character| is_hostile(character));
        assert_eq!(found, None, "{shown} printed {printed:?}");
        assert!(!printed.contains(FORGED), "{shown} printed {printed:?}");
    }
    assert!(output.status.code().is_some_and(|code| code <= 2), "{shown}: {}", output.status);
}

fn is_hostile(character: char) -> bool {
    let is_invisible = !character.is_ascii() && HOSTILE.contains(character);
    (character.is_control() && character != '\n') || is_invisible
}

/// Removes the colours, which are the program's own.
fn without_styles(printed: &str) -> String {
    let mut pieces = printed.split("\x1b[");
    let mut plain = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        match piece.split_once('m') {
            Some((style, rest)) if style.bytes().all(|byte| byte.is_ascii_digit() || byte == b';') => {
                plain += rest;
            }
            _ => plain = plain + "\x1b[" + piece,
        }
    }
    plain
}

fn words(command: &str) -> Vec<OsString> {
    command.split_whitespace().map(OsString::from).collect()
}

/// The options of a command.
fn options(command: &str) -> BTreeSet<String> {
    let mut help = sortid(&[]);
    help.args(words(command)).arg("--help");
    let help = text(&run_with(help, b"").stdout);
    let options = help.lines().filter_map(|line| {
        let line = line.trim_start().trim_start_matches("-n, ");
        line.strip_prefix("--").and_then(|_| line.split([' ', ',']).next()).map(str::to_owned)
    });
    options.filter(|option| !["--help", "--version"].contains(&&**option)).collect()
}

/// The hostile words: a text, a text with a line of its own, and bytes that are not UTF-8.
fn hostile_words() -> Vec<OsString> {
    vec![
        OsString::from(HOSTILE),
        format!("x{HOSTILE}{FORGED}").into(),
        #[cfg(unix)]
        std::os::unix::ffi::OsStringExt::from_vec(b"x\xff\x9b2J\x1b[2J".to_vec()),
    ]
}

#[test]
fn arguments_are_escaped_wherever_they_are() {
    let folder = Folder::new("anywhere");
    let mut found = 0;
    for word in hostile_words() {
        for command in COMMANDS {
            let before = words(command);
            let mut unknown = OsString::from("--");
            unknown.push(&word);
            let mut positions = vec![vec![word.clone()], vec!["--json".into(), word.clone()], vec![unknown]];
            for option in options(command) {
                found += 1;
                positions.push(vec![option.clone().into(), word.clone()]);
                positions.push(vec![option.clone().into(), word.clone(), word.clone()]);
                let mut joined = OsString::from(format!("{option}="));
                joined.push(&word);
                positions.push(vec![joined]);
            }
            for arguments in positions {
                folder.is_harmless(&[before.clone(), arguments].concat(), b"");
            }
        }
    }
    assert!(found > 50, "{found}");
}

#[test]
fn arguments_are_escaped_where_the_rest_of_the_command_line_is_right() {
    let folder = Folder::new("right");
    for word in hostile_words() {
        for spec in specs() {
            for command in [
                format!("inspect --spec {spec}"),
                format!("inspect --json --spec {spec}"),
                format!("convert --to hex --spec {spec}"),
                format!("convert --json --to hex --spec {spec}"),
                format!("convert --from hex --to text --spec {spec}"),
                format!("check {spec}"),
                format!("check --json {spec}"),
                format!("range {spec} --since 2024-01-01 --sql"),
                format!("range {spec} --since 2024-01-01 --dialect mysql --sql id"),
                format!("range {spec} --since"),
                format!("range {spec} --until"),
                format!("range {spec} --since 2024-01-01 --format"),
                format!("new {spec} --at"),
                format!("new {spec} --count"),
            ] {
                let arguments = [words(&command), vec![word.clone(), "orders".into()]].concat();
                folder.is_harmless(&arguments, b"");
                folder.is_harmless(&arguments[..arguments.len() - 1], b"");
            }
        }
        for command in [
            "new ron-uid --origin",
            "new ron-uid --origin X --scheme",
            "new euid --extension",
            "new ulid-flake --scalable --node",
            "new ulid-flake --epoch",
            "ledger verify --after",
            "ledger verify -- -",
            "ledger append --ledger missing/",
            "sql postgres --schema",
            "sql mysql --uninstall --schema",
            "sql mysql --spec euid --column",
            "completions",
            "man",
            "man --dir missing/",
            "help",
        ] {
            folder.is_harmless(&[words(command), vec![word.clone()]].concat(), b"");
        }
    }
}

#[cfg(unix)]
#[test]
fn the_name_of_the_program_is_escaped() {
    use std::os::unix::process::CommandExt as _;

    for arguments in
        [&["--nonsense"][..], &["inspect", "--nonsense"], &["--help"], &["new", "--help"], &["new"]]
    {
        let mut command = sortid(arguments);
        command.arg0(format!("sortid{HOSTILE}"));
        prints_nothing_hostile(command, b"");
    }
}

/// Lines that are wrong in the place of the hostile text.
fn hostile_lines() -> Vec<u8> {
    let all = HOSTILE.replace('\r', "");
    let mut lines = vec![];
    for line in [
        "{}",
        "C8EE934SR007G5Q94QKKXFRFV8{}",
        "time-{}",
        "time-origin,{},[1",
        r#"{"{}": 1, "{}": 2}"#,
        r#"{"event":"{}","entity":"{}","key":"{}"}"#,
        r#"{"eventId":"{}","timestamp":"{}","event":"{}","entity":"{}","key":"{}"}"#,
        r#"{"eventId":{},"timestamp":1}"#,
        r#"["{}", {}]"#,
        r#""\u{}""#,
    ] {
        for hostile in all.chars().map(String::from).chain([all.clone()]) {
            lines.extend(line.replace("{}", &hostile).bytes());
            lines.push(b'\n');
        }
    }
    lines.extend(b"\xff\x9b2J\x1b[2J\nx\x9b\n{\"\xff\":1}\n");
    lines
}

#[test]
fn lines_are_escaped_whether_they_come_from_a_pipe_or_a_file_of_any_name() {
    let folder = Folder::new("lines");
    let mut names = vec![OsString::from("lines.txt")];
    // Windows allows no such names, and macOS none that are not UTF-8.
    if cfg!(unix) {
        names.extend(
            hostile_words().into_iter().filter(|name| cfg!(target_os = "linux") || name.to_str().is_some()),
        );
    }
    let lines = hostile_lines();
    let mut of_lines = ["inspect", "inspect --json", "convert --to hex", "convert --json --to hex"]
        .map(str::to_owned)
        .to_vec();
    let mut of_files = [
        "ron zip",
        "ron unzip",
        "ron --json zip",
        "ron --json unzip",
        "ledger id",
        "ledger --json id",
        "ledger verify",
        "ledger verify --all-faults",
        "ledger verify --all-faults --threads 1",
        "ledger --json verify",
        "ledger --json canonical",
    ]
    .map(str::to_owned)
    .to_vec();
    for spec in specs() {
        of_lines.push(format!("inspect --json --spec {spec}"));
        of_lines.push(format!("convert --from hex --to text --spec {spec}"));
        of_files.extend([format!("check {spec}"), format!("check --json {spec}")]);
    }
    for command in of_lines.iter().chain(&of_files) {
        folder.is_harmless(&[words(command), words("-")].concat(), &lines);
    }
    for name in &names {
        let path = folder.0.join(Path::new(name));
        fs::write(&path, &lines).unwrap();
        let mut missing = name.clone();
        missing.push("-missing");
        for command in of_files.iter().chain([&"ledger canonical".to_owned()]) {
            if command != "ledger canonical" {
                folder.is_harmless(&[words(command), vec![name.clone()]].concat(), b"");
            }
            folder.is_harmless(&[words(command), vec![missing.clone()]].concat(), b"");
            // Several files are told apart by their names.
            if command.contains("verify") {
                folder.is_harmless(&[words(command), vec![name.clone(), name.clone()]].concat(), b"");
            }
        }
        folder.is_harmless(&[words("ledger append --ledger"), vec![name.clone()]].concat(), &lines);
        fs::remove_file(&path).unwrap();
        folder.is_harmless(&[words("ledger append --ledger"), vec![name.clone()]].concat(), &lines);
        // An event, and faults that `append` refuses and `repair` describes.
        for tail in [&lines[..], b"{\"eventId\":\"", b"{\"eventId\":\"\x1b[31m\xc2\x9b\"} x"] {
            for command in
                ["ledger repair", "ledger --json repair", "ledger repair --write", "ledger append --ledger"]
            {
                let (event, mut file) =
                    (br#"{"event":"e","entity":"e","key":"k"}"#, sortid(&["ledger", "append"]));
                file.current_dir(&folder.0).arg("--ledger").arg(name);
                run_with(file, event);
                let mut ledger = fs::read(&path).unwrap();
                ledger.extend(tail);
                fs::write(&path, ledger).unwrap();
                folder.is_harmless(&[words(command), vec![name.clone()]].concat(), event);
                fs::remove_file(&path).unwrap();
            }
        }
        folder.is_harmless(&[words("ledger --json append --ledger"), vec![name.clone()]].concat(), &lines);
    }
}

#[test]
fn escaped_json_has_the_same_meaning_and_the_canonical_form_stays_exact() {
    let hostile = HOSTILE.replace('\r', "");
    let output = run_with(sortid(&["inspect", "--json"]), hostile.as_bytes());
    let object: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(object["input"], hostile);

    // The checksums of a ledger need these bytes. Only a terminal gets escapes.
    let json = format!("\"{}\"", hostile.replace(['\x1b', '\x07'], ""));
    let output = run_with(sortid(&["ledger", "canonical"]), json.as_bytes());
    assert_eq!(text(&output.stdout), json + "\n");
}
