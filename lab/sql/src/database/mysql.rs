use super::{Database, Login, Refusal, Row, used, variable};
use crate::{Result, subject::Subject};
use mysql::{
    Conn, LocalInfileHandler, Opts, OptsBuilder, Value,
    prelude::{FromValue, Queryable},
};
use sortid::{__with_type as with_type, SortableId};
use std::{fs, fs::File, io, path::Path};

/// The database of the proof, which it creates.
const NAME: &str = "sortid_sql_lab";

pub(super) struct Mysql {
    connection: Conn,
    /// The databases that were there when this one was made.
    before: Vec<String>,
}

impl Mysql {
    /// Drops the database, and creates it.
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
        let before = connection.query("SHOW DATABASES")?;
        Ok(Self { connection, before })
    }
}

fn options(name: Option<&str>) -> Result<OptsBuilder> {
    Ok(OptsBuilder::from_opts(Opts::from_url(&variable("SORTID_MYSQL")?)?).db_name(name))
}

/// The variable with the home of the user, whose file of options `mariadb` reads.
pub(super) fn login(folder: &Path) -> Result<Login> {
    let opts = Opts::from_url(&variable("SORTID_MYSQL")?)?;
    let mut options = "[client]\n".to_owned();
    if let Some(user) = opts.get_user() {
        options.push_str(&format!("user={user}\n"));
    }
    if let Some(socket) = opts.get_socket() {
        options.push_str(&format!("socket={socket}\n"));
    }
    fs::write(folder.join(".my.cnf"), format!("{options}[mysql]\ndatabase={NAME}\n"))?;
    Ok(vec![("HOME".to_owned(), folder.display().to_string())])
}

impl Database for Mysql {
    fn rows(&mut self, sql: &str) -> Result<Vec<Row>, Refusal> {
        let rows: Vec<mysql::Row> = self.connection.query(sql).map_err(refusal)?;
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
        self.connection.set_local_infile_handler(Some(LocalInfileHandler::new(move |_, writer| {
            io::copy(&mut File::open(&path)?, writer).map(drop)
        })));
        self.execute(&format!("LOAD DATA LOCAL INFILE 'rows' INTO TABLE {table} CHARACTER SET ascii"))?;
        Ok(())
    }

    fn fetch(&mut self, subject: &Subject, sql: &str, is_time: bool) -> Result {
        let connection = &mut self.connection;
        with_type!(subject.id, Id => fetch::<Id>(connection, sql, is_time))
    }

    fn another(&self) -> Result<Box<dyn Database>> {
        Ok(Box::new(Self::connect()?))
    }

    fn clean_up(&mut self) -> Result<(), Refusal> {
        for name in self.rows("SHOW DATABASES")?.into_iter().flatten().flatten() {
            if !self.before.contains(&name) {
                self.execute(&format!("DROP DATABASE `{}`", name.replace('`', "``")))?;
            }
        }
        Ok(())
    }

    fn version(&mut self) -> Result<String, Refusal> {
        let rows = self.rows("SELECT version()")?;
        Ok(rows[0][0].clone().unwrap_or_default())
    }
}

fn fetch<I: SortableId + FromValue>(connection: &mut Conn, sql: &str, is_time: bool) -> Result {
    // With a prepared statement, rows are binary.
    for row in connection.exec_iter(sql, ())? {
        used(mysql::from_row_opt::<I>(row?)?, is_time);
    }
    Ok(())
}

fn refusal(error: mysql::Error) -> Refusal {
    match error {
        mysql::Error::MySqlError(error) => Refusal(error.to_string()),
        error => Refusal::failed(error),
    }
}
