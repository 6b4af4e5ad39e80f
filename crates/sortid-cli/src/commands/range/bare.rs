//! Times without `--since` and `--until`.

use super::{Args, sql::column_and_table};
use crate::{
    format::Format,
    terminal,
    time::{Time, has_length},
};
use clap::ValueEnum;

/// What to write instead: the whole command.
pub(super) fn tip(args: &Args) -> String {
    let found = args.bare.join(" ");
    let expected = "expected --since TIME, --until TIME or both";
    let lengths: Option<Vec<_>> = args.bare.iter().map(|text| has_length(text)).collect();
    let Some(lengths) = lengths else {
        return format!("{expected}, found {found:?}");
    };
    let options: &[_] = match (&*args.bare, &*lengths, args.since, args.until) {
        // One date is the whole day.
        ([day], [true], None, None) => &[("since", day), ("until", day)],
        ([since], _, None, _) => &[("since", since)],
        ([until], _, Some(_), None) => &[("until", until)],
        ([since, until], _, None, None) => &[("since", since), ("until", until)],
        _ => return format!("{expected}, found more times: {found}"),
    };
    let mut command = format!("sortid range {}", args.spec);
    let mut push = |name: &str, value: &str| {
        command += &format!(" --{name} {}", terminal::argument(value.as_ref()));
    };
    if let Some(since) = args.since {
        push("since", &since.text());
    }
    for (name, value) in options {
        push(name, value);
    }
    if let Some(until) = args.until {
        push("until", &until.text());
    }
    if let Some(epoch) = args.epoch {
        push("epoch", &Time::from_unix_millis(epoch.unix_millis()).text());
    }
    let format = args.format.or(args.json.then_some(Format::Json));
    if let Some(format) = format.and_then(|format| format.to_possible_value()) {
        push("format", format.get_name());
    }
    if let Some(Ok([column, table])) = args.sql.as_deref().map(|names| column_and_table(names, |_| ())) {
        push("sql", &format!("{table}.{column}"));
        if let Some(dialect) = args.dialect.to_possible_value() {
            push("dialect", dialect.get_name());
        }
    }
    format!("{expected}, found a time without its option: {command}")
}
