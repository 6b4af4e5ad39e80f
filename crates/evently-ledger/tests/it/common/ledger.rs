//! Ledgers, and questions about them.

use evently_ledger::{
    Clock, Event, EventError, EventErrorKind, EventId, Fault, Json, Ledger, LedgerId, Profile, Report,
    Verifier, testing::ManualClock,
};
use std::time::Duration;

pub(crate) const CLASSIC: &str = include_str!("../../../../../vectors/ledger-classic.ndjson");
pub(crate) const ENTITIES: &str = include_str!("../../../../../vectors/ledger-entities.ndjson");
/// IDs that a program in JavaScript computed, with `JSON.parse`, `sort` and `JSON.stringify`.
pub(crate) const JAVASCRIPT: &str = include_str!("../../../../../vectors/ledger-javascript.ndjson");
pub(crate) const LEDGERS: [(&str, Profile); 2] = [(CLASSIC, Profile::Classic), (ENTITIES, Profile::Entities)];

/// 2021-10-03T16:33:12.816530Z
pub(crate) const START: Duration = Duration::from_micros(1_633_278_792_816_530);

/// What code that branches on an error looks at.
pub(crate) fn kind_and_member(error: &EventError) -> (EventErrorKind, Option<&'static str>) {
    (error.kind(), error.member())
}

pub(crate) fn missing(member: &'static str) -> (EventErrorKind, Option<&'static str>) {
    (EventErrorKind::MissingMember, Some(member))
}

pub(crate) fn unwanted(member: &'static str) -> (EventErrorKind, Option<&'static str>) {
    (EventErrorKind::UnwantedMember, Some(member))
}

pub(crate) fn lines(ledger: &str) -> Vec<String> {
    ledger.lines().map(str::to_owned).collect()
}

pub(crate) fn verify<L: AsRef<[u8]>>(lines: &[L]) -> Report {
    Verifier::new(None).verify(lines)
}

pub(crate) fn id_of(line: &str) -> EventId {
    Event::parse(line).unwrap().event_id.unwrap()
}

/// All faults of these lines, which follow the event `after`, or are a whole ledger.
pub(crate) fn faults(profile: Option<Profile>, after: Option<EventId>, lines: &[String]) -> Vec<Fault> {
    let mut verifier = Verifier::new(profile);
    if let Some(id) = after {
        verifier = verifier.resume_after(id);
    }
    lines.iter().filter_map(|line| verifier.verify_line(line.as_bytes()).err()).collect()
}

pub(crate) fn ledger(profile: Profile, clock: &ManualClock) -> Ledger<&ManualClock> {
    Ledger::with_clock(profile, None, clock)
}

/// Appends one event, as if it were written.
pub(crate) trait Append {
    fn append(&mut self, event: &mut Event<'_>) -> Result<EventId, EventError>;
    fn append_line(&mut self, line: &[u8], out: &mut String) -> Result<EventId, EventError>;
}

impl<C: Clock> Append for Ledger<C> {
    fn append(&mut self, event: &mut Event<'_>) -> Result<EventId, EventError> {
        let mut batch = self.batch();
        let result = batch.append(event);
        batch.commit();
        result
    }

    fn append_line(&mut self, line: &[u8], out: &mut String) -> Result<EventId, EventError> {
        let mut batch = self.batch();
        let result = batch.append_line(line, out);
        batch.commit();
        result
    }
}

pub(crate) fn event(profile: Profile, name: &str) -> Event<'_> {
    let json = |text| Json::parse(text).unwrap();
    match profile {
        Profile::Classic => Event::new(name).entity("order").key("17"),
        Profile::Entities => {
            Event::new(name).entities(json("{\"order\":[\"17\"]}")).meta(json("{}")).data(json("1.50"))
        }
    }
}

/// The lines of a ledger, whose events are one microsecond apart.
pub(crate) fn made(profile: Profile, events: usize) -> Vec<String> {
    let clock = ManualClock::new(START);
    let mut ledger = ledger(profile, &clock);
    let names: Vec<_> = (0..events).map(|number| format!("event {number}")).collect();
    let mut line = |name| {
        let mut event = event(profile, name);
        ledger.append(&mut event).unwrap();
        event.to_string()
    };
    names.iter().map(|name| line(name.as_str())).collect()
}

// IDs as the specification puts it: the CRC of one string.

pub(crate) fn crc(text: &str) -> u32 {
    crc32c::crc32c(text.as_bytes())
}

pub(crate) fn classic_id(content: &str, timestamp: u64, ledger_id: LedgerId, previous: EventId) -> EventId {
    let checksum = crc(&format!("{content}{ledger_id}{timestamp:016x}{previous}"));
    EventId::from_fields(timestamp, checksum, ledger_id)
}

pub(crate) fn entities_id(content: &str, timestamp: u64, ledger_id: LedgerId, previous: EventId) -> EventId {
    let checksum = crc(&format!("{content}{timestamp:016x}{ledger_id}{previous}"));
    EventId::from_fields(timestamp, checksum, ledger_id)
}
