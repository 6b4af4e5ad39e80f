//! Lines that are given to `ledger append` and are not events.

use super::{arguments_of_process, line};
use sortid::evently_ledger::{EventError, JsonErrorKind};

/// Says what to do with a line that was refused.
pub(crate) fn advice(text: &[u8], error: &EventError) -> Option<String> {
    let json = error.json()?;
    let text = str::from_utf8(text).ok()?.trim();
    let append = || line(arguments_of_process().collect::<Vec<_>>().iter().map(String::as_str));
    if text.starts_with('[') {
        return Some(format!("an event is a line, not an array: jq -c '.[]' FILE | {}", append()));
    }
    if text.starts_with("{'") {
        return Some("names and texts are in double quotes".to_owned());
    }
    if text.starts_with('{') && json.in_line().ends_with("found the end") {
        return Some(format!("an event has to be on one line: jq -c . FILE | {}", append()));
    }
    let is_set = json.kind() == JsonErrorKind::Type
        && ["\"eventId\"", "\"timestamp\""].iter().any(|name| text.contains(name));
    is_set.then(|| "leave eventId and timestamp out: the ledger sets them".to_owned())
}
