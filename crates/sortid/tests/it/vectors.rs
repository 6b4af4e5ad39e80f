//! Detects the specification of the conformance vectors of all specifications.

use sortid::{Reason, Spec, detect};
use sortid_testkit::vectors::texts;

fn specs(text: &str) -> Vec<Spec> {
    detect(text).map(|candidate| candidate.id().spec()).collect()
}

#[test]
fn a_text_of_each_specification_is_detected_and_none_that_it_refuses() {
    for &spec in Spec::ALL {
        for text in texts(spec.name(), "id").into_iter().chain(texts(spec.name(), "parse")) {
            let found = specs(&text);
            // Hex digits of 16 bytes are base32hex, too.
            let is_hex = text.len() == 32 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
            assert_eq!(
                found,
                if is_hex { vec![Spec::EventlyId, Spec::Scru160] } else { vec![spec] },
                "{text}"
            );
        }
        for text in texts(spec.name(), "reject") {
            assert!(!specs(&text).contains(&spec), "{text}");
        }
    }
    for hex in texts("scru160", "other_text") {
        assert_eq!(specs(&hex), [Spec::Scru160], "{hex}");
    }
}

#[test]
fn an_euid_is_detected_with_and_without_its_check() {
    for (check, has_check) in [("id", true), ("other_text", false)] {
        for text in texts("euid", check) {
            assert_eq!(specs(&text), [Spec::Euid], "{text}");
            let euid = detect(&text).next().unwrap();
            assert_eq!(euid.reasons().any(|reason| reason == Reason::Check), has_check, "{text}");
            assert!(euid.weight() >= if has_check { 34 } else { 27 });
        }
    }
}

#[test]
fn signs_and_brackets_alone_are_not_a_ron_uid() {
    for bracket in ["(", "[", "{", "}", "]", ")", "()", "[]", "{}", "1)"] {
        assert_eq!(detect(bracket).next(), None, "{bracket}");
    }
    for sign in ["-", "+", "$", "%"] {
        assert_eq!(detect(sign).next(), None, "{sign}");
        assert!(detect(format!("{sign}X")).next().unwrap().weight() > 0, "{sign}X");
    }
}

#[test]
fn an_event_id_is_likelier_than_a_scru160() {
    for text in &texts("evently-id", "id")[..125] {
        let [event_id, scru160] = detect(text).collect::<Vec<_>>()[..] else { unreachable!() };
        assert!(event_id.reasons().any(|reason| reason == Reason::Time));
        assert!(!scru160.reasons().any(|reason| reason == Reason::Time), "1970, as a SCRU160");
        assert_eq!((event_id.weight(), scru160.weight()), (2 * 32 + 12, 32));
    }
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
