mod all;
mod given_times;
mod reserved;

use crate::{
    clock::Clock,
    examples::examples,
    failure::Failure,
    format::Format,
    spec::{Describe, DescribeOptions, euid, evently_id, ron_uid, scru160, ulid_flake},
    stderr,
    time::{Time, parse_at},
    verdict::Verdict,
};
use clap::Subcommand;
use sortid::__private::BackfillRules as _;
use sortid::{
    BackfillError, GenerateError, GenerateErrorKind, ThreadEntropy, euid::Euid, evently_id::EventId,
    ron_uid::RonUid,
};
use std::{
    fmt::Display,
    io::{self, BufWriter, Write},
    str::FromStr,
    time::Duration,
};

/// Makes IDs, one per line.
#[derive(clap::Args)]
#[command(after_long_help = examples(&[
    ("Make one ID of each specification and explain it", "sortid new --all"),
    ("Make three IDs, each greater than the one before", "sortid new scru160 -n 3"),
    ("Make an ID for a column of integers", "sortid new ulid-flake --format int"),
    ("Begin a fleet, once", "sortid nodes init --nodes dir:ids"),
    ("Make an ID with a number that no other process has", "sortid new ulid-flake --nodes dir:ids"),
    ("Make an ID for a given time and show its fields", "sortid new euid --at 2024-06-06T06:06:06Z --json"),
    ("Make an ID for each of a thousand times", "seq 1717653966000 1717653966999 | sortid new scru160 --at - | tail -1"),
    ("Make 5000 UIDs of a millisecond that holds 4096", "seq 5000 | sed 's/.*/1717653966666/' \\ | sortid new ron-uid --origin X --at - --borrow 0.001 | tail -1"),
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
    #[arg(long, conflicts_with_all = ["count", "format", "at", "borrow", "ascending", "after"])]
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

    /// The time of the IDs instead of now: 2024-06-06T06:06:06Z, 2024-06-06, -1h, or Unix milliseconds; - for times of
    /// standard input
    ///
    /// A date is its midnight in UTC. More forms: today, yesterday, tomorrow; +30m and "2 days ago"; @1717653966 for Unix
    /// seconds. Lines of standard input have only times that do not depend on the clock.
    ///
    /// IDs that would be later than TIME are refused, and the error says how many it has. Event IDs, one per microsecond, may
    /// be up to 999 µs later.
    ///
    /// With -, each line of standard input is a time, and gets an ID that has it. The times may be in any order, except for
    /// evently-id. IDs of one time are in the order of its lines. The first line that is not a time, or whose time has no
    /// ID, ends the command with exit code 1. A line has nothing but a time, so an empty line is not one.
    #[arg(long, aliases = ["time", "timestamp", "date"], value_name = "TIME", global = true, allow_hyphen_values = true)]
    at: Option<At>,

    /// With --at -: how much later than its time an ID may be, if too many lines have this time [default: 0]
    ///
    /// For evently-id and --micros-counter, the default is 0.000999: their timestamps have microseconds, so the IDs of a
    /// time in milliseconds keep it.
    #[arg(long, value_name = "SECONDS", global = true, allow_hyphen_values = true, value_parser = given_times::parse_seconds)]
    borrow: Option<Duration>,

    /// With --at -: refuse times that are not in order, and so need no memory; evently-id always does
    #[arg(long, global = true, hide_short_help = true)]
    ascending: bool,

    /// With --at - --ascending: continue after this ID, the last one of an earlier run
    ///
    /// The ID has the form of --format, or that of its text. The other options have to be those of the earlier run.
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

#[derive(Subcommand)]
enum NewSpec {
    #[command(name = "scru160")]
    Scru160(scru160::Args),
    #[command(name = "euid")]
    Euid(euid::Args),
    #[command(name = "evently-id")]
    EventlyId(evently_id::Args),
    #[command(name = "ron-uid")]
    RonUid(ron_uid::Args),
    #[command(name = "ulid-flake")]
    UlidFlake(ulid_flake::Args),
}

impl NewSpec {
    /// The subcommand, as [`Failure::Usage`] names it.
    const fn command(&self) -> &'static str {
        match self {
            Self::Scru160(_) => "new scru160",
            Self::Euid(_) => "new euid",
            Self::EventlyId(_) => "new evently-id",
            Self::RonUid(_) => "new ron-uid",
            Self::UlidFlake(_) => "new ulid-flake",
        }
    }
}

/// A backfill with the options of the command line, which prints an ID for each line. The specifications' types have no
/// trait in common.
macro_rules! print_given_times {
    ($request:expr, $verdict:expr, $backfill:ty, $id_options:expr, $describe_options:expr $(, $complete:expr)?) => {{
        let mut ids = <$backfill>::with_options($id_options);
        if let Some(borrow) = $request.borrow {
            ids = ids.borrow(borrow);
        }
        if $request.ascending {
            ids = ids.ascending();
        }
        if let Some(id) = $request.after()? {
            ids.resume_after(id).map_err(|error| $request.usage(format_args!("--after: {error}")))?;
        }
        $request.print($describe_options, $verdict, |time| {
            let id = ids.generate(time);
            $(let id = id.map($complete);)?
            id
        })
    }};
}

pub(crate) fn run(args: &Args, verdict: &mut Verdict) -> Result<(), Failure> {
    // clap does not see that an option before the subcommand conflicts with one after it.
    if args.json && args.format.is_some() {
        return Err(Failure::usage("new", "--json means --format json: give only one of them"));
    }
    let format = Format::of_options(args.format, args.json);
    let url = args.fleet.place.url();
    let command = args.spec.as_ref().map_or("new", NewSpec::command);
    if url.is_none() {
        args.fleet.check_unused().map_err(|message| Failure::usage(command, message))?;
    }
    let without_nodes = |option: &str, what: &str| match &url {
        None => Ok(()),
        Some(url) => Err(Failure::usage(
            command,
            format_args!(
                "{option} makes {what}, and {} reserves the present: leave one of them out",
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
            "expected a specification (scru160, euid, evently-id, ron-uid, ulid-flake) or --all",
        ));
    };
    if args.at.is_some() {
        without_nodes("--at", "IDs of a given time")?;
    }
    if matches!(args.at, Some(At::Lines)) {
        let is_chain = matches!(spec, NewSpec::EventlyId(_));
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
        let Args { borrow, after, .. } = args;
        let request = GivenTimes { command, format, borrow: *borrow, ascending, is_chain, after };
        return run_given_times(spec, &request, verdict);
    }
    let for_lines =
        [("borrow", args.borrow.is_some()), ("ascending", args.ascending), ("after", args.after.is_some())];
    if let Some((option, _)) = for_lines.iter().find(|(_, is_given)| *is_given) {
        return Err(Failure::usage(
            command,
            format_args!("--{option} is for the times of standard input: add --at -"),
        ));
    }
    let at = args.at.and_then(|at| if let At::Time(time) = at { Some(time) } else { None });
    let request = Request { command, count: args.count.unwrap_or(1), format, at };
    if let Some(url) = &url {
        return args.fleet.print(spec, url, &request);
    }
    let clock = request.clock();
    match spec {
        NewSpec::Scru160(args) => {
            let options = args.options().map_err(|error| request.usage(error))?;
            let borrow = options.backfill_borrow();
            let ids = sortid::scru160::Generator::from_parts(options, clock, ThreadEntropy);
            request.print(DescribeOptions::default(), borrow, || ids.rollbacks(), |batch| ids.fill(batch))
        }
        NewSpec::Euid(args) => {
            let options = args.options().map_err(|error| request.usage(error))?;
            let borrow = options.backfill_borrow();
            let ids = sortid::euid::Generator::from_parts(options, clock, ThreadEntropy);
            request.print(args.describe_options(), borrow, || ids.rollbacks(), |batch| ids.fill(batch))
        }
        NewSpec::EventlyId(args) => {
            let ledger_id = args.ledger_id()?;
            let options = sortid::evently_id::Options::new(ledger_id);
            let borrow = options.backfill_borrow();
            let places = sortid::evently_id::Generator::from_parts(options, clock, ThreadEntropy);
            let mut chain = evently_id::Chain::new(ledger_id);
            request.print(
                DescribeOptions::default(),
                borrow,
                || 0,
                |batch| {
                    places.fill(batch)?;
                    batch.iter_mut().for_each(|id| *id = chain.id_at(*id));
                    Ok(())
                },
            )
        }
        NewSpec::RonUid(args) if args.logical => {
            let origin = args.origin().map_err(|error| request.usage(error))?;
            if request.at.is_some() {
                return Err(request.usage(NO_TIME));
            }
            let clock = args.logical_clock(origin).map_err(|error| request.usage(error))?;
            request.print(args.describe_options(), Duration::ZERO, || 0, |batch| clock.fill(batch))
        }
        NewSpec::RonUid(args) => {
            let origin = args.origin().map_err(|error| request.usage(error))?;
            let options = args.options(origin).map_err(|error| request.usage(error))?;
            let borrow = options.backfill_borrow();
            let ids = sortid::ron_uid::Generator::from_parts(options, clock, ThreadEntropy);
            request.print(args.describe_options(), borrow, || ids.rollbacks(), |batch| ids.fill(batch))
        }
        NewSpec::UlidFlake(args) if args.scalable => {
            let options = args.scalable_options().map_err(|error| request.usage(error))?;
            let borrow = options.backfill_borrow();
            let ids = sortid::ulid_flake::scalable::Generator::from_parts(options, clock, ThreadEntropy);
            request.print(args.describe_options(), borrow, || ids.rollbacks(), |batch| ids.fill(batch))
        }
        NewSpec::UlidFlake(args) => {
            let options = args.options().map_err(|error| request.usage(error))?;
            let borrow = options.backfill_borrow();
            let ids = sortid::ulid_flake::Generator::from_parts(options, clock, ThreadEntropy);
            request.print(args.describe_options(), borrow, || ids.rollbacks(), |batch| ids.fill(batch))
        }
    }
}

const NO_TIME: &str = "--logical counts and uses no time: leave --at out";

/// Prints an ID for each time of standard input.
fn run_given_times(spec: &NewSpec, request: &GivenTimes<'_>, verdict: &mut Verdict) -> Result<(), Failure> {
    match spec {
        NewSpec::Scru160(args) => {
            let options = args.options().map_err(|error| request.usage(error))?;
            print_given_times!(
                request,
                verdict,
                sortid::scru160::Backfill,
                options,
                DescribeOptions::default()
            )
        }
        NewSpec::Euid(args) => {
            let options = args.options().map_err(|error| request.usage(error))?;
            if let Some(last) = request.after::<Euid>()?
                && last.extension() != args.extension().map_err(|error| request.usage(error))?
            {
                return Err(request.usage(match last.extension() {
                    None => "--after is an ID without an extension: leave --extension out".to_owned(),
                    Some(it) => {
                        let asked = format!("{}:{}", it.value(), last.extension_bits());
                        format!("--after is an ID with the extension {asked}: give --extension {asked}")
                    }
                }));
            }
            print_given_times!(request, verdict, sortid::euid::Backfill, options, args.describe_options())
        }
        NewSpec::EventlyId(args) => {
            let mut chain = evently_id::Chain::new(args.ledger_id()?);
            if let Some(last) = request.after::<EventId>()? {
                if args.ledger_id.is_some_and(|ledger_id| ledger_id != last.ledger_id()) {
                    return Err(request.usage("--after is an ID of another ledger than --ledger-id"));
                }
                chain = evently_id::Chain::after(last);
            }
            let options = sortid::evently_id::Options::new(chain.ledger_id());
            print_given_times!(
                request,
                verdict,
                sortid::evently_id::Backfill,
                options,
                DescribeOptions::default(),
                |place| chain.id_at(place)
            )
        }
        NewSpec::RonUid(args) if args.logical => Err(request.usage(NO_TIME)),
        NewSpec::RonUid(args) if args.min_len.is_some() => {
            Err(request.usage("UIDs of given times keep their milliseconds: leave --min-len out"))
        }
        NewSpec::RonUid(args) => {
            let origin = args.origin().map_err(|error| request.usage(error))?;
            if let Some(last) = request.after::<RonUid>()?
                && last.origin() != origin
            {
                let origin = last.origin();
                return Err(request
                    .usage(format_args!("--after is a UID of the origin {origin}: give --origin {origin}")));
            }
            let options = sortid::ron_uid::Options::new(origin);
            print_given_times!(request, verdict, sortid::ron_uid::Backfill, options, args.describe_options())
        }
        NewSpec::UlidFlake(args) if args.entropy_bytes.is_some() => {
            Err(request.usage("IDs of given times have steps of their own: leave --entropy-bytes out"))
        }
        NewSpec::UlidFlake(args) if args.scalable => {
            let options = args.scalable_options().map_err(|error| request.usage(error))?;
            let describe = args.describe_options();
            print_given_times!(request, verdict, sortid::ulid_flake::scalable::Backfill, options, describe)
        }
        NewSpec::UlidFlake(args) => {
            let options = args.options().map_err(|error| request.usage(error))?;
            print_given_times!(
                request,
                verdict,
                sortid::ulid_flake::Backfill,
                options,
                args.describe_options()
            )
        }
    }
}

/// What the command line asks for with `--at -`, whichever the specification.
struct GivenTimes<'a> {
    command: &'static str,
    format: Format,
    borrow: Option<Duration>,
    ascending: bool,
    /// Whether each ID is made from the one before, so that the times have to ascend.
    is_chain: bool,
    after: &'a Option<String>,
}

impl GivenTimes<'_> {
    fn usage(&self, message: impl Display) -> Failure {
        Failure::usage(self.command, message)
    }

    /// The ID to continue after, in the form in which IDs are printed, or as text.
    fn after<I: Describe>(&self) -> Result<Option<I>, Failure> {
        let Some(text) = self.after else { return Ok(None) };
        if let Format::Form(form) = self.format
            && form.suits(I::NAME, I::BYTES).is_ok()
            && let Some(read) = form.reader()
        {
            let mut room = [0; 20];
            let bytes = &mut room[..I::BYTES];
            if read(text.as_bytes(), bytes).is_ok()
                && let Ok(id) = I::try_from(bytes)
            {
                return Ok(Some(id));
            }
        }
        I::parse_ascii(text.as_bytes()).map(Some).map_err(|error| match self.format {
            Format::Form(form) if form.reader().is_some() => self.usage(format_args!(
                "--after is neither an ID in the form {} nor its text: {error}",
                form.name()
            )),
            _ => self.usage(format_args!("--after: {error}")),
        })
    }

    fn print<I: Describe>(
        &self,
        options: DescribeOptions,
        verdict: &mut Verdict,
        generate: impl FnMut(Time) -> Result<I, BackfillError>,
    ) -> Result<(), Failure> {
        self.format.suits(I::NAME, I::BYTES).map_err(|error| self.usage(error))?;
        given_times::print(self.format, options, self.is_chain, verdict, generate)
    }
}

/// What the command line asks for, whichever the specification.
struct Request {
    command: &'static str,
    count: u64,
    format: Format,
    at: Option<Time>,
}

impl Request {
    fn clock(&self) -> Clock {
        self.at.map_or(Clock::System, Clock::Fixed)
    }

    fn usage(&self, message: impl Display) -> Failure {
        Failure::usage(self.command, message)
    }

    /// Whether the IDs can be printed so.
    fn suits<I: Describe>(&self) -> Result<(), Failure> {
        self.format.suits(I::NAME, I::BYTES).map_err(|error| self.usage(error))
    }

    /// Prints the IDs. `fill` makes them, and `rollbacks` counts how often the generator has started over at an earlier
    /// time because the clock was set back. The IDs of a given time may be later by `borrow`, as with `--at -`.
    fn print<I: Describe>(
        &self,
        options: DescribeOptions,
        borrow: Duration,
        rollbacks: impl Fn() -> u16,
        mut fill: impl FnMut(&mut [I]) -> Result<(), GenerateError>,
    ) -> Result<(), Failure> {
        const BATCH: usize = 1024;

        self.suits::<I>()?;
        if let Some(at) = self.at {
            return self.print_at(at, options, borrow, fill);
        }
        let mut out = io::stdout().lock();
        let mut ids = [I::MIN; BATCH];
        let mut buffer = Vec::new();
        let mut left = self.count;
        let mut rollbacks_reported = 0;
        while left > 0 {
            let batch = &mut ids[..usize::try_from(left).unwrap_or(BATCH).min(BATCH)];
            fill(batch)?;
            buffer.clear();
            for id in &*batch {
                self.push(id, &options, &mut buffer);
            }
            out.write_all(&buffer)?;
            left -= batch.len() as u64;
            if rollbacks() != rollbacks_reported {
                rollbacks_reported = rollbacks();
                let made = self.count - left;
                stderr::print_line(format_args!(
                    "warning: the clock was set back: the first {made} IDs are not all in order"
                ));
            }
        }
        Ok(out.flush()?)
    }

    /// Prints IDs of a given time. They come one by one, because a generator may move on to later times.
    fn print_at<I: Describe>(
        &self,
        at: Time,
        options: DescribeOptions,
        borrow: Duration,
        mut fill: impl FnMut(&mut [I]) -> Result<(), GenerateError>,
    ) -> Result<(), Failure> {
        let last = at.unix_micros() + i128::try_from(borrow.as_micros()).unwrap_or(i128::MAX);
        let mut out = BufWriter::new(io::stdout().lock());
        let mut line = Vec::new();
        for made in 0..self.count {
            let mut id = [I::MIN];
            match fill(&mut id) {
                Ok(()) => {}
                Err(error) if matches!(error.kind(), GenerateErrorKind::Exhausted { .. }) => {
                    out.flush()?;
                    return Err(Failure::UsedUp { at, made });
                }
                Err(error) => return Err(error.into()),
            }
            let [id] = &id;
            if id.unix_micros().is_some_and(|micros| i128::from(micros) > last) {
                out.flush()?;
                return Err(Failure::UsedUp { at, made });
            }
            line.clear();
            self.push(id, &options, &mut line);
            out.write_all(&line)?;
        }
        Ok(out.flush()?)
    }

    fn push<I: Describe>(&self, id: &I, options: &DescribeOptions, out: &mut Vec<u8>) {
        self.format.push(id.as_ref(), |out| id.push_text(options, out), || id.describe(options), out);
    }
}
