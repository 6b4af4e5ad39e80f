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
    Clock, GenerateError, SystemClock,
};

/// Appends events to a ledger: sets the time and the ID of each event.
///
/// The time of an event is the clock's time, or one microsecond after the last event if that is later (specification,
/// "Monotonic"). The first event of a new ledger is its genesis event: the ledger ID is computed from it. A `Ledger`
/// does not store the events.
///
/// In the child of a `fork`, a ledger of its parent adds no event: both would continue after the same one. Read the last
/// event again, and [`resume`](Self::resume) after it.
///
/// ```
/// use evently_ledger::{Event, Ledger, Profile, Verifier};
///
/// let mut ledger = Ledger::new(Profile::Classic);
/// let mut opened = Event::new("opened").entity("shop").key("1");
/// let mut placed = Event::new("placed").entity("order").key("17");
/// ledger.append(&mut opened)?;
/// let id = ledger.append(&mut placed)?;
///
/// let mut verifier = Verifier::new(Some(Profile::Classic));
/// for event in [opened, placed] {
///     verifier.verify_line(event.to_string().as_bytes()).unwrap();
/// }
/// assert_eq!(verifier.report().last_event_id, Some(id));
///
/// // Later, in another process:
/// let ledger = Ledger::resume(Profile::Classic, id);
/// assert_eq!(ledger.ledger_id(), Some(id.ledger_id()));
/// # Ok::<(), evently_ledger::EventError>(())
/// ```
#[derive(Debug)]
pub struct Ledger<C = SystemClock> {
    profile: Profile,
    last: Option<EventId>,
    /// The process that knows the last event.
    process: u64,
    clock: C,
    reader: LineReader,
    unknown_members: Vec<UnknownMember>,
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
    /// let next = ledger.append(&mut Event::new("placed").entity("order").key("17"))?;
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
        Self {
            profile,
            last,
            process: process(),
            clock,
            reader: LineReader::default(),
            unknown_members: vec![],
        }
    }

    /// The profile that the ledger was made with.
    #[must_use]
    pub const fn profile(&self) -> Profile {
        self.profile
    }

    /// The ID of the last event; `None` before the first.
    #[must_use]
    pub const fn last_event_id(&self) -> Option<EventId> {
        self.last
    }

    /// The ledger ID; `None` before the first event.
    #[must_use]
    pub fn ledger_id(&self) -> Option<LedgerId> {
        self.last.map(|last| last.ledger_id())
    }

    /// The members of the last line that no checksum protects. Empty if [`append_line`](Self::append_line) refused the line.
    ///
    /// ```
    /// use evently_ledger::{Ledger, Profile};
    ///
    /// let mut ledger = Ledger::new(Profile::Classic);
    /// let line = br#"{"event": "placed", "entity": "order", "key": "17", "Data": {"total": 1.50}}"#;
    /// ledger.append_line(line, &mut String::new())?;
    /// let member = &ledger.unknown_members()[0];
    /// assert_eq!((&*member.name, member.meant), ("Data", Some("data")));
    /// # Ok::<(), evently_ledger::EventError>(())
    /// ```
    #[must_use]
    pub fn unknown_members(&self) -> &[UnknownMember] {
        &self.unknown_members
    }

    /// Appends the event: sets `timestamp` and `event_id`, and returns the ID.
    ///
    /// # Errors
    ///
    /// After an error, the ledger and the event are unchanged.
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
        event.timestamp = Some(id.timestamp());
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
    /// let mut file = String::new();
    /// let id = ledger.append_line(br#"{"event": "opened", "entity": "shop", "key": "1"}"#, &mut file)?;
    /// assert!(file.starts_with(&format!("{{\"eventId\":\"{id}\",\"timestamp\":\"20")));
    /// assert!(file.ends_with("Z\",\"event\": \"opened\", \"entity\": \"shop\", \"key\": \"1\"}\n"));
    /// # Ok::<(), evently_ledger::EventError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// After an error, the ledger and `out` are unchanged.
    ///
    /// - [`Json`](crate::EventErrorKind::Json): `line` is not an event, or it is longer than [`LONGEST_LINE`], with
    ///   or without its ID and time.
    /// - [`DuplicateMember`](crate::EventErrorKind::DuplicateMember): the event, or an object in it, has two members of one
    ///   name.
    /// - Otherwise the errors of [`append`](Self::append).
    pub fn append_line(&mut self, line: &[u8], out: &mut String) -> Result<EventId, EventError> {
        self.unknown_members.clear();
        let mut reader = std::mem::take(&mut self.reader);
        let result = self.append_line_with(&mut reader, line, out);
        self.reader = reader;
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
        let profile = Some(self.profile);
        let unknown: Vec<_> =
            line.unknown(profile).map(|(name, _)| UnknownMember::new(name, profile)).collect();

        let start = out.len();
        out.push_str("{\"eventId\":\"");
        out.push_str(&id.encode());
        out.push_str("\",\"timestamp\":\"");
        out.push_str(&rfc3339::encode(id.timestamp()));
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
        (self.last, self.process, self.unknown_members) = (Some(id), process(), unknown);
        Ok(id)
    }

    /// The ID of an event that is appended now.
    fn next_id(&self, content: &Content<'_>) -> Result<EventId, EventError> {
        let timestamp = self.next_timestamp()?;
        let crc = content.checksum(self.profile, timestamp)?;
        Ok(match self.last {
            Some(last) => event_id(self.profile, crc, timestamp, last.ledger_id(), last),
            None => genesis_id(self.profile, crc, timestamp),
        })
    }

    /// The clock's time, or one microsecond after the last event if that is later.
    fn next_timestamp(&self) -> Result<u64, GenerateError> {
        // The parent continues after the same event, with the same times.
        if self.last.is_some() && self.process != process() {
            return Err(error::other_process());
        }
        let after_last = self.last.map_or(0, |last| last.timestamp().saturating_add(1));
        let timestamp = self.clock.unix_micros().map(|now| now.max(after_last));
        timestamp
            .filter(|&timestamp| timestamp <= rfc3339::LAST)
            .ok_or_else(|| error::clock_out_of_range(timestamp, 0, rfc3339::LAST))
    }
}

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
