//! A line of a ledger: the members of an event.
//!
//! The members are in the line in any order, but the checksum covers them in one order. So the line is read to its end
//! first. While it is read, the canonical form of JSON members, and the characters of strings that have escapes, are
//! appended to one buffer; of other strings only their range in the line is noted. The buffer is reused from line to line,
//! so a valid line allocates nothing.

use crate::{
    LONGEST_LINE,
    canonical::{Canonical, Output, canonical_end},
    checksum::{Content, Profile},
    error::{JsonError, JsonErrorKind},
    error::{line_and_column, shortened},
    json::{self, Cursor, plain_until, text_of},
    rfc3339,
};
use evently_id::{EventId, ParseError};
use std::borrow::Cow;

/// Reads lines, and reuses its memory for the next line.
#[derive(Debug, Default)]
pub(crate) struct LineReader {
    buffer: Output,
    /// The members of the last line, by [`MemberName`].
    members: Members,
    /// The places of the keys of members that no profile has.
    unknown: Vec<usize>,
}

/// A line that was read. Of members with equal names, the last counts.
pub(crate) struct Line<'r, 't> {
    pub(crate) text: &'t str,
    /// What the reader wrote: canonical JSON, and strings without their escapes.
    buffer: &'r str,
    members: &'r Members,
    /// The places of the keys of members that no profile has.
    unknown: &'r [usize],
    /// The place of the first key that its object has already. The keys in `unknown` are not compared.
    duplicate: Option<usize>,
    pub(crate) event_id: Option<EventId>,
}

type Members = [Option<Member>; 8];

/// Where the content of a member is.
#[derive(Clone, Copy, Debug)]
enum Member {
    /// In the line.
    InLine { start: usize, end: usize },
    /// In the buffer.
    InBuffer {
        start: usize,
        end: usize,
        /// The position of the value in the line; of a string, that behind its opening quote.
        value_at: usize,
    },
}

impl Member {
    #[inline]
    fn content<'a>(self, line: &'a str, buffer: &'a str) -> &'a str {
        match self {
            Self::InLine { start, end } => &line[start..end],
            Self::InBuffer { start, end, .. } => &buffer[start..end],
        }
    }

    /// The position of the value in the line; of a string, that behind its opening quote.
    const fn value_at(self) -> usize {
        match self {
            Self::InLine { start, .. } => start,
            Self::InBuffer { value_at, .. } => value_at,
        }
    }
}

/// The members that have a meaning. The checksum covers no other member.
#[derive(Clone, Copy)]
pub(crate) enum MemberName {
    Event,
    EventId,
    Timestamp,
    Entity,
    Key,
    Entities,
    Meta,
    Data,
}

impl MemberName {
    #[inline]
    fn of(key: &str) -> Option<Self> {
        Some(match key {
            "event" => Self::Event,
            "eventId" => Self::EventId,
            "timestamp" => Self::Timestamp,
            "entity" => Self::Entity,
            "key" => Self::Key,
            "entities" => Self::Entities,
            "meta" => Self::Meta,
            "data" => Self::Data,
            _ => return None,
        })
    }

    /// The member whose key this text begins with, if the key is written plainly: without escapes, and with the colon
    /// behind it. Returns the length of both with the closing quote.
    #[inline]
    fn at_start_of(text: &[u8]) -> Option<(Self, usize)> {
        #[inline(always)]
        fn known<const LEN: usize>(
            text: &[u8],
            key: &[u8; LEN],
            name: MemberName,
        ) -> Option<(MemberName, usize)> {
            (text.first_chunk() == Some(key)).then_some((name, LEN))
        }

        match text.first()? {
            b'e' => known(text, b"eventId\":", Self::EventId)
                .or_else(|| known(text, b"event\":", Self::Event))
                .or_else(|| known(text, b"entity\":", Self::Entity))
                .or_else(|| known(text, b"entities\":", Self::Entities)),
            b't' => known(text, b"timestamp\":", Self::Timestamp),
            b'k' => known(text, b"key\":", Self::Key),
            b'm' => known(text, b"meta\":", Self::Meta),
            b'd' => known(text, b"data\":", Self::Data),
            _ => None,
        }
    }

    /// Whether the value may be any JSON. The other members are strings.
    const fn is_json(self) -> bool {
        matches!(self, Self::Entities | Self::Meta | Self::Data)
    }
}

impl<'r, 't: 'r> Line<'r, 't> {
    #[inline]
    fn member(&self, name: MemberName) -> Option<&'r str> {
        self.members[name as usize].map(|member| member.content(self.text, self.buffer))
    }

    /// The members that a checksum covers.
    #[inline]
    pub(crate) fn content(&self) -> Content<'r> {
        Content {
            event: self.member(MemberName::Event),
            entity: self.member(MemberName::Entity),
            key: self.member(MemberName::Key),
            entities: self.member(MemberName::Entities),
            meta: self.member(MemberName::Meta),
            data: self.member(MemberName::Data),
        }
    }

    /// The content of a member, borrowed from the line if the line has it in this form.
    pub(crate) fn member_as_cow(&self, name: MemberName) -> Option<Cow<'t, str>> {
        let member = self.members[name as usize]?;
        let content = member.content(self.text, self.buffer);
        let in_line = self.text[member.value_at()..].get(..content.len()).filter(|&text| text == content);
        Some(in_line.map_or_else(|| content.to_owned().into(), Cow::Borrowed))
    }

    /// The members that the checksum of the profile does not cover, each with its place in the line. First those that no
    /// profile has.
    pub(crate) fn unknown(
        &self,
        profile: Option<Profile>,
    ) -> impl Iterator<Item = (Cow<'t, str>, usize)> + Clone {
        let of_other_profile = match profile {
            Some(Profile::Classic) => &[("entities", MemberName::Entities)][..],
            Some(Profile::Entities) => &[("entity", MemberName::Entity), ("key", MemberName::Key)],
            None => &[],
        };
        let of_other_profile = of_other_profile.iter().filter_map(|&(text, name)| {
            let member = self.members[name as usize]?;
            Some((Cow::Borrowed(text), member.value_at()))
        });
        self.unknown.iter().map(|&at| self.key(at)).chain(of_other_profile)
    }

    /// The name and the place of the first key of the line that its object has already, however deep the object is.
    pub(crate) fn duplicate(&self) -> Option<(Cow<'t, str>, usize)> {
        let mut unknown: Vec<_> = self.unknown.iter().map(|&at| self.key(at)).collect();
        // Of equal keys, the second stays the second.
        unknown.sort_unstable();
        let equal = unknown.windows(2).filter(|pair| pair[0].0 == pair[1].0);
        let equal = equal.map(|pair| pair[1].1).chain(self.duplicate.map(|at| at - 1)).min();
        equal.map(|at| self.key(at + 1))
    }

    /// The name of the key whose opening quote is before `at`, and the place of this quote.
    fn key(&self, at: usize) -> (Cow<'t, str>, usize) {
        let (text, end) = (self.text, plain_until(self.text.as_bytes(), at));
        let is_plain = text.as_bytes().get(end) == Some(&b'"');
        (if is_plain { Cow::Borrowed(&text[at..end]) } else { json::chars(text, at).collect() }, at - 1)
    }

    /// The column of a place in the line, for a message.
    pub(crate) fn column(&self, at: usize) -> usize {
        line_and_column(&self.text[..at]).1
    }

    pub(crate) fn has_timestamp(&self) -> bool {
        self.members[MemberName::Timestamp as usize].is_some()
    }

    /// The timestamp in microseconds since 1970. It is not parsed with the line, unlike the ID: after a line whose timestamp
    /// is not a time, the ID is still known, and the next event can be checked against it.
    #[inline]
    pub(crate) fn timestamp(&self) -> Result<Option<u64>, JsonError> {
        let Some(time) = self.member(MemberName::Timestamp) else { return Ok(None) };
        rfc3339::parse(time).map(Some).ok_or_else(|| {
            let expected = "a time from 1970 on (such as 2021-10-03T16:33:12.816530Z)";
            self.type_error(MemberName::Timestamp, expected, shortened(time))
        })
    }

    #[cold]
    fn event_id_error(&self, id: &str, error: &ParseError) -> JsonError {
        let found = format!("{}: {error}", shortened(id));
        self.type_error(MemberName::EventId, "an event ID of 32 hex digits", found)
    }

    #[cold]
    fn type_error(&self, name: MemberName, expected: &str, found: String) -> JsonError {
        let at = self.members[name as usize].map_or(0, Member::value_at);
        Cursor { text: self.text, at }.error(JsonErrorKind::Type, expected.to_owned(), found)
    }
}

impl LineReader {
    /// Reads a line, with or without its line ending.
    pub(crate) fn read<'r, 't: 'r>(&'r mut self, line: &'t [u8]) -> Result<Line<'r, 't>, JsonError> {
        // A message about the end of a line is the same with and without a line ending.
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        if line.len() > LONGEST_LINE {
            return Err(JsonError::too_long("a longer one"));
        }
        let text = text_of(line.strip_suffix(b"\r").unwrap_or(line))?;
        let mut duplicate = None;
        let mut cursor = Cursor::new(text);
        self.buffer.clear();
        self.unknown.clear();
        self.members = [None; 8];
        cursor.expect(b'{', "an event, such as {\"event\": …}")?;
        if cursor.token() == Some(b'}') {
            cursor.at += 1;
        } else {
            loop {
                cursor.expect(b'"', "a key")?;
                let key_at = cursor.at;
                let name = self.key(&mut cursor)?;
                let is_duplicate = match name {
                    Some(name) if name.is_json() => {
                        let member = self.json(&mut cursor)?;
                        self.members[name as usize].replace(member).is_some()
                    }
                    Some(name) => {
                        if cursor.token() != Some(b'"') {
                            return Err(cursor.unexpected_kind(JsonErrorKind::Type, "a string"));
                        }
                        cursor.at += 1;
                        let member = self.string(&mut cursor)?;
                        self.members[name as usize].replace(member).is_some()
                    }
                    None => {
                        self.unknown.push(key_at);
                        self.json(&mut cursor)?;
                        false
                    }
                };
                if is_duplicate {
                    duplicate.get_or_insert(key_at);
                }
                if !cursor.comma_or(b'}', "',' or '}'")? {
                    break;
                }
            }
        }
        cursor.end()?;

        let duplicate = duplicate.into_iter().chain(self.buffer.duplicate()).min();
        let mut line = Line {
            text,
            buffer: self.buffer.text(),
            members: &self.members,
            unknown: &self.unknown,
            duplicate,
            event_id: None,
        };
        if let Some(id) = line.member(MemberName::EventId) {
            line.event_id = match EventId::parse(id) {
                Ok(id) => Some(id),
                Err(error) => return Err(line.event_id_error(id, &error)),
            };
        }
        Ok(line)
    }

    /// Reads a key and the colon after it. The cursor is behind the opening quote.
    #[inline(always)]
    fn key(&mut self, cursor: &mut Cursor<'_>) -> Result<Option<MemberName>, JsonError> {
        if let Some((name, len)) = MemberName::at_start_of(&cursor.text.as_bytes()[cursor.at..]) {
            cursor.at += len;
            return Ok(Some(name));
        }
        let key = self.string(cursor)?;
        let name = MemberName::of(key.content(cursor.text, self.buffer.text()));
        cursor.expect(b':', "':'")?;
        Ok(name)
    }

    /// Reads a value of any type.
    #[inline(always)]
    fn json(&mut self, cursor: &mut Cursor<'_>) -> Result<Member, JsonError> {
        cursor.token();
        let start = cursor.at;
        // A WebAssembly module is downloaded, so it must be small: there, each value is written.
        if cfg!(not(target_family = "wasm")) {
            if let Some(end) = canonical_end(cursor.text, start) {
                cursor.at = end;
                return Ok(Member::InLine { start, end });
            }
        }
        let (value_at, start) = (start, self.buffer.text().len());
        self.buffer.append::<Canonical>(cursor)?;
        Ok(Member::InBuffer { start, end: self.buffer.text().len(), value_at })
    }

    /// Reads a string. The cursor is behind its opening quote.
    #[inline(always)]
    fn string(&mut self, cursor: &mut Cursor<'_>) -> Result<Member, JsonError> {
        let (start, text) = (cursor.at, cursor.text.as_bytes());
        let end = plain_until(text, start);
        if text.get(end) == Some(&b'"') {
            cursor.at = end + 1;
            return Ok(Member::InLine { start, end });
        }
        let (value_at, start) = (start, self.buffer.text().len());
        self.buffer.append_string(cursor)?;
        Ok(Member::InBuffer { start, end: self.buffer.text().len(), value_at })
    }
}
