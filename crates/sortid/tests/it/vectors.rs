//! Detects the specification of the test vectors of all specifications.

use serde_json::Value;
use sortid::{Reason, Spec, detect};

fn vectors(json: &str) -> Value {
    serde_json::from_str(json).unwrap()
}

/// Returns the members of this name of all items of a list.
fn texts<'a>(list: &'a Value, name: &'a str) -> impl Iterator<Item = &'a str> {
    let list = list.as_array().unwrap();
    assert!(list.len() > 10);
    list.iter().map(move |vector| vector[name].as_str().unwrap())
}

fn specs(text: &str) -> Vec<Spec> {
    detect(text).map(|candidate| candidate.id().spec()).collect()
}

#[test]
fn both_forms_of_a_scru160_are_detected() {
    let vectors = vectors(include_str!("../../../scru160/tests/data/scru160.json"));
    for hex in texts(&vectors["ids"], "hex") {
        assert_eq!(specs(hex), [Spec::Scru160], "{hex}");
    }
    for text in texts(&vectors["ids"], "base32hex") {
        if text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            assert_eq!(specs(text), [Spec::EventlyId, Spec::Scru160], "{text}");
        } else {
            assert_eq!(specs(text), [Spec::Scru160], "{text}");
        }
    }
    for text in texts(&vectors["rejects"], "text") {
        assert!(!specs(text).contains(&Spec::Scru160), "{text}");
    }
}

#[test]
fn an_euid_is_detected_with_and_without_its_check() {
    let vectors = vectors(include_str!("../../../euid/tests/data/euid.json"));
    for (name, has_check) in [("text", true), ("text_unchecked", false)] {
        for text in texts(&vectors["ids"], name) {
            assert_eq!(specs(text), [Spec::Euid], "{text}");
            let euid = detect(text).next().unwrap();
            assert_eq!(euid.reasons().any(|reason| reason == Reason::Check), has_check, "{text}");
            assert!(euid.weight() >= if has_check { 34 } else { 27 });
        }
    }
    for text in texts(&vectors["damaged"], "text").filter(|text| euid(text).is_err()) {
        assert_eq!(specs(text), [], "{text}");
    }
}

fn euid(text: &str) -> Result<sortid::euid::Euid, sortid::ParseError> {
    text.parse()
}

#[test]
fn a_ulid_flake_is_detected() {
    let vectors = vectors(include_str!("../../../ulid-flake/tests/data/ulid_flake.json"));
    for text in texts(&vectors["ids"], "text").chain(texts(&vectors["lower_case"], "text")) {
        assert_eq!(specs(text), [Spec::UlidFlake], "{text}");
    }
}

#[test]
fn a_ron_uid_is_detected() {
    let vectors = vectors(include_str!("../../../ron-uid/tests/data/ron_uid.json"));
    for text in texts(&vectors["canonical"], "text") {
        assert_eq!(specs(text), [Spec::RonUid], "{text}");
    }
}

#[test]
fn a_sign_alone_is_no_reason_for_a_ron_uid() {
    for sign in ["-", "+", "$", "%"] {
        let weights: Vec<_> = detect(sign).map(|candidate| candidate.weight()).collect();
        assert_eq!(weights, [0], "{sign}");
        assert!(detect(format!("{sign}X")).next().unwrap().weight() > 0, "{sign}X");
    }
}

#[test]
fn an_event_id_is_likelier_than_a_scru160() {
    let ledger = include_str!("../../../../vectors/ledger-classic.ndjson");
    let mut count = 0;
    for line in ledger.lines() {
        let event = vectors(line);
        let Some(text) = event["eventId"].as_str() else { continue };
        assert_eq!(specs(text), [Spec::EventlyId, Spec::Scru160], "{text}");
        let [event_id, scru160] = detect(text).collect::<Vec<_>>()[..] else { unreachable!() };
        assert!(event_id.reasons().any(|reason| reason == Reason::Time));
        assert!(!scru160.reasons().any(|reason| reason == Reason::Time), "1970, as a SCRU160");
        assert_eq!((event_id.weight(), scru160.weight()), (2 * 32 + 12, 32));
        count += 1;
    }
    assert!(count > 10, "{count}");
}

#[test]
fn a_word_is_a_ron_name_with_the_weight_0() {
    let word = detect("word").next().unwrap();
    assert_eq!((word.id().spec(), word.weight()), (Spec::RonUid, 0));
    let event = detect("1CQKneD1-X~").next().unwrap();
    let reasons: Vec<_> = event.reasons().map(|reason| reason.to_string()).collect();
    assert_eq!(reasons, ["10 Base64x64 digits", "one sign", "a time from 2000 to 2099"]);
    assert_eq!(event.weight(), 3);
}

#[test]
fn other_texts_have_no_candidate() {
    for text in ["", "no ID", "C8X2HA87098A0W837DX13FEAWVV", "8000000000000", "12345678901", "\u{e9}"] {
        assert_eq!(specs(text), [], "{text}");
    }
    assert_eq!(detect(b"\xff").count(), 0);
}
