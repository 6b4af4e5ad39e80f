//! What the checksum cannot see: edits that stay valid, as the README lists them, and which of them a strict
//! verifier finds.

use crate::common::ledger::{Append as _, CLASSIC, ENTITIES, lines, made};
use evently_ledger::{FaultKind, Ledger, Profile, Report, Verifier};

/// A ledger of two events. The second is this one.
fn ledger_with(profile: Profile, event: &str) -> String {
    let mut ledger = Ledger::new(profile);
    let mut file = String::new();
    let first: &[u8] = match profile {
        Profile::Classic => br#"{"event":"opened","entity":"shop","key":"1"}"#,
        Profile::Entities => br#"{"event":"opened","entities":{"shop":["1"]},"meta":{},"data":{}}"#,
    };
    ledger.append_line(first, &mut file).unwrap();
    ledger.append_line(event.as_bytes(), &mut file).unwrap();
    file
}

fn strictly(file: &str) -> Report {
    Verifier::new(None).strict().verify(file.lines())
}

#[test]
fn these_edits_are_not_seen_because_the_checksum_has_no_separators() {
    const ORDER: &str = r#"{"event":"placed","entity":"order","key":"17","data":{"total":1.50}}"#;
    const BOTH: &str =
        r#"{"event":"placed","entity":"order/","key":"17/","meta":{"a":1},"data":{"total":2}}"#;
    const VERSION: &str = r#"{"event":"v","entity":"order","key":"17","data":12}"#;
    const CLASSIC_NUMBERS: &str = r#"{"event":"counted","entity":"order","key":"17","meta":1,"data":23}"#;
    const NUMBERS: &str = r#"{"event":"counted","entities":{},"meta":1,"data":23}"#;
    const VERSIONS: &str = r#"{"event":"v","entities":12,"meta":{},"data":{}}"#;
    for (profile, event, from, to) in [
        (Profile::Classic, ORDER, r#""entity":"order","key":"17""#, r#""entity":"orde","key":"r17""#),
        (
            Profile::Classic,
            ORDER,
            r#""event":"placed","entity":"order","key":"17""#,
            r#""event":"7placed","entity":"order","key":"1""#,
        ),
        (Profile::Classic, ORDER, r#""data""#, r#""meta""#),
        (
            Profile::Classic,
            ORDER,
            r#""event":"placed","entity":"order","key":"17","data":{"total":1.50}"#,
            r#""event":"placed{\"total\":1.50}","entity":"order","key":"17""#,
        ),
        // An entity and a key that end with a character of their own do not help if `meta` moves.
        (
            Profile::Classic,
            BOTH,
            r#""event":"placed","entity":"order/","key":"17/","meta":{"a":1},"data""#,
            r#""event":"placed{\"a\":1}","entity":"order/","key":"17/","data""#,
        ),
        (
            Profile::Classic,
            BOTH,
            r#""event":"placed","entity":"order/","key":"17/","meta":{"a":1},"data":{"total":2}"#,
            r#""event":"placed{\"a\":1}{\"total\":2}","entity":"order/","key":"17/""#,
        ),
        (
            Profile::Classic,
            VERSION,
            r#""event":"v","entity":"order","key":"17","data":12"#,
            r#""event":"v1","entity":"order","key":"17","data":2"#,
        ),
        (Profile::Entities, VERSIONS, r#""event":"v","entities":12"#, r#""event":"v1","entities":2"#),
        (Profile::Classic, CLASSIC_NUMBERS, r#""meta":1,"data":23"#, r#""meta":12,"data":3"#),
        (Profile::Entities, NUMBERS, r#""meta":1,"data":23"#, r#""meta":12,"data":3"#),
        (
            Profile::Entities,
            NUMBERS,
            r#""event":"counted","entities":{},"meta":1,"data":23"#,
            r#""event":"counted{}","entities":1,"meta":2,"data":3"#,
        ),
    ] {
        let file = ledger_with(profile, event);
        let edited = file.replace(from, to);
        assert_ne!(edited, file, "{from}");
        for file in [&file, &edited] {
            assert!(Verifier::new(Some(profile)).verify(file.lines()).is_valid(), "{file}");
            // Not even a strict verifier can see them.
            assert!(Verifier::new(Some(profile)).strict().verify(file.lines()).is_valid(), "{file}");
        }
    }
}

#[test]
fn a_ledger_without_its_last_event_is_valid_and_its_report_shows_it() {
    let file = ledger_with(Profile::Classic, r#"{"event":"placed","entity":"order","key":"17"}"#);
    let (whole, cut) = (strictly(&file), strictly(file.lines().next().unwrap()));
    assert!(whole.is_valid() && cut.is_valid());
    assert_eq!((whole.events, cut.events), (2, 1));
    assert_ne!(whole.last_event_id, cut.last_event_id);
}

#[test]
fn a_strict_verifier_refuses_what_the_checksum_does_not_cover() {
    const CLASSIC: &str =
        r#"{"event":"placed","entity":"order","key":"17","data":{"total":1.50,"vat":[{"rate":19}]}}"#;
    const ENTITIES: &str =
        r#"{"event":"placed","entities":{"order":["17"]},"meta":{},"data":{"total":1.50}}"#;
    for (profile, event, from, to, kind, expected, found) in [
        (
            Profile::Classic,
            CLASSIC,
            "\"data\"",
            "|\"Data\":1,\"data\"",
            FaultKind::UnknownMember,
            "\"data\"",
            "\"Data\"",
        ),
        (
            Profile::Classic,
            CLASSIC,
            "\"data\"",
            "|\"paid\":true,\"data\"",
            FaultKind::UnknownMember,
            "only event, eventId, timestamp, entity, key, meta, data",
            "\"paid\"",
        ),
        (
            Profile::Classic,
            CLASSIC,
            "\"event\"",
            "\"entities\":|{},\"event\"",
            FaultKind::UnknownMember,
            "only event, eventId, timestamp, entity, key, meta, data",
            "\"entities\"",
        ),
        (
            Profile::Entities,
            ENTITIES,
            "\"event\"",
            "\"key\":\"|17\",\"event\"",
            FaultKind::UnknownMember,
            "only event, eventId, timestamp, entities, meta, data",
            "\"key\"",
        ),
        (
            Profile::Classic,
            CLASSIC,
            "\"data\"",
            "\"data\":1,|\"data\"",
            FaultKind::DuplicateMember,
            "each member once",
            "\"data\" again",
        ),
        (
            Profile::Classic,
            CLASSIC,
            "\"entity\"",
            "\"key\":\"18\",\"entity\"",
            FaultKind::DuplicateMember,
            "each member once",
            "\"key\" again",
        ),
        (
            Profile::Classic,
            CLASSIC,
            "\"total\"",
            "\"total\":0,|\"total\"",
            FaultKind::DuplicateMember,
            "each member once",
            "\"total\" again",
        ),
        (
            Profile::Classic,
            CLASSIC,
            "\"rate\"",
            "\"rate\":7,|\"r\\u0061te\"",
            FaultKind::DuplicateMember,
            "each member once",
            "\"rate\" again",
        ),
        (
            Profile::Entities,
            ENTITIES,
            "\"order\"",
            "\"order\":[],|\"order\"",
            FaultKind::DuplicateMember,
            "each member once",
            "\"order\" again",
        ),
    ] {
        let file = ledger_with(profile, event);
        assert_eq!(strictly(&file).first_fault, None);
        let marked = file.replacen(
            &file[file.find('\n').unwrap()..],
            &file[file.find('\n').unwrap()..].replace(from, to),
            1,
        );
        let edited = marked.replace('|', "");
        // Without strictness, and with the profile known, it is valid.
        assert!(Verifier::new(Some(profile)).verify(edited.lines()).is_valid(), "{edited}");
        let report = strictly(&edited);
        let fault = report.first_fault.unwrap();
        assert_eq!((fault.line, fault.kind, report.faults), (2, kind, 1), "{edited}");
        assert_eq!(fault.expected, expected);
        assert!(fault.found.starts_with(&format!("{found} at column ")), "{fault}");
        if let Some(at) = marked.lines().nth(1).unwrap().find('|') {
            assert_eq!(fault.found, format!("{found} at column {}", at + 1));
        }
    }
    for (kind, name, words) in [
        (FaultKind::UnknownMember, "unknown_member", "unknown member, which no checksum protects"),
        (
            FaultKind::DuplicateMember,
            "duplicate_member",
            "duplicate member, of which the checksum covers only the last",
        ),
    ] {
        assert_eq!(kind.name(), name);
        let file = ledger_with(Profile::Classic, CLASSIC);
        let edited = file.replace("\"data\"", "\"x\":1,\"data\":1,\"data\"");
        let edited = if kind == FaultKind::UnknownMember { edited } else { edited.replace("\"x\":1,", "") };
        assert!(
            strictly(&edited).first_fault.unwrap().to_string().starts_with(&format!("line 2: {words}: "))
        );
    }
}

#[test]
fn the_ledgers_of_the_vectors_are_valid_strictly() {
    for ledger in [CLASSIC, ENTITIES] {
        assert_eq!(strictly(ledger).first_fault, None);
        assert_eq!(strictly(ledger), Verifier::new(None).verify(ledger.lines()));
    }
}

#[test]
fn an_event_that_is_refused_strictly_does_not_change_what_the_others_are_checked_against() {
    let mut lines = made(Profile::Classic, 4);
    for at in [0, 2] {
        lines[at] = lines[at].replace("\"key\"", "\"x\":1,\"key\"");
    }
    let report = Verifier::new(None).strict().verify(&lines);
    assert_eq!((report.faults, report.events, report.genesis), (2, 4, None));
    assert_eq!(report.last_event_id, Verifier::new(None).verify(&lines).last_event_id);
}

#[test]
fn of_several_faults_a_malformed_line_comes_first_and_a_missing_member_later() {
    let file = ledger_with(Profile::Classic, r#"{"event":"placed","entity":"order","key":"17"}"#);
    let line = file.lines().nth(1).unwrap();
    for (from, to, kind) in [
        ("\"event\"", "\"Event\"", FaultKind::UnknownMember),
        ("\"key\"", "\"entity\"", FaultKind::DuplicateMember),
        ("\"timestamp\":\"2", "\"x\":1,\"timestamp\":\"x", FaultKind::MalformedLine),
        ("}", "", FaultKind::MalformedLine),
    ] {
        let fault = Verifier::new(None).strict().verify([line.replace(from, to)]).first_fault.unwrap();
        assert_eq!(fault.kind, kind, "{fault}");
    }
}

/// Names that are unknown are compared with each other once, not each with each.
#[test]
fn a_million_unknown_members_get_an_answer() {
    let members: String = (0..1_000_000).map(|number| format!("\"{number}\":0,")).collect();
    let event = format!("{{{members}\"event\":\"e\",\"entity\":\"e\",\"key\":\"k\"}}");
    let mut ledger = Ledger::new(Profile::Classic);
    let mut file = String::new();
    let mut ledger = ledger.batch();
    ledger.append_line(event.as_bytes(), &mut file).unwrap();
    assert_eq!((ledger.unknown_members().len(), ledger.unknown_member_count()), (20, 1_000_000));
    assert_eq!(strictly(&file).first_fault.unwrap().kind, FaultKind::UnknownMember);
    let twice = event.replace("\"999999\"", "\"0\"");
    assert!(ledger.append_line(twice.as_bytes(), &mut file).is_err());
    assert_eq!(lines(&file).len(), 1);
}
