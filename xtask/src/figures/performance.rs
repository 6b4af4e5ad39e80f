//! `docs/performance.md`: the benchmarks beside the peers, and what belongs on the same page. Its tables are parts of
//! records.

use super::{
    cost, draw_chart, growth,
    markdown::table,
    page::{Page, versions},
};
use crate::{
    bench::{self, Options, budget, tables},
    records::Record,
    shell::Result,
};

/// Measures. A full run writes the records, the page and its chart; a quick or filtered run prints.
pub(crate) fn run(options: &Options, is_json: bool) -> Result {
    let mut measured = bench::measure(options)?;
    if options.is_quick {
        // With so little input, these times are those of starting the program.
        measured.retain(|it| it.group != "program");
    }
    if is_json {
        for measured in &measured {
            println!("{}", measured.to_json());
        }
        return Ok(());
    }
    let mut record = tables::record(&measured)?;
    println!("{record}\nThe budget:\n\n{}", budget::shown(&measured));
    if !options.is_quick && options.filter.is_none() {
        record.notes.push(format!("Versions: {}.", versions()?.join(", ")));
        record.write("bench")?;
        cost::run()?;
        growth::run(false)?;
        draw()?;
    }
    Ok(())
}

/// Writes the tables of the page from the records, and draws its chart.
pub(crate) fn draw() -> Result {
    write()?;
    draw_chart()
}

/// Writes the tables of the page from the records.
pub(crate) fn write() -> Result {
    page()?.write()
}

fn page() -> Result<Page> {
    let mut page = Page::read("performance.md")?;
    for (name, text) in parts()? {
        page.replace(name, &text)?;
    }
    Ok(page)
}

fn parts() -> Result<[(&'static str, String); 10]> {
    let whole = |name| Record::read(name).map(|record| table(&record.columns, &record.rows));
    let bench = Record::read("bench")?;
    Ok([
        ("summary", summary(&bench)?),
        ("threads", whole("growth-threads")?),
        ("fleets", whole("fleet-cost")?),
        ("program", program(&bench)?),
        ("growth", growth(&Record::read("growth-seconds")?, &Record::read("growth-memory")?)),
        ("sql", sql()?),
        ("by-time", whole("sql-by-time")?),
        ("engines", engines()?),
        ("cost", whole("dependencies")?),
        ("machines", machines()?),
    ])
}

/// What one run measures, with one of its records.
const RUNS: [(&str, &str); 8] = [
    ("bench", "bench"),
    ("growth", "growth-threads"),
    ("dependencies", "dependencies"),
    ("fleet-cost", "fleet-cost"),
    ("sql", "sql-postgres"),
    ("sql-by-time", "sql-by-time"),
    ("engines-sql", "engines-sql"),
    ("engines-ledger", "engines-ledger"),
];

/// The machines, with the records that were measured on each.
fn machines() -> Result<String> {
    let mut rows: Vec<Vec<String>> = vec![];
    for (run, name) in RUNS {
        let Record { date, machine, rustc, .. } = Record::read(name)?;
        match rows.iter_mut().find(|row| row[1..] == [&*date, &machine, &rustc]) {
            Some(row) => row[0] += &format!(", `{run}`"),
            None => rows.push(vec![format!("`{run}`"), date, machine, rustc]),
        }
    }
    Ok(table(&["records", "date", "machine", "compiler"], &rows))
}

/// The columns of the summary, with the groups that they show.
const WORK: [(&str, &[&str]); 4] = [
    ("generate one", &["generate"]),
    ("generate 1024", &["fill"]),
    ("print", &["encode", "ron_print"]),
    ("parse", &["parse", "ron_parse"]),
];

/// The rows of the summary, with the benchmark for each column.
const SUMMARY: [(&str, [&str; 4]); 12] = [
    ("SCRU160", ["scru160::new()", "scru160, 1024", "scru160", "scru160"]),
    ("EUID", ["euid::new()", "euid, 1024", "euid", "euid"]),
    ("Ulid-Flake", ["ulid-flake", "ulid-flake, 1024", "ulid-flake", "ulid-flake"]),
    ("RON UID", ["ron-uid", "ron-uid, 1024", "ron-uid", "ron-uid"]),
    ("Event ID", ["evently-id", "evently-id, 1024", "evently-id", "evently-id"]),
    ("`uuid`, version 7", ["uuid now_v7", "", "uuid simple", "uuid simple"]),
    ("`ulid`", ["ulid Ulid::generate", "ulid Generator", "ulid", "ulid"]),
    ("`ferroid`, ULID", ["ferroid thread-local", "ferroid thread-local", "ferroid", "ferroid"]),
    ("`svix-ksuid`", ["svix-ksuid", "", "svix-ksuid", "svix-ksuid"]),
    ("bound: the clock", ["SystemTime::now", "", "", ""]),
    ("bound: 32 random bits", ["ChaCha12, 4 bytes", "", "", ""]),
    ("bound: 96 random bits", ["ChaCha12, 12 bytes", "ChaCha12, 12 of 12 288 bytes", "", ""]),
];

/// The row of [`SUMMARY`] that the others are compared with, and the first row that is a bound.
const USUAL: usize = 5;
const BOUNDS: usize = 9;

fn summary(bench: &Record) -> Result<String> {
    let result = |(column, name): (usize, &&str)| match *name {
        "" => Ok("-"),
        name => result(bench, WORK[column].1, name),
    };
    let results =
        |names: &[&'static str; 4]| names.iter().enumerate().map(result).collect::<Result<Vec<_>>>();
    let usual = results(&SUMMARY[USUAL].1)?;
    let row = |(row, (label, names)): (usize, &(&str, [&'static str; 4]))| {
        let multiple = |(column, result): (usize, &str)| {
            // The usual crate has no batches.
            let usual = number(usual[column]).or_else(|_| number(usual[0]))?;
            Ok(match number(result) {
                Ok(nanos) if row < BOUNDS && row != USUAL => {
                    let multiple = nanos / usual;
                    format!("{result} ({multiple:.*} ×)", if multiple < 10.0 { 2 } else { 0 })
                }
                _ => result.to_owned(),
            })
        };
        let cells = results(names)?.into_iter().enumerate().map(multiple);
        [Ok((*label).to_owned())].into_iter().chain(cells).collect()
    };
    let rows = SUMMARY.iter().enumerate().map(row).collect::<Result<Vec<_>>>()?;
    Ok(table(&[&["time per ID, one thread"], &WORK.map(|(column, _)| column)[..]].concat(), &rows))
}

/// The result of a benchmark in one of these groups.
fn result<'r>(bench: &'r Record, groups: &[&str], name: &str) -> Result<&'r str> {
    let row = bench.rows.iter().find(|row| groups.contains(&&*row[0]) && row[2] == name);
    Ok(row.map(|row| &*row[3]).ok_or_else(|| format!("records/bench.json lacks {groups:?} {name:?}"))?)
}

/// The number at the begin of a cell. Its digits may be in groups of three.
fn number(cell: &str) -> Result<f64> {
    let end = cell.find(|it: char| !it.is_ascii_digit() && !" .".contains(it)).unwrap_or(cell.len());
    Ok(cell[..end].replace(' ', "").parse().map_err(|_| format!("{cell:?} does not begin with a number"))?)
}

/// What the program and the verifier do, with the groups and the benchmarks.
const PROGRAM: [(&str, &str, &str); 10] = [
    ("`sortid new euid`, per ID", "program", "new euid"),
    ("`sortid new scru160`, per ID", "program", "new scru160"),
    ("`sortid new ulid-flake`, per ID", "program", "new ulid-flake"),
    ("`sortid check scru160`", "program", "check scru160"),
    ("`sortid convert --to hex`, SCRU160s", "program", "convert --to hex"),
    ("`sortid inspect --json`, SCRU160s", "program", "inspect --json, scru160"),
    ("`sortid inspect --json`, Event IDs", "program", "inspect --json, evently-id"),
    ("`sortid ledger append`, per event", "program", "ledger append"),
    ("the library's `Verifier` on one thread", "ledger_verify", "classic, 1 thread"),
    ("`sonic-rs` parses the lines", "ledger_verify", "classic, sonic-rs parses"),
];

fn program(bench: &Record) -> Result<String> {
    let row = |(label, group, name): (&str, &str, &str)| {
        Ok(vec![label.to_owned(), result(bench, &[group], name)?.to_owned()])
    };
    let rows = PROGRAM.into_iter().map(row).collect::<Result<Vec<_>>>()?;
    Ok(table(&["work", "result"], &rows))
}

/// A table of seconds and memory, from two records with the same rows and columns.
fn growth(seconds: &Record, memory: &Record) -> String {
    let rows = seconds.rows.iter().zip(&memory.rows).map(|(seconds, memory)| {
        let cells =
            seconds.iter().zip(memory).skip(1).map(|(seconds, memory)| format!("{seconds} s, {memory} MB"));
        [seconds[0].clone()].into_iter().chain(cells).collect()
    });
    let sizes = seconds.columns[1..].iter().map(|size| format!("{size} MB"));
    let columns: Vec<_> = ["command".to_owned()].into_iter().chain(sizes).collect();
    table(&columns, &rows.collect::<Vec<_>>())
}

/// The databases, with their records, the column of the functions, and that of an expression, which has no call.
const DATABASES: [(&str, &str, &str, &str); 6] = [
    ("PostgreSQL", "sql-postgres", "function", "function"),
    ("MariaDB, functions", "sql-mysql", "function", "view"),
    ("MariaDB, view", "sql-mysql", "view", "view"),
    ("DuckDB", "sql-duckdb", "function", "function"),
    ("ClickHouse", "sql-clickhouse", "function", "function"),
    ("SQLite, expressions", "sql-sqlite", "expression", "expression"),
];

const FUNCTIONS: [&str; 8] = [
    "scru160_time",
    "scru160_text",
    "euid_time",
    "euid_text",
    "euid_parse",
    "ulid_flake_time",
    "ron_uid_text",
    "ron_uid_parse",
];

/// The function that is little but a built-in one, for hex digits.
const BUILT_IN: &str = "event_id_text";

/// Milliseconds for a million rows. The records have thousand rows a second.
fn sql() -> Result<String> {
    let row =
        |(label, name, function, expression): (&str, &str, &str, &str)| {
            let record = Record::read(name)?;
            let others = [(BUILT_IN, expression), ("euid_text", "column read into")];
            let cells =
                FUNCTIONS.map(|name| (name, function)).into_iter().chain(others).map(|(row, column)| {
                    match cell(&record, &format!("`{row}`"), column) {
                        Some(cell) => Ok(growth::shown(1e6 / number(cell)?)),
                        None => Ok("-".to_owned()),
                    }
                });
            [Ok(label.to_owned())].into_iter().chain(cells).collect()
        };
    let rows = DATABASES.into_iter().map(row).collect::<Result<Vec<_>>>()?;
    let functions = FUNCTIONS.map(|name| format!("`{name}`"));
    let columns =
        [&["ms".to_owned()], &functions[..], &["hex digits", "read into a program"].map(Into::into)];
    Ok(table(&columns.concat(), &rows))
}

/// The cell of the row with this name, in the first column that begins with this text.
fn cell<'r>(record: &'r Record, row: &str, column: &str) -> Option<&'r str> {
    let column = record.columns.iter().position(|name| name.starts_with(column))?;
    let row = record.rows.iter().find(|cells| cells[0] == row)?;
    Some(&*row[column]).filter(|cell| *cell != "-")
}

/// The functions of `DataFusion` that are shown, besides those that it has itself.
const ENGINES: [&str; 3] = ["`euid_time", "`euid_text", "`euid_parse"];

/// Functions of `DataFusion`, in milliseconds for a million rows, and the verification of ledgers.
fn engines() -> Result<String> {
    let functions = Record::read("engines-sql")?;
    let millis = |cell: &str| -> Result<String> {
        let Ok(millions) = number(cell) else { return Ok(cell.to_owned()) };
        let rest = cell.find(" (").map_or("", |at| &cell[at..]);
        Ok(growth::shown(1000.0 / millions) + rest)
    };
    let is_shown = |row: &&Vec<String>| ENGINES.iter().any(|it| row[0].starts_with(it)) || row[2] != "-";
    let rows = functions.rows.iter().filter(is_shown).map(|row| {
        let cells = row[1..].iter().map(|cell| millis(cell));
        [Ok(row[0].clone())].into_iter().chain(cells).collect()
    });
    let functions = table(&functions.columns, &rows.collect::<Result<Vec<_>>>()?);

    let records = [Record::read("engines-ledger")?, Record::read("engines-ledgers")?];
    let mut names: Vec<&str> = vec![];
    for row in records.iter().flat_map(|record| &record.rows) {
        if !names.contains(&&*row[0]) {
            names.push(&row[0]);
        }
    }
    let rows = names.into_iter().map(|name| {
        let cells =
            records.iter().map(|record| match (cell(record, name, "MB/s"), cell(record, name, "memory")) {
                (Some(speed), Some(memory)) => format!("{speed} MB/s, {memory} MB"),
                _ => "-".to_owned(),
            });
        [name.to_owned()].into_iter().chain(cells).collect()
    });
    let columns =
        ["speed, and memory of the largest process", "a ledger of 512 MB in 16 files", "100 000 ledgers"];
    Ok(format!("{functions}\n{}", table(&columns, &rows.collect::<Vec<_>>())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_of_the_page_are_those_of_the_records() {
        let committed = Page::read("performance.md").unwrap();
        assert!(page().unwrap() == committed, "they differ: run cargo xtask charts");
    }

    #[test]
    fn a_number_ends_where_something_else_begins() {
        for (cell, expected) in [("6 606", 6606.0), ("32.4 ns", 32.4), ("894 (`x >> 20`)", 894.0), ("7", 7.0)]
        {
            assert_eq!(number(cell).unwrap(), expected);
        }
        assert!(number("-").is_err());
    }
}
