//! A process of a fleet: joins, writes IDs, leaves, and joins again.

use crate::{
    ids::{self, Kind, Snowflakes},
    lock,
    watched::counted,
};
use fastrand::Rng;
use signal_hook::{consts::SIGTERM, flag};
use sortid_fleet::{Fleet, GenerateErrorKind, Node, NodeState};
use sortid_servers::shell::Result;
use std::{
    fs::{File, OpenOptions},
    io::{self, Write as _},
    path::{Path, PathBuf},
    process,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
    },
    thread,
    time::{Duration, Instant},
};

/// How many threads of a process share a generator.
const THREADS: u64 = 2;

/// How long a process that makes no IDs keeps its node ID.
const PATIENCE: Duration = Duration::from_secs(5);

#[derive(clap::Args)]
pub(crate) struct Options {
    /// The store
    #[arg(long)]
    nodes: String,
    /// The specification of the IDs, or `snowflake`
    #[arg(long)]
    spec: Kind,
    /// Where to write IDs
    #[arg(long)]
    folder: PathBuf,
    /// A stable name of the process
    #[arg(long)]
    name: Option<String>,
    /// The window, in milliseconds
    #[arg(long)]
    window: u64,
    /// How many IDs to make in a second; 0 for as many as possible
    #[arg(long)]
    rate: u64,
    /// How long to keep a node ID on average, in milliseconds
    #[arg(long)]
    stay: u64,
    /// The seed of random decisions
    #[arg(long)]
    seed: u64,
    /// Pretend that each swap succeeds, so that the check of the IDs must fail
    #[arg(long)]
    sabotage: bool,
}

/// Writes what happens to standard output, a line each: `held NODE_ID GENERATION`, `left NODE_ID GENERATION`, or
/// `failed MESSAGE`.
pub(crate) fn run(options: &Options) -> Result {
    let is_over = Arc::new(AtomicBool::new(false));
    flag::register(SIGTERM, Arc::clone(&is_over))?;
    let mut random = Rng::with_seed(options.seed);
    // One byte for each operation. So the length counts the operations of processes that were killed, too.
    let operations = append(&options.folder.join("operations"), true)?;
    let count = move || {
        let _ = (&operations).write_all(b".");
    };
    let store = loop {
        match sortid_fleet::open(&options.nodes) {
            Ok(store) => break counted(store, options.sabotage, count),
            Err(_) if is_over.load(Relaxed) => return Ok(()),
            Err(error) => tell(format_args!("failed {error}"))?,
        }
        thread::sleep(Duration::from_millis(200));
    };
    let mut fleet = Fleet::new(store)
        // Many reservations are lost, and `hold` looks at the state.
        .on_lost(|_| {})
        .window(Duration::from_millis(options.window))?
        // Not long, so that the process ends soon after SIGTERM.
        .wait(Duration::from_secs(1));
    if let Some(name) = &options.name {
        fleet = fleet.name(name)?;
    }
    while !is_over.load(Relaxed) {
        match fleet.join() {
            Ok(node) => hold(node, options, &is_over, &mut random)?,
            Err(error) => {
                tell(format_args!("failed {error}"))?;
                thread::sleep(Duration::from_millis(100));
            }
        }
    }
    Ok(())
}

/// Writes the bytes of so many new IDs into a list.
type Fill<'a> = dyn Fn(usize, &mut Vec<u8>) -> Result<(), GenerateErrorKind> + Sync + 'a;

/// Makes IDs for a while, and leaves.
fn hold(node: Node, options: &Options, is_over: &AtomicBool, random: &mut Rng) -> Result {
    let (node_id, generation) = (node.id(), node.generation());
    tell(format_args!("held {node_id} {generation}"))?;
    let generator = match options.spec {
        Kind::Spec(spec) => Some(node.generator(ids::options(spec)?)?),
        Kind::Snowflake => None,
    };
    let node = Arc::new(Mutex::new(Some(node)));
    let snowflakes = Snowflakes::new(Arc::clone(&node));
    let fill = |count, bytes: &mut Vec<u8>| {
        let each = |id: &[u8]| bytes.extend_from_slice(id);
        match &generator {
            Some(generator) => ids::make(generator, count, each).map_err(|error| error.kind()),
            None => snowflakes.make(count, each),
        }
    };
    let open = |thread| {
        let name = format!("{node_id}-{generation}-{}-{thread}.ids", process::id());
        append(&options.folder.join(name), false)
    };
    let files = (0..THREADS).map(open).collect::<io::Result<Vec<_>>>()?;
    let batches = AtomicU64::new(0);
    thread::scope(|scope| {
        let start = |file| {
            let (fill, batches, random) = (&fill, &batches, random.fork());
            scope.spawn(move || generate(fill, batches, file, options.rate / THREADS, random))
        };
        let threads: Vec<_> = files.into_iter().map(start).collect();
        let stay = Duration::from_millis(options.stay / 2 + random.u64(0..options.stay));
        let joined = Instant::now();
        let mut progress = (0, Instant::now());
        while !is_over.load(Relaxed) && joined.elapsed() < stay {
            thread::sleep(Duration::from_millis(20));
            let batches = batches.load(Relaxed);
            if batches > progress.0 {
                progress = (batches, Instant::now());
            }
            let is_lost = lock(&node).as_ref().is_none_or(|node| node.status().state == NodeState::Lost);
            if is_lost || progress.1.elapsed() > PATIENCE {
                break;
            }
        }
        // The threads are at work meanwhile. Their generator ends.
        let node = lock(&node).take();
        match node.map_or(Ok(()), Node::release) {
            Ok(()) => tell(format_args!("left {node_id} {generation}"))?,
            Err(error) => tell(format_args!("failed {error}"))?,
        }
        for thread in threads {
            thread.join().map_err(|_| "a thread panicked")??;
        }
        Ok(())
    })
}

/// Makes IDs until the generator ends. An ID counts as handed out once it is written: a write survives the process.
fn generate(
    fill: &Fill<'_>,
    batches: &AtomicU64,
    mut file: File,
    rate: u64,
    mut random: Rng,
) -> io::Result<()> {
    let mut bytes = vec![];
    loop {
        let count = ids::count(&mut random);
        bytes.clear();
        match fill(count, &mut bytes) {
            Ok(()) => {
                file.write_all(&bytes)?;
                batches.fetch_add(1, Relaxed);
                if let Some(micros) = (count as u64 * 1_000_000).checked_div(rate) {
                    thread::sleep(Duration::from_micros(micros));
                }
            }
            Err(GenerateErrorKind::ReservationEnded) => return Ok(()),
            Err(_) => thread::sleep(Duration::from_millis(20)),
        }
    }
}

fn append(path: &Path, may_exist: bool) -> io::Result<File> {
    OpenOptions::new().append(true).create(may_exist).create_new(!may_exist).open(path)
}

/// Writes a line. It reaches the reader even if the process is killed right after.
fn tell(line: std::fmt::Arguments<'_>) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{line}")?;
    out.flush()
}
