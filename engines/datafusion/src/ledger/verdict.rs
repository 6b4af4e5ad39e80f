//! The result of `ledger_verify`: what `sortid ledger verify --all-faults --json` prints.

use super::runs::Found;
use datafusion::{
    arrow::{
        array::{ArrayRef, BooleanArray, Int64Builder, StringBuilder, StructArray},
        buffer::NullBuffer,
        datatypes::{DataType, Field, Fields},
    },
    common::{Result, ScalarValue},
};
use evently_ledger::{Genesis, Profile};
use std::sync::{Arc, LazyLock};

static FIRST_FAULT: LazyLock<Fields> = LazyLock::new(|| {
    Fields::from(vec![
        Field::new("file", DataType::Utf8, true),
        Field::new("line", DataType::Int64, true),
        Field::new("kind", DataType::Utf8, true),
        Field::new("expected", DataType::Utf8, true),
        Field::new("found", DataType::Utf8, true),
    ])
});

static FIELDS: LazyLock<Fields> = LazyLock::new(|| {
    Fields::from(vec![
        Field::new("valid", DataType::Boolean, true),
        Field::new("events", DataType::Int64, true),
        Field::new("profile", DataType::Utf8, true),
        Field::new("genesis", DataType::Utf8, true),
        Field::new("ledger_id", DataType::Utf8, true),
        Field::new("last_event_id", DataType::Utf8, true),
        Field::new("faults", DataType::Int64, true),
        Field::new("first_fault", DataType::Struct(FIRST_FAULT.clone()), true),
    ])
});

pub(crate) fn data_type() -> DataType {
    DataType::Struct(FIELDS.clone())
}

/// The verdict of a ledger, as a value of `data_type`.
pub(crate) fn verdict(found: Found) -> Result<ScalarValue> {
    Ok(ScalarValue::Struct(Arc::new(verdicts([Ok(found)].into_iter())?)))
}

/// The verdicts of ledgers, as an array of `data_type`.
pub(crate) fn verdicts(ledgers: impl Iterator<Item = Result<Found>>) -> Result<StructArray> {
    let (mut valid, mut first_faults) = (vec![], vec![]);
    let [mut events, mut faults, mut lines] = [(); 3].map(|()| Int64Builder::new());
    let [
        mut profiles,
        mut geneses,
        mut ledger_ids,
        mut last_event_ids,
        mut files,
        mut kinds,
        mut expected,
        mut founds,
    ] = [(); 8].map(|()| StringBuilder::new());
    for found in ledgers {
        let Found { report, file, line } = found?;
        let fault = match &report.first_fault {
            Some(fault) => Some((fault.kind.name(), fault.expected.as_str(), fault.found.as_str())),
            // The program prints the same for a ledger without events.
            None if report.events == 0 => Some(("no_events", "at least one event", "none")),
            None => None,
        };
        valid.push(fault.is_none());
        events.append_value(count(report.events));
        profiles.append_option(report.profile.map(Profile::name));
        geneses.append_option(report.genesis.map(Genesis::name));
        ledger_ids.append_option(report.ledger_id.map(|id| id.to_string()));
        last_event_ids.append_option(report.last_event_id.map(|id| id.to_string()));
        faults.append_value(count(report.faults.max(u64::from(fault.is_some()))));
        first_faults.push(fault.is_some());
        // The members are NULL, too: `first_fault['line']` shows them even if the struct is NULL.
        files.append_option(fault.and(file));
        lines.append_option(fault.map(|_| count(line)));
        kinds.append_option(fault.map(|(kind, _, _)| kind));
        expected.append_option(fault.map(|(_, expected, _)| expected));
        founds.append_option(fault.map(|(_, _, found)| found));
    }
    let [profiles, geneses, ledger_ids, last_event_ids, files, kinds, expected, founds] =
        [profiles, geneses, ledger_ids, last_event_ids, files, kinds, expected, founds]
            .map(|mut texts| -> ArrayRef { Arc::new(texts.finish()) });
    let first_fault = StructArray::try_new(
        FIRST_FAULT.clone(),
        vec![files, Arc::new(lines.finish()), kinds, expected, founds],
        Some(NullBuffer::from(first_faults)),
    )?;
    Ok(StructArray::try_new(
        FIELDS.clone(),
        vec![
            Arc::new(BooleanArray::from(valid)),
            Arc::new(events.finish()),
            profiles,
            geneses,
            ledger_ids,
            last_event_ids,
            Arc::new(faults.finish()),
            Arc::new(first_fault),
        ],
        None,
    )?)
}

/// A count as a value of SQL.
fn count(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}
