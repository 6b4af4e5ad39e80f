mod sql;

use crate::{
    examples::examples,
    failure::Failure,
    format::Format,
    json,
    spec::{self, DescribeOptions, ulid_flake::parse_epoch},
    time::{Time, parse_until},
};
use sortid::{
    AnyId, Spec,
    ulid_flake::{Epoch, UlidFlake},
};
use sql::Dialect;
use std::{
    io::{self, Write},
    ops::RangeInclusive,
};

/// Prints the least and the greatest ID of a time span, for queries by time.
///
/// The two IDs are for WHERE id BETWEEN … AND …. Write times as 2024-06-06T06:06:06Z, as a date, or as Unix
/// milliseconds. Both ends belong to the span.
#[derive(clap::Args)]
#[command(after_long_help = examples(&[
    ("Print the bounds of a month", "sortid range euid --since 2024-06-01 --until 2024-06-30"),
    ("Print a query for a month", "sortid range ulid-flake --since 2024-06-01 --until 2024-06-30 \\ --sql id orders"),
    ("Print a query for everything since a time, for SQLite", "sortid range scru160 --since 2024-06-06T06:06:06Z \\ --sql id orders --dialect sqlite"),
]))]
pub(crate) struct Args {
    /// The specification
    #[arg(value_parser = spec::by_name())]
    spec: Spec,

    /// The first time; a date means its first moment in UTC [default: no limit]
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    since: Option<Time>,

    /// The last time; a date means its last moment in UTC [default: no limit]
    #[arg(long, value_name = "TIME", allow_hyphen_values = true, value_parser = parse_until)]
    until: Option<Time>,

    /// The time that the timestamps of Ulid-Flakes count from [default: 2024-01-01]
    #[arg(long, value_name = "TIME", value_parser = parse_epoch)]
    epoch: Option<Epoch>,

    /// How to print the IDs [default: text]
    #[arg(long, value_enum, conflicts_with = "sql", ignore_case = true)]
    format: Option<Format>,

    /// The same as --format json
    #[arg(long, conflicts_with_all = ["format", "sql"])]
    json: bool,

    /// Print a query for the rows of TABLE whose COLUMN is in the span
    ///
    /// The query quotes names, so write them exactly as they were created. A dot separates names, as in schema.table. The
    /// column must have the natural type of the specification: bigint for Ulid-Flake, uuid for EUID and Event ID, bytea
    /// for SCRU160 and RON UID, or what stands for these types in another dialect. The query for RON UIDs has a second
    /// condition, which leaves out names and hashes: they have no time.
    #[arg(long, num_args = 2, value_names = ["COLUMN", "TABLE"], allow_hyphen_values = true)]
    sql: Option<Vec<String>>,

    /// The database whose literals and quotes the query uses
    #[arg(long, value_enum, requires = "sql", default_value = "postgresql")]
    dialect: Dialect,
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let usage = |message: String| Failure::usage("range", message);
    let spec = args.spec;
    if args.since.is_none() && args.until.is_none() {
        return Err(usage("expected --since, --until or both".to_owned()));
    }
    if args.epoch.is_some() && spec != Spec::UlidFlake {
        return Err(usage("--epoch is for ulid-flake".to_owned()));
    }
    let format = Format::of_options(args.format, args.json);
    format.suits(spec.name(), spec.bytes()).map_err(usage)?;
    if let (Some(since), Some(until)) = (args.since, args.until)
        && since.unix_micros() > until.unix_micros()
    {
        return Err(usage(format!("--since {since} is after --until {until}")));
    }
    let least = args.since.map(|time| bound(args, time, End::Least)).transpose().map_err(usage)?;
    let greatest = args.until.map(|time| bound(args, time, End::Greatest)).transpose().map_err(usage)?;
    let mut out = io::stdout().lock();
    if let Some([column, table]) = args.sql.as_deref() {
        let query = sql::select(args.dialect, spec, [column, table], [least, greatest]).map_err(usage)?;
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
            json::push_object(&spec::describe(id, options), &mut buffer);
        }
        json::push(&mut buffer, ["}\n"]);
    } else {
        for id in [least, greatest] {
            let push_text = |out: &mut Vec<u8>| out.extend_from_slice(id.encode().as_bytes());
            format.push(id.as_bytes(), push_text, || spec::describe(id, options), &mut buffer);
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
        format!("no {} has the time {time}: timestamps range from {first} to {last}", args.spec)
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
