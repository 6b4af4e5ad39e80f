//! The laws that hold for every ID, and the errors of everything else.

use data_encoding::{BASE32HEX_NOPAD, HEXLOWER};
use proptest::prelude::*;
use scru160::{ParseErrorKind, Scru160, UnixMillis};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

proptest! {
    #[test]
    fn parsing_the_text_of_an_id_returns_the_id(bytes: [u8; 20]) {
        let id = Scru160::from_bytes(bytes);
        prop_assert_eq!(Scru160::parse(&id.encode()), Ok(id));
        prop_assert_eq!(Scru160::parse(&id.encode_hex()), Ok(id));
        prop_assert_eq!(id.to_string().parse(), Ok(id));
        prop_assert_eq!(Scru160::try_from(&bytes[..]), Ok(id));
        prop_assert_eq!(Scru160::from(<[u8; 20]>::from(id)), id);
        prop_assert_eq!(id.as_bytes(), &bytes);
    }

    #[test]
    fn both_text_forms_agree_with_another_codec_of_rfc_4648(bytes: [u8; 20]) {
        let id = Scru160::from_bytes(bytes);
        prop_assert_eq!(&*id.encode(), BASE32HEX_NOPAD.encode(&bytes));
        prop_assert_eq!(&*id.encode_hex(), HEXLOWER.encode(&bytes));
    }

    #[test]
    fn texts_bytes_and_ids_have_one_order(a: [u8; 20], mut b: [u8; 20], shared in 0..20_usize) {
        b[..shared].copy_from_slice(&a[..shared]);
        let [x, y] = [a, b].map(Scru160::from_bytes);
        prop_assert_eq!(x.cmp(&y), a.cmp(&b));
        prop_assert_eq!(x.encode().cmp(&y.encode()), a.cmp(&b));
        prop_assert_eq!(x.encode_hex().cmp(&y.encode_hex()), a.cmp(&b));
    }

    #[test]
    fn an_id_lies_between_the_bounds_of_its_time(bytes: [u8; 20], micros in 0..1000_u64) {
        let id = Scru160::from_bytes(bytes);
        let time = Duration::from_millis(id.unix_millis()) + Duration::from_micros(micros);
        prop_assert!(Scru160::min_at(UNIX_EPOCH + time).unwrap() <= id && id <= Scru160::max_at(UNIX_EPOCH + time).unwrap());
        prop_assert_eq!(Scru160::min_at(id.time()), Scru160::min_at(UNIX_EPOCH + time));
        if let Ok(next) = Scru160::min_at(UNIX_EPOCH + time + Duration::from_millis(1)) {
            prop_assert!(Scru160::max_at(UNIX_EPOCH + time).unwrap() < next);
        }
    }

    #[test]
    fn a_text_with_one_other_character_is_another_id_or_an_error(bytes: [u8; 20], hex: bool, at in 0..40_usize, new: u8) {
        let id = Scru160::from_bytes(bytes);
        let mut text = if hex { id.encode_hex().as_bytes().to_vec() } else { id.encode().as_bytes().to_vec() };
        let at = at % text.len();
        prop_assume!(!text[at].eq_ignore_ascii_case(&new));
        text[at] = new;
        match Scru160::parse_ascii(&text) {
            Ok(other) => prop_assert_ne!(other, id),
            Err(error) => prop_assert_eq!(error.kind(), ParseErrorKind::Character),
        }
    }

    #[test]
    fn no_text_panics_and_only_canonical_texts_in_either_case_are_parsed(text in ".{0,50}") {
        if let Ok(id) = Scru160::parse(&text) {
            prop_assert!(text.eq_ignore_ascii_case(&id.encode()) || text.eq_ignore_ascii_case(&id.encode_hex()));
        }
    }
}

fn message<T: std::fmt::Debug, E: std::fmt::Display>(result: Result<T, E>) -> String {
    result.unwrap_err().to_string()
}

#[test]
fn errors_say_what_was_expected_what_was_found_and_where() {
    assert_eq!(
        message(Scru160::parse("nonsense")),
        "expected 32 characters of base32hex or 40 of hex, found 8"
    );
    assert_eq!(
        message(Scru160::parse("05TTUP1HNCPNA1QHTDHRTCU3V32PD7C\u{e9}")),
        "expected 32 characters of base32hex or 40 of hex, found 33 bytes"
    );
    assert_eq!(
        message(Scru160::parse("05TTUP1HNCPNA1QHTDHRTCU3V32PD7\u{e9}")),
        "'é' at position 30 is not a base32hex digit"
    );
    assert_eq!(
        message(Scru160::parse("017bdf6431bb33750751eb63beb3c3f8c5969d8g")),
        "'g' at position 39 is not a hex digit"
    );
    assert_eq!(message(Scru160::try_from(&[0; 19][..])), "expected 20 bytes, found 19");
    assert_eq!(
        message(Scru160::min_at(UNIX_EPOCH - Duration::from_micros(1))),
        "the time is before 1970, expected 1970-01-01T00:00:00.000000Z to +010889-08-02T05:31:50.655999Z"
    );
    assert_eq!(
        message(Scru160::max_at(UnixMillis(1 << 48))),
        "the time is +010889-08-02T05:31:50.656000Z, expected 1970-01-01T00:00:00.000000Z to +010889-08-02T05:31:50.655999Z"
    );
}

#[test]
fn a_text_of_ten_megabytes_is_refused_by_its_length() {
    let text = "0".repeat(10_000_000);
    assert_eq!(Scru160::parse(&text).unwrap_err().kind(), ParseErrorKind::Length);
}

#[test]
fn the_least_and_the_greatest_timestamp_are_times_and_bounds() {
    assert_eq!(Scru160::MIN.time(), UNIX_EPOCH);
    assert_eq!(Scru160::MIN, Scru160::default());
    assert_eq!(Scru160::min_at(SystemTime::UNIX_EPOCH), Ok(Scru160::MIN));
    assert_eq!(Scru160::MAX.time(), UNIX_EPOCH + Duration::from_millis((1 << 48) - 1));
    assert_eq!(Scru160::max_at(Scru160::MAX.time()), Ok(Scru160::MAX));
}

#[test]
fn display_debug_hex_and_string_have_these_forms() {
    let id = scru160::scru160!("05TTUP1HNCPNA1QHTDHRTCU3V32PD7C6");
    assert_eq!(format!("{id:?}"), "Scru160(05TTUP1HNCPNA1QHTDHRTCU3V32PD7C6)");
    assert_eq!(
        format!("{id:>34}|{id:<34}|"),
        "  05TTUP1HNCPNA1QHTDHRTCU3V32PD7C6|05TTUP1HNCPNA1QHTDHRTCU3V32PD7C6  |"
    );
    assert_eq!(format!("{id:#x}"), "0x017bdf6431bb33750751eb63beb3c3f8c5969d86");
    assert_eq!(String::from(id), id.to_string());
}
