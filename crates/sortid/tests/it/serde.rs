//! `AnyId` in JSON and in a binary format.

#![cfg(feature = "serde")]

use serde_json::json;
use sortid::{AnyId, Spec};

fn ids() -> impl Iterator<Item = AnyId> {
    let texts = [
        (Spec::EventlyId, "0005cd755a43d79238c05790c0331dd8"),
        (Spec::Scru160, "05TTUP1HNCPNA1QHTDHRTCU3V32PD7C6"),
        (Spec::Euid, "C8EE934SR007G5Q94QKKXFRFV8B"),
        (Spec::UlidFlake, "00CMXB6TAK4SA"),
        (Spec::RonUid, "1CQKneD1-X~"),
    ];
    texts.into_iter().map(|(spec, text)| AnyId::parse(spec, text).unwrap())
}

#[test]
fn json_has_the_specification_and_the_text() {
    for id in ids() {
        let json = serde_json::to_value(id).unwrap();
        assert_eq!(json, json!({ "spec": id.spec().name(), "id": id.to_string() }));
        assert_eq!(serde_json::from_value::<AnyId>(json).unwrap(), id);
    }
    let id = ids().nth(3).unwrap();
    assert_eq!(serde_json::to_string(&id).unwrap(), r#"{"spec":"ulid-flake","id":"00CMXB6TAK4SA"}"#);
    for json in [
        r#"{"id":"00CMXB6TAK4SA","spec":"ulid-flake"}"#,
        r#"{"of":{"other":[1]},"spec":"ulid-flake","id":"00cmxb6tak4s\u0061"}"#,
        r#"["ulid-flake","00CMXB6TAK4SA"]"#,
    ] {
        assert_eq!(serde_json::from_str::<AnyId>(json).unwrap(), id, "{json}");
    }
    let longest = r#"{"id":"017bdf6431bb33750751eb63beb3c3f8c5969d86","spec":"scru160"}"#;
    assert_eq!(serde_json::from_str::<AnyId>(longest).unwrap(), ids().nth(1).unwrap());
}

#[test]
fn a_binary_format_has_the_bytes() {
    for id in ids() {
        let bytes = postcard::to_allocvec(&id).unwrap();
        assert!(bytes.ends_with(id.as_bytes()));
        assert_eq!(bytes.len(), 1 + id.spec().name().len() + 1 + id.as_bytes().len());
        assert_eq!(postcard::from_bytes::<AnyId>(&bytes).unwrap(), id);
    }
    let too_large = postcard::to_allocvec(&("ulid-flake", &[0xff_u8; 8][..])).unwrap();
    assert!(postcard::from_bytes::<AnyId>(&too_large).is_err());
    let too_long = postcard::to_allocvec(&("ulid-flake", &[0_u8; 41][..])).unwrap();
    assert!(postcard::from_bytes::<AnyId>(&too_long).is_err());
}

#[test]
fn errors_say_what_was_expected() {
    for (json, message) in [
        (
            r#"{"spec":"ulid-flake","id":"8000000000000"}"#,
            "invalid ulid-flake: 8000000000000 is above the greatest Ulid-Flake, 7ZZZZZZZZZZZZ",
        ),
        (r#"{"spec":"ulid","id":"8000000000000"}"#, r#", found "ulid""#),
        (r#"{"spec":"euid"}"#, "missing field `id`"),
        (r#"{"id":"8000000000000"}"#, "missing field `spec`"),
        (r#"{"spec":"euid","spec":"euid"}"#, "duplicate field `spec`"),
        (r#"{"spec":"euid","id":7}"#, "invalid type: integer `7`, expected an ID"),
        (r#"["euid"]"#, "invalid length 1, expected an ID and its specification"),
        (r#""C8EE934SR007G5Q94QKKXFRFV8B""#, "expected an ID and its specification"),
    ] {
        let error = serde_json::from_str::<AnyId>(json).unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
    }
    let long = format!(r#"{{"spec":"euid","id":"{}"}}"#, "0".repeat(41));
    let error = serde_json::from_str::<AnyId>(&long).unwrap_err().to_string();
    assert!(error.starts_with("invalid length 41, expected an ID of at most 40 characters"), "{error}");
}
