//! Instruction counts of the hot paths. Unlike times, they do not vary from run to run.
//!
//! Callgrind counts the instructions of N and of 2 N iterations. The difference is the count for N iterations, without
//! the start and the end of the program.

use crate::{
    shell::{self, Result, cargo, root, stdout_of},
    tools, workspace,
};
use serde_json::{Value, json};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// A multiple of 1024, as the program requires.
const N: usize = 4096;

/// How far a count may differ from the baseline in either direction: a faster path needs a new baseline too.
const TOLERANCE: f64 = 0.05;

/// The tools that influence the counts. If they differ from the tools of the baseline, no difference is an error.
#[derive(PartialEq)]
struct Tools {
    rustc: String,
    valgrind: String,
    /// The features of the processor that valgrind emulates.
    features: String,
}

struct Baseline {
    tools: Tools,
    counts: BTreeMap<String, f64>,
}

fn path() -> PathBuf {
    root().join("xtask/instructions.json")
}

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
    let program = build()?;
    let now = Baseline { tools: Tools::of(&program)?, counts: count_all(&program)? };
    if is_update {
        fs::write(path(), now.to_json()?)?;
        println!("{} counts written", now.counts.len());
        return Ok(());
    }
    let baseline = Baseline::of(&serde_json::from_slice(&fs::read(path())?)?)
        .ok_or("xtask/instructions.json is not a baseline: write one with --update")?;
    let differences = compare(&baseline.counts, &now.counts);
    if differences == 0 {
        Ok(())
    } else if baseline.tools != now.tools {
        println!(
            "The baseline was counted with {}, so differences are not an error.",
            baseline.tools.shown()
        );
        Ok(())
    } else {
        Err(format!(
            "{differences} counts differ by more than {:.0} %. If this is intended, run cargo xtask instructions --update",
            100.0 * TOLERANCE
        )
        .into())
    }
}

/// Builds the program that runs the paths, as users build the crates.
fn build() -> Result<PathBuf> {
    shell::run(&mut cargo(&[
        "build",
        "--quiet",
        "--locked",
        "--profile=bench",
        "--package",
        "sortid-instructions",
    ]))?;
    Ok(workspace::target()?.join("release/sortid-instructions"))
}

fn valgrind(tool: &str, program: &Path, args: &[&str]) -> Command {
    let mut command = Command::new("valgrind");
    command.args([tool, "--callgrind-out-file=/dev/null"]).arg(program).args(args);
    command
}

impl Tools {
    fn of(program: &Path) -> Result<Self> {
        let first_line = |text: String| text.lines().next().unwrap_or_default().trim().to_owned();
        Ok(Self {
            rustc: first_line(stdout_of(Command::new("rustc").arg("--version"))?),
            valgrind: first_line(stdout_of(Command::new("valgrind").arg("--version"))?),
            features: first_line(stdout_of(&mut valgrind("--tool=callgrind", program, &["features"]))?),
        })
    }

    fn shown(&self) -> String {
        format!("{}, {}, a processor with {}", self.rustc, self.valgrind, self.features)
    }
}

fn count_all(program: &Path) -> Result<BTreeMap<String, f64>> {
    let names = stdout_of(&mut Command::new(program))?;
    names
        .lines()
        .map(|name| {
            let more = count(program, name, 2 * N)? - count(program, name, N)?;
            // Rounded to a tenth of an instruction, so that noise does not change the file.
            Ok((name.to_owned(), (10.0 * more / N as f64).round() / 10.0))
        })
        .collect()
}

fn count(program: &Path, name: &str, n: usize) -> Result<f64> {
    let output = valgrind("--tool=callgrind", program, &[name, &n.to_string()]).output()?;
    let stderr = String::from_utf8_lossy(&output.stderr);
    stderr
        .lines()
        .find_map(|line| line.split_once("Collected : ")?.1.trim().parse().ok())
        .filter(|_| output.status.success())
        .ok_or_else(|| format!("callgrind printed no count for {name:?}:\n{stderr}").into())
}

/// Prints all counts, and returns how many differ.
fn compare(baseline: &BTreeMap<String, f64>, now: &BTreeMap<String, f64>) -> usize {
    let names: BTreeSet<_> = baseline.keys().chain(now.keys()).collect();
    let mut differences = 0;
    for name in names {
        let (was, is) = (baseline.get(name), now.get(name));
        let change = was.zip(is).map(|(was, is)| is / was - 1.0);
        let differs = change.is_none_or(|change| change.abs() > TOLERANCE);
        differences += usize::from(differs);
        let count = |count: Option<&f64>| count.map_or_else(|| "–".to_owned(), |count| format!("{count:.1}"));
        println!(
            "{name:<40} {:>9} {:>9} {:>8} {}",
            count(was),
            count(is),
            change.map_or_else(String::new, |change| format!("{:+.1} %", 100.0 * change)),
            if differs { "differs" } else { "" }
        );
    }
    differences
}

impl Baseline {
    fn to_json(&self) -> Result<String> {
        let Tools { rustc, valgrind, features } = &self.tools;
        // In alphabetical order: serde_json keeps it with any of its features.
        let json = json!({
            "features": features,
            "instructions": self.counts,
            "rustc": rustc,
            "valgrind": valgrind,
        });
        Ok(serde_json::to_string_pretty(&json)? + "\n")
    }

    fn of(json: &Value) -> Option<Self> {
        let text = |name: &str| json[name].as_str().map(str::to_owned);
        let counts = json["instructions"].as_object()?.iter();
        Some(Self {
            tools: Tools { rustc: text("rustc")?, valgrind: text("valgrind")?, features: text("features")? },
            counts: counts
                .map(|(name, count)| Some((name.clone(), count.as_f64()?)))
                .collect::<Option<_>>()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(counts: &[(&str, f64)]) -> BTreeMap<String, f64> {
        counts.iter().map(|&(name, count)| (name.to_owned(), count)).collect()
    }

    #[test]
    fn more_and_fewer_instructions_both_differ() {
        let baseline = counts(&[("encode", 100.0), ("parse", 100.0), ("fill", 100.0)]);
        assert_eq!(compare(&baseline, &counts(&[("encode", 104.9), ("parse", 95.1), ("fill", 100.0)])), 0);
        assert_eq!(compare(&baseline, &counts(&[("encode", 105.1), ("parse", 94.9), ("fill", 100.0)])), 2);
        assert_eq!(
            compare(&baseline, &counts(&[("encode", 100.0), ("generate", 100.0)])),
            3,
            "one count is new, another is gone"
        );
    }

    #[test]
    fn the_committed_baseline_is_read() {
        let json = fs::read_to_string(path()).unwrap();
        let baseline = Baseline::of(&serde_json::from_str(&json).unwrap()).unwrap();
        assert_eq!(baseline.to_json().unwrap(), json);
    }
}
