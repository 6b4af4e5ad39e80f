//! `sortid new SPEC --nodes URL`: IDs with a node ID that no other process has.

use super::present::Present;
use crate::{
    failure::Failure,
    fleet::{Place, Space, Url},
    signals,
    spec::{Describe, DescribeOptions},
    stderr,
    terminal::escaped,
    time::{Time, parse_duration},
};
use sortid::{GenerateError, GenerateErrorKind};
use sortid_fleet::{
    Fleet, JoinError, JoinErrorKind, Node, NodeOptions, Snapshot, Status, StoreErrorKind, StoreRef,
};
use std::{
    fmt::Display,
    mem,
    sync::{Arc, Mutex, PoisonError, mpsc},
    thread,
    time::{Duration, Instant},
};

const WAIT: Duration = Duration::from_secs(30);

/// How long the program waits before it names what it waits for, and between two looks.
const PATIENCE: Duration = Duration::from_secs(1);

/// How far the clock is off before the program warns, in milliseconds.
const SKEW: u64 = 1000;

/// How a process reserves its node ID.
#[derive(clap::Args)]
#[command(next_help_heading = "Fleet")]
pub(super) struct Options {
    #[command(flatten)]
    pub(super) place: Place,

    /// How long to wait for a free node ID, or for that of --name or --node-id [default: 30s]
    ///
    /// It also waits this long for a store that does not answer.
    #[arg(long, alias = "timeout", value_name = "DURATION", global = true, allow_hyphen_values = true, value_parser = parse_duration)]
    wait: Option<Duration>,

    /// How many node IDs the space must have [default: any size]
    ///
    /// `nodes init` gives a space its size. This option only compares.
    #[arg(long, alias = "numbers", value_name = "N", global = true, hide_short_help = true)]
    size: Option<u32>,

    /// Reserve this node ID, instead of any free one
    #[arg(long, alias = "number", value_name = "N", global = true, hide_short_help = true)]
    node_id: Option<u32>,

    /// A name of this process, such as the name of its pod: the process gets back its last node ID [default: host and
    /// process ID]
    #[arg(long, value_name = "NAME", global = true, hide_short_help = true)]
    name: Option<String>,

    /// How far ahead to reserve, 1s to 10m: the node ID of a killed process is free after this time [default: 15s]
    #[arg(long, value_name = "DURATION", global = true, hide_short_help = true, allow_hyphen_values = true, value_parser = parse_duration)]
    window: Option<Duration>,
}

impl Options {
    /// Whether no option needs a store.
    pub(super) fn check_unused(&self) -> Result<(), String> {
        if let Some(count) = self.node_id.or(self.size) {
            let option = if self.node_id.is_some() { "node-id (or --number)" } else { "size (or --numbers)" };
            return Err(format!(
                "--{option} is an option of a fleet: add --nodes URL, or write -n {count} for {count} IDs"
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
}

/// Everything that the command line has.
pub(super) struct Reserving<'a> {
    pub(super) options: &'a Options,
    pub(super) url: &'a Url,
    pub(super) request: Present,
}

impl Reserving<'_> {
    pub(super) fn usage(&self, message: impl Display) -> Failure {
        self.request.usage(message)
    }

    /// The error of an option that sets the field of the node ID.
    pub(super) fn taken(&self, option: &str) -> Failure {
        self.usage(format_args!(
            "--{option} and {} both set the node ID: leave one of them out",
            self.url.name()
        ))
    }

    /// Prints IDs with a reserved node ID.
    pub(super) fn print<O>(&self, options: O, describe: DescribeOptions) -> Result<(), Failure>
    where
        O: NodeOptions<Id: Describe> + Copy,
    {
        let request = &self.request;
        request.suits::<O::Id>()?;
        let space = self.options.place.open_url(self.url, &request.command)?;
        let deadline = Instant::now() + self.options.wait.unwrap_or(WAIT);
        let space = Arc::new(space);
        let waiting = Waiting::start(&space, self.options);
        let size = size_in_time(&space, deadline, &waiting)?;
        if let Some(expected) = self.options.size.filter(|&expected| expected != size) {
            return Err(request.usage(format_args!(
                "space {:?} of {} has {size} node IDs, found --size {expected}: leave the option out",
                space.name,
                space.store.location()
            )));
        }
        options.with_node_id(0, size).map_err(|error| {
            request.usage(match error.option() {
                "size of the space" => {
                    format!("{error} in space {:?}: use another space, with --space NAME", space.name)
                }
                "digits of the origin that the node ID takes" => {
                    "the node ID takes the last digits of the origin, which are not 0: give a shorter --origin"
                        .to_owned()
                }
                _ => error.to_string(),
            })
        })?;
        let fleet = self.fleet(&space, deadline).map_err(|error| request.usage(error))?;

        let node = Arc::new(Mutex::new(None));
        let of_signal = Arc::clone(&node);
        signals::before_end(move || {
            if let Err(error) = release(&of_signal) {
                stderr::print_line(format_args!("{error}"));
            }
        })
        .map_err(|error| Failure::Io { what: "cannot wait for signals".to_owned(), error })?;
        let joined = match self.options.node_id {
            Some(node_id) => fleet.join_as(node_id),
            None => fleet.join(),
        };
        drop(waiting);
        let joined = joined.map_err(|error| self.not_joined(&error))?;
        warn_of(&joined.status());
        let ids = joined.generator(options).map_err(|error| Failure::Message(error.to_string()))?;
        *node.lock().unwrap_or_else(PoisonError::into_inner) = Some(joined);

        let fill = |batch: &mut [_]| ids.fill(batch).inspect_err(|_| signals::await_end());
        let printed = request.print(describe, Duration::ZERO, || 0, fill);
        let status = ids.status();
        let released = release(&node);
        match printed {
            Err(Failure::Generate(error)) => return Err(explained(error, &status)),
            // A reader that has enough is not a failure, but a lost node ID is.
            Err(failure) if !failure.is_broken_pipe() => return Err(failure),
            _ => {}
        }
        match released {
            // The IDs have the node ID. Another process can take it when the reservation ends.
            Err(error) if error.kind() == StoreErrorKind::Unavailable => {
                stderr::print_line(format_args!(
                    "warning: node ID {} is not released: {error}",
                    status.node_id
                ));
            }
            released => released?,
        }
        printed
    }

    fn fleet(&self, space: &Space, deadline: Instant) -> Result<Fleet, String> {
        let Options { name, window, .. } = self.options;
        let fleet = Fleet::new(StoreRef::from(Arc::clone(&space.store))).space(&space.name);
        // The release returns the error, or the generator does.
        let mut fleet = fleet.map_err(|error| error.to_string())?.on_lost(|_| {});
        if let Some(name) = name {
            fleet = fleet.name(name).map_err(|error| error.to_string())?;
        }
        if let Some(window) = window {
            fleet = fleet.window(*window).map_err(|error| error.to_string())?;
        }
        Ok(fleet.wait(deadline.saturating_duration_since(Instant::now())))
    }

    fn not_joined(&self, error: &JoinError) -> Failure {
        match error.kind() {
            JoinErrorKind::Taken => Failure::Message(format!(
                "{error} (to wait longer: --wait DURATION; to free a node ID: sortid nodes release NODE_ID)"
            )),
            JoinErrorKind::Config => self.request.usage(error),
            _ => Failure::Message(error.to_string()),
        }
    }
}

/// How many node IDs the space has. Waits for a store that does not answer.
fn size_in_time(space: &Space, deadline: Instant, waiting: &Waiting) -> Result<u32, Failure> {
    loop {
        match space.size() {
            Err(error) if error.kind() == StoreErrorKind::Unavailable && Instant::now() < deadline => {
                waiting.is_for(Awaited::Store(error.to_string()));
                thread::sleep(Duration::from_millis(200));
            }
            size => {
                waiting.is_for(Awaited::NodeId);
                return Ok(size?);
            }
        }
    }
}

/// What a process waits for.
#[derive(Clone)]
enum Awaited {
    /// The first answer of the store.
    Answer,
    /// A store that fails.
    Store(String),
    /// A node ID that is free.
    NodeId,
}

/// Says what the process waits for, if it waits for longer than a moment. It ends with the drop.
struct Waiting {
    awaited: Arc<Mutex<Awaited>>,
    /// Its drop ends the thread.
    _is_over: mpsc::Sender<()>,
}

impl Waiting {
    fn start(space: &Arc<Space>, options: &Options) -> Self {
        let (is_over, over) = mpsc::channel::<()>();
        let awaited = Arc::new(Mutex::new(Awaited::Answer));
        let (node_id, name) = (options.node_id, options.name.clone());
        let (shared, space) = (Arc::clone(&awaited), Arc::clone(space));
        let report = move || {
            let mut reported = None;
            while over.recv_timeout(PATIENCE) == Err(mpsc::RecvTimeoutError::Timeout) {
                let awaited = shared.lock().unwrap_or_else(PoisonError::into_inner).clone();
                // Each is reported once.
                if reported.replace(mem::discriminant(&awaited)) == Some(mem::discriminant(&awaited)) {
                    continue;
                }
                let what = match awaited {
                    Awaited::Answer => format!("an answer from {}", space.store.location()),
                    Awaited::Store(error) => format!("the store: {error}"),
                    Awaited::NodeId => {
                        let holder = holder(&space, node_id, name.as_deref());
                        let holder = holder.map_or_else(String::new, |holder| format!(": {holder}"));
                        // The store may have taken a while to answer.
                        if over.try_recv() != Err(mpsc::TryRecvError::Empty) {
                            return;
                        }
                        format!("a node ID of the fleet{holder}")
                    }
                };
                stderr::print_line(format_args!("waiting for {what}"));
            }
        };
        // Without the thread, the process waits silently.
        let _ = thread::Builder::new().spawn(report);
        Self { awaited, _is_over: is_over }
    }

    fn is_for(&self, awaited: Awaited) {
        *self.awaited.lock().unwrap_or_else(PoisonError::into_inner) = awaited;
    }
}

/// The holder that a process waits for: the holder of its node ID or of its name, or the holder whose node ID becomes free
/// first.
fn holder(space: &Space, node_id: Option<u32>, name: Option<&str>) -> Option<String> {
    let (Snapshot { records, .. }, _) = space.read().ok()?;
    let held =
        records.iter().filter_map(|(held, record)| Some((*held, record.holder.as_ref()?, record.until)));
    let (node_id, holder, until) = held
        .filter(|(held, ..)| node_id.is_none_or(|node_id| node_id == *held))
        .min_by_key(|&(_, holder, until)| (name != Some(&holder.name), until))?;
    let until = Time::from_unix_millis(until);
    Some(format!("node ID {node_id} is reserved by {} until {until}", escaped(&holder.name)))
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

/// Releases the node ID, unless that was done.
fn release(node: &Mutex<Option<Node>>) -> Result<(), sortid_fleet::StoreError> {
    // The lock is kept, so that the program does not end while another thread releases.
    let mut node = node.lock().unwrap_or_else(PoisonError::into_inner);
    node.take().map_or(Ok(()), Node::release)
}

/// Why the generator made no ID: the library refers to the status of the node.
fn explained(error: GenerateError, status: &Status) -> Failure {
    match (error.kind(), &status.last_error) {
        (GenerateErrorKind::ReservationLate, Some(why)) => Failure::Message(format!(
            "the reservation of node ID {} ended at {}, and was not renewed: {why}",
            status.node_id,
            Time::from_system_time(status.until)
        )),
        (GenerateErrorKind::ReservationEnded, Some(why)) => {
            Failure::Message(format!("{why}. Start the command again"))
        }
        _ => error.into(),
    }
}
