//! The program `sortid`: makes, reads and checks time-sortable identifiers at a shell.

mod check;
mod failure;
mod inspect;
mod json;
mod lines;
mod new;
mod picture;
mod reading;
mod spec;
mod time;

use clap::{CommandFactory as _, Parser, Subcommand};
use failure::Failure;
use std::process::ExitCode;

/// Makes, reads and checks time-sortable identifiers.
///
/// Exits with 0 when all was well, 1 when something was invalid, 2 when the command line, reading or writing
/// failed.
#[derive(Parser)]
#[command(name = "sortid", version, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    New(new::Args),
    Inspect(inspect::Args),
    Check(check::Args),
}

/// Whether all input was valid.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Valid,
    Invalid,
}

fn main() -> ExitCode {
    let result = match &Cli::parse().command {
        Command::New(args) => new::run(args),
        Command::Inspect(args) => inspect::run(args),
        Command::Check(args) => check::run(args),
    };
    match result {
        Ok(Verdict::Valid) => ExitCode::SUCCESS,
        Ok(Verdict::Invalid) => ExitCode::from(1),
        // Whoever read our output has had enough of it.
        Err(failure) if failure.is_broken_pipe() => ExitCode::SUCCESS,
        Err(Failure::Usage { command, message }) => {
            let mut cli = Cli::command();
            cli.build();
            let subcommand = cli.find_subcommand_mut(command).expect("a subcommand reports its own name");
            subcommand.error(clap::error::ErrorKind::ValueValidation, message).exit()
        }
        Err(failure) => {
            anstream::eprintln!("{}error:{} {failure}", clap_error_style(), anstyle::Reset);
            ExitCode::from(2)
        }
    }
}

const fn clap_error_style() -> anstyle::Style {
    *clap::builder::Styles::styled().get_error()
}
