//! The vectors: two ledgers, and JSON texts with their canonical form.

use evently_ledger::{Genesis, LedgerId, Profile, Report, Verifier, canonical_json, event_id};
use serde_json::Value;

const CLASSIC: &str = include_str!("../../../../vectors/ledger-classic.ndjson");
const ENTITIES: &str = include_str!("../../../../vectors/ledger-entities.ndjson");

fn read() -> Value {
    serde_json::from_str(include_str!("../data/evently_classic.json")).unwrap()
}

fn verify(ledger: &str, profile: Option<Profile>) -> Report {
    Verifier::new(profile).verify(ledger.lines())
}

#[test]
fn the_classic_ledger_is_valid_to_its_last_event() {
    let vector = read();
    for profile in [None, Some(Profile::Classic)] {
        let report = verify(CLASSIC, profile);
        assert_eq!(report.first_fault, None);
        assert_eq!((report.profile, report.genesis), (Some(Profile::Classic), Some(Genesis::Published)));
        assert_eq!(report.events, vector["events"]);
        assert_eq!(&*report.ledger_id.unwrap().encode(), vector["ledger_id"]);
        assert_eq!(&*report.last_event_id.unwrap().encode(), vector["last_event_id"]);
    }
}

#[test]
fn the_ledger_of_the_postgresql_function_is_valid_to_its_last_event() {
    for profile in [None, Some(Profile::Entities)] {
        let report = verify(ENTITIES, profile);
        assert_eq!(report.first_fault, None);
        assert_eq!((report.profile, report.genesis), (Some(Profile::Entities), Some(Genesis::Deployed)));
        assert_eq!(report.events, 61);
        assert_eq!(report.ledger_id, Some(LedgerId::parse("bed67a78").unwrap()));
        assert_eq!(report.last_event_id, Some(event_id!("000660be5c2aed09fce5fbabbed67a78")));
    }
}

#[test]
fn the_other_profile_finds_no_valid_line() {
    assert_eq!(verify(CLASSIC, Some(Profile::Entities)).faults, 64);
    assert_eq!(verify(ENTITIES, Some(Profile::Classic)).faults, 61);
}

#[test]
fn each_json_text_has_its_canonical_form() {
    let vector = read();
    let texts = vector["canonical_json"].as_array().unwrap();
    assert!(texts.len() > 30, "{}", texts.len());
    for text in texts {
        let canonical = text["canonical"].as_str().unwrap();
        assert_eq!(canonical_json(text["json"].as_str().unwrap()).unwrap(), canonical);
        assert_eq!(canonical_json(canonical).unwrap(), canonical);
    }
}
