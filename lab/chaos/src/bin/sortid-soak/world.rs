//! What the threads of the soak share.

use crate::{
    Result,
    clock::SteppedClock,
    record::Record,
    source::{Ids, InChild, Key, Source, lock, options},
    store::Unreliable,
};
use sortid::Spec;
use sortid_core::{Generator, ThreadEntropy};
use std::sync::{
    Arc, Mutex,
    atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
};

/// The place of the generators without a reservation.
const FREE: usize = 0;

/// The place of the generators below a fence of this program.
pub(crate) const STEPPED: usize = 1;

/// The first place of the generators of a node. There are as many nodes as places from here on.
pub(crate) const NODES: usize = 2;

/// The number of nodes that this process has at the same time.
pub(crate) const MOST_NODES: usize = 3;

/// What happened.
#[derive(Default)]
pub(crate) struct Counts {
    pub(crate) threads: AtomicU64,
    pub(crate) forks: AtomicU64,
    pub(crate) ids_of_children: AtomicU64,
    pub(crate) joins_of_children: AtomicU64,
    pub(crate) joins: AtomicU64,
    pub(crate) renewals: AtomicU64,
    pub(crate) losses: AtomicU64,
    pub(crate) outages: AtomicU64,
    /// Reservations of this program.
    pub(crate) reservations: AtomicU64,
    /// Calls that returned an error of a generator, as they should.
    pub(crate) refusals: AtomicU64,
}

pub(crate) struct World {
    pub(crate) clock: &'static SteppedClock,
    pub(crate) store: Arc<Unreliable>,
    pub(crate) counts: Counts,
    sources: Mutex<[Vec<Arc<Source>>; NODES + MOST_NODES]>,
    pub(crate) record: Mutex<Record>,
    is_over: Arc<AtomicBool>,
    broken: Mutex<Vec<String>>,
}

impl World {
    pub(crate) fn new(store: Arc<Unreliable>, record: Record, is_over: Arc<AtomicBool>) -> Result<Self> {
        let clock: &SteppedClock = Box::leak(Box::default());
        let world = Self {
            clock,
            store,
            counts: Counts::default(),
            sources: Mutex::default(),
            record: Mutex::new(record),
            is_over,
            broken: Mutex::default(),
        };
        world.publish(FREE, free(clock)?);
        Ok(world)
    }

    pub(crate) fn is_over(&self) -> bool {
        self.is_over.load(Relaxed)
    }

    pub(crate) fn end(&self) {
        self.is_over.store(true, Relaxed);
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
        let before = std::mem::replace(&mut lock(&self.sources)[place], sources);
        drop(before);
    }

    pub(crate) fn sources(&self) -> Vec<Arc<Source>> {
        lock(&self.sources).concat()
    }

    pub(crate) fn write(&self, keys: &[Key]) -> Result {
        lock(&self.record).write(keys)
    }
}

/// Generators without a reservation. There are no Ulid-Flakes: only 20 of their bits are random, so the generator of a
/// forked child repeats some IDs of its parent.
fn free(clock: &'static SteppedClock) -> Result<Vec<Arc<Source>>> {
    let specs = Spec::ALL.iter().filter(|spec| **spec != Spec::UlidFlake);
    specs
        .map(|&spec| {
            let in_child = match spec {
                Spec::EventlyId | Spec::RonUid => InChild::Refuses,
                _ => InChild::Continues,
            };
            let ids = Generator::from_parts(options(spec)?, clock, ThreadEntropy);
            Ok(Source::new(spec, in_child, Ids::Free(ids)))
        })
        .collect()
}
