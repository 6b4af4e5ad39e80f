//! Texts made to cost memory, stack or time.

mod common;

use common::canonical::{error, is_canonically, nested, written};
use evently_ledger::{CanonicalWriter, Event, JsonErrorKind, canonical_json};
use proptest::prelude::*;
use std::convert::Infallible;

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
fn digits_as_written_are_kept_however_many() {
    let digits = "1234567890".repeat(100_000);
    is_canonically(&digits, &digits);
    is_canonically(&format!("-{digits}.{digits}"), &format!("-{digits}.{digits}"));
    is_canonically(&format!("-0.{}", "0".repeat(1_000_000)), &format!("0.{}", "0".repeat(1_000_000)));
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
fn short_numbers_that_expand_to_many_digits_do_not_fill_the_memory() {
    let numbers = ["1e131071"; 1000].join(",");
    // What is in order is passed on.
    let (text, longest) = written(format!("[{numbers}]").as_bytes()).unwrap();
    assert!(longest <= 300_000, "{longest}");
    assert_eq!(text.len(), 1000 * 131_073 + 1);
    // What has to be kept is refused in time.
    for text in [format!("[{numbers}]"), format!("{{\"b\":[{numbers}],\"a\":1}}")] {
        let error = canonical_json(&text).unwrap_err();
        assert_eq!(error.kind(), JsonErrorKind::Exponent);
        assert!(error.to_string().contains("at most 16777216 digits in total"), "{error}");
    }
    let event = format!("{{\"event\":\"e\",\"entity\":\"e\",\"key\":\"k\",\"data\":[{numbers}]}}");
    assert!(Event::parse(&event).is_err());
}

proptest! {
    #[test]
    fn arbitrary_bytes_never_panic(bytes: Vec<u8>) {
        let _ = written(&bytes);
    }
}
