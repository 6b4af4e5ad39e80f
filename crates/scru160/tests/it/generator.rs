//! The common scenarios for each option, and the rules that only SCRU160 has.

use scru160::{
    GenerateErrorKind, Generator, Options, Scru160,
    testing::{ManualClock, SeededEntropy},
};
use sortid_testkit::sortid_core::{BackfillRules as _, NodeOptions as _};
use std::time::{Duration, UNIX_EPOCH};

const START: Duration = Duration::from_millis(1_631_540_490_683);

fn ids(options: Options, clock: &ManualClock) -> Generator<&ManualClock, SeededEntropy> {
    options.build_with(clock, SeededEntropy::new(42))
}

/// Returns all IDs of one tick: a frozen clock stays in it.
fn of_one_tick(options: Options) -> Vec<Scru160> {
    let clock = ManualClock::new(START);
    let ids = ids(options, &clock);
    std::iter::from_fn(|| ids.try_generate().ok()).collect()
}

#[test]
fn each_option_passes_the_common_scenarios() {
    let new = Options::new();
    sortid_testkit::scenarios(new, START, 32_769);
    sortid_testkit::scenarios(new.counter_start_bits(0).unwrap(), START, 65_536);
    sortid_testkit::scenarios(new.counter_start_bits(3).unwrap().node(1, 16).unwrap(), START, 65_529);
    sortid_testkit::scenarios(new.node(5, 3).unwrap().counter_extension_bits(6).unwrap(), START, 100_000);
    sortid_testkit::scenarios(Options::with_micros_counter(), START, 33);
    sortid_testkit::scenarios(
        Options::with_micros_counter().counter_extension_bits(4).unwrap(),
        START,
        33 * 16,
    );
}

#[test]
fn each_option_passes_the_scenarios_of_backfills() {
    let new = Options::new();
    sortid_testkit::backfills(new, START, 32_769);
    sortid_testkit::backfills(new.counter_start_bits(3).unwrap().node(1, 16).unwrap(), START, 65_529);
    sortid_testkit::backfills(new.node(5, 3).unwrap().counter_extension_bits(6).unwrap(), START, 100_000);
    sortid_testkit::backfills(Options::with_micros_counter(), START, 33);
    sortid_testkit::backfills(
        Options::with_micros_counter().counter_extension_bits(4).unwrap(),
        START,
        33 * 16,
    );
}

#[test]
fn threads_generate_a_million_ids_in_order() {
    static IDS: Generator = Generator::new();
    sortid_testkit::threads!(IDS, 2, 1_000_000);
    sortid_testkit::threads!(IDS, 5, 200_000);
    sortid_testkit::threads!(Options::with_micros_counter().build(), 2, 100_000);
    let extended = Options::new().counter_extension_bits(16).unwrap();
    sortid_testkit::threads!(extended.build(), 3, 100_000);
}

#[test]
fn the_counter_starts_within_15_bits_and_goes_up_by_one() {
    for seed in 0..200 {
        let clock = ManualClock::new(START);
        let ids = Options::new().build_with(&clock, SeededEntropy::new(seed));
        let first = ids.generate().unwrap();
        let second = ids.generate().unwrap();
        assert!(first.counter() < 1 << 15);
        assert_eq!(second.counter(), first.counter() + 1);
        assert_eq!(second.unix_millis(), 1_631_540_490_683);
        assert_ne!(first.random80(), second.random80());
    }
}

#[test]
fn the_counter_starts_anywhere_within_its_start_bits() {
    for bits in 0..=15 {
        let options = Options::new().counter_start_bits(bits).unwrap();
        let starts: Vec<u16> = (0..64)
            .map(|seed| {
                let clock = ManualClock::new(START);
                options.build_with(&clock, SeededEntropy::new(seed)).generate().unwrap().counter()
            })
            .collect();
        assert!(starts.iter().all(|&start| u32::from(start) < 1 << bits));
        assert!(bits == 0 || starts.iter().any(|&start| start >> (bits - 1) == 1), "bit {bits} is random");
    }
}

#[test]
fn a_tick_ends_at_the_greatest_counter() {
    let ids = of_one_tick(Options::new());
    assert_eq!(ids.last().unwrap().counter(), u16::MAX);
    assert_eq!(ids.len(), usize::from(u16::MAX - ids[0].counter()) + 1);
}

#[test]
fn counter_and_extension_are_one_integer_whose_top_starts_at_random() {
    let options = Options::new().counter_extension_bits(2).unwrap().node(0b101, 3).unwrap();
    let ids = of_one_tick(options);
    let count = |id: &Scru160| u32::from(id.counter()) << 2 | u32::from(id.random16() >> 14);
    assert_eq!(count(&ids[0]) & 0b11, 0);
    assert!(count(&ids[0]) < 1 << 17);
    assert!(ids.windows(2).all(|pair| count(&pair[1]) == count(&pair[0]) + 1));
    assert_eq!(count(ids.last().unwrap()), (1 << 18) - 1);
    assert!(ids.iter().all(|id| id.random16() >> 11 & 0b111 == 0b101));
    let random = |id: &Scru160| id.random16() & ((1 << 11) - 1);
    assert!(ids.iter().any(|id| random(id) >> 10 == 1) && ids.iter().any(|id| random(id) & 1 == 1));
}

#[test]
fn the_extension_can_take_all_of_random16() {
    let clock = ManualClock::new(START);
    let ids = ids(Options::new().counter_extension_bits(16).unwrap(), &clock);
    let first = ids.generate().unwrap();
    assert_eq!(first.random16(), 0);
    let mut last = first;
    for _ in 0..70_000 {
        last = ids.try_generate().unwrap();
    }
    assert_eq!((last.counter(), last.random16()), (first.counter() + 1, (70_000 - 65_536) as u16));
}

#[test]
fn a_node_can_take_all_of_random16() {
    let clock = ManualClock::new(START);
    let id = ids(Options::new().node(0xabcd, 16).unwrap(), &clock).generate().unwrap();
    assert_eq!(id.random16(), 0xabcd);
}

#[test]
fn without_options_random16_is_random() {
    let ids = of_one_tick(Options::new());
    let [any, all] =
        ids.iter().fold([0, u16::MAX], |[any, all], id| [any | id.random16(), all & id.random16()]);
    assert_eq!((any, all), (u16::MAX, 0));
}

#[test]
fn a_microsecond_counter_has_the_microsecond_and_a_count() {
    let clock = ManualClock::new(START + Duration::from_micros(999));
    let generator = ids(Options::with_micros_counter(), &clock);
    let first = generator.try_generate().unwrap();
    assert_eq!((first.unix_millis(), first.counter() >> 6), (1_631_540_490_683, 999));
    assert!(first.counter() & 0b11_1111 < 32);
    let rest: Vec<_> = std::iter::from_fn(|| generator.try_generate().ok()).collect();
    assert!(rest.len() >= 32, "more than 32 IDs a microsecond");
    assert_eq!(rest.last().unwrap().counter(), 999 << 6 | 63);
    clock.advance(Duration::from_micros(1));
    let next = generator.try_generate().unwrap();
    assert_eq!((next.unix_millis(), next.counter() >> 6), (1_631_540_490_684, 0));
}

#[test]
fn a_generator_with_a_microsecond_counter_resumes_within_the_microsecond() {
    let clock = ManualClock::new(START + Duration::from_micros(42));
    let last = ids(Options::with_micros_counter(), &clock).generate().unwrap();
    let generator = ids(Options::with_micros_counter(), &clock);
    generator.resume_after(last).unwrap();
    let next = generator.generate().unwrap();
    assert_eq!((next.unix_millis(), next.counter()), (last.unix_millis(), last.counter() + 1));
}

#[test]
fn a_backfill_with_a_microsecond_counter_takes_the_microseconds_of_a_millisecond() {
    let make = |count| {
        Options::with_micros_counter().backfill_with(SeededEntropy::new(1)).generate_all(vec![
            UNIX_EPOCH
                + START;
            count
        ])
    };
    let ids = make(33 * 1000).unwrap();
    assert!(ids.iter().all(|id| id.unix_millis() == 1_631_540_490_683));
    let error = make(64 * 1000 + 1).unwrap_err();
    assert_eq!(error.kind(), GenerateErrorKind::Exhausted, "{error}");
}

#[test]
fn generators_never_use_the_reserved_timestamps() {
    for options in [Options::new(), Options::with_micros_counter()] {
        for (millis, fine) in
            [(0, false), (1, true), ((1 << 48) - 2, true), ((1 << 48) - 1, false), (1 << 48, false)]
        {
            for micros in [0, 999] {
                let time = Duration::from_millis(millis) + Duration::from_micros(micros);
                let made = ids(options, &ManualClock::new(time)).generate();
                assert_eq!(
                    made.map(|id| id.unix_millis()).ok(),
                    fine.then_some(millis),
                    "{options:?} at {time:?}"
                );
            }
        }
    }
}

#[test]
fn a_tick_has_at_least_the_documented_number_of_ids() {
    let new = Options::new();
    let extended = new.counter_start_bits(8).unwrap().counter_extension_bits(4).unwrap();
    for (options, capacity) in [
        (new, 32_769),
        (new.counter_start_bits(0).unwrap(), 1 << 16),
        (extended, (1 << 20) - 16 * 255),
        (Options::with_micros_counter(), 33),
    ] {
        assert_eq!(options.backfill_capacity(), capacity, "{options:?}");
    }
}

#[test]
fn the_node_id_is_a_node_of_as_many_bits_as_the_greatest_needs() {
    let new = Options::new();
    assert_eq!(new.with_node_id(5, 9), Ok(new.node(5, 4).unwrap()));
    assert!(new.with_node_id(0, 1 << 16).is_ok());
    let extended = new.counter_extension_bits(12).unwrap();
    assert!(extended.with_node_id(15, 16).is_ok());
    assert_eq!(extended.with_node_id(0, 17).unwrap_err().option(), "size of the space");
}

#[test]
fn option_errors_say_what_was_expected() {
    let new = Options::new();
    for (result, message) in [
        (new.counter_start_bits(16), "counter start bits: expected 0 to 15, found 16"),
        (
            Options::with_micros_counter().counter_start_bits(6),
            "counter start bits: expected 0 to 5, found 6",
        ),
        (new.counter_extension_bits(17), "counter extension bits: expected 0 to 16, found 17"),
        (
            new.node(0, 10).unwrap().counter_extension_bits(7),
            "counter extension bits: expected 0 to 6, found 7",
        ),
        (new.node(0, 17), "node bits: expected 0 to 16, found 17"),
        (new.counter_extension_bits(9).unwrap().node(1, 8), "node bits: expected 0 to 7, found 8"),
        (new.node(32, 5), "node: expected 0 to 31, found 32"),
        (new.node(1, 0), "node: expected 0, found 1"),
    ] {
        assert_eq!(result.unwrap_err().to_string(), message);
    }
}

#[test]
fn threads_have_generators_of_their_own() {
    sortid_testkit::in_threads(scru160::new_unordered, 4, 200_000);
}
