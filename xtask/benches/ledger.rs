//! Ledgers like the vectors, whose events are repeated in an order of their own.

use crate::{Result, root};
use criterion::{Criterion, Throughput};
use evently_id::{CanonicalWriter, Event, Ledger, Profile, Verifier};
use std::{
    fs,
    hint::black_box,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

const LEN: usize = 32 << 20;

/// Events of the vectors without their IDs, and a valid ledger of them.
struct Sample {
    name: &'static str,
    events: Vec<String>,
    ledger: Vec<u8>,
}

impl Sample {
    fn new(profile: Profile) -> Result<Self> {
        let name = profile.name();
        let vectors =
            fs::read_to_string(root().join(format!("crates/evently-id/tests/data/evently_{name}.ndjson")))?;
        let events: Vec<String> = vectors.lines().map(without_id).collect::<Result<_>>()?;
        let mut ledger = Ledger::new(profile);
        let mut lines = String::new();
        while lines.len() < LEN {
            for event in &events {
                ledger.append_line(event.as_bytes(), &mut lines)?;
            }
        }
        Ok(Self { name, events, ledger: lines.into_bytes() })
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
    append_durably(criterion)
}

fn verify(criterion: &mut Criterion, Sample { name, ledger, .. }: &Sample) -> Result {
    let mut group = criterion.benchmark_group("ledger_verify");
    group.throughput(Throughput::Bytes(ledger.len() as u64));
    group.bench_function(format!("{name}/1_thread"), |bencher| {
        bencher.iter(|| {
            let mut verifier = Verifier::new(None);
            verifier.chunk(black_box(ledger), |fault| panic!("{fault}"));
            verifier.report().last_event_id
        });
    });
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build()?;
    group.bench_function(format!("{name}/2_threads"), |bencher| {
        bencher.iter(|| {
            let mut verifier = Verifier::new(None);
            pool.install(|| verifier.parallel_chunk(black_box(ledger), |fault| panic!("{fault}")));
            verifier.report().last_event_id
        });
    });
    group.finish();
    Ok(())
}

fn append(criterion: &mut Criterion, Sample { name, events, .. }: &Sample, profile: Profile) {
    let mut group = criterion.benchmark_group("ledger_append_line");
    group.throughput(Throughput::Elements(events.len() as u64));
    group.bench_function(*name, |bencher| {
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

/// One object with its members in order, and in the opposite order.
fn canonical(criterion: &mut Criterion) {
    let member =
        |key: usize| format!("\"key {key:07}\": {{\"number\": {key}.50, \"text\": \"a few words\"}}");
    let object = |keys: &mut dyn Iterator<Item = usize>| {
        format!("{{{}}}", keys.map(member).collect::<Vec<_>>().join(", "))
    };
    let mut group = criterion.benchmark_group("canonical_json");
    for (name, text) in
        [("in_order", object(&mut (0..100_000))), ("out_of_order", object(&mut (0..100_000).rev()))]
    {
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.bench_function(name, |bencher| {
            let mut writer = CanonicalWriter::new();
            bencher.iter(|| {
                let mut len = 0;
                let result = writer.write(black_box(text.as_bytes()), |piece| {
                    len += piece.len();
                    Ok::<_, std::fmt::Error>(())
                });
                result.expect("the text is JSON");
                len
            });
        });
    }
    group.finish();
}

/// The program: events of standard input that are on disk, one fsync a batch.
fn append_durably(criterion: &mut Criterion) -> Result {
    const EVENTS: usize = 100_000;

    let build = ["build", "--quiet", "--release", "--package", "sortid-cli"];
    let status = Command::new(env!("CARGO")).args(build).current_dir(root()).status()?;
    assert!(status.success(), "sortid does not build");
    let folder = root().join("target/bench");
    fs::create_dir_all(&folder)?;
    let (events, ledger) = (folder.join("events.ndjson"), folder.join("ledger.ndjson"));
    let event = |key| {
        format!("{{\"event\":\"counted\",\"entity\":\"number\",\"key\":\"{key}\",\"data\":{{\"a\":1}}}}\n")
    };
    fs::write(&events, (0..EVENTS).map(event).collect::<String>())?;

    let mut group = criterion.benchmark_group("ledger_append_durably");
    group.throughput(Throughput::Elements(EVENTS as u64)).sample_size(10);
    group.bench_function("classic", |bencher| {
        bencher.iter_custom(|times| {
            let mut took = Duration::ZERO;
            for _ in 0..times {
                let _ = fs::remove_file(&ledger);
                let stdin = fs::File::open(&events).expect("it was written above");
                let mut program = Command::new(root().join("target/release/sortid"));
                program.args(["ledger", "append", "--ledger"]).arg(&ledger);
                let started = Instant::now();
                let status = program.stdin(stdin).stdout(Stdio::null()).status();
                took += started.elapsed();
                assert!(status.is_ok_and(|status| status.success()), "sortid ledger append failed");
            }
            took
        });
    });
    group.finish();
    fs::remove_dir_all(folder)?;
    Ok(())
}
