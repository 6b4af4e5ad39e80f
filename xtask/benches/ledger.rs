//! Ledgers like the vectors, whose events are repeated in an order of their own.

use crate::{BOUND, Group, OURS, PEER, Result, is_quick, root};
use criterion::{BenchmarkId, Criterion, Throughput};
use evently_ledger::{Event, EventId, Ledger, Profile, Verifier};
use sonic_rs::JsonContainerTrait as _;
use std::{fs, hint::black_box};

/// Events of the vectors without their IDs, and a valid ledger of them.
struct Sample {
    name: &'static str,
    events: Vec<String>,
    ledger: Vec<u8>,
    last: Option<EventId>,
}

impl Sample {
    fn new(profile: Profile) -> Result<Self> {
        let name = profile.name();
        let vectors = fs::read_to_string(root().join(format!("vectors/ledger-{name}.ndjson")))?;
        let events: Vec<String> = vectors.lines().map(without_id).collect::<Result<_>>()?;
        let mut ledger = Ledger::new(profile);
        let mut batch = ledger.batch();
        let mut lines = String::new();
        let len = if is_quick() { 1 << 20 } else { 32 << 20 };
        while lines.len() < len {
            for event in &events {
                batch.append_line(event.as_bytes(), &mut lines)?;
            }
        }
        Ok(Self { name, events, ledger: lines.into_bytes(), last: batch.last_event_id() })
    }
}

fn without_id(line: &str) -> Result<String> {
    let mut event = Event::parse(line)?;
    event.event_id = None;
    event.timestamp = None;
    Ok(event.to_string())
}

pub(crate) fn run(criterion: &mut Criterion) -> Result {
    for profile in Profile::ALL {
        let sample = Sample::new(profile)?;
        verify(criterion, &sample)?;
        append(criterion, &sample, profile);
    }
    Ok(())
}

fn verify(criterion: &mut Criterion, Sample { name, ledger, last, .. }: &Sample) -> Result {
    let check = |verifier: &Verifier| {
        assert!(verifier.report().is_valid());
        assert_eq!(verifier.report().last_event_id, *last);
    };
    let mut group = criterion.benchmark_group("ledger_verify");
    group.throughput(Throughput::Bytes(ledger.len() as u64));
    bench(&mut group, OURS, &format!("{name}, 1 thread"), || {
        let mut verifier = Verifier::new(None);
        verifier.verify_chunk(black_box(ledger), |fault| panic!("{fault}"));
        check(&verifier);
    });
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build()?;
    bench(&mut group, OURS, &format!("{name}, 2 threads"), || {
        let mut verifier = Verifier::new(None);
        pool.install(|| verifier.verify_chunk_parallel(black_box(ledger), |fault| panic!("{fault}")));
        check(&verifier);
    });
    bench(&mut group, BOUND, &format!("{name}, CRC-32C alone"), || crc32c::crc32c(black_box(ledger)));
    parsers(&mut group, name, ledger)?;
    group.finish();
    Ok(())
}

/// Parsers of JSON, each the fastest way that checks a whole line, UTF-8 included. They only parse: they write no canonical
/// form, and check no chain.
fn parsers(group: &mut Group<'_>, name: &str, ledger: &[u8]) -> Result {
    let lines: Vec<&[u8]> = ledger.split_inclusive(|&byte| byte == b'\n').collect();
    let mut buffers = simd_json::Buffers::default();
    // It parses in place, so each line is copied first.
    let mut copy = vec![];
    let mut tape = |line: &[u8]| {
        copy.clear();
        copy.extend_from_slice(line);
        simd_json::to_tape_with_buffers(&mut copy, &mut buffers).map(|tape| tape.0.len())
    };
    for line in lines.iter().take(100) {
        let event = sonic_rs::from_slice::<sonic_rs::Value>(line)?;
        let expected: serde_json::Value = serde_json::from_slice(line)?;
        assert_eq!(
            event.as_object().map(sonic_rs::Object::len),
            expected.as_object().map(serde_json::Map::len)
        );
        assert!(tape(line)? > expected.as_object().map_or(0, |members| 2 * members.len()));
    }
    bench(group, PEER, &format!("{name}, simd-json parses"), || {
        black_box(&lines).iter().map(|line| tape(line).expect("a line is JSON")).sum::<usize>()
    });
    bench(group, PEER, &format!("{name}, sonic-rs parses"), || {
        for line in black_box(&lines) {
            black_box(sonic_rs::from_slice::<sonic_rs::Value>(line).expect("a line is JSON"));
        }
    });
    Ok(())
}

fn bench<R>(group: &mut Group<'_>, kind: &str, name: &str, mut work: impl FnMut() -> R) {
    group.bench_function(BenchmarkId::new(kind, name), |bencher| bencher.iter(&mut work));
}

fn append(criterion: &mut Criterion, Sample { name, events, .. }: &Sample, profile: Profile) {
    let mut group = criterion.benchmark_group("ledger_append");
    group.throughput(Throughput::Bytes(events.iter().map(|event| event.len() as u64).sum()));
    let mut ledger = Ledger::new(profile);
    let mut batch = ledger.batch();
    let mut lines = String::new();
    bench(&mut group, OURS, name, || {
        lines.clear();
        for event in black_box(events) {
            batch.append_line(event.as_bytes(), &mut lines).expect("the events are of the profile");
        }
        lines.len()
    });
    group.finish();
}
