//! Fuzzing with libFuzzer, and the replay of the committed corpus.

mod record;

use crate::{
    figures::page::revision,
    shell::{self, Result, cargo, root, stdout_of},
    tools,
    workspace::target,
};
use std::{
    fs,
    num::NonZero,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::Mutex,
    thread,
    time::Instant,
};

/// The time limit for one input. It leaves room for a sanitizer and a busy machine.
const MOST_SECONDS: u32 = 25;

const MOST_MEGABYTES: u32 = 1024;

/// The longest inputs of the targets of single texts, in bytes.
const SHORT: usize = 128;

/// How long a target runs if nothing else is asked for.
const SECONDS: u32 = 60;

const SECONDS_OF_CHECK: u32 = 10;

#[derive(clap::Args)]
pub(crate) struct Options {
    /// Fuzz only these targets
    targets: Vec<String>,

    /// How long to fuzz each target [default: 60, without --executions]
    #[arg(long)]
    seconds: Option<u32>,

    /// How many inputs to execute for each target
    #[arg(long)]
    executions: Option<u64>,

    /// Leave `AddressSanitizer` out, which is several times faster
    #[arg(long)]
    no_sanitizer: bool,

    /// Write the committed corpus from the local one, and fuzz nothing
    #[arg(long, conflicts_with_all = ["targets", "seconds", "executions", "no_sanitizer"])]
    pack: bool,
}

/// When a target has run enough.
#[derive(Clone, Copy)]
struct Limit {
    seconds: Option<u32>,
    executions: Option<u64>,
}

/// A target, its longest input in bytes, and how many laws the input chooses from.
struct Target {
    name: String,
    longest: usize,
    choices: u32,
}

/// How the targets are built: the name of a sanitizer.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Build(&'static str);

impl Build {
    const SANITIZED: Self = Self("address");
    const PLAIN: Self = Self("none");

    fn cargo_fuzz(self, args: &[&str]) -> Command {
        let mut command = cargo(&["fuzz"]);
        command.args(args).env_remove("CARGO_TARGET_DIR");
        // Stable compilers have the sanitizers, too, if they are told that they may use them.
        if self == Self::SANITIZED {
            command.env("RUSTC_BOOTSTRAP", "1");
        }
        command
    }

    fn target_dir(self) -> PathBuf {
        root().join("fuzz/target").join(self.0)
    }

    fn build(self) -> Result<PathBuf> {
        let target_dir = self.target_dir();
        let target_dir = target_dir.to_str().ok_or("the path of the workspace is not UTF-8")?;
        shell::run(&mut self.cargo_fuzz(&["build", "--sanitizer", self.0, "--target-dir", target_dir]))?;
        Ok(Path::new(target_dir).join(shell::host()?).join("release"))
    }
}

/// Fuzzes some targets or all, merges new inputs into the local corpus, and adds the runs to the record. Or writes the
/// committed corpus from the local one.
pub(crate) fn run(options: &Options) -> Result {
    if options.pack {
        return corpus("pack");
    }
    let default = options.executions.is_none().then_some(SECONDS);
    let limit = Limit { seconds: options.seconds.or(default), executions: options.executions };
    eprintln!(
        "The first build of the fuzz targets takes a few minutes. Each target then runs on one core, for {} for each of its laws.",
        limit.in_words()
    );
    tools::install(tools::FUZZ)?;
    let build = if options.no_sanitizer { Build::PLAIN } else { Build::SANITIZED };
    fuzz(build, &options.targets, limit, true)
}

/// Replays the vectors and the committed corpus, for `cargo xtask ci`.
pub(crate) fn replay() -> Result {
    shell::run(&mut of_corpus(&["test"])?)
}

/// The same, then fuzzes each target for a few seconds, for `cargo xtask ci --all`.
pub(crate) fn check() -> Result {
    tools::install(tools::FUZZ)?;
    replay()?;
    fuzz(Build::SANITIZED, &[], Limit { seconds: Some(SECONDS_OF_CHECK), executions: None }, false)
}

impl Limit {
    /// The limit for this many laws.
    fn times(self, laws: u32) -> Self {
        let executions = self.executions.map(|executions| executions * u64::from(laws));
        Self { seconds: self.seconds.map(|seconds| seconds * laws), executions }
    }

    fn in_words(self) -> String {
        let seconds = self.seconds.map(|seconds| format!("{seconds} s"));
        let executions = self.executions.map(|executions| format!("{executions} executions"));
        seconds.into_iter().chain(executions).collect::<Vec<_>>().join(" or ")
    }
}

/// Cargo for the parts that do not need libFuzzer. These parts and the tests of the workspace share a build.
fn of_corpus(args: &[&str]) -> Result<Command> {
    let mut command = cargo(args);
    command.args(["--locked", "--profile", "test", "--manifest-path", "fuzz/Cargo.toml", "--target-dir"]);
    command.arg(target()?);
    Ok(command)
}

/// Unpacks the corpus, and returns the targets.
fn prepare(wanted: &[String]) -> Result<Vec<Target>> {
    corpus("unpack")?;
    let list = stdout_of(&mut example("list")?)?;
    let mut targets = vec![];
    for line in list.lines() {
        let [name, longest, choices] = line.split(' ').collect::<Vec<_>>()[..] else {
            return Err(format!("the list of targets has the line {line:?}").into());
        };
        let (longest, choices) = (longest.parse()?, choices.parse()?);
        targets.push(Target { name: name.to_owned(), longest, choices });
    }
    if let Some(unknown) = wanted.iter().find(|name| !targets.iter().any(|it| it.name == **name)) {
        let names: Vec<_> = targets.iter().map(|it| &*it.name).collect();
        return Err(format!("{unknown} is not a fuzz target, expected one of {}", names.join(", ")).into());
    }
    targets.retain(|it| wanted.is_empty() || wanted.contains(&it.name));
    Ok(targets)
}

fn corpus(action: &str) -> Result {
    shell::run(&mut example(action)?)
}

fn example(action: &str) -> Result<Command> {
    let mut command = of_corpus(&["run", "--quiet"])?;
    command.args(["--example", "corpus", "--", action]);
    Ok(command)
}

/// Fuzzes as many targets at the same time as there are cores. `keeps` merges new inputs into the local corpus, and adds the
/// run to the record.
fn fuzz(build: Build, wanted: &[String], limit: Limit, keeps: bool) -> Result {
    let targets = prepare(wanted)?;
    let programs = build.build()?;
    println!(
        "{:<22} {:>12} {:>8} {:>8} {:>8} {:>9}",
        "target", "executions", "edges", "inputs", "seconds", "findings"
    );
    let revision = if keeps { revision(&["crates", "fuzz/src"])? } else { String::new() };
    let waiting = Mutex::new(targets.iter());
    let failed = Mutex::new(vec![]);
    let recording = Mutex::new(());
    let work = || {
        while let Some(target) = { waiting.lock().expect("no thread panics").next() } {
            let done = fuzz_one(&programs.join(&target.name), target, limit, keeps).and_then(|done| {
                let _one_at_a_time = recording.lock().expect("no thread panics");
                if keeps {
                    record::add(&target.name, &done, build == Build::SANITIZED, &revision)
                } else {
                    Ok(())
                }
            });
            if let Err(error) = done {
                failed.lock().expect("no thread panics").push(format!("{}: {error}", target.name));
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

fn fuzz_one(program: &Path, target: &Target, limit: Limit, keeps: bool) -> Result<Done> {
    let Target { name, longest, choices } = target;
    let limit = limit.times(*choices);
    let folder = |kind: &str| root().join("fuzz").join(kind).join(name);
    let (corpus, artifacts, scratch) = (folder("corpus"), folder("artifacts"), folder("target/scratch"));
    for folder in [&corpus, &artifacts, &scratch] {
        fs::create_dir_all(folder)?;
    }
    let mut command = Command::new(program);
    // libFuzzer writes new inputs into the first folder.
    command.args(if keeps { vec![&corpus] } else { vec![&scratch, &corpus] });
    command.args(limit.seconds.map(|seconds| format!("-max_total_time={seconds}")));
    command.args(limit.executions.map(|executions| format!("-runs={executions}")));
    command.args([
        format!("-artifact_prefix={}/", artifacts.display()),
        format!("-max_len={longest}"),
        format!("-timeout={MOST_SECONDS}"),
        format!("-rss_limit_mb={MOST_MEGABYTES}"),
        // What libFuzzer counts of each input costs more than a short input, and finds nothing more in it.
        format!("-entropic={}", u8::from(*longest > SHORT)),
        "-print_final_stats=1".to_owned(),
        "-verbosity=1".to_owned(),
    ]);
    let started = Instant::now();
    let output = command.stdin(Stdio::null()).env("ASAN_OPTIONS", "detect_odr_violation=0").output()?;
    let stderr = String::from_utf8_lossy(&output.stderr);
    let done = Done { seconds: started.elapsed().as_secs(), ..Done::of(&stderr) };
    let findings = u32::from(!output.status.success());
    let Done { executions, edges, inputs, seconds } = done;
    println!("{name:<22} {executions:>12} {edges:>8} {inputs:>8} {seconds:>8} {findings:>9}");
    if findings > 0 {
        return Err(format!("a finding\n{stderr}").into());
    }
    if keeps {
        merge(program, &corpus, &scratch)?;
    }
    fs::remove_dir_all(&scratch)?;
    Ok(done)
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

/// The statistics that libFuzzer prints at the end, and how long it took.
#[derive(Default)]
struct Done {
    executions: u64,
    edges: u64,
    inputs: u64,
    seconds: u64,
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
