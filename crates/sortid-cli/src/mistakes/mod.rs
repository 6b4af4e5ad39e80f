//! What is natural to type, but means something else or nothing: the tips that say what to type instead.

mod arguments;
mod options;
mod words;

pub(crate) mod event;
pub(crate) mod input;

use crate::terminal::{escaped, quoted};
pub(crate) use arguments::notes;
use clap::{
    Command,
    builder::StyledStr,
    error::{ContextKind, ContextValue, ErrorKind},
};
pub(crate) use options::parse_count;
use sortid::Spec;
use std::{env, ffi::OsString};

/// The command line, without the name of the program.
struct Typed {
    args: Vec<String>,
    /// The names of the command: "ledger", "append".
    path: Vec<String>,
    /// Where the arguments after the command begin.
    start: usize,
}

impl Typed {
    /// Splits the command line of this process.
    fn new(cli: &Command) -> Self {
        Self::of(arguments_of_process().collect(), cli)
    }

    fn of(args: Vec<String>, cli: &Command) -> Self {
        let (mut path, mut start, mut command) = (vec![], 0, cli);
        for (at, arg) in args.iter().enumerate() {
            let spec = words::spec(arg).filter(|_| path == ["new"]);
            let name = spec.map_or(&**arg, |spec| spec.name());
            if let Some(found) = command.find_subcommand(name) {
                path.push(found.get_name().to_owned());
                (command, start) = (found, at + 1);
            } else if !(arg.starts_with('-') || at > 0 && args[at - 1].starts_with('-')) {
                break;
            }
        }
        Self { args, path, start }
    }

    /// The command in one string: "ledger append".
    fn command(&self) -> String {
        self.path.join(" ")
    }

    /// How the command is used.
    fn usage(&self, cli: &Command) -> StyledStr {
        let mut cli = cli.clone();
        cli.build();
        let command = self.path.iter().try_fold(&mut cli, |command, name| command.find_subcommand_mut(name));
        command.map(Command::render_usage).unwrap_or_default()
    }

    /// Where a word is: as an argument, as the option of `--option=value`, or as the first letter of `-nx`.
    fn find(&self, word: &str) -> Option<usize> {
        let is_it = |arg: &String| {
            let rest = arg.strip_prefix(word);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('='))
                || word.starts_with('-') && word.len() == 2 && rest.is_some()
        };
        let after_command = self.args[self.start..].iter().position(is_it).map(|at| self.start + at);
        after_command.or_else(|| self.args.iter().position(is_it))
    }

    /// The arguments after the command, except for the one at `place`.
    fn rest_without(&self, place: Option<usize>) -> impl Iterator<Item = &str> {
        (self.start..self.args.len()).filter(move |at| Some(*at) != place).map(|at| &*self.args[at])
    }

    /// The command line with other words in the place of these arguments.
    fn with(&self, places: std::ops::Range<usize>, words: &[&str]) -> String {
        let before = self.args[..places.start].iter().map(String::as_str);
        let after = self.args[places.end..].iter().map(String::as_str);
        line(before.chain(words.iter().copied()).chain(after))
    }
}

/// The arguments of this process, without the name of the program.
fn arguments_of_process() -> impl Iterator<Item = String> {
    env::args_os().skip(1).map(|argument| argument.to_string_lossy().into_owned())
}

/// A command line to copy.
fn line<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    let words = words.into_iter().filter(|word| !word.is_empty());
    std::iter::once("sortid".to_owned()).chain(words.map(quoted)).collect::<Vec<_>>().join(" ")
}

/// The command line with the usual name of the specification, if `new` does not know the one that it has: `new EUID`.
pub(crate) fn with_usual_name(error: &clap::Error, cli: &Command) -> Option<Vec<OsString>> {
    let typed = Typed::new(cli);
    let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidSubcommand) else { return None };
    if error.kind() != ErrorKind::InvalidSubcommand || typed.path.first().is_none_or(|first| first != "new") {
        return None;
    }
    let spec: Spec = word.parse().ok()?;
    let at = typed.find(word)? + 1;
    let mut args: Vec<_> = env::args_os().collect();
    args[at] = spec.name().into();
    Some(args)
}

/// Replaces clap's tips by those for a mistake that is known here.
pub(crate) fn explained(mut error: clap::Error, cli: &Command) -> clap::Error {
    let typed = Typed::new(cli);
    let string = |kind| match error.get(kind) {
        Some(ContextValue::String(word)) => Some(&**word),
        _ => None,
    };
    let argument = string(ContextKind::InvalidArg);
    let tips = match error.kind() {
        ErrorKind::InvalidSubcommand => {
            string(ContextKind::InvalidSubcommand).map(|word| words::tips(&typed, word))
        }
        ErrorKind::ArgumentConflict => Some(options::conflict(&typed)),
        ErrorKind::UnknownArgument => argument.map(|word| arguments::unknown(&typed, word)),
        ErrorKind::InvalidValue | ErrorKind::ValueValidation => argument
            .zip(string(ContextKind::InvalidValue))
            .map(|(argument, value)| options::bad_value(&typed, argument, value)),
        ErrorKind::MissingRequiredArgument => match error.get(ContextKind::InvalidArg) {
            Some(ContextValue::Strings(missing)) => Some(options::missing(&typed, missing)),
            _ => None,
        },
        _ => None,
    };
    if error.kind() == ErrorKind::UnknownArgument {
        // clap proposes `-- --sepc`, and to cut `-my` short. Its usage is that of the option that it proposes.
        error.remove(ContextKind::Suggested);
        if tips.as_ref().is_some_and(|tips| !tips.is_empty()) {
            error.insert(ContextKind::Usage, ContextValue::StyledStr(typed.usage(cli)));
        }
    }
    let tips = tips.unwrap_or_default();
    if tips.is_empty() {
        return error;
    }
    for kind in [ContextKind::SuggestedSubcommand, ContextKind::SuggestedArg, ContextKind::SuggestedValue] {
        error.remove(kind);
    }
    let tips = tips.iter().map(|tip| escaped(tip).into_owned().into()).collect();
    error.insert(ContextKind::Suggested, ContextValue::StyledStrs(tips));
    error
}

#[cfg(test)]
mod tests {
    use super::Typed;
    use clap::Command;

    #[test]
    fn a_command_line_is_a_command_and_its_arguments() {
        let cli = Command::new("sortid")
            .subcommand(Command::new("man"))
            .subcommand(Command::new("ledger").subcommand(Command::new("append")));
        for (line, command, rest) in [
            ("ledger append --ledger x", "ledger append", "--ledger x"),
            ("--color never ledger --json append x", "ledger append", "x"),
            ("ledger x append", "ledger", "x append"),
            ("man ledger append", "man", "ledger append"),
            ("x man", "", "x man"),
        ] {
            let typed = Typed::of(line.split(' ').map(Into::into).collect(), &cli);
            assert_eq!(typed.command(), command, "{line}");
            assert_eq!(typed.rest_without(None).collect::<Vec<_>>().join(" "), rest, "{line}");
        }
    }
}
