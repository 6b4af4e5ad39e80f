//! A specification whose options are those that its crate describes.

use super::{Refusal, Request};
use crate::{examples::examples, spec::DescribeOptions};
use clap::{Arg, ArgAction, ArgMatches, Command, builder::StyledStr};
use sortid::{AnyOptions, OptionInfo, OptionKind, Spec};

/// The program leaves these options out: its runs are so short that a clock is seldom set back during one.
const LEFT_OUT: [&str; 2] = ["rollback", "rollback_allowance"];

/// Options that have another name here.
const RENAMED: [(&str, &str); 1] = [("micros", "micros-counter")];

/// What the command line gives: the name of the library, the one of the program, and the value.
pub(in super::super) struct Args(Vec<(&'static str, String, String)>);

fn offered(spec: Spec) -> impl Iterator<Item = (&'static OptionInfo, String)> {
    let options = spec.options().iter().filter(|option| !LEFT_OUT.contains(&option.name));
    options.map(|option| match RENAMED.iter().find(|(name, _)| *name == option.name) {
        Some((_, name)) => (option, (*name).to_owned()),
        None => (option, option.name.replace('_', "-")),
    })
}

/// The description of the subcommand, and its examples.
fn words(spec: Spec) -> (String, StyledStr) {
    match spec {
        Spec::Scru160 => (
            "SCRU160, 160 bits: milliseconds, a counter and 96 random bits".to_owned(),
            examples(&[
                ("Make an ID of node 3 of 32", "sortid new scru160 --node 3:5"),
                ("Keep the microsecond in the counter", "sortid new scru160 --micros-counter -n 2"),
            ]),
        ),
        _ => (format!("{}, {} bits", spec.title(), 8 * spec.bytes()), StyledStr::new()),
    }
}

pub(super) fn command(spec: Spec) -> Command {
    let (about, examples) = words(spec);
    let command = Command::new(spec.name()).about(about).after_long_help(examples);
    offered(spec).fold(command, |command, (option, name)| {
        let arg = Arg::new(option.name).long(name).required(option.is_required).help(help(option));
        command.arg(match option.kind {
            OptionKind::Flag => arg.action(ArgAction::SetTrue),
            OptionKind::Number { .. } => arg.value_name("N"),
            OptionKind::Text(form) => arg.value_name(form),
            OptionKind::Choice(words) => arg.value_parser(words.to_vec()),
            _ => arg.value_name("SECONDS"),
        })
    })
}

/// The description as a sentence, with the range of a number.
fn help(option: &OptionInfo) -> String {
    let (first, rest) = option.about.split_at(1);
    let range = match option.kind {
        OptionKind::Number { least, greatest } => format!(" ({least} to {greatest})"),
        _ => String::new(),
    };
    format!("{}{}{range}", first.to_uppercase(), rest.replace('`', ""))
}

impl Args {
    pub(super) fn of(spec: Spec, matches: &ArgMatches) -> Self {
        let given = offered(spec).filter_map(|(option, name)| {
            let value = match option.kind {
                OptionKind::Flag => matches.get_flag(option.name).then(|| "true".to_owned())?,
                _ => matches.get_one::<String>(option.name)?.clone(),
            };
            Some((option.name, name, value))
        });
        Self(given.collect())
    }

    pub(super) fn print(&self, spec: Spec, request: Request<'_>) -> Result<(), Refusal> {
        for (_, name, _) in self.0.iter().filter(|(option, ..)| *option == "node") {
            request.check_free(name, true)?;
        }
        let given: Vec<_> = self.0.iter().map(|(option, _, value)| (*option, &**value)).collect();
        Ok(request.print(AnyOptions::new(spec, &given)?, DescribeOptions::default())?)
    }
}
