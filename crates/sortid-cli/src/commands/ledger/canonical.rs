use super::input::check_expansion;
use crate::{
    examples::examples,
    failure::Failure,
    json,
    lines::{self, Line, Lines, name_of},
    progress, stderr,
    verdict::Verdict,
};
use serde::Serialize;
use sortid::evently_ledger::{CanonicalWriter, WriteError};
use std::{
    io::{self, BufWriter, IsTerminal as _, Write},
    path::PathBuf,
};

/// Prints JSON texts, one per line, in canonical form: without blanks, members in order.
#[derive(clap::Args)]
#[command(after_long_help = examples(&[
    ("Sort the members and remove the blanks", r#"echo '{"b": 1.0, "a": [true]}' | sortid ledger canonical"#),
]))]
pub(crate) struct Args {
    /// The files; `-` is standard input [default: standard input]
    files: Vec<PathBuf>,
}

#[derive(Serialize)]
struct Outcome<'a> {
    line: u64,
    valid: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    canonical: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<json::Error>,
}

pub(crate) fn run(args: &Args, json: bool, verdict: &mut Verdict) -> Result<(), Failure> {
    lines::stdin_at_most_once("ledger canonical", &args.files)?;
    let standard_input = [PathBuf::from("-")];
    let files = if args.files.is_empty() { &standard_input[..] } else { &args.files };
    let progress = progress::of_filter(files);
    let mut out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    let mut writer = CanonicalWriter::new();
    let mut size = Size::default();
    for path in files {
        let source = name_of(path);
        let mut lines = Lines::of_path(path, "JSON texts", &progress)?.with_longest(LONGEST);
        let (mut line, mut text) = (Line::default(), String::new());
        let mut number = 0;
        while lines.read(&mut line).map_err(|error| Failure::read(&source, error))? {
            number += 1;
            if line.bytes().trim_ascii().is_empty() {
                continue;
            }
            text.clear();
            size.read += line.len();
            let written = canonical(&mut writer, &line, json.then_some(&mut text), &mut out, &mut size);
            let written = written.map_err(|error| match error.kind() {
                io::ErrorKind::InvalidData => Failure::read(&source, error),
                _ => error.into(),
            });
            match written? {
                Ok(()) if json => {
                    let outcome = Outcome { line: number, valid: true, canonical: Some(&text), error: None };
                    json::write_line(&mut out, &outcome)?;
                }
                Ok(()) => out.write_all(b"\n")?,
                Err(error) => {
                    *verdict = Verdict::Invalid;
                    if json {
                        let outcome =
                            Outcome { line: number, valid: false, canonical: None, error: Some(error) };
                        json::write_line(&mut out, &outcome)?;
                    } else {
                        progress.suspend(|| {
                            stderr::print_line(format_args!("{source}: line {number}: {}", error.message));
                        });
                    }
                }
            }
            if lines.may_wait() {
                out.flush()?;
            }
        }
    }
    Ok(out.flush()?)
}

/// The longest text. It need not be a line of a ledger.
const LONGEST: usize = 256 << 20;

/// How many bytes were read, and how many were written.
#[derive(Default)]
struct Size {
    read: u64,
    written: u64,
}

impl Size {
    /// Counts a piece of the output. A line is bounded, but a small input can have thousands of lines that expand.
    fn write(&mut self, piece: &str) -> io::Result<()> {
        self.written += piece.len() as u64;
        check_expansion(self.read, self.written, "divide it")
    }
}

/// Writes the canonical form of a line to `text` if there is one, otherwise to `out`; returns what is wrong with the
/// line.
fn canonical(
    writer: &mut CanonicalWriter,
    line: &Line,
    text: Option<&mut String>,
    out: &mut impl Write,
    size: &mut Size,
) -> io::Result<Result<(), json::Error>> {
    if line.is_cut() {
        let message = format!("expected at most {LONGEST} bytes, found {}", line.len());
        return Ok(Err(json::Error { kind: "length", message }));
    }
    let result = match text {
        Some(text) => writer.write(line.bytes(), |piece| {
            text.push_str(piece);
            size.write(piece)
        }),
        // A terminal would obey characters that the canonical form does not escape.
        None if io::stdout().is_terminal() => {
            writer.write(line.bytes(), |piece| json::write_escaped(out, piece).and(size.write(piece)))
        }
        None => writer.write(line.bytes(), |piece| out.write_all(piece.as_bytes()).and(size.write(piece))),
    };
    match result {
        Ok(()) => Ok(Ok(())),
        Err(WriteError::Sink(error)) => Err(error),
        Err(WriteError::Json(error)) => Ok(Err(json::error_of(&error))),
    }
}
