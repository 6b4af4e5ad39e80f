//! `--help`, `completions`, `man`, and tips for mistyped commands.

use crate::common::{run, run_with, shown, sortid, specs, text};
use insta::assert_snapshot;
use std::{
    collections::BTreeSet,
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

/// Every command but `help`, each with its parent commands, in the order of the help.
fn commands() -> Vec<Vec<String>> {
    let mut commands = vec![vec![]];
    let mut next = 0;
    while let Some(command) = commands.get(next).cloned() {
        let help = text(&run(&[&words(&command)[..], &["-h"]].concat(), b"").stdout);
        let listed = help
            .lines()
            .skip_while(|line| !["Commands:", "Specifications:"].contains(line))
            .skip(1)
            .take_while(|line| !line.is_empty())
            // Continued lines are indented further.
            .filter(|line| !line.starts_with("   "))
            .filter_map(|line| line.split_whitespace().next())
            .filter(|name| *name != "help");
        commands.extend(listed.map(|name| [&command[..], &[name.to_owned()]].concat()));
        next += 1;
    }
    commands
}

fn words(command: &[String]) -> Vec<&str> {
    command.iter().map(String::as_str).collect()
}

/// An empty folder, deleted afterwards.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = env::temp_dir().join(format!("sortid-help-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir(&path).unwrap();
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A shell that finds the program; `None`, with a message, if there is no bash.
fn bash(script: &str, folder: &Path) -> Option<Command> {
    if Command::new("bash").arg("--version").output().is_err() {
        println!("left out: there is no bash");
        return None;
    }
    let program = Path::new(env!("CARGO_BIN_EXE_sortid")).parent().unwrap();
    let path = env::var_os("PATH").unwrap_or_default();
    let paths = [program.to_owned()].into_iter().chain(env::split_paths(&path));
    let mut bash = Command::new("bash");
    bash.args(["--norc", "-e", "-o", "pipefail", "-c", script]).current_dir(folder).env("HOME", folder);
    bash.env("PATH", env::join_paths(paths).unwrap());
    Some(bash)
}

#[test]
fn every_command_is_known_to_the_tests() {
    let names: Vec<_> = commands().iter().map(|command| command.join(" ")).collect();
    assert_snapshot!("commands", names.join("\n"));
}

#[test]
fn the_examples_of_the_help_work_as_printed() {
    let folder = Folder::new("examples");
    for command in commands() {
        let args = [&words(&command)[..], &["--help"]].concat();
        let help = text(&run(&args, b"").stdout);
        let (_, examples) = help.split_once("\nExamples:\n").expect("each command has examples");
        let mut wide = sortid(&args);
        wide.env("COLUMNS", "1000");
        assert!(
            text(&run_with(wide, b"").stdout).ends_with(examples),
            "a terminal breaks lines of {examples}"
        );

        let mut lines: Vec<String> = vec![];
        for line in examples.lines() {
            match line.strip_prefix("      ") {
                None => lines.push(String::new()),
                Some(line) => lines.last_mut().expect("first what it is for").extend([line, "\n"]),
            }
        }
        assert!(!lines.is_empty() && lines.iter().all(|line| line.contains("sortid ")), "{help}");
        for line in &lines {
            let Some(bash) = bash(line, &folder.0) else { return };
            let output = run_with(bash, b"");
            assert_eq!(output.status.code(), Some(0), "{line}\n{}", shown(&output));
        }
    }
}

#[test]
fn the_short_help_is_short_and_points_to_the_long_one() {
    for command in commands() {
        let help = text(&run(&[&words(&command)[..], &["-h"]].concat(), b"").stdout);
        assert!(!help.contains("Examples:") && help.contains("see more with '--help'"), "{help}");
        assert!(help.lines().count() <= 40, "{help}");
    }
}

#[test]
fn a_slip_of_the_pen_gets_a_tip() {
    let slips = [
        &["inspet"][..],
        &["new", "scru16O"],
        &["check", "euuid"],
        &["ledger", "verfy"],
        &["inspect", "--sepc", "euid", "ID"],
        &["convert", "--to", "base64", "ID"],
        &["man", "ledger", "verfy"],
        &["completions", "bsh"],
        // An ID instead of a command, instead of a file, and in another form.
        &["00CMXB6TAK4SA"],
        &["check", "ulid-flake", "00CMXB6TAK4SA"],
        &["inspect", "621ce48c-99c0-0078-16e9-25e73ebf0fda"],
        &["inspect", "00329d59b4a9932a"],
        &["convert", "--to", "text", "14246757444195114"],
    ];
    let answers: Vec<_> =
        slips.iter().map(|args| format!("$ sortid {}\n{}", args.join(" "), shown(&run(args, b"")))).collect();
    assert_snapshot!("slips", answers.join("\n"));
}

#[test]
fn bash_completes_commands_specifications_and_options() {
    let folder = Folder::new("completions");
    for (typed, expected) in [
        ("sortid insp", "inspect"),
        ("sortid new scr", "scru160"),
        ("sortid check eu", "euid"),
        ("sortid ledger ver", "verify"),
        ("sortid nodes re", "release repair"),
        ("sortid new scru160 --nodes ", ""),
        ("sortid inspect --js", "--json"),
        // Options are offered only after a hyphen, and bash offers files if there is nothing else.
        ("sortid check ", &*specs().collect::<Vec<_>>().join(" ")),
        ("sortid check euid ", ""),
        ("sortid check --json euid ", ""),
        ("sortid ledger verify ", ""),
        ("sortid ledger verify --last", "--last"),
        ("sortid convert --to ", "text hex int uuid base64url time"),
        ("sortid check euid --col", "--column --color"),
        ("sortid man ", "new inspect convert check range ledger nodes ron sql completions"),
        ("sortid man ledger ", "verify append repair id canonical"),
        ("sortid man ledger ver", "verify"),
        ("sortid new scru160 --node ", ""),
    ] {
        let words: Vec<_> = typed.split(' ').collect();
        let script = format!(
            r#"compopt() {{ :; }} # It fails outside a completion.
            eval "$(sortid completions bash)"
            COMP_WORDS=({typed}); COMP_CWORD={}; _sortid sortid '{}' '{}'
            echo "${{COMPREPLY[*]}}""#,
            words.len() - 1,
            words[words.len() - 1],
            words[words.len() - 2],
        );
        let Some(bash) = bash(&script, &folder.0) else { return };
        assert_eq!(shown(&run_with(bash, b"")), format!("exit 0\n{expected}\n"), "{typed}");
    }
}

#[test]
fn there_is_a_script_for_each_shell() {
    for shell in ["bash", "zsh", "fish", "powershell"] {
        let output = run(&["completions", shell], b"");
        assert_eq!(output.status.code(), Some(0), "{}", shown(&output));
        let script = text(&output.stdout);
        for word in ["inspect", "convert", "ulid-flake", "canonical"] {
            assert!(script.contains(word), "{shell}: {word}");
        }
        for alias in ["canonicalize", "validate", "--namespace"] {
            assert!(!script.contains(alias), "{shell}: {alias}");
        }
    }
}

#[test]
fn there_is_a_page_for_each_command() {
    let folder = Folder::new("man");
    let pages = folder.0.join("man1");
    let output = run(&["man", "--dir", pages.to_str().unwrap()], b"");
    assert_eq!(output.status.code(), Some(0), "{}", shown(&output));
    let names = |command: &[String]| [&["sortid".to_owned()], command].concat().join("-");
    let expected: BTreeSet<_> = commands().iter().map(|command| format!("{}.1", names(command))).collect();
    let written: BTreeSet<_> = fs::read_dir(&pages)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    assert_eq!(written, expected);

    let has_man = Command::new("man").arg("--version").output().is_ok_and(|output| output.status.success());
    for command in commands() {
        let path = pages.join(format!("{}.1", names(&command)));
        let page = fs::read_to_string(&path).unwrap();
        for heading in ["NAME", "SYNOPSIS", "DESCRIPTION", "EXAMPLES"] {
            assert!(page.contains(&format!(".SH {heading}\n")), "{heading}: {page}");
        }
        assert_eq!(text(&run(&[&["man"], &words(&command)[..]].concat(), b"").stdout), page);
        if has_man {
            let output = Command::new("man")
                .args(["--warnings", "-l"])
                .arg(&path)
                .env("MANPAGER", "cat")
                .env("MAN_KEEP_FORMATTING", "")
                .output()
                .unwrap();
            let (shown, warnings) = (text(&output.stdout), text(&output.stderr));
            assert!(output.status.success() && warnings.is_empty(), "{warnings}");
            assert!(shown.contains(&["sortid", &command.join(" ")].join(" ").trim().to_owned()), "{shown}");
        }
    }
}
