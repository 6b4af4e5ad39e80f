//! Measures the kernels, the functions in SQL and the verification of ledgers, and prints what docs/performance.md quotes.
//! `cargo xtask engines --measure` runs it.

mod kernels;
mod ledgers;
mod process;
mod queries;

use std::error::Error;

type Result<T = ()> = std::result::Result<T, Box<dyn Error>>;

fn main() -> Result {
    let folder = tempfile::tempdir()?;
    println!("{}", kernels::table());
    println!("{}", queries::table(folder.path())?);
    println!("{}", ledgers::tables(folder.path())?);
    Ok(())
}

/// What a program that ran printed.
fn output(command: &mut std::process::Command) -> Result<String> {
    let output = command.output()?;
    if !output.status.success() {
        return Err(format!("{command:?}: {}", String::from_utf8_lossy(&output.stderr)).into());
    }
    Ok(String::from_utf8(output.stdout)?)
}

/// A path that `cargo xtask engines --measure` passes.
fn path(name: &str) -> Result<std::path::PathBuf> {
    Ok(std::env::var_os(name)
        .ok_or_else(|| format!("{name} is not set: run cargo xtask engines --measure"))?
        .into())
}
