//! `cargo xtask serve`: the proof of `sortid-server` on real processes and stores, and its speed beside Redis and
//! PostgreSQL.
//!
//! The clients and the check are a program of `lab/chaos`.

#[cfg(unix)]
mod chaos;
#[cfg(unix)]
mod load;

use crate::{fleet::StoreKind, shell::Result};
use clap::Parser;

#[derive(Parser)]
pub(crate) struct Options {
    /// The store [default: all stores, one after the other]
    #[arg(long, value_enum)]
    store: Option<StoreKind>,
    /// How long to disturb the servers of each store, or to measure
    #[arg(long, default_value_t = 120, default_value_if("quick", "true", "15"))]
    seconds: u64,
    /// How many servers there are at a time
    #[arg(long, default_value_t = 3)]
    servers: usize,
    /// How many clients ask at a time
    #[arg(long, default_value_t = 12)]
    clients: usize,
    /// The seed of random decisions [default: the time]
    #[arg(long)]
    seed: Option<u64>,
    /// Take less time, as `cargo xtask ci` does
    #[arg(long)]
    quick: bool,
    /// Read an answer twice, so that the check must fail
    #[arg(long)]
    sabotage: bool,
    /// Measure the speed beside Redis and PostgreSQL, and disturb nothing
    #[arg(long, conflicts_with = "store")]
    measure: bool,
    /// Write records/serve.json, or with `--measure` records/serve-speed.json
    #[arg(long, conflicts_with = "store")]
    write: bool,
}

/// A short proof with a directory, for `cargo xtask ci`.
pub(crate) fn check() -> Result {
    run(&Options::try_parse_from(["serve", "--quick", "--store", "dir", "--seed", "1"])?)
}

/// A proof with all stores, for `cargo xtask ci --all`.
pub(crate) fn check_all() -> Result {
    run(&Options::try_parse_from(["serve", "--seconds", "60"])?)
}

#[cfg(unix)]
pub(crate) fn run(options: &Options) -> Result {
    if options.measure { load::run(options) } else { chaos::run(options) }
}

#[cfg(not(unix))]
pub(crate) fn run(_: &Options) -> Result {
    Err("processes are stopped and killed on Unix only: run this chore on Linux, for example in WSL".into())
}
