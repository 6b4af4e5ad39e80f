//! A reader of JSON text (RFC 8259), token by token: without a tree, and without the values of numbers.
//!
//! `serde_json` does not serve here:
//!
//! - It keeps a number as written only with its feature `arbitrary_precision`, which changes the numbers of every other
//!   crate in the build, or as a `RawValue`, which has to be read twice.
//! - It nests 128 arrays and objects, not 512. It does not limit the expansion of exponents. Its columns count bytes.
//! - This reader skips strings eight bytes at a time; the speed of verifying a ledger depends on that. Sixteen bytes gain at
//!   most 4 %, and a check of the UTF-8 of many lines at once 3 %.
//!
//! The tests compare the two, and the feature `serde_json` converts to types of the user.

use crate::error::{JsonError, JsonErrorKind};
use std::ops::Range;

/// Returns the text of these bytes, or the error with the place of the first byte that is not UTF-8.
pub(crate) fn text_of(bytes: &[u8]) -> Result<&str, JsonError> {
    if let Ok(text) = simdutf8::basic::from_utf8(bytes) {
        return Ok(text);
    }
    std::str::from_utf8(bytes).map_err(|error| {
        let (before, rest) = bytes.split_at(error.valid_up_to());
        let before = std::str::from_utf8(before).unwrap_or_default();
        let found = rest.first().copied().unwrap_or_default();
        JsonError::new(JsonErrorKind::Utf8, "UTF-8".to_owned(), format!("byte 0x{found:02x}"), before)
    })
}

/// A position in a text. Its methods read from there.
#[derive(Clone, Copy)]
pub(crate) struct Cursor<'t> {
    pub(crate) text: &'t str,
    /// In bytes, from 0.
    pub(crate) at: usize,
}

/// A part of a string: characters without escapes, then an escape or the closing quote.
pub(crate) struct Part {
    /// The characters without escapes, as a range of the text.
    pub(crate) run: Range<usize>,
    /// The character that the escape stands for; `None` after the closing quote.
    pub(crate) escaped: Option<char>,
}

/// The parts of a number, as ranges of the text.
pub(crate) struct Number {
    /// The whole number.
    pub(crate) lexeme: Range<usize>,
    /// The digits before the point, without the sign.
    pub(crate) integer: Range<usize>,
    /// The digits after the point; may be empty.
    pub(crate) fraction: Range<usize>,
    /// The exponent with its sign, without the `e`.
    pub(crate) exponent: Option<Range<usize>>,
}

impl<'t> Cursor<'t> {
    pub(crate) const fn new(text: &'t str) -> Self {
        Self { text, at: 0 }
    }

    #[inline]
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// Skips white space, and returns the next byte without reading it.
    #[inline]
    pub(crate) fn token(&mut self) -> Option<u8> {
        loop {
            match self.peek() {
                Some(b' ' | b'\n' | b'\r' | b'\t') => self.at += 1,
                other => return other,
            }
        }
    }

    /// Skips white space, and reads `token`.
    #[inline]
    pub(crate) fn expect(&mut self, token: u8, expected: &str) -> Result<(), JsonError> {
        if self.token() == Some(token) {
            self.at += 1;
            Ok(())
        } else {
            Err(self.unexpected(expected))
        }
    }

    /// Skips white space to the end of the text.
    pub(crate) fn end(&mut self) -> Result<(), JsonError> {
        match self.token() {
            None => Ok(()),
            Some(_) => Err(self.unexpected("the end of the text")),
        }
    }

    /// Reads the comma or the closing bracket after a value in an array or object. Returns `true` for the comma.
    #[inline]
    pub(crate) fn comma_or(&mut self, close: u8, expected: &str) -> Result<bool, JsonError> {
        match self.token() {
            Some(b',') => {
                self.at += 1;
                Ok(true)
            }
            Some(byte) if byte == close => {
                self.at += 1;
                Ok(false)
            }
            _ => Err(self.unexpected(expected)),
        }
    }

    /// An error at the cursor.
    #[cold]
    pub(crate) fn error(&self, kind: JsonErrorKind, expected: String, found: String) -> JsonError {
        let mut before = self.text.get(..self.at).unwrap_or(self.text);
        if self.at >= self.text.len() {
            // A line ends before its line feed.
            before = before.strip_suffix('\n').map_or(before, |line| line.strip_suffix('\r').unwrap_or(line));
        }
        JsonError::new(kind, expected, found, before)
    }

    /// The error that another character was expected at the cursor.
    #[cold]
    pub(crate) fn unexpected(&self, expected: &str) -> JsonError {
        self.unexpected_kind(JsonErrorKind::Syntax, expected)
    }

    #[cold]
    pub(crate) fn unexpected_kind(&self, kind: JsonErrorKind, expected: &str) -> JsonError {
        let found = match self.text.get(self.at..).and_then(|rest| rest.chars().next()) {
            Some('\u{feff}') => "a byte order mark".to_owned(),
            Some(char) => format!("{char:?}"),
            None => "the end".to_owned(),
        };
        self.error(kind, expected.to_owned(), found)
    }

    /// Reads `true`, `false` or `null`.
    #[inline]
    pub(crate) fn literal(&mut self, literal: &str) -> Result<(), JsonError> {
        if self.text.as_bytes()[self.at..].starts_with(literal.as_bytes()) {
            self.at += literal.len();
            Ok(())
        } else {
            Err(self.unexpected("a value"))
        }
    }

    /// Reads the next part of a string. The cursor is behind the opening quote or an earlier part.
    #[inline(always)]
    pub(crate) fn string_part(&mut self) -> Result<Part, JsonError> {
        let start = self.at;
        self.at = plain_until(self.text.as_bytes(), start);
        let run = start..self.at;
        match self.peek() {
            Some(b'"') => {
                self.at += 1;
                Ok(Part { run, escaped: None })
            }
            Some(b'\\') => Ok(Part { run, escaped: Some(self.escape()?) }),
            Some(_) => Err(self.unexpected_kind(JsonErrorKind::Control, "an escape such as \\n or \\u0000")),
            None => Err(self.unexpected("a closing quote")),
        }
    }

    /// Reads an escape. The cursor is at the backslash.
    fn escape(&mut self) -> Result<char, JsonError> {
        let start = self.at;
        self.at += 1;
        let char = match self.peek() {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => {
                self.at += 1;
                return self.unicode_escape(start);
            }
            _ => {
                return Err(
                    self.unexpected_kind(JsonErrorKind::Escape, "one of the escapes \" \\ / b f n r t u")
                );
            }
        };
        self.at += 1;
        Ok(char)
    }

    /// Reads the digits of an escape, and the second half of a surrogate pair. The cursor is behind `\u`; `start` is the
    /// position of the backslash.
    fn unicode_escape(&mut self, start: usize) -> Result<char, JsonError> {
        let first = self.four_digits()?;
        if let Some(char) = char::from_u32(first) {
            return Ok(char);
        }
        if first < 0xdc00 && self.text.as_bytes()[self.at..].starts_with(b"\\u") {
            self.at += 2;
            let second = self.four_digits()?;
            if (0xdc00..0xe000).contains(&second) {
                let code = 0x1_0000 + ((first - 0xd800) << 10) + (second - 0xdc00);
                return char::from_u32(code).ok_or_else(|| self.unexpected("a character"));
            }
        }
        self.at = start;
        Err(self.error(
            JsonErrorKind::Escape,
            "both halves of a surrogate pair".to_owned(),
            format!("\\u{first:04x} alone"),
        ))
    }

    /// Reads four hex digits.
    fn four_digits(&mut self) -> Result<u32, JsonError> {
        let mut code = 0;
        for _ in 0..4 {
            let Some(digit) = self.peek().and_then(|byte| char::from(byte).to_digit(16)) else {
                return Err(self.unexpected_kind(JsonErrorKind::Escape, "4 hex digits after \\u"));
            };
            code = code << 4 | digit;
            self.at += 1;
        }
        Ok(code)
    }

    /// Reads a number. The cursor is at its sign or first digit.
    #[inline]
    pub(crate) fn number(&mut self) -> Result<Number, JsonError> {
        let start = self.at;
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        let integer = match self.peek() {
            // No digit may follow a leading zero.
            Some(b'0') => {
                self.at += 1;
                self.at - 1..self.at
            }
            _ => self.digits()?,
        };
        let fraction = match self.peek() {
            Some(b'.') => {
                self.at += 1;
                self.digits()?
            }
            _ => self.at..self.at,
        };
        let exponent = match self.peek() {
            Some(b'e' | b'E') => {
                self.at += 1;
                let sign = self.at;
                if let Some(b'+' | b'-') = self.peek() {
                    self.at += 1;
                }
                self.digits()?;
                Some(sign..self.at)
            }
            _ => None,
        };
        Ok(Number { lexeme: start..self.at, integer, fraction, exponent })
    }

    /// Reads one or more decimal digits.
    #[inline]
    fn digits(&mut self) -> Result<Range<usize>, JsonError> {
        let start = self.at;
        while let Some(b'0'..=b'9') = self.peek() {
            self.at += 1;
        }
        if self.at == start { Err(self.unexpected("a digit")) } else { Ok(start..self.at) }
    }
}

/// Returns the position, from `at` on, of the first byte that is special in a string: a quote, a backslash, or a byte below
/// 0x20. Looks at eight bytes at a time.
#[inline(always)]
pub(crate) fn plain_until(bytes: &[u8], mut at: usize) -> usize {
    const ONES: u64 = u64::from_ne_bytes([1; 8]);
    const TOPS: u64 = ONES << 7;
    // Sets the top bit of each special byte, and may set it in bytes above the lowest one: a difference is negative below
    // the limit. The bytes from 0x80 on are not special.
    let special = |word: u64| {
        let below = |word: u64, limit: u8| word.wrapping_sub(ONES * u64::from(limit));
        let is = |byte: u8| below(word ^ (ONES * u64::from(byte)), 1);
        (below(word, 0x20) | is(b'"') | is(b'\\')) & !word & TOPS
    };

    while let Some(chunk) = bytes.get(at..).and_then(|rest| rest.first_chunk::<8>()) {
        let special = special(u64::from_le_bytes(*chunk));
        if special != 0 {
            return at + special.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    match bytes.last_chunk::<8>() {
        // The bytes before `at` are shifted out. Zeros come behind the others, and are special.
        Some(chunk) if at < bytes.len() => {
            let word = u64::from_le_bytes(*chunk) >> (8 * (at + 8 - bytes.len()));
            at + special(word).trailing_zeros() as usize / 8
        }
        _ => plain_until_by_bytes(bytes, at),
    }
}

/// [`plain_until`] byte by byte.
fn plain_until_by_bytes(bytes: &[u8], mut at: usize) -> usize {
    while bytes.get(at).is_some_and(|&byte| byte >= 0x20 && byte != b'"' && byte != b'\\') {
        at += 1;
    }
    at
}

/// The characters of a string that was read before. `at` is the position behind its opening quote.
pub(crate) fn chars(text: &str, at: usize) -> impl Iterator<Item = char> {
    let mut cursor = Cursor { text, at };
    let (mut run, mut escaped, mut has_ended) = ("".chars(), None, false);
    std::iter::from_fn(move || {
        loop {
            if let Some(char) = run.next().or_else(|| escaped.take()) {
                return Some(char);
            }
            if has_ended {
                return None;
            }
            let part = cursor.string_part().ok()?;
            run = text[part.run].chars();
            (escaped, has_ended) = (part.escaped, part.escaped.is_none());
        }
    })
}

#[cfg(test)]
mod tests {
    use super::{plain_until, plain_until_by_bytes};

    #[test]
    fn a_run_ends_at_the_first_special_byte_wherever_it_stands() {
        for len in 0..40 {
            for at in 0..=len {
                for special in [b'"', b'\\', 0, 1, 0x1f, b'\n'] {
                    // The bytes around it do not matter, not even those that differ from a special byte in one bit.
                    for around in [b'a', b'!', b'#', b'[', b']', b' ', 0x7f, 0x80, 0x9f, 0xa2, 0xdc, 0xff] {
                        let mut bytes = vec![around; len];
                        bytes.splice(at.., [special]);
                        bytes.resize(len + 1, special);
                        for from in [0, at / 2, at] {
                            assert_eq!(plain_until(&bytes, from), at, "{bytes:?}");
                            assert_eq!(plain_until_by_bytes(&bytes, from), at, "{bytes:?}");
                        }
                    }
                }
                // What is before the run does not matter.
                let mut bytes = vec![b'"'; at];
                bytes.resize(len, b'a');
                assert_eq!(plain_until(&bytes, at), len);
            }
        }
    }
}
