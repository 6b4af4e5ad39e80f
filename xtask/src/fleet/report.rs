//! The records of fleets.

use super::{StoreKind, WINDOW};
use crate::{records::Record, shell::Result};
use serde_json::Value;
use std::{fmt, time::Duration};

/// What happened to a fleet, and what the check of its IDs found.
pub(super) struct Outcome {
    pub(super) kind: StoreKind,
    pub(super) processes: usize,
    pub(super) took: Duration,
    pub(super) counts: super::processes::Counts,
    /// How often servers crashed.
    pub(super) crashes: u64,
    /// How often the connections were cut, or the store did not answer.
    pub(super) cuts: u64,
    pub(super) operations: u64,
    /// What the check printed.
    pub(super) found: Value,
}

impl Outcome {
    fn found(&self, name: &str) -> u64 {
        self.found[name].as_u64().unwrap_or(0)
    }

    /// How long the node IDs of processes that were killed were blocked: the median, and the longest.
    fn blocked(&self) -> (Duration, Duration) {
        let mut all = self.counts.blocked.clone();
        all.sort();
        (all.get(all.len() / 2).copied().unwrap_or_default(), all.last().copied().unwrap_or_default())
    }

    /// The values of the table.
    fn values(&self) -> Vec<(&'static str, String)> {
        let (median, longest) = self.blocked();
        let seconds = self.took.as_secs_f64();
        let number = |count: u64| grouped(count);
        vec![
            ("processes at a time, for 32 node IDs", self.processes.to_string()),
            ("seconds", format!("{seconds:.0}")),
            ("processes started", number(self.counts.starts)),
            ("those of an earlier version", number(self.counts.earlier_starts)),
            ("holders of node IDs", number(self.found("holders"))),
            ("killed (SIGKILL)", number(self.counts.kills)),
            ("stopped for up to three windows (SIGSTOP)", number(self.counts.stops)),
            ("asked to end (SIGTERM)", number(self.counts.terms)),
            ("clocks stepped", number(self.counts.clock_steps)),
            ("crashes of servers", number(self.crashes)),
            ("connections cut, servers stopped, or directory read-only", number(self.cuts)),
            ("IDs", number(self.found("ids"))),
            ("IDs that occur twice", number(self.found("repeated"))),
            ("IDs out of order", number(self.found("disordered"))),
            ("IDs with a wrong node ID", number(self.found("misnumbered"))),
            ("node IDs with two holders at a time", number(self.found("shared"))),
            ("node ID blocked after a kill, median", format!("{:.1} s", median.as_secs_f64())),
            ("node ID blocked after a kill, longest", format!("{:.1} s", longest.as_secs_f64())),
            ("operations on the store a second", format!("{:.0}", self.operations as f64 / seconds)),
        ]
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind.shown())?;
        for (name, value) in self.values() {
            write!(f, "\n  {name}: {value}")?;
        }
        Ok(())
    }
}

/// What breaks the law, or shows that nothing was proved.
pub(super) fn problems(outcome: &Outcome) -> Vec<String> {
    let store = outcome.kind.shown();
    let mut problems = vec![];
    for name in ["repeated", "disordered", "misnumbered", "shared"] {
        if outcome.found(name) > 0 {
            problems.push(format!("{store}: {name}: {}", outcome.found(name)));
        }
    }
    for problem in outcome.found["problems"].as_array().into_iter().flatten() {
        problems.push(format!("{store}: {}", problem.as_str().unwrap_or_default()));
    }
    problems.extend(outcome.counts.problems.iter().map(|problem| format!("{store}: {problem}")));
    if outcome.found("ids") == 0 {
        problems.push(format!("{store}: no IDs"));
    }
    if outcome.found("holders") <= outcome.found("numbers") {
        problems.push(format!("{store}: no node ID had a second holder"));
    }
    problems
}

/// The record of the proof, with a column for each store.
pub(super) fn proof(outcomes: &[Outcome], seed: u64) -> Result<Record> {
    let columns: Vec<_> = outcomes.iter().map(Outcome::values).collect();
    let names = columns.first().into_iter().flatten().enumerate();
    let row = |(at, (name, _)): (usize, &(&str, String))| {
        [(*name).to_owned()].into_iter().chain(columns.iter().map(|column| column[at].1.clone())).collect()
    };
    let about = "A fleet whose processes are killed and stopped, on servers that crash";
    let kinds = outcomes.iter().map(|outcome| outcome.kind);
    let mut record = Record::new(about, &heads(kinds), names.map(row).collect())?;
    record.notes = vec![format!("Windows of {} s, seed {seed}.", WINDOW.as_secs_f64())];
    Ok(record)
}

/// The record of what fleets cost.
pub(super) fn cost(measured: &[(StoreKind, Value)]) -> Result<Record> {
    let row = |name: &str, value: &dyn Fn(&Value) -> String| {
        [name.to_owned()].into_iter().chain(measured.iter().map(|(_, found)| value(found))).collect()
    };
    let mut rows: Vec<Vec<String>> = vec![];
    for (index, nodes) in ["1 idle node", "10 idle nodes", "100 idle nodes"].into_iter().enumerate() {
        let rate = |found: &Value| found["idle"][index]["operations_per_second"].as_f64().unwrap_or(0.0);
        rows.push(row(&format!("operations a second, {nodes}"), &|found| format!("{:.1}", rate(found))));
    }
    for (name, key) in [
        ("to join alone", "join_alone"),
        ("to join with 40 at once, median", "join_median"),
        ("to join with 40 at once, longest", "join_longest"),
    ] {
        rows.push(row(name, &|found| format!("{:.0} ms", found[key].as_f64().unwrap_or(0.0))));
    }
    Record::new("What fleets ask of their stores", &heads(measured.iter().map(|(kind, _)| *kind)), rows)
}

fn heads(kinds: impl Iterator<Item = StoreKind>) -> Vec<&'static str> {
    ["what"].into_iter().chain(kinds.map(StoreKind::shown)).collect()
}

/// The number with a space after each three digits.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_grouped_by_three() {
        assert_eq!([1, 100, 1000, 1_234_567].map(grouped), ["1", "100", "1 000", "1 234 567"]);
    }
}
