//! Verifying a ledger, one line after another.
//!
//! - `report`: what a verifier finds.
//! - `check`: the checks of one line, and their order.
//! - `parallel`: verifying parts of a ledger side by side.
//! - `part`: verifying parts of a ledger apart from each other, and joining what was found.
//! - `track`: the faults of the lines of a part, if the profile is known and the ledger ID is not.

mod check;
#[cfg(feature = "parallel")]
mod parallel;
mod part;
mod report;
mod track;

use crate::{LONGEST_LINE, checksum::Profile, line::LineReader};
use check::{Previous, check};
use evently_id::EventId;
pub use part::{JoinError, Part, PartVerifier};
pub use report::{Fault, FaultKind, Genesis, Report};

/// Verifies a ledger: computes the ID of each event again, from the event and the ID before it (specification, "Ledger
/// Validation").
///
/// After a fault, the verifier continues with the ID that the line states, so an event with changed content is one fault.
/// If the line does not state an ID, the next event is not checked against the event before it.
///
/// ```
/// use evently_ledger::{FaultKind, Genesis, Verifier};
///
/// let ledger = r#"
/// {"eventId":"0005cd755a43d79279bc07a158f86494","timestamp":"2021-10-03T16:33:12.816530Z","event":"opened","entity":"shop","key":"1"}
/// {"eventId":"0005cd755a43d79328f66bf758f86494","timestamp":"2021-10-03T16:33:12.816531Z","event":"placed","entity":"order","key":"17"}
/// "#;
/// let report = Verifier::new(None).verify(ledger.lines());
/// assert!(report.is_valid());
/// assert_eq!((report.events, report.genesis), (2, Some(Genesis::Published)));
///
/// let report = Verifier::new(None).verify(ledger.replace("17", "71").lines());
/// assert_eq!(report.faults, 1);
/// let fault = report.first_fault.unwrap();
/// assert_eq!((fault.line, fault.kind), (3, FaultKind::IdMismatch));
/// assert_eq!(fault.found, "0005cd755a43d79328f66bf758f86494");
/// ```
#[derive(Debug)]
pub struct Verifier {
    /// The profile that was given, or that an event without a fault has.
    profile: Option<Profile>,
    previous: Previous,
    stop_at_first_fault: bool,
    is_strict: bool,
    report: Report,
    lines_read: u64,
    reader: LineReader,
}

impl Verifier {
    /// Makes a verifier of a ledger from its first event on.
    ///
    /// Without a profile, the verifier recognises it: it is the one with which an event has no fault. An event can have
    /// members of both profiles, but its ID fits only one.
    #[must_use]
    pub fn new(profile: Option<Profile>) -> Self {
        let report = Report { profile, ..Report::default() };
        Self {
            profile,
            previous: Previous::Nothing,
            stop_at_first_fault: false,
            is_strict: false,
            report,
            lines_read: 0,
            reader: LineReader::default(),
        }
    }

    /// Verifies a part of a ledger: the events after the one with the ID `event_id`, which you trust.
    ///
    /// ```
    /// use evently_ledger::{Event, Genesis, Ledger, Profile, Verifier};
    ///
    /// let mut ledger = Ledger::new(Profile::Classic);
    /// let mut batch = ledger.batch();
    /// let trusted = batch.append(&mut Event::new("opened").entity("shop").key("1"))?;
    /// let mut placed = Event::new("placed").entity("order").key("17");
    /// batch.append(&mut placed)?;
    /// let report = Verifier::new(Some(Profile::Classic)).resume_after(trusted).verify([placed.to_string()]);
    /// assert!(report.is_valid() && report.genesis == Some(Genesis::Trusted));
    /// # Ok::<(), evently_ledger::EventError>(())
    /// ```
    #[must_use]
    pub fn resume_after(mut self, event_id: EventId) -> Self {
        self.previous = Previous::Event(event_id);
        self.report.genesis = Some(Genesis::Trusted);
        self.report.ledger_id = Some(event_id.ledger_id());
        self
    }

    /// Verifies a part of a ledger if the event before it is unknown. The ID of the first event of the part is not
    /// checked. The IDs of the events after it are.
    #[must_use]
    pub fn resume_unanchored(mut self) -> Self {
        self.previous = Previous::Unknown;
        self.report.genesis = Some(Genesis::Trusted);
        self
    }

    /// Refuses members that no checksum protects: unknown members, members of the other profile, and members that an
    /// object has twice, at every depth. Somebody can add and change these members, and the ledger stays valid. Of
    /// two members with one name, some readers of JSON take the first, but the checksum covers the last.
    ///
    /// ```
    /// use evently_ledger::{FaultKind, Ledger, Profile, Verifier};
    ///
    /// let mut file = String::new();
    /// Ledger::new(Profile::Classic)
    ///     .batch()
    ///     .append_line(br#"{"event":"placed","entity":"order","key":"17","data":{"total":1.50}}"#, &mut file)?;
    /// let file = file.replace("\"data\"", "\"data\":null,\"data\"");
    /// assert!(Verifier::new(None).verify(file.lines()).is_valid());
    /// let fault = Verifier::new(None).strict().verify(file.lines()).first_fault.unwrap();
    /// assert_eq!(fault.kind, FaultKind::DuplicateMember);
    /// # Ok::<(), evently_ledger::EventError>(())
    /// ```
    #[must_use]
    pub const fn strict(mut self) -> Self {
        self.is_strict = true;
        self
    }

    /// Ignores all lines after the first fault.
    #[must_use]
    pub const fn stop_at_first_fault(mut self) -> Self {
        self.stop_at_first_fault = true;
        self
    }

    /// Whether the verifier ignores all further lines, after [`stop_at_first_fault`](Self::stop_at_first_fault).
    #[must_use]
    pub const fn is_done(&self) -> bool {
        self.stop_at_first_fault && self.report.faults > 0
    }

    /// The number of lines read, blank lines included.
    #[must_use]
    pub const fn lines_read(&self) -> u64 {
        self.lines_read
    }

    /// What the verifier has found so far.
    #[must_use]
    pub const fn report(&self) -> &Report {
        &self.report
    }

    /// Verifies all lines, and returns the report.
    #[must_use]
    pub fn verify<L: AsRef<[u8]>>(mut self, lines: impl IntoIterator<Item = L>) -> Report {
        for line in lines {
            if self.is_done() {
                break;
            }
            // The report has the fault.
            let _ = self.verify_line(line.as_ref());
        }
        self.report
    }

    /// Verifies the next line, with or without its line ending, and returns the ID that it states. Returns `None` for a
    /// blank line, and if the verifier [is done](Self::is_done).
    ///
    /// ```
    /// use evently_ledger::{FaultKind, Verifier};
    ///
    /// let mut verifier = Verifier::new(None);
    /// let line = br#"{"eventId":"0005cd755a43d79279bc07a158f86494","timestamp":"2021-10-03T16:33:12.816530Z","event":"opened","entity":"shop","key":"1"}"#;
    /// let id = verifier.verify_line(line)?.unwrap();
    /// assert_eq!(id.encode(), "0005cd755a43d79279bc07a158f86494");
    /// assert_eq!(verifier.verify_line(b"\n")?, None);
    /// assert_eq!(verifier.verify_line(line).unwrap_err().kind, FaultKind::TimeNotAscending);
    /// # Ok::<(), evently_ledger::Fault>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The fault of the line. The verifier can continue with the next line.
    pub fn verify_line(&mut self, line: &[u8]) -> Result<Option<EventId>, Fault> {
        if self.is_done() {
            return Ok(None);
        }
        self.lines_read += 1;
        if is_blank(line) {
            return Ok(None);
        }
        self.report.events += 1;
        let (stated_id, fault) = match self.reader.read(line) {
            Ok(line) => match check(&line, self.profile, self.previous, self.is_strict, &mut self.report) {
                Ok(profile) => {
                    self.profile = profile;
                    (line.event_id, None)
                }
                Err(fault) => (line.event_id, Some(fault)),
            },
            Err(error) => (None, Some(error.into())),
        };
        self.previous = stated_id.map_or(Previous::Unknown, Previous::Event);
        self.report.last_event_id = stated_id.or(self.report.last_event_id);
        let Some(fault) = fault else { return Ok(stated_id) };
        let fault = fault.at(self.lines_read);
        self.report.faults += 1;
        self.report.first_fault.get_or_insert_with(|| fault.clone());
        Err(fault)
    }

    /// Verifies the lines of `chunk`, and calls `on_fault` for each fault. A chunk ends at the end of a line; the next
    /// chunk continues there.
    ///
    /// ```
    /// use evently_ledger::Verifier;
    ///
    /// let mut verifier = Verifier::new(None);
    /// let mut lines = vec![];
    /// verifier.verify_chunk(b"{}\n\n[]\n", |fault| lines.push(fault.line));
    /// assert_eq!((lines, verifier.lines_read()), (vec![1, 3], 3));
    /// ```
    pub fn verify_chunk(&mut self, chunk: &[u8], mut on_fault: impl FnMut(&Fault)) {
        let mut rest = chunk;
        while self.verify_next(&mut rest, &mut on_fault) {}
    }

    /// Verifies the first line of `rest` that is not blank, and takes it from there with the blank lines before it. Returns
    /// `false` if there is none, or the verifier is done.
    #[inline]
    fn verify_next(&mut self, rest: &mut &[u8], on_fault: impl FnOnce(&Fault)) -> bool {
        if self.is_done() {
            return false;
        }
        if rest.first() != Some(&b'{') {
            self.lines_read += take_blank_lines(rest);
        }
        let line = take_line(rest);
        if line.is_empty() {
            return false;
        }
        if let Err(fault) = self.verify_line(line) {
            on_fault(&fault);
        }
        true
    }
}

/// Takes the blank lines at the beginning of `rest` that have a line feed, and returns their number. It does not take
/// them one by one, because a small compressed file can have thousands of millions of them.
#[cold]
fn take_blank_lines(rest: &mut &[u8]) -> u64 {
    // A line that does not end within these bytes may be too long, so it is verified.
    let some = &rest[..rest.len().min(LONGEST_LINE)];
    let blank = some.len() - some.trim_ascii_start().len();
    let Some(end) = some[..blank].iter().rposition(|&byte| byte == b'\n') else { return 0 };
    let (lines, others) = rest.split_at(end + 1);
    *rest = others;
    // Counted in bytes, which the compiler does many at a time.
    let of_some = |some: &[u8]| u64::from(some.iter().map(|&byte| u8::from(byte == b'\n')).sum::<u8>());
    lines.chunks(255).map(of_some).sum()
}

/// Whether the line is blank and not too long. A line that is too long is a fault, even if it is blank.
fn is_blank(line: &[u8]) -> bool {
    let length = || line.strip_suffix(b"\n").unwrap_or(line).len();
    line.first() != Some(&b'{') && line.trim_ascii().is_empty() && length() <= LONGEST_LINE
}

/// Takes the first line with its line ending from `rest`. Empty at the end.
#[inline]
fn take_line<'a>(rest: &mut &'a [u8]) -> &'a [u8] {
    let mut at = 0;
    // The compiler turns this loop into vector instructions.
    let has_line_feed = |some: &[u8; 32]| some.iter().fold(false, |is, &byte| is | (byte == b'\n'));
    while rest[at..].first_chunk().is_some_and(|some| !has_line_feed(some)) {
        at += 32;
    }
    let end = rest[at..].iter().position(|&byte| byte == b'\n').map_or(rest.len(), |length| at + length + 1);
    let (line, others) = rest.split_at(end);
    *rest = others;
    line
}
