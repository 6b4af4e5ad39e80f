//! The random fields of a million IDs. The seeds are fixed, so the results are always the same.
//!
//! Each test requires |z| < 4.9 of a statistic that is normal if the bits are random: the odds of a false alarm are one in a
//! million.

use sortid_core::{
    Entropy as _, Generator, Rules,
    testing::{ManualClock, SeededEntropy},
};
use std::time::Duration;

const COUNT: usize = 1_000_000;
const MOST: f64 = 4.9;

const NOW: Duration = Duration::from_secs(1_795_244_400);

/// The random bits, as integers, of a million IDs, each the first of its tick.
fn random_bits<R: Rules>(options: R, seed: u64, bits: impl Fn(R::Id) -> u128) -> Vec<u128> {
    let clock = ManualClock::new(NOW);
    let ids: Generator<R, _, _> = Generator::from_parts(options, &clock, SeededEntropy::new(seed));
    (0..COUNT)
        .map(|_| {
            clock.advance(Duration::from_millis(1));
            bits(ids.generate().unwrap())
        })
        .collect()
}

/// Each bit is 1 in half of the IDs, and equals the bit of the ID before in half of the IDs.
fn balanced_and_not_correlated(name: &str, samples: &[u128], width: u32) {
    let z = |ones: usize, of: usize| (2.0 * ones as f64 - of as f64) / (of as f64).sqrt();
    for bit in 0..width {
        let is_one = |sample: u128| sample >> bit & 1 == 1;
        let balance = z(samples.iter().filter(|&&sample| is_one(sample)).count(), samples.len());
        assert!(balance.abs() < MOST, "{name}, bit {bit}: balance {balance}");
        for lag in [1, 2, 7] {
            let changes = samples.iter().zip(&samples[lag..]).filter(|&(&a, &b)| is_one(a ^ b)).count();
            let correlation = z(changes, samples.len() - lag);
            assert!(correlation.abs() < MOST, "{name}, bit {bit}, lag {lag}: correlation {correlation}");
        }
        // Bits of one ID are not correlated either.
        let beside = (bit + 1) % width;
        let changes = samples.iter().filter(|&&sample| is_one(sample) != (sample >> beside & 1 == 1)).count();
        let correlation = z(changes, samples.len());
        assert!(width == 1 || correlation.abs() < MOST, "{name}, bits {bit} and {beside}: {correlation}");
    }
    for sample in samples {
        assert_eq!(sample >> width, 0, "{name}: the test looks at all bits");
    }
}

/// Chi-square over 256 classes of the upper bits, as a normal variable.
fn uniform(name: &str, samples: &[u128], width: u32) {
    let mut classes = [0_u32; 256];
    for sample in samples {
        classes[(sample >> (width - 8)) as usize & 255] += 1;
    }
    let expected = samples.len() as f64 / 256.0;
    let chi: f64 = classes.iter().map(|&found| (f64::from(found) - expected).powi(2) / expected).sum();
    // The approximation of Wilson and Hilferty.
    let freedom = 255.0;
    let z = ((chi / freedom).cbrt() - (1.0 - 2.0 / (9.0 * freedom))) / (2.0 / (9.0_f64 * freedom)).sqrt();
    assert!(z.abs() < MOST, "{name}: {chi} of {freedom}, z {z}");
}

fn random(name: &str, samples: &[u128], width: u32) {
    balanced_and_not_correlated(name, samples, width);
    uniform(name, samples, width);
}

#[test]
fn the_random_bits_of_scru160_are_random() {
    let random_of = |id: scru160::Scru160| {
        let random80 = id.random80().iter().fold(0, |int, &byte| int << 8 | u128::from(byte));
        u128::from(id.random16()) << 80 | random80
    };
    random("random16 and random80", &random_bits(scru160::Options::new(), 1, random_of), 96);
    for bits in [15, 9] {
        let options = scru160::Options::new().counter_start_bits(bits).unwrap();
        random("the counter's start", &random_bits(options, 2, |id| id.counter().into()), bits);
    }
    let options = scru160::Options::new().counter_extension_bits(4).unwrap().node(3, 5).unwrap();
    let random87_of = |id| random_of(id) & ((1 << 87) - 1);
    random("below an extension and a node", &random_bits(options, 8, random87_of), 87);
    let options = scru160::Options::with_micros_counter();
    random("beside a counter of microseconds", &random_bits(options, 9, random_of), 96);
}

#[test]
fn the_random_bits_of_euids_are_random() {
    let random_of = |id: euid::Euid| {
        u128::from(id.random_upper()) << 64 | u128::from(id.random_high()) << 32 | u128::from(id.random_low())
    };
    random("all random fields", &random_bits(euid::Options::new(), 3, random_of), 79);
    let extension = euid::Extension::with_bits(1, 5).unwrap();
    random("beside an extension", &random_bits(euid::Options::new().extension(extension), 4, random_of), 74);
}

#[test]
fn the_random_bits_of_ulid_flakes_are_random() {
    let flakes = random_bits(ulid_flake::Options::new(), 5, |id| id.randomness().into());
    random("stand-alone", &flakes, 20);
    let options = ulid_flake::scalable::Options::new(3).unwrap();
    random("scalable", &random_bits(options, 6, |id| id.scalable().randomness().into()), 15);
}

#[test]
fn random_origins_of_ron_uids_are_random() {
    let entropy = SeededEntropy::new(7);
    let origins: Vec<_> =
        (0..COUNT).map(|_| u128::from(u64::from_be_bytes(entropy.draw().unwrap()) >> 4)).collect();
    random("origins", &origins, 60);
}

#[test]
fn the_checksums_of_events_are_uniform() {
    let last = evently_id::EventId::from_fields(1, 2, evently_id::LedgerId::MIN);
    let checksums: Vec<_> = (0..COUNT as u64)
        .map(|number| {
            let event = evently_ledger::Event::new("counted").entity("number").key(number.to_string());
            let id = event
                .id_after(evently_ledger::Profile::Classic, last, NOW.as_micros() as u64 + number)
                .unwrap();
            u128::from(id.checksum())
        })
        .collect();
    uniform("checksums", &checksums, 32);
}

#[test]
fn the_tests_detect_bits_that_are_not_random() {
    let biased: Vec<u128> = (0..COUNT as u128).map(|number| u128::from(number % 1000 < 505)).collect();
    let counted: Vec<u128> = (0..COUNT as u128).collect();
    for samples in [biased, counted] {
        let found = std::panic::catch_unwind(|| balanced_and_not_correlated("", &samples, 20));
        assert!(found.is_err());
    }
}
