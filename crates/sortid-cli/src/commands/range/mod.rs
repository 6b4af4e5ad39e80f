mod sql;

use crate::{
    database,
    examples::examples,
    failure::Failure,
    format::Format,
    json,
    spec::{self, DescribeOptions, parse_epoch},
    stderr,
    time::{Time, parse_since, parse_until},
};
use sortid::{
    AnyId, Spec,
    ulid_flake::{Epoch, UlidFlake},
};
use sortid_inspect::describe;
use sortid_sql::Database;
use std::{
    fmt,
    io::{self, Write},
    ops::RangeInclusive,
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
    let spec = args.spec;
    if args.since.is_none() && args.until.is_none() {
        return Err(usage("expected --since TIME, --until TIME or both, found neither".to_owned()));
    }
    if args.epoch.is_some() && spec != Spec::UlidFlake {
        return Err(usage("--epoch is for ulid-flake".to_owned()));
    }
    let format = Format::of_options(args.format, args.json);
    format.suits(spec.name(), spec.bytes()).map_err(usage)?;
    if let (Some(since), Some(until)) = (args.since, args.until)
        && since.unix_micros() > until.unix_micros()
    {
        return Err(usage(format!("--since {since} is after --until {until}: swap the two times")));
    }
    let least = args.since.map(|time| bound(args, time, End::Least)).transpose().map_err(usage)?;
    let greatest = args.until.map(|time| bound(args, time, End::Greatest)).transpose().map_err(usage)?;
    if let (Some(since), None) = (args.since, args.until)
        && since.is_future()
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
    let [least, greatest] = [least.unwrap_or(AnyId::min(spec)), greatest.unwrap_or(AnyId::max(spec))];
    let mut buffer = Vec::new();
    let options = DescribeOptions { epoch: args.epoch.unwrap_or_default(), ..DescribeOptions::default() };
    if format == Format::Json {
        json::push(&mut buffer, [r#"{"spec":""#, spec.name(), "\""]);
        for (name, id) in [(r#","least":"#, least), (r#","greatest":"#, greatest)] {
            json::push(&mut buffer, [name]);
            json::push_object(&describe(id, &options), &mut buffer);
        }
        json::push(&mut buffer, ["}\n"]);
    } else {
        for id in [least, greatest] {
            let push_text = |out: &mut Vec<u8>| out.extend_from_slice(id.encode().as_bytes());
            format.push(id.as_bytes(), push_text, || describe(id, &options), &mut buffer);
        }
    }
    out.write_all(&buffer)?;
    Ok(out.flush()?)
}

#[derive(Clone, Copy)]
enum End {
    Least,
    Greatest,
}

fn bound(args: &Args, time: Time, end: End) -> Result<AnyId, String> {
    let at = time.since_1970();
    let id = match (args.epoch, end) {
        (Some(epoch), End::Least) => UlidFlake::min_at_with(epoch, at).map(AnyId::from),
        (Some(epoch), End::Greatest) => UlidFlake::max_at_with(epoch, at).map(AnyId::from),
        (None, End::Least) => AnyId::min_at(args.spec, at),
        (None, End::Greatest) => AnyId::max_at(args.spec, at),
    };
    id.map_err(|_| {
        let times = times(args);
        let [first, last] = [*times.start(), *times.end()].map(Time::from_unix_micros);
        let is_early = at < first.since_1970();
        let advice = match end {
            End::Least if is_early => "; leave --since out to begin with the first ID",
            End::Greatest if !is_early => "; leave --until out to end with the last ID",
            _ if args.spec == Spec::UlidFlake => "; if yours count from another time, give it with --epoch",
            _ => "",
        };
        format!("no {} has the time {time}: timestamps range from {first} to {last}{advice}", args.spec)
    })
}

fn times(args: &Args) -> RangeInclusive<u64> {
    match args.epoch {
        None => args.spec.times(),
        Some(epoch) => {
            let first = epoch.unix_millis();
            1000 * first..=1000 * (first + UlidFlake::MAX_TIMESTAMP) + 999
        }
    }
}

fn print_warning(warning: fmt::Arguments<'_>) {
    stderr::print_line(format_args!("warning: {warning}"));
}
