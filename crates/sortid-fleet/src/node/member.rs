//! The thread of a node, which joins, renews and releases.

use super::{
    Handle, Inner, Node, NodeState, Observed, RELEASE_PATIENCE, lock, lost, no_answer, pause::Pause,
};
use crate::{
    Event, EventKind, Fleet, JoinError, JoinErrorKind, Millis, Record, Snapshot, Store, StoreError,
    StoreErrorKind,
    clock::{Clocks, duration},
    error::{holders, join_config},
    fleet::default_name,
    outcome::{Outcome, Promise, promise},
    parts::{FleetClock, FleetEntropy},
    protocol::{ALLOWANCE, LOST_GENERATIONS, MAX_SIZE, Process, Refusal, Swap, Terms, Wish, size},
    record::Holder,
    slots::{Core, Own, Slot, Slots},
};
use sortid_core::{
    __private::{civil::rfc3339, process},
    Fence, Fenced,
};
use std::{
    cell::Cell,
    collections::{BTreeMap, BTreeSet},
    mem,
    panic::{AssertUnwindSafe, catch_unwind},
    ptr,
    sync::{Arc, Condvar, Mutex, PoisonError},
    thread,
    time::{Duration, Instant},
};

/// The longest time before the thread of a node looks at the clock again. A clock that is set, or a computer that wakes,
/// is noticed within this time.
const LOOK: Duration = Duration::from_millis(500);

/// How long a call that may wait does so for a renewal.
const RENEWAL_PATIENCE: Duration = Duration::from_secs(10);

/// The difference from the store's clock that an event tells, in milliseconds.
const SKEW: u64 = 1000;

thread_local! {
    /// The fence that this thread raises.
    static KEPT: Cell<*const Fence> = const { Cell::new(ptr::null()) };
}

/// Whether this thread raises the fence. It calls methods of the user's store and clock, which may use the node.
pub(super) fn is_keeper(fence: &Fence) -> bool {
    KEPT.get() == ptr::from_ref(fence)
}

/// Joins on a thread of its own, which then keeps the node ID.
pub(crate) fn start(fleet: Fleet, node_id: Option<u32>) -> Outcome<Result<Node, JoinError>> {
    let (promise, outcome) = promise();
    let thread = thread::Builder::new().name("sortid-fleet".to_owned());
    match thread.spawn(move || run(fleet, node_id, promise)) {
        Ok(_) => outcome,
        Err(error) => {
            Outcome::ready(Err(join_config(format!("cannot start a thread for the fleet: {error}"))))
        }
    }
}

fn run(fleet: Fleet, node_id: Option<u32>, promise: Promise<Result<Node, JoinError>>) {
    match Member::join(fleet, node_id, &promise) {
        Err(error) => drop(promise.keep(Err(error))),
        Ok(mut member) => {
            let inner = member.inner();
            KEPT.set(Arc::as_ptr(&inner.fence));
            member.tell(&inner, EventKind::Joined);
            // If nobody waits for the node any more, its drop here asks this thread to release it.
            drop(promise.keep(Ok(Node(Arc::new(Handle(Arc::clone(&inner)))))));
            member.keep(&inner);
        }
    }
}

/// A process of a fleet, with its store.
struct Member {
    store: Arc<dyn Store>,
    space: String,
    process: Process,
    clocks: Clocks,
    window: Duration,
    /// How many node IDs the space has; 0 before the records are read.
    size: u32,
    on_lost: Arc<dyn Fn(&StoreError) + Send + Sync>,
    on_event: Arc<dyn Fn(&Event) + Send + Sync>,
    /// Whether the clock differs from the store's so much that an event said so.
    is_skewed: bool,
    clock: FleetClock,
    entropy: FleetEntropy,
    /// Whether a release was sent whose outcome is not known. Then a later holder is expected.
    may_be_released: bool,
    /// How often the store failed before the process had a node ID.
    failures: u64,
    /// Each `until` that was proposed, and may come into force, since the last that did.
    pending: Vec<Millis>,
}

impl Member {
    /// Takes a node ID. Waits until one is free, and until the clock has reached the `until` of its record.
    fn join(
        fleet: Fleet,
        node_id: Option<u32>,
        promise: &Promise<Result<Node, JoinError>>,
    ) -> Result<Self, JoinError> {
        let mut random = [0; 8];
        getrandom::fill(&mut random)
            .map_err(|error| join_config(format!("no random bytes for the name of this process: {error}")))?;
        let random = u64::from_ne_bytes(random);
        let prefers_its_own = fleet.name.is_some();
        let name = fleet.name.unwrap_or_else(default_name);
        let me = Holder::new(name, format!("{random:016x}"));
        let window = duration(fleet.window);
        let terms = Terms { window };
        let mut member = Self {
            store: fleet.store,
            space: fleet.space,
            process: Process::new(terms, me.clone()),
            clocks: Clocks::new(fleet.clock.clone(), me, fleet.window),
            window: fleet.window,
            size: 0,
            on_lost: fleet.on_lost,
            on_event: fleet.on_event,
            is_skewed: false,
            clock: fleet.clock,
            entropy: fleet.entropy,
            may_be_released: false,
            failures: 0,
            pending: Vec::new(),
        };
        if let Err(error) = member.search(fleet.wait, node_id, prefers_its_own, random, promise) {
            member.give_back();
            return Err(error);
        }
        // The IDs with the node ID begin at the `until` of its record, at most the allowance ahead of this clock.
        let floor = member.process.window().start;
        let patience = Instant::now() + Duration::from_millis(ALLOWANCE);
        while member.clocks.clock() < floor && Instant::now() < patience {
            thread::sleep(Duration::from_millis((floor - member.clocks.clock().min(floor)).min(100)));
        }
        Ok(member)
    }

    /// Tries to take a node ID, for as long as `wait`.
    fn search(
        &mut self,
        wait: Duration,
        node_id: Option<u32>,
        prefers_its_own: bool,
        random: u64,
        promise: &Promise<Result<Node, JoinError>>,
    ) -> Result<(), JoinError> {
        // `None` is later than all times.
        let deadline = Instant::now().checked_add(wait);
        let mut wish = Wish { node_id, start: random as u32, prefers_its_own, namesakes: BTreeSet::new() };
        let mut pause = Pause::new(random);
        let mut firsts: BTreeMap<u32, Millis> = BTreeMap::new();
        loop {
            let error = match self.attempt(&wish) {
                Ok(()) => return Ok(()),
                Err(Attempt::Failed(error)) => return Err(error),
                Err(Attempt::Raced) => {
                    // Another process was faster. Begin elsewhere, so that not all want the same node ID.
                    wish.start = wish.start.wrapping_add(pause.random(self.size.max(1)));
                    None
                }
                Err(Attempt::Restart(node_id, until, error)) => {
                    // A holder of our name that raises `until` is alive, and is not this process before a restart.
                    if until > *firsts.entry(node_id).or_insert(until) {
                        wish.namesakes.insert(node_id);
                    }
                    Some(error)
                }
                Err(Attempt::Wait(error)) => {
                    // If the store fails for one node ID, another may work.
                    wish.start = wish.start.wrapping_add(pause.random(self.size.max(1)));
                    Some(error)
                }
            };
            if !promise.is_wanted() {
                return Err(join_config("nobody waits for the node ID any more".to_owned()));
            }
            let left = deadline.map_or(Duration::MAX, |it| it.saturating_duration_since(Instant::now()));
            match error {
                Some(error) if left.is_zero() => return Err(error),
                None if left.is_zero() => {
                    let message =
                        "other processes were faster to take each free node ID: wait longer".to_owned();
                    return Err(JoinError::new(JoinErrorKind::Taken, message));
                }
                Some(_) => thread::sleep(pause.next().min(left)),
                None => thread::sleep(Duration::from_millis(pause.random(10).into())),
            }
        }
    }

    /// Frees the node ID that it may have, as far as the store lets it. It has made no ID.
    fn give_back(&mut self) {
        if let Some(Swap { node_id, expected, next }) = self.process.release(None) {
            let _ = guarded(|| self.store.swap(&self.space, node_id, expected.as_ref(), &next));
        }
    }

    /// Reads the records. All of them have to be records.
    fn look(&mut self) -> Result<Snapshot, Attempt> {
        let snapshot = match self.read() {
            Ok(snapshot) => snapshot,
            Err(error) if error.kind() == StoreErrorKind::Missing => {
                return Err(Attempt::Failed(self.no_fleet(&format!(": {error}"))));
            }
            Err(error) => return Err(self.failed(error)),
        };
        match snapshot.damaged.values().next() {
            Some(damage) => Err(self.failed(StoreError::new(StoreErrorKind::Shape, damage.as_str()))),
            None => Ok(snapshot),
        }
    }

    /// Whether the store has the record of the node ID that this process asked for, or was given.
    fn has_node_id(&mut self, snapshot: &Snapshot) -> bool {
        if let Some(node_id) = self.process.asked().or_else(|| self.process.node_id()) {
            self.process.seen(node_id, snapshot.records.get(&node_id));
        }
        self.process.is_holding()
    }

    /// Tries to take a node ID once.
    fn attempt(&mut self, wish: &Wish) -> Result<(), Attempt> {
        let asked = self.clocks.clock();
        let snapshot = self.look()?;
        let now = self.clocks.read(&snapshot, asked);
        // The answer to an earlier attempt may have been lost.
        if self.has_node_id(&snapshot) {
            return Ok(());
        }
        if let Ok(size) = size(&snapshot.records) {
            self.size = size;
            if let Some(node_id) = wish.node_id.filter(|&node_id| node_id >= size) {
                let message = format!(
                    "expected a node ID from 0 to {}, because space {:?} has {size} node IDs, found {node_id}",
                    size - 1,
                    self.space
                );
                return Err(Attempt::Failed(join_config(message)));
            }
        }
        let swap = self.process.take(&snapshot.records, now, wish).map_err(|refusal| match refusal {
            Refusal::NoFleet => Attempt::Failed(self.no_fleet("")),
            Refusal::Sizes(sizes) => {
                let message = sizes_differ(&self.space, &sizes);
                Attempt::Failed(JoinError::new(JoinErrorKind::Size, message))
            }
            Refusal::ClockAhead { by } => {
                let error = JoinError::new(JoinErrorKind::ClockAhead, self.ahead(by));
                // Without a time of the store, other processes are asked, which takes a while.
                if snapshot.time.is_some() { Attempt::Failed(error) } else { Attempt::Wait(error) }
            }
            Refusal::Restart { node_id, until } => {
                let shown = rfc3339(until.saturating_mul(1000));
                let message = format!(
                    "node ID {node_id} is held by the name of this process until {shown}: wait until then, or give each process a name of its own"
                );
                Attempt::Restart(node_id, until, JoinError::new(JoinErrorKind::Taken, message))
            }
            Refusal::Taken => Attempt::Wait(self.taken(&snapshot.records, now.judge(), wish.node_id)),
        })?;
        match self.swap(&swap) {
            Ok(true) => {
                // The first write can show that this process sees a copy of the store.
                let snapshot = self.look()?;
                if self.has_node_id(&snapshot) {
                    return Ok(());
                }
                let record = snapshot.records.get(&swap.node_id);
                let error = self.lost(swap.node_id, swap.next.until, record);
                Err(Attempt::Wait(JoinError::store(error)))
            }
            Ok(false) => Err(Attempt::Raced),
            Err(error) => Err(self.failed(error)),
        }
    }

    /// The error of a process that finds no fleet.
    fn no_fleet(&self, why: &str) -> JoinError {
        let message = format!(
            "there is no fleet in space {:?} of {}{why}. If the place is right, create the fleet once: sortid nodes init, or \
             sortid_fleet::init",
            self.space,
            self.store.location()
        );
        JoinError::new(JoinErrorKind::NoFleet, message)
    }

    /// Why no node ID could be taken.
    fn taken(&self, records: &BTreeMap<u32, Record>, now: Millis, wanted: Option<u32>) -> JoinError {
        let is_wanted = |node_id: &u32| wanted.is_none_or(|wanted| wanted == *node_id);
        let free: Vec<_> = (0..self.size)
            .filter(is_wanted)
            .filter(|node_id| records.get(node_id).is_none_or(|record| record.is_free(now)))
            .collect();
        let space = &self.space;
        let which = match wanted {
            Some(node_id) => format!("node ID {node_id} of space {space:?}"),
            None if self.size == 1 => format!("the only node ID of space {space:?}"),
            None => format!("all {} node IDs of space {space:?}", self.size),
        };
        let is = if wanted.is_some() || self.size == 1 { "is" } else { "are" };
        if let Some(until) = free.iter().filter_map(|node_id| Some(records.get(node_id)?.until)).min() {
            let until = rfc3339(until.saturating_mul(1000));
            // Of several node IDs, the held ones do not matter.
            let which =
                if wanted.is_some() { which } else { format!("each free node ID of space {space:?}") };
            return JoinError::new(
                JoinErrorKind::ClockBehind,
                format!(
                    "{which} is reserved until {until} or later, by a repair or by a clock that was ahead, and this clock reads {}: wait until then, or correct this clock if it is behind",
                    rfc3339(self.clocks.clock().saturating_mul(1000))
                ),
            );
        }
        let held: BTreeMap<_, _> = records
            .iter()
            .filter(|&(node_id, _)| is_wanted(node_id))
            .map(|(&node_id, record)| (node_id, record.clone()))
            .collect();
        let who = holders(&held);
        JoinError::new(
            JoinErrorKind::Taken,
            format!(
                "{which} {is} taken: {who}. Wait longer: the node ID of a process that is gone can be taken when its reservation ends"
            ),
        )
    }

    /// An error of the store while the process joins.
    fn failed(&mut self, error: StoreError) -> Attempt {
        self.failures += 1;
        let is_temporary = error.kind() == StoreErrorKind::Unavailable;
        let error = JoinError::store(error);
        if is_temporary { Attempt::Wait(error) } else { Attempt::Failed(error) }
    }

    fn read(&self) -> Result<Snapshot, StoreError> {
        guarded(|| self.store.read(&self.space))
    }

    /// Carries out a swap. If its outcome is not known, reads the record.
    fn swap(&mut self, swap: &Swap) -> Result<bool, StoreError> {
        let Swap { node_id, expected, next } = swap;
        let asked = self.clocks.clock();
        let answer = guarded(|| self.store.swap(&self.space, *node_id, expected.as_ref(), next));
        if let Ok(answer) = &answer {
            self.clocks.learn(answer.time, asked);
            self.process.answered(swap, answer.swapped);
            if answer.swapped {
                self.pending.clear();
                return Ok(true);
            }
        }
        if answer.is_err() {
            self.pending.push(next.until);
        }
        let asked = self.clocks.clock();
        let snapshot = self.read()?;
        self.clocks.learn(snapshot.time, asked);
        if let Some(damage) = snapshot.damaged.get(node_id) {
            return Err(StoreError::new(StoreErrorKind::Shape, damage.as_str()));
        }
        let record = snapshot.records.get(node_id);
        if self.process.node_id().is_some() && !self.is_own(record, swap) {
            if !self.may_be_released {
                let end = expected.as_ref().map_or(0, |record| record.until);
                return Err(self.lost(*node_id, end, record));
            }
            self.process.seen(*node_id, None);
        }
        self.may_be_released |= answer.is_err() && next.holder.is_none();
        self.process.seen(*node_id, record);
        let is_done = if next.holder.is_some() {
            self.process.is_holding() && self.process.window().end >= next.until
        } else {
            self.process.node_id().is_none()
        };
        match answer {
            Err(error) if !is_done => Err(error),
            // If another process had been faster, the record would be another.
            Ok(_) if !is_done && record == expected.as_ref() => Err(StoreError::new(
                StoreErrorKind::Unavailable,
                format!(
                    "the store did not replace the record of node ID {node_id} of space {:?}, and nobody else did: something \
                     keeps it as it is, such as a trigger or a rule of its table. Remove that",
                    self.space
                ),
            )),
            _ => Ok(is_done),
        }
    }

    /// Whether a record is the one that this process expected, or one of its swaps whose answer was lost. Another one
    /// with the same holder was written by a copy of this process, such as a virtual machine that was cloned, or the
    /// store went back to an older state.
    fn is_own(&self, record: Option<&Record>, swap: &Swap) -> bool {
        let is_proposed = |record: &Record| {
            record.generation == swap.next.generation
                && self.pending.contains(&record.until)
                && (record.holder == swap.next.holder
                    || record.holder.as_ref() == Some(self.process.holder()))
        };
        record == swap.expected.as_ref() || record.is_some_and(is_proposed)
    }

    /// Notes that the process does not have its node ID any more, and returns why. `end` is the end of its reservation.
    fn lost(&mut self, node_id: u32, end: Millis, record: Option<&Record>) -> StoreError {
        let has_ended = self.clocks.peek().judge() >= end;
        let repaired = self.process.generation().map(|it| it.saturating_add(LOST_GENERATIONS));
        self.process.lose();
        let ended = format!(
            "the reservation ended at {} and was not renewed before, as after a pause of this process",
            rfc3339(end.saturating_mul(1000))
        );
        let why = match record {
            None => "its record is not in the store any more. If the store lost it, run sortid nodes repair".to_owned(),
            Some(Record { holder: None, generation, .. }) if Some(*generation) >= repaired => {
                "an administrator repaired the space".to_owned()
            }
            Some(Record { holder: None, .. }) if has_ended => {
                format!("{ended}. Since then, another process had it and released it, or an administrator freed it")
            }
            Some(Record { holder: None, .. }) => "an administrator freed it".to_owned(),
            Some(Record { holder: Some(holder), .. }) if *holder == *self.process.holder() => {
                "a copy of this process has it, too, or the store went back to an older state. If it did, run sortid nodes \
                 repair"
                    .to_owned()
            }
            Some(Record { holder: Some(holder), .. }) if has_ended => {
                format!("{} has it: {ended}", holder.name.escape_debug())
            }
            Some(Record { holder: Some(holder), .. }) => format!(
                "{} has it: an administrator freed it, or the store lost its record",
                holder.name.escape_debug()
            ),
        };
        lost(format!("this process has lost node ID {node_id} of space {:?}: {why}", self.space))
    }

    /// Tells the user what happened.
    fn tell(&self, inner: &Inner, kind: EventKind) {
        let event = Event { kind, space: self.space.clone(), status: inner.status() };
        #[cfg(feature = "tracing")]
        caught(|| event.trace());
        caught(|| (self.on_event)(&event));
    }

    /// Ends a node ID that is lost, answers who asked for its release, and tells the user.
    fn lose(&self, inner: &Inner, why: String, asked: Option<Promise<Result<(), StoreError>>>) {
        // What is reserved would still be unique, unless the store lost records. Nobody knows which it is.
        inner.fence.end();
        lock(&inner.slots).close();
        let mut status = lock(&inner.status);
        status.state = Some(NodeState::Lost);
        status.failures += 1;
        status.last_error = Some(why.clone());
        drop(status);
        // The user's function may wait for a thread that asked for the release, so it comes last.
        if let Some(promise) = asked.or_else(|| lock(&inner.command).take()) {
            promise.keep(Err(lost(why.clone())));
        }
        self.tell(inner, EventKind::Lost);
        caught(|| (self.on_lost)(&lost(why)));
    }

    /// Notes that this thread cannot go on: a method of the user's clock panicked, for example.
    fn panicked(&mut self) -> String {
        self.process.lose();
        format!(
            "this process gives up node ID {} of space {:?}: the thread that renews it panicked, see its message. Another \
             process can take the node ID when the reservation ends",
            self.process.node_id().unwrap_or(0),
            self.space
        )
    }

    /// What the users of the node ID share with this thread.
    fn inner(&self) -> Arc<Inner> {
        let window = self.process.window();
        let fence = Arc::new(Fence::new(RENEWAL_PATIENCE).waiting_if(|fence| !is_keeper(fence)));
        fence.raise(window.end.saturating_mul(1000));
        let status = Observed {
            failures: self.failures,
            skew: self.clocks.skew(),
            warning: guarded(|| Ok(self.store.warning())).unwrap_or_default(),
            ..Observed::default()
        };
        let (clock, entropy) = (self.clock.clone(), self.entropy.clone());
        let own =
            Arc::new(Core::from_parts(Fenced::new(Own, Arc::clone(&fence)), clock.clone(), entropy.clone()));
        let slots = vec![Slot { spec: "", ids: Some(Arc::clone(&own) as _), after_last: None }];
        Arc::new(Inner {
            node_id: self.process.node_id().unwrap_or(0),
            size: self.size,
            generation: self.process.generation().unwrap_or(0),
            floor: window.start,
            process: process(),
            fence,
            clock,
            entropy,
            slots: Mutex::new(Slots { slots, is_closed: false }),
            own,
            status: Mutex::new(status),
            command: Mutex::new(None),
            commanded: Condvar::new(),
        })
    }

    /// Renews the reservation until it is released or lost.
    fn keep(&mut self, inner: &Inner) {
        let mut pause = Pause::new(inner.generation);
        let mut wait = Duration::ZERO;
        loop {
            let command = lock(&inner.command);
            let (mut command, _) = inner
                .commanded
                .wait_timeout_while(command, wait, |command| command.is_none())
                .unwrap_or_else(PoisonError::into_inner);
            if let Some(promise) = command.take() {
                lock(&inner.status).is_over = true;
                drop(command);
                self.end(inner, promise);
                return;
            }
            drop(command);
            let outcome = caught(|| self.renew(inner)).unwrap_or_else(|| Err(self.panicked()));
            if self.process.is_lost() {
                self.lose(inner, outcome.err().unwrap_or_default(), None);
                return;
            }
            wait = match outcome {
                Ok(()) => {
                    pause.reset();
                    LOOK.min(self.window / 12)
                }
                Err(message) => {
                    let mut status = lock(&inner.status);
                    status.failures += 1;
                    let is_first = status.last_error.replace(message).is_none();
                    drop(status);
                    if is_first {
                        self.tell(inner, EventKind::Failed);
                    }
                    pause.next().min(self.window / 6)
                }
            };
        }
    }

    /// Releases the node ID, or finds that it is lost.
    fn end(&mut self, inner: &Inner, promise: Promise<Result<(), StoreError>>) {
        lock(&inner.status).state = Some(NodeState::Released);
        match caught(|| self.release(inner)).unwrap_or_else(|| Err(lost(self.panicked()))) {
            Err(error) if self.process.is_lost() => self.lose(inner, error.to_string(), Some(promise)),
            outcome => {
                lock(&inner.status).last_error = outcome.as_ref().err().map(ToString::to_string);
                self.tell(inner, EventKind::Released);
                drop(promise.keep(outcome));
            }
        }
    }

    /// Raises `until`, if a third of the window has passed.
    fn renew(&mut self, inner: &Inner) -> Result<(), String> {
        let end = self.process.window().end;
        let now = self
            .clocks
            .now(end, || guarded(|| self.store.read(&self.space)))
            .map_err(|error| error.to_string())?;
        let third = duration(self.window / 3);
        if let Some(swap) = self.process.raise(now).filter(|swap| swap.next.until - end >= third) {
            let outcome = self.swap(&swap);
            let is_renewed = matches!(outcome, Ok(true));
            let mut status = lock(&inner.status);
            status.skew = self.clocks.skew();
            let has_failed = is_renewed && status.last_error.take().is_some();
            status.renewals += u64::from(is_renewed);
            drop(status);
            inner.fence.raise(self.process.window().end.saturating_mul(1000));
            let is_late = now.clock.saturating_add(duration(self.window) / 3) > end;
            if has_failed {
                self.tell(inner, EventKind::Recovered);
            } else if is_renewed && is_late {
                self.tell(inner, EventKind::RenewedLate);
            }
            let is_skewed = self.clocks.skew().is_some_and(|skew| skew.unsigned_abs() >= SKEW);
            let was_skewed = mem::replace(&mut self.is_skewed, is_skewed);
            if is_skewed && !was_skewed {
                self.tell(inner, EventKind::Skewed);
            }
            outcome.map_err(|error| error.to_string())?;
        }
        let now = self.clocks.peek();
        if now.clock >= self.process.window().end && now.is_ahead() {
            return Err(self.ahead(now.clock - now.judge()));
        }
        Ok(())
    }

    /// Why a clock that is ahead makes no IDs.
    fn ahead(&self, by: Millis) -> String {
        let most = seconds(duration(self.window) + ALLOWANCE);
        format!(
            "the clock is {} ahead of the store's, expected at most {most}: correct the clock",
            seconds(by)
        )
    }

    /// Ends the generators, and frees the node ID.
    fn release(&mut self, inner: &Inner) -> Result<(), StoreError> {
        inner.fence.end();
        let after_last = lock(&inner.slots).close().map(|micros| micros.div_ceil(1000));
        // Sooner than a caller gives up, so that it gets the error of the store.
        let deadline = Instant::now() + RELEASE_PATIENCE * 4 / 5;
        let mut pause = Pause::new(inner.generation);
        while let Some(swap) = self.process.release(after_last) {
            let error = match self.swap(&swap) {
                Ok(true) => return Ok(()),
                Ok(false) => None,
                Err(error) => Some(error),
            };
            match error {
                Some(error) if error.kind() != StoreErrorKind::Unavailable => return Err(error),
                error if Instant::now() >= deadline => return Err(error.unwrap_or_else(no_answer)),
                _ => {}
            }
            thread::sleep(pause.next());
        }
        Ok(())
    }
}

/// Why a process has no node ID yet.
enum Attempt {
    /// Trying again does not help.
    Failed(JoinError),
    /// Another process took the node ID first.
    Raced,
    /// A node ID whose holder has its name may be its own.
    Restart(u32, Millis, JoinError),
    /// Trying again may help.
    Wait(JoinError),
}

/// Why no process can join a space whose records have these sizes.
pub(crate) fn sizes_differ(space: &str, sizes: &BTreeSet<u32>) -> String {
    let sizes: Vec<_> = sizes.iter().map(ToString::to_string).collect();
    format!(
        "the records of space {space:?} differ in the size of the space, or it is not 1 to {MAX_SIZE}: found {}. A repair \
         was interrupted, or two processes of an older version created the space. Decide the size: sortid nodes repair \
         --size N",
        sizes.join(", ")
    )
}

/// Calls a store. A panic of the store must not end the thread that renews.
fn guarded<T>(call: impl FnOnce() -> Result<T, StoreError>) -> Result<T, StoreError> {
    caught(call).unwrap_or_else(|| {
        Err(StoreError::new(StoreErrorKind::Unavailable, "the store panicked: see its message"))
    })
}

/// Returns `None` if the call panics.
fn caught<T>(call: impl FnOnce() -> T) -> Option<T> {
    // What a panic leaves is not dropped, because its drop can panic, too.
    catch_unwind(AssertUnwindSafe(call)).map_err(mem::forget).ok()
}

/// A duration for a message.
fn seconds(millis: Millis) -> String {
    format!("{}.{:03} s", millis / 1000, millis % 1000)
}

#[cfg(test)]
mod tests {
    use super::{Member, promise};
    use crate::{Fleet, init, testing::MemoryStore};
    use std::time::Duration;

    #[test]
    fn a_clock_that_is_ahead_is_no_failure_before_the_end_of_the_reservation() {
        let store = MemoryStore::new();
        init(&store, "default", 1).unwrap();
        let fleet = Fleet::new(store).window(Duration::from_secs(600)).unwrap();
        let (promise, _outcome) = promise();
        let mut member = Member::join(fleet, None, &promise).ok().unwrap();
        let inner = member.inner();
        let now = member.clocks.clock();
        member.clocks.learn(Some(now - 3_600_000), now);
        assert_eq!(member.renew(&inner), Ok(()));
    }
}
