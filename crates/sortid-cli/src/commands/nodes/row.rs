//! What is shown of a node ID.

use crate::{json, terminal::escaped, time::Time};
use jiff::Timestamp;
use serde::Serialize;
use sortid_fleet::{__private::ALLOWANCE, Millis, Record};
use std::{
    collections::BTreeMap,
    io::{self, IsTerminal as _, Write},
};

/// Whether a process can take a node ID.
#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum State {
    /// It has a holder.
    Held,
    /// Its holder did not renew it.
    Expired,
    /// It has no holder, but has IDs that are ahead of the time.
    Blocked,
    /// It has no holder.
    Free,
}

impl State {
    pub(super) const ALL: [Self; 4] = [Self::Held, Self::Expired, Self::Blocked, Self::Free];

    pub(super) fn of(record: &Record, now: Millis) -> Self {
        match record.holder {
            Some(_) if record.until > now => Self::Held,
            Some(_) => Self::Expired,
            // A process that takes it waits at most this long.
            None if record.until >= now.saturating_add(ALLOWANCE) => Self::Blocked,
            None => Self::Free,
        }
    }

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Held => "held",
            Self::Expired => "expired",
            Self::Blocked => "blocked",
            Self::Free => "free",
        }
    }
}

/// A JSON object about a node ID.
#[derive(Serialize)]
pub(super) struct Row<'a> {
    space: &'a str,
    #[serde(rename = "numbers")]
    size: u32,
    #[serde(rename = "number")]
    node_id: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    released: Option<bool>,
    state: State,
    holder: Option<&'a str>,
    instance: Option<&'a str>,
    #[serde(serialize_with = "json::serialize_integer")]
    generation: u64,
    until: String,
}

impl<'a> Row<'a> {
    pub(super) fn new(space: &'a str, node_id: u32, record: &'a Record, now: Millis) -> Self {
        Self {
            space,
            size: record.size,
            node_id,
            released: None,
            state: State::of(record, now),
            holder: record.holder.as_ref().map(|holder| &*holder.name),
            instance: record.holder.as_ref().map(|holder| &*holder.instance),
            generation: record.generation,
            until: time(record.until).to_string(),
        }
    }

    /// Says whether `release` took the node ID away.
    pub(super) fn released(self, released: bool) -> Self {
        Self { released: Some(released), ..self }
    }
}

/// A time of a record. One that no clock has is shown as the last one that the program can show.
pub(super) fn time(millis: Millis) -> Time {
    Time::from_unix_millis(millis.min(u64::MAX / 1000))
}

/// Writes a table of the records.
pub(super) fn write_table(
    records: &BTreeMap<u32, Record>,
    now: Millis,
    out: &mut impl Write,
) -> io::Result<()> {
    // In a file, "in 10 seconds" would soon be wrong.
    let on_terminal = io::stdout().is_terminal().then(Timestamp::now);
    let rows: Vec<_> = records
        .iter()
        .map(|(node_id, record)| {
            let until = time(record.until);
            let relative = on_terminal.and_then(|now| until.relative_to(now));
            [
                node_id.to_string(),
                State::of(record, now).name().to_owned(),
                relative.map_or_else(|| until.to_string(), |relative| format!("{until} ({relative})")),
                record.generation.to_string(),
                record.holder.as_ref().map_or_else(String::new, |holder| escaped(&holder.name).into_owned()),
            ]
        })
        .collect();
    let head = ["node", "state", "until", "generation", "holder"].map(str::to_owned);
    let width =
        |column: usize| rows.iter().chain([&head]).map(|row| row[column].len()).max().unwrap_or_default();
    let widths = [0, 1, 2, 3].map(width);
    for [node_id, state, until, generation, holder] in [&head].into_iter().chain(&rows) {
        let [a, b, c, d] = widths;
        let line = format!("{node_id:>a$}  {state:<b$}  {until:<c$}  {generation:>d$}  {holder}");
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}
