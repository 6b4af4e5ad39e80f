//! `sortid new`.

use crate::common::{json_lines, run, run_with, shown, sortid, specs, text};
use insta::assert_snapshot;
use sortid::euid::{Euid, Extension, ParseErrorKind};
use sortid::evently_ledger::{Event, EventId, Profile};
use sortid::scru160::Scru160;
use sortid::ulid_flake::UlidFlake;
use sortid::{AnyId, Spec};
use std::{
    collections::BTreeSet,
    io::Read,
    process::Stdio,
    time::{SystemTime, UNIX_EPOCH},
};

fn lines(args: &[&str]) -> Vec<String> {
    let output = run(args, b"");
    assert_eq!(output.status.code(), Some(0), "{}", shown(&output));
    text(&output.stdout).lines().map(str::to_owned).collect()
}

#[test]
fn ids_are_valid_distinct_ordered_and_of_now() {
    let before = SystemTime::now();
    let ids: Vec<Scru160> =
        lines(&["new", "scru160", "-n", "50000"]).iter().map(|id| id.parse().unwrap()).collect();
    assert_eq!(ids.len(), 50_000);
    assert!(ids.is_sorted_by(|a, b| a < b));
    assert!(Scru160::min_at(before).unwrap() <= ids[0]);
    assert!(ids[49_999] <= Scru160::max_at(SystemTime::now()).unwrap());

    let ids: Vec<Euid> =
        lines(&["new", "euid", "-n", "20000"]).iter().map(|id| id.parse().unwrap()).collect();
    assert!(ids.len() == 20_000 && ids.is_sorted_by(|a, b| a < b));

    for (args, count) in
        [(&["new", "ulid-flake", "-n", "20000"][..], 20_000), (&["new", "-n", "1025", "ulid-flake"], 1025)]
    {
        let ids: Vec<UlidFlake> = lines(args).iter().map(|id| id.parse().unwrap()).collect();
        assert_eq!(ids.len(), count);
        assert!(ids.is_sorted_by(|a, b| a < b));
    }
    assert_eq!(lines(&["new", "scru160"]).len(), 1);
    assert_eq!(lines(&["new", "scru160", "-n", "0"]).len(), 0);
}

#[test]
fn event_ids_are_those_of_one_ledger_each_covering_the_one_before() {
    let event = Event::new("").entity("").key("");
    let mut previous = EventId::parse("000000000000000000000000c0331dd8").unwrap();
    for args in [
        &["new", "evently-id", "--ledger-id", "c0331dd8", "-n", "2500"][..],
        &["new", "evently-id", "--ledger-id", "c0331dd8", "-n", "2", "--at", "1633278792816"],
    ] {
        for id in lines(args).iter().map(|id| id.parse::<EventId>().unwrap()) {
            assert_eq!(event.id_after(Profile::Classic, previous, id.unix_micros()), Ok(id));
            assert!(id.unix_micros() > previous.unix_micros());
            previous = id;
        }
        previous = EventId::parse("000000000000000000000000c0331dd8").unwrap();
    }
    let at = lines(&["new", "evently-id", "-n", "2", "--at", "2021-10-03T16:33:12.816530Z"]);
    let at: Vec<EventId> = at.iter().map(|id| id.parse().unwrap()).collect();
    assert_eq!(at[0].unix_micros(), 1_633_278_792_816_530);
    assert_eq!(at[1].unix_micros(), 1_633_278_792_816_531);
    assert_eq!((at[0].ledger_id(), at[0].ledger_id().version()), (at[1].ledger_id(), 0));
    assert_ne!(lines(&["new", "evently-id"])[0][24..], lines(&["new", "evently-id"])[0][24..]);
}

#[test]
fn each_format_shows_the_same_kind_of_id() {
    let args = ["new", "ulid-flake", "-n", "3", "--format"];
    for line in lines(&[&args[..], &["hex"]].concat()) {
        let bytes = u64::from_str_radix(&line, 16).unwrap().to_be_bytes();
        assert_eq!((line.len(), UlidFlake::try_from_bytes(bytes).is_ok()), (16, true));
    }
    for line in lines(&[&args[..], &["int"]].concat()) {
        UlidFlake::try_from_int(line.parse().unwrap()).unwrap();
    }
    let bytes = run(&[&args[..], &["bytes"]].concat(), b"").stdout;
    assert_eq!(bytes.len(), 24);
    assert!(bytes.chunks(8).map(|id| UlidFlake::try_from(id).unwrap()).is_sorted());
    for line in lines(&["new", "scru160", "-n", "3", "--format", "hex"]) {
        assert_eq!((line.len(), Scru160::parse(&line).is_ok()), (40, true));
    }
    for args in [&["--format", "json"][..], &["--json"]] {
        let output = run(&[&["new", "scru160", "-n", "2"], args].concat(), b"");
        let objects = json_lines(&output.stdout);
        assert_eq!(objects.len(), 2);
        for object in objects {
            let id = Scru160::parse(object["text"].as_str().unwrap()).unwrap();
            assert_eq!(object["hex"], *id.encode_hex());
            assert_eq!(object["fields"]["timestamp_ms"], id.unix_millis());
            assert_eq!(object["spec"], "scru160");
        }
    }
}

#[test]
fn the_options_of_the_specifications_reach_the_generator() {
    let scru160 = |args: &[&str]| -> Vec<Scru160> {
        lines(&[&["new", "scru160", "-n", "2000"], args].concat())
            .iter()
            .map(|id| id.parse().unwrap())
            .collect()
    };
    let ids = scru160(&["--counter-start-bits", "0"]);
    assert!(ids.iter().any(|id| id.counter() == 0));
    let ids = scru160(&["--micros-counter"]);
    assert!(ids.iter().all(|id| id.counter() >> 6 < 1000));
    let ids = scru160(&["--counter-extension-bits", "4", "--node", "9:5"]);
    assert!(ids.iter().all(|id| id.random16() >> 7 & 0b1_1111 == 9));
    assert!(ids.windows(2).any(|pair| pair[1].random16() >> 12 == (pair[0].random16() >> 12) + 1));

    for line in lines(&["new", "euid", "--extension", "5:8", "-n", "100"]) {
        let id = Euid::parse_with_check(&line).unwrap();
        assert_eq!(id.extension(), Some(Extension::with_bits(5, 8).unwrap()));
    }
    for line in lines(&["new", "euid", "--extension", "5", "--no-check", "-n", "100"]) {
        let id = Euid::parse(&line).unwrap();
        assert_eq!(id.extension(), Some(Extension::new(5).unwrap()));
        assert_eq!(line, *id.encode_without_check());
    }
    let object = json_lines(&run(&["new", "euid", "--no-check", "--json"], b"").stdout).remove(0);
    assert!(object["fields"]["check"].is_null());
    let error = Euid::parse_with_check(object["text"].as_str().unwrap()).unwrap_err();
    assert_eq!(error.kind(), ParseErrorKind::Check, "{error}");
    for line in lines(&["new", "euid", "--format", "int"]) {
        line.parse::<u128>().unwrap();
    }

    for line in lines(&["new", "ulid-flake", "--scalable", "--node", "21", "-n", "100"]) {
        assert_eq!(UlidFlake::parse(&line).unwrap().scalable().scalability(), 21);
    }
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis() as u64;
    let id: UlidFlake =
        lines(&["new", "ulid-flake", "--epoch", "1970-01-01", "--entropy-bytes", "3"])[0].parse().unwrap();
    assert!((now - 60_000..now + 60_000).contains(&id.timestamp()));
}

#[test]
fn an_id_for_a_given_time() {
    // SCRU160 has 2^15 IDs in any millisecond; a Ulid-Flake that begins near the end of its field has few.
    let ids: Vec<Scru160> = lines(&["new", "scru160", "--at", "1717653966666", "-n", "30000"])
        .iter()
        .map(|id| id.parse().unwrap())
        .collect();
    assert!(ids.is_sorted_by(|a, b| a < b), "in order and distinct");
    assert!(ids.iter().all(|id| id.unix_millis() == 1_717_653_966_666));
    for at in ["2024-06-06T06:06:06.666Z", "1717653966666", "2024-06-06T08:06:06.666999+02:00"] {
        for line in lines(&["new", "ulid-flake", "--at", at]) {
            assert_eq!(line.parse::<UlidFlake>().unwrap().unix_millis(), 1_717_653_966_666);
        }
        for line in lines(&["new", "--at", at, "scru160"]) {
            assert_eq!(line.parse::<Scru160>().unwrap().unix_millis(), 1_717_653_966_666);
        }
    }
}

#[test]
fn no_id_is_of_another_time_than_the_given_one() {
    let at = 1_717_653_966_666_u64;
    for (spec, options, last) in [
        ("ron-uid", &["--origin", "X"][..], 0),
        ("ron-uid", &["--origin", "X", "--min-len", "5"], 0),
        ("scru160", &[], 0),
        ("scru160", &["--counter-start-bits", "0"], 0),
        ("scru160", &["--micros-counter"], 0),
        ("ulid-flake", &[], 0),
        ("ulid-flake", &["--scalable", "--node", "3"], 0),
        // Microseconds: up to the end of the millisecond.
        ("evently-id", &[], 999),
    ] {
        let at = at.to_string();
        let args = [&["new", spec, "--at", &at], options].concat();
        let output = run(&[&args[..], &["-n", "1000000"]].concat(), b"");
        assert_eq!(output.status.code(), Some(2), "{}", shown(&output));
        let printed = text(&output.stdout);
        let made = printed.lines().count();
        let message = format!("only {made} IDs fit the time 2024-06-06T06:06:06.666000Z: ask for fewer");
        assert!(text(&output.stderr).contains(&message), "{spec}: {}", text(&output.stderr));
        let spec: Spec = spec.parse().unwrap();
        for id in printed.lines() {
            let id = AnyId::parse(spec, id).unwrap();
            let micros = id.unix_micros().unwrap();
            assert!((1_717_653_966_666_000..=1_717_653_966_666_000 + last).contains(&micros), "{id}");
        }
    }
    let one = lines(&["new", "euid", "--at", &at.to_string(), "-n", "100000"]);
    assert!(one.iter().all(|id| id.parse::<Euid>().unwrap().unix_millis() == at));
}

#[test]
fn one_of_each_is_explained() {
    let objects = json_lines(&run(&["new", "--all", "--json"], b"").stdout);
    let explained: Vec<_> = objects.iter().map(|object| object["spec"].as_str().unwrap()).collect();
    assert_eq!(explained, specs().collect::<Vec<_>>());
    let shown = lines(&["new", "--all"]).join("\n");
    for word in ["scru160", "ulid-flake", "timestamp_ms", "random80", "randomness"] {
        assert!(shown.contains(word), "{shown}");
    }
}

#[test]
fn wrong_options_say_what_was_expected() {
    let all = [
        &["new"][..],
        &["new", "scru128"],
        &["new", "scru160", "--format", "int"],
        &["new", "scru160", "--counter-start-bits", "16"],
        &["new", "scru160", "--counter-extension-bits", "10", "--node", "1:8"],
        &["new", "scru160", "--node", "32:5"],
        &["new", "scru160", "--node", "3"],
        &["new", "scru160", "-n", "-1"],
        &["new", "scru160", "--at", "last week"],
        &["new", "scru160", "--at", "1960-01-01"],
        &["new", "scru160", "--at", "18446744073709551615"],
        &["new", "scru160", "--at", "1700000000000", "-n", "70000", "--counter-start-bits", "0"],
        &["new", "euid", "--at", "2024-06-06T06:06:06+24:00"],
        &["new", "--json", "scru160", "--format", "hex"],
        &["new", "euid", "--extension", "40000"],
        &["new", "euid", "--extension", "5:2"],
        &["new", "euid", "--extension", "5:"],
        &["new", "ulid-flake", "--entropy-bytes", "4"],
        &["new", "ulid-flake", "--scalable"],
        &["new", "ulid-flake", "--scalable", "--node", "32"],
        &["new", "ulid-flake", "--scalable", "--node", "256"],
        &["new", "ulid-flake", "--epoch", "1960-01-01"],
        &["new", "ulid-flake", "--epoch", "2100-01-01"],
        &["new", "ulid-flake", "--at", "2023-12-31"],
        &["new", "--all", "scru160"],
        &["new", "--all", "-n", "3"],
    ];
    let mut snapshot = String::new();
    for args in all {
        let output = run(args, b"");
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        let stderr = text(&output.stderr);
        let message = stderr.lines().next().unwrap();
        // The clock's reading differs from run to run.
        let message = match message.split_once("Z, expected ") {
            Some((_, rest)) if !args.contains(&"--at") => format!("error: the time is NOW, expected {rest}"),
            _ => message.to_owned(),
        };
        snapshot.push_str(&format!("$ sortid {}\n{message}\n\n", args.join(" ")));
    }
    assert_snapshot!("wrong_options", snapshot);
}

#[test]
fn a_reader_that_closes_the_pipe_is_not_an_error() {
    let mut child = sortid(&["new", "scru160", "-n", "100000000"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut some = [0; 33];
    child.stdout.take().unwrap().read_exact(&mut some).unwrap(); // closes the pipe
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), String::new()));
}

#[test]
fn the_exit_code_is_right_even_if_standard_error_is_full() {
    let Ok(full) = std::fs::OpenOptions::new().write(true).open("/dev/full") else { return };
    let mut command = sortid(&["new", "ulid-flake", "--at", "2023-01-01"]);
    assert_eq!(command.stderr(full.try_clone().unwrap()).status().unwrap().code(), Some(2));
    let mut command = sortid(&["check", "scru160"]);
    assert_eq!(command.stdin(Stdio::null()).stderr(full).status().unwrap().code(), Some(0));
}

#[test]
fn a_full_disk_is_an_error() {
    let Ok(full) = std::fs::OpenOptions::new().write(true).open("/dev/full") else { return };
    let output =
        sortid(&["new", "scru160", "-n", "10"]).stdout(full).stderr(Stdio::piped()).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).starts_with("error: cannot write: "));
}

#[test]
fn help_is_there_for_each_command() {
    for args in [
        &["--help"][..],
        &["new", "--help"],
        &["inspect", "--help"],
        &["check", "--help"],
        &["convert", "--help"],
        &["range", "--help"],
        &["new", "scru160", "--help"],
    ] {
        let output = run(args, b"");
        assert_eq!(output.status.code(), Some(0));
        assert!(text(&output.stdout).contains("Usage: sortid"));
    }
    let none = run_with(sortid(&[]), b"");
    assert_eq!(none.status.code(), Some(2));
    assert!(text(&none.stderr).contains("Usage: sortid"));
}

#[test]
fn each_option_of_a_specification_is_an_option_of_the_program() {
    let renamed = [("micros", "micros-counter"), ("min_length", "min-len")];
    // One run sees no IDs of others, and hardly a clock that is set back. In a fleet, --scheme gives the session digits.
    let left_out = ["session_digits", "future_bound", "rollback", "rollback_allowance"];

    let mut used = BTreeSet::new();
    for spec in Spec::ALL {
        let help = text(&run(&["new", spec.name(), "--help"], b"").stdout);
        let offered: Vec<_> = help.lines().filter_map(|line| line.split_whitespace().next()).collect();
        for name in spec.options().iter().map(|option| option.name) {
            let renamed = renamed.iter().find(|(option, _)| *option == name);
            let option = renamed.map_or_else(|| name.replace('_', "-"), |(_, option)| option.to_string());
            let is_offered = offered.contains(&&*format!("--{option}"));
            assert_ne!(is_offered, left_out.contains(&name), "{name} of {spec}\n{help}");
            used.insert(name);
        }
    }
    assert!(renamed.iter().map(|(option, _)| option).chain(&left_out).all(|name| used.contains(name)));
}
