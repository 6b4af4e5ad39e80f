//! Encoding into an array, and parsing.

use crate::{
    OURS, PEER, inputs, over,
    reference::{BASE32HEX, BASE36, BASE62, CROCKFORD, HEX, digits, with_check},
};
use criterion::Criterion;
use data_encoding::BASE32HEX_NOPAD;
use euid::Euid;
use euid_published::EUID;
use evently_id::EventId;
use ferroid::{base32::Base32UlidExt as _, id::ULID};
use scru160::Scru160;
use std::fmt::Debug;
use svix_ksuid::{Ksuid, KsuidLike as _};
use ulid::Ulid;
use ulid_flake::UlidFlake;
use uuid::Uuid;

fn euid(id: u128) -> String {
    digits(&with_check(id), CROCKFORD, 27)
}

fn ulid(int: u128) -> String {
    digits(&int.to_be_bytes(), CROCKFORD, 26)
}

/// What `write` puts into an array.
fn filled<const N: usize, R>(write: impl FnOnce(&mut [u8; N]) -> R) -> [u8; N] {
    let mut text = [0; N];
    write(&mut text);
    text
}

pub(crate) fn run(criterion: &mut Criterion) {
    let mut codec = Codec { criterion, groups: ["encode", "parse"] };

    let scru160s = inputs(Scru160::from_bytes);
    let text = |id: &Scru160| digits(id.as_bytes(), BASE32HEX, 32);
    codec.bench(OURS, "scru160", &scru160s, text, Scru160::encode, |text| Scru160::parse(text).ok());
    let text = |id: &Scru160| digits(id.as_bytes(), HEX, 40);
    codec.bench(OURS, "scru160 hex", &scru160s, text, Scru160::encode_hex, |text| Scru160::parse(text).ok());
    let ids = inputs(Euid::from_bytes);
    let text = |id: &Euid| euid(id.to_u128());
    codec.bench(OURS, "euid", &ids, text, Euid::encode, |text| Euid::parse(text).ok());
    let ids = inputs(|bytes| UlidFlake::try_from_int(i64::from_be_bytes(bytes) & i64::MAX).unwrap());
    let text = |id: &UlidFlake| digits(id.as_bytes(), CROCKFORD, 13);
    codec.bench(OURS, "ulid-flake", &ids, text, UlidFlake::encode, |text| UlidFlake::parse(text).ok());
    let ids = inputs(EventId::from_bytes);
    let text = |id: &EventId| digits(id.as_bytes(), HEX, 32);
    codec.bench(OURS, "evently-id", &ids, text, EventId::encode, |text| EventId::parse(text).ok());

    let ids = inputs(|bytes| Ulid(u128::from_be_bytes(bytes)));
    let print = |id: &Ulid| filled::<26, _>(|text| id.array_to_str(text).len());
    codec.bench(PEER, "ulid", &ids, |id| ulid(id.0), print, |text| Ulid::from_string(text).ok());
    let ids = inputs(|bytes| ULID::from_raw(u128::from_be_bytes(bytes)));
    let print = |id: &ULID| filled::<26, _>(|text| id.encode_to_buf(text).as_str().len());
    codec.bench(PEER, "ferroid", &ids, |id| ulid(id.to_raw()), print, |text| ULID::decode(text).ok());
    let (ids, text) = (inputs(Uuid::from_bytes), |id: &Uuid| digits(id.as_bytes(), HEX, 32));
    let print = |id: &Uuid| filled::<32, _>(|text| id.simple().encode_lower(text).len());
    codec.bench(PEER, "uuid simple", &ids, text, print, |text| Uuid::try_parse(text).ok());
    let ids = inputs(scru128::Id::from_bytes);
    let text = |id: &scru128::Id| digits(id.as_bytes(), BASE36, 25);
    codec
        .bench(PEER, "scru128", &ids, text, scru128::Id::encode, |text| scru128::Id::try_from_str(text).ok());
    let (ids, text) = (inputs(Ksuid::from_bytes), |id: &Ksuid| digits(id.bytes(), BASE62, 27));
    codec.bench(PEER, "svix-ksuid", &ids, text, Ksuid::to_base62, |text| Ksuid::from_base62(text).ok());
    let ids = inputs(|bytes| EUID::from(u128::from_be_bytes(bytes)));
    let text = |id: &EUID| euid(Euid::from_u128(u128::from(*id)).to_u128());
    codec.bench(PEER, "euid 0.1.7", &ids, text, |id| id.encode(true), |text| text.parse().ok());
    let (ids, text) = (inputs(|bytes: [u8; 20]| bytes), |bytes: &[u8; 20]| digits(bytes, BASE32HEX, 32));
    let print = |bytes: &[u8; 20]| filled::<32, _>(|text| BASE32HEX_NOPAD.encode_mut(bytes, text));
    let read = |text: &str| {
        let mut bytes = [0; 20];
        BASE32HEX_NOPAD.decode_mut(text.as_bytes(), &mut bytes).ok().map(|_| bytes)
    };
    codec.bench(PEER, "data-encoding base32hex", &ids, text, print, read);
}

/// Benchmarks of printing and of parsing, with the names of their groups.
pub(crate) struct Codec<'c> {
    pub(crate) criterion: &'c mut Criterion,
    pub(crate) groups: [&'static str; 2],
}

impl Codec<'_> {
    /// The time of `print`, whose text is that of `slow`, and that of `read`, which has to read these texts as the IDs.
    pub(crate) fn bench<T: PartialEq + Copy + Debug, R: AsRef<[u8]>>(
        &mut self,
        kind: &str,
        name: &str,
        ids: &[T],
        slow: impl Fn(&T) -> String,
        mut print: impl FnMut(&T) -> R,
        mut read: impl FnMut(&str) -> Option<T>,
    ) {
        let texts: Vec<_> = ids.iter().map(slow).collect();
        for (id, text) in ids.iter().zip(&texts) {
            assert_eq!(print(id).as_ref(), text.as_bytes(), "{name}");
            assert_eq!(read(text), Some(*id), "{name}");
        }
        let [encode, parse] = self.groups;
        over(&mut self.criterion.benchmark_group(encode), kind, name, ids, print);
        over(&mut self.criterion.benchmark_group(parse), kind, name, &texts, |text| read(text));
    }
}
