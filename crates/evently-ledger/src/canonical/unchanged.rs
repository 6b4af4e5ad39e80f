//! JSON that is canonical as it stands, which is usual in ledgers: nothing has to be written.
//!
//! This reader only recognises: what it refuses, [`Output::append`](super::Output::append) reads again, and writes it or
//! finds the error.

use crate::{
    canonical::style::{Canonical, Key, Style as _},
    json::plain_until,
};

/// The most arrays and objects that may be nested. They take the caller's stack.
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

/// The end of a number without an exponent, and without a sign if it may be zero.
#[inline]
fn number(text: &str, at: usize) -> Option<usize> {
    let text = text.as_bytes();
    let start = if *text.get(at)? == b'-' { at + 1 } else { at };
    let mut end = digits(text, start)?;
    let has_leading_zero = text[start] == b'0';
    if has_leading_zero && (end > start + 1 || start > at) {
        return None;
    }
    if text.get(end) == Some(&b'.') {
        end = digits(text, end + 1)?;
    }
    if matches!(text.get(end), Some(b'e' | b'E')) { None } else { Some(end) }
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
