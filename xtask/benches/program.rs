//! The program, from start to end.

use crate::{
    OURS, Result, is_quick,
    reference::{BASE32HEX, HEX, digits},
    root,
};
use criterion::{BenchmarkId, Criterion, SamplingMode, Throughput};
use scru160::Scru160;
use std::{
    fs::{self, File},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::{Duration, Instant},
};

/// `sortid`, built with the profile of the benchmarks.
struct Program {
    path: PathBuf,
    folder: PathBuf,
}

/// One way to call it.
struct Call<'a> {
    name: &'a str,
    args: &'a [&'a str],
    stdin: Option<&'a Path>,
    throughput: Throughput,
}

impl Program {
    fn new() -> Result<Self> {
        // A benchmark is target/release/deps/main-0123. A quick one is in target/debug, and was built as the tests are.
        let build: &[&str] = if is_quick() {
            &["--profile", "test", "--workspace", "--all-features", "--bin", "sortid"]
        } else {
            &["--release", "--package", "sortid-cli"]
        };
        let mut command = Command::new(env!("CARGO"));
        let status = command.args(["build", "--quiet"]).args(build).current_dir(root()).status()?;
        assert!(status.success(), "sortid does not build");
        let program = std::env::current_exe()?;
        let target =
            program.parent().and_then(Path::parent).ok_or("there is no folder above that of this program")?;
        let folder = target.join("bench");
        fs::create_dir_all(&folder)?;
        Ok(Self { path: target.join("sortid"), folder })
    }

    fn command(&self, args: &[&str], stdin: Option<&Path>) -> Result<Command> {
        let mut command = Command::new(&self.path);
        command.args(args);
        command.stdin(match stdin {
            Some(path) => Stdio::from(File::open(path)?),
            None => Stdio::null(),
        });
        Ok(command)
    }

    fn stdout(&self, args: &[&str], stdin: Option<&Path>) -> Result<String> {
        let output = self.command(args, stdin)?.output()?;
        assert!(output.status.success(), "sortid {args:?}: {}", String::from_utf8_lossy(&output.stderr));
        Ok(String::from_utf8(output.stdout)?)
    }

    fn bench(&self, criterion: &mut Criterion, call: Call<'_>, before: impl Fn()) {
        let mut group = criterion.benchmark_group("program");
        group.throughput(call.throughput).sample_size(10).sampling_mode(SamplingMode::Flat);
        group.bench_function(BenchmarkId::new(OURS, call.name), |bencher| {
            bencher.iter_custom(|times| {
                let mut took = Duration::ZERO;
                for _ in 0..times {
                    before();
                    let mut command = self.command(call.args, call.stdin).expect("the input was written");
                    let started = Instant::now();
                    let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
                    took += started.elapsed();
                    assert!(status.is_ok_and(|status| status.success()), "sortid {:?} failed", call.args);
                }
                took
            });
        });
        group.finish();
    }
}

pub(crate) fn run(criterion: &mut Criterion) -> Result {
    let program = Program::new()?;
    ids(criterion, &program)?;
    ledgers(criterion, &program)?;
    fs::remove_dir_all(&program.folder)?;
    Ok(())
}

fn ids(criterion: &mut Criterion, program: &Program) -> Result {
    let count = if is_quick() { 10_000 } else { 10_000_000 };
    let count_text = count.to_string();
    for spec in ["scru160", "euid", "ulid-flake"] {
        let args = ["new", spec, "-n", &count_text];
        let name = format!("new {spec}");
        program.bench(
            criterion,
            Call { name: &name, args: &args, stdin: None, throughput: Throughput::Elements(count) },
            || (),
        );
    }

    let texts = program.stdout(&["new", "scru160", "-n", &(count / 10).to_string()], None)?;
    let ids: Vec<_> = texts.lines().map(Scru160::parse).collect::<std::result::Result<_, _>>()?;
    assert!(ids.len() as u64 == count / 10 && ids.is_sorted_by(|a, b| a < b));
    let (few, file) = (program.folder.join("few.txt"), program.folder.join("ids.txt"));
    fs::write(&file, &texts)?;
    fs::write(&few, texts.lines().take(100).map(|text| format!("{text}\n")).collect::<String>())?;
    let hex: String = ids[..100].iter().map(|id| digits(id.as_bytes(), HEX, 40) + "\n").collect();
    assert_eq!(program.stdout(&["convert", "--to", "hex"], Some(&few))?, hex);
    let inspected = program.stdout(&["inspect", "--json", "--spec", "scru160"], Some(&few))?;
    for (line, id) in inspected.lines().zip(&ids) {
        let line: serde_json::Value = serde_json::from_str(line)?;
        assert_eq!(line["text"], digits(id.as_bytes(), BASE32HEX, 32));
        assert_eq!(line["fields"]["timestamp_ms"], id.unix_millis());
    }

    for (spec, more) in [
        ("scru160", &[][..]),
        ("euid", &[]),
        ("ulid-flake", &[]),
        ("ron-uid", &["--origin", "Xgritzk0_D"]),
        ("evently-id", &[]),
    ] {
        let file = program.folder.join(format!("{spec}.txt"));
        let new = ["new", spec, "-n", &(count / 10).to_string()];
        fs::write(&file, program.stdout(&[&new, more].concat(), None)?)?;
        fs::write(
            &few,
            fs::read_to_string(&file)?.lines().take(100).map(|id| format!("{id}\n")).collect::<String>(),
        )?;
        for line in program.stdout(&["inspect", "--json"], Some(&few))?.lines() {
            let line: serde_json::Value = serde_json::from_str(line)?;
            assert!(line["spec"] == spec && line["text"] == line["input"], "{line}");
        }
        let name = format!("inspect --json, {spec}");
        let throughput = Throughput::Bytes(fs::metadata(&file)?.len());
        let call = Call { name: &name, args: &["inspect", "--json"], stdin: Some(&file), throughput };
        program.bench(criterion, call, || ());
    }

    let throughput = Throughput::Bytes(texts.len() as u64);
    for (name, args) in [
        ("check scru160", &["check", "scru160"][..]),
        ("inspect --json --spec scru160", &["inspect", "--json", "--spec", "scru160"]),
        ("convert --to hex", &["convert", "--to", "hex"]),
        ("convert --spec scru160 --to hex", &["convert", "--spec", "scru160", "--to", "hex"]),
    ] {
        let throughput = throughput.clone();
        program.bench(criterion, Call { name, args, stdin: Some(&file), throughput }, || ());
    }
    Ok(())
}

fn ledgers(criterion: &mut Criterion, program: &Program) -> Result {
    let count = if is_quick() { 1000 } else { 100_000 };
    let (events, ledger) = (program.folder.join("events.ndjson"), program.folder.join("ledger.ndjson"));
    let ledger_text = ledger.to_str().ok_or("the path of the workspace is not UTF-8")?;
    let event = |key| {
        format!("{{\"event\":\"counted\",\"entity\":\"number\",\"key\":\"{key}\",\"data\":{{\"a\":1}}}}\n")
    };
    fs::write(&events, (0..count).map(event).collect::<String>())?;
    let append = ["ledger", "append", "--ledger", ledger_text];
    // One fsync a batch.
    program.bench(
        criterion,
        Call {
            name: "ledger append",
            args: &append,
            stdin: Some(&events),
            throughput: Throughput::Elements(count),
        },
        || {
            let _ = fs::remove_file(&ledger);
        },
    );

    // A longer one, of the same events.
    let _ = fs::remove_file(&ledger);
    fs::write(&events, (0..20 * count).map(event).collect::<String>())?;
    program.stdout(&append, Some(&events))?;
    let len = fs::metadata(&ledger)?.len();
    for (threads, name) in [("1", "ledger verify, 1 thread"), ("2", "ledger verify, 2 threads")] {
        let args = ["ledger", "verify", "--threads", threads, ledger_text];
        let report = program.stdout(&[&args[..], &["--json"]].concat(), None)?;
        let report: serde_json::Value = serde_json::from_str(&report)?;
        assert!(report["valid"] == true && report["events"] == 20 * count, "{report}");
        program.bench(
            criterion,
            Call { name, args: &args, stdin: None, throughput: Throughput::Bytes(len) },
            || (),
        );
    }
    Ok(())
}
