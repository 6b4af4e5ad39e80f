//! The forms in which a pass writes JSON: the canonical form, the form of PostgreSQL's type `jsonb`, and the form of
//! JavaScript's `JSON.stringify`. They differ in the order of keys, the white space after `:` and `,`, and the numbers.

use crate::{
    canonical::number::{self, TooLong},
    json::{self, Number},
};
use std::cmp::Ordering;

/// A form of JSON.
pub(crate) trait Style {
    /// What stands between a key and its value.
    const COLON: &str;
    /// What stands between two elements of an array, or two members of an object.
    const COMMA: &str;
    /// Whether `null` and the key `__proto__` are errors.
    const IS_JAVASCRIPT: bool = false;
    /// The numbers that it can write.
    const LARGEST: &str =
        "an exponent that expands to at most 131072 digits before the point and 16383 after it";

    /// The order of two keys of `text`.
    fn order(text: &str, a: Key, b: Key) -> Ordering;

    /// Appends a number of `text`.
    #[inline(always)]
    fn number(text: &str, number: &Number, out: &mut String) -> Result<(), TooLong> {
        number::write(text, number, out)
    }
}

/// Canonical JSON.
pub(crate) struct Canonical;

impl Style for Canonical {
    const COLON: &str = ":";
    const COMMA: &str = ",";

    /// By code points. That is the order of the UTF-8 bytes. Keys mostly differ in the first one.
    #[inline(always)]
    fn order(text: &str, a: Key, b: Key) -> Ordering {
        match (a.without_escapes(text), b.without_escapes(text)) {
            (Some([a, ..]), Some([b, ..])) if a != b => a.cmp(b),
            (Some(a), Some(b)) => a.cmp(b),
            _ => order_by_chars(text, a, b),
        }
    }
}

#[cold]
fn order_by_chars(text: &str, a: Key, b: Key) -> Ordering {
    json::chars(text, a.at).cmp(json::chars(text, b.at))
}

/// The form in which PostgreSQL prints its type `jsonb`, for the first event of a ledger that Evently's PostgreSQL
/// function made.
pub(crate) struct Jsonb;

impl Style for Jsonb {
    const COLON: &str = ": ";
    const COMMA: &str = ", ";

    /// By length in bytes; keys of the same length by their bytes.
    fn order(text: &str, a: Key, b: Key) -> Ordering {
        let [a, b] = [a, b].map(|key| json::chars(text, key.at).collect::<String>());
        (a.len(), a).cmp(&(b.len(), b))
    }
}

/// The form in which Evently's published validator prints `meta` and `data`: `JSON.parse`, the keys sorted by
/// `Array.prototype.sort`, and `JSON.stringify`. The validator fails on `null`, and it loses members whose key is
/// `__proto__`.
pub(crate) struct JavaScript;

impl Style for JavaScript {
    const COLON: &str = ":";
    const COMMA: &str = ",";
    const IS_JAVASCRIPT: bool = true;
    const LARGEST: &str = "a number that a double can be near to";

    /// An object lists the indices of arrays first, in the order of their numbers. Other keys are in the order of their
    /// UTF-16.
    fn order(text: &str, a: Key, b: Key) -> Ordering {
        let units = |key: Key| json::chars(text, key.at).map(utf_16_rank);
        match [a, b].map(|key| array_index(text, key)) {
            [Some(a), Some(b)] => a.cmp(&b),
            [None, None] => units(a).cmp(units(b)),
            [a, b] => b.is_some().cmp(&a.is_some()),
        }
    }

    /// As ECMAScript prints the nearest double.
    fn number(text: &str, number: &Number, out: &mut String) -> Result<(), TooLong> {
        let double = text[number.lexeme.clone()].parse().ok().filter(|double: &f64| double.is_finite());
        out.push_str(ryu_js::Buffer::new().format_finite(double.ok_or(TooLong)?));
        Ok(())
    }
}

/// The value of a key that is a canonical decimal number below 2^32 - 1.
fn array_index(text: &str, key: Key) -> Option<u32> {
    let mut index = None;
    for char in json::chars(text, key.at) {
        let digit = char.to_digit(10)?;
        index = Some(match index {
            None => digit,
            Some(0) => return None,
            Some(index) => u32::checked_mul(index, 10)?.checked_add(digit)?,
        });
    }
    index.filter(|&index| index < u32::MAX)
}

/// The rank of a character in the order of UTF-16: surrogate pairs, which are of the characters from U+10000 on, are
/// before U+E000.
fn utf_16_rank(char: char) -> u32 {
    let code = u32::from(char);
    if (0xe000..0x1_0000).contains(&code) { code + 0x11_0000 } else { code }
}

/// A key, as a place in the text that is read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Key {
    /// The position after the opening quote.
    pub(crate) at: usize,
    /// The length in bytes, with escapes as they are in the text.
    pub(crate) len: usize,
    pub(crate) has_escapes: bool,
}

impl Key {
    /// The bytes of the key, unless it has escapes.
    #[inline]
    fn without_escapes(self, text: &str) -> Option<&[u8]> {
        if self.has_escapes { None } else { text.as_bytes().get(self.at..self.at + self.len) }
    }
}
