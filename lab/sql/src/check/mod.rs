//! `sql-proof check`: every function of a database against the library.

mod bulk;
mod found;
mod installation;
mod moments;
mod mysql;
mod names;
mod new;
mod one;
mod postgres;
mod ranges;
mod report;
mod settings;
mod tables;
mod typed;
mod types;

use crate::{
    Result,
    database::{Database, Engine},
    samples::Samples,
    subject::{self, Subject},
};
use clap::Args;
pub(crate) use found::query_of;
use report::Report;
use sortid_sql::{Script, statements};
pub(crate) use tables::load;

#[derive(Args)]
pub(crate) struct Options {
    /// The database
    #[arg(long, value_enum)]
    database: Engine,
    /// Take the other version of this database: for SQLite, that of the system
    #[arg(long)]
    other: bool,
    /// The least number of IDs of each specification
    #[arg(long, default_value_t = 100_000)]
    ids: usize,
    /// The seed of random samples
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// What all checks share.
struct Proof {
    db: Box<dyn Database>,
    engine: Engine,
    report: Report,
}

pub(crate) fn run(options: &Options) -> Result {
    let engine = options.database;
    let mut db = engine.open(options.other)?;
    println!("{}, seed {}", db.version()?, options.seed);
    let mut proof = Proof { db, engine, report: Report::default() };
    if engine != Engine::Sqlite {
        let script = Script::new(engine.of_library());
        // Twice: the second run has to change nothing.
        proof.run_script(&script.install()?)?;
        proof.run_script(&script.install()?)?;
    }
    let mut all = vec![];
    for subject in &*subject::ALL {
        let samples = Samples::new(subject, options.ids, options.seed, engine.last_time());
        tables::load(&mut *proof.db, engine, subject, &samples)?;
        all.push((subject, samples));
    }
    for (subject, samples) in &all {
        if engine == Engine::Sqlite {
            proof.attempt("queries", |proof| proof.sqlite(subject, samples));
        } else {
            proof.attempt("functions", |proof| proof.functions(subject, samples));
        }
    }
    for (subject, samples) in &all {
        proof.attempt("types of times", |proof| proof.types_of_moments(subject, samples));
        proof.attempt("ranges", |proof| proof.ranges(subject, samples));
        proof.attempt("ranges", |proof| proof.ranges_with_uuid7(subject, samples));
    }
    match engine {
        Engine::Postgres => proof.postgres(&all),
        Engine::Mysql => proof.mysql(&all),
        _ => {}
    }
    proof.attempt("completeness", |proof| proof.is_complete(options.ids));
    if matches!(engine, Engine::Postgres | Engine::Mysql) {
        proof.attempt("new IDs", Proof::new_ids);
    }
    proof.attempt("odd names", |proof| {
        proof.small_tables()?;
        proof.names(&all)
    });
    if engine != Engine::Sqlite {
        proof.attempt("settings", Proof::settings);
        proof.attempt("installation", Proof::installation);
    }
    let failures = proof.report.into_failures();
    if failures.is_empty() {
        println!("all equal");
        Ok(())
    } else {
        Err(format!("{} failures:\n{}", failures.len(), failures.join("\n")).into())
    }
}

impl Proof {
    /// Takes an error for one of several failures, so that one run shows all of them.
    fn attempt(&mut self, what: &str, step: impl FnOnce(&mut Self) -> Result) {
        if let Err(error) = step(self) {
            self.report.fail(what, &error.to_string());
        }
    }

    fn run_script(&mut self, sql: &str) -> Result {
        run_script(&mut *self.db, sql)
    }

    /// All functions of a specification.
    fn functions(&mut self, subject: &Subject, samples: &Samples) -> Result {
        for compare in bulk::all(self.engine, subject, "") {
            self.compare(&compare, "")?;
        }
        self.types(subject, samples)?;
        if self.engine == Engine::Duckdb {
            self.any_type(subject)?;
        }
        self.one_by_one(subject, samples)?;
        self.typed_one_by_one(subject, samples)
    }
}

/// Runs the statements of a script.
pub(crate) fn run_script(db: &mut dyn Database, sql: &str) -> Result {
    for statement in statements(sql) {
        db.execute(&statement).map_err(|error| {
            let line = statement.lines().find(|line| !line.starts_with("--")).unwrap_or_default();
            format!("{error}, in the statement that begins with {line:?}")
        })?;
    }
    Ok(())
}
