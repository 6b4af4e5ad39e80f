//! Ledgers: what is appended is valid, and every damage is found at its line.

mod common;

use common::{Noise, Tree, any_tree};
use evently_ledger::{
    Clock, Event, EventError, EventErrorKind, EventId, Fault, FaultKind, GenerateError, GenerateErrorKind,
    Genesis, Json, JsonErrorKind, Ledger, LedgerId, Profile, Report, Verifier, event_id,
    testing::ManualClock,
};
use proptest::{prelude::*, sample::select};
use serde_json::value::RawValue;
use std::{collections::BTreeMap, error::Error as _, ops::Range, time::Duration};

const CLASSIC: &str = include_str!("data/evently_classic.ndjson");
const ENTITIES: &str = include_str!("data/evently_entities.ndjson");
const LEDGERS: [(&str, Profile); 2] = [(CLASSIC, Profile::Classic), (ENTITIES, Profile::Entities)];

/// 2021-10-03T16:33:12.816530Z
const START: Duration = Duration::from_micros(1_633_278_792_816_530);

/// What code that branches on an error sees of it.
fn of(error: &EventError) -> (EventErrorKind, Option<&'static str>) {
    (error.kind(), error.member())
}

fn missing(member: &'static str) -> (EventErrorKind, Option<&'static str>) {
    (EventErrorKind::MissingMember, Some(member))
}

fn unwanted(member: &'static str) -> (EventErrorKind, Option<&'static str>) {
    (EventErrorKind::UnwantedMember, Some(member))
}

fn lines(ledger: &str) -> Vec<String> {
    ledger.lines().map(str::to_owned).collect()
}

fn verify<L: AsRef<[u8]>>(lines: &[L]) -> Report {
    Verifier::new(None).verify(lines)
}

fn id_of(line: &str) -> EventId {
    Event::parse(line).unwrap().event_id.unwrap()
}

/// All faults of these lines, after this event if there is one.
fn faults(profile: Option<Profile>, after: Option<EventId>, lines: &[String]) -> Vec<Fault> {
    let mut verifier = Verifier::new(profile);
    if let Some(id) = after {
        verifier = verifier.resume_after(id);
    }
    lines.iter().filter_map(|line| verifier.verify_line(line.as_bytes()).err()).collect()
}

/// Where the key and the value of each member of a line are, without the key's quotes.
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

/// The line with another character at each place in `range`, wherever that is another event or none.
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
fn blank_lines_other_line_endings_and_no_last_line_feed_are_accepted() {
    for (ledger, _) in LEDGERS {
        let expected = verify(&lines(ledger));
        for text in [
            ledger.trim_end().to_owned(),
            ledger.replace('\n', "\r\n"),
            ledger.replace('\n', "\n\n"),
            format!("\n \t\r\n\n{}", ledger.replace('\n', "\r\n\r\n  \n")),
            ledger.replace('\n', "  \n"),
            ledger.replace('\n', "\n\t"),
        ] {
            assert_eq!(Verifier::new(None).verify(text.split('\n')), expected);
            assert_eq!(Verifier::new(None).verify(text.lines()), expected);
            let mut verifier = Verifier::new(None);
            verifier.verify_chunk(text.as_bytes(), |fault| panic!("{fault}"));
            assert_eq!(*verifier.report(), expected);
        }
    }
    let spread = CLASSIC.replace('\n', "\n\r\n").replacen("placed", "played", 1);
    let line = spread.split('\n').position(|line| line.contains("played")).unwrap() as u64 + 1;
    assert_eq!(
        Verifier::new(None).verify(spread.split('\n')).first_fault.unwrap().line,
        line,
        "blank lines count"
    );
    assert_eq!(verify::<&str>(&[]), Report::default());
    assert_eq!(verify(&["", " ", "\r\n"]), Report::default());
}

#[test]
fn a_part_of_a_ledger_is_verified_from_any_trusted_event_on() {
    for (ledger, profile) in LEDGERS {
        let lines = lines(ledger);
        for at in 1..=lines.len() {
            let trusted = id_of(&lines[at - 1]);
            for profile in [None, Some(profile)] {
                let report = Verifier::new(profile).resume_after(trusted).verify(&lines[at..]);
                assert_eq!(report.first_fault, None);
                assert_eq!(
                    (report.genesis, report.events),
                    (Some(Genesis::Trusted), (lines.len() - at) as u64)
                );
                assert_eq!(report.ledger_id, Some(trusted.ledger_id()));
            }
            let other = trusted.with_checksum(trusted.checksum() ^ 1);
            let faults = faults(Some(profile), Some(other), &lines[at..]);
            assert_eq!(faults.len(), usize::from(at < lines.len()));
            assert!(faults.iter().all(|fault| (fault.line, fault.kind) == (1, FaultKind::IdMismatch)));
        }
    }
}

#[test]
fn a_part_of_a_ledger_whose_first_event_is_taken_as_it_is() {
    for (ledger, profile) in LEDGERS {
        let lines = lines(ledger);
        for at in 0..lines.len() {
            let report = Verifier::new(None).resume_unanchored().verify(&lines[at..]);
            assert_eq!((report.first_fault, report.genesis), (None, Some(Genesis::Trusted)));
            assert_eq!(
                (report.profile, report.ledger_id),
                (Some(profile), Some(id_of(&lines[0]).ledger_id()))
            );
        }
        let mut verifier = Verifier::new(None).resume_unanchored();
        verifier.verify_chunk(format!("\n{}\n\n{}\n", lines[7], lines[9]).as_bytes(), |_| {});
        assert_eq!((verifier.lines_read(), verifier.report().first_fault.as_ref().unwrap().line), (4, 4));
    }
}

#[test]
fn only_the_first_fault_is_looked_for_when_that_is_asked() {
    let mut lines = lines(CLASSIC);
    for at in [10, 20, 30] {
        lines[at] = lines[at].replacen("event", "evenx", 1);
    }
    let mut verifier = Verifier::new(None).stop_at_first_fault();
    let results: Vec<_> = lines.iter().map(|line| verifier.verify_line(line.as_bytes())).collect();
    assert!(verifier.is_done());
    assert_eq!((verifier.report().faults, verifier.report().events), (1, 11));
    assert!(results[10].is_err() && results[11..].iter().all(|result| *result == Ok(None)));
    assert_eq!(Verifier::new(None).verify(&lines).faults, 3);
}

// The IDs by the words of the specification: one string, one CRC.

fn crc(text: &str) -> u32 {
    crc32c::crc32c(text.as_bytes())
}

fn classic_id(content: &str, timestamp: u64, ledger_id: LedgerId, previous: EventId) -> EventId {
    let checksum = crc(&format!("{content}{ledger_id}{timestamp:016x}{previous}"));
    EventId::from_fields(timestamp, checksum, ledger_id)
}

fn entities_id(content: &str, timestamp: u64, ledger_id: LedgerId, previous: EventId) -> EventId {
    let checksum = crc(&format!("{content}{timestamp:016x}{ledger_id}{previous}"));
    EventId::from_fields(timestamp, checksum, ledger_id)
}

#[test]
fn the_checksum_is_of_the_members_in_their_order() {
    let json = |text| Json::parse(text).unwrap();
    let at = START.as_micros() as u64;
    let event =
        Event::new("n\"").entity("e\n").key("🌲").meta(json("{\"b\":1,\"a\":null}")).data(json("1e2"));
    let content = "e\n🌲n\"{\"a\":null,\"b\":1}100";
    let ledger_id = LedgerId::from_checksum(crc(content));
    let previous = EventId::from_fields(0, 0, ledger_id);
    assert_eq!(event.genesis_id(Profile::Classic, at), Ok(classic_id(content, at, ledger_id, previous)));
    let previous = event_id!("0005cd755a43d79238c05790c0331dd9");
    assert_eq!(
        event.id_after(Profile::Classic, previous, at),
        Ok(classic_id(content, at, previous.ledger_id(), previous))
    );

    let event = event.entities(json("{\"thing\": [\"b\", \"a\"]}"));
    let content = "n\"{\"thing\":[\"b\",\"a\"]}{\"a\":null,\"b\":1}100";
    let ledger_id = LedgerId::from_checksum(crc(&format!("{content}{at:016x}")));
    let previous_of_first = EventId::from_fields(at, 0, ledger_id);
    assert_eq!(
        event.genesis_id(Profile::Entities, at),
        Ok(entities_id(content, at, ledger_id, previous_of_first))
    );
    assert_eq!(
        event.id_after(Profile::Entities, previous, at),
        Ok(entities_id(content, at, previous.ledger_id(), previous))
    );
}

#[test]
fn what_is_absent_contributes_nothing_and_null_contributes_null() {
    let at = START.as_micros() as u64;
    let bare = Event::new("c").entity("a").key("b");
    let id = |event: &Event<'_>| event.genesis_id(Profile::Classic, at).unwrap().ledger_id();
    assert_eq!(id(&bare), LedgerId::from_checksum(crc("abc")));
    assert_eq!(id(&bare.clone().meta(Json::parse("null").unwrap())), LedgerId::from_checksum(crc("abcnull")));
    assert_eq!(id(&bare.clone().data(Json::parse("{}").unwrap())), LedgerId::from_checksum(crc("abc{}")));
    for profile in Profile::ALL {
        let error = Event::new("c").genesis_id(profile, at).unwrap_err();
        let name = if profile == Profile::Classic { "entity" } else { "entities" };
        assert_eq!(of(&error), missing(name));
    }
}

fn ledger(profile: Profile, clock: &ManualClock) -> Ledger<&ManualClock> {
    Ledger::with_clock(profile, None, clock)
}

fn event(profile: Profile, name: &str) -> Event<'_> {
    let json = |text| Json::parse(text).unwrap();
    match profile {
        Profile::Classic => Event::new(name).entity("order").key("17"),
        Profile::Entities => {
            Event::new(name).entities(json("{\"order\":[\"17\"]}")).meta(json("{}")).data(json("1.50"))
        }
    }
}

/// A ledger of so many events, a microsecond after one another.
fn made(profile: Profile, events: usize) -> Vec<String> {
    let clock = ManualClock::new(START);
    let mut ledger = ledger(profile, &clock);
    let names: Vec<_> = (0..events).map(|number| format!("event {number}")).collect();
    let mut line = |name| {
        let mut event = event(profile, name);
        ledger.append(&mut event).unwrap();
        event.to_string()
    };
    names.iter().map(|name| line(name.as_str())).collect()
}

#[test]
fn both_genesis_events_are_recognised() {
    assert_eq!(verify(&lines(ENTITIES)).genesis, Some(Genesis::Deployed));
    assert_eq!(verify(&lines(CLASSIC)).genesis, Some(Genesis::Published));
    for profile in Profile::ALL {
        let report = verify(&made(profile, 3));
        assert_eq!((report.genesis, report.profile), (Some(Genesis::Published), Some(profile)));
    }
    // As PostgreSQL prints `jsonb`: by length and then bytes, with a space after each colon and comma.
    let at = START.as_micros() as u64;
    let content = r#"opened{"aa":"é","b":[1,2]}{"b": 1, "aa": [1, {}]}1.50"#;
    let ledger_id = LedgerId::from_checksum(crc(&format!("{content}{at:016x}")));
    let previous = crc(&format!("{at:016x}00000000{ledger_id}"));
    let checksum = crc(&format!("{content}{at:016x}{ledger_id}{previous}"));
    let line = format!(
        r#"{{"eventId":"{}","timestamp":"2021-10-03T16:33:12.81653Z","event":"opened","entities":{{"b":[1,2],"aa":"é"}},"meta":{{"aa":[1,{{}}],"b":1e0}},"data":15.0e-1}}"#,
        EventId::from_fields(at, checksum, ledger_id),
    );
    let report = verify(&[&line]);
    assert_eq!((report.first_fault, report.genesis), (None, Some(Genesis::Deployed)));
    let second =
        Verifier::new(None).resume_after(event_id!("0005cd755a43d79138c05790c0331dd8")).verify([&line]);
    assert_eq!(second.faults, 1, "only the first event has another form");
}

#[test]
fn the_profile_is_told_by_the_first_line_that_has_its_members() {
    for (ledger, profile) in LEDGERS {
        let lines = lines(ledger);
        assert_eq!(verify(&lines[..1]).profile, Some(profile));
        let nameless = [&["{\"event\":\"a\"}".to_owned()], &lines[1..]].concat();
        let report = verify(&nameless);
        assert_eq!((report.profile, report.faults), (Some(profile), 1));
    }
    assert_eq!(verify(&["{}", "[]", "x"]).profile, None);
}

#[test]
fn a_damaged_line_does_not_tell_the_profile_of_those_that_follow() {
    for (ledger, profile) in LEDGERS {
        let (mut damaged, mut preceded) = (lines(ledger), lines(ledger));
        let (of_this, of_other, alone) = match profile {
            Profile::Classic => ("{", "{\"entities\":{},", "{\"entities\":{}}"),
            Profile::Entities => {
                ("\"entities\":{}", "\"entity\":\"a\",\"key\":\"b\"", "{\"entity\":\"a\",\"key\":\"b\"}")
            }
        };
        damaged[0] = damaged[0].replacen(of_this, of_other, 1);
        preceded.insert(0, alone.to_owned());
        for lines in [damaged, preceded] {
            let report = verify(&lines);
            assert_eq!((report.faults, report.profile), (1, Some(profile)), "{}", lines[0]);
            assert_eq!(report.first_fault.unwrap().line, 1);
        }
    }
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
    let timestamp = ids[2].timestamp();
    let right = classic_id("order18event 2", timestamp, ids[2].ledger_id(), ids[1]);
    assert_eq!(expected, right.to_string());
    assert_eq!(
        text,
        format!(
            "line 3: the event ID does not belong to the event and the one before it: expected {right}, found {}",
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

    let other_ledger = EventId::from_int(ids[2].to_int() ^ 4);
    let (kind, expected, found, _) = fault(2, lines[2].replace(&id(2), &other_ledger.encode()));
    assert_eq!(kind, FaultKind::LedgerChanged);
    assert_eq!((expected, found), (ids[2].ledger_id().to_string(), other_ledger.ledger_id().to_string()));

    for name in ["eventId", "timestamp", "event", "entity", "key"] {
        let (kind, expected, found, text) = fault(2, lines[2].replace(&format!("\"{name}\":"), "\"x\":"));
        assert_eq!(
            (kind, &*expected, &*found),
            (FaultKind::MissingMember, &*format!("the member {name:?}"), "none")
        );
        assert_eq!(text, format!("line 3: missing member: expected the member {name:?}, found none"));
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
            "an exponent that prints at most 131072 digits before the point and 16383 after it at column 10",
            "one that prints more",
        ),
        (
            "{\"eventId\":\"0005\"}",
            "an event ID, 32 hex digits, at column 13",
            "\"0005\": expected 32 characters, found 4",
        ),
        (
            "{\"timestamp\":\"2021-02-29T00:00:00Z\"}",
            "a time from 1970 on, such as 2021-10-03T16:33:12.816530Z, at column 15",
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

    let names = [FaultKind::MalformedLine, FaultKind::MissingMember, FaultKind::TimestampMismatch]
        .map(FaultKind::name);
    assert_eq!(names, ["malformed_line", "missing_member", "timestamp_mismatch"]);
}

#[test]
fn of_several_faults_in_a_line_the_first_kind_is_told() {
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
fn the_version_of_the_ledger_id_may_change_and_its_other_bits_may_not() {
    let lines = made(Profile::Classic, 2);
    let previous = id_of(&lines[1]);
    let timestamp = previous.timestamp() + 1;
    for bit in 0..32 {
        let ledger_id = LedgerId::from_int(previous.ledger_id().to_int() ^ 1 << bit);
        let mut third = event(Profile::Classic, "third");
        third.event_id = Some(classic_id("order17third", timestamp, ledger_id, previous));
        third.timestamp = Some(timestamp);
        let lines = [&lines[..], &[third.to_string()]].concat();
        let report = verify(&lines);
        if bit < 2 {
            assert_eq!(report.first_fault, None);
            assert_eq!(report.ledger_id, Some(previous.ledger_id()), "that of the first event");
        } else {
            let fault = report.first_fault.unwrap();
            assert_eq!((fault.line, fault.kind), (3, FaultKind::LedgerChanged));
        }
    }
}

#[test]
fn after_a_line_that_states_no_id_the_next_one_is_taken_as_it_is() {
    for (at, damaged) in [(0, "{}"), (3, "nonsense"), (3, "{\"event\":\"placed\"}"), (4, "")] {
        let mut lines = made(Profile::Classic, 5);
        lines[at] = damaged.to_owned();
        let report = verify(&lines);
        assert_eq!(report.faults, u64::from(!damaged.is_empty()));
        assert_eq!(
            report.last_event_id,
            lines.iter().rev().find_map(|line| Event::parse(line).ok()?.event_id)
        );
    }
}

#[test]
fn unknown_members_and_the_order_of_members_do_not_matter() {
    let mut lines = made(Profile::Entities, 3);
    lines[1] = lines[1].replacen('{', "{\"note\":[1,{\"deep\":null}],\"\":\"\\ud83c\\udf32\",", 1);
    let event = Event::parse(&lines[2]).unwrap();
    lines[2] = format!(
        "{{\"data\":0.150e1,\"meta\":{{ }},\"entities\":{},\"timestamp\":\"{}\",\"eve\\u006etId\":\"{}\",\"data\":1.50,\"event\":\"\\u0065vent 2\"}}",
        event.entities.as_ref().unwrap(),
        "2021-10-03T16:33:12.816532Z",
        event.event_id.unwrap().encode().to_uppercase(),
    );
    assert_eq!(verify(&lines).first_fault, None);
}

#[test]
fn a_ledger_begins_with_a_genesis_event_and_goes_on_from_its_last_one() {
    for profile in Profile::ALL {
        let clock = ManualClock::new(START);
        let mut ledger = ledger(profile, &clock);
        assert_eq!((ledger.profile(), ledger.last_event_id(), ledger.ledger_id()), (profile, None, None));
        let (mut opened, mut placed) = (event(profile, "opened"), event(profile, "placed"));
        let genesis = opened.genesis_id(profile, START.as_micros() as u64).unwrap();
        assert_eq!(ledger.append(&mut opened), Ok(genesis));
        assert_eq!((opened.event_id, opened.timestamp), (Some(genesis), Some(genesis.timestamp())));
        let second = placed.id_after(profile, genesis, genesis.timestamp() + 1).unwrap();
        assert_eq!(ledger.append(&mut placed), Ok(second));
        assert_eq!((ledger.last_event_id(), ledger.ledger_id()), (Some(second), Some(genesis.ledger_id())));

        // Resumed, with a clock that was set back by an hour.
        clock.set(START - Duration::from_secs(3600));
        let mut resumed = Ledger::with_clock(profile, Some(second), &clock);
        let mut shipped = event(profile, "shipped");
        let third = shipped.id_after(profile, second, second.timestamp() + 1).unwrap();
        assert_eq!(resumed.append(&mut shipped), Ok(third));
        let lines = [opened, placed, shipped].map(|event| event.to_string());
        assert_eq!(verify(&lines).first_fault, None);
    }
}

#[test]
fn the_system_clock_serves_too() {
    let mut ledger = Ledger::new(Profile::Classic);
    let first = ledger.append(&mut event(Profile::Classic, "opened")).unwrap();
    assert!(first.time().unwrap().elapsed().unwrap() < Duration::from_secs(60));
    let second =
        Ledger::resume(Profile::Classic, first).append(&mut event(Profile::Classic, "placed")).unwrap();
    assert!(second > first && second.ledger_id() == first.ledger_id());
}

#[test]
fn an_event_that_cannot_be_added_leaves_the_ledger_and_the_event_as_they_were() {
    for profile in Profile::ALL {
        let clock = ManualClock::new(START);
        let mut ledger = ledger(profile, &clock);
        let first = ledger.append(&mut event(profile, "opened")).unwrap();

        let stated = Event { event_id: Some(first), ..event(profile, "placed") };
        let timed = Event { timestamp: Some(7), ..event(profile, "placed") };
        for (mut refused, error) in [
            (Event::new("placed"), missing(if profile == Profile::Classic { "entity" } else { "entities" })),
            (stated, unwanted("eventId")),
            (timed, unwanted("timestamp")),
        ] {
            let before = refused.clone();
            assert_eq!(of(&ledger.append(&mut refused).unwrap_err()), error);
            assert_eq!(refused, before);
        }

        let mut late = event(profile, "placed");
        let last_time = Duration::from_micros(253_402_300_799_999_999);
        for (time, now) in [
            (None, None),
            (Some(last_time + Duration::from_micros(1)), Some(253_402_300_800_000_000)),
            (Some(Duration::from_micros(u64::MAX - 1)), Some(u64::MAX - 1)),
        ] {
            time.map_or_else(|| clock.break_down(), |time| clock.set(time));
            let error = ledger.append(&mut late).unwrap_err();
            assert_eq!(error.kind(), EventErrorKind::Clock);
            let error: &GenerateError = error.source().unwrap().downcast_ref().unwrap();
            let GenerateErrorKind::ClockOutOfRange { now: read, first: 0, last, .. } = *error.kind() else {
                panic!()
            };
            assert_eq!((read, last), (now, last_time.as_micros() as u64));
            assert_eq!((late.event_id, late.timestamp), (None, None));
        }

        // It is as if none of that had been.
        clock.set(START);
        let expected = late.id_after(profile, first, first.timestamp() + 1).unwrap();
        assert_eq!(ledger.append(&mut late), Ok(expected));
    }
}

#[test]
fn the_last_microsecond_of_the_year_9999_is_used_and_none_beyond() {
    let clock = ManualClock::new(Duration::from_micros(253_402_300_799_999_998));
    let mut ledger = ledger(Profile::Classic, &clock);
    let mut lines = vec![];
    for name in ["opened", "placed"] {
        let mut event = event(Profile::Classic, name);
        ledger.append(&mut event).unwrap();
        lines.push(event.to_string());
    }
    assert!(lines[1].contains("9999-12-31T23:59:59.999999Z"));
    assert_eq!(verify(&lines).first_fault, None);
    assert_eq!(
        of(&ledger.append(&mut event(Profile::Classic, "late")).unwrap_err()),
        (EventErrorKind::Clock, None)
    );
    let last = EventId::from_fields(u64::MAX, 0, LedgerId::MIN);
    let mut resumed = Ledger::with_clock(Profile::Classic, Some(last), &clock);
    assert_eq!(
        of(&resumed.append(&mut event(Profile::Classic, "late")).unwrap_err()),
        (EventErrorKind::Clock, None)
    );
}

#[test]
fn a_line_keeps_all_that_it_has() {
    let clock = ManualClock::new(START);
    let mut ledger = ledger(Profile::Classic, &clock);
    let mut out = "before\n".to_owned();
    for line in [
        "{\"event\":\"opened\",\"entity\":\"shop\",\"key\":\"1\",\"note\":{\"b\":1e3,\"a\":[ ]}}",
        " \t{ \"data\" : 1e3 , \"key\":\"\\u0031\", \"entity\":\"sh\\/op\",\"event\":\"placed\" } \r\n",
        "\r\n{\r\n  \"event\": \"shipped\",\n\n  \"entity\": \"shop\",\r  \"key\": \"2\"\n}\n",
    ] {
        ledger.append_line(line.as_bytes(), &mut out).unwrap();
    }
    let text = out.strip_prefix("before\n").unwrap();
    let lines: Vec<_> = text.split_inclusive('\n').collect();
    assert_eq!(lines.len(), 3);
    assert_eq!(verify(&lines).first_fault, None);
    for (line, rest) in lines.iter().zip([
        "\"event\":\"opened\",\"entity\":\"shop\",\"key\":\"1\",\"note\":{\"b\":1e3,\"a\":[ ]}}\n",
        "\"data\" : 1e3 , \"key\":\"\\u0031\", \"entity\":\"sh\\/op\",\"event\":\"placed\" }\n",
        "\"event\": \"shipped\",    \"entity\": \"shop\",   \"key\": \"2\" }\n",
    ]) {
        let event = Event::parse(line).unwrap();
        let id = event.event_id.unwrap();
        let head = format!(
            "{{\"eventId\":\"{id}\",\"timestamp\":\"2021-10-03T16:33:12.{}Z\",",
            id.timestamp() % 1_000_000
        );
        assert_eq!(*line, head + rest);
    }
}

#[test]
fn a_line_that_cannot_be_added_leaves_the_ledger_and_the_output_as_they_were() {
    let clock = ManualClock::new(START);
    let mut ledger = ledger(Profile::Classic, &clock);
    let mut out = String::new();
    let first =
        ledger.append_line(b"{\"event\":\"opened\",\"entity\":\"shop\",\"key\":\"1\"}", &mut out).unwrap();
    let before = out.clone();
    for (line, error) in [
        (&b"{\"event\":\"a\",\"entity\":\"b\",\"key\":\"c\",\"eventId\":\"0005cd755a43d79238c05790c0331dd8\"}"[..], unwanted("eventId")),
        (b"{\"event\":\"a\",\"entity\":\"b\",\"key\":\"c\",\"event\\u0049d\":\"0005cd755a43d79238c05790c0331dd8\"}", unwanted("eventId")),
        (b"{\"event\":\"a\",\"entity\":\"b\",\"key\":\"c\",\"timestamp\":\"2021-10-03T16:33:12Z\"}", unwanted("timestamp")),
        (b"{\"event\":\"a\",\"entity\":\"b\"}", missing("key")),
        (b"{\"event\":\"a\",\"key\":\"b\"}", missing("entity")),
        (b"{\"entity\":\"a\",\"key\":\"b\"}", missing("event")),
        (b"{}", missing("entity")),
    ] {
        assert_eq!(of(&ledger.append_line(line, &mut out).unwrap_err()), error);
    }
    for (line, kind) in [
        (&b""[..], JsonErrorKind::Syntax),
        (b" ", JsonErrorKind::Syntax),
        (b"[]", JsonErrorKind::Syntax),
        (b"{\"event\":\"a\",\"entity\":\"b\",\"key\":\"c\"", JsonErrorKind::Syntax),
        (b"{\"event\":\"a\",\"entity\":\"b\",\"key\":\"c\"}{}", JsonErrorKind::Syntax),
        (b"{\"event\":\"a\",\"entity\":\"b\",\"key\":1}", JsonErrorKind::Type),
        (b"{\"event\":\"a\",\"entity\":\"b\",\"key\":\"c\",\"eventId\":null}", JsonErrorKind::Type),
        (b"{\"event\":\"a\",\"entity\":\"b\",\"key\":\"\xff\"}", JsonErrorKind::Utf8),
        (b"{\"event\":\"a\",\"entity\":\"b\",\"key\":\"c\",\"data\":\"\\ud800\"}", JsonErrorKind::Escape),
        (b"{\"event\":\"a\",\"entity\":\"b\",\"key\":\"c\",\"data\":1e999999}", JsonErrorKind::Exponent),
        (b"{\"event\":\"a\nb\",\"entity\":\"b\",\"key\":\"c\"}", JsonErrorKind::Control),
    ] {
        let error = ledger.append_line(line, &mut out).unwrap_err();
        assert_eq!((error.kind(), error.json().unwrap().kind()), (EventErrorKind::Json, kind));
    }
    assert_eq!((&out, ledger.last_event_id()), (&before, Some(first)));
    let next =
        ledger.append_line(b"{\"event\":\"placed\",\"entity\":\"order\",\"key\":\"17\"}", &mut out).unwrap();
    assert_eq!(next.timestamp(), first.timestamp() + 1);
    assert_eq!(verify(&lines(&out)).first_fault, None);
}

#[test]
fn what_is_wrong_with_an_event_is_told() {
    let mut stated = Event { event_id: Some(EventId::MIN), ..Event::new("placed") };
    for (error, message) in [
        (
            Ledger::new(Profile::Classic).append(&mut stated).unwrap_err(),
            "expected an event without \"eventId\", which the ledger sets: leave it out",
        ),
        (Event::parse("{\"event\":1}").unwrap_err(), "line 1, column 10: expected a string, found '1'"),
        (Event::parse("{}").unwrap_err(), "expected the member \"event\", found none"),
    ] {
        assert_eq!(error.to_string(), message);
    }
    assert_eq!("classic".parse(), Ok(Profile::Classic));
    assert_eq!("entities".parse(), Ok(Profile::Entities));
    assert_eq!(
        "Classic".parse::<Profile>().unwrap_err().to_string(),
        "expected classic or entities, found \"Classic\""
    );
}

#[test]
fn an_event_borrows_what_is_in_its_line_and_owns_what_is_not() {
    use std::borrow::Cow;
    let line = r#"{"event":"pl\u0061ced","entity":"order","key":"17","meta":{"a":1},"data":{"b":1,"a":2}}"#;
    let event = Event::parse(line).unwrap();
    assert!(matches!(event.event, Cow::Owned(_)) && matches!(event.entity, Some(Cow::Borrowed("order"))));
    assert_eq!((&*event.event, event.data.as_ref().unwrap().as_str()), ("placed", r#"{"a":2,"b":1}"#));
    let owned: Event<'static> = event.clone().into_owned();
    assert_eq!(owned, event);
}

fn any_event(profile: Profile) -> impl Strategy<Value = (Event<'static>, String)> {
    let json = || (any_tree(), prop::collection::vec(any::<u8>(), 1..20));
    (any::<[String; 3]>(), prop::option::of(json()), prop::option::of(json()), json(), any::<bool>())
        .prop_map(move |([name, entity, key], meta, data, entities, is_last)| {
            // Line feeds between members are not for a ledger's lines.
            let print = |(tree, noise): &(Tree, Vec<u8>)| {
                tree.print(&mut Noise::new(noise)).replace(['\n', '\r'], " ")
            };
            let json = |part| Json::parse(&print(part)).unwrap().into_owned();
            let quote = |text: &str| serde_json::to_string(text).unwrap();
            let (meta, data) = match profile {
                Profile::Classic => (meta, data),
                Profile::Entities => {
                    (meta.or_else(|| Some(entities.clone())), data.or_else(|| Some(entities.clone())))
                }
            };
            let mut event = Event::new(name.clone());
            let mut members = vec![format!("\"event\" : {}", quote(&name))];
            match profile {
                Profile::Classic => {
                    event = event.entity(entity.clone()).key(key.clone());
                    members.push(format!("\"entity\":{}", quote(&entity)));
                    members.push(format!("\"key\":{}", quote(&key)));
                }
                Profile::Entities => {
                    event = event.entities(json(&entities));
                    members.push(format!("\"entities\":{}", print(&entities)));
                }
            }
            event.meta = meta.as_ref().map(json);
            event.data = data.as_ref().map(json);
            members.extend(meta.map(|meta| format!("\"meta\":{}", print(&meta))));
            members.extend(data.map(|data| format!("\"data\" : {}", print(&data))));
            if is_last {
                members.reverse();
            }
            (event, format!("{{{}}}", members.join(" , ")))
        })
}

fn any_profile() -> impl Strategy<Value = Profile> {
    select(Profile::ALL.to_vec())
}

proptest! {
    #[test]
    fn what_is_appended_is_valid_whichever_way(
        (profile, events) in any_profile().prop_flat_map(|profile| (Just(profile), prop::collection::vec(any_event(profile), 1..8))),
    ) {
        let clock = ManualClock::new(START);
        let (mut by_event, mut by_line) = (ledger(profile, &clock), ledger(profile, &clock));
        let (mut lines, mut text) = (vec![], String::new());
        for (mut event, line) in events {
            prop_assert_eq!(&Event::parse(&line).unwrap(), &event);
            by_event.append(&mut event).unwrap();
            let printed = event.to_string();
            prop_assert_eq!(&Event::parse(&printed).unwrap(), &event);
            by_line.append_line(line.as_bytes(), &mut text).unwrap();
            prop_assert_eq!(by_event.last_event_id(), by_line.last_event_id());
            lines.push(printed);
        }
        let report = verify(&lines);
        prop_assert_eq!(&report.first_fault, &None);
        prop_assert_eq!(report.last_event_id, by_event.last_event_id());
        prop_assert_eq!(verify(&text.lines().collect::<Vec<_>>()), report);
    }

    #[test]
    fn a_ledger_never_repeats_a_time_or_goes_back_and_neither_does_a_resumed_one(
        times in prop::collection::vec((0..1000_u64, any::<bool>(), any::<bool>()), 1..60),
    ) {
        let clock = ManualClock::new(START);
        let mut ledger = ledger(Profile::Classic, &clock);
        let mut lines = vec![];
        let mut last: Option<EventId> = None;
        for (micros, is_broken, is_resumed) in times {
            if is_resumed {
                ledger = Ledger::with_clock(Profile::Classic, last, &clock);
            }
            let now = START.as_micros() as u64 + micros;
            clock.set(Duration::from_micros(now));
            if is_broken && micros % 3 == 0 {
                clock.break_down();
            }
            let mut event = event(Profile::Classic, "ticked");
            match clock.unix_micros() {
                None => prop_assert!(ledger.append(&mut event).is_err()),
                Some(now) => {
                    let id = ledger.append(&mut event).unwrap();
                    prop_assert_eq!(id.timestamp(), last.map_or(now, |last| now.max(last.timestamp() + 1)));
                    last = Some(id);
                    lines.push(event.to_string());
                }
            }
        }
        prop_assert_eq!(verify(&lines).first_fault, None);
    }
}

#[cfg(feature = "parallel")]
mod parallel {
    use super::*;
    use std::sync::LazyLock;

    /// Long enough for all pieces that four threads get.
    static LONG: LazyLock<[Vec<String>; 2]> =
        LazyLock::new(|| Profile::ALL.map(|profile| made(profile, 2500)));
    static POOL: LazyLock<rayon::ThreadPool> =
        LazyLock::new(|| rayon::ThreadPoolBuilder::new().num_threads(4).build().unwrap());

    /// Both ways, of chunks that end at these lines: what was found, and each fault in its order.
    fn assert_the_same(
        lines: &[Vec<u8>],
        borders: &[usize],
        verifier: impl Fn() -> Verifier,
    ) -> Result<(), TestCaseError> {
        let found = |is_parallel: bool| {
            let (mut verifier, mut faults) = (verifier(), vec![]);
            let mut start = 0;
            for &end in borders.iter().chain([&lines.len()]) {
                let chunk = lines[start..end.max(start)].concat();
                if is_parallel {
                    POOL.install(|| {
                        verifier.verify_chunk_parallel(&chunk, |fault| faults.push(fault.clone()))
                    });
                } else {
                    verifier.verify_chunk(&chunk, |fault| faults.push(fault.clone()));
                }
                start = end.max(start);
            }
            (verifier.report().clone(), faults)
        };
        let (one_by_one, side_by_side) = (found(false), found(true));
        prop_assert_eq!(one_by_one.1.len() as u64, one_by_one.0.faults);
        prop_assert_eq!(one_by_one.1.first(), one_by_one.0.first_fault.as_ref());
        prop_assert_eq!(one_by_one, side_by_side);
        Ok(())
    }

    fn with_line_ends(lines: &[String]) -> Vec<Vec<u8>> {
        lines.iter().map(|line| format!("{line}\n").into_bytes()).collect()
    }

    #[derive(Clone, Copy, Debug)]
    enum Damage {
        Flip(u8),
        Remove,
        Duplicate,
        Swap,
        Blank,
        NoId,
        Malformed,
        CarriageReturn,
        OtherLedger,
    }

    fn any_damage() -> impl Strategy<Value = Damage> {
        prop_oneof![
            (0..8_u8).prop_map(|bit| Damage::Flip(1 << bit)),
            select(vec![
                Damage::Remove,
                Damage::Duplicate,
                Damage::Swap,
                Damage::Blank,
                Damage::NoId,
                Damage::Malformed,
                Damage::CarriageReturn,
                Damage::OtherLedger,
            ]),
        ]
    }

    fn damage(lines: &mut Vec<Vec<u8>>, at: usize, offset: usize, damage: Damage) {
        let line = &mut lines[at];
        match damage {
            Damage::Flip(bit) => {
                let offset = offset % (line.len() - 1);
                line[offset] ^= bit;
            }
            Damage::Remove => drop(lines.remove(at)),
            Damage::Duplicate => lines.insert(at, lines[at].clone()),
            Damage::Swap => lines.swap(at, offset % (at + 1)),
            Damage::Blank => *line = b" \n".to_vec(),
            Damage::NoId => *line = String::from_utf8_lossy(line).replace("eventId", "eventIx").into_bytes(),
            Damage::Malformed => *line = b"nonsense\n".to_vec(),
            Damage::CarriageReturn => {
                line.pop();
                line.extend(b"\r\n");
            }
            Damage::OtherLedger => {
                *line = CLASSIC.lines().nth(at % 60).unwrap().into();
                line.push(b'\n');
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 100, ..ProptestConfig::default() })]

        #[test]
        fn chunks_are_verified_side_by_side_with_the_same_result(
            profile in 0..2_usize,
            damages in prop::collection::vec((any::<prop::sample::Index>(), any::<usize>(), any_damage()), 0..60),
            early in prop::option::of((0..4_usize, any::<usize>(), any_damage())),
            mut borders in prop::collection::vec(0..2400_usize, 0..4),
            stop_at_first_fault: bool,
            is_profile_given: bool,
            is_last_line_open: bool,
        ) {
            let mut lines = with_line_ends(&LONG[profile]);
            for (index, offset, kind) in damages {
                let at = index.index(lines.len());
                damage(&mut lines, at, offset, kind);
            }
            if let Some((at, offset, kind)) = early {
                damage(&mut lines, at, offset, kind);
            }
            if is_last_line_open {
                lines.last_mut().unwrap().pop();
            }
            borders.sort_unstable();
            assert_the_same(&lines, &borders, || {
                let verifier = Verifier::new(is_profile_given.then_some(Profile::ALL[profile]));
                if stop_at_first_fault { verifier.stop_at_first_fault() } else { verifier }
            })?;
        }
    }

    #[test]
    fn every_border_between_two_chunks() {
        let lines = with_line_ends(&lines(CLASSIC));
        for border in 0..=lines.len() {
            assert_the_same(&lines, &[border], || Verifier::new(None)).unwrap();
        }
        let lines = with_line_ends(&LONG[1]);
        for border in (0..lines.len()).step_by(41) {
            assert_the_same(&lines, &[border], || Verifier::new(None)).unwrap();
            let trusted = id_of(str::from_utf8(&lines[border]).unwrap());
            assert_the_same(&lines[border + 1..], &[], || Verifier::new(None).resume_after(trusted)).unwrap();
        }
    }

    #[test]
    fn a_damage_at_each_line_around_the_borders_of_the_pieces() {
        let intact = with_line_ends(&LONG[0]);
        for at in (0..intact.len()).step_by(13) {
            let mut lines = intact.clone();
            damage(
                &mut lines,
                at,
                0,
                [Damage::Malformed, Damage::NoId, Damage::Remove, Damage::Blank][at % 4],
            );
            assert_the_same(&lines, &[], || Verifier::new(None)).unwrap();
        }
    }

    #[test]
    fn chunks_of_nothing_and_of_blank_lines() {
        for text in ["", "\n", " \n\r\n\n", "x"] {
            assert_the_same(&[text.as_bytes().to_vec()], &[], || Verifier::new(None)).unwrap();
        }
        let blank = vec![b"\n".to_vec(); 200_000];
        let lines = [&with_line_ends(&LONG[0]), &blank[..], &with_line_ends(&LONG[1])].concat();
        assert_the_same(&lines, &[2500, 100_000], || Verifier::new(None)).unwrap();
    }
}

#[test]
fn a_timestamp_that_is_no_time_does_not_spoil_the_id_for_the_next_event() {
    let lines: Vec<String> = CLASSIC.lines().map(str::to_owned).collect();
    let mut damaged = lines.clone();
    damaged[9] = damaged[9].replace("\"timestamp\":\"2", "\"timestamp\":\"x");
    damaged[10] = damaged[10].replace("\"event\":\"", "\"event\":\"x");
    assert!(damaged[9] != lines[9] && damaged[10] != lines[10]);
    let mut faults = vec![];
    Verifier::new(None)
        .verify_chunk(damaged.join("\n").as_bytes(), |fault| faults.push((fault.line, fault.kind)));
    assert_eq!(faults, [(10, FaultKind::MalformedLine), (11, FaultKind::IdMismatch)]);
}
