use crate::{
    clock::Clock,
    examples::examples,
    failure::Failure,
    format::Format,
    json,
    picture::Painter,
    spec::{self, DescribeOptions, Id, euid, evently_id, ron_uid, scru160, ulid_flake},
    stderr,
    time::Time,
};
use clap::Subcommand;
use sortid::{
    Entropy as _, GenerateError, GenerateErrorKind, ThreadEntropy, evently_id::EventId, ron_uid::Base64x64,
};
use std::{
    fmt::Display,
    io::{self, Write},
};

/// Makes IDs, one per line.
#[derive(clap::Args)]
#[command(after_long_help = examples(&[
    ("Make one ID of each specification and explain it", "sortid new --all"),
    ("Make three IDs, each greater than the one before", "sortid new scru160 -n 3"),
    ("Make an ID for a column of integers", "sortid new ulid-flake --format int"),
    ("Make an ID for a given time and show its fields", "sortid new euid --at 2024-06-06T06:06:06Z --json"),
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
    #[arg(long, conflicts_with_all = ["count", "format", "at"])]
    all: bool,

    /// How many IDs to make
    #[arg(short = 'n', long, value_name = "N", default_value_t = 1, global = true)]
    count: u64,

    /// How to print the IDs: one per line, except for bytes [default: text]
    #[arg(long, value_enum, global = true)]
    format: Option<Format>,

    /// The same as --format json
    #[arg(long, global = true)]
    json: bool,

    /// The time of the IDs instead of now: 2024-06-06T06:06:06Z, 2024-06-06, or Unix milliseconds
    #[arg(long, value_name = "TIME", global = true, allow_hyphen_values = true)]
    at: Option<Time>,
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

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    // clap does not see that an option before the subcommand conflicts with one after it.
    if args.json && args.format.is_some() {
        return Err(Failure::usage("new", "--json means --format json: give only one of them"));
    }
    let format = Format::of_options(args.format, args.json);
    if args.all {
        if args.spec.is_some() {
            return Err(Failure::usage("new", "--all makes one ID of each specification: do not name one"));
        }
        return print_one_of_each(format);
    }
    let Some(spec) = &args.spec else {
        return Err(Failure::usage(
            "new",
            "expected a specification (scru160, euid, evently-id, ron-uid, ulid-flake) or --all",
        ));
    };
    let request = Request { command: spec.command(), count: args.count, format, at: args.at };
    let clock = request.clock();
    match spec {
        NewSpec::Scru160(args) => {
            let options = args.options().map_err(|error| request.usage(error))?;
            let ids = sortid::scru160::Generator::from_parts(options, clock, ThreadEntropy);
            request.print(DescribeOptions::default(), || ids.rollbacks(), |batch| ids.fill(batch))
        }
        NewSpec::Euid(args) => {
            let options = args.options().map_err(|error| request.usage(error))?;
            let ids = sortid::euid::Generator::from_parts(options, clock, ThreadEntropy);
            request.print(args.describe_options(), || ids.rollbacks(), |batch| ids.fill(batch))
        }
        NewSpec::EventlyId(args) => {
            let chain = evently_id::Chain::new(args.ledger_id()?, clock);
            request.print(DescribeOptions::default(), || 0, |batch| chain.fill(batch))
        }
        NewSpec::RonUid(args) if args.logical => {
            let origin = args.origin().map_err(|error| request.usage(error))?;
            if request.at.is_some() {
                return Err(request.usage("--logical counts and uses no time: leave --at out"));
            }
            let clock = args.logical_clock(origin).map_err(|error| request.usage(error))?;
            request.print(args.describe_options(), || 0, |batch| clock.fill(batch))
        }
        NewSpec::RonUid(args) => {
            let origin = args.origin().map_err(|error| request.usage(error))?;
            let options = args.options(origin).map_err(|error| request.usage(error))?;
            let ids = sortid::ron_uid::Generator::from_parts(options, clock, ThreadEntropy);
            request.print(args.describe_options(), || ids.rollbacks(), |batch| ids.fill(batch))
        }
        NewSpec::UlidFlake(args) if args.scalable => {
            let options = args.scalable_options().map_err(|error| request.usage(error))?;
            let ids = sortid::ulid_flake::scalable::Generator::from_parts(options, clock, ThreadEntropy);
            request.print(args.describe_options(), || ids.rollbacks(), |batch| ids.fill(batch))
        }
        NewSpec::UlidFlake(args) => {
            let options = args.options().map_err(|error| request.usage(error))?;
            let ids = sortid::ulid_flake::Generator::from_parts(options, clock, ThreadEntropy);
            request.print(args.describe_options(), || ids.rollbacks(), |batch| ids.fill(batch))
        }
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

    /// Prints the IDs. `fill` makes them, and `rollbacks` counts how often the generator has started over at an earlier
    /// time because the clock was set back.
    fn print<I: Id>(
        &self,
        options: DescribeOptions,
        rollbacks: impl Fn() -> u16,
        fill: impl Fn(&mut [I]) -> Result<(), GenerateError>,
    ) -> Result<(), Failure> {
        const BATCH: usize = 1024;

        self.format.suits(I::NAME, I::BYTES).map_err(|error| self.usage(error))?;
        let mut out = io::stdout().lock();
        let mut ids = [I::MIN; BATCH];
        let mut buffer = Vec::new();
        let mut left = self.count;
        let mut rollbacks_reported = 0;
        while left > 0 {
            let batch = &mut ids[..usize::try_from(left).unwrap_or(BATCH).min(BATCH)];
            fill(batch).map_err(|error| self.failure(error))?;
            buffer.clear();
            for id in &*batch {
                let push_text = |out: &mut Vec<u8>| id.push_text(options, out);
                self.format.push(id.as_ref(), push_text, || id.describe(options), &mut buffer);
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

    /// The advice to check the clock makes no sense for a time that was asked for.
    fn failure(&self, error: GenerateError) -> Failure {
        match (self.at, error.kind()) {
            (Some(at), GenerateErrorKind::Exhausted { .. }) => Failure::UsedUp(at),
            _ => error.into(),
        }
    }
}

/// A random origin. The specification allows one where nobody assigns origins.
fn random_origin() -> Result<Base64x64, Failure> {
    let random = u64::from_be_bytes(ThreadEntropy.draw().map_err(GenerateError::from)?);
    Ok(Base64x64::try_from_int(random >> 4).expect("60 bits are left"))
}

fn event_id() -> Result<EventId, Failure> {
    let mut id = [EventId::MIN];
    evently_id::Chain::new(evently_id::random_ledger_id()?, Clock::System).fill(&mut id)?;
    Ok(id[0])
}

/// Prints an ID of each specification, explained.
fn print_one_of_each(format: Format) -> Result<(), Failure> {
    let options = DescribeOptions::default();
    let ron_uid_options = sortid::ron_uid::Options::new(random_origin()?);
    let descriptions = [
        sortid::scru160::Generator::new().generate()?.describe(options),
        sortid::euid::Generator::new().generate()?.describe(options),
        event_id()?.describe(options),
        sortid::ulid_flake::Generator::new().generate()?.describe(options),
        sortid::ron_uid::Generator::with_options(ron_uid_options).generate()?.describe(options),
    ];
    let mut buffer = Vec::new();
    if format == Format::Json {
        for description in &descriptions {
            json::push_object(description, &mut buffer);
            buffer.push(b'\n');
        }
    } else {
        let painter = Painter::of_stdout();
        for (index, description) in descriptions.iter().enumerate() {
            if index > 0 {
                buffer.push(b'\n');
            }
            painter.description(description, &spec::details(description.id, options), None, &mut buffer)?;
        }
    }
    let mut out = io::stdout().lock();
    out.write_all(&buffer)?;
    Ok(out.flush()?)
}
