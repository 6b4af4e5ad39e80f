//! The processes of a fleet: started, watched, disturbed.

use super::{StoreKind, stores::signal};
use crate::{shell::Result, tools};
use fastrand::Rng;
use std::{
    collections::BTreeMap,
    fs,
    io::{BufRead as _, BufReader},
    os::unix::process::ExitStatusExt as _,
    path::{Path, PathBuf},
    process::{Child, Command, ExitStatus, Stdio},
    sync::mpsc::{Receiver, Sender, channel},
    thread,
    time::{Duration, Instant},
};

/// How all processes are started.
pub(super) struct Terms<'a> {
    pub(super) program: &'a Path,
    /// The program of an earlier version, for every third place.
    pub(super) earlier: Option<&'a Path>,
    pub(super) kind: StoreKind,
    pub(super) url: String,
    pub(super) spec: &'a str,
    /// The folder for the files of IDs and of clocks.
    pub(super) folder: &'a Path,
    pub(super) window: Duration,
    pub(super) rate: u64,
    pub(super) is_sabotaged: bool,
}

/// What happened, in numbers.
#[derive(Default)]
pub(super) struct Counts {
    pub(super) starts: u64,
    /// The starts of the earlier version.
    pub(super) earlier_starts: u64,
    pub(super) kills: u64,
    pub(super) stops: u64,
    pub(super) terms: u64,
    pub(super) clock_steps: u64,
    /// The processes' own messages.
    pub(super) failures: u64,
    /// How long each node ID of a process that was killed had no holder.
    pub(super) blocked: Vec<Duration>,
    /// Processes that ended although nobody ended them.
    pub(super) problems: Vec<String>,
}

struct Process {
    /// Tells the process from others, including earlier ones of the same place.
    serial: u64,
    child: Child,
    /// Whether it has a clock that can be set.
    has_clock: bool,
    stopped_until: Option<Instant>,
    is_asked_to_end: bool,
}

/// A line of a process, or its end.
struct Said {
    serial: u64,
    at: Instant,
    line: Option<String>,
}

pub(super) struct Processes<'a> {
    terms: Terms<'a>,
    /// By place. A place has one name, and one clock.
    running: Vec<Process>,
    pub(super) counts: Counts,
    said: (Sender<Said>, Receiver<Said>),
    /// The node ID that a process has.
    held: BTreeMap<u64, u32>,
    /// When a process was killed.
    killed: BTreeMap<u64, Instant>,
    /// Since when a node ID of a process that was killed has no holder.
    blocked: BTreeMap<u32, Instant>,
    random: Rng,
    is_over: bool,
}

impl<'a> Processes<'a> {
    pub(super) fn start(terms: Terms<'a>, count: usize, seed: u64) -> Result<Self> {
        let mut all = Self {
            terms,
            running: vec![],
            counts: Counts::default(),
            said: channel(),
            held: BTreeMap::new(),
            killed: BTreeMap::new(),
            blocked: BTreeMap::new(),
            random: Rng::with_seed(seed),
            is_over: false,
        };
        for place in 0..count {
            // From the start, some clocks are wrong by an hour.
            let seconds = match place % 6 {
                1 if all.terms.kind != StoreKind::Dir => 3600,
                3 if all.terms.kind != StoreKind::Dir => -3600,
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

    fn clock(&self, place: usize) -> PathBuf {
        self.terms.folder.join(format!("clock-{place}"))
    }

    /// Sets the clock of a place ahead by this many seconds.
    fn set_clock(&self, place: usize, seconds: i64) -> Result {
        let path = self.clock(place);
        let new = path.with_extension("new");
        fs::write(&new, format!("{seconds:+}\n"))?;
        Ok(fs::rename(new, path)?)
    }

    fn spawn(&mut self, place: usize) -> Result<Process> {
        let serial = self.counts.starts;
        self.counts.starts += 1;
        let earlier = self.terms.earlier.filter(|_| place % 3 == 2);
        self.counts.earlier_starts += u64::from(earlier.is_some());
        let mut command = Command::new(earlier.unwrap_or(self.terms.program));
        command.args(["work", "--nodes", &self.terms.url, "--spec", self.terms.spec]);
        command.arg("--folder").arg(self.terms.folder);
        command.args(["--window", &self.terms.window.as_millis().to_string()]);
        command.args(["--rate", &self.terms.rate.to_string()]);
        command.args(["--stay", "8000", "--seed", &self.random.u64(..).to_string()]);
        // Every second place has a name that stays.
        if place.is_multiple_of(2) {
            command.args(["--name", &format!("pod-{place}")]);
        }
        if self.terms.is_sabotaged {
            command.arg("--sabotage");
        }
        // With a directory, all have a clock that can be set, and elsewhere every second.
        let has_clock = self.terms.kind == StoreKind::Dir || place % 2 == 1;
        if has_clock {
            with_clock(&mut command, &self.clock(place))?;
        }
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn()?;
        let out = child.stdout.take().ok_or("the process has no output")?;
        let sender = self.said.0.clone();
        thread::spawn(move || {
            for line in BufReader::new(out).lines().map_while(std::io::Result::ok) {
                let _ = sender.send(Said { serial, at: Instant::now(), line: Some(line) });
            }
            let _ = sender.send(Said { serial, at: Instant::now(), line: None });
        });
        Ok(Process { serial, child, has_clock, stopped_until: None, is_asked_to_end: false })
    }

    fn any(&mut self) -> usize {
        self.random.usize(..self.running.len())
    }

    /// Kills a process without a chance to tidy up.
    pub(super) fn kill(&mut self) -> Result {
        let place = self.any();
        let process = &mut self.running[place];
        if process.child.try_wait()?.is_none() {
            self.killed.insert(process.serial, Instant::now());
            process.child.kill()?;
            self.counts.kills += 1;
        }
        Ok(())
    }

    /// Stops a process for a while.
    pub(super) fn stop(&mut self, now: Instant) {
        let pause = self.terms.window.mul_f64(0.2 + 2.8 * self.random.f64());
        let place = self.any();
        let process = &mut self.running[place];
        if process.stopped_until.is_none() && !process.is_asked_to_end {
            signal("-STOP", &process.child.id().to_string());
            process.stopped_until = Some(now + pause);
            self.counts.stops += 1;
        }
    }

    /// Asks a process to end.
    pub(super) fn terminate(&mut self) {
        let place = self.any();
        let process = &mut self.running[place];
        process.is_asked_to_end = true;
        signal("-TERM", &process.child.id().to_string());
        self.counts.terms += 1;
    }

    /// Steps the clock of a process: to at most 9 s or to an hour from the true time. The true time is `ahead` seconds
    /// ahead of the system's clock.
    pub(super) fn step_clock(&mut self, ahead: i64) -> Result {
        let seconds = match self.random.u8(0..8) {
            0 => 3600,
            1 => -3600,
            2 | 3 => 0,
            _ => self.random.i64(-9..=9),
        };
        let place = self.any();
        if self.running[place].has_clock {
            self.set_clock(place, ahead + seconds)?;
            self.counts.clock_steps += 1;
        }
        Ok(())
    }

    /// Steps the clocks of all processes.
    pub(super) fn step_all(&mut self, ahead: i64) -> Result {
        self.counts.clock_steps += 1;
        (0..self.running.len()).try_for_each(|place| self.set_clock(place, ahead))
    }

    /// Continues the processes that were stopped long enough, starts new ones for those that ended, and listens.
    pub(super) fn look(&mut self, now: Instant) -> Result {
        for place in 0..self.running.len() {
            let process = &mut self.running[place];
            if process.stopped_until.take_if(|until| *until <= now).is_some() {
                signal("-CONT", &process.child.id().to_string());
            }
            if let Some(status) = process.child.try_wait()? {
                self.ended(place, status);
                if !self.is_over {
                    self.running[place] = self.spawn(place)?;
                }
            }
        }
        self.listen();
        Ok(())
    }

    /// A process may end by itself after SIGTERM only, and without an error.
    fn ended(&mut self, place: usize, status: ExitStatus) {
        let process = &self.running[place];
        tidy(process.child.id());
        let is_expected = match status.signal() {
            Some(9) => self.killed.contains_key(&process.serial),
            // It had no time to wait for the signal.
            Some(15) => process.is_asked_to_end,
            _ => status.success() && process.is_asked_to_end,
        };
        if !is_expected {
            self.counts.problems.push(format!("a process ended: {status}"));
        }
    }

    fn listen(&mut self) {
        while let Ok(Said { serial, at, line }) = self.said.1.try_recv() {
            let node_id = |rest: &str| rest.split(' ').next().and_then(|node_id| node_id.parse::<u32>().ok());
            match line.as_deref().map(|line| line.split_once(' ').unwrap_or((line, ""))) {
                Some(("held", rest)) => {
                    if let Some(node_id) = node_id(rest) {
                        self.held.insert(serial, node_id);
                        if let Some(since) = self.blocked.remove(&node_id) {
                            self.counts.blocked.push(at.duration_since(since));
                        }
                    }
                }
                Some(("left", _)) => drop(self.held.remove(&serial)),
                Some(_) => {
                    self.held.remove(&serial);
                    self.counts.failures += 1;
                }
                None => {
                    if let Some((node_id, since)) =
                        self.held.remove(&serial).zip(self.killed.get(&serial).copied())
                    {
                        self.blocked.insert(node_id, since);
                    }
                }
            }
        }
    }

    /// Ends all processes as a service does: by SIGTERM, and after 20 s by SIGKILL.
    pub(super) fn end(&mut self) -> Result {
        self.is_over = true;
        for process in &mut self.running {
            process.stopped_until = None;
            process.is_asked_to_end = true;
            let id = process.child.id().to_string();
            signal("-CONT", &id);
            signal("-TERM", &id);
        }
        let limit = Instant::now() + Duration::from_secs(20);
        while Instant::now() < limit {
            thread::sleep(Duration::from_millis(50));
            let mut is_running = false;
            for process in &mut self.running {
                is_running |= process.child.try_wait()?.is_none();
            }
            if !is_running {
                break;
            }
        }
        for place in 0..self.running.len() {
            let process = &mut self.running[place];
            let status = match process.child.try_wait()? {
                Some(status) => status,
                None => {
                    eprintln!("process {} did not end within 20 s after SIGTERM", process.child.id());
                    self.killed.insert(process.serial, Instant::now());
                    process.child.kill()?;
                    process.child.wait()?
                }
            };
            self.ended(place, status);
        }
        self.listen();
        Ok(())
    }
}

impl Drop for Processes<'_> {
    fn drop(&mut self) {
        for process in &mut self.running {
            let _ = process.child.kill();
            let _ = process.child.wait();
            tidy(process.child.id());
        }
    }
}

/// Gives a process a clock that is ahead by the seconds in this file.
pub(crate) fn with_clock(command: &mut Command, clock: &Path) -> Result {
    let library = tools::libfaketime().ok_or("libfaketime is not installed")?;
    command.env("LD_PRELOAD", library).env("FAKETIME_TIMESTAMP_FILE", clock);
    command.env("FAKETIME_NO_CACHE", "1").env("NO_FAKE_STAT", "1");
    command.env("DONT_FAKE_MONOTONIC", "1").env("FAKETIME_DONT_FAKE_MONOTONIC", "1");
    Ok(())
}

/// Removes what libfaketime leaves of a process that was killed.
pub(crate) fn tidy(process: u32) {
    for name in [format!("faketime_shm_{process}"), format!("sem.faketime_sem_{process}")] {
        let _ = fs::remove_file(Path::new("/dev/shm").join(name));
    }
}
