//! Checks the shared state, and a generator with it, under loom: every interleaving of two or three threads, and every
//! value that a relaxed load may return. `cargo xtask model` runs these tests.

// In unit tests with `--cfg loom`, the words of `StateCell` and of `Fence` are loom's. Users who build with that cfg
// get the real words, because loom is a dev-dependency.

mod fences;
mod forks;
mod words;

use crate::{
    Clock, Entropy, EntropyError, GenerateErrorKind, Generator, HybridRules, NoEntropy, Position,
    RollbackPolicy, Rules,
};
use core::{ops::RangeInclusive, time::Duration};
use loom::{
    sync::atomic::{
        self, AtomicUsize,
        Ordering::{self, AcqRel, Acquire, Relaxed, Release},
    },
    thread,
};
use std::{
    println,
    sync::{
        Arc, Mutex, OnceLock,
        atomic::{AtomicBool as Flag, AtomicU64 as Plain, AtomicUsize as Counter},
    },
    vec::Vec,
};

/// Words of loom that a constant can hold. The first access hands the word to loom.
macro_rules! words {
    ($($name:ident($value:ty): $($method:ident($($argument:ident: $type:ty),*) -> $result:ty),+;)+) => {$(
        #[derive(Debug)]
        pub(crate) struct $name {
            first: $value,
            word: OnceLock<atomic::$name>,
        }

        impl $name {
            pub(crate) const fn new(first: $value) -> Self {
                Self { first, word: OnceLock::new() }
            }

            fn word(&self) -> &atomic::$name {
                self.word.get_or_init(|| atomic::$name::new(self.first))
            }

            $(pub(crate) fn $method(&self, $($argument: $type),*) -> $result {
                self.word().$method($($argument),*)
            })+
        }
    )+};
}

words! {
    AtomicBool(bool): load(order: Ordering) -> bool, store(value: bool, order: Ordering) -> ();
    AtomicU32(u32):
        load(order: Ordering) -> u32,
        store(value: u32, order: Ordering) -> (),
        compare_exchange_weak(current: u32, new: u32, success: Ordering, failure: Ordering) -> Result<u32, u32>;
    AtomicU64(u64):
        load(order: Ordering) -> u64,
        store(value: u64, order: Ordering) -> (),
        fetch_max(value: u64, order: Ordering) -> u64;
}

/// The word for the number of a process. Only the models of forks explore it, because the others have one process.
#[derive(Debug)]
pub(crate) struct WordOfProcess {
    plain: Plain,
    explored: AtomicU64,
}

impl WordOfProcess {
    pub(crate) const fn new(first: u64) -> Self {
        Self { plain: Plain::new(first), explored: AtomicU64::new(first) }
    }

    pub(crate) fn load(&self, order: Ordering) -> u64 {
        if process::forks() { self.explored.load(order) } else { self.plain.load(order) }
    }

    pub(crate) fn store(&self, value: u64, order: Ordering) {
        if process::forks() { self.explored.store(value, order) } else { self.plain.store(value, order) }
    }
}

/// Stands for the module of this name: a test sets the number of its process. Loom runs all threads of a model on one thread
/// of the system.
pub(crate) mod process {
    use core::cell::Cell;

    std::thread_local!(static PROCESS: Cell<(u64, bool)> = const { Cell::new((1, false)) });

    /// Returns the number.
    #[must_use]
    pub fn process() -> u64 {
        PROCESS.get().0
    }

    /// Whether the model has several processes.
    pub(super) fn forks() -> bool {
        PROCESS.get().1
    }

    /// From here on, the model is about this process of several.
    pub(super) fn set(number: u64) {
        PROCESS.set((number, true));
    }
}

/// Stands for the type of `portable-atomic`, because loom has no atomics of 128 bits. A list has each value once, and
/// loom stores the place of the value in this list. So loom itself does the loads and exchanges, with the memory orders of
/// the callers. The first exchange that would succeed fails, as a weak one may; loom does not simulate such failures.
#[derive(Debug)]
pub(crate) struct AtomicU128 {
    first: u128,
    others: Mutex<Vec<u128>>,
    place: OnceLock<AtomicUsize>,
    has_failed: Flag,
}

impl AtomicU128 {
    pub(crate) const fn new(first: u128) -> Self {
        Self { first, others: Mutex::new(Vec::new()), place: OnceLock::new(), has_failed: Flag::new(false) }
    }

    fn place(&self) -> &AtomicUsize {
        self.place.get_or_init(|| AtomicUsize::new(0))
    }

    fn at(&self, place: usize) -> u128 {
        if place == 0 { self.first } else { self.others.lock().unwrap()[place - 1] }
    }

    fn place_of(&self, value: u128) -> usize {
        if value == self.first {
            return 0;
        }
        let mut others = self.others.lock().unwrap();
        let index = others.iter().position(|&other| other == value).unwrap_or_else(|| {
            others.push(value);
            others.len() - 1
        });
        index + 1
    }

    pub(crate) fn load(&self, order: Ordering) -> u128 {
        self.at(self.place().load(order))
    }

    pub(crate) fn compare_exchange_weak(
        &self,
        current: u128,
        new: u128,
        success: Ordering,
        failure: Ordering,
    ) -> Result<u128, u128> {
        let (current, new) = (self.place_of(current), self.place_of(new));
        if !self.has_failed.load(Relaxed) && self.place().load(failure) == current {
            self.has_failed.store(true, Relaxed);
            return Err(self.at(current));
        }
        let result = self.place().compare_exchange(current, new, success, failure);
        result.map(|place| self.at(place)).map_err(|place| self.at(place))
    }
}

/// Rules with a tick of a microsecond, and this number of IDs for each tick.
struct Few(u64, RollbackPolicy);

const fn few(ids: u64) -> Few {
    Few(ids, RollbackPolicy::new())
}

impl Rules for Few {
    type Id = Position;
    type Random = [u8; 0];

    fn rollback_policy(&self) -> RollbackPolicy {
        self.1
    }

    fn random_bits(&self) -> u32 {
        64
    }

    fn tick(&self, unix_micros: u64) -> Option<u64> {
        Some(unix_micros)
    }

    fn tick_start(&self, tick: u64) -> u64 {
        tick
    }

    fn ticks(&self) -> RangeInclusive<u64> {
        0..=20_000
    }

    fn first_count(&self, _: u64, _: &impl Entropy) -> Result<u64, EntropyError> {
        Ok(0)
    }

    fn next_position(&self, last: Position, _: &impl Entropy) -> Result<Option<Position>, EntropyError> {
        Ok((last.count + 1 < self.0).then_some(Position { count: last.count + 1, ..last }))
    }

    fn id(&self, position: Position, _: u16, _: [u8; 0]) -> Position {
        position
    }

    fn position(&self, id: Position) -> Option<Position> {
        Some(id)
    }
}

impl HybridRules for Few {
    fn future_bound(&self) -> Duration {
        Duration::from_micros(100)
    }
}

/// A clock that the threads set. Each reading returns the last setting, so all threads have the same time, even if they
/// see other changes late.
struct Time(atomic::AtomicU64);

impl Time {
    fn new(now: u64) -> Self {
        Self(atomic::AtomicU64::new(now))
    }

    fn set(&self, now: u64) {
        self.0.swap(now, AcqRel);
    }
}

impl Clock for Arc<Time> {
    fn unix_micros(&self) -> Option<u64> {
        Some(self.0.fetch_add(0, AcqRel))
    }

    /// Sets the clock to `until`.
    fn wait(&self, until: u64) -> bool {
        self.0.fetch_max(until, AcqRel);
        true
    }
}

/// A place where a thread puts its last ID, and other threads find it.
struct Desk(atomic::AtomicU64);

impl Desk {
    fn new() -> Arc<Self> {
        Arc::new(Self(atomic::AtomicU64::new(0)))
    }

    fn last(&self) -> Position {
        let word = self.0.load(Acquire);
        at(word >> 8, word & 0xff)
    }

    fn put(&self, Position { tick, count }: Position) {
        self.0.store(tick << 8 | count, Release);
    }
}

const fn at(tick: u64, count: u64) -> Position {
    Position { tick, count }
}

type Ids = Generator<Few, Arc<Time>, NoEntropy>;

fn ids(rules: Few, now: u64, allowance: u64) -> (Arc<Ids>, Arc<Time>) {
    let time = Arc::new(Time::new(now));
    let rules = Few(rules.0, rules.1.with_allowance(Duration::from_micros(allowance)));
    let ids = Generator::from_parts(rules, time.clone(), NoEntropy);
    hand_over(&ids);
    (Arc::new(ids), time)
}

/// Hands the words of a generator to loom, before there are threads.
fn hand_over<R: Rules, C, E>(ids: &Generator<R, C, E>) {
    assert_eq!(ids.resets(), 0);
    ids.state().process();
}

fn explore(name: &str, run: impl Fn() + Send + Sync + 'static) {
    println!("{name}: {} interleavings", interleavings(run));
}

/// Runs a model, and returns the number of interleavings.
fn interleavings(run: impl Fn() + Send + Sync + 'static) -> usize {
    let interleavings = Arc::new(Counter::new(0));
    let counter = interleavings.clone();
    loom::model(move || {
        counter.fetch_add(1, Relaxed);
        run();
    });
    interleavings.load(Relaxed)
}

/// Calls `make` in three threads, this one included, and returns what they make.
fn of_three<T: 'static>(ids: &Arc<Ids>, make: fn(&Ids) -> T) -> [T; 3] {
    let [first, second] = [ids.clone(), ids.clone()].map(|ids| thread::spawn(move || make(&ids)));
    let third = make(ids);
    [first.join().unwrap(), second.join().unwrap(), third]
}

#[test]
fn two_of_three_threads_share_the_tick_and_the_third_gets_the_error_exhausted() {
    explore("used up", || {
        let (ids, _) = ids(few(2), 5, 0);
        let results = of_three(&ids, Ids::try_generate);
        let mut made: Vec<_> = results.iter().flatten().collect();
        made.sort();
        assert_eq!(made, [&at(5, 0), &at(5, 1)]);
        let error = results.iter().find_map(|result| result.as_ref().err()).unwrap();
        assert_eq!((error.kind(), error.until()), (GenerateErrorKind::Exhausted, Some(6)));
    });
}

#[test]
fn two_of_three_threads_share_the_tick_and_the_third_waits_for_the_next() {
    explore("waiting", || {
        let (ids, _) = ids(few(2), 5, 0);
        let mut made = of_three(&ids, |ids| ids.generate().unwrap());
        made.sort();
        assert_eq!(made, [at(5, 0), at(5, 1), at(6, 0)]);
        assert_eq!(ids.resets(), 0);
    });
}

#[test]
fn an_id_is_greater_than_all_ids_handed_over_before_even_if_the_clock_goes_back() {
    fn make(ids: &Ids, desk: &Desk) -> Position {
        let before = desk.last();
        let id = ids.try_generate().unwrap();
        assert!(id > before);
        desk.put(id);
        id
    }

    explore("handed over", || {
        let (ids, time) = ids(few(8), 5, 10);
        let desk = Desk::new();
        let other = thread::spawn({
            let (ids, desk) = (ids.clone(), desk.clone());
            move || [make(&ids, &desk), make(&ids, &desk)]
        });
        time.set(3);
        let id = make(&ids, &desk);
        let others = other.join().unwrap();
        assert!(others[0] < others[1] && !others.contains(&id));
    });
}

#[test]
fn the_ids_of_fill_are_in_order_and_another_thread_gets_none_of_them() {
    explore("fill", || {
        let (ids, _) = ids(few(2), 5, 0);
        let other = thread::spawn({
            let ids = ids.clone();
            move || ids.generate().unwrap()
        });
        let mut run = [at(0, 0); 3];
        ids.fill(&mut run).unwrap();
        assert!(run.is_sorted_by(|a, b| a < b) && !run.contains(&other.join().unwrap()));
    });
}

#[test]
fn ids_are_in_order_between_two_calls_that_return_the_same_number_of_resets() {
    static IN_ORDER: Counter = Counter::new(0);
    static RESET: Counter = Counter::new(0);

    explore("resets", || {
        let (ids, time) = ids(few(8), 9, 1);
        ids.generate().unwrap();
        let other = thread::spawn({
            let (ids, time) = (ids.clone(), time.clone());
            move || {
                ids.generate().unwrap();
                time.set(1);
            }
        });
        // Back and forth: the position that the other thread read as the last one occurs again.
        time.set(1);
        ids.generate().unwrap();
        time.set(9);
        let before = ids.resets();
        let made = [ids.generate().unwrap(), ids.generate().unwrap()];
        if before == ids.resets() {
            assert!(made[0] < made[1], "{made:?}");
            IN_ORDER.fetch_add(1, Relaxed);
        } else {
            RESET.fetch_add(1, Relaxed);
        }
        other.join().unwrap();
    });
    assert!(IN_ORDER.load(Relaxed) > 0 && RESET.load(Relaxed) > 0);
}

#[test]
fn a_stale_reading_of_the_clock_is_not_a_rollback() {
    explore("slow thread", || {
        let (ids, time) = ids(few(8), 5, 1);
        let other = thread::spawn({
            let ids = ids.clone();
            move || [ids.try_generate().unwrap(), ids.generate().unwrap()]
        });
        time.set(100);
        let id = ids.generate().unwrap();
        let others = other.join().unwrap();
        assert!(others[0] < others[1] && !others.contains(&id));
        assert_eq!(ids.resets(), 0);
    });
}

#[test]
fn ids_are_greater_than_an_observed_id_in_all_threads_that_know_it() {
    explore("observed", || {
        let (ids, _) = ids(few(8), 5, 100);
        let desk = Desk::new();
        let other = thread::spawn({
            let (ids, desk) = (ids.clone(), desk.clone());
            move || {
                ids.observe(at(7, 3)).unwrap();
                desk.put(at(7, 3));
                assert!(ids.try_generate().unwrap() > at(7, 3));
            }
        });
        let before = desk.last();
        let first = ids.try_generate().unwrap();
        assert!(first > before);
        ids.observe(at(7, 1)).unwrap();
        let second = ids.try_generate().unwrap();
        assert!(second > at(7, 1) && second > first);
        other.join().unwrap();
    });
}
