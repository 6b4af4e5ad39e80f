#[cfg(doc)]
use crate::NodeState;
use crate::{
    Event, JoinError, Node, Store, StoreError,
    error::{self, ConfigError},
    node,
    outcome::Outcome,
    parts::{FleetClock, FleetEntropy},
    protocol::MAX_SIZE,
};
use sortid_core::{Clock, Entropy};
use std::{
    env, fs,
    io::{self, Write as _},
    process,
    sync::Arc,
    time::Duration,
};

/// How processes join a space: the store, the name of the space, and the options.
///
/// [`init`](crate::init) creates a fleet, and settles its size: how many node IDs it has. No process creates a fleet by
/// joining. Two spaces are two fleets, which share no node IDs, so IDs of the two can be equal. Use a space for each table
/// or topic.
///
/// ```
/// use sortid_fleet::{Fleet, init, testing::MemoryStore};
/// use std::sync::Arc;
///
/// let store = Arc::new(MemoryStore::new());
/// init(&*store, "orders", 32)?; // once, before the first process joins
///
/// let fleet = Fleet::new(store).space("orders")?;
/// let node = fleet.join()?;
/// let ids = node.generator(ulid_flake::scalable::Options::new(0)?)?;
/// let id = ids.generate()?;
/// assert_eq!(u32::from(id.scalable().scalability()), node.id());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Fleet {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) space: String,
    pub(crate) name: Option<String>,
    pub(crate) window: Duration,
    pub(crate) wait: Duration,
    pub(crate) on_lost: Arc<dyn Fn(&StoreError) + Send + Sync>,
    pub(crate) on_event: Arc<dyn Fn(&Event) + Send + Sync>,
    pub(crate) clock: FleetClock,
    pub(crate) entropy: FleetEntropy,
}

impl Fleet {
    /// The greatest size of a space, 2^16. SCRU160s have the largest field for a node ID.
    pub const MAX_SIZE: u32 = MAX_SIZE;

    /// The shortest window.
    pub const SHORTEST_WINDOW: Duration = Duration::from_secs(1);

    /// The longest window. `repair` takes the fleet out of use for this long, unless it gets a shorter window.
    pub const LONGEST_WINDOW: Duration = Duration::from_secs(600);

    /// Creates a fleet in the space `default` of a store.
    #[must_use]
    pub fn new(store: impl Into<StoreRef>) -> Self {
        Self {
            store: store.into().0,
            space: "default".to_owned(),
            name: None,
            window: Duration::from_secs(15),
            wait: Duration::from_secs(30),
            // `eprintln!` panics if standard error is closed.
            on_lost: Arc::new(|error| drop(writeln!(io::stderr(), "sortid-fleet: {error}"))),
            on_event: Arc::new(|_| {}),
            clock: FleetClock::System,
            entropy: FleetEntropy::Thread,
        }
    }

    /// Sets the name of the space: 1 to 63 of the characters `a` to `z`, `0` to `9`, `_` and `-`. The default is `default`.
    ///
    /// # Errors
    ///
    /// If the name has another length, or another character.
    pub fn space(mut self, name: impl Into<String>) -> Result<Self, ConfigError> {
        let name = name.into();
        check_space(&name).map_err(error::config)?;
        self.space = name;
        Ok(self)
    }

    /// Sets a stable name of this process, such as the name of its pod. Operators see it. After a crash, the process
    /// gets the node ID back that it had with this name, once its old reservation has ended.
    ///
    /// A name is a preference, never a proof: two processes with one name get two node IDs. The default is the name of the
    /// host and the process ID. With it, a process does not get its node ID back.
    ///
    /// # Errors
    ///
    /// If the name is empty, has more than 255 bytes, or a control character.
    pub fn name(mut self, name: impl Into<String>) -> Result<Self, ConfigError> {
        let name = name.into();
        if name.is_empty() || name.len() > 255 || name.contains(char::is_control) {
            return Err(error::config(format!(
                "name of a node: expected 1 to 255 bytes without control characters, found {} bytes: {name:?}",
                name.len()
            )));
        }
        self.name = Some(name);
        Ok(self)
    }

    /// Sets how far ahead of the clock a process reserves: 1 s to 10 min, by default 15 s.
    ///
    /// A process renews its reservation when a third of the window has passed. So it can make IDs for at least half a window
    /// while the store does not answer. Another process can take the node ID of one that crashed after a window.
    ///
    /// # Errors
    ///
    /// If the window is outside this range.
    pub fn window(mut self, window: Duration) -> Result<Self, ConfigError> {
        if !(Self::SHORTEST_WINDOW..=Self::LONGEST_WINDOW).contains(&window) {
            return Err(error::config(format!("window of the fleet: expected 1s to 600s, found {window:?}")));
        }
        self.window = window;
        Ok(self)
    }

    /// Sets how long joining waits for a node ID that is free, or for a store that does not answer. The default is 30 s.
    ///
    /// With a [`name`](Self::name), wait longer than a window: after a crash, the process waits for the node ID that it had.
    #[must_use]
    pub const fn wait(mut self, wait: Duration) -> Self {
        self.wait = wait;
        self
    }

    /// Sets what happens when a process finds that it does not have its node ID any more: see [`NodeState::Lost`]. It is
    /// called once for a node, on a thread of the fleet, at the latest soon after the node is released. By default, it prints
    /// the error on standard error.
    ///
    /// The state is [`NodeState::Lost`] when it is called. The generators return errors from then on, and so does
    /// [`Node::release`]. Neither waits for it, so it may drop or release the node, and join again.
    #[must_use]
    pub fn on_lost(mut self, call: impl Fn(&StoreError) + Send + Sync + 'static) -> Self {
        self.on_lost = Arc::new(call);
        self
    }

    /// Sets who hears what happens to the node ID, such as a log or a metric. By default, nobody does; with the feature
    /// `tracing`, the subscribers of that crate hear it, too.
    ///
    /// The thread that renews calls it, so it should not take long, and must not wait for the node.
    ///
    /// ```
    /// use sortid_fleet::{EventKind, Fleet, init, testing::MemoryStore};
    /// use std::sync::mpsc::channel;
    ///
    /// let (sender, events) = channel();
    /// let store = MemoryStore::new();
    /// init(&store, "default", 32)?;
    /// let fleet = Fleet::new(store).on_event(move |event| {
    ///     eprintln!("node ID {}: {:?}, {:?} left", event.status.node_id, event.kind, event.status.left());
    ///     let _ = sender.send(event.kind);
    /// });
    /// fleet.join()?.release()?;
    /// assert_eq!(events.try_iter().collect::<Vec<_>>(), [EventKind::Joined, EventKind::Released]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn on_event(mut self, call: impl Fn(&Event) + Send + Sync + 'static) -> Self {
        self.on_event = Arc::new(call);
        self
    }

    /// Sets the clock of the reservation and of the generators. The default is the system's.
    ///
    /// It is for tests: a clock that a test controls, with a store that has its time. If the test moves the clock beyond the
    /// reservation, the generators return the error `Reservation` until the fleet has renewed it, at most 0.5 s later.
    ///
    /// ```
    /// use sortid_fleet::{Fleet, init, testing::MemoryStore};
    /// use std::{sync::Arc, time::Duration};
    /// use ulid_flake::testing::{ManualClock, SeededEntropy};
    ///
    /// let clock = Arc::new(ManualClock::new(Duration::from_millis(1_717_653_966_666)));
    /// let store = MemoryStore::with_clock(Arc::clone(&clock));
    /// init(&store, "default", 32)?;
    ///
    /// let fleet = Fleet::new(store).clock(Arc::clone(&clock)).entropy(SeededEntropy::new(42));
    /// let node = fleet.join_as(7)?;
    /// let ids = node.generator(ulid_flake::scalable::Options::new(0)?)?;
    /// let id = ids.generate()?;
    /// assert_eq!(id.unix_millis(), 1_717_653_966_666);
    /// clock.advance(Duration::from_secs(1));
    /// assert_eq!(ids.generate()?.unix_millis(), 1_717_653_967_666);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn clock(mut self, clock: impl Clock + Send + Sync + 'static) -> Self {
        self.clock = FleetClock::Own(Arc::new(clock));
        self
    }

    /// Sets the source of random bytes of the generators. The default is [`ThreadEntropy`](sortid_core::ThreadEntropy).
    #[must_use]
    pub fn entropy(mut self, entropy: impl Entropy + Send + Sync + 'static) -> Self {
        self.entropy = FleetEntropy::Own(Arc::new(entropy));
        self
    }

    /// Joins with any free node ID. Blocks until it has one.
    ///
    /// The reservation is renewed on a thread of its own, until it is released or dropped.
    ///
    /// # Errors
    ///
    /// [`NoFleet`](crate::JoinErrorKind::NoFleet), at once, if nobody has created a fleet there. If no node ID is free in
    /// time, the store cannot be used, or the clock is too far ahead of the store's.
    pub fn join(&self) -> Result<Node, JoinError> {
        joined(self.start(None).wait())
    }

    /// Joins with this node ID, such as the ordinal of a `StatefulSet`. Blocks until it is free.
    ///
    /// If another process has the node ID, this process waits for it. If two processes were given the
    /// same node ID, the second gets an error that names the first.
    ///
    /// # Errors
    ///
    /// Those of [`join`](Self::join), and [`Config`](crate::JoinErrorKind::Config) if the space has no such node ID.
    pub fn join_as(&self, node_id: u32) -> Result<Node, JoinError> {
        joined(self.start(Some(node_id)).wait())
    }

    /// Joins as [`join`](Self::join) does, without blocking. It works with every runtime, and needs none: a thread of its
    /// own talks to the store.
    ///
    /// A future that is dropped gives its node ID back.
    ///
    /// # Errors
    ///
    /// Those of [`join`](Self::join).
    pub async fn join_async(&self) -> Result<Node, JoinError> {
        joined(self.start(None).await)
    }

    /// Joins as [`join_as`](Self::join_as) does, without blocking.
    ///
    /// # Errors
    ///
    /// Those of [`join_as`](Self::join_as).
    pub async fn join_as_async(&self, node_id: u32) -> Result<Node, JoinError> {
        joined(self.start(Some(node_id)).await)
    }

    fn start(&self, node_id: Option<u32>) -> Outcome<Result<Node, JoinError>> {
        node::start(self.clone(), node_id)
    }
}

fn joined(outcome: Option<Result<Node, JoinError>>) -> Result<Node, JoinError> {
    outcome.unwrap_or_else(|| {
        Err(error::join_config("the thread that joins the fleet has panicked: see its message".to_owned()))
    })
}

/// A [`Store`] that a [`Fleet`] shares with others.
pub struct StoreRef(Arc<dyn Store>);

impl<S: Store> From<S> for StoreRef {
    fn from(store: S) -> Self {
        Self(Arc::new(store))
    }
}

impl<S: Store> From<Arc<S>> for StoreRef {
    fn from(store: Arc<S>) -> Self {
        Self(store)
    }
}

impl From<Arc<dyn Store>> for StoreRef {
    fn from(store: Arc<dyn Store>) -> Self {
        Self(store)
    }
}

/// Checks the name of a space.
pub(crate) fn check_space(name: &str) -> Result<(), String> {
    let is_valid = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"_-".contains(&byte);
    if (1..=63).contains(&name.len()) && name.bytes().all(is_valid) {
        return Ok(());
    }
    Err(format!(
        "name of a space: expected 1 to 63 of the characters a to z, 0 to 9, _ and -, found {name:?}"
    ))
}

/// The name of this host, and the process ID.
pub(crate) fn default_name() -> String {
    let host = fs::read_to_string("/proc/sys/kernel/hostname")
        .ok()
        .or_else(|| env::var("HOSTNAME").or_else(|_| env::var("COMPUTERNAME")).ok());
    name_of(host.as_deref().unwrap_or_default(), process::id())
}

fn name_of(host: &str, process: u32) -> String {
    let host = host.trim();
    let is_shown = !host.is_empty() && host.len() < 200 && !host.contains(char::is_control);
    format!("{}:{process}", if is_shown { host } else { "unknown" })
}

#[cfg(test)]
mod tests {
    use super::{default_name, name_of};
    use std::process;

    #[test]
    fn the_default_name_is_that_of_the_host_and_the_process() {
        let (long, too_long) = ("a".repeat(199), "a".repeat(200));
        for (host, name) in [
            ("web-1\n", "web-1:7"),
            (&long, &format!("{long}:7")),
            (&too_long, "unknown:7"),
            ("a\u{1b}b", "unknown:7"),
            ("", "unknown:7"),
        ] {
            assert_eq!(name_of(host, 7), name);
        }
        assert!(default_name().ends_with(&format!(":{}", process::id())));
    }
}
