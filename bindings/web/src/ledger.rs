//! Verifying a ledger that arrives in pieces.

use crate::{
    failure::{Failure, ok},
    json::Json,
};
use sortid::evently_ledger::{EventId, Fault, FaultKind, LONGEST_LINE, Profile, Verifier};
use wasm_bindgen::prelude::*;

/// How many faults the report lists.
const LISTED: usize = 100;

/// The most bytes of a faulty line that the report quotes.
const QUOTED: usize = 4096;

#[wasm_bindgen]
pub struct Ledger {
    verifier: Verifier,
    /// The beginning of a line whose end has not come yet.
    carry: Vec<u8>,
    faults: Vec<Listed>,
}

/// A fault with its line.
struct Listed {
    fault: Fault,
    /// The column of the fault, in characters from 1.
    column: Option<usize>,
    /// A part of the line.
    text: String,
    /// The column of the first character of this part.
    text_column: usize,
}

#[wasm_bindgen]
impl Ledger {
    /// `after` is the event ID after which the ledger begins.
    pub fn start(
        profile: Option<String>,
        is_strict: bool,
        stops: bool,
        after: Option<String>,
    ) -> Option<Self> {
        ok(Self::new(profile.as_deref(), is_strict, stops, after.as_deref()))
    }

    /// Verifies the lines that end in this piece.
    pub fn push(&mut self, mut chunk: &[u8]) -> bool {
        if self.verifier.is_done() {
            return true;
        }
        if !self.carry.is_empty() {
            let Some(end) = chunk.iter().position(|&byte| byte == b'\n') else { return self.keep(chunk) };
            let (first, rest) = chunk.split_at(end + 1);
            if !self.keep(first) {
                return false;
            }
            let line = std::mem::take(&mut self.carry);
            self.verify(&line);
            chunk = rest;
        }
        let end = chunk.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        let (lines, rest) = chunk.split_at(end);
        self.verify(lines);
        self.keep(rest)
    }

    /// Verifies the last line, which may lack its line feed, and returns the report as JSON.
    pub fn finish(&mut self) -> String {
        let line = std::mem::take(&mut self.carry);
        self.verify(&line);
        self.report()
    }

    pub fn events(&self) -> f64 {
        self.verifier.report().events as f64
    }

    #[wasm_bindgen(js_name = isDone)]
    pub fn is_done(&self) -> bool {
        self.verifier.is_done()
    }

    pub fn faults(&self) -> f64 {
        self.verifier.report().faults as f64
    }
}

impl Ledger {
    fn new(
        profile: Option<&str>,
        is_strict: bool,
        stops: bool,
        after: Option<&str>,
    ) -> Result<Self, Failure> {
        let profile = match profile.map(str::parse::<Profile>) {
            None => None,
            Some(Ok(profile)) => Some(profile),
            Some(Err(error)) => return Err(Failure::option(error.to_string())),
        };
        let mut verifier = Verifier::new(profile);
        if let Some(after) = after {
            verifier = verifier.resume_after(EventId::parse(after)?);
        }
        if is_strict {
            verifier = verifier.strict();
        }
        if stops {
            verifier = verifier.stop_at_first_fault();
        }
        Ok(Self { verifier, carry: vec![], faults: vec![] })
    }

    /// Keeps the beginning of a line. The beginning of a line that is too long is enough, because its verdict is the
    /// same.
    fn keep(&mut self, piece: &[u8]) -> bool {
        let room = (LONGEST_LINE + 1).saturating_sub(self.carry.len());
        let piece = &piece[..piece.len().min(room)];
        let line = self.verifier.lines_read() + 1;
        let reserved = self.carry.try_reserve(piece.len()).map_err(|_| Failure {
            kind: "line_length",
            message: format!("no memory is left for line {line}"),
            number: None,
        });
        if ok(reserved).is_none() {
            return false;
        }
        self.carry.extend_from_slice(piece);
        true
    }

    fn verify(&mut self, lines: &[u8]) {
        let Self { verifier, faults, .. } = self;
        let before = verifier.lines_read();
        verifier.verify_chunk(lines, |fault| {
            if faults.len() < LISTED {
                faults.push(Listed::new(fault, lines, fault.line - before));
            }
        });
    }

    fn report(&self) -> String {
        let report = self.verifier.report();
        let mut json = Json::default();
        json.object(|json| {
            json.name("valid").bool(report.is_valid());
            json.name("events").number(report.events);
            json.name("lines").number(self.verifier.lines_read());
            json.text("profile", report.profile.map(Profile::name));
            json.text("genesis", report.genesis.map(|genesis| genesis.name()));
            json.text("ledgerId", report.ledger_id.map(|id| id.to_string()));
            json.text("lastEventId", report.last_event_id.map(|id| id.to_string()));
            json.name("faults").number(report.faults);
            json.name("listed").array(&self.faults, |json, listed| listed.write(json));
        });
        json.finish()
    }
}

impl Listed {
    /// `number` is the number of the line in `lines`, from 1.
    #[cold]
    fn new(fault: &Fault, lines: &[u8], number: u64) -> Self {
        let line = lines.split(|&byte| byte == b'\n').nth((number - 1) as usize).unwrap_or_default();
        // The column stands at the end of what was expected, or of what was found.
        let column = [&fault.expected, &fault.found].into_iter().find_map(|text| {
            let (_, column) = text.rsplit_once(" at column ")?;
            column.parse().ok()
        });
        let column = column.filter(|_| {
            let kinds = [FaultKind::MalformedLine, FaultKind::UnknownMember, FaultKind::DuplicateMember];
            kinds.contains(&fault.kind)
        });
        let (text, text_column) = quote(line, column.unwrap_or(1));
        Self { fault: fault.clone(), column, text, text_column }
    }

    fn write(&self, json: &mut Json) {
        let Self { fault, column, text, text_column } = self;
        json.object(|json| {
            json.name("line").number(fault.line);
            json.name("kind").string(fault.kind.name());
            json.name("expected").string(&fault.expected);
            json.name("found").string(&fault.found);
            json.name("message").string(&fault.to_string());
            if let Some(column) = column {
                json.name("column").number(*column as u64);
            }
            json.name("text").string(text);
            json.name("textColumn").number(*text_column as u64);
        });
    }
}

/// The part of a line around this column, and the column where it begins.
fn quote(line: &[u8], column: usize) -> (String, usize) {
    let line = line.trim_ascii_end();
    if line.len() <= QUOTED {
        return (String::from_utf8_lossy(line).into_owned(), 1);
    }
    let text = String::from_utf8_lossy(line);
    let before = column.saturating_sub(1 + QUOTED / 8);
    // At most four bytes each.
    (text.chars().skip(before).take(QUOTED / 4).collect(), before + 1)
}
