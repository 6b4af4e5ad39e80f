//! `sortid nodes`: the node IDs of a fleet.

mod init;
mod list;
mod release;
mod repair;
mod row;

use crate::{examples::examples, failure::Failure, fleet::Place};
use clap::Subcommand;

/// Creates a fleet, shows who has its node IDs, and releases them.
///
/// The processes of a fleet reserve node IDs in a store, so that no two make the same ID: `sortid new SPEC --nodes URL`, and
/// services that use the library sortid-fleet.
#[derive(clap::Args)]
#[command(after_long_help = examples(&[
    ("Create a fleet, once", "sortid nodes init --nodes dir:ids"),
    ("Make an ID with a node ID that no other process has", "sortid new ulid-flake --nodes dir:ids"),
    ("Show the node IDs", "sortid nodes list --nodes dir:ids"),
    ("Take node ID 7 from its process", "sortid nodes release 7 --nodes dir:ids"),
    ("Raise `until` of all node IDs, after a backup of the store was restored", "sortid nodes repair --window 15s --nodes dir:ids"),
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
    Init(init::Args),
    #[command(aliases = ["ls", "show", "status"])]
    List(list::Args),
    Release(release::Args),
    Repair(repair::Args),
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let space = args.place.open(match args.command {
        Command::Init(_) => "nodes init",
        Command::List(_) => "nodes list",
        Command::Release(_) => "nodes release",
        Command::Repair(_) => "nodes repair",
    })?;
    match &args.command {
        Command::Init(init) => init::run(init, &space, args.json),
        Command::List(_) => list::run(&space, args.json),
        Command::Release(release) => release::run(release, &space, args.json),
        Command::Repair(repair) => repair::run(repair, &space, args.json),
    }
}
