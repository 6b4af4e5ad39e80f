//! What the soak prints, and the law of its memory.

use crate::{Result, source::lock, world::World};
use serde_json::json;
use std::{
    fs, mem,
    sync::atomic::{AtomicU64, Ordering::Relaxed},
    thread,
    time::{Duration, Instant},
};

/// How much more memory the process may have in the last fifth of its time than in the second one, in KiB.
const MOST_GROWTH: u64 = 4096;

pub(crate) struct Report {
    begun: Instant,
    time: Duration,
    /// The resident memory in each second, in KiB.
    memory: Vec<u64>,
}

impl Report {
    pub(crate) fn new(time: Duration) -> Self {
        Self { begun: Instant::now(), time, memory: Vec::with_capacity(time.as_secs() as usize + 1) }
    }

    /// Measures each second, and prints a line each minute, until the time is over.
    pub(crate) fn watch(&mut self, world: &World) {
        while self.begun.elapsed() < self.time && !world.is_over() {
            thread::sleep(Duration::from_secs(1).min(self.time.saturating_sub(self.begun.elapsed())));
            match memory() {
                Ok(memory) => self.memory.push(memory),
                Err(error) => world.broken(format!("the memory is unknown: {error}")),
            }
            if self.memory.len().is_multiple_of(60) {
                self.print(world);
            }
        }
    }

    fn print(&self, world: &World) {
        let counts = &world.counts;
        println!(
            "{:>5} s: {:>10} IDs, {:>6} forks, {:>7} threads, {:>6} steps of the clock, {:>5} node IDs taken, {} KiB",
            self.begun.elapsed().as_secs(),
            lock(&world.record).ids,
            count(&counts.forks),
            count(&counts.threads),
            count(&world.clock.small_steps) + count(&world.clock.great_steps),
            count(&counts.joins),
            self.memory.last().copied().unwrap_or_default(),
        );
    }

    /// Checks the memory and all IDs, and prints a summary as a JSON object. Returns whether all laws held.
    pub(crate) fn finish(&self, world: &World) -> Result<bool> {
        let seconds = self.begun.elapsed().as_secs();
        // A minute is too short for a verdict.
        let growth = (self.memory.len() >= 100).then(|| {
            let fifth = self.memory.len() / 5;
            (median(&self.memory[fifth..2 * fifth]), median(&self.memory[4 * fifth..]))
        });
        if let Some((early, late)) = growth.filter(|(early, late)| *late > early + MOST_GROWTH) {
            world.broken(format!("the memory grew from {early} KiB to {late} KiB"));
        }
        let record = mem::replace(&mut *lock(&world.record), crate::record::Record::none());
        let ids = record.ids;
        println!("checking {ids} IDs");
        let (repeated, first) = record.repeated()?;
        if let Some(first) = first {
            world.broken(format!("{repeated} IDs occur again, the first is {first}"));
        }
        let (counts, broken) = (&world.counts, world.laws_broken());
        let summary = json!({
            "seconds": seconds,
            "ids": ids,
            "repeated": repeated,
            "threads": count(&counts.threads),
            "forks": count(&counts.forks),
            "ids_of_children": count(&counts.ids_of_children),
            "small_steps": count(&world.clock.small_steps),
            "great_steps": count(&world.clock.great_steps),
            "reservations": count(&counts.reservations),
            "numbers": count(&counts.joins),
            "numbers_of_children": count(&counts.joins_of_children),
            "renewals": count(&counts.renewals),
            "losses": count(&counts.losses),
            "outages": count(&counts.outages),
            "refusals": count(&counts.refusals),
            "memory_early": growth.map(|(early, _)| early),
            "memory_late": growth.map(|(_, late)| late),
            "broken": broken,
        });
        println!("{summary}");
        Ok(broken.is_empty())
    }
}

fn count(counter: &AtomicU64) -> u64 {
    counter.load(Relaxed)
}

fn median(samples: &[u64]) -> u64 {
    let mut samples = samples.to_vec();
    samples.sort_unstable();
    samples[samples.len() / 2]
}

/// The resident memory of this process, in KiB.
fn memory() -> Result<u64> {
    let status = fs::read_to_string("/proc/self/status")?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))
        .ok_or("/proc/self/status has no VmRSS")?;
    Ok(line.trim().trim_end_matches(" kB").parse()?)
}
