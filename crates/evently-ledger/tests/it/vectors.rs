//! The conformance vectors of `vectors/ledger.json`.

use crate::common::ledger::{CLASSIC, ENTITIES};
use evently_ledger::{Event, Json, PartVerifier, Profile, Report, Verifier, canonical_json};
use sortid_testkit::vectors::{self, Case};
use std::borrow::Cow;

fn verify(ledger: &str, profile: Option<Profile>) -> Report {
    Verifier::new(profile).verify(ledger.lines())
}

#[test]
fn every_case_of_the_vectors_holds() {
    for case in vectors::cases("ledger") {
        match &*case.check {
            "canonical_json" => {
                for json in ["json", "canonical"] {
                    assert_eq!(canonical_json(case.text(json)).unwrap(), case.text("canonical"));
                }
            }
            "reject_json" => {
                let error = canonical_json(case.text("json")).unwrap_err();
                let place = (&error.line().into(), &error.column().into());
                assert_eq!(
                    (error.kind().name(), place),
                    (case.text("error"), (&case["line"], &case["column"]))
                );
            }
            "event_id" => makes_the_event_id(&case),
            "ledger" => is_valid_to_its_last_event(&case),
            "verdict" => {
                let ledger = case.text("ledger");
                let mut parts = PartVerifier::new(None);
                parts.verify_lines(ledger.as_bytes());
                for report in
                    [Verifier::new(None).verify(ledger.split_inclusive('\n')), parts.part().report()]
                {
                    assert_eq!(case["valid"], report.is_valid(), "{case}");
                    assert_eq!(case["events"], report.events, "{case}");
                }
            }
            "fault" => {
                let found = |verifier: Verifier| verifier.verify(case.text("ledger").lines()).first_fault;
                let mut fault = found(Verifier::new(None));
                if case["strict"] == true {
                    assert_eq!(fault, None, "{case}");
                    fault = found(Verifier::new(None).strict());
                }
                let fault = fault.unwrap();
                assert_eq!(
                    (fault.kind.name(), &fault.line.into()),
                    (case.text("error"), &case["line"]),
                    "{case}"
                );
            }
            _ => panic!("no test runs the check of {case}"),
        }
    }
}

fn makes_the_event_id(case: &Case) {
    let (event, profile) = (Event::parse(case.text("event")).unwrap(), case.text("profile").parse().unwrap());
    let time = case.text("unix_us").parse().unwrap();
    let id = match case["previous"].as_str() {
        Some(previous) => event.id_after(profile, previous.parse().unwrap(), time),
        None => event.genesis_id(profile, time),
    };
    assert_eq!(id.unwrap().encode(), case.text("text"), "{case}");
    let text = |text: &Option<Cow<'_, str>>| text.as_deref().unwrap_or_default().to_owned();
    let canonical = |json: &Option<Json<'_>>| {
        json.as_ref().map_or(String::new(), |json| canonical_json(json.as_str()).unwrap())
    };
    let (meta, data) = (canonical(&event.meta), canonical(&event.data));
    let content = match profile {
        Profile::Classic => [text(&event.entity), text(&event.key), event.event.to_string(), meta, data],
        Profile::Entities => [event.event.to_string(), canonical(&event.entities), meta, data, String::new()],
    };
    assert_eq!(content.concat(), case.text("content"));
}

fn is_valid_to_its_last_event(case: &Case) {
    let profile: Profile = case.text("profile").parse().unwrap();
    let (name, ledger) = match profile {
        Profile::Classic => ("ledger-classic.ndjson", CLASSIC),
        Profile::Entities => ("ledger-entities.ndjson", ENTITIES),
    };
    assert_eq!(case.text("file"), name);
    for given in [None, Some(profile)] {
        let report = verify(ledger, given);
        assert_eq!((report.first_fault, report.profile), (None, Some(profile)));
        assert_eq!(report.genesis.unwrap().name(), case.text("genesis"));
        assert_eq!(report.events, case["events"]);
        assert_eq!(report.ledger_id.unwrap().encode(), case.text("ledger_id"));
        assert_eq!(report.last_event_id.unwrap().encode(), case.text("last_event_id"));
    }
    let other = Profile::ALL.into_iter().find(|other| *other != profile);
    assert_eq!(verify(ledger, other).faults, case["events"], "the other profile finds no valid line");
}
