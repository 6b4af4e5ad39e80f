use super::{file::LedgerFile, lock::Timeout, profile::Profile};
use crate::{
    examples::examples,
    failure::Failure,
    json, lines,
    mistakes::{event, input::Foreign},
    stderr,
    verdict::Verdict,
};
use serde::Serialize;
use sortid::{
    GenerateError,
    evently_ledger::{self, Event, EventError, EventErrorKind, EventId, Json, LONGEST_LINE},
};
use std::{
    error::Error as _,
    io::{self, BufRead as _, BufWriter, Read, Write},
    path::{Path, PathBuf},
    sync::mpsc::{self, Receiver},
    thread,
};

/// Adds events from standard input to a ledger: JSON objects without `eventId` and `timestamp`, one per line.
///
/// Prints the ID of each event once the event is on disk. Several processes can append to one file at the same time.
/// The first event of a new file becomes the genesis event, which determines the ledger ID.
///
/// A crash can leave half a line or NULs at the end of the file. They are cut off, and the half line is added to FILE.cut.
/// If the last line is not an event but may be more than half of one, the command changes nothing and ends with an error:
/// `sortid ledger repair` shows the line.
///
/// The exit code is 2 if the IDs cannot be printed, because their reader ended, or if the file is renamed, removed or
/// changed meanwhile. The message then names the lines of the input that were added.
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

    #[command(flatten)]
    lock: Timeout,
}

/// How many bytes of the input are written at once. A batch ends with a whole line, so it can be longer.
const BATCH: usize = 1 << 20;

/// The result for a line of the input.
#[derive(Serialize)]
struct Outcome {
    line: u64,
    valid: bool,
    #[serde(rename = "eventId", skip_serializing_if = "Option::is_none")]
    event_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<json::Error>,
    /// The members that no checksum protects, and why Evently's published validator refuses the event.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<String>,
}

pub(crate) fn run(args: &Args, json: bool, verdict: &mut Verdict) -> Result<(), Failure> {
    lines::not_stdin("ledger append", &args.ledger)?;
    let mut file = LedgerFile::open(&args.ledger, args.profile.map(Into::into), args.lock.duration())?;
    file.refuse_as_output()?;
    let mut added = Added::default();
    let result = append(&mut file, json, verdict, &mut added);
    file.close();
    // Even if the reader of the acknowledgements went away, because it does not know which events are on the disk.
    result.map_err(|failure| Failure::Message(format!("{failure}{}", added.sentences())))
}

/// How much of the input is on the disk.
#[derive(Default)]
struct Added {
    events: u64,
    last: Option<EventId>,
    /// The last line of the input that was added or refused.
    line: u64,
}

impl Added {
    /// What a failure leaves behind, and how to go on.
    fn sentences(&self) -> String {
        let events = match (self.events, self.last) {
            _ if self.line == 0 => return String::new(),
            (1, Some(id)) => format!("1 event of the input was written to disk: {id}"),
            (events, Some(id)) => {
                format!("{events} events of the input were written to disk, the last one is {id}")
            }
            (_, None) => "no event of the input was added".to_owned(),
        };
        format!(
            ". {events}; the lines of the input after line {} were not added: append them again",
            self.line
        )
    }
}

fn append(
    file: &mut LedgerFile,
    json: bool,
    verdict: &mut Verdict,
    added: &mut Added,
) -> Result<(), Failure> {
    // Reports what is wrong with the file before waiting for an event.
    file.write(|_, _| ())??;
    print(&file.notices());
    let mut out = BufWriter::new(io::stdout().lock());
    let input = read_ahead()?;
    let mut number = 0;
    while let Ok(block) = input.recv() {
        let mut blocks = vec![block?];
        let mut failure = None;
        // Everything that arrived while the last batch was written is written at once.
        while blocks.iter().map(Vec::len).sum::<usize>() < BATCH
            && let Ok(block) = input.try_recv()
        {
            match block {
                Ok(block) => blocks.push(block),
                Err(error) => failure = Some(error),
            }
        }
        let mut outcomes = vec![];
        let result = file.write(|ledger, lines| {
            for line in blocks.iter().flat_map(|block| block.split_inclusive(|&byte| byte == b'\n')) {
                if !line.trim_ascii().is_empty() {
                    let outcome = ledger.append(line, lines);
                    // Nothing is wrong with the line: no line can be added now.
                    if let Some(error) = outcome.as_ref().err().and_then(no_time) {
                        failure = Some(error);
                        break;
                    }
                    let outcome = outcome.map_err(|error| refused(line, &error));
                    let mut warnings = ledger.warnings();
                    warnings.extend(outcome.is_ok().then(|| refused_by_evently(line)).flatten());
                    outcomes.push((number + 1, outcome, warnings));
                }
                number += 1;
            }
        });
        print(&file.notices());
        let unlocked = result?;
        added.line = number;
        for (_, id) in outcomes.iter().filter_map(|(line, outcome, _)| Some((line, outcome.as_ref().ok()?))) {
            added.events += 1;
            added.last = Some(*id);
        }
        let mut written = Ok(());
        for (line, outcome, warnings) in outcomes {
            if outcome.is_err() {
                *verdict = Verdict::Invalid;
            }
            let result = acknowledge(line, outcome, warnings, json, &mut out);
            written = written.and(result);
        }
        written.and_then(|()| out.flush()).map_err(|error| Failure::Io {
            what: "cannot write the acknowledgements to standard output".into(),
            error,
        })?;
        unlocked?;
        if let Some(failure) = failure {
            return Err(failure);
        }
    }
    Ok(())
}

fn print(notices: &[String]) {
    for notice in notices {
        stderr::print_line(format_args!("{notice}"));
    }
}

/// Why no event can be added now, whatever it is.
fn no_time(error: &EventError) -> Option<Failure> {
    let source = error.source().and_then(|source| source.downcast_ref::<GenerateError>());
    let message = || Failure::Message(error.to_string());
    (error.kind() == EventErrorKind::Clock).then(|| source.cloned().map_or_else(message, Into::into))
}

/// Why a line is not added.
fn refused(line: &[u8], error: &EventError) -> json::Error {
    let mut refused = match error.json() {
        Some(error) => json::error_of(error),
        None => json::Error { kind: error.kind().name(), message: error.to_string() },
    };
    if let Some(advice) = event::advice(line, error) {
        refused.message = format!("{}; {advice}", refused.message);
    }
    refused
}

/// Why Evently's published validator refuses an event of the profile `classic` that has both `meta` and `data`. It
/// refuses all events that lack one of them, so their users know that they do not use it.
fn refused_by_evently(line: &[u8]) -> Option<String> {
    let event = Event::parse(str::from_utf8(line).ok()?).ok()?;
    let (meta, data) = (event.meta.as_ref()?, event.data.as_ref()?);
    if event.profile() != Some(evently_ledger::Profile::Classic) {
        return None;
    }
    let reason = if meta.as_str().starts_with('{') {
        difference("meta", meta).or_else(|| difference("data", data))?
    } else {
        "meta is not an object".to_owned()
    };
    Some(format!("Evently's published validator refuses this event: {reason}"))
}

/// How JavaScript prints the member in another way than canonical JSON does.
fn difference(name: &str, json: &Json<'_>) -> Option<String> {
    let canonical = json.as_str();
    let javascript = match json.to_javascript() {
        Ok(javascript) => javascript,
        Err(error) => return Some(format!("in the canonical JSON of {name}, {}", error.in_line())),
    };
    let same = canonical.chars().zip(javascript.chars()).take_while(|(a, b)| a == b).count();
    let part = |text: &str| text.chars().skip(same.saturating_sub(16)).take(40).collect::<String>();
    (javascript != canonical)
        .then(|| format!("in {name}, JavaScript prints {:?} for {:?}", part(&javascript), part(canonical)))
}

fn acknowledge(
    line: u64,
    outcome: Result<EventId, json::Error>,
    warnings: Vec<String>,
    json: bool,
    out: &mut impl Write,
) -> io::Result<()> {
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
                error: outcome.err(),
                warnings,
            };
            json::write_line(out, &outcome)
        }
        Ok(id) => {
            out.write_all(id.encode().as_bytes())?;
            out.write_all(b"\n")
        }
        Err(error) => {
            stderr::print_line(format_args!("line {line}: not added: {}", error.message));
            Ok(())
        }
    }
}

/// Reads whole lines of standard input in a thread of its own, as many at once as are available.
fn read_ahead() -> Result<Receiver<Result<Vec<u8>, Failure>>, Failure> {
    const BLOCK: usize = 1 << 18;
    const BLOCKS_AHEAD: usize = 8;

    let stdin = lines::stdin("events, one JSON object per line,")?;
    let (sender, receiver) = mpsc::sync_channel(BLOCKS_AHEAD);
    let reader = thread::Builder::new().spawn(move || {
        let mut stdin = io::BufReader::with_capacity(BLOCK, stdin);
        // An error of reading is reported when the first lines are read.
        if let Ok(head) = stdin.fill_buf() {
            if let Some(Err(error)) = Foreign::of(head).map(|foreign| foreign.refuse(Path::new("-"))) {
                // The channel has room for it.
                let _ = sender.send(Err(Failure::read("standard input", error)));
                return;
            }
            if head.is_empty() {
                // A user at a terminal would have to end the input a second time.
                return;
            }
        }
        let mut carry = vec![];
        loop {
            let result = read_lines(&mut stdin, &mut carry);
            let is_last = !matches!(result, Ok(Some(_)));
            if result.transpose().is_some_and(|result| sender.send(result).is_err()) || is_last {
                return;
            }
        }
    });
    match reader {
        Ok(_) => Ok(receiver),
        Err(error) => Err(Failure::Io { what: "cannot start the thread that reads the input".into(), error }),
    }
}

/// The next whole lines, as many as the source has ready; `None` at the end.
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
        // The beginning of a line that is too long is enough, because the line is refused for its length.
        carry.truncate(LONGEST_LINE + 1);
    }
}
