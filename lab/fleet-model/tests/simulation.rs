//! Fleets of 100 processes, with the generators of the specifications: many random histories.
//!
//! `SORTID_SEEDS` is how many histories there are of each kind. A history depends on its seed alone.

use ron_uid::Base64x64;
use sortid_core::{
    Entropy, Fence, Fenced, Generator, NodeOptions, Rules,
    testing::{ManualClock, SeededEntropy},
};
use sortid_fleet::{
    __private::{ALLOWANCE, Now, Process, Refusal, Swap, Terms, Wish},
    Holder, Millis, Record,
};
use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet},
    env,
    fmt::Debug,
    rc::Rc,
    sync::Arc,
    thread,
    time::Duration,
};

const PROCESSES: usize = 100;
const STEPS: usize = 1500;
const START: Millis = 1_800_000_000_000;
const HOUR: i64 = 3_600_000;

/// The IDs of one kind: by node ID and generation, the first and the last one.
type Ranges<Id> = BTreeMap<u32, BTreeMap<u64, (Id, Id)>>;

/// Checks the law on each ID: those of a node ID ascend with its generations, so that none is made twice.
struct Law<Id> {
    seed: u64,
    ranges: RefCell<Ranges<Id>>,
}

impl<Id: Copy + Ord + Debug> Law<Id> {
    fn new(seed: u64) -> Rc<Self> {
        Rc::new(Self { seed, ranges: RefCell::default() })
    }

    fn check(&self, node_id: u32, generation: u64, id: Id) {
        let mut ranges = self.ranges.borrow_mut();
        let of_node_id = ranges.entry(node_id).or_default();
        let seed = self.seed;
        let (_, last) = of_node_id
            .entry(generation)
            .and_modify(|(_, last)| assert!(id > *last, "seed {seed}: {id:?} after {last:?}"))
            .or_insert((id, id));
        *last = id;
        if let Some((before, (_, last))) = of_node_id.range(..generation).next_back() {
            assert!(
                *last < id,
                "seed {seed}, node ID {node_id}: {id:?} of {generation}, {last:?} of {before}"
            );
        }
        if let Some((after, (first, _))) = of_node_id.range(generation + 1..).next() {
            assert!(
                id < *first,
                "seed {seed}, node ID {node_id}: {id:?} of {generation}, {first:?} of {after}"
            );
        }
    }
}

/// A generator of any kind.
trait Source {
    /// Makes an ID. Returns whether there was one.
    fn make(&self) -> bool;

    /// Ends the generator, and returns the time after its last ID.
    fn close(&self) -> Option<u64>;
}

struct Ids<'a, R: Rules> {
    generator: Generator<Fenced<R, Arc<Fence>>, &'a ManualClock, SeededEntropy>,
    law: Rc<Law<R::Id>>,
    node_id: u32,
    generation: u64,
}

impl<R: Rules> Source for Ids<'_, R>
where
    R::Id: Copy + Ord + Debug,
{
    fn make(&self) -> bool {
        let id = self.generator.try_generate();
        id.map(|id| self.law.check(self.node_id, self.generation, id)).is_ok()
    }

    fn close(&self) -> Option<u64> {
        self.generator.close()
    }
}

/// Random choices.
struct Random(SeededEntropy);

impl Random {
    fn below(&self, bound: u64) -> u64 {
        let mut bytes = [0; 8];
        self.0.fill(&mut bytes).unwrap();
        u64::from_le_bytes(bytes) % bound
    }

    fn once_in(&self, turns: u64) -> bool {
        self.below(turns) == 0
    }
}

/// A reservation, and its generators.
struct Held<'a> {
    generation: u64,
    fence: Arc<Fence>,
    sources: Vec<Box<dyn Source + 'a>>,
}

struct Member<'a> {
    machine: Process,
    clock: &'a ManualClock,
    /// How far its clock is wrong.
    error: i64,
    held: Option<Held<'a>>,
    paused_until: Millis,
    /// A swap whose outcome it does not know.
    unknown: Option<Swap>,
}

/// A message that is on the way.
struct Late {
    at: Millis,
    process: usize,
    swap: Swap,
}

#[derive(Default)]
struct Counts {
    ids: u64,
    refused: u64,
    takes: u64,
    takeovers: u64,
    raises: u64,
    releases: u64,
    crashes: u64,
    waits: u64,
    lost: u64,
}

struct Laws {
    scru160: Rc<Law<scru160::Scru160>>,
    euid: Rc<Law<euid::Euid>>,
    ulid_flake: Rc<Law<ulid_flake::UlidFlake>>,
    ron: Rc<Law<ron_uid::RonUid>>,
}

struct World<'a> {
    seed: u64,
    random: Random,
    terms: Terms,
    size: u32,
    time: Millis,
    records: BTreeMap<u32, Record>,
    store_error: i64,
    backup: Option<BTreeMap<u32, Record>>,
    members: Vec<Member<'a>>,
    late: Vec<Late>,
    instances: u64,
    laws: Laws,
    counts: Counts,
    /// Whether messages are lost, late and repeated.
    is_lossy: bool,
}

impl<'a> World<'a> {
    fn new(seed: u64, size: u32, clocks: &'a [ManualClock]) -> Self {
        let random = Random(SeededEntropy::new(seed));
        let window = [2_000, 15_000, 60_000][random.below(3) as usize];
        let mut world = Self {
            seed,
            random,
            terms: Terms { window },
            size,
            time: START,
            records: BTreeMap::new(),
            store_error: 0,
            backup: None,
            members: Vec::new(),
            late: Vec::new(),
            instances: 0,
            laws: Laws {
                scru160: Law::new(seed),
                euid: Law::new(seed),
                ulid_flake: Law::new(seed),
                ron: Law::new(seed),
            },
            counts: Counts::default(),
            is_lossy: true,
        };
        for (index, clock) in clocks.iter().enumerate() {
            let machine = world.machine(index);
            let member = Member { machine, clock, error: 0, held: None, paused_until: 0, unknown: None };
            world.members.push(member);
        }
        world
    }

    fn machine(&mut self, process: usize) -> Process {
        self.instances += 1;
        Process::new(self.terms, Holder::new(format!("node-{process}"), self.instances.to_string()))
    }

    fn store_time(&self) -> Millis {
        self.time.saturating_add_signed(self.store_error)
    }

    /// Carries out a swap.
    fn arrive(&mut self, swap: &Swap) -> bool {
        let is_swapped = self.records.get(&swap.node_id) == swap.expected.as_ref();
        if is_swapped {
            self.records.insert(swap.node_id, swap.next.clone());
        }
        is_swapped
    }

    /// Sends a swap. It or its answer may be lost, late or repeated.
    fn send(&mut self, process: usize, swap: Swap) {
        let fate = if self.is_lossy { self.random.below(12) } else { 11 };
        let at = self.time + self.random.below(3 * self.terms.window);
        let late = || Late { at, process, swap: swap.clone() };
        match fate {
            0 => self.members[process].unknown = Some(swap),
            1 => {
                let late = late();
                self.late.push(late);
                self.members[process].unknown = Some(swap);
            }
            2 => {
                self.arrive(&swap);
                self.members[process].unknown = Some(swap);
            }
            _ => {
                if fate == 3 {
                    let late = late();
                    self.late.push(late);
                }
                let is_swapped = self.arrive(&swap);
                self.members[process].machine.answered(&swap, is_swapped);
                if !is_swapped {
                    self.look(process, swap.node_id);
                }
            }
        }
    }

    /// A process reads a record.
    fn look(&mut self, process: usize, node_id: u32) {
        let was_lost = self.members[process].machine.is_lost();
        let record = self.records.get(&node_id).cloned();
        let member = &mut self.members[process];
        member.machine.seen(node_id, record.as_ref());
        self.counts.lost += u64::from(!was_lost && member.machine.is_lost());
    }

    /// Raises the bound of the generators, and creates them for a new reservation.
    fn fence(&mut self, process: usize) {
        let member = &mut self.members[process];
        let (Some(node_id), Some(generation)) = (member.machine.node_id(), member.machine.generation())
        else {
            member.held = None;
            return;
        };
        let window = member.machine.window();
        if window.is_empty() {
            return;
        }
        if member.held.as_ref().is_none_or(|held| held.generation != generation) {
            self.counts.takes += 1;
            self.counts.takeovers += u64::from(generation > 1);
            let fence = Arc::new(Fence::new(Duration::ZERO));
            let held = Held { generation, fence, sources: Vec::new() };
            let Laws { scru160, euid, ulid_flake, ron } = &self.laws;
            let size = self.size;
            let seed = self.random.below(u64::MAX);
            let mut sources = vec![
                source(
                    scru160::Options::new(),
                    scru160,
                    member.clock,
                    &held,
                    node_id,
                    size,
                    window.start,
                    seed,
                ),
                source(euid::Options::new(), euid, member.clock, &held, node_id, size, window.start, seed),
                source(
                    ron_uid::Options::new(Base64x64::ZERO),
                    ron,
                    member.clock,
                    &held,
                    node_id,
                    size,
                    window.start,
                    seed,
                ),
            ];
            if size <= 32 {
                let options = ulid_flake::scalable::Options::new(0).unwrap();
                sources.push(source(
                    options,
                    ulid_flake,
                    member.clock,
                    &held,
                    node_id,
                    size,
                    window.start,
                    seed,
                ));
            }
            member.held = Some(Held { sources, ..held });
        }
        if let Some(held) = &member.held {
            held.fence.raise(window.end * 1000);
        }
    }

    /// Makes IDs.
    fn make(&mut self, process: usize) {
        let Some(held) = &self.members[process].held else { return };
        let count = self.random.below(8);
        for source in &held.sources {
            for _ in 0..count {
                if source.make() {
                    self.counts.ids += 1;
                } else {
                    self.counts.refused += 1;
                    break;
                }
            }
        }
    }

    /// A process does what it does next.
    fn turn(&mut self, process: usize) {
        let clock = self.time.saturating_add_signed(self.members[process].error);
        self.members[process].clock.set(Duration::from_millis(clock));
        self.make(process);
        if let Some(swap) = self.members[process].unknown.take() {
            self.look(process, swap.node_id);
        }
        self.fence(process);
        let now = Now { clock, store: Some(self.store_time()) };
        let limit = self.terms.limit(now);
        let machine = &self.members[process].machine;
        if machine.is_holding() {
            if self.is_lossy && self.random.once_in(30) {
                let closed = self.members[process].held.as_ref();
                let after_last =
                    closed.and_then(|held| held.sources.iter().filter_map(|it| it.close()).max());
                let swap =
                    self.members[process].machine.release(after_last.map(|micros| micros.div_ceil(1000)));
                self.counts.releases += 1;
                self.send(process, swap.unwrap());
            } else if let Some(swap) = machine.raise(now) {
                assert!(swap.next.until <= limit, "seed {}: {swap:?} is beyond {limit}", self.seed);
                self.counts.raises += 1;
                self.send(process, swap);
            }
        } else if machine.is_lost() || machine.node_id().is_none() {
            // A process that lost its node ID uses up its window, or not.
            if machine.is_lost() && self.is_lossy && self.random.once_in(2) {
                return;
            }
            let names = self.random.once_in(2);
            let start = self.random.below(1000) as u32;
            let wish = Wish { node_id: None, start, prefers_its_own: names, namesakes: BTreeSet::new() };
            match self.members[process].machine.take(&self.records, now, &wish) {
                Ok(swap) => {
                    self.members[process].held = None;
                    assert!(swap.next.until <= limit, "seed {}: {swap:?} is beyond {limit}", self.seed);
                    self.send(process, swap);
                }
                Err(refusal) => {
                    let has_begun = !self.records.is_empty();
                    assert_eq!(refusal == Refusal::NoFleet, !has_begun, "seed {}: {refusal:?}", self.seed);
                    self.counts.waits += 1;
                }
            }
        } else if let Some(swap) = self.members[process].machine.release(None) {
            self.send(process, swap);
        }
        self.fence(process);
        self.make(process);
    }

    /// What the world does to the fleet.
    fn disturb(&mut self, restores: bool) {
        let process = self.random.below(PROCESSES as u64) as usize;
        match self.random.below(400) {
            0..10 => {
                self.counts.crashes += 1;
                let machine = self.machine(process);
                let member = &mut self.members[process];
                (member.machine, member.held, member.unknown) = (machine, None, None);
            }
            10..20 => {
                self.members[process].paused_until = self.time + self.random.below(4 * self.terms.window);
            }
            20..30 => {
                self.members[process].error = [0, HOUR, -HOUR, 3000, -3000][self.random.below(5) as usize];
            }
            30 if !restores => {
                self.store_error = [0, HOUR, -HOUR, 20_000, -20_000][self.random.below(5) as usize];
            }
            31 => {
                let node_id = self.random.below(self.size.into()) as u32;
                if let Some(record) = self.records.get_mut(&node_id) {
                    *record = record.freed();
                }
            }
            32 if restores && self.backup.is_none() && !self.records.is_empty() => {
                self.backup = Some(self.records.clone());
            }
            33 if restores => {
                if let Some(backup) = self.backup.take() {
                    let bound = self.store_time() + self.terms.window + ALLOWANCE;
                    let node_ids = 0..self.size;
                    let repaired =
                        node_ids.map(|it| (it, Record::repaired(backup.get(&it), self.size, bound)));
                    self.records = repaired.collect();
                }
            }
            _ => {}
        }
    }

    fn run(&mut self, restores: bool) {
        let span = self.terms.window / 50;
        for _ in 0..STEPS {
            self.time += self.random.below(span);
            // An operator creates the fleet after some time.
            if self.records.is_empty() && self.random.once_in(50) {
                self.records.insert(0, Record::beginning(self.size));
            }
            self.disturb(restores);
            let (due, late) = self.late.drain(..).partition(|late: &Late| late.at <= self.time);
            self.late = late;
            for Late { process, swap, .. } in due {
                if self.arrive(&swap) && self.random.once_in(2) {
                    self.members[process].machine.answered(&swap, true);
                    self.fence(process);
                }
            }
            let process = self.random.below(PROCESSES as u64) as usize;
            if self.members[process].paused_until <= self.time {
                self.turn(process);
            }
        }
        self.end();
    }

    /// Crashes, losses and wrong clocks end, and time passes the last reservation: then all node IDs have holders that make
    /// IDs.
    fn end(&mut self) {
        self.is_lossy = false;
        self.store_error = 0;
        self.late.clear();
        let last = self.records.values().map(|record| record.until).max().unwrap_or(0);
        self.time = self.time.max(last);
        self.members.iter_mut().for_each(|member| member.error = 0);
        for _ in 0..4 {
            self.time += self.terms.window / 4;
            (0..PROCESSES).for_each(|process| self.turn(process));
        }
        // A millisecond that no ID has used up.
        let clock = Duration::from_millis(self.time + 1);
        self.members.iter().for_each(|member| member.clock.set(clock));
        let makes = |member: &&Member<'_>| {
            member.held.as_ref().is_some_and(|held| held.sources.iter().all(|source| source.make()))
        };
        let holders = self.members.iter().filter(makes).count();
        let expected = PROCESSES.min(self.size as usize);
        assert_eq!(holders, expected, "seed {}: processes that make IDs at the end", self.seed);
    }
}

#[expect(clippy::too_many_arguments, reason = "it is the same for each kind")]
fn source<'a, O>(
    options: O,
    law: &Rc<Law<<O::Rules as Rules>::Id>>,
    clock: &'a ManualClock,
    held: &Held<'_>,
    node_id: u32,
    size: u32,
    floor: Millis,
    seed: u64,
) -> Box<dyn Source + 'a>
where
    O: NodeOptions,
    O::Rules: 'a,
    <O::Rules as Rules>::Id: Copy + Ord + Debug + 'a,
{
    let rules = Fenced::new(options.with_node_id(node_id, size).unwrap(), Arc::clone(&held.fence));
    let generator = Generator::fenced(rules, floor * 1000, clock, SeededEntropy::new(seed)).unwrap();
    Box::new(Ids { generator, law: Rc::clone(law), node_id, generation: held.generation })
}

fn simulate(name: &str, size: u32, restores: bool) {
    let seeds: u64 =
        env::var("SORTID_SEEDS").map_or(1000, |seeds| seeds.parse().expect("SORTID_SEEDS is a number"));
    let run = |first: u64| {
        let mut sum = Counts::default();
        for seed in (first..seeds).step_by(2) {
            let clocks: Vec<_> =
                (0..PROCESSES).map(|_| ManualClock::new(Duration::from_millis(START))).collect();
            let mut world = World::new(seed, size, &clocks);
            world.run(restores);
            let Counts { ids, refused, takes, takeovers, raises, releases, crashes, waits, lost } =
                world.counts;
            sum.ids += ids;
            sum.refused += refused;
            sum.takes += takes;
            sum.takeovers += takeovers;
            sum.raises += raises;
            sum.releases += releases;
            sum.crashes += crashes;
            sum.waits += waits;
            sum.lost += lost;
        }
        sum
    };
    let halves: Vec<Counts> = thread::scope(|scope| {
        let threads = [0, 1].map(|first| scope.spawn(move || run(first)));
        threads.into_iter().map(|thread| thread.join().expect("no law is broken")).collect()
    });
    let sum = |of: fn(&Counts) -> u64| halves.iter().map(of).sum::<u64>();
    println!(
        "{name}: {seeds} seeds, {} IDs, {} refused, {} reservations, {} of them after another, {} proposals to raise, \
         {} releases, {} crashes, {} waits, {} lost",
        sum(|it| it.ids),
        sum(|it| it.refused),
        sum(|it| it.takes),
        sum(|it| it.takeovers),
        sum(|it| it.raises),
        sum(|it| it.releases),
        sum(|it| it.crashes),
        sum(|it| it.waits),
        sum(|it| it.lost),
    );
    assert!(sum(|it| it.takeovers) > seeds, "node IDs change hands");
}

#[test]
fn a_hundred_processes_share_32_node_ids() {
    simulate("32 node IDs", 32, false);
}

#[test]
fn a_hundred_processes_share_128_node_ids() {
    simulate("128 node IDs", 128, false);
}

#[test]
fn a_fleet_goes_on_after_its_store_was_restored_and_repaired() {
    simulate("restored store", 32, true);
}
