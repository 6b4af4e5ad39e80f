//! One process whose threads come and go and share generators of all specifications, while clocks step, the process forks,
//! and reservations are renewed, lost and taken over. All IDs are checked.

mod children;
mod clock;
mod files;
mod report;
mod reservations;
mod source;
mod world;

use crate::{
    Run,
    ids::{BATCH, SIZE, count},
    watched::{Moment, Watched},
};
use fastrand::Rng;
use files::Files;
use signal_hook::{
    consts::{SIGINT, SIGTERM},
    flag,
};
use sortid_fleet::{DirectoryStore, StoreError, StoreErrorKind, init};
use sortid_servers::{servers::Folder, shell::Result};
use std::{
    fs,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    thread,
    time::{Duration, Instant},
};
use world::{MOST_NODES, NODES, World};

#[derive(clap::Args)]
pub(crate) struct Options {
    #[command(flatten)]
    run: Run,
    /// How long to make IDs. SIGINT and SIGTERM end it earlier, with the checks and the record
    #[arg(long, default_value_t = 3600, default_value_if("quick", "true", "15"))]
    seconds: u64,
}

/// How many threads make IDs at the same time.
const WORKERS: usize = 6;

pub(crate) fn run(options: &Options) -> Result {
    let is_over = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        flag::register(signal, Arc::clone(&is_over))?;
    }
    let seed = options.run.seed();
    println!("seed {seed}");
    let mut random = Rng::with_seed(seed);
    let folder = Folder::within(&options.run.folder, "soak")?;
    let (files, nodes) = (folder.join("ids"), folder.join("nodes"));
    for folder in [&files, &nodes] {
        fs::create_dir(folder)?;
    }
    let store = DirectoryStore::open(&nodes)?;
    init(&store, reservations::SPACE, SIZE)?;
    let is_down = Arc::new(AtomicBool::new(false));
    let hook = {
        let is_down = Arc::clone(&is_down);
        move |_: Moment| match is_down.load(Relaxed) {
            true => Err(StoreError::new(StoreErrorKind::Unavailable, "the store of the soak is down")),
            false => Ok(()),
        }
    };
    let store = Arc::new(Watched { store: Arc::new(store), hook, is_sabotaged: false });
    let world = World::new(store, Files::create(&files)?, is_over)?;
    let begun = Instant::now();
    let memory = thread::scope(|scope| {
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
        start(Box::new(|random| reservations::of_this_program(world, random)));
        start(Box::new(|random| children::run(world, nodes, random)));
        start(Box::new(|random| clock(world, random)));
        start(Box::new(|random| outages(world, &is_down, random)));
        for place in NODES..NODES + MOST_NODES {
            start(Box::new(move |random| reservations::of_a_fleet(world, place, random)));
        }
        let sabotage = options.run.sabotage;
        for _ in 0..WORKERS {
            start(Box::new(move |random| generations(world, sabotage, random)));
        }
        let memory = report::watch(world, Duration::from_secs(options.seconds));
        world.end();
        memory
    });
    let outcome = report::finish(&world, begun.elapsed().as_secs(), &memory)?;
    let about = "One process that makes IDs while clocks step, threads come and go, and the process forks";
    crate::report::report(&options.run, ("soak", about), vec![("number", outcome)], format!("Seed {seed}."))
}

/// Sets the clock.
fn clock(world: &World, mut random: Rng) -> Result {
    while !world.is_over() {
        world.count(world.clock.step(&mut random), 1);
    }
    Ok(())
}

/// Lets the store fail for a while, sometimes for longer than a reservation lasts.
fn outages(world: &World, is_down: &AtomicBool, mut random: Rng) -> Result {
    while !world.is_over() {
        world.wait(Duration::from_millis(random.u64(1000..20_000)), || false);
        is_down.store(true, Relaxed);
        world.wait(Duration::from_millis(random.u64(50..4000)), || false);
        is_down.store(false, Relaxed);
        world.count("outages of the store", 1);
    }
    Ok(())
}

/// Starts one thread after the other. Each lives for a moment.
fn generations(world: &World, sabotage: bool, mut random: Rng) -> Result {
    while !world.is_over() {
        let random = random.fork();
        thread::scope(|scope| scope.spawn(|| make(world, sabotage, random)).join())
            .unwrap_or_else(|_| Err("a thread that makes IDs panicked: see its message".into()))?;
        world.count("threads that came and went", 1);
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
        // An error is one of the generator, as it should be.
        let _ = source.make(count(&mut random), &mut keys)?;
        if sabotage {
            keys.extend(keys.first().copied());
        }
        world.write(&keys)?;
        thread::sleep(Duration::from_millis(random.u64(0..12)));
    }
    Ok(())
}
