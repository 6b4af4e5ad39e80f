//! Damaged ledgers: each damage is found at its line, as the right kind of fault, and as one fault.

use crate::common::ledger::{CLASSIC, LEDGERS, classic_id, faults, id_of, lines, made, verify};
use evently_ledger::{Event, EventId, FaultKind, Profile, Verifier};
use serde_json::value::RawValue;
use std::{collections::BTreeMap, ops::Range};

/// The name of each member of a line, and the ranges of its key, without quotes, and of its value.
fn members(line: &str) -> Vec<(String, Range<usize>, Range<usize>)> {
    let values: BTreeMap<String, &RawValue> = serde_json::from_str(line).unwrap();
    let member = |(key, value): (String, &RawValue)| {
        let start = value.get().as_ptr() as usize - line.as_ptr() as usize;
        let at = line[..start].rfind(&key).unwrap();
        let key_range = at..at + key.len();
        (key, key_range, start..start + value.get().len())
    };
    values.into_iter().map(member).collect()
}

/// The line with one character of `range` replaced, for each character and several replacements. Leaves out the lines that
/// are the same event.
fn one_character_changed<'l>(line: &'l str, range: Range<usize>) -> impl Iterator<Item = String> + 'l {
    let event = Event::parse(line).unwrap();
    line[range.clone()]
        .char_indices()
        .flat_map(move |(offset, char)| {
            let at = range.start + offset;
            ['x', '0', '1', '7', '"', '\\', ' ', 'é']
                .map(|other| format!("{}{other}{}", &line[..at], &line[at + char.len_utf8()..]))
        })
        .filter(move |changed| Event::parse(changed).as_ref() != Ok(&event))
}

#[test]
fn the_column_of_a_line_that_ends_too_early_does_not_depend_on_its_line_feed() {
    for end in ["", "\n", "\r\n"] {
        let mut verifier = Verifier::new(None);
        let fault = verifier.verify_line(format!("{{\"a\"{end}").as_bytes()).unwrap_err();
        assert_eq!((&*fault.expected, &*fault.found), ("':' at column 5", "the end"), "{end:?}");
    }
}

#[test]
fn one_changed_character_is_found_at_its_line_whichever_it_is() {
    for (ledger, profile) in LEDGERS {
        let lines = lines(ledger);
        for (at, line) in lines.iter().enumerate() {
            let before = at.checked_sub(1).map(|before| id_of(&lines[before]));
            for (name, key, value) in members(line) {
                assert_eq!(&line[key.clone()], name);
                let mut tried = 0;
                for changed in one_character_changed(line, key).chain(one_character_changed(line, value)) {
                    let mut part = lines[at..lines.len().min(at + 3)].to_vec();
                    part[0] = changed;
                    let faults = faults(Some(profile), before, &part);
                    assert_eq!(faults.first().map(|fault| fault.line), Some(1), "{}", part[0]);
                    // The next event is checked against the ID that is stated.
                    let most = if name == "eventId" { 2 } else { 1 };
                    assert!(faults.len() <= most, "{faults:?} in {}", part[0]);
                    tried += 1;
                }
                assert!(tried > 0, "{name} of {line}");
            }
        }
    }
}

#[test]
fn one_changed_character_is_no_cascade_of_faults_in_the_whole_ledger() {
    for (ledger, profile) in LEDGERS {
        let intact = lines(ledger);
        for (at, line) in intact.iter().enumerate() {
            for (name, key, value) in members(line) {
                let changed = one_character_changed(line, key)
                    .step_by(5)
                    .chain(one_character_changed(line, value).step_by(29));
                for changed in changed {
                    let mut lines = intact.clone();
                    lines[at] = changed;
                    for profile in [None, Some(profile)] {
                        let report = Verifier::new(profile).verify(&lines);
                        let fault = report.first_fault.unwrap();
                        assert_eq!(fault.line, at as u64 + 1, "{fault}");
                        assert!(
                            report.faults <= if name == "eventId" { 2 } else { 1 },
                            "{} in {}",
                            report.faults,
                            lines[at]
                        );
                        assert_eq!(report.events, intact.len() as u64);
                    }
                }
            }
        }
    }
}

#[test]
fn a_changed_id_of_the_first_event_is_its_fault_and_the_next_one_s() {
    for (ledger, _) in LEDGERS {
        let intact = lines(ledger);
        let (_, _, value) = members(&intact[0]).into_iter().find(|(name, ..)| name == "eventId").unwrap();
        for changed in one_character_changed(&intact[0], value.start + 1..value.end - 1) {
            let mut lines = intact.clone();
            lines[0] = changed;
            let report = verify(&lines);
            assert_eq!(report.first_fault.unwrap().line, 1);
            assert!(report.faults <= 2, "{} faults with {}", report.faults, lines[0]);
            assert_eq!(report.ledger_id, verify(&intact).ledger_id);
        }
    }
}

#[test]
fn a_deleted_line_is_found_at_the_line_after_it() {
    for (ledger, _) in LEDGERS {
        for at in 0..lines(ledger).len() {
            let mut lines = lines(ledger);
            let deleted = lines.remove(at);
            let report = verify(&lines);
            if at == lines.len() {
                assert!(report.is_valid(), "nothing follows the last line");
                continue;
            }
            let fault = report.first_fault.unwrap();
            assert_eq!(
                (fault.line, fault.kind, report.faults),
                (at as u64 + 1, FaultKind::IdMismatch, 1),
                "{deleted}"
            );
        }
    }
}

#[test]
fn a_duplicated_line_is_found_at_the_second() {
    for (ledger, _) in LEDGERS {
        for at in 0..lines(ledger).len() {
            let mut lines = lines(ledger);
            lines.insert(at, lines[at].clone());
            let report = verify(&lines);
            let fault = report.first_fault.unwrap();
            assert_eq!(
                (fault.line, fault.kind, report.faults),
                (at as u64 + 2, FaultKind::TimeNotAscending, 1)
            );
        }
    }
}

#[test]
fn swapped_lines_are_found_at_the_first() {
    for (ledger, _) in LEDGERS {
        for at in 0..lines(ledger).len() - 1 {
            let mut lines = lines(ledger);
            lines.swap(at, at + 1);
            let report = verify(&lines);
            assert_eq!(report.first_fault.unwrap().line, at as u64 + 1);
            assert!((2..=3).contains(&report.faults), "{}", report.faults);
            let second = &faults(None, None, &lines)[1];
            assert_eq!((second.line, second.kind), (at as u64 + 2, FaultKind::TimeNotAscending));
        }
    }
}

#[test]
fn a_truncated_line_is_found_wherever_it_ends() {
    for (ledger, _) in LEDGERS {
        let intact = lines(ledger);
        for at in [0, 1, 30, intact.len() - 1] {
            for (end, _) in intact[at].char_indices().skip(1) {
                let mut lines = intact.clone();
                lines[at].truncate(end);
                let report = verify(&lines);
                let fault = report.first_fault.unwrap();
                assert_eq!(
                    (fault.line, fault.kind, report.faults),
                    (at as u64 + 1, FaultKind::MalformedLine, 1)
                );
            }
        }
        let mut bytes: Vec<Vec<u8>> = intact.into_iter().map(String::into_bytes).collect();
        bytes[3].pop();
        bytes[4][20] = 0xff;
        let report = verify(&bytes);
        assert_eq!((report.first_fault.unwrap().line, report.faults), (4, 2));
    }
}

#[test]
fn a_line_that_is_there_twice_in_part_is_malformed() {
    let mut lines = lines(CLASSIC);
    lines[5] = format!("{}{}", lines[5], lines[6]);
    let fault = verify(&lines).first_fault.unwrap();
    assert_eq!((fault.line, fault.kind), (6, FaultKind::MalformedLine));
    assert!(fault.expected.starts_with("the end of the text at column "), "{fault}");
}

#[test]
fn each_kind_of_fault_says_what_was_expected_and_what_was_found() {
    let lines = made(Profile::Classic, 5);
    let ids: Vec<_> = lines.iter().map(|line| id_of(line)).collect();
    let id = |at: usize| ids[at].to_string();
    let fault = |at: usize, line: String| {
        let mut lines = lines.clone();
        lines[at] = line;
        let fault = verify(&lines).first_fault.unwrap();
        assert_eq!(fault.line, at as u64 + 1);
        (fault.kind, fault.expected.clone(), fault.found.clone(), fault.to_string())
    };

    let (kind, expected, found, text) = fault(2, lines[2].replace("17", "18"));
    assert_eq!((kind, &found), (FaultKind::IdMismatch, &id(2)));
    let timestamp = ids[2].unix_micros();
    let right = classic_id("order18event 2", timestamp, ids[2].ledger_id(), ids[1]);
    assert_eq!(expected, right.to_string());
    assert_eq!(
        text,
        format!(
            "line 3: the event ID does not match the event and the event ID before it: expected {right}, found {}",
            id(2)
        )
    );

    let (kind, expected, found, _) = fault(2, lines[2].replace(".816532Z", ".816533Z"));
    assert_eq!(kind, FaultKind::TimestampMismatch);
    assert_eq!((&*expected, &*found), ("2021-10-03T16:33:12.816532Z", "2021-10-03T16:33:12.816533Z"));

    let (kind, expected, found, _) = fault(2, lines[1].clone());
    assert_eq!(kind, FaultKind::TimeNotAscending);
    assert_eq!(
        (&*expected, &*found),
        ("a time after 2021-10-03T16:33:12.816531Z", "2021-10-03T16:33:12.816531Z")
    );

    let other_ledger = EventId::from_u128(ids[2].to_u128() ^ 4);
    let (kind, expected, found, _) = fault(2, lines[2].replace(&id(2), &other_ledger.encode()));
    assert_eq!(kind, FaultKind::LedgerChanged);
    assert_eq!((expected, found), (ids[2].ledger_id().to_string(), other_ledger.ledger_id().to_string()));

    for (name, of_profile) in [
        ("eventId", ""),
        ("timestamp", ""),
        ("event", ""),
        ("entity", " of the profile classic"),
        ("key", " of the profile classic"),
    ] {
        let (kind, expected, found, text) = fault(2, lines[2].replace(&format!("\"{name}\":"), "\"x\":"));
        assert_eq!(
            (kind, &*expected, &*found),
            (FaultKind::MissingMember, &*format!("the member {name:?}{of_profile}"), "none")
        );
        assert_eq!(
            text,
            format!("line 3: missing member: expected the member {name:?}{of_profile}, found none")
        );
    }

    for (line, expected, found) in [
        ("[]", "an event, such as {\"event\": …} at column 1", "'['"),
        ("{\"event\":1}", "a string at column 10", "'1'"),
        ("{\"timestamp\":null}", "a string at column 14", "'n'"),
        ("{\"é\":2,\"key\":{}}", "a string at column 14", "'{'"),
        ("{\"event\":\"a\"", "',' or '}' at column 13", "the end"),
        ("{\"meta\":[1,}", "a value at column 12", "'}'"),
        (
            "{\"other\":1e999999}",
            "an exponent that expands to at most 131072 digits before the point and 16383 after it at column 10",
            "more",
        ),
        (
            "{\"eventId\":\"0005\"}",
            "an event ID of 32 hex digits at column 13",
            "\"0005\": expected 32 characters, found 4",
        ),
        (
            "{\"timestamp\":\"2021-02-29T00:00:00Z\"}",
            "a time from 1970 on (such as 2021-10-03T16:33:12.816530Z) at column 15",
            "\"2021-02-29T00:00:00Z\"",
        ),
        ("\u{feff}{}", "an event, such as {\"event\": …} at column 1", "a byte order mark"),
    ] {
        let (kind, is_expected, is_found, _) = fault(2, line.to_owned());
        assert_eq!((kind, &*is_expected, &*is_found), (FaultKind::MalformedLine, expected, found));
    }
    let endless = format!("{{\"eventId\":\"{}\"}}", "é".repeat(1_000_000));
    let (_, _, found, _) = fault(2, endless);
    assert!(found.len() < 200, "{found}");

    for (kind, name) in [
        (FaultKind::MalformedLine, "malformed_line"),
        (FaultKind::MissingMember, "missing_member"),
        (FaultKind::TimestampMismatch, "timestamp_mismatch"),
        (FaultKind::LedgerChanged, "ledger_changed"),
        (FaultKind::TimeNotAscending, "time_not_ascending"),
        (FaultKind::IdMismatch, "id_mismatch"),
    ] {
        assert_eq!(kind.name(), name);
    }
}

#[test]
fn of_several_faults_in_a_line_the_first_kind_is_reported() {
    let lines = made(Profile::Classic, 3);
    let before = id_of(&lines[2]);
    // The line of the genesis event again, damaged more and more.
    let mut line = lines[0].clone();
    for (from, to, kind) in [
        ("order", "other", FaultKind::TimeNotAscending),
        (&*before.ledger_id().encode(), "00000000", FaultKind::LedgerChanged),
        ("16:33", "16:34", FaultKind::TimestampMismatch),
        ("\"key\"", "\"kex\"", FaultKind::MissingMember),
        ("}", "", FaultKind::MalformedLine),
    ] {
        line = line.replace(from, to);
        let fault = Verifier::new(Some(Profile::Classic))
            .resume_after(before)
            .verify_line(line.as_bytes())
            .unwrap_err();
        assert_eq!(fault.kind, kind, "{fault}");
    }
}

#[test]
fn a_line_has_the_same_fault_with_and_without_its_line_ending() {
    for line in [
        "{\"event\":\"a",
        "{\"event\":\"a\\",
        "{\"event\":\"\\u00",
        "{",
        "{\"event\"",
        "{\"data\":1",
        "{}x",
        "{\"data\":tru",
    ] {
        let [alone, unix, windows] = ["", "\n", "\r\n"]
            .map(|end| Verifier::new(None).verify([format!("{line}{end}")]).first_fault.unwrap().to_string());
        assert_eq!(alone, unix);
        assert_eq!(alone, windows);
    }
}
