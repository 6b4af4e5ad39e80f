//! The checks of one line.
//!
//! The checks that are cheap, and whose faults say most, come first:
//!
//! 1. the syntax;
//! 2. members that no checksum protects, if the verifier is strict;
//! 3. missing members;
//! 4. whether the timestamp is the one in the ID;
//! 5. the ledger ID;
//! 6. whether the time is later than the time of the event before;
//! 7. the ID. A wrong ID says only that something is wrong.
//!
//! The verifier reports the first fault of a line, and does not look for others.
//!
//! The profile and the ledger ID are taken from the first event *without a fault*, not from the first event: if one damaged
//! event determined them, each event that follows would have a fault.

use crate::{
    canonical::{Canonical, JavaScript, Jsonb, Output},
    checksum::{
        Content, MissingMember, Profile, append_timestamp, deployed_genesis_id, event_id, genesis_id,
    },
    error::JsonError,
    error::shortened,
    line::Line,
    rfc3339,
    unknown::{UnknownMember, known},
    verifier::report::{Fault, FaultKind, Genesis, Report},
};
use crc32c::crc32c_append;
use evently_id::{EventId, LedgerId};
use std::fmt;

/// What is known about the event before a line.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Previous {
    /// There is none: the line has to be the first event of the ledger.
    Nothing,
    /// Its ID, as its line states it.
    Event(EventId),
    /// Its line does not state its ID, or it was not read.
    Unknown,
}

/// A [`Fault`](crate::Fault) without the number of its line.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct LineFault {
    pub(crate) kind: FaultKind,
    pub(crate) expected: String,
    pub(crate) found: String,
}

impl LineFault {
    #[cold]
    fn new(kind: FaultKind, expected: impl fmt::Display, found: impl fmt::Display) -> Self {
        Self { kind, expected: expected.to_string(), found: found.to_string() }
    }
}

impl LineFault {
    pub(crate) fn at(self, line: u64) -> Fault {
        let Self { kind, expected, found } = self;
        Fault { line, kind, expected, found }
    }
}

impl From<MissingMember> for LineFault {
    fn from(missing: MissingMember) -> Self {
        Self::new(FaultKind::MissingMember, missing, "none")
    }
}

impl From<JsonError> for LineFault {
    fn from(error: JsonError) -> Self {
        let (expected, found) = error.into_expected_and_found();
        Self { kind: FaultKind::MalformedLine, expected, found }
    }
}

/// The fault of a line alone. The text of a missing member is made only for the fault that is reported.
pub(crate) enum AloneFault {
    Missing(MissingMember),
    Other(LineFault),
}

impl From<AloneFault> for LineFault {
    fn from(fault: AloneFault) -> Self {
        match fault {
            AloneFault::Missing(member) => member.into(),
            AloneFault::Other(fault) => fault,
        }
    }
}

impl From<MissingMember> for AloneFault {
    fn from(member: MissingMember) -> Self {
        Self::Missing(member)
    }
}

impl From<LineFault> for AloneFault {
    fn from(fault: LineFault) -> Self {
        Self::Other(fault)
    }
}

impl From<JsonError> for AloneFault {
    fn from(error: JsonError) -> Self {
        Self::Other(error.into())
    }
}

/// Checks an event. `profile` is the profile that was given, or that of an event without a fault. Returns the profile
/// that is known from now on. Sets the profile in the report, and if the event has no fault, the ledger ID and the
/// genesis.
#[inline]
pub(crate) fn check(
    line: &Line<'_, '_>,
    profile: Option<Profile>,
    previous: Previous,
    is_strict: bool,
    report: &mut Report,
) -> Result<Option<Profile>, LineFault> {
    if profile.is_none() {
        return recognise(line, previous, is_strict, report);
    }
    check_as(line, profile, previous, is_strict, report)?;
    Ok(profile)
}

/// Checks an event of a ledger whose profile is not known. The profile is the one with which the event has no fault, so
/// neither a damaged line nor a member of the other profile determines it.
#[cold]
fn recognise(
    line: &Line<'_, '_>,
    previous: Previous,
    is_strict: bool,
    report: &mut Report,
) -> Result<Option<Profile>, LineFault> {
    let [likely, other] = line.content().profiles();
    let check_as = |profile: Option<Profile>| {
        let mut report = report.clone();
        report.profile = profile.or(report.profile);
        check_as(line, report.profile, previous, is_strict, &mut report).map(|()| report)
    };
    let (as_likely, as_other) = (check_as(likely), other.map(|other| check_as(Some(other))));
    report.profile = likely.or(report.profile);
    match (as_likely, as_other) {
        // Without the ID before, both can be right. The next event shows which one is.
        (Ok(_), Some(Ok(_))) if matches!(previous, Previous::Unknown) => Ok(None),
        (Ok(found), _) | (Err(_), Some(Ok(found))) => {
            *report = found;
            Ok(report.profile)
        }
        (Err(fault), _) => Err(fault),
    }
}

/// Checks an event with this profile. If it has no fault, sets the ledger ID and the genesis in the report.
#[inline]
fn check_as(
    line: &Line<'_, '_>,
    profile: Option<Profile>,
    previous: Previous,
    is_strict: bool,
    report: &mut Report,
) -> Result<(), LineFault> {
    let alone = check_alone(line, profile, is_strict)?;
    let ledger_id = report.ledger_id.unwrap_or(alone.id.ledger_id());
    alone.check_ledger(ledger_id)?;
    match previous {
        Previous::Unknown => {}
        Previous::Event(previous) => {
            let form = alone.check_after(previous, || javascript(line, &alone))?;
            report.javascript_events += form.javascript_events();
        }
        Previous::Nothing => {
            let (genesis, form) = alone.genesis(|| deployed(line, &alone), || javascript(line, &alone))?;
            report.genesis = Some(genesis);
            report.javascript_events += form.javascript_events();
        }
    }
    report.ledger_id = Some(ledger_id);
    Ok(())
}

/// The form of `meta` and `data` that the ID of an event covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) enum Form {
    Canonical,
    /// That of Evently's published validator.
    JavaScript,
}

impl Form {
    /// What the event adds to the [count](Report::javascript_events).
    pub(crate) const fn javascript_events(self) -> u64 {
        self as u64
    }
}

/// An event that passed the checks that need no other line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Alone {
    pub(crate) profile: Profile,
    pub(crate) id: EventId,
    /// The checksum of the content.
    crc: u32,
}

/// The checks that need no other line.
#[inline]
pub(crate) fn check_alone(
    line: &Line<'_, '_>,
    profile: Option<Profile>,
    is_strict: bool,
) -> Result<Alone, AloneFault> {
    let timestamp = line.timestamp()?;
    if is_strict {
        check_strictly(line, profile)?;
    }
    let (id, timestamp) = match (line.event_id, timestamp) {
        (Some(id), Some(timestamp)) => (id, timestamp),
        (None, _) => return Err(MissingMember("eventId").into()),
        (_, None) => return Err(MissingMember("timestamp").into()),
    };
    let Some(profile) = profile else { return Err(MissingMember("entity").into()) };
    let crc = line.content().checksum(profile, timestamp)?;
    if id.unix_micros() != timestamp {
        let [expected, found] = [id.unix_micros(), timestamp].map(rfc3339::encode);
        return Err(LineFault::new(FaultKind::TimestampMismatch, expected, found).into());
    }
    Ok(Alone { profile, id, crc })
}

impl Alone {
    #[inline]
    pub(crate) fn check_ledger(&self, ledger_id: LedgerId) -> Result<(), LineFault> {
        if self.id.ledger_id().is_same_ledger(ledger_id) {
            return Ok(());
        }
        Err(ledger_changed(ledger_id, self.id.ledger_id()))
    }

    /// Checks the event against the ID of the event before it. `javascript` returns the checksum of the content in
    /// JavaScript's form.
    #[inline]
    pub(crate) fn check_after(
        &self,
        previous: EventId,
        javascript: impl FnOnce() -> Option<u32>,
    ) -> Result<Form, LineFault> {
        let Self { profile, id, .. } = *self;
        let timestamp = id.unix_micros();
        if timestamp <= previous.unix_micros() {
            let expected = format!("a time after {}", rfc3339::encode(previous.unix_micros()));
            return Err(LineFault::new(FaultKind::TimeNotAscending, expected, rfc3339::encode(timestamp)));
        }
        self.check_id(|crc| event_id(profile, crc, timestamp, id.ledger_id(), previous), javascript)
    }

    /// Checks the event as the first of a ledger. `deployed` returns whether its ID is the one that Evently's PostgreSQL
    /// function computes; `javascript` is as in [`check_after`](Self::check_after).
    pub(crate) fn genesis(
        &self,
        deployed: impl FnOnce() -> Result<bool, LineFault>,
        javascript: impl FnOnce() -> Option<u32>,
    ) -> Result<(Genesis, Form), LineFault> {
        let published = |crc| genesis_id(self.profile, crc, self.id.unix_micros());
        if self.profile == Profile::Entities && self.id != published(self.crc) && deployed()? {
            return Ok((Genesis::Deployed, Form::Canonical));
        }
        self.check_id(published, javascript).map(|form| (Genesis::Published, form))
    }

    /// Compares the ID with the one that `expected` computes from the checksum of the content.
    #[inline]
    fn check_id(
        &self,
        expected: impl Fn(u32) -> EventId,
        javascript: impl FnOnce() -> Option<u32>,
    ) -> Result<Form, LineFault> {
        let canonical = expected(self.crc);
        if self.id == canonical {
            return Ok(Form::Canonical);
        }
        if javascript().is_some_and(|crc| self.id == expected(crc)) {
            return Ok(Form::JavaScript);
        }
        Err(LineFault::new(FaultKind::IdMismatch, canonical, self.id))
    }
}

/// The fault of an event with the ledger ID `found`.
#[cold]
pub(crate) fn ledger_changed(expected: LedgerId, found: LedgerId) -> LineFault {
    LineFault::new(FaultKind::LedgerChanged, expected, found)
}

/// Refuses a member that no checksum protects.
fn check_strictly(line: &Line<'_, '_>, profile: Option<Profile>) -> Result<(), LineFault> {
    if let Some((name, at)) = line.unknown(profile).next() {
        let unknown = UnknownMember::new(name.into_owned(), profile);
        let expected = match unknown.meant {
            Some(meant) => format!("{meant:?}"),
            None => format!("only {}", known(profile).collect::<Vec<_>>().join(", ")),
        };
        let found = format!("{} at column {}", shortened(&unknown.name), line.column(at));
        return Err(LineFault::new(FaultKind::UnknownMember, expected, found));
    }
    if let Some((name, at)) = line.duplicate() {
        let found = format!("{} again at column {}", shortened(&name), line.column(at));
        return Err(LineFault::new(FaultKind::DuplicateMember, "each member once", found));
    }
    Ok(())
}

/// Whether this event has the ID of the first event of a ledger, as Evently's PostgreSQL function computes it.
#[cold]
pub(crate) fn deployed(line: &Line<'_, '_>, alone: &Alone) -> Result<bool, LineFault> {
    let content = line.content();
    let timestamp = alone.id.unix_micros();
    let mut output = Output::new();
    let mut crc = [content.event, content.entities]
        .iter()
        .fold(0, |crc, text| crc32c_append(crc, text.unwrap_or_default().as_bytes()));
    for json in [content.meta, content.data] {
        crc = crc32c_append(crc, output.rewrite::<Jsonb>(json.unwrap_or_default())?.as_bytes());
    }
    Ok(alone.id == deployed_genesis_id(append_timestamp(crc, timestamp), timestamp))
}

/// The checksum of the content of this event with `meta` and `data` in JavaScript's form, as Evently's published
/// validator computes it. `None` if JavaScript changes a value. So all texts that this checksum fits have the same
/// canonical form: it hides no edit.
#[cold]
pub(crate) fn javascript(line: &Line<'_, '_>, alone: &Alone) -> Option<u32> {
    if alone.profile != Profile::Classic {
        return None;
    }
    let content = line.content();
    let [mut javascript, mut canonical] = [Output::new(), Output::new()];
    let mut form_of = |json: &str| {
        let form = javascript.rewrite::<JavaScript>(json).ok()?;
        (canonical.rewrite::<Canonical>(form).ok()? == json).then(|| form.to_owned())
    };
    // The validator makes an object of any other `meta`, and fails without one of the two members.
    let meta = content.meta.filter(|meta| meta.starts_with('{'))?;
    let (meta, data) = (form_of(meta)?, form_of(content.data?)?);
    let content = Content { meta: Some(&meta), data: Some(&data), ..content };
    content.checksum(alone.profile, alone.id.unix_micros()).ok()
}
