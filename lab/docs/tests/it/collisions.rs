//! The probability that two independent generators make the same ID, in a table of docs/choosing.md.
//!
//! One generator never makes an ID twice, because its IDs ascend. Two IDs of different generators are equal if they have
//! the same tick (the smallest step of the specification's clock) and the same random bits. Counters that start at random
//! values are equal at most as often as random bits are, so a pair with `bits` random bits is equal with a probability of
//! at most 1 in 2^bits.

use scru160::{Entropy as _, testing::SeededEntropy};
use std::{collections::HashSet, fs};

const YEAR: f64 = 365.25 * 24.0 * 3600.0;

/// The bits that are random in the first ID of a tick, and the ticks in a second. The peers are last, with the random
/// bits that their specifications state. `UUIDv4` has no time: a year counts as one tick.
const SETTINGS: &[(&str, u32, f64)] = &[
    ("SCRU160, defaults", 15 + 16 + 80, 1e3),
    ("SCRU160, one node ID of 16 bits", 15 + 80, 1e3),
    ("EUID, no extension", 15 + 32 + 32, 1e3),
    ("EUID, one extension of 15 bits", 32 + 32, 1e3),
    ("Ulid-Flake, stand-alone", 20, 1e3),
    ("Ulid-Flake, scalable, one node", 15, 1e3),
    ("UUIDv4", 122, 1.0 / YEAR),
    ("UUIDv7", 12 + 62, 1e3),
    ("ULID", 80, 1e3),
];

/// IDs per second of all generators together.
const RATES: [f64; 4] = [1.0, 100.0, 1e4, 1e6];

fn in_a_year() -> String {
    let header = "| | random bits | 1 a second | 100 | 10 000 | 1 000 000 |\n|---|---|---|---|---|---|\n";
    let rows = SETTINGS.iter().map(|(name, bits, ticks_a_second)| {
        let odds = RATES.map(|rate| match probability(pairs_in_a_year(rate, *ticks_a_second), *bits) {
            certain if certain > 0.9995 => "certain".to_owned(),
            odds => format!("{odds:.0e}"),
        });
        format!("| {name} | {bits} | {} |\n", odds.join(" | "))
    });
    header.to_owned() + &rows.collect::<String>()
}

/// The average number of pairs within one tick, if IDs are made at random times.
fn pairs_in_a_year(rate: f64, ticks_a_second: f64) -> f64 {
    // With m IDs in a tick on average, the tick has m² / 2 pairs on average.
    YEAR * ticks_a_second * (rate / ticks_a_second).powi(2) / 2.0
}

/// The upper bound of the probability that one of these pairs is equal.
fn probability(pairs: f64, bits: u32) -> f64 {
    -(-pairs / f64::from(bits).exp2()).exp_m1()
}

/// The part of the ticks in which IDs of `generators` collide. Each makes `count` IDs, which count up from a random
/// start of `start` bits and have `fresh` random bits each.
fn simulated(ticks: u32, generators: u32, count: u32, start: u32, fresh: u32) -> f64 {
    let entropy = SeededEntropy::new(2026);
    let draw = |bits: u32| u64::from_be_bytes(entropy.draw().unwrap()) & ((1 << bits) - 1);
    let collides = (0..ticks).filter(|_| {
        let mut seen = HashSet::new();
        (0..generators).any(|_| {
            let first = draw(start);
            // Within one generator, the counters differ.
            (first..first + u64::from(count)).any(|counter| !seen.insert((counter, draw(fresh))))
        })
    });
    f64::from(collides.count() as u32) / f64::from(ticks)
}

#[test]
fn collisions_in_small_fields_are_as_probable_as_computed() {
    for (generators, start, fresh) in [(40, 5, 8), (12, 0, 10), (100, 8, 8)] {
        let expected = probability(f64::from(generators * (generators - 1) / 2), start + fresh);
        let ticks = 20_000;
        let found = simulated(ticks, generators, 1, start, fresh);
        // Four standard deviations.
        let tolerated = 4.0 * (expected * (1.0 - expected) / f64::from(ticks)).sqrt();
        assert!((found - expected).abs() < tolerated, "{found} for {expected} ± {tolerated}");
    }
}

#[test]
fn many_ids_in_a_tick_collide_at_most_as_often_as_the_bound() {
    for (generators, count, start, fresh) in [(4, 20, 6, 8), (2, 60, 6, 8), (8, 5, 4, 8), (2, 8, 0, 12)] {
        let pairs = f64::from(generators * (generators - 1) / 2 * count * count);
        let (bound, ticks) = (probability(pairs, start + fresh), 20_000);
        let found = simulated(ticks, generators, count, start, fresh);
        let tolerated = 4.0 * (bound * (1.0 - bound) / f64::from(ticks)).sqrt();
        assert!(found < bound + tolerated, "{found}, at most {bound} + {tolerated}");
    }
}

#[test]
fn the_table_in_choosing_is_the_computed_one() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/choosing.md");
    assert!(fs::read_to_string(page).unwrap().contains(&in_a_year()), "{}", in_a_year());
}

#[test]
fn the_numbers_of_ids_in_reliability_collide_with_one_in_a_million() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/reliability.md");
    let page = fs::read_to_string(page).unwrap().replace('\n', " ");
    for (text, ids, bits) in [
        ("1.1 billion EUID generators", 1.1e9, 79),
        ("1.52 million random origins of 60 bits", 1.52e6, 60),
        ("46 ledger IDs of 30 bits", 46.0, 30),
    ] {
        assert!(page.contains(text), "{text}");
        let odds = probability(ids * (ids - 1.0) / 2.0, bits);
        assert!((0.95..1.05).contains(&(odds / 1e-6)), "{text}: {odds}");
    }
}
