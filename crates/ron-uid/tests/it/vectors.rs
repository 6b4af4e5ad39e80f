//! The results of the published implementation, from `data/ron_uid.json`, and the values that the specification gives.

use ron_uid::{Base64x64, RonUid, Vector, VectorBuilder, ron_uid};
use serde_json::Value;

fn vectors() -> Value {
    serde_json::from_str(include_str!("../data/ron_uid.json")).unwrap()
}

fn each<'v>(vectors: &'v Value, name: &str, at_least: usize) -> impl Iterator<Item = &'v Value> {
    let list = vectors[name].as_array().unwrap();
    assert!(list.len() >= at_least);
    list.iter()
}

fn text<'v>(vector: &'v Value, name: &str) -> &'v str {
    vector[name].as_str().unwrap()
}

/// The UID that a vector's `value`, `origin` and `sep` give.
fn parts(vector: &Value) -> RonUid {
    let part = |name| Base64x64::parse(text(vector, name)).unwrap();
    let scheme = ron_uid::Scheme::ALL.into_iter().find(|scheme| vector["sep"] == scheme.sign().to_string());
    RonUid::from_fields(part("value"), part("origin"), scheme.unwrap())
}

#[test]
fn every_pair_is_compressed_as_published() {
    let mut pairs = 0;
    for line in include_str!("../data/zip.tsv").lines().filter(|line| !line.starts_with('#')) {
        let [context, uid, text] = *line.split('\t').collect::<Vec<_>>() else { panic!("{line}") };
        let [context, uid] = [context, uid].map(|text| RonUid::parse(text).unwrap());
        assert_eq!(uid.zip(&context), text, "{line}");
        assert_eq!(RonUid::unzip(text, &context), Ok(uid), "{line}");
        pairs += 1;
    }
    assert_eq!(pairs, 1500);
}

#[test]
fn every_integer_is_parsed_and_printed_as_published() {
    for vector in each(&vectors(), "base64x64", 70) {
        let int = Base64x64::parse(text(vector, "text")).unwrap();
        assert_eq!(int.to_int().to_string(), vector["decimal"]);
        assert_eq!(int.encode(), text(vector, "text"));
        assert_eq!(Base64x64::try_from_int(int.to_int()), Ok(int));
    }
}

#[test]
fn every_uid_is_parsed_and_printed_as_published() {
    let vectors = vectors();
    // Bare words with trailing zeros, such as `100`, are missing: the published implementation trims their zeros too late.
    for vector in each(&vectors, "canonical", 80) {
        let uid = RonUid::parse(text(vector, "text")).unwrap();
        assert_eq!(uid, parts(vector), "{vector}");
        assert_eq!(uid.encode(), text(vector, "printed"));
        assert_eq!(RonUid::try_from_bytes(uid.to_bytes()), Ok(uid));
    }
}

#[test]
fn every_uid_is_compressed_as_published() {
    for vector in each(&vectors(), "compressed", 60) {
        let [context, uid] = ["context", "uid"].map(|name| RonUid::parse(text(vector, name)).unwrap());
        assert_eq!(uid, parts(vector));
        assert_eq!(uid.zip(&context), text(vector, "compressed"), "{vector}");
        assert_eq!(RonUid::unzip(text(vector, "compressed"), &context), Ok(uid));
    }
}

#[test]
fn every_vector_is_parsed_and_printed_as_published() {
    for vector in each(&vectors(), "vectors", 8) {
        let uids: Vec<RonUid> = vector["uids"]
            .as_array()
            .unwrap()
            .iter()
            .map(|uid| uid.as_str().unwrap().parse().unwrap())
            .collect();
        let read: Result<Vec<RonUid>, _> = Vector::new(text(vector, "body")).collect();
        assert_eq!(read, Ok(uids.clone()));
        assert_eq!(uids.into_iter().collect::<VectorBuilder>().as_str(), text(vector, "body"));
    }
}

#[test]
fn the_values_that_the_specification_gives_are_right() {
    assert_eq!(ron_uid!("inc").value().to_int(), 824_893_205_576_155_136);
    assert_eq!(Base64x64::parse("on"), Base64x64::parse("on00"));
    assert_eq!(Base64x64::parse("on").unwrap().to_int(), 932_808_072_819_113_984);
    assert_eq!(Base64x64::NEVER.to_int(), 1_134_907_106_097_364_992);
    assert_eq!(Base64x64::NEVER.encode(), "~");
    assert_eq!(Base64x64::ERROR.encode(), "~~~~~~~~~~");
    assert_eq!(RonUid::NEVER.encode(), "~");
    assert_eq!(RonUid::ERROR.encode(), "~~~~~~~~~~");
    let id = ron_uid!("1CQKneD1-X~");
    assert_eq!((id.value().encode().as_str(), id.origin().encode().as_str()), ("1CQKneD1", "X~"));
    // Fri May 27 2016 20:50:00 UTC.
    assert_eq!(ron_uid!("1CQKn-").unix_millis(), Some(1_464_382_200_000));
}

#[test]
fn the_binary_form_is_that_of_ron_2_1() {
    for (text, hex) in [
        ("0", "00000000000000002000000000000000"),
        ("0$", "00000000000000000000000000000000"),
        ("0%0000000001", "00000000000000001000000000000001"),
        ("0000000001+", "00000000000000013000000000000000"),
        ("~~~~~~~~~~%~~~~~~~~~~", "0fffffffffffffff1fffffffffffffff"),
        ("inc", "0b729c00000000000000000000000000"),
    ] {
        let uid = RonUid::parse(text).unwrap();
        assert_eq!(format!("{uid:x}"), hex, "{text}");
        assert_eq!(RonUid::try_from(u128::from_str_radix(hex, 16).unwrap()), Ok(uid));
    }
}
