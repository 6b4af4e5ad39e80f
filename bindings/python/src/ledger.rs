//! The verification of ledgers.

use crate::specs::EventId;
use evently_ledger::{LONGEST_LINE, Profile, Verifier};
use pyo3::{
    exceptions::{PyOSError, PyValueError},
    prelude::*,
};
use std::{
    fs::File,
    io::{self, BufRead, BufReader, Read as _, Seek as _},
    path::{Path, PathBuf},
};

/// How many bytes of a file are read at once.
const CHUNK: usize = 4 << 20;

/// A line of a ledger that is wrong.
#[pyclass(frozen, get_all, module = "sortid.ledger")]
#[derive(Clone)]
pub(crate) struct Fault {
    /// The number of the line, from 1.
    line: u64,
    /// What kind of fault it is, such as ``'id_mismatch'``.
    kind: &'static str,
    /// What the line should have.
    expected: String,
    /// What the line has.
    found: String,
    message: String,
}

#[pymethods]
impl Fault {
    fn __str__(&self) -> &str {
        &self.message
    }

    fn __repr__(&self) -> String {
        format!("<Fault {:?} in line {}: {}>", self.kind, self.line, self.message)
    }
}

/// What ``sortid.ledger.verify`` found.
#[pyclass(frozen, get_all, module = "sortid.ledger")]
pub(crate) struct Report {
    /// ``True`` if the ledger has no faults.
    valid: bool,
    /// The number of events, those with a fault included.
    events: u64,
    /// The number of lines.
    lines: u64,
    /// The number of faults.
    faults: u64,
    /// The first faults, at most as many as the caller asked for.
    listed: Vec<Fault>,
    /// The profile: ``'classic'`` or ``'entities'``. ``None`` for an empty ledger.
    profile: Option<&'static str>,
    /// Which ID the first event has: ``'published'``, that of the specification, or ``'deployed'``, that of Evently's
    /// PostgreSQL function. ``'trusted'`` if the file continues a ledger. ``None`` if the first event is faulty or missing.
    genesis: Option<&'static str>,
    /// The ID of the ledger, in 8 hex digits.
    ledger_id: Option<String>,
    /// The ID of the last event.
    last_event_id: Option<EventId>,
}

#[pymethods]
impl Report {
    fn __repr__(&self) -> String {
        let verdict = if self.valid { "valid" } else { "not valid" };
        format!("<Report {verdict}: {} events, {} faults>", self.events, self.faults)
    }
}

/// Verifies each line of a ledger, and calls ``progress`` with the number of bytes that were read. ``sortid.ledger.verify``
/// calls it.
#[pyfunction]
#[pyo3(signature = (path, *, profile, strict, after, listed, progress=None))]
pub(crate) fn verify_ledger(
    py: Python<'_>,
    path: PathBuf,
    profile: Option<&str>,
    strict: bool,
    after: Option<&EventId>,
    listed: usize,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Report> {
    let profile = profile.map(str::parse::<Profile>).transpose();
    let mut verifier = Verifier::new(profile.map_err(|error| PyValueError::new_err(error.to_string()))?);
    if let Some(after) = after {
        verifier = verifier.resume_after(after.0);
    }
    if strict {
        verifier = verifier.strict();
    }
    let mut faults = vec![];
    let file = File::open(&path).map_err(|error| with_path(error, &path))?;
    let mut file = BufReader::with_capacity(CHUNK, file);
    let mut lines = vec![];
    loop {
        let read = py.detach(|| {
            let read = read_lines(&mut file, &mut lines)?;
            verifier.verify_chunk_parallel(&lines, |fault| {
                if faults.len() < listed {
                    faults.push(Fault {
                        line: fault.line,
                        kind: fault.kind.name(),
                        expected: fault.expected.clone(),
                        found: fault.found.clone(),
                        message: fault.to_string(),
                    });
                }
            });
            read.then(|| file.stream_position()).transpose()
        });
        let Some(position) = read.map_err(|error| with_path(error, &path))? else { break };
        if let Some(progress) = progress {
            progress.call1((position,))?;
        }
        py.check_signals()?;
    }
    let report = verifier.report();
    Ok(Report {
        valid: report.is_valid(),
        events: report.events,
        lines: verifier.lines_read(),
        faults: report.faults,
        listed: faults,
        profile: report.profile.map(Profile::name),
        genesis: report.genesis.map(evently_ledger::Genesis::name),
        ledger_id: report.ledger_id.map(|id| id.to_string()),
        last_event_id: report.last_event_id.map(EventId),
    })
}

/// Returns the exception that Python's `open` raises.
fn with_path(error: io::Error, path: &Path) -> PyErr {
    match error.raw_os_error() {
        Some(number) => {
            let message = error.to_string();
            let message = message.split(" (os error").next().unwrap_or_default().to_owned();
            PyOSError::new_err((number, message, path.to_path_buf()))
        }
        None => error.into(),
    }
}

/// Reads whole lines, about [`CHUNK`] bytes. Returns `false` at the end of the file.
fn read_lines(file: &mut BufReader<File>, lines: &mut Vec<u8>) -> io::Result<bool> {
    lines.clear();
    while lines.len() < CHUNK {
        let buffered = file.fill_buf()?;
        if buffered.is_empty() {
            return Ok(!lines.is_empty());
        }
        let room = buffered.len().min(CHUNK - lines.len());
        lines.extend_from_slice(&buffered[..room]);
        file.consume(room);
    }
    // The rest of the last line. Of a line that is too long, the first bytes have the same verdict.
    let start = lines.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    let room = (LONGEST_LINE + 1).saturating_sub(lines.len() - start);
    file.take(room as u64).read_until(b'\n', lines)?;
    if !lines.ends_with(b"\n") {
        file.skip_until(b'\n')?;
    }
    Ok(true)
}
