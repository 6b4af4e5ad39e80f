//! IDs for given times.

use crate::options::Chosen;
use arbitrary::{Arbitrary, Unstructured};
use sortid::{__with_options, Spec};
use sortid_core::{
    __private::BackfillObstacle, Backfill, BackfillRules, Entropy, EntropyError, Position, Rules, SortableId,
    UnixMicros, UnixMillis, testing::SeededEntropy,
};
use std::{
    cell::Cell,
    collections::{BTreeMap, BTreeSet},
    fmt::Debug,
    ops::RangeInclusive,
    time::Duration,
};
use ulid_flake::Epoch;

/// The most acts of a script that are carried out.
const MOST_ACTS: usize = 64;

#[derive(Arbitrary, Clone, Copy, Debug)]
enum Act {
    /// Makes an ID for a time: ticks from the start on.
    At(u8),
    /// Makes this many IDs for a time.
    Many(u8, u8),
    /// Makes an ID for any time, in microseconds.
    Far(i128),
    Entropy(bool),
    Spill(u8),
    /// Continues after an ID that was made, or after any ID.
    Resume(u8, u8),
    Ascending,
}

#[derive(Arbitrary, Debug)]
struct Script {
    seed: u64,
    acts: Vec<Act>,
}

/// A source of random bytes that can be switched off.
struct Source {
    bytes: SeededEntropy,
    is_on: Cell<bool>,
}

impl Entropy for &Source {
    fn fill(&self, bytes: &mut [u8]) -> Result<(), EntropyError> {
        if self.is_on.get() { self.bytes.fill(bytes) } else { Err(EntropyError::from("switched off")) }
    }
}

/// The first of a few ticks that the IDs get, so that many times are equal.
const START: i128 = 1_717_653_966_666_000;

/// The first byte chooses the rules: those of a specification, whose options follow, or few IDs in a tick.
pub(crate) fn backfill(data: &[u8]) {
    let Some((choice, data)) = data.split_first() else { return };
    let mut bytes = Unstructured::new(data);
    let choice = usize::from(*choice) % (Spec::ALL.len() + 4);
    let chosen = Spec::ALL.get(choice).map(|spec| Chosen::of(*spec, &mut bytes)).transpose();
    let (Ok(chosen), Ok(script)) = (chosen, Script::arbitrary(&mut bytes)) else { return };
    let source = Source { bytes: SeededEntropy::new(script.seed), is_on: Cell::new(true) };
    let Some(chosen) = chosen else {
        return few(Few { capacity: (choice - Spec::ALL.len() + 1) as u64 }, &script, &source);
    };
    // An ID does not store its epoch.
    let default = Epoch::DEFAULT.unix_millis();
    let shift = i128::from(chosen.number("epoch").unwrap_or(default)) - i128::from(default);
    __with_options!(chosen.options, options => laws(options, shift, &script, &source));
}

/// Ticks of a second with few IDs, up to the hundredth second.
#[derive(Clone, Copy, Debug)]
struct Few {
    capacity: u64,
}

const LAST: u64 = 99;

impl Rules for Few {
    type Id = (u64, u64);
    type Random = [u8; 1];

    fn tick(&self, unix_micros: u64) -> Option<u64> {
        Some(unix_micros / 1_000_000)
    }

    fn tick_start(&self, tick: u64) -> u64 {
        tick.saturating_mul(1_000_000)
    }

    fn ticks(&self) -> RangeInclusive<u64> {
        0..=LAST
    }

    fn first_count(&self, _: u64, _: &impl Entropy) -> Result<u64, EntropyError> {
        Ok(0)
    }

    fn next_position(&self, last: Position, _: &impl Entropy) -> Result<Option<Position>, EntropyError> {
        Ok((last.count + 1 < self.capacity).then_some(Position { count: last.count + 1, ..last }))
    }

    fn id(&self, position: Position, _: u16, _: [u8; 1]) -> (u64, u64) {
        (position.tick, position.count)
    }

    fn position(&self, (tick, count): (u64, u64)) -> Option<Position> {
        (tick <= LAST).then_some(Position { tick, count })
    }
}

impl BackfillRules for Few {
    fn backfill_capacity(&self) -> u64 {
        self.capacity
    }
}

/// What a backfill has to remember, kept in the simplest way.
#[derive(Clone, Debug)]
enum Model {
    /// How many places of each tick are used.
    All(BTreeMap<u64, u64>),
    /// The last time, and the last place.
    Ascending(u64, Option<(u64, u64)>),
}

#[derive(Debug, PartialEq)]
enum Outcome {
    Id(u64, u64),
    Full,
    Descending,
}

impl Model {
    /// The place that a time should get, found by trying each tick.
    fn take(&mut self, tick: u64, spill: u64, capacity: u64) -> Outcome {
        match self {
            Self::All(used) => {
                let mut ticks = tick..=(tick + spill).min(LAST);
                let Some(free) = ticks.find(|tick| used.get(tick).is_none_or(|&used| used < capacity)) else {
                    return Outcome::Full;
                };
                let count = used.entry(free).or_default();
                *count += 1;
                Outcome::Id(free, *count - 1)
            }
            Self::Ascending(asked, last) => {
                let place = match *last {
                    Some((at, _)) if at < tick => (tick, 0),
                    None => (tick, 0),
                    Some((at, _)) if tick < *asked || at > tick + spill => return Outcome::Descending,
                    Some((at, count)) if count + 1 < capacity => (at, count + 1),
                    Some((at, _)) => (at + 1, 0),
                };
                if place.0 > LAST || place.0 > tick + spill {
                    return Outcome::Full;
                }
                (*asked, *last) = (tick, Some(place));
                Outcome::Id(place.0, place.1)
            }
        }
    }
}

/// The backfill and the model have the same IDs and the same errors.
fn few(rules: Few, script: &Script, source: &Source) {
    let mut ids = Backfill::from_parts(rules, source);
    let mut model = Model::All(BTreeMap::new());
    let mut spill = 0;
    for &act in script.acts.iter().take(MOST_ACTS) {
        match act {
            Act::Entropy(is) => source.is_on.set(is),
            Act::Spill(by) => {
                spill = u64::from(by) % 128;
                ids = ids.spill(Duration::from_secs(spill));
            }
            Act::Resume(tick, count) => {
                let (tick, count) = (u64::from(tick), u64::from(count) % (rules.capacity + 1));
                assert_eq!(ids.resume_after((tick, count)).is_ok(), tick <= LAST);
                match &mut model {
                    _ if tick > LAST => {}
                    Model::All(used) => {
                        let used = used.entry(tick).or_default();
                        *used = (*used).max(count + 1);
                    }
                    Model::Ascending(_, last) => *last = (*last).max(Some((tick, count))),
                }
            }
            Act::Ascending => {
                if let Model::All(used) = &model {
                    let last = used.last_key_value().map(|(&tick, &used)| (tick, used - 1));
                    model = Model::Ascending(0, last);
                }
                ids = ids.ascending();
            }
            Act::At(tick) => one(&mut ids, &mut model, source, spill, rules, tick.into()),
            Act::Many(tick, count) => {
                for _ in 0..count % 16 {
                    one(&mut ids, &mut model, source, spill, rules, tick.into());
                }
            }
            Act::Far(micros) => {
                let in_range = (0..i128::from(LAST + 1) * 1_000_000).contains(&micros);
                if in_range {
                    one(&mut ids, &mut model, source, spill, rules, micros as u64 / 1_000_000);
                } else {
                    let error = ids.generate(UnixMicros(micros)).unwrap_err();
                    assert!(matches!(error.obstacle(), BackfillObstacle::OutOfRange { .. }), "{error:?}");
                    assert!(!error.to_string().is_empty());
                }
            }
        }
    }
}

fn one(
    ids: &mut Backfill<Few, &Source>,
    model: &mut Model,
    source: &Source,
    spill: u64,
    rules: Few,
    tick: u64,
) {
    let made = ids.generate(UnixMillis(1000 * i128::from(tick)));
    let expected = (tick <= LAST && source.is_on.get()).then(|| model.take(tick, spill, rules.capacity));
    match (made, expected) {
        (Ok(id), Some(Outcome::Id(tick, count))) => assert_eq!(id, (tick, count)),
        (Err(error), expected) => {
            let is_expected = match error.obstacle() {
                BackfillObstacle::OutOfRange { .. } => tick > LAST,
                BackfillObstacle::Entropy(_) => tick <= LAST && !source.is_on.get(),
                BackfillObstacle::Full { .. } => expected == Some(Outcome::Full),
                BackfillObstacle::Descending { .. } => expected == Some(Outcome::Descending),
                BackfillObstacle::NoTime => false,
            };
            assert!(is_expected, "{error:?}, expected {expected:?}");
        }
        (made, expected) => panic!("{made:?}, expected {expected:?}"),
    }
}

/// IDs are distinct, each has its time, `shift` milliseconds after the one that it shows, and those of one time are in order.
fn laws<R>(rules: R, shift: i128, script: &Script, source: &Source)
where
    R: BackfillRules<Id: SortableId + Debug> + Copy,
{
    let mut ids = Backfill::from_parts(rules, source);
    let mut spill = rules.backfill_spill();
    let mut all = BTreeSet::new();
    let mut made = vec![];
    let mut last_of = BTreeMap::new();
    let (mut is_ascending, mut is_resumed) = (false, false);
    let mut greatest = None;
    for &act in script.acts.iter().take(MOST_ACTS) {
        let (time, count) = match act {
            Act::At(tick) => (START + i128::from(tick % 8) * 500, 1),
            Act::Many(tick, count) => (START + i128::from(tick % 8) * 500, count),
            Act::Far(micros) => (micros, 1),
            Act::Entropy(is) => {
                source.is_on.set(is);
                continue;
            }
            Act::Spill(by) => {
                spill = Duration::from_micros(u64::from(by) * 500);
                ids = ids.spill(spill);
                // IDs of one time are in order as long as the allowance does not change.
                last_of.clear();
                continue;
            }
            Act::Resume(index, which) => {
                let id = match which % 4 {
                    0 => R::Id::MIN,
                    1 => R::Id::MAX,
                    _ => made.get(usize::from(index)).copied().unwrap_or(R::Id::MIN),
                };
                assert!(ids.resume_after(id).is_ok() || rules.position(id).is_none());
                is_resumed = true;
                continue;
            }
            Act::Ascending => {
                ids = ids.ascending();
                is_ascending = true;
                continue;
            }
        };
        for _ in 0..count {
            let id = match ids.generate(UnixMicros(time)) {
                Ok(id) => id,
                Err(error) => {
                    let is_in_range = u64::try_from(time)
                        .is_ok_and(|time| rules.tick(time).is_some_and(|tick| rules.ticks().contains(&tick)));
                    assert_eq!(matches!(error.obstacle(), BackfillObstacle::OutOfRange { .. }), !is_in_range);
                    match error.obstacle() {
                        BackfillObstacle::Entropy(_) => assert!(!source.is_on.get()),
                        BackfillObstacle::Descending { .. } => assert!(is_ascending),
                        BackfillObstacle::Full { .. } => assert!(is_resumed || !made.is_empty()),
                        BackfillObstacle::OutOfRange { first, last, .. } => assert!(first < last),
                        BackfillObstacle::NoTime => panic!("{error:?}"),
                    }
                    break;
                }
            };
            assert!(all.insert(id), "{id} repeats");
            let millis = i128::from(id.unix_micros().unwrap()) / 1000 + shift;
            let late = spill.as_micros() as i128;
            assert!((time / 1000..=(time + late) / 1000 + 1).contains(&millis), "{id} of {time}");
            let tick = rules.tick(time as u64);
            let position = rules.position(id).unwrap();
            if late == 0 {
                assert_eq!(Some(position.tick), tick, "{id} has its time");
            }
            assert!(Some(position.tick) >= tick && rules.ticks().contains(&position.tick), "{id}");
            let before = last_of.insert(tick, id);
            assert!(before < Some(id), "{id} after {before:?}");
            if is_ascending {
                assert!(greatest < Some(id), "{id} after {greatest:?}");
            }
            greatest = greatest.max(Some(id));
            made.push(id);
        }
    }
}
