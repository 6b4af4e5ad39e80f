//! The process of `cargo xtask soak`: threads that come and go use shared generators of all specifications, while clocks
//! step, the process forks, and reservations are renewed, lost and taken over. All IDs are checked.

#![forbid(unsafe_code)]

#[cfg(unix)]
mod children;
#[cfg(unix)]
mod clock;
#[cfg(unix)]
mod fleet;
#[cfg(unix)]
mod record;
#[cfg(unix)]
mod report;
#[cfg(unix)]
mod run;
#[cfg(unix)]
mod source;
#[cfg(unix)]
mod store;
#[cfg(unix)]
mod tenancy;
#[cfg(unix)]
mod world;

use clap::Parser;
use std::{error::Error, path::PathBuf, process::ExitCode};

type Result<T = (), E = Box<dyn Error + Send + Sync>> = std::result::Result<T, E>;

/// The process of `cargo xtask soak`
#[derive(Parser)]
struct Options {
    /// How long to make IDs. SIGINT and SIGTERM end it earlier, with the checks and the summary
    #[arg(long, default_value_t = 3600)]
    seconds: u64,
    /// The folder for the IDs, about 2 GB in an hour. The default is that for temporary files
    #[arg(long)]
    folder: Option<PathBuf>,
    /// The seed of random decisions [default: the time]
    #[arg(long)]
    seed: Option<u64>,
    /// Write some IDs twice, so that the check must fail
    #[arg(long)]
    sabotage: bool,
}

#[cfg(unix)]
fn main() -> ExitCode {
    match run::run(&Options::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("sortid-soak: {error}");
            ExitCode::FAILURE
        }
    }
}

#[cfg(not(unix))]
fn main() -> ExitCode {
    let _ = Options::parse();
    eprintln!("sortid-soak: processes fork on Unix only: run it on Linux, for example in WSL");
    ExitCode::FAILURE
}
