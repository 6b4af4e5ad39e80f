//! What a fleet asks of its store.

use crate::{Result, store::Counted};
use serde_json::json;
use sortid_fleet::{Fleet, JoinError, Node, init};
use std::{
    process,
    sync::{
        Arc, Barrier,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    thread,
    time::{Duration, Instant},
};

/// As many as join at once in the measurement.
const AT_ONCE: usize = 40;

/// Prints the operations a second of fleets of idle nodes, and how long it takes to join, in milliseconds.
pub(crate) fn run(nodes: &str, is_quick: bool) -> Result {
    let seconds = if is_quick { 5 } else { 30 };
    let mut idle = vec![];
    for count in [1, 10, 100] {
        let operations = Arc::new(AtomicU64::new(0));
        let (held, _) = join(nodes, &format!("idle-{count}-{}", process::id()), count, &operations)?;
        let before = operations.load(Relaxed);
        thread::sleep(Duration::from_secs(seconds));
        let rate = (operations.load(Relaxed) - before) as f64 / seconds as f64;
        idle.push(json!({ "nodes": count, "operations_per_second": rate }));
        drop(held);
    }
    let space = format!("join-{}", process::id());
    let (held, alone) = join(nodes, &format!("{space}-alone"), 1, &Arc::default())?;
    drop(held);
    let (held, mut took) = join(nodes, &space, AT_ONCE, &Arc::default())?;
    drop(held);
    took.sort();
    let millis = |took: Duration| took.as_secs_f64() * 1000.0;
    println!(
        "{}",
        json!({
            "idle": idle,
            "join_alone": millis(alone[0]),
            "join_median": millis(took[took.len() / 2]),
            "join_longest": millis(took[took.len() - 1]),
            "joined_at_once": AT_ONCE,
        })
    );
    Ok(())
}

/// So many processes, each with a store of its own, join at once with the default window. Returns how long each took.
fn join(
    nodes: &str,
    space: &str,
    count: usize,
    operations: &Arc<AtomicU64>,
) -> Result<(Vec<Node>, Vec<Duration>)> {
    init(&*sortid_fleet::open(nodes)?, space, 128)?;
    let barrier = Arc::new(Barrier::new(count));
    let threads = (0..count)
        .map(|_| {
            let operations = Arc::clone(operations);
            let count = move || {
                operations.fetch_add(1, Relaxed);
            };
            let store = Counted { store: sortid_fleet::open(nodes)?, count, is_sabotaged: false };
            let fleet = Fleet::new(store).space(space)?;
            let barrier = Arc::clone(&barrier);
            Ok(thread::spawn(move || -> Result<_, JoinError> {
                barrier.wait();
                let started = Instant::now();
                Ok((fleet.join()?, started.elapsed()))
            }))
        })
        .collect::<Result<Vec<_>>>()?;
    let mut joined = vec![];
    for thread in threads {
        joined.push(thread.join().map_err(|_| "a thread panicked")??);
    }
    Ok(joined.into_iter().unzip())
}
