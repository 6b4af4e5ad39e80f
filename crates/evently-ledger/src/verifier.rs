use crate::{
    canonical::{CanonicalWriter, Jsonb},
    checksum::{Content, Missing, Profile, append_timestamp, deployed_genesis_id, event_id, genesis_id},
    json::JsonError,
    line::{Line, LineReader},
    rfc3339,
};
use crc32c::crc32c_append;
use evently_id::{EventId, LedgerId};
use std::{fmt, io::BufRead as _};

/// Verifies a ledger, line by line: computes each event's ID anew from its content and the ID before it.
///
/// After a fault it goes on from the ID that the line states, so that one corrupted event is one fault. The event after
/// a line that states none is taken as it is.
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
    /// As given, or as an event without a fault has it.
    profile: Option<Profile>,
    before: Before,
    stop_at_first_fault: bool,
    report: Report,
    lines: u64,
    reader: LineReader,
}

/// What is known of the event before a line.
#[derive(Clone, Copy, Debug)]
enum Before {
    /// There is none: the line is that of the genesis event.
    Nothing,
    Event(EventId),
    /// Its line does not state its ID.
    Unknown,
}

/// What a [`Verifier`] found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Report {
    /// Lines that are not blank.
    pub events: u64,
    /// What the checksums cover; `None` where no line has told so far.
    pub profile: Option<Profile>,
    /// What the first event was checked against; `None` where it is faulty, or there is none.
    pub genesis: Option<Genesis>,
    /// The ledger ID, with the version of the first event without a fault.
    pub ledger_id: Option<LedgerId>,
    /// The ID that the last event states.
    pub last_event_id: Option<EventId>,
    /// Lines with a fault.
    pub faults: u64,
    /// The first of them.
    pub first_fault: Option<Fault>,
}

impl Report {
    /// Whether no fault was found.
    #[must_use]
    pub const fn is_valid(&self) -> bool {
        self.faults == 0
    }
}

/// What a ledger's first event was checked against.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Genesis {
    /// The genesis event, as the specification has it.
    Published,
    /// The genesis event, as Evently's PostgreSQL function makes it: with another previous ID, and `meta` and `data` as
    /// PostgreSQL prints them.
    Deployed,
    /// The event ID that you trust.
    Trusted,
}

impl Genesis {
    /// `published`, `deployed` or `trusted`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Published => "published",
            Self::Deployed => "deployed",
            Self::Trusted => "trusted",
        }
    }
}

/// A line of a ledger that is not as it should be.
///
/// ```
/// use evently_ledger::{FaultKind, Verifier};
///
/// let fault = Verifier::new(None).verify(["no event"]).first_fault.unwrap();
/// assert_eq!((fault.line, fault.kind, fault.kind.name()), (1, FaultKind::MalformedLine, "malformed_line"));
/// assert_eq!(fault.found, "'n'");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fault {
    /// The line, from 1.
    pub line: u64,
    /// What is wrong.
    pub kind: FaultKind,
    /// What should be there.
    pub expected: String,
    /// What is there.
    pub found: String,
}

/// What is wrong with a line of a ledger. Of several, the first of this list is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FaultKind {
    /// The line is no event.
    MalformedLine,
    /// The event has not all members that its profile requires.
    MissingMember,
    /// The event's timestamp is not that of its ID.
    TimestampMismatch,
    /// The event's ledger ID is another than that of the events before.
    LedgerChanged,
    /// The event is not later than the one before.
    TimeNotAscending,
    /// The event's ID is another than that which its content and the event before give.
    IdMismatch,
}

impl FaultKind {
    /// The kind in lower case, as `sortid ledger verify --json` prints it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::MalformedLine => "malformed_line",
            Self::MissingMember => "missing_member",
            Self::TimestampMismatch => "timestamp_mismatch",
            Self::LedgerChanged => "ledger_changed",
            Self::TimeNotAscending => "time_not_ascending",
            Self::IdMismatch => "id_mismatch",
        }
    }

    const fn words(self) -> &'static str {
        match self {
            Self::MalformedLine => "malformed line",
            Self::MissingMember => "missing member",
            Self::TimestampMismatch => "the timestamp is not that of the event ID",
            Self::LedgerChanged => "the ledger ID changed",
            Self::TimeNotAscending => "the time does not ascend",
            Self::IdMismatch => "the event ID does not belong to the event and the one before it",
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { line, kind, expected, found } = self;
        write!(f, "line {line}: {}: expected {expected}, found {found}", kind.words())
    }
}

impl std::error::Error for Fault {}

/// What is wrong with a line, wherever it stands.
struct Wrong {
    kind: FaultKind,
    expected: String,
    found: String,
}

impl Wrong {
    #[cold]
    fn new(kind: FaultKind, expected: impl fmt::Display, found: impl fmt::Display) -> Self {
        Self { kind, expected: expected.to_string(), found: found.to_string() }
    }
}

impl From<Missing> for Wrong {
    fn from(Missing(name): Missing) -> Self {
        Self::new(FaultKind::MissingMember, format_args!("the member {name:?}"), "none")
    }
}

impl From<JsonError> for Wrong {
    fn from(error: JsonError) -> Self {
        let (expected, found) = error.into_expected_and_found();
        Self { kind: FaultKind::MalformedLine, expected, found }
    }
}

impl Verifier {
    /// Of a whole ledger. Without a profile, it is recognised by `entities`, or `entity` or `key`, of each line until one
    /// has no fault.
    #[must_use]
    pub fn new(profile: Option<Profile>) -> Self {
        let report = Report { profile, ..Report::default() };
        Self {
            profile,
            before: Before::Nothing,
            stop_at_first_fault: false,
            report,
            lines: 0,
            reader: LineReader::default(),
        }
    }

    /// Of the part of a ledger that follows this event, whose ID you trust.
    ///
    /// ```
    /// use evently_ledger::{Event, Genesis, Ledger, Profile, Verifier};
    ///
    /// let mut ledger = Ledger::new(Profile::Classic);
    /// let trusted = ledger.append(&mut Event::new("opened").entity("shop").key("1"))?;
    /// let mut placed = Event::new("placed").entity("order").key("17");
    /// ledger.append(&mut placed)?;
    /// let report = Verifier::new(Some(Profile::Classic)).resume_after(trusted).verify([placed.to_string()]);
    /// assert!(report.is_valid() && report.genesis == Some(Genesis::Trusted));
    /// # Ok::<(), evently_ledger::EventError>(())
    /// ```
    #[must_use]
    pub fn resume_after(mut self, event_id: EventId) -> Self {
        self.before = Before::Event(event_id);
        self.report.genesis = Some(Genesis::Trusted);
        self.report.ledger_id = Some(event_id.ledger_id());
        self
    }

    /// Of a part of a ledger, whose first event is taken as it is.
    #[must_use]
    pub fn resume_unanchored(mut self) -> Self {
        self.before = Before::Unknown;
        self.report.genesis = Some(Genesis::Trusted);
        self
    }

    /// Passes over all lines after the first with a fault.
    #[must_use]
    pub const fn stop_at_first_fault(mut self) -> Self {
        self.stop_at_first_fault = true;
        self
    }

    /// Whether no further line will be looked at.
    #[must_use]
    pub const fn is_done(&self) -> bool {
        self.stop_at_first_fault && self.report.faults > 0
    }

    /// How many lines were read, blank ones among them.
    #[must_use]
    pub const fn lines_read(&self) -> u64 {
        self.lines
    }

    /// What was found so far.
    #[must_use]
    pub const fn report(&self) -> &Report {
        &self.report
    }

    /// Verifies all lines.
    #[must_use]
    pub fn verify<L: AsRef<[u8]>>(mut self, lines: impl IntoIterator<Item = L>) -> Report {
        for line in lines {
            if self.is_done() {
                break;
            }
            // It is in the report.
            let _ = self.verify_line(line.as_ref());
        }
        self.report
    }

    /// Verifies the next line, with or without its line ending. `None` where it is blank.
    ///
    /// # Errors
    ///
    /// What is wrong with it. The verifier goes on with the next line.
    pub fn verify_line(&mut self, line: &[u8]) -> Result<Option<EventId>, Fault> {
        if self.is_done() {
            return Ok(None);
        }
        self.lines += 1;
        if is_blank(line) {
            return Ok(None);
        }
        self.report.events += 1;
        let (stated, wrong) = match self.reader.read(line) {
            Ok(line) => {
                let checked = check(&line, self.profile, self.before, &mut self.report);
                if checked.is_ok() {
                    self.profile = self.report.profile;
                }
                (line.event_id, checked.err())
            }
            Err(error) => (None, Some(error.into())),
        };
        self.before = stated.map_or(Before::Unknown, Before::Event);
        self.report.last_event_id = stated.or(self.report.last_event_id);
        let Some(Wrong { kind, expected, found }) = wrong else { return Ok(stated) };
        let fault = Fault { line: self.lines, kind, expected, found };
        self.report.faults += 1;
        self.report.first_fault.get_or_insert_with(|| fault.clone());
        Err(fault)
    }

    /// Verifies the lines of `chunk`, which ends where a line does, and calls `on_fault` for each that has a fault.
    pub fn verify_chunk(&mut self, chunk: &[u8], mut on_fault: impl FnMut(&Fault)) {
        for line in lines_of(chunk) {
            if let Err(fault) = self.verify_line(line) {
                on_fault(&fault);
            }
            if self.is_done() {
                break;
            }
        }
    }

    /// [`verify_chunk`](Self::verify_chunk), with the same result, on all threads of rayon's pool.
    ///
    /// An event needs only the ID before it, which the line before it states: so the chunk is verified in pieces, side
    /// by side.
    #[cfg(feature = "parallel")]
    pub fn verify_chunk_parallel(&mut self, chunk: &[u8], mut on_fault: impl FnMut(&Fault)) {
        use rayon::iter::{IndexedParallelIterator as _, IntoParallelIterator as _, ParallelIterator as _};

        /// Less is not worth a thread's while.
        const LEAST: usize = 1 << 14;

        let mut rest = chunk;
        // Until it is known what all lines are checked against.
        while !(self.profile.is_some()
            && self.report.ledger_id.is_some()
            && matches!(self.before, Before::Event(_)))
        {
            let line = next_line(&mut rest);
            if line.is_empty() || self.is_done() {
                return;
            }
            self.verify_chunk(line, &mut on_fault);
        }
        let pieces = pieces_of(rest, (rest.len() / (4 * rayon::current_num_threads())).max(LEAST));
        let mut befores = vec![];
        let mut before = self.before;
        for piece in &pieces {
            befores.push(before);
            before = self.before_end_of(piece, before);
        }
        let verified: Vec<_> = pieces
            .into_par_iter()
            .zip(befores)
            .map(|(piece, before)| {
                let mut verifier = Self::new(self.profile);
                verifier.before = before;
                verifier.report.ledger_id = self.report.ledger_id;
                verifier.stop_at_first_fault = self.stop_at_first_fault;
                let mut faults = vec![];
                verifier.verify_chunk(piece, |fault| faults.push(fault.clone()));
                (verifier, faults)
            })
            .collect();
        for (piece, faults) in verified {
            if self.is_done() {
                break;
            }
            for mut fault in faults {
                fault.line += self.lines;
                on_fault(&fault);
                self.report.first_fault.get_or_insert(fault);
            }
            self.lines += piece.lines;
            self.before = piece.before;
            self.report.events += piece.report.events;
            self.report.faults += piece.report.faults;
            self.report.last_event_id = piece.report.last_event_id.or(self.report.last_event_id);
        }
    }

    /// What is known of the event before the end of `piece`, without verifying it.
    #[cfg(feature = "parallel")]
    fn before_end_of(&mut self, piece: &[u8], before: Before) -> Before {
        let mut lines = piece.rsplit(|&byte| byte == b'\n');
        match lines.find(|line| !is_blank(line)) {
            None => before,
            Some(line) => match self.reader.read(line) {
                Ok(Line { event_id: Some(id), .. }) => Before::Event(id),
                _ => Before::Unknown,
            },
        }
    }
}

fn is_blank(line: &[u8]) -> bool {
    line.first() != Some(&b'{') && line.trim_ascii().is_empty()
}

/// Takes the first line off, with its line ending. Empty at the end.
fn next_line<'a>(rest: &mut &'a [u8]) -> &'a [u8] {
    let all = *rest;
    // Of a slice it cannot fail.
    let length = rest.skip_until(b'\n').unwrap_or(all.len());
    &all[..length]
}

fn lines_of(chunk: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = chunk;
    std::iter::from_fn(move || Some(next_line(&mut rest)).filter(|line| !line.is_empty()))
}

/// The chunk in pieces of at least this length, each of whole lines.
#[cfg(feature = "parallel")]
fn pieces_of(chunk: &[u8], length: usize) -> Vec<&[u8]> {
    let mut pieces = vec![];
    let mut rest = chunk;
    while !rest.is_empty() {
        let mut after = &rest[length.min(rest.len())..];
        next_line(&mut after);
        let (piece, others) = rest.split_at(rest.len() - after.len());
        pieces.push(piece);
        rest = others;
    }
    pieces
}

/// Checks an event, and notes in the report what the first one tells.
#[inline]
fn check(
    line: &Line<'_, '_>,
    profile: Option<Profile>,
    before: Before,
    report: &mut Report,
) -> Result<(), Wrong> {
    let content = &line.content();
    // A damaged line must not tell the profile of all that follow.
    let profile = profile.or_else(|| content.profile()).or(report.profile);
    report.profile = profile;
    let (id, timestamp) = match (line.event_id, line.timestamp()?) {
        (Some(id), Some(timestamp)) => (id, timestamp),
        (None, _) => return Err(Missing("eventId").into()),
        (_, None) => return Err(Missing("timestamp").into()),
    };
    let Some(profile) = profile else { return Err(Missing("entity").into()) };
    let crc = content.checksum(profile, timestamp)?;

    if id.timestamp() != timestamp {
        let [expected, found] = [id.timestamp(), timestamp].map(rfc3339::encode);
        return Err(Wrong::new(FaultKind::TimestampMismatch, expected, found));
    }
    // Known from the first event without a fault: a damaged one must not make faults of all that follow.
    let ledger_id = report.ledger_id.unwrap_or(id.ledger_id());
    if !id.ledger_id().is_same_ledger(ledger_id) {
        return Err(Wrong::new(FaultKind::LedgerChanged, ledger_id, id.ledger_id()));
    }
    let expected = match before {
        Before::Unknown => id,
        Before::Event(previous) if timestamp <= previous.timestamp() => {
            let expected = format_args!("a time after {}", rfc3339::encode(previous.timestamp()));
            return Err(Wrong::new(FaultKind::TimeNotAscending, expected, rfc3339::encode(timestamp)));
        }
        Before::Event(previous) => event_id(profile, crc, timestamp, id.ledger_id(), previous),
        Before::Nothing => {
            let published = genesis_id(profile, crc, timestamp);
            if id == published {
                report.genesis = Some(Genesis::Published);
                published
            } else if profile == Profile::Entities && id == deployed(content, timestamp)? {
                report.genesis = Some(Genesis::Deployed);
                id
            } else {
                published
            }
        }
    };
    if id != expected {
        return Err(Wrong::new(FaultKind::IdMismatch, expected, id));
    }
    report.ledger_id = Some(ledger_id);
    Ok(())
}

/// The ID of this event as the first one of a ledger, as Evently's PostgreSQL function computes it.
#[cold]
fn deployed(content: &Content<'_>, timestamp: u64) -> Result<EventId, JsonError> {
    let mut writer = CanonicalWriter::new();
    let mut crc = [content.event, content.entities]
        .iter()
        .fold(0, |crc, text| crc32c_append(crc, text.unwrap_or_default().as_bytes()));
    for json in [content.meta, content.data] {
        crc = crc32c_append(crc, writer.whole::<Jsonb>(json.unwrap_or_default())?.as_bytes());
    }
    Ok(deployed_genesis_id(append_timestamp(crc, timestamp), timestamp))
}
