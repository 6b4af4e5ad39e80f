//! What a verifier finds.

use crate::checksum::Profile;
use evently_id::{EventId, LedgerId};
use std::{error, fmt};

/// What a [`Verifier`](crate::Verifier) found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Report {
    /// The number of lines that are not blank, faulty lines included.
    pub events: u64,
    /// The profile that was given or recognised; `None` if no line determined it.
    pub profile: Option<Profile>,
    /// What the first event was checked against; `None` if the first event is faulty, or there is none.
    pub genesis: Option<Genesis>,
    /// The ledger ID, with the version that the first event without a fault has.
    pub ledger_id: Option<LedgerId>,
    /// The event ID that the last event states. Compare it with the ID that you expect: missing lines at the end are not a
    /// fault.
    pub last_event_id: Option<EventId>,
    /// The number of events whose ID fits `meta` and `data` as JavaScript prints them, and not their canonical form. Evently's
    /// published validator, a program in JavaScript, computes such IDs. An event counts as one of them only if JavaScript
    /// keeps each of its values: it rounds numbers, and prints `1.50` as `1.5`.
    pub javascript_events: u64,
    /// The number of lines with a fault.
    pub faults: u64,
    /// The fault of the first such line.
    pub first_fault: Option<Fault>,
}

impl Report {
    /// Whether there are events, and no line has a fault. An emptied file is damaged more often than right, so a ledger
    /// without events is not valid, although it has no [fault](Self::faults).
    #[must_use]
    pub const fn is_valid(&self) -> bool {
        self.events > 0 && self.faults == 0
    }
}

/// What the first event of a ledger, or of a part of one, was checked against.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum Genesis {
    /// It is the first event of the ledger, as the specification defines it.
    Published,
    /// It is the first event of the ledger, as Evently's PostgreSQL function makes it: with another ID before it, and with
    /// `meta` and `data` as PostgreSQL prints `jsonb`.
    Deployed,
    /// The caller trusts it, or the event before it.
    Trusted,
}

impl Genesis {
    /// The name: `published`, `deployed` or `trusted`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Published => "published",
            Self::Deployed => "deployed",
            Self::Trusted => "trusted",
        }
    }
}

/// A fault in a line of a ledger.
///
/// ```
/// use evently_ledger::{FaultKind, Verifier};
///
/// let fault = Verifier::new(None).verify(["no event"]).first_fault.unwrap();
/// assert_eq!((fault.line, fault.kind, fault.kind.name()), (1, FaultKind::MalformedLine, "malformed_line"));
/// assert_eq!(fault.found, "'n'");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Fault {
    /// The line, counted from 1, blank lines included.
    pub line: u64,
    /// What is wrong.
    pub kind: FaultKind,
    /// What was expected, in words or as the ID or time that is right.
    pub expected: String,
    /// What was found instead.
    pub found: String,
}

/// What is wrong with a line of a ledger. If a line has several faults, [`Fault`] has the first one of this list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum FaultKind {
    /// The line is not an event: it is not JSON, a member has a value of another type, or the line is longer than
    /// [`LONGEST_LINE`](crate::LONGEST_LINE).
    MalformedLine,
    /// The event has a member that no checksum protects. Only a [strict](crate::Verifier::strict) verifier finds it.
    UnknownMember,
    /// The event, or an object in it, has two members of one name, and the checksum covers only the last. Only a
    /// [strict](crate::Verifier::strict) verifier finds it.
    DuplicateMember,
    /// The profile requires a member that the event does not have.
    MissingMember,
    /// `timestamp` differs from the timestamp in `eventId`.
    TimestampMismatch,
    /// The ledger ID differs from the one of the events before. Its version may differ.
    LedgerChanged,
    /// The event is not later than the event before.
    TimeNotAscending,
    /// `eventId` differs from the ID computed from the event and the event ID before.
    IdMismatch,
}

impl FaultKind {
    /// The kind in lower case: `malformed_line`, `unknown_member`, `duplicate_member`, `missing_member`,
    /// `timestamp_mismatch`, `ledger_changed`, `time_not_ascending` or `id_mismatch`. The program `sortid ledger verify --json` prints it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::MalformedLine => "malformed_line",
            Self::UnknownMember => "unknown_member",
            Self::DuplicateMember => "duplicate_member",
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
            Self::UnknownMember => "unknown member, which no checksum protects",
            Self::DuplicateMember => "duplicate member, of which the checksum covers only the last",
            Self::MissingMember => "missing member",
            Self::TimestampMismatch => "the timestamp differs from the one in the event ID",
            Self::LedgerChanged => "the ledger ID changed",
            Self::TimeNotAscending => "the event is not later than the event before it",
            Self::IdMismatch => "the event ID does not match the event and the event ID before it",
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { line, kind, expected, found } = self;
        write!(f, "line {line}: {}: expected {expected}, found {found}", kind.words())
    }
}

impl error::Error for Fault {}
