//! `sortid check`: whether each line is an ID, and whether the lines together are sorted and unique.

mod fault;
mod order;
mod seen;
mod sorter;
mod unique;

use crate::{
    answers::Printer,
    counts::Counts,
    examples::examples,
    failure::Failure,
    json,
    lines::{self, Line, name_of},
    progress, spec, stderr,
    table::Table,
    terminal::quoted,
    verdict::Verdict,
};
use order::Check;
use serde::Serialize;
use sortid::Spec;
use sortid_inspect::{
    __private::{
        kinds,
        reading::{self, Found},
    },
    Form, Prefix, Refusal,
};
use std::{
    io::{self, BufWriter, Write as _},
    path::PathBuf,
};

/// Checks IDs, one per line, and prints what is wrong and where.
///
/// The lines can have any form that `sortid inspect` reads. If some IDs are not text, the summary counts the IDs of each
/// form. It also counts the IDs that are not text and have a time before 2000 or after 2099: any 16 bytes can be an EUID, so
/// they may be IDs of another kind.
///
/// With --csv or --tsv, each row has an ID in a column. An empty field is invalid.
///
/// --sorted and --unique compare the valid IDs of all FILEs together; invalid lines are reported and skipped. Their memory
/// is constant, except for --unique alone if the IDs are not sorted or come from standard input.
///
/// In this case, --unique keeps each ID and the number of its line, in 28 bytes. It keeps up to --memory in memory,
/// and the rest in a temporary file in the folder TMPDIR. Files are read once more up to the first ID out of order.
/// An ID that equals the one before it is reported at once. Other duplicates are reported after the whole input, in the
/// order of their lines.
#[derive(clap::Args)]
#[command(after_long_help = examples(&[
    ("Find the invalid line", "printf '00CMXB6TAK4SA\\nnonsense\\n' | sortid check ulid-flake || true"),
    ("Check a file", "sortid new euid -n 1000 > ids.txt && sortid check euid ids.txt"),
    ("Check a column", "printf 'id,item\\n00CMXB6TAK4SA,tea\\n' \\ | sortid check ulid-flake --csv --column id"),
    ("Check that each ID is greater than the one before it", "sortid new euid -n 1000 | sortid check euid --sorted --unique"),
    ("Find IDs that occur twice, in any order", "printf 'a\\nb\\na\\n' | sortid check ron-uid --unique || true"),
]))]
pub(crate) struct Args {
    /// The specification
    #[arg(value_parser = spec::by_name())]
    spec: Spec,

    /// The files; `-` is standard input [default: standard input]
    files: Vec<PathBuf>,

    #[command(flatten)]
    table: Table,

    /// The form of all IDs [default: found for each ID]
    #[arg(long, value_enum, value_name = "FORM", ignore_case = true)]
    from: Option<Form>,

    /// Require typed IDs with this prefix, such as order [default: any prefix, or none]
    #[arg(long, value_name = "PREFIX")]
    prefix: Option<Prefix>,

    /// Require that no ID is less than the one before it
    #[arg(long)]
    sorted: bool,

    /// Require that each ID occurs once, in whatever spelling; with --sorted, only neighbours are compared
    #[arg(long)]
    unique: bool,

    /// How much memory --unique may use for IDs that are not sorted, such as 256M or 2G [default: 512M]
    #[arg(long, value_name = "SIZE", requires = "unique", value_parser = parse_size)]
    memory: Option<usize>,

    /// Print a JSON object for each fault, and one with the totals
    #[arg(long)]
    json: bool,
}

impl Args {
    fn memory(&self) -> usize {
        self.memory.unwrap_or(512 << 20)
    }
}

/// With less, blocks of a temporary file would be too short.
const LEAST_MEMORY: usize = 64 << 10;

#[derive(Serialize)]
struct Totals {
    #[serde(skip_serializing_if = "Option::is_none")]
    lines: Option<u64>,
    /// The same in a table.
    #[serde(skip_serializing_if = "Option::is_none")]
    rows: Option<u64>,
    invalid: u64,
    /// How many valid IDs have each form, if there are others than text.
    #[serde(skip_serializing_if = "Counts::is_text")]
    forms: Counts,
    #[serde(skip_serializing_if = "Option::is_none")]
    implausible_times: Option<u64>,
    /// How many times are yet to come.
    #[serde(skip_serializing_if = "Option::is_none")]
    future_times: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    out_of_order: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    duplicates: Option<u64>,
}

pub(crate) fn run(args: &Args, verdict: &mut Verdict) -> Result<(), Failure> {
    if let Some(from) = args.from {
        from.suits(args.spec.name(), args.spec.bytes()).map_err(|error| Failure::usage("check", error))?;
    }
    spec::prefix_suits("check", args.prefix, args.from)?;
    lines::stdin_at_most_once("check", &args.files)?;
    args.table.check("check", &[])?;
    let stdin = [PathBuf::from("-")];
    let files = if args.files.is_empty() { &stdin[..] } else { &args.files };
    let progress = progress::of_inputs(files);
    let mut printer = Printer::with_progress(verdict, progress.clone());
    let mut check = Check::new(args, files);
    for path in files {
        let input = args
            .table
            .open(path, &progress)
            .map_err(|failure| no_file(args.spec, &name_of(path), failure))?;
        check.inputs.push(check.lines, (!args.files.is_empty()).then_some(path));
        let count = printer.input(path, input, &mut check)?;
        check.lines += count.lines;
        check.ids += count.ids;
    }
    if check.begin_again() {
        progress.reset();
        for path in files {
            let input = args.table.open(path, &progress)?;
            check.lines += printer.input(path, input, &mut check)?.lines;
        }
    }
    progress.finish_and_clear();
    let Printer { invalid, threads, .. } = printer;
    let found = check.find_duplicates(&threads)?;
    if check.tally.duplicates > 0 {
        *verdict = Verdict::Invalid;
    }
    let mut out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    check.print_duplicates(found, &threads, &mut out)?;
    let out_of_order = args.sorted.then_some(check.tally.out_of_order);
    let duplicates = args.unique.then_some(check.tally.duplicates);
    if args.json {
        let ids = |is_table| (args.table.is_given() == is_table).then_some(check.ids);
        let totals = Totals {
            lines: ids(false),
            rows: ids(true),
            invalid,
            forms: check.tally.forms,
            implausible_times: Some(check.tally.implausible).filter(|count| *count > 0),
            future_times: Some(check.tally.future).filter(|count| *count > 0),
            out_of_order,
            duplicates,
        };
        json::write_line(&mut out, &totals)?;
        return Ok(out.flush()?);
    }
    out.flush()?;
    let mut summary = format!(
        "{}: {} valid, {invalid} invalid{}",
        args.spec.name(),
        check.ids - invalid,
        check.tally.forms
    );
    if let Some(count) = out_of_order {
        summary += &format!(", {count} out of order");
    }
    if let Some(count) = duplicates {
        summary += &format!(", {count} duplicate{}", if count == 1 { "" } else { "s" });
    }
    stderr::print_line(format_args!("{summary}"));
    if check.tally.implausible > 0 {
        stderr::print_line(format_args!(
            "valid IDs with a time before 2000 or after 2099: {}. They may be IDs of another kind, such as UUIDs",
            check.tally.implausible
        ));
    }
    if check.tally.future > 0 {
        let why = match args.spec {
            Spec::UlidFlake => "They may be Snowflakes",
            _ => "The clock of their generator may be wrong",
        };
        stderr::print_line(format_args!(
            "valid IDs with a time that is more than a minute from now: {}. {why}",
            check.tally.future
        ));
    }
    let is_table = args.table.is_given();
    if check.ids == invalid && check.tally.wrapped > 0 && !is_table {
        stderr::print_line(format_args!(
            "lines that contain an ID and other text: {}. To check a column of CSV, add --csv --column NAME. To make psql print \
            one ID per line, add -At",
            check.tally.wrapped
        ));
    } else if check.ids == invalid
        && let Some(kind) = check.first_invalid.as_deref().and_then(|line| other_kind(args.spec, line))
    {
        let place = if is_table { "row has" } else { "line is" };
        stderr::print_line(format_args!(
            "no {place} {}; the first one looks like {kind}",
            spec::one(args.spec)
        ));
    }
    if args.unique && out_of_order.is_some_and(|count| count > 0) {
        stderr::print_line(format_args!(
            "the IDs are not sorted, and only neighbours were compared: to find all duplicates, leave out --sorted"
        ));
    }
    Ok(())
}

/// The kind of ID that a line looks like if it is not an ID of this specification.
fn other_kind(spec: Spec, line: &[u8]) -> Option<String> {
    let guess = reading::find(None, line)
        .into_iter()
        .find(|guess| guess.is_likely() && guess.found().id.spec() != spec);
    match guess {
        Some(guess) => {
            let other = guess.found().id.spec();
            Some(format!("{}: sortid check {other}", spec::one(other)))
        }
        None => Some(format!("{}, which is another kind of ID", kinds::of_text(line)?)),
    }
}

/// Reads a line as an ID.
fn read(args: &Args, line: &Line) -> Result<Found, Refusal> {
    reading::read(args.spec, args.from, args.prefix.as_ref(), line.input())
}

/// Reads a number of bytes.
fn parse_size(text: &str) -> Result<usize, String> {
    let (digits, shift) = match text.as_bytes().last() {
        Some(b'K' | b'k') => (&text[..text.len() - 1], 10),
        Some(b'M' | b'm') => (&text[..text.len() - 1], 20),
        Some(b'G' | b'g') => (&text[..text.len() - 1], 30),
        _ => (text, 0),
    };
    let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
    match digits.parse::<usize>().ok().filter(|_| is_number).and_then(|size| size.checked_mul(1 << shift)) {
        Some(size @ LEAST_MEMORY..) => Ok(size),
        _ => Err("expected a size such as 256M or 2G, and at least 64K".to_owned()),
    }
}

/// A better message for users who gave an ID instead of a file.
fn no_file(spec: Spec, path: &str, failure: Failure) -> Failure {
    if reading::read(spec, None, None, path.into()).is_err() {
        return failure;
    }
    let id = quoted(path);
    Failure::usage(
        "check",
        format!("{path} is an ID, not a file: give IDs on standard input: echo {id} | sortid check {spec}"),
    )
}
