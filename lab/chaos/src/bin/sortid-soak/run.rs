//! Starts and ends the threads of the soak, and watches its memory.

use crate::{
    Options, Result, children, fleet,
    record::Record,
    report::Report,
    source::BATCH,
    store::Unreliable,
    tenancy,
    world::{MOST_NODES, NODES, World},
};
use fastrand::Rng;
use signal_hook::{
    consts::{SIGINT, SIGTERM},
    flag,
};
use std::{
    fs,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    thread,
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

/// How many threads make IDs at the same time.
const WORKERS: usize = 6;

/// Runs the soak. Returns whether all laws held.
pub(crate) fn run(options: &Options) -> Result<bool> {
    let is_over = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        flag::register(signal, Arc::clone(&is_over))?;
    }
    let seed = options.seed.unwrap_or_else(|| {
        SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos() as u64)
    });
    println!("seed {seed}");
    let mut random = Rng::with_seed(seed);
    let parent = options.folder.clone().unwrap_or_else(std::env::temp_dir);
    let folder = tempfile::Builder::new().prefix("sortid-soak-").tempdir_in(parent)?;
    let (files, nodes) = (folder.path().join("ids"), folder.path().join("nodes"));
    for folder in [&files, &nodes] {
        fs::create_dir(folder)?;
    }
    let world = World::new(Unreliable::open(&nodes)?, Record::create(&files)?, is_over)?;
    let mut report = Report::new(Duration::from_secs(options.seconds));
    thread::scope(|scope| {
        let world = &world;
        let mut start = |work: Box<dyn FnOnce(Rng) -> Result + Send>| {
            let random = random.fork();
            scope.spawn(move || {
                match catch_unwind(AssertUnwindSafe(|| work(random))) {
                    Ok(Ok(())) => {}
                    Ok(Err(error)) => world.broken(error.to_string()),
                    Err(_) => world.broken("a thread panicked: see its message".to_owned()),
                }
                // No other thread can do its work.
                world.end();
            });
        };
        let nodes = nodes.as_path();
        start(Box::new(|random| tenancy::run(world, random)));
        start(Box::new(|random| children::run(world, nodes, random)));
        start(Box::new(|random| clock(world, random)));
        start(Box::new(|random| outages(world, random)));
        for place in NODES..NODES + MOST_NODES {
            start(Box::new(move |random| fleet::run(world, place, random)));
        }
        let sabotage = options.sabotage;
        for _ in 0..WORKERS {
            start(Box::new(move |random| generations(world, sabotage, random)));
        }
        report.watch(world);
        world.end();
    });
    report.finish(&world)
}

/// Sets the clock.
fn clock(world: &World, mut random: Rng) -> Result {
    while !world.is_over() {
        world.clock.step(&mut random);
    }
    Ok(())
}

/// Lets the store fail for a while, sometimes for longer than a reservation lasts.
fn outages(world: &World, mut random: Rng) -> Result {
    while !world.is_over() {
        pause(world, Duration::from_millis(random.u64(1000..20_000)));
        world.store.set_down(true);
        pause(world, Duration::from_millis(random.u64(50..4000)));
        world.store.set_down(false);
        world.counts.outages.fetch_add(1, Relaxed);
    }
    Ok(())
}

fn pause(world: &World, time: Duration) {
    let begun = Instant::now();
    while begun.elapsed() < time && !world.is_over() {
        thread::sleep(Duration::from_millis(20));
    }
}

/// Starts one thread after the other. Each lives for a moment.
fn generations(world: &World, sabotage: bool, mut random: Rng) -> Result {
    while !world.is_over() {
        let random = random.fork();
        thread::scope(|scope| scope.spawn(|| make(world, sabotage, random)).join())
            .unwrap_or_else(|_| Err("a thread that makes IDs panicked: see its message".into()))?;
        world.counts.threads.fetch_add(1, Relaxed);
    }
    Ok(())
}

/// Makes IDs with all generators for a moment.
fn make(world: &World, sabotage: bool, mut random: Rng) -> Result {
    let life = Duration::from_millis(random.u64(1..1000));
    let begun = Instant::now();
    let mut keys = Vec::with_capacity(BATCH);
    let mut sources = world.sources();
    random.shuffle(&mut sources);
    for source in sources.iter().cycle() {
        if world.is_over() || begun.elapsed() > life {
            break;
        }
        keys.clear();
        // Every fourth time a single one.
        let count = if random.u8(0..4) == 0 { 1 } else { random.usize(1..=BATCH) };
        if source.make(count, &mut keys)?.is_err() {
            world.counts.refusals.fetch_add(1, Relaxed);
        }
        if sabotage {
            keys.extend(keys.first().copied());
        }
        world.write(&keys)?;
        thread::sleep(Duration::from_millis(random.u64(0..12)));
    }
    Ok(())
}
