//! Fuzzing with libFuzzer, and the replay of the committed corpus.

use crate::{
    shell::{self, Result, cargo, root, stdout_of},
    tools,
};
use std::{
    fs,
    num::NonZero,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::Mutex,
    thread,
};

/// The longest input in bytes. Only ledgers would be longer.
const MOST_LENGTH: u32 = 4096;

/// The time limit for one input. It leaves room for a sanitizer and a busy machine.
const MOST_SECONDS: u32 = 25;

const MOST_MEGABYTES: u32 = 1024;

const SECONDS_OF_CHECK: u32 = 3;

/// How the targets are built.
#[derive(Clone, Copy)]
struct Build {
    toolchain: Option<&'static str>,
    sanitizer: &'static str,
}

impl Build {
    /// The toolchain in use, without a sanitizer. This works on every machine.
    const STABLE: Self = Self { toolchain: None, sanitizer: "none" };

    /// A nightly toolchain with `AddressSanitizer` if it is installed.
    fn best() -> Self {
        let is_there = Command::new("rustup").args(["run", "nightly", "rustc", "--version"]).output();
        if is_there.is_ok_and(|output| output.status.success()) {
            Self { toolchain: Some("nightly"), sanitizer: "address" }
        } else {
            Self::STABLE
        }
    }

    /// `cargo fuzz` with this toolchain.
    fn cargo_fuzz(self, args: &[&str]) -> Command {
        let mut command = Command::new("cargo");
        command.arg("fuzz").args(args).current_dir(root());
        // The cargo that runs this program sets these variables. They would override the choice of toolchain.
        for name in ["CARGO", "RUSTC", "RUSTDOC", "RUSTUP_TOOLCHAIN", "CARGO_TARGET_DIR"] {
            command.env_remove(name);
        }
        command.envs(self.toolchain.map(|toolchain| ("RUSTUP_TOOLCHAIN", toolchain)));
        command
    }

    fn target_dir(self) -> PathBuf {
        root().join("fuzz/target").join(self.sanitizer)
    }

    fn build(self) -> Result<PathBuf> {
        let target_dir = self.target_dir();
        let target_dir = target_dir.to_str().ok_or("the path of the workspace is not UTF-8")?;
        shell::run(&mut self.cargo_fuzz(&[
            "build",
            "--sanitizer",
            self.sanitizer,
            "--target-dir",
            target_dir,
        ]))?;
        let host = stdout_of(Command::new("rustc").arg("-vV"))?;
        let host = host
            .lines()
            .find_map(|line| line.strip_prefix("host: "))
            .ok_or("rustc does not print its host")?;
        Ok(Path::new(target_dir).join(host).join("release"))
    }
}

/// Fuzzes one target or all targets, and merges new inputs into the local corpus.
pub(crate) fn run(target: Option<&str>, seconds: u32, no_sanitizer: bool) -> Result {
    eprintln!(
        "The first build of the fuzz targets takes a few minutes. Each target then runs for {seconds} s, on one core."
    );
    tools::install(tools::FUZZ)?;
    fuzz(if no_sanitizer { Build::STABLE } else { Build::best() }, target, seconds, true)
}

/// Writes the committed corpus from the local one.
pub(crate) fn pack() -> Result {
    corpus("pack")
}

/// Replays the vectors and the committed corpus, then fuzzes each target for a few seconds.
pub(crate) fn check() -> Result {
    tools::install(tools::FUZZ)?;
    shell::run(&mut of_corpus(&["test"]))?;
    fuzz(Build::STABLE, None, SECONDS_OF_CHECK, false)
}

/// Cargo for the parts that do not need libFuzzer. They share one build.
fn of_corpus(args: &[&str]) -> Command {
    let mut command = cargo(args);
    command.args(["--locked", "--profile", "test", "--manifest-path", "fuzz/Cargo.toml", "--target-dir"]);
    command.arg(root().join("fuzz/target"));
    command
}

/// Unpacks the corpus, and returns the names of the targets.
fn prepare(build: Build, target: Option<&str>) -> Result<Vec<String>> {
    corpus("unpack")?;
    let list = stdout_of(&mut build.cargo_fuzz(&["list"]))?;
    let targets: Vec<_> =
        list.lines().filter(|name| target.is_none_or(|it| it == *name)).map(str::to_owned).collect();
    if targets.is_empty() {
        return Err(format!("no fuzz target has this name. The targets are:\n{list}").into());
    }
    Ok(targets)
}

fn corpus(action: &str) -> Result {
    shell::run(of_corpus(&["run", "--quiet"]).args(["--example", "corpus", "--", action]))
}

/// Fuzzes as many targets at the same time as there are cores. `merges` keeps the local corpus small.
fn fuzz(build: Build, target: Option<&str>, seconds: u32, merges: bool) -> Result {
    let targets = prepare(build, target)?;
    let programs = build.build()?;
    println!(
        "{:<22} {:>12} {:>8} {:>8} {:>8} {:>9}",
        "target", "executions", "edges", "inputs", "seconds", "findings"
    );
    let waiting = Mutex::new(targets.iter());
    let failed = Mutex::new(vec![]);
    let work = || {
        while let Some(target) = { waiting.lock().expect("no thread panics").next() } {
            if let Err(error) = fuzz_one(&programs.join(target), target, seconds, merges) {
                failed.lock().expect("no thread panics").push(format!("{target}: {error}"));
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, NonZero::get) {
            scope.spawn(work);
        }
    });
    let failed = failed.into_inner().expect("no thread panics");
    if failed.is_empty() { Ok(()) } else { Err(failed.join("\n").into()) }
}

fn fuzz_one(program: &Path, target: &str, seconds: u32, merges: bool) -> Result {
    let folder = |kind: &str| root().join("fuzz").join(kind).join(target);
    let (corpus, artifacts, scratch) = (folder("corpus"), folder("artifacts"), folder("target/scratch"));
    for folder in [&corpus, &artifacts, &scratch] {
        fs::create_dir_all(folder)?;
    }
    let mut command = Command::new(program);
    // libFuzzer writes new inputs into the first folder.
    command.args(if merges { vec![&corpus] } else { vec![&scratch, &corpus] });
    command.args([
        format!("-max_total_time={seconds}"),
        format!("-artifact_prefix={}/", artifacts.display()),
        format!("-max_len={MOST_LENGTH}"),
        format!("-timeout={MOST_SECONDS}"),
        format!("-rss_limit_mb={MOST_MEGABYTES}"),
        "-print_final_stats=1".to_owned(),
        "-verbosity=1".to_owned(),
    ]);
    let output = command.stdin(Stdio::null()).env("ASAN_OPTIONS", "detect_odr_violation=0").output()?;
    let stderr = String::from_utf8_lossy(&output.stderr);
    let done = Done::of(&stderr);
    let findings = u32::from(!output.status.success());
    println!(
        "{target:<22} {:>12} {:>8} {:>8} {seconds:>8} {findings:>9}",
        done.executions, done.edges, done.inputs
    );
    if findings > 0 {
        return Err(format!("a finding\n{stderr}").into());
    }
    if merges {
        merge(program, &corpus, &scratch)?;
    }
    Ok(fs::remove_dir_all(&scratch)?)
}

/// Reduces the corpus to the inputs that are needed for the same coverage.
fn merge(program: &Path, corpus: &Path, scratch: &Path) -> Result {
    let mut command = Command::new(program);
    command.arg("-merge=1").args([scratch, corpus]).env("ASAN_OPTIONS", "detect_odr_violation=0");
    let output = command.stdin(Stdio::null()).output()?;
    if !output.status.success() {
        return Err(format!("merging failed:\n{}", String::from_utf8_lossy(&output.stderr)).into());
    }
    fs::remove_dir_all(corpus)?;
    fs::rename(scratch, corpus)?;
    Ok(fs::create_dir_all(scratch)?)
}

/// The statistics that libFuzzer prints at the end.
#[derive(Default)]
struct Done {
    executions: u64,
    edges: u64,
    inputs: u64,
}

impl Done {
    /// Reads `#1000 DONE cov: 345 ft: 678 corp: 9/10b …`, and `stat::number_of_executed_units: 1000`.
    fn of(stderr: &str) -> Self {
        let mut done = Self::default();
        for line in stderr.lines() {
            let words: Vec<_> = line.split_whitespace().collect();
            let after = |name| {
                let at = words.iter().position(|&word| word == name)?;
                words.get(at + 1)?.split('/').next()?.parse().ok()
            };
            done.edges = after("cov:").unwrap_or(done.edges);
            done.inputs = after("corp:").unwrap_or(done.inputs);
            done.executions = after("stat::number_of_executed_units:").unwrap_or(done.executions);
        }
        done
    }
}
