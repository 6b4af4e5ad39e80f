use crate::{
    answers::{Answer, Answers, Printer},
    examples::examples,
    failure::Failure,
    json,
    lines::{self, Line, Lines, name_of},
    refusal::Refusal,
    spec, stderr,
    terminal::{escaped, quoted},
    verdict::Verdict,
};
use serde::Serialize;
use sortid::{AnyId, Spec};
use std::{
    borrow::Cow,
    io::{self, Write},
    path::{Path, PathBuf},
};

/// Checks IDs, one per line, and prints what is wrong and where.
#[derive(clap::Args)]
#[command(after_long_help = examples(&[
    ("Find the invalid line", "printf '00CMXB6TAK4SA\\nnonsense\\n' | sortid check ulid-flake || true"),
    ("Check a file", "sortid new euid -n 1000 > ids.txt && sortid check euid ids.txt"),
]))]
pub(crate) struct Args {
    /// The specification
    #[arg(value_parser = spec::by_name())]
    spec: Spec,

    /// The files; `-` is standard input [default: standard input]
    files: Vec<PathBuf>,

    /// Print a JSON object for each invalid line, and one with the totals
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
    /// Whether `input` is only the beginning of a line of many megabytes.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    truncated: bool,
}

#[derive(Serialize)]
struct Totals {
    lines: u64,
    invalid: u64,
}

pub(crate) fn run(args: &Args, verdict: &mut Verdict) -> Result<(), Failure> {
    lines::stdin_at_most_once("check", &args.files)?;
    let mut printer = Printer::new(verdict);
    let mut lines = 0;
    if args.files.is_empty() {
        lines += printer.lines("standard input", Lines::of_stdin("IDs"), &checked(args, None))?;
    }
    for path in &args.files {
        let source = name_of(path);
        let source_lines =
            Lines::of_path(path, "IDs").map_err(|failure| no_file(args.spec, &source, failure))?;
        lines += printer.lines(&source, source_lines, &checked(args, Some(path)))?;
    }
    let invalid = printer.invalid;
    if args.json {
        let mut out = io::stdout().lock();
        json::write_line(&mut out, &Totals { lines, invalid })?;
        out.flush()?;
    } else {
        stderr::print_line(format_args!(
            "{}: {} valid, {invalid} invalid",
            args.spec.name(),
            lines - invalid
        ));
    }
    Ok(())
}

/// A better message for users who gave an ID instead of a file.
fn no_file(spec: Spec, path: &str, failure: Failure) -> Failure {
    if AnyId::parse_ascii(spec, path.as_bytes()).is_err() {
        return failure;
    }
    let id = quoted(path);
    Failure::usage(
        "check",
        format!("{path} is an ID, not a file: give IDs on standard input: echo {id} | sortid check {spec}"),
    )
}

fn checked(args: &Args, path: Option<&Path>) -> impl Answer {
    move |line: &Line, number, answers: &mut Answers| match AnyId::parse_ascii(args.spec, line.bytes()) {
        Ok(_) => Ok(()),
        Err(error) => {
            answers.invalid += 1;
            report(args, path, number, line, &Refusal::new(args.spec, line, &error), &mut answers.out)
        }
    }
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
        write!(out, "{}: ", escaped(&path.to_string_lossy()))?;
    }
    writeln!(out, "line {number}: {}: {}", refusal.message, line.quoted())
}
