//! Verifying valid ledgers and parts of them, and what is known after a line with a fault.

use crate::common::ledger::{
    Append as _, CLASSIC, ENTITIES, LEDGERS, START, classic_id, crc, event, faults, id_of, lines, made,
    verify,
};
use evently_ledger::{
    Event, EventId, FaultKind, Genesis, Ledger, LedgerId, Profile, Report, Verifier, event_id,
};

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
fn both_genesis_events_are_recognised() {
    assert_eq!(verify(&lines(ENTITIES)).genesis, Some(Genesis::Deployed));
    assert_eq!(verify(&lines(CLASSIC)).genesis, Some(Genesis::Published));
    let names = [Genesis::Published, Genesis::Deployed, Genesis::Trusted].map(Genesis::name);
    assert_eq!(names, ["published", "deployed", "trusted"]);
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
fn the_profile_is_that_of_the_first_line_that_has_its_members() {
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
fn a_damaged_line_does_not_determine_the_profile_of_the_lines_after_it() {
    for (ledger, profile) in LEDGERS {
        let (mut damaged, mut preceded) = (lines(ledger), lines(ledger));
        let (of_this, of_other, alone) = match profile {
            Profile::Classic => ("\"entity\"", "\"entities\"", "{\"entities\":{}}"),
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
fn the_version_of_the_ledger_id_may_change_and_its_other_bits_may_not() {
    let lines = made(Profile::Classic, 2);
    let previous = id_of(&lines[1]);
    let timestamp = previous.unix_micros() + 1;
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
fn after_a_line_without_an_id_the_next_event_is_taken_as_it_is() {
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
fn after_a_timestamp_that_is_not_a_time_the_next_event_is_still_checked() {
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

#[test]
fn stop_at_first_fault_ignores_the_lines_after_it() {
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

/// Events that have members of the other profile beside their own: some, or all.
fn with_members_of_both(profile: Profile) -> impl Iterator<Item = Vec<String>> {
    let (own, others) = match profile {
        Profile::Classic => (
            r#""entity":"order","key":"17""#,
            &[r#""entities":{}"#, r#""entities":{},"meta":{}"#, r#""entities":1,"meta":{},"data":null"#][..],
        ),
        Profile::Entities => (
            r#""entities":{"order":["17"]},"meta":{},"data":1.50"#,
            &[r#""entity":"order""#, r#""key":"17""#, r#""key":"17","entity":"order""#][..],
        ),
    };
    others.iter().map(move |other| {
        let mut file = String::new();
        let mut ledger = Ledger::new(profile);
        for name in ["opened", "placed", "paid", "closed"] {
            let line = format!("{{\"event\":\"{name}\",{other},{own}}}");
            ledger.append_line(line.as_bytes(), &mut file).unwrap();
        }
        lines(&file)
    })
}

#[test]
fn the_ids_and_not_the_members_show_the_profile() {
    for profile in Profile::ALL {
        for lines in with_members_of_both(profile) {
            for at in 0..lines.len() {
                let (part, is_whole) = (&lines[at..], at == 0);
                let mut verifiers = vec![Verifier::new(None).resume_unanchored()];
                match is_whole {
                    true => verifiers.push(Verifier::new(None)),
                    false => verifiers.push(Verifier::new(None).resume_after(id_of(&lines[at - 1]))),
                }
                for verifier in verifiers {
                    let report = verifier.verify(part);
                    assert_eq!(report.first_fault, None, "{profile} from {}", part[0]);
                    assert!(report.profile == Some(profile) || part.len() == 1, "{profile} from {}", part[0]);
                }
            }
            // A changed event does not determine the profile either.
            let changed = [&[lines[1].replacen("placed", "played", 1)], &lines[2..]].concat();
            let report = Verifier::new(None).resume_after(id_of(&lines[0])).verify(&changed);
            assert_eq!((report.faults, report.profile), (1, Some(profile)), "{}", changed[0]);
        }
    }
}
