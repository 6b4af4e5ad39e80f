//! Benchmarks, by Criterion: `cargo xtask bench` runs them.
//!
//! A benchmark is `group/kind/name`. All of a group do the same work, so their times can be compared; the kind says
//! whose work it is. What is timed has been compared with a slow reference before.

mod generate;
mod ledger;
mod program;
mod reference;
mod ron;
mod text;
mod threads;

use criterion::{BenchmarkGroup, BenchmarkId, Criterion, Throughput, measurement::WallTime};
use sortid_core::{Entropy as _, testing::SeededEntropy};
use std::{hint::black_box, path::Path, time::Duration};

type Result<T = ()> = std::result::Result<T, Box<dyn std::error::Error>>;
type Group<'a> = BenchmarkGroup<'a, WallTime>;

const OURS: &str = "ours";
const PEER: &str = "peer";
/// What the work cannot be faster than, as it is done now.
const BOUND: &str = "bound";

/// So many different inputs are worked on in turn.
const INPUTS: usize = 1024;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies in the root")
}

/// Whether what is measured only has to run: `cargo xtask bench --quick`.
fn is_quick() -> bool {
    std::env::var_os("SORTID_BENCH_QUICK").is_some()
}

fn main() -> Result {
    let (warm_up, measurement, samples, resamples) =
        if is_quick() { (20, 50, 10, 1001) } else { (500, 2000, 20, 100_000) };
    let mut criterion = Criterion::default()
        .without_plots()
        .warm_up_time(Duration::from_millis(warm_up))
        .measurement_time(Duration::from_millis(measurement))
        .sample_size(samples)
        .nresamples(resamples)
        .configure_from_args();
    text::run(&mut criterion);
    generate::run(&mut criterion);
    threads::run(&mut criterion);
    ron::run(&mut criterion);
    if is_wanted(&["ledger_verify", "ledger_append"]) {
        ledger::run(&mut criterion)?;
    }
    if is_wanted(&["program"]) {
        program::run(&mut criterion)?;
    }
    criterion.final_summary();
    Ok(())
}

/// Criterion applies it to each benchmark.
fn filter() -> Option<String> {
    std::env::args().skip(1).find(|arg| !arg.starts_with('-'))
}

/// Whether the filter leaves any of these groups. What they begin with takes
/// longer than the benchmarks of other groups.
fn is_wanted(groups: &[&str]) -> bool {
    filter().is_none_or(|filter| {
        groups.iter().any(|group| group.contains(&filter) || filter.starts_with(&format!("{group}/")))
    })
}

/// Different random inputs, the same in each run.
fn inputs<const N: usize, T>(make: impl Fn([u8; N]) -> T) -> Vec<T> {
    let entropy = SeededEntropy::new(N as u64);
    (0..INPUTS).map(|_| make(entropy.draw().expect("it never fails"))).collect()
}

/// The time for one of `inputs`, in turn.
fn over<T, R>(
    group: &mut Group<'_>,
    kind: &str,
    name: impl Into<String>,
    inputs: &[T],
    mut work: impl FnMut(&T) -> R,
) {
    group.throughput(Throughput::Elements(inputs.len() as u64));
    group.bench_function(BenchmarkId::new(kind, name.into()), |bencher| {
        bencher.iter(|| {
            for input in black_box(inputs) {
                black_box(&work(input));
            }
        });
    });
}
