//! What `cargo xtask sql` does.

use super::{Database, Options, python::python};
use crate::{
    databases::servers::{self, Server},
    figures::page::{self, Page},
    shell::{self, Result, cargo, stdout_of},
    tools,
    workspace::target,
};
use std::{
    path::PathBuf,
    process::Command,
    thread,
    time::{Duration, Instant},
};

/// How many databases are compared at the same time.
const SIDE_BY_SIDE: usize = 2;

pub(crate) fn run(options: &Options) -> Result {
    tools::install(tools::SQL)?;
    let databases: Vec<_> = match options.database {
        Some(database) => vec![database],
        None => Database::ALL.into_iter().filter(|it| options.all || *it != Database::Clickhouse).collect(),
    };
    let python = python(&databases)?;
    let program = build(if options.measure { "release" } else { "test" })?;
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
    let (ids, seed) = (options.ids.to_string(), options.seed.to_string());
    let mut checks = vec![];
    for database in databases {
        let arguments = ["check", "--database", database.name(), "--ids", &ids, "--seed", &seed];
        checks.push((database.name().to_owned(), command(&arguments)));
        if database == Database::Sqlite {
            // The SQLite of the system, too, with fewer IDs: it is the same file.
            let ids = (options.ids / 10).to_string();
            let arguments = ["check", "--database", "sqlite", "--other", "--ids", &ids, "--seed", &seed];
            checks.push(("sqlite of the system".to_owned(), command(&arguments)));
        }
    }
    side_by_side(checks)
}

fn build(profile: &str) -> Result<PathBuf> {
    let build = ["build", "--quiet", "--locked", "--package", "sortid-sql-proof", "--profile", profile];
    shell::run(&mut cargo(&build))?;
    let folder = if profile == "test" { "debug" } else { profile };
    Ok(target()?.join(folder).join("sortid-sql-proof"))
}

/// Runs the checks, some at the same time, and prints the output of each when it ends.
fn side_by_side(checks: Vec<(String, Command)>) -> Result {
    let mut waiting = checks.into_iter();
    let mut running = vec![];
    let mut failed = vec![];
    loop {
        while running.len() < SIDE_BY_SIDE
            && let Some((name, mut command)) = waiting.next()
        {
            eprintln!("$ {}", shell::shown(&command));
            running.push((name, Instant::now(), thread::spawn(move || command.output())));
        }
        let Some(at) = running.iter().position(|(_, _, thread)| thread.is_finished()) else {
            if running.is_empty() {
                break;
            }
            thread::sleep(Duration::from_millis(50));
            continue;
        };
        let (name, started, thread) = running.swap_remove(at);
        let output = thread.join().map_err(|_| "a thread panicked")??;
        println!("== {name}, {:.0?}\n{}", started.elapsed(), String::from_utf8_lossy(&output.stdout));
        if !output.status.success() {
            failed.push(format!("{name}: {}", String::from_utf8_lossy(&output.stderr).trim_end()));
        }
    }
    if failed.is_empty() { Ok(()) } else { Err(failed.join("\n").into()) }
}

/// Measures one database after the other.
fn measure(databases: &[Database], command: impl Fn(&[&str]) -> Command, is_written: bool) -> Result {
    for database in databases {
        let name = database.name();
        let table = stdout_of(&mut command(&["measure", "--database", name]))?;
        let text = format!("{table}\n{}.", page::machine()?);
        println!("{text}");
        if is_written {
            let mut page = Page::read("sql.md")?;
            page.replace(&format!("speed of {name}"), &text)?;
            page.write()?;
        }
    }
    Ok(())
}
