//! How the time for an ID grows, with threads and with batches: `cargo xtask growth`.

use crate::{generate, threads};
use criterion::Criterion;

pub(crate) fn run(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("growth_threads");
    for count in [1, 2, 4, 8] {
        threads::bench_all(&mut group, count);
    }
    group.finish();
    let mut group = criterion.benchmark_group("growth_batch");
    for len in [1, 4, 16, 64, 256, 1024, 4096] {
        generate::fill_all(&mut group, len);
    }
    group.finish();
}
