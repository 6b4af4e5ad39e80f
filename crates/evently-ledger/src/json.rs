//! Reading JSON text (RFC 8259), token by token, with no tree and no numbers: what canonical JSON and the members of an
//! event are made from.

use std::{error, fmt, ops::Range};

/// A text that is no JSON, or is beyond the limits of canonical JSON. Its message says what was expected, what was
/// found, and where.
///
/// ```
/// use evently_ledger::{JsonErrorKind, canonical_json};
///
/// let error = canonical_json("{\n  \"a\": 01\n}").unwrap_err();
/// assert_eq!((error.kind(), error.line(), error.column()), (JsonErrorKind::Syntax, 2, 9));
/// assert_eq!(error.to_string(), "line 2, column 9: expected ',' or '}', found '1'");
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct JsonError(Box<Cause>);

#[derive(Clone, PartialEq, Eq)]
struct Cause {
    kind: JsonErrorKind,
    expected: String,
    found: String,
    line: usize,
    column: usize,
}

/// What is wrong with a JSON text, for code that branches on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum JsonErrorKind {
    /// No JSON: another character was expected, or the text to go on, or to end.
    Syntax,
    /// An escape in a string that is none, or half of a surrogate pair.
    Escape,
    /// A character below U+0020 in a string, which has to be escaped.
    Control,
    /// No UTF-8.
    Utf8,
    /// More than 512 arrays and objects in one another.
    Depth,
    /// An exponent that would print more than 131 072 digits before the point, or 16 383 after it.
    Exponent,
    /// A member of an event with a value of another type.
    Type,
}

impl JsonErrorKind {
    /// The kind in one lower-case word, as `sortid --json` prints it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Syntax => "syntax",
            Self::Escape => "escape",
            Self::Control => "control",
            Self::Utf8 => "utf8",
            Self::Depth => "depth",
            Self::Exponent => "exponent",
            Self::Type => "type",
        }
    }
}

impl JsonError {
    /// What is wrong.
    #[must_use]
    pub fn kind(&self) -> JsonErrorKind {
        self.0.kind
    }

    /// The line, from 1.
    #[must_use]
    pub fn line(&self) -> usize {
        self.0.line
    }

    /// The column, from 1: characters, each of however many bytes.
    #[must_use]
    pub fn column(&self) -> usize {
        self.0.column
    }

    /// What was expected, and what was found; of the place the column alone, for texts that are a line of many.
    #[must_use]
    pub fn in_line(&self) -> String {
        let Cause { expected, found, column, .. } = &*self.0;
        format!("expected {expected} at column {column}, found {found}")
    }

    #[cold]
    fn new(kind: JsonErrorKind, expected: String, found: String, before: &str) -> Self {
        let line = before.bytes().filter(|&byte| byte == b'\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        Self(Box::new(Cause { kind, expected, found, line, column }))
    }

    /// What was expected, and what was found, of an error in a text of one line.
    pub(crate) fn into_expected_and_found(self) -> (String, String) {
        (format!("{} at column {}", self.0.expected, self.0.column), self.0.found)
    }
}

impl fmt::Display for JsonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Cause { expected, found, line, column, .. } = &*self.0;
        write!(f, "line {line}, column {column}: expected {expected}, found {found}")
    }
}

impl fmt::Debug for JsonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "JsonError({:?}: {self})", self.kind())
    }
}

impl error::Error for JsonError {}

/// The text of these bytes.
pub(crate) fn text_of(bytes: &[u8]) -> Result<&str, JsonError> {
    std::str::from_utf8(bytes).map_err(|error| {
        let (before, rest) = bytes.split_at(error.valid_up_to());
        let before = std::str::from_utf8(before).unwrap_or_default();
        let found = rest.first().copied().unwrap_or_default();
        JsonError::new(JsonErrorKind::Utf8, "UTF-8".to_owned(), format!("byte 0x{found:02x}"), before)
    })
}

/// A place in a text.
#[derive(Clone, Copy)]
pub(crate) struct Cursor<'t> {
    pub(crate) text: &'t str,
    pub(crate) at: usize,
}

/// A part of a string: a run of plain characters, and what ends it.
pub(crate) struct Part {
    pub(crate) run: Range<usize>,
    /// The character that an escape stands for; `None` where the closing quote was read.
    pub(crate) escaped: Option<char>,
}

/// A number's parts, as places in the text.
pub(crate) struct Number {
    pub(crate) lexeme: Range<usize>,
    pub(crate) integer: Range<usize>,
    pub(crate) fraction: Range<usize>,
    /// With its sign.
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

    /// The next byte that is no blank.
    #[inline]
    pub(crate) fn token(&mut self) -> Option<u8> {
        loop {
            match self.peek() {
                Some(b' ' | b'\n' | b'\r' | b'\t') => self.at += 1,
                other => return other,
            }
        }
    }

    /// Reads `token`, after blanks.
    #[inline]
    pub(crate) fn expect(&mut self, token: u8, expected: &str) -> Result<(), JsonError> {
        if self.token() == Some(token) {
            self.at += 1;
            Ok(())
        } else {
            Err(self.unexpected(expected))
        }
    }

    /// Reads blanks to the end of the text.
    pub(crate) fn end(&mut self) -> Result<(), JsonError> {
        match self.token() {
            None => Ok(()),
            Some(_) => Err(self.unexpected("the end of the text")),
        }
    }

    /// After a value within an object or an array: `true` when another follows.
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

    #[cold]
    pub(crate) fn error(&self, kind: JsonErrorKind, expected: String, found: String) -> JsonError {
        let before = self.text.get(..self.at).unwrap_or(self.text);
        JsonError::new(kind, expected, found, before)
    }

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

    #[inline]
    pub(crate) fn literal(&mut self, literal: &str) -> Result<(), JsonError> {
        if self.text.as_bytes()[self.at..].starts_with(literal.as_bytes()) {
            self.at += literal.len();
            Ok(())
        } else {
            Err(self.unexpected("a value"))
        }
    }

    /// The next part of a string, whose opening quote was read.
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

    /// After `\u`. `start` is the place of the backslash.
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

    /// One or more.
    #[inline]
    fn digits(&mut self) -> Result<Range<usize>, JsonError> {
        let start = self.at;
        while let Some(b'0'..=b'9') = self.peek() {
            self.at += 1;
        }
        if self.at == start { Err(self.unexpected("a digit")) } else { Ok(start..self.at) }
    }
}

/// The place of the first byte from `at` on that ends a run of plain characters in a string: a quote, a backslash, or
/// a byte below 0x20. Eight bytes at a time.
#[inline]
fn plain_until(bytes: &[u8], mut at: usize) -> usize {
    const ONES: u64 = u64::from_ne_bytes([1; 8]);
    const TOPS: u64 = ONES << 7;
    // Sets the top bit of each byte below `limit`, and perhaps of bytes above the lowest such one.
    let below = |word: u64, limit: u8| word.wrapping_sub(ONES * u64::from(limit)) & !word & TOPS;

    while let Some(chunk) = bytes.get(at..).and_then(|rest| rest.first_chunk::<8>()) {
        let word = u64::from_le_bytes(*chunk);
        let special = below(word, 0x20)
            | below(word ^ (ONES * u64::from(b'"')), 1)
            | below(word ^ (ONES * u64::from(b'\\')), 1);
        if special != 0 {
            return at + special.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    while bytes.get(at).is_some_and(|&byte| byte >= 0x20 && byte != b'"' && byte != b'\\') {
        at += 1;
    }
    at
}

/// The characters of a string that was read before, from behind its opening quote on.
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
    use super::plain_until;

    #[test]
    fn a_run_ends_at_the_first_special_byte_wherever_it_stands() {
        for len in 0..40 {
            for at in 0..=len {
                for special in [b'"', b'\\', 0, 1, 0x1f, b'\n'] {
                    // What stands behind it must not matter, nor bytes that differ from it in one bit.
                    for around in [b'a', b'!', b'#', b'[', b']', b' ', 0x7f, 0x80, 0x9f, 0xa2, 0xdc, 0xff] {
                        let mut bytes = vec![around; len];
                        bytes.splice(at.., [special]);
                        bytes.resize(len + 1, special);
                        assert_eq!(plain_until(&bytes, 0), at, "{bytes:?}");
                    }
                }
                assert_eq!(plain_until(&vec![b'a'; len], at), len);
            }
        }
    }
}
