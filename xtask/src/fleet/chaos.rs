//! A fleet, and what happens to it.

use super::{
    Options, Random, StoreKind,
    processes::{Processes, Terms},
    report::Outcome,
    stores::Store,
};
use crate::{
    shell::{Result, stdout_of},
    workspace::target,
};
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    thread,
    time::{Duration, Instant},
};

/// The window of the fleet. It is short, so that much happens.
const WINDOW: Duration = Duration::from_millis(2500);

const STEP: Duration = Duration::from_millis(50);

/// Runs a fleet on a store for a while, and checks its IDs.
pub(super) fn run(kind: StoreKind, options: &Options, program: &Path) -> Result<Outcome> {
    let mut random = Random::new(options.seed);
    let seed = random.0;
    let seconds = Duration::from_secs(options.seconds);
    eprintln!("{} processes on {} for {seconds:?}, seed {seed}", options.processes, kind.shown());
    let folder = Ids::new(target()?)?;
    let mut store = Store::start(kind, &target()?)?;
    let terms = Terms {
        program,
        kind,
        url: store.url(),
        spec: &options.spec,
        folder: &folder.0,
        window: WINDOW,
        rate: options.rate,
        is_sabotaged: options.sabotage,
    };
    let mut processes = Processes::start(terms, options.processes, random.next())?;
    let started = Instant::now();
    let mut host = HostClock::default();
    while started.elapsed() < seconds {
        thread::sleep(STEP);
        let now = Instant::now();
        let mut is_time = |millis| random.happens(STEP, Duration::from_millis(millis));
        let (kill, stop, terminate, step) = (is_time(700), is_time(900), is_time(1500), is_time(700));
        let disturb = is_time(6000);
        if kill {
            processes.kill()?;
        }
        if stop {
            processes.stop(now);
        }
        if terminate {
            processes.terminate();
        }
        if kind == StoreKind::Dir {
            if let Some(seconds) = host.step(now, &mut random) {
                processes.step_all(seconds)?;
            }
        } else if step {
            processes.step_clock()?;
        }
        if disturb {
            store.disturb(&mut random)?;
        }
        store.heal(now)?;
        processes.look(now)?;
    }
    store.calm()?;
    processes.end()?;
    let took = started.elapsed();
    let operations = fs::metadata(folder.0.join("operations"))?.len();
    let mut check = Command::new(program);
    check.arg("check").arg(&folder.0).args(["--spec", &options.spec]);
    let found = serde_json::from_str(&stdout_of(&mut check)?)?;
    let counts = std::mem::take(&mut processes.counts);
    let (restarts, cuts) = (store.restarts, store.cuts);
    let processes = options.processes;
    let outcome = Outcome { kind, seed, processes, took, counts, restarts, cuts, operations, found };
    eprintln!("{outcome}");
    Ok(outcome)
}

/// The clock of a host, which is that of its directories, too. An hour forward stays: numbers that are reserved up to then
/// would be out of use for an hour. An hour back lasts for some seconds.
#[derive(Default)]
struct HostClock {
    seconds: i64,
    /// When the clock is stepped next, and whether it is an hour behind until then.
    next: Option<(Instant, bool)>,
}

impl HostClock {
    /// Steps the clock, perhaps. Returns how far it is ahead then.
    fn step(&mut self, now: Instant, random: &mut Random) -> Option<i64> {
        let (_, is_behind) = match self.next {
            None => (self.next = Some((now + random.millis(2000..6000), false)), false),
            Some((next, _)) if now < next => return None,
            Some((_, is_behind)) => ((), is_behind),
        };
        let (seconds, is_behind) = match random.below(6) {
            _ if is_behind => (self.seconds, false),
            0 => (self.seconds - 3600, true),
            1 => {
                self.seconds += 3600;
                (self.seconds, false)
            }
            _ => (self.seconds + random.below(13) as i64 - 6, false),
        };
        self.next = Some((now + random.millis(2000..6000), is_behind));
        Some(seconds)
    }
}

/// The folder of the IDs, removed when this value is dropped.
struct Ids(PathBuf);

impl Ids {
    fn new(target: PathBuf) -> Result<Self> {
        let path = target.join(format!("fleet-ids-{}", std::process::id()));
        fs::create_dir_all(&path)?;
        Ok(Self(path))
    }
}

impl Drop for Ids {
    fn drop(&mut self) {
        if let Err(error) = fs::remove_dir_all(&self.0) {
            eprintln!("cannot remove {}: {error}", self.0.display());
        }
    }
}
