//! `sortid ledger repair`.

use crate::common::{json_lines, run, run_with, shown, sortid, text};
use flate2::{Compression, write::GzEncoder};
use insta::assert_snapshot;
use sortid::evently_ledger::{Ledger, Profile, Report, Verifier};
use std::{fs, io::Write as _, path::Path, process::Output};

const CLASSIC: &str = include_str!("../../../../vectors/ledger-classic.ndjson");

/// A folder with a ledger of 64 events, deleted afterwards.
struct Folder(crate::common::Folder);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = Self(crate::common::Folder::new(name));
        fs::write(folder.ledger(), CLASSIC).unwrap();
        folder
    }

    fn ledger(&self) -> String {
        self.0.path("ledger")
    }

    fn cut(&self) -> Option<Vec<u8>> {
        fs::read(self.0.path("ledger.cut")).ok()
    }

    /// Repairs the ledger with these options, in its folder.
    fn repair(&self, options: &[&str]) -> Output {
        let mut command = sortid(&[&["ledger", "repair"], options, &["ledger"]].concat());
        command.current_dir(&self.0.0);
        run_with(command, b"")
    }
}

fn verify(path: impl AsRef<Path>) -> Report {
    Verifier::new(None).verify(fs::read(path).unwrap().split(|&byte| byte == b'\n'))
}

/// Where each line begins, and where the last one ends.
fn starts() -> Vec<usize> {
    [0].into_iter().chain(CLASSIC.match_indices('\n').map(|(at, _)| at + 1)).collect()
}

#[test]
fn a_valid_ledger_needs_no_repair() {
    let folder = Folder::new("valid");
    for options in [&[][..], &["--write"], &["--json"]] {
        let output = folder.repair(options);
        assert_eq!(output.status.code(), Some(0), "{}", shown(&output));
    }
    assert_snapshot!(shown(&folder.repair(&[])));
    assert_eq!(fs::read_to_string(folder.ledger()).unwrap(), CLASSIC);
    assert_eq!(folder.cut(), None);
}

/// Zeros in the middle of a line; then the file is shown, repaired, and valid.
#[test]
fn what_would_be_cut_off_is_shown_and_then_cut_off_and_kept() {
    let folder = Folder::new("zeros");
    let starts = starts();
    let mut damaged = CLASSIC.as_bytes().to_vec();
    damaged[starts[40] + 20..starts[41] + 30].fill(0);
    fs::write(folder.ledger(), &damaged).unwrap();
    let appended = run(
        &["ledger", "append", "--ledger", &folder.ledger()],
        b"{\"event\":\"e\",\"entity\":\"e\",\"key\":\"k\"}",
    );
    assert_eq!(appended.status.code(), Some(2), "{}", shown(&appended));

    assert_snapshot!(shown(&folder.repair(&[])));
    assert_snapshot!(shown(&folder.repair(&["--json"])));
    assert_eq!(fs::read(folder.ledger()).unwrap(), damaged);
    assert_eq!(folder.cut(), None);

    assert_snapshot!(shown(&folder.repair(&["--write"])));
    assert_eq!(fs::read(folder.ledger()).unwrap(), damaged[..starts[40]]);
    assert_eq!(folder.cut().unwrap(), damaged[starts[40]..]);
    assert_eq!((verify(folder.ledger()).events, verify(folder.ledger()).faults), (40, 0));
    assert_eq!(folder.repair(&["--write"]).status.code(), Some(0));

    // The next cut is added to the earlier one.
    let before = [folder.cut().unwrap(), b"half".to_vec()].concat();
    fs::write(folder.ledger(), [&damaged[..starts[40]], b"half"].concat()).unwrap();
    let output = folder.repair(&["--write", "--json"]);
    assert_eq!(json_lines(&output.stdout)[0]["repaired"], true, "{}", shown(&output));
    assert_eq!(folder.cut().unwrap(), before);
}

/// A changed event breaks the chain; all events after it are cut off with it, and the report says how many of them are right.
#[test]
fn the_events_after_a_fault_are_counted() {
    let folder = Folder::new("chain");
    let starts = starts();
    let line = &CLASSIC[starts[10]..starts[11]];
    for (damaged, lines, events, valid) in [
        // Changed: only this event does not fit.
        (CLASSIC.replacen(line, &line.replace("eventId\":\"0", "eventId\":\"1"), 1), 54, 54, 52),
        // Removed: the next one does not fit.
        (CLASSIC.replacen(line, "", 1), 53, 53, 52),
        // Not JSON: the one after it cannot be compared.
        (CLASSIC.replacen(line, &line.replacen('{', "[", 1), 1), 54, 53, 53),
        // Without an ID.
        (CLASSIC.replacen(line, &line.replacen("eventId", "eventID", 1), 1), 54, 53, 53),
        // The beginning of another ledger.
        (CLASSIC.replacen(line, "{\"eventId\":\"0005cd755a43d79279bc07a158f86494\",\"timestamp\":\"2021-10-03T16:33:12.816530Z\",\"event\":\"opened\",\"entity\":\"shop\",\"key\":\"1\"}\n", 1), 54, 54, 52),
    ] {
        assert_ne!(damaged, CLASSIC);
        fs::write(folder.ledger(), &damaged).unwrap();
        let output = folder.repair(&["--json"]);
        assert_eq!(output.status.code(), Some(1), "{}", shown(&output));
        let found = &json_lines(&output.stdout)[0];
        assert_eq!((&found["events"], &found["damage"]["line"]), (&10.into(), &11.into()), "{found}");
        assert_eq!(found["damage"]["offset"], starts[10], "{found}");
        let counts = ["lines", "events", "valid_events"].map(|name| found["damage"][name].as_u64().unwrap());
        assert_eq!(counts, [lines, events, valid], "{found}");
    }
}

#[test]
fn a_last_event_without_a_line_feed_gets_one() {
    let folder = Folder::new("line-feed");
    fs::write(folder.ledger(), CLASSIC.trim_end()).unwrap();
    let output = folder.repair(&[]);
    assert_eq!(output.status.code(), Some(0), "{}", shown(&output));
    assert!(text(&output.stdout).contains("would add the line feed"), "{}", shown(&output));
    assert_eq!(fs::read_to_string(folder.ledger()).unwrap(), CLASSIC.trim_end());
    assert_eq!(folder.repair(&["--write"]).status.code(), Some(0));
    assert_eq!(fs::read_to_string(folder.ledger()).unwrap(), CLASSIC);

    // NULs after the event go, and the event stays.
    fs::write(folder.ledger(), [CLASSIC.trim_end().as_bytes(), &[0; 100]].concat()).unwrap();
    assert_snapshot!(shown(&folder.repair(&[])));
    assert_eq!(folder.repair(&["--write"]).status.code(), Some(0));
    assert_eq!(fs::read_to_string(folder.ledger()).unwrap(), CLASSIC);
    assert_eq!(folder.cut(), None);
}

#[test]
fn a_ledger_whose_first_line_is_damaged_would_have_no_event() {
    let folder = Folder::new("first");
    let damaged = CLASSIC.replacen("preview", "Preview", 1);
    fs::write(folder.ledger(), &damaged).unwrap();
    assert_snapshot!(shown(&folder.repair(&[])));
    assert_eq!(folder.repair(&["--write"]).status.code(), Some(2));
    // A part of a ledger only looks damaged, and a ledger in the wrong profile.
    fs::write(folder.ledger(), CLASSIC).unwrap();
    assert_eq!(folder.repair(&["--write", "--profile", "entities"]).status.code(), Some(2));
    assert_eq!(fs::read_to_string(folder.ledger()).unwrap(), CLASSIC);
    let starts = starts();
    fs::write(folder.ledger(), &CLASSIC[starts[8]..]).unwrap();
    assert_eq!(folder.repair(&[]).status.code(), Some(1));
    assert_eq!(folder.repair(&["--write"]).status.code(), Some(2));
    assert_eq!(fs::read_to_string(folder.ledger()).unwrap(), &CLASSIC[starts[8]..]);
    let before = &CLASSIC[starts[7]..].split_once("\"eventId\":\"").unwrap().1[..32];
    let output = folder.repair(&["--after", before]);
    assert_eq!(output.status.code(), Some(0), "{}", shown(&output));
    // The advice repeats the options.
    fs::write(folder.ledger(), format!("{}{{\"eventId", &CLASSIC[starts[8]..])).unwrap();
    let output = folder.repair(&["--profile", "classic", "--after", before]);
    let advice = format!("sortid ledger repair --write --profile classic --after {before} ledger\n");
    assert!(crate::common::text(&output.stdout).ends_with(&advice), "{}", shown(&output));
}

/// Whatever is before the events, or around them: no whole event goes because of it.
#[test]
fn a_ledger_whose_events_are_whole_is_not_cut_off_from_its_first_line_on() {
    let folder = Folder::new("whole");
    let utf_16: Vec<u8> = format!("\u{feff}{CLASSIC}").encode_utf16().flat_map(u16::to_le_bytes).collect();
    let mut answers = vec![];
    for (what, content, exit) in [
        ("a byte order mark", format!("\u{feff}{CLASSIC}").into_bytes(), 2),
        ("UTF-16", utf_16, 2),
        ("a comment", format!("# orders of 2024\n\n{CLASSIC}").into_bytes(), 1),
        ("an array", format!("[\n{}\n]\n", CLASSIC.trim_end().replace('\n', ",\n")).into_bytes(), 1),
        ("a first line of zeros", [&[0; 600], &CLASSIC.as_bytes()[600..]].concat(), 1),
    ] {
        fs::write(folder.ledger(), &content).unwrap();
        for (options, exit) in [(&[][..], exit), (&["--write"], 2), (&["--write", "--json"], 2)] {
            let output = folder.repair(options);
            assert_eq!(output.status.code(), Some(exit), "{what}: {}", shown(&output));
            if !options.contains(&"--json") {
                answers.push(format!("## {what} {options:?}\n{}", shown(&output)));
            }
            assert_eq!(fs::read(folder.ledger()).unwrap(), content, "{what}");
            assert_eq!(folder.cut(), None);
        }
    }
    assert_snapshot!(answers.join("\n"));
}

#[test]
fn a_file_that_is_not_a_ledger_stays_as_it_is() {
    let folder = Folder::new("other");
    let mut encoder = GzEncoder::new(vec![], Compression::fast());
    encoder.write_all(CLASSIC.as_bytes()).unwrap();
    for (content, message) in [
        (encoder.finish().unwrap(), "compressed"),
        (b"\x28\xb5\x2f\xfd".to_vec(), "compressed"),
        (b"hello\nworld\n".to_vec(), "it is not a ledger"),
        (b"{\n  \"name\": \"package\"\n}\n".to_vec(), "it is not a ledger"),
        (b"{\"a\":1}\n".to_vec(), "it is not a ledger"),
    ] {
        fs::write(folder.ledger(), &content).unwrap();
        for options in [&[][..], &["--write"], &["--json", "--write"]] {
            let output = folder.repair(options);
            assert_eq!(output.status.code(), Some(2), "{}", shown(&output));
            assert!(text(&output.stderr).contains(message), "{}", shown(&output));
            assert_eq!(fs::read(folder.ledger()).unwrap(), content);
            assert_eq!(folder.cut(), None);
        }
    }
    // What a crash leaves of a new ledger is not anything else.
    for content in [
        &[0; 600][..],
        b"{\"eventId\":\"0005",
        b"\n \r\n{\"eventId\":\"00",
        b"{\"ev",
        b"{\"eventId\":\"\0\0\0\0\0\0\n",
    ] {
        fs::write(folder.ledger(), content).unwrap();
        let line =
            1 + content.iter().filter(|&&byte| byte == b'\n').count() - usize::from(content.ends_with(b"\n"));
        let output = folder.repair(&["--write"]);
        assert_eq!(output.status.code(), Some(0), "{content:?}: {}", shown(&output));
        assert!(
            text(&output.stdout).starts_with(&format!("line {line}: ")),
            "{content:?}: {}",
            shown(&output)
        );
        // Blank lines stay.
        let kept = fs::read(folder.ledger()).unwrap();
        assert!(kept.trim_ascii().is_empty(), "{kept:?}");
        // NULs at the end are not kept.
        let rest = &content[kept.len()..];
        let text = rest.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
        assert!(folder.cut().unwrap_or_default().ends_with(&rest[..text]));
    }
    fs::write(folder.ledger(), "").unwrap();
    assert_eq!(folder.repair(&[]).status.code(), Some(0));
    let missing = run(&["ledger", "repair", "--write", "/no/such/ledger"], b"");
    assert_eq!(missing.status.code(), Some(2), "{}", shown(&missing));
}

/// Wherever one block of zeros is: `repair` keeps the events before it, and all bytes are in one of the two files.
#[test]
fn a_block_of_zeros_anywhere_is_repaired() {
    let folder = Folder::new("anywhere");
    let starts = starts();
    // Without the first event, none would stay.
    for block in 1..CLASSIC.len() / 512 {
        let mut damaged = CLASSIC.as_bytes().to_vec();
        damaged[block * 512..(block + 1) * 512].fill(0);
        fs::write(folder.ledger(), &damaged).unwrap();
        let _ = fs::remove_file(folder.0.path("ledger.cut"));
        let output = folder.repair(&["--write"]);
        assert_eq!(output.status.code(), Some(0), "{}", shown(&output));
        let kept = starts.iter().rposition(|&start| start <= block * 512).unwrap();
        assert_eq!(fs::read(folder.ledger()).unwrap(), damaged[..starts[kept]]);
        assert_eq!(folder.cut().unwrap(), damaged[starts[kept]..]);
        assert_eq!((verify(folder.ledger()).events, verify(folder.ledger()).faults), (kept as u64, 0));
    }
}

/// More than one block that is read at once, and a line that is longer than one.
#[test]
fn a_large_ledger_is_repaired() {
    let folder = Folder::new("large");
    fs::remove_file(folder.ledger()).unwrap();
    let long = format!("{{\"event\":\"e\",\"entity\":\"e\",\"key\":\"{}\"}}\n", "k".repeat(9 << 20));
    let short = "{\"event\":\"e\",\"entity\":\"e\",\"key\":\"k\"}\n".repeat(50_000);
    let input = [&*short, &long, &short].concat();
    assert!(run(&["ledger", "append", "--ledger", &folder.ledger()], input.as_bytes()).status.success());
    assert_eq!(folder.repair(&[]).status.code(), Some(0));
    let whole = fs::read(folder.ledger()).unwrap();
    // In the long line, and in the last one.
    for (at, events) in [(9 << 20, 50_000), (whole.len() - 30, 100_000)] {
        let mut damaged = whole.clone();
        damaged[at] = 0;
        fs::write(folder.ledger(), &damaged).unwrap();
        let output = folder.repair(&["--write", "--json"]);
        assert_eq!(json_lines(&output.stdout)[0]["events"], events, "{}", shown(&output));
        assert_eq!((verify(folder.ledger()).events, verify(folder.ledger()).faults), (events, 0));
        let kept = fs::read(folder.ledger()).unwrap();
        assert!(damaged == [kept, folder.cut().unwrap()].concat());
        fs::remove_file(folder.0.path("ledger.cut")).unwrap();
    }
}

/// A ledger whose events have a member of the other profile.
#[test]
fn a_part_whose_first_event_has_members_of_both_profiles_is_not_cut_off() {
    let folder = Folder::new("both");
    let mut ledger = Ledger::new(Profile::Classic);
    let mut ledger = ledger.batch();
    let mut part = String::new();
    let first = ledger.append_line(br#"{"event":"opened","entity":"shop","key":"1"}"#, &mut part).unwrap();
    part.clear();
    for others in [r#""entities":{}"#, r#""entities":{},"meta":{},"data":1"#, r#""data":2"#] {
        let line = format!(r#"{{"event":"placed","entity":"order","key":"17",{others}}}"#);
        ledger.append_line(line.as_bytes(), &mut part).unwrap();
    }
    fs::write(folder.ledger(), &part).unwrap();
    let output = folder.repair(&["--after", &first.to_string()]);
    assert_eq!(output.status.code(), Some(0), "{}", shown(&output));
    let output = run(&["ledger", "verify", "--after", &first.to_string(), &folder.ledger()], b"");
    assert!(text(&output.stdout).contains("classic"), "{}", shown(&output));
    assert_eq!(output.status.code(), Some(0), "{}", shown(&output));
}
