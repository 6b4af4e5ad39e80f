//! The results of the rows of an aggregate, wherever each row is processed.
//!
//! Each row has a position: any keys, such as the name of a file, and a number. Rows with equal keys and consecutive numbers
//! are a run, and are verified as one part of the ledger. Rows come in any order and on several machines, so there can be
//! several runs; when all are known, they are joined in the order of their positions.

// The position is an argument and not an `ORDER BY` in the aggregate, which would sort the texts of whole ledgers.
// Two rows with one position are an error, because their order would be a guess.

use datafusion::common::{DataFusionError, Result, exec_err};
use evently_ledger::{Part, PartVerifier, Report};
use serde::{Deserialize, Serialize};
use std::{cell::RefCell, fmt, mem};

/// The version of the bytes of [`Runs::bytes`]. A change of `Part` changes it.
const VERSION: u8 = 1;

/// About how many bytes a run has. A part has some texts: about its first line and its first faults.
pub(crate) const SIZE_OF_RUN: usize = size_of::<Run>() + 600;

/// A key of a position.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) enum Key {
    Number(i64),
    Text(String),
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{number}"),
            Self::Text(text) => write!(f, "'{text}'"),
        }
    }
}

/// A key of a row, borrowed from its column.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum KeyRef<'a> {
    Number(i64),
    Text(&'a str),
}

impl KeyRef<'_> {
    fn is(self, key: &Key) -> bool {
        match (self, key) {
            (Self::Number(a), Key::Number(b)) => a == *b,
            (Self::Text(a), Key::Text(b)) => a == b,
            _ => false,
        }
    }

    fn to_key(self) -> Key {
        match self {
            Self::Number(number) => Key::Number(number),
            Self::Text(text) => Key::Text(text.to_owned()),
        }
    }
}

/// Rows with equal keys and consecutive numbers.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Run {
    keys: Vec<Key>,
    first: i64,
    last: i64,
    part: Part,
}

impl Run {
    fn is_followed_by(&self, keys: &[KeyRef<'_>], number: i64) -> bool {
        self.last.checked_add(1) == Some(number)
            && self.keys.len() == keys.len()
            && keys.iter().zip(&self.keys).all(|(a, b)| a.is(b))
    }
}

thread_local! {
    /// The memory of a verifier, for all groups of a query that a thread works on.
    static VERIFIER: RefCell<PartVerifier> = RefCell::new(PartVerifier::new(None));
}

/// The runs of a group of rows.
#[derive(Clone, Debug)]
pub(crate) struct Runs {
    is_strict: bool,
    runs: Vec<Run>,
    /// How many runs there were after the last join of neighbours.
    joined: usize,
}

impl Runs {
    pub(crate) const fn new(is_strict: bool) -> Self {
        Self { is_strict, runs: vec![], joined: 0 }
    }

    /// Adds a row.
    pub(crate) fn push(&mut self, keys: &[KeyRef<'_>], number: i64, line: &[u8]) -> Result<()> {
        match self.runs.last_mut() {
            Some(run) if run.is_followed_by(keys, number) => run.last = number,
            _ => {
                self.join_sometimes()?;
                let keys = keys.iter().map(|key| key.to_key()).collect();
                self.runs.push(Run { keys, first: number, last: number, part: empty(self.is_strict) });
            }
        }
        if let Some(run) = self.runs.last_mut() {
            // A row is a line, even if it is empty.
            let line = if line.is_empty() { b"\n" } else { line };
            VERIFIER.with_borrow_mut(|verifier| {
                verifier.replace(mem::take(&mut run.part));
                verifier.verify_lines(line);
                run.part = verifier.replace(Part::default());
            });
        }
        Ok(())
    }

    /// Adds the runs of other rows.
    pub(crate) fn append(&mut self, bytes: &[u8]) -> Result<()> {
        let [VERSION, bytes @ ..] = bytes else {
            return exec_err!(
                "ledger_join: expected a summary that ledger_summary of this version made (its first byte is {VERSION}), \
                 found {}",
                bytes
                    .first()
                    .map_or_else(|| "no bytes".to_owned(), |first| format!("the first byte {first}"))
            );
        };
        let (is_strict, runs): (bool, Vec<Run>) = postcard::from_bytes(bytes).map_err(|error| {
            DataFusionError::Execution(format!(
                "ledger_join: expected a whole summary that ledger_summary made, found {} bytes that cannot be read: {error}",
                bytes.len()
            ))
        })?;
        if self.runs.is_empty() {
            self.is_strict = is_strict;
        }
        self.runs.extend(runs);
        self.join_sometimes()
    }

    pub(crate) fn bytes(&mut self) -> Result<Vec<u8>> {
        self.join_neighbours()?;
        let start = vec![VERSION];
        postcard::to_extend(&(self.is_strict, &self.runs), start)
            .map_err(|error| DataFusionError::External(Box::new(error)))
    }

    /// Joins neighbours when there are twice as many runs as after the last time.
    fn join_sometimes(&mut self) -> Result<()> {
        if self.runs.len() > 2 * self.joined + 64 { self.join_neighbours() } else { Ok(()) }
    }

    /// Puts the runs into the order of their positions, and joins those that follow each other without a gap.
    fn join_neighbours(&mut self) -> Result<()> {
        self.runs.sort_by(|a, b| (&a.keys, a.first).cmp(&(&b.keys, b.first)));
        let mut joined: Vec<Run> = Vec::with_capacity(self.runs.len());
        for run in self.runs.drain(..) {
            match joined.last_mut() {
                Some(last) if last.keys == run.keys && run.first <= last.last => {
                    let mut position: Vec<_> = run.keys.iter().map(Key::to_string).collect();
                    position.push(run.first.to_string());
                    return exec_err!(
                        "ledger_verify: expected each position once, found two lines at the position ({})",
                        position.join(", ")
                    );
                }
                Some(last) if last.keys == run.keys && last.last.checked_add(1) == Some(run.first) => {
                    last.part.join(&run.part).map_err(|error| DataFusionError::External(Box::new(error)))?;
                    last.last = run.last;
                }
                _ => joined.push(run),
            }
        }
        self.joined = joined.len();
        self.runs = joined;
        Ok(())
    }

    /// What was found in all rows, in the order of their positions.
    pub(crate) fn found(&mut self) -> Result<Found> {
        self.join_neighbours()?;
        let mut ledger = empty(self.is_strict);
        for run in &self.runs {
            ledger.join(&run.part).map_err(|error| DataFusionError::External(Box::new(error)))?;
        }
        let report = ledger.report();
        // The line of a fault is counted from the beginning of its file.
        let file_of = |run: &Run| match run.keys.first() {
            Some(Key::Text(file)) => Some(file.clone()),
            _ => None,
        };
        let line = report.first_fault.as_ref().map_or_else(|| ledger.lines(), |fault| fault.line);
        let (mut before, mut before_file, mut file) = (0, 0, None);
        for run in &self.runs {
            if file != file_of(run) {
                (file, before_file) = (file_of(run), before);
            }
            before += run.part.lines();
            if before >= line {
                break;
            }
        }
        Ok(Found { line: line - before_file, file, report })
    }

    /// How many runs there are.
    pub(crate) const fn len(&self) -> usize {
        self.runs.len()
    }
}

fn empty(is_strict: bool) -> Part {
    let verifier = PartVerifier::new(None);
    let mut verifier = if is_strict { verifier.strict() } else { verifier };
    verifier.take()
}

/// The report of a ledger, and where its first fault is.
pub(crate) struct Found {
    pub(crate) report: Report,
    /// The file of the first fault, if the first key is a text.
    pub(crate) file: Option<String>,
    /// The line of the first fault in its file, or in the whole ledger. Without a fault, the last line.
    pub(crate) line: u64,
}
