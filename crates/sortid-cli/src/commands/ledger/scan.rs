//! Which part of a ledger stays, and which is cut off. This file does no input or output, so that fuzz targets can
//! include it.

use super::tail::Tail;
use sortid::evently_ledger::{Event, EventId, Fault, FaultKind, Verifier};

/// What the whole file has.
pub(super) struct Scan {
    pub(super) len: u64,
    /// The number of events before the damage, or of all events.
    pub(super) events: u64,
    pub(super) last: Option<EventId>,
    /// Whether a line feed is missing behind the last event that stays.
    pub(super) lacks_line_feed: bool,
    pub(super) damage: Option<Damage>,
}

/// The first fault and all that follows it.
pub(super) struct Damage {
    /// Where the bytes begin that are cut off.
    pub(super) at: u64,
    pub(super) line: u64,
    /// The fault in a sentence, with the line.
    pub(super) sentence: String,
    pub(super) kind: &'static str,
    pub(super) expected: String,
    pub(super) found: String,
    /// How many lines are cut off that are not blank.
    pub(super) lines: u64,
    /// How many of them are events, with an ID.
    pub(super) events: u64,
    /// The line of the first such event.
    pub(super) first_event: Option<u64>,
    /// How many of these have the ID that follows from the event and the ID before it.
    pub(super) valid: u64,
}

impl Damage {
    fn new(at: u64, line: u64, fault: Fault) -> Self {
        let (sentence, kind) = (fault.to_string(), fault.kind.name());
        let (expected, found) = (fault.expected, fault.found);
        Self { at, line, sentence, kind, expected, found, lines: 0, events: 0, first_event: None, valid: 0 }
    }

    /// NULs behind a whole line.
    fn nuls(at: u64, line: u64, nuls: u64) -> Self {
        let (expected, found) = ("the end of the line".to_owned(), format!("{nuls} NUL bytes"));
        Self {
            at,
            line,
            sentence: format!("line {line}: expected {expected}, found {found}"),
            kind: FaultKind::MalformedLine.name(),
            expected,
            found,
            lines: 0,
            events: 0,
            first_event: None,
            valid: 0,
        }
    }
}

impl Scan {
    /// Nothing yet of a file with `len` bytes.
    pub(super) const fn new(len: u64) -> Self {
        Self { len, events: 0, last: None, lacks_line_feed: false, damage: None }
    }

    /// Adds a line with its line feed, which begins at `at`.
    pub(super) fn line(&mut self, verifier: &mut Verifier, at: u64, line: &[u8]) {
        match verifier.verify_line(line) {
            Ok(event) => self.add(verifier, line, event),
            Err(fault) => self.damaged(verifier, at, line, fault),
        }
    }

    /// Adds what is after the last line feed, at `at`: `text`, or its beginning if it is longer than a line may be,
    /// and `nuls` NULs behind it.
    pub(super) fn tail(&mut self, verifier: &mut Verifier, at: u64, text: &[u8], nuls: u64) {
        match Tail::read(verifier, text, nuls, self.last.is_some()) {
            Ok(Tail { fault: Some(fault), .. }) | Err(fault) => self.damaged(verifier, at, text, fault),
            Ok(Tail { event, .. }) => {
                self.add(verifier, text, event);
                if self.damage.is_none() {
                    self.lacks_line_feed = event.is_some();
                    if nuls > 0 {
                        self.damage = Some(Damage::nuls(at + text.len() as u64, verifier.lines_read(), nuls));
                    }
                }
            }
        }
    }

    fn add(&mut self, verifier: &Verifier, line: &[u8], event: Option<EventId>) {
        match &mut self.damage {
            Some(damage) => damage.count(verifier.lines_read(), line, event.is_some()),
            None => {
                self.events += u64::from(event.is_some());
                self.last = event.or(self.last);
            }
        }
    }

    fn damaged(&mut self, verifier: &Verifier, at: u64, line: &[u8], fault: Fault) {
        let number = verifier.lines_read();
        self.damage.get_or_insert_with(|| Damage::new(at, number, fault)).count(number, line, false);
    }

    /// How many bytes stay.
    pub(super) fn kept(&self) -> u64 {
        self.damage.as_ref().map_or(self.len, |damage| damage.at)
    }
}

impl Damage {
    /// Counts a line that is cut off.
    fn count(&mut self, number: u64, line: &[u8], is_valid: bool) {
        if line.trim_ascii().is_empty() {
            return;
        }
        let event = str::from_utf8(line).ok().and_then(|text| Event::parse(text).ok());
        self.lines += 1;
        if event.is_some_and(|event| event.event_id.is_some()) {
            self.events += 1;
            self.first_event.get_or_insert(number);
        }
        self.valid += u64::from(is_valid);
    }
}
