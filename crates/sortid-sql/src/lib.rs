#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod database;
mod error;
mod range;
mod script;
mod spec;
mod statements;

pub use database::Database;
pub use error::Error;
pub use range::RangeQuery;
pub use script::Script;
pub use spec::Spec;
pub use statements::statements;

/// The functions for PostgreSQL 14 and later.
pub const POSTGRES: &str = include_str!("../sql/postgres.sql");

/// The functions for MariaDB 10.11 and later, and for MySQL 8. Its `DELIMITER` lines are for the program `mysql`; [`statements`]
/// leaves them out.
pub const MYSQL: &str = include_str!("../sql/mysql.sql");

/// The macros for DuckDB.
pub const DUCKDB: &str = include_str!("../sql/duckdb.sql");

/// The functions for ClickHouse.
pub const CLICKHOUSE: &str = include_str!("../sql/clickhouse.sql");

/// Expressions for SQLite, which cannot define functions in SQL. Each statement is a query of examples: it prints them, and changes
/// nothing.
pub const SQLITE: &str = include_str!("../sql/sqlite.sql");

/// Expressions for views and generated columns in MariaDB and MySQL, where expressions are several times faster than functions.
pub(crate) const MYSQL_COLUMN: &str = include_str!("../sql/mysql-column.sql");
