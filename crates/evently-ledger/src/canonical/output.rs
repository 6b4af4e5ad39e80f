//! The output of a pass, and how the objects in it that are out of order are put in order.
//!
//! An object is known to be out of order before it closes, but it is not put in order then: each object around it might be
//! out of order too, and would move the same bytes again. So the members of a closed object are only noted, in their order,
//! and [`settle`](Output::settle) moves all bytes once, before the output is used. Only the innermost few objects are put in
//! order when they close, because that needs no notes.

use crate::{
    canonical::{
        frame::Frame,
        style::{Key, Style},
    },
    error::JsonError,
    json::{Cursor, Part},
};
use std::{cmp::Ordering, ops::Range};

/// How often a byte may be moved because an object around it closes.
pub(super) const MOST_MOVES: u8 = 8;

/// The canonical form, as far as it is written, and the memory that a pass needs. Reused from text to text.
#[derive(Debug, Default)]
pub(crate) struct Output {
    /// The canonical form, without the part that the sink already has.
    pub(super) text: String,
    /// The members of all open objects, those of the outermost object first.
    pub(super) members: Vec<Member>,
    /// The arrays and objects around the innermost open one, from the outermost on.
    pub(super) frames: Vec<Frame>,
    /// How many digits exponents have added to the output since it was last cleared.
    pub(super) expanded: usize,
    /// The closed objects that are still out of order.
    unordered: Vec<Unordered>,
    /// Their members in order, as ranges of the output. Of members with equal keys, only the last.
    kept: Vec<(usize, usize)>,
    /// The objects around the text that `settle` copies.
    outer: Vec<Outer>,
    /// Where `settle` puts the members in order.
    scratch: String,
    /// The place of the first duplicate key of the text. Equal keys do not ascend, so their object was sorted.
    duplicate: Option<usize>,
    /// How many bytes were moved to put objects in order.
    #[cfg(test)]
    moved: usize,
}

/// A member of an open object, as a range of the output.
#[derive(Clone, Copy, Debug)]
pub(super) struct Member {
    pub(super) key: Key,
    pub(super) start: usize,
    pub(super) end: usize,
}

/// A closed object whose members are not in order in the output.
#[derive(Debug)]
struct Unordered {
    /// The place of its members in the output.
    start: usize,
    end: usize,
    /// Its members in `kept`.
    kept: Range<usize>,
}

/// An object whose members `settle` copies.
#[derive(Debug)]
struct Outer {
    /// The members that are still to be copied.
    kept: Range<usize>,
    /// What follows the object, up to the end of the text that the object is in.
    rest: (usize, usize),
}

impl Output {
    pub(crate) const fn new() -> Self {
        Self {
            text: String::new(),
            members: Vec::new(),
            frames: Vec::new(),
            expanded: 0,
            unordered: Vec::new(),
            kept: Vec::new(),
            outer: Vec::new(),
            scratch: String::new(),
            duplicate: None,
            #[cfg(test)]
            moved: 0,
        }
    }

    /// The output since the last [`clear`](Self::clear) or flush.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    pub(crate) fn into_text(self) -> String {
        self.text
    }

    /// The place of the first duplicate key since the last [`clear`](Self::clear), at any depth: the position behind
    /// its opening quote. It is known only if the text was read in one pass.
    pub(crate) fn duplicate(&self) -> Option<usize> {
        self.duplicate
    }

    /// Forgets all, even what is left of a pass that ended with an error.
    #[inline]
    pub(crate) fn clear(&mut self) {
        self.text.clear();
        self.members.clear();
        self.frames.clear();
        self.expanded = 0;
        self.unordered.clear();
        self.kept.clear();
        self.duplicate = None;
    }

    /// Appends the characters of the string at the cursor, which is behind the opening quote.
    #[inline(never)]
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

    /// Puts the members of the object that closes in order, or only notes their order if `is_noted`: all members from `first`
    /// on, which are the end of the output. `json` is the text that their keys are in.
    pub(super) fn sort_members<S: Style>(&mut self, first: usize, json: &str, is_noted: bool) {
        let members = &mut self.members[first..];
        let (start, end, first_kept) = (members[0].start, self.text.len(), self.kept.len());
        // The sort is stable: of members with equal keys, the last stays the last.
        members.sort_by(|a, b| S::order(json, a.key, b.key));
        self.scratch.clear();
        for (index, member) in members.iter().enumerate() {
            match members.get(index + 1) {
                Some(next) if S::order(json, member.key, next.key) == Ordering::Equal => {
                    let at = next.key.at;
                    self.duplicate = Some(self.duplicate.map_or(at, |first| first.min(at)));
                }
                _ if is_noted => self.kept.push((member.start, member.end)),
                _ => {
                    self.scratch.push_str(&self.text[member.start..member.end]);
                    self.scratch.push_str(S::COMMA);
                }
            }
        }
        if is_noted {
            self.unordered.push(Unordered { start, end, kept: first_kept..self.kept.len() });
        } else {
            self.text.truncate(start);
            self.text.push_str(&self.scratch[..self.scratch.len() - S::COMMA.len()]);
            self.note_move();
        }
    }

    /// Puts the objects of the output in order.
    #[inline]
    pub(super) fn settle<S: Style>(&mut self) {
        if !self.unordered.is_empty() {
            self.settle_unordered::<S>();
        }
    }

    fn settle_unordered<S: Style>(&mut self) {
        let Self { text, unordered, kept, outer, scratch, .. } = self;
        // An object closes after those within it.
        unordered.sort_unstable_by_key(|object| object.start);
        // The brace before the members, so that each piece of text begins before the members of the objects within it.
        let base = unordered[0].start - 1;
        scratch.clear();
        outer.clear();
        let (mut at, mut end) = (base, text.len());
        loop {
            let next = unordered.partition_point(|object| object.start <= at);
            match unordered.get(next) {
                Some(object) if object.start < end => {
                    scratch.push_str(&text[at..object.start]);
                    let rest = (object.end, end);
                    let mut members = object.kept.clone();
                    (at, end) = members.next().map_or(rest, |member| kept[member]);
                    outer.push(Outer { kept: members, rest });
                    continue;
                }
                _ => scratch.push_str(&text[at..end]),
            }
            let Some(object) = outer.last_mut() else { break };
            match object.kept.next() {
                Some(member) => {
                    scratch.push_str(S::COMMA);
                    (at, end) = kept[member];
                }
                None => {
                    (at, end) = object.rest;
                    outer.pop();
                }
            }
        }
        text.truncate(base);
        text.push_str(scratch);
        kept.clear();
        unordered.clear();
        self.note_move();
    }

    /// Counts what was moved, for a test.
    #[inline]
    fn note_move(&mut self) {
        #[cfg(test)]
        {
            self.moved += self.scratch.len();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Output;
    use crate::canonical::{Canonical, CanonicalWriter};
    use std::convert::Infallible;

    /// The keys that are out of order come before the inner value or behind it. The inner value is a wide object or
    /// many small ones.
    #[test]
    fn bytes_are_moved_a_few_times_however_deep_they_are() {
        let small = format!("[{}0]", r#"{"b":{"d":1,"c":2},"a":0},"#.repeat(20_000));
        let wide = format!("{{\"y\":\"{}\",\"x\":1}}", "z".repeat(500_000));
        for inner in [small, wide] {
            for (open, close) in
                [("{\"b\":0,\"a\":", "}"), ("{\"b\":", ",\"a\":0}"), ("{\"c\":1,\"b\":", ",\"a\":0}")]
            {
                let text = format!("{}{inner}{}", open.repeat(508), close.repeat(508));
                let mut output = Output::new();
                output.rewrite::<Canonical>(&text).unwrap();
                assert!((1..12 * text.len()).contains(&output.moved), "{} of {}", output.moved, text.len());

                // Both passes of a writer.
                let mut writer = CanonicalWriter::new();
                writer.write(text.as_bytes(), |_| Ok::<_, Infallible>(())).unwrap();
                assert!(writer.0.moved < 24 * text.len(), "{} of {}", writer.0.moved, text.len());
            }
        }
    }
}
