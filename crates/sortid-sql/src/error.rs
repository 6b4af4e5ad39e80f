use crate::Database;
use std::fmt;

/// What is asked of a [`Script`](crate::Script) or a [`RangeQuery`](crate::RangeQuery) and does not exist.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The functions of this database have no schema: functions of ClickHouse are global, and SQLite has no functions.
    Schema(Database),
    /// This database has functions, so it needs no view for a column: PostgreSQL, DuckDB or ClickHouse.
    Column(Database),
    /// A view stands beside its table, so the schema is that of the table.
    SchemaWithColumn,
    /// A view for a column needs a specification.
    ColumnWithoutSpec,
    /// Without a column, nothing is installed in SQLite.
    NothingInstalled,
    /// A name is empty, or has a control character.
    Name(String),
    /// A name is longer than the names of this database can be: 63 bytes in PostgreSQL, 64 characters in MySQL and
    /// MariaDB. The name of a view is made of the names of its table and its column.
    Length(Database, String),
    /// A bound has another number of bytes than an ID of the specification.
    Bytes {
        /// The number of bytes of an ID.
        expected: usize,
        /// The number of bytes of the bound.
        found: usize,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Schema(Database::Sqlite) => {
                f.write_str("SQLite cannot define functions in SQL: leave the schema out")
            }
            Self::Schema(database) => {
                write!(
                    f,
                    "the functions of {} do not belong to a schema: leave the schema out",
                    database.title()
                )
            }
            Self::Column(database) => write!(
                f,
                "expected MySQL, MariaDB or SQLite for the view of a column, found {}: create a view that calls the functions",
                database.title()
            ),
            Self::SchemaWithColumn => {
                f.write_str("the view of a column is in the schema of its table: leave the other schema out")
            }
            Self::ColumnWithoutSpec => f.write_str("a view for a column needs a specification"),
            Self::NothingInstalled => {
                f.write_str("SQLite has no functions to remove: to remove a view, give its column")
            }
            Self::Bytes { expected, found } => {
                write!(f, "expected a bound of {expected} bytes, found {found}")
            }
            Self::Length(database, name) => {
                let (most, found) = match database {
                    Database::Postgres => ("63 bytes", name.len()),
                    _ => ("64 characters", name.chars().count()),
                };
                write!(
                    f,
                    "expected a name of at most {most} in {}, found {found}: {name:?}",
                    database.title()
                )
            }
            Self::Name(name) => {
                write!(
                    f,
                    "expected a name of at least one character, without control characters, found {name:?}"
                )
            }
        }
    }
}

impl std::error::Error for Error {}
