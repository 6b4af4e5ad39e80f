//! The common scenarios for each option, and the rules that only Ulid-Flake has.

use sortid_testkit::sortid_core::{BackfillRules as _, NodeOptions as _, Position};
use std::{
    collections::VecDeque,
    sync::Mutex,
    time::{Duration, UNIX_EPOCH},
};
use ulid_flake::{
    Backfill, Entropy, EntropyError, Epoch, GenerateErrorKind, Generator, Options, SystemClock, scalable,
    testing::{ManualClock, SeededEntropy},
};

const EPOCH: Duration = Duration::from_millis(1_704_067_200_000);
const START: Duration = Duration::from_millis(1_717_653_966_666);

#[test]
fn each_option_passes_the_common_scenarios() {
    let y2020 = Epoch::from_unix_millis(1_577_836_800_000).unwrap();
    sortid_testkit::scenarios(Options::new(), START, 1);
    sortid_testkit::scenarios(Options::new().epoch(y2020), START, 1);
    let node = scalable::Options::new(31).unwrap();
    sortid_testkit::scenarios(node, START, 1);
    sortid_testkit::scenarios(node.epoch(y2020), START, 1);
}

#[test]
fn each_option_passes_the_scenarios_of_backfills() {
    let y2020 = Epoch::from_unix_millis(1_577_836_800_000).unwrap();
    sortid_testkit::backfills(Options::new(), START, 73_000);
    sortid_testkit::backfills(Options::new().epoch(y2020).entropy_bytes(3).unwrap(), START, 73_000);
    let node = scalable::Options::new(31).unwrap();
    assert_eq!((Options::new().backfill_capacity(), node.backfill_capacity()), (73_000, 20_480));
    sortid_testkit::backfills(node, START, 20_480);
    sortid_testkit::backfills(node.epoch(y2020).entropy_bytes(2).unwrap(), START, 20_480);
}

#[test]
fn a_backfill_starts_in_the_lowest_quarter_and_its_steps_are_random() {
    for seed in 0..1000 {
        let mut ids = Options::new().backfill_with(SeededEntropy::new(seed));
        assert!(ids.generate(UNIX_EPOCH + START).unwrap().randomness() < 1 << 18);
        let node = scalable::Options::new(7).unwrap();
        let mut ids = node.backfill_with(SeededEntropy::new(seed));
        let id = ids.generate(UNIX_EPOCH + START).unwrap().scalable();
        assert!(id.randomness() < 1 << 13 && id.scalability() == 7);
    }
    let mut ids = Options::new().backfill_with(SeededEntropy::new(1));
    let made = ids.generate_all(vec![UNIX_EPOCH + START; 60_000]).unwrap();
    let mut steps: Vec<u32> =
        made.windows(2).map(|pair| pair[1].randomness() - pair[0].randomness()).collect();
    let last = steps.split_off(steps.len() - 10);
    assert!(steps[..1000].iter().any(|&step| step > 30) && last.iter().all(|&step| step < 30));
    steps.sort_unstable();
    steps.dedup();
    assert_eq!(steps[0], 1);
    assert!(steps.len() > 30 && steps.len() < 64, "{steps:?}");
}

#[test]
fn the_greatest_step_of_a_backfill_depends_on_the_room_that_is_left() {
    /// Bytes with all bits set.
    struct Ones;

    impl Entropy for Ones {
        fn fill(&self, bytes: &mut [u8]) -> Result<(), EntropyError> {
            bytes.fill(u8::MAX);
            Ok(())
        }
    }

    for (left, step) in
        [(0, None), (1, Some(1)), ((1 << 14) - 1, Some(1)), (1 << 14, Some(2)), (3 << 14, Some(4))]
    {
        let last = Position { tick: 1, count: (1 << 20) - 1 - left };
        let next = Options::new().backfill_next_count(last, &Ones).unwrap();
        assert_eq!(next.map(|next| next - last.count), step, "{left} left");
    }
}

#[test]
fn a_million_rows_of_one_millisecond_spill_into_following_ones() {
    let spill = Duration::from_millis(20);
    for mut ids in [Backfill::default().spill(spill), Backfill::default().spill(spill).ascending()] {
        let made = ids.generate_all(vec![UNIX_EPOCH + START; 1_000_000]).unwrap();
        assert!(made.is_sorted_by(|a, b| a < b));
        assert_eq!(made[0].unix_millis(), 1_717_653_966_666);
        assert!(made.iter().all(|id| id.unix_millis() - 1_717_653_966_666 <= 13));
    }
    let error = Backfill::default().generate_all(vec![UNIX_EPOCH + START; 1_000_000]).unwrap_err();
    assert!(error.index().is_some_and(|index| index >= 73_000), "{error}");
    let message = error.to_string();
    let (_, message) = message.split_once(": ").unwrap();
    assert_eq!(
        message,
        "no ID is left for 2024-06-06T06:06:06.666000Z: its tick is full, with room for at least 73000 IDs; let IDs \
         take later ticks with `spill`, or make the times differ"
    );
}

#[test]
fn threads_generate_a_million_ids_in_order() {
    static IDS: Generator = Generator::new();
    sortid_testkit::threads!(IDS, 2, 1_000_000);
    sortid_testkit::threads!(IDS, 5, 200_000);
    let scalable = scalable::Options::new(3).unwrap().build();
    sortid_testkit::threads!(scalable, 2, 100_000);
}

/// A source that returns these bytes, one after another, and then fails.
struct Scripted(Mutex<VecDeque<u8>>);

impl Scripted {
    fn new(bytes: &[u8]) -> Self {
        Self(Mutex::new(bytes.iter().copied().collect()))
    }
}

impl Entropy for Scripted {
    fn fill(&self, bytes: &mut [u8]) -> Result<(), EntropyError> {
        let mut script = self.0.lock().unwrap();
        for byte in bytes {
            *byte = script.pop_front().ok_or(EntropyError::from("the script is at its end"))?;
        }
        Ok(())
    }
}

fn scripted(options: Options, bytes: &[u8]) -> Generator<ManualClock, Scripted> {
    options.build_with(ManualClock::new(START), Scripted::new(bytes))
}

#[test]
fn a_new_millisecond_draws_all_random_bits_and_each_further_id_a_step_above_zero() {
    let ids = scripted(Options::new(), &[0xff, 0x12, 0x34, 0, 0, 5, 255]);
    let made: Vec<_> = std::iter::from_fn(|| ids.try_generate().ok()).map(|id| id.randomness()).collect();
    assert_eq!(made, [0xf_1234, 0xf_1239, 0xf_1338]);

    let two = scripted(Options::new().entropy_bytes(2).unwrap(), &[0, 0, 1, 0, 0, 1, 0]);
    let made: Vec<_> = std::iter::from_fn(|| two.try_generate().ok()).map(|id| id.randomness()).collect();
    assert_eq!(made, [1, 1 + 0x100]);

    let three = scripted(Options::new().entropy_bytes(3).unwrap(), &[0, 0, 1, 0x0f, 0, 0]);
    let made: Vec<_> = std::iter::from_fn(|| three.try_generate().ok()).map(|id| id.randomness()).collect();
    assert_eq!(made, [1, 1 + 0xf_0000]);
}

#[test]
fn a_step_that_does_not_fit_is_an_error_and_no_smaller_one_follows() {
    let ids = scripted(Options::new(), &[0x0f, 0xff, 0xfe, 2, 1, 1]);
    assert_eq!(ids.try_generate().unwrap().randomness(), 0xf_fffe);
    let error = ids.try_generate().unwrap_err();
    assert_eq!(
        (error.kind(), error.retry_after()),
        (GenerateErrorKind::Exhausted, Some(Duration::from_millis(1)))
    );
    assert_eq!(ids.try_generate(), Err(error));
}

#[test]
fn a_source_of_zeros_is_an_error_and_not_an_endless_loop() {
    let ids = scripted(Options::new(), &[0; 1000]);
    ids.try_generate().unwrap();
    let error = ids.try_generate().unwrap_err();
    assert_eq!(error.to_string(), "no random bytes: 64 draws in a row returned only zeros");
}

#[test]
fn every_bit_of_the_randomness_is_random() {
    let draw = |seed| {
        let clock = ManualClock::new(START);
        Options::new().build_with(&clock, SeededEntropy::new(seed)).generate().unwrap().randomness()
    };
    let [any, all] =
        (0..100).map(draw).fold([0, u32::MAX], |[any, all], random| [any | random, all & random]);
    assert_eq!((any, all), ((1 << 20) - 1, 0));
}

#[test]
fn a_scalable_id_has_its_node_below_its_count() {
    for node in [0, 1, 31] {
        let entropy = Scripted::new(&[0, 0x7f, 0xf0, 15]);
        let options = scalable::Options::new(node).unwrap();
        let ids = options.build_with(ManualClock::new(START), entropy);
        let [first, second] = [(); 2].map(|()| ids.try_generate().unwrap().scalable());
        assert_eq!((first.scalability(), second.scalability()), (node, node));
        assert_eq!((first.randomness(), second.randomness()), (0x7ff0, 0x7fff));
    }
}

#[test]
fn generators_use_the_first_and_the_last_millisecond_and_no_time_outside() {
    let last = EPOCH + Duration::from_millis((1 << 43) - 1);
    for (time, timestamp) in [
        (EPOCH - Duration::from_micros(1), None),
        (EPOCH, Some(0)),
        (last, Some((1 << 43) - 1)),
        (last + Duration::from_millis(1), None),
        (Duration::ZERO, None),
    ] {
        let ids = Options::new().build_with(ManualClock::new(time), SeededEntropy::new(1));
        assert_eq!(ids.generate().ok().map(|id| id.timestamp()), timestamp, "at {time:?}");
    }
}

#[test]
fn a_time_out_of_range_is_named_with_the_range() {
    let ids = Options::new().build_with(ManualClock::new(Duration::ZERO), SeededEntropy::new(1));
    assert_eq!(
        ids.generate().unwrap_err().to_string(),
        "the time is 1970-01-01T00:00:00.000000Z, expected 2024-01-01T00:00:00.000000Z to 2302-09-27T15:10:22.207999Z: \
         correct the time"
    );
}

#[test]
fn option_errors_say_what_was_expected() {
    let node = scalable::Options::new(0).unwrap();
    let messages = [
        Options::new().entropy_bytes(0).unwrap_err(),
        Options::new().entropy_bytes(4).unwrap_err(),
        node.entropy_bytes(3).unwrap_err(),
        scalable::Options::new(32).unwrap_err(),
    ]
    .map(|error| error.to_string());
    assert_eq!(
        messages,
        [
            "entropy bytes: expected 1 to 3, found 0",
            "entropy bytes: expected 1 to 3, found 4",
            "entropy bytes: expected 1 to 2, found 3",
            "node: expected 0 to 31, found 32",
        ]
    );
}

#[test]
fn the_node_id_is_the_node_of_the_scalable_version() {
    let node = |node| scalable::Options::new(node).unwrap();
    assert_eq!(Options::new().with_node_id(5, 6), Ok(node(5)));
    assert_eq!(node(7).with_node_id(31, 32), Ok(node(31)));
    let options = Options::new().entropy_bytes(2).unwrap();
    assert_eq!(options.with_node_id(1, 2), node(1).entropy_bytes(2));
    for (options, size, option) in
        [(Options::new(), 33, "size of the space"), (options.entropy_bytes(3).unwrap(), 2, "entropy bytes")]
    {
        assert_eq!(options.with_node_id(0, size).unwrap_err().option(), option);
    }
}

/// The mean number of IDs of a millisecond. The first is uniform over the field, and each step over `1..=greatest_step`.
fn capacity(field_bits: u32, entropy_bytes: u32) -> f64 {
    let (room, greatest_step) = ((1_usize << field_bits) - 1, (1_usize << (8 * entropy_bytes)) - 1);
    // more[r]: how many IDs follow, on average, if the count can grow by r. sums[r]: the sum of more[..r].
    let (mut more, mut sums) = (vec![0.0], vec![0.0, 0.0]);
    for r in 1..=room {
        let steps = r.min(greatest_step);
        more.push((steps as f64 + sums[r] - sums[r - steps]) / greatest_step as f64);
        sums.push(sums[r] + more[r]);
    }
    1.0 + sums[room + 1] / (room + 1) as f64
}

#[test]
fn the_readme_has_the_computed_capacities() {
    let readme = include_str!("../../README.md");
    for row in [
        format!("| 1, the default | {:.1} | {:.1} |", capacity(20, 1), capacity(15, 1)),
        format!("| 2 | {:.1} | {:.1} |", capacity(20, 2), capacity(15, 2)),
        format!("| 3 | {:.1} | |", capacity(20, 3)),
    ] {
        assert!(readme.contains(&row), "the README does not have the row: {row}");
    }
}

#[test]
fn generators_reach_the_computed_capacity() {
    let mean = capacity(15, 1);
    let clock = ManualClock::new(START);
    let ids = scalable::Options::new(0).unwrap().build_with(&clock, SeededEntropy::new(9));
    let ticks = 3000;
    let mut made = 0;
    for _ in 0..ticks {
        clock.advance(Duration::from_millis(1));
        while ids.try_generate().is_ok() {
            made += 1;
        }
    }
    let measured = f64::from(made) / f64::from(ticks);
    // The number of IDs of a millisecond has a standard deviation of about 75.
    assert!((measured - mean).abs() < 5.0 * 75.0 / f64::from(ticks).sqrt(), "{measured} instead of {mean}");
}

#[test]
fn the_process_wide_generator_returns_its_number_of_resets() {
    let id = ulid_flake::new();
    assert!(ulid_flake::shared().generate().unwrap() > id);
    assert_eq!(ulid_flake::shared().resets(), 0);
}

#[test]
fn new_uses_the_system_clock_and_random_bytes() {
    let first = ulid_flake::new();
    let second = ulid_flake::new();
    assert!(first < second);
    let now = ulid_flake::UlidFlake::min_at(std::time::SystemTime::now()).unwrap().timestamp();
    assert!(now.abs_diff(second.timestamp()) < 60_000);
    let _: Generator<SystemClock> = Generator::default();
}
