//! Reservations of this program, one after the other, whose generators have the clock that is set. In a real fleet, all
//! generators have the system's clock.

use crate::{
    Result,
    clock::SteppedClock,
    source::{InChild, Reserved, Source},
    store::SIZE,
    world::{self, ORIGIN, World},
};
use evently_id::LedgerId;
use fastrand::Rng;
use ron_uid::Base64x64;
use sortid_core::{
    Clock as _, Fence, Fenced, Generator, NodeOptions as _, Rules, SortableId, SystemClock, ThreadEntropy,
};
use std::{
    sync::{Arc, atomic::Ordering::Relaxed},
    thread,
    time::{Duration, Instant},
};

/// How far ahead of the time this program reserves.
const WINDOW: u64 = 1_000_000;

/// How long a call waits for the reservation to be renewed.
const PATIENCE: Duration = Duration::from_millis(50);

/// The node ID in the IDs of these reservations.
const NODE_ID: u32 = 5;

/// Holds one reservation after the other until the soak is over. Each begins at the bound of the one before.
pub(crate) fn run(world: &World, mut random: Rng) -> Result {
    let mut floor = 0;
    while !world.is_over() {
        let fence = Arc::new(Fence::new(PATIENCE));
        let sources = sources(&fence, floor, world.clock)?;
        world.publish(world::STEPPED, sources.clone());
        let begun = Instant::now();
        let stay = Duration::from_millis(random.u64(200..5000));
        while begun.elapsed() < stay && !world.is_over() {
            // By the right time, as a store does, and by whole milliseconds, so that each tick lies on one side of the bound.
            fence.raise((SystemClock.unix_micros().unwrap_or(0) / 1000 * 1000) + WINDOW);
            world.counts.renewals.fetch_add(1, Relaxed);
            // Sometimes the renewal is late, and the threads wait.
            thread::sleep(Duration::from_millis(if random.u8(0..10) == 0 { 1200 } else { 300 }));
        }
        // The threads are at work meanwhile.
        fence.end();
        for source in &sources {
            if source.ids.close().is_some_and(|after_last| after_last > fence.until().max(floor)) {
                return Err(format!("{}: an ID has a time after its reservation", source.name).into());
            }
        }
        floor = fence.until().max(floor);
        world.counts.reservations.fetch_add(1, Relaxed);
    }
    Ok(())
}

fn sources(fence: &Arc<Fence>, floor: u64, clock: &'static SteppedClock) -> Result<Vec<Arc<Source>>> {
    let origin = Base64x64::try_from_int(ORIGIN)?;
    Ok(vec![
        source(
            "SCRU160, reserved",
            16,
            scru160::Options::new().with_node_id(NODE_ID, SIZE)?,
            fence,
            floor,
            clock,
        )?,
        source("EUID, reserved", 17, euid::Options::new().with_node_id(NODE_ID, SIZE)?, fence, floor, clock)?,
        source(
            "Ulid-Flake, reserved",
            18,
            ulid_flake::Options::new().with_node_id(NODE_ID, SIZE)?,
            fence,
            floor,
            clock,
        )?,
        source(
            "RON UID, reserved",
            19,
            ron_uid::Options::new(origin).with_node_id(NODE_ID, SIZE)?,
            fence,
            floor,
            clock,
        )?,
        // The ledger is the number of an event.
        source("Event ID, reserved", 20, evently_id::Options::new(LedgerId::MIN), fence, floor, clock)?,
    ])
}

fn source<R>(
    name: &'static str,
    space: u8,
    rules: R,
    fence: &Arc<Fence>,
    floor: u64,
    clock: &'static SteppedClock,
) -> Result<Arc<Source>>
where
    R: Rules<Id: SortableId> + Send + Sync + 'static,
{
    let rules = Fenced::new(rules, Arc::clone(fence));
    let ids = Generator::fenced(rules, floor, clock, ThreadEntropy)?;
    Ok(Arc::new(Source::new(name, space, InChild::HasNoReservation, Reserved(ids))))
}
