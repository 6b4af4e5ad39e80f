//! Runs the benchmarks, and reads what Criterion measured.

pub(crate) mod budget;
pub(crate) mod measured;
pub(crate) mod tables;

use crate::{
    shell::{self, Result, cargo},
    workspace,
};
use measured::Measured;
use std::{
    fs, io,
    process::Stdio,
    thread,
    time::{Duration, Instant},
};

pub(crate) struct Options {
    /// Only benchmarks whose name contains this text.
    pub(crate) filter: Option<String>,
    /// Measures for a moment, built with the profile of the tests.
    pub(crate) is_quick: bool,
    pub(crate) runs: u32,
    /// The runs start at equal distances, the last one at the end of this time.
    pub(crate) spread_over: Duration,
}

/// Compares the outputs of all benchmarks with the references, and checks that all measurements can be read.
pub(crate) fn check() -> Result {
    measure(&Options { filter: None, is_quick: true, runs: 1, spread_over: Duration::ZERO }).map(|_| ())
}

/// Measures in several runs. All benchmarks of a run are measured one after the other, so their ratios compare the same
/// state of the machine.
pub(crate) fn measure(options: &Options) -> Result<Vec<Measured>> {
    let home = workspace::target()?.join("bench");
    let mut all: Vec<Measured> = vec![];
    let runs = if options.is_quick { 1 } else { options.runs };
    let started = Instant::now();
    for run in 0..runs {
        let start = options.spread_over * run / runs.saturating_sub(1).max(1);
        thread::sleep(start.saturating_sub(started.elapsed()));
        eprintln!("run {} of {runs}", run + 1);
        let _ = fs::remove_dir_all(&home);
        // The benchmarks are a program of their own, so that other chores do not wait until Criterion is built. If they
        // are quick, they reuse the build of the tests.
        let mut command = if options.is_quick {
            cargo(&["test", "--locked", "--workspace", "--all-features", "--bench", "main", "--", "--bench"])
        } else {
            cargo(&["bench", "--locked", "--package", "xtask", "--bench", "main", "--"])
        };
        if options.is_quick {
            command.env("SORTID_BENCH_QUICK", "1");
        }
        command.args(&options.filter).env("CRITERION_HOME", &home).stdout(Stdio::from(io::stderr()));
        shell::run(&mut command)?;
        for measured in Measured::read_all(&home)? {
            match all.iter_mut().find(|it| it.is_same_work(&measured)) {
                Some(it) => it.nanos.extend(measured.nanos),
                None => all.push(measured),
            }
        }
    }
    if all.is_empty() {
        return Err("no benchmark matches the filter".into());
    }
    all.sort_by(Measured::order);
    Ok(all)
}
