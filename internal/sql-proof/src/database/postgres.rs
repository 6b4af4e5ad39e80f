use super::{Database, Refusal, Row, variable};
use crate::Result;
use postgres::{Client, Config, NoTls, SimpleQueryMessage};
use std::{fs::File, io, path::Path};

/// The database of the proof, which it creates.
const NAME: &str = "sortid_sql_proof";

pub(super) struct Postgres(Client);

impl Postgres {
    /// Creates the database anew.
    pub(super) fn open() -> Result<Self> {
        let mut server = config()?.connect(NoTls)?;
        server.simple_query(&format!("DROP DATABASE IF EXISTS {NAME} WITH (FORCE)"))?;
        server.simple_query(&format!("CREATE DATABASE {NAME}"))?;
        Self::connect()
    }

    fn connect() -> Result<Self> {
        Ok(Self(config()?.dbname(NAME).connect(NoTls)?))
    }
}

fn config() -> Result<Config> {
    Ok(variable("SORTID_POSTGRES")?.parse()?)
}

impl Database for Postgres {
    fn rows(&mut self, sql: &str) -> Result<Vec<Row>, Refusal> {
        let messages = self.0.simple_query(sql).map_err(refusal)?;
        let rows = messages.into_iter().filter_map(|message| match message {
            SimpleQueryMessage::Row(row) => {
                Some((0..row.len()).map(|i| row.get(i).map(str::to_owned)).collect())
            }
            _ => None,
        });
        Ok(rows.collect())
    }

    fn load(&mut self, table: &str, columns: &[String], file: &Path) -> Result<(), Refusal> {
        self.execute(&format!("CREATE TABLE {table} ({} text)", columns.join(" text, ")))?;
        let mut copy = self.0.copy_in(&format!("COPY {table} FROM STDIN")).map_err(refusal)?;
        let copied = File::open(file).and_then(|mut file| io::copy(&mut file, &mut copy));
        copied.map_err(|error| Refusal(error.to_string()))?;
        copy.finish().map_err(refusal)?;
        Ok(())
    }

    fn another(&self) -> Result<Box<dyn Database>> {
        Ok(Box::new(Self::connect()?))
    }

    fn version(&mut self) -> Result<String, Refusal> {
        let rows = self.rows("SHOW server_version")?;
        Ok(format!("PostgreSQL {}", rows[0][0].as_deref().unwrap_or_default()))
    }
}

#[expect(clippy::needless_pass_by_value, reason = "for map_err")]
fn refusal(error: postgres::Error) -> Refusal {
    match error.as_db_error() {
        Some(error) => Refusal(format!("{} (SQLSTATE {})", error.message(), error.code().code())),
        None => Refusal::failed(error),
    }
}
