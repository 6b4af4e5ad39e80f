//! `sortid new SPEC --nodes URL`: IDs with a number that no other process has.

use super::{NewSpec, Request};
use crate::{
    failure::Failure,
    fleet::{Place, Space, Url, parse_duration},
    signals,
    spec::{Describe, DescribeOptions},
    stderr,
    terminal::escaped,
    time::Time,
};
use sortid::{GenerateError, GenerateErrorKind};
use sortid_fleet::{
    Fleet, JoinError, JoinErrorKind, Node, Numbered, Refusal, Rules, Status, StoreErrorKind, StoreRef,
};
use std::{
    sync::{Arc, Mutex, PoisonError, mpsc},
    thread,
    time::{Duration, Instant},
};

/// How many numbers a new space has. The field of Ulid-Flake has room for no more than 32.
const NUMBERS: u32 = 256;
const NUMBERS_OF_ULID_FLAKE: u32 = 32;

const WAIT: Duration = Duration::from_secs(30);

/// How long the program waits before it says what for.
const PATIENCE: Duration = Duration::from_secs(1);

/// How far the clock is off before the program says so, in milliseconds.
const SKEW: u64 = 1000;

/// How a process reserves its number.
#[derive(clap::Args)]
#[command(next_help_heading = "Fleet")]
pub(super) struct Options {
    #[command(flatten)]
    pub(super) place: Place,

    /// How long to wait for a free number, or for the one of --name or --number [default: 30s]
    ///
    /// It waits as long for a store that does not answer.
    #[arg(long, value_name = "DURATION", global = true, allow_hyphen_values = true, value_parser = parse_duration)]
    wait: Option<Duration>,

    /// How many numbers the space has [default: as many as in the store]
    ///
    /// A new space gets 32 numbers for ulid-flake, which has room for no more, and 256 for the others: enough for a few
    /// hundred processes, and only 8 bits of each ID. A space keeps the size that its first process gave it.
    #[arg(long, value_name = "N", global = true, hide_short_help = true)]
    numbers: Option<u32>,

    /// Reserve this number, instead of one that is free
    #[arg(long, value_name = "NUMBER", global = true, hide_short_help = true)]
    number: Option<u32>,

    /// A name of this process, such as that of its pod: it gets the number back that it had [default: host and process ID]
    #[arg(long, value_name = "NAME", global = true, hide_short_help = true)]
    name: Option<String>,

    /// How far ahead to reserve, 1s to 10m: the number of a process that was killed is free after it [default: 15s]
    #[arg(long, value_name = "DURATION", global = true, hide_short_help = true, allow_hyphen_values = true, value_parser = parse_duration)]
    window: Option<Duration>,
}

impl Options {
    /// Whether no option needs a store.
    pub(super) fn check_unused(&self) -> Result<(), String> {
        if let Some(number) = self.number.or(self.numbers) {
            let option = if self.number.is_some() { "number" } else { "numbers" };
            return Err(format!(
                "--{option} is an option of a fleet: add --nodes URL, or write -n {number} for {number} IDs"
            ));
        }
        let others = [
            ("space", self.place.has_space()),
            ("wait", self.wait.is_some()),
            ("name", self.name.is_some()),
            ("window", self.window.is_some()),
        ];
        others.iter().find(|(_, is_given)| *is_given).map_or(Ok(()), |(option, _)| {
            Err(format!("--{option} is an option of a fleet: add --nodes URL, or leave --{option} out"))
        })
    }

    /// Prints IDs with a reserved number.
    pub(super) fn print(&self, spec: &NewSpec, url: &Url, request: &Request) -> Result<(), Failure> {
        let reserving = Reserving { options: self, url, request };
        let taken = |option: &str| {
            request.usage(format_args!(
                "--{option} and {} both set the number of the IDs: leave one of them out",
                url.name()
            ))
        };
        match spec {
            NewSpec::Scru160(args) if args.has_node() => Err(taken("node")),
            NewSpec::Scru160(args) => {
                let options = args.options().map_err(|error| request.usage(error))?;
                reserving.print(options, NUMBERS, DescribeOptions::default())
            }
            NewSpec::Euid(args) if args.has_extension() => Err(taken("extension")),
            NewSpec::Euid(args) => {
                let options = args.options().map_err(|error| request.usage(error))?;
                reserving.print(options, NUMBERS, args.describe_options())
            }
            NewSpec::EventlyId(_) => Err(request.usage(format_args!(
                "Event IDs have no field for the number of a fleet. A ledger has one writer at a time. To make Event IDs, {}",
                url.without()
            ))),
            NewSpec::RonUid(args) if args.logical => Err(request.usage(format_args!(
                "--logical counts, and {} reserves time: leave one of them out",
                url.name()
            ))),
            NewSpec::RonUid(args) => {
                let origin = args.origin().map_err(|error| request.usage(error))?;
                let options = args.options_of_fleet(origin).map_err(|error| request.usage(error))?;
                reserving.print(options, NUMBERS, args.describe_options())
            }
            NewSpec::UlidFlake(args) if args.has_node() => Err(taken("node")),
            NewSpec::UlidFlake(args) => {
                let options = args.options().map_err(|error| request.usage(error))?;
                let describe = DescribeOptions { scalable: true, ..args.describe_options() };
                reserving.print(options, NUMBERS_OF_ULID_FLAKE, describe)
            }
        }
    }
}

/// Everything that the command line says.
struct Reserving<'a> {
    options: &'a Options,
    url: &'a Url,
    request: &'a Request,
}

impl Reserving<'_> {
    fn print<O>(&self, options: O, numbers: u32, describe: DescribeOptions) -> Result<(), Failure>
    where
        O: Numbered + Copy,
        O::Rules: Send + Sync + 'static,
        <O::Rules as Rules>::Id: Describe,
    {
        let request = self.request;
        request.suits::<<O::Rules as Rules>::Id>()?;
        let space = self.options.place.open_url(self.url, request.command)?;
        let deadline = Instant::now() + self.options.wait.unwrap_or(WAIT);
        let numbers = self.options.numbers.map_or_else(|| size(&space, numbers, deadline), Ok)?;
        // A space keeps its size, so one that does not suit the ID must not begin.
        options.numbered(0, numbers).map_err(|error| {
            request.usage(match (error.option(), self.options.numbers) {
                ("numbers of the fleet", None) => {
                    format!(
                        "space {:?}: {error}: use another space, with --space NAME --numbers N",
                        space.name
                    )
                }
                ("digits of the origin that the node takes", _) => {
                    "the number takes the last digits of the origin, which are not 0: give a shorter --origin"
                        .to_owned()
                }
                _ => error.to_string(),
            })
        })?;
        let fleet = self.fleet(&space, numbers, deadline).map_err(|error| request.usage(error))?;

        let node = Arc::new(Mutex::new(None));
        let of_signal = Arc::clone(&node);
        signals::before_end(move || {
            let _ = release(&of_signal);
        })
        .map_err(|error| Failure::Io { what: "cannot wait for signals".to_owned(), error })?;
        let joined = self.join(&fleet, space).map_err(|error| self.not_joined(&error))?;
        warn_of(&joined.status());
        let ids = joined.generator(options).map_err(|error| Failure::Message(error.to_string()))?;
        *node.lock().unwrap_or_else(PoisonError::into_inner) = Some(joined);

        let fill = |batch: &mut [_]| ids.fill(batch).inspect_err(|_| signals::await_end());
        let printed = request.print(describe, || 0, fill);
        let status = ids.status();
        if let Err(error) = release(&node) {
            stderr::print_line(format_args!("warning: number {} is not released: {error}", status.number));
        }
        printed.map_err(|failure| match failure {
            Failure::Generate(error) => explained(error, &status),
            failure => failure,
        })
    }

    fn fleet(&self, space: &Space, numbers: u32, deadline: Instant) -> Result<Fleet, String> {
        let Options { name, window, .. } = self.options;
        let store = StoreRef::from(Arc::clone(&space.store));
        let fleet = Fleet::new(store, numbers).and_then(|fleet| fleet.space(&space.name));
        let mut fleet = fleet.map_err(|error| error.to_string())?;
        if let Some(name) = name {
            fleet = fleet.name(name).map_err(|error| error.to_string())?;
        }
        if let Some(window) = window {
            fleet = fleet.window(*window).map_err(|error| error.to_string())?;
        }
        Ok(fleet.wait(deadline.saturating_duration_since(Instant::now())))
    }

    /// Joins the fleet. Says so if it waits, and for whom.
    fn join(&self, fleet: &Fleet, space: Space) -> Result<Node, JoinError> {
        let Options { number, ref name, .. } = *self.options;
        let (has_joined, joins) = mpsc::channel::<()>();
        let name = name.clone();
        thread::spawn(move || {
            if joins.recv_timeout(PATIENCE) == Err(mpsc::RecvTimeoutError::Timeout) {
                let awaited = awaited(&space, number, name.as_deref());
                // The store may have taken a while to answer.
                if joins.try_recv() == Err(mpsc::TryRecvError::Empty) {
                    let awaited = awaited.map_or_else(String::new, |holder| format!(": {holder}"));
                    stderr::print_line(format_args!("waiting for a number of the fleet{awaited}"));
                }
            }
        });
        let node = match number {
            Some(number) => fleet.join_number(number),
            None => fleet.join(),
        };
        drop(has_joined);
        node
    }

    fn not_joined(&self, error: &JoinError) -> Failure {
        match error.kind() {
            JoinErrorKind::Taken => {
                Failure::Message(format!("{error} (--wait DURATION; sortid nodes release NUMBER)"))
            }
            JoinErrorKind::Config => self.request.usage(error),
            _ => Failure::Message(error.to_string()),
        }
    }
}

/// How many numbers the space has; `new` if it has no record.
fn size(space: &Space, new: u32, deadline: Instant) -> Result<u32, Failure> {
    loop {
        match space.store.read(&space.name) {
            Ok(snapshot) => return Ok(snapshot.records.values().next().map_or(new, |record| record.size)),
            Err(error) if error.kind() == StoreErrorKind::Unavailable && Instant::now() < deadline => {
                thread::sleep(Duration::from_millis(200));
            }
            Err(error) => return Err(Failure::Message(error.to_string())),
        }
    }
}

/// The holder that a process waits for: that of its number or of its name, or the first whose number becomes free.
fn awaited(space: &Space, number: Option<u32>, name: Option<&str>) -> Option<String> {
    let (records, _) = space.read().ok()?;
    let held =
        records.iter().filter_map(|(held, record)| Some((*held, record.holder.as_ref()?, record.until)));
    let (number, holder, until) = held
        .filter(|(held, ..)| number.is_none_or(|number| number == *held))
        .min_by_key(|&(_, holder, until)| (name != Some(&holder.name), until))?;
    let until = Time::from_unix_millis(until);
    Some(format!("number {number} is reserved by {} until {until}", escaped(&holder.name)))
}

/// What an operator should know.
fn warn_of(status: &Status) {
    if let Some(skew) = status.skew.filter(|skew| skew.unsigned_abs() >= SKEW) {
        let by = skew.unsigned_abs();
        let is = if skew > 0 { "ahead of" } else { "behind" };
        stderr::print_line(format_args!(
            "warning: the clock of this computer is {}.{} s {is} the store's: correct the clock that is wrong",
            by / 1000,
            by % 1000 / 100
        ));
    }
}

/// Releases the number, unless that was done.
fn release(node: &Mutex<Option<Node>>) -> Result<(), sortid_fleet::StoreError> {
    // The lock is kept, so that the program does not end while another thread releases.
    let mut node = node.lock().unwrap_or_else(PoisonError::into_inner);
    node.take().map_or(Ok(()), Node::release)
}

/// Why the generator made no ID: the library refers to the status of the node.
fn explained(error: GenerateError, status: &Status) -> Failure {
    match (error.kind(), &status.last_error) {
        (GenerateErrorKind::Reservation { refusal: Refusal::Late, .. }, Some(why)) => {
            Failure::Message(format!(
                "the reservation of number {} ended at {}, and was not renewed: {why}",
                status.number,
                Time::from_system_time(status.until)
            ))
        }
        (GenerateErrorKind::Reservation { refusal: Refusal::Ended, .. }, _) => Failure::Message(format!(
            "number {} was taken from this process, by `nodes release`, by `nodes repair`, or by another process, or its record was removed from the store: start the command again",
            status.number
        )),
        _ => error.into(),
    }
}
