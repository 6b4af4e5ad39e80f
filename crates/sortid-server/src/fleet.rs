//! The node ID of the server: joins the fleet, keeps watch over the reservation, and joins again if it is lost.

use crate::{
    problem::Problem,
    specs::{Maker, NotJoined},
};
use sortid_fleet::{
    Fleet, JoinError, JoinErrorKind, Node, NodeState, Status, StoreError, StoreErrorKind, StoreRef,
};
use sortid_inspect::__private::program::time::Time;
use std::{
    collections::BTreeMap,
    error::Error,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant, SystemTime},
};
use tokio::{sync::watch, time};
use tracing::{error, info, warn};

/// How long a join waits for the store or a node ID before the server says again what it waits for.
const JOIN: Duration = Duration::from_secs(10);

/// Between two attempts to join.
const PAUSE: Duration = Duration::from_millis(500);

/// Between two looks at the reservation.
const LOOK: Duration = Duration::from_millis(100);

/// Between two lines of the log about the same outage.
const REMINDER: Duration = Duration::from_secs(600);

/// How long the release of the node ID may take.
const RELEASE: Duration = Duration::from_secs(5);

/// How the server joins.
#[derive(Clone)]
pub(crate) struct Plan {
    pub(crate) url: String,
    pub(crate) space: String,
    pub(crate) name: Option<String>,
    pub(crate) node_id: Option<u32>,
    pub(crate) window: Duration,
}

/// What the server knows of its node ID.
#[derive(Clone)]
pub(crate) enum State {
    /// The server was started without a store.
    Alone,
    /// The server waits for a node ID, for this reason. Clients may read it: it does not name the store.
    Waiting { why: String },
    /// The server has a node ID.
    Holding(Status),
    /// The server ends.
    Released,
}

impl State {
    /// A name for metrics and readiness.
    pub(crate) const fn name(&self) -> &'static str {
        match self {
            Self::Alone => "alone",
            Self::Waiting { .. } => "waiting",
            Self::Holding(_) => "holding",
            Self::Released => "released",
        }
    }
}

/// The membership of the server.
pub(crate) struct Membership {
    plan: Option<Plan>,
    node: Mutex<Option<Arc<Node>>>,
    state: Mutex<State>,
    /// Why some IDs cannot have the node ID yet.
    behind: Mutex<Option<String>>,
}

impl Membership {
    pub(crate) fn new(plan: Option<Plan>) -> Self {
        let state = match plan {
            Some(_) => State::Waiting { why: "the server has not joined its fleet yet".to_owned() },
            None => State::Alone,
        };
        Self { plan, node: Mutex::new(None), state: Mutex::new(state), behind: Mutex::new(None) }
    }

    /// What the server knows of its node ID now.
    pub(crate) fn state(&self) -> State {
        if let Some(node) = &*self.node.lock().unwrap_or_else(PoisonError::into_inner) {
            let status = node.status();
            if status.state == NodeState::Holding {
                return State::Holding(status);
            }
            return State::Waiting { why: lost(status.node_id) };
        }
        self.state.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn set(&self, state: State) {
        *self.state.lock().unwrap_or_else(PoisonError::into_inner) = state;
    }

    /// Whether the server can make IDs that need a node ID.
    pub(crate) fn check(&self) -> Result<(), Problem> {
        match self.state() {
            State::Alone => Err(Problem::not_made(
                "these IDs need a node ID of a fleet, and this server is not in one: start it with --nodes URL",
            )),
            State::Waiting { why } => Err(Problem::unavailable(why)),
            State::Released => Err(Problem::unavailable("the server ends: ask another one")),
            State::Holding(status) if status.until <= SystemTime::now() => {
                Err(Problem::unavailable(late(&status)))
            }
            State::Holding(_) => Ok(()),
        }
    }

    /// Why the server should get no requests that need a node ID: it has none, or its reservation ends soon.
    pub(crate) fn doubt(&self) -> Option<String> {
        let plan = self.plan.as_ref()?;
        let state = self.state();
        if let State::Holding(status) = &state
            && let left = status.until.duration_since(SystemTime::now()).unwrap_or_default()
            && left < plan.window / 3
        {
            return Some(if left.is_zero() { late(status) } else { ends_soon(status) });
        }
        let behind = || self.behind.lock().unwrap_or_else(PoisonError::into_inner).clone();
        self.check().err().map_or_else(behind, |problem| Some(problem.detail))
    }

    /// Keeps a node ID until `stop` changes.
    pub(crate) async fn keep(&self, makers: &[&dyn Maker], mut stop: watch::Receiver<bool>) {
        let Some(plan) = &self.plan else {
            let _ = stop.wait_for(|is_set| *is_set).await;
            return;
        };
        tokio::select! {
            () = self.keep_on(plan, makers) => {}
            _ = stop.wait_for(|is_set| *is_set) => {}
        }
    }

    async fn keep_on(&self, plan: &Plan, makers: &[&dyn Maker]) {
        let mut said = Said::default();
        loop {
            match join(plan).await {
                Ok(node) => {
                    said = Said::default();
                    self.hold(node, makers).await;
                }
                Err((why, error)) => {
                    self.set(State::Waiting { why: why.clone() });
                    if said.is_due(&why) {
                        warn!(space = plan.space, reason = error, "waiting for the fleet");
                    }
                }
            }
            time::sleep(PAUSE).await;
        }
    }

    /// Makes IDs with a node ID until it is lost.
    async fn hold(&self, node: Node, makers: &[&dyn Maker]) {
        let node = Arc::new(node);
        let Status { node_id, generation, skew, warning, .. } = node.status();
        if let Some(warning) = warning {
            warn!(warning, "the store may be unsafe");
        }
        let mut pending: Vec<_> = makers.iter().filter(|maker| maker.needs_node()).collect();
        let mut said = Said::default();
        self.join_all(&node, &mut pending, &mut said).await;
        *self.node.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::clone(&node));
        info!(node_id, generation, skew_ms = skew, "joined the fleet");
        let mut is_late = false;
        loop {
            time::sleep(LOOK).await;
            self.join_all(&node, &mut pending, &mut said).await;
            match self.state() {
                State::Holding(status) => {
                    let doubt = self.doubt();
                    match &doubt {
                        Some(reason) if !is_late => {
                            warn!(node_id, reason, error = status.last_error, "not ready");
                        }
                        None if is_late => {
                            info!(node_id, renewals = status.renewals, "ready again");
                        }
                        _ => {}
                    }
                    is_late = doubt.is_some();
                }
                State::Waiting { why } => {
                    let error = node.status().last_error;
                    self.set(State::Waiting { why: why.clone() });
                    error!(node_id, reason = why, error, "lost the node ID");
                    break;
                }
                State::Alone | State::Released => break,
            }
        }
        makers.iter().for_each(|maker| maker.leave("the server has lost its node ID"));
        *self.behind.lock().unwrap_or_else(PoisonError::into_inner) = None;
        // Nothing is left to release, so the drop does not wait.
        drop(self.node.lock().unwrap_or_else(PoisonError::into_inner).take());
    }

    /// Begins to make IDs with the node ID. What may begin later stays in `pending`.
    async fn join_all(&self, node: &Node, pending: &mut Vec<&&dyn Maker>, said: &mut Said) {
        let mut behind = None;
        let mut index = 0;
        while let Some(maker) = pending.get(index) {
            let (reason, is_over) = match maker.join(node).await {
                Ok(()) => (None, true),
                Err(NotJoined::Never(why)) => (Some(why), true),
                Err(NotJoined::Yet(why)) => (Some(why), false),
            };
            if let Some(reason) = reason {
                maker.leave(&reason);
                if said.is_due(&reason) {
                    error!(node_id = node.id(), reason, "a specification cannot use the node ID");
                }
                behind = Some(reason).filter(|_| !is_over).or(behind);
            }
            if is_over {
                pending.remove(index);
            } else {
                index += 1;
            }
        }
        *self.behind.lock().unwrap_or_else(PoisonError::into_inner) = behind;
    }

    /// Releases the node ID.
    pub(crate) async fn release(&self) {
        self.set(State::Released);
        let node = self.node.lock().unwrap_or_else(PoisonError::into_inner).take();
        // Nobody else has it: `keep` has ended.
        let Some(node) = node.and_then(Arc::into_inner) else { return };
        let node_id = node.id();
        match time::timeout(RELEASE, node.release_async()).await {
            Ok(Ok(())) => info!(node_id, "released the node ID"),
            Ok(Err(error)) => warn!(node_id, reason = %error, "did not release the node ID"),
            Err(_) => warn!(
                node_id,
                reason = "the store did not answer within 5 s: another process can take it when the reservation ends",
                "did not release the node ID"
            ),
        }
    }
}

/// The kinds of outages that the log has, and when it had each last.
#[derive(Default)]
struct Said(BTreeMap<String, Instant>);

impl Said {
    /// Whether the log gets a line about this outage. Numbers do not make another kind.
    fn is_due(&mut self, why: &str) -> bool {
        let kind = why.replace(|character: char| character.is_ascii_digit(), "");
        let now = Instant::now();
        let is_due = self.0.get(&kind).is_none_or(|last| now.duration_since(*last) >= REMINDER);
        if is_due {
            self.0.insert(kind, now);
        }
        is_due
    }
}

const SEE_LOG: &str = "the log of the server says why";

fn late(status: &Status) -> String {
    let until = Time::from_system_time(status.until);
    format!("the reservation of node ID {} ended at {until}, and was not renewed: {SEE_LOG}", status.node_id)
}

fn ends_soon(status: &Status) -> String {
    let until = Time::from_system_time(status.until);
    format!("the reservation of node ID {} ends at {until}, and is not renewed: {SEE_LOG}", status.node_id)
}

fn lost(node_id: u32) -> String {
    format!("the server has lost node ID {node_id}: {SEE_LOG}. It joins the fleet again")
}

/// Joins. An error is for clients, and in full for the log: with the host or the path of the store.
async fn join(plan: &Plan) -> Result<Node, (String, String)> {
    let Plan { url, space, name, node_id, window } = plan.clone();
    // A directory can be slow.
    let fleet = tokio::task::spawn_blocking(move || fleet(&url, &space, name.as_deref(), window));
    let joined = match fleet.await {
        Err(error) => return Err((told(JoinErrorKind::Config, None), error.to_string())),
        Ok(Err(error)) => {
            let kind = error.downcast_ref::<StoreError>().map(StoreError::kind);
            let of_join = kind.map_or(JoinErrorKind::Config, |_| JoinErrorKind::Store);
            return Err((told(of_join, kind), error.to_string()));
        }
        Ok(Ok(fleet)) => match node_id {
            Some(node_id) => fleet.join_as_async(node_id).await,
            None => fleet.join_async().await,
        },
    };
    joined.map_err(|error: JoinError| {
        let of_store = error.source().and_then(|error| error.downcast_ref()).map(StoreError::kind);
        (told(error.kind(), of_store), error.to_string())
    })
}

/// What clients are told of a join that failed.
fn told(kind: JoinErrorKind, of_store: Option<StoreErrorKind>) -> String {
    let what = match (kind, of_store) {
        (JoinErrorKind::NoFleet, _) | (_, Some(StoreErrorKind::Missing)) => "it finds no fleet in its store",
        (JoinErrorKind::Taken, _) => "all node IDs that it may have are taken",
        (JoinErrorKind::ClockAhead, _) => "its clock is too far ahead of its store's",
        (JoinErrorKind::ClockBehind, _) => "its clock is behind the end of the last reservation",
        (_, Some(StoreErrorKind::Unavailable)) => "its store does not answer",
        (_, Some(StoreErrorKind::Denied)) => "its store refuses it",
        _ => "it cannot use its store",
    };
    format!("the server has no node ID, because {what}: {SEE_LOG}")
}

type AnyError = Box<dyn Error + Send + Sync>;

fn fleet(url: &str, space: &str, name: Option<&str>, window: Duration) -> Result<Fleet, AnyError> {
    let store = sortid_fleet::open(url)?;
    let fleet = Fleet::new(StoreRef::from(store)).space(space)?;
    let fleet = fleet.window(window)?.wait(JOIN).on_lost(|_| {});
    Ok(match name {
        Some(name) => fleet.name(name)?,
        None => fleet,
    })
}

impl Plan {
    /// Whether an option is wrong, so that waiting does not help.
    pub(crate) fn check(&self) -> Result<(), String> {
        if let Err(error) = sortid_fleet::open(&self.url)
            && error.kind() == StoreErrorKind::Config
        {
            return Err(format!("--nodes: {error}"));
        }
        // Any store will do for the other options.
        let anywhere = Arc::new(sortid_fleet::testing::MemoryStore::new());
        let fleet = Fleet::new(anywhere).space(&self.space).and_then(|fleet| fleet.window(self.window));
        let named =
            fleet.and_then(|fleet| self.name.as_ref().map_or(Ok(fleet.clone()), |name| fleet.name(name)));
        named.map(drop).map_err(|error| error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::Said;

    #[test]
    fn an_outage_whose_numbers_change_is_said_once() {
        let mut said = Said::default();
        let outages = (0..100).map(|ms| format!("the clock is 3600.{ms:03} s ahead"));
        assert_eq!(outages.filter(|outage| said.is_due(outage)).count(), 1);
        assert!(said.is_due("the store does not answer"));
        // Two that take turns are known.
        assert!(!said.is_due("the clock is 9.9 s ahead") && !said.is_due("the store does not answer"));
    }
}
