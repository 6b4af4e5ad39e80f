//! `sql-proof by-time`: a query by time in PostgreSQL, on tables that differ in their keys.

use crate::{
    Result,
    database::{self, Engine, civil},
    samples,
    subject::{self, Subject, hex, uuid7_min_at},
};
use clap::Args;
use fastrand::Rng;
use postgres::{Client, SimpleQueryMessage};
use sortid_sql::{Database, Script};
use std::{
    fmt::Write as _,
    io::Write as _,
    time::{Duration, Instant},
};

#[derive(Args)]
pub(crate) struct Options {
    /// The rows of each table, which have the times of one month
    #[arg(long, default_value_t = 10_000_000)]
    rows: u64,
}

/// June 2024, in microseconds since 1970, and its days.
const MONTH: i128 = 1_717_200_000_000_000;
const DAYS: i128 = 30;

const MINUTE: i128 = 60_000_000;
const HOUR: i128 = 60 * MINUTE;
const DAY: i128 = 24 * HOUR;

/// The first moment of the spans in the queries.
const NOON: i128 = MONTH + 14 * DAY + 12 * HOUR;

/// How often a query runs. The median counts.
const RUNS: usize = 21;

/// The rows of one `COPY`. A longer one would go on while the next lines are made, in time that is not counted.
const CHUNK: u64 = 100_000;

/// A kind of table.
struct Table {
    title: String,
    /// The columns before `amount`.
    columns: String,
    /// The statements that create what the table has besides its columns.
    others: String,
    partitioned: &'static str,
    /// The values of these columns in the form of `COPY`, from the number of the row and its time.
    values: Box<dyn FnMut(u64, i128) -> String>,
    /// The condition that a time is in a span whose end is excluded.
    within: Box<dyn Fn(i128, i128) -> String>,
}

pub(crate) fn run(options: &Options) -> Result {
    let mut db = database::new_postgres()?;
    db.batch_execute("SET timezone = 'UTC'")?;
    let version: String = db.query_one("SHOW server_version", &[])?.get(0);
    db.batch_execute(&Script::new(Database::Postgres).install()?)?;
    println!("PostgreSQL {version}, {} rows of one month:\n", options.rows);
    println!(
        "| table | rows inserted a second | bytes of indexes a row | rows of a minute, ms | rows of an hour, ms \
         | count of an hour, ms | with a custom plan | with a generic plan | with now() | plan of the count |\n\
         |---|---:|---:|---:|---:|---:|---:|---:|---:|---|"
    );
    for mut table in tables() {
        let rate = fill(&mut db, &mut table, options.rows)?;
        let of_indexes: i64 = db
            .query_one(
                "SELECT sum(pg_relation_size(oid))::bigint FROM pg_class
                 WHERE relkind = 'i' AND relnamespace = 'public'::regnamespace",
                &[],
            )?
            .get(0);
        let query =
            |what: &str, span| format!("SELECT {what} FROM kept WHERE {}", (table.within)(NOON, NOON + span));
        let expected = rows_before(NOON + HOUR, options.rows) - rows_before(NOON, options.rows);
        let count = query("count(*)", HOUR);
        let found: i64 = db.query_one(&count, &[])?.get(0);
        if found != i64::try_from(expected)? {
            return Err(format!("{}: expected {expected} rows of an hour, found {found}", table.title).into());
        }
        let mut millis = vec![];
        for query in [query("*", MINUTE), query("*", HOUR), count.clone()] {
            millis.push(format!("{:.3}", median(&mut db, &query)?.as_secs_f64() * 1e3));
        }
        // The bounds as parameters, and as the same times computed from now(). UUIDs of version 7 have literals only.
        let with = |since: &str, before: &str| {
            let [a, b] = [NOON, NOON + HOUR].map(|moment| format!("'{}Z'", civil(moment)));
            count.replace(&a, &since.replace("@", &a)).replace(&b, &before.replace("@", &b))
        };
        let has_times = with("$1", "$2") != count;
        for mode in ["force_custom_plan", "force_generic_plan"].into_iter().filter(|_| has_times) {
            db.batch_execute(&format!(
                "SET plan_cache_mode = {mode}; PREPARE p(timestamptz, timestamptz) AS {}",
                with("$1", "$2")
            ))?;
            let execute = format!("EXECUTE p('{}Z', '{}Z')", civil(NOON), civil(NOON + HOUR));
            millis.push(format!("{:.3}", median(&mut db, &execute)?.as_secs_f64() * 1e3));
            db.batch_execute("DEALLOCATE p; RESET plan_cache_mode")?;
        }
        if has_times {
            let now = "now() - (now() - @::timestamptz)";
            millis.push(format!("{:.3}", median(&mut db, &with(now, now))?.as_secs_f64() * 1e3));
        }
        millis.resize(6, String::new());
        println!(
            "| {} | {:.0} | {:.1} | {} | {} |",
            table.title,
            rate,
            of_indexes as f64 / options.rows as f64,
            millis.join(" | "),
            plan(&mut db, &count)?
        );
        db.batch_execute("DROP TABLE kept")?;
    }
    Ok(())
}

fn tables() -> Vec<Table> {
    let mut random = Rng::with_seed(1);
    let with_time = |title: &str, others: &str| Table {
        title: title.into(),
        columns: "id bigint PRIMARY KEY, made_at timestamptz NOT NULL".into(),
        others: others.into(),
        partitioned: "",
        values: Box::new(|row, micros| format!("{row}\t{}+00", civil(micros))),
        within: Box::new(|since, before| {
            format!("made_at >= '{}Z' AND made_at < '{}Z'", civil(since), civil(before))
        }),
    };
    let uuid = |micros| hex(&uuid7_min_at(micros).expect("the time is after 1970"));
    let mut random_of_uuids = random.fork();
    let mut tables = vec![
        with_time("`bigint`, an index on `timestamptz`", "CREATE INDEX ON kept (made_at)"),
        with_time("`bigint`, no index on `timestamptz`", ""),
        Table {
            title: "`uuid` of version 7".into(),
            columns: "id uuid PRIMARY KEY".into(),
            others: String::new(),
            partitioned: "",
            values: Box::new(move |_, micros| {
                let random = random_of_uuids.u128(..) & ((1 << 76) - 1) & !(3 << 62);
                format!("{:032x}", (micros as u128 / 1000) << 80 | 7 << 76 | 2 << 62 | random)
            }),
            within: Box::new(move |since, before| {
                format!("id >= '{}' AND id < '{}'", uuid(since), uuid(before))
            }),
        },
    ];
    for subject in &*subject::ALL {
        tables.push(of_ids(subject, "PRIMARY KEY", "", "", &mut random));
        if subject.spec == sortid_sql::Spec::Euid {
            tables.push(of_ids(
                subject,
                "NOT NULL",
                "BRIN",
                "CREATE INDEX ON kept USING brin (id)",
                &mut random,
            ));
            let mut days = String::new();
            for day in 0..DAYS {
                let at = |day| format!("euid_min_at('{}Z')", civil(MONTH + day * DAY));
                let (from, to) = (at(day), at(day + 1));
                write!(days, "CREATE TABLE kept_{day} PARTITION OF kept FOR VALUES FROM ({from}) TO ({to});")
                    .expect("a String takes all");
            }
            let by_day = of_ids(subject, "PRIMARY KEY", "a partition for each day", &days, &mut random);
            tables.push(Table { partitioned: "PARTITION BY RANGE (id)", ..by_day });
        }
    }
    tables
}

fn of_ids(subject: &'static Subject, constraint: &str, what: &str, others: &str, random: &mut Rng) -> Table {
    let ty = Engine::Postgres.id_type(subject);
    let what = if what.is_empty() { String::new() } else { format!(", {what}") };
    let mut random = random.fork();
    Table {
        title: format!("{}, `{ty}`{what}", subject.id.title()),
        columns: format!("id {ty} {constraint}"),
        others: others.into(),
        partitioned: "",
        values: Box::new(move |_, micros| {
            let id = subject.shown(&samples::of_time(subject, micros, &mut random));
            // One backslash is for COPY, the other one for the text of a bytea.
            if ty == "bytea" { format!(r"\\x{id}") } else { id }
        }),
        within: Box::new(move |since, before| {
            let least = |micros| format!("{}('{}Z')", subject.name("min_at"), civil(micros));
            format!("id >= {} AND id < {}", least(since), least(before))
        }),
    }
}

/// The time of a row: the times of the month have equal distances, rounded down to a millisecond.
fn time_of(row: u64, rows: u64) -> i128 {
    MONTH + i128::from(row) * DAYS * DAY / i128::from(rows) / 1000 * 1000
}

/// The number of rows whose time is before a moment.
fn rows_before(moment: i128, rows: u64) -> u64 {
    let (mut least, mut most) = (0, rows);
    while least < most {
        let middle = least.midpoint(most);
        if time_of(middle, rows) < moment { least = middle + 1 } else { most = middle }
    }
    least
}

/// Creates the table, inserts the rows in the order of their times, and returns how many rows a second the database took.
fn fill(db: &mut Client, table: &mut Table, rows: u64) -> Result<f64> {
    let Table { columns, others, partitioned, .. } = &table;
    db.batch_execute(&format!(
        "CREATE TABLE kept ({columns}, amount integer NOT NULL) {partitioned}; {others}"
    ))?;
    db.batch_execute("CHECKPOINT")?;
    let mut took = Duration::ZERO;
    for first in (0..rows).step_by(CHUNK as usize) {
        let mut lines = String::new();
        for row in first..rows.min(first + CHUNK) {
            lines += &(table.values)(row, time_of(row, rows));
            lines += "\t7\n";
        }
        let started = Instant::now();
        let mut copy = db.copy_in("COPY kept FROM STDIN")?;
        copy.write_all(lines.as_bytes())?;
        copy.finish()?;
        took += started.elapsed();
    }
    db.batch_execute("VACUUM ANALYZE kept")?;
    Ok(rows as f64 / took.as_secs_f64())
}

/// The time of a query whose rows are in memory, with its planning and its rows as text.
fn median(db: &mut Client, query: &str) -> Result<Duration> {
    db.simple_query(query)?;
    let mut times = vec![];
    for _ in 0..RUNS {
        let started = Instant::now();
        db.simple_query(query)?;
        times.push(started.elapsed());
    }
    times.sort();
    Ok(times[RUNS / 2])
}

/// How the query reads the table.
fn plan(db: &mut Client, query: &str) -> Result<String> {
    let lines = db.simple_query(&format!("EXPLAIN (COSTS OFF) {query}"))?.into_iter();
    let mut scans = lines.filter_map(|message| match message {
        SimpleQueryMessage::Row(row) => Some(row.get(0)?.trim().trim_start_matches("->").trim().to_owned()),
        _ => None,
    });
    Ok(scans.find(|line| line.contains("Scan")).ok_or("the plan has no scan")?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_times_of_the_rows_fill_the_month() {
        for rows in [1, 7, 1000] {
            assert_eq!((time_of(0, rows), time_of(rows, rows)), (MONTH, MONTH + DAYS * DAY));
            for row in 0..rows {
                assert_eq!(rows_before(time_of(row, rows), rows), row);
            }
        }
    }
}
