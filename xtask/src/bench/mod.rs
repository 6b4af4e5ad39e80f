//! Runs the benchmarks, and reads what Criterion measured.

pub(crate) mod budget;
pub(crate) mod measured;
pub(crate) mod tables;

use crate::{
    shell::{self, Result, cargo},
    workspace,
};
use measured::Measured;
use std::{fs, io, process::Stdio};

pub(crate) struct Options {
    /// Only benchmarks whose name contains this text.
    pub(crate) filter: Option<String>,
    /// Measures for a moment, built with the profile of the tests.
    pub(crate) is_quick: bool,
    pub(crate) rounds: u32,
}

/// Compares the outputs of all benchmarks with the references, and checks that all measurements can be read.
pub(crate) fn check() -> Result {
    measure(&Options { filter: None, is_quick: true, rounds: 1 }).map(|_| ())
}

/// Measures in several rounds, and takes the least median of each benchmark: other load on the machine only adds time,
/// and the rounds are minutes apart.
pub(crate) fn measure(options: &Options) -> Result<Vec<Measured>> {
    let home = workspace::target()?.join("bench");
    let mut least: Vec<Measured> = vec![];
    for _ in 0..if options.is_quick { 1 } else { options.rounds } {
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
            match least.iter_mut().find(|it| it.is_same_work(&measured)) {
                Some(it) => it.nanos = it.nanos.min(measured.nanos),
                None => least.push(measured),
            }
        }
    }
    if least.is_empty() {
        return Err("no benchmark matches the filter".into());
    }
    least.sort_by(Measured::order);
    Ok(least)
}
