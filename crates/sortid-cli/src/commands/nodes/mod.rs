//! `sortid nodes`: the numbers of a fleet.

mod list;
mod release;
mod repair;
mod row;

use crate::{examples::examples, failure::Failure, fleet::Place};
use clap::Subcommand;

/// Shows who has the numbers of a fleet, and takes them away.
///
/// The processes of a fleet reserve numbers in a store, so that no two make the same ID: `sortid new SPEC --nodes URL`, and
/// services that use the library sortid-fleet.
#[derive(clap::Args)]
#[command(after_long_help = examples(&[
    ("Make an ID whose number no other process has", "sortid new ulid-flake --nodes dir:ids"),
    ("Show the numbers", "sortid nodes list --nodes dir:ids"),
    ("Take number 7 from its process", "sortid nodes release 7 --nodes dir:ids"),
    ("Raise all bounds, after a backup of the store was restored", "sortid nodes repair --window 15s --nodes dir:ids"),
]))]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,

    #[command(flatten)]
    place: Place,

    /// Print JSON objects, one per line
    #[arg(long, global = true)]
    json: bool,
}

#[derive(Subcommand)]
enum Command {
    List(list::Args),
    Release(release::Args),
    Repair(repair::Args),
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    match &args.command {
        Command::List(_) => list::run(&args.place.open_existing("nodes list")?, args.json),
        Command::Release(release) => {
            release::run(release, &args.place.open_existing("nodes release")?, args.json)
        }
        Command::Repair(repair) => repair::run(repair, &args.place.open("nodes repair")?, args.json),
    }
}
