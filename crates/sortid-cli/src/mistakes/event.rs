//! Lines that are not events, because a text is on several lines or is an array.

use sortid::evently_ledger::{EventError, Fault, FaultKind, JsonErrorKind};

const OF_ARRAY: &str = "write one event per line, not an array: jq -c '.[]' does this (use jq 1.7 or later: older \
    versions change numbers)";

const OF_SEVERAL_LINES: &str =
    "write each event on one line: jq -c . does this (use jq 1.7 or later: older versions change numbers)";

/// Says what to do with a line that was refused.
pub(crate) fn advice(text: &[u8], error: &EventError) -> Option<&'static str> {
    let json = error.json()?;
    let text = str::from_utf8(text).ok()?.trim();
    if text.starts_with('[') {
        return Some(OF_ARRAY);
    }
    if text.starts_with("{'") {
        return Some("write names and texts in double quotes");
    }
    if text.starts_with('{') && json.in_line().ends_with("found the end") {
        return Some(OF_SEVERAL_LINES);
    }
    let is_set = json.kind() == JsonErrorKind::Type
        && ["\"eventId\"", "\"timestamp\""].iter().any(|name| text.contains(name));
    is_set.then_some("leave eventId and timestamp out: the ledger sets them")
}

/// Says what to do with a ledger whose first line has this fault.
pub(crate) fn advice_about_ledger(fault: &Fault) -> Option<&'static str> {
    let Fault { kind: FaultKind::MalformedLine, line: 1, expected, found, .. } = fault else { return None };
    if expected.starts_with("an event,") && found == "'['" {
        return Some(OF_ARRAY);
    }
    (expected.starts_with("a key ") && found == "the end").then_some(OF_SEVERAL_LINES)
}
