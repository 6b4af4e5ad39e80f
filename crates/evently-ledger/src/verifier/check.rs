//! The checks of one line.
//!
//! They go from the cheap and telling to the dear and silent: syntax, members that nothing protects if the verifier is
//! strict, members that are missing, the timestamp against that of the ID, the
//! ledger ID, the order of times, and the ID, whose mismatch says only that something is wrong. The first fault of a line is
//! the one that is reported; further faults of the line are not looked for.
//!
//! The profile and the ledger ID are taken from the first event *without a fault*, not from the first event: if one damaged
//! event determined them, each event that follows would have a fault.

use crate::{
    canonical::{Jsonb, Output},
    checksum::{
        Content, MissingMember, Profile, append_timestamp, deployed_genesis_id, event_id, genesis_id,
    },
    error::JsonError,
    json::shortened,
    line::Line,
    rfc3339,
    unknown::{UnknownMember, known},
    verifier::report::{FaultKind, Genesis, Report},
};
use crc32c::crc32c_append;
use evently_id::EventId;
use std::fmt;

/// What is known of the event before a line.
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

impl From<MissingMember> for LineFault {
    fn from(MissingMember(name): MissingMember) -> Self {
        Self::new(FaultKind::MissingMember, format_args!("the member {name:?}"), "none")
    }
}

impl From<JsonError> for LineFault {
    fn from(error: JsonError) -> Self {
        let (expected, found) = error.into_expected_and_found();
        Self { kind: FaultKind::MalformedLine, expected, found }
    }
}

/// Checks an event. `profile` is the profile that was given, or that an event without a fault has. Sets what the event
/// determines in the report: the profile, and if the event has no fault, the ledger ID and the genesis.
#[inline]
pub(crate) fn check(
    line: &Line<'_, '_>,
    profile: Option<Profile>,
    previous: Previous,
    is_strict: bool,
    report: &mut Report,
) -> Result<(), LineFault> {
    let content = &line.content();
    // Until an event has no fault, each line's own members come first: a damaged line must not determine the profile of
    // the lines that follow.
    let profile = profile.or_else(|| content.profile()).or(report.profile);
    report.profile = profile;
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
    let crc = content.checksum(profile, timestamp)?;

    if id.timestamp() != timestamp {
        let [expected, found] = [id.timestamp(), timestamp].map(rfc3339::encode);
        return Err(LineFault::new(FaultKind::TimestampMismatch, expected, found));
    }
    let ledger_id = report.ledger_id.unwrap_or(id.ledger_id());
    if !id.ledger_id().is_same_ledger(ledger_id) {
        return Err(LineFault::new(FaultKind::LedgerChanged, ledger_id, id.ledger_id()));
    }
    let expected = match previous {
        Previous::Unknown => id,
        Previous::Event(previous) if timestamp <= previous.timestamp() => {
            let expected = format_args!("a time after {}", rfc3339::encode(previous.timestamp()));
            return Err(LineFault::new(FaultKind::TimeNotAscending, expected, rfc3339::encode(timestamp)));
        }
        Previous::Event(previous) => event_id(profile, crc, timestamp, id.ledger_id(), previous),
        Previous::Nothing => {
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
        return Err(LineFault::new(FaultKind::IdMismatch, expected, id));
    }
    report.ledger_id = Some(ledger_id);
    Ok(())
}

/// Refuses a member that no checksum protects.
fn check_strictly(line: &Line<'_, '_>, profile: Option<Profile>) -> Result<(), LineFault> {
    if let Some((name, at)) = line.unknown(profile).next() {
        let unknown = UnknownMember::new(name, profile);
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

/// The ID of this event as the first event of a ledger, as Evently's PostgreSQL function computes it.
#[cold]
fn deployed(content: &Content<'_>, timestamp: u64) -> Result<EventId, JsonError> {
    let mut output = Output::new();
    let mut crc = [content.event, content.entities]
        .iter()
        .fold(0, |crc, text| crc32c_append(crc, text.unwrap_or_default().as_bytes()));
    for json in [content.meta, content.data] {
        crc = crc32c_append(crc, output.rewrite::<Jsonb>(json.unwrap_or_default())?.as_bytes());
    }
    Ok(deployed_genesis_id(append_timestamp(crc, timestamp), timestamp))
}
