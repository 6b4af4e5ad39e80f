use super::{list::print_json, row::time};
use crate::{
    examples::examples, failure::Failure, fleet::Space, json, progress, terminal::escaped,
    time::parse_duration,
};
use serde::Serialize;
use sortid_fleet::{Repair, Snapshot, StoreErrorKind};
use std::{
    collections::BTreeSet,
    io::{self, Write as _},
    time::Duration,
};

/// Makes a fleet safe again after its store lost writes.
///
/// Use it after a backup of the store was restored, or a replica without the last writes became the primary, and before any
/// process joins. It also replaces damaged records, and settles the size of a space whose records differ in the size. Where
/// there is no fleet, it changes nothing.
///
/// It takes all node IDs away from their holders, and raises each `until` above everything that was ever reserved. No
/// process makes an ID with a new reservation before this time. Running processes use up what they have reserved, at most
/// a window. Then they get errors instead of IDs, and have to join again.
#[derive(clap::Args)]
#[command(after_long_help = examples(&[
    ("Repair a space whose processes all have the default window", "sortid nodes repair --nodes dir:ids --window 15s"),
    ("Show what a repair would do", "sortid nodes repair --nodes dir:ids --dry-run"),
    ("Repair a space whose records are damaged or differ in its size", "sortid nodes repair --nodes dir:ids --size 32"),
]))]
pub(super) struct Args {
    /// The longest window of the fleet's processes: no process gets a node ID for this long
    #[arg(long, value_name = "DURATION", default_value = "10m", allow_hyphen_values = true, value_parser = parse_duration)]
    window: Duration,

    /// How many node IDs the space gets [default: the size in its records]
    ///
    /// It settles a space whose records are damaged, or differ in the size, and it can change the size.
    #[arg(long, alias = "numbers", value_name = "N")]
    size: Option<u32>,

    /// Show what would be done, and change nothing
    #[arg(long)]
    dry_run: bool,
}

pub(super) fn run(args: &Args, space: &Space, json: bool) -> Result<(), Failure> {
    let failed = |error: sortid_fleet::StoreError| match error.kind() {
        StoreErrorKind::Config => Failure::usage("nodes repair", error),
        _ => Failure::Message(error.to_string()),
    };
    // It says how to create a fleet.
    space.read()?;
    let repair = Repair::plan(&*space.store, &space.name, args.size, args.window).map_err(failed)?;
    let (name, size) = (&space.name, repair.size());
    if args.dry_run {
        let mut out = io::stdout().lock();
        if json {
            json::write_line(&mut out, &Report::new(&repair, name, &space.store.location()))?;
        } else {
            write_plan(&repair, name, &space.store.location(), &mut out)?;
        }
        return Ok(out.flush()?);
    }
    let progress = progress::of_node_ids();
    let done = repair.run(|done, of| {
        progress.set_length(of as u64);
        progress.set_position(done as u64);
    });
    progress.finish_and_clear();
    let until = time(done.map_err(failed)?);
    if json {
        let (Snapshot { mut records, .. }, now) = space.read()?;
        // Node IDs beyond the size are left from a larger size.
        records.retain(|&node_id, _| node_id < size);
        return Ok(print_json(name, &records, now)?);
    }
    let mut out = io::stdout().lock();
    writeln!(
        out,
        "space {name:?}: all {size} node IDs are taken from their holders, and free from {until} on"
    )?;
    Ok(out.flush()?)
}

/// A JSON object about a repair that is not carried out.
#[derive(Serialize)]
struct Report<'a> {
    space: &'a str,
    #[serde(rename = "numbers")]
    size: u32,
    store: &'a str,
    /// How many node IDs lose a holder.
    held: usize,
    /// The node IDs whose records are damaged.
    damaged: Vec<u32>,
    /// The sizes that the records state.
    sizes: BTreeSet<u32>,
    until: String,
}

impl<'a> Report<'a> {
    fn new(repair: &Repair<'_>, space: &'a str, store: &'a str) -> Self {
        let Snapshot { records, damaged, .. } = repair.found();
        Self {
            space,
            size: repair.size(),
            store,
            held: records.values().filter(|record| record.holder.is_some()).count(),
            damaged: damaged.keys().copied().collect(),
            sizes: records.values().map(|record| record.size).collect(),
            until: time(repair.until()).to_string(),
        }
    }
}

/// Says what a repair would do.
fn write_plan(repair: &Repair<'_>, space: &str, store: &str, out: &mut impl io::Write) -> io::Result<()> {
    let Report { size, held, sizes, until, .. } = Report::new(repair, space, store);
    writeln!(out, "would repair space {space:?} of {store}:")?;
    writeln!(out, "  {held} holders lose their node IDs, and have to join again")?;
    for damage in repair.found().damaged.values() {
        writeln!(out, "  replaced: {}", escaped(damage))?;
    }
    if sizes.iter().any(|&stated| stated != size) {
        let sizes: Vec<_> = sizes.iter().map(ToString::to_string).collect();
        writeln!(out, "  the size becomes {size}; the records state {}", sizes.join(", "))?;
    }
    writeln!(out, "  all {size} node IDs are free from {until} on, or a little later")
}
