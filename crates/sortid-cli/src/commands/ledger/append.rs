use super::{input::LONGEST, profile::Profile};
use crate::{examples::examples, failure::Failure, json, lines::Line, stderr, verdict::Verdict};
use serde::Serialize;
use sortid::evently_ledger::{Event, EventError, EventId, Fault, FaultKind, Ledger, Verifier};
use std::{
    fs::{File, OpenOptions},
    io::{self, BufRead as _, BufWriter, Read, Seek as _, SeekFrom, Write},
    path::{Path, PathBuf},
    sync::mpsc::{self, Receiver},
    thread,
};

/// Adds events from standard input to a ledger: JSON objects without `eventId` and `timestamp`, one per line.
///
/// Prints the ID of each event once the event is on disk. Several processes can append to one file at the same time.
/// The first event of a new file becomes the genesis event, which determines the ledger ID.
#[derive(clap::Args)]
#[command(after_long_help = examples(&[
    ("Add an event to a ledger; the first one creates it", r#"echo '{"event": "opened", "entity": "shop", "key": "1"}' | \ sortid ledger append --ledger shop.ndjson"#),
]))]
pub(crate) struct Args {
    /// The file of the ledger; created if it does not exist
    #[arg(long, value_name = "FILE")]
    ledger: PathBuf,

    /// Which members of an event the checksums cover [default: found in the file, or in the first event of a new file]
    #[arg(long, value_enum)]
    profile: Option<Profile>,
}

/// How many bytes are written with one fsync. A batch ends with a whole line, so it can be longer.
const BATCH: usize = 1 << 20;

/// How many bytes at the end of an existing file are verified before something is added to it. A crash can damage a
/// batch with the IDs of its events, which is less.
const VERIFIED: u64 = 8 << 20;

/// The result for a line of the input.
#[derive(Serialize)]
struct Outcome {
    line: u64,
    valid: bool,
    #[serde(rename = "eventId", skip_serializing_if = "Option::is_none")]
    event_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<json::Error>,
    /// The members that no checksum protects.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<String>,
}

pub(crate) fn run(args: &Args, json: bool, verdict: &mut Verdict) -> Result<(), Failure> {
    let mut file = LedgerFile::open(&args.ledger, args.profile.map(Into::into))?;
    // Reports what is wrong with the file before waiting for an event.
    file.write(|_, _| ())?;
    let mut out = BufWriter::new(io::stdout().lock());
    let input = read_ahead();
    let mut number = 0;
    while let Ok(block) = input.recv() {
        let mut blocks = vec![block?];
        // Everything that arrived while the last batch was written goes with one fsync.
        while blocks.iter().map(Vec::len).sum::<usize>() < BATCH
            && let Ok(block) = input.try_recv()
        {
            blocks.push(block?);
        }
        let mut outcomes = vec![];
        file.write(|ledger, lines| {
            for line in blocks.iter().flat_map(|block| block.split_inclusive(|&byte| byte == b'\n')) {
                number += 1;
                if !line.trim_ascii().is_empty() {
                    let outcome = ledger.append(line, lines);
                    outcomes.push((number, outcome, ledger.warnings()));
                }
            }
        })?;
        for (line, outcome, warnings) in outcomes {
            if outcome.is_err() {
                *verdict = Verdict::Invalid;
            }
            acknowledge(line, outcome, warnings, json, &mut out)?;
        }
        out.flush()?;
    }
    Ok(())
}

fn acknowledge(
    line: u64,
    outcome: Result<EventId, EventError>,
    warnings: Vec<String>,
    json: bool,
    out: &mut impl Write,
) -> io::Result<()> {
    let error = |error: &EventError| match error.json() {
        Some(error) => error.into(),
        None => json::Error { kind: error.kind().name(), message: error.to_string() },
    };
    if !json {
        for warning in &warnings {
            stderr::print_line(format_args!("line {line}: warning: {warning}"));
        }
    }
    match outcome {
        _ if json => {
            let outcome = Outcome {
                line,
                valid: outcome.is_ok(),
                event_id: outcome.as_ref().ok().map(ToString::to_string),
                error: outcome.as_ref().err().map(error),
                warnings,
            };
            json::write_line(out, &outcome)
        }
        Ok(id) => {
            out.write_all(id.encode().as_bytes())?;
            out.write_all(b"\n")
        }
        Err(event_error) => {
            stderr::print_line(format_args!("line {line}: {}: not added", error(&event_error).message));
            Ok(())
        }
    }
}

/// Reads whole lines of standard input in a thread of its own, as many at once as are available.
fn read_ahead() -> Receiver<Result<Vec<u8>, Failure>> {
    const BLOCK: usize = 1 << 18;
    const BLOCKS_AHEAD: usize = 8;

    let (sender, receiver) = mpsc::sync_channel(BLOCKS_AHEAD);
    thread::spawn(move || {
        let mut stdin = io::BufReader::with_capacity(BLOCK, io::stdin());
        let mut carry = vec![];
        loop {
            let result = read_lines(&mut stdin, &mut carry);
            let is_last = !matches!(result, Ok(Some(_)));
            if result.transpose().is_some_and(|result| sender.send(result).is_err()) || is_last {
                return;
            }
        }
    });
    receiver
}

/// The lines that can be read at once; `None` at the end.
fn read_lines(
    source: &mut io::BufReader<impl Read>,
    carry: &mut Vec<u8>,
) -> Result<Option<Vec<u8>>, Failure> {
    loop {
        let available = match source.fill_buf() {
            Ok(available) => available,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(Failure::read("standard input", error)),
        };
        if available.is_empty() {
            let rest = std::mem::take(carry);
            return Ok((!rest.is_empty()).then_some(rest));
        }
        let len = available.len();
        let mut lines = std::mem::take(carry);
        match memchr::memrchr(b'\n', available) {
            Some(end) => {
                lines.extend_from_slice(&available[..=end]);
                carry.extend_from_slice(&available[end + 1..]);
                source.consume(len);
                return Ok(Some(lines));
            }
            None => {
                lines.extend_from_slice(available);
                *carry = lines;
                source.consume(len);
            }
        }
        if carry.len() > LONGEST {
            let error = io::Error::new(
                io::ErrorKind::InvalidData,
                format!("a line is longer than {} MiB", LONGEST >> 20),
            );
            return Err(Failure::read("standard input", error));
        }
    }
}

/// A ledger that begins with its first event, which determines the profile if the command line does not.
struct Appender {
    profile: Option<sortid::evently_ledger::Profile>,
    ledger: Option<Ledger>,
}

impl Appender {
    /// Completes the event and appends it to `out`.
    fn append(&mut self, line: &[u8], out: &mut String) -> Result<EventId, EventError> {
        if let Some(ledger) = &mut self.ledger {
            return ledger.append_line(line, out);
        }
        let profile = match self.profile {
            Some(profile) => profile,
            // A line without a profile is invalid in every profile.
            None => profile_of(line).unwrap_or(sortid::evently_ledger::Profile::Classic),
        };
        let mut ledger = Ledger::new(profile);
        let id = ledger.append_line(line, out)?;
        self.ledger = Some(ledger);
        Ok(id)
    }

    /// What is to be said of the event that was added last. Nothing of one that was refused.
    fn warnings(&self) -> Vec<String> {
        let unknown = self.ledger.iter().flat_map(Ledger::unknown_members);
        unknown.map(ToString::to_string).collect()
    }
}

fn profile_of(line: &[u8]) -> Option<sortid::evently_ledger::Profile> {
    Event::parse(str::from_utf8(line).ok()?).ok()?.profile()
}

/// A ledger, and the file that it is in.
struct LedgerFile {
    file: File,
    path: PathBuf,
    appender: Appender,
    /// The file's length when it was last read or written; `None` before.
    len: Option<u64>,
    /// Whether the last event has no line feed.
    is_open_ended: bool,
}

impl LedgerFile {
    fn open(path: &Path, profile: Option<sortid::evently_ledger::Profile>) -> Result<Self, Failure> {
        let file = OpenOptions::new()
            .read(true)
            .append(true)
            .create(true)
            .open(path)
            .map_err(|error| Failure::file("open", path, error))?;
        if !file.metadata().is_ok_and(|metadata| metadata.is_file()) {
            return Err(Failure::file(
                "append to",
                path,
                io::Error::other("expected a file, found a device or a pipe"),
            ));
        }
        let appender = Appender { profile, ledger: None };
        Ok(Self { file, path: path.to_owned(), appender, len: None, is_open_ended: false })
    }

    /// Writes the lines that `fill` makes to the disk, while no other process writes.
    fn write(&mut self, fill: impl FnOnce(&mut Appender, &mut String)) -> Result<(), Failure> {
        self.file.lock().map_err(|error| Failure::file("lock", &self.path, error))?;
        let len = self.catch_up()?;
        let mut lines = String::new();
        if self.is_open_ended {
            lines.push('\n');
        }
        let least = lines.len();
        fill(&mut self.appender, &mut lines);
        if lines.len() > least {
            if let Err(error) = self.write_through(lines.as_bytes(), len) {
                // None of these events is acknowledged, so no part of them may stay.
                let _ = self.file.set_len(len).and_then(|()| self.file.sync_all());
                return Err(Failure::file("write to", &self.path, error));
            }
            self.is_open_ended = false;
            self.len = Some(len + lines.len() as u64);
        }
        self.file.unlock().map_err(|error| Failure::file("unlock", &self.path, error))
    }

    fn write_through(&mut self, bytes: &[u8], len: u64) -> io::Result<()> {
        self.file.write_all(bytes)?;
        self.file.sync_data()?;
        // A new file survives a crash only if its directory entry does.
        if cfg!(unix) && len == 0 {
            let parent = self.path.parent().filter(|parent| !parent.as_os_str().is_empty());
            File::open(parent.unwrap_or(Path::new(".")))?.sync_all()?;
        }
        Ok(())
    }

    /// Reads what other processes have written since the last time, or everything relevant at the first time, and returns
    /// the length of the file. Cuts off a line that a crash left unfinished.
    fn catch_up(&mut self) -> Result<u64, Failure> {
        let len = self.file.metadata().map_err(|error| Failure::file("read", &self.path, error))?.len();
        if self.len == Some(len) {
            return Ok(len);
        }
        let (mut verifier, bytes) =
            self.unread(len).map_err(|error| Failure::file("read", &self.path, error))?;
        let (lines, tail) = bytes.split_at(memchr::memrchr(b'\n', &bytes).map_or(0, |end| end + 1));
        let mut first_fault = None;
        verifier.verify_chunk(lines, |fault| _ = first_fault.get_or_insert_with(|| fault.clone()));
        let mut last = verifier.report().last_event_id.or(self.last());
        let mut len = len;
        self.is_open_ended = false;
        match verifier.verify_line(tail) {
            _ if first_fault.is_some() => {}
            Ok(None) => {}
            Ok(Some(id)) => {
                last = Some(id);
                self.is_open_ended = true;
            }
            Err(fault) if fault.kind == FaultKind::MalformedLine && is_half_written(tail, last) => {
                len -= tail.len() as u64;
                self.file
                    .set_len(len)
                    .and_then(|()| self.file.sync_all())
                    .map_err(|error| Failure::file("shorten", &self.path, error))?;
                stderr::print_line(format_args!(
                    "{}: cut off a half-written last line: {}",
                    self.path.display(),
                    Line::new(tail.to_vec()).quoted()
                ));
            }
            Err(fault) => first_fault = Some(fault),
        }
        if let Some(Fault { expected, found, .. }) = first_fault {
            let message = format!(
                "an event at its end is faulty: expected {expected}, found {found} (for details: sortid ledger verify)"
            );
            return Err(Failure::file(
                "append to",
                &self.path,
                io::Error::new(io::ErrorKind::InvalidData, message),
            ));
        }
        let profile = verifier.report().profile;
        self.appender = Appender {
            profile: profile.or(self.appender.profile),
            ledger: profile.zip(last).map(|(profile, last)| Ledger::resume(profile, last)),
        };
        self.len = Some(len);
        Ok(len)
    }

    fn last(&self) -> Option<EventId> {
        self.appender.ledger.as_ref()?.last_event_id()
    }

    /// The part of the file that was not read yet, or the end of it if that is enough, and a verifier for it.
    fn unread(&mut self, len: u64) -> io::Result<(Verifier, Vec<u8>)> {
        let verifier = Verifier::new(self.appender.profile);
        if let (Some(read), Some(last)) = (self.len, self.last())
            && len.checked_sub(read).is_some_and(|unread| unread <= VERIFIED)
        {
            return Ok((verifier.resume_after(last), self.read_from(read)?));
        }
        let mut window = VERIFIED;
        while window < len {
            let mut bytes = self.read_from(len - window)?;
            // The first line is not whole, so there has to be another one.
            if let Some(end) = memchr::memchr(b'\n', &bytes)
                && memchr::memchr(b'\n', &bytes[end + 1..]).is_some()
            {
                bytes.drain(..=end);
                return Ok((verifier.resume_unanchored(), bytes));
            }
            window *= 8;
        }
        Ok((verifier, self.read_from(0)?))
    }

    fn read_from(&mut self, start: u64) -> io::Result<Vec<u8>> {
        let mut bytes = vec![];
        self.file.seek(SeekFrom::Start(start))?;
        self.file.read_to_end(&mut bytes)?;
        Ok(bytes)
    }
}

/// Whether these bytes can be the beginning of an event that a crash cut short. A file without any event may not be a
/// ledger at all, so its bytes have to begin exactly as this program begins an event.
fn is_half_written(tail: &[u8], last: Option<EventId>) -> bool {
    const BEGINNING: &[u8] = b"{\"eventId\":\"";
    match last {
        // File systems can keep the length of a write and lose its content.
        Some(_) => tail.starts_with(b"{") || tail.iter().all(|&byte| byte == 0),
        None => tail.starts_with(BEGINNING) || BEGINNING.starts_with(tail),
    }
}
