use super::{input::Blocks, lock::Timeout, profile::Profile};
use crate::{
    examples::examples,
    failure::Failure,
    json, lines,
    mistakes::event,
    progress, stderr,
    terminal::{argument, escaped},
    verdict::Verdict,
};
use indicatif::ProgressBar;
use rayon::ThreadPool;
use serde::Serialize;
use sortid::evently_ledger::{EventId, Fault, FaultKind, Genesis, Report, Verifier};
use std::{
    fmt,
    io::{self, BufWriter, Write},
    num::NonZero,
    path::{Path, PathBuf},
    sync::mpsc,
    thread,
};

/// Verifies that the ID of each event matches its content and the event before it.
#[derive(clap::Args)]
#[command(after_long_help = examples(&[
    ("Verify a file, compressed or not", "sortid ledger verify shop.ndjson"),
    ("Print all faults", "sortid ledger verify --all-faults shop.ndjson"),
    ("Notice that events are missing at the end", "sortid ledger verify --events 1 shop.ndjson"),
    ("Print an object for other programs", "sortid ledger verify --json shop.ndjson"),
]))]
pub(crate) struct Args {
    /// The files of the ledger in order: plain, gzip or zstd; `-` is standard input [default: standard input]
    #[arg(value_name = "FILE", default_value = "-", hide_default_value = true)]
    files: Vec<PathBuf>,

    /// Which members of an event the checksums cover [default: the one that the event IDs fit]
    #[arg(long, value_enum)]
    profile: Option<Profile>,

    /// Start with the event after this one, which you trust, instead of with the first one of the ledger
    #[arg(long, value_name = "EVENT_ID", value_parser = EventId::parse)]
    after: Option<EventId>,

    /// Require that the last event of all FILEs together has this ID: a ledger does not show that its end is missing
    #[arg(long, value_name = "EVENT_ID", value_parser = EventId::parse)]
    last: Option<EventId>,

    /// Require this number of events in all FILEs together [default: at least one]
    #[arg(long, value_name = "N")]
    events: Option<u64>,

    /// Refuse members that no checksum protects: unknown ones, and those that an object has twice
    #[arg(long)]
    strict: bool,

    /// Go on after the first fault and print all faults
    #[arg(long)]
    all_faults: bool,

    /// How many threads to use, if there is work for them [default: one per core]
    #[arg(long, value_name = "N")]
    threads: Option<NonZero<usize>>,

    #[command(flatten)]
    lock: Timeout,
}

/// How many blocks can wait to be verified.
const BLOCKS_AHEAD: usize = 2;

/// A block of this length or less is not worth another thread.
const WORK_OF_ONE: usize = 1 << 15;

/// More threads than this have no work, because a block has no more pieces than this.
const MOST_THREADS: usize = 256;

pub(crate) fn run(args: &Args, json: bool, verdict: &mut Verdict) -> Result<(), Failure> {
    lines::stdin_at_most_once("ledger verify", &args.files)?;
    let threads = match args.threads {
        Some(threads) => threads.get(),
        None => thread::available_parallelism().map_or(1, NonZero::get),
    };
    let progress = progress::of_inputs(&args.files);
    let mut verifier = Verifier::new(args.profile.map(Into::into));
    if let Some(event_id) = args.after {
        verifier = verifier.resume_after(event_id);
    }
    if args.strict {
        verifier = verifier.strict();
    }
    if !args.all_faults {
        verifier = verifier.stop_at_first_fault();
    }
    let mut pool = None;
    let mut printer = Printer {
        progress: progress.clone(),
        out: BufWriter::with_capacity(1 << 16, io::stdout()),
        shows_faults: !json,
        file: None,
        path: PathBuf::new(),
        lines_before: 0,
        faults: 0,
        first_fault: None,
        result: Ok(()),
    };
    for path in &args.files {
        let mut blocks = Blocks::open(path, &progress, args.lock.duration())?;
        printer.file = (args.files.len() > 1).then(|| blocks.name().to_owned());
        printer.path.clone_from(path);
        printer.lines_before = verifier.lines_read();
        let mut block = vec![];
        if !blocks.read(&mut block)? {
            continue;
        }
        if threads == 1 || block.len() <= WORK_OF_ONE {
            verify(block, blocks, &mut verifier, &mut printer)?;
        } else {
            let pool = match &pool {
                Some(pool) => pool,
                None => pool.insert(start(threads.min(MOST_THREADS))?),
            };
            verify_parallel(block, blocks, pool, &mut verifier, &mut printer)?;
        }
        if verifier.is_done() {
            break;
        }
    }
    progress.finish_and_clear();
    if !verifier.is_done() {
        printer.require(args, verifier.report(), verifier.lines_read());
    }
    if printer.faults > 0 {
        *verdict = Verdict::Invalid;
    }
    printer.end(args, verifier.report(), json)?;
    // Without a first event, the summary has other advice.
    if verifier.is_done() && verifier.report().genesis.is_some() && !json {
        stderr::print_line(format_args!("{}", after_first_fault(&args.files)));
    }
    Ok(())
}

/// What to do after the first fault.
fn after_first_fault(files: &[PathBuf]) -> String {
    let others = "the events after the first fault were not verified: to see all faults, add --all-faults";
    match files {
        [file] if file != Path::new("-") => format!(
            "{others}; to see what repairing the ledger would cut off, run sortid ledger repair {}",
            argument(file)
        ),
        _ => others.to_owned(),
    }
}

fn start(threads: usize) -> Result<ThreadPool, Failure> {
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .map_err(|error| cannot_start(io::Error::other(error)))
}

fn cannot_start(error: io::Error) -> Failure {
    Failure::Io { what: "cannot start threads (to use fewer, add --threads 1)".into(), error }
}

/// `block` is the first one.
fn verify(
    mut block: Vec<u8>,
    mut blocks: Blocks,
    verifier: &mut Verifier,
    printer: &mut Printer,
) -> Result<(), Failure> {
    loop {
        verifier.verify_chunk(&block, |fault| printer.fault(fault));
        printer.flush();
        if verifier.is_done() || !blocks.read(&mut block)? {
            return Ok(());
        }
    }
}

/// Reads and decompresses in a thread of its own. `first` is the first block.
fn verify_parallel(
    first: Vec<u8>,
    mut blocks: Blocks,
    pool: &ThreadPool,
    verifier: &mut Verifier,
    printer: &mut Printer,
) -> Result<(), Failure> {
    thread::scope(|scope| {
        let (full, to_verify) = mpsc::sync_channel(BLOCKS_AHEAD);
        let (empty, to_fill) = mpsc::channel();
        // The channel has room for it.
        let _ = full.send(first);
        let reader = thread::Builder::new().spawn_scoped(scope, move || {
            loop {
                let mut block = to_fill.try_recv().unwrap_or_default();
                // Sending fails when the verifier is done.
                if !blocks.read(&mut block)? || full.send(block).is_err() {
                    return Ok(());
                }
            }
        });
        let reader = reader.map_err(cannot_start)?;
        for block in to_verify {
            pool.install(|| verifier.verify_chunk_parallel(&block, |fault| printer.fault(fault)));
            printer.flush();
            if verifier.is_done() {
                break;
            }
            // This fails only when the reader has ended.
            let _ = empty.send(block);
        }
        reader.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// Prints faults as they are found.
struct Printer {
    progress: ProgressBar,
    out: BufWriter<io::Stdout>,
    shows_faults: bool,
    /// The name of the file if there are several.
    file: Option<String>,
    /// The file, or `-`.
    path: PathBuf,
    /// How many lines the files before this one have.
    lines_before: u64,
    faults: u64,
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
    /// Absent without such events.
    #[serde(skip_serializing_if = "Option::is_none")]
    javascript_events: Option<u64>,
    faults: u64,
    first_fault: Option<&'a FoundFault>,
}

/// Why no genesis event was found. The first event has this fault.
fn no_genesis(args: &Args, fault: &FoundFault) -> String {
    let line = fault.line;
    if fault.kind == FaultKind::IdMismatch.name() {
        return format!(
            "none: line {line} is not the first event of a ledger, or was changed (to verify a part of a ledger, add \
             --after and the ID of the event before it)"
        );
    }
    let others = if args.all_faults {
        "the events after it were verified without it"
    } else {
        "to verify the events after it, add --all-faults"
    };
    format!("none: the first event, in line {line}, is faulty ({others})")
}

impl Printer {
    fn fault(&mut self, fault: &Fault) {
        let line = fault.line - self.lines_before;
        let place = self.file.iter().map(|file| format!("{file}: ")).collect::<String>();
        let mut fault = fault.clone();
        fault.line = line;
        self.print(format_args!("{place}{fault}"));
        if let Some(advice) = event::advice_about_ledger(&fault) {
            self.progress.suspend(|| stderr::print_line(format_args!("{place}{advice}")));
        }
        self.first_fault.get_or_insert_with(|| FoundFault {
            file: self.file.clone(),
            line,
            kind: fault.kind.name(),
            expected: fault.expected,
            found: fault.found,
        });
    }

    /// Checks what the command line requires of the ledger as a whole.
    fn require(&mut self, args: &Args, report: &Report, lines: u64) {
        let mut fault = |kind, words: &str, expected: String, found: String| {
            self.print(format_args!("{words}: expected {expected}, found {found}"));
            self.first_fault.get_or_insert_with(|| FoundFault {
                file: self.file.clone(),
                line: lines - self.lines_before,
                kind,
                expected,
                found,
            });
        };
        match args.events {
            None if report.events == 0 => fault(
                "no_events",
                "there are no events",
                "at least one event (if an empty ledger is right, add --events 0)".to_owned(),
                "none".to_owned(),
            ),
            Some(events) if events != report.events => fault(
                "number_of_events",
                "the ledger has another number of events",
                events.to_string(),
                report.events.to_string(),
            ),
            _ => {}
        }
        if let Some(last) = args.last {
            let found = report.last_event_id.or(args.after);
            if found != Some(last) {
                let found = found.map_or("no event".to_owned(), |id| id.to_string());
                fault("last_event", "the ledger ends with another event", last.to_string(), found);
            }
        }
    }

    /// Prints a fault to the buffer, which is written to the terminal only while there is no progress bar.
    fn print(&mut self, fault: fmt::Arguments<'_>) {
        self.faults += 1;
        if self.shows_faults && self.result.is_ok() {
            let out = &mut self.out;
            let fault = fault.to_string();
            self.result = self.progress.suspend(|| writeln!(out, "{}", escaped(&fault)));
        }
    }

    fn flush(&mut self) {
        if self.result.is_ok() {
            let out = &mut self.out;
            self.result = self.progress.suspend(|| out.flush());
        }
    }

    fn end(mut self, args: &Args, report: &Report, json: bool) -> Result<(), Failure> {
        self.result?;
        let ledger_id = report.ledger_id.map(|id| id.to_string());
        let last_event_id = report.last_event_id.map(|id| id.to_string());
        let profile = report.profile.map(sortid::evently_ledger::Profile::name);
        if json {
            let found = Found {
                valid: self.faults == 0,
                events: report.events,
                profile,
                genesis: report.genesis.map(Genesis::name),
                ledger_id,
                last_event_id,
                javascript_events: Some(report.javascript_events).filter(|&events| events > 0),
                faults: self.faults,
                first_fault: self.first_fault.as_ref(),
            };
            json::write_line(&mut self.out, &found)?;
            return Ok(self.out.flush()?);
        }
        let verdict = match self.faults {
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
        let genesis = match (report.genesis, &self.first_fault) {
            (Some(Genesis::Published), _) => Some("published: as in the specification".to_owned()),
            (Some(Genesis::Deployed), _) => Some("deployed: as in Evently's PostgreSQL function".to_owned()),
            (Some(Genesis::Trusted), _) => Some("trusted: not verified".to_owned()),
            (None, Some(fault)) if report.events > 0 => Some(no_genesis(args, fault)),
            (None, _) => None,
        };
        row("genesis", genesis.as_deref())?;
        let in_javascript = match report.javascript_events {
            0 => None,
            1 => Some("1 event has meta and data as JavaScript prints them".to_owned()),
            events => Some(format!("{events} events have meta and data as JavaScript prints them")),
        };
        row("JavaScript", in_javascript.as_deref())?;
        row("ledger ID", ledger_id.as_deref())?;
        row("last event", last_event_id.as_deref())?;
        Ok(self.out.flush()?)
    }
}
