//! What `cargo xtask sql` does.

use super::Options;
use crate::{
    databases::servers::{self, Server},
    figures::markdown,
    python,
    shell::{self, Result, stdout_of},
    tools,
    workspace::{built, program_of_tests},
};
use sortid_servers::programs::postgres;
use sortid_sql::Database;
use std::{
    ffi::OsString,
    path::Path,
    process::{Command, Output},
    time::Instant,
};

/// The databases with a server. The others are libraries.
const SERVERS: [Database; 2] = [Database::Postgres, Database::Mysql];

const NAME: &str = "sortid-sql-lab";

/// How many databases are compared at the same time.
const SIDE_BY_SIDE: usize = 2;

pub(crate) fn run(options: &Options) -> Result {
    tools::install(match options.database {
        Some(database) if !SERVERS.contains(&database) => tools::SQL_WITHOUT_SERVERS,
        _ => tools::SQL,
    })?;
    let databases: Vec<_> = match options.database {
        Some(database) => vec![database],
        None => {
            let has_clickhouse = options.all || options.measure;
            Database::ALL.into_iter().filter(|it| has_clickhouse || *it != Database::Clickhouse).collect()
        }
    };
    let python = python::with_databases(&databases)?;
    let program = if options.measure { built(NAME)? } else { program_of_tests(NAME)? };
    let has = |database| databases.contains(&database);
    let folder = servers::Folder::new("databases")?;
    let postgres = has(Database::Postgres).then(|| Server::postgres(&folder, false)).transpose()?;
    let mysql = has(Database::Mysql).then(|| Server::mariadb(&folder)).transpose()?;
    let command = |arguments: &[&str]| {
        let mut command = Command::new(&program);
        command.args(arguments).env("SORTID_PYTHON", &python);
        for (name, server) in [("SORTID_POSTGRES", &postgres), ("SORTID_MYSQL", &mysql)] {
            if let Some(server) = server {
                command.env(name, &server.url);
            }
        }
        command
    };
    if options.measure {
        return measure(&databases, command, options.write);
    }
    let path = path(&python)?;
    let (ids, seed) = (options.ids.to_string(), options.seed.to_string());
    let mut checks = vec![];
    for database in databases {
        let name = database.name();
        let check = command(&["check", "--database", name, "--ids", &ids, "--seed", &seed]);
        let mut page = command(&["page", "docs/sql.md", "--database", name]);
        page.env("PATH", &path);
        checks.push((name, vec![check, page]));
        if database == Database::Sqlite {
            // The SQLite of the system, too, with fewer IDs: it is the same file.
            let ids = (options.ids / 10).to_string();
            let arguments = ["check", "--database", name, "--other", "--ids", &ids, "--seed", &seed];
            checks.push(("sqlite of the system", vec![command(&arguments)]));
        }
    }
    shell::side_by_side(SIDE_BY_SIDE, checks, |(name, commands)| {
        let (started, mut text, mut errors) = (Instant::now(), String::new(), String::new());
        for mut command in commands {
            let Output { status, stdout, stderr } = command.output()?;
            text += &String::from_utf8_lossy(&stdout);
            if !status.success() {
                errors += &format!("{name}: {}", String::from_utf8_lossy(&stderr));
            }
        }
        println!("== {name}, {:.0?}\n{text}", started.elapsed());
        if errors.is_empty() { Ok(()) } else { Err(errors.into()) }
    })
}

/// The search path of the commands on the page: with the program, the clients and Python.
fn path(python: &Path) -> Result<OsString> {
    let programs = [Some(program_of_tests("sortid")?), Some(python.to_owned()), postgres("psql")];
    let folders = programs.iter().flatten().filter_map(|program| program.parent()).map(Path::to_owned);
    let path = std::env::var_os("PATH").unwrap_or_default();
    Ok(std::env::join_paths(folders.chain(std::env::split_paths(&path)))?)
}

/// Measures one database after the other.
fn measure(databases: &[Database], command: impl Fn(&[&str]) -> Command, is_written: bool) -> Result {
    let names = databases.iter().map(|database| database.name());
    let mut runs: Vec<_> =
        names.map(|name| (vec!["measure", "--database", name], format!("sql-{name}"))).collect();
    if databases.contains(&Database::Postgres) {
        runs.push((vec!["by-time"], "sql-by-time".to_owned()));
    }
    for (arguments, name) in runs {
        let text = stdout_of(&mut command(&arguments))?;
        println!("{text}");
        for record in markdown::records(&text)?.iter().filter(|_| is_written) {
            record.write(&name)?;
        }
    }
    Ok(())
}
