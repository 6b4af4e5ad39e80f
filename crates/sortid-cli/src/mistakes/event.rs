//! Lines that are not events, because a text is on several lines or is an array.

use super::{arguments_of_process, input::piped};
use sortid::evently_ledger::{EventError, Fault, FaultKind, JsonErrorKind};
use std::path::Path;

/// Says what to do with a line that was refused.
pub(crate) fn advice(text: &[u8], error: &EventError) -> Option<String> {
    let json = error.json()?;
    let text = str::from_utf8(text).ok()?.trim();
    let input = Path::new("-");
    if text.starts_with('[') {
        return Some(of_array(input));
    }
    if text.starts_with("{'") {
        return Some("names and texts are in double quotes".to_owned());
    }
    if text.starts_with('{') && json.in_line().ends_with("found the end") {
        return Some(of_several_lines(input));
    }
    let is_set = json.kind() == JsonErrorKind::Type
        && ["\"eventId\"", "\"timestamp\""].iter().any(|name| text.contains(name));
    is_set.then(|| "leave eventId and timestamp out: the ledger sets them".to_owned())
}

/// Says what to do with a ledger whose first line has this fault. `input` is the file, or `-`.
pub(crate) fn advice_about_ledger(fault: &Fault, input: &Path) -> Option<String> {
    let Fault { kind: FaultKind::MalformedLine, line: 1, expected, found, .. } = fault else { return None };
    if expected.starts_with("an event,") && found == "'['" {
        return Some(of_array(input));
    }
    (expected.starts_with("a key ") && found == "the end").then(|| of_several_lines(input))
}

fn of_array(input: &Path) -> String {
    format!("an event is a line, not an array; {}", jq("jq -c '.[]'", input))
}

fn of_several_lines(input: &Path) -> String {
    format!("an event has to be on one line; {}", jq("jq -c .", input))
}

fn jq(command: &str, input: &Path) -> String {
    let args: Vec<_> = arguments_of_process().collect();
    format!("with jq 1.7 or later (older ones change numbers): {}", piped(command, input, &args))
}
