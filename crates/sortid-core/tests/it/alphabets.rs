//! Compares the alphabets with two independent codecs, and with the definition of each alphabet.

use base64::engine::{Engine, GeneralPurpose, GeneralPurposeConfig};
use data_encoding::{BASE32HEX_NOPAD, Encoding, HEXLOWER, Specification};
use proptest::prelude::*;
use sortid_core::{Alphabet, BASE32HEX, BASE64X64, CROCKFORD, CROCKFORD_ALIASED, HEX, ParseErrorKind};

const BASE64X64_DIGITS: &str = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~";

fn crockford() -> Encoding {
    let mut specification = Specification::new();
    specification.symbols.push_str("0123456789ABCDEFGHJKMNPQRSTVWXYZ");
    specification.encoding().unwrap()
}

/// Encodes and decodes whole groups of `bytes`, eight digits to a group, as the spec crates do.
fn agrees<const BITS: u32, const PAIRS: usize>(
    ours: &Alphabet<BITS, PAIRS>,
    bytes: &[u8],
    theirs: &str,
) -> Result<(), TestCaseError> {
    for (group, digits) in bytes.chunks(BITS as usize).zip(theirs.as_bytes().chunks(8)) {
        let value = group.iter().fold(0, |value, &byte| value << 8 | u64::from(byte));
        let mut text = [b'?'; 10];
        ours.put(value, &mut text, 1, 8);
        prop_assert_eq!(&text[1..9], digits);
        prop_assert_eq!([text[0], text[9]], [b'?'; 2], "nothing is written outside the range");
        prop_assert_eq!(ours.get(&text, 1, 8), Some(value));
    }
    Ok(())
}

proptest! {
    #[test]
    fn the_bytes_of_hex_are_those_of_its_digits(mut text: [u8; 16], wrong in proptest::option::of((0..16_usize, any::<u8>()))) {
        text = text.map(|byte| b"0123456789abcdefABCDEF"[usize::from(byte) % 22]);
        if let Some((at, byte)) = wrong {
            text[at] = byte;
        }
        prop_assert_eq!(HEX.bytes(&text).map(u64::from_be_bytes), HEX.get(&text, 0, 16));
    }

    #[test]
    fn hex_agrees_with_data_encoding(bytes: [u8; 20]) {
        agrees(&HEX, &bytes, &HEXLOWER.encode(&bytes))?;
    }

    #[test]
    fn base32hex_agrees_with_data_encoding(bytes: [u8; 20]) {
        agrees(&BASE32HEX, &bytes, &BASE32HEX_NOPAD.encode(&bytes))?;
    }

    #[test]
    fn crockford_agrees_with_data_encoding(bytes: [u8; 20]) {
        agrees(&CROCKFORD, &bytes, &crockford().encode(&bytes))?;
        agrees(&CROCKFORD_ALIASED, &bytes, &crockford().encode(&bytes))?;
    }

    #[test]
    fn base64x64_agrees_with_the_base64_engine_of_its_alphabet(bytes: [u8; 12]) {
        let alphabet = base64::alphabet::Alphabet::new(BASE64X64_DIGITS).unwrap();
        let engine = GeneralPurpose::new(&alphabet, GeneralPurposeConfig::new().with_encode_padding(false));
        agrees(&BASE64X64, &bytes, &engine.encode(bytes))?;
    }

    #[test]
    fn texts_sort_like_their_values(a: u32, b: u32) {
        fn text<const BITS: u32, const PAIRS: usize>(alphabet: &Alphabet<BITS, PAIRS>, value: u32) -> [u8; 8] {
            let mut text = [0; 8];
            alphabet.put(value.into(), &mut text, 0, 8);
            text
        }
        prop_assert_eq!(text(&HEX, a).cmp(&text(&HEX, b)), a.cmp(&b));
        prop_assert_eq!(text(&BASE32HEX, a).cmp(&text(&BASE32HEX, b)), a.cmp(&b));
        prop_assert_eq!(text(&CROCKFORD, a).cmp(&text(&CROCKFORD, b)), a.cmp(&b));
        prop_assert_eq!(text(&BASE64X64, a).cmp(&text(&BASE64X64, b)), a.cmp(&b));
    }

    #[test]
    fn the_error_names_a_bad_digit_and_its_position(at in 0..8_usize, bad in prop::char::any()) {
        prop_assume!(!bad.is_ascii_alphanumeric());
        let text = format!("{}{bad}{}", "A".repeat(at), "B".repeat(7 - at));
        for alphabet in [&BASE32HEX, &CROCKFORD, &CROCKFORD_ALIASED] {
            prop_assert_eq!(alphabet.get(text.as_bytes(), 0, 8), None);
            let error = alphabet.bad_digit(text.as_bytes());
            prop_assert_eq!(error.kind(), ParseErrorKind::Character);
            let message = error.to_string();
            let expected = format!("{bad:?} at position {at} is not a ");
            prop_assert!(message.starts_with(&expected), "{}", message);
        }
    }
}

/// Returns all bytes that are digits of `alphabet`, with their values.
fn digits<const BITS: u32, const PAIRS: usize>(alphabet: &Alphabet<BITS, PAIRS>) -> Vec<(u8, u64)> {
    (0..=255).filter_map(|byte| Some((byte, alphabet.get(&[byte], 0, 1)?))).collect()
}

fn expected(digits: &str, ignore_case: bool, aliases: &[(u8, u64)]) -> Vec<(u8, u64)> {
    let mut all: Vec<_> = digits.bytes().zip(0..).chain(aliases.iter().copied()).collect();
    if ignore_case {
        all.extend(all.clone().iter().flat_map(|&(digit, value)| {
            [(digit.to_ascii_lowercase(), value), (digit.to_ascii_uppercase(), value)]
        }));
    }
    all.sort_unstable();
    all.dedup();
    all
}

#[test]
fn each_alphabet_reads_only_its_digits() {
    let crockford = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
    assert_eq!(digits(&HEX), expected("0123456789abcdef", true, &[]));
    assert_eq!(digits(&BASE32HEX), expected("0123456789ABCDEFGHIJKLMNOPQRSTUV", true, &[]));
    assert_eq!(digits(&CROCKFORD), expected(crockford, true, &[]));
    assert_eq!(digits(&CROCKFORD_ALIASED), expected(crockford, true, &[(b'I', 1), (b'L', 1), (b'O', 0)]));
    assert_eq!(digits(&BASE64X64), expected(BASE64X64_DIGITS, false, &[]));
}

#[test]
fn the_error_names_the_byte_of_a_broken_utf8_sequence() {
    assert_eq!(HEX.bad_digit(b"ab\xffd").to_string(), "byte 0xff at position 2 is not a hex digit");
    assert_eq!(
        HEX.bad_digit("ab\u{212a}".as_bytes()).to_string(),
        "'\u{212a}' at position 2 is not a hex digit"
    );
    assert_eq!(HEX.bad_digit(b"ab\n").to_string(), r"'\n' at position 2 is not a hex digit");
}

#[test]
fn wrong_characters_do_not_make_up_for_one_another() {
    for (first, second) in (0..10).flat_map(|first| (0..10).map(move |second| (first, second))) {
        let mut text = *b"0000000000";
        (text[first], text[second]) = (b'!', b'!');
        let values = [
            HEX.get(&text, 0, 10),
            BASE32HEX.get(&text, 0, 10),
            CROCKFORD.get(&text, 0, 10),
            CROCKFORD_ALIASED.get(&text, 0, 10),
            BASE64X64.get(&text, 0, 10),
        ];
        assert_eq!(values, [None; 5], "{first} {second}");
        assert_eq!(HEX.bytes::<10, 5>(&text), None);
    }
}
