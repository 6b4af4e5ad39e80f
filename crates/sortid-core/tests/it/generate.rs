//! The trait of generators, and what points to one.

use crate::generator::Eight;
use sortid_core::{
    Clock, Entropy, Generate, Generator, Position,
    testing::{ManualClock, SeededEntropy},
};
use std::{cell::Cell, rc::Rc, sync::Arc, time::Duration};

const START: Duration = Duration::from_millis(1_000_000_000_000);

/// An ID type, as a user defines one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct OrderId(Position);

impl From<Position> for OrderId {
    fn from(id: Position) -> Self {
        Self(id)
    }
}

/// A clock that moves by 100 µs with each reading.
struct Moving(Cell<u64>);

impl Clock for Moving {
    fn unix_micros(&self) -> Option<u64> {
        Some(self.0.replace(self.0.get() + 100))
    }
}

fn shared(clock: &Arc<ManualClock>) -> Generator<Eight, Arc<ManualClock>, SeededEntropy> {
    Generator::from_parts(Eight, Arc::clone(clock), SeededEntropy::new(42))
}

/// The next positions, as all pointers to the generator return them.
fn next_three(ids: &impl Generate<Id = Position>) -> [u64; 3] {
    let mut filled = [Position { tick: 0, count: 0 }];
    let (first, second) = (ids.generate().unwrap(), ids.try_generate().unwrap());
    ids.fill(&mut filled).unwrap();
    [first, second, filled[0]].map(|position| position.count)
}

#[test]
fn a_pointer_to_a_generator_generates_its_ids() {
    let clock = Arc::new(ManualClock::new(START));
    let ids = shared(&clock);
    assert_eq!(next_three(&&ids), [0, 1, 2]);
    assert_eq!(next_three(&Box::new(shared(&clock))), [0, 1, 2]);
    assert_eq!(next_three(&Rc::new(shared(&clock))), [0, 1, 2]);
    let ids: Arc<dyn Generate<Id = Position> + Send + Sync> = Arc::new(ids);
    assert_eq!(next_three(&ids), [3, 4, 5]);
    let last = (ids.generate().unwrap(), ids.generate().unwrap());
    assert_eq!((last.0.count, last.1.count), (6, 7));
    assert!(ids.try_generate().is_err(), "the tick is used up");
    clock.advance(Duration::from_millis(1));
    assert_eq!(ids.try_generate().map(|position| position.count), Ok(0));
}

#[test]
fn types_of_one_generator_share_its_order() {
    let clock = Arc::new(ManualClock::new(START));
    let ids = Arc::new(shared(&clock));
    let orders = Arc::clone(&ids).typed::<OrderId>();
    let first = orders.generate().unwrap();
    assert!(first.0 < ids.generate().unwrap());
    assert!(first < (&ids).typed::<OrderId>().try_generate().unwrap());
    assert_eq!(orders.get().try_generate().unwrap().count, 3);
}

/// Across the batches of `fill`, and the ticks.
#[test]
fn filling_a_typed_generator_takes_the_next_ids() {
    for count in [0, 1, 2, 64, 65, 129, 200] {
        let clock = Moving(Cell::new(START.as_micros() as u64));
        let ids: Generator<_, _, _> = Generator::from_parts(Eight, clock, SeededEntropy::new(1));
        let ids = ids.typed::<OrderId>();
        let mut filled = vec![OrderId(Position { tick: 0, count: 0 }); count];
        ids.fill(&mut filled).unwrap();
        assert!(filled.is_sorted_by(|a, b| a < b), "{count}");
        let next = ids.generate().unwrap();
        assert!(filled.last().is_none_or(|last| *last < next));
        assert!(filled.iter().all(|id| id.0.tick > 0));
    }
}

#[test]
fn a_pointer_to_a_clock_or_to_a_source_is_one() {
    fn reads(clock: impl Clock, random: impl Entropy) -> (Option<u64>, Option<u64>, [u8; 4]) {
        (clock.unix_micros(), clock.unix_millis(), random.draw().unwrap())
    }
    let (clock, random) = (|| ManualClock::new(START), || SeededEntropy::new(7));
    let expected = reads(clock(), random());
    let (own_clock, own_random) = (clock(), random());
    let references: (&dyn Clock, &dyn Entropy) = (&own_clock, &own_random);
    assert_eq!(reads(references.0, references.1), expected);
    assert_eq!(reads(Box::new(clock()), Box::new(random())), expected);
    assert_eq!(reads(Rc::new(clock()), Rc::new(random())), expected);
    assert_eq!(reads(Arc::new(clock()), Arc::new(random())), expected);
    let (clock, random): (Box<dyn Clock>, Box<dyn Entropy>) = (Box::new(clock()), Box::new(random()));
    assert_eq!(reads(clock, random), expected);
}
