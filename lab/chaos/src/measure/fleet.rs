//! What a fleet asks of its store.

use super::Options;
use crate::{report::finish, store::Store, watched::counted};
use sortid_fleet::{Fleet, JoinError, Node, init};
use sortid_servers::{
    records::{Record, Values},
    shell::Result,
};
use std::{
    sync::{
        Arc, Barrier,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    thread,
    time::{Duration, Instant},
};

/// The fleets of idle nodes.
const IDLE: [(usize, &str); 3] = [
    (1, "operations a second, 1 idle node"),
    (10, "operations a second, 10 idle nodes"),
    (100, "operations a second, 100 idle nodes"),
];

/// As many as join at once in the measurement.
const AT_ONCE: usize = 40;

pub(super) fn run(options: &Options) -> Result {
    let mut columns = vec![];
    for kind in options.stores.kinds() {
        let store = Store::start(*kind, &options.folder)?;
        columns.push((kind.shown(), measure(&store.url(), options.quick)?));
    }
    finish(&Record::of_columns("What fleets ask of their stores", &columns)?, options.write, "fleet-cost")
}

/// Measures the operations a second of fleets of idle nodes, and how long it takes to join.
fn measure(nodes: &str, is_quick: bool) -> Result<Values> {
    let seconds = if is_quick { 5 } else { 30 };
    let mut values = vec![];
    for (count, what) in IDLE {
        let operations = Arc::new(AtomicU64::new(0));
        let (held, _) = join(nodes, &format!("idle-{count}"), count, &operations)?;
        let before = operations.load(Relaxed);
        thread::sleep(Duration::from_secs(seconds));
        let rate = (operations.load(Relaxed) - before) as f64 / seconds as f64;
        values.push((what, format!("{rate:.1}")));
        drop(held);
    }
    let (held, alone) = join(nodes, "alone", 1, &Arc::default())?;
    drop(held);
    let (held, mut took) = join(nodes, "at-once", AT_ONCE, &Arc::default())?;
    drop(held);
    took.sort();
    let millis = |took: Duration| format!("{:.0} ms", took.as_secs_f64() * 1000.0);
    values.extend([
        ("to join alone", millis(alone[0])),
        ("to join with 40 at once, median", millis(took[took.len() / 2])),
        ("to join with 40 at once, longest", millis(took[took.len() - 1])),
    ]);
    Ok(values)
}

/// So many processes, each with a store of its own, join at once with the default window. Returns how long each took.
fn join(
    nodes: &str,
    space: &str,
    count: usize,
    operations: &Arc<AtomicU64>,
) -> Result<(Vec<Node>, Vec<Duration>)> {
    init(&*sortid_fleet::open(nodes)?, space, 128)?;
    let barrier = Barrier::new(count);
    let fleets = (0..count).map(|_| {
        let operations = Arc::clone(operations);
        let count = move || {
            operations.fetch_add(1, Relaxed);
        };
        Ok(Fleet::new(counted(sortid_fleet::open(nodes)?, false, count)).space(space)?)
    });
    let fleets = fleets.collect::<Result<Vec<_>>>()?;
    thread::scope(|scope| {
        let join = |fleet: &Fleet| -> Result<_, JoinError> {
            barrier.wait();
            let started = Instant::now();
            Ok((fleet.join()?, started.elapsed()))
        };
        let threads: Vec<_> = fleets.iter().map(|fleet| scope.spawn(move || join(fleet))).collect();
        threads.into_iter().map(|thread| Ok(thread.join().map_err(|_| "a thread panicked")??)).collect()
    })
}
