//! The record of all measurements.

use super::measured::{Kind, Measured};
use crate::{records::Record, shell::Result};

/// The groups in the order of the record, with what they measure.
const GROUPS: &[(&str, &str)] = &[
    ("encode", "time per ID, into an array on the stack"),
    ("parse", "time per ID"),
    ("generate", "time per ID, on one thread"),
    ("fill", "time per ID, in batches of 1, 16 or 1024"),
    ("threads", "time per ID, of all that 1 or 2 threads make"),
    ("unix_millis", "read the time of an ID"),
    ("ron_print", "time per UID"),
    ("ron_parse", "time per UID"),
    ("ron_zip", "print a UID, shortened against another"),
    ("ron_unzip", "parse a UID, expanded from another"),
    ("canonical_json", "an object with 100 000 members"),
    ("ledger_verify", "verify 32 MiB"),
    ("ledger_append", "append a line"),
    ("program", "the program, from start to exit"),
];

const COLUMNS: [&str; 6] =
    ["group", "whose", "benchmark", "result", "time ÷ fastest peer", "time ÷ lower bound"];

pub(crate) fn record(measured: &[Measured]) -> Result<Record> {
    let rows = GROUPS
        .iter()
        .flat_map(|(name, _)| rows(&measured.iter().filter(|it| it.group == *name).collect::<Vec<_>>()));
    let mut record = Record::new("Benchmarks beside the peers and the bounds", &COLUMNS, rows.collect())?;
    record.notes = GROUPS.iter().map(|(name, what)| format!("{name}: {what}.")).collect();
    Ok(record)
}

/// Ratios compare times, so a smaller ratio is faster.
fn rows(group: &[&Measured]) -> Vec<Vec<String>> {
    let least =
        |kind| group.iter().filter(|it| it.kind == kind).map(|it| it.unit_nanos()).min_by(f64::total_cmp);
    let others = [least(Kind::Peer), least(Kind::Bound)];
    let row = |it: &&Measured| {
        let kind = format!("{:?}", it.kind).to_lowercase();
        let ratios = others.map(|other| match other {
            Some(other) if it.kind != Kind::Bound => format!("{:.2}", it.unit_nanos() / other),
            _ => "-".to_owned(),
        });
        [it.group.clone(), kind, it.name.clone(), it.shown()].into_iter().chain(ratios).collect()
    };
    group.iter().map(row).collect()
}
