//! Environments of Python in the target folder: with the databases that come as packages of Python, and with the tools of
//! proofs.

use crate::{
    shell::{self, Result, program, root, stdout_of},
    workspace::target,
};
use sortid_sql::Database;
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// The name of a package, and its version.
type Package = (&'static str, &'static str);

const DUCKDB: Package = ("duckdb", "2.0.0");

/// The package of a database.
const fn package(database: Database) -> Option<Package> {
    match database {
        Database::Duckdb => Some(DUCKDB),
        Database::Clickhouse => Some(("chdb", "4.4.0")),
        _ => None,
    }
}

/// A Python that has the packages of these databases. That of the system if they need none.
pub(crate) fn with_databases(databases: &[Database]) -> Result<PathBuf> {
    let packages: Vec<_> = databases.iter().filter_map(|database| package(*database)).collect();
    if packages.is_empty() { system() } else { with("python", &packages) }
}

/// A Python that has the packages of `prove/requirements.txt`.
pub(crate) fn for_proofs() -> Result<PathBuf> {
    let requirements = fs::read_to_string(root().join("prove/requirements.txt"))?;
    let packages: Vec<_> = requirements.lines().filter_map(|line| line.split_once("==")).collect();
    with("prove/python", &packages)
}

fn system() -> Result<PathBuf> {
    Ok(program("python3").ok_or("python3 is not installed")?)
}

/// A Python in this folder of the target folder.
fn with(folder: &str, packages: &[(&str, &str)]) -> Result<PathBuf> {
    let folder = target()?.join(folder);
    let python = folder.join("bin/python");
    if !python.is_file() {
        shell::run(Command::new(system()?).args(["-m", "venv"]).arg(&folder))?;
    }
    let missing: Vec<_> = packages
        .iter()
        .filter(|(name, version)| !has(&python, name, version))
        .map(|(name, version)| format!("{name}=={version}"))
        .collect();
    if !missing.is_empty() {
        let mut install = Command::new(&python);
        install.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]).args(&missing);
        shell::run(&mut install).map_err(|error| {
            let names = missing.join(" ");
            format!("{error}. The packages {names} come from PyPI: connect to the network, or install them into {}", folder.display())
        })?;
    }
    Ok(python)
}

fn has(python: &Path, name: &str, version: &str) -> bool {
    let found = format!("import importlib.metadata as m; print(m.version('{name}'))");
    stdout_of(Command::new(python).args(["-c", &found])).is_ok_and(|found| found.trim() == version)
}
