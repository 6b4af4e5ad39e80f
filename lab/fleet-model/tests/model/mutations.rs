//! The model finds faults that are put into the protocol or its environment. `SORTID_LONG=1` prints the steps.

use fleet_model::{Bounds, Fleet, Mutation};
use stateright::{Checker, HasDiscoveries, Model};
use std::env;

const BOUNDS: Bounds = Bounds {
    processes: 2,
    node_ids: 1,
    sizes: &[1],
    window: 1,
    ticks: 3,
    generations: 4,
    messages: 2,
    late: 1,
    crashes: false,
    frees: false,
    late_reads: false,
    forgets: false,
    restores: false,
    ends: false,
};

const RESTORED: Bounds = Bounds { restores: true, ..BOUNDS };

const TWICE: &str = "no tick of a node ID is used by two holders";
const GENERATION: &str = "no generation of a node ID has two holders";

const SIZE: &str = "all records of a space have one size";

const FOUND: &[(Mutation, &str)] = &[
    (Mutation::JoinsNoFleet, SIZE),
    (Mutation::BeginsAgain, SIZE),
    (Mutation::UsesBeforeAcknowledged, TWICE),
    (Mutation::BeginsAtClock, TWICE),
    (Mutation::ReleasesLastTick, TWICE),
    (Mutation::GeneratesAfterRelease, TWICE),
    (Mutation::KeepsGeneration, GENERATION),
    (Mutation::StoreIgnoresUntil, TWICE),
    (Mutation::StoreIgnoresAll, TWICE),
    (Mutation::StoreAffirms, TWICE),
    (Mutation::BelievesName, TWICE),
    (Mutation::SharesInstance, TWICE),
    (Mutation::ReadsOutOfOrder, TWICE),
    (Mutation::FreesBound, TWICE),
    (Mutation::NeverRepairs, TWICE),
    (Mutation::RepairsLate, TWICE),
    (Mutation::RepairsTooLow, TWICE),
    (Mutation::RepairsKnownOnly, TWICE),
    (Mutation::RepairsNextGeneration, GENERATION),
];

#[test]
fn each_fault_has_a_counterexample() {
    let mut missed = Vec::new();
    for &(mutation, expected) in FOUND {
        let bounds = match mutation {
            Mutation::JoinsNoFleet => Bounds { node_ids: 2, sizes: &[], ..BOUNDS },
            Mutation::BeginsAgain => Bounds { node_ids: 2, sizes: &[1, 2], ..BOUNDS },
            Mutation::NeverRepairs
            | Mutation::RepairsLate
            | Mutation::RepairsTooLow
            | Mutation::RepairsNextGeneration => RESTORED,
            // The beginning has a record of node ID 0.
            Mutation::RepairsKnownOnly => Bounds {
                node_ids: 2,
                sizes: &[2],
                ticks: 2,
                generations: 2,
                messages: 1,
                late: 0,
                ..RESTORED
            },
            Mutation::ReadsOutOfOrder => Bounds { late_reads: true, ..BOUNDS },
            Mutation::FreesBound => Bounds { frees: true, ..BOUNDS },
            _ => BOUNDS,
        };
        // One thread visits the states in the order of their depth, so the counterexample is a shortest one.
        let checker = Fleet { bounds, mutation: Some(mutation) }
            .checker()
            .finish_when(HasDiscoveries::AnyOf([expected].into()))
            .target_state_count(3_000_000)
            .spawn_bfs()
            .join();
        match checker.discovery(expected) {
            Some(path) => {
                let steps = path.into_actions();
                println!(
                    "{mutation:?}: {expected}: fails after {} steps, {} states",
                    steps.len(),
                    checker.unique_state_count()
                );
                if env::var_os("SORTID_LONG").is_some() {
                    steps.iter().for_each(|step| println!("    {step:?}"));
                }
            }
            None => {
                println!(
                    "{mutation:?}: missed in {} states; found {:?}",
                    checker.unique_state_count(),
                    checker.discoveries().keys()
                );
                missed.push(mutation);
            }
        }
    }
    assert_eq!(missed, []);
}
