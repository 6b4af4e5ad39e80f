//! A fleet, and what happens to it.

use super::{
    Options, StoreKind, WINDOW,
    processes::{Processes, Terms},
    report::Outcome,
    stores::Store,
};
use crate::{
    shell::{Result, stdout_of},
    workspace::target,
};
use fastrand::Rng;
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    thread,
    time::{Duration, Instant},
};

const STEP: Duration = Duration::from_millis(50);

/// Runs a fleet on a store for a while, and checks its IDs.
pub(super) fn run(
    kind: StoreKind,
    seed: u64,
    options: &Options,
    program: &Path,
    earlier: Option<&Path>,
) -> Result<Outcome> {
    let mut random = Rng::with_seed(seed);
    let seconds = Duration::from_secs(options.seconds);
    eprintln!("{} processes on {} for {seconds:?}, seed {seed}", options.processes, kind.shown());
    let folder = Ids::new(&target()?)?;
    let mut store = Store::start(kind, &target()?)?;
    let terms = Terms {
        program,
        earlier,
        kind,
        url: store.url(),
        spec: &options.spec,
        folder: &folder.0,
        window: WINDOW,
        rate: options.rate,
        is_sabotaged: options.sabotage,
    };
    stdout_of(Command::new(program).args(["begin", "--nodes", &store.url()]))?;
    let mut processes = Processes::start(terms, options.processes, random.u64(..))?;
    let started = Instant::now();
    let mut host = HostClock::default();
    while started.elapsed() < seconds {
        thread::sleep(STEP);
        let now = Instant::now();
        // Whether something that happens once in this many milliseconds happens now.
        let mut is_time = |millis: u64| random.u64(0..millis) < STEP.as_millis() as u64;
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
        // The time of a directory is that of the host, so its processes have one clock. In the end they disagree, too.
        if kind == StoreKind::Dir && started.elapsed() < seconds * 3 / 4 {
            if let Some(ahead) = host.step(now, &mut random) {
                processes.step_all(ahead)?;
            }
        } else if step {
            processes.step_clock(host.ahead)?;
        }
        if disturb {
            store.disturb(&mut random)?;
        }
        store.heal(now)?;
        processes.look(now)?;
    }
    store.calm()?;
    processes.step_all(host.ahead)?;
    processes.end()?;
    let took = started.elapsed();
    let operations = fs::metadata(folder.0.join("operations"))?.len();
    let mut check = Command::new(program);
    check.arg("check").arg(&folder.0).args(["--spec", &options.spec]);
    let found = serde_json::from_str(&stdout_of(&mut check)?)?;
    let counts = std::mem::take(&mut processes.counts);
    let (crashes, cuts) = (store.crashes, store.cuts);
    let processes = options.processes;
    let outcome = Outcome { kind, processes, took, counts, crashes, cuts, operations, found };
    eprintln!("{outcome}");
    Ok(outcome)
}

/// The clock of a host. An hour forward stays, because the node IDs that are reserved then would be out of use for an hour
/// after a step back. An hour back lasts for some seconds.
#[derive(Default)]
pub(crate) struct HostClock {
    /// How far it is ahead, in seconds.
    ahead: i64,
    is_behind: bool,
    next: Option<Instant>,
}

impl HostClock {
    /// Steps the clock if it is time. Returns how far it is ahead then, in seconds.
    pub(crate) fn step(&mut self, now: Instant, random: &mut Rng) -> Option<i64> {
        if self.next.is_some_and(|next| now < next) {
            return None;
        }
        self.next = Some(now + Duration::from_millis(random.u64(2000..6000)));
        let choice = random.u8(0..6);
        let was_behind = std::mem::take(&mut self.is_behind);
        match choice {
            _ if was_behind => {}
            0 => {
                self.is_behind = true;
                return Some(self.ahead - 3600);
            }
            1 => self.ahead += 3600,
            _ => return Some(self.ahead + random.i64(-6..=6)),
        }
        Some(self.ahead)
    }
}

/// The folder of the IDs, removed when this value is dropped.
struct Ids(PathBuf);

impl Ids {
    fn new(target: &Path) -> Result<Self> {
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
