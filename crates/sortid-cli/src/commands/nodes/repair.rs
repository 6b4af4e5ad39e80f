use super::{list::print_json, row::time};
use crate::{
    examples::examples,
    failure::Failure,
    fleet::{Space, clock, parse_duration},
};
use sortid_fleet::Fleet;
use std::{
    io::{self, Write as _},
    time::Duration,
};

/// Makes a fleet safe again after its store lost writes.
///
/// Use it after a backup of the store was restored, or a replica without the last writes became the primary, and before any
/// process joins.
///
/// It takes all numbers away from their holders, and raises their bounds above everything that was ever reserved. Until
/// then, no process makes an ID with a new reservation. Processes that run use up what they have reserved, at most a window.
/// Then their IDs are errors, and they have to join again.
#[derive(clap::Args)]
#[command(after_long_help = examples(&[
    ("Repair a space whose processes all have the default window", "sortid nodes repair --nodes dir:ids --window 15s"),
    ("Repair a space whose records are lost", "sortid nodes repair --nodes dir:ids --space new --numbers 32"),
]))]
pub(super) struct Args {
    /// The longest window of the fleet's processes: for so long, no process gets a number
    #[arg(long, value_name = "DURATION", default_value = "10m", allow_hyphen_values = true, value_parser = parse_duration)]
    window: Duration,

    /// How many numbers the space has, if the store has no record of it
    #[arg(long, value_name = "N")]
    numbers: Option<u32>,
}

pub(super) fn run(args: &Args, space: &Space, json: bool) -> Result<(), Failure> {
    let windows = Fleet::SHORTEST_WINDOW..=Fleet::LONGEST_WINDOW;
    if !windows.contains(&args.window) {
        return Err(Failure::usage(
            "nodes repair",
            format_args!("window of the fleet: expected 1s to 600s, found {:?}", args.window),
        ));
    }
    let records = sortid_fleet::repair(&*space.store, &space.name, args.numbers, args.window)
        .map_err(|error| Failure::Message(error.to_string()))?;
    if json {
        return Ok(print_json(&space.name, &records, clock())?);
    }
    let until = time(records.values().map(|record| record.until).max().unwrap_or_default());
    let mut out = io::stdout().lock();
    writeln!(
        out,
        "space {:?}: all {} numbers are taken from their holders, and free from {until} on",
        space.name,
        records.len()
    )?;
    Ok(out.flush()?)
}
