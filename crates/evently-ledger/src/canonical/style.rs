//! The two forms in which a pass writes JSON: the canonical form, and the form of PostgreSQL's type `jsonb`. They differ
//! in the order of keys and in the white space after `:` and `,`.

use crate::json;
use std::cmp::Ordering;

/// A form of JSON.
pub(crate) trait Style {
    /// What stands between a key and its value.
    const COLON: &str;
    /// What stands between two elements of an array, or two members of an object.
    const COMMA: &str;

    /// The order of two keys of `text`.
    fn order(text: &str, a: Key, b: Key) -> Ordering;
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
