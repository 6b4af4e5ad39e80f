//! `cargo xtask fleet`: the proof of `sortid-fleet` on real processes and real servers, whose IDs are all checked.
//!
//! The processes are those of `internal/fleet-proof`, which also checks the IDs.

#[cfg(unix)]
mod chaos;
#[cfg(unix)]
mod processes;
mod report;
#[cfg(unix)]
mod stores;

use crate::{
    shell::{self, Result, cargo, stdout_of},
    workspace::target,
};
use clap::{Parser, ValueEnum};
use std::{
    path::{Path, PathBuf},
    process::Command,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum StoreKind {
    Dir,
    Postgres,
    Etcd,
}

impl StoreKind {
    const ALL: [Self; 3] = [Self::Dir, Self::Postgres, Self::Etcd];

    /// The name for people.
    const fn shown(self) -> &'static str {
        match self {
            Self::Dir => "a directory",
            Self::Postgres => "PostgreSQL",
            Self::Etcd => "etcd, three servers",
        }
    }
}

#[derive(Parser)]
pub(crate) struct Options {
    /// The store. Without one, all stores, one after the other
    #[arg(long, value_enum)]
    store: Option<StoreKind>,
    /// How long to disturb the fleet of each store
    #[arg(long, default_value_t = 300, default_value_if("quick", "true", "15"))]
    seconds: u64,
    /// How many processes there are for the 32 numbers
    #[arg(long, default_value_t = 48)]
    processes: usize,
    /// How many IDs each process makes in a second; 0 for as many as possible
    #[arg(long, default_value_t = 20_000)]
    rate: u64,
    /// The specification of the IDs
    #[arg(long, default_value = "ulid-flake")]
    spec: String,
    /// What random decisions begin with. The default is the time
    #[arg(long)]
    seed: Option<u64>,
    /// Take less time, as `cargo xtask ci` does
    #[arg(long)]
    quick: bool,
    /// Believe that each swap succeeds. Then the check has to fail
    #[arg(long)]
    sabotage: bool,
    /// Measure what idle fleets ask of their stores and how long it takes to join, and disturb nothing
    #[arg(long)]
    measure: bool,
    /// Write the tables to docs/fleet.md
    #[arg(long)]
    write: bool,
}

/// A short proof with all stores, for `cargo xtask ci`.
pub(crate) fn check() -> Result {
    run(&Options::try_parse_from(["fleet", "--quick", "--seed", "1"])?)
}

#[cfg(not(unix))]
pub(crate) fn run(_: &Options) -> Result {
    Err("processes are stopped and killed on Unix only: run this chore on Linux, for example in WSL".into())
}

#[cfg(unix)]
pub(crate) fn run(options: &Options) -> Result {
    use crate::tools;

    tools::install(tools::FLEET)?;
    let stores = options.store.map_or(StoreKind::ALL.to_vec(), |store| vec![store]);
    let program = build(options.quick)?;
    let name = if options.measure { "cost" } else { "proof" };
    let text = if options.measure {
        report::cost(&measure(&stores, &program, options.quick)?)?
    } else {
        let outcomes = stores
            .into_iter()
            .map(|store| chaos::run(store, options, &program))
            .collect::<Result<Vec<_>>>()?;
        let text = report::proof(&outcomes)?;
        let problems: Vec<_> = outcomes.iter().flat_map(report::problems).collect();
        if !problems.is_empty() {
            return Err(format!("{text}\nThe proof failed:\n{}", problems.join("\n")).into());
        }
        text
    };
    println!("{text}");
    if options.write {
        let mut page = crate::figures::page::Page::read("fleet.md")?;
        page.replace(name, &text)?;
        page.write()?;
    }
    Ok(())
}

/// Builds the program of the processes.
fn build(is_quick: bool) -> Result<PathBuf> {
    // The profile of the tests, which have built most of the dependencies.
    let (profile, folder) = if is_quick { ("test", "debug") } else { ("release", "release") };
    let build = ["build", "--quiet", "--locked", "--package", "sortid-fleet-proof", "--profile", profile];
    shell::run(&mut cargo(&build))?;
    Ok(target()?.join(folder).join("sortid-fleet-proof"))
}

#[cfg(unix)]
fn measure(
    stores: &[StoreKind],
    program: &Path,
    is_quick: bool,
) -> Result<Vec<(StoreKind, serde_json::Value)>> {
    let measure = |&store: &StoreKind| {
        let store_of_it = stores::Store::start(store, &target()?)?;
        let mut command = Command::new(program);
        command.args(["measure", "--nodes", &store_of_it.url()]).args(is_quick.then_some("--quick"));
        Ok((store, serde_json::from_str(&stdout_of(&mut command)?)?))
    };
    stores.iter().map(measure).collect()
}
