//! The proof of `sortid-server`: servers of a fleet that are disturbed, with clients over HTTP.

mod check;
mod client;

use crate::{
    Run, WINDOW,
    disturb::{Often, disturb},
    ids::SIZE,
    places::{Places, Started, Work, put},
    report::{Outcome, on_each},
    store::{Store, StoreKind, Stores},
};
use check::Answers;
use client::Seen;
use fastrand::Rng;
use sortid_servers::{programs::with_clock, records::grouped, servers::Folder, shell::Result};
use std::{
    fs::{File, OpenOptions},
    io::{self, Read as _},
    path::{Path, PathBuf},
    process::{ChildStderr, Command, Stdio},
    sync::atomic::{AtomicBool, Ordering::Relaxed},
    thread,
    time::{Duration, Instant},
};

const OFTEN: Often = Often { kill: 2500, stop: 3000, terminate: 3500, step: 1500 };

#[derive(clap::Args)]
pub(crate) struct Options {
    #[command(flatten)]
    run: Run,
    #[command(flatten)]
    stores: Stores,
    /// How long to disturb the servers of each store
    #[arg(long, default_value_t = 120, default_value_if("quick", "true", "15"))]
    seconds: u64,
    /// How many servers there are at a time
    #[arg(long, default_value_t = 3)]
    servers: usize,
    /// How many clients ask at a time
    #[arg(long, default_value_t = 12)]
    clients: usize,
    /// The program `sortid-server`
    #[arg(long, hide = true)]
    server: PathBuf,
}

pub(crate) fn run(options: &Options) -> Result {
    let about = "Servers of a fleet that are killed and stopped or lose their log, with clients over HTTP";
    on_each(options.stores.kinds(), &options.run, ("serve", about), |kind, seed| run_on(kind, seed, options))
}

/// Disturbs servers on a store for a while, and checks their answers.
fn run_on(kind: StoreKind, seed: u64, options: &Options) -> Result<Outcome> {
    // Not in the folder of the build: the path of a socket is short.
    let folder = Folder::new("serve")?;
    let mut store = Store::start(kind, &options.run.folder)?;
    sortid_fleet::init(&*sortid_fleet::open(&store.url())?, "default", SIZE)?;
    let (program, url) = (&*options.server, store.url());
    let servers = Servers { program, folder: &folder, url, log_troubles: 0, unread: vec![] };
    let mut places = Places::start(servers, options.servers, kind, &folder, seed)?;
    let (started, is_over) = (Instant::now(), AtomicBool::new(false));
    let (mut all, mut seen): (Vec<Answers>, _) = (vec![], Seen::default());
    thread::scope(|scope| -> Result {
        let ask = |random| client::run(&folder, options.servers, started, &is_over, random);
        let clients: Vec<_> = (0..options.clients)
            .map(|_| {
                let random = places.random.fork();
                scope.spawn(move || ask(random))
            })
            .collect();
        let disturbed = disturb(&mut places, &mut store, &OFTEN, Duration::from_secs(options.seconds));
        is_over.store(true, Relaxed);
        // A client waits for a server that is stopped.
        places.go_on();
        for client in clients {
            let (answers, of_client) = client.join().map_err(|_| "a client panicked")?;
            all.push(answers);
            seen.add(of_client);
        }
        disturbed
    })?;
    places.end()?;
    if options.run.sabotage {
        all.iter_mut().for_each(Answers::repeat_one);
    }
    let found = check::check(&all);
    eprintln!("  reasons of the status 503: {:?}", seen.refused);
    let mut values = vec![("servers started", grouped(places.starts))];
    values.extend(places.values());
    values.extend([
        ("troubles of the store", grouped(store.crashes + store.cuts)),
        ("logs closed, full, not read or cut off", grouped(places.work.log_troubles)),
        ("answers", grouped(found.answers)),
        ("answers of the status 503", grouped(seen.refused.values().sum())),
        ("IDs", grouped(found.ids)),
    ]);
    let never = [
        ("IDs that occur twice", found.repeated),
        ("answers whose IDs are out of order", found.disordered),
        ("answers with lesser IDs than an earlier answer", found.late),
    ];
    let mut problems = seen.wrong;
    problems.truncate(20);
    problems.extend((found.ids == 0).then(|| "no IDs".to_owned()));
    let cut = seen.cut.iter().filter(|serial| !places.killed.contains_key(serial));
    problems.extend(cut.map(|serial| format!("server {serial} was not killed, and ended within an answer")));
    problems.append(&mut places.problems);
    Ok(Outcome::new(values, &never, problems))
}

struct Servers<'a> {
    program: &'a Path,
    /// The folder of the sockets and of the logs. A file `server-PLACE` for each place has the number of the server that is
    /// there now, and its socket.
    folder: &'a Path,
    url: String,
    log_troubles: u64,
    /// The ends of logs that nobody reads.
    unread: Vec<ChildStderr>,
}

impl Work for Servers<'_> {
    const NAME: &'static str = "server";

    fn start(&mut self, place: usize, serial: u64, clock: &Path, random: &mut Rng) -> Result<Started> {
        let socket = self.folder.join(format!("{serial}.socket"));
        let mut command = Command::new(self.program);
        command.args(["--nodes", &self.url, "--origin", "proof", "--log", "json"]);
        command.args(["--window", &format!("{}ms", WINDOW.as_millis())]);
        command.arg("--listen").arg(format!("unix:{}", socket.display()));
        if place == 0 {
            command.args(["--name", "first"]);
        }
        with_clock(&mut command, clock)?;
        let log = self.folder.join(format!("{serial}.log"));
        let trouble = random.u8(..8);
        match trouble {
            0 => command.stderr(OpenOptions::new().write(true).open("/dev/full")?),
            1 | 2 => command.stderr(Stdio::piped()),
            _ => command.stderr(File::create(&log)?),
        };
        if trouble < 3 {
            self.log_troubles += 1;
            // The lines of its requests soon fill a pipe.
            command.args(["--log-level", "debug"]);
        }
        let mut child = command.stdin(Stdio::null()).spawn()?;
        if let Some(stderr) = child.stderr.take() {
            if trouble == 1 {
                let read = if random.bool() { 0 } else { random.u64(..100_000) };
                thread::spawn(move || io::copy(&mut stderr.take(read), &mut io::sink()));
            } else {
                self.unread.push(stderr);
            }
        }
        put(&self.folder.join(format!("server-{place}")), &format!("{serial} {}\n", socket.display()))?;
        Ok(Started { child, has_clock: true, log: (trouble > 2).then_some(log), sign: Some(socket) })
    }
}
