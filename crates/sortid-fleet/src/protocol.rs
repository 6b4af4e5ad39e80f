//! The protocol of reservations: a state machine without input and output.
//!
//! The store has one [`Record`] for each node ID, and the timestamps of IDs are less than its `until`. Three rules make the
//! times of successive holders of a node ID disjoint and ascending:
//!
//! 1. A holder makes an ID only before an `until` that the store has acknowledged. It raises `until` ahead of time, by a
//!    compare-and-swap of its own record.
//! 2. A process that takes a node ID makes IDs from the record's `until` on, whatever its clock says.
//! 3. A clean release lowers `until` to just after the last ID, and frees the node ID at once.
//!
//! So IDs are unique and in order if the store's compare-and-swap is right. Clocks only decide how long a process waits.
//!
//! A fleet is created on purpose. [`Record::beginning`] is its first record, the record of node ID 0, and one swap writes
//! it. A process takes the size of the space from the records, and takes no node ID where there are none.
//!
//! A [`Process`] proposes swaps, and its user carries them out in the store and reports the outcome. Answers may be lost,
//! late or repeated. Reads must not be: the user reads a record only to report it at once, before it calls another method
//! of the process that proposes or learns anything.

use crate::{Holder, Millis, Record};
use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
};

/// How far a process's clock may be ahead of the store's, so that it can still reserve a whole window.
///
/// No reservation goes further than one window and this allowance beyond the store's time. So a process whose clock is a
/// year ahead cannot take a node ID out of use for a year.
pub const ALLOWANCE: Millis = 10_000;

/// The greatest size of a space, 2^16. SCRU160s have the largest field for a node ID.
pub const MAX_SIZE: u32 = 1 << 16;

/// How long the windows of a process are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Terms {
    /// How far ahead of the clock a process reserves.
    pub window: Millis,
}

/// Returns how many node IDs a space has. All its records have this size.
///
/// # Errors
///
/// [`NoFleet`](Refusal::NoFleet) without a record. [`Sizes`](Refusal::Sizes) if two records differ, or a space cannot have
/// the size.
pub fn size(records: &BTreeMap<u32, Record>) -> Result<u32, Refusal> {
    let sizes: BTreeSet<_> = records.values().map(|record| record.size).collect();
    match sizes.first() {
        None => Err(Refusal::NoFleet),
        Some(&size) if sizes.len() == 1 && (1..=MAX_SIZE).contains(&size) => Ok(size),
        Some(_) => Err(Refusal::Sizes(sizes)),
    }
}

/// The times of the clocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Now {
    /// The time of this process's clock.
    pub clock: Millis,
    /// The time of the store, if it has one.
    pub store: Option<Millis>,
}

impl Now {
    /// The time that decides whether a reservation has ended: the store's, if it has one.
    #[must_use]
    pub fn judge(self) -> Millis {
        self.store.unwrap_or(self.clock)
    }

    /// Whether this process's clock is further ahead than the allowance.
    pub(crate) fn is_ahead(self) -> bool {
        self.clock > self.judge().saturating_add(ALLOWANCE)
    }
}

impl Terms {
    /// The greatest `until` that a process may reserve now.
    #[must_use]
    pub fn limit(&self, now: Now) -> Millis {
        now.judge().saturating_add(self.window).saturating_add(ALLOWANCE)
    }

    /// The `until` that a process reserves now for IDs from `floor` on. Other processes judge by the store's time, so it
    /// goes a window beyond that, too.
    fn target(&self, now: Now, floor: Millis) -> Millis {
        let from = now.clock.max(now.judge()).max(floor);
        from.saturating_add(self.window).min(self.limit(now))
    }
}

/// A compare-and-swap of one record.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Swap {
    /// The node ID whose record it is.
    pub node_id: u32,
    /// The record that the store must have; `None` if it must have none.
    pub expected: Option<Record>,
    /// The record that replaces it.
    pub next: Record,
}

/// Which node ID a process wants.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Wish {
    /// This node ID; `None` for any.
    pub node_id: Option<u32>,
    /// Where the search for a node ID begins. Processes that begin at different node IDs seldom want the same one.
    pub start: u32,
    /// Whether the process prefers the node ID that it had with its name.
    pub prefers_its_own: bool,
    /// Node IDs that have a holder of the same name, which is alive. The process does not wait for them.
    pub namesakes: BTreeSet<u32>,
}

/// Why a process cannot take a node ID now.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Refusal {
    /// The space has no record: nobody has created a fleet there.
    NoFleet,
    /// The records of the space do not have one size that a space can have. A repair decides it.
    Sizes(BTreeSet<u32>),
    /// The clock is ahead of the store's by so much that a reservation would end before the clock's time.
    ClockAhead {
        /// How far it is ahead.
        by: Millis,
    },
    /// The node ID has a holder of the same name, whose reservation ends at this time: most likely this process before a
    /// restart. It waits for its node ID, so that restarts do not use up the node IDs.
    Restart {
        /// The node ID.
        node_id: u32,
        /// When the reservation ends.
        until: Millis,
    },
    /// No node ID is free, or the IDs of those that are would be too far ahead of the clock.
    Taken,
}

/// A process that wants, has or had a node ID.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Process {
    terms: Terms,
    me: Holder,
    state: State,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum State {
    /// It has no node ID.
    Outside,
    /// It asked for a node ID, and does not know whether it has it.
    Asking(Swap),
    /// It has a node ID. The store has acknowledged the record.
    Holding(Reservation),
    /// It makes no more IDs, and gives the node ID back, with the first time of which it made no ID.
    Releasing(Reservation, Millis),
    /// Another process has the node ID, or an administrator freed it. What was acknowledged is still reserved.
    Lost(Reservation),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Reservation {
    node_id: u32,
    floor: Millis,
    record: Record,
}

impl Reservation {
    /// Whether the record is of this holder.
    fn is_of(&self, record: &Record) -> bool {
        record.generation == self.record.generation && record.holder == self.record.holder
    }

    /// Takes over an acknowledged `until`. Only the holder changes the record of its generation, and never lowers `until`
    /// before it stops making IDs. So each `until` that the store ever had in this generation holds.
    fn acknowledge(&mut self, record: &Record) {
        self.record.until = self.record.until.max(record.until);
    }
}

impl Process {
    /// Creates a process without a node ID. No two processes may have the same instance.
    #[must_use]
    pub const fn new(terms: Terms, me: Holder) -> Self {
        Self { terms, me, state: State::Outside }
    }

    /// Returns the name and the instance of this process.
    #[must_use]
    pub const fn holder(&self) -> &Holder {
        &self.me
    }

    /// Returns the node ID that it has or had; `None` if it never had one.
    #[must_use]
    pub const fn node_id(&self) -> Option<u32> {
        match &self.state {
            State::Outside | State::Asking(_) => None,
            State::Holding(it) | State::Releasing(it, _) | State::Lost(it) => Some(it.node_id),
        }
    }

    /// Returns the node ID that it asked for, without an answer yet.
    #[must_use]
    pub const fn asked(&self) -> Option<u32> {
        match &self.state {
            State::Asking(swap) => Some(swap.node_id),
            _ => None,
        }
    }

    /// Returns the generation of the node ID that it has or had.
    #[must_use]
    pub const fn generation(&self) -> Option<u64> {
        match &self.state {
            State::Outside | State::Asking(_) => None,
            State::Holding(it) | State::Releasing(it, _) | State::Lost(it) => Some(it.record.generation),
        }
    }

    /// Returns the times that IDs may have: rule 1 and rule 2. Empty without a node ID.
    #[must_use]
    pub const fn window(&self) -> Range<Millis> {
        match &self.state {
            State::Holding(it) | State::Lost(it) => it.floor..it.record.until,
            State::Outside | State::Asking(_) | State::Releasing(..) => 0..0,
        }
    }

    /// Returns whether it has a node ID that it can renew.
    #[must_use]
    pub const fn is_holding(&self) -> bool {
        matches!(self.state, State::Holding(_))
    }

    /// Returns whether another process has its node ID, or an administrator freed it.
    #[must_use]
    pub const fn is_lost(&self) -> bool {
        matches!(self.state, State::Lost(_))
    }

    /// Proposes to take a node ID, given all records of the space, which are read after all that the process has learned. It
    /// must not [hold](Self::is_holding) a node ID. If it may have one from a swap without an answer, call
    /// [`seen`](Self::seen) first.
    ///
    /// # Errors
    ///
    /// If it cannot take one now.
    pub fn take(&mut self, records: &BTreeMap<u32, Record>, now: Now, wish: &Wish) -> Result<Swap, Refusal> {
        let size = size(records)?;
        let limit = self.terms.limit(now);
        if limit <= now.clock {
            return Err(Refusal::ClockAhead { by: now.clock - now.judge() });
        }
        let wanted = |node_id: u32| wish.node_id.is_none_or(|it| it == node_id);
        let is_free = |record: &Record| record.is_free(now.judge());
        // Its first ID must be before the limit, and soon.
        let is_in_reach = |floor: Millis| floor < limit.min(now.clock.saturating_add(ALLOWANCE));
        let is_namesake = |&(&node_id, record): &(&u32, &Record)| {
            wish.prefers_its_own
                && node_id < size
                && wanted(node_id)
                && (is_in_reach(record.until) || !is_free(record))
                && !wish.namesakes.contains(&node_id)
                && record.holder.as_ref().is_some_and(|holder| holder.name == self.me.name)
        };
        let restarted = records.iter().filter(is_namesake).max_by_key(|(_, record)| is_free(record));
        let node_id = match restarted {
            Some((&node_id, record)) if is_free(record) => node_id,
            Some((&node_id, record)) => return Err(Refusal::Restart { node_id, until: record.until }),
            None => {
                let floor = |node_id: &u32| records.get(node_id).map_or(0, |record| record.until);
                (0..size)
                    .map(|offset| (wish.start % size + offset) % size)
                    .filter(|&node_id| wanted(node_id))
                    .filter(|node_id| records.get(node_id).is_none_or(is_free))
                    .filter(|node_id| is_in_reach(floor(node_id)))
                    // The one with the shortest wait.
                    .min_by_key(|node_id| floor(node_id).saturating_sub(now.clock))
                    .ok_or(Refusal::Taken)?
            }
        };
        let old = records.get(&node_id);
        // What a later version has added to the record stays.
        let next = old.cloned().unwrap_or_else(|| Record::beginning(size)).changed(|next| {
            next.size = size;
            next.generation = next.generation.saturating_add(1);
            next.holder = Some(self.me.clone());
            next.until = self.terms.target(now, next.until);
        });
        let swap = Swap { node_id, expected: old.cloned(), next };
        self.state = State::Asking(swap.clone());
        Ok(swap)
    }

    /// Proposes to raise `until`. Returns `None` if it has no node ID, or `until` is as late as it may be.
    #[must_use]
    pub fn raise(&self, now: Now) -> Option<Swap> {
        let State::Holding(it) = &self.state else { return None };
        let until = self.terms.target(now, it.floor);
        (until > it.record.until).then(|| Swap {
            node_id: it.node_id,
            expected: Some(it.record.clone()),
            next: it.record.clone().changed(|next| next.until = until),
        })
    }

    /// Proposes to release the node ID. `after_last` is the first time after its last ID; `None` if it made none.
    /// From now on it makes no ID. Returns `None` if it has no node ID.
    pub fn release(&mut self, after_last: Option<Millis>) -> Option<Swap> {
        if let State::Holding(it) = &self.state {
            let free_from = after_last.unwrap_or(0).min(it.record.until).max(it.floor);
            self.state = State::Releasing(it.clone(), free_from);
        }
        let State::Releasing(it, free_from) = &self.state else { return None };
        Some(Swap {
            node_id: it.node_id,
            expected: Some(it.record.clone()),
            next: it.record.clone().changed(|next| {
                next.holder = None;
                next.until = *free_from;
            }),
        })
    }

    /// Learns the outcome of a swap that it proposed. After `false`, or without an answer, the caller reads the record and
    /// calls [`seen`](Self::seen).
    pub fn answered(&mut self, swap: &Swap, swapped: bool) {
        if !swapped {
            return;
        }
        match &mut self.state {
            State::Asking(asked) if asked == swap => {
                let floor = swap.expected.as_ref().map_or(0, |record| record.until);
                let (node_id, record) = (swap.node_id, swap.next.clone());
                self.state = State::Holding(Reservation { node_id, floor, record });
            }
            State::Holding(it) if it.node_id == swap.node_id && it.is_of(&swap.next) => {
                it.acknowledge(&swap.next);
            }
            State::Releasing(it, _)
                if it.node_id == swap.node_id
                    && it.record.generation == swap.next.generation
                    && swap.next.holder.is_none() =>
            {
                self.state = State::Outside;
            }
            _ => {}
        }
    }

    /// Learns that another process has its node ID, whatever its record says.
    pub fn lose(&mut self) {
        if let State::Holding(it) | State::Releasing(it, _) = &self.state {
            self.state = State::Lost(it.clone());
        }
    }

    /// Learns what the store has for a node ID.
    pub fn seen(&mut self, node_id: u32, record: Option<&Record>) {
        match &mut self.state {
            State::Asking(swap) if swap.node_id == node_id => {
                let floor = swap.expected.as_ref().map_or(0, |record| record.until);
                let next = &swap.next;
                self.state = match record {
                    Some(record) if record.generation == next.generation && record.holder == next.holder => {
                        State::Holding(Reservation { node_id, floor, record: record.clone() })
                    }
                    _ => State::Outside,
                };
            }
            State::Holding(it) if it.node_id == node_id => match record {
                Some(record) if it.is_of(record) => it.acknowledge(record),
                _ => self.state = State::Lost(it.clone()),
            },
            State::Releasing(it, _) if it.node_id == node_id => match record {
                Some(record) if it.is_of(record) => it.acknowledge(record),
                _ => self.state = State::Outside,
            },
            _ => {}
        }
    }
}

/// The size of a record while a repair changes the size of its space. No space has it, so no process takes a node ID before
/// the repair is done.
pub const UNDECIDED: u32 = 0;

/// How far a repair raises the generation. The store may have lost this many generations.
pub const LOST_GENERATIONS: u64 = 1 << 32;

/// What an administrator does to a record.
impl Record {
    /// Returns the record of node ID 0 with which a space begins. Nobody has had the node ID.
    #[doc(hidden)]
    #[must_use]
    pub fn beginning(size: u32) -> Self {
        Self::new(size, 0, None, 0)
    }

    /// Returns the record after its holder is taken away. `until` stays, so the next holder continues after it. The holder
    /// may use up what it has reserved, and cannot renew it.
    #[doc(hidden)]
    #[must_use]
    pub fn freed(&self) -> Self {
        self.clone().changed(|next| {
            next.generation = next.generation.saturating_add(1);
            next.holder = None;
        })
    }

    /// Returns the record of a node ID after the store lost acknowledged writes; `record` is what it has, which may be none.
    /// The argument `until` is above all that was ever reserved, and the record's is at least that. Its generation is above
    /// all that the store has lost.
    #[doc(hidden)]
    #[must_use]
    pub fn repaired(record: Option<&Self>, size: u32, until: Millis) -> Self {
        let old = record.cloned().unwrap_or_else(|| Self::beginning(size));
        old.changed(|next| {
            next.size = size;
            next.generation = next.generation.saturating_add(LOST_GENERATIONS);
            next.holder = None;
            next.until = next.until.max(until);
        })
    }
}
