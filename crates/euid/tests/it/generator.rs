//! The common scenarios for each option, and the rules that only EUID has.

use euid::{
    Entropy, EntropyError, Euid, Extension, GenerateErrorKind, Generator, Options,
    testing::{ManualClock, SeededEntropy},
};
use sortid_testkit::sortid_core::{BackfillRules as _, NodeOptions as _};
use std::{sync::Mutex, time::Duration};

const START: Duration = Duration::from_millis(1_694_158_529_305);

fn with(extension: u16) -> Options {
    Options::new().extension(Extension::new(extension).unwrap())
}

#[test]
fn each_option_passes_the_scenarios_of_backfills() {
    sortid_testkit::backfills(Options::new(), START, 100_000);
    sortid_testkit::backfills(with(5), START, 100_000);
    sortid_testkit::backfills(with(32_767), START, 100_000);
}

#[test]
fn each_option_passes_the_common_scenarios() {
    sortid_testkit::scenarios(Options::new(), START, 100_000);
    sortid_testkit::scenarios(with(0), START, 100_000);
    sortid_testkit::scenarios(with(5), START, 100_000);
    sortid_testkit::scenarios(with(32_767), START, 100_000);
}

#[test]
fn threads_generate_a_million_ids_in_order() {
    static IDS: Generator = Generator::new();
    sortid_testkit::threads!(IDS, 2, 1_000_000);
    sortid_testkit::threads!(with(77).build(), 5, 200_000);
}

#[test]
fn threads_of_one_millisecond_share_the_upper_half() {
    let clock = ManualClock::new(START);
    let ids = with(5).build_with(&clock, SeededEntropy::new(3));
    let lists = std::thread::scope(|scope| {
        [(); 2]
            .map(|()| scope.spawn(|| (0..10_000).map(|_| ids.generate().unwrap()).collect::<Vec<_>>()))
            .map(|t| t.join().unwrap())
    });
    let mut all = lists.concat();
    all.sort_unstable();
    let first = all[0];
    for (index, id) in all.iter().enumerate() {
        assert_eq!(id.to_u128() >> 64, first.to_u128() >> 64);
        assert_eq!(id.random_high(), first.random_high() + index as u32);
    }
}

/// The first use of a generator is not a fork, whichever thread notices first that nobody used it before.
#[test]
fn threads_that_begin_at_the_same_time_share_the_millisecond() {
    let clock = ManualClock::new(START);
    for seed in 0..3_000 {
        let ids = Options::new().build_with(&clock, SeededEntropy::new(seed));
        let begin = std::sync::Barrier::new(2);
        let both = std::thread::scope(|scope| {
            let generate = || {
                begin.wait();
                ids.generate().unwrap()
            };
            [(); 2].map(|()| scope.spawn(generate)).map(|thread| thread.join().unwrap())
        });
        assert_eq!(both[0].unix_millis(), both[1].unix_millis());
    }
}

#[test]
fn within_a_millisecond_the_upper_half_stays_and_random_high_counts() {
    let clock = ManualClock::new(START);
    let ids = Options::new().build_with(&clock, SeededEntropy::new(1));
    let [first, second, third] = [(); 3].map(|()| ids.generate().unwrap());
    assert_eq!(first.to_u128() >> 64, third.to_u128() >> 64);
    assert_eq!(second.random_high(), first.random_high() + 1);
    assert_eq!(third.random_high(), first.random_high() + 2);
    assert_ne!(first.random_low(), second.random_low());
    clock.advance(Duration::from_millis(1));
    let fourth = ids.generate().unwrap();
    assert_eq!(fourth.unix_millis(), first.unix_millis() + 1);
    assert_ne!(
        (fourth.random_upper(), fourth.random_high()),
        (third.random_upper(), third.random_high() + 1)
    );
}

#[test]
fn every_random_bit_is_random() {
    for (options, upper_bits) in [(Options::new(), 15), (with(5), 12), (with(32_767), 0)] {
        let make = |seed| {
            let clock = ManualClock::new(START);
            options.build_with(&clock, SeededEntropy::new(seed)).generate().unwrap()
        };
        let ids: Vec<Euid> = (0..100).map(make).collect();
        let upper = ids
            .iter()
            .fold([0, u16::MAX], |[any, all], id| [any | id.random_upper(), all & id.random_upper()]);
        assert_eq!(upper, [((1_u32 << upper_bits) - 1) as u16, 0]);
        let low = ids.iter().fold([0, u64::MAX], |[any, all], id| {
            let random = u64::from(id.random_high()) << 32 | u64::from(id.random_low());
            [any | random, all & random]
        });
        assert_eq!(low, [u64::MAX, 0]);
    }
}

/// A source that returns these bytes, one after another, and then fails.
struct Scripted(Mutex<std::collections::VecDeque<u8>>);

impl Entropy for Scripted {
    fn fill(&self, bytes: &mut [u8]) -> Result<(), EntropyError> {
        let mut script = self.0.lock().unwrap();
        for byte in bytes {
            *byte = script.pop_front().ok_or(EntropyError::from("the script is at its end"))?;
        }
        Ok(())
    }
}

#[test]
fn random_high_at_its_end_ends_the_millisecond() {
    // Upper bits, random high two before its end, and four bytes of random low for each ID.
    let script = [&[0xff; 5][..], &[0xfe], &[1; 4], &[2; 4], &[0; 6], &[3; 4]].concat();
    let clock = ManualClock::new(START);
    let ids = Options::new().build_with(&clock, Scripted(Mutex::new(script.into())));
    assert_eq!(ids.try_generate().unwrap().random_high(), u32::MAX - 1);
    let last = ids.try_generate().unwrap();
    assert_eq!((last.random_upper(), last.random_high(), last.random_low()), (0x7fff, u32::MAX, 0x0202_0202));
    for result in [ids.try_generate(), ids.generate()] {
        let error = result.unwrap_err();
        assert_eq!(
            (error.kind(), error.retry_after()),
            (GenerateErrorKind::Exhausted, Some(Duration::from_millis(1)))
        );
    }
    clock.advance(Duration::from_millis(1));
    let next = ids.try_generate().unwrap();
    assert!(next > last && next.random_high() == 0);
}

#[test]
fn each_id_has_the_extension_and_its_length() {
    for (value, bits) in [(0, 1), (0, 15), (5, 3), (5, 8), (32_767, 15)] {
        let extension = Extension::with_bits(value, bits).unwrap();
        let ids = Options::new().extension(extension).build();
        for _ in 0..10 {
            assert_eq!(ids.generate().unwrap().extension(), Some(extension));
        }
    }
}

#[test]
fn next_after_keeps_the_extension() {
    let clock = ManualClock::new(START);
    let entropy = SeededEntropy::new(1);
    for options in [Options::new(), with(5), Options::new().extension(Extension::with_bits(5, 9).unwrap())] {
        clock.set(START);
        let id = options.build_with(&clock, &entropy).generate().unwrap();
        let after = |id| Euid::next_after_with(id, &clock, &entropy);

        let same = after(id).unwrap();
        assert_eq!(same.to_u128() >> 32, (id.to_u128() >> 32) + 1, "the same millisecond: random high + 1");
        clock.set(START - Duration::from_secs(1));
        assert_eq!(after(id).unwrap().to_u128() >> 32, same.to_u128() >> 32, "the clock went back");
        clock.set(START + Duration::from_secs(1));
        let later = after(id).unwrap();
        assert_eq!((later.unix_millis(), later.extension()), (id.unix_millis() + 1000, id.extension()));
        clock.set(START - Duration::from_secs(60));
        assert_eq!(after(id).unwrap_err().kind(), GenerateErrorKind::ClockRollback);
        clock.set(START);
        let last = Euid::try_from_fields(id.unix_millis(), 0, None, u32::MAX, 0).unwrap();
        assert_eq!(after(last).unwrap_err().kind(), GenerateErrorKind::Exhausted);
    }
    let first = euid::new();
    assert!(first.next_after().unwrap() > first);
}

#[test]
fn generators_use_the_first_and_the_last_millisecond_and_no_time_outside() {
    let last = Duration::from_millis((1 << 45) - 1);
    for (time, timestamp) in
        [(Duration::ZERO, Some(0)), (last, Some((1 << 45) - 1)), (last + Duration::from_millis(1), None)]
    {
        let ids = Options::new().build_with(ManualClock::new(time), SeededEntropy::new(1));
        assert_eq!(ids.generate().ok().map(|id| id.unix_millis()), timestamp);
    }
}

#[test]
fn a_millisecond_of_a_backfill_has_at_least_2_to_the_31_ids() {
    assert_eq!(Options::new().backfill_capacity(), 1 << 31);
    assert_eq!(with(77).backfill_capacity(), 1 << 31);
}

#[test]
fn the_node_id_is_an_extension_of_as_many_bits_as_the_greatest_needs() {
    let new = Options::new();
    let with_bits = |node_id, bits| Ok(new.extension(Extension::with_bits(node_id, bits).unwrap()));
    assert_eq!(new.with_node_id(5, 9), with_bits(5, 4));
    assert_eq!(new.with_node_id(0, 1), with_bits(0, 1));
    assert_eq!(new.with_node_id(32_767, 1 << 15), with_bits(32_767, 15));
    assert_eq!(new.with_node_id(0, (1 << 15) + 1).unwrap_err().option(), "size of the space");
}

#[test]
fn threads_have_generators_of_their_own() {
    sortid_testkit::in_threads(euid::new_unordered, 4, 200_000);
}
