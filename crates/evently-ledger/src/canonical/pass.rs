//! A pass over a JSON text, which writes its canonical form. There is no tree.
//!
//! # One pass
//!
//! The pass reads the text once, and appends each value to the output as it will be in the end. Only an object whose
//! keys do not ascend is changed again: when it closes, its members are ranges of the output, and the pass puts these
//! ranges in order. For `{"b": {"d": 1, "c": 2}, "a": 3}`:
//!
//! | read so far | output | what happened |
//! |---|---|---|
//! | `{"b": {"d": 1, "c"` | `{"b":{"d":1,"c"` | "c" is less than "d": sort the inner object when it closes |
//! | `{"b": {"d": 1, "c": 2}` | `{"b":{"c":2,"d":1}` | the inner object closed: its two members changed places |
//! | `{"b": {"d": 1, "c": 2}, "a"` | `{"b":{"c":2,"d":1},"a"` | "a" is less than "b": sort the outer object too |
//! | all | `{"a":3,"b":{"c":2,"d":1}}` | the outer object closed |
//!
//! So text that is in order is copied once, only an object that is out of order is sorted, and memory is the output.
//!
//! # Two passes
//!
//! [`CanonicalWriter`](crate::CanonicalWriter) passes the output on to a sink while the text is read, in pieces, so that
//! memory does not grow with the text. But a sink cannot give back the beginning of an object, and the last key of an
//! object may be the first that is out of order. So a text of more than 64 KiB, exponents expanded, may take two passes:
//!
//! 1. The first pass, the *survey*, finds all errors. It also notes each *wide* object that is out of order: an object
//!    that had been open for 64 KiB or more when a key did not ascend. If it noted and flushed nothing, the output is
//!    complete, and there is no second pass.
//! 2. The second pass gives the output to the sink. It sorts a noted object as any other: it knows from the beginning of
//!    the object that it has to keep it.
//!
//! Both passes flush the output under the same two conditions, the first pass into nowhere. What they flush is final:
//!
//! - No open object is known to be out of order. Such an object has to be in the output as a whole when it closes.
//! - The innermost open object, if there is one, is wide; then all open objects are. If one of them turned out to be out of
//!   order later, the survey would have noted it, and the second pass would not flush.
//!
//! In both passes, an object begins at the same *progress*: the number of bytes read, and of digits that exponents added. It
//! identifies an object, and it bounds the length of the output, because all else is as long as the text or shorter.
//! Counting the digits matters: `1e131071` is a short number.

use crate::{
    canonical::{
        number,
        string::push_escaped,
        style::{Key, Style},
    },
    error::{JsonError, JsonErrorKind},
    json::{Cursor, Number, Part},
};
use std::{cmp::Ordering, convert::Infallible, marker::PhantomData};

/// The most arrays and objects that may be nested.
const MAX_DEPTH: usize = 512;

/// The progress, in bytes, between two flushes, and the progress that makes an object wide.
const PIECE: usize = 1 << 16;

/// How many bytes the output in memory may be longer than the text.
const MAX_EXPANSION: usize = 1 << 24;

/// The canonical form as it is written, and the memory that a pass needs. Reused from text to text.
#[derive(Debug, Default)]
pub(crate) struct Output {
    /// The canonical form, without the part that the sink already has.
    text: String,
    /// The members of all open objects, those of the outermost object first.
    members: Vec<Member>,
    /// Where the members of an object are put in order.
    scratch: String,
}

/// A member of an open object, as a range of the output.
#[derive(Clone, Copy, Debug)]
struct Member {
    key: Key,
    start: usize,
    end: usize,
}

/// What the first of two passes found.
pub(crate) struct Survey {
    has_flushed: bool,
    /// The progress at which each wide object that is out of order begins, in ascending order.
    wide_unordered: Vec<usize>,
}

impl Survey {
    /// Whether the output holds the canonical form already, and no second pass is needed.
    pub(crate) fn is_output_complete(&self) -> bool {
        !self.has_flushed && self.wide_unordered.is_empty()
    }
}

/// Why a pass ended before the text did.
pub(crate) enum Stop<E> {
    Json(JsonError),
    Sink(E),
}

impl<E> From<JsonError> for Stop<E> {
    fn from(error: JsonError) -> Self {
        Self::Json(error)
    }
}

/// The error of a pass whose sink never fails.
impl From<Stop<Infallible>> for JsonError {
    fn from(stop: Stop<Infallible>) -> Self {
        match stop {
            Stop::Json(error) => error,
            Stop::Sink(never) => match never {},
        }
    }
}

impl Output {
    pub(crate) const fn new() -> Self {
        Self { text: String::new(), members: Vec::new(), scratch: String::new() }
    }

    /// The output since the last [`clear`](Self::clear) or flush.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    pub(crate) fn into_text(self) -> String {
        self.text
    }

    pub(crate) fn clear(&mut self) {
        self.text.clear();
    }

    /// Replaces the output by `json` in the style `S`.
    pub(crate) fn rewrite<S: Style>(&mut self, json: &str) -> Result<&str, JsonError> {
        self.clear();
        let mut cursor = Cursor::new(json);
        self.append::<S>(&mut cursor)?;
        cursor.end()?;
        Ok(&self.text)
    }

    /// Appends the value at the cursor in the style `S`, in one pass.
    pub(crate) fn append<S: Style>(&mut self, cursor: &mut Cursor<'_>) -> Result<(), JsonError> {
        let no_sink = None::<fn(&str) -> Result<(), Infallible>>;
        Ok(Pass::<S, _>::new(self, cursor, no_sink, &[]).value(0)?)
    }

    /// Appends the characters of the string at the cursor, which is behind the opening quote.
    pub(crate) fn append_string(&mut self, cursor: &mut Cursor<'_>) -> Result<(), JsonError> {
        loop {
            let Part { run, escaped } = cursor.string_part()?;
            self.text.push_str(&cursor.text[run]);
            match escaped {
                Some(char) => self.text.push(char),
                None => return Ok(()),
            }
        }
    }

    /// The first of two passes, over the value at the cursor. Replaces the output.
    pub(crate) fn survey<S: Style>(&mut self, cursor: &mut Cursor<'_>) -> Result<Survey, JsonError> {
        self.clear();
        let mut has_flushed = false;
        let sink = |_: &str| {
            has_flushed = true;
            Ok::<_, Infallible>(())
        };
        let mut pass = Pass::<S, _>::new(self, cursor, Some(sink), &[]);
        pass.value(0)?;
        let mut wide_unordered = pass.wide_unordered;
        wide_unordered.sort_unstable();
        Ok(Survey { has_flushed, wide_unordered })
    }

    /// The second of two passes, over the same text. The end of the canonical form, which the sink does not have, is the
    /// output.
    pub(crate) fn write_surveyed<S: Style, E>(
        &mut self,
        json: &str,
        survey: &Survey,
        sink: impl FnMut(&str) -> Result<(), E>,
    ) -> Result<(), Stop<E>> {
        self.clear();
        Pass::<S, _>::new(self, &mut Cursor::new(json), Some(sink), &survey.wide_unordered).value(0)
    }
}

/// The order of an object's keys, as far as they were read.
#[derive(Clone, Copy, PartialEq)]
enum KeyOrder {
    Ascending,
    /// The object is sorted when it closes. Until then, nothing is flushed.
    Unordered,
    /// The object was already wide when a key did not ascend. It is noted for the second pass, and this pass leaves it.
    Noted,
}

/// One pass over a value.
struct Pass<'p, 't, S, F> {
    style: PhantomData<S>,
    output: &'p mut Output,
    cursor: &'p mut Cursor<'t>,
    /// Where the output is flushed; `None` to keep all of it.
    sink: Option<F>,
    /// The wide objects that are out of order, as the survey found them: empty in a first or only pass.
    surveyed: &'p [usize],
    /// The wide objects that this pass found to be out of order.
    wide_unordered: Vec<usize>,
    /// How many digits exponents have added to the output.
    expanded: usize,
    /// The [progress](Self::progress) at which to try the next flush.
    flush_at: usize,
    /// The progress at which the innermost open object began.
    object_start: Option<usize>,
    /// How many of the open arrays and objects, from the outermost on, began before the last flush. Their beginnings are
    /// not in the output, so their members are not noted.
    flushed_depth: usize,
    /// How many of the open objects are known to be out of order.
    unordered_open: usize,
}

impl<'p, 't, S: Style, E, F: FnMut(&str) -> Result<(), E>> Pass<'p, 't, S, F> {
    #[inline]
    fn new(
        output: &'p mut Output,
        cursor: &'p mut Cursor<'t>,
        sink: Option<F>,
        surveyed: &'p [usize],
    ) -> Self {
        output.members.clear();
        let flush_at = if sink.is_some() { PIECE } else { usize::MAX };
        Self {
            style: PhantomData,
            output,
            cursor,
            sink,
            surveyed,
            wide_unordered: Vec::new(),
            expanded: 0,
            flush_at,
            object_start: None,
            flushed_depth: 0,
            unordered_open: 0,
        }
    }

    /// Writes the value at the cursor, which `depth` arrays and objects enclose.
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
        if self.progress() >= self.flush_at {
            self.flush(depth)?;
        }
        Ok(())
    }

    /// The bytes read, and the digits that exponents added. At most so much was written.
    #[inline]
    fn progress(&self) -> usize {
        self.cursor.at + self.expanded
    }

    /// Whether an object that began at this progress is so wide that its beginning may have been flushed.
    #[inline]
    fn is_wide(&self, object_start: usize) -> bool {
        self.sink.is_some() && self.progress() - object_start >= PIECE
    }

    #[inline]
    fn number(&mut self, number: &Number) -> Result<(), JsonError> {
        let out = &mut self.output.text;
        let before = out.len();
        if number::write(self.cursor.text, number, out).is_err() {
            self.cursor.at = number.lexeme.start;
            let expected =
                "an exponent that expands to at most 131072 digits before the point and 16383 after it";
            return Err(self.exponent_error(expected));
        }
        if number.exponent.is_some() {
            self.expanded += out.len() - before;
            if out.len() > self.cursor.text.len() + MAX_EXPANSION {
                return Err(self.exponent_error("exponents that expand to at most 16777216 digits in total"));
            }
        }
        Ok(())
    }

    fn literal(&mut self, literal: &str) -> Result<(), JsonError> {
        self.cursor.literal(literal)?;
        self.output.text.push_str(literal);
        Ok(())
    }

    #[cold]
    fn exponent_error(&self, expected: &str) -> JsonError {
        self.cursor.error(JsonErrorKind::Exponent, expected.to_owned(), "more".to_owned())
    }

    /// The depth within the array or object at the cursor.
    #[inline]
    fn deeper(&self, depth: usize) -> Result<usize, JsonError> {
        if depth < MAX_DEPTH {
            return Ok(depth + 1);
        }
        let expected = format!("at most {MAX_DEPTH} nested arrays and objects");
        Err(self.cursor.error(JsonErrorKind::Depth, expected, "more".to_owned()))
    }

    /// Writes the array at the cursor, which is the `depth`th that is open, objects included.
    fn array(&mut self, depth: usize) -> Result<(), Stop<E>> {
        self.cursor.at += 1;
        self.output.text.push('[');
        if self.cursor.token() == Some(b']') {
            self.cursor.at += 1;
        } else {
            loop {
                self.value(depth)?;
                if !self.cursor.comma_or(b']', "',' or ']'")? {
                    break;
                }
                self.output.text.push_str(S::COMMA);
            }
        }
        self.output.text.push(']');
        self.flushed_depth = self.flushed_depth.min(depth - 1);
        Ok(())
    }

    /// Writes the object at the cursor, which is the `depth`th that is open, arrays included.
    fn object(&mut self, depth: usize) -> Result<(), Stop<E>> {
        let outer_start = self.object_start.replace(self.progress());
        self.cursor.at += 1;
        self.output.text.push('{');
        if self.cursor.token() == Some(b'}') {
            self.cursor.at += 1;
        } else {
            self.members(depth)?;
        }
        self.object_start = outer_start;
        self.output.text.push('}');
        self.flushed_depth = self.flushed_depth.min(depth - 1);
        Ok(())
    }

    /// Writes the members of an object, and reads its closing brace.
    fn members(&mut self, depth: usize) -> Result<(), Stop<E>> {
        let first_member = self.output.members.len();
        let object_start = self.object_start.unwrap_or_default();
        let is_surveyed = self.surveyed.binary_search(&object_start).is_ok();
        let mut order = if is_surveyed { KeyOrder::Unordered } else { KeyOrder::Ascending };
        self.unordered_open += usize::from(is_surveyed);
        let mut last_key: Option<Key> = None;
        loop {
            self.cursor.expect(b'"', "a key")?;
            let start = self.output.text.len();
            let key = self.string(depth)?;
            if order == KeyOrder::Ascending
                && last_key.is_some_and(|last| S::order(self.cursor.text, last, key) != Ordering::Less)
            {
                if self.is_wide(object_start) {
                    order = KeyOrder::Noted;
                    self.wide_unordered.push(object_start);
                } else {
                    order = KeyOrder::Unordered;
                    self.unordered_open += 1;
                }
            }
            last_key = Some(key);
            self.cursor.expect(b':', "':'")?;
            self.output.text.push_str(S::COLON);
            let member = self.output.members.len();
            if depth > self.flushed_depth {
                self.output.members.push(Member { key, start, end: start });
            }
            self.value(depth)?;
            if depth > self.flushed_depth {
                self.output.members[member].end = self.output.text.len();
            }
            if !self.cursor.comma_or(b'}', "',' or '}'")? {
                break;
            }
            self.output.text.push_str(S::COMMA);
        }
        if order == KeyOrder::Unordered {
            self.unordered_open -= 1;
            self.sort_members(first_member);
        }
        self.output.members.truncate(first_member);
        Ok(())
    }

    /// Puts the members of an object in order: all members from `first` on, which are the end of the output.
    fn sort_members(&mut self, first: usize) {
        let Output { text, members, scratch } = &mut *self.output;
        let members = &mut members[first..];
        let start = members[0].start;
        // The sort is stable: of members with equal keys, the last stays the last.
        members.sort_by(|a, b| S::order(self.cursor.text, a.key, b.key));
        scratch.clear();
        for (index, member) in members.iter().enumerate() {
            let is_overridden = members
                .get(index + 1)
                .is_some_and(|next| S::order(self.cursor.text, member.key, next.key) == Ordering::Equal);
            if !is_overridden {
                scratch.push_str(&text[member.start..member.end]);
                scratch.push_str(S::COMMA);
            }
        }
        text.truncate(start);
        text.push_str(&scratch[..scratch.len() - S::COMMA.len()]);
    }

    /// Writes the string at the cursor, which is behind the opening quote.
    #[inline]
    fn string(&mut self, depth: usize) -> Result<Key, Stop<E>> {
        let at = self.cursor.at;
        let mut has_escapes = false;
        self.output.text.push('"');
        loop {
            let Part { run, escaped } = self.cursor.string_part()?;
            if self.progress() < self.flush_at {
                self.output.text.push_str(&self.cursor.text[run]);
            } else {
                self.flush_with_run(&self.cursor.text[run], depth)?;
            }
            let Some(char) = escaped else { break };
            has_escapes = true;
            push_escaped(char, &mut self.output.text);
        }
        self.output.text.push('"');
        Ok(Key { at, len: self.cursor.at - 1 - at, has_escapes })
    }

    /// Writes a part of a string, of any length, past the output if that may be flushed.
    #[cold]
    fn flush_with_run(&mut self, run: &str, depth: usize) -> Result<(), Stop<E>> {
        self.flush(depth)?;
        let may_flush = self.may_flush();
        match &mut self.sink {
            Some(sink) if may_flush => sink(run).map_err(Stop::Sink),
            _ => {
                self.output.text.push_str(run);
                Ok(())
            }
        }
    }

    /// Whether the output is final. The head of this file explains the two conditions.
    fn may_flush(&self) -> bool {
        self.unordered_open == 0 && self.object_start.is_none_or(|start| self.is_wide(start))
    }

    /// Gives the output to the sink, if it is final. `depth` arrays and objects enclose the cursor.
    #[cold]
    fn flush(&mut self, depth: usize) -> Result<(), Stop<E>> {
        if self.may_flush()
            && let Some(sink) = &mut self.sink
        {
            self.flush_at = self.cursor.at + self.expanded + PIECE;
            sink(&self.output.text).map_err(Stop::Sink)?;
            self.output.text.clear();
            self.output.members.clear();
            self.flushed_depth = depth;
        }
        Ok(())
    }
}
