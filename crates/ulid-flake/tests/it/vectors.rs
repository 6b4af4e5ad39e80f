//! The results of the published implementation, from `data/ulid_flake.json`.

use serde_json::Value;
use ulid_flake::{ParseErrorKind, UlidFlake, scalable::Scalable};

fn vectors() -> Value {
    serde_json::from_str(include_str!("../data/ulid_flake.json")).unwrap()
}

#[test]
fn every_id_is_parsed_and_printed_as_published() {
    let vectors = vectors();
    let ids = vectors["ids"].as_array().unwrap();
    assert!(ids.len() > 60);
    for vector in ids {
        let text = vector["text"].as_str().unwrap();
        let int: i64 = vector["int"].as_str().unwrap().parse().unwrap();
        let id = UlidFlake::parse(text).unwrap();
        assert_eq!(id.encode(), text);
        assert_eq!(id.to_int(), int);
        assert_eq!(UlidFlake::try_from_int(int), Ok(id));
        assert_eq!(UlidFlake::try_from_bytes(int.to_be_bytes()), Ok(id));
        assert_eq!(id.timestamp(), vector["timestamp_ms"]);
        assert_eq!(id.unix_millis(), vector["unix_ms"]);
        assert_eq!(id.randomness(), vector["randomness"]);
        assert_eq!(UlidFlake::try_from_fields(id.timestamp(), id.randomness()), Ok(id));

        let scalable = id.scalable();
        assert_eq!(scalable.randomness(), vector["scalable"]["randomness"]);
        assert_eq!(scalable.scalability(), vector["scalable"]["scalability"]);
        let (randomness, node) = (scalable.randomness(), scalable.scalability());
        assert_eq!(Scalable::try_from_fields(id.timestamp(), randomness, node), Ok(id));
    }
}

#[test]
fn lower_case_is_parsed_as_upper_case() {
    let vectors = vectors();
    let texts = vectors["lower_case"].as_array().unwrap();
    assert!(texts.len() > 10);
    for vector in texts {
        let id = UlidFlake::parse(vector["text"].as_str().unwrap()).unwrap();
        assert_eq!(id.to_int().to_string(), vector["int"]);
    }
}

#[test]
fn every_text_that_is_not_an_id_has_the_right_kind_of_error() {
    let vectors = vectors();
    let rejects = vectors["rejects"].as_array().unwrap();
    assert!(rejects.len() > 20);
    for vector in rejects {
        let text = vector["text"].as_str().unwrap();
        let kind = match vector["kind"].as_str().unwrap() {
            "overflow" => ParseErrorKind::Overflow,
            "invalid" if text.len() == UlidFlake::TEXT_LEN => ParseErrorKind::Character,
            "invalid" => ParseErrorKind::Length,
            kind => panic!("{kind}"),
        };
        assert_eq!(UlidFlake::parse(text).unwrap_err().kind(), kind, "{text:?}");
    }
}
