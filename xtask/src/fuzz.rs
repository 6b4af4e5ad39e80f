//! Fuzzing with libFuzzer, and the replay of the committed corpus.

use crate::{
    shell::{self, Result, cargo, root, stdout_of},
    tools,
    workspace::target,
};
use std::{
    error::Error,
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    thread,
};

/// The time limit for one input. It leaves room for a sanitizer and a busy machine.
const MOST_SECONDS: u32 = 25;

const MOST_MEGABYTES: u32 = 1024;

/// The longest inputs of the targets of single texts, in bytes.
const SHORT: usize = 128;

/// How long a target runs if nothing else is asked for.
const SECONDS: u32 = 60;

const SECONDS_OF_CHECK: u32 = 10;

const SANITIZER: &str = "address";

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
#[derive(Clone, Copy, Debug)]
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

/// Builds the targets with a sanitizer, or with `none`, and returns their folder.
fn build(sanitizer: &str) -> Result<PathBuf> {
    let folder = root().join("fuzz/target").join(sanitizer);
    let mut build = cargo(&["fuzz", "build", "--sanitizer", sanitizer, "--target-dir"]);
    build.arg(&folder).env_remove("CARGO_TARGET_DIR");
    // Stable compilers have the sanitizers, too, if they are told that they may use them.
    build.envs((sanitizer != "none").then_some(("RUSTC_BOOTSTRAP", "1")));
    shell::run(&mut build)?;
    Ok(folder.join(shell::host()?).join("release"))
}

/// Fuzzes some targets or all, and merges new inputs into the local corpus. Or writes the committed corpus from the local
/// one.
pub(crate) fn run(options: &Options) -> Result {
    if options.pack {
        return corpus("pack");
    }
    let default = options.executions.is_none().then_some(SECONDS);
    let limit = Limit { seconds: options.seconds.or(default), executions: options.executions };
    eprintln!(
        "The first build takes a few minutes. Each target then runs on one core, for {limit:?} for each of its laws."
    );
    tools::install(tools::FUZZ)?;
    fuzz(if options.no_sanitizer { "none" } else { SANITIZER }, &options.targets, limit, true)
}

/// Replays the vectors and the committed corpus, for `cargo xtask ci`.
pub(crate) fn replay() -> Result {
    shell::run(&mut of_corpus(&["test"])?)
}

/// The same, then fuzzes each target for a few seconds, for `cargo xtask ci --all`.
pub(crate) fn check() -> Result {
    tools::install(tools::FUZZ)?;
    replay()?;
    fuzz(SANITIZER, &[], Limit { seconds: Some(SECONDS_OF_CHECK), executions: None }, false)
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
    let target = |line: &str| {
        let mut words = line.split(' ');
        let name = words.next()?.to_owned();
        Some(Target { name, longest: words.next()?.parse().ok()?, choices: words.next()?.parse().ok()? })
    };
    let targets: Option<Vec<_>> = list.lines().map(target).collect();
    let mut targets = targets.ok_or_else(|| format!("the list of targets is not a list:\n{list}"))?;
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

/// Fuzzes as many targets at the same time as there are cores. `keeps` merges new inputs into the local corpus.
fn fuzz(sanitizer: &str, wanted: &[String], limit: Limit, keeps: bool) -> Result {
    let targets = prepare(wanted)?;
    let programs = build(sanitizer)?;
    shell::side_by_side(thread::available_parallelism()?.get(), targets, |target| {
        let result = fuzz_one(&programs.join(&target.name), &target, limit, keeps);
        result.map_err(|error| format!("{}: {error}", target.name).into())
    })
}

fn fuzz_one(program: &Path, target: &Target, limit: Limit, keeps: bool) -> Result {
    let Target { name, longest, choices } = target;
    let folder = |kind: &str| root().join("fuzz").join(kind).join(name);
    let (corpus, artifacts, scratch) = (folder("corpus"), folder("artifacts"), folder("target/scratch"));
    for folder in [&corpus, &artifacts, &scratch] {
        fs::create_dir_all(folder)?;
    }
    let run = |args: &[String], folders: &[&Path]| {
        let mut command = Command::new(program);
        command.args(args).args(folders).stdin(Stdio::null()).env("ASAN_OPTIONS", "detect_odr_violation=0");
        let output = command.output()?;
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        if output.status.success() { Ok(stderr) } else { Err(stderr) }
            .map_err(Box::<dyn Error + Send + Sync>::from)
    };
    let mut args = vec![
        format!("-artifact_prefix={}/", artifacts.display()),
        format!("-max_len={longest}"),
        format!("-timeout={MOST_SECONDS}"),
        format!("-rss_limit_mb={MOST_MEGABYTES}"),
        // What libFuzzer counts of each input costs more than a short input, and finds nothing more in it.
        format!("-entropic={}", u8::from(*longest > SHORT)),
        "-verbosity=1".to_owned(),
    ];
    args.extend(limit.seconds.map(|seconds| format!("-max_total_time={}", seconds * choices)));
    args.extend(limit.executions.map(|executions| format!("-runs={}", executions * u64::from(*choices))));
    // libFuzzer writes new inputs into the first folder. Its last line has the number of executions.
    let folders = [&*scratch, &corpus];
    let found = run(&args, if keeps { &folders[1..] } else { &folders })?;
    println!("{name}: {}", found.lines().last().unwrap_or_default());
    if keeps {
        // Only the inputs that are needed for the same coverage.
        run(&["-merge=1".to_owned()], &[&scratch, &corpus])?;
        fs::remove_dir_all(&corpus)?;
        fs::rename(&scratch, corpus)?;
        return Ok(());
    }
    Ok(fs::remove_dir_all(scratch)?)
}
