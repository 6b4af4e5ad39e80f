//! The proof of `sortid-fleet`: processes that join, make IDs and leave, on a store, and are disturbed.

mod check;
pub(crate) mod work;

use crate::{
    Run, WINDOW,
    disturb::{Often, disturb},
    ids::{Kind, SIZE},
    places::{Places, Started, Work},
    report::{Outcome, on_each},
    store::{Store, StoreKind, Stores},
};
use fastrand::Rng;
use sortid_servers::{
    programs::with_clock,
    records::grouped,
    servers::Folder,
    shell::{self, Result, cargo},
};
use std::{
    collections::BTreeMap,
    fs,
    io::{self, BufRead as _, BufReader},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::mpsc::{Receiver, Sender, channel},
    thread,
    time::{Duration, Instant},
};

/// The oldest revision that shares a store with this one: the last one before records had a format. The oldest release of
/// the same format takes its place when there is one.
const OLDEST: &str = "727e35478674";

const OFTEN: Often = Often { kill: 700, stop: 900, terminate: 1500, step: 700 };

#[derive(clap::Args)]
pub(crate) struct Options {
    #[command(flatten)]
    run: Run,
    #[command(flatten)]
    stores: Stores,
    /// How long to disturb the fleet of each store
    #[arg(long, default_value_t = 300, default_value_if("quick", "true", "15"))]
    seconds: u64,
    /// How many processes there are for the 32 node IDs
    #[arg(long, default_value_t = 48)]
    processes: usize,
    /// How many IDs each process makes in a second; 0 for as many as possible
    #[arg(long, default_value_t = 20_000)]
    rate: u64,
    /// The specification of the IDs, or `snowflake` for IDs that the crates do not know
    #[arg(long, default_value_t = Kind::Spec(sortid::Spec::UlidFlake))]
    spec: Kind,
    /// Start every third process from the program of this revision, as a rolling upgrade does
    #[arg(long, value_name = "REVISION", num_args = 0..=1, default_missing_value = OLDEST)]
    beside: Option<String>,
}

pub(crate) fn run(options: &Options) -> Result {
    let earlier = options.beside.as_deref().map(|revision| build_of(revision, &options.run.folder));
    let earlier = earlier.transpose()?;
    let about = "A fleet whose processes are killed and stopped, on servers that crash";
    on_each(options.stores.kinds(), &options.run, ("fleet", about), |kind, seed| {
        run_on(kind, seed, options, earlier.as_deref())
    })
}

/// Builds the program of an earlier revision, in a folder of its own.
fn build_of(revision: &str, folder: &Path) -> Result<PathBuf> {
    let folder = folder.join("beside").join(revision);
    if !folder.exists() {
        let part = folder.with_extension("part");
        fs::create_dir_all(&part)?;
        let archive = part.join("archive.tar");
        let mut git = Command::new("git");
        git.current_dir(shell::root()).args(["archive", "--output"]).arg(&archive).arg(revision);
        shell::run(&mut git)?;
        shell::run(Command::new("tar").current_dir(&part).args(["--extract", "--file"]).arg(&archive))?;
        fs::remove_file(archive)?;
        fs::rename(part, &folder)?;
    }
    // The processes had a program of their own before this driver started itself.
    let name =
        if folder.join("lab/chaos/src/main.rs").exists() { "sortid-chaos" } else { "sortid-fleet-proof" };
    let package = ["internal/proof", "lab/chaos"].map(|package| folder.join(package));
    let package = package.iter().find(|package| package.exists()).ok_or("the revision has no processes")?;
    let mut build = cargo(&["build", "--quiet", "--locked", "--release", "--bin", name]);
    shell::run(build.current_dir(package).arg("--target-dir").arg(folder.join("target")))?;
    Ok(folder.join("target/release").join(name))
}

/// Disturbs a fleet on a store for a while, and checks its IDs.
fn run_on(kind: StoreKind, seed: u64, options: &Options, earlier: Option<&Path>) -> Result<Outcome> {
    let folder = Folder::within(&options.run.folder, "fleet")?;
    let mut store = Store::start(kind, &options.run.folder)?;
    sortid_fleet::init(&*sortid_fleet::open(&store.url())?, "default", SIZE)?;
    let workers = Workers {
        options,
        program: std::env::current_exe()?,
        earlier,
        kind,
        url: store.url(),
        folder: &folder,
        earlier_starts: 0,
        said: channel(),
        held: BTreeMap::new(),
        orphans: BTreeMap::new(),
        blocked: vec![],
    };
    let mut places = Places::start(workers, options.processes, kind, &folder, seed)?;
    let started = Instant::now();
    disturb(&mut places, &mut store, &OFTEN, Duration::from_secs(options.seconds))?;
    places.end()?;
    let seconds = started.elapsed().as_secs_f64();
    let operations = fs::metadata(folder.join("operations"))?.len() as f64;
    let found = check::check(&folder, options.spec)?;
    let mut blocked = std::mem::take(&mut places.work.blocked);
    blocked.sort();
    let shown =
        |blocked: Option<&Duration>| format!("{:.1} s", blocked.copied().unwrap_or_default().as_secs_f64());
    let mut values = vec![
        ("processes at a time, for 32 node IDs", options.processes.to_string()),
        ("seconds", format!("{seconds:.0}")),
        ("processes started", grouped(places.starts)),
        ("those of an earlier version", grouped(places.work.earlier_starts)),
        ("holders of node IDs", grouped(found.holders)),
    ];
    values.extend(places.values());
    values.extend([
        ("crashes of servers", grouped(store.crashes)),
        ("connections cut, servers stopped, or directory read-only", grouped(store.cuts)),
        ("IDs", grouped(found.ids)),
        ("node ID blocked after a kill, median", shown(blocked.get(blocked.len() / 2))),
        ("node ID blocked after a kill, longest", shown(blocked.last())),
        ("operations on the store a second", format!("{:.0}", operations / seconds)),
    ]);
    let never = [
        ("IDs that occur twice", found.repeated),
        ("IDs out of order", found.disordered),
        ("IDs with a wrong node ID", found.of_another_node_id),
        ("node IDs with two holders at a time", found.shared),
    ];
    let mut problems = found.shown;
    problems.append(&mut places.problems);
    // With a later holder, a node ID had IDs before.
    problems.extend((found.holders <= found.node_ids).then(|| "no node ID had a second holder".to_owned()));
    Ok(Outcome::new(values, &never, problems))
}

/// The processes of a fleet.
struct Workers<'a> {
    options: &'a Options,
    program: PathBuf,
    /// The program of an earlier version, for every third place.
    earlier: Option<&'a Path>,
    kind: StoreKind,
    url: String,
    /// The folder of the IDs.
    folder: &'a Path,
    earlier_starts: u64,
    said: (Sender<Said>, Receiver<Said>),
    /// The node ID that a process has.
    held: BTreeMap<u64, u32>,
    /// Since when a node ID of a process that was killed has no holder.
    orphans: BTreeMap<u32, Instant>,
    /// How long each node ID of a process that was killed had no holder.
    blocked: Vec<Duration>,
}

/// A line of a process, or its end.
struct Said {
    serial: u64,
    at: Instant,
    line: Option<String>,
}

impl Work for Workers<'_> {
    const NAME: &'static str = "process";

    fn start(&mut self, place: usize, serial: u64, clock: &Path, random: &mut Rng) -> Result<Started> {
        let earlier = self.earlier.filter(|_| place % 3 == 2);
        self.earlier_starts += u64::from(earlier.is_some());
        let mut command = Command::new(earlier.unwrap_or(&self.program));
        command.args(["work", "--nodes", &self.url, "--spec", &self.options.spec.to_string()]);
        command.arg("--folder").arg(self.folder);
        command.args(["--window", &WINDOW.as_millis().to_string()]);
        command.args(["--rate", &self.options.rate.to_string()]);
        command.args(["--stay", "8000", "--seed", &random.u64(..).to_string()]);
        // Every second place has a name that stays.
        if place.is_multiple_of(2) {
            command.args(["--name", &format!("pod-{place}")]);
        }
        command.args(self.options.run.sabotage.then_some("--sabotage"));
        // With a directory, all have a clock that can be set, and elsewhere every second.
        let has_clock = self.kind == StoreKind::Dir || place % 2 == 1;
        if has_clock {
            with_clock(&mut command, clock)?;
        }
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn()?;
        let out = child.stdout.take().ok_or("the process has no output")?;
        let sender = self.said.0.clone();
        thread::spawn(move || {
            let lines = BufReader::new(out).lines().map_while(io::Result::ok).map(Some);
            for line in lines.chain([None]) {
                let _ = sender.send(Said { serial, at: Instant::now(), line });
            }
        });
        Ok(Started { child, has_clock, log: None, sign: None })
    }

    fn listen(&mut self, killed: &BTreeMap<u64, Instant>) {
        while let Ok(Said { serial, at, line }) = self.said.1.try_recv() {
            let words: Vec<_> = line.iter().flat_map(|line| line.split(' ')).collect();
            let before = self.held.remove(&serial);
            if let ["held", node_id, _] = words[..]
                && let Ok(node_id) = node_id.parse()
            {
                self.held.insert(serial, node_id);
                self.blocked.extend(self.orphans.remove(&node_id).map(|since| at.duration_since(since)));
            } else if line.is_none() {
                self.orphans.extend(before.zip(killed.get(&serial).copied()));
            }
        }
    }
}
