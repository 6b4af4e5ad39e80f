//! Tests that every spec crate has to pass, written once: the scenarios of its generators, and its integrations.
//!
//! A spec crate calls [`scenarios`], [`backfills`] and [`threads!`] from its `tests/it/generator.rs`, for each of its
//! options that changes the order, [`integrations!`] from its `tests/it/integrations.rs`, [`typed!`] from its
//! `tests/it/typed.rs`, and `vectors::run` from its `tests/it/vectors.rs`. The crate adds the tests that only its
//! specification needs to these files. [`for_each_spec!`] has one line for each specification.

#![forbid(unsafe_code)]

pub mod asynchronous;
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
    Clock, Entropy, EntropyError, GenerateError, GenerateErrorKind, Generator, LocalCell, Position, Rules,
    SharedCell, StateCell,
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
    of_one_state::<R, LocalCell>(options, start, at_least);
    of_one_state::<R, SharedCell>(options, start, at_least);
}

fn of_one_state<R, S>(options: R, start: Duration, at_least: usize)
where
    R: Rules<Id: Ord + Debug> + Copy + Debug,
    S: StateCell,
{
    frozen_clock::<R, S>(options, start, at_least);
    frozen_for_good::<R, S>(options, start);
    small_steps_back::<R, S>(options, start);
    set_back_by_an_hour::<R, S>(options, start);
    leap_forward::<R, S>(options, start);
    no_time::<R, S>(options, start);
    no_entropy::<R, S>(options, start);
    resume_after::<R, S>(options, start);
    any_script::<R, S>(options, start);
    asynchronous::of_one_state::<R, S>(options, start);
    for tick in [0, 1, *options.ticks().end(), u64::MAX / 1000, u64::MAX] {
        assert!(
            options.tick_start(tick) >= options.tick_start(tick.saturating_sub(1)),
            "saturates at {tick}"
        );
    }
}

/// Adds to rules what the scenarios expect: a rollback allowance of ten seconds, and random bytes for each ID. It is for
/// specifications that have an unlimited allowance and draw no random bytes.
#[derive(Clone, Copy, Debug)]
pub struct Common<R>(pub R);

impl<R: Rules> Rules for Common<R> {
    type Id = R::Id;
    type Random = R::Random;

    fn tick(&self, unix_micros: u64) -> Option<u64> {
        self.0.tick(unix_micros)
    }

    fn tick_start(&self, tick: u64) -> u64 {
        self.0.tick_start(tick)
    }

    fn ticks(&self) -> RangeInclusive<u64> {
        self.0.ticks()
    }

    fn first_count(&self, tick: u64, entropy: &impl Entropy) -> Result<u64, EntropyError> {
        entropy.draw::<1>()?;
        self.0.first_count(tick, entropy)
    }

    fn first_position(
        &self,
        last: Option<Position>,
        tick: u64,
        entropy: &impl Entropy,
    ) -> Result<Position, EntropyError> {
        entropy.draw::<1>()?;
        self.0.first_position(last, tick, entropy)
    }

    fn next_position(
        &self,
        last: Position,
        entropy: &impl Entropy,
    ) -> Result<Option<Position>, EntropyError> {
        entropy.draw::<1>()?;
        self.0.next_position(last, entropy)
    }

    fn id(&self, position: Position, rollbacks: u16, random: R::Random) -> R::Id {
        self.0.id(position, rollbacks, random)
    }

    fn position(&self, id: R::Id) -> Option<Position> {
        self.0.position(id)
    }
}

fn generator<R: Rules, S: StateCell>(
    options: R,
    clock: &ManualClock,
) -> Generator<R, S, &ManualClock, SeededEntropy> {
    Generator::from_parts(options, clock, SeededEntropy::new(42))
}

/// 100 000 IDs are in order on a clock that moves only when a tick is used up.
fn frozen_clock<R: Rules<Id: Ord + Debug> + Copy, S: StateCell>(
    options: R,
    start: Duration,
    at_least: usize,
) {
    let clock = ManualClock::new(start);
    let ids = generator::<R, S>(options, &clock);
    let mut now = start.as_micros() as u64;
    let mut last = ids.try_generate().unwrap();
    let mut used_up_after = None;
    for made in 1..100_000 {
        let id = match ids.try_generate() {
            Ok(id) => id,
            Err(error) => {
                let GenerateErrorKind::Exhausted { until, .. } = *error.kind() else { panic!("{error:?}") };
                assert!(until > now, "a tick ends after it began");
                used_up_after.get_or_insert(made);
                now = until;
                clock.set(Duration::from_micros(until));
                ids.try_generate().expect("a new tick has IDs")
            }
        };
        assert!(id > last, "{id:?} after {last:?}");
        last = id;
    }
    assert!(used_up_after.unwrap_or(100_000) >= at_least, "{used_up_after:?} IDs on a frozen clock");
}

/// On a clock that never moves, `generate` and `fill` fail as `try_generate` does, and continue when the clock moves.
fn frozen_for_good<R: Rules<Id: Ord + Debug> + Copy, S: StateCell>(options: R, start: Duration) {
    let clock = ManualClock::new(start);
    let ids = generator::<R, S>(options, &clock);
    let mut last = ids.generate().unwrap();
    let is_exhausted = |error: &GenerateError| matches!(error.kind(), GenerateErrorKind::Exhausted { .. });
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
    assert_eq!(ids.rollbacks(), 0);
}

/// If the clock goes back by at most the rollback allowance, the IDs stay in order.
fn small_steps_back<R: Rules<Id: Ord + Debug> + Copy, S: StateCell>(options: R, start: Duration) {
    for back in [Duration::from_micros(1), MILLISECOND, 5 * SECOND, 10 * SECOND] {
        let clock = ManualClock::new(start);
        let ids = generator::<R, S>(options, &clock);
        let first = ids.try_generate().unwrap();
        clock.set(start - back);
        // If a tick has only one ID, it would be ahead of the clock by more than the allowance.
        let second = ids.try_generate().or_else(|error| {
            assert!(matches!(error.kind(), GenerateErrorKind::Exhausted { .. }), "{error:?}");
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
        assert_eq!(ids.rollbacks(), 0);
    }
}

/// If the clock was set back by more, `try_generate` fails. `generate` starts over and counts it, or fails, too. The
/// generator stays usable.
fn set_back_by_an_hour<R: Rules<Id: Ord + Debug> + Copy, S: StateCell>(options: R, start: Duration) {
    let clock = ManualClock::new(start);
    let ids = generator::<R, S>(options, &clock);
    let first = ids.try_generate().unwrap();

    clock.set(start - HOUR);
    for _ in 0..2 {
        let error = ids.try_generate().unwrap_err();
        let GenerateErrorKind::ClockRollback { by, allowance, .. } = *error.kind() else {
            panic!("{error:?}")
        };
        assert_eq!((by, allowance), (HOUR.as_micros() as u64, 10_000_000));
    }
    assert_eq!(ids.rollbacks(), 0, "an error does not start over");

    clock.set(start);
    let second = ids.try_generate().unwrap();
    assert!(second > first, "the clock is right again: {second:?} after {first:?}");

    clock.set(start - HOUR);
    if !options.starts_over(0) {
        for result in [ids.generate(), ids.fill(&mut [first; 3]).map(|()| first)] {
            let error = result.unwrap_err();
            assert!(matches!(error.kind(), GenerateErrorKind::ClockRollback { .. }), "{error:?}");
        }
        clock.set(start - 5 * SECOND);
        assert!(ids.try_generate().unwrap() > second, "the clock is within the allowance again");
        assert_eq!(ids.rollbacks(), 0);
        return;
    }
    let restarted = ids.generate().unwrap();
    assert!(restarted < first, "{restarted:?} is an hour before {first:?}");
    assert_eq!(ids.rollbacks(), 1);
    assert!(ids.try_generate().unwrap() > restarted);
    assert_eq!(ids.rollbacks(), 1);

    clock.set(start - 2 * HOUR);
    let mut filled = [first; 3];
    ids.fill(&mut filled).unwrap();
    assert!(filled[0] < restarted && filled.is_sorted_by(|a, b| a < b));
    assert_eq!(ids.rollbacks(), 2);

    let clock = ManualClock::new(start);
    let strict = generator::<R, S>(options, &clock).rollback_allowance(Duration::ZERO);
    strict.try_generate().unwrap();
    clock.set(start - MILLISECOND);
    assert!(matches!(strict.try_generate().unwrap_err().kind(), GenerateErrorKind::ClockRollback { .. }));
}

/// If the clock leaps forward, the IDs stay in order.
fn leap_forward<R: Rules<Id: Ord + Debug> + Copy, S: StateCell>(options: R, start: Duration) {
    let clock = ManualClock::new(start);
    let ids = generator::<R, S>(options, &clock);
    let mut last = ids.try_generate().unwrap();
    for leap in [MILLISECOND, SECOND, HOUR, 365 * 24 * HOUR] {
        clock.advance(leap);
        let id = ids.try_generate().unwrap();
        assert!(id > last);
        last = id;
    }
    assert_eq!(ids.rollbacks(), 0);
}

/// A time that is unknown or out of range is an error, and the IDs stay in order afterwards.
fn no_time<R: Rules<Id: Ord + Debug> + Copy, S: StateCell>(options: R, start: Duration) {
    let clock = ManualClock::new(start);
    let ids = generator::<R, S>(options, &clock);
    let first = ids.try_generate().unwrap();
    clock.break_down();
    for result in [ids.try_generate(), ids.generate(), ids.fill(&mut [first; 3]).map(|()| first)] {
        assert!(matches!(result.unwrap_err().kind(), GenerateErrorKind::ClockOutOfRange { now: None, .. }));
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
        let ids = generator::<R, S>(options, &clock);
        let result = ids.try_generate();
        assert_eq!(result.is_ok(), fine, "at {micros}: {result:?}");
        if let Err(error) = result {
            let GenerateErrorKind::ClockOutOfRange { now, first, last, .. } = *error.kind() else {
                panic!("{error:?}")
            };
            assert!(now.is_none_or(|now| now == micros), "{now:?}");
            assert_eq!((first, last), (first_time, after_last - 1));
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
        if self.fails.get() { Err(EntropyError::new("switched off")) } else { self.bytes.fill(bytes) }
    }
}

/// Without random bytes, generators fail, and the IDs stay in order afterwards.
fn no_entropy<R: Rules<Id: Ord + Debug> + Copy, S: StateCell>(options: R, start: Duration) {
    let clock = ManualClock::new(start);
    let entropy = Fallible { bytes: SeededEntropy::new(1), fails: Cell::new(true) };
    let ids: Generator<R, S, _, _> = Generator::from_parts(options, &clock, &entropy);
    let is_entropy = |error: GenerateError| {
        assert_eq!(*error.kind(), GenerateErrorKind::Entropy(EntropyError::new("switched off")));
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
fn resume_after<R: Rules<Id: Ord + Debug> + Copy, S: StateCell>(options: R, start: Duration) {
    let clock = ManualClock::new(start);
    let earlier = generator::<R, S>(options, &clock);
    let mut last = earlier.generate().unwrap();
    for ahead in [Duration::ZERO, MILLISECOND, 5 * SECOND, 10 * SECOND] {
        clock.set(start + ahead);
        last = earlier.generate().unwrap();
        clock.set(start);
        // Other random bytes than those of the earlier generator.
        let ids: Generator<R, S, _, _> = Generator::from_parts(options, &clock, SeededEntropy::new(43));
        assert_eq!(ids.ahead(), Ok(Duration::ZERO));
        ids.resume_after(last).unwrap();
        assert!(ids.ahead().unwrap().abs_diff(ahead) <= MILLISECOND, "{:?} is not {ahead:?}", ids.ahead());
        clock.advance(ahead);
        let next = ids.generate();
        let next = next.or_else(|_| (clock.advance(MILLISECOND), ids.generate()).1).unwrap();
        assert!(next > last, "{next:?} after {last:?}");
        ids.resume_after(last).unwrap();
        assert!(ids.generate().is_ok_and(|id| id > next) || ids.try_generate().is_err());
        assert_eq!(ids.rollbacks(), 0);
    }
    // An ID beyond the allowance is refused: the next call would take the clock for set back.
    clock.set(start + HOUR);
    last = last.max(earlier.generate().unwrap());
    clock.set(start);
    let ids = generator::<R, S>(options, &clock);
    let first = ids.generate().unwrap();
    let error = ids.resume_after(last).unwrap_err();
    assert!(matches!(*error.kind(), GenerateErrorKind::Ahead { bound: 10_000_000, .. }), "{error:?}");
    clock.advance(MILLISECOND);
    let second = ids.generate().unwrap();
    assert!(first < second && second < last, "an error leaves the generator unchanged");
    let ids = ids.rollback_allowance(Duration::MAX);
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

/// In every script, IDs ascend, except when the generator starts over and counts it.
fn any_script<R: Rules<Id: Ord + Debug> + Copy + Debug, S: StateCell>(options: R, start: Duration) {
    let placeholder = generator::<R, S>(options, &ManualClock::new(start)).generate().unwrap();
    proptest!(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() },
        |(script in proptest::collection::vec(act(), 1..40))| {
            let mut now = start;
            let clock = ManualClock::new(now);
            let ids: Generator<R, S, _, _> = Generator::from_parts(options, Impatient(&clock), SeededEntropy::new(42));
            let mut last = None;
            let mut rollbacks = 0;
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
                        let id = generator::<R, S>(options, &other).generate().unwrap();
                        if ids.resume_after(id).is_ok() {
                            last = last.max(Some(id));
                        }
                        vec![]
                    }
                };
                if ids.rollbacks() != rollbacks {
                    rollbacks = ids.rollbacks();
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
