//! Tests of IDs of 128 bits, which can be values in a column of UUIDs, and texts in the form of a UUID.

use super::{ids, message, no_ids};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::json;
use sortid_core::{
    __private::integrations::{from_bits, one},
    RangeError, SortableId, UnixMicros, UuidOr,
};
use std::{
    ops::{Bound, RangeBounds},
    time::{Duration, UNIX_EPOCH},
};
use uuid::Uuid;

/// The first and the last microsecond from 2000 to 2099.
const FIRST: u64 = 946_684_800_000_000;
const LAST: u64 = 4_102_444_799_999_999;

/// Times from 2000 to 2099, in microseconds: at both ends, and in one millisecond. RON UIDs begin with 2010.
const TIMES: [u64; 10] = [
    FIRST,
    FIRST + 1000,
    1_262_304_000_000_000,
    1_704_067_199_999_999,
    1_704_067_200_000_000,
    1_704_067_200_000_001,
    1_704_067_200_000_999,
    1_704_067_200_001_000,
    LAST - 1000,
    LAST,
];

/// Numbers that look random, the same in each run.
fn numbers() -> impl FnMut() -> u128 {
    let mut state = 1_u128;
    move || {
        state =
            state.wrapping_mul(0x2360_ed05_1fc6_5da4_4385_df64_9fcc_f645).wrapping_add(0x5851_f42d_4c95_7f2d);
        // The low bits of such a number repeat soon.
        state.rotate_left(64) ^ state >> 32
    }
}

/// The bytes with the version and the variant of a UUID.
fn with_version(version: u128, int: u128) -> Uuid {
    let others = !(0xf << 76 | 0b11 << 62);
    Uuid::from_u128(int & others | version << 76 | 0b10 << 62)
}

fn unix_micros(micros: u64) -> UnixMicros {
    UnixMicros(micros.into())
}

/// A UUID of version 7 with this time and other bits of `int`.
fn v7(micros: u64, int: u128) -> Uuid {
    with_version(7, u128::from(micros / 1000) << 80 | int >> 48)
}

/// An ID with this time, at random between the least and the greatest; `None` if no ID has the time, or this one has none,
/// such as the hash of a RON UID.
fn id_at<I: SortableId<Bytes = [u8; 16]>>(micros: u64, int: u128) -> Option<I> {
    let time = UnixMicros(micros.into());
    let [least, greatest] = [I::min_at(time).ok()?, I::max_at(time).ok()?].map(|id| id.integer().unwrap());
    let id: I = from_bits((least + int % (greatest - least + 1)).to_be_bytes());
    id.unix_micros().is_some().then_some(id)
}

fn uuid_of<I: SortableId<Bytes = [u8; 16]>>(id: &I) -> Uuid {
    Uuid::from_slice(id.as_bytes()).unwrap()
}

/// UUIDs of version 7 and IDs are told apart correctly from 2000 to 2099, and other values by the rule in the
/// documentation of `UuidOr`.
pub fn uuid_or_laws<I: SortableId<Bytes = [u8; 16]>>() {
    let mut next = numbers();
    let mut count = 0;
    for micros in TIMES {
        for _ in 0..200 {
            let uuid = v7(micros, next());
            let value = UuidOr::<I>::from(uuid);
            let millis = micros / 1000;
            assert_eq!((value, value.unix_micros()), (UuidOr::Uuid(uuid), Some(1000 * millis)));
            assert_eq!(value.time(), Some(UNIX_EPOCH + Duration::from_millis(millis)));

            let Some(id) = id_at::<I>(micros, next()) else { continue };
            let value = UuidOr::<I>::from(uuid_of(&id));
            assert_eq!((value, value.unix_micros()), (UuidOr::Id(id), id.unix_micros()));
            assert_eq!(value.time(), Some(UNIX_EPOCH + Duration::from_micros(id.unix_micros().unwrap())));
            count += 1;
        }
    }
    assert!(count > 500, "{count}: most of the times are those of IDs");

    let is_plausible = |micros| (FIRST..=LAST).contains(&micros);
    for version in 0..16 {
        for _ in 0..200 {
            let uuid = with_version(version, next());
            let as_id = I::try_from_bytes(uuid.as_bytes()).ok();
            let is_of_our_time = as_id.and_then(|id| id.unix_micros()).is_some_and(is_plausible);
            match UuidOr::<I>::from(uuid) {
                UuidOr::Id(id) => {
                    assert_eq!(as_id, Some(id));
                    assert!(is_of_our_time || !(1..=8).contains(&version), "{uuid}");
                }
                UuidOr::Uuid(same) => {
                    assert_eq!(same, uuid);
                    assert!(as_id.is_none() || !is_of_our_time && (1..=8).contains(&version), "{uuid}");
                }
            }
        }
    }
    for id in ids::<I>() {
        let uuid = uuid_of(&id);
        let is_id = !uuid.is_nil() && !uuid.is_max() && uuid.get_variant() != uuid::Variant::RFC4122;
        assert!(!is_id || UuidOr::from(uuid) == UuidOr::Id(id));
    }
    for bytes in no_ids::<I>() {
        let uuid = Uuid::from_bytes(bytes);
        assert_eq!(UuidOr::<I>::from(uuid), UuidOr::Uuid(uuid));
    }
    for special in [Uuid::nil(), Uuid::max()] {
        let value = UuidOr::<I>::from(special);
        assert_eq!((value, value.unix_micros()), (UuidOr::Uuid(special), None));
    }
}

/// The ranges of all spans have each UUID of version 7 and each ID whose tick is in the span, and no other.
pub fn uuid_ranges_laws<I: SortableId<Bytes = [u8; 16]>>() {
    let mut next = numbers();
    let (mut uuids, mut ids) = (vec![], vec![]);
    for micros in TIMES {
        // The least and the greatest of the tick, and others.
        let int = next();
        uuids.extend([0, u128::MAX, int].map(|int| (micros, v7(micros, int))));
        let time = UnixMicros(micros.into());
        let bounds = [I::min_at(time).ok(), I::max_at(time).ok()];
        let others = [next(), next()].map(|int| id_at(micros, int));
        ids.extend(bounds.into_iter().chain(others).flatten().map(|id: I| (micros, id)));
    }
    assert!(ids.len() > 10);

    let bounds: Vec<Bound<u64>> =
        TIMES.into_iter().flat_map(|time| [Bound::Included(time), Bound::Excluded(time)]).collect();
    for &start in bounds.iter().chain([&Bound::Unbounded]) {
        for &end in bounds.iter().chain([&Bound::Unbounded]) {
            let [of_uuids, of_ids] =
                UuidOr::<I>::ranges((start.map(unix_micros), end.map(unix_micros))).unwrap();
            let span = (start.map(|time| time / 1000), end.map(|time| time / 1000));
            for (micros, uuid) in &uuids {
                assert_eq!(of_uuids.contains(uuid), span.contains(&(micros / 1000)), "{span:?} {uuid}");
            }
            // The tick of a time: two times are in one tick if they have the same least ID.
            let tick = |micros: u64| {
                let first = *I::TIMES.start();
                I::min_at(unix_micros(micros.max(first))).unwrap()
            };
            let is_before_the_first = |time: u64| time < *I::TIMES.start();
            let span = (start.map(tick), end.map(tick));
            for (micros, id) in &ids {
                let is_in = match (start, end) {
                    (_, Bound::Included(end) | Bound::Excluded(end)) if is_before_the_first(end) => false,
                    (Bound::Excluded(start), _) if is_before_the_first(start) => {
                        (Bound::Unbounded, span.1).contains(&tick(*micros))
                    }
                    _ => span.contains(&tick(*micros)),
                };
                assert_eq!(of_ids.contains(&uuid_of(id)), is_in, "{start:?} {end:?} {id}");
            }
        }
    }

    let error = |time| message(UuidOr::<I>::ranges(UnixMicros(time)..));
    let expected = "expected 2000-01-01T00:00:00.000000Z to 2099-12-31T23:59:59.999999Z";
    assert_eq!(error(i128::from(FIRST) - 1), format!("the time is 1999-12-31T23:59:59.999999Z, {expected}"));
    assert_eq!(error(i128::from(LAST) + 1), format!("the time is 2100-01-01T00:00:00.000000Z, {expected}"));
    assert_eq!(error(i128::MAX), format!("the time is after the year 586524, {expected}"));
    let before: Result<_, RangeError> = UuidOr::<I>::ranges(..UNIX_EPOCH - Duration::from_micros(1));
    assert_eq!(message(before), format!("the time is before 1970, {expected}"));
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound = "I: SortableId<Bytes = [u8; 16]>")]
struct Forms<I> {
    #[serde(with = "sortid_core::serde::hyphenated")]
    id: I,
    #[serde(with = "sortid_core::serde::hyphenated")]
    maybe: Option<I>,
    #[serde(with = "sortid_core::serde::text_or_hyphenated")]
    both: I,
    #[serde(with = "sortid_core::serde::text_or_hyphenated")]
    maybe_both: Option<I>,
    #[serde(
        serialize_with = "sortid_core::serde::hyphenated::serialize",
        deserialize_with = "sortid_core::serde::text_or_hyphenated::deserialize"
    )]
    mixed: I,
}

#[derive(Debug, Deserialize)]
#[serde(transparent, bound = "I: SortableId<Bytes = [u8; 16]>")]
struct Hyphenated<I>(
    #[serde(with = "sortid_core::serde::hyphenated")]
    #[allow(dead_code, reason = "read by Debug")]
    I,
);

#[derive(Debug, Deserialize)]
#[serde(transparent, bound = "I: SortableId<Bytes = [u8; 16]>")]
struct Both<I>(
    #[serde(with = "sortid_core::serde::text_or_hyphenated")]
    #[allow(dead_code, reason = "read by Debug")]
    I,
);

/// `serde::hyphenated` writes and reads the form of a UUID in JSON, `serde::text_or_hyphenated` reads it as well, and both
/// are bytes in Postcard.
pub fn serde_hyphenated_laws<I: SortableId<Bytes = [u8; 16]> + Serialize + DeserializeOwned>() {
    for id in ids::<I>() {
        let (text, uuid) = (id.to_string(), uuid_of(&id).to_string());
        assert!(text.matches('-').count() <= 1, "a text is not taken for the form of a UUID");
        let forms = Forms { id, maybe: Some(id), both: id, maybe_both: Some(id), mixed: id };
        let written = serde_json::to_value(&forms).unwrap();
        assert_eq!(
            written,
            json!({ "id": uuid, "maybe": uuid, "both": text, "maybe_both": text, "mixed": uuid })
        );
        assert_eq!(serde_json::from_value::<Forms<I>>(written).unwrap(), forms);
        let upper = uuid.to_uppercase();
        for (one, other) in [(&upper, &text), (&uuid, &uuid), (&uuid, &upper)] {
            let read = json!({ "id": one, "maybe": one, "both": other, "maybe_both": other, "mixed": other });
            assert_eq!(serde_json::from_str::<Forms<I>>(&read.to_string()).unwrap(), forms);
        }
        let binary = postcard::to_allocvec(&forms).unwrap();
        assert_eq!(binary, postcard::to_allocvec(&(id, Some(id), id, Some(id), id)).unwrap());
        assert_eq!(postcard::from_bytes::<Forms<I>>(&binary).unwrap(), forms);
    }
    let none = Forms { id: I::MIN, maybe: None, both: I::MIN, maybe_both: None, mixed: I::MIN };
    let written = serde_json::to_value(&none).unwrap();
    assert!(written["maybe"].is_null() && written["maybe_both"].is_null());
    assert_eq!(serde_json::from_value::<Forms<I>>(written).unwrap(), none);
    assert_eq!(postcard::from_bytes::<Forms<I>>(&postcard::to_allocvec(&none).unwrap()).unwrap(), none);
    serde_hyphenated_refuses::<I>();
}

fn serde_hyphenated_refuses<I: SortableId<Bytes = [u8; 16]>>() {
    let hyphenated = |text: &str| message(serde_json::from_value::<Hyphenated<I>>(json!(text)));
    let both = |text: &str| message(serde_json::from_value::<Both<I>>(json!(text)));

    for (wrong, expected) in [
        (
            "621ce48c-99c0-0078-16e9-25e73ebf0fd",
            "expected the 36 characters of a UUID with hyphens, found 35",
        ),
        (
            "{621ce48c-99c0-0078-16e9-25e73ebf0fda}",
            "expected the 36 characters of a UUID with hyphens, found 38",
        ),
        (
            "621ce48c-99c0-0078-16e9-25e73ebf0fdaü",
            "expected the 36 characters of a UUID with hyphens, found 38 bytes",
        ),
        ("621ce48c-99c0-0078-16e9-25e73ebf0fdg", "'g' at position 35 is not a hex digit"),
        ("621ce48c-99c0-0078-16e9-25e73ebf0fü", "'ü' at position 34 is not a hex digit"),
        ("621ce48c-99c0-0078-16e9-25e73ebf-fda", "'-' at position 32 is not a hex digit"),
        ("621ce48c-99c0_0078-16e9-25e73ebf0fda", "'_' at position 13, expected a hyphen"),
        ("621ce48c-99c0-0078-16e9ü5e73ebf0fda", "'ü' at position 23 is not a hex digit"),
    ] {
        assert_eq!((hyphenated(wrong), both(wrong)), (expected.to_owned(), expected.to_owned()));
    }
    let text = I::MAX.to_string();
    assert_eq!(
        hyphenated(&text),
        format!("expected the 36 characters of a UUID with hyphens, found {}", text.len())
    );
    for wrong in ["", "!", "621ce48c99c0-007816e925e73ebf0fda"] {
        assert_eq!(both(wrong), message(I::parse(wrong)), "the error of the text");
    }
    for bytes in no_ids::<I>() {
        let uuid = Uuid::from_bytes(bytes).to_string();
        let expected = message(I::try_from_bytes(&bytes));
        assert_eq!((hyphenated(&uuid), both(&uuid)), (expected.clone(), expected));
    }
    let one = one::<I>();
    assert_eq!(
        message(serde_json::from_value::<Hyphenated<I>>(json!(1))),
        format!("invalid type: integer `1`, expected {one} in the form of a UUID with hyphens")
    );
    assert_eq!(
        message(serde_json::from_value::<Both<I>>(json!(1))),
        format!(
            "invalid type: integer `1`, expected the text of {one}, or one in the form of a UUID with hyphens"
        )
    );
}
