use crate::Error;

/// A database that this crate has SQL for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Database {
    /// PostgreSQL, and hosted databases that are compatible with it.
    Postgres,
    /// MariaDB and MySQL.
    Mysql,
    /// DuckDB.
    Duckdb,
    /// ClickHouse.
    Clickhouse,
    /// SQLite.
    Sqlite,
}

impl Database {
    /// All databases.
    pub const ALL: [Self; 5] = [Self::Postgres, Self::Mysql, Self::Duckdb, Self::Clickhouse, Self::Sqlite];

    /// Returns the name, in lower case.
    ///
    /// ```
    /// assert_eq!(sortid_sql::Database::Postgres.name(), "postgres");
    /// ```
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Postgres => "postgres",
            Self::Mysql => "mysql",
            Self::Duckdb => "duckdb",
            Self::Clickhouse => "clickhouse",
            Self::Sqlite => "sqlite",
        }
    }

    /// Returns the whole file of this database, such as [`POSTGRES`](crate::POSTGRES).
    #[must_use]
    pub const fn sql(self) -> &'static str {
        match self {
            Self::Postgres => crate::POSTGRES,
            Self::Mysql => crate::MYSQL,
            Self::Duckdb => crate::DUCKDB,
            Self::Clickhouse => crate::CLICKHOUSE,
            Self::Sqlite => crate::SQLITE,
        }
    }

    /// Returns the name as its makers write it.
    pub(crate) const fn title(self) -> &'static str {
        match self {
            Self::Postgres => "PostgreSQL",
            Self::Mysql => "MySQL",
            Self::Duckdb => "DuckDB",
            Self::Clickhouse => "ClickHouse",
            Self::Sqlite => "SQLite",
        }
    }

    /// Returns the name as an identifier in quotes. Every name from outside enters SQL here.
    pub(crate) fn quoted(self, name: &str) -> Result<String, Error> {
        if name.is_empty() || name.contains(char::is_control) {
            return Err(Error::Name(name.to_owned()));
        }
        let is_too_long = match self {
            // PostgreSQL cuts a longer name, so it would be that of another object.
            Self::Postgres => name.len() > 63,
            Self::Mysql => name.chars().count() > 64,
            Self::Duckdb | Self::Clickhouse | Self::Sqlite => false,
        };
        if is_too_long {
            return Err(Error::Length(self, name.to_owned()));
        }
        let quote = if self == Self::Mysql { "`" } else { "\"" };
        let mut name = name.replace(quote, &quote.repeat(2));
        if self == Self::Clickhouse {
            // The others take a backslash in quotes for itself.
            name = name.replace('\\', r"\\");
        }
        Ok(format!("{quote}{name}{quote}"))
    }
}
