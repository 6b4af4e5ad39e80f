//! The kernels of `sortid-columns` on one core, without an engine.

use sortid::{
    SortableId, euid::Euid, evently_id::EventId, ron_uid::RonUid, scru160::Scru160, ulid_flake::UlidFlake,
};
use sortid_columns::Column;
use std::{
    hint::black_box,
    time::{Duration, Instant},
};

/// As many IDs as a batch of DataFusion has rows, and a column that no cache holds.
const COUNTS: [usize; 2] = [8192, 1_000_000];
/// The number of IDs in a run, and how often each kernel runs.
const IDS: usize = 200_000;
const RUNS: usize = 41;

pub(crate) fn table() -> String {
    let mut table = "### Kernels\n\nNanoseconds an ID, on one core: medians of runs that alternate. \"Library\" is a loop over \
                     the same IDs that calls `encode` or `parse_ascii`, and writes the results to a column.\n\n\
                     | | IDs | copy of the column | time | text | library | parse | library | is_valid |\n\
                     |---|---|---|---|---|---|---|---|---|\n"
        .to_owned();
    for count in COUNTS {
        table.push_str(&row::<Scru160>("SCRU160", count));
        table.push_str(&row::<Euid>("EUID", count));
        table.push_str(&row::<UlidFlake>("Ulid-Flake", count));
        table.push_str(&row::<RonUid>("RON UID", count));
        table.push_str(&row::<EventId>("Event ID", count));
    }
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

fn row<I: Column + SortableId>(name: &str, count: usize) -> String {
    let ids = ids::<I>(count);
    let values: Vec<I::Value> = ids.iter().map(|id| (*id).to_value()).collect();
    let width = I::TEXT_LEN;
    let mut column = vec![0; count * width];
    sortid_columns::texts::<I>(&values, &mut column);
    let texts: Vec<&[u8]> =
        column.chunks(width).map(|text| text.split(|byte| *byte == 0).next().unwrap_or(text)).collect();

    let mut times = vec![0; count];
    let (mut printed, mut encoded) = (vec![0; count * width], vec![0; count * width]);
    let (mut copy, mut parsed, mut library) = (values.clone(), values.clone(), values.clone());
    let (mut valid, mut are_valid) = (vec![false; count], vec![false; count]);
    let medians = medians(
        IDS.div_ceil(count),
        &mut [
            &mut || copy.copy_from_slice(black_box(&values)),
            &mut || _ = black_box(sortid_columns::times::<I>(black_box(&values), &mut times)),
            &mut || _ = black_box(sortid_columns::texts::<I>(black_box(&values), &mut printed)),
            &mut || {
                for (id, slot) in black_box(&ids).iter().zip(encoded.chunks_exact_mut(width)) {
                    let text = id.encode();
                    slot[..text.len()].copy_from_slice(text.as_bytes());
                }
            },
            &mut || {
                let texts = black_box(&texts);
                black_box(sortid_columns::parse_texts::<I>(|row| texts[row], &mut parsed, &mut valid));
            },
            &mut || {
                for (text, value) in black_box(&texts).iter().zip(&mut library) {
                    if let Ok(id) = I::parse_ascii(text) {
                        *value = id.to_value();
                    }
                }
            },
            &mut || {
                let texts = black_box(&texts);
                black_box(sortid_columns::are_valid::<I>(|row| texts[row], &mut are_valid));
            },
        ],
    );
    let cells = medians.iter().map(|time| {
        let nanoseconds = time.as_secs_f64() * 1e9 / count as f64;
        format!(" {nanoseconds:.*} |", if nanoseconds < 1.0 { 2 } else { 1 })
    });
    format!("| {name} | {count} |{}\n", cells.collect::<String>())
}

/// Returns the median time of each piece of work. The pieces run in turn, so what slows the machine slows all.
fn medians(passes: usize, works: &mut [&mut dyn FnMut()]) -> Vec<Duration> {
    let mut times = vec![vec![]; works.len()];
    for _ in 0..RUNS {
        for (work, times) in works.iter_mut().zip(&mut times) {
            let start = Instant::now();
            for _ in 0..passes {
                work();
            }
            times.push(start.elapsed() / passes as u32);
        }
    }
    let median = |mut times: Vec<_>| *times.select_nth_unstable(RUNS / 2).1;
    times.into_iter().map(median).collect()
}
