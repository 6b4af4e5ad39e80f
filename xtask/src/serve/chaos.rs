//! Servers of a fleet, and what happens to them.

use super::Options;
use crate::{
    fleet::{
        HostClock, StoreKind, WINDOW,
        stores::{Store, signal},
        with_clock,
    },
    records::Record,
    shell::{self, Result, cargo, stdout_of},
    tools,
    workspace::{program_of_tests, target},
};
use fastrand::Rng;
use serde_json::Value;
use std::{
    collections::BTreeSet,
    fs::{self, File, OpenOptions},
    io::{self, Read as _},
    os::unix::process::ExitStatusExt as _,
    path::{Path, PathBuf},
    process::{Child, ChildStderr, Command, ExitStatus, Stdio},
    thread,
    time::{Duration, Instant, SystemTime},
};

const STEP: Duration = Duration::from_millis(50);

/// What the chore starts.
struct Programs {
    server: PathBuf,
    clients: PathBuf,
    /// Creates a fleet.
    fleet: PathBuf,
}

pub(super) fn run(options: &Options) -> Result {
    tools::install(if options.store == Some(StoreKind::Dir) {
        tools::FLEET_IN_A_DIRECTORY
    } else {
        tools::FLEET
    })?;
    let built = |name| if options.quick { program_of_tests(name) } else { build(name) };
    let programs = Programs {
        server: built("sortid-server")?,
        clients: built("sortid-serve-proof")?,
        fleet: built("sortid-fleet-proof")?,
    };
    let stores = options.store.map_or(StoreKind::ALL.to_vec(), |store| vec![store]);
    let now = || SystemTime::UNIX_EPOCH.elapsed().map_or(0, |since| since.as_secs());
    let seed = options.seed.unwrap_or_else(now);
    let outcomes =
        stores.iter().map(|&store| disturb(store, seed, options, &programs)).collect::<Result<Vec<_>>>()?;
    let columns: Vec<_> = outcomes.iter().map(Outcome::values).collect();
    let rows = columns.first().into_iter().flatten().enumerate().map(|(at, (name, _))| {
        [(*name).to_owned()].into_iter().chain(columns.iter().map(|column| column[at].1.clone())).collect()
    });
    let heads: Vec<_> = ["what"].into_iter().chain(stores.iter().map(|store| store.shown())).collect();
    let about = "Servers of a fleet that are killed and stopped or lose their log, with clients over HTTP";
    let mut record = Record::new(about, &heads, rows.collect())?;
    record.notes = vec![format!("Windows of {} s, seed {seed}.", WINDOW.as_secs_f64())];
    let problems: Vec<_> = outcomes.iter().flat_map(|outcome| outcome.problems.clone()).collect();
    if !problems.is_empty() {
        return Err(format!("{record}\nThe proof failed:\n{}", problems.join("\n")).into());
    }
    println!("{record}");
    if options.write { record.write("serve") } else { Ok(()) }
}

/// Builds a program as users do.
pub(super) fn build(name: &str) -> Result<PathBuf> {
    let build = [
        "build",
        "--quiet",
        "--locked",
        "--release",
        "--package",
        "sortid-server",
        "--package",
        "sortid-chaos",
    ];
    shell::run(cargo(&build).args(["--bin", name]))?;
    Ok(target()?.join("release").join(name))
}

/// What happened, and what the check found.
#[derive(Default)]
struct Outcome {
    starts: u64,
    kills: u64,
    stops: u64,
    terms: u64,
    clock_steps: u64,
    store_troubles: u64,
    log_troubles: u64,
    found: Value,
    problems: Vec<String>,
}

impl Outcome {
    fn found(&self, name: &str) -> u64 {
        self.found[name].as_u64().unwrap_or(0)
    }

    fn values(&self) -> Vec<(&'static str, String)> {
        let refused = self.found["refused"].as_object().into_iter().flatten();
        let refused: u64 = refused.filter_map(|(_, count)| count.as_u64()).sum();
        vec![
            ("servers started", self.starts.to_string()),
            ("killed (SIGKILL)", self.kills.to_string()),
            ("stopped for up to three windows (SIGSTOP)", self.stops.to_string()),
            ("asked to end (SIGTERM)", self.terms.to_string()),
            ("clocks stepped", self.clock_steps.to_string()),
            ("troubles of the store", self.store_troubles.to_string()),
            ("logs closed, full, not read or cut off", self.log_troubles.to_string()),
            ("answers", self.found("answers").to_string()),
            ("answers of the status 503", refused.to_string()),
            ("IDs", self.found("ids").to_string()),
            ("IDs that occur twice", self.found("repeated").to_string()),
            ("answers whose IDs are out of order", self.found("disordered").to_string()),
            ("answers with lesser IDs than an earlier answer", self.found("late").to_string()),
        ]
    }
}

/// A server at a place.
struct Server {
    serial: u64,
    child: Child,
    socket: PathBuf,
    /// `None` if its log cannot be read.
    log: Option<PathBuf>,
    /// The end of a log that nobody reads.
    _unread: Option<ChildStderr>,
    stopped_until: Option<Instant>,
    is_asked_to_end: bool,
    is_killed: bool,
}

/// The servers, by place.
struct Servers<'a> {
    running: Vec<Server>,
    program: &'a Path,
    folder: &'a Path,
    url: String,
    random: Rng,
    /// Servers that were killed, so their answers can be cut.
    killed: BTreeSet<u64>,
    outcome: Outcome,
}

impl Servers<'_> {
    fn clock(&self, place: usize) -> PathBuf {
        self.folder.join(format!("clock-{place}"))
    }

    /// Replaces a file in one step.
    fn put(path: &Path, text: &str) -> Result {
        let new = path.with_extension("new");
        fs::write(&new, text)?;
        Ok(fs::rename(new, path)?)
    }

    fn set_clock(&mut self, place: usize, seconds: i64) -> Result {
        self.outcome.clock_steps += 1;
        Self::put(&self.clock(place), &format!("{seconds:+}\n"))
    }

    fn spawn(&mut self, place: usize) -> Result<Server> {
        let serial = self.outcome.starts;
        self.outcome.starts += 1;
        let socket = self.folder.join(format!("{serial}.socket"));
        let mut command = Command::new(self.program);
        command.args(["--nodes", &self.url, "--origin", "proof", "--log", "json"]);
        command.args(["--window", &format!("{}ms", WINDOW.as_millis())]);
        command.arg("--listen").arg(format!("unix:{}", socket.display()));
        if place == 0 {
            command.args(["--name", "first"]);
        }
        with_clock(&mut command, &self.clock(place))?;
        let log = self.folder.join(format!("{serial}.log"));
        let trouble = self.random.u8(..8);
        match trouble {
            0 => command.stderr(OpenOptions::new().write(true).open("/dev/full")?),
            1 | 2 => command.stderr(Stdio::piped()),
            _ => command.stderr(File::create(&log)?),
        };
        if trouble < 3 {
            self.outcome.log_troubles += 1;
            // The lines of its requests soon fill a pipe.
            command.args(["--log-level", "debug"]);
        }
        let mut child = command.stdin(Stdio::null()).spawn()?;
        let mut unread = child.stderr.take();
        if trouble == 1
            && let Some(stderr) = unread.take()
        {
            let read = if self.random.bool() { 0 } else { self.random.u64(..100_000) };
            thread::spawn(move || io::copy(&mut stderr.take(read), &mut io::sink()));
        }
        let log = (trouble > 2).then_some(log);
        Self::put(&self.folder.join(format!("server-{place}")), &format!("{serial} {}\n", socket.display()))?;
        Ok(Server {
            serial,
            child,
            socket,
            log,
            _unread: unread,
            stopped_until: None,
            is_asked_to_end: false,
            is_killed: false,
        })
    }

    fn kill(&mut self, place: usize) -> Result {
        let server = &mut self.running[place];
        if server.child.try_wait()?.is_none() {
            server.is_killed = true;
            self.killed.insert(server.serial);
            server.child.kill()?;
            self.outcome.kills += 1;
        }
        Ok(())
    }

    fn stop(&mut self, place: usize, until: Instant) {
        let server = &mut self.running[place];
        if server.stopped_until.is_none() && !server.is_asked_to_end {
            signal("-STOP", &server.child.id().to_string());
            server.stopped_until = Some(until);
            self.outcome.stops += 1;
        }
    }

    fn terminate(&mut self, place: usize) {
        let server = &mut self.running[place];
        if !server.is_asked_to_end {
            server.is_asked_to_end = true;
            signal("-TERM", &server.child.id().to_string());
            self.outcome.terms += 1;
        }
    }

    /// Continues servers that were stopped long enough, and starts new ones for those that ended.
    fn look(&mut self, now: Instant) -> Result {
        for place in 0..self.running.len() {
            let server = &mut self.running[place];
            if server.stopped_until.take_if(|until| *until <= now).is_some() {
                signal("-CONT", &server.child.id().to_string());
            }
            if let Some(status) = server.child.try_wait()? {
                self.ended(place, status)?;
                self.running[place] = self.spawn(place)?;
            }
        }
        Ok(())
    }

    /// A server may end by itself after SIGTERM only, and without an error.
    fn ended(&mut self, place: usize, status: ExitStatus) -> Result {
        let server = &self.running[place];
        let log = server.log.as_ref().map_or(Ok("not readable".to_owned()), fs::read_to_string)?;
        let is_expected = match status.signal() {
            Some(9) => server.is_killed,
            // It had no time to wait for the signal.
            Some(15) => server.is_asked_to_end && !server.socket.exists(),
            _ => status.success() && server.is_asked_to_end,
        };
        if !is_expected {
            self.outcome.problems.push(format!("server {} ended: {status}: {log}", server.serial));
        }
        for text in ["panicked", "ended before all requests had their answers"] {
            if log.contains(text) {
                self.outcome.problems.push(format!("server {}: {log}", server.serial));
            }
        }
        crate::fleet::tidy(server.child.id());
        Ok(())
    }

    /// Ends all servers.
    fn end(&mut self) -> Result {
        for server in &mut self.running {
            server.is_asked_to_end = true;
            let id = server.child.id().to_string();
            signal("-CONT", &id);
            signal("-TERM", &id);
        }
        let limit = Instant::now() + Duration::from_secs(30);
        for place in 0..self.running.len() {
            let status = loop {
                if let Some(status) = self.running[place].child.try_wait()? {
                    break status;
                }
                if Instant::now() > limit {
                    return Err("a server did not end within 30 s after SIGTERM".into());
                }
                thread::sleep(STEP);
            };
            self.ended(place, status)?;
        }
        Ok(())
    }
}

impl Drop for Servers<'_> {
    fn drop(&mut self) {
        for server in &mut self.running {
            let _ = server.child.kill();
            let _ = server.child.wait();
            crate::fleet::tidy(server.child.id());
        }
    }
}

/// A process that ends when this value is dropped.
struct Ending(Option<Child>);

impl Drop for Ending {
    fn drop(&mut self) {
        if let Some(mut child) = self.0.take() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// A folder, removed when this value is dropped.
struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        if let Err(error) = fs::remove_dir_all(&self.0) {
            eprintln!("cannot remove {}: {error}", self.0.display());
        }
    }
}

fn disturb(kind: StoreKind, seed: u64, options: &Options, programs: &Programs) -> Result<Outcome> {
    let mut random = Rng::with_seed(seed);
    let seconds = Duration::from_secs(options.seconds);
    let places = options.servers;
    eprintln!("{places} servers on {} for {seconds:?}, seed {seed}", kind.shown());
    // Not in the folder of the build: the path of a socket is short.
    let folder = Folder(std::env::temp_dir().join(format!("sortid-serve-{}", std::process::id())));
    fs::create_dir_all(&folder.0)?;
    let mut store = Store::start(kind, &target()?)?;
    stdout_of(Command::new(&programs.fleet).args(["begin", "--nodes", &store.url()]))?;
    let mut servers = Servers {
        running: vec![],
        program: &programs.server,
        folder: &folder.0,
        url: store.url(),
        random: random.fork(),
        killed: BTreeSet::new(),
        outcome: Outcome::default(),
    };
    for place in 0..places {
        // From the start, a clock is wrong by an hour.
        servers.set_clock(place, if place == 1 && kind != StoreKind::Dir { 3600 } else { 0 })?;
        let server = servers.spawn(place)?;
        servers.running.push(server);
    }
    let mut clients = Command::new(&programs.clients);
    clients.arg(&folder.0).args(["--places", &places.to_string(), "--clients", &options.clients.to_string()]);
    clients.args(["--seed", &random.u64(..).to_string()]).args(options.sabotage.then_some("--sabotage"));
    let mut clients = Ending(Some(clients.stdin(Stdio::null()).stdout(Stdio::piped()).spawn()?));

    let started = Instant::now();
    let mut host = HostClock::default();
    while started.elapsed() < seconds {
        thread::sleep(STEP);
        let now = Instant::now();
        // Whether something that happens once in this many milliseconds happens now.
        let mut is_time = |millis: u64| random.u64(0..millis) < STEP.as_millis() as u64;
        let (kill, stop, terminate, step) = (is_time(2500), is_time(3000), is_time(3500), is_time(1500));
        let trouble = is_time(6000);
        let place = random.usize(..places);
        if kill {
            servers.kill(place)?;
        }
        if stop {
            servers.stop(place, now + WINDOW.mul_f64(0.2 + 2.8 * random.f64()));
        }
        if terminate {
            servers.terminate(place);
        }
        // The time of a directory is that of the host, so its servers have one clock.
        if kind == StoreKind::Dir {
            if let Some(ahead) = host.step(now, &mut random) {
                (0..places).try_for_each(|place| servers.set_clock(place, ahead))?;
            }
        } else if step {
            let seconds = match random.u8(0..8) {
                0 => 3600,
                1 => -3600,
                2..=4 => 0,
                _ => random.i64(-9..=9),
            };
            servers.set_clock(place, seconds)?;
        }
        if trouble {
            store.disturb(&mut random)?;
        }
        store.heal(now)?;
        servers.look(now)?;
    }
    store.calm()?;
    let clients = clients.0.take().ok_or("the clients have ended")?;
    signal("-TERM", &clients.id().to_string());
    // A client waits for a server that is stopped.
    for server in &servers.running {
        signal("-CONT", &server.child.id().to_string());
    }
    let output = clients.wait_with_output()?;
    servers.end()?;
    if !output.status.success() {
        return Err(format!("the clients failed: {}", output.status).into());
    }
    let mut outcome = std::mem::take(&mut servers.outcome);
    outcome.store_troubles = store.crashes + store.cuts;
    outcome.found = serde_json::from_slice(&output.stdout)?;
    let mut problems = vec![];
    for name in ["repeated", "disordered", "late"] {
        if outcome.found(name) > 0 {
            problems.push(format!("{name}: {}", outcome.found(name)));
        }
    }
    if outcome.found("ids") == 0 {
        problems.push("no IDs".to_owned());
    }
    for wrong in outcome.found["wrong"].as_array().into_iter().flatten() {
        problems.push(wrong.to_string());
    }
    for serial in outcome.found["cut"].as_array().into_iter().flatten().filter_map(Value::as_u64) {
        if !servers.killed.contains(&serial) {
            problems.push(format!("server {serial} was not killed, and ended within an answer"));
        }
    }
    outcome.problems.extend(problems.into_iter().map(|problem| format!("{}: {problem}", kind.shown())));
    for (name, value) in outcome.values() {
        eprintln!("  {name}: {value}");
    }
    eprintln!("  reasons of the status 503: {}", outcome.found["refused"]);
    Ok(outcome)
}
