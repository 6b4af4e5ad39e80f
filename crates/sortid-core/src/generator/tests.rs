//! The first call in the child of a fork. The tests enter another process number, as if a parent had used the generator.

use super::*;
use crate::{
    EntropyError, RollbackPolicy,
    testing::{ManualClock, SeededEntropy},
};
use core::ops::RangeInclusive;

/// Many IDs a millisecond, for the milliseconds up to 1000.
struct Millis;

impl Rules for Millis {
    type Id = Position;
    type Random = [u8; 1];

    fn rollback_policy(&self) -> RollbackPolicy {
        RollbackPolicy::new().with_allowance(Duration::from_millis(10))
    }

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
        0..=1000
    }

    fn first_count(&self, _: u64, _: &impl Entropy) -> Result<u64, EntropyError> {
        Ok(0)
    }

    fn next_position(&self, last: Position, _: &impl Entropy) -> Result<Option<Position>, EntropyError> {
        Ok(Some(Position { count: last.count + 1, ..last }))
    }

    fn id(&self, position: Position, _: u16, _: [u8; 1]) -> Position {
        position
    }

    fn position(&self, id: Position) -> Option<Position> {
        Some(id)
    }
}

/// The next ID of a child, by `try_generate`, and the one after it by `generate`. The last ID of the parent was in the tick
/// `last`, and the clock is at `now`.
fn of_child(last: u64, now: u64) -> [Result<Position, GenerateErrorKind>; 2] {
    let clock = ManualClock::new(Duration::from_millis(last));
    let ids = Generator::from_parts(Millis, &clock, SeededEntropy::new(1));
    assert_eq!(ids.try_generate(), Ok(Position { tick: last, count: 0 }));
    ids.state().set_process(process() + 1);
    clock.set(Duration::from_millis(now));
    [ids.try_generate(), ids.generate()].map(|result| result.map_err(|error| error.kind()))
}

const fn at(tick: u64, count: u64) -> Result<Position, GenerateErrorKind> {
    Ok(Position { tick, count })
}

#[test]
fn a_child_leaves_the_tick_of_its_parent_once() {
    assert_eq!(of_child(500, 500), [at(501, 1), at(501, 2)]);
    assert_eq!(of_child(500, 491), [at(501, 1), at(501, 2)]);
    assert_eq!(of_child(500, 600), [at(600, 0), at(600, 1)]);
}

#[test]
fn a_child_does_not_take_the_step_out_of_the_tick_for_a_rollback() {
    assert_eq!(of_child(500, 490), [Err(GenerateErrorKind::Exhausted); 2]);
    assert_eq!(of_child(500, 489), [at(489, 0), at(489, 1)]);
}

#[test]
fn a_child_cannot_leave_the_last_tick() {
    for result in of_child(1000, 1000) {
        assert_eq!(result, Err(GenerateErrorKind::ClockOutOfRange));
    }
    assert_eq!(of_child(999, 999), [at(1000, 1), at(1000, 2)]);
}
