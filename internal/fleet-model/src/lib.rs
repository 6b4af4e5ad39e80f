//! A model of the protocol of reservations, for a checker that visits all of its states.
//!
//! The processes are [`sortid_fleet::protocol::Process`] itself. The model is everything around them: the store, the
//! messages, the clocks, crashes and an administrator.
//!
//! - **Clocks** are arbitrary. Each proposal is made with any time of the process's clock and any time of the store's, or
//!   none. So clocks jump in both directions at each step, and a pause of any length is a step of other processes.
//! - **IDs.** A tick is used as soon as the process is permitted to make an ID in it, whatever its clock says. So a state
//!   stands for all the ways to make IDs in it. A clean release chooses the last tick that was used.
//! - **Messages** arrive at any time, in any order, as often as they like, or never. So do answers. Of each process, only
//!   the last few messages are on the way.
//! - **Crashes** take the memory. The process starts again with the same name and another instance. All processes have
//!   the same name.
//!
//! A time is a multiple of [`TICK`]. [`Bounds`] make the number of states finite.

mod fair;
mod ticks;

pub use ticks::Fault;

use sortid_fleet::{
    Holder, Millis, Record,
    protocol::{ALLOWANCE, Now, Process, Swap, Terms, Wish},
};
use stateright::Property;
use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet, HashMap},
    rc::Rc,
    sync::Arc,
};
use ticks::Ticks;

/// The unit of time of the model. The allowance is one tick.
pub const TICK: Millis = ALLOWANCE;

/// How large a fleet is, and how much happens to it.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// How many processes there are.
    pub processes: usize,
    /// How many numbers there are.
    pub numbers: u32,
    /// How long a window is, in ticks.
    pub window: Millis,
    /// The end of time, in ticks: no reservation goes beyond it.
    pub ticks: Millis,
    /// The greatest generation of a number.
    pub generations: u64,
    /// How many messages of a process can be on the way.
    pub messages: usize,
    /// How many messages can be on the way whose process crashed or gave up.
    pub late: usize,
    /// Whether each state is continued to a fair end, to find whether each process that can have a number gets one.
    pub ends: bool,
    /// Whether processes crash.
    pub crashes: bool,
    /// Whether an administrator frees numbers.
    pub frees: bool,
    /// Whether what a process reads can be late. Otherwise it learns the records of the moment.
    pub late_reads: bool,
    /// Whether the model forgets what cannot have an effect any more: messages that expect a past record, answers that
    /// tell nothing new, and the memory of a process whose reservation is past. This is sound because a record never
    /// returns to what it was, which is a property of the model. Without it, there are many more states.
    pub forgets: bool,
    /// Whether the store can go back to a backup once. An administrator repairs it then.
    pub restores: bool,
}

/// A fault that is put into the protocol, its environment, or the way that they are used. The model has to find it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mutation {
    /// A holder uses a later bound before the store has acknowledged it.
    UsesBeforeAcknowledged,
    /// A process that takes a number begins at its clock's time instead of the record's bound.
    BeginsAtClock,
    /// A clean release lowers the bound to the last tick that was used instead of the one after it.
    ReleasesLastTick,
    /// A process releases its number and goes on to make IDs.
    GeneratesAfterRelease,
    /// A process that takes a number keeps the generation.
    KeepsGeneration,
    /// The store does not compare the bound of a record.
    StoreIgnoresUntil,
    /// The store does not compare anything.
    StoreIgnoresAll,
    /// The store answers that it swapped when it did not.
    StoreAffirms,
    /// A process takes a record of its name for its own, whatever the instance is.
    BelievesName,
    /// Two processes have the same instance.
    SharesInstance,
    /// A process uses what it read before, after it has done other things.
    ReadsOutOfOrder,
    /// An administrator who frees a number lowers its bound.
    FreesBound,
    /// The store returns to a backup, and nobody repairs it.
    NeverRepairs,
    /// Processes take numbers of a restored store before it is repaired.
    RepairsLate,
    /// The repaired bound is a tick below the greatest that was reserved.
    RepairsTooLow,
    /// Numbers of which the store has lost the record are not repaired.
    RepairsKnownOnly,
    /// A repaired record has the next generation, which a holder may have had after the backup.
    RepairsNextGeneration,
}

/// The model: bounds, and perhaps a fault.
#[derive(Clone, Copy, Debug)]
pub struct Fleet {
    /// How large it is.
    pub bounds: Bounds,
    /// What is wrong with it.
    pub mutation: Option<Mutation>,
}

/// A state of the whole fleet.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    records: Arc<Vec<Option<Record>>>,
    /// In the order of their instances.
    members: Vec<Arc<Member>>,
    /// Messages of processes that crashed.
    orphans: Vec<Message>,
    ticks: Vec<Ticks>,
    /// How many numbers were asked for. The others are alike.
    asked: u32,
    backup: Backup,
    /// The greatest bound that was ever proposed, if the store can go back.
    highest: Millis,
    fault: Option<Fault>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Backup {
    None,
    Made(Arc<Vec<Option<Record>>>),
    Restored,
    Repaired,
}

/// A process, and what is on the way between it and the store.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Member {
    process: Process,
    /// The least that nothing else in the state has; [`NEW`] before it asks for a number.
    instance: u8,
    messages: Vec<Message>,
    /// What it has read, and not looked at.
    read: Option<Arc<Vec<Option<Record>>>>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Message {
    /// What the process proposed.
    swap: Swap,
    /// What the store gets. It differs only with a mutation.
    sent: Swap,
    is_swapped: bool,
}

/// The instance of a process that has not asked for a number since it started. All of them are alike, so the first of
/// them is the next to ask.
const NEW: u8 = u8::MAX;

/// A step of the model.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the fields are those that the names say")]
pub enum Action {
    /// A process proposes to take a number.
    Take { process: usize, now: Now, wish: Wish },
    /// A process proposes to raise its bound.
    Raise { process: usize, now: Now },
    /// A process proposes to release its number. It has used ticks up to the last one.
    Release { process: usize, last: Option<Millis> },
    /// A process proposes its release again.
    ReleaseAgain { process: usize },
    /// A message arrives at the store, of a process or of one that crashed.
    Arrive { process: Option<usize>, message: usize },
    /// The answer to a message arrives.
    Answer { process: usize, message: usize },
    /// The store answers a read. The answer is on the way.
    Read { process: usize },
    /// A process looks at the record of a number.
    See { process: usize, number: u32 },
    /// A process dies, and starts again.
    Crash { process: usize },
    /// An administrator frees a number.
    Free { number: u32 },
    /// A backup of the store is made.
    BackUp,
    /// The store returns to its backup.
    Restore,
    /// An administrator repairs all records.
    Repair,
}

type Records = BTreeMap<u32, Record>;

fn by_number(records: &[Option<Record>]) -> Records {
    (0..).zip(records).filter_map(|(number, record)| Some((number, record.clone()?))).collect()
}

impl Fleet {
    fn has(&self, mutation: Mutation) -> bool {
        self.mutation == Some(mutation)
    }

    fn holder(&self, instance: u8) -> Holder {
        let instance = if self.has(Mutation::SharesInstance) { 0 } else { instance };
        Holder { name: "node".to_owned(), instance: instance.to_string() }
    }

    fn member(&self, instance: u8) -> Member {
        let Bounds { numbers, window, .. } = self.bounds;
        let process = Process::new(Terms { size: numbers, window: window * TICK }, self.holder(instance));
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

    /// The proposals to take a number that differ, each with one of the times that lead to it.
    fn takes(&self, process: &Process, records: &Records) -> Vec<(Now, Wish)> {
        let mut swaps = BTreeMap::new();
        let numbers = || (0..self.bounds.numbers).map(Some).chain([None]);
        for now in self.times() {
            for number in numbers() {
                for namesakes in [BTreeSet::new(), (0..self.bounds.numbers).collect()] {
                    let wish = Wish { number, start: 0, prefers_its_own: true, namesakes };
                    let Ok(swap) = process.clone().take(&self.misread(records, now), now, &wish) else {
                        continue;
                    };
                    if swap.next.until <= self.bounds.ticks * TICK {
                        swaps.entry((swap.number, swap.next.until, self.floor(&swap))).or_insert((now, wish));
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
    fn raises(&self, process: &Process) -> Vec<Now> {
        let mut bounds = BTreeMap::new();
        for now in self.times() {
            if let Some(swap) = process.raise(now).filter(|swap| swap.next.until <= self.bounds.ticks * TICK)
            {
                bounds.entry(swap.next.until).or_insert(now);
            }
        }
        bounds.into_values().collect()
    }

    /// The records as a process with a fault takes them.
    fn misread(&self, records: &Records, now: Now) -> Records {
        let mut records = records.clone();
        for record in records.values_mut() {
            if self.has(Mutation::BeginsAtClock) {
                record.until = record.until.min(now.clock);
            }
            if self.has(Mutation::KeepsGeneration) {
                record.generation -= 1;
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

    fn is_expected(&self, expected: Option<&Record>, found: Option<&Record>) -> bool {
        match (expected, found) {
            _ if self.has(Mutation::StoreIgnoresAll) => true,
            (Some(expected), Some(found)) if self.has(Mutation::StoreIgnoresUntil) => {
                *expected == Record { until: expected.until, ..found.clone() }
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
            orphans.retain(|it| records[it.sent.number as usize] == it.sent.expected);
        }
        orphans.drain(..orphans.len().saturating_sub(self.bounds.late));
    }

    /// Forgets what cannot have an effect any more.
    fn forget(&self, state: &mut State) {
        if !self.bounds.forgets {
            return;
        }
        let may_arrive = |records: &[Option<Record>], message: &Message| {
            records[message.sent.number as usize] == message.sent.expected
        };
        for index in 0..state.members.len() {
            let member = &state.members[index];
            let machine = &member.process;
            let is_past = match machine.number().zip(machine.generation()) {
                Some((number, generation)) => state.records[number as usize]
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
        let State { records, orphans, .. } = state;
        orphans.retain(|message| !message.is_swapped && may_arrive(records, message));
    }

    /// Writes a record, and notes if it is one that may have been there before.
    fn write(state: &mut State, number: u32, next: Record) {
        let record = &mut Arc::make_mut(&mut state.records)[number as usize];
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
        let repaired = Record::repaired(record, self.bounds.numbers, bound);
        if self.has(Mutation::RepairsNextGeneration) {
            return Some(Record { generation: record.map_or(0, |record| record.generation) + 1, ..repaired });
        }
        Some(repaired)
    }

    fn repair(&self, state: &mut State) {
        let repaired = state.records.iter().map(|record| self.repaired(record.as_ref(), state.highest));
        state.records = Arc::new(repaired.collect());
        state.backup = Backup::Repaired;
    }

    /// Carries out a step. Returns `None` if it cannot happen.
    fn step(&self, state: &mut State, action: &Action) -> Option<()> {
        match *action {
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
                // A process that lost its number may have used all of its window.
                state.ticks_of(process, None);
                let member = Arc::make_mut(&mut state.members[process]);
                if member.instance == NEW {
                    *member = self.member(instance);
                }
                let swap = member.process.take(&self.misread(&by_number(&records), now), now, wish).ok()?;
                state.asked = state.asked.max(swap.number + 1);
                if self.bounds.restores {
                    state.highest = state.highest.max(swap.next.until);
                }
                let expected = records[swap.number as usize].clone();
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
                let number = sent.number as usize;
                if self.is_expected(sent.expected.as_ref(), state.records[number].as_ref()) {
                    let next = sent.next.clone();
                    Self::write(state, number as u32, next);
                } else if !self.has(Mutation::StoreAffirms) {
                    return None;
                }
                match process {
                    Some(process) => {
                        Arc::make_mut(&mut state.members[process]).messages[message].is_swapped = true
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
            Action::See { process, number } => {
                let member = Arc::make_mut(&mut state.members[process]);
                let records = member.read.take().unwrap_or_else(|| Arc::clone(&state.records));
                let mut record = records[number as usize].clone();
                if self.has(Mutation::BelievesName) {
                    let me = self.holder(member.instance);
                    record
                        .iter_mut()
                        .filter_map(|record| record.holder.as_mut())
                        .for_each(|it| *it = me.clone());
                }
                member.process.seen(number, record.as_ref());
            }
            Action::Crash { process } => {
                state.ticks_of(process, None);
                self.restart(state, process);
            }
            Action::Free { number } => {
                let mut freed = state.records[number as usize].as_ref()?.freed();
                if self.has(Mutation::FreesBound) {
                    freed.until = 0;
                }
                Self::write(state, number, freed);
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
        if let Some((number, mut used)) = ticks::permitted(&self.members[process].process) {
            match last {
                None => {}
                Some(None) => return,
                Some(Some(last)) => used.end = last + TICK,
            }
            self.ticks[number as usize].add(used);
        }
    }
}

/// What was computed of the proposals to take a number.
type Takes = HashMap<(Process, Records), Rc<Vec<(Now, Wish)>>>;

thread_local! {
    static TAKES: RefCell<Takes> = RefCell::default();
    static RAISES: RefCell<HashMap<Process, Rc<Vec<Now>>>> = RefCell::default();
}

impl stateright::Model for Fleet {
    type State = State;
    type Action = Action;

    fn init_states(&self) -> Vec<State> {
        // The checker has threads of its own for each model, but tests may run several models in one.
        TAKES.with_borrow_mut(HashMap::clear);
        RAISES.with_borrow_mut(HashMap::clear);
        let Bounds { processes, numbers, .. } = self.bounds;
        vec![State {
            records: Arc::new(vec![None; numbers as usize]),
            members: (0..processes).map(|_| Arc::new(self.member(NEW))).collect(),
            orphans: Vec::new(),
            ticks: vec![Ticks::default(); numbers as usize],
            asked: 0,
            backup: Backup::None,
            highest: 0,
            fault: None,
        }]
    }

    fn actions(&self, state: &State, actions: &mut Vec<Action>) {
        if state.fault.is_some() {
            return;
        }
        let Bounds { numbers, late_reads, .. } = self.bounds;
        actions.extend((0..state.orphans.len()).map(|message| Action::Arrive { process: None, message }));
        let mut new = None;
        for (process, member) in state.members.iter().enumerate() {
            for (message, it) in member.messages.iter().enumerate() {
                actions.push(Action::Arrive { process: Some(process), message });
                if it.is_swapped {
                    actions.push(Action::Answer { process, message });
                }
            }
            let is_new = member.instance == NEW && member.read.is_none();
            if is_new && new.replace(process).is_some() {
                continue;
            }
            let machine = &member.process;
            let may_take = machine.number().is_none() || machine.is_lost();
            let looks = member.read.is_some() || !late_reads;
            if looks && may_take {
                let records = by_number(member.read.as_ref().unwrap_or(&state.records));
                let takes = TAKES.with_borrow_mut(|memo| {
                    let key = (machine.clone(), records);
                    if let Some(takes) = memo.get(&key) {
                        return Rc::clone(takes);
                    }
                    let takes = Rc::new(self.takes(&key.0, &key.1));
                    memo.insert(key, Rc::clone(&takes));
                    takes
                });
                for (now, wish) in &*takes {
                    // The numbers that nobody has asked for are alike.
                    if wish.number.is_none_or(|number| number <= state.asked) {
                        actions.push(Action::Take { process, now: *now, wish: wish.clone() });
                    }
                }
            }
            if late_reads {
                actions.push(Action::Read { process });
            }
            if member.instance == NEW {
                continue;
            }
            if looks {
                actions.extend((0..numbers).map(|number| Action::See { process, number }));
            }
            // A process that waits for the answer to a read does nothing else.
            if member.read.is_none() || self.has(Mutation::ReadsOutOfOrder) {
                if machine.is_holding() {
                    let raises = RAISES.with_borrow_mut(|memo| {
                        Rc::clone(
                            memo.entry(machine.clone()).or_insert_with_key(|it| Rc::new(self.raises(it))),
                        )
                    });
                    actions.extend(raises.iter().map(|&now| Action::Raise { process, now }));
                    let ticks = machine.window().step_by(TICK as usize).map(Some);
                    actions.extend(ticks.chain([None]).map(|last| Action::Release { process, last }));
                } else if machine.number().is_some() && !machine.is_lost() {
                    actions.push(Action::ReleaseAgain { process });
                }
            }
            if self.bounds.crashes {
                actions.push(Action::Crash { process });
            }
        }
        if self.bounds.frees {
            actions.extend((0..numbers).map(|number| Action::Free { number }));
        }
        if self.bounds.restores {
            match state.backup {
                Backup::None => actions.push(Action::BackUp),
                Backup::Made(_) => actions.push(Action::Restore),
                Backup::Restored if self.has(Mutation::RepairsLate) => actions.push(Action::Repair),
                Backup::Restored | Backup::Repaired => {}
            }
        }
    }

    fn next_state(&self, last: &State, action: Action) -> Option<State> {
        let mut state = last.clone();
        self.step(&mut state, &action)?;
        self.forget(&mut state);
        state.tidy();
        state.members.sort_by_key(|member| member.instance);
        // Before a late repair, duplicates are expected. The question is whether there are any after it.
        if state.backup != Backup::Restored || !self.has(Mutation::RepairsLate) {
            state.fault = state.fault.or(state.find_fault());
        }
        (state != *last).then_some(state)
    }

    fn within_boundary(&self, state: &State) -> bool {
        state.records.iter().flatten().all(|record| record.generation % (1 << 32) <= self.bounds.generations)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        let mut properties = vec![
            Property::always("no tick of a number is used by two holders", |_, state: &State| {
                state.fault != Some(Fault::Twice)
            }),
            Property::always("the ticks of a number ascend with its generations", |_, state: &State| {
                state.fault != Some(Fault::Order)
            }),
            Property::always("no generation of a number has two holders", |_, state: &State| {
                state.fault != Some(Fault::Generation)
            }),
        ];
        if !self.bounds.restores {
            properties.push(Property::always("a record never returns to what it was", |_, state: &State| {
                state.fault != Some(Fault::Returns)
            }));
        }
        if self.bounds.ends {
            properties.push(Property::always(
                "when crashes and losses end, every process that can have a number gets one",
                |model: &Self, state: &State| state.fault.is_some() || model.is_live(state),
            ));
        }
        properties
    }
}
