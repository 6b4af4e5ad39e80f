//! Fleets: the protocol of reservations, in any history of clocks, messages, crashes and administrators.

use sortid_core::{
    Fence, Fenced, Generator, NodeOptions as _,
    testing::{ManualClock, SeededEntropy},
};
use sortid_fleet::{
    __private::{ALLOWANCE, Now, Process, Refusal, Swap, Terms, Wish},
    Holder, Millis, Record,
};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
    time::Duration,
};
use ulid_flake::{UlidFlake, scalable};

const START: Millis = 1_800_000_000_000;

/// The most acts of a script that are carried out.
const MOST_ACTS: usize = 96;

/// The most processes and the most messages that are on the way.
const PROCESSES: usize = 4;
const MESSAGES: usize = 16;

/// What happens to a process, or to all of them.
#[derive(Clone, Copy, Debug)]
enum Act {
    /// Time goes on, in 64 ms.
    Wait(u16),
    /// The clock of a process is wrong by a number of 256 ms.
    Clock(i16),
    /// The clock of the store is wrong.
    Store(i16),
    /// A process proposes to take a node ID, and sends the proposal.
    Take(Wished, Fate),
    Raise(Fate),
    /// A process releases its node ID. A process that made no ID may say so.
    Release(bool, Fate),
    /// A message that was late arrives, and perhaps its answer.
    Arrive(u8, bool),
    /// A process looks at the record of a node ID.
    See(u8),
    /// A process dies, and starts again.
    Crash,
    /// An administrator frees a node ID.
    Free(u8),
    BackUp,
    /// The store returns to the backup, and an administrator repairs all records.
    Restore,
    Make(u8),
}

/// A node ID and a start; both are taken modulo the size.
#[derive(Clone, Copy, Debug)]
struct Wished {
    node_id: Option<u32>,
    start: u32,
    prefers_its_own: bool,
}

/// What becomes of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    Lost,
    Late,
    /// It arrives, and the answer is lost.
    Unanswered,
    /// It arrives, is answered, and arrives again later.
    Repeated,
    Answered,
}

impl Fate {
    const fn of(byte: u8) -> Self {
        match byte % 16 {
            0 => Self::Lost,
            1 => Self::Late,
            2 => Self::Unanswered,
            3 => Self::Repeated,
            _ => Self::Answered,
        }
    }
}

impl Act {
    /// An act is three bytes, so that a change of a byte changes one act.
    fn of([kind, a, b]: [u8; 3]) -> Self {
        let wide = i16::from_le_bytes([a, b]);
        match kind % 32 {
            0..4 => Self::Wait(wide as u16 % 2048),
            4 => Self::Clock(wide),
            5 => Self::Store(wide),
            6..13 => Self::Take(
                Wished {
                    node_id: (a >= 192).then_some(a.into()),
                    start: a.into(),
                    prefers_its_own: b & 128 != 0,
                },
                Fate::of(b),
            ),
            13..17 => Self::Raise(Fate::of(b)),
            17..21 => Self::Release(a & 1 == 0, Fate::of(b)),
            21..23 => Self::Arrive(a, b & 1 == 0),
            23 => Self::See(a),
            24 => Self::Crash,
            25 => Self::Free(a),
            26 => Self::BackUp,
            27 => Self::Restore,
            _ => Self::Make(a),
        }
    }
}

/// A generator whose IDs must be before what the store has acknowledged.
type Ids<'a> = Generator<Fenced<scalable::Options, Arc<Fence>>, &'a ManualClock, SeededEntropy>;

struct Held<'a> {
    node_id: u32,
    generation: u64,
    fence: Arc<Fence>,
    ids: Ids<'a>,
}

struct Member<'a> {
    machine: Process,
    /// No two processes have the same one.
    instance: u64,
    clock: &'a ManualClock,
    /// How far its clock is wrong.
    error: i64,
    held: Option<Held<'a>>,
}

/// The times that a holder was permitted to use.
#[derive(Clone, Copy, Debug)]
struct Used {
    instance: u64,
    start: Millis,
    end: Millis,
}

struct World<'a> {
    terms: Terms,
    size: u32,
    time: Millis,
    store_error: i64,
    records: BTreeMap<u32, Record>,
    backup: Option<BTreeMap<u32, Record>>,
    /// The greatest bound that was ever proposed.
    highest: Millis,
    members: Vec<Member<'a>>,
    /// What is on the way, and the process that waits for an answer.
    messages: Vec<(Option<usize>, Swap)>,
    instances: u64,
    /// The windows of all holders, by node ID and generation.
    windows: BTreeMap<(u32, u64), Used>,
    /// The first and the last ID of each holder.
    ids: BTreeMap<(u32, u64), (UlidFlake, UlidFlake)>,
}

pub(crate) fn fleet(data: &[u8]) {
    let Some(([size, window], acts)) = data.split_first_chunk() else { return };
    let size = [1, 1, 2, 3][usize::from(*size) % 4];
    let window = [1_000, 15_000, 60_000][usize::from(*window) % 3];
    let clocks: [_; PROCESSES] = std::array::from_fn(|_| ManualClock::new(Duration::from_millis(START)));
    let mut world = World {
        terms: Terms { window },
        size,
        time: START,
        store_error: 0,
        records: BTreeMap::from([(0, Record::beginning(size))]),
        backup: None,
        highest: 0,
        members: vec![],
        messages: vec![],
        instances: 0,
        windows: BTreeMap::new(),
        ids: BTreeMap::new(),
    };
    for (process, clock) in clocks.iter().enumerate() {
        let (machine, instance) = world.machine(process);
        world.members.push(Member { machine, instance, clock, error: 0, held: None });
    }
    for &[process, kind, a, b] in acts.as_chunks().0.iter().take(MOST_ACTS) {
        let process = usize::from(process) % PROCESSES;
        world.act(process, Act::of([kind, a, b]));
        world.learn(process);
    }
}

impl World<'_> {
    /// A new process, and its instance.
    fn machine(&mut self, process: usize) -> (Process, u64) {
        self.instances += 1;
        // Two of the processes have the same name.
        let holder = Holder::new(format!("node-{}", process % 3), self.instances.to_string());
        (Process::new(self.terms, holder), self.instances)
    }

    fn now(&self, process: usize) -> Now {
        Now {
            clock: self.time.saturating_add_signed(self.members[process].error),
            store: Some(self.time.saturating_add_signed(self.store_error)),
        }
    }

    fn act(&mut self, process: usize, act: Act) {
        let now = self.now(process);
        match act {
            Act::Wait(by) => self.time += u64::from(by) * 64,
            Act::Clock(by) => self.members[process].error = i64::from(by) * 256,
            Act::Store(by) => self.store_error = i64::from(by) * 256,
            Act::Take(Wished { node_id, start, prefers_its_own }, sends) => {
                let machine = &mut self.members[process].machine;
                if machine.is_holding() || machine.node_id().is_some() && !machine.is_lost() {
                    return;
                }
                let node_id = node_id.map(|node_id| node_id % self.size);
                let wish = Wish { node_id, start, prefers_its_own, namesakes: BTreeSet::new() };
                match machine.take(&self.records, now, &wish) {
                    Ok(swap) => {
                        let record = self.records.get(&swap.node_id);
                        assert!(
                            record.is_none_or(|record| record.is_free(now.judge())),
                            "{record:?} was free"
                        );
                        assert!(node_id.is_none_or(|node_id| node_id == swap.node_id));
                        assert!(swap.node_id < self.size);
                        self.send(process, swap, sends, now);
                    }
                    Err(Refusal::Restart { node_id, .. }) => {
                        assert!(prefers_its_own && self.records.contains_key(&node_id));
                    }
                    Err(Refusal::ClockAhead { by }) => assert!(by >= self.terms.window + ALLOWANCE),
                    Err(Refusal::Taken) => {}
                    Err(other) => panic!("{other:?}"),
                }
            }
            Act::Raise(sends) => {
                let machine = &self.members[process].machine;
                let before = machine.window();
                if let Some(swap) = machine.raise(now) {
                    assert!(swap.next.until > before.end, "a renewal never lowers the bound");
                    self.send(process, swap, sends, now);
                }
            }
            Act::Release(says_none, sends) => {
                let Member { machine, held, .. } = &mut self.members[process];
                let closed = held.as_ref().filter(|_| machine.is_holding()).and_then(|held| held.ids.close());
                let key = machine.node_id().zip(machine.generation());
                let has_made = key.is_some_and(|key| self.ids.contains_key(&key));
                let last = closed.map(|micros| micros.div_ceil(1000)).filter(|_| has_made || !says_none);
                if let Some(swap) = machine.release(last) {
                    assert!(machine.window().is_empty(), "it makes no ID from now on");
                    if let Some(used) = key.and_then(|key| self.windows.get_mut(&key)) {
                        // Nothing of its window after its last ID was used.
                        used.end = used.end.min(swap.next.until.max(used.start));
                    }
                    self.send(process, swap, sends, now);
                }
            }
            Act::Arrive(message, answers) => {
                if self.messages.is_empty() {
                    return;
                }
                let (process, swap) = self.messages.remove(usize::from(message) % self.messages.len());
                let is_swapped = self.arrive(&swap);
                if let Some(process) = process.filter(|_| answers && is_swapped) {
                    self.members[process].machine.answered(&swap, true);
                    self.learn(process);
                }
            }
            Act::See(node_id) => self.see(process, u32::from(node_id) % self.size),
            Act::Crash => {
                let (machine, instance) = self.machine(process);
                let member = &mut self.members[process];
                (member.machine, member.instance, member.held) = (machine, instance, None);
                // An answer to a process that has died reaches nobody.
                self.messages.iter_mut().filter(|it| it.0 == Some(process)).for_each(|it| it.0 = None);
            }
            Act::Free(node_id) => {
                if let Some(record) = self.records.get_mut(&(u32::from(node_id) % self.size)) {
                    *record = record.freed();
                }
            }
            Act::BackUp => self.backup = Some(self.records.clone()),
            Act::Restore => {
                let Some(backup) = self.backup.take() else { return };
                let bound = self.highest;
                let node_ids = 0..self.size;
                let repaired = node_ids.map(|it| (it, Record::repaired(backup.get(&it), self.size, bound)));
                self.records = repaired.collect();
            }
            Act::Make(count) => self.make(process, count % 8),
        }
    }

    fn arrive(&mut self, swap: &Swap) -> bool {
        let is_swapped = self.records.get(&swap.node_id) == swap.expected.as_ref();
        if is_swapped {
            self.records.insert(swap.node_id, swap.next.clone());
        }
        is_swapped
    }

    fn send(&mut self, process: usize, swap: Swap, fate: Fate, now: Now) {
        let limit = self.terms.limit(now);
        assert!(swap.next.until <= limit || swap.next.holder.is_none(), "{swap:?} is beyond {limit}");
        self.highest = self.highest.max(swap.next.until);
        if matches!(fate, Fate::Late | Fate::Repeated) && self.messages.len() < MESSAGES {
            self.messages.push((Some(process), swap.clone()));
        }
        if matches!(fate, Fate::Lost | Fate::Late) {
            return;
        }
        let is_swapped = self.arrive(&swap);
        if fate != Fate::Unanswered {
            self.members[process].machine.answered(&swap, is_swapped);
            if !is_swapped {
                self.see(process, swap.node_id);
            }
        }
    }

    fn see(&mut self, process: usize, node_id: u32) {
        self.members[process].machine.seen(node_id, self.records.get(&node_id));
    }

    /// Raises the bound of a process's generator, and creates it for a new reservation. Compares all windows.
    fn learn(&mut self, process: usize) {
        let member = &mut self.members[process];
        let now = self.time.saturating_add_signed(member.error);
        member.clock.set(Duration::from_millis(now));
        let window = member.machine.window();
        let (Some(node_id), Some(generation)) = (member.machine.node_id(), member.machine.generation())
        else {
            member.held = None;
            return;
        };
        if window.is_empty() {
            return;
        }
        let is_of = |held: &&Held| (held.node_id, held.generation) == (node_id, generation);
        if member.held.as_ref().filter(is_of).is_none() {
            let fence = Arc::new(Fence::new(Duration::ZERO));
            let options = scalable::Options::new(0).unwrap().with_node_id(node_id, 32).unwrap();
            let rules = Fenced::new(options, Arc::clone(&fence));
            let entropy = SeededEntropy::new(member.instance);
            let ids = Ids::fenced(rules, window.start * 1000, member.clock, entropy).unwrap();
            member.held = Some(Held { node_id, generation, fence, ids });
        }
        if let Some(held) = &member.held {
            held.fence.raise(window.end * 1000);
        }
        let used = Used { instance: member.instance, start: window.start, end: window.end };
        let before = self.windows.entry((node_id, generation)).or_insert(used);
        assert_eq!(before.instance, used.instance, "two holders of one generation");
        assert!(before.start == used.start && before.end <= used.end, "{before:?} became {used:?}");
        *before = used;
        self.compare(node_id);
    }

    /// The times of the holders of a node ID are disjoint, and ascend with the generations.
    fn compare(&self, node_id: u32) {
        let windows: Vec<_> = self.windows.range((node_id, 0)..=(node_id, u64::MAX)).collect();
        for pair in windows.windows(2) {
            let [(_, earlier), (_, later)] = pair else { continue };
            assert!(earlier.end <= later.start, "node ID {node_id}: {windows:?}");
        }
    }

    /// Makes IDs. The IDs with a node ID ascend with its generations.
    fn make(&mut self, process: usize, count: u8) {
        let clock = Duration::from_millis(self.now(process).clock);
        let Member { held: Some(held), machine, clock: own, .. } = &self.members[process] else { return };
        own.set(clock);
        for _ in 0..count {
            let Ok(id) = held.ids.try_generate() else { break };
            let millis = id.unix_millis();
            assert!(machine.window().contains(&millis), "{millis} is not in {:?}", machine.window());
            let key = (held.node_id, held.generation);
            let (_, last) =
                self.ids.entry(key).and_modify(|(_, last)| assert!(*last < id)).or_insert((id, id));
            *last = id;
            if let Some((before, (_, last))) = self.ids.range((key.0, 0)..key).next_back() {
                assert!(*last < id, "{id} of {key:?} after {last} of {before:?}");
            }
            let later = self.ids.range((key.0, key.1 + 1)..=(key.0, u64::MAX)).next();
            assert!(later.is_none_or(|(_, (first, _))| id < *first), "{id} of {key:?}, {later:?}");
        }
    }
}
