//! The node ID of a process, and the thread that keeps it.

mod member;
mod pause;

use crate::{
    Generator, Millis, NodeError, StoreError, StoreErrorKind,
    outcome::{Outcome, Promise, promise},
    parts::{FleetClock, FleetEntropy},
    slots::{Core, Own, Slots},
};
use member::is_keeper;
pub(crate) use member::{sizes_differ, start};
use sortid_core::{__private::process, Fence, GenerateError, NodeOptions, UnixTime};
use std::{
    fmt,
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

/// How long a drop waits for the store to learn that the node ID is free.
const RELEASE_PATIENCE: Duration = Duration::from_secs(5);

/// A node ID that this process has reserved, renewed in the background.
///
/// [`Fleet::join`](crate::Fleet::join) returns it. The reservation lasts until it is [released](Self::release), or the node and all its
/// generators are dropped.
///
/// A node does not outlive its process: in a forked child, its generators return errors, and nothing is released.
pub struct Node(Arc<Handle>);

/// Releases the node ID when the node and all generators are dropped.
pub(crate) struct Handle(Arc<Inner>);

pub(crate) struct Inner {
    node_id: u32,
    size: u32,
    generation: u64,
    floor: Millis,
    /// Which process joined.
    process: u64,
    pub(crate) fence: Arc<Fence>,
    pub(crate) clock: FleetClock,
    pub(crate) entropy: FleetEntropy,
    pub(crate) slots: Mutex<Slots>,
    /// The greatest time that [`Node::permits`] has permitted.
    own: Arc<Core<Own>>,
    status: Mutex<Observed>,
    command: Mutex<Option<Promise<Result<(), StoreError>>>>,
    commanded: Condvar,
}

#[derive(Clone, Default)]
struct Observed {
    renewals: u64,
    failures: u64,
    last_error: Option<String>,
    skew: Option<i64>,
    state: Option<NodeState>,
    warning: Option<String>,
    /// Whether the thread of the node releases the node ID, or has done so. It hears no more commands.
    is_over: bool,
}

/// What became of a reservation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum NodeState {
    /// The process has the node ID, and renews its reservation.
    Holding,
    /// The process found that it does not have the node ID any more: an administrator freed it, another process has it, or
    /// the store lost its record. Or the thread that renews panicked, as it does if a [`Clock`](crate::Clock) of the user
    /// panics. The generators return errors. The IDs that were made are unique, unless the store lost records or is a copy.
    Lost,
    /// The node ID was released.
    Released,
    /// This process is a fork of the process that has the node ID.
    Forked,
}

/// The state of the reservation of a [`Node`].
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Status {
    /// What became of the reservation.
    pub state: NodeState,
    /// The node ID.
    pub node_id: u32,
    /// It grows with each holder, with a release by an operator, and with a repair. It serves as a fencing token: a later
    /// holder has a greater one.
    pub generation: u64,
    /// The end of the reservation: all IDs have earlier times.
    pub until: SystemTime,
    /// How often the reservation was renewed.
    pub renewals: u64,
    /// How often the store failed, or refused a renewal.
    pub failures: u64,
    /// Why the last renewal failed; `None` if it succeeded.
    pub last_error: Option<String>,
    /// How far this clock is ahead of the store's, in milliseconds; negative if it is behind; `None` if the store has no
    /// time. It is at least so far: the time that a request takes does not count.
    pub skew: Option<i64>,
    /// What an operator should know about the store.
    pub warning: Option<String>,
}

impl Status {
    /// Returns how much of the reservation is left on the system's clock: zero if it has ended. Less than a third of the
    /// window means that it is not renewed.
    #[must_use]
    pub fn left(&self) -> Duration {
        self.until.duration_since(SystemTime::now()).unwrap_or_default()
    }
}

impl Node {
    /// Returns the node ID.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.0.0.node_id
    }

    /// Returns how many holders the node ID has had, this one included. It serves as a fencing token: a later holder has a
    /// greater one.
    #[must_use]
    pub fn generation(&self) -> u64 {
        self.0.0.generation
    }

    /// Returns what became of the reservation.
    #[must_use]
    pub fn status(&self) -> Status {
        self.0.status()
    }

    /// Creates the generator of one kind of ID, whose IDs contain the node ID. The options of the generators of a space
    /// have to be the same in all processes.
    ///
    /// # Errors
    ///
    /// If the node has a generator of this kind already, because two would repeat each other's IDs; if the options have no
    /// room for the node ID; or if the reservation has ended.
    pub fn generator<O: NodeOptions>(&self, options: O) -> Result<Generator<O>, NodeError> {
        let inner = &self.0.0;
        let spec = options.spec();
        let rules =
            options.with_node_id(inner.node_id, inner.size).map_err(|error| NodeError(error.to_string()))?;
        Generator::new(&self.0, spec, rules, inner.floor)
    }

    /// Checks that this process may make an ID of its own with the [node ID](Self::id) and this time, such as a Snowflake: no
    /// earlier holder has made one with this time, and no later one will. Ask for each time before you use it. The call costs
    /// a few nanoseconds, and does not wait.
    ///
    /// A time stands for its microsecond, and two holders never share a millisecond. If your ticks are longer, ask for the
    /// first and the last time of the tick. IDs of one tick within this process are yours to tell apart, by a sequence.
    ///
    /// ```
    /// use sortid_fleet::{Fleet, UnixMillis, init, testing::MemoryStore};
    /// # use std::time::UNIX_EPOCH;
    ///
    /// let store = MemoryStore::new();
    /// init(&store, "orders", 1024)?;
    /// let node = Fleet::new(store).space("orders")?.join()?;
    ///
    /// let now = UNIX_EPOCH.elapsed()?.as_millis() as u64;
    /// node.permits(UnixMillis(now.into()))?;
    /// let sequence = 0; // counts the IDs of a millisecond
    /// let snowflake = (now - 1_288_834_974_657) << 22 | u64::from(node.id()) << 12 | sequence;
    /// # assert!(snowflake > 1 << 60);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// `ReservationLate` if the reservation ends before this time: [`retry_after`](GenerateError::retry_after) says when to
    /// ask again. `ReservationEnded` if it was released or lost; `ClockRollback` if the time is before the reservation, so
    /// that it belongs to an earlier holder; `OtherProcess` in a forked child.
    pub fn permits(&self, time: impl UnixTime) -> Result<(), GenerateError> {
        let inner = &self.0.0;
        if !self.0.is_ours() {
            return Err(inner.fence.forked());
        }
        let micros = time.unix_micros().clamp(0, u64::MAX.into()) as u64;
        inner.own.permit(micros, inner.floor.saturating_mul(1000).max(1))
    }

    /// Releases the node ID: another process can take it at once. The generators end, and their later calls return errors.
    ///
    /// A drop releases the node ID, too, but returns no error.
    ///
    /// # Errors
    ///
    /// [`Lost`](StoreErrorKind::Lost) if the process did not have the node ID any more. If the store does not answer within
    /// 5 s: then another process can take the node ID when the reservation ends. If a method of the store or of the clock
    /// calls this in the thread that renews: the thread releases the node ID later.
    pub fn release(self) -> Result<(), StoreError> {
        match self.0.ask_for_release() {
            Some(outcome) => outcome.wait_for(RELEASE_PATIENCE).unwrap_or_else(|| Err(no_answer())),
            None => Ok(()),
        }
    }

    /// Releases the node ID as [`release`](Self::release) does, without blocking.
    ///
    /// The future has no limit of its own. It waits for the store, which can take 25 s if the store hangs. To give up
    /// earlier, drop the future, for example with a timeout of your runtime: the release goes on without it.
    ///
    /// # Errors
    ///
    /// Those of the store, and [`Lost`](StoreErrorKind::Lost) if the process did not have the node ID any more.
    pub async fn release_async(self) -> Result<(), StoreError> {
        match self.0.ask_for_release() {
            Some(outcome) => outcome.await.unwrap_or_else(|| Err(no_answer())),
            None => Ok(()),
        }
    }
}

impl fmt::Debug for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Node").field(&self.status()).finish()
    }
}

/// The error of a process that does not have its node ID any more.
fn lost(why: impl Into<String>) -> StoreError {
    StoreError::new(StoreErrorKind::Lost, why)
}

fn no_answer() -> StoreError {
    StoreError::new(
        StoreErrorKind::Unavailable,
        "the store did not answer within 5 s: another process can take the node ID when its reservation ends",
    )
}

impl Inner {
    fn is_ours(&self) -> bool {
        self.process == process()
    }

    fn status(&self) -> Status {
        let observed = if self.is_ours() {
            lock(&self.status).clone()
        } else {
            Observed { state: Some(NodeState::Forked), ..Observed::default() }
        };
        Status {
            state: observed.state.unwrap_or(NodeState::Holding),
            node_id: self.node_id,
            generation: self.generation,
            until: UNIX_EPOCH + Duration::from_micros(self.fence.until()),
            renewals: observed.renewals,
            failures: observed.failures,
            last_error: observed.last_error,
            skew: observed.skew,
            warning: observed.warning,
        }
    }
}

impl Handle {
    pub(crate) fn inner(&self) -> &Inner {
        &self.0
    }

    /// Whether this process is the one that joined. In a child, the locks may be held by threads that do not exist there.
    pub(crate) fn is_ours(&self) -> bool {
        self.0.is_ours()
    }

    pub(crate) fn status(&self) -> Status {
        self.0.status()
    }

    /// Asks the thread to release the node ID. `None` if somebody has, or if this is a forked child.
    ///
    /// Nobody waits for the thread if it has nothing to release, because it may wait for the caller in `on_lost`. Nor does the
    /// thread itself, which calls methods of the user.
    fn ask_for_release(&self) -> Option<Outcome<Result<(), StoreError>>> {
        if !self.is_ours() {
            return None;
        }
        let mut command = lock(&self.0.command);
        let Observed { is_over, state, last_error, .. } = lock(&self.0.status).clone();
        if command.is_some() || is_over {
            return None;
        }
        let (promise, outcome) = promise();
        *command = Some(promise);
        drop(command);
        self.0.commanded.notify_all();
        if state == Some(NodeState::Lost) {
            return Some(Outcome::ready(Err(lost(last_error.unwrap_or_default()))));
        }
        if is_keeper(&self.0.fence) {
            let message = "the thread that renews the node ID was asked to release it, and does so later";
            return Some(Outcome::ready(Err(StoreError::new(StoreErrorKind::Unavailable, message))));
        }
        Some(outcome)
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        if let Some(outcome) = self.ask_for_release() {
            let _ = outcome.wait_for(RELEASE_PATIENCE);
        }
    }
}

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use crate::{Fleet, NodeState, StoreErrorKind, init, release, testing::MemoryStore};
    use std::sync::Arc;

    #[test]
    fn a_lost_node_id_is_released_once() {
        let store = Arc::new(MemoryStore::new());
        init(&*store, "default", 1).unwrap();
        let fleet = Fleet::new(Arc::clone(&store)).on_lost(|_| {});
        let node = fleet.join().unwrap();
        let handle = Arc::clone(&node.0);
        release(&*store, "default", 0).unwrap();
        assert_eq!(node.release().unwrap_err().kind(), StoreErrorKind::Lost);
        assert_eq!(handle.status().state, NodeState::Lost);
        // Nobody would answer, and the last drop would wait for it.
        assert!(handle.ask_for_release().is_none());
    }

    #[test]
    fn a_node_id_is_released_once() {
        let store = MemoryStore::new();
        init(&store, "default", 1).unwrap();
        let node = Fleet::new(store).join().unwrap();
        let handle = Arc::clone(&node.0);
        node.release().unwrap();
        // Nobody would answer.
        assert!(handle.ask_for_release().is_none());
    }
}
