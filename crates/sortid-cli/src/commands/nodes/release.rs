use super::row::{Row, time};
use crate::{examples::examples, failure::Failure, fleet::Space, json, terminal::escaped};
use sortid_fleet::Snapshot;
use std::io::{self, Write as _};

/// Takes node IDs from their holders, such as processes that hang.
///
/// A process that still runs may use up its reservation, but cannot renew it. Then it gets errors instead of IDs. The next
/// holder continues after the reservation, so no ID repeats. The node ID of a process that is gone needs no release: another
/// process can take it when its reservation ends.
#[derive(clap::Args)]
#[command(after_long_help = examples(&[
    ("Release two node IDs", "sortid nodes release 7 12 --nodes dir:ids"),
]))]
pub(super) struct Args {
    /// The node IDs
    #[arg(value_name = "NODE_ID", required = true)]
    node_ids: Vec<u32>,
}

pub(super) fn run(args: &Args, space: &Space, json: bool) -> Result<(), Failure> {
    let size = space.size()?;
    let (Snapshot { records, .. }, now) = space.read()?;
    if let Some(node_id) = args.node_ids.iter().find(|&&node_id| node_id >= size) {
        return Err(Failure::usage(
            "nodes release",
            format_args!(
                "space {:?}: expected a node ID from 0 to {}, found {node_id}",
                space.name,
                size - 1
            ),
        ));
    }
    let mut out = io::stdout().lock();
    for &node_id in &args.node_ids {
        let before = sortid_fleet::release(&*space.store, &space.name, node_id)
            .map_err(|error| Failure::Message(format!("node ID {node_id}: {error}")))?;
        if json {
            let Some(record) = before.as_ref().or_else(|| records.get(&node_id)) else { continue };
            let row = Row::new(&space.name, node_id, record, now).released(before.is_some());
            json::write_line(&mut out, &row)?;
            continue;
        }
        match before {
            None => writeln!(out, "node ID {node_id} has no holder")?,
            Some(record) => {
                let holder = record.holder.map(|holder| holder.name).unwrap_or_default();
                let until = time(record.until);
                writeln!(
                    out,
                    "node ID {node_id} is released from {}; the next holder continues after {until}",
                    escaped(&holder)
                )?;
            }
        }
    }
    Ok(out.flush()?)
}
