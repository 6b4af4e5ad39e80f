//! `cargo xtask fleet`: the proof of `sortid-fleet` on real processes and real servers. It checks all IDs.
//!
//! The processes and the check are programs of `lab/chaos`.

#[cfg(unix)]
mod chaos;
#[cfg(unix)]
mod processes;
#[cfg(unix)]
mod report;
#[cfg(unix)]
mod run;
#[cfg(unix)]
pub(crate) mod stores;

use crate::shell::Result;
use clap::{Parser, ValueEnum};
#[cfg(unix)]
pub(crate) use {
    chaos::HostClock,
    processes::{tidy, with_clock},
    run::run,
};

/// The window of the fleet. It is short, so that much happens.
#[cfg(unix)]
pub(crate) const WINDOW: std::time::Duration = std::time::Duration::from_millis(2500);

/// The oldest revision that shares a store with this one: the last one before records had a format. The oldest release of
/// the same format takes its place when there is one.
const OLDEST: &str = "727e35478674";

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum StoreKind {
    Dir,
    Postgres,
    Etcd,
}

impl StoreKind {
    pub(crate) const ALL: [Self; 3] = [Self::Dir, Self::Postgres, Self::Etcd];

    /// The name for people.
    pub(crate) const fn shown(self) -> &'static str {
        match self {
            Self::Dir => "a directory",
            Self::Postgres => "PostgreSQL",
            Self::Etcd => "etcd, three servers",
        }
    }
}

#[derive(Parser)]
pub(crate) struct Options {
    /// The store [default: all stores, one after the other]
    #[arg(long, value_enum)]
    store: Option<StoreKind>,
    /// How long to disturb the fleet of each store
    #[arg(long, default_value_t = 300, default_value_if("quick", "true", "15"))]
    seconds: u64,
    /// How many processes there are for the 32 node IDs
    #[arg(long, default_value_t = 48)]
    processes: usize,
    /// How many IDs each process makes in a second; 0 for as many as possible
    #[arg(long, default_value_t = 20_000)]
    rate: u64,
    /// The specification of the IDs
    #[arg(long, default_value = "ulid-flake")]
    spec: String,
    /// The seed of random decisions [default: the time]
    #[arg(long)]
    seed: Option<u64>,
    /// Take less time, as `cargo xtask ci` does
    #[arg(long)]
    quick: bool,
    /// Pretend that each swap succeeds, so that the check must fail
    #[arg(long)]
    sabotage: bool,
    /// Start every third process from the program of this revision, as a rolling upgrade does
    #[arg(long, value_name = "REVISION", num_args = 0..=1, default_missing_value = OLDEST)]
    beside: Option<String>,
    /// Measure the requests of idle fleets to their stores and the time of a join, and disturb nothing
    #[arg(long)]
    measure: bool,
    /// Write records/fleet.json, or with `--measure` records/fleet-cost.json and docs/performance.md
    #[arg(long, conflicts_with = "store")]
    write: bool,
}

/// A short proof with a directory, for `cargo xtask ci`.
pub(crate) fn check() -> Result {
    run(&Options::try_parse_from(["fleet", "--quick", "--store", "dir", "--seed", "1"])?)
}

/// A proof with all stores and processes of two versions, for `cargo xtask ci --all`.
pub(crate) fn check_all() -> Result {
    run(&Options::try_parse_from(["fleet", "--seconds", "60", "--beside"])?)
}

#[cfg(not(unix))]
pub(crate) fn run(_: &Options) -> Result {
    Err("processes are stopped and killed on Unix only: run this chore on Linux, for example in WSL".into())
}
