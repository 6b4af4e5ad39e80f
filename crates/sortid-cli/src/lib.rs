//! The program `sortid`: makes, reads and checks time-sortable identifiers at a shell.

#![forbid(unsafe_code)]

mod answers;
mod clock;
mod commands;
mod counts;
mod database;
mod descriptors;
mod examples;
mod failure;
mod fleet;
mod json;
mod lines;
mod mistakes;
mod output;
mod picture;
mod progress;
mod signals;
mod spec;
mod stderr;
mod table;
mod terminal;
mod time;
mod verdict;

#[cfg(unix)]
#[doc(hidden)]
pub use descriptors::look as look_at_descriptors;

use clap::{ColorChoice, CommandFactory as _, Parser, Subcommand, error::ErrorKind};
use commands::{check, completions, convert, inspect, ledger, man, new, nodes, range, ron, sql};
use examples::examples;
use failure::Failure;
use std::{
    io::{self, Write as _},
    panic,
    process::ExitCode,
};
use terminal::escaped;
use verdict::Verdict;

/// Makes, reads and checks time-sortable identifiers.
///
/// The exit code is 0 if everything is valid, and 1 if something is invalid. It is 2 if the command line is wrong, reading or
/// writing fails, or no ID can be generated.
#[derive(Parser)]
#[command(name = "sortid", version, arg_required_else_help = true, after_long_help = examples(&[
    ("Make one ID of each specification and explain it", "sortid new --all"),
    ("Explain an ID", "sortid inspect 00CMXB6TAK4SA"),
    ("Make a thousand IDs and check them", "sortid new euid -n 1000 | sortid check euid"),
    ("Show more examples", "sortid new --help"),
]))]
struct Cli {
    #[command(subcommand)]
    command: Command,

    /// When to use colour: auto, always or never
    ///
    /// auto: on a terminal unless `NO_COLOR` is set, and elsewhere if `CLICOLOR_FORCE` is set.
    #[arg(long, value_name = "WHEN", global = true, default_value = "auto", hide_possible_values = true)]
    color: ColorChoice,
}

#[derive(Subcommand)]
enum Command {
    #[command(aliases = ["generate", "gen", "make", "create"])]
    New(new::Args),
    #[command(aliases = ["decode", "parse", "show", "explain", "describe", "info", "read"])]
    Inspect(inspect::Args),
    #[command(alias = "encode")]
    Convert(convert::Args),
    #[command(alias = "validate")]
    Check(check::Args),
    Range(range::Args),
    Ledger(ledger::Args),
    #[command(alias = "fleet")]
    Nodes(nodes::Args),
    Ron(ron::Args),
    Sql(sql::Args),
    Completions(completions::Args),
    Man(man::Args),
}

/// Runs the program with the arguments of the process.
#[must_use]
#[allow(clippy::missing_panics_doc, reason = "only a fault of the program panics")]
pub fn main() -> ExitCode {
    signals::outlive_file_limit();
    let print_panic = panic::take_hook();
    panic::set_hook(Box::new(move |panic| {
        // The message can quote input.
        if panic.to_string().lines().any(|line| line.contains(terminal::is_hidden)) {
            stderr::print_error(panic);
        } else {
            print_panic(panic);
        }
    }));
    if descriptors::is_output_closed() {
        stderr::print_error("cannot write: standard output is closed");
        return ExitCode::from(2);
    }
    let mut verdict = Verdict::Valid;
    let Cli { command, color } = match parse() {
        Ok(cli) => cli,
        Err(error) => return end(&mistakes::explained(harmless(error), &Cli::command())),
    };
    match color {
        ColorChoice::Auto => anstream::ColorChoice::Auto,
        ColorChoice::Always => anstream::ColorChoice::Always,
        ColorChoice::Never => anstream::ColorChoice::Never,
    }
    .write_global();
    let result = match &command {
        Command::New(args) => new::run(args, &mut verdict),
        Command::Inspect(args) => inspect::run(args, &mut verdict),
        Command::Convert(args) => convert::run(args, &mut verdict),
        Command::Range(args) => range::run(args),
        Command::Check(args) => check::run(args, &mut verdict),
        Command::Ledger(args) => ledger::run(args, &mut verdict),
        Command::Nodes(args) => nodes::run(args),
        Command::Ron(args) => ron::run(args, &mut verdict),
        Command::Sql(args) => sql::run(args),
        Command::Completions(args) => completions::run(args, Cli::command()),
        Command::Man(args) => man::run(args, Cli::command()),
    };
    match result {
        Ok(()) => verdict.into(),
        // The reader of our output closed it, which is not an error. Invalid input that was found before still counts.
        // `ledger append` and `ledger repair --write` report it themselves: they have changed a file.
        Err(failure) if failure.is_broken_pipe() => verdict.into(),
        Err(Failure::Usage { command, message }) => {
            let mut cli = Cli::command().color(color);
            cli.build();
            let command = command.split(' ').fold(&mut cli, |command, name| {
                command.find_subcommand_mut(name).expect("a subcommand reports its own name")
            });
            command.error(ErrorKind::ValueValidation, escaped(&message)).exit()
        }
        Err(Failure::Told) => ExitCode::from(2),
        Err(failure) => {
            stderr::print_error(failure);
            ExitCode::from(2)
        }
    }
}

/// The same error about arguments whose hidden characters are escaped: clap's messages quote arguments unchanged.
fn harmless(error: clap::Error) -> clap::Error {
    let arguments = mistakes::arguments;
    if !arguments().any(|argument| argument.contains(terminal::is_hidden)) {
        return error;
    }
    match Cli::try_parse_from(arguments().map(|argument| escaped(&argument).into_owned())) {
        Err(error) => error,
        Ok(_) => Cli::command()
            .error(error.kind(), "an argument contains control characters or invisible characters"),
    }
}

/// Reads the command line. `new` takes a specification in other spellings than its name, too.
fn parse() -> Result<Cli, clap::Error> {
    Cli::try_parse().or_else(|error| {
        let parsed = mistakes::with_usual_name(&error).into_iter().map(Cli::try_parse_from);
        let is_known = |result: &Result<_, clap::Error>| {
            result.as_ref().err().is_none_or(|error| error.kind() != ErrorKind::InvalidSubcommand)
        };
        parsed.into_iter().find(is_known).unwrap_or(Err(error))
    })
}

/// Prints what clap has to say: an error, the help, or the version.
fn end(said: &clap::Error) -> ExitCode {
    match said.print().and_then(|()| io::stdout().flush()) {
        Err(error) if !said.use_stderr() && error.kind() != io::ErrorKind::BrokenPipe => {
            stderr::print_error(Failure::from(error));
            ExitCode::from(2)
        }
        _ => ExitCode::from(u8::try_from(said.exit_code()).unwrap_or(2)),
    }
}
