use crate::{
    complain,
    encoding::Encoding,
    failure::Failure,
    help, json,
    picture::Painter,
    spec::{self, Id, ReadOptions, euid, evently_id, ron_uid, scru160, ulid_flake},
    time::Time,
};
use clap::{Subcommand, ValueEnum};
use sortid::{
    Clock, Entropy, GenerateError, GenerateErrorKind, Generator, Local, OptionError, Rules, SortableId as _,
    ThreadEntropy,
    evently_id::{EventId, LedgerId},
    ron_uid::Base64x64,
};
use std::io::{self, Write};

/// Makes IDs, one a line.
#[derive(clap::Args)]
#[command(after_long_help = help::examples(&[
    ("One of each specification, explained", "sortid new --all"),
    ("Three, each greater than the one before", "sortid new scru160 -n 3"),
    ("For a column of integers", "sortid new ulid-flake --format int"),
    ("For a given time, with its fields", "sortid new euid --at 2024-06-06T06:06:06Z --json"),
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

    /// One ID of each specification, with its fields explained
    #[arg(long, conflicts_with_all = ["count", "format", "at"])]
    all: bool,

    /// How many
    #[arg(short = 'n', long, value_name = "N", default_value_t = 1, global = true)]
    count: u64,

    /// How to print them [default: text]
    #[arg(long, value_enum, global = true)]
    format: Option<Format>,

    /// The same as --format json
    #[arg(long, global = true)]
    json: bool,

    /// Make them for this time instead of now: 2024-06-06T06:06:06Z, 2024-06-06, or Unix milliseconds
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

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// The specification's text, one a line
    Text,
    /// The bytes in hex, one a line
    Hex,
    /// The integer, one a line
    Int,
    /// The bytes as a UUID, 8-4-4-4-12 hex digits, one a line
    Uuid,
    /// The bytes in base64, its URL-safe digits, without padding, one a line
    Base64url,
    /// The bytes, one ID after the other
    Bytes,
    /// An object a line: the ID and its fields
    Json,
}

impl Format {
    const fn encoding(self) -> Option<Encoding> {
        match self {
            Self::Hex => Some(Encoding::Hex),
            Self::Int => Some(Encoding::Int),
            Self::Uuid => Some(Encoding::Uuid),
            Self::Base64url => Some(Encoding::Base64url),
            Self::Text | Self::Bytes | Self::Json => None,
        }
    }

    /// Whether IDs of so many bytes can be printed so; if not, why. `name` is that of the specification.
    pub(crate) fn suits(self, name: &str, bytes: usize) -> Result<(), String> {
        self.encoding().map_or(Ok(()), |encoding| encoding.suits(name, bytes))
    }

    /// Appends an ID of these bytes, where it is no object.
    pub(crate) fn push(self, bytes: &[u8], push_text: impl FnOnce(&mut Vec<u8>), out: &mut Vec<u8>) {
        match (self, self.encoding()) {
            (Self::Bytes, _) => return out.extend_from_slice(bytes),
            (_, Some(encoding)) => encoding.push(bytes, out),
            _ => push_text(out),
        }
        out.push(b'\n');
    }
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    // clap sees no conflict between an option before the subcommand and one after it.
    if args.json && args.format.is_some() {
        return Err(Failure::usage("new", "--json is --format json: leave one of the two out"));
    }
    let format = if args.json { Format::Json } else { args.format.unwrap_or(Format::Text) };
    if args.all {
        if args.spec.is_some() {
            return Err(Failure::usage("new", "--all makes one of each: leave the specification out"));
        }
        return all(format);
    }
    let Some(spec) = &args.spec else {
        return Err(Failure::usage(
            "new",
            "expected a specification (scru160, euid, evently-id, ron-uid, ulid-flake) or --all",
        ));
    };
    let order = Order { count: args.count, format, at: args.at };
    match spec {
        NewSpec::Scru160(spec) => order.deliver("new scru160", spec.options(), ReadOptions::default()),
        NewSpec::Euid(spec) => order.deliver("new euid", spec.options(), spec.read_options()),
        NewSpec::EventlyId(spec) => order.deliver_chain(spec.ledger_id()?),
        NewSpec::RonUid(spec) => {
            let usage = |message| Failure::usage("new ron-uid", message);
            let origin = spec.origin().map_err(usage)?;
            if spec.logical && order.at.is_some() {
                return Err(usage("--logical counts without a time: leave --at out".to_owned()));
            }
            if spec.logical {
                let clock = spec.logical_clock(origin).map_err(|error| usage(error.to_string()))?;
                order.deliver_all(spec.read_options(), || 0, |batch| clock.fill(batch))
            } else {
                order.deliver("new ron-uid", spec.options(origin), spec.read_options())
            }
        }
        NewSpec::UlidFlake(spec) if spec.scalable => {
            order.deliver("new ulid-flake", spec.scalable_options(), spec.read_options())
        }
        NewSpec::UlidFlake(spec) => order.deliver("new ulid-flake", spec.options(), spec.read_options()),
    }
}

/// What was asked for.
struct Order {
    count: u64,
    format: Format,
    at: Option<Time>,
}

impl Order {
    fn deliver<R: Rules<Id: Id>>(
        &self,
        command: &'static str,
        rules: Result<R, OptionError>,
        options: ReadOptions,
    ) -> Result<(), Failure> {
        let rules = rules.map_err(|error| Failure::usage(command, error))?;
        self.format.suits(R::Id::NAME, R::Id::BYTES).map_err(|error| Failure::usage(command, error))?;
        match self.at {
            None => self.deliver_by(&Generator::<_, Local, _, _>::with_options(rules), options),
            Some(time) => {
                let generator: Generator<_, Local, _, _> = Generator::from_parts(rules, time, ThreadEntropy);
                self.deliver_by(&generator, options)
            }
        }
    }

    /// Event IDs cover one another.
    fn deliver_chain(&self, ledger_id: LedgerId) -> Result<(), Failure> {
        let options = sortid::evently_id::Options::new(ledger_id);
        let chain = evently_id::Chain::new(ledger_id);
        match self.at {
            None => {
                let places: Generator<_, Local, _, _> = Generator::with_options(options);
                self.deliver_all(ReadOptions::default(), || 0, |batch| chain.fill(&places, batch))
            }
            Some(time) => {
                let places: Generator<_, Local, _, _> = Generator::from_parts(options, time, ThreadEntropy);
                self.deliver_all(ReadOptions::default(), || 0, |batch| chain.fill(&places, batch))
            }
        }
    }

    fn deliver_by<R: Rules<Id: Id>, C: Clock, E: Entropy>(
        &self,
        generator: &Generator<R, Local, C, E>,
        options: ReadOptions,
    ) -> Result<(), Failure> {
        self.deliver_all(options, || generator.rollbacks(), |batch| generator.fill(batch))
    }

    /// `fill` makes IDs, and `rollbacks` says how often their order was broken.
    fn deliver_all<I: Id>(
        &self,
        options: ReadOptions,
        rollbacks: impl Fn() -> u64,
        fill: impl Fn(&mut [I]) -> Result<(), GenerateError>,
    ) -> Result<(), Failure> {
        const BATCH: usize = 1024;

        let mut out = io::stdout().lock();
        let mut ids = [I::MIN; BATCH];
        let mut buffer = Vec::new();
        let mut left = self.count;
        let mut rollbacks_told = 0;
        while left > 0 {
            let batch = &mut ids[..usize::try_from(left).unwrap_or(BATCH).min(BATCH)];
            fill(batch).map_err(|error| self.failure(error))?;
            buffer.clear();
            for id in &*batch {
                self.push(id, options, &mut buffer);
            }
            out.write_all(&buffer)?;
            left -= batch.len() as u64;
            if rollbacks() > rollbacks_told {
                rollbacks_told = rollbacks();
                let made = self.count - left;
                complain(format_args!(
                    "warning: the clock was set back: the first {made} IDs are not all in order"
                ));
            }
        }
        Ok(out.flush()?)
    }

    /// A clock that stands still where it was told to needs no mending.
    fn failure(&self, error: GenerateError) -> Failure {
        match (self.at, error.kind()) {
            (Some(at), GenerateErrorKind::Exhausted { .. }) => Failure::UsedUp(at),
            _ => error.into(),
        }
    }

    fn push<I: Id>(&self, id: &I, options: ReadOptions, out: &mut Vec<u8>) {
        if self.format == Format::Json {
            json::push_object(&id.reading(options), out);
            out.push(b'\n');
        } else {
            self.format.push(id.as_ref(), |out| id.push_text(options, out), out);
        }
    }
}

/// The specification lets an origin be a random number, where no one assigns them.
fn random_origin() -> Result<Base64x64, Failure> {
    let random = u64::from_be_bytes(ThreadEntropy.draw().map_err(GenerateError::from)?);
    Ok(Base64x64::try_from_int(random >> 4).expect("60 bits are left"))
}

fn event_id() -> Result<EventId, Failure> {
    let ledger_id = evently_id::random_ledger_id()?;
    let mut id = [EventId::MIN];
    let places: sortid::evently_id::Generator =
        Generator::with_options(sortid::evently_id::Options::new(ledger_id));
    evently_id::Chain::new(ledger_id).fill(&places, &mut id)?;
    Ok(id[0])
}

/// One of each, explained.
fn all(format: Format) -> Result<(), Failure> {
    let options = ReadOptions::default();
    let readings = [
        sortid::scru160::Generator::new().generate()?.reading(options),
        sortid::euid::Generator::new().generate()?.reading(options),
        event_id()?.reading(options),
        sortid::ulid_flake::Generator::new().generate()?.reading(options),
        sortid::ron_uid::Generator::with_options(sortid::ron_uid::Options::new(random_origin()?))
            .generate()?
            .reading(options),
    ];
    let mut buffer = Vec::new();
    if format == Format::Json {
        for reading in &readings {
            json::push_object(reading, &mut buffer);
            buffer.push(b'\n');
        }
    } else {
        let painter = Painter::of_stdout();
        for (index, reading) in readings.iter().enumerate() {
            if index > 0 {
                buffer.push(b'\n');
            }
            painter.reading(reading, &spec::details(reading.id, options), None, &mut buffer)?;
        }
    }
    let mut out = io::stdout().lock();
    out.write_all(&buffer)?;
    Ok(out.flush()?)
}
