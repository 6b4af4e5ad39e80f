//! `cargo xtask bench`: runs the benchmarks, reads what Criterion measured, and writes the page and its charts.

mod budget;
pub(crate) mod measured;
mod tables;

use crate::{
    cost, growth,
    page::{self, Page},
    shell::{self, Result, cargo, root},
    svg,
};
use measured::Measured;
use std::{fs, io, process::Stdio};

pub(crate) struct Options {
    pub(crate) filter: Option<String>,
    pub(crate) is_quick: bool,
    pub(crate) is_json: bool,
    pub(crate) rounds: u32,
}

/// That what is benchmarked gives what the references say, and that all of it is read.
pub(crate) fn check() -> Result {
    measure(&Options { filter: None, is_quick: true, is_json: false, rounds: 1 }).map(|_| ())
}

pub(crate) fn run(options: &Options) -> Result {
    let mut measured = measure(options)?;
    if options.is_quick {
        // On so little input they start and end.
        measured.retain(|it| it.group != "program");
    }
    if options.is_json {
        for measured in &measured {
            println!("{}", measured.to_json());
        }
    } else if options.is_quick || options.filter.is_some() {
        println!("{}\n{}", budget::table(&measured), tables::all(&measured));
    } else {
        let mut page = Page::read("performance.md")?;
        page.replace("machine", &page::machine()?)?;
        page.replace("budget", &budget::table(&measured))?;
        page.replace("times", &tables::all(&measured))?;
        page.write()?;
        fs::write(root().join("docs/performance.svg"), svg::bars(&tables::panels(&measured)))?;
        cost::run()?;
        growth::run(false)?;
    }
    Ok(())
}

/// Of several rounds the least medians: what disturbs a machine only ever adds time, and the rounds are minutes apart.
pub(crate) fn measure(options: &Options) -> Result<Vec<Measured>> {
    let home = shell::target()?.join("bench");
    let mut least: Vec<Measured> = vec![];
    for _ in 0..if options.is_quick { 1 } else { options.rounds } {
        let _ = fs::remove_dir_all(&home);
        // Criterion's harness is a program of its own, so that the chores do not wait for it to be built.
        let mut command = cargo(&["bench", "--locked", "--package", "xtask", "--bench", "main", "--"]);
        command.args(&options.filter).env("CRITERION_HOME", &home).stdout(Stdio::from(io::stderr()));
        if options.is_quick {
            command.env("SORTID_BENCH_QUICK", "1");
        }
        shell::run(&mut command)?;
        for measured in Measured::read_all(&home)? {
            match least.iter_mut().find(|it| it.is_same_work(&measured)) {
                Some(it) => it.nanos = it.nanos.min(measured.nanos),
                None => least.push(measured),
            }
        }
    }
    if least.is_empty() {
        return Err("there is no such benchmark".into());
    }
    least.sort_by(Measured::order);
    Ok(least)
}
