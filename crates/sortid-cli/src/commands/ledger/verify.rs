use super::{
    input::{Blocks, total_len},
    lock::Timeout,
    profile::Profile,
};
use crate::{examples::examples, failure::Failure, json, terminal::escaped, verdict::Verdict};
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use sortid::evently_ledger::{EventId, Fault, Genesis, Report, Verifier};
use std::{
    io::{self, BufWriter, Write},
    num::NonZero,
    path::PathBuf,
    sync::mpsc,
    thread,
};

/// Verifies that the ID of each event matches its content and the event before it.
#[derive(clap::Args)]
#[command(after_long_help = examples(&[
    ("Verify a file, compressed or not", "sortid ledger verify shop.ndjson"),
    ("Print all faults", "sortid ledger verify --all-faults shop.ndjson"),
    ("Print an object for other programs", "sortid ledger verify --json shop.ndjson"),
]))]
pub(crate) struct Args {
    /// The files of the ledger in order: plain, gzip or zstd; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Which members of an event the checksums cover [default: found in the first line]
    #[arg(long, value_enum)]
    profile: Option<Profile>,

    /// Start with the event after this one, which you trust, instead of with the first one of the ledger
    #[arg(long, value_name = "EVENT_ID", value_parser = EventId::parse)]
    after: Option<EventId>,

    /// Go on after the first fault and print all faults
    #[arg(long)]
    all_faults: bool,

    /// How many threads to use [default: one per core]
    #[arg(long, value_name = "N")]
    threads: Option<NonZero<usize>>,

    #[command(flatten)]
    lock: Timeout,
}

/// How many blocks can wait to be verified.
const BLOCKS_AHEAD: usize = 2;

pub(crate) fn run(args: &Args, json: bool, verdict: &mut Verdict) -> Result<(), Failure> {
    let threads = match args.threads {
        Some(threads) => threads.get(),
        None => thread::available_parallelism().map_or(1, NonZero::get),
    };
    let progress = progress_bar(total_len(&args.files));
    let mut verifier = Verifier::new(args.profile.map(Into::into));
    if let Some(event_id) = args.after {
        verifier = verifier.resume_after(event_id);
    }
    if !args.all_faults {
        verifier = verifier.stop_at_first_fault();
    }
    let mut printer = Printer {
        progress: progress.clone(),
        out: BufWriter::new(io::stdout().lock()),
        shows_faults: !json,
        file: None,
        lines_before: 0,
        first_fault: None,
        result: Ok(()),
    };
    for path in &args.files {
        let blocks = Blocks::open(path, &progress, args.lock.duration())?;
        printer.file = (args.files.len() > 1).then(|| blocks.name().to_owned());
        printer.lines_before = verifier.lines_read();
        if threads == 1 {
            verify(blocks, &mut verifier, &mut printer)?;
        } else {
            verify_parallel(blocks, threads, &mut verifier, &mut printer)?;
        }
        if verifier.is_done() {
            break;
        }
    }
    progress.finish_and_clear();
    let report = verifier.report();
    if !report.is_valid() {
        *verdict = Verdict::Invalid;
    }
    printer.end(report, json)
}

fn verify(mut blocks: Blocks, verifier: &mut Verifier, printer: &mut Printer) -> Result<(), Failure> {
    let mut block = vec![];
    while !verifier.is_done() && blocks.read(&mut block)? {
        verifier.verify_chunk(&block, |fault| printer.fault(fault));
    }
    Ok(())
}

/// Reads and decompresses in a thread of its own.
fn verify_parallel(
    mut blocks: Blocks,
    threads: usize,
    verifier: &mut Verifier,
    printer: &mut Printer,
) -> Result<(), Failure> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().map_err(|error| Failure::Io {
        what: "cannot start threads".into(),
        error: io::Error::other(error),
    })?;
    thread::scope(|scope| {
        let (full, to_verify) = mpsc::sync_channel(BLOCKS_AHEAD);
        let (empty, to_fill) = mpsc::channel();
        let reader = scope.spawn(move || {
            loop {
                let mut block = to_fill.try_recv().unwrap_or_default();
                // Sending fails when the verifier is done.
                if !blocks.read(&mut block)? || full.send(block).is_err() {
                    return Ok(());
                }
            }
        });
        for block in to_verify {
            let mut faults = vec![];
            pool.install(|| verifier.verify_chunk_parallel(&block, |fault| faults.push(fault.clone())));
            faults.iter().for_each(|fault| printer.fault(fault));
            if verifier.is_done() {
                break;
            }
            // This fails only when the reader has ended.
            let _ = empty.send(block);
        }
        reader.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// indicatif shows it on a terminal only.
fn progress_bar(total: Option<u64>) -> ProgressBar {
    let (bar, style) = match total {
        Some(total) => (
            ProgressBar::new(total),
            "{wide_bar} {binary_bytes} of {binary_total_bytes}, {binary_bytes_per_sec}, {eta} left",
        ),
        None => (ProgressBar::no_length(), "{spinner} {binary_bytes}, {binary_bytes_per_sec}"),
    };
    bar.with_style(ProgressStyle::with_template(style).expect("the template is one"))
}

/// Prints faults as they are found.
struct Printer {
    progress: ProgressBar,
    out: BufWriter<io::StdoutLock<'static>>,
    shows_faults: bool,
    /// The name of the file if there are several.
    file: Option<String>,
    /// How many lines the files before this one have.
    lines_before: u64,
    first_fault: Option<FoundFault>,
    result: io::Result<()>,
}

#[derive(Serialize)]
struct FoundFault {
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    line: u64,
    kind: &'static str,
    expected: String,
    found: String,
}

/// The object of `--json`.
#[derive(Serialize)]
struct Found<'a> {
    valid: bool,
    events: u64,
    profile: Option<&'static str>,
    genesis: Option<&'static str>,
    ledger_id: Option<String>,
    last_event_id: Option<String>,
    faults: u64,
    first_fault: Option<&'a FoundFault>,
}

impl Printer {
    fn fault(&mut self, fault: &Fault) {
        let mut fault = fault.clone();
        fault.line -= self.lines_before;
        if self.shows_faults && self.result.is_ok() {
            let place = self.file.iter().map(|file| format!("{file}: ")).collect::<String>();
            let out = &mut self.out;
            let line = format!("{place}{fault}");
            self.result =
                self.progress.suspend(|| writeln!(out, "{}", escaped(&line)).and_then(|()| out.flush()));
        }
        self.first_fault.get_or_insert_with(|| FoundFault {
            file: self.file.clone(),
            line: fault.line,
            kind: fault.kind.name(),
            expected: fault.expected,
            found: fault.found,
        });
    }

    fn end(mut self, report: &Report, json: bool) -> Result<(), Failure> {
        self.result?;
        let ledger_id = report.ledger_id.map(|id| id.to_string());
        let last_event_id = report.last_event_id.map(|id| id.to_string());
        let profile = report.profile.map(sortid::evently_ledger::Profile::name);
        if json {
            let found = Found {
                valid: report.is_valid(),
                events: report.events,
                profile,
                genesis: report.genesis.map(Genesis::name),
                ledger_id,
                last_event_id,
                faults: report.faults,
                first_fault: self.first_fault.as_ref(),
            };
            json::write_line(&mut self.out, &found)?;
            return Ok(self.out.flush()?);
        }
        let verdict = match report.faults {
            0 => "valid".to_owned(),
            1 => "invalid: 1 fault".to_owned(),
            faults => format!("invalid: {faults} faults"),
        };
        writeln!(self.out, "{verdict}")?;
        let mut row = |name: &str, value: Option<&str>| match value {
            Some(value) => writeln!(self.out, "  {name:<10}  {value}"),
            None => Ok(()),
        };
        row("events", Some(&report.events.to_string()))?;
        row("profile", profile)?;
        let genesis = match report.genesis {
            Some(Genesis::Published) => Some("published: as in the specification"),
            Some(Genesis::Deployed) => Some("deployed: as in Evently's PostgreSQL function"),
            Some(Genesis::Trusted) => Some("trusted: not verified"),
            None if report.events > 0 => Some("none: to verify a part of a ledger, add --after EVENT_ID"),
            None => None,
        };
        row("genesis", genesis)?;
        row("ledger ID", ledger_id.as_deref())?;
        row("last event", last_event_id.as_deref())?;
        Ok(self.out.flush()?)
    }
}
