use crate::{
    answers::{Answer, Answers, Printer},
    examples::examples,
    failure::Failure,
    form::{Counts, Form},
    json,
    lines::{self, Line, Lines, name_of},
    reading,
    refusal::Refusal,
    spec, stderr,
    terminal::escaped,
    verdict::Verdict,
};
use serde::Serialize;
use sortid::Spec;
use std::{
    borrow::Cow,
    io::{self, Write},
    path::{Path, PathBuf},
};

/// Checks IDs, one per line, and prints what is wrong and where.
///
/// The lines can have any form that `sortid inspect` reads, and the summary counts the forms if there are others than
/// text. `--from` allows one form only.
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

    /// The form of all IDs [default: found for each ID]
    #[arg(long, value_enum, value_name = "FORM", ignore_case = true)]
    from: Option<Form>,

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
    /// How many valid IDs have each form, if there are others than text.
    #[serde(skip_serializing_if = "Counts::is_text")]
    forms: Counts,
}

pub(crate) fn run(args: &Args, verdict: &mut Verdict) -> Result<(), Failure> {
    if let Some(from) = args.from {
        from.suits(args.spec.name(), args.spec.bytes()).map_err(|error| Failure::usage("check", error))?;
    }
    lines::stdin_at_most_once("check", &args.files)?;
    let mut printer = Printer::new(verdict);
    let mut lines = 0;
    if args.files.is_empty() {
        lines += printer.lines("standard input", Lines::of_stdin(), &checked(args, None))?;
    }
    for path in &args.files {
        let source = name_of(path);
        let source_lines = Lines::of_path(path).map_err(|failure| no_file(args.spec, &source, failure))?;
        lines += printer.lines(&source, source_lines, &checked(args, Some(path)))?;
    }
    let Printer { invalid, forms, .. } = printer;
    if args.json {
        let mut out = io::stdout().lock();
        json::write_line(&mut out, &Totals { lines, invalid, forms })?;
        out.flush()?;
    } else {
        stderr::print_line(format_args!(
            "{}: {} valid, {invalid} invalid{forms}",
            args.spec.name(),
            lines - invalid
        ));
    }
    Ok(())
}

/// A better message for users who gave an ID instead of a file.
fn no_file(spec: Spec, path: &str, failure: Failure) -> Failure {
    if reading::read(spec, None, &Line::new(path.into())).is_err() {
        return failure;
    }
    Failure::usage("check", format!("{path} is an ID, not a file: give IDs on standard input"))
}

fn checked(args: &Args, path: Option<&Path>) -> impl Answer {
    move |line: &Line, number, answers: &mut Answers| match reading::read(args.spec, args.from, line) {
        Ok(found) => {
            answers.forms.add(found.form);
            Ok(())
        }
        Err(refusal) => {
            answers.invalid += 1;
            report(args, path, number, line, &refusal, &mut answers.out)
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
