//! Evently ledgers: files of events, one per line.

mod append;
mod canonical;
#[cfg(test)]
mod crash;
#[cfg(test)]
mod damages;
mod disk;
mod end;
mod file;
mod id;
mod input;
mod lock;
mod profile;
mod repair;
mod scan;
mod tail;
mod verify;

use crate::{examples::examples, failure::Failure, verdict::Verdict};
use clap::Subcommand;

/// Verifies and extends Evently ledgers: files of events, one JSON object per line.
#[derive(clap::Args)]
#[command(after_long_help = examples(&[
    ("Add an event to a ledger; the first one creates it", r#"echo '{"event": "opened", "entity": "shop", "key": "1"}' | \ sortid ledger append --ledger shop.ndjson"#),
    ("Verify the ledger", "sortid ledger verify shop.ndjson"),
]))]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,

    /// Print JSON objects, one per line
    #[arg(long, global = true)]
    json: bool,
}

#[derive(Subcommand)]
enum Command {
    #[command(aliases = ["check", "validate", "audit"])]
    Verify(verify::Args),
    Append(append::Args),
    Repair(repair::Args),
    Id(id::Args),
    #[command(alias = "canonicalize")]
    Canonical(canonical::Args),
}

pub(crate) fn run(args: &Args, verdict: &mut Verdict) -> Result<(), Failure> {
    match &args.command {
        Command::Verify(verify) => verify::run(verify, args.json, verdict),
        Command::Append(append) => append::run(append, args.json, verdict),
        Command::Repair(repair) => repair::run(repair, args.json, verdict),
        Command::Id(id) => id::run(id, args.json, verdict),
        Command::Canonical(canonical) => canonical::run(canonical, args.json, verdict),
    }
}
