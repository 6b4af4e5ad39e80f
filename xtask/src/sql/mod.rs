//! `cargo xtask sql`: the proof of `sortid-sql` on real databases.
//!
//! The comparisons are those of `lab/sql`, a process for each database.

#[cfg(unix)]
mod run;

use crate::shell::Result;
use clap::Parser;
#[cfg(unix)]
pub(crate) use run::run;
use sortid_sql::Database;

#[derive(Parser)]
pub(crate) struct Options {
    /// Use only this database [default: all but ClickHouse, whose package has half a gigabyte]
    #[arg(long, value_parser = database)]
    database: Option<Database>,
    /// Use ClickHouse, too
    #[arg(long, conflicts_with = "database")]
    all: bool,
    /// The least number of IDs of each specification
    #[arg(long, default_value_t = 100_000)]
    ids: usize,
    /// The seed of random samples
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Measure how many rows a second each function reads in all databases, and queries by time in PostgreSQL, and
    /// compare nothing
    #[arg(long)]
    measure: bool,
    /// Write the records
    #[arg(long, requires = "measure", conflicts_with = "database")]
    write: bool,
}

fn database(name: &str) -> std::result::Result<Database, String> {
    let names = Database::ALL.map(Database::name).join(", ");
    Database::named(name).ok_or_else(|| format!("expected one of {names}"))
}

/// The proof with SQLite and fewer IDs, for `cargo xtask ci`.
pub(crate) fn check() -> Result {
    run(&Options::try_parse_from(["sql", "--database", "sqlite", "--ids", "10000"])?)
}

/// The proof with all databases, for `cargo xtask ci --all`.
pub(crate) fn check_all() -> Result {
    run(&Options::try_parse_from(["sql", "--all"])?)
}

#[cfg(not(unix))]
pub(crate) fn run(_: &Options) -> Result {
    Err("database servers are started on Unix only: run this chore on Linux, for example in WSL".into())
}
