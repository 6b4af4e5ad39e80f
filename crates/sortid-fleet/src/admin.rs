//! What an administrator does to a space.

use crate::{
    Fleet, Millis, Record, Snapshot, Store, StoreError,
    StoreErrorKind::{Config, Missing, Shape, Unavailable},
    clock::duration,
    fleet::check_space,
    node::sizes_differ,
    protocol::{self, ALLOWANCE, MAX_SIZE, Refusal, UNDECIDED},
};
use sortid_core::{Clock as _, SystemClock};
use std::{collections::BTreeSet, time::Duration};

/// How many node IDs may fail before a repair gives up.
const MOST_FAILURES: usize = 10;

/// How often an administrator's swap is tried again, while holders renew.
const ATTEMPTS: usize = 100;

/// What [`init`] found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Init {
    /// There was no fleet. Now there is one.
    Begun,
    /// The fleet is there, with this size.
    Existed,
}

/// Creates a fleet in a space of a store, with the node IDs `0..size`. It can be repeated: it does not change a fleet that
/// exists.
///
/// An operator calls it once, or a job of its own does. No process creates a fleet by joining, so a wrong path, a wrong
/// table or an unmounted volume cannot create a second fleet, which would repeat the IDs of the first. For the same reason,
/// do not call it where a service starts.
///
/// If a store lost all its records, end all processes of the fleet, create it again with the same size, and then
/// [`Repair`] it: without a repair, a process whose clock is behind could repeat IDs.
///
/// ```
/// use sortid_fleet::{Init, init, testing::MemoryStore};
///
/// let store = MemoryStore::new();
/// assert_eq!(init(&store, "orders", 32)?, Init::Begun);
/// assert_eq!(init(&store, "orders", 32)?, Init::Existed);
/// assert!(init(&store, "orders", 64).is_err());
/// # Ok::<(), sortid_fleet::StoreError>(())
/// ```
///
/// # Errors
///
/// `Config`, and nothing is changed, if the name of the space is wrong, if the size is not 1 to
/// [`MAX_SIZE`](Fleet::MAX_SIZE), or if the fleet is there with another size. `Shape` if records are damaged. If the
/// store does not answer, the fleet may have been created: repeat the call.
pub fn init(store: &dyn Store, space: &str, size: u32) -> Result<Init, StoreError> {
    check_space(space).map_err(config)?;
    check_size(size)?;
    for _ in 0..ATTEMPTS {
        let found = match size_of(store, space) {
            Err(error) if error.kind() == Missing => None,
            found => found?,
        };
        if let Some(found) = found {
            if found == size {
                return Ok(Init::Existed);
            }
            return Err(config(format!(
                "space {space:?} of {} has a fleet of {found} node IDs, expected {size}. A fleet keeps its size: leave the \
                 size out, or change it with sortid nodes repair --size {size}. Another space is another fleet, which \
                 can make the same IDs",
                store.location()
            )));
        }
        store.prepare(space)?;
        // One swap of one record settles the size, whoever else tries.
        if store.swap(space, 0, None, &Record::beginning(size))?.swapped {
            return Ok(Init::Begun);
        }
    }
    Err(busy(0))
}

/// Returns how many node IDs a space has; `None` if there is no fleet.
///
/// # Errors
///
/// `Missing` if there is no place for records. `Shape` if a record is damaged, or the records differ in the size. If the
/// store does not answer.
pub fn size_of(store: &dyn Store, space: &str) -> Result<Option<u32>, StoreError> {
    let Snapshot { records, damaged, .. } = store.read(space)?;
    if let Some(damage) = damaged.into_values().next() {
        return Err(StoreError::new(Shape, damage));
    }
    match protocol::size(&records) {
        Ok(size) => Ok(Some(size)),
        Err(Refusal::Sizes(sizes)) => Err(StoreError::new(Shape, sizes_differ(space, &sizes))),
        Err(_) => Ok(None),
    }
}

/// Takes a node ID away from its holder, such as a process that is gone.
///
/// `until` stays. Another process can take the node ID when `until` is at most 10 s ahead of its clock, and makes IDs
/// from `until` on. The old holder may use up what it has reserved, and cannot renew it.
///
/// Returns the record before; `None` if the node ID has no holder.
///
/// # Errors
///
/// If the store fails.
pub fn release(store: &dyn Store, space: &str, node_id: u32) -> Result<Option<Record>, StoreError> {
    for _ in 0..ATTEMPTS {
        let snapshot = store.read(space)?;
        let Some(record) = snapshot.records.get(&node_id).filter(|record| record.holder.is_some()) else {
            return Ok(None);
        };
        if store.swap(space, node_id, Some(record), &record.freed())?.swapped {
            return Ok(Some(record.clone()));
        }
    }
    Err(busy(node_id))
}

/// A repair of a space. It raises `until` of all node IDs above everything that was ever reserved, takes the node IDs
/// away from their holders, and decides the size.
///
/// Use it after the store lost acknowledged writes: a backup was restored, or a replica without the last writes became the
/// primary. It also replaces damaged records, and settles a space whose records differ in its size.
///
/// No reservation goes further than one window and 10 s beyond the store's time. So after this time, at most, the fleet is
/// as before, and until then no node ID is free. A repair that was interrupted is repeated.
///
/// ```
/// use sortid_fleet::{Repair, init, testing::MemoryStore};
/// use std::time::Duration;
///
/// let store = MemoryStore::new();
/// init(&store, "orders", 32)?;
/// let repair = Repair::plan(&store, "orders", None, Duration::from_secs(15))?;
/// assert_eq!(repair.size(), 32);
/// let until = repair.run(|done, of| println!("{done} of {of}"))?;
/// assert!(until >= repair.until());
/// # Ok::<(), sortid_fleet::StoreError>(())
/// ```
pub struct Repair<'a> {
    store: &'a dyn Store,
    space: &'a str,
    size: u32,
    /// Whether the size changes, or nobody knows whether it does.
    decides_size: bool,
    until: Millis,
    found: Snapshot,
}

impl<'a> Repair<'a> {
    /// Reads the space, and decides what a repair does. Changes nothing.
    ///
    /// `window` is the longest of the fleet; if you do not know it, [`Fleet::LONGEST_WINDOW`] is right. `size` is the size
    /// that the space gets; `None` keeps the size in the records.
    ///
    /// # Errors
    ///
    /// `Config` if the window or the size is out of range, if there is no fleet, or if the size is not
    /// known from the records. If the store does not answer.
    pub fn plan(
        store: &'a dyn Store,
        space: &'a str,
        size: Option<u32>,
        window: Duration,
    ) -> Result<Self, StoreError> {
        check_space(space).map_err(config)?;
        size.map_or(Ok(()), check_size)?;
        // A longer one would take the space out of use for longer than any reservation lasts.
        if !(Fleet::SHORTEST_WINDOW..=Fleet::LONGEST_WINDOW).contains(&window) {
            return Err(config(format!("window of the fleet: expected 1s to 600s, found {window:?}")));
        }
        let no_fleet = || {
            config(format!(
                "there is no fleet in space {space:?} of {}, so there is nothing to repair: check the place and the space. If \
                 the store lost all its records, end the processes of the fleet, create the fleet with sortid nodes init \
                 and the same size, and then repair it",
                store.location()
            ))
        };
        let found = match with_repair(store, |store| store.read(space)) {
            Err(error) if error.kind() == Missing => return Err(no_fleet()),
            found => found?,
        };
        let size = match (size, protocol::size(&found.records)) {
            (Some(size), Err(Refusal::NoFleet)) if !found.damaged.is_empty() => size,
            (_, Err(Refusal::NoFleet)) if found.damaged.is_empty() => return Err(no_fleet()),
            (Some(size), _) | (None, Ok(size)) => size,
            (None, Err(Refusal::Sizes(sizes))) => return Err(config(sizes_differ(space, &sizes))),
            (None, Err(_)) => {
                return Err(config(format!(
                    "space {space:?} of {} has no record that can be read, so its size is not known: add --size N",
                    store.location()
                )));
            }
        };
        let records = found.records.values();
        let decides_size = !found.damaged.is_empty() || records.clone().any(|record| record.size != size);
        let now = found.time.or_else(|| SystemClock.unix_millis()).unwrap_or(0);
        let mut until = now.saturating_add(duration(window)).saturating_add(ALLOWANCE);
        if decides_size {
            // In a space of another size, a node ID is other bits of the IDs. So one `until` is above the IDs of all node IDs.
            until = records.map(|record| record.until).fold(until, Millis::max);
        }
        Ok(Self { store, space, size, decides_size, until, found })
    }

    /// Returns how many node IDs the space will have.
    #[must_use]
    pub const fn size(&self) -> u32 {
        self.size
    }

    /// Returns the time until which no node ID is free. It can be later when the repair is done: processes renew until then.
    #[must_use]
    pub const fn until(&self) -> Millis {
        self.until
    }

    /// Returns what the store had when the repair was planned. Copies are among the records.
    #[must_use]
    pub const fn found(&self) -> &Snapshot {
        &self.found
    }

    /// Carries out the repair. `progress` learns how many records of how many are done.
    ///
    /// Returns the time until which no node ID is free.
    ///
    /// # Errors
    ///
    /// If the store fails for some node IDs. Then the others are repaired, the message names those that failed, and no
    /// process may join before a repair succeeds.
    pub fn run(&self, mut progress: impl FnMut(usize, usize)) -> Result<Millis, StoreError> {
        let Self { space, size, until, found, .. } = self;
        // A process that read the space before may still take a node ID that has no record, unless it gets one.
        let sizes = found.records.values().map(|record| record.size).filter(|&size| size <= MAX_SIZE);
        let mut all: BTreeSet<_> = (0..sizes.fold(*size, u32::max)).collect();
        all.extend(found.records.keys().chain(found.damaged.keys()));
        // A new size counts only when all holders are gone, and each `until` is above what they reserved meanwhile.
        let passes: &[u32] = if self.decides_size { &[UNDECIDED, *size] } else { &[*size] };
        with_repair(self.store, |store| {
            let (mut until, mut records) = (*until, found.records.clone());
            for (pass, &size) in passes.iter().enumerate() {
                let (mut failures, mut reached) = (Vec::new(), until);
                for (index, &node_id) in all.iter().enumerate() {
                    match repair_one(store, space, node_id, records.remove(&node_id), size, until) {
                        Ok(repaired) => {
                            reached = reached.max(repaired.until);
                            records.insert(node_id, repaired);
                        }
                        Err(error) => failures.push((node_id, error)),
                    }
                    // A store that is down fails for each node ID, and may take seconds to do so.
                    if failures.len() == MOST_FAILURES {
                        break;
                    }
                    progress(pass * all.len() + index + 1, passes.len() * all.len());
                }
                if let Some(error) = failed(space, &failures) {
                    return Err(error);
                }
                until = reached;
            }
            Ok(until)
        })
    }
}

/// Calls `work` with the store as a repair uses it.
fn with_repair<T>(
    store: &dyn Store,
    work: impl FnOnce(&dyn Store) -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    match store.for_repair() {
        Some(store) => work(&*store),
        None => work(store),
    }
}

/// The error of a repair that failed for some node IDs.
fn failed(space: &str, failures: &[(u32, StoreError)]) -> Option<StoreError> {
    let (_, first) = failures.first()?;
    let node_ids: Vec<_> = failures.iter().map(|(node_id, _)| node_id.to_string()).collect();
    let more = if failures.len() == MOST_FAILURES { " and maybe more" } else { "" };
    let message = format!(
        "space {space:?} is not repaired: node ID {}{more} failed: {first}. No process may join before a repair succeeds: \
         repeat it",
        node_ids.join(", ")
    );
    Some(StoreError::new(first.kind(), message))
}

fn repair_one(
    store: &dyn Store,
    space: &str,
    node_id: u32,
    mut old: Option<Record>,
    size: u32,
    until: Millis,
) -> Result<Record, StoreError> {
    for _ in 0..ATTEMPTS {
        let next = Record::repaired(old.as_ref(), size, until);
        if store.swap(space, node_id, old.as_ref(), &next)?.swapped {
            return Ok(next);
        }
        old = store.read(space)?.records.remove(&node_id);
    }
    Err(busy(node_id))
}

fn config(message: String) -> StoreError {
    StoreError::new(Config, message)
}

fn check_size(size: u32) -> Result<(), StoreError> {
    if (1..=MAX_SIZE).contains(&size) {
        return Ok(());
    }
    Err(config(format!("size of the space: expected 1 to {MAX_SIZE}, found {size}")))
}

fn busy(node_id: u32) -> StoreError {
    StoreError::new(
        Unavailable,
        format!(
            "the store did not replace the record of node ID {node_id} in {ATTEMPTS} attempts: others change it all the time, or \
             something keeps it as it is, such as a trigger or a rule of its table"
        ),
    )
}
