//! Texts that are not JSON: the kind of the error, its line and column, and its message.

use crate::common::canonical::{error, written};
use evently_ledger::JsonErrorKind;

#[test]
fn half_a_surrogate_pair_is_an_error_wherever_it_stands() {
    let mut halves: Vec<_> = ["d800", "dbff", "dc00", "dfff", "D83C", "DF32"]
        .iter()
        .map(|half| (format!("\\u{half}"), *half))
        .collect();
    for (text, half) in [
        (r"\ud800\ud800", "d800"),
        (r"\udc00\ud800", "dc00"),
        (r"\udc00\udc00", "dc00"),
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
fn a_text_that_is_not_json_is_an_error_with_line_and_column() {
    for (json, message) in [
        ("", "line 1, column 1: expected a value, found the end"),
        (" \n  ", "line 2, column 3: expected a value, found the end"),
        ("[1,]", "line 1, column 4: expected a value, found ']'"),
        ("[,1]", "line 1, column 2: expected a value, found ','"),
        ("[1 2]", "line 1, column 4: expected ',' or ']', found '2'"),
        ("[1}", "line 1, column 3: expected ',' or ']', found '}'"),
        ("[1", "line 1, column 3: expected ',' or ']', found the end"),
        ("[1\n", "line 1, column 3: expected ',' or ']', found the end"),
        ("[1\r\n", "line 1, column 3: expected ',' or ']', found the end"),
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
            "line 1, column 2: expected an exponent that expands to at most 131072 digits before the point and 16383 after it, found more",
        ),
    ] {
        assert_eq!(error(json).to_string(), message);
    }
    assert_eq!(
        error(&"[".repeat(513)).to_string(),
        "line 1, column 513: expected at most 512 nested arrays and objects, found more"
    );
    assert_eq!(error("[1 2]").in_line(), "expected ',' or ']' at column 4, found '2'");
    for (json, kind, name) in [
        ("\"\u{1f}\"", JsonErrorKind::Control, "control"),
        ("\"\\x\"", JsonErrorKind::Escape, "escape"),
        ("\"\\u\"", JsonErrorKind::Escape, "escape"),
        ("[", JsonErrorKind::Syntax, "syntax"),
    ] {
        assert_eq!((error(json).kind(), kind.name()), (kind, name));
    }
}

#[test]
fn bytes_that_are_not_utf_8_are_an_error_with_line_and_column() {
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
