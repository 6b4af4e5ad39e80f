//! RON UIDs: print and parse.

use crate::{
    OURS, PEER, inputs,
    reference::{BASE64X64, digits},
    text::Codec,
};
use criterion::Criterion;
use ron_uid::{Base64x64, RonUid, Scheme};
use ron_uuid_published::UUID;

pub(crate) fn run(criterion: &mut Criterion) {
    let uids: Vec<RonUid> = inputs(uid);
    let theirs: Vec<UUID> = uids.iter().map(published).collect();
    let their_text = |uid: &UUID| {
        let UUID::Event { timestamp, origin } = *uid else { panic!("{uid:?} is not an event") };
        format!("{}+{}", part(timestamp), part(origin))
    };

    let mut codec = Codec { criterion, groups: ["ron_print", "ron_parse"] };
    codec.bench(OURS, "ron-uid", &uids, slow, RonUid::encode, |text| RonUid::parse(text).ok());
    codec.bench(PEER, "ron-uuid 0.4", &theirs, their_text, UUID::to_string, |text| text.parse().ok());
}

/// An event whose parts have five to ten digits each.
fn uid(bytes: [u8; 16]) -> RonUid {
    let part = |bytes: &[u8]| {
        let int = u64::from_be_bytes(bytes.try_into().expect("8 bytes")) >> 4;
        let zeros = 6 * (int % 6) as u32;
        Base64x64::try_from_int(int >> zeros << zeros | 1 << 59).expect("it has 60 bits")
    };
    RonUid::from_fields(part(&bytes[..8]), part(&bytes[8..]), Scheme::Event)
}

fn published(uid: &RonUid) -> UUID {
    UUID::Event { timestamp: uid.value().to_int(), origin: uid.origin().to_int() }
}

/// The digits of a part, without the zeros at its end.
fn part(int: u64) -> String {
    digits(&int.to_be_bytes(), BASE64X64, 10).trim_end_matches('0').to_owned()
}

fn slow(uid: &RonUid) -> String {
    format!("{}-{}", part(uid.value().to_int()), part(uid.origin().to_int()))
}
