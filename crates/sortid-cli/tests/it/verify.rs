//! `sortid ledger verify`: what it requires of a ledger, and what it does with files that are made to cost time.

use crate::common::{Folder, gzip, json_lines, run, shown, text};
use insta::assert_snapshot;
use sortid::evently_ledger::{Report, Verifier};
use std::{fs, process::Output};

const CLASSIC: &str = include_str!("../../../../vectors/ledger-classic.ndjson");
const ENTITIES: &str = include_str!("../../../../vectors/ledger-entities.ndjson");
const JAVASCRIPT: &str = include_str!("../../../../vectors/ledger-javascript.ndjson");
const TWO_FRAMES: &[u8] = include_bytes!("../data/two_frames.ndjson.zst");

fn event(number: usize) -> String {
    format!("{{\"event\":\"counted\",\"entity\":\"number\",\"key\":\"{number}\"}}\n")
}

fn append(ledger: &str, events: &str) -> Output {
    run(&["ledger", "append", "--ledger", ledger], events.as_bytes())
}

fn verify(path: &str) -> Report {
    Verifier::new(None).verify(fs::read(path).unwrap().split(|&byte| byte == b'\n'))
}

#[test]
fn a_ledger_without_events_is_not_valid_unless_none_are_expected() {
    let folder = Folder::new("empty");
    let empty = folder.file("empty", "");
    let blank = folder.file("blank", "\n \n\r\n");
    let gz = folder.file("empty.gz", gzip(b""));
    let zst = folder.file("empty.zst", EMPTY_FRAME);
    for file in [&empty, &blank, &gz, &zst] {
        let output = run(&["ledger", "verify", file], b"");
        assert_eq!(output.status.code(), Some(1), "{file}: {}", shown(&output));
        assert!(text(&output.stdout).contains("add --events 0"), "{}", shown(&output));
        assert_eq!(run(&["ledger", "verify", "--events", "0", file], b"").status.code(), Some(0));
        assert_eq!(run(&["ledger", "verify", "--events", "1", file], b"").status.code(), Some(1));
    }
    assert_eq!(run(&["ledger", "verify", &empty, &blank], b"").status.code(), Some(1));
    let ledger = folder.file("ledger", CLASSIC);
    assert_eq!(run(&["ledger", "verify", &empty, &ledger, &blank], b"").status.code(), Some(0));
    assert_eq!(run(&["ledger", "verify", "--events", "0", &ledger], b"").status.code(), Some(1));
    let json = &json_lines(&run(&["ledger", "verify", "--json", &empty], b"").stdout)[0];
    assert_eq!((&json["valid"], &json["faults"]), (&false.into(), &1.into()));
    assert_eq!(
        (&json["first_fault"]["kind"], &json["first_fault"]["line"]),
        (&"no_events".into(), &0.into())
    );
}

#[test]
fn the_verdict_is_the_one_of_the_vectors() {
    let vectors: serde_json::Value =
        serde_json::from_str(include_str!("../../../../vectors/ledger.json")).unwrap();
    let groups = vectors["groups"].as_array().unwrap();
    let verdicts = groups.iter().find(|group| group["check"] == "verdict").unwrap();
    for case in verdicts["cases"].as_array().unwrap() {
        let output =
            run(&["ledger", "verify", "--json", "--all-faults"], case["ledger"].as_str().unwrap().as_bytes());
        let found = &json_lines(&output.stdout)[0];
        assert_eq!((&found["valid"], &found["events"]), (&case["valid"], &case["events"]), "{case}");
        assert_eq!(output.status.code(), Some(i32::from(case["valid"] == false)), "{case}");
    }
}

#[test]
fn after_the_first_fault_the_next_commands_are_named() {
    let folder = Folder::new("next-commands");
    let mut lines: Vec<_> = CLASSIC.lines().collect();
    lines.remove(9);
    let file = folder.file("a ledger", lines.join("\n"));
    let others = "the events after the first fault were not verified: to see all faults, add --all-faults";
    let repair = format!(
        "{others}; to see what repairing the ledger would cut off, run sortid ledger repair '{file}'\n"
    );
    assert_eq!(text(&run(&["ledger", "verify", &file], b"").stderr), repair);
    assert_eq!(
        text(&run(&["ledger", "verify", "-"], lines.join("\n").as_bytes()).stderr),
        format!("{others}\n")
    );
    for args in [["--all-faults", &file], ["--json", &file]] {
        assert_eq!(text(&run(&[&["ledger", "verify"], &args[..]].concat(), b"").stderr), "");
    }
    let printed = run(&["ledger", "repair", &file], b"");
    assert!(text(&printed.stdout).contains("line 10"), "{}", shown(&printed));
}

#[test]
fn events_that_are_missing_at_the_end_are_noticed_by_who_knows_the_last_one() {
    let folder = Folder::new("last");
    let (rest, _) = CLASSIC.trim_end().rsplit_once('\n').unwrap();
    let (file, cut) = (folder.file("ledger", CLASSIC), folder.file("cut", rest));
    let ids: Vec<_> =
        CLASSIC.lines().map(|line| line.split_once("\"eventId\":\"").unwrap().1[..32].to_owned()).collect();
    let last = &*ids[63];
    for (args, code) in [
        (&["--last", last][..], 0),
        (&["--events", "64"], 0),
        (&["--events", "64", "--last", last, "--strict"], 0),
        (&["--last", &ids[62]], 1),
        (&["--events", "63"], 1),
        (&["--events", "63", "--last", last], 1),
    ] {
        let exit = |file: &str| run(&[&["ledger", "verify", file], args].concat(), b"").status.code();
        assert_eq!(exit(&file), Some(code), "{args:?}");
        // Without its last event, the file meets the requirements that the whole file does not meet, and no others; in
        // the last case, neither meets them.
        assert_eq!(exit(&cut), Some(i32::from(args.len() > 2 || code == 0)), "{args:?}");
    }
    assert_snapshot!(shown(&run(&["ledger", "verify", "--last", last, "--events", "64", &cut], b"")));
    assert_snapshot!(shown(&run(
        &["ledger", "verify", "--json", "--last", last, "--events", "64", &cut],
        b""
    )));

    // All files together are the ledger.
    let (first, second) = CLASSIC.split_at(CLASSIC.match_indices('\n').nth(39).unwrap().0 + 1);
    let (first, second) = (folder.file("1", first), folder.file("2", second));
    let both = ["ledger", "verify", "--last", last, "--events", "64", &first, &second];
    assert_eq!(run(&both, b"").status.code(), Some(0));
    let only_first =
        run(&["ledger", "verify", "--json", "--events", "64", &first, &folder.file("none", "")], b"");
    assert_eq!(json_lines(&only_first.stdout)[0]["first_fault"]["found"], "40");
    // In a part of a ledger, the events after the trusted one count.
    let part = ["ledger", "verify", "--after", &ids[39], "--events", "24", "--last", last, &second];
    assert_eq!(run(&part, b"").status.code(), Some(0));
    let nothing_new = ["ledger", "verify", "--after", last, "--last", last, "--events", "0", "-"];
    assert_eq!(run(&nothing_new, b"").status.code(), Some(0));
    // A faulty ledger is read to the first fault, so its end is not compared; with all faults it is.
    let damaged = CLASSIC.replacen("ключ", "ключи", 1);
    for (all_faults, faults) in [(&[][..], 1), (&["--all-faults"], 2)] {
        let args = [&["ledger", "verify", "--json", "--events", "1", "-"], all_faults].concat();
        let output = run(&args, damaged.as_bytes());
        let json = &json_lines(&output.stdout)[0];
        assert_eq!(
            (json["first_fault"]["kind"].as_str(), &json["faults"]),
            (Some("id_mismatch"), &faults.into())
        );
    }
    assert_snapshot!(shown(&run(&["ledger", "verify", "--last", "12", "-"], b"")));
}

#[test]
fn a_ledger_that_the_published_validator_accepts_is_valid_and_nothing_of_it_is_cut_off() {
    let folder = Folder::new("javascript");
    let file = folder.file("ledger", JAVASCRIPT);
    let output = run(&["ledger", "verify", &file], b"");
    assert_eq!(output.status.code(), Some(0), "{}", shown(&output));
    let row = "  JavaScript  5 events have meta and data as JavaScript prints them\n";
    assert!(text(&output.stdout).contains(row), "{}", shown(&output));
    let json = &json_lines(&run(&["ledger", "verify", "--json", &file], b"").stdout)[0];
    assert_eq!((&json["valid"], &json["javascript_events"]), (&true.into(), &5.into()));
    let repair = run(&["ledger", "repair", &file], b"");
    assert_eq!(repair.status.code(), Some(0), "{}", shown(&repair));
    // And it can be continued.
    let added = append(&file, &event(1));
    assert_eq!(added.status.code(), Some(0), "{}", shown(&added));
    assert!(verify(&file).is_valid());
}

#[test]
fn append_says_which_events_the_published_validator_refuses() {
    let folder = Folder::new("refused-elsewhere");
    let ledger = folder.path("ledger");
    let event = |meta: &str, data: &str| {
        format!(r#"{{"event":"a","entity":"b","key":"c","meta":{meta},"data":{data}}}"#) + "\n"
    };
    for (meta, data, reason) in [
        ("{}", r#"{"n":1.50}"#, r#"in data, JavaScript prints "{\"n\":1.5}" for "{\"n\":1.50}""#),
        ("{}", "1.0", r#"in data, JavaScript prints "1" for "1.0""#),
        ("{}", "-0.0", r#"in data, JavaScript prints "0" for "0.0""#),
        ("{}", "12345678901234567890", "67000\" for \""),
        ("{}", "1e-7", r#"prints "1e-7" for "0.0000001""#),
        (r#"{"2":"x","10":"y"}"#, "1", r#"in meta, JavaScript prints "{\"2\":"#),
        ("{}", "null", "in the canonical JSON of data, expected a value other than null at column 1"),
        ("{}", r#"{"__proto__":1}"#, "expected another key at column 2, found __proto__"),
        ("{}", "1e400", "expected a number"),
        ("[]", "1", "meta is not an object"),
    ] {
        let output = append(&ledger, &event(meta, data));
        let found = text(&output.stderr);
        let expected = "line 1: warning: Evently's published validator refuses this event: ";
        assert!(found.starts_with(expected) && found.contains(reason), "{found}");
        assert_eq!(output.status.code(), Some(0));
    }
    for data in ["1.5", r#"{"a":[1,"b"],"～":0.1}"#, "\"null\""] {
        assert_eq!(text(&append(&ledger, &event("{}", data)).stderr), "", "{data}");
    }
    assert!(verify(&ledger).is_valid());
}

#[test]
fn repair_does_not_cut_off_what_another_profile_verifies() {
    let folder = Folder::new("other-profile");
    for (ledger, profile) in [(CLASSIC, "entities"), (ENTITIES, "classic"), (JAVASCRIPT, "entities")] {
        let file = folder.file("ledger", ledger);
        for write in [&["--write"][..], &[]] {
            let args = [&["ledger", "repair", &file, "--profile", profile], write].concat();
            let output = run(&args, b"");
            assert_eq!(output.status.code(), Some(2), "{}", shown(&output));
            assert!(text(&output.stderr).contains("leave out --profile"), "{}", shown(&output));
            assert_eq!(fs::read_to_string(&file).unwrap(), ledger);
        }
    }
}

#[test]
fn strictly_unknown_and_duplicate_members_are_refused() {
    for (name, to) in [("unknown", "\"Data\":{},\"data\""), ("duplicate", "\"data\":{},\"data\"")] {
        let edited = CLASSIC.replacen("\"data\"", to, 1);
        assert_eq!(run(&["ledger", "verify", "-"], edited.as_bytes()).status.code(), Some(0));
        for threads in ["1", "2", "10000"] {
            let output = run(&["ledger", "verify", "--strict", "--threads", threads, "-"], edited.as_bytes());
            assert_eq!(output.status.code(), Some(1));
            assert!(text(&output.stdout).contains("member, "), "{}", shown(&output));
        }
        let output = run(&["ledger", "verify", "--strict", "-"], edited.as_bytes());
        assert_snapshot!(name, shown(&output));
    }
    assert_eq!(run(&["ledger", "verify", "--strict", "-"], ENTITIES.as_bytes()).status.code(), Some(0));
}

#[test]
fn append_refuses_duplicate_members_and_warns_of_unknown_ones() {
    let folder = Folder::new("members");
    let path = folder.path("ledger");
    let events = [
        "{\"event\":\"e\",\"entity\":\"e\",\"key\":\"k\",\"Data\":1,\"x\\u001b\":2}\n",
        "{\"event\":\"e\",\"entity\":\"e\",\"key\":\"k\",\"data\":1,\"data\":2}\n",
        "{\"event\":\"e\",\"entity\":\"e\",\"key\":\"k\",\"data\":{\"a\":1,\"a\":2},\"x\":1}\n",
        "{\"event\":\"e\",\"entity\":\"e\",\"key\":\"k\",\"entities\":{}}\n",
        &event(1),
    ]
    .concat();
    let output = append(&path, &events);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(text(&output.stdout).lines().count(), 3);
    assert_snapshot!(text(&output.stderr));
    assert_eq!((verify(&path).events, verify(&path).faults), (3, 0));
    assert_eq!(run(&["ledger", "verify", "--strict", &path], b"").status.code(), Some(1));

    let output = run(&["ledger", "append", "--json", "--ledger", &path], events.as_bytes());
    assert_eq!(output.stderr, b"");
    let lines = json_lines(&output.stdout);
    let warning = "the member \"Data\" is not known to the profile classic (is \"data\" meant?): no checksum protects it";
    assert_eq!(lines[0]["warnings"][0], warning);
    assert_eq!(lines[1]["error"]["kind"], "duplicate_member");
    assert_eq!(lines[2].get("warnings"), None);
    assert_eq!(lines[4].get("warnings"), None);
}

/// A frame of zstd: the magic number, a window of 128 KiB without checksum, and these blocks, the last one marked.
fn zstd_frame(blocks: &[(u32, &[u8])]) -> Vec<u8> {
    let mut frame = vec![0x28, 0xb5, 0x2f, 0xfd, 0, 0x38];
    for (index, (header, content)) in blocks.iter().enumerate() {
        let header = header | u32::from(index + 1 == blocks.len());
        frame.extend(&header.to_le_bytes()[..3]);
        frame.extend(*content);
    }
    frame
}

/// A block that repeats one byte this many times.
const fn repeated(times: u32) -> u32 {
    times << 3 | 1 << 1
}

const EMPTY_FRAME: &[u8] = &[0x28, 0xb5, 0x2f, 0xfd, 0, 0x38, 1, 0, 0];

#[test]
fn a_small_file_that_expands_without_end_is_refused() {
    // 3 GiB of line feeds, in 96 KiB; and as many blanks, without any line.
    for (byte, threads) in [(b"\n", "1"), (b"\n", "2"), (b" ", "2")] {
        let bomb = zstd_frame(&vec![(repeated(1 << 17), &byte[..]); 24_576]);
        assert!(bomb.len() < 100_000);
        let output = run(&["ledger", "verify", "--threads", threads, "-"], &bomb);
        assert_eq!(output.status.code(), Some(2), "{}", shown(&output));
        assert!(text(&output.stderr).contains("decompress it first"), "{}", shown(&output));
    }
    // 64 MiB are not too much for any file.
    let mut file = zstd_frame(&vec![(repeated(1 << 17), &b"\n"[..]); 511]);
    file.extend(TWO_FRAMES);
    assert_eq!(run(&["ledger", "verify", "-"], &file).status.code(), Some(0));
}

#[test]
fn a_small_input_of_exponents_does_not_become_a_large_output() {
    for args in [&["ledger", "canonical"][..], &["ledger", "canonical", "--json"]] {
        let output = run(args, "1e131071\n".repeat(5000).as_bytes());
        assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
        assert!(text(&output.stderr).contains("expands to more than 64 MiB"), "{}", text(&output.stderr));
        assert!(output.stdout.len() < 66 << 20);
    }
    // Exponents as usual numbers have them.
    let output = run(&["ledger", "canonical"], "[1e300,1.5e-10]\n".repeat(100_000).as_bytes());
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
}

#[test]
fn a_compressed_file_that_is_not_whole_is_not_read_as_a_shorter_one() {
    let gz = gzip(CLASSIC.as_bytes());
    let skippable =
        |len: u32, content: &[u8]| [&[0x50, 0x2a, 0x4d, 0x18][..], &len.to_le_bytes(), content].concat();
    let exit = |file: &[u8]| run(&["ledger", "verify", "-"], file).status.code();
    for (file, code) in [
        (skippable(0, b""), Some(1)),
        ([TWO_FRAMES, &skippable(3, b"abc")].concat(), Some(0)),
        ([&skippable(3, b"abc"), TWO_FRAMES].concat(), Some(0)),
        ([&gz[..], &gzip(b"\n")].concat(), Some(0)),
        ([&gz[..], &gzip(b"")].concat(), Some(0)),
        // Tapes and disks are filled with zeros.
        ([&gz[..], &[0]].concat(), Some(0)),
        ([&gz[..], &gzip(b"\n"), &[0; 1_000_000]].concat(), Some(0)),
        ([&gz[..], &[0; 512], &gzip(b"\n")].concat(), Some(2)),
        ([&gz[..], b"garbage"].concat(), Some(2)),
        // Cut within a frame that is to be skipped, or its head.
        ([TWO_FRAMES, &skippable(4, b"abc")].concat(), Some(2)),
        ([TWO_FRAMES, &skippable(u32::MAX, b"abc")].concat(), Some(2)),
        ([TWO_FRAMES, &skippable(4, b"")].concat(), Some(2)),
        ([TWO_FRAMES, &skippable(4, b"")[..7]].concat(), Some(2)),
        ([TWO_FRAMES, &EMPTY_FRAME[..3]].concat(), Some(2)),
        ([TWO_FRAMES, &EMPTY_FRAME[..5]].concat(), Some(2)),
        ([TWO_FRAMES, &EMPTY_FRAME[..8]].concat(), Some(2)),
        // Something else behind it.
        ([TWO_FRAMES, CLASSIC.as_bytes()].concat(), Some(2)),
        ([TWO_FRAMES, b"\n"].concat(), Some(2)),
        ([&gz[..], CLASSIC.as_bytes()].concat(), Some(2)),
        ([&gz[..], &[0x1f]].concat(), Some(2)),
        // A window of 3.75 TiB, a dictionary, and a frame that states 2 bytes and has 3.
        (vec![0x28, 0xb5, 0x2f, 0xfd, 0, 0xff, 1, 0, 0], Some(2)),
        (vec![0x28, 0xb5, 0x2f, 0xfd, 1, 0x38, 7, 1, 0, 0], Some(2)),
        (vec![0x28, 0xb5, 0x2f, 0xfd, 0x20, 2, 0x19, 0, 0, b'\n', b'\n', b'\n'], Some(2)),
        (vec![0x28, 0xb5, 0x2f, 0xfd, 0x20, 3, 0x19, 0, 0, b'\n', b'\n', b'\n'], Some(1)),
    ] {
        assert_eq!(exit(&file), code, "{:x?}", &file[file.len().saturating_sub(20)..]);
    }
    for cut in 4..gz.len() {
        if cut % 13 == 0 || cut + 12 > gz.len() {
            assert_eq!(exit(&gz[..cut]), Some(2), "{cut} of {}", gz.len());
        }
    }
    for cut in (4..TWO_FRAMES.len()).step_by(17).chain(TWO_FRAMES.len() - 8..TWO_FRAMES.len()) {
        // Between the frames there is a file of one frame.
        let code = exit(&TWO_FRAMES[..cut]);
        assert!(
            code == Some(2) || run(&["ledger", "verify", "-"], &TWO_FRAMES[..cut]).stderr.is_empty(),
            "{cut}"
        );
    }
}

/// A file of two events gets one thread, however many are asked for.
#[test]
fn threads_are_started_for_work_alone() {
    let two: String = CLASSIC.split_inclusive('\n').take(2).collect();
    for threads in ["10000", "18446744073709551615"] {
        for input in [two.as_str(), CLASSIC] {
            let output = run(&["ledger", "verify", "--threads", threads, "-"], input.as_bytes());
            assert_eq!(output.status.code(), Some(0), "{}", shown(&output));
        }
    }
    // A longer file gets no more threads than it has pieces.
    let folder = Folder::new("work");
    let path = folder.path("ledger");
    append(&path, &(0..20_000).map(event).collect::<String>());
    let output = run(&["ledger", "verify", "--threads", "1000000", "--events", "20000", &path], b"");
    assert_eq!(output.status.code(), Some(0), "{}", shown(&output));
}
