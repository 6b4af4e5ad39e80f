//! Appending to a ledger.
//!
//! The state is the last event's ID alone, so a ledger resumes from its last line. `evently_id::Generator` follows the same
//! rule for the time, for programs that compute checksums elsewhere.

// A refused event changes nothing, and neither does a clock beyond the year 9999.
//
// A verifier is strict only if it is told to be: ledgers of others have members of their own, which the specification
// ignores. A strict verifier refuses what can be read in two ways or is not protected. `append_line` makes new
// events, so it always refuses two members of one name. It only reports an unknown member, which may be meant.

use crate::{
    LONGEST_LINE,
    checksum::{Content, Profile, event_id, genesis_id},
    error::{EventError, JsonError},
    event::Event,
    line::LineReader,
    rfc3339,
    unknown::UnknownMember,
};
use evently_id::{EventId, LedgerId};
use sortid_core::{
    __private::{error, process},
    Clock, SystemClock,
};

/// The end of a ledger, after which events are appended.
///
/// [`batch`](Self::batch) appends events: it sets the time and the ID of each. The ledger continues after them once they
/// are written, and [`commit`](Batch::commit) says so. The time of an event is the clock's time, or one microsecond after the last event if that is later (specification,
/// "Monotonic"). The first event of a new ledger is its genesis event: the ledger ID is computed from it. A `Ledger`
/// does not store the events.
///
/// In the child of a `fork`, a ledger of its parent adds no event: both would continue after the same one. Read the last
/// event again, and [`resume`](Self::resume) after it.
///
/// ```
/// use evently_ledger::{Event, Ledger, Profile, Verifier};
/// use std::io::Write as _;
///
/// let mut ledger = Ledger::new(Profile::Classic);
/// let mut opened = Event::new("opened").entity("shop").key("1");
/// let mut placed = Event::new("placed").entity("order").key("17");
/// let mut batch = ledger.batch();
/// batch.append(&mut opened)?;
/// let id = batch.append(&mut placed)?;
///
/// let mut file = vec![];
/// writeln!(file, "{opened}\n{placed}")?; // If this fails, the ledger is as before.
/// batch.commit();
///
/// let mut verifier = Verifier::new(Some(Profile::Classic));
/// verifier.verify_chunk(&file, |_| ());
/// assert_eq!(verifier.report().last_event_id, ledger.last_event_id());
///
/// // Later, in another process:
/// let ledger = Ledger::resume(Profile::Classic, id);
/// assert_eq!(ledger.ledger_id(), Some(id.ledger_id()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Ledger<C = SystemClock> {
    profile: Profile,
    last: Option<EventId>,
    /// The process that knows the last event.
    process: u64,
    clock: C,
    reader: LineReader,
}

/// Events that a [`Ledger`] is to continue after, once they are written.
///
/// Append events, write their lines, and [`commit`](Self::commit). A batch that is dropped changes nothing: the next one
/// begins after the same event. If it is not known how much of a batch was written, read the last event again, and
/// [`resume`](Ledger::resume) after it.
#[derive(Debug)]
#[must_use = "the ledger continues after the events once the batch is committed"]
pub struct Batch<'l, C = SystemClock> {
    ledger: &'l mut Ledger<C>,
    last: Option<EventId>,
    process: u64,
    unknown_members: Vec<UnknownMember>,
    unknown_member_count: usize,
}

impl Ledger {
    /// Starts a ledger without events, on the system's clock.
    #[must_use]
    pub fn new(profile: Profile) -> Self {
        Self::with_clock(profile, None, SystemClock)
    }

    /// Continues a ledger whose last event has the ID `last`, on the system's clock.
    ///
    /// ```
    /// use evently_ledger::{Event, Ledger, Profile, event_id};
    ///
    /// let last = event_id!("0005cd755a43d79279bc07a158f86494");
    /// let mut ledger = Ledger::resume(Profile::Classic, last);
    /// let next = ledger.batch().append(&mut Event::new("placed").entity("order").key("17"))?;
    /// assert!(next > last && next.ledger_id() == last.ledger_id());
    /// # Ok::<(), evently_ledger::EventError>(())
    /// ```
    #[must_use]
    pub fn resume(profile: Profile, last: EventId) -> Self {
        Self::with_clock(profile, Some(last), SystemClock)
    }
}

impl<C: Clock> Ledger<C> {
    /// Starts a ledger (`last` is `None`) or continues it, on another clock.
    #[must_use]
    pub fn with_clock(profile: Profile, last: Option<EventId>, clock: C) -> Self {
        Self { profile, last, process: process(), clock, reader: LineReader::default() }
    }

    /// The profile that the ledger was made with.
    #[must_use]
    pub const fn profile(&self) -> Profile {
        self.profile
    }

    /// The ID of the last event that was committed; `None` before the first.
    #[must_use]
    pub const fn last_event_id(&self) -> Option<EventId> {
        self.last
    }

    /// The ledger ID; `None` before the first event.
    #[must_use]
    pub fn ledger_id(&self) -> Option<LedgerId> {
        self.last.map(|last| last.ledger_id())
    }

    /// Begins to append events.
    pub const fn batch(&mut self) -> Batch<'_, C> {
        let (last, process) = (self.last, self.process);
        Batch { ledger: self, last, process, unknown_members: vec![], unknown_member_count: 0 }
    }
}

impl<C: Clock> Batch<'_, C> {
    /// The ledger continues after the events of this batch.
    pub fn commit(self) {
        (self.ledger.last, self.ledger.process) = (self.last, self.process);
    }

    /// The ID of the last event of the batch; if it has none, that of the ledger.
    #[must_use]
    pub const fn last_event_id(&self) -> Option<EventId> {
        self.last
    }

    /// The members of the last line that no checksum protects: the first 20 of them. Empty if
    /// [`append_line`](Self::append_line) refused the line.
    ///
    /// ```
    /// use evently_ledger::{Ledger, Profile};
    ///
    /// let mut ledger = Ledger::new(Profile::Classic);
    /// let mut batch = ledger.batch();
    /// let line = br#"{"event": "placed", "entity": "order", "key": "17", "Data": {"total": 1.50}}"#;
    /// batch.append_line(line, &mut String::new())?;
    /// let member = &batch.unknown_members()[0];
    /// assert_eq!((&*member.name, member.meant), ("Data", Some("data")));
    /// # Ok::<(), evently_ledger::EventError>(())
    /// ```
    #[must_use]
    pub fn unknown_members(&self) -> &[UnknownMember] {
        &self.unknown_members
    }

    /// How many members of the last line no checksum protects.
    #[must_use]
    pub const fn unknown_member_count(&self) -> usize {
        self.unknown_member_count
    }

    /// Appends the event: sets `timestamp` and `event_id`, and returns the ID.
    ///
    /// # Errors
    ///
    /// After an error, the batch and the event are unchanged.
    ///
    /// - [`MissingMember`](crate::EventErrorKind::MissingMember): the event does not have a member that the profile requires.
    /// - [`UnwantedMember`](crate::EventErrorKind::UnwantedMember): the event has an ID or a timestamp already.
    /// - [`Json`](crate::EventErrorKind::Json): the line of the event would be longer than [`LONGEST_LINE`].
    /// - [`Clock`](crate::EventErrorKind::Clock): the clock has no time, or the event would be later than the year
    ///   9999. Or a parent of this process resumed the ledger or appended the last event, before a fork.
    pub fn append(&mut self, event: &mut Event<'_>) -> Result<EventId, EventError> {
        refuse(event.event_id.is_some(), event.timestamp.is_some())?;
        refuse_too_long(event.line_length())?;
        let id = self.next_id(&event.content())?;
        (self.last, self.process) = (Some(id), process());
        event.event_id = Some(id);
        event.timestamp = Some(id.unix_micros());
        Ok(id)
    }

    /// Appends the event in `line`, which is JSON without `eventId` and `timestamp`. Returns its ID, and appends its line in
    /// the ledger to `out`: with `eventId` and `timestamp` first, and a line feed at the end.
    ///
    /// The other members stay as written, whatever their names: [`unknown_members`](Self::unknown_members) returns those
    /// that no checksum protects. Line feeds and carriage returns between members become spaces.
    ///
    /// ```
    /// use evently_ledger::{Ledger, Profile};
    ///
    /// let mut ledger = Ledger::new(Profile::Classic);
    /// let mut batch = ledger.batch();
    /// let mut file = String::new();
    /// let id = batch.append_line(br#"{"event": "opened", "entity": "shop", "key": "1"}"#, &mut file)?;
    /// batch.commit();
    /// assert!(file.starts_with(&format!("{{\"eventId\":\"{id}\",\"timestamp\":\"20")));
    /// assert!(file.ends_with("Z\",\"event\": \"opened\", \"entity\": \"shop\", \"key\": \"1\"}\n"));
    /// # Ok::<(), evently_ledger::EventError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// After an error, the batch and `out` are unchanged.
    ///
    /// - [`Json`](crate::EventErrorKind::Json): `line` is not an event, or it is longer than [`LONGEST_LINE`], with
    ///   or without its ID and time.
    /// - [`DuplicateMember`](crate::EventErrorKind::DuplicateMember): the event, or an object in it, has two members of one
    ///   name.
    /// - Otherwise the errors of [`append`](Self::append).
    pub fn append_line(&mut self, line: &[u8], out: &mut String) -> Result<EventId, EventError> {
        self.unknown_members.clear();
        self.unknown_member_count = 0;
        let mut reader = std::mem::take(&mut self.ledger.reader);
        let result = self.append_line_with(&mut reader, line, out);
        self.ledger.reader = reader;
        result
    }

    /// [`append_line`](Self::append_line), with the reader apart, because the line borrows it.
    fn append_line_with(
        &mut self,
        reader: &mut LineReader,
        line: &[u8],
        out: &mut String,
    ) -> Result<EventId, EventError> {
        let line = reader.read(line)?;
        refuse(line.event_id.is_some(), line.has_timestamp())?;
        if let Some((name, at)) = line.duplicate() {
            return Err(EventError::duplicate(&name, line.column(at)));
        }
        // There is always a comma after the time: other members follow, because each profile requires some.
        let (text, object) = (line.text, line.text.trim_matches(WHITE_SPACE));
        let members = object.strip_prefix('{').unwrap_or_default().trim_start_matches(WHITE_SPACE);
        refuse_too_long(BEFORE_MEMBERS + members.len())?;
        let id = self.next_id(&line.content())?;
        let profile = Some(self.ledger.profile);
        let unknown = line.unknown(profile);
        let (count, first) = (unknown.clone().count(), unknown.take(MOST_REPORTED));
        let unknown = first.map(|(name, _)| UnknownMember::new(name.into_owned(), profile)).collect();

        let start = out.len();
        out.push_str("{\"eventId\":\"");
        out.push_str(&id.encode());
        out.push_str("\",\"timestamp\":\"");
        out.push_str(&rfc3339::encode(id.unix_micros()));
        out.push_str("\",");
        // A line must not contain line feeds. They are between tokens only, where a space means the same.
        for piece in members.split_inclusive(LINE_ENDS) {
            match piece.strip_suffix(LINE_ENDS) {
                Some(before) => {
                    out.push_str(before);
                    out.push(' ');
                }
                None => out.push_str(piece),
            }
        }
        // White space around the event is left out, and a shorter text has a lower limit for the digits of exponents.
        if out.len() - start < text.len() {
            if let Err(error) = reader.read(&out.as_bytes()[start..]) {
                out.truncate(start);
                return Err(error.into());
            }
        }
        out.push('\n');
        (self.last, self.process) = (Some(id), process());
        (self.unknown_members, self.unknown_member_count) = (unknown, count);
        Ok(id)
    }

    /// The ID of an event that is appended now.
    fn next_id(&self, content: &Content<'_>) -> Result<EventId, EventError> {
        let timestamp = self.next_timestamp()?;
        let profile = self.ledger.profile;
        let crc = content.checksum(profile, timestamp)?;
        Ok(match self.last {
            Some(last) => event_id(profile, crc, timestamp, last.ledger_id(), last),
            None => genesis_id(profile, crc, timestamp),
        })
    }

    /// The clock's time, or one microsecond after the last event if that is later.
    fn next_timestamp(&self) -> Result<u64, EventError> {
        // The parent continues after the same event, with the same times.
        if self.last.is_some() && self.process != process() {
            return Err(error::other_process().into());
        }
        let after_last = match self.last {
            Some(last) if last.unix_micros() >= rfc3339::LAST => return Err(EventError::ended(last)),
            last => last.map_or(0, |last| last.unix_micros() + 1),
        };
        let timestamp = self.ledger.clock.unix_micros().map(|now| now.max(after_last));
        timestamp
            .filter(|&timestamp| timestamp <= rfc3339::LAST)
            .ok_or_else(|| error::clock_out_of_range(timestamp, 0, rfc3339::LAST).into())
    }
}

/// How many unknown members of a line are reported: a line can have millions.
const MOST_REPORTED: usize = 20;

/// How many bytes are before the other members of an event.
const BEFORE_MEMBERS: usize =
    "{\"eventId\":\"0005cd755a43d79279bc07a158f86494\",\"timestamp\":\"2021-10-03T16:33:12.816530Z\",".len();

/// Refuses an event that no reader of the ledger would accept.
fn refuse_too_long(length: usize) -> Result<(), EventError> {
    if length <= LONGEST_LINE {
        return Ok(());
    }
    Err(JsonError::too_long(&format!("one of {length} bytes with its ID and time")).into())
}

/// JSON's white space.
const WHITE_SPACE: [char; 4] = [' ', '\t', '\n', '\r'];
const LINE_ENDS: [char; 2] = ['\n', '\r'];

/// Refuses an event that already has what the ledger sets.
fn refuse(has_id: bool, has_timestamp: bool) -> Result<(), EventError> {
    match (has_id, has_timestamp) {
        (true, _) => Err(EventError::unwanted("eventId")),
        (_, true) => Err(EventError::unwanted("timestamp")),
        (false, false) => Ok(()),
    }
}
