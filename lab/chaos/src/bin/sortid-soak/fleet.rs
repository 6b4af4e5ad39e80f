//! Node IDs of a real fleet, in a directory, with the system's clock.

use crate::{
    Result,
    source::{Ids, InChild, Source, options},
    store::SPACE,
    world::World,
};
use fastrand::Rng;
use sortid::Spec;
use sortid_fleet::{Fleet, Node, NodeState, Store};
use std::{
    sync::{Arc, atomic::Ordering::Relaxed},
    thread,
    time::{Duration, Instant},
};

const WINDOW: Duration = Duration::from_secs(2);

/// A fleet of this store, whose processes wait for a node ID as long as a window and a half.
pub(crate) fn fleet(store: Arc<dyn Store>) -> Result<Fleet> {
    Ok(Fleet::new(store).space(SPACE)?.window(WINDOW)?.wait(WINDOW * 3 / 2))
}

/// Joins, and leaves in one of several ways, until the soak is over. Other threads make IDs meanwhile.
pub(crate) fn run(world: &World, place: usize, mut random: Rng) -> Result {
    let fleet = fleet(Arc::clone(&world.store) as _)?;
    while !world.is_over() {
        let Ok(node) = fleet.join() else { continue };
        world.counts.joins.fetch_add(1, Relaxed);
        world.publish(place, sources(&node)?);
        let stay = Duration::from_millis(random.u64(300..8000));
        wait(world, stay, || node.status().state != NodeState::Holding);
        match random.u8(0..4) {
            // An administrator frees the node ID, and another holder takes it over.
            0 if sortid_fleet::release(&*world.store, SPACE, node.id()).is_ok() => {
                wait(world, WINDOW, || node.status().state == NodeState::Lost);
            }
            // The last thread that has one of the generators gives the node ID back.
            1 => world.publish(place, vec![]),
            _ => {}
        }
        let status = node.status();
        world.counts.renewals.fetch_add(status.renewals, Relaxed);
        world.counts.losses.fetch_add(u64::from(status.state == NodeState::Lost), Relaxed);
        if random.bool() {
            // If the store does not answer, the node ID is free when the reservation ends.
            let _ = node.release();
        }
    }
    Ok(())
}

fn wait(world: &World, time: Duration, is_done: impl Fn() -> bool) {
    let begun = Instant::now();
    while begun.elapsed() < time && !is_done() && !world.is_over() {
        thread::sleep(Duration::from_millis(50));
    }
}

/// The generators of a node: of all specifications but that of ledgers, whose IDs have no node ID.
pub(crate) fn sources(node: &Node) -> Result<Vec<Arc<Source>>> {
    let specs = Spec::ALL.iter().filter(|spec| **spec != Spec::EventlyId);
    specs
        .map(|&spec| {
            let ids = Ids::OfFleet(node.generator(options(spec)?)?);
            Ok(Source::new(spec, InChild::HasNoReservation, ids))
        })
        .collect()
}
