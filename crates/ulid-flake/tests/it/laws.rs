//! The laws that hold for every ID, and the errors of everything else.

use proptest::prelude::*;
use std::time::{Duration, UNIX_EPOCH};
use ulid_flake::{Epoch, ParseErrorKind, UlidFlake, scalable::Scalable};

fn any_id() -> impl Strategy<Value = UlidFlake> {
    (0..=i64::MAX).prop_map(|int| UlidFlake::try_from_int(int).unwrap())
}

/// Another codec, of the crate data-encoding. It encodes whole bytes, so the ID gets a 0 bit before it to make 13 digits
/// of 65 bits, and padding after it.
fn by_data_encoding(id: UlidFlake) -> String {
    let mut specification = data_encoding::Specification::new();
    specification.symbols.push_str("0123456789ABCDEFGHJKMNPQRSTVWXYZ");
    // 16 digits for ten bytes. The first 13 digits have 65 bits: 0 and the 64 bits of the ID.
    let shifted = (u128::from(u64::from(id)) << 15).to_be_bytes();
    specification.encoding().unwrap().encode(&shifted[6..])[..13].to_owned()
}

proptest! {
    #[test]
    fn parsing_the_text_of_an_id_returns_the_id(id in any_id()) {
        prop_assert_eq!(UlidFlake::parse(&id.encode()), Ok(id));
        prop_assert_eq!(id.to_string().parse(), Ok(id));
        prop_assert_eq!(UlidFlake::try_from(i64::from(id)), Ok(id));
        prop_assert_eq!(UlidFlake::try_from(u64::from(id)), Ok(id));
        prop_assert_eq!(UlidFlake::try_from(&id.to_bytes()[..]), Ok(id));
        let scalable = id.scalable();
        let fields = Scalable::try_from_fields(id.timestamp(), scalable.randomness(), scalable.scalability());
        prop_assert_eq!(fields, Ok(id));
        prop_assert_eq!(
            u32::from(scalable.randomness()) << 5 | u32::from(scalable.scalability()),
            id.randomness()
        );
    }

    #[test]
    fn another_codec_prints_the_same_text(id in any_id()) {
        prop_assert_eq!(&*id.encode(), by_data_encoding(id));
    }

    #[test]
    fn texts_bytes_integers_and_ids_have_one_order(a in any_id(), b in any_id()) {
        prop_assert_eq!(a.cmp(&b), a.to_int().cmp(&b.to_int()));
        prop_assert_eq!(a.cmp(&b), a.to_bytes().cmp(&b.to_bytes()));
        prop_assert_eq!(a.cmp(&b), a.encode().cmp(&b.encode()));
    }

    #[test]
    fn an_id_lies_between_the_bounds_of_its_time(id in any_id(), micros in 0..1000_u64, epoch in 0..1_u64 << 50) {
        let epoch = Epoch::from_unix_millis(epoch).unwrap();
        let time = Duration::from_millis(id.unix_millis_with(epoch)) + Duration::from_micros(micros);
        prop_assert!(UlidFlake::min_at_with(epoch, UNIX_EPOCH + time).unwrap() <= id);
        prop_assert!(UlidFlake::max_at_with(epoch, UNIX_EPOCH + time).unwrap() >= id);
        prop_assert!(UlidFlake::min_at(id.time()).unwrap() <= id && id <= UlidFlake::max_at(id.time()).unwrap());
    }

    #[test]
    fn integers_outside_of_the_range_overflow(int in i64::MIN..0) {
        for error in [
            UlidFlake::try_from(int).unwrap_err(),
            UlidFlake::try_from(int as u64).unwrap_err(),
            UlidFlake::try_from(int.to_be_bytes()).unwrap_err(),
        ] {
            prop_assert_eq!(error.kind(), ParseErrorKind::Overflow);
        }
    }

    #[test]
    fn no_text_panics_and_only_canonical_texts_in_either_case_are_parsed(text in ".{0,20}|[0-9A-Za-z]{13}") {
        if let Ok(id) = UlidFlake::parse(&text) {
            prop_assert!(text.eq_ignore_ascii_case(&id.encode()));
        }
    }
}

fn message<T: std::fmt::Debug, E: std::fmt::Display>(result: Result<T, E>) -> String {
    result.unwrap_err().to_string()
}

#[test]
fn errors_say_what_was_expected_what_was_found_and_where() {
    assert_eq!(message(UlidFlake::parse("nonsense")), "expected 13 characters, found 8");
    assert_eq!(
        message(UlidFlake::parse("00CMXB6TAK4SU")),
        "'U' at position 12 is not a Crockford base32 digit"
    );
    assert_eq!(
        message(UlidFlake::parse("U000000000000")),
        "'U' at position 0 is not a Crockford base32 digit"
    );
    assert_eq!(
        message(UlidFlake::parse("zU00000000000")),
        "'U' at position 1 is not a Crockford base32 digit"
    );
    assert_eq!(
        message(UlidFlake::parse("8000000000000")),
        "8000000000000 is above the greatest Ulid-Flake, 7ZZZZZZZZZZZZ"
    );
    assert_eq!(
        message(UlidFlake::try_from(1_u64 << 63)),
        "9223372036854775808 is above the greatest Ulid-Flake, 9223372036854775807"
    );
    assert_eq!(message(UlidFlake::try_from(-1_i64)), "-1 is below the least Ulid-Flake, 0");
    assert_eq!(message(UlidFlake::try_from(&[0; 16][..])), "expected 8 bytes, found 16");
    assert_eq!(
        message(UlidFlake::try_from_fields(0, 1 << 20)),
        "1048576 is above the greatest Ulid-Flake randomness, 1048575"
    );
    assert_eq!(
        message(UlidFlake::try_from_fields(1 << 43, 0)),
        "8796093022208 is above the greatest Ulid-Flake timestamp, 8796093022207"
    );
    assert_eq!(
        message(Scalable::try_from_fields(0, 1 << 15, 0)),
        "32768 is above the greatest scalable Ulid-Flake randomness, 32767"
    );
    assert_eq!(
        message(Scalable::try_from_fields(0, 0, 32)),
        "32 is above the greatest Ulid-Flake scalability, 31"
    );
    assert_eq!(
        message(Scalable::try_from_fields(1 << 43, 0, 0)),
        "8796093022208 is above the greatest Ulid-Flake timestamp, 8796093022207"
    );
    assert_eq!(
        message(UlidFlake::min_at(UNIX_EPOCH)),
        "the time is 1970-01-01T00:00:00.000000Z, expected 2024-01-01T00:00:00.000000Z to 2302-09-27T15:10:22.207999Z"
    );
}

#[test]
fn a_text_of_ten_megabytes_is_refused_by_its_length() {
    let text = "0".repeat(10_000_000);
    assert_eq!(UlidFlake::parse(&text).unwrap_err().kind(), ParseErrorKind::Length);
}

#[test]
fn the_least_and_the_greatest_timestamp_are_times_and_bounds() {
    let epoch = UNIX_EPOCH + Duration::from_millis(1_704_067_200_000);
    assert_eq!(UlidFlake::MIN.time(), epoch);
    assert_eq!(UlidFlake::MIN, UlidFlake::default());
    assert_eq!(UlidFlake::min_at(epoch), Ok(UlidFlake::MIN));
    assert_eq!(UlidFlake::MAX.time(), epoch + Duration::from_millis((1 << 43) - 1));
    assert_eq!(UlidFlake::max_at(UlidFlake::MAX.time()), Ok(UlidFlake::MAX));
    assert_eq!(UlidFlake::MAX.encode(), "7ZZZZZZZZZZZZ");
    // Times of Windows have steps of 100 ns.
    assert!(UlidFlake::min_at(epoch - Duration::from_nanos(100)).is_err());
    assert!(UlidFlake::max_at(UlidFlake::MAX.time() + Duration::from_millis(1)).is_err());
}

#[test]
fn an_epoch_leaves_room_for_every_timestamp() {
    let last = 18_437_947_980_687_343;
    let epoch = Epoch::from_unix_millis(last).unwrap();
    assert!(UlidFlake::MAX.unix_millis_with(epoch).checked_mul(1000).is_some());
    assert_eq!(
        Epoch::from_unix_millis(last + 1).unwrap_err().to_string(),
        "epoch: expected 0 to 18437947980687343, found 18437947980687344"
    );
}
