//! The faults of the lines of a part, if the profile of the ledger is known and its ledger ID is not.

use crate::{
    checksum::Profile,
    verifier::{
        check::{Alone, AloneFault, Form, LineFault, ledger_changed},
        report::Fault,
    },
};
use evently_id::{EventId, LedgerId};
use std::collections::BTreeMap;

/// How many lines have a fault, and the first one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Faults {
    pub(crate) count: u64,
    pub(crate) first: Option<Fault>,
}

impl Faults {
    #[inline]
    pub(crate) fn push(&mut self, line: u64, fault: impl FnOnce() -> LineFault) {
        self.count += 1;
        self.first.get_or_insert_with(|| fault().at(line));
    }

    /// Adds the faults of the next part, whose lines come after `lines` others.
    fn append(&mut self, next: &Self, lines: u64) {
        self.count = self.count.saturating_add(next.count);
        if self.first.is_none() {
            let shift = |fault: Fault| Fault { line: fault.line.saturating_add(lines), ..fault };
            self.first = next.first.clone().map(shift);
        }
    }
}

/// The lines of a part, checked with one profile. The first event is missing, because it needs the event before it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Track {
    /// The lines with a fault that does not depend on other lines.
    alone: Faults,
    /// The other lines, by their ledger ID without its version.
    #[cfg_attr(feature = "serde", serde(with = "pairs"))]
    ledgers: BTreeMap<u32, OfLedger>,
    /// The first of these lines, and the first one with another ledger ID.
    first: Option<(u64, EventId)>,
    first_other: Option<(u64, EventId)>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct OfLedger {
    events: u64,
    /// The events that do not follow from the event before them.
    chain: Faults,
    /// The events that do only in JavaScript's form.
    javascript: u64,
}

/// A map as pairs. Some formats write its keys as texts, and serde's buffer reads no number from a text.
#[cfg(feature = "serde")]
mod pairs {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use std::collections::BTreeMap;

    pub(super) fn serialize<T: Serialize, S: Serializer>(
        map: &BTreeMap<u32, T>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(map)
    }

    pub(super) fn deserialize<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<BTreeMap<u32, T>, D::Error> {
        Vec::deserialize(deserializer).map(BTreeMap::from_iter)
    }
}

impl Track {
    /// Adds the next event. `previous` is the ID of the event before it, if its line states it. `javascript` is as in
    /// [`Alone::check_after`]. Returns the ID of the event and its form if only its ledger ID can be wrong.
    #[inline]
    pub(crate) fn push(
        &mut self,
        line: u64,
        checked: Result<Alone, AloneFault>,
        previous: Option<EventId>,
        javascript: impl FnOnce(&Alone) -> Option<u32>,
    ) -> Option<(EventId, Form)> {
        let event = match checked {
            Ok(event) => event,
            Err(fault) => {
                self.alone.push(line, || fault.into());
                return None;
            }
        };
        self.see(line, event.id);
        let ledger = self.ledgers.entry(key(event.id.ledger_id())).or_default();
        ledger.events += 1;
        let form = match previous.map(|previous| event.check_after(previous, || javascript(&event))) {
            Some(Err(fault)) => {
                ledger.chain.push(line, || fault);
                return None;
            }
            Some(Ok(form)) => form,
            None => Form::Canonical,
        };
        ledger.javascript += form.javascript_events();
        Some((event.id, form))
    }

    #[inline]
    fn see(&mut self, line: u64, id: EventId) {
        match self.first {
            None => self.first = Some((line, id)),
            Some((_, first))
                if self.first_other.is_none() && !first.ledger_id().is_same_ledger(id.ledger_id()) =>
            {
                self.first_other = Some((line, id));
            }
            Some(_) => {}
        }
    }

    /// Adds the lines of the next part, whose lines come after `lines` others.
    pub(crate) fn append(&mut self, next: &Self, lines: u64) {
        self.alone.append(&next.alone, lines);
        for (line, id) in next.first.into_iter().chain(next.first_other) {
            self.see(line.saturating_add(lines), id);
        }
        for (&ledger_id, of_next) in &next.ledgers {
            let ledger = self.ledgers.entry(ledger_id).or_default();
            ledger.events = ledger.events.saturating_add(of_next.events);
            ledger.chain.append(&of_next.chain, lines);
            ledger.javascript = ledger.javascript.saturating_add(of_next.javascript);
        }
    }

    /// How many lines have a fault in the ledger with this ID.
    pub(crate) fn count(&self, ledger_id: LedgerId) -> u64 {
        let faults = |(&other, ledger): (&u32, &OfLedger)| {
            if other == key(ledger_id) { ledger.chain.count } else { ledger.events }
        };
        self.ledgers.iter().map(faults).fold(self.alone.count, u64::saturating_add)
    }

    /// How many events are valid only in JavaScript's form, in the ledger with this ID.
    pub(crate) fn javascript_events(&self, ledger_id: LedgerId) -> u64 {
        self.ledgers.get(&key(ledger_id)).map_or(0, |ledger| ledger.javascript)
    }

    /// The first fault in the ledger with this ID.
    pub(crate) fn first_fault(&self, ledger_id: LedgerId) -> Option<Fault> {
        let mut others = self.first.into_iter().chain(self.first_other);
        let other = others.find(|(_, other)| !other.ledger_id().is_same_ledger(ledger_id));
        let changed = other.map(|(line, other)| ledger_changed(ledger_id, other.ledger_id()).at(line));
        let chain = self.ledgers.get(&key(ledger_id)).and_then(|ledger| ledger.chain.first.clone());
        [self.alone.first.clone(), changed, chain].into_iter().flatten().min_by_key(|fault| fault.line)
    }
}

fn key(ledger_id: LedgerId) -> u32 {
    LedgerId::from_checksum(ledger_id.to_int()).to_int()
}

/// One track for each profile.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Tracks {
    classic: Track,
    entities: Track,
}

impl Tracks {
    pub(crate) const fn of(&self, profile: Profile) -> &Track {
        match profile {
            Profile::Classic => &self.classic,
            Profile::Entities => &self.entities,
        }
    }

    pub(crate) const fn of_mut(&mut self, profile: Profile) -> &mut Track {
        match profile {
            Profile::Classic => &mut self.classic,
            Profile::Entities => &mut self.entities,
        }
    }
}
