//! The databases: how to reach them, and how each writes what the proof needs.

mod dialect;
mod engine;
mod mysql;
mod postgres;
mod sqlite;

use crate::{Result, subject::Subject};
use clap::ValueEnum;
use sortid_core::SortableId;
use std::{fmt, hint::black_box, path::Path};

pub(crate) use dialect::{Expected, civil};
pub(crate) use postgres::new as new_postgres;

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

    /// Runs a statement, and returns its rows as the database prints them.
    fn printed(&mut self, sql: &str) -> Result<Vec<Row>, Refusal> {
        self.rows(sql)
    }

    /// Creates a table of text columns from a file: a line for each row, with tabs between the values, and `\N` for NULL.
    fn load(&mut self, table: &str, columns: &[String], file: &Path) -> Result<(), Refusal>;

    /// Reads the IDs that a query returns, and computes the time or the text of each, as a program does without functions.
    fn fetch(&mut self, subject: &Subject, sql: &str, is_time: bool) -> Result;

    /// Opens a second connection to the same database.
    fn another(&self) -> Result<Box<dyn Database>> {
        Err("this database has one connection".into())
    }

    /// Removes the databases that examples have created.
    fn clean_up(&mut self) -> Result<(), Refusal> {
        Ok(())
    }

    /// The version of the server or the library.
    fn version(&mut self) -> Result<String, Refusal>;
}

/// Variables of the environment, with which programs find the database.
pub(crate) type Login = Vec<(String, String)>;

pub(crate) type Row = Vec<Option<String>>;

/// What a program does with an ID.
fn used<I: SortableId>(id: I, is_time: bool) {
    if is_time {
        black_box(id.unix_micros());
    } else {
        black_box(id.encode());
    }
}

/// An error that the database returns for a statement.
#[derive(Debug)]
pub(crate) struct Refusal(pub(crate) String);

/// The beginning of the message of a refusal that does not come from a database.
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

/// The name of a file for a database without a file.
const IN_MEMORY: &str = ":memory:";

impl Engine {
    /// Opens the database. Some come in two versions: `other` takes the second.
    pub(crate) fn open(self, other: bool) -> Result<Box<dyn Database>> {
        Ok(match (self, other) {
            (Self::Postgres, _) => Box::new(postgres::Postgres::open()?),
            (Self::Mysql, _) => Box::new(mysql::Mysql::open()?),
            (Self::Sqlite, false) => Box::new(sqlite::Sqlite::open(IN_MEMORY.as_ref())?),
            (Self::Sqlite, true) => Box::new(engine::Process::open("sqlite", IN_MEMORY.as_ref())?),
            (Self::Duckdb, _) => Box::new(engine::Process::open("duckdb", IN_MEMORY.as_ref())?),
            (Self::Clickhouse, _) => Box::new(engine::Process::open("clickhouse", IN_MEMORY.as_ref())?),
        })
    }

    /// Opens the database in a file, if this engine has its databases in files.
    pub(crate) fn open_file(self, file: &Path) -> Result<Box<dyn Database>> {
        Ok(match self {
            Self::Sqlite => Box::new(sqlite::Sqlite::open(file)?),
            Self::Duckdb => Box::new(engine::Process::open("duckdb", file)?),
            _ => self.open(false)?,
        })
    }

    /// How programs find the database. They may need files in a folder.
    pub(crate) fn login(self, folder: &Path) -> Result<Login> {
        match self {
            Self::Postgres => postgres::login(),
            Self::Mysql => mysql::login(folder),
            _ => Ok(vec![]),
        }
    }

    /// The heading of this database on a page.
    pub(crate) const fn heading(self) -> &'static str {
        match self {
            Self::Postgres => "## PostgreSQL",
            Self::Mysql => "## MariaDB and MySQL",
            Self::Sqlite => "## SQLite",
            Self::Duckdb => "## DuckDB",
            Self::Clickhouse => "## ClickHouse",
        }
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
