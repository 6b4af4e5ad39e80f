//! RON UIDs: print, parse, and both in a context.

use crate::{
    OURS, PEER, inputs, over,
    reference::{BASE64X64, digits},
    text::{encode, parse},
};
use criterion::Criterion;
use ron_uid::{Base64x64, RonUid, Scheme};
use ron_uuid_published::UUID;

/// A UID, and the one that it is printed beside.
type Pair = (RonUid, RonUid);

pub(crate) fn run(criterion: &mut Criterion) {
    let uids: Vec<RonUid> = inputs(uid);
    let theirs: Vec<UUID> = uids.iter().map(published).collect();
    let their_text = |uid: &UUID| {
        let UUID::Event { timestamp, origin } = *uid else { panic!("{uid:?} is not an event") };
        format!("{}+{}", part(timestamp), part(origin))
    };

    let mut group = criterion.benchmark_group("ron_print");
    encode(&mut group, OURS, "ron-uid", &uids, slow, RonUid::encode);
    encode(&mut group, PEER, "ron-uuid 0.4", &theirs, their_text, UUID::to_string);
    group.finish();

    let mut group = criterion.benchmark_group("ron_parse");
    parse(&mut group, OURS, "ron-uid", &uids, slow, |text| RonUid::parse(text).ok());
    parse(&mut group, PEER, "ron-uuid 0.4", &theirs, their_text, |text| text.parse().ok());
    group.finish();

    // Each beside the one before, which has the same origin, and a time that begins alike.
    let pairs: Vec<Pair> = inputs(|bytes: [u8; 17]| {
        let [shared, rest @ ..] = bytes;
        let context = uid(rest);
        let low_bits = 6 * (10 - u32::from(shared % 10));
        let value =
            context.value().to_int() ^ (u64::from_be_bytes(*rest.first_chunk().unwrap()) >> (64 - low_bits));
        (event(value.max(1), context.origin().to_int()), context)
    });
    let mut group = criterion.benchmark_group("ron_zip");
    encode(&mut group, OURS, "ron-uid", &pairs, slow_zip, |(uid, context)| uid.zip(context));
    let theirs: Vec<_> = pairs.iter().map(|(uid, context)| (published(uid), published(context))).collect();
    for (uid, context) in &theirs {
        let text = uid.compress(Some((context, context)));
        assert_eq!(UUID::parse(&text, Some((context, context))).map(|(uid, _)| uid), Some(*uid), "{text}");
    }
    over(&mut group, PEER, "ron-uuid 0.4", &theirs, |(uid, context)| uid.compress(Some((context, context))));
    group.finish();

    let mut group = criterion.benchmark_group("ron_unzip");
    let zipped: Vec<_> = pairs.iter().map(|pair| (slow_zip(pair), pair.1)).collect();
    for ((text, context), (uid, _)) in zipped.iter().zip(&pairs) {
        assert_eq!(RonUid::unzip(text, context), Ok(*uid), "{text}");
    }
    over(&mut group, OURS, "ron-uid", &zipped, |(text, context)| RonUid::unzip(text, context));
    let zipped: Vec<_> =
        theirs.iter().map(|(uid, context)| (uid.compress(Some((context, context))), *context)).collect();
    over(&mut group, PEER, "ron-uuid 0.4", &zipped, |(text, context)| {
        UUID::parse(text, Some((context, context))).map(|(uid, _)| uid)
    });
    group.finish();
}

fn event(value: u64, origin: u64) -> RonUid {
    let [value, origin] = [value, origin].map(|int| Base64x64::try_from_int(int).expect("it has 60 bits"));
    RonUid::from_fields(value, origin, Scheme::Event)
}

/// An event whose parts have five to ten digits each.
fn uid(bytes: [u8; 16]) -> RonUid {
    let part = |bytes: [u8; 8]| {
        let int = u64::from_be_bytes(bytes) >> 4;
        let zeros = 6 * (int % 6) as u32;
        int >> zeros << zeros | 1 << 59
    };
    let (value, origin) = bytes.split_at(8);
    event(part(value.try_into().expect("8 bytes")), part(origin.try_into().expect("8 bytes")))
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

/// Of an event in the context of another one, neither of which has a part that is 0.
fn slow_zip((uid, context): &Pair) -> String {
    let zipped = |int: Base64x64, context: Base64x64| {
        let [int, context] = [int, context].map(|int| digits(&int.to_int().to_be_bytes(), BASE64X64, 10));
        let shared = int.bytes().zip(context.bytes()).take_while(|(a, b)| a == b).count();
        match shared {
            10 => String::new(),
            4.. => format!("{}{}", &"([{}])"[shared - 4..=shared - 4], int[shared..].trim_end_matches('0')),
            _ => int.trim_end_matches('0').to_owned(),
        }
    };
    let is_bracket = |text: &str| text.starts_with(['(', '[', '{', '}', ']', ')']);
    let value = zipped(uid.value(), context.value());
    let origin = zipped(uid.origin(), context.origin());
    if value.is_empty() && origin.is_empty() {
        return String::new();
    }
    // The sign may be left out beside a bracket.
    let is_clear = is_bracket(&value) && (origin.is_empty() || is_bracket(&origin))
        || !value.is_empty() && is_bracket(&origin);
    format!("{value}{}{origin}", if is_clear { "" } else { "-" })
}
