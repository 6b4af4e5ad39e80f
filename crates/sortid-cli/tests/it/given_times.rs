//! `sortid new SPEC --at -`.

use crate::common::{json_lines, run, shown, sortid, text};
use insta::assert_snapshot;
use sortid::{
    SortableId,
    euid::Euid,
    evently_ledger::{Event, EventId, Profile},
    ron_uid::RonUid,
    scru160::Scru160,
    ulid_flake::UlidFlake,
};
use std::{
    collections::HashSet,
    fmt::{Debug, Write as _},
    io::{BufRead, BufReader, Read, Write},
    process::Stdio,
};

/// 2024-06-06T06:06:06.666Z
const MILLIS: u64 = 1_717_653_966_666;

fn input(times: impl IntoIterator<Item = u64>) -> String {
    times.into_iter().fold(String::new(), |mut input, time| {
        writeln!(input, "{time}").unwrap();
        input
    })
}

fn ids<I: SortableId<Text: Debug> + Debug>(args: &[&str], stdin: &str) -> Vec<I> {
    let output = run(&[&["new"], args, &["--at", "-"]].concat(), stdin.as_bytes());
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    text(&output.stdout).lines().map(|line| I::parse_ascii(line.as_bytes()).unwrap()).collect()
}

/// Some numbers in no order, below `limit`.
fn shuffled(limit: u64, count: usize) -> Vec<u64> {
    let mut seed = 7_u64;
    (0..count)
        .map(|_| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % limit
        })
        .collect()
}

/// Each ID has the millisecond of its row, all are distinct, and those of one millisecond are in the order of the rows.
fn check<I: SortableId + Debug>(rows: &[u64], ids: &[I]) {
    assert_eq!(rows.len(), ids.len());
    let mut pairs: Vec<_> = rows.iter().zip(ids).collect();
    assert!(pairs.iter().all(|(row, id)| id.unix_micros().map(|micros| micros / 1000) == Some(**row)));
    // A stable sort: rows of one millisecond stay in order.
    pairs.sort_by_key(|(row, _)| **row);
    assert!(pairs.is_sorted_by(|(_, a), (_, b)| a < b));
}

#[test]
fn twenty_thousand_rows_keep_their_times_and_their_order() {
    for limit in [40, 1000, 100_000] {
        let rows: Vec<u64> = shuffled(limit, 20_000).iter().map(|millis| MILLIS + millis).collect();
        let stdin = input(rows.iter().copied());
        check(&rows, &ids::<Scru160>(&["scru160"], &stdin));
        check(&rows, &ids::<Scru160>(&["scru160", "--micros-counter"], &stdin));
        check(&rows, &ids::<Euid>(&["euid"], &stdin));
        check(&rows, &ids::<UlidFlake>(&["ulid-flake"], &stdin));
        check(&rows, &ids::<UlidFlake>(&["ulid-flake", "--scalable", "--node", "7"], &stdin));
        check(&rows, &ids::<RonUid>(&["ron-uid", "--origin", "X"], &stdin));
        let mut sorted = rows;
        sorted.sort_unstable();
        let stdin = input(sorted.iter().copied());
        check(&sorted, &ids::<Scru160>(&["scru160", "--ascending"], &stdin));
        if limit > 40 {
            check(&sorted, &ids::<EventId>(&["evently-id"], &stdin));
        }
    }
}

#[test]
fn twenty_thousand_rows_of_one_millisecond_keep_it() {
    let rows = vec![MILLIS; 20_000];
    let stdin = input(rows.iter().copied());
    for _ in 0..5 {
        check(&rows, &ids::<Scru160>(&["scru160"], &stdin));
        check(&rows, &ids::<Euid>(&["euid", "--extension", "5:8"], &stdin));
        check(&rows, &ids::<UlidFlake>(&["ulid-flake"], &stdin));
        check(&rows, &ids::<UlidFlake>(&["ulid-flake", "--scalable", "--node", "7"], &stdin));
    }
    // One millisecond of these has no room for 20 000 IDs.
    for (args, spilled) in
        [(&["ron-uid", "--origin", "X", "--spill", "0.004"][..], 4), (&["evently-id", "--spill", "0.02"], 19)]
    {
        let stdout = text(&run(&[&["new", "--at", "-"], args].concat(), stdin.as_bytes()).stdout);
        let object = run(&["inspect", "--json", stdout.lines().last().unwrap()], b"");
        let last = &json_lines(&object.stdout)[0]["time"];
        assert_eq!(stdout.lines().count(), 20_000);
        assert!(last.as_str().unwrap().starts_with(&format!("2024-06-06T06:06:06.{}", 666 + spilled)));
    }
}

#[test]
fn times_have_four_forms_and_lines_two_ends() {
    let forms = "2024-06-06T06:06:06.666Z\n1717653966666\r\n2024-06-06 08:06:06.666+02\n2024-06-06T00:36:06.666999-05:30\n@1717653966.666";
    let made = ids::<Scru160>(&["scru160"], forms);
    check(&[MILLIS; 5], &made);
    assert_eq!(ids::<Euid>(&["euid"], "2024-06-06\n")[0].unix_millis(), 1_717_632_000_000);
    assert!(ids::<Euid>(&["euid"], "").is_empty());
}

#[test]
fn the_options_of_the_specification_and_the_format_matter() {
    let made = ids::<Scru160>(&["scru160", "--node", "3:5"], "1717653966666\n");
    assert_eq!(made[0].random16() >> 11, 3);
    let made = ids::<UlidFlake>(&["ulid-flake", "--epoch", "2020-01-01"], "1717653966666\n");
    assert_eq!(made[0].timestamp(), MILLIS - 1_577_836_800_000);
    let int = run(&["new", "ulid-flake", "--at", "-", "--format", "int"], b"1717653966666\n");
    let int: i64 = text(&int.stdout).trim_end().parse().unwrap();
    assert_eq!(UlidFlake::try_from_int(int).unwrap().unix_millis(), MILLIS);
    let objects = run(&["new", "scru160", "--at", "-", "--json"], b"1717653966666\n1717653966667\n");
    let objects = json_lines(&objects.stdout);
    assert_eq!((objects.len(), &objects[1]["time"]), (2, &"2024-06-06T06:06:06.667Z".into()));
    let bytes = run(&["new", "euid", "--at", "-", "--format", "bytes"], b"1717653966666\n1717653966667\n");
    assert_eq!(bytes.stdout.len(), 32);
}

#[test]
fn event_ids_are_a_chain_that_can_be_continued() {
    let event = Event::new("").entity("").key("");
    let rows = [MILLIS, MILLIS, MILLIS + 1, MILLIS + 5];
    let ledger = ["evently-id", "--ledger-id", "c0331dd8"];
    let mut made = ids::<EventId>(&ledger, &input(rows));
    let last = made[3].encode();
    made.extend(ids::<EventId>(&["evently-id", "--after", &last], &input([MILLIS + 5, MILLIS + 6])));
    let mut previous = EventId::parse("000000000000000000000000c0331dd8").unwrap();
    for (id, micros) in made.iter().zip([0, 1, 1000, 5000, 5001, 6000]) {
        assert_eq!(id.unix_micros(), 1000 * MILLIS + micros);
        assert_eq!(event.id_after(Profile::Classic, previous, id.unix_micros()), Ok(*id));
        previous = *id;
    }
}

#[test]
fn a_run_continues_after_the_last_id_of_an_earlier_one() {
    let rows = vec![MILLIS; 30_000];
    let stdin = input(rows.iter().copied());
    for args in [&["ulid-flake"][..], &["scru160"], &["ron-uid", "--origin", "X"]] {
        let ascending = ["new", "--at", "-", "--ascending", "--spill", "0.02"];
        let first = text(&run(&[&ascending, args].concat(), stdin.as_bytes()).stdout);
        let last = first.lines().last().unwrap();
        let second = text(&run(&[&ascending, args, &["--after", last]].concat(), stdin.as_bytes()).stdout);
        let all: Vec<&str> = first.lines().chain(second.lines()).collect();
        assert_eq!(all.len(), 60_000);
        if args[0] != "ron-uid" {
            assert!(all.is_sorted_by(|a, b| a < b));
        }
    }
}

#[test]
fn a_run_continues_after_the_last_id_in_the_form_that_it_printed() {
    for (form, args) in [
        ("int", &["ulid-flake"][..]),
        ("hex", &["ulid-flake"]),
        ("base64url", &["ulid-flake", "--scalable", "--node", "7"]),
        ("uuid", &["euid", "--extension", "5:8"]),
        ("hex", &["scru160"]),
        ("int", &["ron-uid", "--origin", "X"]),
        ("base64url", &["ron-uid", "--origin", "X"]),
        ("uuid", &["evently-id", "--ledger-id", "c0331dd8"]),
    ] {
        let args = [&["new", "--at", "-", "--ascending", "--format", form], args].concat();
        let first = text(&run(&args, input([MILLIS; 2]).as_bytes()).stdout);
        let after = ["--after", first.lines().last().unwrap()];
        let output = run(&[&args[..], &after].concat(), input([MILLIS; 2]).as_bytes());
        assert_eq!(output.status.code(), Some(0), "{args:?} {}", text(&output.stderr));
        let all: HashSet<String> =
            first.lines().map(str::to_owned).chain(text(&output.stdout).lines().map(str::to_owned)).collect();
        assert_eq!(all.len(), 4, "{args:?}");
    }
}

#[test]
fn the_first_line_without_an_id_ends_the_command() {
    let full = |count| input(std::iter::repeat_n(MILLIS, count));
    let mut snapshot = String::new();
    for (args, stdin) in [
        (&["scru160"][..], "1717653966666\nnonsense\n1717653966667\n".to_owned()),
        (&["scru160"], "\n".to_owned()),
        (&["scru160"], " 1717653966666\n".to_owned()),
        (&["scru160"], "1717653966666 \n".to_owned()),
        (&["scru160"], "1717653966666,\n".to_owned()),
        (&["scru160"], "2024-06-06T06:06:06\n".to_owned()),
        (&["scru160"], "2016-12-31T23:59:60Z\n".to_owned()),
        (&["scru160"], "@1717653966\nnow\n".to_owned()),
        (&["scru160"], "@1717653966666\n-1h\n".to_owned()),
        (&["scru160"], "1969-12-31T23:59:59Z\n".to_owned()),
        (&["scru160"], "18446744073709552\n".to_owned()),
        (&["scru160"], "\u{1b}[31m\u{fffd}\n".to_owned()),
        (&["scru160"], "1970-01-01T00:00:00Z".to_owned()),
        (&["scru160"], "1717653966\n1717653967\nx\n".to_owned()),
        (&["ulid-flake"], "2024-01-01\n2023-12-31T23:59:59.999Z\n".to_owned()),
        (&["ron-uid", "--origin", "X"], "2010-01-01\n2009-12-31\n".to_owned()),
        (&["ron-uid", "--origin", "X"], "2345-12-31\n2346-01-01\n".to_owned()),
        (&["ron-uid", "--origin", "X"], full(4097)),
        (&["ron-uid", "--origin", "X", "--spill", "0.001"], full(8193)),
        (&["evently-id"], full(1001)),
        (&["evently-id", "--spill", "0"], full(2)),
        (&["evently-id"], "1717653966666\n1717653966665\n".to_owned()),
        (&["scru160", "--ascending"], "1717653966666\n1717653966666\n1717653966000\n".to_owned()),
        (&["ulid-flake", "--ascending", "--after", "0CKXQ1T5PRBVZ"], "1717653966666\n".to_owned()),
        (&["evently-id", "--after", "0005cd755a43d79238c05790c0331dd8"], "2020-01-01\n".to_owned()),
        (&["ron-uid", "--origin", "X"], "2345-12-31T23:59:59.999Z\n".repeat(4097)),
        (&["ron-uid", "--origin", "X", "--spill", "1"], "2345-12-31T23:59:59.999Z\n".repeat(4097)),
    ] {
        let output = run(&[&["new", "--at", "-"], args].concat(), stdin.as_bytes());
        let stderr = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{args:?} {stderr}");
        let printed = text(&output.stdout).lines().count();
        assert!(stderr.lines().last().unwrap().starts_with(&format!("line {}: ", printed + 1)), "{stderr}");
        writeln!(snapshot, "$ sortid new {}\n{printed} IDs\n{stderr}", args.join(" ")).unwrap();
    }
    assert_snapshot!("refused_lines", snapshot);
}

#[test]
fn wrong_options_say_what_was_expected() {
    let mut snapshot = String::new();
    for args in [
        &["scru160", "--at", "-", "-n", "3"][..],
        &["scru160", "--ascending"],
        &["scru160", "--at", "2024-06-06", "--spill", "1"],
        &["scru160", "--at", "-", "--spill", "1ms"],
        &["scru160", "--at", "-", "--spill", "0.0000001"],
        &["scru160", "--at", "-", "--spill", "-1"],
        &["scru160", "--at", "-", "--after", "05TTUP1HNCPNA1QHTDHRTCU3V32PD7C6"],
        &["euid", "--at", "-", "--ascending", "--format", "uuid", "--after", "x"],
        &["euid", "--at", "-", "--ascending", "--extension", "5", "--after", "C8EE934SR007G5Q94QKKXFRFV8B"],
        &["ron-uid", "--origin", "Y", "--at", "-", "--ascending", "--after", "1KC5604101+X"],
        &["scru160", "--at", "-", "--ascending", "--after", "x"],
        &["scru160", "--at", "-", "--format", "int"],
        &["ron-uid", "--origin", "X", "--at", "-", "--min-len", "5"],
        &["ron-uid", "--logical", "--at", "-"],
        &["ron-uid", "--origin", "X", "--at", "-", "--ascending", "--after", "name$X"],
        &["ulid-flake", "--at", "-", "--entropy-bytes", "2"],
        &[
            "evently-id",
            "--at",
            "-",
            "--ledger-id",
            "c0331dd9",
            "--after",
            "0005cd755a43d79238c05790c0331dd8",
        ],
        &["--all", "--at", "-"],
        &["--all", "--ascending"],
    ] {
        let output = run(&[&["new"], args].concat(), b"1717653966666\n");
        assert_eq!(output.status.code(), Some(2), "{}", shown(&output));
        assert!(output.stdout.is_empty());
        let stderr = text(&output.stderr);
        writeln!(snapshot, "$ sortid new {}\n{}\n", args.join(" "), stderr.lines().next().unwrap()).unwrap();
    }
    assert_snapshot!("wrong_options", snapshot);
}

#[test]
fn a_slow_source_gets_its_answers_at_once() {
    let mut child = sortid(&["new", "scru160", "--at", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    for _ in 0..3 {
        stdin.write_all(b"1717653966666\n").unwrap();
        let mut line = String::new();
        stdout.read_line(&mut line).unwrap();
        assert_eq!(line.trim_end().parse::<Scru160>().unwrap().unix_millis(), MILLIS);
    }
    drop(stdin);
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn a_reader_that_closes_the_pipe_is_not_an_error() {
    let mut child = sortid(&["new", "scru160", "--at", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let feeder = std::thread::spawn(move || {
        let lines = input(std::iter::repeat_n(MILLIS, 1000));
        while stdin.write_all(lines.as_bytes()).is_ok() {}
    });
    let mut some = [0; 33];
    child.stdout.take().unwrap().read_exact(&mut some).unwrap(); // closes the pipe
    let output = child.wait_with_output().unwrap();
    feeder.join().unwrap();
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), String::new()));
}
