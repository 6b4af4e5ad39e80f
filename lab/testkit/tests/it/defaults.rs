//! The table of what generators do by default after the clock was set back, in `docs/reliability.md`.

use sortid_core::{Rollback, Rules, testing::ManualClock};
use std::{fmt::Debug, time::Duration};

const PAGE: &str = include_str!("../../../../docs/reliability.md");

/// The cells of the row that starts with this name.
fn row(name: &str) -> Vec<&'static str> {
    let start = format!("| {name} | `");
    let row = PAGE.lines().find(|line| line.starts_with(&start)).unwrap_or_else(|| panic!("{start}"));
    row.trim_matches('|').split('|').map(str::trim).collect()
}

/// The row says what a generator with these options does.
fn holds<R: Rules<Id: Ord + Debug> + Copy>(name: &str, options: R) {
    let row = row(name);
    let rollback = options.on_rollback();
    assert_eq!(row[1], format!("`{rollback:?}`"), "{row:?}");
    let allowance = if options.allowance() == u64::MAX { "unlimited" } else { "10 s" };
    assert!(allowance == row[2] && (allowance != "10 s" || options.allowance() == 10_000_000), "{row:?}");
    let bits = options.random_bits().to_string();
    assert!(row[3].split(", or ").any(|number| number == bits), "{row:?}: {bits}");

    let now = Duration::from_millis(1_717_653_966_666);
    let clock = ManualClock::new(now);
    let ids = sortid_core::Generator::from_parts(options, &clock, sortid_core::ThreadEntropy);
    let first = ids.generate().unwrap();
    clock.set(now - Duration::from_secs(60));
    let start = match ids.generate() {
        Ok(id) if id < first => "a lesser ",
        Ok(_) => "a greater ",
        Err(_) => {
            clock.advance(Duration::from_secs(50));
            assert!(ids.generate().unwrap() > first);
            "error for 50 s"
        }
    };
    assert!(row[4].starts_with(start), "{row:?}: {start}");
    assert_eq!(ids.resets() > 0, rollback == Rollback::Reset);
}

#[test]
fn the_defaults_are_those_of_the_table() {
    holds("SCRU160", scru160::Options::new());
    holds("EUID", euid::Options::new());
    holds("Ulid-Flake", ulid_flake::Options::new());
    holds("Ulid-Flake", ulid_flake::scalable::Options::new(7).unwrap());
    let origin = ron_uid::Base64x64::parse("Xgritzk").unwrap();
    holds("RON UID", ron_uid::Options::new(origin));
    holds("RON UID with `session_digits`", ron_uid::Options::new(origin).session_digits(2).unwrap());
    holds("Event ID", evently_id::Options::new(evently_id::LedgerId::MIN));
}
