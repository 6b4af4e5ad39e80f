use crate::{
    Verdict, complain,
    failure::Failure,
    inspect::Refusal,
    json,
    lines::{Line, Lines},
    spec,
};
use serde::Serialize;
use sortid::{AnyId, Spec};
use std::{
    borrow::Cow,
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
};

/// Checks a stream of IDs, one a line, and prints what is wrong and where.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The specification
    #[arg(value_parser = spec::by_name())]
    spec: Spec,

    /// Files; `-`, and no file at all, is standard input
    files: Vec<PathBuf>,

    /// Print an object for each invalid line, and one with the totals
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Fault<'a> {
    file: Option<Cow<'a, str>>,
    line: u64,
    input: Cow<'a, str>,
    valid: bool,
    spec: &'static str,
    error: json::Error,
    /// `input` is only the beginning of a line of many megabytes.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    truncated: bool,
}

#[derive(Default, Serialize)]
struct Totals {
    lines: u64,
    invalid: u64,
}

pub(crate) fn run(args: &Args, verdict: &mut Verdict) -> Result<(), Failure> {
    let mut out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    let mut totals = Totals::default();
    if args.files.is_empty() {
        check(args, None, Lines::of_stdin(), &mut totals, verdict, &mut out)?;
    }
    for path in &args.files {
        check(args, Some(path), Lines::of_path(path)?, &mut totals, verdict, &mut out)?;
    }
    if args.json {
        json::write_line(&mut out, &totals)?;
    }
    out.flush()?;
    if !args.json {
        let Totals { lines, invalid } = totals;
        complain(format_args!("{}: {} valid, {invalid} invalid", args.spec.name(), lines - invalid));
    }
    Ok(())
}

fn check(
    args: &Args,
    path: Option<&Path>,
    mut lines: Lines<Box<dyn io::Read>>,
    totals: &mut Totals,
    verdict: &mut Verdict,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let mut line = Line::default();
    let mut number = 0;
    let source = path.map_or("standard input".into(), |path| path.to_string_lossy());
    while lines.read(&mut line).map_err(|error| Failure::reading(&source, error))? {
        number += 1;
        totals.lines += 1;
        if let Err(error) = AnyId::parse_ascii(args.spec, line.bytes()) {
            totals.invalid += 1;
            *verdict = Verdict::Invalid;
            report(args, path, number, &line, &Refusal::new(args.spec, &line, &error), out)?;
        }
        if totals.invalid > 0 && lines.may_wait() {
            out.flush()?;
        }
    }
    Ok(())
}

fn report(
    args: &Args,
    path: Option<&Path>,
    number: u64,
    line: &Line,
    refusal: &Refusal,
    out: &mut impl Write,
) -> io::Result<()> {
    if args.json {
        let fault = Fault {
            file: path.map(Path::to_string_lossy),
            line: number,
            input: line.lossy(),
            valid: false,
            spec: args.spec.name(),
            error: refusal.into(),
            truncated: line.is_cut(),
        };
        return json::write_line(out, &fault);
    }
    if let Some(path) = path {
        write!(out, "{}: ", path.display())?;
    }
    writeln!(out, "line {number}: {}: {}", refusal.message, line.quoted())
}
