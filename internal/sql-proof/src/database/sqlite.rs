use super::{Database, Refusal, Row};
use crate::Result;
use rusqlite::{Connection, params_from_iter, types::ValueRef};
use std::{
    fs::File,
    io::{BufRead as _, BufReader},
    path::Path,
};

/// The SQLite that `rusqlite` brings.
pub(super) struct Sqlite(Connection);

impl Sqlite {
    pub(super) fn open() -> Result<Self> {
        Ok(Self(Connection::open_in_memory()?))
    }
}

impl Database for Sqlite {
    fn rows(&mut self, sql: &str) -> Result<Vec<Row>, Refusal> {
        let mut statement = self.0.prepare(sql).map_err(refusal)?;
        let columns = statement.column_count();
        let mut rows = statement.query([]).map_err(refusal)?;
        let mut all = vec![];
        while let Some(row) = rows.next().map_err(refusal)? {
            let value = |i| match row.get_ref(i).map_err(refusal)? {
                ValueRef::Null => Ok(None),
                ValueRef::Integer(int) => Ok(Some(int.to_string())),
                ValueRef::Text(text) => Ok(Some(String::from_utf8_lossy(text).into_owned())),
                ValueRef::Real(real) => Err(Refusal(format!("the number {real} is not an integer"))),
                ValueRef::Blob(_) => Err(Refusal("a blob is not text".to_owned())),
            };
            all.push((0..columns).map(value).collect::<Result<_, _>>()?);
        }
        Ok(all)
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

    fn version(&mut self) -> Result<String, Refusal> {
        Ok(format!("SQLite {}", rusqlite::version()))
    }
}

#[expect(clippy::needless_pass_by_value, reason = "for map_err")]
fn refusal(error: rusqlite::Error) -> Refusal {
    Refusal(error.to_string())
}
