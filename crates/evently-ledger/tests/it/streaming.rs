//! What a sink of `CanonicalWriter` gets, in pieces of which length, and what the writer keeps in memory.

use crate::common::canonical::{error, written};
use evently_ledger::{CanonicalWriter, JsonErrorKind, WriteError, canonical_json};
use std::{convert::Infallible, error::Error as _, fmt};

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
fn a_text_in_order_is_passed_on_in_few_pieces() {
    for items in ["\"plain words\",".repeat(40_000), "1e1000,".repeat(200)] {
        let text = format!("[{items}0]");
        let mut pieces = 0;
        let sink = |_: &str| {
            pieces += 1;
            Ok::<_, Infallible>(())
        };
        CanonicalWriter::new().write(text.as_bytes(), sink).unwrap();
        assert!((2..canonical_json(&text).unwrap().len() / 30_000 + 2).contains(&pieces), "{pieces}");
    }
}

#[test]
fn the_digits_that_exponents_add_have_a_limit_and_those_in_memory_another() {
    // 131 064, 131 064 and 16 digits more than the text has: 2^18.
    assert!(canonical_json("[1e131071,1e131071,1e19]").is_ok());
    assert_eq!(error("[1e131071,1e131071,1e20]").kind(), JsonErrorKind::Exponent);

    // An object that is out of order is in memory as a whole: 2^24 digits more than the text has, at the last number.
    let numbers = vec!["1e131071"; 131].join(",");
    let text = |length: usize| {
        let text = format!("{{\"b\":[{numbers}],\"a\":\"\"}}");
        text.replace("\"\"", &format!("\"{}\"", "a".repeat(length - text.len())))
    };
    let length = 6 + 131 * 131_072 + 130 - (1 << 24);
    let result = |length| written(text(length).as_bytes()).map(drop).map_err(|error| error.kind());
    assert_eq!([result(length), result(length - 1)], [Ok(()), Err(JsonErrorKind::Exponent)]);
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

#[test]
fn the_source_of_an_error_is_that_of_the_text_or_of_the_sink() {
    for (json, source) in [("[", error("[").to_string()), ("1", fmt::Error.to_string())] {
        let error = CanonicalWriter::new().write(json.as_bytes(), |_| Err(fmt::Error)).unwrap_err();
        assert_eq!(error.source().unwrap().to_string(), source);
    }
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
        let (canonical, longest) = written(text.as_bytes()).unwrap();
        assert!(longest <= most, "{longest} of {}", text.len());
        assert_eq!(canonical, canonical_json(&text).unwrap());
    }
}
