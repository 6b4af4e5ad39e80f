//! What an administrator does to a space.

use crate::{
    Fleet, Millis, Record, Store, StoreError, StoreErrorKind,
    clock::{clock, duration},
    protocol::ALLOWANCE,
};
use std::{collections::BTreeMap, time::Duration};

/// How many numbers may fail before a repair gives up.
const MOST_FAILURES: usize = 10;

/// How often an administrator's swap is tried again, while holders renew.
const ATTEMPTS: usize = 100;

/// Takes a number away from its holder, such as a process that is gone.
///
/// The bound stays. Another process can take the number when the bound is at most 10 s ahead of its clock, and makes IDs
/// from the bound on. The old holder may use up what it has reserved, and cannot renew it.
///
/// Returns the record before; `None` if the number has no holder.
///
/// # Errors
///
/// If the store fails.
pub fn release(store: &dyn Store, space: &str, number: u32) -> Result<Option<Record>, StoreError> {
    for _ in 0..ATTEMPTS {
        let snapshot = store.read(space)?;
        let Some(record) = snapshot.records.get(&number).filter(|record| record.holder.is_some()) else {
            return Ok(None);
        };
        if store.swap(space, number, Some(record), &record.freed())?.swapped {
            return Ok(Some(record.clone()));
        }
    }
    Err(busy(number))
}

/// Raises the bounds of all numbers above everything that was ever reserved, and takes them away from their holders. Call
/// it after the store lost acknowledged writes: a backup was restored, or a replica without the last writes became the
/// primary.
///
/// No reservation goes further than one window and 10 s beyond the store's time. So after this time, at most, the fleet is
/// as before, and until then no number is free. `window` is the longest of the fleet; if you do not know it,
/// [`Fleet::LONGEST_WINDOW`] is right. `size` is that of the space, if the store has no record of it.
///
/// Returns the records of the space.
///
/// # Errors
///
/// If the window is not one of a fleet, or the size is unknown or another one. If the store fails for some numbers: then the
/// others are repaired, the message names those that failed, and no process may join before a repair succeeds.
pub fn repair(
    store: &dyn Store,
    space: &str,
    size: Option<u32>,
    window: Duration,
) -> Result<BTreeMap<u32, Record>, StoreError> {
    // A longer one would take the space out of use for longer than any reservation lasts.
    if !(Fleet::SHORTEST_WINDOW..=Fleet::LONGEST_WINDOW).contains(&window) {
        let message = format!("window of the fleet: expected 1s to 600s, found {window:?}");
        return Err(StoreError::new(StoreErrorKind::Config, message));
    }
    let for_repair = store.for_repair();
    let store = for_repair.as_deref().unwrap_or(store);
    let snapshot = store.read(space)?;
    let known = snapshot.records.values().map(|record| record.size).max();
    let size = match (known, size) {
        (Some(known), Some(size)) if known != size => {
            return Err(StoreError::new(
                StoreErrorKind::Config,
                format!(
                    "space {space:?} has {known} numbers, found {size}: leave the size out. Another space is another fleet, which can make the same IDs"
                ),
            ));
        }
        (Some(size), _) | (None, Some(size)) if (1..=Fleet::MOST_NUMBERS).contains(&size) => size,
        (None, None) => {
            return Err(StoreError::new(
                StoreErrorKind::Config,
                format!(
                    "the store has no record of space {space:?}: check the name, or give the size of the space if the store lost its records"
                ),
            ));
        }
        (_, _) => {
            return Err(StoreError::new(
                StoreErrorKind::Config,
                format!(
                    "numbers of the fleet: expected 1 to {}, found {}",
                    Fleet::MOST_NUMBERS,
                    size.or(known).unwrap_or(0)
                ),
            ));
        }
    };
    let now = snapshot.time.unwrap_or_else(clock);
    let bound = now.saturating_add(duration(window)).saturating_add(ALLOWANCE);
    let mut records = snapshot.records;
    let mut failures = Vec::new();
    for number in 0..size {
        match repair_one(store, space, number, records.remove(&number), size, bound) {
            Ok(repaired) => drop(records.insert(number, repaired)),
            Err(error) => failures.push((number, error)),
        }
        // A store that is down fails for each number, and may take seconds to do so.
        if failures.len() == MOST_FAILURES {
            break;
        }
    }
    let Some((_, first)) = failures.first() else { return Ok(records) };
    let numbers: Vec<_> = failures.iter().map(|(number, _)| number.to_string()).collect();
    let more = if failures.len() == MOST_FAILURES { " and maybe more" } else { "" };
    let message = format!(
        "space {space:?} is not repaired: number {}{more} failed: {first}. No process may join before a repair succeeds: \
         repeat it",
        numbers.join(", ")
    );
    Err(StoreError::new(first.kind(), message))
}

fn repair_one(
    store: &dyn Store,
    space: &str,
    number: u32,
    mut old: Option<Record>,
    size: u32,
    bound: Millis,
) -> Result<Record, StoreError> {
    for _ in 0..ATTEMPTS {
        let next = Record::repaired(old.as_ref(), size, bound);
        if store.swap(space, number, old.as_ref(), &next)?.swapped {
            return Ok(next);
        }
        old = store.read(space)?.records.remove(&number);
    }
    Err(busy(number))
}

fn busy(number: u32) -> StoreError {
    StoreError::new(
        StoreErrorKind::Unavailable,
        format!("the record of number {number} changed {ATTEMPTS} times meanwhile: try again"),
    )
}
