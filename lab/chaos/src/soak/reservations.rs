//! Reservations of node IDs, one after the other, while other threads make IDs: those of this program, whose generators have
//! the clock that is set, and those of a real fleet in a directory, whose generators have the system's clock.

use super::{
    source::{Ids, Source},
    world::{self, World},
};
use crate::ids::SIZE;
use fastrand::Rng;
use sortid::Spec;
use sortid_core::{Clock as _, Fence, Fenced, Generator, NodeOptions as _, SystemClock, ThreadEntropy};
use sortid_fleet::{Fleet, Node, NodeState, Store};
use sortid_servers::shell::Result;
use std::{
    sync::Arc,
    thread,
    time::{Duration, Instant},
};

/// How far ahead of the time a reservation of this program ends, in microseconds.
const AHEAD: u64 = 1_000_000;

/// How long a call waits for the reservation to be renewed.
const PATIENCE: Duration = Duration::from_millis(50);

/// The node ID in the IDs of these reservations.
const NODE_ID: u32 = 5;

/// Holds one reservation of this program after the other. Each begins at the bound of the one before.
pub(super) fn of_this_program(world: &World, mut random: Rng) -> Result {
    let mut floor = 0;
    while !world.is_over() {
        let fence = Arc::new(Fence::new(PATIENCE));
        let sources = Source::of_all(Spec::ALL, |spec, options| {
            // The ledger is the number of an event.
            let options =
                if spec == Spec::EventlyId { options } else { options.with_node_id(NODE_ID, SIZE)? };
            let fenced = Fenced::new(options, Arc::clone(&fence));
            Ok(Ids::Reserved(Generator::fenced(fenced, floor, world.clock, ThreadEntropy)?))
        })?;
        world.publish(world::STEPPED, sources.clone());
        let begun = Instant::now();
        let stay = Duration::from_millis(random.u64(200..5000));
        while begun.elapsed() < stay && !world.is_over() {
            // By the right time, as a store does, and by whole milliseconds, so that each tick lies on one side of the bound.
            fence.raise((SystemClock.unix_micros().unwrap_or(0) / 1000 * 1000) + AHEAD);
            world.count("renewals", 1);
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
        world.count("reservations on the clock that steps, one after the other", 1);
    }
    Ok(())
}

/// The space of the fleet.
pub(super) const SPACE: &str = "soak";

const WINDOW: Duration = Duration::from_secs(2);

/// A fleet of this store, whose processes wait for a node ID as long as a window and a half.
pub(super) fn fleet(store: Arc<dyn Store>) -> Result<Fleet> {
    Ok(Fleet::new(store).space(SPACE)?.window(WINDOW)?.wait(WINDOW * 3 / 2))
}

/// Joins the fleet, and leaves in one of several ways, until the soak is over.
pub(super) fn of_a_fleet(world: &World, place: usize, mut random: Rng) -> Result {
    let fleet = fleet(Arc::clone(&world.store))?;
    while !world.is_over() {
        let Ok(node) = fleet.join() else { continue };
        world.count("node IDs of the fleet that the process took", 1);
        world.publish(place, sources(&node)?);
        let stay = Duration::from_millis(random.u64(300..8000));
        world.wait(stay, || node.status().state != NodeState::Holding);
        match random.u8(0..4) {
            // An administrator frees the node ID, and another holder takes it over.
            0 if sortid_fleet::release(&*world.store, SPACE, node.id()).is_ok() => {
                world.wait(WINDOW, || node.status().state == NodeState::Lost);
            }
            // The last thread that has one of the generators gives the node ID back.
            1 => world.publish(place, vec![]),
            _ => {}
        }
        let status = node.status();
        world.count("renewals", status.renewals);
        world.count("reservations that another one ended", (status.state == NodeState::Lost).into());
        if random.bool() {
            // If the store does not answer, the node ID is free when the reservation ends.
            let _ = node.release();
        }
    }
    Ok(())
}

/// The generators of a node: of all specifications but that of ledgers, whose IDs have no node ID.
pub(super) fn sources(node: &Node) -> Result<Vec<Arc<Source>>> {
    let specs = Spec::ALL.iter().filter(|spec| **spec != Spec::EventlyId);
    Source::of_all(specs, |_, options| Ok(Ids::OfFleet(node.generator(options)?)))
}
