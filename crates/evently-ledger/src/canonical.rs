//! Canonical JSON: one line, no blanks, members in the order of their keys, numbers and strings written in one way.

use crate::{
    json::{self, Cursor, JsonError, JsonErrorKind, Number, Part, text_of},
    number,
};
use sortid_core::HEX;
use std::{cmp::Ordering, convert::Infallible, marker::PhantomData};

/// Arrays and objects in one another.
const MOST_DEPTH: usize = 512;

/// What is in order goes to the sink each time that so much was read; so memory does not grow with a text that is in
/// order.
const SPILL: usize = 1 << 16;

/// How much longer than the text what is kept of it may be: `1e131071` is a short number.
const MOST_WRITTEN_OUT: usize = 1 << 24;

/// The canonical form of a JSON text.
///
/// Members are ordered by their keys, by code point, at every depth; of members with the same key the last counts.
/// Numbers stay as they were written, with their exponents written out and without the sign of a negative zero. Of
/// the characters of a string only `"`, `\` and those below U+0020 are escaped.
///
/// ```
/// use evently_ledger::canonical_json;
///
/// assert_eq!(canonical_json(r#"{"b": 1e3, "a": [-0.0, 1.50], "b": "\u00e9\/"}"#)?, r#"{"a":[0.0,1.50],"b":"é/"}"#);
/// let error = canonical_json(r#"{"a": 1,}"#).unwrap_err();
/// assert_eq!(error.to_string(), "line 1, column 9: expected a key, found '}'");
/// # Ok::<(), evently_ledger::JsonError>(())
/// ```
///
/// # Errors
///
/// When the text is no JSON, nests more than 512 arrays and objects, has half a surrogate pair, or an exponent that
/// prints more than 131 072 digits before the point or 16 383 after it.
pub fn canonical_json(text: &str) -> Result<String, JsonError> {
    let mut writer = CanonicalWriter::new();
    writer.whole::<Canonical>(text)?;
    Ok(writer.out)
}

/// Writes canonical JSON to any sink, and keeps its memory from one text to the next.
///
/// Objects that are in order are passed on in pieces, however long they are; memory grows with the widest object that is
/// out of order. A text of more than 64 KiB is read once before that: nothing is written of a text with an error, and
/// an object has to be known to be in order before its beginning is passed on.
///
/// ```
/// use evently_ledger::CanonicalWriter;
/// use std::{fmt::Write as _, io::Write as _};
///
/// let mut writer = CanonicalWriter::new();
///
/// let mut text = String::new();
/// writer.write(b"[1, 2]", |piece| text.write_str(piece))?;
/// assert_eq!(text, "[1,2]");
///
/// let mut file = vec![];
/// writer.write(br#"{"b": 2, "a": 1}"#, |piece| file.write_all(piece.as_bytes()))?;
/// assert_eq!(file, br#"{"a":1,"b":2}"#);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Default)]
pub struct CanonicalWriter {
    out: String,
    members: Vec<Member>,
    /// Where the objects begin that are out of order, and are wide.
    wide: Vec<usize>,
    /// Where members are put into order.
    scratch: String,
}

/// Why [`CanonicalWriter::write`] did not write all.
#[derive(Debug)]
pub enum WriteError<E> {
    /// The text is no JSON. Nothing was written.
    Json(JsonError),
    /// The sink failed.
    Sink(E),
}

impl<E: std::fmt::Display> std::fmt::Display for WriteError<E> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Json(error) => error.fmt(f),
            Self::Sink(error) => error.fmt(f),
        }
    }
}

impl<E: std::error::Error + 'static> std::error::Error for WriteError<E> {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Json(error) => Some(error),
            Self::Sink(error) => Some(error),
        }
    }
}

impl<E> From<JsonError> for WriteError<E> {
    fn from(error: JsonError) -> Self {
        Self::Json(error)
    }
}

impl CanonicalWriter {
    /// A writer with no memory yet.
    #[must_use]
    pub const fn new() -> Self {
        Self { out: String::new(), members: Vec::new(), wide: Vec::new(), scratch: String::new() }
    }

    /// Writes the canonical form of `json` to `sink`, piece by piece.
    ///
    /// # Errors
    ///
    /// `Json` where [`canonical_json`] errs, or when `json` is no UTF-8; `Sink` when the sink does.
    pub fn write<E>(
        &mut self,
        json: &[u8],
        mut sink: impl FnMut(&str) -> Result<(), E>,
    ) -> Result<(), WriteError<E>> {
        let text = text_of(json)?;
        self.clear();
        self.wide.clear();
        let mut has_spilled = false;
        let mut cursor = Cursor::new(text);
        let look = |_: &str| {
            has_spilled = true;
            Ok(())
        };
        never_by_sink(self.pass::<Canonical, Infallible>(&mut cursor, Some(look), true))?;
        cursor.end()?;
        if has_spilled || !self.wide.is_empty() {
            self.clear();
            self.wide.sort_unstable();
            let result = self.pass::<Canonical, E>(&mut Cursor::new(text), Some(&mut sink), false);
            result.map_err(|stop| match stop {
                Stop::Json(error) => WriteError::Json(error),
                Stop::Sink(error) => WriteError::Sink(error),
            })?;
        }
        sink(&self.out).map_err(WriteError::Sink)
    }

    /// The form of `text`, as a whole.
    pub(crate) fn whole<S: Style>(&mut self, text: &str) -> Result<&str, JsonError> {
        self.clear();
        let mut cursor = Cursor::new(text);
        self.append::<S>(&mut cursor)?;
        cursor.end()?;
        Ok(&self.out)
    }

    pub(crate) fn clear(&mut self) {
        self.out.clear();
    }

    /// What was appended since the last [`clear`](Self::clear).
    pub(crate) fn out(&self) -> &str {
        &self.out
    }

    /// Appends the canonical form of the value at the cursor.
    pub(crate) fn append<S: Style>(&mut self, cursor: &mut Cursor<'_>) -> Result<(), JsonError> {
        self.wide.clear();
        never_by_sink(self.pass::<S, Infallible>(cursor, None::<fn(&str) -> _>, true))
    }

    /// Appends the characters of the string at the cursor, whose opening quote was read.
    pub(crate) fn append_string(&mut self, cursor: &mut Cursor<'_>) -> Result<(), JsonError> {
        loop {
            let Part { run, escaped } = cursor.string_part()?;
            self.out.push_str(&cursor.text[run]);
            match escaped {
                Some(char) => self.out.push(char),
                None => return Ok(()),
            }
        }
    }

    /// `out` is the end of the canonical form, of which `sink` got the beginning. The first pass notes the wide objects
    /// that are out of order, and leaves them so; the second knows them.
    fn pass<S: Style, E>(
        &mut self,
        cursor: &mut Cursor<'_>,
        sink: Option<impl FnMut(&str) -> Result<(), E>>,
        is_first: bool,
    ) -> Result<(), Stop<E>> {
        self.members.clear();
        let next_spill = if sink.is_some() { SPILL } else { usize::MAX };
        Pass {
            style: PhantomData::<S>,
            writer: self,
            cursor,
            sink,
            is_first,
            written_out: 0,
            next_spill,
            opened: None,
            spilled_depth: 0,
            unordered: 0,
        }
        .value(0)
    }
}

fn never_by_sink(result: Result<(), Stop<Infallible>>) -> Result<(), JsonError> {
    result.map_err(|stop| match stop {
        Stop::Json(error) => error,
        Stop::Sink(never) => match never {},
    })
}

/// How values are put together, and their members ordered.
pub(crate) trait Style {
    const COLON: &str;
    const COMMA: &str;

    /// The order of two keys, each given as a place in the text behind its opening quote, its length in bytes, and
    /// whether escapes are in it.
    fn order(text: &str, a: Key, b: Key) -> Ordering;
}

/// The form of this module's name.
pub(crate) struct Canonical;

impl Style for Canonical {
    const COLON: &str = ":";
    const COMMA: &str = ",";

    #[inline]
    fn order(text: &str, a: Key, b: Key) -> Ordering {
        match (a.plain(text), b.plain(text)) {
            (Some(a), Some(b)) => a.cmp(b),
            // By code points, which is by UTF-8 bytes.
            _ => json::chars(text, a.at).cmp(json::chars(text, b.at)),
        }
    }
}

/// As PostgreSQL prints its type `jsonb`.
pub(crate) struct Jsonb;

impl Style for Jsonb {
    const COLON: &str = ": ";
    const COMMA: &str = ", ";

    fn order(text: &str, a: Key, b: Key) -> Ordering {
        let [a, b] = [a, b].map(|key| json::chars(text, key.at).collect::<String>());
        (a.len(), a).cmp(&(b.len(), b))
    }
}

/// A key, as it stands in the text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Key {
    /// Behind the opening quote.
    at: usize,
    /// In bytes, with escapes as they were written.
    len: usize,
    has_escapes: bool,
}

impl Key {
    #[inline]
    fn plain(self, text: &str) -> Option<&[u8]> {
        if self.has_escapes { None } else { text.as_bytes().get(self.at..self.at + self.len) }
    }
}

/// A member of an object that has not been closed, and where it stands in `out`.
#[derive(Clone, Copy, Debug)]
struct Member {
    key: Key,
    start: usize,
    end: usize,
}

/// Why a pass ended before the text did.
enum Stop<E> {
    Json(JsonError),
    Sink(E),
}

impl<E> From<JsonError> for Stop<E> {
    fn from(error: JsonError) -> Self {
        Self::Json(error)
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Order {
    Kept,
    /// To be mended when the object closes: until then nothing goes to the sink.
    Broken,
    /// To be mended by the second pass.
    Noted,
}

/// One pass over a value.
struct Pass<'p, 't, S, F> {
    style: PhantomData<S>,
    writer: &'p mut CanonicalWriter,
    cursor: &'p mut Cursor<'t>,
    sink: Option<F>,
    is_first: bool,
    /// Digits that exponents printed.
    written_out: usize,
    /// The [progress](Self::progress) from which on `out` may go to the sink.
    next_spill: usize,
    /// The progress at which the innermost open object began.
    opened: Option<usize>,
    /// Of the open objects and arrays, the outermost so many began before what is in `out`.
    spilled_depth: usize,
    /// How many of the open objects are out of order.
    unordered: usize,
}

impl<S: Style, E, F: FnMut(&str) -> Result<(), E>> Pass<'_, '_, S, F> {
    /// The value at the cursor, within so many arrays and objects.
    fn value(&mut self, depth: usize) -> Result<(), Stop<E>> {
        match self.cursor.token() {
            Some(b'"') => {
                self.cursor.at += 1;
                self.string(depth)?;
            }
            Some(b'-' | b'0'..=b'9') => {
                let number = self.cursor.number()?;
                self.number(&number)?;
            }
            Some(b'{') => self.object(self.deeper(depth)?)?,
            Some(b'[') => self.array(self.deeper(depth)?)?,
            Some(b't') => self.literal("true")?,
            Some(b'f') => self.literal("false")?,
            Some(b'n') => self.literal("null")?,
            _ => return Err(self.cursor.unexpected("a value").into()),
        }
        if self.progress() >= self.next_spill {
            self.spill(depth)?;
        }
        Ok(())
    }

    /// How much was read, and written beyond that. What is written is never more.
    #[inline]
    fn progress(&self) -> usize {
        self.cursor.at + self.written_out
    }

    /// Whether an object that was opened at this progress is so wide that its beginning may be with the sink. Each pass
    /// finds the same.
    #[inline]
    fn is_wide(&self, opened: usize) -> bool {
        self.sink.is_some() && self.progress() - opened >= SPILL
    }

    #[inline]
    fn number(&mut self, number: &Number) -> Result<(), JsonError> {
        let out = &mut self.writer.out;
        let before = out.len();
        if number::write(self.cursor.text, number, out).is_err() {
            self.cursor.at = number.lexeme.start;
            let expected =
                "an exponent that prints at most 131072 digits before the point and 16383 after it";
            return Err(self.exponent_error(expected));
        }
        if number.exponent.is_some() {
            self.written_out += out.len() - before;
            if out.len() > self.cursor.text.len() + MOST_WRITTEN_OUT {
                return Err(self.exponent_error("exponents that print at most 16777216 digits in all"));
            }
        }
        Ok(())
    }

    fn literal(&mut self, literal: &str) -> Result<(), JsonError> {
        self.cursor.literal(literal)?;
        self.writer.out.push_str(literal);
        Ok(())
    }

    #[cold]
    fn exponent_error(&self, expected: &str) -> JsonError {
        self.cursor.error(JsonErrorKind::Exponent, expected.to_owned(), "one that prints more".to_owned())
    }

    #[inline]
    fn deeper(&self, depth: usize) -> Result<usize, JsonError> {
        if depth < MOST_DEPTH {
            return Ok(depth + 1);
        }
        let expected = format!("at most {MOST_DEPTH} arrays and objects in one another");
        Err(self.cursor.error(JsonErrorKind::Depth, expected, "more".to_owned()))
    }

    /// At the opening bracket.
    fn array(&mut self, depth: usize) -> Result<(), Stop<E>> {
        self.cursor.at += 1;
        self.writer.out.push('[');
        if self.cursor.token() == Some(b']') {
            self.cursor.at += 1;
        } else {
            loop {
                self.value(depth)?;
                if !self.cursor.comma_or(b']', "',' or ']'")? {
                    break;
                }
                self.writer.out.push_str(S::COMMA);
            }
        }
        self.writer.out.push(']');
        self.spilled_depth = self.spilled_depth.min(depth - 1);
        Ok(())
    }

    /// At the opening brace.
    fn object(&mut self, depth: usize) -> Result<(), Stop<E>> {
        let outer = self.opened.replace(self.progress());
        self.cursor.at += 1;
        self.writer.out.push('{');
        if self.cursor.token() == Some(b'}') {
            self.cursor.at += 1;
        } else {
            self.members(depth)?;
        }
        self.opened = outer;
        self.writer.out.push('}');
        self.spilled_depth = self.spilled_depth.min(depth - 1);
        Ok(())
    }

    fn members(&mut self, depth: usize) -> Result<(), Stop<E>> {
        let first = self.writer.members.len();
        let opened = self.opened.unwrap_or_default();
        let is_known = !self.is_first && self.writer.wide.binary_search(&opened).is_ok();
        let mut order = if is_known { Order::Broken } else { Order::Kept };
        self.unordered += usize::from(is_known);
        let mut last: Option<Key> = None;
        loop {
            self.cursor.expect(b'"', "a key")?;
            let start = self.writer.out.len();
            let key = self.string(depth)?;
            if order == Order::Kept
                && last.is_some_and(|last| S::order(self.cursor.text, last, key) != Ordering::Less)
            {
                if self.is_wide(opened) {
                    order = Order::Noted;
                    self.writer.wide.push(opened);
                } else {
                    order = Order::Broken;
                    self.unordered += 1;
                }
            }
            last = Some(key);
            self.cursor.expect(b':', "':'")?;
            self.writer.out.push_str(S::COLON);
            let member = self.writer.members.len();
            if depth > self.spilled_depth {
                self.writer.members.push(Member { key, start, end: start });
            }
            self.value(depth)?;
            if depth > self.spilled_depth {
                self.writer.members[member].end = self.writer.out.len();
            }
            if !self.cursor.comma_or(b'}', "',' or '}'")? {
                break;
            }
            self.writer.out.push_str(S::COMMA);
        }
        if order == Order::Broken {
            self.unordered -= 1;
            self.put_in_order(first);
        }
        self.writer.members.truncate(first);
        Ok(())
    }

    /// The members from `first` on are all of an object, and the end of `out`.
    fn put_in_order(&mut self, first: usize) {
        let CanonicalWriter { out, members, scratch, .. } = &mut *self.writer;
        let members = &mut members[first..];
        let start = members[0].start;
        // Stable: of equal keys the last one stays the last.
        members.sort_by(|a, b| S::order(self.cursor.text, a.key, b.key));
        scratch.clear();
        for (index, member) in members.iter().enumerate() {
            let is_overridden = members
                .get(index + 1)
                .is_some_and(|next| S::order(self.cursor.text, member.key, next.key) == Ordering::Equal);
            if !is_overridden {
                scratch.push_str(&out[member.start..member.end]);
                scratch.push_str(S::COMMA);
            }
        }
        out.truncate(start);
        out.push_str(&scratch[..scratch.len() - S::COMMA.len()]);
    }

    /// Behind the opening quote.
    #[inline]
    fn string(&mut self, depth: usize) -> Result<Key, Stop<E>> {
        let at = self.cursor.at;
        let mut has_escapes = false;
        self.writer.out.push('"');
        loop {
            let Part { run, escaped } = self.cursor.string_part()?;
            if self.progress() < self.next_spill {
                self.writer.out.push_str(&self.cursor.text[run]);
            } else {
                self.last_run(&self.cursor.text[run], depth)?;
            }
            let Some(char) = escaped else { break };
            has_escapes = true;
            push_escaped(char, &mut self.writer.out);
        }
        self.writer.out.push('"');
        Ok(Key { at, len: self.cursor.at - 1 - at, has_escapes })
    }

    /// A part of a string, however long, behind which `out` goes to the sink.
    #[cold]
    fn last_run(&mut self, run: &str, depth: usize) -> Result<(), Stop<E>> {
        self.spill(depth)?;
        let may_spill = self.may_spill();
        match &mut self.sink {
            Some(sink) if may_spill => sink(run).map_err(Stop::Sink),
            _ => {
                self.writer.out.push_str(run);
                Ok(())
            }
        }
    }

    /// Whether all that `out` holds is in its place, for all that is known.
    fn may_spill(&self) -> bool {
        self.unordered == 0 && self.opened.is_none_or(|opened| self.is_wide(opened))
    }

    /// Passes `out` on, if it may; the cursor is within so many arrays and objects.
    #[cold]
    fn spill(&mut self, depth: usize) -> Result<(), Stop<E>> {
        if self.may_spill()
            && let Some(sink) = &mut self.sink
        {
            self.next_spill = self.cursor.at + self.written_out + SPILL;
            sink(&self.writer.out).map_err(Stop::Sink)?;
            self.writer.out.clear();
            self.writer.members.clear();
            self.spilled_depth = depth;
        }
        Ok(())
    }
}

/// A character of a string, as canonical JSON writes it.
pub(crate) fn push_escaped(char: char, out: &mut String) {
    match char {
        '"' => out.push_str("\\\""),
        '\\' => out.push_str("\\\\"),
        '\u{8}' => out.push_str("\\b"),
        '\u{c}' => out.push_str("\\f"),
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        '\t' => out.push_str("\\t"),
        '\0'..' ' => {
            let mut digits = [0; 2];
            HEX.put(char.into(), &mut digits, 0, 2);
            out.push_str("\\u00");
            out.extend(digits.map(char::from));
        }
        _ => out.push(char),
    }
}
