//! Options that a command does not have, values that an option does not take, and what is missing.

use super::{
    Typed, line,
    words::{other, spec},
};
use crate::terminal::quoted;
use clap::ValueEnum as _;
use clap_complete::Shell;
use sortid::{Spec, detect};
use sortid_inspect::Form;
use std::path::Path;

/// What other programs call an option: the command or its beginning, their names, and ours. With no name of ours, the value
/// is an argument.
const OPTIONS: &[(&str, &str, &str)] = &[
    ("new euid", "--node --shard", "--extension"),
    ("new", "--store --fleet --url", "--nodes"),
    ("new", "--namespace", "--space"),
    ("new", "--timeout --lock-timeout", "--wait"),
    ("new", "--spec --type --kind -s -t", ""),
    ("new", "--number --num --amount --n --number-of-ids -c", "-n"),
    ("new", "--time --timestamp --date --since", "--at"),
    ("new", "--to --form --output-format -f", "--format"),
    ("range", "--spec --type -s", ""),
    ("range", "--from --start --after --begin", "--since"),
    ("range", "--to --end --before", "--until"),
    ("range", "--form -f", "--format"),
    ("inspect", "--type --as -s", "--spec"),
    ("convert", "--type -s", "--spec"),
    ("convert", "--format --form --into -t", "--to"),
    ("check", "--spec --type --as -s", ""),
    ("ledger append", "--file --output -f -o", "--ledger"),
    ("ledger", "--ledger --file -f", ""),
    ("nodes", "--store --fleet --url", "--nodes"),
    ("nodes", "--namespace", "--space"),
    ("nodes release", "--number --node -n", ""),
    ("ron", "--file -f", ""),
    ("sql", "--database --db --dialect", ""),
    ("sql", "--drop --remove", "--uninstall"),
    ("sql", "--type -s", "--spec"),
    ("sql", "--table", "--column"),
];

/// The tips for an option at `at` that the command does not have.
pub(super) fn unknown(typed: &Typed, option: &str, at: usize) -> Vec<String> {
    let command = typed.command();
    let first = typed.path.first().map_or("", |name| &**name);
    // The value is the next argument, or after the equals sign.
    let (value, end) = match typed.args[at].split_once('=') {
        Some((_, value)) => (value, at + 1),
        None => match typed.args.get(at + 1).filter(|next| !next.starts_with('-')) {
            Some(next) => (&**next, at + 2),
            None => ("", at + 1),
        },
    };
    // A specification after `-s` is its value.
    if let Some(tip) = habit(typed, at, option != typed.args[at] || spec(value).is_none()) {
        return vec![tip];
    }
    if option == "--version" || command.is_empty() && option == "-v" {
        return vec!["to print the version: sortid --version".to_owned()];
    }
    if command.is_empty() && ["-n", "--count", "--all", "--at", "--format", "--json"].contains(&option) {
        if option == "--all" || typed.args.iter().any(|arg| spec(arg).is_some()) {
            return vec![format!("the option belongs to new: {}", typed.with(0..0, &["new"]))];
        }
        return vec![format!(
            "the option belongs to new, for example: {}",
            typed.with(0..0, &["new", "scru160"])
        )];
    }
    let has_json = ["new", "range", "inspect", "convert", "check", "ledger", "ron"].contains(&first);
    let is_json =
        ["--format", "--output", "--output-format", "-o", "-f"].contains(&option) && value == "json";
    if has_json && (option == "-j" || is_json && first != "new") {
        let end = if is_json { end } else { at + 1 };
        return vec![format!("the option is --json: {}", typed.with(at..end, &["--json"]))];
    }
    if let Some(form) = option.strip_prefix("--").filter(|form| Form::from_str(form, true).is_ok()) {
        let ours = match first {
            "new" | "range" => "--format",
            "convert" => "--to",
            _ => return vec![],
        };
        return vec![format!("the form is a value of {ours}: {}", typed.with(at..at + 1, &[ours, form]))];
    }
    let of_command = |of: &str| of == command || of == first;
    let known =
        OPTIONS.iter().find(|(of, names, _)| of_command(of) && names.split(' ').any(|name| name == option));
    let Some((.., ours)) = known else { return vec![] };
    if value.is_empty() {
        return if ours.is_empty() { vec![] } else { vec![format!("the option is {ours}")] };
    }
    let corrected = typed.with(at..end, &[ours, value]);
    if ours.is_empty() {
        return vec![format!("{} is an argument, not an option: {corrected}", quoted(value))];
    }
    vec![format!("the option is {ours}: {corrected}")]
}

/// The tips for a value that the argument does not take: `--to <FORM>`, `<SPEC>`.
pub(super) fn bad_value(typed: &Typed, argument: &str, value: &str) -> Vec<String> {
    let command = typed.command();
    let name = argument.split(' ').next().unwrap_or(argument);
    if value.is_empty() {
        return match name {
            "--count" => {
                let words = typed.args.iter().map(|arg| if arg == "-n" { "-n" } else { &**arg });
                vec![format!("to make 3 IDs: {} 3", line(words))]
            }
            "--ledger" => vec!["for example: sortid ledger append --ledger shop.ndjson".to_owned()],
            _ => vec![],
        };
    }
    if name == "--count" {
        return number(value).and_then(|number| of_count(typed, value, number)).into_iter().collect();
    }
    let Some(at) = typed.args.iter().position(|arg| arg == value) else { return vec![] };
    match (&*command, name) {
        ("convert", "--to") if value.eq_ignore_ascii_case("json") => {
            vec![format!("to print JSON objects: {}", typed.with(at..at + 1, &["text", "--json"]))]
        }
        ("convert", "--to" | "--from") if spec(value).is_some() => {
            let name = spec(value).map_or("", Spec::name);
            // The option is the argument before.
            let words: &[&str] = if name_of_option(typed, at) == "--to" {
                &["--spec", name, "--to", "text"]
            } else {
                &["--spec", name]
            };
            vec![format!(
                "{value} is a specification, not a form: {}",
                typed.with(at.saturating_sub(1)..at + 1, words)
            )]
        }
        ("check", "<SPEC>") => check(typed, value, at),
        ("completions", _) => {
            // The value of $SHELL.
            let shell = Path::new(value).file_name().and_then(|name| name.to_str());
            let shell = shell.filter(|name| *name != value && Shell::from_str(name, true).is_ok());
            shell
                .map(|name| format!("by its name: {}", typed.with(at..at + 1, &[name])))
                .into_iter()
                .collect()
        }
        (_, "--at") if Path::new(value).is_file() => {
            let command = typed.with(at..at + 1, &["-"]);
            vec![format!("to make an ID for each time of the file: {command} < {}", quoted(value))]
        }
        ("range", _) => other(value, |ours| Some(typed.with(at..at + 1, &[ours]))).into_iter().collect(),
        (_, "--spec") => other(value, |_| None).into_iter().collect(),
        _ => vec![],
    }
}

/// The number of IDs in digits. `value` is the end of an argument: `-n1e6`.
fn of_count(typed: &Typed, value: &str, number: u64) -> Option<String> {
    let at = typed.args.iter().position(|arg| arg.ends_with(value))?;
    let argument = typed.args[at].strip_suffix(value)?.to_owned() + &number.to_string();
    Some(format!("in digits: {}", typed.with(at..at + 1, &[&argument])))
}

/// A number of IDs as an argument.
pub(crate) fn parse_count(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("expected a number from 0 to {}, in digits", u64::MAX))
}

/// The number that people write so: `1e6`, `1_000_000`, `1,000,000`, `1M`.
fn number(text: &str) -> Option<u64> {
    let text = text.replace(['_', ',', '\'', ' '], "").to_ascii_lowercase();
    let (digits, zeros) = match text.split_once('e') {
        Some((digits, zeros)) => (digits, zeros.parse().ok()?),
        None => {
            let zeros = match text.as_bytes().last()? {
                b'k' => 3,
                b'm' => 6,
                b'g' | b'b' => 9,
                _ => 0,
            };
            (text.trim_end_matches(['k', 'm', 'g', 'b']), zeros)
        }
    };
    digits.parse::<u64>().ok()?.checked_mul(10_u64.checked_pow(zeros)?)
}

fn name_of_option(typed: &Typed, value: usize) -> &str {
    value.checked_sub(1).map_or("", |at| &typed.args[at])
}

/// Something else in the place of the specification.
fn check(typed: &Typed, value: &str, at: usize) -> Vec<String> {
    if let Some(tip) = other(value, |_| None) {
        return vec![tip];
    }
    let swapped = typed.args.get(at + 1).and_then(|next| Some((at + 2, spec(next)?.name())));
    if let Some((end, name)) = swapped {
        return vec![format!("the specification comes first: {}", typed.with(at..end, &[name, value]))];
    }
    if Path::new(value).exists() {
        let command = typed.with(at..at + 1, &["euid", value]);
        return vec![format!("the specification comes before the file, for example: {command}")];
    }
    if detect(value).any(|candidate| candidate.weight() > 0) {
        return vec![format!("to find the specification of an ID: {}", line(["inspect", value]))];
    }
    vec![]
}

/// The tips for required arguments that are missing.
pub(super) fn missing(typed: &Typed, missing: &[String]) -> Vec<String> {
    let is_missing = |name: &str| missing.iter().any(|argument| argument.split(' ').next() == Some(name));
    let command = typed.command();
    let rest = || typed.rest_without(None);
    match &*command {
        "convert" if is_missing("--to") => {
            let form = (typed.start..typed.args.len())
                .filter(|at| !["--from", "--spec"].contains(&name_of_option(typed, *at)))
                .find_map(|at| Some((at, Form::from_str(&typed.args[at], true).ok()?)));
            match form {
                Some((at, form)) => {
                    let words =
                        ["convert", "--to", form.name()].into_iter().chain(typed.rest_without(Some(at)));
                    vec![format!("the form is a value of --to: {}", line(words))]
                }
                None => vec![format!(
                    "name the form to convert to (text, hex, int, uuid or base64url), for example: {}",
                    line(["convert", "--to", "hex"].into_iter().chain(rest()))
                )],
            }
        }
        "new ron-uid" => {
            // The number of a fleet takes the last digits.
            let has_number = typed.args.iter().any(|arg| arg.starts_with("--nodes"));
            let origin = if has_number { "Xgritzk" } else { "Xgritzk0_D" };
            vec![
                "an origin names the place where UIDs are made; no other place may use it".to_owned(),
                format!("for example: {} --origin {origin}", line(typed.args.iter().map(String::as_str))),
            ]
        }
        "check" if is_missing("--unique") => {
            let words = typed.args.iter().map(String::as_str).chain(["--unique"]);
            vec![format!("to find IDs that occur twice: {}", line(words))]
        }
        "check" => vec!["for example: sortid check euid ids.txt".to_owned()],
        "range" if is_missing("--sql") => {
            vec!["the dialect is that of the query: add --sql TABLE.COLUMN".to_owned()]
        }
        "range" => vec![match spec_after_sql(typed) {
            Some(command) => {
                format!("--sql takes one or two names, so the specification comes before it: {command}")
            }
            None => "for example: sortid range euid --since 2024-06-01 --until 2024-06-30".to_owned(),
        }],
        "ledger append" => vec!["for example: sortid ledger append --ledger shop.ndjson".to_owned()],
        "completions" => vec!["for example: sortid completions bash".to_owned()],
        "sql" => vec!["for example: sortid sql postgres --spec euid | psql -1".to_owned()],
        "ledger repair" => vec![format!("for example: sortid {command} shop.ndjson")],
        "nodes release" => {
            let words = ["nodes", "release", "7"].into_iter().chain(rest());
            vec![format!("name the numbers, for example: {}", line(words))]
        }
        _ => vec![],
    }
}

/// The command line of `range` with the specification in its place, if `--sql` took it for a name.
fn spec_after_sql(typed: &Typed) -> Option<String> {
    let mut of_sql = sql_and_its_names(typed)?;
    let (at, spec) = of_sql.find_map(|at| Some((at, spec(&typed.args[at])?)))?;
    Some(line(["range", spec.name()].into_iter().chain(typed.rest_without(Some(at)))))
}

/// Where `--sql` and the one or two arguments after it are.
fn sql_and_its_names(typed: &Typed) -> Option<std::ops::Range<usize>> {
    let start = typed.find("--sql")?;
    let names = typed.args[start + 1..].iter().take_while(|arg| !arg.starts_with('-')).count();
    Some(start..start + 1 + names.min(2))
}

/// The tips for options that exclude each other.
pub(super) fn conflict(typed: &Typed) -> Vec<String> {
    let Some(of_sql) = sql_and_its_names(typed).filter(|_| typed.command() == "range") else { return vec![] };
    let specs = of_sql.clone().filter_map(|at| spec(&typed.args[at])).map(Spec::name).collect::<Vec<_>>();
    vec![format!("to print the bounds without a query: {}", typed.with(of_sql, &specs))]
}

/// What habits of other programs mean for `check`, and for a verification. `is_flag` says that no value follows.
fn habit(typed: &Typed, at: usize, is_flag: bool) -> Option<String> {
    let command = typed.command();
    let argument = &*typed.args[at];
    let without = || typed.with(at..at + 1, &[]);
    match (&*command, argument) {
        ("check", "-q" | "--quiet" | "--silent") => {
            return Some(format!(
                "the exit code has the verdict; to print nothing: {} 2>/dev/null",
                without()
            ));
        }
        ("ledger verify", "-q" | "--quiet" | "--silent") => {
            return Some(format!(
                "the exit code has the verdict; to print nothing: {} >/dev/null 2>&1",
                without()
            ));
        }
        ("check", "--summary" | "--stats" | "--totals") => {
            return Some(format!("check prints a summary without an option: {}", without()));
        }
        ("check", _) if is_flag => {}
        _ => return None,
    }
    // As `sort` has them: -c checks the order.
    let letters = argument.strip_prefix('-').filter(|letters| !letters.is_empty())?;
    if !letters.chars().all(|letter| "scCu".contains(letter)) {
        return None;
    }
    let options: Vec<_> = [("scC", "--sorted"), ("u", "--unique")]
        .into_iter()
        .filter(|(ours, _)| letters.contains(|letter| ours.contains(letter)))
        .map(|(_, option)| option)
        .collect();
    let are = if options.len() == 1 { "the option is" } else { "the options are" };
    Some(format!("{are} {}: {}", options.join(" and "), typed.with(at..at + 1, &options)))
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn people_write_numbers_in_many_ways() {
        for (text, expected) in [
            ("1e6", Some(1_000_000)),
            ("1_000_000", Some(1_000_000)),
            ("1,000", Some(1000)),
            ("2M", Some(2_000_000)),
            ("10k", Some(10_000)),
            ("many", None),
            ("", None),
            ("-3", None),
            ("1e99", None),
            ("99999999999999999999", None),
        ] {
            assert_eq!(number(text), expected, "{text}");
        }
    }
}
