//! Making IDs, on one thread.

use crate::{BOUND, Group, INPUTS, OURS, PEER, over};
use chacha20::ChaCha12Rng;
use criterion::{BenchmarkId, Criterion, Throughput};
use euid_published::EUID;
use evently_id::LedgerId;
use ferroid::generator::thread_local;
use rand_core::{Rng as _, SeedableRng as _};
use ron_uuid_published::UUID;
use sortid_core::{Clock, Generator, Rules, SystemClock, ThreadEntropy};
use std::{fmt::Debug, hint::black_box, time::SystemTime};
use svix_ksuid::{Ksuid, KsuidLike as _};
use ulid::Ulid;
use uuid::Uuid;

pub(crate) const WORKS: &str = "the clock goes, and there is entropy";

/// A clock, but 64 times as fast: no counter is used up in a tick. Otherwise a fast generator waits for its next tick,
/// and what is measured is how long a tick is. The arithmetic takes a nanosecond.
pub(crate) struct Hasty {
    started: u64,
}

impl Clock for Hasty {
    #[inline]
    fn unix_micros(&self) -> Option<u64> {
        let now = SystemClock.unix_micros()?;
        Some(self.started + now.saturating_sub(self.started) * 64)
    }
}

pub(crate) fn hasty<R: Rules>(options: R) -> Generator<R, Hasty, ThreadEntropy> {
    let started = SystemClock.unix_micros().expect("the system's clock is set");
    Generator::from_parts(options, Hasty { started }, ThreadEntropy)
}

pub(crate) fn run(criterion: &mut Criterion) {
    spec(criterion, "scru160", scru160::Options::new);
    spec(criterion, "euid", euid::Options::new);
    spec(criterion, "ulid-flake", ulid_flake::Options::new);
    spec(criterion, "ron-uid", || ron_uid::Options::new(ron_uid::ron_uid!("Xgritzk0_D").value()));
    spec(criterion, "evently-id", || evently_id::Options::new(LedgerId::parse("c0331dd8").expect("digits")));
    one_by_one(criterion);
    bounds_of_batches(criterion);
}

/// The times of a specification: one by one, and in batches.
fn spec<R: Rules>(criterion: &mut Criterion, name: &str, options: impl Fn() -> R)
where
    R::Id: Ord + Default + Debug + Copy,
{
    let ids = hasty(options());
    ascending(&mut criterion.benchmark_group("generate"), OURS, name, || ids.generate().expect(WORKS));
    for len in [1, 16, 1024] {
        fill(&mut criterion.benchmark_group("fill"), name, len, options());
    }
}

fn one_by_one(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("generate");
    let made = &mut group;
    // A millisecond has room for more EUIDs than anything makes, and for 32 769 SCRU160s at least: one in 30.5 ns.
    ascending(made, OURS, "scru160::new()", scru160::new);
    ascending(made, OURS, "euid::new()", euid::new);
    ascending(made, OURS, "scru160::new_unordered()", scru160::new_unordered);
    ascending(made, OURS, "euid::new_unordered()", euid::new_unordered);
    let mut generator = ulid::Generator::new();
    ascending(made, PEER, "ulid Generator", move || generator.generate().expect("80 bits are enough"));
    different(made, PEER, "ulid Ulid::generate", Ulid::generate);
    different(made, PEER, "ferroid thread-local", thread_local::Ulid::new_ulid);
    ascending(made, PEER, "ferroid thread-local, monotonic", || {
        thread_local::Ulid::new_ulid_mono(|_| std::hint::spin_loop())
    });
    ascending(made, PEER, "uuid now_v7", Uuid::now_v7);
    ascending(made, PEER, "scru128 new", scru128::new);
    different(made, PEER, "svix-ksuid", || Ksuid::now(None));
    different(made, PEER, "euid 0.1.7 create", || EUID::create().expect("it is before 3084"));
    different(made, PEER, "ron-uuid 0.4 now", UUID::now);
    over(made, BOUND, "SystemTime::now", &[(); INPUTS], |()| SystemTime::now());
    over(made, BOUND, "SystemTime::now, in ms", &[(); INPUTS], |()| {
        let since_1970 = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).expect("it is after 1970");
        since_1970.as_secs() * 1000 + u64::from(since_1970.subsec_millis())
    });
    chacha::<4>(made);
    chacha::<12>(made);
    group.finish();
}

/// The random bytes of an ID, as the generator of the `chacha20` crate makes them.
fn chacha<const N: usize>(group: &mut Group<'_>) {
    let mut rng = ChaCha12Rng::from_seed([7; 32]);
    different(group, BOUND, &format!("ChaCha12, {N} bytes"), move || {
        let mut bytes = [0; N];
        rng.fill_bytes(&mut bytes);
        bytes
    });
}

fn bounds_of_batches(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("fill");
    // Peers have none: one by one, which is how they make many.
    different(&mut group, PEER, "ferroid thread-local", thread_local::Ulid::new_ulid);
    let mut generator = ulid::Generator::new();
    ascending(&mut group, PEER, "ulid Generator", move || generator.generate().expect("80 bits are enough"));
    let mut rng = ChaCha12Rng::from_seed([7; 32]);
    let mut bytes = [0; 12 * INPUTS];
    group.throughput(Throughput::Elements(INPUTS as u64));
    group.bench_function(BenchmarkId::new(BOUND, "ChaCha12, 12 of 12 288 bytes"), |bencher| {
        bencher.iter(|| rng.fill_bytes(black_box(&mut bytes)));
    });
    group.finish();
}

/// The time of `make`, which has to give ascending IDs.
fn ascending<T: Ord + Debug>(group: &mut Group<'_>, kind: &str, name: &str, mut make: impl FnMut() -> T) {
    let made: Vec<_> = (0..INPUTS).map(|_| make()).collect();
    assert!(made.is_sorted_by(|a, b| a < b), "{name}: {made:?}");
    over(group, kind, name, &[(); INPUTS], |()| make());
}

/// The time of `make`, which has to give something else each time.
fn different<T: PartialEq + Debug>(
    group: &mut Group<'_>,
    kind: &str,
    name: &str,
    mut make: impl FnMut() -> T,
) {
    let made: Vec<_> = (0..INPUTS).map(|_| make()).collect();
    assert!(made.windows(2).all(|pair| pair[0] != pair[1]), "{name}: {made:?}");
    over(group, kind, name, &[(); INPUTS], |()| make());
}

/// The time for one ID of a batch of `len`.
fn fill<R: Rules>(group: &mut Group<'_>, name: &str, len: usize, options: R)
where
    R::Id: Ord + Default + Debug + Copy,
{
    let generator = hasty(options);
    let mut ids = vec![R::Id::default(); len.max(INPUTS)];
    generator.fill(&mut ids).expect(WORKS);
    assert!(ids.is_sorted_by(|a, b| a < b), "{name}: {ids:?}");
    let ids = &mut ids[..len];
    group.throughput(Throughput::Elements(len as u64));
    group.bench_function(BenchmarkId::new(OURS, format!("{name}, {len}")), |bencher| {
        bencher.iter(|| generator.fill(black_box(ids)).expect(WORKS));
    });
}
