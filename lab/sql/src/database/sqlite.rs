use super::{Database, Refusal, Row, used};
use crate::{
    Result,
    subject::{Subject, hex},
};
use rusqlite::{
    Connection, params_from_iter,
    types::{FromSql, ValueRef},
};
use sortid::{__with_type as with_type, SortableId};
use std::{
    fs::File,
    io::{BufRead as _, BufReader},
    path::Path,
};

/// The SQLite that `rusqlite` brings.
pub(super) struct Sqlite(Connection);

impl Sqlite {
    pub(super) fn open(file: &Path) -> Result<Self> {
        Ok(Self(Connection::open(file)?))
    }
}

impl Sqlite {
    fn read(
        &mut self,
        sql: &str,
        other: impl Fn(ValueRef<'_>) -> Result<String, Refusal>,
    ) -> Result<Vec<Row>, Refusal> {
        let mut statement = self.0.prepare(sql).map_err(refusal)?;
        let columns = statement.column_count();
        let mut rows = statement.query([]).map_err(refusal)?;
        let mut all = vec![];
        while let Some(row) = rows.next().map_err(refusal)? {
            let value = |i| match row.get_ref(i).map_err(refusal)? {
                ValueRef::Null => Ok(None),
                ValueRef::Integer(int) => Ok(Some(int.to_string())),
                ValueRef::Text(text) => Ok(Some(String::from_utf8_lossy(text).into_owned())),
                value => other(value).map(Some),
            };
            all.push((0..columns).map(value).collect::<Result<_, _>>()?);
        }
        Ok(all)
    }
}

impl Database for Sqlite {
    fn rows(&mut self, sql: &str) -> Result<Vec<Row>, Refusal> {
        self.read(sql, |value| Err(Refusal(format!("a value of the type {} is not text", value.data_type()))))
    }

    /// Blobs and numbers are printed as literals.
    fn printed(&mut self, sql: &str) -> Result<Vec<Row>, Refusal> {
        self.read(sql, |value| {
            Ok(match value {
                ValueRef::Blob(bytes) => format!("x'{}'", hex(bytes)),
                ValueRef::Real(real) => real.to_string(),
                other => format!("{other:?}"),
            })
        })
    }

    fn load(&mut self, table: &str, columns: &[String], file: &Path) -> Result<(), Refusal> {
        self.execute(&format!("CREATE TABLE {table} ({} TEXT)", columns.join(" TEXT, ")))?;
        let transaction = self.0.transaction().map_err(refusal)?;
        let insert = format!("INSERT INTO {table} VALUES ({})", vec!["?"; columns.len()].join(", "));
        let mut statement = transaction.prepare(&insert).map_err(refusal)?;
        let read = |error: std::io::Error| Refusal(error.to_string());
        for line in BufReader::new(File::open(file).map_err(read)?).lines() {
            let line = line.map_err(read)?;
            let values = line.split('\t').map(|value| (value != "\\N").then_some(value));
            statement.execute(params_from_iter(values)).map_err(refusal)?;
        }
        drop(statement);
        transaction.commit().map_err(refusal)
    }

    fn fetch(&mut self, subject: &Subject, sql: &str, is_time: bool) -> Result {
        let connection = &self.0;
        with_type!(subject.id, Id => fetch::<Id>(connection, sql, is_time))
    }

    fn version(&mut self) -> Result<String, Refusal> {
        Ok(format!("SQLite {}", rusqlite::version()))
    }
}

fn fetch<I: SortableId + FromSql>(connection: &Connection, sql: &str, is_time: bool) -> Result {
    let mut statement = connection.prepare(sql)?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        used(row.get::<_, I>(0)?, is_time);
    }
    Ok(())
}

#[expect(clippy::needless_pass_by_value, reason = "for map_err")]
fn refusal(error: rusqlite::Error) -> Refusal {
    Refusal(error.to_string())
}
