//! The verification of ledgers beside `sortid ledger verify`.

use super::{
    Result, path,
    process::{Member, Took, run},
};
use evently_ledger::{Event, Json, Ledger, Profile};
use std::{
    fmt::Write as _,
    fs::{self, File},
    io::Write as _,
    path::Path,
    process::Command,
    time::{Duration, Instant},
};

const MB: f64 = 1e6;
/// One ledger of this many files, with this many bytes each.
const PARTS: usize = 16;
const PART: u64 = 32_000_000;
/// This many ledgers, of this many events each.
const LEDGERS: usize = 100_000;
const EVENTS: usize = 10;
/// A process is started for each of this many ledgers.
const SAMPLE: usize = 2_000;

const ONE: &str =
    "SELECT ledger_verify(line, file, block, number)['valid'] AS valid FROM ledger_lines('FOLDER/')";
const MANY: &str = "SELECT count(*) AS valid FROM (SELECT ledger_verify(line, file, block, number) AS v \
                    FROM ledger_lines('FOLDER/') GROUP BY file) WHERE v['valid']";

pub(crate) fn tables(folder: &Path) -> Result<String> {
    let (one, many) = (folder.join("one"), folder.join("many"));
    let bytes = make_one(&one)?;
    let mut files: Vec<_> = fs::read_dir(&one)?.map(|entry| Ok(entry?.path())).collect::<Result<_>>()?;
    files.sort();
    let program = path("SORTID")?;
    let mut rows = vec![];
    for threads in ["1", "2"] {
        let mut verify = Command::new(&program);
        let took = run(verify.args(["ledger", "verify", "--threads", threads]).args(&files))?;
        expect(took.output.starts_with("valid"), &took)?;
        rows.push((format!("`sortid ledger verify --threads {threads}`"), took));
    }
    engine(&mut rows, &ONE.replace("FOLDER", &one.to_string_lossy()), "valid\ntrue\n")?;
    let mut text = format!(
        "### One ledger of {PARTS} files\n\n{:.0} MB. Memory is that of the process that needs most.\n\n{}",
        bytes as f64 / MB,
        table(&rows, bytes)?
    );
    fs::remove_dir_all(one)?;

    let bytes = make_many(&many)?;
    let mut files: Vec<_> =
        fs::read_dir(&many)?.take(SAMPLE).map(|entry| Ok(entry?.path())).collect::<Result<_>>()?;
    files.sort();
    let mut rows = vec![];
    let start = Instant::now();
    let mut memory = 0;
    for file in &files {
        let took = run(Command::new(&program).args(["ledger", "verify"]).arg(file))?;
        expect(took.output.starts_with("valid"), &took)?;
        memory = memory.max(took.memory);
    }
    let time = start.elapsed().mul_f64(LEDGERS as f64 / SAMPLE as f64);
    let took = Took { time, memory, output: String::new() };
    rows.push((format!("`sortid ledger verify`, a process for each ledger (from {SAMPLE})"), took));
    engine(&mut rows, &MANY.replace("FOLDER", &many.to_string_lossy()), &format!("valid\n{LEDGERS}\n"))?;
    write!(
        text,
        "\n### A hundred thousand ledgers\n\nA file of {EVENTS} events each, {:.0} MB in all.\n\n{}",
        bytes as f64 / MB,
        table(&rows, bytes)?
    )?;
    Ok(text)
}

fn expect(is_right: bool, took: &Took) -> Result {
    if is_right { Ok(()) } else { Err(format!("a wrong verdict: {}", took.output).into()) }
}

/// On this machine with one and two partitions, and on a cluster of one and two executors.
fn engine(rows: &mut Vec<(String, Took)>, query: &str, expected: &str) -> Result {
    let sql = |arguments: &[&str], statements: String| -> Result<Took> {
        let mut command = Command::new(path("SORTID_ENGINE")?);
        let took = run(command.args(["sql", "--format", "csv"]).args(arguments).arg(statements))?;
        expect(took.output == expected, &took)?;
        Ok(took)
    };
    for partitions in [1, 2] {
        let took = sql(&[], format!("SET datafusion.execution.target_partitions = {partitions}; {query}"))?;
        rows.push((
            format!("`sortid-engine sql`, {partitions} partitions").replace("1 partitions", "1 partition"),
            took,
        ));
    }
    let scheduler = Member::scheduler()?;
    let cluster = format!("df://localhost:{}", scheduler.port);
    let mut executors = vec![];
    for name in ["1 executor", "2 executors"] {
        executors.push(Member::executor(scheduler.port)?);
        std::thread::sleep(Duration::from_secs(3));
        let mut took = sql(&["--cluster", &cluster], query.to_owned())?;
        took.memory = executors.iter().chain([&scheduler]).map(Member::memory).fold(took.memory, u64::max);
        rows.push((format!("a cluster of {name} with one slot"), took));
    }
    Ok(())
}

fn table(rows: &[(String, Took)], bytes: u64) -> Result<String> {
    let mut table = "| | s | MB/s | memory, MB |\n|---|---|---|---|\n".to_owned();
    for (what, Took { time, memory, .. }) in rows {
        let seconds = time.as_secs_f64();
        writeln!(table, "| {what} | {seconds:.2} | {:.0} | {memory} |", bytes as f64 / MB / seconds)?;
    }
    Ok(table)
}

fn event(n: usize) -> Result<Event<'static>> {
    let json = |text: String| Json::parse(&text).map(Json::into_owned);
    Ok(Event::new("order-placed")
        .entities(json(format!(r#"{{"order":["{n}"],"customer":["{}"]}}"#, n % 977))?)
        .meta(json(format!(r#"{{"actor":"user-{}","causation":"c0a8{n:08x}"}}"#, n % 31))?)
        .data(json(format!(
            r#"{{"currency":"EUR","lines":[{{"sku":"A-{n}","quantity":2,"price":19.90}}],"total":39.80}}"#
        ))?))
}

/// Returns how many bytes the files have.
fn make_one(folder: &Path) -> Result<u64> {
    fs::create_dir(folder)?;
    let mut ledger = Ledger::new(Profile::Entities);
    let mut batch = ledger.batch();
    let (mut all, mut n) = (0, 0);
    for part in 0..PARTS {
        let mut file = std::io::BufWriter::new(File::create(folder.join(format!("{part:02}.ndjson")))?);
        let mut bytes = 0;
        while bytes < PART {
            let mut event = event(n)?;
            batch.append(&mut event)?;
            let line = format!("{event}\n");
            file.write_all(line.as_bytes())?;
            bytes += line.len() as u64;
            n += 1;
        }
        file.flush()?;
        all += bytes;
    }
    Ok(all)
}

fn make_many(folder: &Path) -> Result<u64> {
    fs::create_dir(folder)?;
    let mut all = 0;
    for n in 0..LEDGERS {
        let mut ledger = Ledger::new(Profile::Entities);
        let mut batch = ledger.batch();
        let mut lines = String::new();
        for k in 0..EVENTS {
            let mut event = event(n * EVENTS + k)?;
            batch.append(&mut event)?;
            writeln!(lines, "{event}")?;
        }
        fs::write(folder.join(format!("{n:06}.ndjson")), &lines)?;
        all += lines.len() as u64;
    }
    Ok(all)
}
