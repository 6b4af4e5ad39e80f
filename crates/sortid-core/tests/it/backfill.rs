//! Backfills of rules whose ticks hold few IDs, so that an exact model can follow them.

use proptest::prelude::*;
use sortid_core::{
    __private::BackfillObstacle, Backfill, BackfillError, BackfillRules, Clock, Entropy, EntropyError,
    GenerateErrorKind, Generator, NoEntropy, Position, Rules, UnixMicros, UnixMillis, testing::SeededEntropy,
};
use std::{collections::BTreeMap, ops::RangeInclusive, time::Duration};

/// Ticks of a second with three IDs, up to the hundredth second.
#[derive(Clone, Copy, Debug)]
struct Three;

impl Rules for Three {
    type Id = (u64, u64);
    type Random = [u8; 0];

    fn tick(&self, unix_micros: u64) -> Option<u64> {
        Some(unix_micros / 1_000_000)
    }

    fn tick_start(&self, tick: u64) -> u64 {
        tick.saturating_mul(1_000_000)
    }

    fn ticks(&self) -> RangeInclusive<u64> {
        0..=99
    }

    fn first_count(&self, _: u64, _: &impl Entropy) -> Result<u64, EntropyError> {
        Ok(0)
    }

    fn next_position(&self, last: Position, _: &impl Entropy) -> Result<Option<Position>, EntropyError> {
        Ok((last.count < 2).then_some(Position { count: last.count + 1, ..last }))
    }

    fn id(&self, position: Position, _: u16, _: [u8; 0]) -> (u64, u64) {
        (position.tick, position.count)
    }

    fn position(&self, (tick, count): (u64, u64)) -> Option<Position> {
        (tick < 1000).then_some(Position { tick, count })
    }
}

impl BackfillRules for Three {
    fn backfill_capacity(&self) -> u64 {
        3
    }
}

/// Random steps: after one that does not fit, another one could.
#[derive(Clone, Copy, Debug)]
struct Steps;

impl Rules for Steps {
    type Id = (u64, u64);
    type Random = [u8; 0];

    fn tick(&self, unix_micros: u64) -> Option<u64> {
        Three.tick(unix_micros)
    }

    fn tick_start(&self, tick: u64) -> u64 {
        Three.tick_start(tick)
    }

    fn ticks(&self) -> RangeInclusive<u64> {
        Three.ticks()
    }

    fn first_count(&self, _: u64, entropy: &impl Entropy) -> Result<u64, EntropyError> {
        entropy.draw().map(|[byte]| u64::from(byte % 8))
    }

    fn next_position(
        &self,
        last: Position,
        entropy: &impl Entropy,
    ) -> Result<Option<Position>, EntropyError> {
        let count = last.count + 1 + self.first_count(last.tick, entropy)?;
        Ok((count < 16).then_some(Position { count, ..last }))
    }

    fn id(&self, position: Position, _: u16, _: [u8; 0]) -> (u64, u64) {
        (position.tick, position.count)
    }

    fn position(&self, (tick, count): (u64, u64)) -> Option<Position> {
        Some(Position { tick, count })
    }
}

impl BackfillRules for Steps {}

/// One ID a microsecond.
#[derive(Debug)]
struct One;

impl Rules for One {
    type Id = u64;
    type Random = [u8; 0];

    fn tick(&self, unix_micros: u64) -> Option<u64> {
        Some(unix_micros)
    }

    fn tick_start(&self, tick: u64) -> u64 {
        tick
    }

    fn ticks(&self) -> RangeInclusive<u64> {
        0..=u64::MAX
    }

    fn first_count(&self, _: u64, _: &impl Entropy) -> Result<u64, EntropyError> {
        Ok(0)
    }

    fn next_position(&self, _: Position, _: &impl Entropy) -> Result<Option<Position>, EntropyError> {
        Ok(None)
    }

    fn id(&self, position: Position, _: u16, _: [u8; 0]) -> u64 {
        position.tick
    }

    fn position(&self, id: u64) -> Option<Position> {
        Some(Position { tick: id, count: 0 })
    }
}

impl BackfillRules for One {}

/// The position that a time should get, found by trying each tick.
fn model(used: &mut BTreeMap<u64, u64>, tick: u64, spill: u64) -> Option<(u64, u64)> {
    let free = (tick..=(tick + spill).min(99)).find(|tick| used.get(tick).copied().unwrap_or(0) < 3)?;
    let count = used.entry(free).or_default();
    *count += 1;
    Some((free, *count - 1))
}

fn seconds(seconds: u64) -> UnixMillis {
    UnixMillis(i128::from(1000 * seconds))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    #[test]
    fn each_time_gets_the_first_free_place(
        times in proptest::collection::vec(prop_oneof![0_u64..10, 40_u64..60, 80..100_u64], 0..150),
        spill in prop_oneof![0_u64..4, 0..200_u64],
    ) {
        let mut ids = Backfill::from_parts(Three, NoEntropy).spill(Duration::from_secs(spill));
        let mut used = BTreeMap::new();
        for time in times {
            let made = ids.generate(seconds(time));
            let expected = model(&mut used, time, spill);
            prop_assert_eq!(made.as_ref().ok().copied(), expected, "at {}", time);
            if let Err(error) = made {
                let is_full = matches!(error.obstacle(), BackfillObstacle::Full { capacity: 3, .. });
                prop_assert!(is_full, "{error:?}");
            }
        }
    }

    #[test]
    fn ascending_times_get_the_next_place(
        steps in proptest::collection::vec(prop_oneof![4 => Just(0_u64), 1 => 1..4_u64], 0..150),
        spill in prop_oneof![0_u64..4, 0..200_u64],
    ) {
        let mut ids = Backfill::from_parts(Three, NoEntropy).spill(Duration::from_secs(spill)).ascending();
        let (mut time, mut next) = (0, (0, 0));
        for step in steps {
            time += step;
            let place = next.max((time, 0));
            let expected = (place.0 <= (time + spill).min(99) && time < 100).then_some(place);
            let made = ids.generate(seconds(time));
            prop_assert_eq!(made.as_ref().ok().copied(), expected, "at {}", time);
            if let Some((tick, count)) = expected {
                next = if count == 2 { (tick + 1, 0) } else { (tick, count + 1) };
            }
            if time > 0 && expected.is_some() {
                let error = ids.generate(UnixMicros(i128::from(1_000_000 * time - 1))).unwrap_err();
                let is_descending = matches!(error.obstacle(), BackfillObstacle::Descending { by: 1_000_000, .. });
                prop_assert!(is_descending, "{error:?}");
            }
        }
    }

    #[test]
    fn ids_of_random_steps_are_distinct_and_in_order(
        times in proptest::collection::vec(0_u64..6, 0..200), spill in 0_u64..50, seed: u64,
    ) {
        let mut ids = Backfill::from_parts(Steps, SeededEntropy::new(seed)).spill(Duration::from_secs(spill));
        let mut last = BTreeMap::new();
        let mut all = std::collections::BTreeSet::new();
        for time in times {
            if let Ok(id) = ids.generate(seconds(time)) {
                prop_assert!(all.insert(id), "{:?} repeats", id);
                prop_assert!((time..=time + spill).contains(&id.0));
                let before = last.insert(time, id);
                prop_assert!(before < Some(id), "{:?} after {:?}", id, before);
            }
        }
    }

    #[test]
    fn a_backfill_that_resumes_after_all_ids_continues_as_the_one_before(
        times in proptest::collection::vec(0_u64..20, 0..60), cut in 0_usize..60, spill in 0_u64..10,
    ) {
        let cut = cut.min(times.len());
        let mut whole = Backfill::from_parts(Three, NoEntropy).spill(Duration::from_secs(spill));
        let mut second = Backfill::from_parts(Three, NoEntropy).spill(Duration::from_secs(spill));
        let mut made: Vec<_> =
            times[..cut].iter().filter_map(|time| whole.generate(seconds(*time)).ok()).collect();
        made.sort_unstable_by_key(|(tick, count)| (tick * 7919 % 101, *count));
        for id in made {
            second.resume_after(id).unwrap();
        }
        for time in &times[cut..] {
            prop_assert_eq!(whole.generate(seconds(*time)).ok(), second.generate(seconds(*time)).ok());
        }
    }
}

#[test]
fn a_backfill_becomes_ascending_after_its_last_id() {
    let mut ids = Backfill::from_parts(Three, NoEntropy);
    ids.generate(seconds(7)).unwrap();
    let mut ids = ids.ascending();
    assert!(ids.generate(seconds(6)).is_err());
    assert_eq!(ids.generate(seconds(7)), Ok((7, 1)));

    let mut full = Backfill::from_parts(Three, NoEntropy);
    full.generate_all([seconds(7); 4]).unwrap_err();
    assert_eq!(full.ascending().spill(Duration::from_secs(1)).generate(seconds(7)), Ok((8, 0)));
}

#[test]
fn a_tick_of_a_backfill_begins_as_that_of_a_generator() {
    for seed in 0..20 {
        let first = Steps.first_count(7, &SeededEntropy::new(seed)).unwrap();
        assert_eq!(
            Backfill::from_parts(Steps, SeededEntropy::new(seed)).generate(seconds(7)),
            Ok((7, first))
        );
    }
}

#[test]
fn the_way_over_full_ticks_stays_short() {
    const ROWS: u64 = 1_000_000;
    // With a way of a million ticks for each time, this would take days.
    let mut ids = Backfill::from_parts(One, NoEntropy).spill(Duration::MAX);
    let time = UnixMicros(5);
    let made = ids.generate_all((0..ROWS).map(|_| time)).unwrap();
    assert!(made.into_iter().eq(5..ROWS + 5));
    // From the last to the first: each is full, and so is the next one.
    for time in (0..ROWS).rev() {
        ids.generate(UnixMicros(time.into())).unwrap();
    }
    assert_eq!(ids.generate(UnixMicros(u64::MAX.into())), Ok(u64::MAX));
    let error = ids.generate(UnixMicros(u64::MAX.into())).unwrap_err();
    assert!(matches!(error.obstacle(), BackfillObstacle::Full { capacity: 1, .. }), "{error:?}");
}

#[test]
fn errors_say_what_was_expected() {
    let ids = || Backfill::from_parts(Three, NoEntropy);
    let full = |ids: &mut Backfill<Three, NoEntropy>| ids.generate_all([seconds(7); 9]).unwrap_err();
    let mut resumed = ids().ascending();
    resumed.resume_after((7, 0)).unwrap();
    let errors = [
        full(&mut ids()),
        full(&mut ids().spill(Duration::from_secs(1))),
        ids().ascending().generate_all([7, 8, 5].map(seconds)).unwrap_err(),
        resumed.generate(seconds(5)).unwrap_err(),
        ids().generate_all([seconds(99); 4]).unwrap_err(),
        ids().spill(Duration::from_secs(200)).generate_all([seconds(98); 7]).unwrap_err(),
        ids().generate(seconds(100)).unwrap_err(),
        ids().generate_all([UnixMicros(i128::MAX)]).unwrap_err(),
        ids().generate(UnixMillis(-1000)).unwrap_err(),
        ids().resume_after((1000, 0)).unwrap_err(),
    ];
    let messages = [
        "index 3: no ID is left for 1970-01-01T00:00:07.000000Z: its tick is full, with room for at least 3 IDs; let IDs \
         take later ticks with `spill`, or make the times differ",
        "index 6: no ID is left for 1970-01-01T00:00:07.000000Z: its tick and those up to 1.000000 s later are full, with \
         room for at least 3 IDs; let IDs take even later ticks with `spill`, or make the times differ",
        "index 2: 1970-01-01T00:00:05.000000Z is 3.000000 s before the last time, of 1970-01-01T00:00:08.000000Z, expected \
         ascending times: sort them, or leave `ascending` out",
        "1970-01-01T00:00:05.000000Z is before the ID after which the backfill continues, of \
         1970-01-01T00:00:07.000000Z: leave out the times that have IDs, or allow the same `spill` as before",
        "index 3: no ID is left for 1970-01-01T00:01:39.000000Z: its tick and all up to the last one are full, with room \
         for at least 3 IDs; make the times differ",
        "index 6: no ID is left for 1970-01-01T00:01:38.000000Z: its tick and all up to the last one are full, with room \
         for at least 3 IDs; make the times differ",
        "no ID has the time 1970-01-01T00:01:40.000000Z, expected 1970-01-01T00:00:00.000000Z to \
         1970-01-01T00:01:39.999999Z: correct the time, or choose another kind of ID",
        "index 0: no ID has a time after the year 586524, expected 1970-01-01T00:00:00.000000Z to \
         1970-01-01T00:01:39.999999Z: correct the time, or choose another kind of ID",
        "no ID has a time before 1970, expected 1970-01-01T00:00:00.000000Z to 1970-01-01T00:01:39.999999Z: correct the \
         time, or choose another kind of ID",
        "the ID has no time, so a backfill cannot continue after it",
    ];
    let indexes = [Some(3), Some(6), Some(2), None, Some(3), Some(6), None, Some(0), None, None];
    assert_eq!(errors.each_ref().map(BackfillError::index), indexes);
    for (error, message) in errors.iter().zip(messages) {
        assert_eq!(error.to_string(), message);
    }
}

#[test]
fn the_last_time_of_the_range_is_the_same_for_generators_and_backfills() {
    struct Unknown;

    impl Clock for Unknown {
        fn unix_micros(&self) -> Option<u64> {
            None
        }
    }

    let generator = Generator::from_parts(One, Unknown, NoEntropy);
    let error = generator.try_generate().unwrap_err();
    assert_eq!(error.kind(), GenerateErrorKind::ClockOutOfRange, "{error:?}");
    let error = Backfill::from_parts(One, NoEntropy).generate(UnixMicros(i128::MAX)).unwrap_err();
    assert!(matches!(error.obstacle(), BackfillObstacle::OutOfRange { last: u64::MAX, .. }), "{error:?}");
}
