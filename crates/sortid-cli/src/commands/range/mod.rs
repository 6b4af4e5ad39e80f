mod sql;

use crate::{
    database,
    examples::examples,
    failure::Failure,
    spec::{self, DescribeOptions, parse_epoch},
    stderr,
    time::{Time, now, parse_since, parse_until},
};
use sortid::{AnyId, Spec, ulid_flake::Epoch};
use sortid_inspect::__private::program::{Format, Span};
use sortid_sql::Database;
use std::{
    fmt,
    io::{self, Write},
};

/// Prints the least and the greatest ID of a time span, for queries by time.
///
/// The two IDs are for WHERE id BETWEEN … AND …. Both ends belong to the span. A TIME is one of these:
///
/// 2024-06-06T06:06:06Z, with Z for UTC or an offset such as +02:00, also with a space instead of the T
///
/// 2024-06-06 or 2024-06: a date or a month in UTC; given twice, it is the whole day or month
///
/// now, today, yesterday, tomorrow
///
/// -1h, +30m, "2 days ago": before or after now, in y, mo, w, d, h, m, s
///
/// 1717653966666 or @1717653966: Unix milliseconds, or Unix seconds
#[derive(clap::Args)]
#[command(after_long_help = examples(&[
    ("Print the bounds of a month", "sortid range euid --since 2024-06 --until 2024-06"),
    ("Print the bounds of the last hour", "sortid range scru160 --since -1h --until now"),
    ("Print a query for a month", "sortid range ulid-flake --since 2024-06 --until 2024-06 --sql orders.id"),
    ("Print a query for everything since a time, for SQLite", "sortid range scru160 --since 2024-06-06T06:06:06Z \\ --sql orders.id --dialect sqlite"),
]))]
pub(crate) struct Args {
    /// The specification
    #[arg(value_parser = spec::by_name())]
    spec: Spec,

    /// The first time; a date or a month means its first moment in UTC [default: no limit]
    #[arg(long, aliases = ["from", "start", "begin"], value_name = "TIME", allow_hyphen_values = true, value_parser = parse_since)]
    since: Option<Time>,

    /// The last time; a date or a month means its last moment in UTC [default: no limit]
    #[arg(long, aliases = ["to", "end"], value_name = "TIME", allow_hyphen_values = true, value_parser = parse_until)]
    until: Option<Time>,

    /// The time that the timestamps of Ulid-Flakes count from [default: 2024-01-01]
    #[arg(long, value_name = "TIME", value_parser = parse_epoch)]
    epoch: Option<Epoch>,

    /// How to print the IDs [default: text]
    #[arg(long, alias = "form", value_enum, conflicts_with = "sql", ignore_case = true)]
    format: Option<Format>,

    /// The same as --format json
    #[arg(long, conflicts_with_all = ["format", "sql"])]
    json: bool,

    /// Print a query for the rows of TABLE whose COLUMN is in the span
    ///
    /// The query quotes names, so write them exactly as they were created, without quotes. A dot separates names, as in
    /// schema.table.column, and is never a part of a name. --sql COLUMN TABLE means the same as --sql TABLE.COLUMN.
    ///
    /// The column must have the natural type of the specification: bigint for Ulid-Flake, uuid for EUID and Event ID, bytea
    /// for SCRU160 and RON UID, or what stands for these types in another dialect. The query for RON UIDs has a second
    /// condition, which leaves out names and hashes: they have no time.
    #[arg(long, num_args = 1..=2, value_name = "TABLE.COLUMN")]
    sql: Option<Vec<String>>,

    /// The database whose literals and quotes the query uses
    #[arg(long, value_parser = database::by_name(Database::__literals), requires = "sql", default_value = "postgres")]
    dialect: Database,
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let usage = |message: String| Failure::usage("range", message);
    let Args { spec, since, until, epoch, .. } = *args;
    let span = Span { spec, since, until, epoch, dashes: "--" };
    span.check().map_err(usage)?;
    let format = Format::of_options(args.format, args.json);
    format.suits(spec.name(), spec.bytes()).map_err(usage)?;
    let [least, greatest] = span.bounds().map_err(usage)?;
    if let (Some(since), None) = (since, until)
        && since.is_after(now())
    {
        print_warning(format_args!("--since {since} is in the future"));
    }
    let mut out = io::stdout().lock();
    if let Some(names) = args.sql.as_deref() {
        let names = sql::column_and_table(names, print_warning).map_err(usage)?;
        let query = sql::select(args.dialect, spec, names, [least, greatest]).map_err(usage)?;
        writeln!(out, "{query}")?;
        return Ok(out.flush()?);
    }
    let bounds = [least.unwrap_or(AnyId::min(spec)), greatest.unwrap_or(AnyId::max(spec))];
    let mut buffer = Vec::new();
    let options = DescribeOptions { epoch: epoch.unwrap_or_default(), ..DescribeOptions::default() };
    format.push_range(bounds, &options, &mut buffer);
    out.write_all(&buffer)?;
    Ok(out.flush()?)
}

fn print_warning(warning: fmt::Arguments<'_>) {
    stderr::print_line(format_args!("warning: {warning}"));
}
