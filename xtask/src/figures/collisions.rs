//! The probability that two independent generators make the same ID.
//!
//! One generator never makes an ID twice, because its IDs ascend. Two IDs of different generators are equal if they have
//! the same tick (the smallest step of the specification's clock) and the same random bits. Counters that start at random
//! values are equal at most as often as random bits are, so a pair with `bits` random bits is equal with a probability of
//! at most 1 in 2^bits.

use crate::shell::Result;

const YEAR: f64 = 365.25 * 24.0 * 3600.0;

/// The probability that the first table accepts: one in a million.
const ACCEPTED: f64 = 1e-6;

struct Setting {
    name: &'static str,
    bits: u32,
    ticks_a_second: f64,
}

/// The bits that are random in the first ID of a tick.
const SETTINGS: &[Setting] = &[
    Setting::new("SCRU160, defaults", 15 + 16 + 80, 1e3),
    Setting::new("SCRU160, counter_start_bits(0)", 16 + 80, 1e3),
    Setting::new("SCRU160, counter_extension_bits(16)", 15 + 80, 1e3),
    Setting::new("SCRU160, one node ID of 16 bits", 15 + 80, 1e3),
    Setting::new("SCRU160, with_micros_counter()", 5 + 16 + 80, 1e6),
    Setting::new("EUID, no extension", 15 + 32 + 32, 1e3),
    Setting::new("EUID, one extension of 5 bits", 10 + 32 + 32, 1e3),
    Setting::new("EUID, one extension of 15 bits", 32 + 32, 1e3),
    Setting::new("Ulid-Flake, stand-alone", 20, 1e3),
    Setting::new("Ulid-Flake, scalable, one node", 15, 1e3),
];

impl Setting {
    const fn new(name: &'static str, bits: u32, ticks_a_second: f64) -> Self {
        Self { name, bits, ticks_a_second }
    }
}

/// Peers, with the random bits that their specifications state. `UUIDv4` has no time: a year counts as one tick.
const PEERS: &[Setting] = &[
    Setting::new("UUIDv4", 122, 1.0 / YEAR),
    Setting::new("UUIDv7", 12 + 62, 1e3),
    Setting::new("ULID", 80, 1e3),
    Setting::new("KSUID", 128, 1.0),
];

/// IDs per second of all generators together.
const RATES: [f64; 4] = [1.0, 100.0, 1e4, 1e6];

/// Names that are drawn once, for all IDs of a replica or a ledger.
const NAMES: &[(&str, u32)] = &[("RON, origins of 60 random bits", 60), ("Event ID, ledger IDs", 30)];

pub(crate) fn run() -> Result {
    println!(
        "{:<46} {:>4}  {:>10}  {:>13}  {:>15}",
        "", "bits", "one pair", "IDs in a tick", "IDs per second"
    );
    for Setting { name, bits, ticks_a_second } in SETTINGS {
        let (two, in_a_tick) = (probability(1.0, *bits), most(ACCEPTED, *bits));
        let in_a_second = rate(ACCEPTED, *bits, *ticks_a_second);
        println!("{name:<46} {bits:>4}  {two:>10.1e}  {in_a_tick:>13.2e}  {in_a_second:>15.2e}");
    }
    for (name, bits) in NAMES {
        let (two, most) = (probability(1.0, *bits), most(ACCEPTED, *bits));
        println!("{name:<46} {bits:>4}  {two:>10.1e}  {most:>13.2e}  {:>15}", "-");
    }
    println!(
        "\nOne pair: the probability that two IDs of the same tick, from two generators, are equal.\n\
         IDs in a tick: as many IDs, each from another generator, collide with a probability of one in a million.\n\
         IDs per second: at this rate, a collision within a year has a probability of one in a million.\n"
    );
    println!("The probability of a collision within a year, by IDs per second:\n\n{}", in_a_year());
    Ok(())
}

/// The table of `docs/choosing.md`.
fn in_a_year() -> String {
    let header = "| | random bits | 1 a second | 100 | 10 000 | 1 000 000 |\n|---|---|---|---|---|---|\n";
    let rows = SETTINGS.iter().chain(PEERS).map(|Setting { name, bits, ticks_a_second }| {
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

/// The number of IDs in a tick that collide with this probability.
fn most(probability: f64, bits: u32) -> f64 {
    let pairs = -(-probability).ln_1p() * f64::from(bits).exp2();
    // n IDs have n (n - 1) / 2 pairs.
    0.5 + (0.25 + 2.0 * pairs).sqrt()
}

/// The number of IDs per second, at random times, that collide within a year with this probability.
fn rate(probability: f64, bits: u32, ticks_a_second: f64) -> f64 {
    let pairs_a_tick = -(-probability).ln_1p() * f64::from(bits).exp2() / (YEAR * ticks_a_second);
    // With m IDs in a tick on average, the tick has m² / 2 pairs on average.
    (2.0 * pairs_a_tick).sqrt() * ticks_a_second
}

#[cfg(test)]
mod tests {
    use super::*;
    use sortid_core::{Entropy as _, testing::SeededEntropy};
    use std::collections::HashSet;

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
    fn the_bound_is_the_inverse_of_the_probability() {
        for Setting { bits, .. } in SETTINGS {
            let n = most(ACCEPTED, *bits);
            let again = probability(n * (n - 1.0) / 2.0, *bits);
            assert!((again / ACCEPTED - 1.0).abs() < 1e-6, "{again}");
        }
    }

    #[test]
    fn a_rate_matches_the_pairs_of_a_year() {
        let ids = rate(1e-6, 79, 1e3);
        assert!((probability(pairs_in_a_year(ids, 1e3), 79) / 1e-6 - 1.0).abs() < 1e-6);
    }

    #[test]
    fn the_table_in_the_documentation_is_the_computed_one() {
        let page = std::fs::read_to_string(crate::shell::root().join("docs/choosing.md")).unwrap();
        assert!(page.contains(&in_a_year()), "{}", in_a_year());
    }
}
