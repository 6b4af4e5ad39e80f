//! Encoding into an array, and parsing.

use crate::{
    Group, OURS, PEER, inputs, over,
    reference::{BASE32HEX, BASE36, BASE62, CROCKFORD, HEX, digits, with_check},
};
use criterion::Criterion;
use data_encoding::BASE32HEX_NOPAD;
use euid::Euid;
use euid_published::EUID;
use evently_id::EventId;
use ferroid::{base32::Base32UlidExt as _, id::ULID};
use scru160::Scru160;
use std::{fmt::Debug, hint::black_box};
use svix_ksuid::{Ksuid, KsuidLike as _};
use ulid::Ulid;
use ulid_flake::UlidFlake;
use uuid::Uuid;

fn scru160(id: &Scru160) -> String {
    digits(id.as_bytes(), BASE32HEX, 32)
}

fn scru160_hex(id: &Scru160) -> String {
    digits(id.as_bytes(), HEX, 40)
}

fn euid(id: &Euid) -> String {
    digits(&with_check(id.to_u128()), CROCKFORD, 27)
}

fn ulid_flake(id: &UlidFlake) -> String {
    digits(id.as_bytes(), CROCKFORD, 13)
}

fn event_id(id: &EventId) -> String {
    digits(id.as_bytes(), HEX, 32)
}

fn ulid(int: u128) -> String {
    digits(&int.to_be_bytes(), CROCKFORD, 26)
}

pub(crate) fn run(criterion: &mut Criterion) {
    let (scru160s, euids, events) =
        (inputs(Scru160::from_bytes), inputs(Euid::from_bytes), inputs(EventId::from_bytes));
    let flakes: Vec<_> = inputs(|bytes| {
        UlidFlake::try_from_int(i64::from_be_bytes(bytes) & i64::MAX).expect("it is positive")
    });
    let published = inputs(|bytes| EUID::from(u128::from_be_bytes(bytes)));
    let published_text = |id: &EUID| euid(&Euid::from_u128(u128::from(*id)));
    let ulids = inputs(|bytes| Ulid(u128::from_be_bytes(bytes)));
    let ferroids = inputs(|bytes| ULID::from_raw(u128::from_be_bytes(bytes)));
    let (uuids, scru128s) = (inputs(Uuid::from_bytes), inputs(scru128::Id::from_bytes));
    let ksuids = inputs(Ksuid::from_bytes);
    let bytes = inputs(|bytes: [u8; 20]| bytes);

    let mut group = criterion.benchmark_group("encode");
    let encoded = &mut group;
    encode(encoded, OURS, "scru160", &scru160s, scru160, Scru160::encode);
    encode(encoded, OURS, "scru160 as &str", &scru160s, scru160, |id| {
        let text = id.encode();
        black_box(text.as_str());
        text
    });
    encode(encoded, OURS, "scru160 hex", &scru160s, scru160_hex, Scru160::encode_hex);
    encode(encoded, OURS, "euid", &euids, euid, Euid::encode);
    encode(encoded, OURS, "ulid-flake", &flakes, ulid_flake, UlidFlake::encode);
    encode(encoded, OURS, "evently-id", &events, event_id, EventId::encode);
    encode(
        encoded,
        PEER,
        "ulid",
        &ulids,
        |id| ulid(id.0),
        |id| {
            let mut text = [0; 26];
            id.array_to_str(&mut text);
            text
        },
    );
    encode(
        encoded,
        PEER,
        "ferroid",
        &ferroids,
        |id| ulid(id.to_raw()),
        |id| {
            let mut text = ULID::base32_array();
            id.encode_to_buf(&mut text);
            text
        },
    );
    encode(
        encoded,
        PEER,
        "uuid simple",
        &uuids,
        |id| digits(id.as_bytes(), HEX, 32),
        |id| {
            let mut text = [0; 32];
            id.simple().encode_lower(&mut text);
            text
        },
    );
    encode(encoded, PEER, "scru128", &scru128s, |id| digits(id.as_bytes(), BASE36, 25), scru128::Id::encode);
    encode(encoded, PEER, "svix-ksuid", &ksuids, |id| digits(id.bytes(), BASE62, 27), Ksuid::to_base62);
    encode(encoded, PEER, "euid 0.1.7", &published, published_text, |id| id.encode(true));
    encode(
        encoded,
        PEER,
        "data-encoding base32hex",
        &bytes,
        |bytes| digits(bytes, BASE32HEX, 32),
        |bytes| {
            let mut text = [0; 32];
            BASE32HEX_NOPAD.encode_mut(bytes, &mut text);
            text
        },
    );
    group.finish();

    let mut group = criterion.benchmark_group("parse");
    let parsed = &mut group;
    parse(parsed, OURS, "scru160", &scru160s, scru160, |text| Scru160::parse(text).ok());
    parse(parsed, OURS, "scru160 hex", &scru160s, scru160_hex, |text| Scru160::parse(text).ok());
    parse(parsed, OURS, "euid", &euids, euid, |text| Euid::parse(text).ok());
    parse(parsed, OURS, "ulid-flake", &flakes, ulid_flake, |text| UlidFlake::parse(text).ok());
    parse(parsed, OURS, "evently-id", &events, event_id, |text| EventId::parse(text).ok());
    parse(parsed, PEER, "ulid", &ulids, |id| ulid(id.0), |text| Ulid::from_string(text).ok());
    parse(parsed, PEER, "ferroid", &ferroids, |id| ulid(id.to_raw()), |text| ULID::decode(text).ok());
    parse(
        parsed,
        PEER,
        "uuid simple",
        &uuids,
        |id| digits(id.as_bytes(), HEX, 32),
        |text| Uuid::try_parse(text).ok(),
    );
    parse(
        parsed,
        PEER,
        "scru128",
        &scru128s,
        |id| digits(id.as_bytes(), BASE36, 25),
        |text| scru128::Id::try_from_str(text).ok(),
    );
    parse(
        parsed,
        PEER,
        "svix-ksuid",
        &ksuids,
        |id| digits(id.bytes(), BASE62, 27),
        |text| Ksuid::from_base62(text).ok(),
    );
    parse(parsed, PEER, "euid 0.1.7", &published, published_text, |text| text.parse::<EUID>().ok());
    parse(
        parsed,
        PEER,
        "data-encoding base32hex",
        &bytes,
        |bytes| digits(bytes, BASE32HEX, 32),
        |text| {
            let mut bytes = [0; 20];
            BASE32HEX_NOPAD.decode_mut(text.as_bytes(), &mut bytes).ok().map(|_| bytes)
        },
    );
    group.finish();
}

/// The time of `work`, whose text is that of `slow`.
pub(crate) fn encode<T, R: AsRef<[u8]>>(
    group: &mut Group<'_>,
    kind: &str,
    name: &str,
    ids: &[T],
    slow: impl Fn(&T) -> String,
    mut work: impl FnMut(&T) -> R,
) {
    for id in ids {
        assert_eq!(work(id).as_ref(), slow(id).as_bytes(), "{name}");
    }
    over(group, kind, name, ids, work);
}

/// The time of `work` for the texts of `slow`, which it has to read as the IDs.
pub(crate) fn parse<T: PartialEq + Copy + Debug>(
    group: &mut Group<'_>,
    kind: &str,
    name: &str,
    ids: &[T],
    slow: impl Fn(&T) -> String,
    mut work: impl FnMut(&str) -> Option<T>,
) {
    let texts: Vec<_> = ids.iter().map(slow).collect();
    for (id, text) in ids.iter().zip(&texts) {
        assert_eq!(work(text), Some(*id), "{name}");
    }
    over(group, kind, name, &texts, |text| work(text));
}
