use crate::{examples::examples, failure::Failure, fleet::Space, json};
use serde::Serialize;
use sortid_fleet::{Init, StoreErrorKind};
use std::io::{self, Write as _};

/// How many node IDs a space has by default. All specifications with a field for it have room for this many.
const SIZE: u32 = 32;

/// Creates a fleet, once, before its first process starts.
///
/// No process creates a fleet by itself, so a wrong path or an unmounted volume cannot create a second fleet, which would
/// repeat the IDs of the first. For the same reason, run this by hand or in a job of its own, and not whenever a service
/// starts.
///
/// A fleet that exists is not changed. If it has another size, the exit status is 2.
#[derive(clap::Args)]
#[command(after_long_help = examples(&[
    ("Create a fleet of at most 256 processes, for the table orders", "sortid nodes init --nodes dir:ids --space orders --size 256"),
]))]
pub(super) struct Args {
    /// How many node IDs the space has: the greatest number of processes at a time [default: 32]
    ///
    /// ulid-flake has room for no more than 32. The others have room for more, and 256 node IDs take only 8 bits of each ID.
    /// The fleet keeps its size.
    #[arg(long, alias = "numbers", value_name = "N")]
    size: Option<u32>,
}

/// A JSON object about a fleet.
#[derive(Serialize)]
struct Report<'a> {
    space: &'a str,
    #[serde(rename = "numbers")]
    size: u32,
    /// Whether there was no fleet before.
    begun: bool,
    store: &'a str,
}

pub(super) fn run(args: &Args, space: &Space, json: bool) -> Result<(), Failure> {
    let failed = |error: sortid_fleet::StoreError| match error.kind() {
        StoreErrorKind::Config => Failure::usage("nodes init", error),
        _ => Failure::Message(error.to_string()),
    };
    let known = match args.size {
        Some(_) => None,
        // Whatever size the fleet has is right.
        None => sortid_fleet::size_of(&*space.store, &space.name)
            .or_else(|error| if error.kind() == StoreErrorKind::Missing { Ok(None) } else { Err(error) })
            .map_err(failed)?,
    };
    let is_warned = space.store.warning().is_some();
    let size = args.size.or(known).unwrap_or(SIZE);
    let init = sortid_fleet::init(&*space.store, &space.name, size).map_err(failed)?;
    let begun = init == Init::Begun;
    let (name, store) = (&*space.name, &*space.store.location());
    let mut out = io::stdout().lock();
    if json {
        json::write_line(&mut out, &Report { space: name, size, begun, store })?;
    } else if begun {
        // A place that was made just now was not looked at before.
        if !is_warned {
            space.warn();
        }
        writeln!(out, "created a fleet of {size} node IDs in space {name:?} of {store}")?;
    } else {
        writeln!(out, "nothing to do: space {name:?} of {store} has a fleet of {size} node IDs")?;
    }
    Ok(out.flush()?)
}
