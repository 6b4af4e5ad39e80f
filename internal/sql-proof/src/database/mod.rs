//! The databases: how to reach them, and how each writes what the proof needs.

mod dialect;
mod engine;
mod mysql;
mod postgres;
mod sqlite;

use crate::Result;
use clap::ValueEnum;
use std::{fmt, path::Path};

pub(crate) use dialect::{Expected, civil};

/// A database engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Engine {
    Postgres,
    Mysql,
    Sqlite,
    Duckdb,
    Clickhouse,
}

/// A connection to a database that has nothing but what the proof puts there.
pub(crate) trait Database: Send {
    /// Runs a statement.
    fn execute(&mut self, sql: &str) -> Result<(), Refusal> {
        self.rows(sql).map(drop)
    }

    /// Runs a query. All values have to be text, or NULL.
    fn rows(&mut self, sql: &str) -> Result<Vec<Row>, Refusal>;

    /// Creates a table of text columns from a file: a line for each row, with tabs between the values, and `\N` for NULL.
    fn load(&mut self, table: &str, columns: &[String], file: &Path) -> Result<(), Refusal>;

    /// Opens a second connection to the same database.
    fn another(&self) -> Result<Box<dyn Database>> {
        Err("this database has one connection".into())
    }

    /// The version of the server or the library.
    fn version(&mut self) -> Result<String, Refusal>;
}

pub(crate) type Row = Vec<Option<String>>;

/// An error that the database returns for a statement.
#[derive(Debug)]
pub(crate) struct Refusal(pub(crate) String);

/// How the message of a refusal begins that comes from no database.
const FAILED: &str = "the connection failed";

impl Refusal {
    fn failed(error: impl fmt::Display) -> Self {
        Self(format!("{FAILED}: {error}"))
    }

    /// Whether all later statements fail, too.
    pub(crate) fn is_fatal(&self) -> bool {
        self.0.starts_with(FAILED)
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.lines().next().unwrap_or_default())
    }
}

impl std::error::Error for Refusal {}

impl Engine {
    /// Opens the database. Some come in two versions: `other` takes the second.
    pub(crate) fn open(self, other: bool) -> Result<Box<dyn Database>> {
        Ok(match (self, other) {
            (Self::Postgres, _) => Box::new(postgres::Postgres::open()?),
            (Self::Mysql, _) => Box::new(mysql::Mysql::open()?),
            (Self::Sqlite, false) => Box::new(sqlite::Sqlite::open()?),
            (Self::Sqlite, true) => Box::new(engine::Process::open("sqlite")?),
            (Self::Duckdb, _) => Box::new(engine::Process::open("duckdb")?),
            (Self::Clickhouse, _) => Box::new(engine::Process::open("clickhouse")?),
        })
    }

    pub(crate) const fn of_library(self) -> sortid_sql::Database {
        match self {
            Self::Postgres => sortid_sql::Database::Postgres,
            Self::Mysql => sortid_sql::Database::Mysql,
            Self::Sqlite => sortid_sql::Database::Sqlite,
            Self::Duckdb => sortid_sql::Database::Duckdb,
            Self::Clickhouse => sortid_sql::Database::Clickhouse,
        }
    }
}

/// The variable of the environment, which `cargo xtask sql` sets.
pub(crate) fn variable(name: &str) -> Result<String> {
    std::env::var(name)
        .map_err(|_| format!("{name} is not set: run this proof with `cargo xtask sql`").into())
}
