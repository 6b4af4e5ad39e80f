//! The errors that all specifications share: kinds, positions and messages.

use sortid_core::{
    __private::BackfillObstacle,
    __private::error::{self, Value},
    EntropyError, GenerateError, ParseError, ParseErrorKind, Text,
};
use std::error::Error as _;

#[test]
fn an_error_of_a_text_has_a_kind_a_position_and_a_message() {
    use ParseErrorKind::{Character, Check, Length, Overflow, Prefix, Sign};
    let [five, text] = [Value::Integer(5), Value::Text(Text::new(*b"ZZZZZZZZZZZZZ"))];
    let errors: [(ParseError, ParseErrorKind, Option<usize>, &str); 15] = [
        (error::byte_length(16, 3), Length, None, "expected 16 bytes, found 3"),
        (error::length("1 to 10 digits", 11), Length, None, "expected 1 to 10 digits, found 11"),
        (error::text_length("2 digits", "ä".as_bytes()), Length, None, "expected 2 digits, found 2 bytes"),
        (error::text_length("2 digits", &[0x80]), Length, None, "expected 2 digits, found 1 byte"),
        (error::text_length("2 digits", &[0x80; 256]), Length, None, "expected 2 digits, found 256 bytes"),
        (error::text_length("2 digits", &[0x80; 257]), Length, None, "expected 2 digits, found 257"),
        (error::text_length("2 digits", b"abc"), Length, None, "expected 2 digits, found 3"),
        (error::character(b"ab!", 2, "hex"), Character, Some(2), "'!' at position 2 is not a hex digit"),
        (
            error::character("a😀b".as_bytes(), 1, "hex"),
            Character,
            Some(1),
            "'😀' at position 1 is not a hex digit",
        ),
        (
            error::character(b"\xff", 0, "hex"),
            Character,
            Some(0),
            "byte 0xff at position 0 is not a hex digit",
        ),
        (error::above(text, "ID", five).into(), Overflow, None, "ZZZZZZZZZZZZZ is above the greatest ID, 5"),
        (
            error::below(five, "field", text).into(),
            Overflow,
            None,
            "5 is below the least field, ZZZZZZZZZZZZZ",
        ),
        (error::check_digits(3, 4), Check, None, "the check is 3, expected 4"),
        (error::sign(b'+', 7, "`-`"), Sign, Some(7), "'+' at position 7, expected `-`"),
        (
            error::prefix(b"post_1", "user_"),
            Prefix,
            None,
            "the text starts with \"post_1\", expected the prefix \"user_\"",
        ),
    ];
    for (error, kind, position, message) in errors {
        assert_eq!((error.kind(), error.position(), &*error.to_string()), (kind, position, message));
        assert_eq!(format!("{error:?}"), format!("ParseError({kind:?}: {message})"));
        assert_eq!(kind.name(), format!("{kind:?}").to_lowercase());
    }
    assert_eq!(error::prefix(b"", "a_").to_string(), "the text is empty, expected the prefix \"a_\"");
    let short = error::prefix(&[b'x'; 24], "a_").to_string();
    assert_eq!(short, "the text starts with \"xxxxxxxxxxxxxxxxxxxxxxxx\", expected the prefix \"a_\"");
    let long = error::prefix(&[b'x'; 25], "a_").to_string();
    assert_eq!(long, "the text starts with \"xxxxxxxxxxxxxxxxxxxxxxxx…\", expected the prefix \"a_\"");
}

#[test]
fn positions_and_lengths_of_what_follows_a_prefix_count_it() {
    let after = |error| error::after_prefix(error, "user_");
    assert_eq!(after(error::character(b"ab!", 2, "hex")).position(), Some(7));
    assert_eq!(after(error::sign(b'+', 3, "`-`")).position(), Some(8));
    let length = after(error::length("2 digits", 3));
    assert_eq!(length.to_string(), "expected 2 digits after \"user_\", found 3");
    assert_eq!(after(error::check_digits(3, 4)), error::check_digits(3, 4));
}

#[test]
fn values_are_checked_against_their_limits() {
    let range = |found| error::check_range(found, "field", 7).map_err(|error| error.to_string());
    assert_eq!([range(0), range(7)], [Ok(0), Ok(7)]);
    assert_eq!(range(8).unwrap_err(), "8 is above the greatest field, 7");
    assert_eq!(range(-1).unwrap_err(), "-1 is below the least field, 0");

    let option = |found| error::check_option("bits", found, 2, 7).map_err(|error| format!("{error:?}"));
    assert_eq!([option(2), option(7)], [Ok(()), Ok(())]);
    assert_eq!(option(1).unwrap_err(), "ConfigError(bits: expected 2 to 7, found 1)");
    assert_eq!(option(8).unwrap_err(), "ConfigError(bits: expected 2 to 7, found 8)");
    assert_eq!(error::check_option("bits", 1, 2, 7).unwrap_err().option(), "bits");
}

#[test]
fn the_node_ids_of_a_fleet_take_as_many_bits_as_the_greatest_needs() {
    let bits = |node_id, size| error::check_node_id(node_id, size, 3).map_err(|error| error.to_string());
    for (size, expected) in [(1, 0), (2, 1), (3, 2), (4, 2), (5, 3), (8, 3)] {
        assert_eq!(bits(size - 1, size), Ok(expected), "{size}");
        let range = if size == 1 { "0".to_owned() } else { format!("0 to {}", size - 1) };
        assert_eq!(bits(size, size), Err(format!("node ID: expected {range}, found {size}")));
    }
    for size in [0, 9] {
        assert_eq!(bits(0, size), Err(format!("size of the space: expected 1 to 8, found {size}")));
    }
}

#[test]
fn only_a_failed_source_of_random_bytes_is_the_cause_of_another_error() {
    let failed = EntropyError::from("it failed");
    let [generate, other] = [GenerateError::from(failed), error::other_process()];
    assert_eq!((generate.to_string(), generate.source().is_some()), (failed.to_string(), true));
    assert!(other.source().is_none());
    let [backfill, other] =
        [BackfillObstacle::Entropy(failed), BackfillObstacle::NoTime].map(|kind| error::backfill(kind, 0));
    assert_eq!((backfill.to_string(), backfill.source().is_some()), (failed.to_string(), true));
    assert!(other.source().is_none());
    assert_eq!(format!("{other:?}"), format!("BackfillError(NoTime: {other})"));
    assert_eq!(format!("{:?}", error::no_time()), format!("GenerateError(NoTime: {})", error::no_time()));
}

#[test]
fn errors_of_ids_without_a_time_or_a_generator_say_so() {
    assert_eq!(format!("{:?}", error::no_timestamp("RON UID")), "TimestampError(this RON UID has no time)");
    assert_eq!(
        error::timestamp_beyond("ID", 1_000_001, "Instant").to_string(),
        "the time of this ID, 1970-01-01T00:00:01.000001Z, is out of range for Instant"
    );
}
