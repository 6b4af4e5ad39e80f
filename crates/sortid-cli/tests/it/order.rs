//! `sortid check --sorted` and `--unique`.

use crate::common::{Folder, json_lines, run, shown, sortid, text};
use insta::assert_snapshot;
use proptest::{collection::vec, prelude::*, sample::Index};
use serde_json::{Value, json};
use sortid::{AnyId, Spec};
use std::{
    fmt::Write as _,
    io::{BufRead as _, BufReader},
    process::Stdio,
};

const IDS: [&str; 4] = ["00CMXB6TAK4SA", "00CMXB6TAM4SA", "00CMXB6TBK4SA", "00CMXB6TCK4SA"];

#[test]
fn faults_name_both_lines() {
    let [a, b, c, d] = IDS;
    let folder = Folder::new("order");
    let lower = c.to_lowercase();
    let first = folder.file("first", format!("{a}\n{c}\n{lower}\nnonsense\n{b}\n{d}"));
    let second = folder.file("second", format!("{b}\r\n{b}\r\n{d}\r\n{a}\r\n"));
    let mut all = String::new();
    for options in
        [&["--sorted"][..], &["--unique"], &["--sorted", "--unique"], &["--sorted", "--unique", "--json"]]
    {
        let args = [&["check", "ulid-flake", &first, &second], options].concat();
        let output = shown(&run(&args, b"")).replace(folder.0.to_str().unwrap(), "…");
        let _ = writeln!(all, "$ sortid check ulid-flake first second {}\n{output}", options.join(" "));
    }
    assert_snapshot!(all);
}

#[test]
fn sorted_ids_are_sorted_and_unique() {
    for spec in ["scru160", "euid", "ulid-flake"] {
        let made = run(&["new", spec, "-n", "5000"], b"").stdout;
        let output = run(&["check", spec, "--sorted", "--unique"], &made);
        let expected =
            format!("exit 0\n--- stderr\n{spec}: 5000 valid, 0 invalid, 0 out of order, 0 duplicates\n");
        assert_eq!(shown(&output), expected);
        let output = run(&["check", spec, "--unique", "--json"], &made);
        assert_eq!(json_lines(&output.stdout), [json!({ "lines": 5000, "invalid": 0, "duplicates": 0 })]);
    }
}

#[test]
fn the_memory_is_for_unique_and_not_too_little() {
    let mut all = String::new();
    for options in [
        &["--memory", "1M"][..],
        &["--unique", "--memory", "63K"],
        &["--unique", "--memory", "-1"],
        &["--unique", "--memory", "1 G"],
        &["--unique", "--memory", "99999999999G"],
        &["--unique", "--memory", ""],
    ] {
        let _ = writeln!(all, "{options:?}\n{}", shown(&run(&[&["check", "euid"], options].concat(), b"")));
    }
    assert_snapshot!(all);
    for size in ["65536", "64K", "1m", "2G"] {
        let output = run(&["check", "euid", "--unique", "--memory", size], b"");
        assert_eq!(shown(&output), "exit 0\n--- stderr\neuid: 0 valid, 0 invalid, 0 duplicates\n", "{size}");
    }
}

/// 20 000 different IDs, the last one first.
fn descending() -> Vec<String> {
    (0..20_000_u64)
        .rev()
        .map(|n| AnyId::try_from_bytes(Spec::UlidFlake, &n.to_be_bytes()).unwrap().to_string())
        .collect()
}

#[cfg(unix)]
#[test]
fn a_folder_for_temporary_files_that_cannot_be_used_is_an_error() {
    let input = descending().join("\n");
    let args = ["check", "ulid-flake", "--unique", "--memory", "64K"];
    let mut command = sortid(&args);
    command.env("TMPDIR", "/no/such/folder");
    let output = crate::common::run_with(command, input.as_bytes());
    assert_eq!(output.status.code(), Some(2));
    let message = text(&output.stderr);
    let expected = "error: cannot use a temporary file in /no/such/folder (set TMPDIR to another folder, or raise --memory): No such file or directory";
    assert!(message.starts_with(expected), "{message}");
    // With enough memory, there is no file.
    let mut command = sortid(&args[..3]);
    command.env("TMPDIR", "/no/such/folder");
    assert_eq!(crate::common::run_with(command, input.as_bytes()).status.code(), Some(0));
}

#[test]
fn duplicates_count_even_if_the_reader_closes_the_pipe() {
    let mut input = descending();
    input.extend_from_within(..);
    let mut child = sortid(&["check", "ulid-flake", "--unique", "--memory", "64K"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let stdin = child.stdin.take().unwrap();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            let mut stdin = stdin;
            std::io::Write::write_all(&mut stdin, input.join("\n").as_bytes()).unwrap();
        });
        let mut first = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut first).unwrap();
        assert!(first.starts_with("line 20001: the same ID as line 1: "), "{first}");
    });
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(1), String::new()));
}

/// Files whose IDs begin sorted are read once more up to the first ID out of order: wherever that is, all duplicates are
/// found.
#[test]
fn a_sorted_beginning_is_compared_with_the_rest() {
    let mut ids = descending();
    ids.reverse();
    let folder = Folder::new("beginning");
    for at in [1, 1999, 2000, 5000, 12_345, 19_999] {
        // Line `at + 1` repeats the first ID, and the last line the second one.
        let mut lines = ids.clone();
        lines.insert(at, ids[0].clone());
        lines.push(ids[1].clone());
        let lines = lines.join("\n");
        let file = folder.file("ids", &lines);
        let expected = format!(
            "exit 1\nline {}: the same ID as line 1: {:?}\nline 20002: the same ID as line {}: {:?}\n\
             --- stderr\nulid-flake: 20002 valid, 0 invalid, 2 duplicates\n",
            at + 1,
            ids[0],
            if at == 1 { 3 } else { 2 },
            ids[1]
        );
        let output = shown(&run(&["check", "ulid-flake", "--unique", "--memory", "64K", &file], b""));
        assert_eq!(output.replace(&format!("{file}: "), ""), expected);
        let output = run(&["check", "ulid-flake", "--unique"], lines.as_bytes());
        assert_eq!(shown(&output), expected);
    }
}

/// The parts from which the text of a line is made.
#[derive(Clone, Debug)]
struct Made {
    id: u16,
    is_lower: bool,
    is_invalid: bool,
}

/// IDs of a few times, so that many are equal, mostly in their order.
fn made() -> impl Strategy<Value = Vec<Made>> {
    let line =
        (any::<u16>(), 0..20, any::<[bool; 2]>()).prop_map(|(id, kind, [is_lower, _])| (id, kind, is_lower));
    (0..4_u8, 1..2000_u16, vec(line, 0..6000)).prop_map(|(order, different, lines)| {
        let mut ids: Vec<_> = lines.iter().map(|&(id, ..)| id % different).collect();
        match order {
            0 => {}
            1 => ids.sort_unstable(),
            2 => {
                ids.sort_unstable();
                let len = ids.len();
                for index in 0..len / 100 {
                    ids.swap(index * 50, len - 1 - index);
                }
            }
            _ => {
                let half = ids.len() / 2;
                ids[..half].sort_unstable();
            }
        }
        let line = |(id, &(_, kind, is_lower))| Made { id, is_lower, is_invalid: kind == 0 };
        ids.into_iter().zip(&lines).map(line).collect()
    })
}

fn id(spec: Spec, n: u16) -> AnyId {
    // The time, and the rest: the order depends on both.
    let mut bytes = AnyId::min(spec).as_bytes().to_vec();
    let at = if spec == Spec::RonUid { 1 } else { 2 };
    bytes[at] = (n >> 8) as u8;
    *bytes.last_mut().unwrap() = n as u8;
    AnyId::try_from_bytes(spec, &bytes).unwrap()
}

/// The faults that `check` should report, as `(file, line, kind, file, line)`: those of lines, then other duplicates.
fn expected(files: &[Vec<Option<AnyId>>], sorted: bool, unique: bool) -> Vec<Value> {
    let mut lines = vec![];
    for (file, ids) in files.iter().enumerate() {
        lines.extend(ids.iter().enumerate().map(|(index, &id)| (id, file, index + 1)));
    }
    let (mut at_once, mut later) = (vec![], vec![]);
    // The IDs that were not equal to the ID before them.
    let mut seen: Vec<(AnyId, usize, usize)> = vec![];
    let mut before: Option<(AnyId, usize, usize)> = None;
    for &(id, file, line) in &lines {
        let Some(id) = id else {
            at_once.push(json!([file, line, "invalid", null, null]));
            continue;
        };
        if let Some(before) = before {
            if sorted && id < before.0 {
                at_once.push(json!([file, line, "order", before.1, before.2]));
            }
            if unique && id == before.0 {
                at_once.push(json!([file, line, "duplicate", before.1, before.2]));
            }
        }
        if before.is_none_or(|before| before.0 != id) {
            let earlier = seen.iter().rev().find(|seen| seen.0 == id).filter(|_| unique && !sorted);
            later.extend(earlier.map(|earlier| json!([file, line, "duplicate", earlier.1, earlier.2])));
            seen.push((id, file, line));
        }
        before = Some((id, file, line));
    }
    at_once.extend(later);
    at_once
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_faults_are_those_of_a_naive_search(
        spec in prop::sample::select(Spec::ALL),
        made in made(),
        cuts in vec(any::<Index>(), 0..3),
        is_crlf: bool,
        ends: bool,
        is_stdin: bool,
        is_table: bool,
    ) {
        let mut cuts: Vec<_> = cuts.iter().map(|cut| cut.index(made.len() + 1)).collect();
        cuts.sort_unstable();
        let (mut files, mut rest) = (vec![], &made[..]);
        for cut in cuts.into_iter().rev() {
            files.insert(0, rest.split_off(cut..).unwrap());
        }
        files.insert(0, rest);
        let folder = Folder::new("naive");
        let mut paths = vec![];
        let mut stdin = String::new();
        for (index, lines) in files.iter().enumerate() {
            let id = |made: &Made| match id(spec, made.id).to_string() {
                _ if made.is_invalid => "?".to_owned(),
                // The case of other texts matters.
                text if made.is_lower && !matches!(spec, Spec::RonUid | Spec::EventlyId) => text.to_lowercase(),
                text => text,
            };
            let end = if is_crlf { "\r\n" } else { "\n" };
            let line = |made: &Made| match id(made) {
                // A row of two lines.
                id if is_table && id == "?" && made.is_lower => format!("\"it has{end}no ID\""),
                id if is_table => format!("\"a note{end}\",{id},x"),
                id => id,
            };
            let header = is_table.then(|| "note,id,x".to_owned());
            let lines: Vec<_> = header.into_iter().chain(lines.iter().map(line)).collect();
            let mut content = lines.join(end);
            if ends && !lines.is_empty() {
                content += end;
            }
            if is_stdin && index == 0 {
                paths.push("-".to_owned());
                stdin = content;
            } else {
                paths.push(folder.file(&index.to_string(), content));
            }
        }
        let ids: Vec<Vec<_>> = files
            .iter()
            .map(|lines| lines.iter().map(|made| (!made.is_invalid).then(|| id(spec, made.id))).collect())
            .collect();
        for (sorted, unique) in [(true, false), (false, true), (true, true)] {
            let mut args = vec!["check", spec.name(), "--json"];
            args.extend(sorted.then_some("--sorted"));
            args.extend(unique.then_some(["--unique", "--memory", "64K"]).into_iter().flatten());
            args.extend(is_table.then_some(["--csv", "--column", "id"]).into_iter().flatten());
            args.extend(paths.iter().map(String::as_str));
            let output = run(&args, stdin.as_bytes());
            let objects = json_lines(&output.stdout);
            let (totals, faults) = objects.split_last().unwrap();
            let file = |file: &Value| file.as_str().map(|name| paths.iter().position(|path| path == name).unwrap());
            let found: Vec<_> = faults
                .iter()
                .map(|fault| {
                    let kind = match fault["error"]["kind"].as_str().unwrap() {
                        kind @ ("order" | "duplicate") => kind,
                        _ => "invalid",
                    };
                    let other = &fault["other"];
                    let line = |line: &Value| match line.as_u64() {
                        // The header is a line, and each row two.
                        Some(line) if is_table && line % 2 == 0 => json!(line / 2),
                        Some(line) if is_table => panic!("no row begins on line {line}"),
                        _ => line.clone(),
                    };
                    json!([file(&fault["file"]), line(&fault["line"]), kind, file(&other["file"]), line(&other["line"])])
                })
                .collect();
            let expected = expected(&ids, sorted, unique);
            prop_assert_eq!(&found, &expected, "{:?}", args);
            let count = |kind| expected.iter().filter(|fault| fault[2] == kind).count();
            let lines = if is_table { "rows" } else { "lines" };
            let mut counts = json!({ lines: made.len(), "invalid": count("invalid") });
            if sorted {
                counts["out_of_order"] = count("order").into();
            }
            if unique {
                counts["duplicates"] = count("duplicate").into();
            }
            prop_assert_eq!(totals, &counts);
            prop_assert_eq!(output.status.code(), Some(i32::from(!expected.is_empty())));
        }
    }
}
