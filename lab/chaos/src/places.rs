//! Processes at places: started, watched, disturbed. Where one ends, another one begins.

use crate::{WINDOW, store::StoreKind};
use fastrand::Rng;
use sortid_servers::{
    programs::tidy,
    records::{Values, grouped},
    servers::signal,
    shell::Result,
};
use std::{
    collections::BTreeMap,
    fs,
    os::unix::process::ExitStatusExt as _,
    path::{Path, PathBuf},
    process::{Child, ExitStatus},
    thread,
    time::{Duration, Instant},
};

/// How often the processes are looked at.
pub(crate) const STEP: Duration = Duration::from_millis(50);

/// How long a process may take to end after SIGTERM.
const PATIENCE: Duration = Duration::from_secs(60);

/// What runs at the places.
pub(crate) trait Work {
    /// What a process is called.
    const NAME: &'static str;

    /// Starts a process with the clock of this file. Its number tells it from others, including earlier ones of the same
    /// place.
    fn start(&mut self, place: usize, serial: u64, clock: &Path, random: &mut Rng) -> Result<Started>;

    /// Is called from time to time, with the times at which processes were killed.
    fn listen(&mut self, _killed: &BTreeMap<u64, Instant>) {}
}

/// A process that was started.
pub(crate) struct Started {
    pub(crate) child: Child,
    /// Whether it has a clock that can be set.
    pub(crate) has_clock: bool,
    /// The file of its log, if that can be read.
    pub(crate) log: Option<PathBuf>,
    /// A file that is there once it waits for SIGTERM.
    pub(crate) sign: Option<PathBuf>,
}

struct Process {
    serial: u64,
    started: Started,
    stopped_until: Option<Instant>,
    is_asked_to_end: bool,
}

impl Process {
    fn signal(&self, name: &str) {
        signal(name, self.started.child.id());
    }
}

/// Texts that no log has.
const WRONG: [&str; 2] = ["panicked", "ended before all requests had their answers"];

pub(crate) struct Places<W: Work> {
    pub(crate) work: W,
    pub(crate) random: Rng,
    running: Vec<Process>,
    /// The folder of the clocks.
    folder: PathBuf,
    /// When a process was killed.
    pub(crate) killed: BTreeMap<u64, Instant>,
    pub(crate) starts: u64,
    stops: u64,
    terms: u64,
    clock_steps: u64,
    /// Processes that ended although nobody ended them.
    pub(crate) problems: Vec<String>,
}

impl<W: Work> Places<W> {
    /// Starts a process at each place.
    pub(crate) fn start(work: W, count: usize, kind: StoreKind, folder: &Path, seed: u64) -> Result<Self> {
        let mut all = Self {
            work,
            random: Rng::with_seed(seed),
            running: vec![],
            folder: folder.to_owned(),
            killed: BTreeMap::new(),
            starts: 0,
            stops: 0,
            terms: 0,
            clock_steps: 0,
            problems: vec![],
        };
        for place in 0..count {
            // From the start, some clocks are wrong by an hour.
            let seconds = match place % 6 {
                1 if kind != StoreKind::Dir => 3600,
                3 if kind != StoreKind::Dir => -3600,
                _ => 0,
            };
            all.set_clock(place, seconds)?;
        }
        for place in 0..count {
            let process = all.spawn(place)?;
            all.running.push(process);
        }
        Ok(all)
    }

    /// What happened.
    pub(crate) fn values(&self) -> Values {
        vec![
            ("killed (SIGKILL)", grouped(self.killed.len() as u64)),
            ("stopped for up to three windows (SIGSTOP)", grouped(self.stops)),
            ("asked to end (SIGTERM)", grouped(self.terms)),
            ("clocks stepped", grouped(self.clock_steps)),
        ]
    }

    fn spawn(&mut self, place: usize) -> Result<Process> {
        let serial = self.starts;
        self.starts += 1;
        let clock = self.clock(place);
        let started = self.work.start(place, serial, &clock, &mut self.random)?;
        Ok(Process { serial, started, stopped_until: None, is_asked_to_end: false })
    }

    fn clock(&self, place: usize) -> PathBuf {
        self.folder.join(format!("clock-{place}"))
    }

    /// Sets the clock of a place ahead by this many seconds.
    fn set_clock(&self, place: usize, seconds: i64) -> Result {
        put(&self.clock(place), &format!("{seconds:+}\n"))
    }

    fn any(&mut self) -> (usize, &mut Process) {
        let place = self.random.usize(..self.running.len());
        (place, &mut self.running[place])
    }

    /// Kills a process without a chance to tidy up.
    pub(crate) fn kill(&mut self) -> Result {
        let (_, process) = self.any();
        if process.started.child.try_wait()?.is_none() {
            let (serial, now) = (process.serial, Instant::now());
            process.started.child.kill()?;
            self.killed.insert(serial, now);
        }
        Ok(())
    }

    /// Stops a process for a while.
    pub(crate) fn stop(&mut self, now: Instant) {
        let pause = WINDOW.mul_f64(0.2 + 2.8 * self.random.f64());
        let (_, process) = self.any();
        if process.stopped_until.is_none() && !process.is_asked_to_end {
            process.signal("-STOP");
            process.stopped_until = Some(now + pause);
            self.stops += 1;
        }
    }

    /// Asks a process to end.
    pub(crate) fn terminate(&mut self) {
        let (_, process) = self.any();
        if !process.is_asked_to_end {
            process.signal("-TERM");
            process.is_asked_to_end = true;
            self.terms += 1;
        }
    }

    /// Steps the clock of a process: to at most 9 s or to an hour from the true time. The true time is `ahead` seconds
    /// ahead of the system's clock.
    pub(crate) fn step(&mut self, ahead: i64) -> Result {
        let seconds = match self.random.u8(0..8) {
            0 => 3600,
            1 => -3600,
            2 | 3 => 0,
            _ => self.random.i64(-9..=9),
        };
        let (place, process) = self.any();
        if process.started.has_clock {
            self.set_clock(place, ahead + seconds)?;
            self.clock_steps += 1;
        }
        Ok(())
    }

    /// Steps the clocks of all processes.
    pub(crate) fn step_all(&mut self, ahead: i64) -> Result {
        self.clock_steps += 1;
        (0..self.running.len()).try_for_each(|place| self.set_clock(place, ahead))
    }

    /// Continues the processes that were stopped long enough, starts new ones for those that ended, and listens.
    pub(crate) fn look(&mut self, now: Instant) -> Result {
        for place in 0..self.running.len() {
            let process = &mut self.running[place];
            if process.stopped_until.take_if(|until| *until <= now).is_some() {
                process.signal("-CONT");
            }
            if let Some(status) = process.started.child.try_wait()? {
                self.ended(place, status)?;
                self.running[place] = self.spawn(place)?;
            }
        }
        self.work.listen(&self.killed);
        Ok(())
    }

    /// A process may end by itself after SIGTERM only, and without an error.
    fn ended(&mut self, place: usize, status: ExitStatus) -> Result {
        let Process { serial, started: Started { child, log, sign, .. }, is_asked_to_end, .. } =
            &self.running[place];
        tidy(child.id());
        let is_expected = match status.signal() {
            Some(9) => self.killed.contains_key(serial),
            // It had no time to wait for the signal.
            Some(15) => *is_asked_to_end && !sign.as_ref().is_some_and(|sign| sign.exists()),
            _ => status.success() && *is_asked_to_end,
        };
        let log = log.as_ref().map_or(Ok(String::new()), fs::read_to_string)?;
        if !is_expected || WRONG.iter().any(|wrong| log.contains(wrong)) {
            self.problems.push(format!("{} {serial} ended: {status} {log}", W::NAME));
        }
        Ok(())
    }

    /// Continues the processes that are stopped.
    pub(crate) fn go_on(&mut self) {
        for process in &mut self.running {
            process.signal("-CONT");
            process.stopped_until = None;
        }
    }

    /// Ends all processes by SIGTERM.
    pub(crate) fn end(&mut self) -> Result {
        self.go_on();
        for process in &mut self.running {
            process.is_asked_to_end = true;
            process.signal("-TERM");
        }
        let limit = Instant::now() + PATIENCE;
        for place in 0..self.running.len() {
            let process = &mut self.running[place];
            let status = loop {
                if let Some(status) = process.started.child.try_wait()? {
                    break status;
                }
                if Instant::now() > limit {
                    let what = format!("{} {} did not end within {PATIENCE:?}", W::NAME, process.serial);
                    return Err(what.into());
                }
                thread::sleep(STEP);
            };
            self.ended(place, status)?;
        }
        self.work.listen(&self.killed);
        Ok(())
    }
}

impl<W: Work> Drop for Places<W> {
    fn drop(&mut self) {
        for process in &mut self.running {
            let _ = process.started.child.kill();
            let _ = process.started.child.wait();
            tidy(process.started.child.id());
        }
    }
}

/// Replaces a file in one step.
pub(crate) fn put(path: &Path, text: &str) -> Result {
    let new = path.with_extension("new");
    fs::write(&new, text)?;
    Ok(fs::rename(new, path)?)
}
