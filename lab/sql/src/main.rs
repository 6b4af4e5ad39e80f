//! The proof of `cargo xtask sql`: the SQL of sortid-sql, compared with the libraries.

#![forbid(unsafe_code)]

mod by_time;
mod check;
mod database;
mod measure;
mod page;
mod samples;
mod subject;

use clap::{Parser, Subcommand};
use std::{error::Error, process::ExitCode};

type Result<T = (), E = Box<dyn Error>> = std::result::Result<T, E>;

/// The proof of `cargo xtask sql`: the SQL of sortid-sql, compared with the libraries
#[derive(Parser)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Compare every function of a database with the library
    Check(check::Options),
    /// Print a table of how many rows a second the functions read, in Markdown
    Measure(measure::Options),
    /// Print a table of the times of a query by time in PostgreSQL, in Markdown
    ByTime(by_time::Options),
    /// Run the examples of a page
    Page(page::Options),
}

fn main() -> ExitCode {
    let result = match Cli::parse().command {
        Command::Check(options) => check::run(&options),
        Command::Measure(options) => measure::run(&options),
        Command::ByTime(options) => by_time::run(&options),
        Command::Page(options) => page::run(&options),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("sortid-sql-lab: {error}");
            ExitCode::FAILURE
        }
    }
}
