//! Arguments that a command does not have, and IDs that are something else.

use super::{
    Typed, arguments_of_process, line, options,
    words::{is_store, spec},
};
use crate::{stderr, terminal::quoted, time};
use clap::ValueEnum as _;
use sortid::{Spec, detect};
use sortid_inspect::Form;
use std::{ffi::OsString, path::Path};

/// The tips for an argument that the command does not have.
pub(super) fn unknown(typed: &Typed, word: &str) -> Vec<String> {
    let Some(at) = typed.find(word) else { return vec![] };
    let argument = &*typed.args[at];
    let command = typed.command();
    if argument.starts_with('-') {
        if ["inspect", "convert"].contains(&&*command) && is_id_with_sign(argument) {
            let words = typed.rest_without(Some(at)).chain(["--", argument]);
            return vec![format!(
                "to read {argument} as an ID: {}",
                line([&*command].into_iter().chain(words))
            )];
        }
        return options::unknown(typed, word, at);
    }
    let [first, rest @ ..] = &typed.path[..] else { return vec![] };
    match (&**first, rest) {
        ("new", [made]) => of_new(typed, made, argument, at),
        ("ledger", [append]) if append == "append" => {
            let has_ledger = typed.args.iter().any(|arg| arg.starts_with("--ledger"));
            let rest = || typed.with(at..at + 1, &[]);
            let argument_in_shell = quoted(argument);
            vec![if argument.starts_with(['{', '[']) {
                format!("the events are standard input: echo {argument_in_shell} | {}", rest())
            } else if has_ledger {
                format!("the events are standard input: {} < {argument_in_shell}", rest())
            } else if let Some(events) = typed.args.get(at + 1).filter(|next| Path::new(next).is_file()) {
                let corrected = typed.with(at..at + 2, &["--ledger", argument]);
                let events = quoted(events);
                format!("the ledger is an option, and the events are standard input: {corrected} < {events}")
            } else {
                let corrected = typed.with(at..at + 1, &["--ledger", argument]);
                format!("the ledger is an option, and the events are standard input: {corrected}")
            }]
        }
        ("ron", [leaf]) if words(typed).all(|word| !Path::new(word).is_file()) => {
            let uids = words(typed).map(quoted).collect::<Vec<_>>().join(" ");
            let options = typed.rest_without(None).filter(|arg| arg.starts_with("--"));
            let command = line([first, &**leaf].into_iter().chain(options));
            vec![format!("UIDs are standard input: printf '%s\\n' {uids} | {command}")]
        }
        ("ledger" | "ron", [leaf]) => {
            let command = line([first, leaf, argument]);
            vec![format!("{leaf} takes one file at a time: {command}")]
        }
        ("nodes", _) if is_store(argument) => {
            vec![format!("the store is an option: {}", typed.with(at..at + 1, &["--nodes", argument]))]
        }
        ("range", _) => range(typed, argument, at),
        _ => vec![],
    }
}

/// The arguments after the command that are not options.
fn words(typed: &Typed) -> impl Iterator<Item = &str> {
    typed.rest_without(None).filter(|arg| !arg.starts_with("--"))
}

/// An argument after the specification of `new`.
fn of_new(typed: &Typed, made: &str, argument: &str, at: usize) -> Vec<String> {
    if is_store(argument) {
        return vec![format!("the store is an option: {}", typed.with(at..at + 1, &["--nodes", argument]))];
    }
    if !argument.is_empty() && argument.len() <= 9 && argument.bytes().all(|byte| byte.is_ascii_digit()) {
        return vec![format!("to make {argument} IDs: {}", typed.with(at..at + 1, &["-n", argument]))];
    }
    if let Some(spec) = spec(argument).filter(|spec| spec.name() != made) {
        return vec![
            format!("to make IDs of two specifications: sortid new {made}; sortid new {spec}"),
            "to make one ID of each specification: sortid new --all".to_owned(),
        ];
    }
    if Form::from_str(argument, true).is_ok() || argument == "json" {
        return vec![format!("to choose the form: {}", typed.with(at..at + 1, &["--format", argument]))];
    }
    if time::has_length(argument).is_some() {
        return vec![format!("to make an ID for a time: {}", typed.with(at..at + 1, &["--at", argument]))];
    }
    vec![]
}

/// Times after the specification of `range`.
fn range(typed: &Typed, argument: &str, at: usize) -> Vec<String> {
    let Some(has_length) = time::has_length(argument) else { return vec![] };
    let is_until = |arg: &String| time::has_length(arg).is_some();
    let command = match typed.args.get(at + 1).filter(|arg| is_until(arg)) {
        Some(until) => typed.with(at..at + 2, &["--since", argument, "--until", until]),
        None if typed.find("--since").is_some() => typed.with(at..at + 1, &["--until", argument]),
        // One date is the whole day.
        None if has_length && typed.find("--until").is_none() => {
            typed.with(at..at + 1, &["--since", argument, "--until", argument])
        }
        None => typed.with(at..at + 1, &["--since", argument]),
    };
    vec![format!("the times are options: {command}")]
}

/// Whether the argument can be an ID that begins with a sign.
fn is_id_with_sign(argument: &str) -> bool {
    argument.len() > 2 && !argument.starts_with("--") && detect(argument).next().is_some()
}

/// Says what else the IDs of a command line can be: the name of a file, a specification, a form. Each of these can also be
/// a RON UID.
pub(crate) fn notes(command: &str, ids: &[OsString], has_spec: bool) {
    let args: Vec<_> = arguments_of_process().collect();
    if let Some(note) = of_files(ids, &args) {
        stderr::print_line(format_args!("{note}"));
    }
    for id in ids.iter().filter(|id| ids.len() > 1 && is_word(id)) {
        let text = id.to_string_lossy();
        let place = args.iter().rposition(|arg| *arg == text);
        let others = || (0..).zip(&args).filter(|(at, _)| Some(*at) != place).map(|(_, arg)| &**arg);
        let other = if let Some(spec) = spec(&text).filter(|_| !has_spec) {
            // The option can be anywhere after the command, but not after `--`.
            let (mut before, mut after): (Vec<_>, Vec<_>) = (others().collect(), vec![]);
            if let Some(at) = before.iter().position(|arg| *arg == command) {
                after = before.split_off(at + 1);
            }
            let words = before.into_iter().chain(["--spec", spec.name()]).chain(after);
            format!("to read the other IDs as those of {}: {}", Spec::title(spec), line(words))
        } else if command == "convert" && Form::from_str(&text, true).is_ok() {
            format!("to convert the other IDs to this form: --to {}", text.to_ascii_lowercase())
        } else {
            continue;
        };
        stderr::print_line(format_args!("{text} is read as an ID; {other}"));
    }
}

/// The note about the IDs that are also the names of files.
fn of_files(ids: &[OsString], args: &[String]) -> Option<String> {
    let files: Vec<_> = ids.iter().filter(|id| is_file(id)).map(|id| id.to_string_lossy()).collect();
    // The lines of standard input can be wanted, too.
    let inputs: Vec<_> =
        files.iter().cloned().chain(ids.iter().any(|id| id == "-").then(|| "-".into())).collect();
    let mut places: Vec<_> =
        inputs.iter().filter_map(|name| args.iter().rposition(|arg| arg == name)).collect();
    places.sort_unstable();
    let first = places.first().filter(|_| ids.len() > inputs.len());
    let words = (0..).zip(args).filter(|(at, _)| Some(at) == first || !places.contains(at));
    let command = line(words.map(|(at, arg)| if Some(&at) == first { "-" } else { arg }));
    let quoted: Vec<_> = inputs.iter().map(|name| quoted(name)).collect();
    match (&files[..], &quoted[..]) {
        ([], _) => None,
        ([name], [file]) => {
            Some(format!("{name} is read as an ID; to read the lines of this file: {command} < {file}"))
        }
        _ => {
            let (names, inputs) = (files.join(" and "), quoted.join(" "));
            let are = if files.len() == 1 { "is read as an ID" } else { "are read as IDs" };
            Some(format!("{names} {are}; to read the lines of the files: cat {inputs} | {command}"))
        }
    }
}

/// Whether an argument can be a word: IDs of the other specifications than RON UID are longer.
fn is_word(id: &OsString) -> bool {
    id != "-" && id.len() <= 12 && !is_file(id)
}

fn is_file(id: &OsString) -> bool {
    id != "-" && Path::new(id).is_file()
}
