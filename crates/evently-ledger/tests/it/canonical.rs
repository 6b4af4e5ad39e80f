//! Each rule of canonical JSON.

use crate::common::{
    canonical::{error, is_canonically},
    json::any_number,
    reference,
};
use evently_ledger::{JsonErrorKind, canonical_json};
use proptest::prelude::*;

#[test]
fn members_are_in_the_order_of_their_code_points_at_every_depth() {
    is_canonically(
        r#"{"b":1,"a":2,"":3,"B":4,"aa":5,"10":6,"2":7}"#,
        r#"{"":3,"10":6,"2":7,"B":4,"a":2,"aa":5,"b":1}"#,
    );
    is_canonically(
        r#"[{"b":[{"d":{"z":1,"y":2},"c":3}],"a":4}]"#,
        r#"[{"a":4,"b":[{"c":3,"d":{"y":2,"z":1}}]}]"#,
    );
    is_canonically(r#"[3,1,[2,0],"b","a"]"#, r#"[3,1,[2,0],"b","a"]"#);
}

#[test]
fn code_points_above_u_ffff_come_last_unlike_in_utf_16() {
    let ordered = "{\"\u{d7ff}\":1,\"\u{e000}\":2,\"\u{ffff}\":3,\"\u{10000}\":4,\"🌲\":5,\"\u{10ffff}\":6}";
    is_canonically(ordered, ordered);
    is_canonically("{\"🌲\":1,\"\u{ffff}\":2}", "{\"\u{ffff}\":2,\"🌲\":1}");
    is_canonically(r#"{"\ud83c\udf32":1,"\uffff":2}"#, "{\"\u{ffff}\":2,\"🌲\":1}");
    is_canonically("{\"\\ud83c\\udf32\":1,\"\u{ffff}\":2}", "{\"\u{ffff}\":2,\"🌲\":1}");
}

#[test]
fn of_members_with_the_same_key_the_last_counts() {
    is_canonically(r#"{"a":1,"a":2}"#, r#"{"a":2}"#);
    is_canonically(r#"{"a":1,"b":2,"a":3,"b":4,"a":{"c":5,"c":6}}"#, r#"{"a":{"c":6},"b":4}"#);
    is_canonically(r#"{"a":1,"\u0061":2,"\u{61}":3}"#.replace("\\u{61}", "a").as_str(), r#"{"a":3}"#);
    is_canonically(r#"{"\u00e9":1,"é":2}"#, r#"{"é":2}"#);
}

#[test]
fn keys_are_ordered_by_what_their_escapes_stand_for() {
    is_canonically(r#"{"\u007a":1,"b":2,"\u0061":3}"#, r#"{"a":3,"b":2,"z":1}"#);
    is_canonically(r#"{"a\"":1,"a ":2,"a!":3,"a":4}"#, r#"{"a":4,"a ":2,"a!":3,"a\"":1}"#);
    is_canonically(r#"{"a\/b":1,"a.":2}"#, r#"{"a.":2,"a/b":1}"#);
    is_canonically(r#"{"\\u0061":1,"a":2}"#, r#"{"\\u0061":1,"a":2}"#);
}

#[test]
fn only_quotes_backslashes_and_control_characters_are_escaped() {
    for (code, canonical) in [
        (0, r"\u0000"),
        (1, r"\u0001"),
        (7, r"\u0007"),
        (8, r"\b"),
        (9, r"\t"),
        (0xa, r"\n"),
        (0xb, r"\u000b"),
        (0xc, r"\f"),
        (0xd, r"\r"),
        (0xe, r"\u000e"),
        (0x1a, r"\u001a"),
        (0x1f, r"\u001f"),
        (0x20, " "),
        (0x22, r#"\""#),
        (0x2f, "/"),
        (0x5c, r"\\"),
        (0x7f, "\u{7f}"),
        (0x80, "\u{80}"),
        (0x2028, "\u{2028}"),
        (0xfeff, "\u{feff}"),
        (0xfffd, "\u{fffd}"),
        (0xffff, "\u{ffff}"),
    ] {
        for hex in [format!("{code:04x}"), format!("{code:04X}")] {
            is_canonically(&format!("\"\\u{hex}\""), &format!("\"{canonical}\""));
            is_canonically(
                &format!("{{\"\\u{hex}\":\"x\\u{hex}y\"}}"),
                &format!("{{\"{canonical}\":\"x{canonical}y\"}}"),
            );
        }
    }
    is_canonically(r#""\"\\\/\b\f\n\r\t""#, r#""\"\\/\b\f\n\r\t""#);
    is_canonically(
        r#""\ud83c\udf32 \uD83C\uDF32 \ud800\udc00 \udbff\udfff""#,
        "\"🌲 🌲 \u{10000} \u{10ffff}\"",
    );
}

#[test]
fn blanks_between_tokens_are_left_out_and_those_in_strings_are_kept() {
    is_canonically("\r\n\t { \"a b\" :\n[ 1 ,\t2 , { } , [ ] ] } \r\n", r#"{"a b":[1,2,{},[]]}"#);
    is_canonically(" \"  \" ", "\"  \"");
    for literal in ["true", "false", "null", "0", "\"\"", "[]", "{}"] {
        is_canonically(&format!("\n{literal}\n"), literal);
    }
}

#[test]
fn numbers_are_written_as_postgresql_prints_them() {
    for (lexeme, canonical) in [
        ("0", "0"),
        ("-0", "0"),
        ("-0.0", "0.0"),
        ("0.00", "0.00"),
        ("-0e5", "0"),
        ("0e5", "0"),
        ("-0.0e-2", "0.000"),
        ("0e-5", "0.00000"),
        ("1e3", "1000"),
        ("1E3", "1000"),
        ("1e+3", "1000"),
        ("1E-7", "0.0000001"),
        ("1.25e+2", "125"),
        ("1.25e1", "12.5"),
        ("-2.5E-3", "-0.0025"),
        ("1.50", "1.50"),
        ("1.50e1", "15.0"),
        ("1.50e0", "1.50"),
        ("-1e0", "-1"),
        ("100e-2", "1.00"),
        ("100e-3", "0.100"),
        ("0.00012e2", "0.012"),
        ("0.00012e4", "1.2"),
        ("0.00012e9", "120000"),
        ("12e-0", "12"),
        ("12e000", "12"),
        ("12e0001", "120"),
        ("0.10e1", "1.0"),
        ("9007199254740993", "9007199254740993"),
        (
            "123456789012345678901234567890.123456789012345678901234567890",
            "123456789012345678901234567890.123456789012345678901234567890",
        ),
        ("1e400", &format!("1{}", "0".repeat(400))),
        ("1e-400", &format!("0.{}1", "0".repeat(399))),
    ] {
        is_canonically(lexeme, canonical);
        assert_eq!(reference::written_out(lexeme), canonical);
    }
}

#[test]
fn an_exponent_may_expand_to_131072_digits_before_the_point_and_16383_after_it() {
    let before = |first: &str| format!("{first}{}", "0".repeat(131_072 - first.len()));
    for (lexeme, canonical) in [
        ("1e131071", before("1")),
        ("123.45e131069", before("12345")),
        ("0.1e131072", before("1")),
        ("0.0001e131075", before("1")),
        ("-1e131071", format!("-{}", before("1"))),
    ] {
        is_canonically(lexeme, &canonical);
    }
    for (lexeme, canonical) in [
        ("1e-16383", format!("0.{}1", "0".repeat(16_382))),
        ("0.1e-16382", format!("0.{}1", "0".repeat(16_382))),
        ("100e-16383", format!("0.{}100", "0".repeat(16_380))),
        ("0e-16383", format!("0.{}", "0".repeat(16_383))),
        ("-0.0e-16382", format!("0.{}", "0".repeat(16_383))),
    ] {
        is_canonically(lexeme, &canonical);
    }
    for lexeme in [
        "1e131072",
        "10e131071",
        "0.1e131073",
        "0.0001e131076",
        "-1e131072",
        "1e-16384",
        "1.0e-16383",
        "0.1e-16383",
        "100e-16384",
        "0e-16384",
        "-0.0e-16383",
    ] {
        let error = error(&format!("[1,\n {lexeme}]"));
        assert_eq!((error.kind(), error.line(), error.column()), (JsonErrorKind::Exponent, 2, 2), "{lexeme}");
    }
}

proptest! {
    #[test]
    fn an_exponent_moves_the_point(number in any_number()) {
        prop_assert_eq!(canonical_json(&number).unwrap(), reference::written_out(&number));
    }
}
