//! Tests the policy that all specifications share, with simple rules.

use sortid_core::{
    Clock, Entropy, EntropyError, Fence, Fenced, GenerateErrorKind, Generator, HybridRules, Position,
    Rollback, RollbackPolicy, Rules, SystemClock, ThreadEntropy,
    testing::{ManualClock, SeededEntropy},
};
use std::{cell::Cell, ops::RangeInclusive, time::Duration};

/// Eight IDs a millisecond, for the milliseconds 1 to 2^40 − 1 since 1970.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Eight;

impl Rules for Eight {
    type Id = Position;
    type Random = [u8; 1];

    fn random_bits(&self) -> u32 {
        64
    }

    fn tick(&self, unix_micros: u64) -> Option<u64> {
        Some(unix_micros / 1000)
    }

    fn tick_start(&self, tick: u64) -> u64 {
        tick.saturating_mul(1000)
    }

    fn ticks(&self) -> RangeInclusive<u64> {
        1..=(1 << 40) - 1
    }

    fn first_count(&self, _: u64, entropy: &impl Entropy) -> Result<u64, EntropyError> {
        entropy.draw::<1>().map(|_| 0)
    }

    fn next_position(&self, last: Position, _: &impl Entropy) -> Result<Option<Position>, EntropyError> {
        Ok((last.count < 7).then_some(Position { count: last.count + 1, ..last }))
    }

    fn id(&self, position: Position, _: u16, _: [u8; 1]) -> Position {
        position
    }

    fn position(&self, id: Position) -> Option<Position> {
        Some(id)
    }
}

/// Like [`Eight`], but with an allowance, and after a tick is used up, the next tick begins at once, ahead of the clock.
#[derive(Clone, Copy, Debug)]
struct Carrying(RollbackPolicy);

const CARRYING: Carrying = Carrying(RollbackPolicy::new());

impl Carrying {
    const fn within(micros: u64) -> Self {
        Self(RollbackPolicy::new().with_allowance(Duration::from_micros(micros)))
    }
}

impl Rules for Carrying {
    type Id = Position;
    type Random = [u8; 1];

    fn rollback_policy(&self) -> RollbackPolicy {
        self.0
    }

    fn tick(&self, unix_micros: u64) -> Option<u64> {
        Eight.tick(unix_micros)
    }

    fn tick_start(&self, tick: u64) -> u64 {
        Eight.tick_start(tick)
    }

    fn ticks(&self) -> RangeInclusive<u64> {
        Eight.ticks()
    }

    fn first_count(&self, tick: u64, entropy: &impl Entropy) -> Result<u64, EntropyError> {
        Eight.first_count(tick, entropy)
    }

    fn next_position(
        &self,
        last: Position,
        entropy: &impl Entropy,
    ) -> Result<Option<Position>, EntropyError> {
        let carried = Position { tick: last.tick + 1, count: 0 };
        Ok(Some(Eight.next_position(last, entropy)?.unwrap_or(carried)))
    }

    fn id(&self, position: Position, resets: u16, random: [u8; 1]) -> Position {
        Eight.id(position, resets, random)
    }

    fn position(&self, id: Position) -> Option<Position> {
        Some(id)
    }
}

#[test]
fn rules_that_carry_run_ahead_of_the_clock_but_stay_within_the_field() {
    let clock = ManualClock::new(START);
    let ids = Generator::from_parts(CARRYING, &clock, SeededEntropy::new(1));
    let mut many = [Position { tick: 0, count: 0 }; 1000];
    ids.fill(&mut many).unwrap();
    assert!(many.is_sorted_by(|a, b| a < b));
    assert_eq!(many[999], Position { tick: 1_000_000_000 + 999 / 8, count: 999 % 8 });

    clock.set(Duration::from_millis((1 << 40) - 1));
    for count in 0..8 {
        assert_eq!(ids.try_generate().unwrap(), Position { tick: (1 << 40) - 1, count });
    }
    let error = ids.try_generate().unwrap_err();
    assert_eq!(error.kind(), GenerateErrorKind::ClockOutOfRange, "{error:?}");
    assert_eq!(ids.generate(), Err(error));
    for outside in [0, 1 << 40] {
        clock.set(Duration::from_millis(outside));
        let error = ids.ahead().unwrap_err();
        assert_eq!(error.kind(), GenerateErrorKind::ClockOutOfRange, "{error:?}");
    }
}

#[test]
fn rules_that_carry_run_ahead_of_the_clock_by_at_most_the_allowance() {
    let clock = ManualClock::new(START);
    let ids = Generator::from_parts(Carrying::within(3000), &clock, SeededEntropy::new(1));
    assert!((0..4 * 8).all(|_| ids.try_generate().is_ok()));
    let error = ids.try_generate().unwrap_err();
    assert_eq!(
        (error.kind(), error.retry_after()),
        (GenerateErrorKind::Exhausted, Some(Duration::from_millis(1)))
    );
    clock.advance(Duration::from_millis(1));
    assert_eq!(ids.try_generate(), Ok(Position { tick: 1_000_000_004, count: 0 }));
}

#[test]
fn rules_that_carry_are_used_up_until_a_tick_whatever_the_allowance() {
    for (micros, until) in [(2001, 1_000_000_001_000), (2999, 1_000_000_001_000), (3000, 1_000_000_001_000)] {
        let clock = ManualClock::new(START + Duration::from_micros(900));
        let ids = Generator::from_parts(Carrying::within(micros), &clock, SeededEntropy::new(1));
        let error = (0..).find_map(|_| ids.try_generate().err()).unwrap();
        let left = Duration::from_micros(until - 1_000_000_000_900);
        assert_eq!((error.kind(), error.retry_after()), (GenerateErrorKind::Exhausted, Some(left)));
        clock.set(Duration::from_micros(until));
        assert!(ids.try_generate().is_ok());
    }
}

/// Like [`Carrying`], but of a hybrid logical clock, and with a precision of a tenth of a second where this keeps the order.
/// The tick 13 has no position.
#[derive(Clone, Copy, Debug)]
struct Hearing(RollbackPolicy);

const HEARING: Hearing = Hearing(RollbackPolicy::new());

impl Rules for Hearing {
    type Id = Position;
    type Random = [u8; 1];

    fn rollback_policy(&self) -> RollbackPolicy {
        self.0
    }

    fn default_rollback(&self) -> Rollback {
        Rollback::Continue
    }

    fn tick(&self, unix_micros: u64) -> Option<u64> {
        CARRYING.tick(unix_micros)
    }

    fn tick_start(&self, tick: u64) -> u64 {
        CARRYING.tick_start(tick)
    }

    fn ticks(&self) -> RangeInclusive<u64> {
        CARRYING.ticks()
    }

    fn first_count(&self, tick: u64, entropy: &impl Entropy) -> Result<u64, EntropyError> {
        CARRYING.first_count(tick, entropy)
    }

    fn first_position(
        &self,
        last: Option<Position>,
        tick: u64,
        _: &impl Entropy,
    ) -> Result<Position, EntropyError> {
        let short = Position { tick: tick - tick % 100, count: 0 };
        Ok(if last.is_none_or(|last| short > last) { short } else { Position { tick, count: 0 } })
    }

    fn next_position(
        &self,
        last: Position,
        entropy: &impl Entropy,
    ) -> Result<Option<Position>, EntropyError> {
        CARRYING.next_position(last, entropy)
    }

    fn id(&self, position: Position, resets: u16, random: [u8; 1]) -> Position {
        CARRYING.id(position, resets, random)
    }

    fn position(&self, id: Position) -> Option<Position> {
        (id.tick != 13).then_some(id)
    }
}

impl HybridRules for Hearing {
    fn future_bound(&self) -> Duration {
        Duration::from_secs(1)
    }
}

#[test]
fn an_observed_id_is_never_taken_for_a_rollback() {
    let clock = ManualClock::new(START);
    let ids = Generator::from_parts(
        Hearing(RollbackPolicy::new().with_allowance(Duration::from_millis(300))),
        &clock,
        SeededEntropy::new(1),
    );
    let observed = Position { tick: 1_000_000_300, count: 0 };
    ids.observe(observed).unwrap();
    assert!(ids.try_generate().unwrap() > observed);
    let error = ids.observe(Position { tick: 1_000_000_301, count: 0 }).unwrap_err();
    assert_eq!(error.kind(), GenerateErrorKind::Ahead);
    assert!(
        error.to_string().contains(" 0.301000 s ahead of the clock, expected at most 0.300000 s"),
        "{error}"
    );
    assert_eq!(ids.resets(), 0);
}

#[test]
fn a_generator_with_a_fence_observes_as_far_ahead_as_its_rules() {
    let fence = Fence::new(Duration::ZERO);
    fence.raise(u64::MAX);
    let clock = ManualClock::new(START);
    let rules = Fenced::new(HEARING, &fence);
    let ids = Generator::fenced(rules, 0, &clock, SeededEntropy::new(1)).unwrap();
    ids.observe(Position { tick: 1_000_001_000, count: 0 }).unwrap();
    let error = ids.observe(Position { tick: 1_000_001_001, count: 0 }).unwrap_err();
    assert_eq!(error.kind(), GenerateErrorKind::Ahead);
    assert!(error.to_string().contains("expected at most 1.000000 s"), "{error}");
}

#[test]
fn ids_are_greater_than_an_observed_id_unless_it_is_too_far_ahead() {
    let clock = ManualClock::new(START + Duration::from_millis(7));
    let ids = Generator::from_parts(HEARING, &clock, SeededEntropy::new(1));
    let now = 1_000_000_007;
    let at = |tick, count| Position { tick, count };

    ids.observe(at(now + 1000, 3)).unwrap();
    assert_eq!(ids.try_generate().unwrap(), at(now + 1000, 4));
    ids.observe(at(now, 0)).unwrap();
    assert_eq!(ids.try_generate().unwrap(), at(now + 1000, 5), "the past changes nothing");

    let error = ids.observe(at(now + 1001, 0)).unwrap_err();
    assert_eq!(error.kind(), GenerateErrorKind::Ahead);
    assert_eq!(
        error.to_string(),
        "the ID is 1.001000 s ahead of the clock, expected at most 1.000000 s: check the clocks of both sides"
    );
    let error = ids.observe(at(13, 0)).unwrap_err();
    assert_eq!(error.kind(), GenerateErrorKind::NoTime);
    clock.set(Duration::MAX);
    let error = ids.observe(at(now + 1000, 7)).unwrap_err();
    assert_eq!(error.kind(), GenerateErrorKind::ClockOutOfRange);
    ids.observe(at(now + 1000, 5)).unwrap(); // the last ID
    clock.set(START);
    assert_eq!(ids.try_generate().unwrap(), at(now + 1000, 6), "errors change nothing");
}

#[test]
fn rules_may_drop_precision_and_tolerate_any_clock() {
    let clock = ManualClock::new(START + Duration::from_millis(7));
    let ids = Generator::from_parts(HEARING, &clock, SeededEntropy::new(1));
    assert_eq!(ids.try_generate().unwrap(), Position { tick: 1_000_000_000, count: 0 });
    assert_eq!(ids.try_generate().unwrap(), Position { tick: 1_000_000_007, count: 0 });
    clock.set(Duration::from_millis(1));
    assert_eq!(ids.try_generate().unwrap(), Position { tick: 1_000_000_007, count: 1 });
    assert_eq!(ids.generate().unwrap(), Position { tick: 1_000_000_007, count: 2 });
    assert_eq!(ids.resets(), 0);
    clock.set(Duration::MAX);
    ids.resume_after(Position { tick: 1_000_000_008, count: 0 }).unwrap();
    clock.set(Duration::from_millis(1));
    assert_eq!(ids.try_generate().unwrap(), Position { tick: 1_000_000_008, count: 1 });
}

const START: Duration = Duration::from_millis(1_000_000_000);

#[test]
fn the_common_scenarios() {
    sortid_testkit::scenarios(Eight, START, 8);
}

#[test]
fn threads_share_a_generator_with_few_ids_a_tick() {
    static IDS: Generator<Eight, SystemClock, ThreadEntropy> =
        Generator::from_parts(Eight, SystemClock, ThreadEntropy);
    // The system clock is beyond 2^40 ms, so every call is an error.
    assert_eq!(IDS.generate().unwrap_err().kind(), GenerateErrorKind::ClockOutOfRange);

    let ids = Generator::from_parts(Eight, Hasty::default(), SeededEntropy::new(1));
    sortid_testkit::threads!(ids, 4, 100_000);
    assert_eq!(ids.resets(), 0);
}

/// A clock that advances by 10 µs at each reading.
#[derive(Default)]
struct Hasty(std::sync::atomic::AtomicU64);

impl Clock for Hasty {
    fn unix_micros(&self) -> Option<u64> {
        Some(1_000_000_000 + self.0.fetch_add(10, std::sync::atomic::Ordering::Relaxed))
    }
}

#[test]
fn generate_waits_for_the_next_tick_and_fill_for_as_many_ticks_as_it_needs() {
    let ids = Generator::from_parts(Eight, Hasty::default(), SeededEntropy::new(1));
    for _ in 0..100 {
        ids.generate().unwrap();
    }
    let mut many = [Position { tick: 0, count: 0 }; 1000];
    ids.fill(&mut many).unwrap();
    assert!(many.is_sorted_by(|a, b| a < b));
    assert!(many[999].tick - many[0].tick >= 1000 / 8 - 1);
}

/// A clock that stands still, whose waits end at once. It counts what is asked of it.
struct Frozen {
    now: Cell<Duration>,
    readings: Cell<u32>,
    waits: Cell<u32>,
}

impl Frozen {
    const fn new(now: Duration) -> Self {
        Self { now: Cell::new(now), readings: Cell::new(0), waits: Cell::new(0) }
    }
}

impl Clock for Frozen {
    fn unix_micros(&self) -> Option<u64> {
        self.readings.set(self.readings.get() + 1);
        self.now.get().as_micros().try_into().ok()
    }

    fn wait(&self, _: u64) -> bool {
        self.waits.set(self.waits.get() + 1);
        true
    }
}

#[test]
fn fill_reads_the_clock_once_for_64_ids_even_if_they_carry_into_later_ticks() {
    let clock = Frozen::new(START);
    let ids = Generator::from_parts(CARRYING, &clock, SeededEntropy::new(1));
    ids.fill(&mut [Position { tick: 0, count: 0 }; 1000]).unwrap();
    assert_eq!(clock.readings.get(), 1000_u32.div_ceil(64));
}

#[test]
fn only_a_clock_that_seems_to_be_set_back_is_read_twice() {
    let clock = Frozen::new(START);
    let ids = Generator::from_parts(Eight, &clock, SeededEntropy::new(1));
    assert!((0..8).all(|_| ids.try_generate().is_ok()) && ids.try_generate().is_err());
    assert_eq!(clock.readings.get(), 9 + 1, "the error says when to try again");
    clock.readings.set(0);
    clock.now.set(START - Duration::from_secs(3600));
    assert_eq!(ids.try_generate().unwrap().tick, 996_400_000);
    assert_eq!(clock.readings.get(), 2);
}

#[test]
fn no_call_waits_for_a_tick_after_the_last() {
    let clock = Frozen::new(Duration::from_millis((1 << 40) - 1));
    let ids = Generator::from_parts(Eight, &clock, SeededEntropy::new(1));
    assert!((0..8).all(|_| ids.try_generate().is_ok()) && ids.generate().is_err());
    assert_eq!(clock.waits.get(), 0);
}

#[test]
fn calls_give_up_on_a_clock_that_stands_still() {
    let clock = Frozen::new(START);
    let ids = Generator::from_parts(Eight, &clock, SeededEntropy::new(1));
    assert!((0..8).all(|_| ids.try_generate().is_ok()));
    assert_eq!(ids.generate().unwrap_err().kind(), GenerateErrorKind::Exhausted);
    assert_eq!(clock.waits.get(), 10_000);
}

#[test]
fn the_error_exhausted_says_when_the_next_tick_begins() {
    let clock = ManualClock::new(START);
    let ids = Generator::from_parts(Eight, &clock, SeededEntropy::new(1));
    for _ in 0..8 {
        ids.try_generate().unwrap();
    }
    let error = ids.try_generate().unwrap_err();
    assert_eq!(
        (error.kind(), error.retry_after()),
        (GenerateErrorKind::Exhausted, Some(Duration::from_millis(1)))
    );
    clock.set(START - Duration::from_secs(5));
    assert_eq!(ids.try_generate().unwrap_err().retry_after(), Some(Duration::from_secs(1)), "it looks again");
    assert_eq!(
        error.to_string(),
        "all IDs of the current tick are used up: try again when the clock reads 1970-01-12T13:46:40.001000Z"
    );
}

/// A clock with these readings, such as a slow thread has.
struct ReadLongAgo<'a> {
    readings: Cell<&'a [u64]>,
}

impl Clock for ReadLongAgo<'_> {
    fn unix_micros(&self) -> Option<u64> {
        let (&first, rest) = self.readings.get().split_first()?;
        self.readings.set(rest);
        Some(first)
    }
}

#[test]
fn a_stale_reading_of_the_clock_is_not_a_rollback() {
    let hour = 3_600_000_000;
    let readings = [2 * hour, hour, 2 * hour + 1000, hour, hour, hour];
    let ids =
        Generator::from_parts(Eight, ReadLongAgo { readings: Cell::new(&readings) }, SeededEntropy::new(1));
    let first = ids.try_generate().unwrap();
    // The first reading is an hour back; the second one shows that the clock is right.
    let second = ids.try_generate().unwrap();
    assert!(second > first);
    // Both readings are an hour back.
    assert_eq!((ids.try_generate().unwrap().tick, ids.resets()), (3_600_000, 1));
}

#[test]
fn after_65_535_the_number_of_resets_continues_from_0() {
    let clock = ManualClock::new(Duration::ZERO);
    let ids = Generator::from_parts(Eight, &clock, SeededEntropy::new(1));
    for round in 0..=u16::MAX {
        assert_eq!(ids.resets(), round);
        clock.set(START + Duration::from_secs(3600));
        ids.generate().unwrap();
        clock.set(START);
        ids.generate().unwrap();
    }
    assert_eq!(ids.resets(), 0);
}

#[test]
fn a_closed_generator_has_ended_whatever_the_clock_says() {
    let fence = Fence::new(Duration::from_secs(3600));
    fence.raise(u64::MAX);
    let clock = ManualClock::new(Duration::from_secs(100));
    let rules = Fenced::new(Eight, &fence);
    let ids = Generator::fenced(rules, 100_000_000, &clock, SeededEntropy::new(1)).unwrap();
    assert!((0..8).all(|_| ids.try_generate().is_ok()));
    assert_eq!(ids.try_generate().unwrap_err().kind(), GenerateErrorKind::Exhausted);
    ids.close();
    // The tick is used up, the clock is set back, and it is right again.
    for seconds in [100, 1, 200] {
        clock.set(Duration::from_secs(seconds));
        for error in [ids.try_generate().unwrap_err(), ids.generate().unwrap_err()] {
            assert_eq!(error.kind(), GenerateErrorKind::ReservationEnded, "at {seconds} s");
        }
    }
}
