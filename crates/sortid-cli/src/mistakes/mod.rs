//! Tips for natural mistakes, where the message of clap is not enough. A word that means the same as a command or an
//! option is a hidden alias of it.

pub(crate) mod event;
pub(crate) mod input;

use crate::{
    stderr,
    terminal::{argument, escaped},
};
use clap::{
    Command,
    error::{ContextKind, ContextValue, ErrorKind},
};
use sortid::{Spec, detect};
use std::{env, ffi::OsString, path::Path};

/// IDs that are not ours, and which of ours is nearest.
const OTHERS: &[(&str, &str)] = &[
    ("ulid", "euid, which also has 128 bits"),
    ("uuid guid uuid4 uuid7 uuidv4 uuidv7", "euid, which fits a column of UUIDs (with --format uuid)"),
    ("snowflake", "ulid-flake, which is also an integer of 64 bits"),
    ("ksuid", "scru160, which also has 160 bits"),
];

/// The command lines to try if `new` does not know the name of a specification that it has: `new EUID`. The word can also be
/// the value of an option.
pub(crate) fn with_usual_name(error: &clap::Error) -> Vec<Vec<OsString>> {
    let word = string(error, ContextKind::InvalidSubcommand);
    let Ok(spec) = word.parse::<Spec>() else { return vec![] };
    let args: Vec<_> = env::args_os().collect();
    let places = (0..args.len()).filter(|at| args[*at] == *word);
    let renamed = places.map(|at| {
        let mut args = args.clone();
        args[at] = spec.name().into();
        args
    });
    renamed.collect()
}

/// Replaces clap's tips by the tips for a mistake that this module knows.
pub(crate) fn explained(mut error: clap::Error, cli: &Command) -> clap::Error {
    let usage = error.get(ContextKind::Usage).map(ToString::to_string).unwrap_or_default();
    let argument = string(&error, ContextKind::InvalidArg);
    let tips = match error.kind() {
        ErrorKind::InvalidSubcommand => of_command(string(&error, ContextKind::InvalidSubcommand), cli),
        ErrorKind::UnknownArgument => of_argument(argument, &usage).into_iter().collect(),
        ErrorKind::InvalidValue => {
            of_value(argument, string(&error, ContextKind::InvalidValue)).into_iter().collect()
        }
        ErrorKind::MissingRequiredArgument => match error.get(ContextKind::InvalidArg) {
            Some(ContextValue::Strings(missing)) => of_missing(&missing.join(" ")).into_iter().collect(),
            _ => vec![],
        },
        _ => vec![],
    };
    if error.kind() == ErrorKind::UnknownArgument {
        // clap proposes `-- --sepc`, and to cut `-my` short.
        error.remove(ContextKind::Suggested);
    }
    if tips.is_empty() {
        return error;
    }
    if error.remove(ContextKind::SuggestedArg).is_some() {
        // It is the usage of the option that clap proposes.
        error.remove(ContextKind::Usage);
    }
    error.remove(ContextKind::SuggestedSubcommand);
    error.remove(ContextKind::SuggestedValue);
    let tips = tips.iter().map(|tip| escaped(tip).into_owned().into()).collect();
    error.insert(ContextKind::Suggested, ContextValue::StyledStrs(tips));
    error
}

/// The text of an error's context, or nothing.
fn string(error: &clap::Error, kind: ContextKind) -> &str {
    match error.get(kind) {
        Some(ContextValue::String(text)) => text,
        _ => "",
    }
}

/// The tips for a word that is not a command: it can be a command of another command, or an ID.
fn of_command(word: &str, cli: &Command) -> Vec<String> {
    let name = word.parse().map_or(word, |spec: Spec| spec.name());
    let commands =
        cli.get_subcommands().filter_map(|command| Some((command, command.find_subcommand(name)?)));
    let mut tips: Vec<_> = commands
        .map(|(command, found)| format!("the command is: sortid {} {}", command.get_name(), found.get_name()))
        .chain(of_other_id(word))
        .collect();
    if tips.is_empty() && detect(word).any(|candidate| candidate.weight() > 0) {
        tips.push(format!("to explain an ID: sortid inspect {}", argument(word.as_ref())));
    }
    tips
}

/// The tip for the name of a kind of ID that is not ours.
fn of_other_id(word: &str) -> Option<String> {
    let is_it = |names: &str| names.split(' ').any(|name| name.eq_ignore_ascii_case(word));
    let (_, ours) = OTHERS.iter().find(|(names, _)| is_it(names))?;
    Some(format!("{word} is another kind of ID; the nearest one here is {ours}"))
}

/// The tip for a value that the argument does not take: `--to <FORM>`, `<SPEC>`.
fn of_value(argument: &str, value: &str) -> Option<String> {
    if argument.contains("<SPEC>") {
        return of_other_id(value);
    }
    let spec = value.parse::<Spec>().ok().filter(|_| argument.contains("<FORM>"))?;
    Some(format!("{value} is a specification, not a form: --spec {spec}"))
}

/// The tip for an argument that the command with this usage does not have.
fn of_argument(word: &str, usage: &str) -> Option<String> {
    let of = |commands: &[&str]| commands.iter().any(|command| usage.contains(&format!(" {command} ")));
    let is_number = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    let tip = match word {
        "--spec" if of(&["new", "check", "range"]) => {
            "the specification is an argument, not an option: leave --spec out"
        }
        "--file" | "--ledger" if usage.contains("FILE") && !of(&["ledger append"]) => {
            "the file is an argument, not an option: leave the option out"
        }
        "--quiet" | "-q" if of(&["check", "ledger verify"]) => {
            "the exit code gives the verdict; to print nothing, add >/dev/null 2>&1"
        }
        _ if word.starts_with('-') && word != "--file" => {
            let id = id_with_sign(word).filter(|_| of(&["inspect", "convert"]))?;
            return Some(format!("to read {id} as an ID, write -- before the IDs: -- {id}"));
        }
        _ if of(&["new"]) && is_number => return Some(format!("to make {word} IDs, write -n {word}")),
        _ if of(&["range"]) => "the times are options: --since TIME --until TIME",
        _ if of(&["ledger append"]) => {
            "the ledger is an option, and the events are standard input: sortid ledger append --ledger FILE < EVENTS"
        }
        _ => return None,
    };
    Some(tip.to_owned())
}

/// The argument that can be an ID, of which clap names only the first letter: `-m` of `-my`.
fn id_with_sign(start: &str) -> Option<String> {
    arguments().find(|arg| {
        arg.starts_with(start) && !arg.starts_with("--") && arg.len() > 2 && detect(arg).next().is_some()
    })
}

/// The command line, with the name of the program.
pub(crate) fn arguments() -> impl Iterator<Item = String> {
    env::args_os().map(|argument| argument.to_string_lossy().into_owned())
}

/// The tip for required arguments that are missing.
fn of_missing(missing: &str) -> Option<String> {
    let tip = if missing.contains("--origin") {
        "an origin names the place where UIDs are made, and no other place may use it, for example --origin Xgritzk"
    } else if missing.contains("--to") {
        "name the form to convert to: text, hex, int, uuid, base64url or time, for example --to hex"
    } else if missing.contains("--column") {
        "name the column with the IDs, for example --column id"
    } else if missing.contains("--csv") {
        "say what separates the columns: --csv for commas, --tsv for tabs"
    } else if missing.contains("<SPEC>") && arguments().any(|arg| arg == "--sql") {
        "--sql takes one or two names, so the specification comes before it"
    } else {
        return None;
    };
    Some(tip.to_owned())
}

/// Notes that an argument which is read as an ID is the name of a file or of a specification. Both can be RON UIDs.
pub(crate) fn notes(ids: &[OsString], has_spec: bool) {
    for id in ids.iter().filter(|id| *id != "-") {
        let text = id.to_string_lossy();
        if Path::new(id).is_file() {
            let file = argument(id.as_ref());
            stderr::print_line(format_args!(
                "{text} is read as an ID; to read the lines of this file, give it as standard input: < {file}"
            ));
        } else if !has_spec
            && ids.len() > 1
            && let Ok(spec) = text.parse::<Spec>()
        {
            stderr::print_line(format_args!(
                "{text} is read as an ID; to read the other arguments as {}s, leave it out and add --spec {spec}",
                spec.title()
            ));
        }
    }
}
