//! Queries by time, for the column type that is natural for a specification.

use crate::commands::sql::{check_name, in_sql};
use sortid::{AnyId, Spec};
use sortid_sql::{Database, RangeQuery};
use std::fmt;

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
    dialect: Database,
    spec: Spec,
    [column, table]: [&str; 2],
    [least, greatest]: [Option<AnyId>; 2],
) -> Result<String, String> {
    for path in [column, table] {
        if path.split('.').any(str::is_empty) {
            return Err(format!("expected a name, or names with dots between them, found {path:?}"));
        }
        check_name(path)?;
    }
    let mut query = RangeQuery::new(dialect, in_sql(spec)?, table, column);
    if let Some(id) = &least {
        query = query.least(id.as_bytes());
    }
    if let Some(id) = &greatest {
        query = query.greatest(id.as_bytes());
    }
    query.sql().map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::{column_and_table, select};
    use sortid::Spec;
    use sortid_sql::Database;
    use std::cell::Cell;

    #[test]
    fn a_name_that_cannot_be_seen_is_refused() {
        for name in ["", ".", "a.", ".a", "a..b", "a\x1b[31m", "a\nb", "\u{202e}a", "a\u{3164}"] {
            for names in [["id", name], [name, "orders"]] {
                assert!(select(Database::Sqlite, Spec::Euid, names, [None; 2]).is_err(), "{names:?}");
            }
        }
        assert!(select(Database::Sqlite, Spec::Euid, ["id", "shop.orders"], [None; 2]).is_ok());
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
