//! Queries by time, for the column type that is natural for a specification.

use crate::terminal::is_hidden;
use clap::ValueEnum;
use sortid::{AnyId, Spec};
use sortid_inspect::__private::{hex, uuid};
use std::fmt::{self, Write as _};

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Dialect {
    /// bigint; uuid as '8-4-4-4-12'; bytea as '\x…'
    Postgresql,
    /// BIGINT; BINARY(16) and BINARY(20) as X'…'
    Mysql,
    /// INTEGER; BLOB as X'…'
    Sqlite,
}

impl Dialect {
    /// Quotes each of the names between the dots, so that no name can contain SQL.
    pub(crate) fn identifier(self, path: &str) -> Result<String, String> {
        let quote = if self == Self::Mysql { '`' } else { '"' };
        let names: Vec<_> = path.split('.').collect();
        if names.iter().any(|name| name.is_empty()) {
            return Err(format!("expected a name, or names with dots between them, found {path:?}"));
        }
        if path.contains(is_hidden) {
            return Err(format!(
                "expected a name without control characters and invisible ones, found {path:?}"
            ));
        }
        let names = names.iter().map(|name| {
            let doubled = name.replace(quote, &format!("{quote}{quote}"));
            format!("{quote}{doubled}{quote}")
        });
        Ok(names.collect::<Vec<_>>().join("."))
    }

    fn literal(self, id: AnyId) -> String {
        let mut text = Vec::new();
        let (before, after) = match (self, id) {
            (_, AnyId::UlidFlake(id)) => return id.to_int().to_string(),
            (Self::Postgresql, AnyId::Euid(_) | AnyId::EventlyId(_)) => {
                uuid::push(id.as_bytes(), &mut text);
                ("'", "'")
            }
            (Self::Postgresql, _) => {
                hex::push(id.as_bytes(), &mut text);
                ("'\\x", "'")
            }
            _ => {
                hex::push(id.as_bytes(), &mut text);
                ("X'", "'")
            }
        };
        format!("{before}{}{after}", String::from_utf8_lossy(&text))
    }
}

/// The column and the table of `--sql TABLE.COLUMN` or `--sql COLUMN TABLE`. Warns if the names look swapped, or have
/// quotes.
pub(crate) fn column_and_table(
    names: &[String],
    warn: impl Fn(fmt::Arguments<'_>),
) -> Result<[&str; 2], String> {
    let names = match names {
        [name] => match name.rsplit_once('.') {
            Some((table, column)) => [column, table],
            None => return Err(format!("--sql: expected TABLE.COLUMN, such as orders.id, found {name:?}")),
        },
        [column, table] => [&**column, table],
        _ => return Err("--sql: expected TABLE.COLUMN, such as orders.id".to_owned()),
    };
    let [column, table] = names;
    if is_usual_for_a_column(table) && !is_usual_for_a_column(column) {
        warn(format_args!(
            "--sql {column} {table} is read as the column {column} of the table {table}; for the column {table} of the \
             table {column}, write --sql {column}.{table}"
        ));
    }
    for name in names.iter().flat_map(|path| path.split('.')) {
        if name.len() > 1
            && [('"', '"'), ('`', '`'), ('[', ']')]
                .iter()
                .any(|(first, last)| name.starts_with(*first) && name.ends_with(*last))
        {
            warn(format_args!(
                "--sql: the quotes are read as a part of the name {name}; leave them out, the query has its own"
            ));
        }
    }
    Ok(names)
}

fn is_usual_for_a_column(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    ["id", "uuid", "key"].contains(&&*lower) || lower.ends_with("_id") || name.ends_with("Id")
}

/// A query for the rows whose IDs are from `least` to `greatest`, or without a limit.
pub(crate) fn select(
    dialect: Dialect,
    spec: Spec,
    [column, table]: [&str; 2],
    [least, greatest]: [Option<AnyId>; 2],
) -> Result<String, String> {
    let [mut column, table] = [dialect.identifier(column)?, dialect.identifier(table)?];
    if dialect == Dialect::Sqlite {
        // SQLite takes an unknown name in quotes for a text, unless the table stands before it.
        column = format!("{table}.{column}");
    }
    let literal = |id: AnyId| dialect.literal(id);
    let mut sql = format!("SELECT * FROM {table} WHERE {column} ");
    // Writing to a String does not fail.
    let _ = match (least, greatest) {
        (Some(least), Some(greatest)) => {
            write!(sql, "BETWEEN {} AND {}", literal(least), literal(greatest))
        }
        (Some(least), None) => write!(sql, ">= {}", literal(least)),
        (None, Some(greatest)) => write!(sql, "<= {}", literal(greatest)),
        (None, None) => write!(sql, "IS NOT NULL"),
    };
    if spec == Spec::RonUid {
        // The ninth byte contains the scheme. From 0x20 on, the UID is an event or derived from one, and has a time.
        let event = if dialect == Dialect::Postgresql { "'\\x20'" } else { "X'20'" };
        let _ = write!(sql, " AND substr({column}, 9, 1) >= {event}");
    }
    let _ = write!(sql, " ORDER BY {column};");
    Ok(sql)
}

#[cfg(test)]
mod tests {
    use super::{Dialect, column_and_table};
    use std::cell::Cell;

    #[test]
    fn a_name_stays_a_name_whatever_is_in_it() {
        for (name, postgresql, mysql) in [
            ("id", r#""id""#, "`id`"),
            ("Shop.Order Lines", r#""Shop"."Order Lines""#, "`Shop`.`Order Lines`"),
            (r#"a" OR "1"="1"#, r#""a"" OR ""1""=""1""#, r#"`a" OR "1"="1`"#),
            ("a` -- \\'", r#""a` -- \'""#, r"`a`` -- \'`"),
        ] {
            assert_eq!(Dialect::Postgresql.identifier(name).unwrap(), postgresql);
            assert_eq!(Dialect::Sqlite.identifier(name).unwrap(), postgresql);
            assert_eq!(Dialect::Mysql.identifier(name).unwrap(), mysql);
        }
        for name in ["", ".", "a.", ".a", "a..b", "a\x1b[31m", "a\nb", "\u{202e}a"] {
            assert!(Dialect::Postgresql.identifier(name).is_err(), "{name}");
        }
    }
    /// The names, and how many warnings they get.
    fn read(names: &[&str]) -> (Result<[String; 2], String>, usize) {
        let names: Vec<_> = names.iter().map(|&name| name.to_owned()).collect();
        let warnings = Cell::new(0);
        let read = column_and_table(&names, |_| warnings.set(warnings.get() + 1));
        (read.map(|names| names.map(str::to_owned)), warnings.get())
    }

    #[test]
    fn the_last_dot_is_before_the_column() {
        for (names, column, table, warnings) in [
            (&["orders.id"][..], "id", "orders", 0),
            (&["shop.orders.id"], "id", "shop.orders", 0),
            (&["user.order"], "order", "user", 0),
            (&["orders."], "", "orders", 0),
            (&["id", "orders"], "id", "orders", 0),
            (&["id", "shop.orders"], "id", "shop.orders", 0),
            (&["id", "key"], "id", "key", 0),
            (&["orders", "id"], "orders", "id", 1),
            (&["orders", "order_id"], "orders", "order_id", 1),
            (&["orders", "orderId"], "orders", "orderId", 1),
            (&["Orders", "UUID"], "Orders", "UUID", 1),
            (&["paid", "void"], "paid", "void", 0),
            (&[r#""orders"."id""#], r#""id""#, r#""orders""#, 2),
            (&["[orders].`id`"], "`id`", "[orders]", 2),
            (&[r#"say "hi".id"#], "id", r#"say "hi""#, 0),
        ] {
            let expected = Ok([column, table].map(str::to_owned));
            assert_eq!(read(names), (expected, warnings), "{names:?}");
        }
        for name in ["orders", "", "SELECT * FROM orders", "orders(id)"] {
            let (read, _) = read(&[name]);
            assert!(read.unwrap_err().contains("expected TABLE.COLUMN, such as orders.id"), "{name}");
        }
    }
}
