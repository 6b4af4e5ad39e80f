//! A line of a ledger: the members of an event.

use crate::{
    canonical::{Canonical, CanonicalWriter},
    checksum::Content,
    json::{Cursor, JsonError, JsonErrorKind, text_of},
    rfc3339,
};
use evently_id::EventId;
use std::borrow::Cow;

/// Reads lines, and keeps its memory from one to the next.
#[derive(Debug, Default)]
pub(crate) struct LineReader {
    writer: CanonicalWriter,
}

/// An event; of members with the same name the last counts.
pub(crate) struct Line<'r, 't> {
    pub(crate) text: &'t str,
    written: &'r str,
    slots: [Option<Slot>; 8],
    pub(crate) event_id: Option<EventId>,
}

impl<'r, 't: 'r> Line<'r, 't> {
    #[inline]
    fn member(&self, name: Name) -> Option<&'r str> {
        self.slots[name as usize].map(|slot| slot.content(self.text, self.written))
    }

    #[inline]
    pub(crate) fn content(&self) -> Content<'r> {
        Content {
            event: self.member(Name::Event),
            entity: self.member(Name::Entity),
            key: self.member(Name::Key),
            entities: self.member(Name::Entities),
            meta: self.member(Name::Meta),
            data: self.member(Name::Data),
        }
    }

    /// The content of a member, borrowed from the line where it stands there.
    pub(crate) fn member_of_line(&self, name: Name) -> Option<Cow<'t, str>> {
        let slot = self.slots[name as usize]?;
        let content = slot.content(self.text, self.written);
        let in_line = self.text[slot.place..].get(..content.len()).filter(|&text| text == content);
        Some(in_line.map_or_else(|| content.to_owned().into(), Cow::Borrowed))
    }

    fn id(&self) -> Result<Option<EventId>, JsonError> {
        let Some(id) = self.member(Name::EventId) else { return Ok(None) };
        EventId::parse(id).map(Some).map_err(|error| {
            let found = format!("{}: {error}", shortened(id));
            self.type_error(Name::EventId, "an event ID, 32 hex digits,", found)
        })
    }

    pub(crate) fn has_timestamp(&self) -> bool {
        self.slots[Name::Timestamp as usize].is_some()
    }

    /// In microseconds since 1970. Not read with the line: one that is no time does not spoil the ID.
    #[inline]
    pub(crate) fn timestamp(&self) -> Result<Option<u64>, JsonError> {
        let Some(time) = self.member(Name::Timestamp) else { return Ok(None) };
        rfc3339::parse(time).map(Some).ok_or_else(|| {
            let expected = "a time from 1970 on, such as 2021-10-03T16:33:12.816530Z,";
            self.type_error(Name::Timestamp, expected, shortened(time))
        })
    }

    #[cold]
    fn type_error(&self, name: Name, expected: &str, found: String) -> JsonError {
        let at = self.slots[name as usize].map_or(0, |slot| slot.place);
        Cursor { text: self.text, at }.error(JsonErrorKind::Type, expected.to_owned(), found)
    }
}

/// Where a member's content is, in the line or in what was written, and where its value begins in the line.
#[derive(Clone, Copy)]
struct Slot {
    start: usize,
    end: usize,
    is_written: bool,
    place: usize,
}

impl Slot {
    #[inline]
    fn content<'a>(self, text: &'a str, written: &'a str) -> &'a str {
        let of = if self.is_written { written } else { text };
        &of[self.start..self.end]
    }
}

#[derive(Clone, Copy)]
pub(crate) enum Name {
    Event,
    EventId,
    Timestamp,
    Entity,
    Key,
    Entities,
    Meta,
    Data,
}

impl Name {
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

    const fn is_json(self) -> bool {
        matches!(self, Self::Entities | Self::Meta | Self::Data)
    }
}

impl LineReader {
    pub(crate) fn read<'r, 't: 'r>(&'r mut self, line: &'t [u8]) -> Result<Line<'r, 't>, JsonError> {
        let text = text_of(line)?;
        let mut slots = [None; 8];
        let mut cursor = Cursor::new(text);
        self.writer.clear();
        cursor.expect(b'{', "an event, such as {\"event\": …}")?;
        if cursor.token() == Some(b'}') {
            cursor.at += 1;
        } else {
            loop {
                cursor.expect(b'"', "a key")?;
                let key = self.string(&mut cursor)?;
                let name = Name::of(key.content(text, self.writer.out()));
                cursor.expect(b':', "':'")?;
                match name {
                    Some(name) if name.is_json() => slots[name as usize] = Some(self.json(&mut cursor)?),
                    Some(name) => {
                        if cursor.token() != Some(b'"') {
                            return Err(cursor.unexpected_kind(JsonErrorKind::Type, "a string"));
                        }
                        cursor.at += 1;
                        slots[name as usize] = Some(self.string(&mut cursor)?);
                    }
                    None => {
                        self.json(&mut cursor)?;
                    }
                }
                if !cursor.comma_or(b'}', "',' or '}'")? {
                    break;
                }
            }
        }
        cursor.end()?;

        let written = self.writer.out();
        let mut line = Line { text, written, slots, event_id: None };
        line.event_id = line.id()?;
        Ok(line)
    }

    #[inline]
    fn json(&mut self, cursor: &mut Cursor<'_>) -> Result<Slot, JsonError> {
        cursor.token();
        let (place, start) = (cursor.at, self.writer.out().len());
        self.writer.append::<Canonical>(cursor)?;
        Ok(Slot { start, end: self.writer.out().len(), is_written: true, place })
    }

    /// A string whose opening quote was read. Written only where escapes are in it.
    #[inline]
    fn string(&mut self, cursor: &mut Cursor<'_>) -> Result<Slot, JsonError> {
        let place = cursor.at;
        if cursor.string_part()?.escaped.is_none() {
            return Ok(Slot { start: place, end: cursor.at - 1, is_written: false, place });
        }
        cursor.at = place;
        let start = self.writer.out().len();
        self.writer.append_string(cursor)?;
        Ok(Slot { start, end: self.writer.out().len(), is_written: true, place })
    }
}

/// A text in quotes, or its beginning.
fn shortened(text: &str) -> String {
    const SHOWN: usize = 40;
    match text.char_indices().nth(SHOWN) {
        None => format!("{text:?}"),
        Some((end, _)) => format!("{:?}… ({} bytes)", &text[..end], text.len()),
    }
}
