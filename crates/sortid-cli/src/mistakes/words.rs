//! Words in the place of a command.

use super::{Typed, line};
use crate::{terminal::quoted, time};
use sortid::{Spec, detect};
use std::path::Path;

/// What other programs call a command. The words that follow stay.
const VERBS: &[(&str, &str, &str)] = &[
    ("", "generate gen make create nwe", "new"),
    ("", "parse decode show explain describe info read", "inspect"),
    ("", "encode format to", "convert"),
    ("", "validate", "check"),
    ("", "verify", "ledger verify"),
    ("", "append add", "ledger append"),
    ("", "repair", "ledger repair"),
    ("", "canonical canonicalize", "ledger canonical"),
    ("", "zip compress", "ron zip"),
    ("", "unzip decompress", "ron unzip"),
    ("", "node fleet", "nodes"),
    ("", "release", "nodes release"),
    ("", "version", "--version"),
    ("", "manual", "man"),
    ("", "between query", "range"),
    ("new", "all", "--all"),
    ("ledger", "check validate audit", "verify"),
    ("ledger", "add insert write new create init", "append"),
    ("ledger", "fix cut truncate recover", "repair"),
    ("ledger", "canonicalize", "canonical"),
    ("nodes", "ls show status get", "list"),
    ("nodes", "free remove rm delete drop", "release"),
    ("nodes", "fix recover", "repair"),
    ("ron", "compress pack encode", "zip"),
    ("ron", "decompress unpack decode", "unzip"),
];

/// IDs that are not ours, which of ours is nearest, and in which use.
const OTHERS: &[(&str, &str, &str)] = &[
    ("ulid", "euid", "it also has 128 bits"),
    ("uuid guid uuid4 uuid7 uuidv4 uuidv7", "euid", "it fits a column of UUIDs (with --format uuid)"),
    ("snowflake", "ulid-flake", "it is also an integer of 64 bits"),
    ("ksuid", "scru160", "it also has 160 bits"),
    ("nanoid cuid cuid2 xid objectid typeid", "euid", "it has 128 bits, and its text has a check"),
];

fn has(words: &str, word: &str) -> bool {
    words.split(' ').any(|candidate| candidate.eq_ignore_ascii_case(word))
}

/// The tips for a word that is not a command there.
pub(super) fn tips(typed: &Typed, word: &str) -> Vec<String> {
    let command = typed.command();
    let Some(at) = typed.find(word) else { return vec![] };
    let replaced = |words: &str| {
        let words: Vec<_> = words.split(' ').collect();
        typed.with(at..at + 1, &words)
    };
    if let Some((.., ours)) = VERBS.iter().find(|(of, words, _)| *of == command && has(words, word)) {
        return vec![match *ours {
            "--version" => format!("to print the version: {}", replaced(ours)),
            "--all" => format!("to make one ID of each specification: {}", replaced(ours)),
            "new" if at + 1 == typed.args.len() => {
                format!("the command is new, with a specification: {}", replaced("new scru160"))
            }
            "append" | "ledger append" if !typed.args.iter().any(|arg| arg.starts_with("--ledger")) => {
                "append adds events to a ledger, and the first one creates it: sortid ledger append --ledger shop.ndjson"
                    .to_owned()
            }
            _ => format!("the command is {ours}: {}", replaced(ours)),
        }];
    }
    if typed.args.first().is_some_and(|first| first == "help") {
        return spec(word)
            .map(|spec| format!("for the help about {spec}: sortid new {spec} --help"))
            .into_iter()
            .collect();
    }
    let is_id = detect(word).any(|candidate| candidate.weight() > 0);
    match &*command {
        "" if spec(word).is_some() => {
            let name = spec(word).map_or("", Spec::name);
            vec![format!("to make an ID: {}", typed.with(at..at + 1, &["new", name]))]
        }
        "" | "ron" if is_id => vec![format!("to explain an ID: {}", line(["inspect", word]))],
        "" | "ledger" if Path::new(word).is_file() => {
            let file = quoted(word);
            let mut tips = vec![format!("to verify a ledger: sortid ledger verify {file}")];
            if command.is_empty() {
                tips.push(format!("to explain the IDs of a file: sortid inspect < {file}"));
            }
            tips
        }
        "nodes" if is_store(word) => {
            vec![format!("the store is an option: {}", typed.with(at..at + 1, &["list", "--nodes", word]))]
        }
        "ron" if Path::new(word).is_file() => {
            vec![format!("to compress the UIDs of a file: {}", typed.with(at..at, &["zip"]))]
        }
        "" | "new" => other(word, |ours| match &*command {
            "" => Some(typed.with(at..at + 1, &["new", ours])),
            _ => Some(typed.with(at..at + 1, &[ours])),
        })
        .into_iter()
        .chain((command == "new").then(|| of_new(typed, word, at)).flatten())
        .collect(),
        _ => vec![],
    }
}

/// Whether the word is the URL of a store of `--nodes`.
pub(super) fn is_store(word: &str) -> bool {
    ["dir:", "postgres:", "postgresql:", "etcd:", "etcds:"].iter().any(|scheme| word.starts_with(scheme))
}

/// A word after `new` that is not a specification.
fn of_new(typed: &Typed, word: &str, at: usize) -> Option<String> {
    if !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit()) && word.len() <= 9 {
        let command = typed.with(at..at + 1, &["scru160", "-n", word]);
        return Some(format!("to make {word} IDs, name the specification, for example: {command}"));
    }
    if time::has_length(word).is_some() {
        let command = typed.with(at..at + 1, &["scru160", "--at", word]);
        return Some(format!("to make an ID for a time, name the specification, for example: {command}"));
    }
    let is_id = detect(word).any(|candidate| candidate.weight() > 0);
    is_id.then(|| format!("to explain an ID: {}", line(["inspect", word])))
}

/// The specification that people call so.
pub(super) fn spec(word: &str) -> Option<Spec> {
    word.parse().ok()
}

/// The tip for a kind of ID that is not ours. `command` is the command line with ours, if ours can be of use there.
pub(super) fn other(word: &str, command: impl FnOnce(&str) -> Option<String>) -> Option<String> {
    let (_, ours, why) = OTHERS.iter().find(|(words, ..)| has(words, word))?;
    let command = command(ours).map(|command| format!(": {command}")).unwrap_or_default();
    Some(format!("{word} is another kind of ID; the nearest one here is {ours}, because {why}{command}"))
}
