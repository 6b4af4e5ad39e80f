//! What all runs of the targets add up to: `records/fuzzing.json`.

use super::Done;
use crate::{records::Record, shell::Result};

const NAME: &str = "fuzzing";

const COLUMNS: [&str; 7] = [
    "target",
    "executions with AddressSanitizer",
    "seconds",
    "executions without",
    "seconds",
    "edges",
    "revision",
];

/// The columns of numbers that add up: executions and seconds with `AddressSanitizer`, and without.
const SUMS: [[usize; 2]; 2] = [[1, 2], [3, 4]];

/// Adds a run to the record.
pub(super) fn add(target: &str, done: &Done, has_sanitizer: bool, revision: &str) -> Result {
    let mut rows = Record::read(NAME)?.rows;
    add_to(&mut rows, target, done, has_sanitizer, revision);
    let sum = |at: usize| rows.iter().filter_map(|row| row[at].parse::<u64>().ok()).sum::<u64>();
    let [executions, seconds] = [0, 1].map(|at| SUMS.map(|kind| sum(kind[at])).iter().sum::<u64>());
    let millions = (executions as f64 / 1e6).round();
    let notes = vec![
        format!("In total, {millions} million executions took {} minutes.", seconds.div_ceil(60)),
        "Edges and revision are those of the last run. A + means that the code had changes since that commit.".into(),
    ];
    let about = "Executions of the fuzz targets, each with its last commit";
    Record { notes, ..Record::new(about, &COLUMNS, rows)? }.write(NAME)
}

fn add_to(rows: &mut Vec<Vec<String>>, target: &str, done: &Done, has_sanitizer: bool, revision: &str) {
    let at = rows.binary_search_by(|row| (*row[0]).cmp(target)).unwrap_or_else(|at| {
        rows.insert(at, COLUMNS.map(|_| "-".to_owned()).to_vec());
        at
    });
    let row = &mut rows[at];
    row[0] = target.into();
    for (column, more) in SUMS[usize::from(!has_sanitizer)].into_iter().zip([done.executions, done.seconds]) {
        row[column] = (row[column].parse().unwrap_or(0) + more).to_string();
    }
    row[5] = done.edges.to_string();
    row[6] = revision.into();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_of_a_target_add_up() {
        let mut rows = vec![];
        let done = |executions| Done { executions, seconds: 2, edges: 3, inputs: 4 };
        add_to(&mut rows, "b", &done(10), false, "r1");
        add_to(&mut rows, "a", &done(5), true, "r1");
        add_to(&mut rows, "b", &done(1), false, "r2");
        assert_eq!(rows, [["a", "5", "2", "-", "-", "3", "r1"], ["b", "-", "-", "11", "4", "3", "r2"]]);
    }
}
