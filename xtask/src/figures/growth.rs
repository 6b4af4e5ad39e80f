//! How times and memory grow: with threads and batches, measured by Criterion, and with files, measured on the program.

use super::performance;
use crate::{
    bench::{self, measured::Measured},
    records::Record,
    shell::{self, Result, cargo, stdout_of},
    workspace,
};
use std::{
    fs::{self, File, OpenOptions},
    io::{BufWriter, Write as _},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

const MEGABYTE: u64 = 1_000_000;

/// A row of a record.
struct Series {
    name: String,
    /// From left to right.
    points: Vec<(f64, f64)>,
}

/// Measures, and writes the records and the page.
pub(crate) fn run(is_long: bool) -> Result {
    let options = bench::Options {
        filter: Some("growth".into()),
        is_quick: false,
        runs: 1,
        spread_over: Duration::ZERO,
    };
    let measured = bench::measure(&options)?;
    let (threads, batches) = (series(&measured, "growth_threads"), series(&measured, "growth_batch"));
    let files = files(if is_long { &[1, 10, 100, 1000, 10_000] } else { &[1, 10, 100, 1000] })?;
    let seconds: Vec<_> = files.iter().map(|file| file.series(|run| run.seconds)).collect();
    let memory: Vec<_> = files.iter().map(|file| file.series(|run| run.peak_megabytes)).collect();

    record("ns per ID, by number of threads", &threads)?.write("growth-threads")?;
    record("ns per ID, by batch length", &batches)?.write("growth-batches")?;
    record("seconds, by file size in MB", &seconds)?.write("growth-seconds")?;
    record("peak memory in MB, by file size in MB", &memory)?.write("growth-memory")?;
    performance::write()
}

/// The benchmarks of a group. Their names end in `, x`.
fn series(measured: &[Measured], group: &str) -> Vec<Series> {
    let mut all: Vec<Series> = vec![];
    for it in measured.iter().filter(|it| it.group == group) {
        let Some((name, x)) = it.name.rsplit_once(", ") else { continue };
        let Ok(x) = x.parse() else { continue };
        let point = (x, it.unit_nanos());
        match all.iter_mut().find(|series| series.name == name) {
            Some(series) => series.points.push(point),
            None => all.push(Series { name: name.to_owned(), points: vec![point] }),
        }
    }
    all.iter_mut().for_each(|series| series.points.sort_by(|a, b| a.0.total_cmp(&b.0)));
    all
}

fn record(title: &str, all: &[Series]) -> Result<Record> {
    let xs = all.first().into_iter().flat_map(|series| &series.points).map(|point| point.0.to_string());
    let columns: Vec<_> = [title.to_owned()].into_iter().chain(xs).collect();
    let row = |Series { name, points }: &Series| {
        [format!("`{name}`")].into_iter().chain(points.iter().map(|point| shown(point.1))).collect()
    };
    let columns: Vec<_> = columns.iter().map(String::as_str).collect();
    Record::new(title, &columns, all.iter().map(row).collect())
}

/// Three digits, or all digits before the point if there are more.
pub(super) fn shown(value: f64) -> String {
    let digits = (2.0 - value.log10().floor()).clamp(0.0, 4.0);
    format!("{value:.*}", digits as usize)
}

/// A call of the program, and its results for each file size.
struct Runs {
    name: &'static str,
    runs: Vec<Run>,
}

struct Run {
    bytes: u64,
    seconds: f64,
    peak_megabytes: f64,
}

impl Runs {
    fn series(&self, y: impl Fn(&Run) -> f64) -> Series {
        let points = self.runs.iter().map(|run| ((run.bytes / MEGABYTE) as f64, y(run))).collect();
        Series { name: self.name.to_owned(), points }
    }
}

fn files(megabytes: &[u64]) -> Result<Vec<Runs>> {
    shell::run(&mut cargo(&["build", "--quiet", "--locked", "--release", "--package", "sortid-cli"]))?;
    let target = workspace::target()?;
    let (program, folder) = (target.join("release/sortid"), target.join("growth"));
    fs::create_dir_all(&folder)?;
    let result = has_room(&folder, megabytes).and_then(|()| {
        let mut all = grow(
            &folder.join("ledger.ndjson"),
            megabytes,
            |file, bytes| append_events(&program, file, bytes),
            &[
                ("sortid ledger verify --threads 1", &["ledger", "verify", "--threads", "1"]),
                ("sortid ledger verify", &["ledger", "verify"]),
            ],
            &program,
        )?;
        all.extend(grow(
            &folder.join("ids.txt"),
            megabytes,
            |file, bytes| append_ids(&program, file, bytes),
            &[("sortid check scru160", &["check", "scru160"])],
            &program,
        )?);
        Ok(all)
    });
    fs::remove_dir_all(folder)?;
    result
}

/// Only one file exists at a time. It may take half of the free space.
fn has_room(folder: &Path, megabytes: &[u64]) -> Result {
    let most = megabytes.iter().max().copied().unwrap_or_default() * MEGABYTE;
    let free = stdout_of(Command::new("df").args(["--output=avail", "--block-size=1"]).arg(folder))?;
    let free = free.lines().last().unwrap_or_default().trim().parse::<u64>();
    let free = free.map_err(|_| "df does not print the free space: GNU coreutils are needed")?;
    if free / 2 < most {
        return Err(format!(
            "a file of {most} bytes would take more than half of the {free} bytes that are free"
        )
        .into());
    }
    Ok(())
}

type Calls<'a> = [(&'static str, &'a [&'a str])];

/// Makes a file longer step by step, and runs the program on it after each step.
fn grow(
    file: &PathBuf,
    megabytes: &[u64],
    append: impl Fn(&Path, u64) -> Result,
    calls: &Calls<'_>,
    program: &Path,
) -> Result<Vec<Runs>> {
    let mut all: Vec<_> = calls.iter().map(|&(name, _)| Runs { name, runs: vec![] }).collect();
    File::create(file)?;
    for megabytes in megabytes {
        let bytes = megabytes * MEGABYTE;
        append(file, bytes.saturating_sub(fs::metadata(file)?.len()))?;
        for ((_, args), runs) in calls.iter().zip(&mut all) {
            let mut command = Command::new(program);
            command.args(*args).arg(file);
            let run = Run::of(&mut command, bytes)?;
            eprintln!("{} {megabytes} MB: {:.3} s, {:.1} MB", runs.name, run.seconds, run.peak_megabytes);
            runs.runs.push(run);
        }
    }
    fs::remove_file(file)?;
    Ok(all)
}

fn append_ids(program: &Path, file: &Path, bytes: u64) -> Result {
    let mut command = Command::new(program);
    command.args(["new", "scru160", "-n", &bytes.div_ceil(33).to_string()]);
    shell::run(command.stdout(OpenOptions::new().append(true).open(file)?))
}

/// Appends events to the ledger until it has grown by `bytes`. All lines have the same length.
fn append_events(program: &Path, file: &Path, bytes: u64) -> Result {
    const LINE: u64 = 181;
    let mut command = Command::new(program);
    command.args(["ledger", "append", "--ledger"]).arg(file);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::null()).spawn()?;
    let mut events =
        BufWriter::new(child.stdin.take().ok_or("standard input of the program was not opened")?);
    for key in 0..bytes.div_ceil(LINE) {
        writeln!(
            events,
            "{{\"event\":\"counted\",\"entity\":\"number\",\"key\":\"{key:09}\",\"data\":{{\"squared\":{}}}}}",
            100_000_000_000_000_000 + key * key
        )?;
    }
    drop(events);
    let status = child.wait()?;
    if status.success() { Ok(()) } else { Err(format!("sortid ledger append failed: {status}").into()) }
}

impl Run {
    fn of(command: &mut Command, bytes: u64) -> Result<Self> {
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut seconds = f64::INFINITY;
        for _ in 0..if bytes < 1000 * MEGABYTE { 3 } else { 1 } {
            let started = Instant::now();
            let status = command.status()?;
            seconds = seconds.min(started.elapsed().as_secs_f64());
            if !status.success() {
                return Err(format!("{} failed: {status}", shell::shown(command)).into());
            }
        }
        Ok(Self { bytes, seconds, peak_megabytes: peak_megabytes(command)? })
    }
}

/// Reads the peak from `/proc` every millisecond, until the program ends. A program that ends before the first reading
/// runs again.
fn peak_megabytes(command: &mut Command) -> Result<f64> {
    for _ in 0..100 {
        let mut child = command.spawn()?;
        let status = PathBuf::from(format!("/proc/{}/status", child.id()));
        let mut peak = None;
        while child.try_wait()?.is_none() {
            // Wait first: for a moment, the process is still a copy of this one.
            thread::sleep(Duration::from_millis(1));
            let status = fs::read_to_string(&status).unwrap_or_default();
            let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.strip_suffix("kB"));
            peak = line.and_then(|kibibytes| kibibytes.trim().parse::<f64>().ok()).or(peak);
        }
        if let Some(kibibytes) = peak {
            return Ok(kibibytes * 1024.0 / MEGABYTE as f64);
        }
    }
    Err(format!("cannot read the peak memory of {} from /proc, which only Linux has", shell::shown(command))
        .into())
}
