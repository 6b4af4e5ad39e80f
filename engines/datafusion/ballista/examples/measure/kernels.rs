//! The kernels of `sortid-columns` on one core, without an engine.

use super::best;
use sortid::{
    SortableId, euid::Euid, evently_id::EventId, ron_uid::RonUid, scru160::Scru160, ulid_flake::UlidFlake,
};
use sortid_columns::Column;
use std::{hint::black_box, time::Duration};

/// As many IDs as a batch of DataFusion has rows.
const IDS: usize = 8192;
/// How often each slice is read in a run, and how many runs there are.
const PASSES: usize = 40;
const RUNS: usize = 25;

pub(crate) fn table() -> String {
    let mut table = "### Kernels\n\nNanoseconds an ID, on one core, for 8192 IDs at a time. \"Library\" is a loop over the \
                     same IDs that calls `encode` or `parse_ascii`.\n\n| | copy of the column | time | text | library | \
                     parse | library | is_valid |\n|---|---|---|---|---|---|---|---|\n"
        .to_owned();
    table.push_str(&row::<Scru160>("SCRU160"));
    table.push_str(&row::<Euid>("EUID"));
    table.push_str(&row::<UlidFlake>("Ulid-Flake"));
    table.push_str(&row::<RonUid>("RON UID"));
    table.push_str(&row::<EventId>("Event ID"));
    table
}

/// IDs of a thousand seconds.
pub(crate) fn ids<I: Column>(count: usize) -> Vec<I> {
    let start = 1_717_653_966_666_000;
    (0..count)
        .map(|n| {
            let time = start + i128::try_from(n * 1_000_000_000 / count).unwrap_or_default();
            let value = if n % 2 == 0 {
                sortid_columns::min_at::<I>(time)
            } else {
                sortid_columns::max_at::<I>(time)
            };
            value.ok().and_then(|value| I::from_value(&value).ok()).expect("a time of all specifications")
        })
        .collect()
}

fn row<I: Column + SortableId>(name: &str) -> String {
    let ids = ids::<I>(IDS);
    let values: Vec<I::Value> = ids.iter().map(|id| (*id).to_value()).collect();
    let width = I::TEXT_LEN;
    let mut texts = vec![0; IDS * width];
    sortid_columns::texts::<I>(&values, &mut texts);
    let texts: Vec<&[u8]> =
        texts.chunks(width).map(|text| text.split(|byte| *byte == 0).next().unwrap_or(text)).collect();

    let mut copy = values.clone();
    let copied = time(|| copy.copy_from_slice(black_box(&values)));
    let mut times = vec![0; IDS];
    let time_of = time(|| sortid_columns::times::<I>(black_box(&values), &mut times));
    let mut found = vec![0; IDS * width];
    let text = time(|| sortid_columns::texts::<I>(black_box(&values), &mut found));
    let encoded = time(|| {
        for id in black_box(&ids) {
            black_box(id.encode());
        }
    });
    let parsed = time(|| {
        for (text, value) in black_box(&texts).iter().zip(&mut copy) {
            if let Ok(found) = sortid_columns::parse::<I>(text) {
                *value = found;
            }
        }
    });
    let library = time(|| {
        for text in black_box(&texts) {
            let _ = black_box(I::parse_ascii(text));
        }
    });
    let valid = time(|| black_box(&texts).iter().filter(|text| sortid_columns::is_valid::<I>(text)).count());
    let [copied, time_of, text, encoded, parsed, library, valid] =
        [copied, time_of, text, encoded, parsed, library, valid].map(|time| {
            let nanoseconds = time.as_secs_f64() * 1e9 / (IDS * PASSES) as f64;
            format!("{nanoseconds:.*}", if nanoseconds < 1.0 { 2 } else { 1 })
        });
    format!("| {name} | {copied} | {time_of} | {text} | {encoded} | {parsed} | {library} | {valid} |\n")
}

fn time<T>(mut work: impl FnMut() -> T) -> Duration {
    best(RUNS, || {
        for _ in 0..PASSES {
            black_box(work());
        }
    })
}
