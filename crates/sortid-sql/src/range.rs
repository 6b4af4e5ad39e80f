use crate::{Database, Error, Spec};
use std::fmt::Write as _;

/// A query for the rows whose IDs are within bounds, such as the bounds of a span of time.
///
/// The bounds are the bytes of IDs, from the `min_at` and `max_at` of the specification's crate. Both belong to the span. The
/// column has the natural type of the specification in the database, which the functions of this crate expect, too: in
/// PostgreSQL `bigint` for Ulid-Flake, `uuid` for EUID and Event ID, `bytea` for SCRU160 and RON UID. The query for RON UIDs
/// leaves out names and hashes, because they have no time.
///
/// ```
/// use sortid_sql::{Database, RangeQuery, Spec};
///
/// let query = RangeQuery::new(Database::Mysql, Spec::Euid, "shop.orders", "id").least(&[0x0c; 16]);
/// assert_eq!(
///     query.sql()?,
///     "SELECT * FROM `shop`.`orders` WHERE `id` >= X'0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c' ORDER BY `id`;"
/// );
/// # Ok::<(), sortid_sql::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct RangeQuery<'a> {
    database: Database,
    spec: Spec,
    table: &'a str,
    column: &'a str,
    least: Option<&'a [u8]>,
    greatest: Option<&'a [u8]>,
}

impl<'a> RangeQuery<'a> {
    /// Returns a query for all rows of the table. Dots separate the names in `table` and `column`; quotes are not needed.
    #[must_use]
    pub const fn new(database: Database, spec: Spec, table: &'a str, column: &'a str) -> Self {
        Self { database, spec, table, column, least: None, greatest: None }
    }

    /// Leaves out the rows whose IDs are less than this one.
    #[must_use]
    pub const fn least(self, id: &'a [u8]) -> Self {
        Self { least: Some(id), ..self }
    }

    /// Leaves out the rows whose IDs are greater than this one.
    #[must_use]
    pub const fn greatest(self, id: &'a [u8]) -> Self {
        Self { greatest: Some(id), ..self }
    }

    /// Returns the SQL, with a semicolon at its end.
    ///
    /// # Errors
    ///
    /// If a name is empty, has a control character or is longer than the database allows, or a bound has another number of
    /// bytes than an ID.
    pub fn sql(&self) -> Result<String, Error> {
        let Self { database, spec, .. } = *self;
        let [mut column, table] = [self.quoted(self.column)?, self.quoted(self.table)?];
        if database == Database::Sqlite {
            // SQLite takes an unknown name in quotes for a text, unless the table stands before it.
            column = format!("{table}.{column}");
        }
        let mut sql = format!("SELECT * FROM {table} WHERE {column} ");
        let literal = |id: Option<&[u8]>| id.map(|id| database.literal(spec, id)).transpose();
        // Writing to a String does not fail.
        let _ = match (literal(self.least)?, literal(self.greatest)?) {
            (Some(least), Some(greatest)) => write!(sql, "BETWEEN {least} AND {greatest}"),
            (Some(least), None) => write!(sql, ">= {least}"),
            (None, Some(greatest)) => write!(sql, "<= {greatest}"),
            (None, None) => write!(sql, "IS NOT NULL"),
        };
        if spec == Spec::RonUid {
            // The ninth byte contains the scheme. From 0x20 on, the UID is an event or derived from one, and has a time.
            let _ = match database {
                Database::Postgres => write!(sql, " AND substr({column}, 9, 1) >= '\\x20'"),
                Database::Mysql | Database::Sqlite => write!(sql, " AND substr({column}, 9, 1) >= X'20'"),
                Database::Duckdb => write!(sql, " AND substr(hex({column}), 17, 2) >= '20'"),
                Database::Clickhouse => write!(sql, " AND substring({column}, 9, 1) >= char(32)"),
            };
        }
        let _ = write!(sql, " ORDER BY {column};");
        Ok(sql)
    }

    /// Quotes each of the names between the dots, so that no name can contain SQL.
    fn quoted(&self, path: &str) -> Result<String, Error> {
        let names = path.split('.').map(|name| self.database.quoted(name));
        Ok(names.collect::<Result<Vec<_>, _>>()?.join("."))
    }
}

impl Database {
    /// Returns an ID as a literal of its natural type.
    fn literal(self, spec: Spec, id: &[u8]) -> Result<String, Error> {
        let wrong = Error::Bytes { expected: spec.bytes(), found: id.len() };
        if spec == Spec::UlidFlake {
            return Ok(i64::from_be_bytes(id.try_into().map_err(|_| wrong)?).to_string());
        }
        if id.len() != spec.bytes() {
            return Err(wrong);
        }
        let hex: String = id.iter().map(|byte| format!("{byte:02x}")).collect();
        let uuid = || {
            let [a, b, c, d, e] = [&hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..]];
            format!("'{a}-{b}-{c}-{d}-{e}'")
        };
        Ok(match self {
            Self::Postgres if spec.is_uuid() => uuid(),
            Self::Postgres => format!("'\\x{hex}'"),
            Self::Mysql | Self::Sqlite => format!("X'{hex}'"),
            Self::Duckdb if spec.is_uuid() => format!("{}::UUID", uuid()),
            Self::Duckdb => format!("unhex('{hex}')"),
            Self::Clickhouse => format!("toFixedString(unhex('{hex}'), {})", id.len()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_stays_a_name_whatever_is_in_it() {
        for (name, postgres, mysql) in [
            ("id", r#""id""#, "`id`"),
            ("Shop.Order Lines", r#""Shop"."Order Lines""#, "`Shop`.`Order Lines`"),
            (r#"a" OR "1"="1"#, r#""a"" OR ""1""=""1""#, r#"`a" OR "1"="1`"#),
            ("a` -- '", r#""a` -- '""#, r"`a`` -- '`"),
        ] {
            for (database, quoted) in
                [(Database::Postgres, postgres), (Database::Sqlite, postgres), (Database::Mysql, mysql)]
            {
                let sql = RangeQuery::new(database, Spec::Euid, name, "id").sql().unwrap();
                assert!(sql.starts_with(&format!("SELECT * FROM {quoted} WHERE ")), "{sql}");
            }
        }
        let sql = RangeQuery::new(Database::Clickhouse, Spec::Euid, r#"a\" OR 1"#, "id").sql().unwrap();
        assert!(sql.starts_with(r#"SELECT * FROM "a\\"" OR 1" WHERE "#), "{sql}");
        for name in ["", ".", "a.", ".a", "a..b", "a\x1b[31m", "a\nb"] {
            assert!(RangeQuery::new(Database::Postgres, Spec::Euid, name, "id").sql().is_err(), "{name}");
            assert!(RangeQuery::new(Database::Postgres, Spec::Euid, "t", name).sql().is_err(), "{name}");
        }
    }

    #[test]
    fn a_bound_has_the_bytes_of_an_id() {
        for &spec in Spec::ALL {
            for len in 0..=24 {
                let bytes = vec![0; len];
                let query = RangeQuery::new(Database::Duckdb, spec, "t", "id").greatest(&bytes);
                assert_eq!(query.sql().is_ok(), len == spec.bytes(), "{spec:?} {len}");
            }
        }
    }
}
