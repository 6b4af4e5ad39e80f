//! What `cargo xtask fleet` does.

use super::{Options, StoreKind, chaos, report, stores::Store};
use crate::{
    figures::performance,
    shell::{self, Result, cargo, stdout_of},
    tools,
    workspace::{program_of_tests, target},
};
use std::{
    fs,
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
    let earlier = options.beside.as_deref().map(build_of).transpose()?;
    let name = if options.measure { "fleet-cost" } else { "fleet" };
    let record = if options.measure {
        report::cost(&measure(&stores, &program, options.quick)?)?
    } else {
        let now = || SystemTime::UNIX_EPOCH.elapsed().map_or(0, |since| since.as_secs());
        let seed = options.seed.unwrap_or_else(now);
        let outcomes = stores
            .into_iter()
            .map(|store| chaos::run(store, seed, options, &program, earlier.as_deref()))
            .collect::<Result<Vec<_>>>()?;
        let record = report::proof(&outcomes, seed)?;
        let problems: Vec<_> = outcomes.iter().flat_map(report::problems).collect();
        if !problems.is_empty() {
            return Err(format!("{record}\nThe proof failed:\n{}", problems.join("\n")).into());
        }
        record
    };
    println!("{record}");
    if !options.write {
        return Ok(());
    }
    record.write(name)?;
    performance::write()
}

/// The program of the processes.
const NAME: &str = "sortid-fleet-proof";

const BUILD: [&str; 6] = ["build", "--quiet", "--locked", "--release", "--bin", NAME];

/// Builds the program of the processes.
fn build(is_quick: bool) -> Result<PathBuf> {
    if is_quick {
        return program_of_tests(NAME);
    }
    shell::run(cargo(&BUILD).args(["--package", "sortid-chaos"]))?;
    Ok(target()?.join("release").join(NAME))
}

/// Builds the program of an earlier revision, in a folder of its own.
fn build_of(revision: &str) -> Result<PathBuf> {
    let folder = target()?.join("beside").join(revision);
    if !folder.exists() {
        let part = folder.with_extension("part");
        fs::create_dir_all(&part)?;
        let archive = part.join("archive.tar");
        let mut git = Command::new("git");
        git.current_dir(shell::root()).args(["archive", "--output"]).arg(&archive).arg(revision);
        shell::run(&mut git)?;
        shell::run(Command::new("tar").current_dir(&part).args(["--extract", "--file"]).arg(&archive))?;
        fs::remove_file(archive)?;
        fs::rename(part, &folder)?;
    }
    shell::run(cargo(&BUILD).current_dir(folder.join("internal/proof")))?;
    Ok(folder.join("target/release").join(NAME))
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
