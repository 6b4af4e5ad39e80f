//! A pass over a JSON text, which writes its canonical form. There is no tree.
//!
//! # One pass
//!
//! The pass reads the text once, and appends the canonical form of each value to the output. Only an object whose
//! keys do not ascend is changed again: when it closes, its members are ranges of the output, and `output` puts these
//! ranges in order. It does so at once for the innermost objects, and for the others when the output is used. For
//! `{"b": {"d": 1, "c": 2}, "a": 3}`:
//!
//! | read so far | output | what happened |
//! |---|---|---|
//! | `{"b": {"d": 1, "c"` | `{"b":{"d":1,"c"` | "c" is less than "d": sort the inner object when it closes |
//! | `{"b": {"d": 1, "c": 2}` | `{"b":{"c":2,"d":1}` | the inner object closed: its two members changed places |
//! | `{"b": {"d": 1, "c": 2}, "a"` | `{"b":{"c":2,"d":1},"a"` | "a" is less than "b": sort the outer object too |
//! | all | `{"a":3,"b":{"c":2,"d":1}}` | the outer object closed |
//!
//! So text that is in order is copied once, only objects that are out of order are sorted, and the time is in
//! proportion to the text. The memory is the output, and the places of members that are out of order. Open objects
//! are in memory of the pass, so the depth of a text needs none of the caller's stack.
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
        frame::{Frame, KeyOrder, Kind},
        number,
        output::{MOST_MOVES, Member, Output},
        string::push_escaped,
        style::{Key, Style},
    },
    error::{JsonError, JsonErrorKind},
    json::{self, Cursor, Number, Part},
};
use std::{cmp::Ordering, convert::Infallible, marker::PhantomData};

/// The most arrays and objects that may be nested.
const MAX_DEPTH: usize = 512;

/// The progress, in bytes, between two flushes, and the progress that makes an object wide.
const PIECE: usize = 1 << 16;

/// The result of the first of two passes.
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
    /// Replaces the output by `json` in the style `S`.
    pub(crate) fn rewrite<S: Style>(&mut self, json: &str) -> Result<&str, JsonError> {
        self.clear();
        let mut cursor = Cursor::new(json);
        self.append::<S>(&mut cursor)?;
        cursor.end()?;
        Ok(&self.text)
    }

    /// Appends the value at the cursor in the style `S`, in one pass.
    #[inline(never)]
    pub(crate) fn append<S: Style>(&mut self, cursor: &mut Cursor<'_>) -> Result<(), JsonError> {
        let no_sink = None::<fn(&str) -> Result<(), Infallible>>;
        Ok(Pass::<S, _>::new(self, cursor, no_sink, &[]).run()?)
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
        pass.run()?;
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
        Pass::<S, _>::new(self, &mut Cursor::new(json), Some(sink), &survey.wide_unordered).run()
    }
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
    /// The innermost open array or object. The output has those around it.
    frame: Frame,
    /// How many digits exponents have added to the output.
    expanded: usize,
    /// The [progress](Self::progress) at which to try the next flush.
    flush_at: usize,
    /// The number of open arrays and objects, from the outermost on, that began before the last flush. The output no
    /// longer has their first bytes. So the pass does not note their members.
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
        let flush_at = if sink.is_some() { PIECE } else { usize::MAX };
        let frame = Frame {
            kind: Kind::Whole,
            order: KeyOrder::Ascending,
            object_start: None,
            first_member: 0,
            last_key: None,
            moves: 0,
        };
        Self {
            style: PhantomData,
            expanded: output.expanded,
            output,
            cursor,
            sink,
            surveyed,
            wide_unordered: Vec::new(),
            frame,
            flush_at,
            flushed_depth: 0,
            unordered_open: 0,
        }
    }

    /// Writes the value at the cursor.
    fn run(&mut self) -> Result<(), Stop<E>> {
        loop {
            if self.frame.kind == Kind::Object {
                self.key()?;
            }
            match self.cursor.token() {
                Some(b'"') => {
                    self.cursor.at += 1;
                    self.string()?;
                }
                Some(b'-' | b'0'..=b'9') => {
                    let number = self.cursor.number()?;
                    self.number(&number)?;
                }
                Some(b'{') => {
                    self.open(Kind::Object, '{')?;
                    if self.cursor.token() != Some(b'}') {
                        continue;
                    }
                    self.cursor.at += 1;
                    self.close('}');
                }
                Some(b'[') => {
                    self.open(Kind::Array, '[')?;
                    if self.cursor.token() != Some(b']') {
                        continue;
                    }
                    self.cursor.at += 1;
                    self.close(']');
                }
                Some(b't') => self.literal("true")?,
                Some(b'f') => self.literal("false")?,
                Some(b'n') if S::IS_JAVASCRIPT => {
                    return Err(self
                        .cursor
                        .unexpected_kind(JsonErrorKind::Type, "a value other than null")
                        .into());
                }
                Some(b'n') => self.literal("null")?,
                _ => return Err(self.cursor.unexpected("a value").into()),
            }
            if self.has_ended()? {
                self.output.settle::<S>();
                return Ok(());
            }
        }
    }

    /// After a value: closes the arrays and objects that end here. Returns `false` if a value or a key follows.
    #[inline]
    fn has_ended(&mut self) -> Result<bool, Stop<E>> {
        loop {
            if self.progress() >= self.flush_at {
                self.flush()?;
            }
            match self.frame.kind {
                Kind::Whole => return Ok(true),
                Kind::Array => {
                    if self.cursor.comma_or(b']', "',' or ']'")? {
                        self.output.text.push_str(S::COMMA);
                        return Ok(false);
                    }
                    self.close(']');
                }
                Kind::Object => {
                    if self.notes_members() {
                        let end = self.output.text.len();
                        self.output.members.last_mut().expect("the member was noted").end = end;
                    }
                    if self.cursor.comma_or(b'}', "',' or '}'")? {
                        self.output.text.push_str(S::COMMA);
                        return Ok(false);
                    }
                    if self.frame.order == KeyOrder::Unordered {
                        self.unordered_open -= 1;
                        // If the members of an object in it were only noted, the members of this one are only noted,
                        // too.
                        let is_noted = self.frame.moves >= MOST_MOVES;
                        self.frame.moves = self.frame.moves.saturating_add(1);
                        self.output.sort_members::<S>(self.frame.first_member, self.cursor.text, is_noted);
                    }
                    self.output.members.truncate(self.frame.first_member);
                    self.close('}');
                }
            }
        }
    }

    /// How many arrays and objects are open.
    #[inline]
    fn depth(&self) -> usize {
        self.output.frames.len()
    }

    /// Whether the beginning of the innermost object is in the output.
    #[inline]
    fn notes_members(&self) -> bool {
        self.depth() > self.flushed_depth
    }

    /// Reads and writes the bracket that opens an array or object.
    #[inline]
    fn open(&mut self, kind: Kind, bracket: char) -> Result<(), JsonError> {
        if self.depth() == MAX_DEPTH {
            return Err(self.depth_error());
        }
        let mut frame = Frame {
            kind,
            order: KeyOrder::Ascending,
            object_start: self.frame.object_start,
            first_member: self.output.members.len(),
            last_key: None,
            moves: 0,
        };
        if kind == Kind::Object {
            let start = self.progress();
            frame.object_start = Some(start);
            if self.surveyed.binary_search(&start).is_ok() {
                frame.order = KeyOrder::Unordered;
                self.unordered_open += 1;
            }
        }
        self.output.frames.push(std::mem::replace(&mut self.frame, frame));
        self.cursor.at += 1;
        self.output.text.push(bracket);
        Ok(())
    }

    /// Writes the bracket that closes the innermost array or object.
    #[inline(always)]
    fn close(&mut self, bracket: char) {
        self.output.text.push(bracket);
        let moves = self.frame.moves;
        self.frame = self.output.frames.pop().expect("an array or object is open");
        self.frame.moves = self.frame.moves.max(moves);
        self.flushed_depth = self.flushed_depth.min(self.depth());
    }

    /// Reads and writes a key and the colon after it.
    #[inline(always)]
    fn key(&mut self) -> Result<(), Stop<E>> {
        self.cursor.expect(b'"', "a key")?;
        let start = self.output.text.len();
        let key = self.string()?;
        if S::IS_JAVASCRIPT && json::chars(self.cursor.text, key.at).eq("__proto__".chars()) {
            self.cursor.at = key.at - 1;
            let (expected, found) = ("another key".to_owned(), "__proto__".to_owned());
            return Err(self.cursor.error(JsonErrorKind::Type, expected, found).into());
        }
        if self.frame.order == KeyOrder::Ascending
            && self.frame.last_key.is_some_and(|last| S::order(self.cursor.text, last, key) != Ordering::Less)
        {
            let object_start = self.frame.object_start.unwrap_or_default();
            if self.is_wide(object_start) {
                self.frame.order = KeyOrder::Noted;
                self.wide_unordered.push(object_start);
            } else {
                self.frame.order = KeyOrder::Unordered;
                self.unordered_open += 1;
            }
        }
        self.frame.last_key = Some(key);
        self.cursor.expect(b':', "':'")?;
        self.output.text.push_str(S::COLON);
        if self.notes_members() {
            self.output.members.push(Member { key, start, end: start });
        }
        Ok(())
    }

    /// The number of bytes read, and of digits that exponents added. The output is not longer.
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
        if S::number(self.cursor.text, number, out).is_err() {
            self.cursor.at = number.lexeme.start;
            return Err(self.exponent_error(S::LARGEST));
        }
        if number.exponent.is_some() {
            self.expanded += (out.len() - before).saturating_sub(number.lexeme.len());
            self.output.expanded = self.expanded;
            let text_len = self.cursor.text.len();
            let most = number::most_digits(text_len, self.sink.is_some());
            if self.expanded > most || self.output.text.len() > text_len + number::MAX_IN_MEMORY {
                let most = most.min(number::MAX_IN_MEMORY);
                let expected = format!("exponents that add at most {most} digits in total");
                self.cursor.at = number.lexeme.start;
                return Err(self.exponent_error(&expected));
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

    #[cold]
    fn depth_error(&self) -> JsonError {
        let expected = format!("at most {MAX_DEPTH} nested arrays and objects");
        self.cursor.error(JsonErrorKind::Depth, expected, "more".to_owned())
    }

    /// Writes the string at the cursor, which is behind the opening quote.
    #[inline(always)]
    fn string(&mut self) -> Result<Key, Stop<E>> {
        let at = self.cursor.at;
        let mut has_escapes = false;
        self.output.text.push('"');
        loop {
            let Part { run, escaped } = self.cursor.string_part()?;
            if self.progress() < self.flush_at {
                self.output.text.push_str(&self.cursor.text[run]);
            } else {
                self.flush_with_run(&self.cursor.text[run])?;
            }
            let Some(char) = escaped else { break };
            has_escapes = true;
            push_escaped(char, &mut self.output.text);
        }
        self.output.text.push('"');
        Ok(Key { at, len: self.cursor.at - 1 - at, has_escapes })
    }

    /// Writes a part of a string. If the output may be flushed, the part goes straight to the sink, because it can be
    /// long.
    #[cold]
    fn flush_with_run(&mut self, run: &str) -> Result<(), Stop<E>> {
        self.flush()?;
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
        self.unordered_open == 0 && self.frame.object_start.is_none_or(|start| self.is_wide(start))
    }

    /// Gives the output to the sink, if it is final.
    #[cold]
    fn flush(&mut self) -> Result<(), Stop<E>> {
        if !self.may_flush() {
            return Ok(());
        }
        if let Some(sink) = &mut self.sink {
            self.flush_at = self.cursor.at + self.expanded + PIECE;
            self.output.settle::<S>();
            sink(&self.output.text).map_err(Stop::Sink)?;
            self.output.text.clear();
            self.output.members.clear();
            self.flushed_depth = self.output.frames.len();
        }
        Ok(())
    }
}
