//! The processes of `cargo xtask fleet`, and the check of their IDs.

#![forbid(unsafe_code)]

mod check;
mod ids;
mod measure;
mod store;
mod work;

use clap::{Parser, Subcommand};
use sortid::Spec;
use std::{error::Error, path::PathBuf, process::ExitCode};

type Result<T = (), E = Box<dyn Error>> = std::result::Result<T, E>;

/// The processes of `cargo xtask fleet`, and the check of their IDs
#[derive(Parser)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Create the fleet, as an operator does
    Begin {
        /// The store
        #[arg(long)]
        nodes: String,
    },
    /// Join a fleet, write IDs to files, leave, and join again, until SIGTERM
    Work(work::Options),
    /// Check all IDs that the processes of a fleet wrote, and print a JSON object
    Check {
        /// The folder with the files
        folder: PathBuf,
        /// The specification of the IDs
        #[arg(long)]
        spec: Spec,
    },
    /// Measure what a fleet asks of its store, and print a JSON object
    Measure {
        /// The store
        #[arg(long)]
        nodes: String,
        /// Measure for a moment only
        #[arg(long)]
        quick: bool,
    },
}

fn main() -> ExitCode {
    let result = match Cli::parse().command {
        Command::Begin { nodes } => work::begin(&nodes),
        Command::Work(options) => work::run(&options),
        Command::Check { folder, spec } => check::run(&folder, spec),
        Command::Measure { nodes, quick } => measure::run(&nodes, quick),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("sortid-fleet-proof: {error}");
            ExitCode::FAILURE
        }
    }
}
