//! Generators below a fence.

use sortid_core::{
    Clock, Entropy, EntropyError, Fence, Fenced, GenerateError, GenerateErrorKind, Generator, NoEntropy,
    Position, Rules, SystemClock, testing::ManualClock,
};
use std::{cell::Cell, ops::RangeInclusive, sync::Arc, thread, time::Duration};

/// Four IDs a millisecond.
#[derive(Clone, Copy, Debug)]
struct Four;

impl Rules for Four {
    type Id = Position;
    type Random = [u8; 0];

    fn tick(&self, unix_micros: u64) -> Option<u64> {
        Some(unix_micros / 1000)
    }

    fn tick_start(&self, tick: u64) -> u64 {
        tick.saturating_mul(1000)
    }

    fn ticks(&self) -> RangeInclusive<u64> {
        0..=1 << 42
    }

    fn first_count(&self, _: u64, _: &impl Entropy) -> Result<u64, EntropyError> {
        Ok(0)
    }

    fn next_position(&self, last: Position, _: &impl Entropy) -> Result<Option<Position>, EntropyError> {
        Ok((last.count < 3).then_some(Position { count: last.count + 1, ..last }))
    }

    fn id(&self, position: Position, resets: u16, _: [u8; 0]) -> Position {
        assert_eq!(resets, 0);
        position
    }

    fn position(&self, id: Position) -> Option<Position> {
        Some(id)
    }
}

type Ids<'a> = Generator<Fenced<Four, &'a Fence>, &'a ManualClock, NoEntropy>;

fn ids<'a>(fence: &'a Fence, floor: u64, clock: &'a ManualClock) -> Ids<'a> {
    Ids::fenced(Fenced::new(Four, fence), floor, clock, NoEntropy).unwrap()
}

/// The kind of the error, which says when the reservation ends.
fn refusal<T: std::fmt::Debug>(until: u64, result: Result<T, GenerateError>) -> GenerateErrorKind {
    let error = result.unwrap_err();
    let until = sortid_core::__private::civil::rfc3339(until);
    assert!(error.to_string().contains(&*until), "{error}, expected {until}");
    error.kind()
}

const LATE: GenerateErrorKind = GenerateErrorKind::ReservationLate;
const ENDED: GenerateErrorKind = GenerateErrorKind::ReservationEnded;

const fn at(tick: u64, count: u64) -> Position {
    Position { tick, count }
}

fn clock(millis: u64) -> ManualClock {
    ManualClock::new(Duration::from_millis(millis))
}

#[test]
fn ids_are_between_the_floor_and_the_fence() {
    let (fence, clock) = (Fence::new(Duration::ZERO), clock(10));
    let ids = ids(&fence, 10_000, &clock);
    assert_eq!(refusal(0, ids.try_generate()), LATE);
    fence.raise(11_000);
    assert_eq!(ids.try_generate().unwrap(), at(10, 0));
    clock.set(Duration::from_millis(11));
    assert_eq!(refusal(11_000, ids.try_generate()), LATE);
    assert_eq!(refusal(11_000, ids.fill(&mut [at(0, 0); 2])), LATE);
    fence.raise(11_001);
    assert_eq!(ids.try_generate().unwrap(), at(11, 0));
    fence.raise(5); // a late answer of the store
    assert_eq!((fence.until(), ids.try_generate().unwrap()), (11_001, at(11, 1)));
}

/// IDs without a count: each takes a millisecond of its own.
#[derive(Clone, Copy, Debug)]
struct One;

impl Rules for One {
    type Id = u64;
    type Random = [u8; 0];

    fn tick(&self, unix_micros: u64) -> Option<u64> {
        Four.tick(unix_micros)
    }

    fn tick_start(&self, tick: u64) -> u64 {
        Four.tick_start(tick)
    }

    fn ticks(&self) -> RangeInclusive<u64> {
        Four.ticks()
    }

    fn first_count(&self, _: u64, _: &impl Entropy) -> Result<u64, EntropyError> {
        Ok(0)
    }

    fn next_position(&self, last: Position, _: &impl Entropy) -> Result<Option<Position>, EntropyError> {
        Ok(Some(Position { tick: last.tick + 1, ..last }))
    }

    fn id(&self, position: Position, _: u16, _: [u8; 0]) -> u64 {
        position.tick
    }

    fn position(&self, tick: u64) -> Option<Position> {
        Some(at(tick, 0))
    }
}

#[test]
fn a_batch_ends_at_the_fence() {
    let (fence, clock) = (Fence::new(Duration::ZERO), clock(10));
    fence.raise(15_000);
    let ids = Generator::fenced(Fenced::new(One, &fence), 10_000, &clock, NoEntropy).unwrap();
    let mut made = [0; 8];
    assert_eq!(refusal(15_000, ids.fill(&mut made)), LATE);
    assert_eq!(made, [10, 11, 12, 13, 14, 0, 0, 0]);
    fence.raise(16_000);
    assert_eq!(ids.generate().unwrap(), 15);
}

#[test]
fn a_clock_behind_the_floor_waits_and_makes_no_earlier_id() {
    let (fence, clock) = (Fence::new(Duration::ZERO), clock(7));
    fence.raise(1_000_000);
    let ids = ids(&fence, 10_000, &clock);
    let error = ids.try_generate().unwrap_err();
    assert_eq!(
        (error.kind(), error.retry_after()),
        (GenerateErrorKind::Exhausted, Some(Duration::from_millis(3)))
    );
    clock.set(Duration::from_millis(10));
    assert_eq!(ids.try_generate().unwrap(), at(10, 0));
}

#[test]
fn a_generator_with_a_fence_is_never_reset() {
    let (fence, clock) = (Fence::new(Duration::ZERO), clock(20_000));
    fence.raise(1 << 40);
    let ids = ids(&fence, 0, &clock);
    ids.generate().unwrap();
    clock.set(Duration::from_millis(9_999));
    for result in [ids.generate(), ids.try_generate()] {
        let error = result.unwrap_err();
        assert_eq!((error.kind(), error.retry_after()), (GenerateErrorKind::ClockRollback, None));
        assert!(error.to_string().contains("is 10.001000 s behind the last ID"), "{error}");
    }
    clock.set(Duration::from_millis(10_000));
    assert_eq!(ids.generate().unwrap(), at(20_000, 1));
}

#[test]
fn generate_waits_for_the_fence_to_be_raised_and_gives_up() {
    let now = SystemClock.unix_micros().unwrap();
    let fence = Arc::new(Fence::new(Duration::from_secs(60)));
    fence.raise(now);
    let rules = Fenced::new(Four, Arc::clone(&fence));
    let ids = Generator::fenced(rules, 0, SystemClock, NoEntropy).unwrap();
    thread::scope(|scope| {
        let waiting = scope.spawn(|| ids.generate());
        thread::sleep(Duration::from_millis(20));
        fence.raise(u64::MAX);
        waiting.join().unwrap().unwrap();
    });
    let impatient = Fence::new(Duration::from_millis(10));
    impatient.raise(now);
    let rules = Fenced::new(Four, &impatient);
    let ids = Generator::fenced(rules, 0, SystemClock, NoEntropy).unwrap();
    assert_eq!(refusal(now, ids.generate()), LATE);
    let own = Fence::new(Duration::from_secs(3600)).waiting_if(|_| false);
    own.raise(now);
    let rules = Fenced::new(Four, &own);
    let its_keeper = Generator::fenced(rules, 0, SystemClock, NoEntropy).unwrap();
    assert_eq!(refusal(now, its_keeper.generate()), LATE);
    // Nobody raises it any more.
    fence.end();
    impatient.end();
    assert_eq!(refusal(now, ids.generate()), ENDED);
}

/// A clock that stands still. Its waits end at once, and one of them raises the fence.
struct Renewing<'a> {
    fence: &'a Fence,
    waits: Cell<u32>,
    raises_in: u32,
}

impl Clock for Renewing<'_> {
    fn unix_micros(&self) -> Option<u64> {
        Some(10_000)
    }

    fn wait(&self, until: u64) -> bool {
        assert_eq!(until, 20_000);
        self.waits.set(self.waits.get() + 1);
        if self.waits.get() == self.raises_in {
            self.fence.raise(30_000);
        }
        true
    }
}

#[test]
fn a_call_looks_every_ten_milliseconds_whether_the_fence_was_raised_as_long_as_its_patience() {
    for (raises_in, expected) in [(5, Ok(at(10, 0))), (6, Err(LATE))] {
        let fence = Fence::new(Duration::from_millis(50));
        let clock = Renewing { fence: &fence, waits: Cell::new(0), raises_in };
        let rules = Fenced::new(Four, &fence);
        let ids = Generator::fenced(rules, 0, &clock, NoEntropy).unwrap();
        assert_eq!(ids.generate().map_err(|error| refusal(0, Err::<(), _>(error))), expected);
        assert_eq!(clock.waits.get(), 5);
    }
}

#[test]
fn a_timer_is_asked_for_ten_milliseconds() {
    let fence = Fence::new(Duration::from_secs(10));
    let clock = clock(10);
    let error = ids(&fence, 0, &clock).try_generate().unwrap_err();
    // A timer that rounds up by 1 ms makes the wait 10 % longer.
    assert_eq!((error.kind(), error.retry_after()), (LATE, Some(Duration::from_millis(10))));
}

#[cfg(unix)]
#[test]
fn a_child_cannot_use_the_reservation_of_its_parent() {
    let (fence, clock) = (Fence::new(Duration::ZERO), clock(10));
    fence.raise(u64::MAX);
    let ids = ids(&fence, 0, &clock);
    match fork::fork().unwrap() {
        fork::Fork::Child => {
            let is_forked = |error: &GenerateError| {
                error.kind() == GenerateErrorKind::OtherProcess && error.to_string().contains("reservation")
            };
            // A panic would end the child as if it were content.
            let results = [ids.try_generate(), ids.generate()];
            signal_hook::low_level::exit(i32::from(
                !results.iter().all(|it| it.as_ref().is_err_and(is_forked)),
            ));
        }
        fork::Fork::Parent(child) => assert_eq!(fork::waitpid(child).unwrap(), 0),
    }
}

#[test]
fn close_tells_the_time_after_the_last_id_and_ends_the_generator() {
    let (fence, clock) = (Fence::new(Duration::from_secs(60)), clock(10));
    fence.raise(1_000_000);
    let unused = ids(&fence, 0, &clock);
    assert_eq!(unused.close(), None);
    assert_eq!(refusal(1_000_000, unused.generate()), ENDED);
    assert_eq!(ids(&fence, 5_000, &clock).close(), Some(5_000));
    let used = ids(&fence, 5_000, &clock);
    used.generate().unwrap();
    assert_eq!((used.close(), used.close()), (Some(11_000), Some(11_000)));
    clock.set(Duration::from_millis(12));
    assert_eq!(refusal(1_000_000, used.generate()), ENDED);
    used.resume_after(at(15, 0)).unwrap();
    assert_eq!(refusal(1_000_000, used.generate()), ENDED);
}

#[test]
fn a_floor_after_the_last_tick_is_an_error() {
    let last = 1 << 42;
    let (fence, clock) = (Fence::new(Duration::ZERO), clock(last));
    fence.raise(u64::MAX);
    for floor in [1000 * last + 1000, u64::MAX] {
        let error = Ids::fenced(Fenced::new(Four, &fence), floor, &clock, NoEntropy).unwrap_err();
        assert_eq!(error.kind(), GenerateErrorKind::ClockOutOfRange, "{error}");
    }
    assert_eq!(ids(&fence, 1000 * last, &clock).generate().unwrap(), at(last, 0));
}

#[test]
fn messages_say_until_when_and_what_to_do() {
    let (fence, clock) = (Fence::new(Duration::ZERO), clock(1_700_000_000_000));
    fence.raise(1_600_000_000_000_000);
    let ids = ids(&fence, 0, &clock);
    let late = ids.try_generate().unwrap_err().to_string();
    assert_eq!(
        late,
        "the reservation lasts until 2020-09-13T12:26:40.000000Z and was not renewed in time: read why in the status of the node, and try again"
    );
    ids.close();
    let ended = ids.try_generate().unwrap_err().to_string();
    assert!(ended.ends_with("was released or is another process's: join the fleet again"), "{ended}");
}
