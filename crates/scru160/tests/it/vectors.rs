//! The vectors of `data/scru160.json`: IDs with their fields, and texts that are not an ID. The published Python package
//! `scru160` 0.2.3 prints the texts of the IDs from their bytes, and so does Python's standard library. It has no parser, so
//! it decided nothing about the other texts.

use scru160::{ParseErrorKind, Scru160};
use serde_json::Value;

fn vectors() -> Value {
    serde_json::from_str(include_str!("../data/scru160.json")).unwrap()
}

fn hex80(text: &str) -> [u8; 10] {
    data_encoding::HEXLOWER.decode(text.as_bytes()).unwrap().try_into().unwrap()
}

#[test]
fn every_id_is_parsed_and_printed_as_published() {
    let vectors = vectors();
    let ids = vectors["ids"].as_array().unwrap();
    assert!(ids.len() > 60);
    for vector in ids {
        let text = |name: &str| vector[name].as_str().unwrap();
        let id = Scru160::parse(text("base32hex")).unwrap();
        assert_eq!(Scru160::parse(text("hex")), Ok(id));
        assert_eq!(Scru160::parse(&text("base32hex").to_lowercase()), Ok(id));
        assert_eq!(Scru160::parse(&text("hex").to_uppercase()), Ok(id));
        assert_eq!(id.encode(), text("base32hex"));
        assert_eq!(id.encode_hex(), text("hex"));
        assert_eq!(format!("{id} {id:x}"), format!("{} {}", text("base32hex"), text("hex")));
        assert_eq!(id.timestamp(), vector["timestamp_ms"]);
        assert_eq!(id.counter(), vector["counter"]);
        assert_eq!(id.random16(), vector["random16"]);
        assert_eq!(id.random80(), hex80(text("random80")));
        let fields = (id.timestamp(), id.counter(), id.random16(), id.random80());
        assert_eq!(Scru160::try_from_fields(fields.0, fields.1, fields.2, fields.3), Ok(id));
    }
}

#[test]
fn every_text_that_is_not_an_id_has_the_right_kind_of_error() {
    let vectors = vectors();
    let rejects = vectors["rejects"].as_array().unwrap();
    assert!(rejects.len() > 20);
    for vector in rejects {
        let text = vector["text"].as_str().unwrap();
        let kind =
            if [32, 40].contains(&text.len()) { ParseErrorKind::Character } else { ParseErrorKind::Length };
        assert_eq!(Scru160::parse(text).unwrap_err().kind(), kind, "{text:?}");
    }
}

/// The two examples in base32hex and the two in hex are different IDs, so each is compared with its other form.
#[test]
fn the_examples_of_the_specification_have_these_other_forms() {
    for (text, hex) in [
        ("05TTUP1HNCPNH30VEK64KDQT9BSNU4C4", "017bdf6431bb33788c1f750c4a375d4af97f1184"),
        ("05TTUP1HNCPNIB63R8IN5V2L3VFGNFET", "017bdf6431bb33792cc3da2572fc551fdf0bbddd"),
        ("05TTUP1HNCPNA1QHTDHRTCU3V32PD7C6", "017bdf6431bb33750751eb63beb3c3f8c5969d86"),
        ("05TTUP1HNCPNCOI15PL5EM490SQS6F1B", "017bdf6431bb337662412e6a5758890735c33c2b"),
    ] {
        assert_eq!(Scru160::parse(text).unwrap().encode_hex(), hex);
        assert_eq!(Scru160::parse(hex).unwrap().encode(), text);
    }
}
