//! `sortid ledger`.

use crate::common::{Folder, gzip, json_lines, run, shown, sortid, text};
use insta::assert_snapshot;
use sortid::evently_ledger::{EventId, Genesis, Profile, Report, Verifier};
use std::{
    collections::HashSet,
    fs,
    io::{BufRead, BufReader, Write},
    path::Path,
    process::Stdio,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::Relaxed},
        mpsc,
    },
    thread,
    time::{Duration, Instant},
};

const CLASSIC: &str = include_str!("../../../../vectors/ledger-classic.ndjson");
const ENTITIES: &str = include_str!("../../../../vectors/ledger-entities.ndjson");
const TWO_FRAMES: &[u8] = include_bytes!("../data/two_frames.ndjson.zst");

fn verify(path: impl AsRef<Path>) -> Report {
    Verifier::new(None).verify(fs::read(path).unwrap().split(|&byte| byte == b'\n'))
}

fn event(number: usize) -> String {
    format!("{{\"event\":\"counted\",\"entity\":\"number\",\"key\":\"{number}\"}}\n")
}

fn append(ledger: &str, events: &str) -> std::process::Output {
    run(&["ledger", "append", "--ledger", ledger], events.as_bytes())
}

#[test]
fn both_ledgers_are_valid() {
    assert_snapshot!(shown(&run(&["ledger", "verify", "-"], CLASSIC.as_bytes())));
    assert_snapshot!(shown(&run(&["ledger", "verify", "--json", "-"], ENTITIES.as_bytes())));
}

#[test]
fn a_fault_is_reported_with_its_line() {
    let damaged = CLASSIC.replace("ключ", "ключи");
    assert_snapshot!(shown(&run(&["ledger", "verify", "-"], damaged.as_bytes())));
    assert_snapshot!(shown(&run(&["ledger", "verify", "--json", "--all-faults", "-"], damaged.as_bytes())));
    assert_snapshot!(shown(&run(&["ledger", "verify", "--profile", "entities", "-"], CLASSIC.as_bytes())));
}

#[test]
fn every_number_of_threads_says_the_same() {
    let folder = Folder::new("threads");
    let path = folder.path("ledger");
    let events: String = (0..20_000).map(event).collect();
    assert_eq!(append(&path, &events).status.code(), Some(0));
    let whole = fs::read_to_string(&path).unwrap();
    let damaged: String = whole
        .lines()
        .enumerate()
        .filter(|(number, _)| number % 6_999 != 5)
        .map(
            |(number, line)| {
                if number % 3_001 == 7 { line.replace("counted", "Counted") } else { line.to_owned() }
            },
        )
        .map(|line| line + "\n")
        .collect();
    let damaged = folder.file("damaged", damaged);
    for file in [&path, &damaged] {
        for options in [&["--json"][..], &["--json", "--all-faults"], &["--all-faults"]] {
            let of = |threads| {
                let args = [&["ledger", "verify", "--threads", threads], options, &[file]].concat();
                shown(&run(&args, b""))
            };
            let one = of("1");
            assert!(one.starts_with(if file == &path { "exit 0" } else { "exit 1" }), "{one}");
            assert_eq!(one, of("2"));
            assert_eq!(one, of("7"));
        }
    }
}

#[test]
fn compressed_files_and_parts_of_a_ledger_are_read() {
    let folder = Folder::new("parts");
    let gz = folder.file("ledger.gz", gzip(CLASSIC.as_bytes()));
    let zst = folder.file("ledger.zst", TWO_FRAMES);
    let valid = shown(&run(&["ledger", "verify", "--json", "-"], CLASSIC.as_bytes()));
    assert_eq!(shown(&run(&["ledger", "verify", "--json", &gz], b"")), valid);
    assert_eq!(shown(&run(&["ledger", "verify", "--json", &zst], b"")), valid);
    assert_eq!(shown(&run(&["ledger", "verify", "--json", "-"], TWO_FRAMES)), valid);

    // Files that are cut short or have a wrong checksum cannot be read.
    for (bytes, at) in [(fs::read(&gz).unwrap(), 900), (TWO_FRAMES.to_vec(), 900)] {
        let cut = folder.file("cut", &bytes[..at]);
        assert_eq!(run(&["ledger", "verify", &cut], b"").status.code(), Some(2));
    }
    let mut wrong = TWO_FRAMES.to_vec();
    *wrong.last_mut().unwrap() ^= 1;
    let wrong = folder.file("wrong", wrong);
    assert_snapshot!(shown(&run(&["ledger", "verify", &wrong], b"")).replace(&wrong, "FILE"));

    let (first, second) = CLASSIC.split_at(CLASSIC.match_indices('\n').nth(39).unwrap().0 + 1);
    let last = first.lines().last().unwrap().split_once("\"eventId\":\"").unwrap().1[..32].to_owned();
    let (first, second) = (folder.file("1", first), folder.file("2", second));
    assert_eq!(shown(&run(&["ledger", "verify", "--json", &first, &second], b"")), valid);
    assert_snapshot!(shown(&run(&["ledger", "verify", "--after", &last, &second], b"")));
    // A fault is reported with the line of its own file.
    let swapped = run(&["ledger", "verify", &second, &first], b"");
    assert_snapshot!(shown(&swapped).replace(folder.0.to_str().unwrap(), ""));
    let damaged = folder
        .file("2", fs::read_to_string(&second).unwrap().replace("0005ce3ea4dd85ce", "0005ce3ea4dd85cf"));
    let damaged = run(&["ledger", "verify", "--json", &first, &damaged], b"");
    assert_eq!(json_lines(&damaged.stdout)[0]["first_fault"]["line"], 24);
}

#[test]
fn input_that_is_not_a_ledger_is_reported() {
    assert_snapshot!(shown(&run(&["ledger", "verify", "/no/such/ledger"], b"")));
    assert_snapshot!(shown(&run(&["ledger", "verify", "-"], b"")));
    assert_snapshot!(shown(&run(&["ledger", "verify", "-"], b"\n\r\n")));
    for (name, input) in [
        ("byte_order_mark", &b"\xef\xbb\xbf{}"[..]),
        ("nul", b"\0\0\0\0\0\n"),
        ("not_utf_8", b"{\"event\":\"\xff\"}"),
        ("an_array", b"[1]"),
    ] {
        assert_snapshot!(name, shown(&run(&["ledger", "verify", "-"], input)));
    }
    assert_snapshot!(shown(&run(&["ledger", "verify"], b"")));
    assert_snapshot!(shown(&run(&["ledger", "verify", "--after", "12", "-"], b"")));
}

#[test]
fn the_ledger_id_is_that_of_a_genesis_event() {
    assert_snapshot!(shown(&run(&["ledger", "id", "-"], CLASSIC.as_bytes())));
    assert_snapshot!(shown(&run(&["ledger", "id", "--json", "-"], ENTITIES.as_bytes())));
    let (_, part) = CLASSIC.split_once('\n').unwrap();
    assert_snapshot!(shown(&run(&["ledger", "id", "-"], part.as_bytes())));
    assert_snapshot!(shown(&run(&["ledger", "id", "-"], b"")));
}

#[test]
fn lines_become_canonical_or_are_reported() {
    let input = b"{\"b\":1e3, \"a\":-0.0}\r\n[1,\n\n \"\\u00e9\"\n1e999999999\n";
    assert_snapshot!(shown(&run(&["ledger", "canonical"], input)));
    assert_snapshot!(shown(&run(&["ledger", "canonical", "--json"], input)));
}

#[test]
fn hostile_lines_get_an_answer() {
    let long = format!("\"{}\"\n", "x".repeat(100_000_000));
    let deep = "[".repeat(1_000_000) + "\n";
    let wide: String = (0..1_000_000).rev().map(|key| format!("\"{key:07}\":0,")).collect();
    let wide = format!("{{{}}}\n", wide.trim_end_matches(','));
    let output = run(&["ledger", "canonical"], [long.as_str(), &deep, &wide].concat().as_bytes());
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(
        text(&output.stderr),
        "standard input: line 2: expected at most 512 nested arrays and objects at column 513, found more\n"
    );
    let lines: Vec<_> = text(&output.stdout).lines().map(str::to_owned).collect();
    assert_eq!((lines[0].len(), lines[1].len()), (long.len() - 1, wide.len() - 1));
    assert!(lines[1].starts_with("{\"0000000\":0,\"0000001\":0,"));
}

#[test]
fn events_are_appended_and_acknowledged() {
    let folder = Folder::new("append");
    for (name, events, profile) in [
        ("classic", (0..3).map(event).collect(), Profile::Classic),
        (
            "entities",
            r#"{"event":"e","entities":{},"meta":{},"data":null}"#.repeat(3).replace("}{", "}\n{"),
            Profile::Entities,
        ),
    ] {
        let path = folder.path(name);
        for times in 1..=3 {
            let output = append(&path, &events);
            assert_eq!(output.status.code(), Some(0), "{}", shown(&output));
            let report = verify(&path);
            assert_eq!((report.events, report.first_fault), (3 * times, None));
            assert_eq!((report.profile, report.genesis), (Some(profile), Some(Genesis::Published)));
            let acknowledged = text(&output.stdout);
            assert_eq!(acknowledged.lines().count(), 3);
            assert_eq!(acknowledged.lines().last().unwrap().parse(), Ok(report.last_event_id.unwrap()));
        }
        // The acknowledged IDs are those in the file, in the same order.
        let file = fs::read_to_string(&path).unwrap();
        let output = run(&["ledger", "append", "--json", "--ledger", &path], events.as_bytes());
        let added = fs::read_to_string(&path).unwrap()[file.len()..].to_owned();
        for (acknowledged, line) in json_lines(&output.stdout).iter().zip(json_lines(added.as_bytes())) {
            assert_eq!(acknowledged["eventId"], line["eventId"]);
        }
    }
}

#[test]
fn events_that_cannot_be_added_are_reported_and_left_out() {
    let folder = Folder::new("refused");
    let path = folder.path("ledger");
    let events = [
        "nonsense\n",
        "{\"event\":\"no entity\"}\n",
        &event(1),
        "{\"event\":\"e\",\"entity\":\"e\",\"key\":\"k\",\"timestamp\":\"2021-10-03T16:33:12Z\"}\n",
        "{\"event\":\"e\",\"entity\":\"e\",\"key\":\"k\",\"eventId\":\"0005cd755a43d79238c05790c0331dd8\"}\n",
        "\n",
        "{\"event\":\"e\",\"entity\":\"e\",\"key\":\"k\",\"data\":1e999999999}\n",
        event(2).trim_end(),
    ]
    .concat();
    let output = append(&path, &events);
    assert_snapshot!(format!("exit {}\n{}", output.status.code().unwrap(), text(&output.stderr)));
    assert_eq!(text(&output.stdout).lines().count(), 2);
    let report = verify(&path);
    assert_eq!((report.events, report.first_fault), (2, None));

    let output = run(&["ledger", "append", "--json", "--ledger", &path], b"nonsense\n");
    assert_snapshot!(shown(&output));
}

#[test]
fn a_file_that_is_not_a_ledger_stays_as_it_is() {
    let folder = Folder::new("no-ledger");
    for content in [
        "hello",
        "hello\n",
        "{\"a\":1}\n",
        "{\"a\":",
        "\0\0\0\0",
        &CLASSIC.replace("preview", "Preview"),
        &CLASSIC[..CLASSIC.len() - 10].replace("placed", "Placed"),
    ] {
        let path = folder.file("file", content);
        let output = append(&path, &event(1));
        assert_eq!(output.status.code(), Some(2), "{content:?}: {}", shown(&output));
        assert!(text(&output.stderr).contains("for details: sortid ledger verify"), "{}", shown(&output));
        assert_eq!(fs::read(&path).unwrap(), content.as_bytes());
    }
    for path in [folder.0.to_str().unwrap(), "/dev/zero", "/dev/null"] {
        let output = run(&["ledger", "append", "--ledger", path], b"");
        assert_eq!(output.status.code(), Some(2), "{}", shown(&output));
    }
}

/// Wherever a crash cuts the last line: the next `append` removes the rest of it and keeps the events before it.
#[test]
fn a_half_written_last_line_is_cut_off() {
    let folder = Folder::new("half");
    let path = folder.path("ledger");
    append(&path, &(0..3).map(event).collect::<String>());
    let whole = fs::read_to_string(&path).unwrap();
    let starts: Vec<_> = whole.match_indices('\n').map(|(end, _)| end + 1).collect();
    for cut in 1..whole.len() {
        fs::write(&path, &whole.as_bytes()[..cut]).unwrap();
        let output = append(&path, &event(9));
        assert_eq!(output.status.code(), Some(0), "{cut}: {}", shown(&output));
        // A line without its line feed is a whole event.
        let kept = starts.iter().filter(|&&start| start <= cut + 1).count();
        let is_cut = !starts.contains(&cut) && !starts.contains(&(cut + 1));
        assert_eq!(text(&output.stderr).contains("cut off a half-written last line"), is_cut, "{cut}");
        let report = verify(&path);
        assert_eq!((report.events, report.first_fault), (kept as u64 + 1, None), "{cut}");
        assert!(
            fs::read_to_string(&path)
                .unwrap()
                .starts_with(&whole[..starts[..kept].last().map_or(0, |end| end - 1)])
        );
    }
    // What a file system can leave behind of a line.
    fs::write(&path, [whole.as_bytes(), &[0; 5000]].concat()).unwrap();
    append(&path, &event(9));
    assert_eq!((verify(&path).events, verify(&path).faults), (4, 0));
}

#[test]
fn several_processes_append_to_one_file() {
    let folder = Folder::new("several");
    let path = folder.path("ledger");
    let acknowledged: Vec<EventId> = thread::scope(|scope| {
        let appenders: Vec<_> = (0..4)
            .map(|number| {
                let path = &path;
                scope.spawn(move || {
                    let mut child = sortid(&["ledger", "append", "--ledger", path])
                        .stdin(Stdio::piped())
                        .stdout(Stdio::piped())
                        .spawn()
                        .unwrap();
                    let mut stdin = child.stdin.take().unwrap();
                    let mut acknowledged = BufReader::new(child.stdout.take().unwrap()).lines();
                    let mut ids = vec![];
                    // One at a time, so that the processes take turns.
                    for count in 0..100 {
                        stdin.write_all(event(1000 * number + count).as_bytes()).unwrap();
                        ids.push(acknowledged.next().unwrap().unwrap().parse().unwrap());
                    }
                    drop(stdin);
                    assert!(child.wait().unwrap().success());
                    ids
                })
            })
            .collect();
        appenders.into_iter().flat_map(|appender| appender.join().unwrap()).collect()
    });
    let report = verify(&path);
    assert_eq!((report.events, report.first_fault), (400, None));
    assert_eq!(acknowledged.iter().collect::<HashSet<_>>().len(), 400);
}

#[test]
fn a_ledger_that_grows_is_valid_at_each_moment() {
    let folder = Folder::new("grows");
    let path = folder.path("ledger");
    append(&path, &event(0));
    let mut child = sortid(&["ledger", "append", "--ledger", &path])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let is_enough = Arc::new(AtomicBool::new(false));
    let feeder = thread::spawn({
        let is_enough = is_enough.clone();
        move || {
            let batch: String = (0..5000).map(event).collect();
            let mut batches = 0;
            while !is_enough.load(Relaxed) {
                stdin.write_all(batch.as_bytes()).unwrap();
                batches += 1;
            }
            batches * 5000
        }
    });
    let mut seen = HashSet::new();
    while seen.len() < 10 {
        let output = run(&["ledger", "verify", "--json", &path], b"");
        assert_eq!(output.status.code(), Some(0), "{}", shown(&output));
        seen.insert(json_lines(&output.stdout)[0]["events"].as_u64().unwrap());
    }
    is_enough.store(true, Relaxed);
    let fed = feeder.join().unwrap();
    assert!(child.wait().unwrap().success());
    assert_eq!(verify(&path).events, 1 + fed);
}

/// 200 times, at different moments. All acknowledged events are in the file, and the ledger is valid.
#[test]
fn no_acknowledged_event_is_lost_when_the_process_is_killed() {
    let folder = Folder::new("killed");
    let path = folder.path("ledger");
    append(&path, &event(0));
    let mut acknowledged = vec![];
    let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
    for round in 0..200 {
        let mut child = sortid(&["ledger", "append", "--ledger", &path])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let feeder = thread::spawn(move || {
            // Batches of all sizes, until the process is gone. After the last one, its input stays open.
            let mut number = 0;
            while number < 200 {
                let batch: String = (number..number + 1 + number % 97).map(event).collect();
                number += 1 + number % 97;
                if stdin.write_all(batch.as_bytes()).is_err() {
                    break;
                }
            }
            stdin
        });
        let stdout = child.stdout.take().unwrap();
        let (first_line, has_a_line) = mpsc::channel();
        let reader = thread::spawn(move || {
            let mut lines = vec![];
            let mut stdout = BufReader::new(stdout);
            let mut line = String::new();
            // An acknowledgement without its line feed does not count.
            while stdout.read_line(&mut line).is_ok_and(|len| len > 0) && line.ends_with('\n') {
                lines.push(line.trim_end().to_owned());
                line.clear();
                let _ = first_line.send(());
            }
            lines
        });
        // One process of four is killed while it starts. The others have work to do by then, however slow
        // the machine is.
        if round % 4 != 0 {
            has_a_line.recv().unwrap();
        }
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let until = Instant::now() + Duration::from_micros(seed >> 32 & 0x7ff);
        while Instant::now() < until {
            thread::sleep(Duration::from_micros(50));
        }
        child.kill().unwrap();
        assert!(!child.wait().unwrap().success());
        drop(feeder.join().unwrap());
        acknowledged.extend(reader.join().unwrap());

        let report = verify(&path);
        // The next process cuts off a half-written line.
        let is_fine =
            report.faults == 0 || report.first_fault.as_ref().is_some_and(|it| it.line == report.events);
        assert!(is_fine, "round {round}: {report:?}");
    }
    append(&path, &event(1));
    let report = verify(&path);
    assert_eq!(report.first_fault, None);
    let file = fs::read_to_string(&path).unwrap();
    let in_file: HashSet<&str> = file.lines().map(|line| &line[12..44]).collect();
    assert_eq!(in_file.len() as u64, report.events);
    assert!(acknowledged.len() >= 150);
    assert!(acknowledged.iter().all(|id| in_file.contains(id.as_str())));
}

/// If a batch does not fit on the disk, none of it is acknowledged, and none of it stays.
#[test]
#[cfg(unix)]
fn a_write_that_fails_is_an_error() {
    let folder = Folder::new("full");
    let path = folder.path("ledger");
    append(&path, &event(1));
    let before = fs::read(&path).unwrap();
    // The shell's blocks are 512 or 1024 bytes. Beyond the limit, a write is cut short, and the next one fails.
    let script = format!(
        "trap '' XFSZ; ulimit -f 4; exec {} ledger append --ledger {path}",
        env!("CARGO_BIN_EXE_sortid")
    );
    let mut shell = std::process::Command::new("sh");
    shell.args(["-c", &script]);
    let output = crate::common::run_with(shell, (0..100).map(event).collect::<String>().as_bytes());
    assert_eq!(output.status.code(), Some(2), "{}", shown(&output));
    assert!(text(&output.stderr).contains("cannot write to"), "{}", shown(&output));
    assert_eq!(output.stdout, b"");
    assert_eq!(fs::read(&path).unwrap(), before);
}
