use crate::{
    Event, EventError, Profile,
    checksum::{Content, event_id, genesis_id},
    line::LineReader,
    rfc3339,
};
use evently_id::{EventId, LedgerId};
use sortid_core::{__private::error, Clock, GenerateError, SystemClock};

/// Adds events to a ledger: gives each its time and its ID.
///
/// Its clock never goes back, and never stands: an event is at least a microsecond after the one before (specification,
/// "Monotonic"). The first event of a new ledger is its genesis event, which the ledger ID is made of. A ledger keeps
/// no events; that is up to you.
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
    clock: C,
    reader: LineReader,
}

impl Ledger {
    /// A ledger with no events.
    #[must_use]
    pub fn new(profile: Profile) -> Self {
        Self::with_clock(profile, None, SystemClock)
    }

    /// A ledger whose last event has this ID.
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
    /// A ledger with a clock of your own, and with this last event, if it has events.
    #[must_use]
    pub fn with_clock(profile: Profile, last: Option<EventId>, clock: C) -> Self {
        Self { profile, last, clock, reader: LineReader::default() }
    }

    /// What the checksums cover.
    #[must_use]
    pub const fn profile(&self) -> Profile {
        self.profile
    }

    /// The ID of the last event; `None` where there are no events.
    #[must_use]
    pub const fn last_event_id(&self) -> Option<EventId> {
        self.last
    }

    /// The ledger ID; `None` where there are no events.
    #[must_use]
    pub fn ledger_id(&self) -> Option<LedgerId> {
        self.last.map(|last| last.ledger_id())
    }

    /// Adds the event: sets its timestamp and its ID, and returns the latter.
    ///
    /// # Errors
    ///
    /// `Missing` when the event has not all members of the profile, `Unwanted` when it has an ID or a timestamp already,
    /// `Clock` when there is no time that an event can have, which ends in the year 9999. The ledger is as it was
    /// before, and so is the event.
    pub fn append(&mut self, event: &mut Event<'_>) -> Result<EventId, EventError> {
        refuse(event.event_id.is_some(), event.timestamp.is_some())?;
        let id = self.next_id(&event.content())?;
        self.last = Some(id);
        event.event_id = Some(id);
        event.timestamp = Some(id.timestamp());
        Ok(id)
    }

    /// Adds the event that `line` holds, as JSON without `eventId` and `timestamp`, and appends it to `out`, as a line with
    /// them and with a line feed. All other members stay as they are.
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
    /// `Json` when `line` is no event; otherwise as [`append`](Self::append). `out` is as it was before.
    pub fn append_line(&mut self, line: &[u8], out: &mut String) -> Result<EventId, EventError> {
        let mut reader = std::mem::take(&mut self.reader);
        let result = self.append_line_by(&mut reader, line, out);
        self.reader = reader;
        result
    }

    fn append_line_by(
        &mut self,
        reader: &mut LineReader,
        line: &[u8],
        out: &mut String,
    ) -> Result<EventId, EventError> {
        let line = reader.read(line)?;
        refuse(line.event_id.is_some(), line.has_timestamp())?;
        let id = self.next_id(&line.content())?;
        self.last = Some(id);

        out.push_str("{\"eventId\":\"");
        out.push_str(&id.encode());
        out.push_str("\",\"timestamp\":\"");
        out.push_str(&rfc3339::encode(id.timestamp()));
        out.push_str("\",");
        // There are other members: a profile requires some.
        let object = line.text.trim_matches(BLANKS);
        let members = object.strip_prefix('{').unwrap_or_default().trim_start_matches(BLANKS);
        // A line feed can stand between members only, where a blank is as good, and a line has but one.
        for piece in members.split_inclusive(LINE_ENDS) {
            match piece.strip_suffix(LINE_ENDS) {
                Some(before) => {
                    out.push_str(before);
                    out.push(' ');
                }
                None => out.push_str(piece),
            }
        }
        out.push('\n');
        Ok(id)
    }

    fn next_id(&self, content: &Content<'_>) -> Result<EventId, EventError> {
        let timestamp = self.next_timestamp()?;
        let crc = content.checksum(self.profile, timestamp)?;
        Ok(match self.last {
            Some(last) => event_id(self.profile, crc, timestamp, last.ledger_id(), last),
            None => genesis_id(self.profile, crc, timestamp),
        })
    }

    /// The clock's time, or the microsecond after the last event where that is later.
    fn next_timestamp(&self) -> Result<u64, GenerateError> {
        let after_last = self.last.map_or(0, |last| last.timestamp().saturating_add(1));
        let timestamp = self.clock.unix_micros().map(|now| now.max(after_last));
        timestamp
            .filter(|&timestamp| timestamp <= rfc3339::LAST)
            .ok_or_else(|| error::clock_out_of_range(timestamp, 0, rfc3339::LAST))
    }
}

const BLANKS: [char; 4] = [' ', '\t', '\n', '\r'];
const LINE_ENDS: [char; 2] = ['\n', '\r'];

fn refuse(has_id: bool, has_timestamp: bool) -> Result<(), EventError> {
    match (has_id, has_timestamp) {
        (true, _) => Err(EventError::unwanted("eventId")),
        (_, true) => Err(EventError::unwanted("timestamp")),
        (false, false) => Ok(()),
    }
}
