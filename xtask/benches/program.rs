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
        let target = program.ancestors().nth(2).ok_or("there is no folder above that of this program")?;
        let folder = target.join("bench");
        fs::create_dir_all(&folder)?;
        Ok(Self { path: target.join("sortid"), folder })
    }

    fn command(&self, args: &[&str], stdin: Option<&Path>) -> Result<Command> {
        let mut command = Command::new(&self.path);
        let stdin = stdin.map(File::open).transpose()?;
        command.args(args).stdin(stdin.map_or_else(Stdio::null, Stdio::from));
        Ok(command)
    }

    fn stdout(&self, args: &[&str], stdin: Option<&Path>) -> Result<String> {
        let output = self.command(args, stdin)?.output()?;
        assert!(output.status.success(), "sortid {args:?}: {}", String::from_utf8_lossy(&output.stderr));
        Ok(String::from_utf8(output.stdout)?)
    }

    /// The time of a call, before which a file is removed.
    fn bench(
        &self,
        criterion: &mut Criterion,
        name: &str,
        args: &[&str],
        stdin: Option<&Path>,
        throughput: Throughput,
        removed: Option<&Path>,
    ) {
        let mut group = criterion.benchmark_group("program");
        group.throughput(throughput).sample_size(10).sampling_mode(SamplingMode::Flat);
        let call = || {
            removed.map(fs::remove_file);
            let mut command = self.command(args, stdin).expect("the input was written");
            let started = Instant::now();
            let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
            assert!(status.is_ok_and(|status| status.success()), "sortid {args:?} failed");
            started.elapsed()
        };
        group.bench_function(BenchmarkId::new(OURS, name), |bencher| {
            bencher.iter_custom(|times| (0..times).map(|_| call()).sum::<Duration>());
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
    let (all, tenth) = (count.to_string(), (count / 10).to_string());
    let few = program.folder.join("few.txt");
    for (spec, more) in [
        ("scru160", &[][..]),
        ("euid", &[]),
        ("ulid-flake", &[]),
        ("ron-uid", &["--origin", "Xgritzk0_D"]),
        ("evently-id", &[]),
    ] {
        if more.is_empty() && spec != "evently-id" {
            let throughput = Throughput::Elements(count);
            program.bench(
                criterion,
                &format!("new {spec}"),
                &["new", spec, "-n", &all],
                None,
                throughput,
                None,
            );
        }
        let file = program.folder.join(spec);
        let texts = program.stdout(&[&["new", spec, "-n", &tenth], more].concat(), None)?;
        fs::write(&file, &texts)?;
        fs::write(&few, texts.split_inclusive('\n').take(100).collect::<String>())?;
        for line in program.stdout(&["inspect", "--json"], Some(&few))?.lines() {
            let line: serde_json::Value = serde_json::from_str(line)?;
            assert!(line["spec"] == spec && line["text"] == line["input"], "{line}");
        }
        let (name, throughput) = (format!("inspect --json, {spec}"), Throughput::Bytes(texts.len() as u64));
        program.bench(criterion, &name, &["inspect", "--json"], Some(&file), throughput, None);
    }

    let file = program.folder.join("scru160");
    let texts = fs::read_to_string(&file)?;
    let ids: Vec<_> = texts.lines().map(Scru160::parse).collect::<std::result::Result<_, _>>()?;
    assert!(ids.len() as u64 == count / 10 && ids.is_sorted_by(|a, b| a < b));
    fs::write(&few, texts.split_inclusive('\n').take(100).collect::<String>())?;
    let hex: String = ids[..100].iter().map(|id| digits(id.as_bytes(), HEX, 40) + "\n").collect();
    assert_eq!(program.stdout(&["convert", "--to", "hex"], Some(&few))?, hex);
    let inspected = program.stdout(&["inspect", "--json", "--spec", "scru160"], Some(&few))?;
    for (line, id) in inspected.lines().zip(&ids) {
        let line: serde_json::Value = serde_json::from_str(line)?;
        assert_eq!(line["text"], digits(id.as_bytes(), BASE32HEX, 32));
        assert_eq!(line["fields"]["timestamp_ms"], id.unix_millis());
    }
    for name in [
        "check scru160",
        "inspect --json --spec scru160",
        "convert --to hex",
        "convert --spec scru160 --to hex",
    ] {
        let args: Vec<_> = name.split(' ').collect();
        program.bench(criterion, name, &args, Some(&file), Throughput::Bytes(texts.len() as u64), None);
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
    let throughput = Throughput::Elements(count);
    program.bench(criterion, "ledger append", &append, Some(&events), throughput, Some(&ledger));

    // A longer one, of the same events.
    let _ = fs::remove_file(&ledger);
    fs::write(&events, (0..20 * count).map(event).collect::<String>())?;
    program.stdout(&append, Some(&events))?;
    for (threads, name) in [("1", "ledger verify, 1 thread"), ("2", "ledger verify, 2 threads")] {
        let args = ["ledger", "verify", "--threads", threads, ledger_text];
        let report = program.stdout(&[&args[..], &["--json"]].concat(), None)?;
        let report: serde_json::Value = serde_json::from_str(&report)?;
        assert!(report["valid"] == true && report["events"] == 20 * count, "{report}");
        let throughput = Throughput::Bytes(fs::metadata(&ledger)?.len());
        program.bench(criterion, name, &args, None, throughput, None);
    }
    Ok(())
}
