//! What `cargo xtask sql` does.

use super::Options;
use crate::{
    databases::servers::{self, Server},
    figures::{markdown, performance},
    python,
    shell::{self, Result, cargo, stdout_of},
    tools,
    workspace::{program_of_tests, target},
};
use sortid_sql::Database;
use std::{
    ffi::OsString,
    path::{Path, PathBuf},
    process::Command,
    thread,
    time::{Duration, Instant},
};

/// The databases with a server. The others are libraries.
const SERVERS: [Database; 2] = [Database::Postgres, Database::Mysql];

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
    let program = build(options.measure)?;
    let has = |database| databases.contains(&database);
    let folder = servers::Folder::new()?;
    let postgres = has(Database::Postgres).then(|| Server::postgres(&folder.0, false)).transpose()?;
    let mysql = has(Database::Mysql).then(|| Server::mariadb(&folder.0)).transpose()?;
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
    if has(Database::Postgres) {
        tools::install_partman()?;
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
    side_by_side(checks)
}

fn build(is_measured: bool) -> Result<PathBuf> {
    const NAME: &str = "sortid-sql-proof";
    if !is_measured {
        return program_of_tests(NAME);
    }
    shell::run(&mut cargo(&["build", "--quiet", "--locked", "--release", "--package", NAME]))?;
    Ok(target()?.join("release").join(NAME))
}

/// The search path of the commands on the page: with the program, the clients and Python.
fn path(python: &Path) -> Result<OsString> {
    let sortid = program_of_tests("sortid")?;
    let mut folders: Vec<_> = sortid.parent().map(Path::to_owned).into_iter().collect();
    folders.extend(
        [Some(python), tools::postgres("psql").as_deref()]
            .into_iter()
            .flatten()
            .filter_map(Path::parent)
            .map(Path::to_owned),
    );
    folders.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()));
    Ok(std::env::join_paths(folders)?)
}

/// Runs the commands of each check one after the other, and some checks at the same time. Prints the output of a check when
/// it ends.
fn side_by_side(checks: Vec<(&str, Vec<Command>)>) -> Result {
    let mut waiting = checks.into_iter();
    let mut running = vec![];
    let mut failed = vec![];
    loop {
        while running.len() < SIDE_BY_SIDE
            && let Some((name, commands)) = waiting.next()
        {
            eprintln!("{name} …");
            let outputs =
                move || commands.into_iter().map(|mut command| command.output()).collect::<Vec<_>>();
            running.push((name, Instant::now(), thread::spawn(outputs)));
        }
        let Some(at) = running.iter().position(|(_, _, thread)| thread.is_finished()) else {
            if running.is_empty() {
                break;
            }
            thread::sleep(Duration::from_millis(50));
            continue;
        };
        let (name, started, thread) = running.swap_remove(at);
        println!("== {name}, {:.0?}", started.elapsed());
        for output in thread.join().map_err(|_| "a thread panicked")? {
            let output = output?;
            println!("{}", String::from_utf8_lossy(&output.stdout));
            if !output.status.success() {
                failed.push(format!("{name}: {}", String::from_utf8_lossy(&output.stderr).trim_end()));
            }
        }
    }
    if failed.is_empty() { Ok(()) } else { Err(failed.join("\n").into()) }
}

/// Measures one database after the other.
fn measure(databases: &[Database], command: impl Fn(&[&str]) -> Command, is_written: bool) -> Result {
    let of = |database: &Database| {
        let name = database.name();
        (vec!["measure", "--database", name], format!("sql-{name}"))
    };
    let mut runs: Vec<_> = databases.iter().map(of).collect();
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
    if is_written { performance::write() } else { Ok(()) }
}
