//! All states of small fleets. `SORTID_LONG=1` adds larger ones.

use fleet_model::{Bounds, Fleet, TICK};
use sortid_fleet::__private::ALLOWANCE;
use stateright::{Checker, Model};
use std::{env, time::Instant};

/// Three processes and two node IDs: a process that lost one takes the other.
const TWO_NODE_IDS: Bounds = Bounds {
    processes: 3,
    node_ids: 2,
    sizes: &[2],
    window: 1,
    ticks: 2,
    generations: 2,
    messages: 1,
    late: 0,
    crashes: true,
    frees: true,
    late_reads: false,
    forgets: true,
    restores: false,
    ends: true,
};

/// Three processes and one node ID, for four windows. A message of a process that crashed or gave up is on the way.
const WINDOWS: Bounds =
    Bounds { node_ids: 1, sizes: &[1], ticks: 4, generations: 3, late: 1, ..TWO_NODE_IDS };

/// Two messages of a process overtake each other.
const OVERTAKING: Bounds = Bounds { processes: 2, ticks: 3, messages: 2, ..WINDOWS };

/// Windows of two ticks, twice the allowance.
const LONG_WINDOWS: Bounds = Bounds { processes: 2, window: 2, ticks: 5, ..WINDOWS };

/// What a process reads is late.
const LATE_READS: Bounds = Bounds { ticks: 2, generations: 2, messages: 1, late_reads: true, ..OVERTAKING };

/// No state is left out because a message or a memory can have no effect.
const ALL_MEMORIES: Bounds = Bounds { late_reads: false, forgets: false, ..LATE_READS };

/// The store returns to a backup, and is repaired.
const RESTORED: Bounds =
    Bounds { ticks: 3, crashes: false, frees: false, restores: true, ends: false, ..ALL_MEMORIES };

/// Two operators create the fleet with two sizes, and processes read late.
const TWO_SIZES: Bounds =
    Bounds { processes: 2, sizes: &[1, 2], ticks: 1, generations: 1, late_reads: true, ..TWO_NODE_IDS };

fn check(name: &str, bounds: Bounds) {
    let started = Instant::now();
    let checker = Fleet { bounds, mutation: None }.checker().threads(2).spawn_bfs().join();
    println!(
        "{name}: {} states, {} steps, depth {}, {:.1} s",
        checker.unique_state_count(),
        checker.state_count(),
        checker.max_depth(),
        started.elapsed().as_secs_f64()
    );
    checker.assert_properties();
}

#[test]
fn no_state_of_a_small_fleet_has_a_fault() {
    // The bounds on times are in ticks, and the allowance is one.
    assert_eq!(TICK, ALLOWANCE);
    check("two node IDs", TWO_NODE_IDS);
    check("windows", WINDOWS);
    check("overtaking messages", OVERTAKING);
    check("long windows", LONG_WINDOWS);
    check("late reads", LATE_READS);
    check("all memories", ALL_MEMORIES);
    check("two sizes", TWO_SIZES);
}

#[test]
fn a_store_that_lost_writes_is_right_again_after_a_repair() {
    check("restored", RESTORED);
    check(
        "restored, two node IDs",
        Bounds { node_ids: 2, sizes: &[2], ticks: 1, generations: 1, ..RESTORED },
    );
}

#[test]
fn no_state_of_a_larger_fleet_has_a_fault() {
    if env::var_os("SORTID_LONG").is_none() {
        println!("not run: it takes minutes, and SORTID_LONG=1 is not set");
        return;
    }
    check("two node IDs, late messages", Bounds { late: 1, ..TWO_NODE_IDS });
    check("two node IDs, three windows", Bounds { ticks: 3, ..TWO_NODE_IDS });
    check("more windows", Bounds { ticks: 5, generations: 4, ..WINDOWS });
    check("overtaking messages of three processes", Bounds { processes: 3, ..OVERTAKING });
    check("late reads", Bounds { ticks: 3, ..LATE_READS });
    check("all memories", Bounds { ticks: 3, ..ALL_MEMORIES });
}
