//! How unlikely it is that two generators that know nothing of each other make the same ID.
//!
//! One generator never makes an ID twice, whatever its random bits are: its IDs ascend. Two IDs of different generators
//! are the same when they are of the same tick, and what is random in both is the same. Counts that go up from a random
//! start meet no likelier than their starts do, so with `bits` random bits a pair is the same 1 in 2^bits times at most.

use crate::shell::Result;

const YEAR: f64 = 365.25 * 24.0 * 3600.0;

/// What is one in a million.
const ACCEPTED: f64 = 1e-6;

struct Setting {
    name: &'static str,
    bits: u32,
    ticks_a_second: f64,
}

/// The bits are those that are random for the first ID of a tick.
const SETTINGS: &[Setting] = &[
    Setting::new("SCRU160, defaults", 15 + 16 + 80, 1e3),
    Setting::new("SCRU160, counter_start_bits(0)", 16 + 80, 1e3),
    Setting::new("SCRU160, counter_extension_bits(16)", 15 + 80, 1e3),
    Setting::new("SCRU160, two generators with one node(_, 16)", 15 + 80, 1e3),
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

/// What others are: their random bits as their documents have them. Of the first, a year is one tick.
const PEERS: &[Setting] = &[
    Setting::new("UUIDv4", 122, 1.0 / YEAR),
    Setting::new("UUIDv7", 12 + 62, 1e3),
    Setting::new("ULID", 80, 1e3),
    Setting::new("KSUID", 128, 1.0),
];

/// IDs a second, all generators together.
const RATES: [f64; 4] = [1.0, 100.0, 1e4, 1e6];

/// What is drawn once for all IDs of a replica or a ledger.
const NAMES: &[(&str, u32)] = &[("RON, origins of 60 random bits", 60), ("Event ID, ledger IDs", 30)];

pub(crate) fn run() -> Result {
    println!("{:<46} {:>4}  {:>10}  {:>12}  {:>15}", "", "bits", "two", "IDs in a tick", "IDs a second");
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
        "\nSo many, each of another generator, have a collision with a probability of one in a million:"
    );
    println!("in one tick, or among all the IDs of a year, at so many a second.\n");
    println!("A collision in a year, at so many IDs a second, each of another generator:\n\n{}", in_a_year());
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

/// Pairs within one tick, on average, of IDs at any times.
fn pairs_in_a_year(rate: f64, ticks_a_second: f64) -> f64 {
    // Where m fall into a tick on average, m² / 2 pairs do.
    YEAR * ticks_a_second * (rate / ticks_a_second).powi(2) / 2.0
}

/// At most this probable is it that of these pairs one is the same.
fn probability(pairs: f64, bits: u32) -> f64 {
    -(-pairs / f64::from(bits).exp2()).exp_m1()
}

/// So many have a collision with this probability.
fn most(probability: f64, bits: u32) -> f64 {
    let pairs = -(-probability).ln_1p() * f64::from(bits).exp2();
    // n (n - 1) / 2 pairs of n.
    0.5 + (0.25 + 2.0 * pairs).sqrt()
}

/// So many a second, at any times, have a collision in a year with this probability.
fn rate(probability: f64, bits: u32, ticks_a_second: f64) -> f64 {
    let pairs_a_tick = -(-probability).ln_1p() * f64::from(bits).exp2() / (YEAR * ticks_a_second);
    // Where m fall into a tick on average, m² / 2 pairs do.
    (2.0 * pairs_a_tick).sqrt() * ticks_a_second
}

#[cfg(test)]
mod tests {
    use super::*;
    use sortid_core::{Entropy as _, testing::SeededEntropy};
    use std::collections::HashSet;

    /// Of so many ticks, the part in which IDs of `generators` collide: each makes `count` of them, from a random start of
    /// `start` bits up, with `fresh` random bits each.
    fn simulated(ticks: u32, generators: u32, count: u32, start: u32, fresh: u32) -> f64 {
        let entropy = SeededEntropy::new(2026);
        let draw = |bits: u32| u64::from_be_bytes(entropy.draw().unwrap()) & ((1 << bits) - 1);
        let collides = (0..ticks).filter(|_| {
            let mut seen = HashSet::new();
            (0..generators).any(|_| {
                let first = draw(start);
                // Not within one generator: its counts differ.
                (first..first + u64::from(count)).any(|counter| !seen.insert((counter, draw(fresh))))
            })
        });
        f64::from(collides.count() as u32) / f64::from(ticks)
    }

    #[test]
    fn collisions_in_shrunken_fields_are_as_probable_as_computed() {
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
    fn many_ids_of_a_tick_collide_no_likelier_than_the_bound() {
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
    fn a_rate_is_that_of_the_pairs_of_a_year() {
        let ids = rate(1e-6, 79, 1e3);
        assert!((probability(pairs_in_a_year(ids, 1e3), 79) / 1e-6 - 1.0).abs() < 1e-6);
    }

    #[test]
    fn the_table_of_the_documentation_is_the_one_that_is_computed() {
        let page = std::fs::read_to_string(crate::shell::root().join("docs/choosing.md")).unwrap();
        assert!(page.contains(&in_a_year()), "{}", in_a_year());
    }
}
