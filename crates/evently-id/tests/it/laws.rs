//! The laws that hold for every ID, and the errors of everything else.

use evently_id::{EventId, LedgerId, ParseErrorKind, UnixMicros};
use proptest::prelude::*;
use std::time::{Duration, UNIX_EPOCH};

proptest! {
    #[test]
    fn parsing_the_text_of_an_id_returns_the_id(int: u128) {
        let id = EventId::from(int);
        prop_assert_eq!(EventId::parse(&id.encode()), Ok(id));
        prop_assert_eq!(EventId::parse(&id.encode().to_uppercase()), Ok(id));
        prop_assert_eq!(EventId::parse_ascii(id.encode().as_bytes()), Ok(id));
        prop_assert_eq!(id.to_string().parse(), Ok(id));
        prop_assert_eq!(EventId::try_from(&id.to_bytes()[..]), Ok(id));
        prop_assert_eq!(EventId::from(<[u8; 16]>::from(id)), id);
        prop_assert_eq!(u128::from(id), int);
    }

    #[test]
    fn parsing_the_text_of_a_ledger_id_returns_the_ledger_id(int: u32) {
        let id = LedgerId::from(int);
        prop_assert_eq!(LedgerId::parse(&id.encode()), Ok(id));
        prop_assert_eq!(LedgerId::parse(&id.encode().to_uppercase()), Ok(id));
        prop_assert_eq!(LedgerId::parse_ascii(id.encode().as_bytes()), Ok(id));
        prop_assert_eq!(id.to_string().parse(), Ok(id));
        prop_assert_eq!(LedgerId::try_from(&id.to_bytes()[..]), Ok(id));
        prop_assert_eq!(LedgerId::from(<[u8; 4]>::from(id)), id);
        prop_assert_eq!(u32::from(id), int);
    }

    #[test]
    fn the_text_is_the_integer_in_hex(int: u128, ledger_id: u32) {
        prop_assert_eq!(&*EventId::from(int).encode(), format!("{int:032x}"));
        prop_assert_eq!(&*LedgerId::from(ledger_id).encode(), format!("{ledger_id:08x}"));
    }

    #[test]
    fn texts_bytes_integers_and_ids_have_one_order(a: u128, mut b: u128, shared in 0..128_u32) {
        b = a ^ b >> shared;
        let [x, y] = [a, b].map(EventId::from);
        prop_assert_eq!(x.cmp(&y), a.cmp(&b));
        prop_assert_eq!(x.to_bytes().cmp(&y.to_bytes()), a.cmp(&b));
        prop_assert_eq!(x.encode().cmp(&y.encode()), a.cmp(&b));
        let [x, y] = [x, y].map(|id| id.ledger_id());
        prop_assert_eq!(x.cmp(&y), x.to_int().cmp(&y.to_int()));
        prop_assert_eq!(x.cmp(&y), x.encode().cmp(&y.encode()));
    }

    #[test]
    fn an_id_is_its_fields(timestamp: u64, checksum: u32, ledger_id: u32, other: u32) {
        let ledger_id = LedgerId::from(ledger_id);
        let id = EventId::from_fields(timestamp, checksum, ledger_id);
        prop_assert_eq!((id.unix_micros(), id.checksum(), id.ledger_id()), (timestamp, checksum, ledger_id));
        prop_assert_eq!(&*id.encode(), format!("{timestamp:016x}{checksum:08x}{ledger_id}"));
        prop_assert_eq!(id.with_checksum(other), EventId::from_fields(timestamp, other, ledger_id));
    }

    #[test]
    fn the_fields_of_every_integer_make_the_same_id(int: u128) {
        let id = EventId::from(int);
        prop_assert_eq!(EventId::from_fields(id.unix_micros(), id.checksum(), id.ledger_id()), id);
    }

    #[test]
    fn the_lowest_two_bits_of_a_ledger_id_are_its_version(checksum: u32, version in 0..4_u32, bit in 2..32_u32) {
        let first = LedgerId::from_checksum(checksum);
        prop_assert_eq!((first.version(), first.to_int()), (0, checksum & 0xffff_fffc));
        let later = LedgerId::from_int(first.to_int() | version);
        prop_assert_eq!(u32::from(later.version()), version);
        prop_assert!(first.is_same_ledger(later) && later.is_same_ledger(first));
        let other = LedgerId::from_int(later.to_int() ^ 1 << bit);
        prop_assert!(!first.is_same_ledger(other) && !other.is_same_ledger(first));
    }

    #[test]
    fn an_id_lies_between_the_bounds_of_its_time(int: u128, nanos in 0..1000_u64) {
        let id = EventId::from(int);
        let time = Duration::from_micros(id.unix_micros()) + Duration::from_nanos(nanos);
        prop_assert!(EventId::min_at(UNIX_EPOCH + time).unwrap() <= id && id <= EventId::max_at(UNIX_EPOCH + time).unwrap());
        let micros = EventId::min_at(UNIX_EPOCH + time).unwrap().to_u128() >> 64;
        prop_assert_eq!(micros, int >> 64);
        prop_assert_eq!(EventId::max_at(UNIX_EPOCH + time).unwrap().to_u128(), micros << 64 | u128::from(u64::MAX));
        if let Some(time) = id.time() {
            prop_assert_eq!(EventId::min_at(time), EventId::min_at(UnixMicros(id.unix_micros().into())));
        }
    }

    #[test]
    fn no_text_panics_and_only_canonical_texts_in_either_case_are_parsed(text in ".{0,40}|[0-9A-Za-z]{32}|[0-9A-Fa-f]{7,9}|[0-9A-Fa-f]{31,33}") {
        if let Ok(id) = EventId::parse(&text) {
            prop_assert!(text.eq_ignore_ascii_case(&id.encode()));
        }
        if let Ok(id) = LedgerId::parse(&text) {
            prop_assert!(text.eq_ignore_ascii_case(&id.encode()));
        }
    }
}

fn message<T: std::fmt::Debug, E: std::fmt::Display>(result: Result<T, E>) -> String {
    result.unwrap_err().to_string()
}

#[test]
fn errors_say_what_was_expected_what_was_found_and_where() {
    assert_eq!(message(EventId::parse("nonsense")), "expected 32 characters, found 8");
    assert_eq!(
        message(EventId::parse("g005cd755a43d79238c05790c0331dd8")),
        "'g' at position 0 is not a hex digit"
    );
    assert_eq!(
        message(EventId::parse("0005cd755a43d792:8c05790c0331dd8")),
        "':' at position 16 is not a hex digit"
    );
    assert_eq!(message(EventId::try_from(&[0; 15][..])), "expected 16 bytes, found 15");
    assert_eq!(message(LedgerId::parse("c0331dd")), "expected 8 characters, found 7");
    assert_eq!(message(LedgerId::parse("c0331dd/")), "'/' at position 7 is not a hex digit");
    assert_eq!(message(LedgerId::try_from(&[0; 5][..])), "expected 4 bytes, found 5");
    assert_eq!(
        message(EventId::min_at(UNIX_EPOCH - Duration::from_nanos(100))),
        "the time is before 1970, expected 1970-01-01T00:00:00.000000Z to +586524-01-19T08:01:49.551615Z"
    );
    assert_eq!(
        message(EventId::max_at(UnixMicros(1 << 64))),
        "the time is after the year 586524, expected 1970-01-01T00:00:00.000000Z to +586524-01-19T08:01:49.551615Z"
    );
}

#[test]
fn a_text_of_ten_megabytes_is_refused_by_its_length() {
    let text = "0".repeat(10_000_000);
    assert_eq!(EventId::parse(&text).unwrap_err().kind(), ParseErrorKind::Length);
    assert_eq!(LedgerId::parse(&text).unwrap_err().kind(), ParseErrorKind::Length);
}

#[test]
fn the_least_and_the_greatest_timestamp_are_times_and_bounds() {
    assert_eq!(EventId::min_at(UNIX_EPOCH), Ok(EventId::MIN));
    assert_eq!(EventId::MIN, EventId::default());
    assert_eq!(EventId::MIN.time(), Some(UNIX_EPOCH));
    assert_eq!(EventId::MAX.unix_micros(), u64::MAX);
    assert_eq!(EventId::max_at(UnixMicros(u64::MAX.into())), Ok(EventId::MAX));
    assert_eq!((LedgerId::MIN, LedgerId::MAX), (LedgerId::from_int(0), LedgerId::from_int(u32::MAX)));
}
