//! Verifying parts of a ledger apart from each other, and joining the results.
//!
//! The fault of a line depends on three facts about the lines before it: the ID of the event before, the profile, and
//! the ledger ID. The first event without a fault determines the last two: it *settles* the ledger. A part does not
//! know the lines before it. So it keeps its first event (the *head*), whose check needs the event before. It counts
//! the faults of its other lines for each case: in a ledger that is settled, for each profile and ledger ID
//! (`Track`), and in a ledger that neither the lines before nor the head settle (`Unsettled`). Joining two parts
//! checks the head of the second.

// So parts join in any order of joins, and the report is exactly that of a `Verifier`, whatever the damage. To verify
// a part again when the part before it is known would be simpler, but then its lines are on another machine.

use crate::{
    checksum::Profile,
    error::JsonError,
    line::{Line, LineReader},
    verifier::{
        check::{Alone, AloneFault, Form, LineFault, check_alone, deployed, javascript},
        is_blank,
        report::{Genesis, Report},
        take_line,
        track::Tracks,
    },
};
use evently_id::EventId;
use std::{error, fmt, mem};

/// Verifies a part of a ledger without the lines before it.
///
/// [`Verifier`](crate::Verifier) verifies the lines of a ledger one after another. This verifier is for a ledger
/// whose parts are in several files or on several machines. It verifies each [`Part`] alone, and [`Part::join`] joins
/// neighbours in any order of joins. The [report](Part::report) of the whole is the report of a `Verifier` that has
/// read all lines.
///
/// ```
/// use evently_ledger::{Part, PartVerifier, Verifier};
///
/// let first = br#"{"eventId":"0005cd755a43d79279bc07a158f86494","timestamp":"2021-10-03T16:33:12.816530Z","event":"opened","entity":"shop","key":"1"}"#;
/// let second = br#"{"eventId":"0005cd755a43d79328f66bf758f86494","timestamp":"2021-10-03T16:33:12.816531Z","event":"placed","entity":"order","key":"71"}"#;
/// let part_of = |lines: &[u8]| -> Part {
///     let mut verifier = PartVerifier::new(None);
///     verifier.verify_lines(lines);
///     verifier.take()
/// };
/// let mut ledger = part_of(first);
/// ledger.join(&part_of(second))?;
/// let report = ledger.report();
/// assert_eq!(report.first_fault.as_ref().map(|fault| fault.line), Some(2));
/// assert_eq!(report, Verifier::new(None).verify([&first[..], second]));
/// # Ok::<(), evently_ledger::JoinError>(())
/// ```
#[derive(Debug)]
pub struct PartVerifier {
    part: Part,
    reader: LineReader,
}

/// The result of a [`PartVerifier`]: what it found in a part of a ledger.
///
/// The size of a part grows with the number of ledger IDs in it, not with the number of lines. A ledger without
/// faults has one ledger ID.
///
/// With the feature `serde`, a part can be stored, or sent to another machine. Another version of the crate may not
/// be able to read it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Part {
    settings: Settings,
    lines: u64,
    events: u64,
    /// The first event. It is checked when the event before it is known. Boxed, because it is large.
    head: Option<Box<Head>>,
    /// The faults of the other events if the ledger is settled before them.
    settled: Tracks,
    /// Their faults if neither the lines before nor the head settle the ledger.
    unsettled: Unsettled,
    /// The ID of the last event; `None` if its line states no ID.
    last: Option<EventId>,
    /// The last ID that a line states. Lines after it may state none.
    last_event_id: Option<EventId>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Settings {
    /// The profile that was given.
    profile: Option<Profile>,
    is_strict: bool,
}

/// The first event of a part.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Head {
    line: u64,
    /// The profile that the members of the line belong to.
    own: Option<Profile>,
    /// The result of the checks if the ledger begins with this event.
    as_first: Result<First, LineFault>,
    /// The checks that need no other line, with each profile.
    classic: Result<Alone, LineFault>,
    entities: Result<Alone, LineFault>,
    /// The checksum of the content in JavaScript's form.
    javascript: Option<u32>,
}

/// A first event of a ledger, without a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct First {
    profile: Profile,
    id: EventId,
    genesis: Genesis,
    form: Form,
}

/// The lines after a head with a fault, in a ledger that the lines before did not settle. The head has the first
/// fault, so the first fault of these lines is not kept.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Unsettled {
    faults: u64,
    javascript_events: u64,
    /// The event that settles the ledger, and its profile.
    settled: Option<(Profile, EventId)>,
    /// The last profile that the members of a line belong to. Lines after it may have no such members.
    own: Option<Profile>,
}

/// The error of two parts that were verified with different settings, so that they cannot be joined.
#[derive(Clone, PartialEq, Eq)]
pub struct JoinError {
    expected: Settings,
    found: Settings,
}

impl fmt::Display for JoinError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { expected, found } = self;
        write!(f, "expected a part that was verified {expected}, found one verified {found}")
    }
}

impl fmt::Debug for JoinError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "JoinError({self})")
    }
}

impl error::Error for JoinError {}

impl fmt::Display for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.is_strict { "strictly" } else { "not strictly" })?;
        match self.profile {
            Some(profile) => write!(f, ", with the profile {profile}"),
            None => write!(f, ", without a profile"),
        }
    }
}

impl PartVerifier {
    /// Makes a verifier of a part. `profile` is the profile of the ledger. Without it, the profile is recognised when
    /// all parts are joined.
    #[must_use]
    pub fn new(profile: Option<Profile>) -> Self {
        Self::resume(Part { settings: Settings { profile, is_strict: false }, ..Part::default() })
    }

    /// Refuses members that no checksum protects, as [`Verifier::strict`](crate::Verifier::strict) does.
    #[must_use]
    pub const fn strict(mut self) -> Self {
        self.part.settings.is_strict = true;
        self
    }

    /// Continues after the lines of `part`, with its profile and strictness.
    #[must_use]
    pub fn resume(part: Part) -> Self {
        Self { part, reader: LineReader::default() }
    }

    /// Continues with another part, and returns the part before. The verifier keeps its memory.
    pub fn replace(&mut self, part: Part) -> Part {
        mem::replace(&mut self.part, part)
    }

    /// Returns the part, and begins the next one.
    pub fn take(&mut self) -> Part {
        let settings = self.part.settings;
        self.replace(Part { settings, ..Part::default() })
    }

    /// The part that was verified so far.
    #[must_use]
    pub const fn part(&self) -> &Part {
        &self.part
    }

    /// Verifies whole lines. The last line may lack its line ending: the next call does not continue it.
    ///
    /// ```
    /// use evently_ledger::PartVerifier;
    ///
    /// let mut verifier = PartVerifier::new(None);
    /// verifier.verify_lines(b"{}\n\n[]");
    /// verifier.verify_lines(b"{}");
    /// assert_eq!((verifier.part().lines(), verifier.part().events()), (4, 3));
    /// ```
    pub fn verify_lines(&mut self, lines: &[u8]) {
        let mut rest = lines;
        while !rest.is_empty() {
            let line = take_line(&mut rest);
            self.part.lines += 1;
            if !is_blank(line) {
                self.part.push(&self.reader.read(line));
            }
        }
    }
}

impl Part {
    /// The number of lines, blank lines included.
    #[must_use]
    pub const fn lines(&self) -> u64 {
        self.lines
    }

    /// The number of lines that are not blank, faulty lines included.
    #[must_use]
    pub const fn events(&self) -> u64 {
        self.events
    }

    /// Adds an event. Its line is the last one.
    fn push(&mut self, line: &Result<Line<'_, '_>, JsonError>) {
        let Settings { is_strict, .. } = self.settings;
        let check = |profile| match line {
            Ok(line) => check_alone(line, profile, is_strict),
            Err(error) => Err(error.clone().into()),
        };
        let javascript = |alone: &Alone| javascript(line.as_ref().ok()?, alone);
        let (stated, own) = match line {
            Ok(line) => (line.event_id, line.content().profiles()[0]),
            Err(_) => (None, None),
        };
        if self.head.is_none() {
            let as_first = |profile| {
                let alone = check(profile)?;
                let deployed = || line.as_ref().map_or(Ok(false), |line| deployed(line, &alone));
                let (genesis, form) = alone.genesis(deployed, || javascript(&alone))?;
                Ok(First { profile: alone.profile, id: alone.id, genesis, form })
            };
            let [likely, other] = self.profiles(own);
            let as_first = as_first(likely).or_else(|fault| match other {
                Some(_) => as_first(other).map_err(|_| fault),
                None => Err(fault),
            });
            let [classic, entities] =
                Profile::ALL.map(|profile| check(Some(profile)).map_err(LineFault::from));
            let javascript = classic.as_ref().ok().and_then(javascript);
            self.head =
                Some(Box::new(Head { line: self.lines, own, as_first, classic, entities, javascript }));
        } else {
            self.push_after_head(self.lines, own, |profile| check(Some(profile)), javascript);
        }
        self.events += 1;
        self.last = stated;
        self.last_event_id = stated.or(self.last_event_id);
    }

    /// The profiles that an event can have before the ledger is settled, the likelier one first. `own` is the likely one.
    fn profiles(&self, own: Option<Profile>) -> [Option<Profile>; 2] {
        let given = self.settings.profile;
        [given.or(own), own.filter(|_| given.is_none()).map(Profile::other)]
    }

    /// Adds an event that is not the first one. `check` has the checks that need no other line; `javascript` is as in
    /// [`Track::push`](crate::verifier::track::Track::push).
    fn push_after_head(
        &mut self,
        line: u64,
        own: Option<Profile>,
        check: impl Fn(Profile) -> Result<Alone, AloneFault>,
        javascript: impl Fn(&Alone) -> Option<u32>,
    ) {
        let given = self.settings.profile;
        let [classic, entities] = Profile::ALL.map(|profile| match given {
            Some(given) if given != profile => None,
            _ => self.settled.of_mut(profile).push(line, check(profile), self.last, &javascript),
        });
        self.unsettled.push(self.profiles(own), self.last.is_some(), |profile| match profile {
            Profile::Classic => classic,
            Profile::Entities => entities,
        });
        self.unsettled.own = own.or(self.unsettled.own);
    }

    /// Joins the part that follows this one.
    ///
    /// # Errors
    ///
    /// The parts were verified with different profiles, or only one of them strictly. This part is unchanged.
    pub fn join(&mut self, next: &Self) -> Result<(), JoinError> {
        if self.settings != next.settings {
            return Err(JoinError { expected: self.settings, found: next.settings });
        }
        if let Some(head) = &next.head {
            self.join_events(next, head);
        }
        self.lines = self.lines.saturating_add(next.lines);
        Ok(())
    }

    fn join_events(&mut self, next: &Self, head: &Head) {
        let line = head.line.saturating_add(self.lines);
        if self.head.is_none() {
            self.head = Some(Box::new(Head { line, ..head.clone() }));
            self.unsettled = next.unsettled.clone();
        } else {
            let check = |profile| head.alone(profile).clone().map_err(AloneFault::Other);
            let javascript = |alone: &Alone| head.javascript.filter(|_| alone.profile == Profile::Classic);
            self.push_after_head(line, head.own, check, javascript);
            self.unsettled.append(next);
        }
        for profile in Profile::ALL {
            self.settled.of_mut(profile).append(next.settled.of(profile), self.lines);
        }
        self.events = self.events.saturating_add(next.events);
        self.last = next.last;
        self.last_event_id = next.last_event_id.or(self.last_event_id);
    }

    /// The report of a ledger that begins with this part, as a [`Verifier`](crate::Verifier) that reads its lines
    /// returns it.
    #[must_use]
    pub fn report(&self) -> Report {
        let mut report = Report {
            events: self.events,
            profile: self.settings.profile,
            last_event_id: self.last_event_id,
            ..Report::default()
        };
        let Some(head) = &self.head else { return report };
        match &head.as_first {
            &Ok(First { profile, id, genesis, form }) => {
                let track = self.settled.of(profile);
                report.profile = Some(profile);
                report.ledger_id = Some(id.ledger_id());
                report.genesis = Some(genesis);
                report.javascript_events =
                    track.javascript_events(id.ledger_id()).saturating_add(form.javascript_events());
                report.faults = track.count(id.ledger_id());
                report.first_fault = track.first_fault(id.ledger_id());
            }
            Err(fault) => {
                let Unsettled { faults, javascript_events, settled, own } = self.unsettled;
                report.profile = settled.map(|(profile, _)| profile).or(report.profile).or(own).or(head.own);
                report.ledger_id = settled.map(|(_, id)| id.ledger_id());
                report.javascript_events = javascript_events;
                report.faults = faults.saturating_add(1);
                report.first_fault = Some(fault.clone().at(head.line));
            }
        }
        report
    }
}

impl Head {
    const fn alone(&self, profile: Profile) -> &Result<Alone, LineFault> {
        match profile {
            Profile::Classic => &self.classic,
            Profile::Entities => &self.entities,
        }
    }
}

impl Unsettled {
    /// Adds an event. `profiles` are those that the event can have in a ledger that is not settled. If the
    /// event has no fault with a profile, `fits` returns its ID and its form. `follows_id` says whether the ID before is known.
    fn push(
        &mut self,
        profiles: [Option<Profile>; 2],
        follows_id: bool,
        fits: impl Fn(Profile) -> Option<(EventId, Form)>,
    ) {
        let form = match self.settled {
            Some((profile, first)) => fits(profile)
                .filter(|(id, _)| id.ledger_id().is_same_ledger(first.ledger_id()))
                .map(|(_, form)| form),
            None => {
                let [likely, other] =
                    profiles.map(|profile| profile.and_then(|profile| Some((profile, fits(profile)?))));
                let fit = likely.or(other);
                // Without the ID before, both can be right. The next event shows which one is.
                if follows_id || likely.is_none() || other.is_none() {
                    self.settled = fit.map(|(profile, (id, _))| (profile, id));
                }
                fit.map(|(_, (_, form))| form)
            }
        };
        self.faults += u64::from(form.is_none());
        self.javascript_events += form.map_or(0, Form::javascript_events);
    }

    /// Adds the events of the next part except for its head.
    fn append(&mut self, next: &Part) {
        let (faults, javascript_events) = match self.settled {
            Some((profile, first)) => {
                let (track, ledger_id) = (next.settled.of(profile), first.ledger_id());
                (track.count(ledger_id), track.javascript_events(ledger_id))
            }
            None => {
                self.settled = next.unsettled.settled;
                (next.unsettled.faults, next.unsettled.javascript_events)
            }
        };
        self.faults = self.faults.saturating_add(faults);
        self.javascript_events = self.javascript_events.saturating_add(javascript_events);
        self.own = next.unsettled.own.or(self.own);
    }
}
