//! The clients of `cargo xtask serve`: they ask servers for IDs over HTTP until SIGTERM, and check all answers.

#![forbid(unsafe_code)]

mod check;
mod client;

use check::Answers;
use clap::Parser;
use serde_json::{Value, json};
use signal_hook::{consts::SIGTERM, flag};
use std::{
    collections::BTreeMap,
    error::Error,
    path::PathBuf,
    process::ExitCode,
    sync::{Arc, atomic::AtomicBool},
    thread,
    time::Instant,
};

type Result<T = (), E = Box<dyn Error>> = std::result::Result<T, E>;

/// The clients of `cargo xtask serve`: they ask servers for IDs over HTTP until SIGTERM, and check all answers
#[derive(Parser)]
struct Options {
    /// The folder with a file `server-PLACE` for each place: the number of the server that is there now, and its socket
    folder: PathBuf,
    /// How many places there are
    #[arg(long)]
    places: usize,
    /// How many clients ask at a time
    #[arg(long)]
    clients: usize,
    /// The seed of random decisions
    #[arg(long)]
    seed: u64,
    /// Answer one request twice, so that the check must fail
    #[arg(long)]
    sabotage: bool,
}

/// What the clients saw besides answers.
#[derive(Default)]
struct Seen {
    /// Answers of the status 503, by their reason.
    refused: BTreeMap<String, u64>,
    /// Connections that were refused, or that ended before an answer began.
    gone: u64,
    /// The servers that ended within an answer.
    cut: Vec<u64>,
    /// Answers that no server should give.
    wrong: Vec<String>,
}

fn run(options: &Options) -> Result<Value> {
    let is_over = Arc::new(AtomicBool::new(false));
    flag::register(SIGTERM, Arc::clone(&is_over))?;
    let mut random = fastrand::Rng::with_seed(options.seed);
    let started = Instant::now();
    let clients: Vec<_> = (0..options.clients)
        .map(|_| {
            let (is_over, random) = (Arc::clone(&is_over), random.fork());
            let (folder, places) = (options.folder.clone(), options.places);
            thread::spawn(move || client::run(&folder, places, started, &is_over, random))
        })
        .collect();
    let (mut all, mut seen): (Vec<Answers>, Seen) = (vec![], Seen::default());
    for client in clients {
        let (answers, of_client) = client.join().map_err(|_| "a client panicked")?;
        all.push(answers);
        for (why, count) in of_client.refused {
            *seen.refused.entry(why).or_default() += count;
        }
        seen.gone += of_client.gone;
        seen.cut.extend(of_client.cut);
        seen.wrong.extend(of_client.wrong);
    }
    if options.sabotage {
        all.iter_mut().for_each(Answers::repeat_one);
    }
    let mut found = check::check(&all);
    seen.wrong.truncate(20);
    found["refused"] = json!(seen.refused);
    found["gone"] = json!(seen.gone);
    found["cut"] = json!(seen.cut);
    found["wrong"] = json!(seen.wrong);
    Ok(found)
}

fn main() -> ExitCode {
    match run(&Options::parse()) {
        Ok(found) => {
            println!("{found}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("sortid-serve-proof: {error}");
            ExitCode::FAILURE
        }
    }
}
