use super::row::{Row, State, write_table};
use crate::{examples::examples, failure::Failure, fleet::Space, json, stderr};
use sortid_fleet::{__private, Millis, Record, Snapshot};
use std::{
    collections::BTreeMap,
    io::{self, Write as _},
};

/// How many damaged records are shown.
const MOST_DAMAGES: usize = 5;

/// Shows the node IDs that processes of a fleet have or had.
///
/// A process holds its node ID until its reservation ends, and renews the reservation. If a node ID is expired, its
/// process is gone, or cannot reach the store. If it is blocked, it has no holder, and becomes free in more than 10 s.
/// All IDs of past and present holders have times before the time that is shown. The IDs of the next holder have times
/// after it. The next holder can join up to 10 s before that time, and waits.
#[derive(clap::Args)]
#[command(after_long_help = examples(&[
    ("Show the node IDs of the space orders", "sortid nodes list --nodes dir:ids --space orders"),
    ("Show their holders alone", "sortid nodes list --nodes dir:ids --json | \\ sed -n 's/.*\"holder\":\"\\([^\"]*\\)\".*/\\1/p'"),
]))]
pub(super) struct Args {}

pub(super) fn run(space: &Space, json: bool) -> Result<(), Failure> {
    let (Snapshot { mut records, damaged, .. }, now) = space.read()?;
    let size = __private::size(&records).ok();
    // A node ID that nobody has had has the generation 0. Node IDs beyond the size are left from a larger size.
    records.retain(|&node_id, record| record.generation > 0 && size.is_none_or(|size| node_id < size));
    let mut out = io::stdout().lock();
    if json {
        print_json(&space.name, &records, now)?;
    } else {
        if !records.is_empty() {
            let mut table = Vec::new();
            write_table(&records, now, &mut table)?;
            out.write_all(&table)?;
            writeln!(out)?;
        }
        if let Some(size) = size {
            writeln!(out, "{}", summary(&space.name, size, &records, now))?;
        }
    }
    out.flush()?;
    for damage in damaged.values().take(MOST_DAMAGES) {
        stderr::print_line(format_args!("{damage}"));
    }
    if damaged.is_empty() {
        space.size()?;
        return Ok(());
    }
    let (count, name) = (damaged.len(), &space.name);
    Err(Failure::Message(format!(
        "no process can join space {name:?}, because {count} of its records cannot be used: see sortid nodes repair --dry-run"
    )))
}

pub(super) fn print_json(space: &str, records: &BTreeMap<u32, Record>, now: Millis) -> io::Result<()> {
    let mut out = io::BufWriter::new(io::stdout().lock());
    for (&node_id, record) in records {
        json::write_line(&mut out, &Row::new(space, node_id, record, now))?;
    }
    out.flush()
}

/// How many node IDs of a space are in each state. Node IDs without a record are free.
fn summary(space: &str, size: u32, records: &BTreeMap<u32, Record>, now: Millis) -> String {
    let unused = (size as usize).saturating_sub(records.len());
    let counts = State::ALL.map(|state| {
        let count = records.values().filter(|record| State::of(record, now) == state).count();
        (count + if state == State::Free { unused } else { 0 }, state)
    });
    let counts: Vec<_> = counts
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, state)| format!("{count} {}", state.name()))
        .collect();
    format!("space {space:?} has {size} node IDs: {}", counts.join(", "))
}
