use crate::{examples::examples, failure::Failure, fleet::Space, json};
use serde::Serialize;
use sortid_fleet::{Init, StoreErrorKind};
use std::io::{self, Write as _};

/// How many numbers a space has by default: as many as all specifications have room for.
const NUMBERS: u32 = 32;

/// Begins a fleet, once, before its first process starts.
///
/// No process begins a fleet by itself, so a wrong path or a volume that is not mounted cannot make a second one, which
/// repeats the IDs of the first. For the same reason, run this by hand or in a job of its own, and not whenever a service
/// starts.
///
/// A fleet that is there stays as it is. With another size, nothing is changed, and the exit status is 2.
#[derive(clap::Args)]
#[command(after_long_help = examples(&[
    ("Begin a fleet of at most 256 processes, for the table orders", "sortid nodes init --nodes dir:ids --space orders --numbers 256"),
]))]
pub(super) struct Args {
    /// How many numbers the space has, so how many processes at most [default: 32]
    ///
    /// ulid-flake has room for no more than 32. The others have room for more, and 256 numbers take only 8 bits of each ID.
    /// The fleet keeps its size.
    #[arg(long, value_name = "N")]
    numbers: Option<u32>,
}

/// A JSON object about a fleet.
#[derive(Serialize)]
struct Report<'a> {
    space: &'a str,
    numbers: u32,
    /// Whether there was no fleet before.
    begun: bool,
    store: &'a str,
}

pub(super) fn run(args: &Args, space: &Space, json: bool) -> Result<(), Failure> {
    let failed = |error: sortid_fleet::StoreError| match error.kind() {
        StoreErrorKind::Config => Failure::usage("nodes init", error),
        _ => Failure::Message(error.to_string()),
    };
    let known = match args.numbers {
        Some(_) => None,
        // Whatever size the fleet has is right.
        None => sortid_fleet::numbers_of(&*space.store, &space.name)
            .or_else(|error| if error.kind() == StoreErrorKind::Missing { Ok(None) } else { Err(error) })
            .map_err(failed)?,
    };
    let is_warned = space.store.warning().is_some();
    let numbers = args.numbers.or(known).unwrap_or(NUMBERS);
    let init = sortid_fleet::init(&*space.store, &space.name, numbers).map_err(failed)?;
    let begun = init == Init::Begun;
    let (name, store) = (&*space.name, &*space.store.location());
    let mut out = io::stdout().lock();
    if json {
        json::write_line(&mut out, &Report { space: name, numbers, begun, store })?;
    } else if begun {
        // A place that was made just now was not looked at before.
        if !is_warned {
            space.warn();
        }
        writeln!(out, "began a fleet of {numbers} numbers in space {name:?} of {store}")?;
    } else {
        writeln!(out, "nothing to do: space {name:?} of {store} has a fleet of {numbers} numbers")?;
    }
    Ok(out.flush()?)
}
