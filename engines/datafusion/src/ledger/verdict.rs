//! The result of `ledger_verify`: what `sortid ledger verify --all-faults --json` prints.

use super::runs::Found;
use datafusion::{
    arrow::{
        array::{ArrayRef, BooleanArray, Int64Array, StringArray, StructArray},
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
pub(crate) fn verdict(found: &Found) -> Result<ScalarValue> {
    let Found { report, file, line } = found;
    let fault = match &report.first_fault {
        Some(fault) => Some((fault.kind.name(), fault.expected.as_str(), fault.found.as_str())),
        // The program says the same of a ledger without events.
        None if report.events == 0 => Some(("no_events", "at least one event", "none")),
        None => None,
    };
    let faults = report.faults.max(u64::from(fault.is_some()));
    let text = |text: Option<&str>| -> ArrayRef { Arc::new(StringArray::from(vec![text])) };
    let count = |count: u64| -> ArrayRef {
        Arc::new(Int64Array::from(vec![i64::try_from(count).unwrap_or(i64::MAX)]))
    };
    // The members are NULL, too: `first_fault['line']` shows them even if the struct is NULL.
    let line = fault.and_then(|_| i64::try_from(*line).ok());
    let first_fault = StructArray::try_new(
        FIRST_FAULT.clone(),
        vec![
            text(fault.and(file.as_deref())),
            Arc::new(Int64Array::from(vec![line])),
            text(fault.map(|(kind, _, _)| kind)),
            text(fault.map(|(_, expected, _)| expected)),
            text(fault.map(|(_, _, found)| found)),
        ],
        Some(NullBuffer::from(vec![fault.is_some()])),
    )?;
    let verdict = StructArray::try_new(
        FIELDS.clone(),
        vec![
            Arc::new(BooleanArray::from(vec![fault.is_none()])),
            count(report.events),
            text(report.profile.map(Profile::name)),
            text(report.genesis.map(Genesis::name)),
            text(report.ledger_id.map(|id| id.to_string()).as_deref()),
            text(report.last_event_id.map(|id| id.to_string()).as_deref()),
            count(faults),
            Arc::new(first_fault),
        ],
        None,
    )?;
    Ok(ScalarValue::Struct(Arc::new(verdict)))
}
