//! Canonical JSON: each rule of it, against a second canonicaliser, at its limits, and of hostile texts.

mod common;

use common::{Noise, Tree, any_number, any_tree, reference};
use evently_ledger::{CanonicalWriter, Event, JsonError, JsonErrorKind, WriteError, canonical_json};
use proptest::{prelude::*, sample::select};
use serde_json::value::RawValue;
use std::{collections::BTreeMap, convert::Infallible};

/// What a sink got, in one piece, and the length of the longest piece.
fn written(json: &[u8]) -> Result<(String, usize), JsonError> {
    let (mut text, mut longest) = (String::new(), 0);
    let result = CanonicalWriter::new().write(json, |piece| {
        text.push_str(piece);
        longest = longest.max(piece.len());
        Ok::<_, Infallible>(())
    });
    match result {
        Ok(()) => Ok((text, longest)),
        Err(WriteError::Sink(never)) => match never {},
        Err(WriteError::Json(error)) => {
            assert_eq!(text, "", "nothing is written of a text with an error");
            Err(error)
        }
    }
}

#[track_caller]
fn is_canonically(json: &str, canonical: &str) {
    assert_eq!(canonical_json(json).as_deref(), Ok(canonical));
    assert_eq!(canonical_json(canonical).as_deref(), Ok(canonical), "canonical already");
    assert_eq!(written(json.as_bytes()).unwrap().0, canonical);
}

fn error(json: &str) -> JsonError {
    let error = canonical_json(json).unwrap_err();
    assert_eq!(written(json.as_bytes()).unwrap_err(), error);
    error
}

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
fn an_exponent_may_print_131072_digits_before_the_point_and_16383_after_it() {
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

#[test]
fn exponents_of_a_thousand_million_and_of_a_hundred_thousand_digits_cost_no_memory() {
    let (nines, zeros) = ("9".repeat(100_000), "0".repeat(100_000));
    for exponent in [
        "1000000000",
        "-1000000000",
        "9223372036854775807",
        "-9223372036854775807",
        "-9223372036854775808",
        "9223372036854775808",
        "18446744073709551616",
        "-18446744073709551617",
        &nines,
        &format!("-{nines}"),
        &format!("+{nines}"),
        &format!("-{zeros}{nines}"),
    ] {
        for mantissa in ["1", "-1", "0.5", "123.456", "9"] {
            assert_eq!(error(&format!("{mantissa}e{exponent}")).kind(), JsonErrorKind::Exponent);
        }
        for zero in ["0", "-0", "0.000"] {
            let lexeme = format!("{zero}E{exponent}");
            if exponent.starts_with('-') {
                assert_eq!(error(&lexeme).kind(), JsonErrorKind::Exponent);
            } else {
                is_canonically(&lexeme, "0");
            }
        }
    }
    is_canonically(&format!("1e{zeros}1"), "10");
    is_canonically(&format!("1e-{zeros}1"), "0.1");
    is_canonically(&format!("0.{zeros}1e100001"), "1");
    is_canonically(&format!("1{zeros}e-10000"), &format!("1{}.{}", &zeros[10_000..], &zeros[..10_000]));
}

#[test]
fn digits_that_no_exponent_stands_for_are_kept_however_many() {
    let digits = "1234567890".repeat(100_000);
    is_canonically(&digits, &digits);
    is_canonically(&format!("-{digits}.{digits}"), &format!("-{digits}.{digits}"));
    is_canonically(&format!("-0.{}", "0".repeat(1_000_000)), &format!("0.{}", "0".repeat(1_000_000)));
}

/// Arrays or objects in one another, `depth` of them.
fn nested(depth: usize, open: &str, close: &str) -> String {
    format!("{}1{}", open.repeat(depth), close.repeat(depth))
}

#[test]
fn arrays_and_objects_may_be_512_deep() {
    for (open, close) in [("[", "]"), ("{\"\":", "}"), ("[{\"\":", "}]")] {
        let each = open.matches(['[', '{']).count();
        is_canonically(&nested(512 / each, open, close), &nested(512 / each, open, close));
        let text = nested(512 / each, open, close).replace('1', "{}");
        let error = error(&text);
        assert_eq!(error.kind(), JsonErrorKind::Depth);
        assert_eq!(error.column(), 512 / each * open.len() + 1);
    }
    let side_by_side = format!("[{}]", vec![nested(511, "[", "]"); 20].join(","));
    is_canonically(&side_by_side, &side_by_side);
    let unordered = nested(512, r#"{"b":0,"a":"#, "}");
    is_canonically(&unordered, &nested(512, r#"{"a":"#, r#","b":0}"#));
}

#[test]
fn the_greatest_depth_needs_little_stack() {
    let thread = std::thread::Builder::new().stack_size(1 << 19);
    let text =
        nested(512, r#"{"b":0,"a":["#, "]}").replacen(r#"{"b":0,"a":["#, "", 256).replacen("]}", "", 256);
    let work = move || canonical_json(&text).map(|canonical| canonical.len());
    assert!(thread.spawn(work).unwrap().join().unwrap().is_ok());
}

#[test]
fn a_million_open_brackets_are_refused_at_the_513th() {
    for open in ["[", "{\"a\":", "[\n"] {
        assert_eq!(error(&open.repeat(1_000_000)).kind(), JsonErrorKind::Depth);
    }
    assert_eq!(error(&"[".repeat(1_000_000)).column(), 513);
    assert_eq!(error(&"[\n".repeat(1_000_000)).line(), 513);
    assert_eq!(error(&"]".repeat(1_000_000)).column(), 1);
}

#[test]
fn a_million_members_in_any_order() {
    let object = |keys: &mut dyn Iterator<Item = u32>| {
        let members: Vec<_> = keys.map(|key| format!("\"{key:06}\":{key}")).collect();
        format!("{{{}}}", members.join(","))
    };
    let ordered = object(&mut (0..1_000_000));
    let (text, longest) = written(ordered.as_bytes()).unwrap();
    assert!(text == ordered);
    assert!(longest < 1 << 17, "in pieces, not {longest} bytes at once");
    assert!(written(object(&mut (0..1_000_000).rev()).as_bytes()).unwrap().0 == ordered);
    assert!(
        canonical_json(&object(&mut (0..1_000_000).map(|key| key * 4001 % 1_000_000))).unwrap() == ordered
    );
    is_canonically(&object(&mut std::iter::repeat_n(7, 1_000_000)), "{\"000007\":7}");
    let escaped = format!("{{{}\"b\":2,\"a\":1}}", "\"\\u0061\":0,".repeat(1_000_000));
    is_canonically(&escaped, "{\"a\":1,\"b\":2}");
}

#[test]
fn a_string_of_a_hundred_megabytes() {
    let text = format!("\"{}\"", "é".repeat(50_000_000));
    let mut length = 0;
    let count = |piece: &str| {
        length += piece.len();
        Ok::<_, Infallible>(())
    };
    CanonicalWriter::new().write(text.as_bytes(), count).unwrap();
    assert_eq!(length, 100_000_002);
    assert!(canonical_json(&text).unwrap() == text);
    let unclosed = canonical_json(&text[..100_000_001]).unwrap_err();
    assert_eq!((unclosed.kind(), unclosed.column()), (JsonErrorKind::Syntax, 50_000_002));
}

#[test]
fn half_a_surrogate_pair_is_an_error_wherever_it_stands() {
    let mut halves: Vec<_> = ["d800", "dbff", "dc00", "dfff", "D83C", "DF32"]
        .iter()
        .map(|half| (format!("\\u{half}"), *half))
        .collect();
    for (text, half) in [
        (r"\ud800\ud800", "d800"),
        (r"\udc00\ud800", "dc00"),
        (r"\ud800\n", "d800"),
        (r"\ud800\u0041", "d800"),
        (r"\ud800\\udc00", "d800"),
        (r"\ud800 \udc00", "d800"),
        (r"\ud800\ue000", "d800"),
        (r"\ud800\udbff", "d800"),
    ] {
        halves.push((text.to_owned(), half));
    }
    for (text, half) in &halves {
        for (before, after) in [
            ("\"", "\""),
            ("\"a", "b\""),
            ("\"é", "\""),
            ("\"\\ud83c\\udf32", "\""),
            ("[1, \"", "\"]"),
            ("{\"", "\":1}"),
            ("{\"a\":\"", "\"}"),
            ("{\"b\":1,\"a", "\":1}"),
            ("[{\"b\":{\"a\":[\"", "\"]}}]"),
        ] {
            let error = error(&format!("{before}{text}{after}"));
            assert_eq!(
                (error.kind(), error.column()),
                (JsonErrorKind::Escape, before.chars().count() + 1),
                "{before}{text}"
            );
            assert!(
                error.to_string().ends_with(&format!("found \\u{} alone", half.to_lowercase())),
                "{error}"
            );
        }
    }
}

#[test]
fn what_is_no_json_is_told_with_its_line_and_column() {
    for (json, message) in [
        ("", "line 1, column 1: expected a value, found the end"),
        (" \n  ", "line 2, column 3: expected a value, found the end"),
        ("[1,]", "line 1, column 4: expected a value, found ']'"),
        ("[,1]", "line 1, column 2: expected a value, found ','"),
        ("[1 2]", "line 1, column 4: expected ',' or ']', found '2'"),
        ("[1}", "line 1, column 3: expected ',' or ']', found '}'"),
        ("[1", "line 1, column 3: expected ',' or ']', found the end"),
        ("]", "line 1, column 1: expected a value, found ']'"),
        ("{\"a\" 1}", "line 1, column 6: expected ':', found '1'"),
        ("{\"a\":}", "line 1, column 6: expected a value, found '}'"),
        ("{\"a\":1,}", "line 1, column 8: expected a key, found '}'"),
        ("{a:1}", "line 1, column 2: expected a key, found 'a'"),
        ("{1:1}", "line 1, column 2: expected a key, found '1'"),
        ("{,}", "line 1, column 2: expected a key, found ','"),
        ("{\"a\":1]", "line 1, column 7: expected ',' or '}', found ']'"),
        ("{\"a\":1 \"b\":2}", "line 1, column 8: expected ',' or '}', found '\"'"),
        ("{", "line 1, column 2: expected a key, found the end"),
        ("1 2", "line 1, column 3: expected the end of the text, found '2'"),
        ("{}\n{}", "line 2, column 1: expected the end of the text, found '{'"),
        ("null,", "line 1, column 5: expected the end of the text, found ','"),
        ("01", "line 1, column 2: expected the end of the text, found '1'"),
        ("-01", "line 1, column 3: expected the end of the text, found '1'"),
        ("[00]", "line 1, column 3: expected ',' or ']', found '0'"),
        ("1.", "line 1, column 3: expected a digit, found the end"),
        ("1.e5", "line 1, column 3: expected a digit, found 'e'"),
        (".5", "line 1, column 1: expected a value, found '.'"),
        ("+1", "line 1, column 1: expected a value, found '+'"),
        ("-", "line 1, column 2: expected a digit, found the end"),
        ("--1", "line 1, column 2: expected a digit, found '-'"),
        ("-.5", "line 1, column 2: expected a digit, found '.'"),
        ("1e", "line 1, column 3: expected a digit, found the end"),
        ("1e+", "line 1, column 4: expected a digit, found the end"),
        ("1e+-5", "line 1, column 4: expected a digit, found '-'"),
        ("1e5.5", "line 1, column 4: expected the end of the text, found '.'"),
        ("0x10", "line 1, column 2: expected the end of the text, found 'x'"),
        ("NaN", "line 1, column 1: expected a value, found 'N'"),
        ("-Infinity", "line 1, column 2: expected a digit, found 'I'"),
        ("tru", "line 1, column 1: expected a value, found 't'"),
        ("True", "line 1, column 1: expected a value, found 'T'"),
        ("nullx", "line 1, column 5: expected the end of the text, found 'x'"),
        ("'a'", "line 1, column 1: expected a value, found '\\''"),
        ("// a\n1", "line 1, column 1: expected a value, found '/'"),
        ("\"abc", "line 1, column 5: expected a closing quote, found the end"),
        ("\"ab\\\"", "line 1, column 6: expected a closing quote, found the end"),
        ("\"ab\\", "line 1, column 5: expected one of the escapes \" \\ / b f n r t u, found the end"),
        ("\"\\x41\"", "line 1, column 3: expected one of the escapes \" \\ / b f n r t u, found 'x'"),
        ("\"\\'\"", "line 1, column 3: expected one of the escapes \" \\ / b f n r t u, found '\\''"),
        ("\"\\u12g4\"", "line 1, column 6: expected 4 hex digits after \\u, found 'g'"),
        ("\"\\u12\"", "line 1, column 6: expected 4 hex digits after \\u, found '\"'"),
        ("\"\\u+123\"", "line 1, column 4: expected 4 hex digits after \\u, found '+'"),
        ("\"\\u00\u{e9}9\"", "line 1, column 6: expected 4 hex digits after \\u, found 'é'"),
        ("\"\\U0041\"", "line 1, column 3: expected one of the escapes \" \\ / b f n r t u, found 'U'"),
        ("\"\\ud800\\u12\"", "line 1, column 12: expected 4 hex digits after \\u, found '\"'"),
        ("\"a\nb\"", "line 1, column 3: expected an escape such as \\n or \\u0000, found '\\n'"),
        ("\"a\r\n\"", "line 1, column 3: expected an escape such as \\n or \\u0000, found '\\r'"),
        ("\"\0\"", "line 1, column 2: expected an escape such as \\n or \\u0000, found '\\0'"),
        ("\0", "line 1, column 1: expected a value, found '\\0'"),
        ("[1,\0]", "line 1, column 4: expected a value, found '\\0'"),
        ("\u{feff}1", "line 1, column 1: expected a value, found a byte order mark"),
        ("1\u{feff}", "line 1, column 2: expected the end of the text, found a byte order mark"),
        ("\u{a0}1", "line 1, column 1: expected a value, found '\\u{a0}'"),
        ("\u{c}1", "line 1, column 1: expected a value, found '\\u{c}'"),
        ("{\r\n\"é\":\r\n \"é\"é}", "line 3, column 5: expected ',' or '}', found 'é'"),
        ("[\"🌲🌲\",\n\n \"🌲\" 1]", "line 3, column 6: expected ',' or ']', found '1'"),
        (
            "[1e131072]",
            "line 1, column 2: expected an exponent that prints at most 131072 digits before the point and 16383 after it, found one that prints more",
        ),
    ] {
        assert_eq!(error(json).to_string(), message);
    }
    assert_eq!(
        error(&"[".repeat(513)).to_string(),
        "line 1, column 513: expected at most 512 arrays and objects in one another, found more"
    );
    for (json, kind) in [
        ("\"\u{1f}\"", JsonErrorKind::Control),
        ("\"\\x\"", JsonErrorKind::Escape),
        ("\"\\u\"", JsonErrorKind::Escape),
        ("[", JsonErrorKind::Syntax),
    ] {
        assert_eq!(error(json).kind(), kind);
    }
}

#[test]
fn what_is_no_utf_8_is_told_with_its_line_and_column() {
    for (json, at, byte) in [
        (&b"\xff"[..], (1, 1), "ff"),
        (b"\"a\xc3\"", (1, 3), "c3"),
        (b"[1,\n\"\xc3\xa9\xe2\x82\"]", (2, 3), "e2"),
        (b"\"\xed\xa0\xbc\xed\xbc\xb2\"", (1, 2), "ed"),
        (b"\"\xc0\x80\"", (1, 2), "c0"),
        (b"\"\xf4\x90\x80\x80\"", (1, 2), "f4"),
        (b"1\n\x80", (2, 1), "80"),
    ] {
        let error = written(json).unwrap_err();
        assert_eq!((error.kind(), (error.line(), error.column())), (JsonErrorKind::Utf8, at), "{json:?}");
        assert!(error.to_string().ends_with(&format!("expected UTF-8, found byte 0x{byte}")), "{error}");
    }
}

#[test]
fn a_text_in_order_is_passed_on_in_pieces_and_one_that_is_not_as_a_whole() {
    let long = |last: &str| {
        let members: Vec<_> =
            (0..20_000).map(|key| format!("\"k{key:05}\":{{\"a\":1,\"b\":[2,{key}]}}")).collect();
        format!("{{{},{last}}}", members.join(","))
    };
    let (text, longest) = written(long("\"z\":1").as_bytes()).unwrap();
    assert!(text == long("\"z\":1") && longest < 1 << 17);

    // Disorder that is found when most was passed on: in the outer object, in an inner one, and of equal keys.
    for (last, canonical) in
        [("\"z\":{\"b\":1,\"a\":2}", "\"z\":{\"a\":2,\"b\":1}"), ("\"z\":1,\"z\":2", "\"z\":2")]
    {
        assert!(written(long(last).as_bytes()).unwrap().0 == long(canonical));
    }
    let first = written(long("\"a\":1").as_bytes()).unwrap().0;
    assert!(first.starts_with("{\"a\":1,\"k00000\":") && first.len() == long("\"a\":1").len());
    let last_counts = written(long("\"k00001\":null").as_bytes()).unwrap().0;
    assert!(last_counts.contains("\"k00001\":null,\"k00002\":"));
    assert!(!last_counts.contains("\"k00001\":{"));
}

#[test]
fn nothing_is_written_of_a_long_text_with_an_error_at_its_end() {
    let ordered = format!("[{}", "[1,\"é\"],".repeat(50_000));
    for end in ["1", "]", "1]x", "1e999999]", "\"\\ud800\"]", "{\"b\":1,\"a\":2}"] {
        error(&format!("{ordered}{end}"));
    }
    let unordered = format!("{{\"b\":{},\"a\":", "1".repeat(100_000));
    error(&unordered);
    error(&format!("{unordered}1"));
    assert!(written(&[ordered.as_bytes(), b"1]\xff"].concat()).is_err());
}

#[test]
fn the_sink_s_error_comes_back_and_the_writer_is_good_for_the_next_text() {
    let mut writer = CanonicalWriter::new();
    let long = format!("[{}1]", "1,".repeat(100_000));
    let unordered = format!("{{\"b\":{long},\"a\":1}}");
    for text in ["1", &long, &unordered] {
        for fails_at in 0..2 {
            let mut pieces = 0;
            let result = writer.write(text.as_bytes(), |_| {
                pieces += 1;
                if pieces > fails_at { Err("full") } else { Ok(()) }
            });
            match result {
                Err(WriteError::Sink("full")) => assert_eq!(pieces, fails_at + 1),
                other => assert!(other.is_ok() && pieces <= fails_at),
            }
            let mut out = String::new();
            writer
                .write(b"{\"b\":1,\"a\":2}", |piece| {
                    out.push_str(piece);
                    Ok::<_, Infallible>(())
                })
                .unwrap();
            assert_eq!(out, "{\"a\":2,\"b\":1}");
        }
    }
    let error = writer.write(b"[", |_| Err::<(), _>("full")).unwrap_err();
    assert_eq!(error.to_string(), "line 1, column 2: expected a value, found the end");
}

/// Members in order, at every depth, each key once.
fn in_order(tree: Tree) -> Tree {
    match tree {
        Tree::Array(values) => Tree::Array(values.into_iter().map(in_order).collect()),
        Tree::Object(members) => {
            let members: BTreeMap<_, _> = members.into_iter().collect();
            Tree::Object(members.into_iter().map(|(key, value)| (key, in_order(value))).collect())
        }
        leaf => leaf,
    }
}

/// Makes strings, keys and arrays long, so that texts are passed on in pieces: `lengths` in turn.
fn lengthen(tree: Tree, lengths: &mut dyn Iterator<Item = usize>) -> Tree {
    let mut longer = |text: String| text + &"x".repeat(lengths.next().unwrap());
    match tree {
        Tree::Text(text) => Tree::Text(longer(text)),
        Tree::Array(values) => {
            Tree::Array(values.into_iter().map(|value| lengthen(value, lengths)).collect())
        }
        Tree::Object(members) => {
            let keys: Vec<_> = members.iter().map(|(key, _)| longer(key.clone())).collect();
            let values = members.into_iter().map(|(_, value)| lengthen(value, lengths));
            Tree::Object(keys.into_iter().zip(values).collect())
        }
        leaf => leaf,
    }
}

fn noise() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(any::<u8>(), 1..50)
}

proptest! {
    #[test]
    fn the_canonical_form_is_that_of_another_canonicaliser(tree in any_tree(), noise in noise()) {
        let (json, canonical) = (tree.print(&mut Noise::new(&noise)), reference::canonical(&tree));
        prop_assert_eq!(&canonical_json(&json).unwrap(), &canonical);
        prop_assert_eq!(&canonical_json(&canonical).unwrap(), &canonical);
        prop_assert_eq!(written(json.as_bytes()).unwrap().0, canonical);
    }

    #[test]
    fn so_is_that_of_long_texts_in_order_and_out_of_it(
        tree in any_tree(),
        noise in noise(),
        is_ordered: bool,
        lengths in prop::collection::vec(select(vec![0, 0, 1, 100, 20_000, 65_530, 65_536, 70_000]), 1..20),
    ) {
        let mut tree = lengthen(Tree::Array(vec![tree.clone(), tree]), &mut lengths.into_iter().cycle());
        if is_ordered {
            tree = in_order(tree);
        }
        let json = tree.print(&mut Noise::new(&noise));
        let canonical = reference::canonical(&tree);
        prop_assert!(canonical_json(&json).unwrap() == canonical);
        prop_assert!(written(json.as_bytes()).unwrap().0 == canonical);
    }

    #[test]
    fn a_number_is_written_out_as_by_moving_its_point(number in any_number()) {
        prop_assert_eq!(canonical_json(&number).unwrap(), reference::written_out(&number));
    }

    #[test]
    fn a_damaged_text_is_json_exactly_when_another_reader_takes_it(
        tree in any_tree(),
        noise in noise(),
        damages in prop::collection::vec((any::<prop::sample::Index>(), 0..3, select(b"{}[]\",:\\ue0-+.1 \nt/\x01\x7f".to_vec())), 1..4),
    ) {
        let mut json = tree.print(&mut Noise::new(&noise)).into_bytes();
        for (index, damage, byte) in damages {
            let at = index.index(json.len() + 1);
            match damage {
                0 => json.insert(at, byte),
                1 if at < json.len() => json[at] = byte,
                _ if at < json.len() => drop(json.remove(at)),
                _ => {}
            }
        }
        let other: Result<&RawValue, _> = serde_json::from_slice(&json);
        match written(&json) {
            Ok((canonical, _)) => {
                prop_assert!(other.is_ok());
                prop_assert_eq!(canonical_json(&canonical).unwrap(), canonical);
            }
            // That reader does not look at these.
            Err(error) if matches!(error.kind(), JsonErrorKind::Escape | JsonErrorKind::Exponent) => {}
            Err(error) => prop_assert!(other.is_err(), "{}", error),
        }
    }

    #[test]
    fn arbitrary_bytes_never_panic(bytes: Vec<u8>) {
        let _ = written(&bytes);
    }
}

/// What a sink gets at once is what the writer keeps.
fn longest_piece(text: &str) -> (usize, String) {
    let mut longest = 0;
    let mut written = String::new();
    let result = CanonicalWriter::new().write(text.as_bytes(), |piece| {
        longest = longest.max(piece.len());
        written.push_str(piece);
        Ok::<_, Infallible>(())
    });
    result.unwrap();
    (longest, written)
}

#[test]
fn memory_is_for_the_widest_object_out_of_order() {
    const PIECE: usize = 80_000;

    let narrow = r#"{"b":1,"a":[{"d":2,"c":3}]},"#.repeat(50_000);
    let wide = |members: usize| {
        let members: String = (0..members).rev().map(|key| format!("\"{key:05}\":0,")).collect();
        format!("{{{}}}", members.trim_end_matches(','))
    };
    let in_order: String = (0..50_000).map(|key| format!("\"{key:05}\":[0,1],")).collect();
    for (text, most) in [
        (format!("[{narrow}0]"), PIECE),
        (format!("{{{in_order}\"z\":{{\"b\":1,\"a\":2}}}}"), PIECE),
        (format!("[{narrow}{},{narrow}{}]", wide(20_000), wide(30_000)), 30_000 * 10 + PIECE),
        // The disorder of the outer one shows at its end; the narrow ones within it fit a buffer of its own.
        (format!("{{\"b\":[{narrow}{}],\"a\":1}}", wide(20_000)), usize::MAX),
        (format!("[{narrow}{{\"b\":{},\"a\":[{narrow}1]}},{narrow}2]", wide(20_000)), 2 * narrow.len()),
    ] {
        let (longest, written) = longest_piece(&text);
        assert!(longest <= most, "{longest} of {}", text.len());
        assert_eq!(written, canonical_json(&text).unwrap());
    }
}

#[test]
fn short_numbers_that_print_many_digits_do_not_fill_the_memory() {
    let numbers = ["1e131071"; 1000].join(",");
    // What is in order is passed on.
    let (longest, written) = longest_piece(&format!("[{numbers}]"));
    assert!(longest <= 300_000, "{longest}");
    assert_eq!(written.len(), 1000 * 131_073 + 1);
    // What has to be kept is refused in time.
    for text in [format!("[{numbers}]"), format!("{{\"b\":[{numbers}],\"a\":1}}")] {
        let error = canonical_json(&text).unwrap_err();
        assert_eq!(error.kind(), JsonErrorKind::Exponent);
        assert!(error.to_string().contains("at most 16777216 digits in all"), "{error}");
    }
    let event = format!("{{\"event\":\"e\",\"entity\":\"e\",\"key\":\"k\",\"data\":[{numbers}]}}");
    assert!(Event::parse(&event).is_err());
}
