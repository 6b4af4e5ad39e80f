//! Sizes and last dates in the tables of README.md and docs/choosing.md.

use sortid::{SortableId, Spec};
use std::{fs, path::Path};

/// The date of a time since 1970, in the Gregorian calendar without an end: 400 years have 146 097 days.
fn date(micros: u64) -> String {
    let days = micros / 86_400_000_000;
    let (mut year, mut rest) = (1970 + 400 * (days / 146_097), days % 146_097);
    let is_leap =
        |year: u64| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    while rest >= 365 + u64::from(is_leap(year)) {
        rest -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    let months = [31, 28 + u64::from(is_leap(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let mut month = 0;
    while rest >= months[month] {
        rest -= months[month];
        month += 1;
    }
    format!("{year}-{:02}-{:02}", month + 1, rest + 1)
}

/// The cells of a row.
fn cells(row: &str) -> Vec<&str> {
    row.trim_matches('|').split(" | ").map(str::trim).collect()
}

fn read(page: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(page)).unwrap()
}

fn check<I: SortableId>(readme: &str, choosing: &str) {
    let (bits, digits, last) = ((8 * I::BYTES).to_string(), I::TEXT_LEN.to_string(), date(*I::TIMES.end()));
    let row = readme.lines().find(|line| line.starts_with('|') && line.contains(&format!("[{}]", I::TITLE)));
    assert!(cells(row.unwrap()).contains(&&*format!("{bits} bits")), "README.md: {}", I::TITLE);

    let row = choosing.lines().find(|line| line.starts_with(&format!("| {} | {bits} |", I::TITLE)));
    let row =
        cells(row.unwrap_or_else(|| panic!("docs/choosing.md: a row for {} with {bits} bits", I::TITLE)));
    assert!(row[2].split(' ').any(|word| word == digits), "{}: {digits}", I::TITLE);
    assert_eq!(row.last(), Some(&&*last), "{}", I::TITLE);
}

#[test]
fn the_tables_have_the_sizes_and_the_last_dates() {
    let (readme, choosing) = (read("README.md"), read("docs/choosing.md"));
    for spec in Spec::ALL {
        sortid::__with_type!(*spec, I => check::<I>(&readme, &choosing));
    }
}
