//! Reservations of this program, one after the other, whose generators have the clock that is set. In a real fleet, all
//! generators have the system's clock.

use crate::{
    Result,
    clock::SteppedClock,
    source::{Ids, InChild, Source, options},
    store::SIZE,
    world::{self, World},
};
use fastrand::Rng;
use sortid::Spec;
use sortid_core::{Clock as _, Fence, Fenced, Generator, NodeOptions as _, SystemClock, ThreadEntropy};
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
    let sources = Spec::ALL.iter().map(|&spec| {
        let options = match spec {
            // The ledger is the number of an event.
            Spec::EventlyId => options(spec)?,
            _ => options(spec)?.with_node_id(NODE_ID, SIZE)?,
        };
        let ids = Generator::fenced(Fenced::new(options, Arc::clone(fence)), floor, clock, ThreadEntropy)?;
        Ok(Source::new(spec, InChild::HasNoReservation, Ids::Reserved(ids)))
    });
    sources.collect()
}
