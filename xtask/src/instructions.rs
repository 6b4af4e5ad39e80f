//! Instruction counts of the hot paths. Unlike times, they do not vary from run to run.
//!
//! Callgrind counts the instructions of N and of 2 N iterations. The difference is the count for N iterations, without
//! the start and the end of the program.

use crate::{
    shell::{self, Result, cargo, root, stdout_of},
    tools, workspace,
};
use serde_json::{Value, json};
use std::{collections::BTreeMap, fs, path::Path, process::Command};

/// A multiple of 1024, as the program requires.
const N: usize = 4096;

/// How far a count may differ from the baseline in either direction: a faster path needs a new baseline too.
const TOLERANCE: f64 = 0.05;

/// Compares with the baseline. If valgrind cannot be installed, the check is skipped.
pub(crate) fn check() -> Result {
    if let Err(error) = tools::install(tools::INSTRUCTIONS) {
        eprintln!("skipped: {error}");
        return Ok(());
    }
    run(false)
}

pub(crate) fn run(is_update: bool) -> Result {
    tools::install(tools::INSTRUCTIONS)?;
    // As users build the crates.
    let build = ["build", "--quiet", "--locked", "--profile=bench", "--package", "sortid-instructions"];
    shell::run(&mut cargo(&build))?;
    let now = count_all(&workspace::target()?.join("release/sortid-instructions"))?;
    let path = root().join("xtask/instructions.json");
    if is_update {
        return Ok(fs::write(path, serde_json::to_string_pretty(&now)? + "\n")?);
    }
    let baseline: Value = serde_json::from_slice(&fs::read(path)?)?;
    let differences = compare(&counts(&baseline), &counts(&now));
    let other = ["rustc", "valgrind", "features"].iter().find(|tool| baseline[tool] != now[tool]);
    match other {
        _ if differences == 0 => Ok(()),
        Some(tool) => {
            println!("The baseline was counted with {}, so differences are not an error.", baseline[tool]);
            Ok(())
        }
        None => Err(format!(
            "{differences} counts differ by more than {:.0} %. If this is intended, run cargo xtask instructions --update",
            100.0 * TOLERANCE
        )
        .into()),
    }
}

fn valgrind(program: &Path, args: &[&str]) -> Command {
    let mut command = Command::new("valgrind");
    command.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]).arg(program).args(args);
    command
}

/// The counts, and the tools that influence them. If the tools differ from those of the baseline, no difference is an error.
fn count_all(program: &Path) -> Result<Value> {
    let first_line = |command: &mut Command| {
        stdout_of(command).map(|text| text.lines().next().unwrap_or_default().trim().to_owned())
    };
    let mut instructions = BTreeMap::new();
    for name in stdout_of(&mut Command::new(program))?.lines() {
        let more = count(program, name, 2 * N)? - count(program, name, N)?;
        // Rounded to a tenth of an instruction, so that noise does not change the file.
        instructions.insert(name.to_owned(), (10.0 * more / N as f64).round() / 10.0);
    }
    // In alphabetical order: serde_json keeps it with any of its features.
    Ok(json!({
        // The features of the processor that valgrind emulates.
        "features": first_line(&mut valgrind(program, &["features"]))?,
        "instructions": instructions,
        "rustc": first_line(Command::new("rustc").arg("--version"))?,
        "valgrind": first_line(Command::new("valgrind").arg("--version"))?,
    }))
}

fn count(program: &Path, name: &str, n: usize) -> Result<f64> {
    let output = valgrind(program, &[name, &n.to_string()]).output()?;
    let stderr = String::from_utf8_lossy(&output.stderr);
    let count = stderr.lines().find_map(|line| line.split_once("Collected : ")?.1.trim().parse().ok());
    Ok(count.ok_or_else(|| format!("callgrind printed no count for {name:?}:\n{stderr}"))?)
}

fn counts(of: &Value) -> BTreeMap<String, f64> {
    let counts = of["instructions"].as_object().into_iter().flatten();
    counts.filter_map(|(name, count)| Some((name.clone(), count.as_f64()?))).collect()
}

/// Prints the counts that differ, and returns how many they are. One is missing if a path is new or gone.
fn compare(baseline: &BTreeMap<String, f64>, now: &BTreeMap<String, f64>) -> usize {
    let new = now.keys().filter(|name| !baseline.contains_key(*name));
    let differs = |name: &&String| match (baseline.get(*name), now.get(*name)) {
        (Some(was), Some(is)) => (is / was - 1.0).abs() > TOLERANCE,
        _ => true,
    };
    let differing = baseline.keys().chain(new).filter(differs);
    differing.inspect(|name| println!("{name:<40} {:?} {:?}", baseline.get(*name), now.get(*name))).count()
}

#[test]
fn more_and_fewer_instructions_both_differ() {
    let counts = |all: &[(&str, f64)]| all.iter().map(|&(name, count)| (name.to_owned(), count)).collect();
    let baseline = counts(&[("encode", 100.0), ("parse", 100.0), ("fill", 100.0)]);
    assert_eq!(compare(&baseline, &counts(&[("encode", 104.9), ("parse", 95.1), ("fill", 100.0)])), 0);
    assert_eq!(compare(&baseline, &counts(&[("encode", 105.1), ("parse", 94.9), ("fill", 100.0)])), 2);
    let others = counts(&[("encode", 100.0), ("generate", 100.0)]);
    assert_eq!(compare(&baseline, &others), 3, "one count is new, and two are gone");
}
