//! What fleets ask of their stores, and the speed of a server.

mod fleet;
mod speed;

use crate::store::Stores;
use clap::ValueEnum;
use sortid_servers::shell::Result;
use std::path::PathBuf;

#[derive(clap::Args)]
pub(crate) struct Options {
    /// What to measure [default: both]
    #[arg(value_enum)]
    what: Option<What>,
    #[command(flatten)]
    stores: Stores,
    /// How long to measure the speed
    #[arg(long, default_value_t = 120, default_value_if("quick", "true", "30"))]
    seconds: u64,
    /// The program `sortid-server`
    #[arg(long, hide = true)]
    server: PathBuf,
    /// The folder for stores
    #[arg(long, hide = true)]
    folder: PathBuf,
    /// Take less time
    #[arg(long)]
    quick: bool,
    /// Write records/fleet-cost.json and records/serve-speed.json
    #[arg(long)]
    write: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum What {
    /// The requests of idle fleets to their stores, and the time of a join
    Fleet,
    /// The requests to a server beside those to Redis and PostgreSQL
    Server,
}

pub(crate) fn run(options: &Options) -> Result {
    if options.what != Some(What::Server) {
        fleet::run(options)?;
    }
    if options.what != Some(What::Fleet) {
        speed::run(options)?;
    }
    Ok(())
}
