//! Ledgers like the vectors, whose events are repeated in an order of their own.

use crate::{BOUND, OURS, PEER, Result, is_quick, root};
use criterion::{BenchmarkId, Criterion, Throughput};
use evently_ledger::{CanonicalWriter, Event, EventId, Ledger, Profile, Verifier};
use std::{fmt::Write as _, fs, hint::black_box};

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
        let vectors = fs::read_to_string(
            root().join(format!("crates/evently-ledger/tests/data/evently_{name}.ndjson")),
        )?;
        let events: Vec<String> = vectors.lines().map(without_id).collect::<Result<_>>()?;
        let mut ledger = Ledger::new(profile);
        let mut lines = String::new();
        let len = if is_quick() { 1 << 20 } else { 32 << 20 };
        while lines.len() < len {
            for event in &events {
                ledger.append_line(event.as_bytes(), &mut lines)?;
            }
        }
        Ok(Self { name, events, ledger: lines.into_bytes(), last: ledger.last_event_id() })
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
    canonical(criterion);
    Ok(())
}

fn verify(criterion: &mut Criterion, Sample { name, ledger, last, .. }: &Sample) -> Result {
    let check = |verifier: &Verifier| {
        assert!(verifier.report().is_valid());
        assert_eq!(verifier.report().last_event_id, *last);
    };
    let mut group = criterion.benchmark_group("ledger_verify");
    group.throughput(Throughput::Bytes(ledger.len() as u64));
    group.bench_function(BenchmarkId::new(OURS, format!("{name}, 1 thread")), |bencher| {
        bencher.iter(|| {
            let mut verifier = Verifier::new(None);
            verifier.verify_chunk(black_box(ledger), |fault| panic!("{fault}"));
            check(&verifier);
        });
    });
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build()?;
    group.bench_function(BenchmarkId::new(OURS, format!("{name}, 2 threads")), |bencher| {
        bencher.iter(|| {
            let mut verifier = Verifier::new(None);
            pool.install(|| verifier.verify_chunk_parallel(black_box(ledger), |fault| panic!("{fault}")));
            check(&verifier);
        });
    });
    group.bench_function(BenchmarkId::new(BOUND, format!("{name}, CRC-32C alone")), |bencher| {
        bencher.iter(|| crc32c::crc32c(black_box(ledger)));
    });
    group.finish();
    Ok(())
}

fn append(criterion: &mut Criterion, Sample { name, events, .. }: &Sample, profile: Profile) {
    let mut group = criterion.benchmark_group("ledger_append");
    group.throughput(Throughput::Bytes(events.iter().map(|event| event.len() as u64).sum()));
    group.bench_function(BenchmarkId::new(OURS, *name), |bencher| {
        let mut ledger = Ledger::new(profile);
        let mut lines = String::new();
        bencher.iter(|| {
            lines.clear();
            for event in black_box(events) {
                ledger.append_line(event.as_bytes(), &mut lines).expect("the events are of the profile");
            }
            lines.len()
        });
    });
    group.finish();
}

/// One object with its members in order, and in the opposite order. What both are in the end is put together beside
/// them; `serde_json` sorts members too, but would print other numbers than integers in its own way.
fn canonical(criterion: &mut Criterion) {
    let members = if is_quick() { 1000 } else { 100_000 };
    let object = |keys: &mut dyn Iterator<Item = usize>, colon: &str, comma: &str| {
        let member = |key| {
            format!("\"key {key:07}\"{colon}{{\"number\"{colon}{key}{comma}\"text\"{colon}\"a few words\"}}")
        };
        format!("{{{}}}", keys.map(member).collect::<Vec<_>>().join(comma))
    };
    let expected = object(&mut (0..members), ":", ",");
    let mut group = criterion.benchmark_group("canonical_json");
    for (name, text) in [
        ("in order", object(&mut (0..members), ": ", ", ")),
        ("out of order", object(&mut (0..members).rev(), ": ", ", ")),
    ] {
        let mut writer = CanonicalWriter::new();
        let mut ours = |out: &mut String| {
            out.clear();
            writer.write(black_box(text.as_bytes()), |piece| out.write_str(piece)).expect("the text is JSON");
        };
        let theirs = || {
            let value: serde_json::Value = serde_json::from_str(black_box(&text)).expect("the text is JSON");
            value.to_string()
        };
        let mut out = String::new();
        ours(&mut out);
        assert!(out == expected && theirs() == expected, "{name}");
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.bench_function(BenchmarkId::new(OURS, name), |bencher| bencher.iter(|| ours(&mut out)));
        group.bench_function(BenchmarkId::new(PEER, format!("serde_json::Value, {name}")), |bencher| {
            bencher.iter(theirs);
        });
    }
    group.finish();
}
