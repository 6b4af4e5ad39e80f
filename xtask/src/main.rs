//! Every chore of the workspace: `cargo xtask --help`.

mod ci;
mod no_std;
mod shell;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// The chores of the sortid workspace.
#[derive(Parser)]
#[command(name = "cargo xtask")]
struct Cli {
    #[command(subcommand)]
    chore: Chore,
}

#[derive(Subcommand)]
enum Chore {
    /// Everything that has to hold before a change lands: format, lints, tests, docs, features, `no_std`, dependencies
    Ci,
    /// Links all spec crates into a program without std
    NoStd,
}

fn main() -> ExitCode {
    let result = match Cli::parse().chore {
        Chore::Ci => ci::run(),
        Chore::NoStd => no_std::run(),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error}");
            ExitCode::FAILURE
        }
    }
}
