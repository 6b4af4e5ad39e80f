//! The matrix of all types, shapes and formats.

use crate::{
    formats::Outcome,
    shapes::all_outcomes,
    values::{Item, Kind, with_kind},
};
use std::collections::BTreeSet;

fn outcomes(kind: Kind) -> Vec<(Item, Vec<(String, Outcome)>)> {
    with_kind(kind, || kind.values().into_iter().map(|value| (value.clone(), all_outcomes(&value))).collect())
}

/// A cell is exempt if its control cannot be written and read there.
#[test]
fn what_is_written_is_readable_and_equal() {
    let (mut checked, mut wrong) = (0, vec![]);
    for &kind in Kind::ALL {
        let exempt: BTreeSet<_> = outcomes(kind.control())
            .into_iter()
            .flat_map(|(_, outcomes)| outcomes)
            .filter(|(_, outcome)| *outcome != Outcome::Same)
            .map(|(cell, _)| cell)
            .collect();
        let has_fractions = matches!(kind, Kind::JsonWithFractions | Kind::EventWithFractions);
        let values = outcomes(kind);
        assert!(!values.is_empty(), "{kind:?} has no values");
        for (value, outcomes) in values {
            for (cell, outcome) in outcomes.into_iter().filter(|(cell, _)| !exempt.contains(cell)) {
                checked += 1;
                match outcome {
                    Outcome::Same => {}
                    // Members of later versions are flattened, so the length is not known.
                    Outcome::NotWritten(_) if matches!(kind, Kind::Holder | Kind::Record) => {}
                    Outcome::NotWritten(_) if kind == Kind::Json && cell.contains("key in") => {}
                    Outcome::NotWritten(_) if has_fractions => {}
                    Outcome::NotWritten(error) => {
                        wrong.push(format!("{value:?} as {cell}: not written: {error}"));
                    }
                    // An error is better than other digits.
                    Outcome::NotRead(_) if has_fractions => {}
                    Outcome::NotRead(error) => {
                        wrong.push(format!("{value:?} as {cell}: not readable: {error}"));
                    }
                    Outcome::Other(other) => {
                        wrong.push(format!("{value:?} as {cell}: another value: {other}"));
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {checked}:\n{}", wrong.len(), wrong.join("\n"));
}
