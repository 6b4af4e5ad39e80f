//! Evently ledgers: files of events, one a line.

mod append;
mod canonical;
mod id;
mod input;
mod profile;
mod verify;

use crate::{examples::examples, failure::Failure, verdict::Verdict};
use clap::Subcommand;

/// Verifies and extends Evently ledgers: files of events, one JSON object a line.
#[derive(clap::Args)]
#[command(after_long_help = examples(&[
    ("An event of a ledger, which is made", r#"echo '{"event": "opened", "entity": "shop", "key": "1"}' | \ sortid ledger append --ledger shop.ndjson"#),
    ("Whether it is as it was written", "sortid ledger verify shop.ndjson"),
]))]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,

    /// Print objects
    #[arg(long, global = true)]
    json: bool,
}

#[derive(Subcommand)]
enum Command {
    Verify(verify::Args),
    Append(append::Args),
    Id(id::Args),
    Canonical(canonical::Args),
}

pub(crate) fn run(args: &Args, verdict: &mut Verdict) -> Result<(), Failure> {
    match &args.command {
        Command::Verify(verify) => verify::run(verify, args.json, verdict),
        Command::Append(append) => append::run(append, args.json, verdict),
        Command::Id(id) => id::run(id, args.json, verdict),
        Command::Canonical(canonical) => canonical::run(canonical, args.json, verdict),
    }
}
