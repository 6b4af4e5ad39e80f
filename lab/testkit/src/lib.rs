//! Tests that every spec crate has to pass, written once: the scenarios of its generators, and its integrations.
//!
//! A spec crate calls [`scenarios`], [`backfills`] and [`threads!`] from its `tests/it/generator.rs`, for each of its
//! options that changes the order, [`integrations!`] from its `tests/it/integrations.rs`, [`typed!`] from its
//! `tests/it/typed.rs`, and `vectors::run` from its `tests/it/vectors.rs`. The crate adds the tests that only its
//! specification needs to these files. [`for_each_spec!`] has one line for each specification.

#![forbid(unsafe_code)]

mod backfill;
#[cfg(feature = "integrations")]
pub mod integrations;
mod specs;
#[cfg(feature = "integrations")]
pub mod typed;
#[cfg(feature = "vectors")]
pub mod vectors;

pub use backfill::backfills;

pub use sortid_core;

use proptest::prelude::*;
use sortid_core::{
    Clock, Entropy, EntropyError, GenerateError, GenerateErrorKind, Generator, Position, Rollback,
    RollbackPolicy, Rules,
    testing::{ManualClock, SeededEntropy},
};
use std::{
    cell::Cell,
    fmt::Debug,
    ops::RangeInclusive,
    sync::{
        Barrier,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

const MILLISECOND: Duration = Duration::from_millis(1);
const SECOND: Duration = Duration::from_secs(1);
const HOUR: Duration = Duration::from_secs(3600);

/// Runs every scenario that needs a scripted clock, for a generator of one owner and for a shared one.
///
/// `start` is a common time of the specification, at the beginning of a tick. A tick must have `at_least` IDs.
///
/// # Panics
///
/// If the generator fails a scenario.
pub fn scenarios<R>(options: R, start: Duration, at_least: usize)
where
    R: Rules<Id: Ord + Debug> + Copy + Debug,
{
    frozen_clock(options, start, at_least);
    frozen_for_good(options, start);
    small_steps_back(options, start);
    set_back_by_an_hour(options, start);
    leap_forward(options, start);
    no_time(options, start);
    no_entropy(options, start);
    resume_after(options, start);
    any_script(options, start);
    retried(options, start);
    for tick in [0, 1, *options.ticks().end(), u64::MAX / 1000, u64::MAX] {
        assert!(
            options.tick_start(tick) >= options.tick_start(tick.saturating_sub(1)),
            "saturates at {tick}"
        );
    }
}

fn generator<R: Rules>(options: R, clock: &ManualClock) -> Generator<R, &ManualClock, SeededEntropy> {
    Generator::from_parts(options, clock, SeededEntropy::new(42))
}

/// 100 000 IDs are in order on a clock that moves only when a tick is used up.
fn frozen_clock<R: Rules<Id: Ord + Debug> + Copy>(options: R, start: Duration, at_least: usize) {
    let clock = ManualClock::new(start);
    let ids = generator(options, &clock);
    let mut last = ids.try_generate().unwrap();
    let mut used_up_after = None;
    for made in 1..100_000 {
        let id = match ids.try_generate() {
            Ok(id) => id,
            Err(error) => {
                assert_eq!(error.kind(), GenerateErrorKind::Exhausted, "{error:?}");
                let left = error.retry_after().expect("another tick follows");
                assert!(!left.is_zero() && left <= SECOND, "a tick ends after it began");
                used_up_after.get_or_insert(made);
                clock.advance(left);
                ids.try_generate().expect("a new tick has IDs")
            }
        };
        assert!(id > last, "{id:?} after {last:?}");
        last = id;
    }
    assert!(used_up_after.unwrap_or(100_000) >= at_least, "{used_up_after:?} IDs on a frozen clock");
}

/// On a clock that never moves, `generate` and `fill` fail as `try_generate` does, and continue when the clock moves.
fn frozen_for_good<R: Rules<Id: Ord + Debug> + Copy>(options: R, start: Duration) {
    let clock = ManualClock::new(start);
    let ids = generator(options, &clock);
    let mut last = ids.generate().unwrap();
    let is_exhausted = |error: &GenerateError| error.kind() == GenerateErrorKind::Exhausted;
    let refusal = (0..100_000).find_map(|_| match ids.try_generate() {
        Ok(id) => {
            last = id;
            None
        }
        Err(error) => Some(error),
    });
    let Some(refusal) = refusal else { return }; // the tick has more IDs than this test generates
    assert!(is_exhausted(&refusal));
    // After a random step that was too great, a smaller one could fit: no later call may take it.
    for _ in 0..1000 {
        assert!(is_exhausted(&ids.try_generate().unwrap_err()));
    }
    assert!(is_exhausted(&ids.generate().unwrap_err()));
    assert!(is_exhausted(&ids.fill(&mut [last; 3]).unwrap_err()));
    clock.set(start - MILLISECOND);
    assert!(ids.try_generate().as_ref().is_err_and(is_exhausted));
    clock.advance(SECOND);
    assert!(ids.generate().unwrap() > last);
    assert_eq!(ids.resets(), 0);
}

/// If the clock goes back by at most the rollback allowance, the IDs stay in order.
fn small_steps_back<R: Rules<Id: Ord + Debug> + Copy>(options: R, start: Duration) {
    for back in [Duration::from_micros(1), MILLISECOND, 5 * SECOND, 10 * SECOND] {
        let clock = ManualClock::new(start);
        let ids = generator(options, &clock);
        let first = ids.try_generate().unwrap();
        clock.set(start - back);
        // If a tick has only one ID, it would be ahead of the clock by more than the allowance.
        let second = ids.try_generate().or_else(|error| {
            assert_eq!(error.kind(), GenerateErrorKind::Exhausted, "{error:?}");
            assert_eq!(back, 10 * SECOND);
            clock.advance(MILLISECOND);
            ids.try_generate()
        });
        let second = second.unwrap();
        // If a tick has only one ID, the last ID is a tick ahead of the clock now.
        clock.advance(MILLISECOND);
        let third = ids.generate().unwrap();
        let mut more = [third; 2];
        ids.fill(&mut more).unwrap();
        clock.set(start + HOUR);
        let last = ids.generate().unwrap();
        let all = [first, second, third, more[0], more[1], last];
        assert!(all.is_sorted_by(|a, b| a < b), "back by {back:?}: {all:?}");
        assert_eq!(ids.resets(), 0);
    }
}

/// Rules whose user chose what happens after the clock was set back.
#[derive(Clone, Copy, Debug)]
pub struct Chosen<R> {
    rules: R,
    policy: RollbackPolicy,
    is_common: bool,
}

impl<R> Chosen<R> {
    /// Rules with this choice.
    pub const fn new(rules: R, policy: RollbackPolicy) -> Self {
        Self { rules, policy, is_common: false }
    }

    /// Adds to rules what the scenarios expect: a rollback allowance of ten seconds, and random bytes for each ID. It is for
    /// specifications that have an unlimited allowance and draw no random bytes.
    pub const fn common(rules: R) -> Self {
        Self { rules, policy: RollbackPolicy::new(), is_common: true }
    }

    fn draw_common(&self, entropy: &impl Entropy) -> Result<(), EntropyError> {
        if self.is_common { entropy.draw::<1>().map(drop) } else { Ok(()) }
    }
}

impl<R: Rules> Rules for Chosen<R> {
    type Id = R::Id;
    type Random = R::Random;

    fn rollback_policy(&self) -> RollbackPolicy {
        self.policy
    }

    fn default_rollback(&self) -> Rollback {
        if self.is_common { Rollback::Fail } else { self.rules.default_rollback() }
    }

    fn random_bits(&self) -> u32 {
        self.rules.random_bits()
    }

    fn can_reset(&self, resets: u16) -> bool {
        self.rules.can_reset(resets)
    }

    fn resets(&self, id: R::Id) -> u16 {
        self.rules.resets(id)
    }

    fn are_ticks_unix_millis(&self) -> bool {
        self.rules.are_ticks_unix_millis()
    }

    fn tick(&self, unix_micros: u64) -> Option<u64> {
        self.rules.tick(unix_micros)
    }

    fn tick_start(&self, tick: u64) -> u64 {
        self.rules.tick_start(tick)
    }

    fn ticks(&self) -> RangeInclusive<u64> {
        self.rules.ticks()
    }

    fn first_count(&self, tick: u64, entropy: &impl Entropy) -> Result<u64, EntropyError> {
        self.draw_common(entropy)?;
        self.rules.first_count(tick, entropy)
    }

    fn first_position(
        &self,
        last: Option<Position>,
        tick: u64,
        entropy: &impl Entropy,
    ) -> Result<Position, EntropyError> {
        self.draw_common(entropy)?;
        self.rules.first_position(last, tick, entropy)
    }

    fn next_position(
        &self,
        last: Position,
        entropy: &impl Entropy,
    ) -> Result<Option<Position>, EntropyError> {
        self.draw_common(entropy)?;
        self.rules.next_position(last, entropy)
    }

    fn draw(&self, entropy: &impl Entropy) -> Result<R::Random, EntropyError> {
        self.rules.draw(entropy)
    }

    fn draw_all(&self, all: &mut [R::Random], entropy: &impl Entropy) -> Result<(), EntropyError> {
        self.rules.draw_all(all, entropy)
    }

    fn id(&self, position: Position, resets: u16, random: R::Random) -> R::Id {
        self.rules.id(position, resets, random)
    }

    fn position(&self, id: R::Id) -> Option<Position> {
        self.rules.position(id)
    }
}

/// If the clock was set back by more, `try_generate`, `generate` and `fill` do the same: what the options say. The generator
/// stays usable.
fn set_back_by_an_hour<R: Rules<Id: Ord + Debug> + Copy>(options: R, start: Duration) {
    let call = |method: u8, ids: &Generator<Chosen<R>, &ManualClock, SeededEntropy>, id: R::Id| match method {
        0 => ids.try_generate(),
        1 => ids.generate(),
        _ => {
            let mut two = [id; 2];
            ids.fill(&mut two).map(|()| two[0])
        }
    };
    let policy = RollbackPolicy::new();
    let chosen = Rollback::ALL.map(|rollback| policy.with_rollback(rollback));
    for policy in chosen.into_iter().chain([policy]) {
        for method in 0..3 {
            let call = |ids: &_, id| call(method, ids, id);
            let options = Chosen::new(options, policy);
            let clock = ManualClock::new(start);
            let ids = generator(options, &clock);
            let first = ids.try_generate().unwrap();
            clock.set(start - HOUR);
            match options.on_rollback() {
                Rollback::Reset if options.can_reset(0) => {
                    let second = call(&ids, first).unwrap();
                    assert!(second < first, "{second:?} is an hour before {first:?}");
                    assert_eq!(ids.resets(), 1);
                    assert!(ids.generate().unwrap() > second);
                    assert_eq!(ids.resets(), 1);
                    clock.set(start - 2 * HOUR);
                    assert!(call(&ids, first).unwrap() < second);
                    assert_eq!(ids.resets(), 2);
                }
                Rollback::Continue => {
                    match call(&ids, first) {
                        Ok(second) => assert!(second > first),
                        Err(error) => assert_eq!(error.kind(), GenerateErrorKind::Exhausted),
                    }
                    assert!(ids.ahead().unwrap() >= HOUR - SECOND);
                    clock.set(start + SECOND);
                    assert!(call(&ids, first).unwrap() > first);
                    assert_eq!(ids.resets(), 0);
                }
                _ => {
                    for _ in 0..2 {
                        let error = call(&ids, first).unwrap_err();
                        assert_eq!(
                            (error.kind(), error.retry_after()),
                            (GenerateErrorKind::ClockRollback, None)
                        );
                        let text = error.to_string();
                        assert!(text.contains(" 3600.0") && text.contains("at most 10.0"), "{text}");
                    }
                    clock.set(start - 5 * SECOND);
                    let second = ids.try_generate().unwrap();
                    assert!(second > first, "the clock is within the allowance again");
                    clock.set(start + SECOND);
                    assert!(call(&ids, first).unwrap() > second);
                    assert_eq!(ids.resets(), 0);
                }
            }
        }
    }
    let clock = ManualClock::new(start);
    let policy = policy.with_rollback(Rollback::Fail).with_allowance(Duration::ZERO);
    let strict = generator(Chosen::new(options, policy), &clock);
    strict.try_generate().unwrap();
    clock.set(start - MILLISECOND);
    assert_eq!(strict.try_generate().unwrap_err().kind(), GenerateErrorKind::ClockRollback);
}

/// A caller that waits for `retry_after` gets IDs in order, on a clock that moves only while it waits.
fn retried<R: Rules<Id: Ord + Debug> + Copy>(options: R, start: Duration) {
    let clock = ManualClock::new(start);
    let ids = generator(options, &clock);
    let generate = || loop {
        match ids.try_generate() {
            Ok(id) => return id,
            Err(error) => clock.advance(error.retry_after().expect("another tick follows")),
        }
    };
    let mut last = generate();
    for _ in 0..10_000 {
        let id = generate();
        assert!(id > last, "{id:?} after {last:?}");
        last = id;
    }
    assert_eq!(ids.resets(), 0);
}

/// If the clock leaps forward, the IDs stay in order.
fn leap_forward<R: Rules<Id: Ord + Debug> + Copy>(options: R, start: Duration) {
    let clock = ManualClock::new(start);
    let ids = generator(options, &clock);
    let mut last = ids.try_generate().unwrap();
    for leap in [MILLISECOND, SECOND, HOUR, 365 * 24 * HOUR] {
        clock.advance(leap);
        let id = ids.try_generate().unwrap();
        assert!(id > last);
        last = id;
    }
    assert_eq!(ids.resets(), 0);
}

/// A time that is unknown or out of range is an error, and the IDs stay in order afterwards.
fn no_time<R: Rules<Id: Ord + Debug> + Copy>(options: R, start: Duration) {
    let clock = ManualClock::new(start);
    let ids = generator(options, &clock);
    let first = ids.try_generate().unwrap();
    clock.set(Duration::MAX);
    for result in [ids.try_generate(), ids.generate(), ids.fill(&mut [first; 3]).map(|()| first)] {
        let error = result.unwrap_err();
        assert_eq!((error.kind(), error.retry_after()), (GenerateErrorKind::ClockOutOfRange, None));
        assert!(error.to_string().starts_with("the time is unknown"), "{error}");
    }
    clock.set(start);
    assert!(ids.try_generate().unwrap() > first);

    let ticks = options.ticks();
    let first_time = options.tick_start(*ticks.start());
    let after_last = ticks.end().checked_add(1).map_or(u64::MAX, |next| options.tick_start(next));
    for (micros, fine) in
        [(first_time, true), (after_last - 1, true), (first_time.wrapping_sub(1), false), (after_last, false)]
    {
        if !fine && options.tick(micros).is_some_and(|tick| ticks.contains(&tick)) {
            continue; // every time is in range
        }
        clock.set(Duration::from_micros(micros));
        let ids = generator(options, &clock);
        let result = ids.try_generate();
        assert_eq!(result.is_ok(), fine, "at {micros}: {result:?}");
        if let Err(error) = result {
            assert_eq!(error.kind(), GenerateErrorKind::ClockOutOfRange);
            let [first, last] = [first_time, after_last - 1].map(sortid_core::__private::civil::rfc3339);
            assert!(error.to_string().contains(&format!(", expected {first} to {last}:")), "{error}");
        }
    }
}

/// A source of random bytes that fails while `fails` is true.
struct Fallible {
    bytes: SeededEntropy,
    fails: Cell<bool>,
}

impl Entropy for &Fallible {
    fn fill(&self, bytes: &mut [u8]) -> Result<(), EntropyError> {
        if self.fails.get() { Err(EntropyError::from("switched off")) } else { self.bytes.fill(bytes) }
    }
}

/// Without random bytes, generators fail, and the IDs stay in order afterwards.
fn no_entropy<R: Rules<Id: Ord + Debug> + Copy>(options: R, start: Duration) {
    let clock = ManualClock::new(start);
    let entropy = Fallible { bytes: SeededEntropy::new(1), fails: Cell::new(true) };
    let ids: Generator<R, _, _> = Generator::from_parts(options, &clock, &entropy);
    let is_entropy = |error: GenerateError| {
        assert_eq!(
            (error.kind(), error.to_string().contains("switched off")),
            (GenerateErrorKind::Entropy, true)
        );
    };
    is_entropy(ids.try_generate().unwrap_err());
    entropy.fails.set(false);
    let first = ids.try_generate().unwrap();
    entropy.fails.set(true);
    is_entropy(ids.try_generate().unwrap_err());
    is_entropy(ids.generate().unwrap_err());
    is_entropy(ids.fill(&mut [first; 3]).unwrap_err());
    clock.advance(SECOND);
    is_entropy(ids.generate().unwrap_err());
    entropy.fails.set(false);
    assert!(ids.try_generate().unwrap() > first);
}

/// A generator that resumes after an ID, of its own kind or with any other bits, makes greater IDs only, and returns
/// how far the ID is ahead of its clock.
fn resume_after<R: Rules<Id: Ord + Debug> + Copy>(options: R, start: Duration) {
    let clock = ManualClock::new(start);
    let earlier = generator(options, &clock);
    let mut last = earlier.generate().unwrap();
    for ahead in [Duration::ZERO, MILLISECOND, 5 * SECOND, 10 * SECOND] {
        clock.set(start + ahead);
        last = earlier.generate().unwrap();
        clock.set(start);
        // Other random bytes than those of the earlier generator.
        let ids: Generator<R, _, _> = Generator::from_parts(options, &clock, SeededEntropy::new(43));
        assert_eq!(ids.ahead(), Ok(Duration::ZERO));
        ids.resume_after(last).unwrap();
        assert!(ids.ahead().unwrap().abs_diff(ahead) <= MILLISECOND, "{:?} is not {ahead:?}", ids.ahead());
        clock.advance(ahead);
        let next = ids.generate();
        let next = next.or_else(|_| (clock.advance(MILLISECOND), ids.generate()).1).unwrap();
        assert!(next > last, "{next:?} after {last:?}");
        ids.resume_after(last).unwrap();
        assert!(ids.generate().is_ok_and(|id| id > next) || ids.try_generate().is_err());
        assert_eq!(ids.resets(), 0);
    }
    // An ID beyond the allowance is refused: the next call would take the clock for set back.
    clock.set(start + HOUR);
    last = last.max(earlier.generate().unwrap());
    clock.set(start);
    let ids = generator(options, &clock);
    let first = ids.generate().unwrap();
    let error = ids.resume_after(last).unwrap_err();
    assert_eq!(error.kind(), GenerateErrorKind::Ahead);
    assert!(error.to_string().contains("expected at most 10.000000 s"), "{error}");
    clock.advance(MILLISECOND);
    let second = ids.generate().unwrap();
    assert!(first < second && second < last, "an error leaves the generator unchanged");
    let policy = RollbackPolicy::new().with_rollback(Rollback::Continue);
    let ids = generator(Chosen::new(options, policy), &clock);
    ids.resume_after(last).unwrap();
    assert!(ids.ahead().unwrap() > 3599 * SECOND);
    assert!(ids.try_generate().is_ok_and(|id| id > last) || ids.try_generate().is_err());
}

/// A clock that does not wait, so that the script continues at once.
struct Impatient<'c>(&'c ManualClock);

impl Clock for Impatient<'_> {
    fn unix_micros(&self) -> Option<u64> {
        self.0.unix_micros()
    }

    fn wait(&self, _: u64) -> bool {
        false
    }
}

#[derive(Clone, Debug)]
enum Act {
    Forward(u32),
    Back(u32),
    Try,
    Generate,
    Fill(usize),
    /// Resumes after an ID of another generator, whose clock is this many microseconds ahead.
    Resume(u32),
}

fn act() -> impl Strategy<Value = Act> {
    prop_oneof![
        (0..5_000_u32).prop_map(Act::Forward),
        any::<u32>().prop_map(Act::Forward),
        (0..5_000_u32).prop_map(Act::Back),
        (0..20_000_000_u32).prop_map(Act::Back),
        Just(Act::Try),
        Just(Act::Generate),
        (0..300_usize).prop_map(Act::Fill),
        (0..20_000_000_u32).prop_map(Act::Resume),
    ]
}

/// In every script, IDs ascend, except when the generator is reset and counts it.
fn any_script<R: Rules<Id: Ord + Debug> + Copy + Debug>(options: R, start: Duration) {
    let placeholder = generator(options, &ManualClock::new(start)).generate().unwrap();
    proptest!(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() },
        |(script in proptest::collection::vec(act(), 1..40))| {
            let mut now = start;
            let clock = ManualClock::new(now);
            let ids: Generator<R, _, _> = Generator::from_parts(options, Impatient(&clock), SeededEntropy::new(42));
            let mut last = None;
            let mut resets = 0;
            for act in script {
                let made = match act {
                    Act::Forward(micros) => {
                        now += Duration::from_micros(micros.into());
                        clock.set(now);
                        vec![]
                    }
                    Act::Back(micros) => {
                        now = now.saturating_sub(Duration::from_micros(micros.into())).max(start);
                        clock.set(now);
                        vec![]
                    }
                    Act::Try => ids.try_generate().into_iter().collect(),
                    Act::Generate => ids.generate().into_iter().collect(),
                    Act::Fill(n) => {
                        let mut made = vec![placeholder; n];
                        ids.fill(&mut made).map(|()| made).unwrap_or_default()
                    }
                    Act::Resume(ahead) => {
                        let other = ManualClock::new(now + Duration::from_micros(ahead.into()));
                        let id = generator(options, &other).generate().unwrap();
                        if ids.resume_after(id).is_ok() {
                            last = last.max(Some(id));
                        }
                        vec![]
                    }
                };
                if ids.resets() != resets {
                    resets = ids.resets();
                    last = None;
                }
                for id in made {
                    prop_assert!(last.is_none_or(|last| last < id), "{:?} after {:?}", id, last);
                    last = Some(id);
                }
            }
        }
    );
}

/// Calls [`threads`](threads()) with a shared generator of any type.
#[macro_export]
macro_rules! threads {
    ($ids:expr, $threads:expr, $count:expr) => {{
        let ids = &$ids;
        $crate::threads(|| ids.generate(), |run| ids.fill(run), $threads, $count)
    }};
}

/// `threads` threads generate `count` IDs with one generator, half of them by `fill`. All IDs are distinct, the IDs of each
/// thread are in order, and an ID that is generated after another thread's ID is greater.
///
/// # Panics
///
/// If the generator fails.
pub fn threads<I: Copy + Ord + Debug + Send>(
    generate: impl Fn() -> Result<I, GenerateError> + Sync,
    fill: impl Fn(&mut [I]) -> Result<(), GenerateError> + Sync,
    threads: usize,
    count: usize,
) {
    let each = count / threads;
    let barrier = Barrier::new(threads);
    let work = || {
        barrier.wait();
        let mut made = vec![generate().unwrap(); each];
        for id in &mut made[..each / 2] {
            *id = generate().unwrap();
        }
        fill(&mut made[each / 2..]).unwrap();
        made
    };
    let before = generate().unwrap();
    let lists: Vec<_> = std::thread::scope(|scope| {
        let running: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        running.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let after = generate().unwrap();
    for list in &lists {
        assert!(list.is_sorted_by(|a, b| a < b), "a thread's IDs are in order");
        assert!(before < list[0] && list[list.len() - 1] < after);
    }
    let mut all = lists.concat();
    all.sort_unstable();
    all.dedup();
    assert_eq!(all.len(), threads * each, "all distinct");
    handed_over_and_back(generate);
}

/// Threads generate IDs, each with a generator of its own. All IDs are distinct, and those of each thread are in order.
///
/// # Panics
///
/// If it is not so.
pub fn in_threads<I: Copy + Ord + Send>(generate: impl Fn() -> I + Sync, threads: usize, each: usize) {
    let barrier = Barrier::new(threads);
    let work = || {
        barrier.wait();
        (0..each).map(|_| generate()).collect::<Vec<_>>()
    };
    let lists: Vec<_> = std::thread::scope(|scope| {
        let running: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        running.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert!(lists.iter().all(|list| list.is_sorted_by(|a, b| a < b)), "a thread's IDs are in order");
    let mut all = lists.concat();
    all.sort_unstable();
    all.dedup();
    assert_eq!(all.len(), threads * each, "all distinct");
}

/// Two threads take turns: the ID of one is less than the next ID of the other.
fn handed_over_and_back<I: Copy + Ord + Debug + Send>(
    generate: impl Fn() -> Result<I, GenerateError> + Sync,
) {
    let last = std::sync::Mutex::new(generate().unwrap());
    let turn = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for mine in [false, true] {
            let (last, turn, generate) = (&last, &turn, &generate);
            scope.spawn(move || {
                for _ in 0..1000 {
                    while turn.load(Ordering::Acquire) != mine {
                        std::thread::yield_now();
                    }
                    let id = generate().unwrap();
                    let before = std::mem::replace(&mut *last.lock().unwrap(), id);
                    // Pass the turn on before a panic could leave the other thread waiting.
                    turn.store(!mine, Ordering::Release);
                    assert!(before < id, "{id:?} after the other thread's {before:?}");
                }
            });
        }
    });
}
