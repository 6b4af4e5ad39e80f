//! The results of the published implementation, from `data/euid.json`.

use euid::{Euid, Extension, ParseErrorKind};
use serde_json::Value;

fn vectors() -> Value {
    serde_json::from_str(include_str!("../data/euid.json")).unwrap()
}

fn by_hex(hex: &Value) -> Euid {
    Euid::from_int(u128::from_str_radix(hex.as_str().unwrap(), 16).unwrap())
}

#[test]
fn every_id_is_parsed_and_printed_as_published() {
    let vectors = vectors();
    let ids = vectors["ids"].as_array().unwrap();
    assert!(ids.len() > 60);
    for vector in ids {
        let text = |name: &str| vector[name].as_str().unwrap();
        let id = Euid::parse(text("text")).unwrap();
        assert_eq!(id, by_hex(&vector["hex"]));
        assert_eq!(Euid::parse(text("text_unchecked")), Ok(id));
        assert_eq!(Euid::parse_with_check(text("text_unchecked").as_bytes()), Ok((id, None)));
        assert_eq!(Euid::parse_with_check(text("text").as_bytes()), Ok((id, Some(id.check()))));
        assert_eq!(id.encode(), text("text"));
        assert_eq!(id.encode_without_check(), text("text_unchecked"));
        assert_eq!(format!("{id:x}"), text("hex"));
        assert_eq!(id.timestamp(), vector["timestamp_ms"]);
        assert_eq!(id.extension().map(Extension::value).map(u64::from), vector["extension"].as_u64());
        assert_eq!(id.extension_bits(), vector["extension_bits"]);
    }
}

#[test]
fn aliases_are_parsed_as_the_digits_they_look_like() {
    let vectors = vectors();
    let aliases = vectors["aliases"].as_array().unwrap();
    assert!(aliases.len() > 10);
    for vector in aliases {
        let text = vector["text"].as_str().unwrap();
        let (id, check) = Euid::parse_with_check(text.as_bytes()).unwrap();
        assert_eq!(id, by_hex(&vector["hex"]));
        let canonical = if check.is_some() { id.encode() } else { id.encode_without_check() };
        assert_eq!(Euid::parse(&canonical), Ok(id));
        assert!(!canonical.chars().any(|char| "iIlLoOuU".contains(char) || char.is_ascii_lowercase()));
    }
}

#[test]
fn damaged_texts_are_parsed_or_refused_as_published() {
    let vectors = vectors();
    let damaged = vectors["damaged"].as_array().unwrap();
    assert!(damaged.len() > 40);
    for vector in damaged {
        let read = Euid::parse(vector["text"].as_str().unwrap());
        match &vector["ok_hex"] {
            Value::Null => assert_eq!(read.unwrap_err().kind(), ParseErrorKind::Check, "{vector}"),
            hex => assert_eq!(read, Ok(by_hex(hex))),
        }
    }
}

#[test]
fn every_text_that_is_not_an_id_has_the_right_kind_of_error() {
    let vectors = vectors();
    let rejects = vectors["rejects"].as_array().unwrap();
    assert!(rejects.len() > 5);
    for vector in rejects {
        let text = vector["text"].as_str().unwrap();
        let all_digits = text.chars().all(|char| char.is_ascii_alphanumeric() && !"uU".contains(char));
        let kind = match (text.len() == Euid::TEXT_LEN, all_digits) {
            (false, _) => ParseErrorKind::Length,
            (true, false) => ParseErrorKind::Character,
            (true, true) => ParseErrorKind::Check,
        };
        assert_eq!(Euid::parse(text).unwrap_err().kind(), kind, "{text:?}");
    }
}

#[test]
fn the_known_values_are_parsed_as_expected() {
    let known = "C8EE934SR007G5Q94QKKXFRFV8B";
    assert_eq!(Euid::parse(known).unwrap().encode(), known);
    let unchecked = "C8ZM14GR4JXG0MQXVY18S8TJNBZ";
    assert_eq!(Euid::parse_with_check(unchecked.as_bytes()).unwrap().1, None);
    let wrong = Euid::parse("C8X2HA87098A0W837DX13FEAWVV").unwrap_err();
    assert_eq!(wrong.to_string(), "the check is 123, expected 56");
}
