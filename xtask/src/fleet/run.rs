//! What `cargo xtask fleet` does.

use super::{Options, StoreKind, chaos, report, stores::Store};
use crate::{
    figures::page::Page,
    shell::{self, Result, cargo, stdout_of},
    tools,
    workspace::{program_of_tests, target},
};
use std::{
    path::{Path, PathBuf},
    process::Command,
    time::SystemTime,
};

pub(crate) fn run(options: &Options) -> Result {
    tools::install(match options.store {
        Some(StoreKind::Dir) => tools::FLEET_IN_A_DIRECTORY,
        _ => tools::FLEET,
    })?;
    let stores = options.store.map_or(StoreKind::ALL.to_vec(), |store| vec![store]);
    let program = build(options.quick)?;
    let name = if options.measure { "cost" } else { "proof" };
    let text = if options.measure {
        report::cost(&measure(&stores, &program, options.quick)?)?
    } else {
        let now = || SystemTime::UNIX_EPOCH.elapsed().map_or(0, |since| since.as_secs());
        let seed = options.seed.unwrap_or_else(now);
        let outcomes = stores
            .into_iter()
            .map(|store| chaos::run(store, seed, options, &program))
            .collect::<Result<Vec<_>>>()?;
        let text = report::proof(&outcomes, seed)?;
        let problems: Vec<_> = outcomes.iter().flat_map(report::problems).collect();
        if !problems.is_empty() {
            return Err(format!("{text}\nThe proof failed:\n{}", problems.join("\n")).into());
        }
        text
    };
    println!("{text}");
    if options.write {
        let mut page = Page::read("fleet.md")?;
        page.replace(name, &text)?;
        page.write()?;
    }
    Ok(())
}

/// Builds the program of the processes.
fn build(is_quick: bool) -> Result<PathBuf> {
    const NAME: &str = "sortid-fleet-proof";
    if is_quick {
        return program_of_tests(NAME);
    }
    let build = ["build", "--quiet", "--locked", "--release", "--package", "sortid-proof", "--bin", NAME];
    shell::run(&mut cargo(&build))?;
    Ok(target()?.join("release").join(NAME))
}

fn measure(
    stores: &[StoreKind],
    program: &Path,
    is_quick: bool,
) -> Result<Vec<(StoreKind, serde_json::Value)>> {
    let measure = |&store: &StoreKind| {
        let place = Store::start(store, &target()?)?;
        let mut command = Command::new(program);
        command.args(["measure", "--nodes", &place.url()]).args(is_quick.then_some("--quick"));
        Ok((store, serde_json::from_str(&stdout_of(&mut command)?)?))
    };
    stores.iter().map(measure).collect()
}
