//! `sql-proof measure`: how many rows a second the functions read, beside what people write without them.

mod alternatives;

use crate::{
    Result, check,
    database::{Database, Engine},
    samples::Samples,
    subject::{self, IS_VALID, PARSE, Subject},
};
use alternatives::{speeds, titles};
use clap::Args;
use sortid_sql::Script;
use std::time::Instant;

#[derive(Args)]
pub(crate) struct Options {
    /// The database
    #[arg(long, value_enum)]
    database: Engine,
    /// The rows of the table
    #[arg(long, default_value_t = 1_000_000)]
    rows: usize,
}

/// The number of IDs that the table repeats.
const SAMPLES: usize = 10_000;

/// A function that reads fewer rows a second is measured with a tenth of the rows.
const SLOW: f64 = 500_000.0;

/// What is measured.
struct Measure<'a> {
    db: &'a mut dyn Database,
    engine: Engine,
    subject: &'static Subject,
    rows: usize,
}

pub(crate) fn run(options: &Options) -> Result {
    let (engine, rows) = (options.database, options.rows);
    let mut db = engine.open(false)?;
    if engine != Engine::Sqlite {
        check::run_script(&mut *db, &Script::new(engine.of_library()).install()?)?;
    }
    println!("{}, {} rows, in thousand rows a second:\n", db.version()?, grouped(rows));
    let what = if engine == Engine::Sqlite { "expression" } else { "function" };
    let others: String = titles(engine).iter().map(|title| format!(" {title} |")).collect();
    println!("| | {what} |{others}\n|---|---:|{}", "---:|".repeat(titles(engine).len()));
    for subject in &*subject::ALL {
        let mut measure = Measure { db: &mut *db, engine, subject, rows };
        measure.load()?;
        for name in ["time", "text", PARSE, IS_VALID] {
            let mut all = vec![Some(measure.function(name)?)];
            all.extend(speeds(&mut measure, name)?);
            let shown = |speed: Option<f64>| {
                speed.map_or(String::new(), |it| grouped((it / 1000.0).round() as usize))
            };
            let all: String = all.into_iter().map(|speed| format!(" {} |", shown(speed))).collect();
            println!("| `{}` |{all}", subject.name(name));
        }
    }
    Ok(())
}

impl Measure<'_> {
    /// Creates the tables `…_all` and `…_tenth`, of IDs and their texts.
    fn load(&mut self) -> Result {
        let (subject, engine) = (self.subject, self.engine);
        let samples = Samples::real(subject, SAMPLES);
        check::load(self.db, engine, subject, &samples)?;
        let (prefix, storage) = (subject.prefix(), engine.storage());
        for (table, rows) in [("all", self.rows), ("tenth", self.rows / 10)] {
            let copies = rows.div_ceil(SAMPLES);
            let copies: Vec<_> = (0..copies).map(|copy| format!("SELECT {copy} AS copy")).collect();
            self.db.execute(&format!(
                "CREATE TABLE {prefix}_{table}{storage} AS SELECT i.id AS id, t.input AS input
                 FROM {prefix}_ids i JOIN {prefix}_texts t ON t.n = i.n CROSS JOIN ({}) c",
                copies.join(" UNION ALL ")
            ))?;
        }
        Ok(())
    }

    fn function(&mut self, name: &str) -> Result<f64> {
        let argument = if matches!(name, PARSE | IS_VALID) { "input" } else { "id" };
        let name = self.subject.name(name);
        if self.engine == Engine::Sqlite {
            let subject = self.subject;
            return self.timed(|db, table| {
                let query = check::query_of(subject, argument, table)?;
                Ok(db.rows(&format!("SELECT CAST(count({name}) AS TEXT) FROM ({query})")).map(drop)?)
            });
        }
        self.expression(&format!("{name}({argument})"))
    }

    /// Computes an expression for all rows.
    fn expression(&mut self, expression: &str) -> Result<f64> {
        // PostgreSQL has no max of bytes and of UUIDs. Other databases do not compute an expression that they only
        // count.
        let aggregate = match self.engine {
            Engine::Postgres => format!("count({expression})"),
            Engine::Mysql => format!("max({expression}) IS NULL"),
            _ => format!("CAST(max({expression}) IS NULL AS varchar)"),
        };
        self.timed(|db, table| Ok(db.rows(&format!("SELECT {aggregate} FROM {table}")).map(drop)?))
    }

    /// Rows a second of something that reads all rows of a table: the best of two runs, after one with few rows.
    fn timed(&mut self, mut run: impl FnMut(&mut dyn Database, &str) -> Result) -> Result<f64> {
        let prefix = self.subject.prefix();
        let mut timed = |table: &str, rows: usize| -> Result<f64> {
            let started = Instant::now();
            run(self.db, &format!("{prefix}_{table}"))?;
            Ok(rows as f64 / started.elapsed().as_secs_f64())
        };
        let tenth = timed("tenth", self.rows / 10)?;
        let (table, rows) = if tenth < SLOW { ("tenth", self.rows / 10) } else { ("all", self.rows) };
        Ok(timed(table, rows)?.max(timed(table, rows)?))
    }
}

/// The number, with a space between groups of three digits.
fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let groups: Vec<_> = digits.as_bytes().rchunks(3).rev().map(String::from_utf8_lossy).collect();
    groups.join(" ")
}
