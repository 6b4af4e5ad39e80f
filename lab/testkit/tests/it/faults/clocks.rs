//! Waits for clocks that go back, and generators that run ahead of theirs.

use super::{MILLISECOND, NOW, SECOND, event, ron};
use sortid_core::{
    Clock, GenerateError, GenerateErrorKind, Generator, NoEntropy, Rules,
    testing::{ManualClock, SeededEntropy},
};
use sortid_testkit::Chosen;
use std::{
    cell::{Cell, RefCell},
    collections::VecDeque,
    fmt::Debug,
    time::Duration,
};

/// A clock whose time passes only in `wait`. It makes each of these steps after the given microseconds of waiting.
struct Stepping {
    now: Cell<u64>,
    waited: Cell<u64>,
    steps: RefCell<VecDeque<(u64, i64)>>,
}

impl Stepping {
    fn new(steps: impl IntoIterator<Item = (Duration, i64)>) -> Self {
        let steps = steps.into_iter().map(|(after, by)| (after.as_micros() as u64, by)).collect();
        Self { now: Cell::new(NOW.as_micros() as u64), waited: Cell::new(0), steps: RefCell::new(steps) }
    }

    fn waited(&self) -> Duration {
        Duration::from_micros(self.waited.get())
    }
}

impl Clock for Stepping {
    fn unix_micros(&self) -> Option<u64> {
        Some(self.now.get())
    }

    fn wait(&self, until: u64) -> bool {
        const MOMENT: u64 = 1000;
        while self.now.get() < until {
            self.waited.set(self.waited.get() + MOMENT);
            self.now.set(self.now.get() + MOMENT);
            let mut steps = self.steps.borrow_mut();
            if let Some(&(_, by)) = steps.front().filter(|(after, _)| *after <= self.waited.get()) {
                steps.pop_front();
                self.now.set(self.now.get().saturating_add_signed(by));
                if by < 0 {
                    break;
                }
            }
        }
        true
    }
}

const SECONDS: i64 = 1_000_000;

/// Lets a generator whose milliseconds hold few IDs wait for this clock. Returns how long it waited, and its error.
fn waits(steps: impl IntoIterator<Item = (Duration, i64)>) -> (Duration, Option<GenerateError>) {
    let clock = Stepping::new(steps);
    let options = ulid_flake::scalable::Options::new(0).unwrap();
    let ids = options.build_with(&clock, SeededEntropy::new(1));
    let mut last = ids.generate().unwrap();
    // 200 milliseconds, after all steps.
    let error = (0..200 * 129).find_map(|_| match ids.generate() {
        Ok(id) => {
            assert!(id > last, "{id} after {last}");
            last = id;
            None
        }
        Err(error) => Some(error),
    });
    assert!(clock.steps.borrow().is_empty(), "the test waits for all steps");
    (clock.waited(), error)
}

#[test]
fn a_generator_waits_as_long_as_a_clock_that_goes_back_again_and_again_stays_within_the_allowance() {
    let at = |millis| MILLISECOND * millis;
    let (waited, error) = waits([(at(3), -2 * SECONDS), (at(1000), -6 * SECONDS)]);
    assert!(waited > 8 * SECOND && waited < 9 * SECOND, "{waited:?}");
    assert_eq!(error, None);

    // The clock is behind by 9.9 s, then by 17.8 s.
    let (waited, error) = waits([(at(3), -9_900_000), (at(2003), -9_900_000)]);
    assert!(waited < 3 * SECOND, "{waited:?}");
    let error = error.unwrap();
    assert_eq!(error.kind(), GenerateErrorKind::ClockRollback);
    assert!(error.to_string().starts_with("the clock is 17."), "{error}");

    // One second back each second, for a minute: never behind by more than a few seconds.
    let (waited, error) = waits((0..60).map(|second| (at(3) + SECOND * second, -SECONDS)));
    assert!(waited > 60 * SECOND && waited < 63 * SECOND, "{waited:?}");
    assert_eq!(error, None);
}

#[test]
fn a_busy_generator_is_not_taken_for_one_whose_clock_was_set_back() {
    fn busy<R: Rules<Id: Ord + Debug> + Copy>(options: R, allowance: Duration) {
        let clock = Stepping::new([]);
        let policy = options.rollback_policy().with_allowance(allowance);
        let ids = Generator::from_parts(Chosen::new(options, policy), &clock, NoEntropy);
        let first = ids.generate().unwrap();
        let mut made = vec![first; 100_000];
        ids.fill(&mut made).unwrap();
        assert!(first < made[0] && made.is_sorted_by(|a, b| a < b));
        assert!(ids.ahead().unwrap() <= allowance && ids.resets() == 0);
    }
    for allowance in [Duration::ZERO, MILLISECOND, 10 * MILLISECOND] {
        busy(ron(), allowance);
        busy(ron().session_digits(1).unwrap(), allowance);
        busy(event(), allowance);
    }
    let clock = ManualClock::new(NOW);
    let ids = event().rollback_allowance(2 * MILLISECOND).build_with(&clock, NoEntropy);
    let error = (0..3000).find_map(|_| ids.try_generate().err()).unwrap();
    assert_eq!(error.kind(), GenerateErrorKind::Exhausted, "{error}");
}

#[test]
fn a_generator_waits_as_long_as_its_clock_moves_and_not_for_a_tick_that_does_not_exist() {
    // Three hours, in steps of a second.
    let clock = Stepping::new([(MILLISECOND * 3, -3 * 3600 * SECONDS)]);
    let options = ulid_flake::scalable::Options::new(0).unwrap().rollback_allowance(4 * 3600 * SECOND);
    let ids = options.build_with(&clock, SeededEntropy::new(1));
    for _ in 0..2000 {
        ids.generate().unwrap();
    }
    assert!(clock.waited() > 3 * 3600 * SECOND);

    let clock = Stepping::new([]);
    let ids = Generator::from_parts(event(), &clock, NoEntropy);
    ids.resume_after(evently_id::EventId::MAX).unwrap();
    assert_eq!(ids.generate().unwrap_err().kind(), GenerateErrorKind::Exhausted);
    assert_eq!(clock.waited(), Duration::ZERO);
}
