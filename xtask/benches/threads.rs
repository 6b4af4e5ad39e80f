//! IDs for several threads: one order for all, or one for each thread.

use crate::{
    Group, INPUTS, OURS, PEER,
    generate::{WORKS, hasty},
};
use criterion::{BenchmarkId, Criterion, Throughput};
use ferroid::{
    generator::{LockMonoUlidGenerator, thread_local},
    id::ULID,
    rand::ThreadRandom,
    time::{MonotonicClock, UNIX_EPOCH},
};
use std::{
    collections::HashSet,
    fmt::Debug,
    hash::Hash,
    hint::black_box,
    sync::{Barrier, Mutex},
    thread,
    time::{Duration, Instant},
};
use uuid::Uuid;

pub(crate) fn run(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("threads");
    for threads in [1, 2, 4, 8] {
        bench_all(&mut group, threads);
    }
    group.finish();
}

fn bench_all(group: &mut Group<'_>, threads: usize) {
    let ids = hasty(scru160::Options::new());
    bench(group, OURS, "scru160 Generator", threads, || ids.generate().expect(WORKS));
    let ids = hasty(euid::Options::new());
    bench(group, OURS, "euid Generator", threads, || ids.generate().expect(WORKS));
    let clock = MonotonicClock::<1>::with_epoch(UNIX_EPOCH);
    let ids = LockMonoUlidGenerator::<ULID, _, _>::new(clock, ThreadRandom);
    bench(group, PEER, "ferroid LockMonoUlidGenerator", threads, || {
        ids.try_next_id(|_| std::hint::spin_loop()).expect("nobody panicked")
    });
    // Each thread has an order of its own.
    bench(group, OURS, "scru160 new_unordered", threads, scru160::new_unordered);
    bench(group, OURS, "euid new_unordered", threads, euid::new_unordered);
    bench(group, PEER, "ferroid thread-local, monotonic", threads, || {
        thread_local::Ulid::new_ulid_mono(|_| std::hint::spin_loop())
    });
    bench(group, PEER, "uuid now_v7", threads, Uuid::now_v7);
    bench(group, PEER, "scru128 new", threads, scru128::new);
}

/// The time for one ID, of all that the threads make together.
fn bench<T: Ord + Hash + Debug + Send>(
    group: &mut Group<'_>,
    kind: &str,
    name: &str,
    threads: usize,
    make: impl Fn() -> T + Sync,
) {
    check(threads, &make);
    group.throughput(Throughput::Elements((threads * INPUTS) as u64));
    group.bench_function(BenchmarkId::new(kind, format!("{name}, {threads}")), |bencher| {
        bencher.iter_custom(|times| {
            together(threads, || {
                for _ in 0..times * INPUTS as u64 {
                    black_box(&make());
                }
            })
        });
    });
}

/// No thread gets an ID twice or out of order, and no two threads get the same.
fn check<T: Ord + Hash + Debug + Send>(threads: usize, make: &(impl Fn() -> T + Sync)) {
    let all = Mutex::new(HashSet::new());
    together(threads, || {
        let made: Vec<_> = (0..INPUTS).map(|_| make()).collect();
        assert!(made.is_sorted_by(|a, b| a < b), "{made:?}");
        all.lock().expect("nobody panicked").extend(made);
    });
    assert_eq!(all.into_inner().expect("nobody panicked").len(), threads * INPUTS);
}

/// From when all threads are there until the last is done.
fn together(threads: usize, work: impl Fn() + Sync) -> Duration {
    let barrier = Barrier::new(threads + 1);
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                barrier.wait();
                work();
            });
        }
        barrier.wait();
        Instant::now()
    })
    .elapsed()
}
