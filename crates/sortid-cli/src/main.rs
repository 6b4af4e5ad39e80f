//! The program `sortid`: makes, reads and checks time-sortable identifiers at a shell.

#![forbid(unsafe_code)]

mod answers;
mod check;
mod convert;
mod encoding;
mod failure;
mod help;
mod inspect;
mod json;
mod ledger;
mod lines;
mod new;
mod picture;
mod range;
mod reading;
mod ron;
mod spec;
mod sql;
mod time;

use clap::{
    ColorChoice, CommandFactory as _, Parser, Subcommand,
    error::{ContextKind, ContextValue},
};
use failure::Failure;
use sortid::detect;
use std::{fmt, io::Write as _, process::ExitCode};

/// Makes, reads and checks time-sortable identifiers.
///
/// Exits with 0 when all was well, 1 when something was invalid, 2 when the command line, reading or writing
/// failed.
#[derive(Parser)]
#[command(name = "sortid", version, arg_required_else_help = true, after_long_help = help::examples(&[
    ("One ID of each specification, explained", "sortid new --all"),
    ("What an ID is", "sortid inspect 00CMXB6TAK4SA"),
    ("A thousand IDs, and whether they are valid", "sortid new euid -n 1000 | sortid check euid"),
    ("More of these", "sortid new --help"),
]))]
struct Cli {
    #[command(subcommand)]
    command: Command,

    /// When there are colours: auto, always or never
    ///
    /// auto is on a terminal, unless `NO_COLOR` is set, and elsewhere where `CLICOLOR_FORCE` is.
    #[arg(long, value_name = "WHEN", global = true, default_value = "auto", hide_possible_values = true)]
    color: ColorChoice,
}

#[derive(Subcommand)]
enum Command {
    New(new::Args),
    Inspect(inspect::Args),
    Convert(convert::Args),
    Check(check::Args),
    Range(range::Args),
    Ledger(ledger::Args),
    Ron(ron::Args),
    Completions(help::CompletionsArgs),
    Man(help::ManArgs),
}

/// Whether all input was valid.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Valid,
    Invalid,
}

fn main() -> ExitCode {
    let mut verdict = Verdict::Valid;
    let Cli { command, color } = Cli::try_parse().unwrap_or_else(|error| explained(error).exit());
    match color {
        ColorChoice::Auto => anstream::ColorChoice::Auto,
        ColorChoice::Always => anstream::ColorChoice::Always,
        ColorChoice::Never => anstream::ColorChoice::Never,
    }
    .write_global();
    let result = match &command {
        Command::New(args) => new::run(args),
        Command::Inspect(args) => inspect::run(args, &mut verdict),
        Command::Convert(args) => convert::run(args, &mut verdict),
        Command::Range(args) => range::run(args),
        Command::Check(args) => check::run(args, &mut verdict),
        Command::Ledger(args) => ledger::run(args, &mut verdict),
        Command::Ron(args) => ron::run(args, &mut verdict),
        Command::Completions(args) => help::completions(args),
        Command::Man(args) => help::man(args),
    };
    match result {
        Ok(()) => verdict.into(),
        // Whoever read our output has had enough of it. What was wrong until then is wrong all the same.
        Err(failure) if failure.is_broken_pipe() => verdict.into(),
        Err(Failure::Usage { command, message }) => {
            let mut cli = Cli::command().color(color);
            cli.build();
            let command = command.split(' ').fold(&mut cli, |command, name| {
                command.find_subcommand_mut(name).expect("a subcommand reports its own name")
            });
            command.error(clap::error::ErrorKind::ValueValidation, message).exit()
        }
        Err(failure) => {
            let styles = clap::builder::Styles::styled();
            let style = styles.get_error();
            complain(format_args!("{style}error:{style:#} {failure}"));
            ExitCode::from(2)
        }
    }
}

/// Who gives an ID in the place of a command is told which command that is.
fn explained(mut error: clap::Error) -> clap::Error {
    if let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidSubcommand)
        && detect(word).any(|candidate| candidate.weight() > 0)
    {
        let tip = format!("to see what an ID says of itself: sortid inspect {word}");
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
    }
    error
}

impl From<Verdict> for ExitCode {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Valid => Self::SUCCESS,
            Verdict::Invalid => Self::from(1),
        }
    }
}

/// Prints a line on standard error. Where even that fails, there is no one left to tell.
fn complain(line: fmt::Arguments<'_>) {
    let _ = writeln!(anstream::stderr(), "{line}");
}
