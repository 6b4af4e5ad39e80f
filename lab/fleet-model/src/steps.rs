//! What a step of the model does.

use crate::{
    Action, Backup, Fault, Fleet, Member, Message, Mutation, NEW, Records, State, TICK, by_node_id, ticks,
};
use sortid_fleet::{
    __private::{Now, Process, Swap, Terms, Wish},
    Holder, Millis, Record,
};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

impl Fleet {
    pub(crate) fn has(&self, mutation: Mutation) -> bool {
        self.mutation == Some(mutation)
    }

    fn holder(&self, instance: u8) -> Holder {
        let instance = if self.has(Mutation::SharesInstance) { 0 } else { instance };
        Holder::new("node", instance.to_string())
    }

    pub(crate) fn member(&self, instance: u8) -> Member {
        let terms = Terms { window: self.bounds.window * TICK };
        let process = Process::new(terms, self.holder(instance));
        Member { process, instance, messages: Vec::new(), read: None }
    }

    /// The least instance that nothing in the state has.
    fn unused(state: &State) -> u8 {
        let messages = state.members.iter().flat_map(|member| &member.messages).chain(&state.orphans);
        let swaps = messages.flat_map(|message| [&message.sent, &message.swap]);
        let in_messages = swaps.flat_map(|swap| [swap.expected.as_ref(), Some(&swap.next)]).flatten();
        let backup = match &state.backup {
            Backup::Made(records) => Some(records),
            _ => None,
        };
        let records = state.records.iter().chain(backup.into_iter().flat_map(|it| it.iter())).flatten();
        let holders = in_messages.chain(records).filter_map(|record| record.holder.as_ref());
        let mut used: BTreeSet<u8> = holders.filter_map(|holder| holder.instance.parse().ok()).collect();
        used.extend(state.members.iter().map(|member| member.instance));
        (0..NEW).find(|instance| !used.contains(instance)).unwrap_or(0)
    }

    /// All that clocks can say.
    fn times(&self) -> impl Iterator<Item = Now> {
        let ticks = self.bounds.ticks;
        (0..=ticks).flat_map(move |clock| {
            let stores = (0..=ticks).map(|tick| Some(tick * TICK)).chain([None]);
            stores.map(move |store| Now { clock: clock * TICK, store })
        })
    }

    /// The proposals to take a node ID that differ, each with one of the times that lead to it.
    pub(crate) fn takes(&self, process: &Process, records: &Records) -> Vec<(Now, Wish)> {
        let mut swaps = BTreeMap::new();
        let node_ids = || (0..self.bounds.node_ids).map(Some).chain([None]);
        for now in self.times() {
            for node_id in node_ids() {
                for namesakes in [BTreeSet::new(), (0..self.bounds.node_ids).collect()] {
                    for start in self.starts() {
                        let wish =
                            Wish { node_id, start, prefers_its_own: true, namesakes: namesakes.clone() };
                        let records = self.misread(records, now, &wish);
                        let Ok(swap) = process.clone().take(&records, now, &wish) else { continue };
                        if swap.next.until <= self.bounds.ticks * TICK {
                            let key = (swap.node_id, swap.next.size, swap.next.until, self.floor(&swap));
                            swaps.entry(key).or_insert((now, wish));
                        }
                    }
                }
            }
        }
        swaps.into_values().collect()
    }

    fn floor(&self, swap: &Swap) -> Millis {
        swap.expected.as_ref().map_or(0, |record| record.until)
    }

    /// The proposals to raise a bound that differ.
    pub(crate) fn raises(&self, process: &Process) -> Vec<Now> {
        let mut bounds = BTreeMap::new();
        for now in self.times() {
            if let Some(swap) = process.raise(now).filter(|swap| swap.next.until <= self.bounds.ticks * TICK)
            {
                bounds.entry(swap.next.until).or_insert(now);
            }
        }
        bounds.into_values().collect()
    }

    /// Where the search for a node ID begins. The node IDs are alike, so it makes no difference without a fault.
    fn starts(&self) -> std::ops::Range<u32> {
        0..if self.has(Mutation::JoinsNoFleet) { self.bounds.node_ids } else { 1 }
    }

    /// The records as a process with a fault takes them.
    fn misread(&self, records: &Records, now: Now, wish: &Wish) -> Records {
        let mut records = records.clone();
        if self.has(Mutation::JoinsNoFleet) && records.is_empty() {
            records.insert(0, Record::beginning(wish.start + 1));
        }
        for record in records.values_mut() {
            if self.has(Mutation::BeginsAtClock) {
                record.until = record.until.min(now.clock);
            }
            if self.has(Mutation::KeepsGeneration) {
                record.generation = record.generation.saturating_sub(1);
            }
        }
        records
    }

    /// Sends a proposal. If too many messages are on the way, the oldest is lost.
    fn send(&self, member: &mut Member, swap: Swap, expected: Option<Record>) {
        let sent = Swap { expected, ..swap.clone() };
        if let Some(index) = member.messages.iter().position(|message| message.swap == swap) {
            // It is a repeated message.
            let message = member.messages.remove(index);
            member.messages.push(message);
            return;
        }
        if member.messages.len() == self.bounds.messages {
            member.messages.remove(0);
        }
        member.messages.push(Message { swap, sent, is_swapped: false });
    }

    pub(crate) fn is_expected(&self, expected: Option<&Record>, found: Option<&Record>) -> bool {
        match (expected, found) {
            _ if self.has(Mutation::StoreIgnoresAll) => true,
            (Some(expected), Some(found)) if self.has(Mutation::StoreIgnoresUntil) => {
                *expected == found.clone().changed(|it| it.until = expected.until)
            }
            _ => expected == found,
        }
    }

    /// Replaces a process by a new one. Its messages are still on the way.
    fn restart(&self, state: &mut State, process: usize) {
        let State { records, members, orphans, .. } = state;
        let member = std::mem::replace(&mut members[process], Arc::new(self.member(NEW)));
        orphans.extend(member.messages.iter().filter(|message| !message.is_swapped).cloned());
        if self.bounds.forgets {
            orphans.retain(|it| records[it.sent.node_id as usize] == it.sent.expected);
        }
        orphans.drain(..orphans.len().saturating_sub(self.bounds.late));
    }

    /// Forgets what cannot have an effect any more.
    pub(crate) fn forget(&self, state: &mut State) {
        if !self.bounds.forgets {
            return;
        }
        let may_arrive = |records: &[Option<Record>], message: &Message| {
            records[message.sent.node_id as usize] == message.sent.expected
        };
        for index in 0..state.members.len() {
            let member = &state.members[index];
            let machine = &member.process;
            let is_past = match machine.node_id().zip(machine.generation()) {
                Some((node_id, generation)) => state.records[node_id as usize]
                    .as_ref()
                    .is_none_or(|record| record.generation != generation),
                // It asked, and does not wait for the answer, or cannot get what it asked for.
                None => {
                    member.instance != NEW
                        && (*machine == self.member(member.instance).process
                            || !member
                                .messages
                                .iter()
                                .any(|it| it.is_swapped || may_arrive(&state.records, it)))
                }
            };
            if is_past && member.read.is_none() {
                state.ticks_of(index, None);
                self.restart(state, index);
                continue;
            }
            let keeps = |message: &Message| {
                if !message.is_swapped {
                    return may_arrive(&state.records, message);
                }
                let mut process = machine.clone();
                process.answered(&message.swap, true);
                process != *machine
            };
            if !member.messages.iter().all(keeps) {
                let messages = member.messages.iter().filter(|message| keeps(message)).cloned().collect();
                state.members[index] = Arc::new(Member { messages, ..(**member).clone() });
            }
        }
        let State { records, orphans, sizes, .. } = state;
        orphans.retain(|message| !message.is_swapped && may_arrive(records, message));
        if records[0].is_some() && !self.has(Mutation::BeginsAgain) {
            sizes.clear();
        }
    }

    /// Writes a record, and notes if it is one that may have been there before.
    fn write(state: &mut State, node_id: u32, next: Record) {
        let record = &mut Arc::make_mut(&mut state.records)[node_id as usize];
        let order = |record: &Record| (record.generation, record.holder.is_none(), record.until);
        if record.as_ref().is_some_and(|record| order(record) >= order(&next)) {
            state.fault.get_or_insert(Fault::Returns);
        }
        *record = Some(next);
    }

    /// What the administrator makes of a record after the store was restored.
    fn repaired(&self, record: Option<&Record>, highest: Millis) -> Option<Record> {
        let bound = highest - if self.has(Mutation::RepairsTooLow) { TICK.min(highest) } else { 0 };
        if record.is_none() && self.has(Mutation::RepairsKnownOnly) {
            return None;
        }
        let repaired = Record::repaired(record, self.bounds.node_ids, bound);
        if self.has(Mutation::RepairsNextGeneration) {
            return Some(
                repaired.changed(|it| it.generation = record.map_or(0, |record| record.generation) + 1),
            );
        }
        Some(repaired)
    }

    fn repair(&self, state: &mut State) {
        let repaired = state.records.iter().map(|record| self.repaired(record.as_ref(), state.highest));
        state.records = Arc::new(repaired.collect());
        state.backup = Backup::Repaired;
    }

    /// Carries out a step. Returns `None` if it cannot happen.
    pub(crate) fn step(&self, state: &mut State, action: &Action) -> Option<()> {
        match *action {
            Action::Begin { size } => {
                if state.records[0].is_some() && !self.has(Mutation::BeginsAgain) {
                    return None;
                }
                state.sizes.retain(|&other| other != size);
                Arc::make_mut(&mut state.records)[0] = Some(Record::beginning(size));
            }
            Action::Take { process, now, ref wish } => {
                let records = match &state.members[process].read {
                    Some(read) => Arc::clone(read),
                    None => Arc::clone(&state.records),
                };
                let member = Arc::make_mut(&mut state.members[process]);
                if !self.has(Mutation::ReadsOutOfOrder) {
                    member.read = None;
                }
                let instance = Self::unused(state);
                // A process that lost its node ID may have used all of its window.
                state.ticks_of(process, None);
                let member = Arc::make_mut(&mut state.members[process]);
                if member.instance == NEW {
                    *member = self.member(instance);
                }
                let swap =
                    member.process.take(&self.misread(&by_node_id(&records), now, wish), now, wish).ok()?;
                state.asked = state.asked.max(swap.node_id + 1);
                if self.bounds.restores {
                    state.highest = state.highest.max(swap.next.until);
                }
                let expected = records[swap.node_id as usize].clone();
                self.send(member, swap, expected);
            }
            Action::Raise { process, now } => {
                let member = Arc::make_mut(&mut state.members[process]);
                let swap = member.process.raise(now)?;
                if self.bounds.restores {
                    state.highest = state.highest.max(swap.next.until);
                }
                if self.has(Mutation::UsesBeforeAcknowledged) {
                    member.process.answered(&swap, true);
                }
                let expected = swap.expected.clone();
                self.send(member, swap, expected);
            }
            Action::Release { process, last } => {
                let uses = if self.has(Mutation::GeneratesAfterRelease) { None } else { Some(last) };
                state.ticks_of(process, uses);
                let member = Arc::make_mut(&mut state.members[process]);
                let lasting = if self.has(Mutation::ReleasesLastTick) { 0 } else { TICK };
                let swap = member.process.release(last.map(|last| last + lasting))?;
                let expected = swap.expected.clone();
                self.send(member, swap, expected);
            }
            Action::ReleaseAgain { process } => {
                let member = Arc::make_mut(&mut state.members[process]);
                let swap = member.process.release(None)?;
                let expected = swap.expected.clone();
                self.send(member, swap, expected);
            }
            Action::Arrive { process, message } => {
                let sent = &state.messages(process)[message].sent;
                let node_id = sent.node_id as usize;
                if self.is_expected(sent.expected.as_ref(), state.records[node_id].as_ref()) {
                    let next = sent.next.clone();
                    Self::write(state, node_id as u32, next);
                } else if !self.has(Mutation::StoreAffirms) {
                    return None;
                }
                match process {
                    Some(process) => {
                        Arc::make_mut(&mut state.members[process]).messages[message].is_swapped = true;
                    }
                    None => state.orphans[message].is_swapped = true,
                }
            }
            Action::Answer { process, message } => {
                let member = Arc::make_mut(&mut state.members[process]);
                let swap = member.messages[message].swap.clone();
                member.process.answered(&swap, true);
            }
            Action::Read { process } => {
                let records = Arc::clone(&state.records);
                Arc::make_mut(&mut state.members[process]).read = Some(records);
            }
            Action::See { process, node_id } => {
                let member = Arc::make_mut(&mut state.members[process]);
                let records = member.read.take().unwrap_or_else(|| Arc::clone(&state.records));
                let mut record = records[node_id as usize].clone();
                if self.has(Mutation::BelievesName) {
                    let me = self.holder(member.instance);
                    record
                        .iter_mut()
                        .filter_map(|record| record.holder.as_mut())
                        .for_each(|it| *it = me.clone());
                }
                member.process.seen(node_id, record.as_ref());
            }
            Action::Crash { process } => {
                state.ticks_of(process, None);
                self.restart(state, process);
            }
            Action::Free { node_id } => {
                let mut freed = state.records[node_id as usize].as_ref()?.freed();
                if self.has(Mutation::FreesBound) {
                    freed.until = 0;
                }
                Self::write(state, node_id, freed);
            }
            Action::BackUp => state.backup = Backup::Made(Arc::clone(&state.records)),
            Action::Restore => {
                let Backup::Made(records) = &state.backup else { return None };
                state.records = Arc::clone(records);
                state.backup = Backup::Restored;
                if !self.has(Mutation::RepairsLate) && !self.has(Mutation::NeverRepairs) {
                    self.repair(state);
                }
            }
            Action::Repair => self.repair(state),
        }
        Some(())
    }
}

impl State {
    fn messages(&self, process: Option<usize>) -> &[Message] {
        process.map_or(&self.orphans, |process| &self.members[process].messages)
    }

    /// Notes the ticks of a reservation that its process gives up: all of its window, or those up to the last one.
    fn ticks_of(&mut self, process: usize, last: Option<Option<Millis>>) {
        if let Some((node_id, mut used)) = ticks::permitted(&self.members[process].process) {
            match last {
                None => {}
                Some(None) => return,
                Some(Some(last)) => used.end = last + TICK,
            }
            self.ticks[node_id as usize].add(used);
        }
    }
}
