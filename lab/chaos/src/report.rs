//! The records of runs.

use crate::{Run, WINDOW, store::StoreKind};
use sortid_servers::{
    records::{Record, Values, grouped},
    shell::Result,
};

/// What a run found.
pub(crate) struct Outcome {
    values: Values,
    /// What breaks a law, or shows that nothing was proved.
    problems: Vec<String>,
}

impl Outcome {
    /// `never` is what must not occur, and how often it did.
    pub(crate) fn new(mut values: Values, never: &[(&'static str, u64)], problems: Vec<String>) -> Self {
        values.extend(never.iter().map(|(what, count)| (*what, grouped(*count))));
        let never = never.iter().filter(|(_, count)| *count > 0);
        let never = never.map(|(what, count)| format!("{what}: {count}"));
        Self { values, problems: never.chain(problems).collect() }
    }
}

/// Runs on one store after the other, and reports.
pub(crate) fn on_each(
    stores: &[StoreKind],
    run: &Run,
    (name, about): (&str, &str),
    work: impl Fn(StoreKind, u64) -> Result<Outcome>,
) -> Result {
    let seed = run.seed();
    let mut outcomes = vec![];
    for &kind in stores {
        eprintln!("{}, seed {seed}", kind.shown());
        let mut outcome = work(kind, seed)?;
        outcome.values.iter().for_each(|(what, value)| eprintln!("  {what}: {value}"));
        outcome.problems.iter_mut().for_each(|problem| problem.insert_str(0, &format!("{}: ", kind.shown())));
        outcomes.push((kind.shown(), outcome));
    }
    let note = format!("Windows of {} s, seed {seed}.", WINDOW.as_secs_f64());
    report(run, (name, about), outcomes, note)
}

/// Prints the record, with a column for each run. Writes it, unless there are problems.
pub(crate) fn report(
    run: &Run,
    (name, about): (&str, &str),
    outcomes: Vec<(&str, Outcome)>,
    note: String,
) -> Result {
    let (mut columns, mut problems) = (vec![], vec![]);
    for (head, outcome) in outcomes {
        problems.extend(outcome.problems);
        columns.push((head, outcome.values));
    }
    let mut record = Record::of_columns(about, &columns)?;
    record.notes = vec![note];
    if !problems.is_empty() {
        return Err(format!("{record}\nThe proof failed:\n{}", problems.join("\n")).into());
    }
    finish(&record, run.write, name)
}

/// Prints the record, and writes it if the user wants.
pub(crate) fn finish(record: &Record, is_written: bool, name: &str) -> Result {
    println!("{record}");
    if is_written { record.write(name) } else { Ok(()) }
}
