//! The scenarios of backfills.

use proptest::prelude::*;
use sortid_core::{
    __private::BackfillObstacle, Backfill, BackfillError, BackfillRules, Entropy, EntropyError, UnixMicros,
    UnixTime as _, testing::SeededEntropy,
};
use std::{
    cell::Cell,
    collections::HashSet,
    fmt::Debug,
    hash::Hash,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

/// Runs every scenario of a backfill.
///
/// `start` is a common time of the specification, since 1970 and at the beginning of a tick. A tick must have `at_least` IDs, whatever
/// the random bytes are.
///
/// # Panics
///
/// If the backfill fails a scenario.
pub fn backfills<R>(options: R, start: Duration, at_least: usize)
where
    R: BackfillRules<Id: Ord + Hash + Debug> + Copy + Debug,
{
    let start = UNIX_EPOCH + start;
    room_of_a_tick(options, start, at_least);
    rows_of_a_table(options, start);
    full_ticks(options, start);
    out_of_range(options, start);
    no_random_bytes(options, start);
    resume_after(options, start);
    any_times(options, start);
}

fn micros(time: SystemTime) -> u64 {
    time.unix_micros() as u64
}

fn tick<R: BackfillRules>(options: &R, time: SystemTime) -> u64 {
    options.tick(micros(time)).unwrap()
}

fn tick_of<R: BackfillRules>(options: &R, id: R::Id) -> u64 {
    options.position(id).unwrap().tick
}

/// The length of a tick.
fn length<R: BackfillRules>(options: &R, start: SystemTime) -> Duration {
    let at = tick(options, start);
    Duration::from_micros(options.tick_start(at + 1) - options.tick_start(at))
}

/// The same byte again and again.
struct Constant(u8);

impl Entropy for Constant {
    fn fill(&self, bytes: &mut [u8]) -> Result<(), EntropyError> {
        bytes.fill(self.0);
        Ok(())
    }
}

fn is_full(error: &BackfillError) -> bool {
    matches!(error.obstacle(), BackfillObstacle::Full { .. })
}

/// All IDs of a tick, up to a limit. Afterwards it is full, for good.
fn of_one_tick<R: BackfillRules>(mut ids: Backfill<R, impl Entropy>, time: SystemTime) -> Vec<R::Id> {
    let mut made = vec![];
    while made.len() < 100_000 {
        match ids.generate(time) {
            Ok(id) => made.push(id),
            Err(error) => {
                assert!(is_full(&error), "{error:?}");
                assert!((0..100).all(|_| ids.generate(time).is_err()), "a full tick stays full");
                break;
            }
        }
    }
    made
}

/// A tick has room for as many IDs as promised, whatever the random bytes are. They ascend.
fn room_of_a_tick<R: BackfillRules<Id: Ord + Debug> + Copy>(options: R, start: SystemTime, at_least: usize) {
    let backfill = |entropy| Backfill::from_parts(options, entropy).spill(Duration::ZERO);
    let backfill_with = |seed| Backfill::from_parts(options, SeededEntropy::new(seed)).spill(Duration::ZERO);
    for byte in [0, 0x7f, 0x80, 0xfe, 0xff] {
        for made in [
            of_one_tick(backfill(Constant(byte)), start),
            of_one_tick(backfill(Constant(byte)).ascending(), start),
        ] {
            assert!(made.len() >= at_least, "{} IDs from bytes of {byte}", made.len());
            assert!(made.len() as u64 >= options.backfill_capacity().min(100_000));
            assert!(made.is_sorted_by(|a, b| a < b));
            assert!(made.iter().all(|id| tick_of(&options, *id) == tick(&options, start)));
        }
    }
    let rows = vec![start; at_least.min(20_000)];
    for seed in 0..100 {
        let made = backfill_with(seed).generate_all(rows.iter().copied()).unwrap();
        assert!(made.is_sorted_by(|a, b| a < b));
        assert!(made.iter().all(|id| tick_of(&options, *id) == tick(&options, start)));
    }
}

/// The rows of a table keep their time and their order, again and again: rows of few times, and of one, in any order and
/// ascending. A tick that has less room than there are rows spills over.
fn rows_of_a_table<R: BackfillRules<Id: Ord + Hash + Debug> + Copy>(options: R, start: SystemTime) {
    const ROWS: u64 = 2_000;

    for seed in 0..20 {
        for times in [1, 17, 1000] {
            let order = SeededEntropy::new(seed);
            let mut rows: Vec<SystemTime> = (0..ROWS)
                .map(|_| u64::from_be_bytes(order.draw().unwrap()) % times)
                .map(|tick| start + Duration::from_millis(tick))
                .collect();
            let spill = Duration::from_millis(10);
            let mut ids = Backfill::from_parts(options, SeededEntropy::new(seed)).spill(spill);
            check_rows(options, spill, &rows, &ids.generate_all(rows.iter().copied()).unwrap());
            rows.sort();
            let mut ids = Backfill::from_parts(options, SeededEntropy::new(seed)).spill(spill).ascending();
            let made = ids.generate_all(rows.iter().copied()).unwrap();
            assert!(made.is_sorted_by(|a, b| a < b));
            check_rows(options, spill, &rows, &made);
        }
    }
}

/// The IDs are distinct, those of one tick are in order, and none is before its time or spills further than it may.
fn check_rows<R: BackfillRules<Id: Ord + Hash + Debug> + Copy>(
    options: R,
    spill: Duration,
    rows: &[SystemTime],
    ids: &[R::Id],
) {
    assert_eq!(rows.len(), ids.len());
    assert_eq!(ids.iter().collect::<HashSet<_>>().len(), ids.len(), "all distinct");
    let mut last = std::collections::HashMap::new();
    for (row, id) in rows.iter().zip(ids) {
        let asked = tick(&options, *row);
        let made = tick_of(&options, *id);
        let later = options.tick_start(made).checked_sub(options.tick_start(asked));
        assert!(later.is_some_and(|later| u128::from(later) <= spill.as_micros()), "{id:?} for {row:?}");
        let before = last.insert(asked, *id);
        assert!(before.is_none_or(|before| before < *id), "{id:?} after {before:?}");
    }
}

/// A full tick is an error that says so and changes nothing. With `spill`, the IDs take following ticks.
fn full_ticks<R: BackfillRules<Id: Ord + Debug> + Copy>(options: R, start: SystemTime) {
    let mut ids = Backfill::from_parts(options, Constant(0xff)).spill(Duration::ZERO);
    let mut made = vec![];
    let error = loop {
        match ids.generate(start) {
            Ok(id) => made.push(id),
            Err(error) => break error,
        }
        if made.len() == 100_000 {
            return; // the tick has more IDs than this test makes
        }
    };
    let BackfillObstacle::Full { capacity, spill: 0, .. } = *error.obstacle() else { panic!("{error:?}") };
    assert_eq!(capacity, options.backfill_capacity());
    let error = ids.generate_all([start + 4 * length(&options, start), start]).unwrap_err();
    assert!(is_full(&error) && error.index() == Some(1), "{error:?}");

    let spill = 3 * length(&options, start);
    let mut ids = ids.spill(spill);
    let following: Vec<_> = std::iter::from_fn(|| ids.generate(start).ok()).collect();
    assert!(following.len() as u64 >= 3 * capacity, "three ticks");
    assert!(made.last() < following.first() && following.is_sorted_by(|a, b| a < b));
    assert_eq!(tick_of(&options, following[0]), tick(&options, start) + 1);
    assert_eq!(tick_of(&options, *following.last().unwrap()), tick(&options, start) + 3);
    // A time of its own has room where it does not spill.
    assert!(ids.generate(start + 5 * length(&options, start)).is_ok());
}

/// A time outside of the timestamp's range is an error, and never another time.
fn out_of_range<R: BackfillRules<Id: Ord + Debug> + Copy>(options: R, start: SystemTime) {
    let ticks = options.ticks();
    let first = options.tick_start(*ticks.start());
    let after_last = ticks.end().checked_add(1).map(|next| i128::from(options.tick_start(next)));
    let after_last = after_last.unwrap_or(1 << 64);
    for mut ids in [
        Backfill::from_parts(options, SeededEntropy::new(1)),
        Backfill::from_parts(options, SeededEntropy::new(1)).ascending(),
    ] {
        let all = [i128::MIN, -1, i128::from(first) - 1, after_last, 1 << 64, 1 << 127 >> 1, i128::MAX];
        for time in all {
            let error = ids.generate(UnixMicros(time)).unwrap_err();
            let BackfillObstacle::OutOfRange { first: least, last, .. } = *error.obstacle() else {
                panic!("{error:?}")
            };
            assert_eq!((least, i128::from(last)), (first, after_last - 1));
            assert!(error.to_string().contains("expected "), "{error}");
        }
        for time in [i128::from(first), i128::from(micros(start)), after_last - 1] {
            let id = ids.generate(UnixMicros(time)).unwrap();
            assert_eq!(Some(tick_of(&options, id)), options.tick(time as u64));
        }
    }
}

/// A source of random bytes that fails after some draws.
struct Fallible<'a> {
    bytes: SeededEntropy,
    left: &'a Cell<usize>,
}

impl Entropy for Fallible<'_> {
    fn fill(&self, bytes: &mut [u8]) -> Result<(), EntropyError> {
        let left = self.left.get().checked_sub(1).ok_or(EntropyError::from("switched off"))?;
        self.left.set(left);
        self.bytes.fill(bytes)
    }
}

/// Without random bytes there is an error, and the backfill continues as if it had not been asked.
fn no_random_bytes<R: BackfillRules<Id: Ord + Debug> + Copy>(options: R, start: SystemTime) {
    if options.random_bits() == 0 {
        return;
    }
    let left = Cell::new(usize::MAX);
    let entropy = || Fallible { bytes: SeededEntropy::new(1), left: &left };
    for mut ids in
        [Backfill::from_parts(options, entropy()), Backfill::from_parts(options, entropy()).ascending()]
    {
        left.set(usize::MAX);
        let first = ids.generate(start).unwrap();
        for draws in 0..2 {
            for time in [start, start + 7 * length(&options, start)] {
                left.set(draws);
                if let Err(error) = ids.generate(time) {
                    let reason = EntropyError::from("switched off");
                    assert_eq!(*error.obstacle(), BackfillObstacle::Entropy(reason));
                    assert!(std::error::Error::source(&error).is_some());
                }
            }
        }
        left.set(usize::MAX);
        let later = ids.generate(start + 7 * length(&options, start)).unwrap();
        assert!(first < later);
    }
}

/// A backfill that resumes after the IDs of another one makes greater IDs for their times.
fn resume_after<R: BackfillRules<Id: Ord + Hash + Debug> + Copy>(options: R, start: SystemTime) {
    let at = |tick: u64| start + Duration::from_millis(tick);
    let rows: Vec<_> = [3, 1, 2, 1, 3, 3, 0, 1, 2, 2].map(at).to_vec();
    let spill = Duration::from_millis(1);
    for cut in 0..rows.len() {
        let mut ids = Backfill::from_parts(options, SeededEntropy::new(1)).spill(spill);
        let mut made = ids.generate_all(rows[..cut].iter().copied()).unwrap();
        let mut ids = Backfill::from_parts(options, SeededEntropy::new(2)).spill(spill);
        for id in made.iter().rev() {
            ids.resume_after(*id).unwrap();
        }
        made.extend(ids.generate_all(rows[cut..].iter().copied()).unwrap());
        check_rows(options, spill, &rows, &made);
    }

    let mut rows = rows;
    rows.sort();
    for cut in 1..rows.len() {
        let mut ids = Backfill::from_parts(options, SeededEntropy::new(1)).spill(spill).ascending();
        let mut made = ids.generate_all(rows[..cut].iter().copied()).unwrap();
        let mut ids = Backfill::from_parts(options, SeededEntropy::new(2)).spill(spill).ascending();
        ids.resume_after(made[cut - 1]).unwrap();
        made.extend(ids.generate_all(rows[cut..].iter().copied()).unwrap());
        assert!(made.is_sorted_by(|a, b| a < b));
        check_rows(options, spill, &rows, &made);
    }

    let mut ids = Backfill::from_parts(options, SeededEntropy::new(1)).ascending();
    let last = ids.generate(at(100)).unwrap();
    let error = ids.generate(at(99)).unwrap_err();
    assert!(
        matches!(error.obstacle(), BackfillObstacle::Descending { by: 1000, is_resumed: false, .. }),
        "{error:?}"
    );
    assert!(ids.generate(at(100)).unwrap() > last, "an error leaves the backfill usable");
    let mut ids = Backfill::from_parts(options, SeededEntropy::new(1)).ascending();
    ids.resume_after(last).unwrap();
    assert!(matches!(
        ids.generate(at(90)).unwrap_err().obstacle(),
        BackfillObstacle::Descending { by: 10_000, is_resumed: true, .. }
    ));
    assert!(ids.generate(at(100)).unwrap() > last);
}

/// For any times, an ID takes the first tick that is not full, and it is greater than the IDs of the tick before it.
fn any_times<R: BackfillRules<Id: Ord + Hash + Debug> + Copy + Debug>(options: R, start: SystemTime) {
    let config = ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() };
    proptest!(config, |(rows in proptest::collection::vec(0_u64..4_000, 0..200), seed: u64)| {
        let rows: Vec<_> = rows.into_iter().map(|micros| start + Duration::from_micros(micros)).collect();
        let spill = Duration::from_millis(1);
        let mut ids = Backfill::from_parts(options, SeededEntropy::new(seed)).spill(spill);
        let mut one_by_one = Backfill::from_parts(options, SeededEntropy::new(seed)).spill(spill);
        let made = ids.generate_all(rows.iter().copied()).unwrap();
        let singly: Vec<_> = rows.iter().map(|row| one_by_one.generate(*row).unwrap()).collect();
        prop_assert_eq!(&made, &singly);
        check_rows(options, spill, &rows, &made);
        let mut sorted = rows.clone();
        sorted.sort_by_key(|row| tick(&options, *row));
        let mut ids = Backfill::from_parts(options, SeededEntropy::new(seed)).spill(spill).ascending();
        let made = ids.generate_all(sorted.iter().copied()).unwrap();
        prop_assert!(made.is_sorted_by(|a, b| a < b));
        check_rows(options, spill, &sorted, &made);
    });
}
