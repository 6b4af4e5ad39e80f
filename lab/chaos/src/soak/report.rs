//! What the soak prints, and the law of its memory.

use super::world::World;
use crate::{lock, report::Outcome};
use sortid_servers::{programs::memory, records::grouped, shell::Result};
use std::{
    mem, process, thread,
    time::{Duration, Instant},
};

/// How much more memory the process may have in the last fifth of its time than in the second one, in KiB.
const MOST_GROWTH: u64 = 4096;

/// The rows of the record that the threads count.
pub(super) const COUNTED: [&str; 11] = [
    "threads that came and went",
    "forks",
    "IDs that children made",
    "steps of the clock within the allowance",
    "steps of the clock by up to an hour",
    "reservations on the clock that steps, one after the other",
    "node IDs of the fleet that the process took",
    "node IDs of the fleet that children took",
    "renewals",
    "reservations that another one ended",
    "outages of the store",
];

/// Measures the memory each second, in KiB, and prints a line each minute, until the time or the soak is over.
pub(super) fn watch(world: &World, time: Duration) -> Vec<u64> {
    let (begun, mut samples) = (Instant::now(), Vec::with_capacity(time.as_secs() as usize + 1));
    while begun.elapsed() < time && !world.is_over() {
        thread::sleep(Duration::from_secs(1).min(time.saturating_sub(begun.elapsed())));
        match memory(process::id()) {
            Ok(memory) => samples.push(memory),
            Err(error) => world.broken(format!("the memory is unknown: {error}")),
        }
        if samples.len().is_multiple_of(60) {
            let (ids, memory) = (lock(&world.files).ids, samples.last());
            println!("{:>5} s: {ids:>10} IDs, {} KiB", begun.elapsed().as_secs(), memory.unwrap_or(&0));
        }
    }
    samples
}

/// Checks the memory and all IDs. A minute is too short for a verdict on the memory.
pub(super) fn finish(world: &World, seconds: u64, memory: &[u64]) -> Result<Outcome> {
    let fifth = memory.len() / 5;
    let growth =
        (memory.len() >= 100).then(|| (median(&memory[fifth..2 * fifth]), median(&memory[4 * fifth..])));
    if let Some((early, late)) = growth.filter(|(early, late)| *late > early + MOST_GROWTH) {
        world.broken(format!("the memory grew from {early} KiB to {late} KiB"));
    }
    let files = mem::take(&mut *lock(&world.files));
    let ids = files.ids;
    println!("checking {ids} IDs");
    let (repeated, first) = files.repeated()?;
    if let Some(first) = first {
        world.broken(format!("IDs occur again, the first is {first}"));
    }
    let [early, late] =
        growth.map_or(["no verdict"; 2].map(str::to_owned), |(early, late)| [early, late].map(grouped));
    let mut values = vec![("seconds", grouped(seconds)), ("IDs, all checked", grouped(ids))];
    values.extend(COUNTED.map(|what| (what, grouped(world.counted(what)))));
    values.extend([
        ("resident memory in the second fifth of the time, in KiB (median)", early),
        ("resident memory in the last fifth of the time, in KiB (median)", late),
    ]);
    Ok(Outcome::new(values, &[("IDs that occur twice", repeated)], world.laws_broken()))
}

fn median(samples: &[u64]) -> u64 {
    let mut samples = samples.to_vec();
    samples.sort_unstable();
    samples[samples.len() / 2]
}
