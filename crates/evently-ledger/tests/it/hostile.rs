//! Texts made to cost memory, stack or time.

use crate::common::{
    canonical::{error, is_canonically, nested, written},
    ledger::Append as _,
};
use evently_ledger::{
    CanonicalWriter, Event, FaultKind, JsonError, JsonErrorKind, Ledger, Profile, Verifier, canonical_json,
};
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

/// In a thread with so little stack that one call for each array or object does not fit, however small.
#[test]
fn no_depth_of_a_text_needs_the_caller_s_stack() {
    let texts = [
        nested(512, "[", "]"),
        nested(512, r#"{"b":0,"a":"#, "}"),
        nested(256, r#"{"b":0,"a":["#, "]}"),
        // Out of order, with more than is put in order at once.
        nested(512, &format!(r#"{{"b":"{}","a":"#, "x".repeat(100)), "}"),
        nested(512, "{\"b\":", ",\"a\":0}"),
        "[".repeat(600),
        "{\"a\":".repeat(600),
    ];
    let work = move || {
        for text in &texts {
            let canonical = canonical_json(text);
            assert_eq!(canonical.is_err(), text.ends_with(['[', ':']));
            let line = format!("{{\"event\":\"e\",\"entity\":\"e\",\"key\":\"k\",\"data\":{text}}}");
            let depth_of_line = Event::parse(&line).map(|event| event.data.unwrap().as_str().to_owned());
            assert_eq!(depth_of_line.ok(), canonical.ok());
            let _ = Verifier::new(None).strict().verify([&line]).first_fault;
            let _ = Ledger::new(Profile::Classic).append_line(line.as_bytes(), &mut String::new());
            let _ = CanonicalWriter::new().write(text.as_bytes(), |_| Ok::<_, Infallible>(()));
            // The first event of a ledger of the PostgreSQL function.
            let id = "000660be5c2aed09fce5fbabbed67a78";
            let line = format!(
                "{{\"eventId\":\"{id}\",\"timestamp\":\"1970-01-01T00:00:00Z\",\"event\":\"e\",\"entities\":{text},\"meta\":{text},\"data\":{text}}}"
            );
            assert!(!Verifier::new(None).verify([&line]).is_valid());
        }
    };
    std::thread::Builder::new().stack_size(1 << 15).spawn(work).unwrap().join().unwrap();
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
fn the_exponents_of_a_text_add_digits_in_proportion_to_it() {
    let array = |number: &str, count: usize| format!("[{}]", vec![number; count].join(","));
    // One number at the limits, and all numbers that a double has.
    is_canonically("1e131071", &format!("1{}", "0".repeat(131_071)));
    is_canonically("1e-16383", &format!("0.{}1", "0".repeat(16_382)));
    for number in ["5e-324", "1e308", "1.7976931348623157e308", "1e5"] {
        let (text, _) = written(array(number, 100_000).as_bytes()).unwrap();
        assert_eq!(text, array(&canonical_json(number).unwrap(), 100_000));
    }
    // More is refused, also by a writer that passes all of it on.
    for count in [2, 1000, 20_000] {
        let text = array("1e131071", count);
        let most = (text.len() * 64).max(1 << 18);
        let result = canonical_json(&text);
        if count == 2 {
            assert_eq!(result.unwrap().len(), 2 * 131_072 + 3);
            continue;
        }
        let error = error(&text);
        assert_eq!(error.kind(), JsonErrorKind::Exponent);
        assert_eq!(error.column(), 2 + 9 * (most / (131_072 - 8)), "at the number that exceeds it");
        assert!(error.to_string().contains(&format!("at most {most} digits in total")), "{error}");
    }
    assert!(canonical_json(&format!("{{\"b\":{},\"a\":1}}", array("1e131071", 3))).is_err());

    // The limit is that of a line, not of a member.
    let numbers = array("1e131071", 1);
    let members = ["data", "meta", "entities", "a", "b", "c"].map(|name| format!("\"{name}\":{numbers}"));
    for (count, fits) in [(1, true), (2, true), (3, false), (6, false)] {
        let line = format!("{{\"event\":\"e\",{}}}", members[..count].join(","));
        let parsed = Event::parse(&line);
        assert_eq!(parsed.is_ok(), fits, "{count}");
        let kind = parsed.err().and_then(|error| error.json().map(JsonError::kind));
        assert_eq!(kind, (!fits).then_some(JsonErrorKind::Exponent));
    }
    // A line is kept in memory, so there is a limit for long lines too. The digits of the next line are counted from 0.
    let long = format!("{{\"x\":\"{}\",\"data\":{}}}", "x".repeat(1 << 20), array("1e131071", 129));
    let mut verifier = Verifier::new(None);
    let fault = verifier.verify_line(long.as_bytes()).unwrap_err();
    assert!(fault.expected.contains("at most 16777216 digits in total"), "{fault}");
    let fault = verifier.verify_line(br#"{"data":1e131071}"#).unwrap_err();
    assert_eq!(fault.kind, FaultKind::MissingMember);
}

#[test]
fn objects_within_objects_out_of_order_are_put_in_order() {
    // Out of order before the inner object, behind it, and both; with little and with much beside it.
    for fill in [0, 10, 1000, 3000] {
        let fill = "x".repeat(fill);
        for depth in [1, 2, 3, 40, 511] {
            let (mut text, mut canonical) = ("[1]".to_owned(), "[1]".to_owned());
            for level in 0..depth {
                (text, canonical) = match level % 4 {
                    0 => (
                        format!("{{\"b\":{text},\"a\":\"{fill}\"}}"),
                        format!("{{\"a\":\"{fill}\",\"b\":{canonical}}}"),
                    ),
                    1 => (
                        format!("{{\"b\":\"{fill}\",\"a\":{text}}}"),
                        format!("{{\"a\":{canonical},\"b\":\"{fill}\"}}"),
                    ),
                    2 => (
                        // The first of two is left out, with all that it has.
                        format!("{{\"c\":{text},\"b\":{{\"y\":0,\"x\":[1,2]}},\"c\":{text},\"a\":[]}}"),
                        format!("{{\"a\":[],\"b\":{{\"x\":[1,2],\"y\":0}},\"c\":{canonical}}}"),
                    ),
                    _ => (format!("{{\"a\":0,\"b\":{text}}}"), format!("{{\"a\":0,\"b\":{canonical}}}")),
                };
                if text.len() > 200_000 {
                    break;
                }
            }
            is_canonically(&text, &canonical);
        }
    }
}

proptest! {
    #[test]
    fn arbitrary_bytes_never_panic(bytes: Vec<u8>) {
        let _ = written(&bytes);
    }
}
