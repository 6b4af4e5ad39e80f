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

/// What is different from one database to another, and is not SQL.
struct Facts {
    name: &'static str,
    other_names: &'static [&'static str],
    title: &'static str,
    versions: &'static str,
    literals: &'static str,
    sql: &'static str,
}

impl Database {
    /// All databases.
    pub const ALL: [Self; 5] = [Self::Postgres, Self::Mysql, Self::Duckdb, Self::Clickhouse, Self::Sqlite];

    const fn facts(self) -> Facts {
        match self {
            Self::Postgres => Facts {
                name: "postgres",
                other_names: &["postgresql", "pg", "psql"],
                title: "PostgreSQL",
                versions: "PostgreSQL 14 or later",
                literals: r"bigint; uuid as '8-4-4-4-12'; bytea as '\x…'",
                sql: include_str!("../sql/postgres.sql"),
            },
            Self::Mysql => Facts {
                name: "mysql",
                other_names: &["mariadb"],
                title: "MySQL",
                versions: "MariaDB 10.11 or later, or MySQL 8",
                literals: "BIGINT; BINARY(16) and BINARY(20) as X'…'",
                sql: include_str!("../sql/mysql.sql"),
            },
            Self::Duckdb => Facts {
                name: "duckdb",
                other_names: &[],
                title: "DuckDB",
                versions: "DuckDB",
                literals: "BIGINT; UUID; BLOB as unhex('…')",
                sql: include_str!("../sql/duckdb.sql"),
            },
            Self::Clickhouse => Facts {
                name: "clickhouse",
                other_names: &[],
                title: "ClickHouse",
                versions: "ClickHouse",
                literals: "Int64; FixedString(16) and FixedString(20)",
                sql: include_str!("../sql/clickhouse.sql"),
            },
            Self::Sqlite => Facts {
                name: "sqlite",
                other_names: &["sqlite3"],
                title: "SQLite",
                versions: "SQLite",
                literals: "INTEGER; BLOB as X'…'",
                sql: include_str!("../sql/sqlite.sql"),
            },
        }
    }

    /// Returns the name, in lower case.
    ///
    /// ```
    /// assert_eq!(sortid_sql::Database::Postgres.name(), "postgres");
    /// ```
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.facts().name
    }

    /// Returns other names that people use for the database, in lower case: the name of its client, or of a database
    /// with the same SQL.
    ///
    /// ```
    /// assert_eq!(sortid_sql::Database::Mysql.other_names(), ["mariadb"]);
    /// ```
    #[must_use]
    pub const fn other_names(self) -> &'static [&'static str] {
        self.facts().other_names
    }

    /// Returns the database of this [`name`](Self::name) or of one of the [`other_names`](Self::other_names), in any case.
    ///
    /// ```
    /// use sortid_sql::Database;
    ///
    /// assert_eq!(Database::named("PostgreSQL"), Some(Database::Postgres));
    /// assert_eq!(Database::named("oracle"), None);
    /// ```
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        let is_it = |other: &&str| other.eq_ignore_ascii_case(name);
        Self::ALL.into_iter().find(|it| is_it(&it.name()) || it.other_names().iter().any(is_it))
    }

    /// Returns the functions of all specifications.
    ///
    /// Those of [`Mysql`](Self::Mysql) have `DELIMITER` lines for the program `mysql`;
    /// [`statements`](crate::statements) leaves them out. [`Sqlite`](Self::Sqlite) cannot define functions in SQL, so it has
    /// queries of examples, which change nothing.
    ///
    /// ```
    /// use sortid_sql::Database;
    ///
    /// assert!(Database::Postgres.sql().contains("FUNCTION scru160_time(id bytea)"));
    /// ```
    #[must_use]
    pub const fn sql(self) -> &'static str {
        self.facts().sql
    }

    /// Returns the name as its makers write it.
    pub(crate) const fn title(self) -> &'static str {
        self.facts().title
    }

    /// The versions that the SQL is for, in the help of the program.
    #[doc(hidden)]
    #[must_use]
    pub const fn __versions(self) -> &'static str {
        self.facts().versions
    }

    /// The literals of a [`RangeQuery`](crate::RangeQuery), in the help of the program.
    #[doc(hidden)]
    #[must_use]
    pub const fn __literals(self) -> &'static str {
        self.facts().literals
    }

    /// Returns the name as an identifier in quotes. Every name from outside enters SQL here.
    pub(crate) fn quoted(self, name: &str) -> Result<String, Error> {
        if name.is_empty() || name.contains(char::is_control) {
            return Err(Error::Name(name.to_owned()));
        }
        let is_too_long = match self {
            // PostgreSQL cuts a longer name, so it could become the name of another object.
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
            // Other databases read a backslash in quotes as itself.
            name = name.replace('\\', r"\\");
        }
        Ok(format!("{quote}{name}{quote}"))
    }
}
