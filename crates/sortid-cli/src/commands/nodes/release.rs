use super::row::{Row, time};
use crate::{examples::examples, failure::Failure, fleet::Space, json, terminal::escaped};
use sortid_fleet::Snapshot;
use std::io::{self, Write as _};

/// Takes numbers from their holders, such as processes that hang.
///
/// A process that still runs may use up what it has reserved, and cannot renew it: its next IDs are errors. The next holder
/// continues after the reservation, so no ID repeats. The number of a process that is gone needs no release: it becomes
/// free when its reservation ends.
#[derive(clap::Args)]
#[command(after_long_help = examples(&[
    ("Release two numbers", "sortid nodes release 7 12 --nodes dir:ids"),
]))]
pub(super) struct Args {
    /// The numbers
    #[arg(value_name = "NUMBER", required = true)]
    numbers: Vec<u32>,
}

pub(super) fn run(args: &Args, space: &Space, json: bool) -> Result<(), Failure> {
    let size = space.numbers()?;
    let (Snapshot { records, .. }, now) = space.read()?;
    if let Some(number) = args.numbers.iter().find(|&&number| number >= size) {
        return Err(Failure::usage(
            "nodes release",
            format_args!("space {:?}: expected a number from 0 to {}, found {number}", space.name, size - 1),
        ));
    }
    let mut out = io::stdout().lock();
    for &number in &args.numbers {
        let before = sortid_fleet::release(&*space.store, &space.name, number)
            .map_err(|error| Failure::Message(format!("number {number}: {error}")))?;
        if json {
            let Some(record) = before.as_ref().or_else(|| records.get(&number)) else { continue };
            let row = Row::new(&space.name, number, record, now).released(before.is_some());
            json::write_line(&mut out, &row)?;
            continue;
        }
        match before {
            None => writeln!(out, "number {number} has no holder")?,
            Some(record) => {
                let holder = record.holder.map(|holder| holder.name).unwrap_or_default();
                let until = time(record.until);
                writeln!(
                    out,
                    "number {number} is released from {}; the next holder continues after {until}",
                    escaped(&holder)
                )?;
            }
        }
    }
    Ok(out.flush()?)
}
