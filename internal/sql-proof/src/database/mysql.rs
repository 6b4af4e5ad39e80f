use super::{Database, Refusal, Row, variable};
use crate::Result;
use mysql::{Conn, LocalInfileHandler, Opts, OptsBuilder, Value, prelude::Queryable};
use std::{fs::File, io, path::Path};

/// The database of the proof, which it creates.
const NAME: &str = "sortid_sql_proof";

pub(super) struct Mysql(Conn);

impl Mysql {
    /// Creates the database anew.
    pub(super) fn open() -> Result<Self> {
        let mut server = Conn::new(options(None)?)?;
        server.query_drop(format!("DROP DATABASE IF EXISTS {NAME}"))?;
        server.query_drop(format!("CREATE DATABASE {NAME} CHARACTER SET utf8mb4"))?;
        Self::connect()
    }

    fn connect() -> Result<Self> {
        let mut connection = Conn::new(options(Some(NAME))?)?;
        // The samples need no transactions, and load in a third of the time.
        connection.query_drop("SET default_storage_engine = MyISAM")?;
        Ok(Self(connection))
    }
}

fn options(name: Option<&str>) -> Result<OptsBuilder> {
    Ok(OptsBuilder::from_opts(Opts::from_url(&variable("SORTID_MYSQL")?)?).db_name(name))
}

impl Database for Mysql {
    fn rows(&mut self, sql: &str) -> Result<Vec<Row>, Refusal> {
        let rows: Vec<mysql::Row> = self.0.query(sql).map_err(refusal)?;
        let text = |value| match value {
            Value::NULL => None,
            Value::Bytes(bytes) => Some(String::from_utf8_lossy(&bytes).into_owned()),
            other => Some(other.as_sql(true)),
        };
        Ok(rows.into_iter().map(|row| row.unwrap().into_iter().map(text).collect()).collect())
    }

    fn load(&mut self, table: &str, columns: &[String], file: &Path) -> Result<(), Refusal> {
        let text = " longtext CHARACTER SET ascii COLLATE ascii_bin";
        self.execute(&format!("CREATE TABLE {table} ({}{text})", columns.join(&format!("{text}, "))))?;
        let path = file.to_owned();
        self.0.set_local_infile_handler(Some(LocalInfileHandler::new(move |_, writer| {
            io::copy(&mut File::open(&path)?, writer).map(drop)
        })));
        self.execute(&format!("LOAD DATA LOCAL INFILE 'rows' INTO TABLE {table} CHARACTER SET ascii"))?;
        Ok(())
    }

    fn another(&self) -> Result<Box<dyn Database>> {
        Ok(Box::new(Self::connect()?))
    }

    fn version(&mut self) -> Result<String, Refusal> {
        let rows = self.rows("SELECT version()")?;
        Ok(rows[0][0].clone().unwrap_or_default())
    }
}

#[expect(clippy::needless_pass_by_value, reason = "for map_err")]
fn refusal(error: mysql::Error) -> Refusal {
    match error {
        mysql::Error::MySqlError(error) => Refusal(error.to_string()),
        error => Refusal::failed(error),
    }
}
