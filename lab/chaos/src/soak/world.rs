//! What the threads of the soak share.

use super::{
    clock::SteppedClock,
    files::Files,
    report::COUNTED,
    source::{Ids, Source},
};
use crate::{ids::Key, lock};
use sortid::Spec;
use sortid_core::{Generator, ThreadEntropy};
use sortid_fleet::Store;
use sortid_servers::shell::Result;
use std::{
    collections::BTreeMap,
    mem,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    thread,
    time::{Duration, Instant},
};

/// The place of the generators without a reservation.
const FREE: usize = 0;

/// The place of the generators below a fence of this program.
pub(crate) const STEPPED: usize = 1;

/// The first place of the generators of a node. There are as many nodes as places from here on.
pub(crate) const NODES: usize = 2;

/// The number of nodes that this process has at the same time.
pub(crate) const MOST_NODES: usize = 3;

pub(crate) struct World {
    pub(crate) clock: &'static SteppedClock,
    /// The store of the fleet. It fails to answer from time to time.
    pub(crate) store: Arc<dyn Store>,
    /// How often something happened.
    counts: Mutex<BTreeMap<&'static str, u64>>,
    sources: Mutex<[Vec<Arc<Source>>; NODES + MOST_NODES]>,
    pub(crate) files: Mutex<Files>,
    is_over: Arc<AtomicBool>,
    broken: Mutex<Vec<String>>,
}

impl World {
    pub(crate) fn new(store: Arc<dyn Store>, files: Files, is_over: Arc<AtomicBool>) -> Result<Self> {
        let clock: &SteppedClock = Box::leak(Box::default());
        let world = Self {
            clock,
            store,
            counts: Mutex::default(),
            sources: Mutex::default(),
            files: Mutex::new(files),
            is_over,
            broken: Mutex::default(),
        };
        // There are no Ulid-Flakes without a reservation: only 20 of their bits are random, so the generator of a forked child
        // repeats some IDs of its parent.
        let specs = Spec::ALL.iter().filter(|spec| **spec != Spec::UlidFlake);
        let free = |_, options| Ok(Ids::Free(Generator::from_parts(options, clock, ThreadEntropy)));
        world.publish(FREE, Source::of_all(specs, free)?);
        Ok(world)
    }

    pub(crate) fn is_over(&self) -> bool {
        self.is_over.load(Relaxed)
    }

    pub(crate) fn end(&self) {
        self.is_over.store(true, Relaxed);
    }

    /// Counts what happened.
    pub(crate) fn count(&self, what: &'static str, times: u64) {
        debug_assert!(COUNTED.contains(&what), "{what} is not a row");
        *lock(&self.counts).entry(what).or_default() += times;
    }

    pub(crate) fn counted(&self, what: &str) -> u64 {
        lock(&self.counts).get(what).copied().unwrap_or_default()
    }

    /// Waits until this is done, the time has passed, or the soak is over.
    pub(crate) fn wait(&self, time: Duration, is_done: impl Fn() -> bool) {
        let begun = Instant::now();
        while begun.elapsed() < time && !is_done() && !self.is_over() {
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// A law is broken: the soak ends.
    pub(crate) fn broken(&self, law: String) {
        eprintln!("broken: {law}");
        lock(&self.broken).push(law);
        self.end();
    }

    pub(crate) fn laws_broken(&self) -> Vec<String> {
        lock(&self.broken).clone()
    }

    /// Puts generators in the place of earlier ones. Threads may still use the earlier ones.
    pub(crate) fn publish(&self, place: usize, sources: Vec<Arc<Source>>) {
        let before = mem::replace(&mut lock(&self.sources)[place], sources);
        drop(before);
    }

    pub(crate) fn sources(&self) -> Vec<Arc<Source>> {
        lock(&self.sources).concat()
    }

    pub(crate) fn write(&self, keys: &[Key]) -> Result {
        lock(&self.files).write(keys)
    }
}
