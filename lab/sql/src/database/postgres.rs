use super::{Database, Login, Refusal, Row, used, variable};
use crate::{Result, subject::Subject};
use postgres::{
    Client, Config, NoTls, SimpleQueryMessage, config::Host, fallible_iterator::FallibleIterator as _,
    types::FromSql,
};
use sortid::{__with_type as with_type, SortableId};
use std::{fs::File, io, path::Path};

/// The database of the proof, which it creates.
const NAME: &str = "sortid_sql_lab";

pub(super) struct Postgres(Client);

impl Postgres {
    pub(super) fn open() -> Result<Self> {
        Ok(Self(new()?))
    }
}

/// Drops the database, creates it, and opens a connection to it.
pub(crate) fn new() -> Result<Client> {
    let mut server = config()?.connect(NoTls)?;
    server.simple_query(&format!("DROP DATABASE IF EXISTS {NAME} WITH (FORCE)"))?;
    server.simple_query(&format!("CREATE DATABASE {NAME}"))?;
    connect()
}

fn connect() -> Result<Client> {
    Ok(config()?.dbname(NAME).connect(NoTls)?)
}

fn config() -> Result<Config> {
    Ok(variable("SORTID_POSTGRES")?.parse()?)
}

/// The variables that `psql` reads.
pub(super) fn login() -> Result<Login> {
    let config = config()?;
    let mut login = vec![("PGDATABASE".to_owned(), NAME.to_owned())];
    for host in config.get_hosts() {
        let host = match host {
            Host::Tcp(name) => name.clone(),
            #[cfg(unix)]
            Host::Unix(path) => path.display().to_string(),
        };
        login.push(("PGHOST".to_owned(), host));
    }
    for port in config.get_ports() {
        login.push(("PGPORT".to_owned(), port.to_string()));
    }
    if let Some(user) = config.get_user() {
        login.push(("PGUSER".to_owned(), user.to_owned()));
    }
    login.push(("PSQLRC".to_owned(), "/dev/null".to_owned()));
    Ok(login)
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

    fn fetch(&mut self, subject: &Subject, sql: &str, is_time: bool) -> Result {
        let client = &mut self.0;
        with_type!(subject.id, Id => fetch::<Id>(client, sql, is_time))
    }

    fn another(&self) -> Result<Box<dyn Database>> {
        Ok(Box::new(Self(connect()?)))
    }

    fn version(&mut self) -> Result<String, Refusal> {
        let rows = self.rows("SHOW server_version")?;
        Ok(format!("PostgreSQL {}", rows[0][0].as_deref().unwrap_or_default()))
    }
}

fn fetch<I: SortableId + for<'a> FromSql<'a>>(client: &mut Client, sql: &str, is_time: bool) -> Result {
    let mut rows = client.query_raw(sql, std::iter::empty::<i32>())?;
    while let Some(row) = rows.next()? {
        used(row.try_get::<_, I>(0)?, is_time);
    }
    Ok(())
}

fn refusal(error: postgres::Error) -> Refusal {
    match error.as_db_error() {
        Some(error) => Refusal(format!("{} (SQLSTATE {})", error.message(), error.code().code())),
        None => Refusal::failed(error),
    }
}
