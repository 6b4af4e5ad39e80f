//! The laws that hold for every ID, and the errors of everything else.

use euid::{Entropy, Euid, Extension, ParseError, ParseErrorKind, testing::SeededEntropy};
use proptest::prelude::*;
use std::time::{Duration, UNIX_EPOCH};

/// Another codec, of the crate data-encoding. It encodes whole bytes, so the 135 bits get a 0 bit after them.
fn by_data_encoding(id: Euid, check: u8) -> String {
    let mut specification = data_encoding::Specification::new();
    specification.symbols.push_str("0123456789ABCDEFGHJKMNPQRSTVWXYZ");
    let mut bytes = id.to_bytes().to_vec();
    bytes.push(check << 1);
    specification.encoding().unwrap().encode(&bytes)[..27].to_owned()
}

fn any_extension() -> impl Strategy<Value = Option<Extension>> {
    prop_oneof![
        Just(None),
        (0..=0x7fff_u16).prop_map(|value| Some(Extension::new(value).unwrap())),
        (1..=15_u8, any::<u16>())
            .prop_map(|(bits, value)| Some(Extension::with_bits(value & ((1 << bits) - 1), bits).unwrap())),
    ]
}

proptest! {
    #[test]
    fn parsing_the_text_of_an_id_returns_the_id(int: u128) {
        let id = Euid::from(int);
        prop_assert_eq!(Euid::parse(&id.encode()), Ok(id));
        prop_assert_eq!(Euid::parse(&id.encode_without_check()), Ok(id));
        prop_assert_eq!(Euid::parse(&id.encode().to_lowercase()), Ok(id));
        prop_assert_eq!(id.to_string().parse(), Ok(id));
        prop_assert_eq!(Euid::try_from(&id.to_bytes()[..]), Ok(id));
        prop_assert_eq!(Euid::from(<[u8; 16]>::from(id)), id);
        prop_assert_eq!(u128::from(id), int);
    }

    #[test]
    fn the_check_is_the_integer_modulo_127(int: u128) {
        prop_assert_eq!(u128::from(Euid::from(int).check()), int % 127);
    }

    #[test]
    fn another_codec_prints_the_same_text(int: u128) {
        let id = Euid::from(int);
        prop_assert_eq!(&*id.encode(), by_data_encoding(id, (int % 127) as u8));
        prop_assert_eq!(&*id.encode_without_check(), by_data_encoding(id, 127));
    }

    #[test]
    fn texts_bytes_integers_and_ids_have_one_order(a: u128, mut b: u128, shared in 0..128_u32) {
        b = a ^ b >> shared;
        let [x, y] = [a, b].map(Euid::from);
        prop_assert_eq!(x.cmp(&y), a.cmp(&b));
        prop_assert_eq!(x.to_bytes().cmp(&y.to_bytes()), a.cmp(&b));
        prop_assert_eq!(x.encode().cmp(&y.encode()), a.cmp(&b));
    }

    #[test]
    fn an_id_is_its_fields(
        millis in 0..=Euid::MAX.unix_millis(), upper: u16, extension in any_extension(), high: u32, low: u32,
    ) {
        let upper = upper & 0x7fff >> extension.map_or(0, Extension::bits);
        let id = Euid::try_from_fields(millis, upper, extension, high, low).unwrap();
        prop_assert_eq!(
            (id.unix_millis(), id.random_upper(), id.extension(), id.random_high(), id.random_low()),
            (millis, upper, extension, high, low)
        );
    }

    #[test]
    fn the_fields_of_every_integer_make_the_same_id(int: u128) {
        let id = Euid::from(int);
        let again = Euid::try_from_fields(
            id.unix_millis(), id.random_upper(), id.extension(), id.random_high(), id.random_low(),
        );
        prop_assert_eq!(again, Ok(id));
    }

    #[test]
    fn an_id_lies_between_the_bounds_of_its_time(int: u128, micros in 0..1000_u64) {
        let id = Euid::from(int);
        let time = UNIX_EPOCH + Duration::from_millis(id.unix_millis()) + Duration::from_micros(micros);
        prop_assert!(Euid::min_at(time).unwrap() <= id && id <= Euid::max_at(time).unwrap());
        prop_assert_eq!(Euid::min_at(id.time()), Euid::min_at(time));
    }

    #[test]
    fn no_text_panics_and_parsed_ids_survive_a_round_trip(text in ".{0,40}|[0-9A-Za-z]{27}") {
        if let Ok(id) = Euid::parse(&text) {
            prop_assert_eq!(Euid::parse(&id.encode()), Ok(id));
        }
    }
}

fn message<T: std::fmt::Debug, E: std::fmt::Display>(result: Result<T, E>) -> String {
    result.unwrap_err().to_string()
}

#[test]
fn errors_say_what_was_expected_what_was_found_and_where() {
    assert_eq!(message(Euid::parse("nonsense")), "expected 27 characters, found 8");
    assert_eq!(
        message(Euid::parse("C8754X9NN8H80X298KRKERG8KU8")),
        "'U' at position 25 is not a Crockford base32 digit"
    );
    assert_eq!(message(Euid::try_from(&[0; 15][..])), "expected 16 bytes, found 15");
    assert_eq!(
        message(Euid::try_from_fields(1 << 45, 0, None, 0, 0)),
        "35184372088832 is above the greatest EUID timestamp, 35184372088831"
    );
    let extension = Extension::with_bits(1, 5).unwrap();
    assert_eq!(
        message(Euid::try_from_fields(0, 1 << 10, Some(extension), 0, 0)),
        "1024 is above the greatest EUID random_upper, 1023"
    );
    assert_eq!(
        message(Euid::max_at(UNIX_EPOCH - Duration::from_secs(1))),
        "the time is before 1970, expected 1970-01-01T00:00:00.000000Z to 3084-12-12T12:41:28.831999Z"
    );
    assert_eq!(message(Extension::new(32_768)), "extension: expected 0 to 32767, found 32768");
    assert_eq!(message(Extension::with_bits(8, 3)), "extension bits: expected 4 to 15, found 3");
    assert_eq!(message(Extension::with_bits(0, 0)), "extension bits: expected 1 to 15, found 0");
    assert_eq!(message(Extension::with_bits(0, 16)), "extension bits: expected 1 to 15, found 16");
}

#[test]
fn an_extension_takes_as_many_bits_as_its_value_needs() {
    for (value, bits) in
        [(0, 1), (1, 1), (2, 2), (3, 2), (4, 3), (255, 8), (256, 9), (16_384, 15), (32_767, 15)]
    {
        assert_eq!(Extension::new(value).unwrap().bits(), bits, "{value}");
    }
}

#[test]
fn a_text_of_ten_megabytes_is_refused_by_its_length() {
    let text = "0".repeat(10_000_000);
    assert_eq!(Euid::parse(&text).unwrap_err().kind(), ParseErrorKind::Length);
}

#[test]
fn the_least_and_the_greatest_timestamp_are_times_and_bounds() {
    assert_eq!(Euid::min_at(UNIX_EPOCH), Ok(Euid::MIN));
    assert_eq!(Euid::MIN, Euid::default());
    assert_eq!(Euid::MAX.time(), UNIX_EPOCH + Duration::from_millis((1 << 45) - 1));
    assert_eq!(Euid::max_at(Euid::MAX.time()), Ok(Euid::MAX));
}

const DIGITS: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/// Returns how many of 100 000 wrong texts the check finds, as the README writes it.
fn found(texts: impl Iterator<Item = [u8; 27]>) -> String {
    let (mut all, mut errors) = (0_u64, 0_u64);
    for text in texts {
        all += 1;
        match Euid::parse_ascii(&text).as_ref().map_err(ParseError::kind) {
            Ok(_) => {}
            Err(ParseErrorKind::Check) => errors += 1,
            Err(kind) => panic!("{kind:?}"),
        }
    }
    let share = errors as f64 / all as f64 * 100_000.0;
    format!("{} {:03}", share.round() as u64 / 1000, share.round() as u64 % 1000)
}

/// Texts of IDs that have all of these lowest bits with all checks. What the check misses depends on nothing else, so the
/// shares are those of all IDs.
fn texts(lowest_bits: std::ops::Range<u128>) -> impl Iterator<Item = [u8; 27]> {
    let entropy = SeededEntropy::new(1);
    lowest_bits.flat_map(move |lowest| {
        let int = u128::from_be_bytes(entropy.draw().unwrap()) & !0xffff | lowest;
        // 256 is 2 modulo 127, so these 127 IDs have the 127 checks.
        (0..127_u128).map(move |next| *Euid::from(int | next << 8).encode().as_bytes().first_chunk().unwrap())
    })
}

#[test]
fn the_readme_has_the_counted_shares_of_found_mistakes() {
    let substitutions = texts(0..1).flat_map(|text| {
        (0..27).flat_map(move |at| {
            DIGITS.iter().filter(move |&&digit| digit != text[at]).map(move |&digit| {
                let mut wrong = text;
                wrong[at] = digit;
                wrong
            })
        })
    });
    // The last three characters have the check and the lowest 8 bits.
    let transpositions = texts(0..256).flat_map(|text| {
        (0..26).filter(move |&at| text[at] != text[at + 1]).map(move |at| {
            let mut wrong = text;
            wrong.swap(at, at + 1);
            wrong
        })
    });
    let readme = include_str!("../../README.md");
    for row in [
        format!("| one character replaced by another | {} |", found(substitutions)),
        format!("| two different neighbours exchanged | {} |", found(transpositions)),
    ] {
        assert!(readme.contains(&row), "missing in the README: {row}");
    }
}
