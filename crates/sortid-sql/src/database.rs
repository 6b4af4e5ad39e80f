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

    /// Returns the name as an identifier in quotes.
    pub(crate) fn quoted(self, name: &str) -> String {
        let quote = if self == Self::Mysql { "`" } else { "\"" };
        let mut name = name.replace(quote, &quote.repeat(2));
        if self == Self::Clickhouse {
            // The others take a backslash in quotes for itself.
            name = name.replace('\\', r"\\");
        }
        format!("{quote}{name}{quote}")
    }
}
