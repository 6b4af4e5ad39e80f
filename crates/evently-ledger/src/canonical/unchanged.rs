//! JSON that is canonical already, as most JSON in ledgers is. Nothing has to be written.
//!
//! This reader only recognises canonical values. [`Output::append`](super::Output::append) reads all other values
//! again, and writes the canonical form or finds the error.

use crate::{
    canonical::style::{Canonical, Key, Style as _},
    json::plain_until,
};

/// The most arrays and objects that may be nested: they use the caller's stack.
const MAX_DEPTH: usize = 16;

/// Returns the end of the value at `at` if the value is canonical.
#[inline]
pub(crate) fn canonical_end(text: &str, at: usize) -> Option<usize> {
    value(text, at, MAX_DEPTH)
}

#[inline(always)]
fn value(text: &str, at: usize, depth: usize) -> Option<usize> {
    match *text.as_bytes().get(at)? {
        b'"' => Some(string(text, at + 1)?.0),
        b'{' => object(text, at + 1, depth.checked_sub(1)?),
        b'[' => array(text, at + 1, depth.checked_sub(1)?),
        b't' => literal(text, at, b"true"),
        b'f' => literal(text, at, b"false"),
        b'n' => literal(text, at, b"null"),
        _ => number(text, at),
    }
}

fn object(text: &str, mut at: usize, depth: usize) -> Option<usize> {
    let byte = |at| text.as_bytes().get(at).copied();
    if byte(at)? == b'}' {
        return Some(at + 1);
    }
    let mut last = None;
    loop {
        if byte(at)? != b'"' {
            return None;
        }
        let (end, has_escapes) = string(text, at + 1)?;
        let key = Key { at: at + 1, len: end - at - 2, has_escapes };
        if last.is_some_and(|last| Canonical::order(text, last, key).is_ge()) {
            return None;
        }
        last = Some(key);
        if byte(end)? != b':' {
            return None;
        }
        at = value(text, end + 1, depth)?;
        match byte(at)? {
            b',' => at += 1,
            b'}' => return Some(at + 1),
            _ => return None,
        }
    }
}

fn array(text: &str, mut at: usize, depth: usize) -> Option<usize> {
    if *text.as_bytes().get(at)? == b']' {
        return Some(at + 1);
    }
    loop {
        at = value(text, at, depth)?;
        match *text.as_bytes().get(at)? {
            b',' => at += 1,
            b']' => return Some(at + 1),
            _ => return None,
        }
    }
}

/// The end of a string, and whether it has escapes. `at` is the position behind its opening quote.
#[inline(always)]
fn string(text: &str, mut at: usize) -> Option<(usize, bool)> {
    let text = text.as_bytes();
    let mut has_escapes = false;
    loop {
        at = plain_until(text, at);
        match text[at..] {
            [b'"', ..] => return Some((at + 1, has_escapes)),
            [b'\\', b'"' | b'\\' | b'b' | b'f' | b'n' | b'r' | b't', ..] => at += 2,
            [b'\\', b'u', b'0', b'0', b'0', b'0'..=b'7' | b'b' | b'e' | b'f', ..] => at += 6,
            [b'\\', b'u', b'0', b'0', b'1', b'0'..=b'9' | b'a'..=b'f', ..] => at += 6,
            _ => return None,
        }
        has_escapes = true;
    }
}

#[inline]
fn literal(text: &str, at: usize, literal: &[u8]) -> Option<usize> {
    text.as_bytes()[at..].starts_with(literal).then_some(at + literal.len())
}

/// The end of a number without an exponent, and without a sign if it is zero.
#[inline]
fn number(text: &str, at: usize) -> Option<usize> {
    let text = text.as_bytes();
    let start = if *text.get(at)? == b'-' { at + 1 } else { at };
    let begins_with_zero = text.get(start) == Some(&b'0');
    // Digits after a zero are not of this number.
    let mut end = if begins_with_zero { start + 1 } else { digits(text, start)? };
    if text.get(end) == Some(&b'.') {
        end = digits(text, end + 1)?;
    }
    let is_zero = || text[start..end].iter().all(|byte| matches!(byte, b'0' | b'.'));
    let has_exponent = matches!(text.get(end), Some(b'e' | b'E'));
    if has_exponent || start > at && begins_with_zero && is_zero() { None } else { Some(end) }
}

/// The end of one or more digits.
#[inline]
fn digits(text: &[u8], at: usize) -> Option<usize> {
    let mut end = at;
    while let Some(b'0'..=b'9') = text.get(end) {
        end += 1;
    }
    (end > at).then_some(end)
}

#[cfg(test)]
mod tests {
    use super::{MAX_DEPTH, canonical_end};
    use crate::{
        canonical::{Canonical, Output},
        json::Cursor,
    };
    use proptest::{prelude::*, sample::select};

    /// Compares with the pass that writes the canonical form.
    #[track_caller]
    fn is_recognised_rightly(text: &str) {
        let (mut output, mut cursor) = (Output::new(), Cursor::new(text));
        let written = output.append::<Canonical>(&mut cursor).map(|()| cursor.at);
        match canonical_end(text, 0) {
            Some(end) => {
                assert_eq!(written, Ok(end), "{text}");
                assert_eq!((output.text(), output.duplicate()), (&text[..end], None));
            }
            None => assert!(written.is_err() || output.text() != &text[..cursor.at], "{text}"),
        }
    }

    fn any_string() -> impl Strategy<Value = String> {
        let parts = [
            "",
            "a",
            "b",
            "é",
            "🌲",
            "\u{7f}",
            "\u{80}",
            "plain words",
            "/",
            r"\/",
            r#"\""#,
            r"\\",
            r"\b",
            r"\t",
            r"\u0008",
            r"\u000b",
            r"\u000B",
            r"\u001f",
            r"\u0020",
            r"\u0061",
            r"\ud83c\udf32",
        ];
        prop::collection::vec(select(parts.to_vec()), 0..4)
            .prop_map(|parts| format!("\"{}\"", parts.concat()))
    }

    fn any_json() -> impl Strategy<Value = String> {
        let plain = [
            "0",
            "-0",
            "-0.0",
            "0.5",
            "-0.50",
            "-1",
            "10",
            "1.25",
            "1e3",
            "-2E-2",
            "123456789012345678901234567890",
            "true",
            "false",
            "null",
        ];
        let leaf = prop_oneof![select(plain.map(str::to_owned).to_vec()), any_string()];
        leaf.prop_recursive(4, 40, 5, |inner| {
            let member = (any_string(), inner.clone()).prop_map(|(key, value)| format!("{key}:{value}"));
            prop_oneof![
                prop::collection::vec(inner, 0..5).prop_map(|values| format!("[{}]", values.join(","))),
                prop::collection::vec(member, 0..5).prop_map(|members| format!("{{{}}}", members.join(","))),
            ]
        })
    }

    proptest! {
        #[test]
        fn a_value_is_recognised_if_the_pass_writes_it_as_it_stands(
            text in any_json(),
            is_canonical in any::<bool>(),
            changes in prop::collection::vec((any::<prop::sample::Index>(), "[\\x00-\\x7fé]|"), 0..3),
        ) {
            let mut text = text;
            if is_canonical {
                text = Output::new().rewrite::<Canonical>(&text)?.to_owned();
                prop_assert_eq!(canonical_end(&text, 0), Some(text.len()));
            }
            is_recognised_rightly(&text);
            for (place, with) in changes {
                let (at, old) = *place.get(&text.char_indices().chain([(text.len(), '\0')]).collect::<Vec<_>>());
                let end = (at + old.len_utf8()).min(text.len());
                text.replace_range(at..end, &with);
                is_recognised_rightly(&text);
            }
        }

        #[test]
        fn a_value_is_recognised_wherever_it_stands(text in any_json(), before in any_string()) {
            let expected = canonical_end(&text, 0).map(|end| before.len() + end);
            prop_assert_eq!(canonical_end(&format!("{before}{text}"), before.len()), expected);
        }
    }

    #[test]
    fn a_value_that_is_almost_canonical_is_not_recognised() {
        let followed = r#"{"b":1,"b":2} and a text that is longer than the place of the last key"#;
        is_recognised_rightly("005");
        for text in ["", "-", "1.", "[,]", r#"{"a":}"#, r#"{"b":1,"a":2}"#, followed] {
            assert_eq!(canonical_end(text, 0), None);
            is_recognised_rightly(text);
        }
    }

    #[test]
    fn deeper_values_are_left_to_the_pass() {
        for (depth, is_recognised) in [(MAX_DEPTH, true), (MAX_DEPTH + 1, false)] {
            for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
                let text = format!("{}1{}", open.repeat(depth), close.repeat(depth));
                assert_eq!(canonical_end(&text, 0), is_recognised.then_some(text.len()));
            }
        }
    }
}
