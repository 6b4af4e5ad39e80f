mod all;
mod given_times;
mod present;
mod request;
mod reserved;
mod specs;

use crate::{
    examples::examples,
    failure::Failure,
    time::{Time, parse_at},
    verdict::Verdict,
};
use given_times::GivenTimes;
use present::Present;
use request::Request;
use reserved::Reserving;
use sortid_inspect::{__private::program::Format, Form, Prefix};
use specs::NewSpec;
use std::{str::FromStr, time::Duration};

/// Makes IDs, one per line.
#[derive(clap::Args)]
#[command(after_long_help = examples(&[
    ("Make one ID of each specification and explain it", "sortid new --all"),
    ("Make three IDs, each greater than the one before", "sortid new scru160 -n 3"),
    ("Make a typed ID, as an API shows it", "sortid new euid --prefix order"),
    ("Make an ID for a column of integers", "sortid new ulid-flake --format int"),
    ("Create a fleet, once", "sortid nodes init --nodes dir:ids"),
    ("Make an ID with a node ID that no other process has", "sortid new ulid-flake --nodes dir:ids"),
    ("Make an ID for a given time and show its fields", "sortid new euid --at 2024-06-06T06:06:06Z --json"),
    ("Make an ID for each of a thousand times", "seq 1717653966000 1717653966999 | sortid new scru160 --at - | tail -1"),
    ("Make 5000 UIDs of a millisecond that holds 4096", "seq 5000 | sed 's/.*/1717653966666/' \\ | sortid new ron-uid --origin X --at - --spill 0.001 | tail -1"),
]))]
#[command(
    subcommand_required = false,
    args_conflicts_with_subcommands = false,
    subcommand_value_name = "SPEC",
    subcommand_help_heading = "Specifications"
)]
pub(crate) struct Args {
    #[command(subcommand)]
    spec: Option<NewSpec>,

    /// Make one ID of each specification and explain its fields
    #[arg(long, conflicts_with_all = ["count", "format", "prefix", "at", "spill", "ascending", "after"])]
    all: bool,

    /// How many IDs to make [default: 1]
    #[arg(short = 'n', long, aliases = ["n", "num", "amount"], value_name = "N", global = true, allow_negative_numbers = true, value_parser = parse_count)]
    count: Option<u64>,

    /// How to print the IDs: one per line, except for bytes [default: text]
    #[arg(long, aliases = ["to", "form", "output-format"], value_enum, global = true, ignore_case = true)]
    format: Option<Format>,

    /// The same as --format json
    #[arg(long, global = true)]
    json: bool,

    /// Print typed IDs, whose texts begin with this prefix, such as order, and an underscore
    #[arg(long, value_name = "PREFIX", global = true)]
    prefix: Option<Prefix>,

    /// The time of the IDs instead of now: 2024-06-06T06:06:06Z, 2024-06-06, -1h, or Unix milliseconds; - for times of
    /// standard input
    ///
    /// A date is its midnight in UTC. More forms: today, yesterday, tomorrow; +30m and "2 days ago"; @1717653966 for Unix
    /// seconds. Lines of standard input have only times that do not depend on the clock.
    ///
    /// IDs that would be later than TIME are refused, and the error says how many IDs fit TIME. Event IDs, one per
    /// microsecond, may be up to 999 µs later.
    ///
    /// With -, each line of standard input is a time, and the command prints an ID of this time. The times may be in any
    /// order, except for evently-id. IDs of one time are in the order of its lines. The first line that is not a time, or
    /// whose time has no ID, ends the command with exit code 1. An empty line is not a time.
    #[arg(long, aliases = ["time", "timestamp", "date"], value_name = "TIME", global = true, allow_hyphen_values = true)]
    at: Option<At>,

    /// With --at -: how much later than its time an ID may be, if too many lines have this time [default: 0]
    ///
    /// For evently-id and --micros-counter, the default is 0.000999: their timestamps have microseconds, so the IDs of a
    /// time in milliseconds keep it.
    #[arg(long, alias = "borrow", value_name = "SECONDS", global = true, hide_short_help = true, allow_hyphen_values = true, value_parser = given_times::parse_seconds)]
    spill: Option<Duration>,

    /// With --at -: refuse times that are not in ascending order, which needs no memory; evently-id always refuses them
    #[arg(long, global = true, hide_short_help = true)]
    ascending: bool,

    /// With --at - --ascending: continue after this ID, the last one of an earlier run
    ///
    /// The ID has the form of --format, or is a text. The other options must be the same as in the earlier run.
    /// evently-id needs no --ascending.
    #[arg(long, value_name = "ID", global = true, hide_short_help = true)]
    after: Option<String>,

    #[command(flatten)]
    fleet: reserved::Options,
}

/// The argument of `--at`.
#[derive(Clone, Copy)]
enum At {
    Time(Time),
    /// A time for each ID, from standard input.
    Lines,
}

impl FromStr for At {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "-" { Ok(Self::Lines) } else { parse_at(text).map(Self::Time) }
    }
}

/// Reads a number of IDs.
fn parse_count(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("expected a number from 0 to {}, in digits", u64::MAX))
}

pub(crate) fn run(args: &Args, verdict: &mut Verdict) -> Result<(), Failure> {
    // clap does not see that an option before the subcommand conflicts with one after it.
    if args.json && args.format.is_some() {
        return Err(Failure::usage("new", "--json means --format json: give only one of them"));
    }
    let format = Format::of_options(args.format, args.json);
    let url = args.fleet.place.url();
    let command = args.spec.as_ref().map_or_else(|| "new".to_owned(), NewSpec::command);
    if url.is_none() {
        args.fleet.check_unused().map_err(|message| Failure::usage(&command, message))?;
    }
    let without_nodes = |option: &str, what: &str| match &url {
        None => Ok(()),
        Some(url) => Err(Failure::usage(
            &command,
            format_args!(
                "{option} makes {what}, and {} reserves node IDs for the present: leave one of them out",
                url.name()
            ),
        )),
    };
    if args.all {
        without_nodes("--all", "IDs to look at")?;
        if args.spec.is_some() {
            return Err(Failure::usage("new", "--all makes one ID of each specification: do not name one"));
        }
        return all::print(format);
    }
    let Some(spec) = &args.spec else {
        return Err(Failure::usage(
            "new",
            format_args!("expected a specification ({}) or --all", specs::names()),
        ));
    };
    if args.at.is_some() {
        without_nodes("--at", "IDs of a given time")?;
    }
    if args.prefix.is_some() && !matches!(format, Format::Form(Form::Text) | Format::Json) {
        return Err(Failure::usage(command, "--prefix is for texts: leave it out, or add --format text"));
    }
    if matches!(args.at, Some(At::Lines)) {
        let is_chain = spec.is_chain();
        let ascending = args.ascending || is_chain;
        if args.count.is_some() {
            return Err(Failure::usage(command, "--at - makes an ID for each line: leave -n out"));
        }
        if args.after.is_some() && !ascending {
            return Err(Failure::usage(
                command,
                "--after continues a run whose times ascended: add --ascending",
            ));
        }
        let Args { prefix, spill, after, .. } = args;
        let request = GivenTimes {
            command,
            format,
            prefix: *prefix,
            spill: *spill,
            ascending,
            is_chain,
            after,
            verdict,
        };
        return spec.print(Request::GivenTimes(request));
    }
    let for_lines =
        [("spill", args.spill.is_some()), ("ascending", args.ascending), ("after", args.after.is_some())];
    if let Some((option, _)) = for_lines.iter().find(|(_, is_given)| *is_given) {
        return Err(Failure::usage(
            command,
            format_args!("--{option} is for the times of standard input: add --at -"),
        ));
    }
    let at = args.at.and_then(|at| if let At::Time(time) = at { Some(time) } else { None });
    let request = Present { command, count: args.count.unwrap_or(1), format, prefix: args.prefix, at };
    spec.print(match &url {
        Some(url) => Request::Fleet(Reserving { options: &args.fleet, url, request }),
        None => Request::Present(request),
    })
}
