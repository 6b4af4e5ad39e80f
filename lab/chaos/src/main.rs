//! The driver of `cargo xtask chaos`: it starts processes and servers that make IDs, disturbs them, and checks all IDs.

#![forbid(unsafe_code)]

mod disturb;
mod fleet;
mod ids;
mod measure;
mod places;
mod report;
mod serve;
mod soak;
mod store;
mod watched;

use clap::{Parser, Subcommand};
use std::{
    path::PathBuf,
    process::ExitCode,
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, SystemTime},
};

/// The window of a fleet. It is short, so that much happens.
const WINDOW: Duration = Duration::from_millis(2500);

/// Processes and servers that are killed and stopped, while clocks step, and a check of all of their IDs
#[derive(Parser)]
#[command(name = "cargo xtask chaos", bin_name = "cargo xtask chaos")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Prove on processes and stores, which are killed and stopped, that a fleet repeats no ID
    Fleet(fleet::Options),
    /// Prove on servers that are killed and stopped that no ID is answered twice
    Serve(serve::Options),
    /// Make IDs for an hour in one process, while clocks step, threads come and go and the process forks, and check all
    Soak(soak::Options),
    /// Measure what fleets ask of their stores, and the speed of a server beside Redis and PostgreSQL
    Measure(measure::Options),
    /// A process of a fleet: join it, write IDs to files, leave, and join again, until SIGTERM
    #[command(hide = true)]
    Work(fleet::work::Options),
}

/// The options of the runs that disturb.
#[derive(clap::Args)]
struct Run {
    /// The seed of random decisions [default: the time]
    #[arg(long)]
    seed: Option<u64>,
    /// Take less time, as `cargo xtask ci` does
    #[arg(long)]
    quick: bool,
    /// Let the stores lie, or write or read IDs twice, so that the check must fail
    #[arg(long)]
    sabotage: bool,
    /// Write the record in records/
    #[arg(long, conflicts_with = "sabotage")]
    write: bool,
    /// The folder for IDs and stores [default: that for temporary files]
    #[arg(long, default_value_os_t = std::env::temp_dir(), hide_default_value = true, hide = true)]
    folder: PathBuf,
}

impl Run {
    fn seed(&self) -> u64 {
        self.seed.unwrap_or_else(|| SystemTime::UNIX_EPOCH.elapsed().map_or(0, |since| since.as_secs()))
    }
}

fn main() -> ExitCode {
    let result = match Cli::parse().command {
        Command::Fleet(options) => fleet::run(&options),
        Command::Serve(options) => serve::run(&options),
        Command::Soak(options) => soak::run(&options),
        Command::Measure(options) => measure::run(&options),
        Command::Work(options) => fleet::work::run(&options),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("sortid-chaos: {error}");
            ExitCode::FAILURE
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[test]
fn the_options_of_each_command_are_sound() {
    <Cli as clap::CommandFactory>::command().debug_assert();
}
