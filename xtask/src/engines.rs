//! `cargo xtask engines`: the workspace `engines/datafusion`.

use crate::{
    figures::markdown,
    python,
    shell::{self, Result, cargo, root, stdout_of},
    tools,
    workspace::target,
};
use sortid_sql::Database;
use std::process::Command;

const MANIFEST: [&str; 2] = ["--manifest-path", "engines/datafusion/Cargo.toml"];

/// Builds into its own target directory, even if `CARGO_TARGET_DIR` is set: The commands in README use this directory,
/// too.
const TARGET_DIR: [&str; 2] = ["--target-dir", "engines/datafusion/target"];

/// The records of what is measured, in the order of the tables that are printed.
const RECORDS: [&str; 4] = ["engines-kernels", "engines-sql", "engines-ledger", "engines-ledgers"];

#[derive(clap::Args)]
pub(crate) struct Options {
    /// Measure beside the peers, and test nothing. The first release build takes half an hour
    #[arg(long)]
    measure: bool,
    /// Write the records
    #[arg(long, requires = "measure")]
    write: bool,
}

pub(crate) fn run(options: &Options) -> Result {
    if options.measure { measure(options.write) } else { check() }
}

/// Formats, lints, builds and tests.
pub(crate) fn check() -> Result {
    eprintln!("The first build of DataFusion and Ballista takes about five minutes.");
    tools::install(tools::LINTS)?;
    shell::run(cargo(&["fmt", "--all", "--check"]).args(MANIFEST))?;
    // Clippy as the compiler of this workspace's packages. `cargo clippy` would compile all dependencies a second time.
    let clippy =
        [("RUSTC_WORKSPACE_WRAPPER", "clippy-driver"), ("CLIPPY_ARGS", "-Dwarnings__CLIPPY_HACKERY__")];
    for targets in ["--all-targets", "--doc"] {
        let mut test = cargo(&["test", "--quiet", "--locked", "--workspace", targets]);
        shell::run(test.args(MANIFEST).args(TARGET_DIR).envs(clippy))?;
    }
    Ok(())
}

fn measure(is_written: bool) -> Result {
    tools::install(tools::SQL_WITHOUT_SERVERS)?;
    let python = python::with_databases(&[Database::Duckdb])?;
    shell::run(&mut cargo(&["build", "--quiet", "--release", "--locked", "--package", "sortid-cli"]))?;
    let build = ["build", "--quiet", "--release", "--locked", "--workspace", "--bins", "--examples"];
    shell::run(cargo(&build).args(MANIFEST).args(TARGET_DIR))?;
    let built = root().join("engines/datafusion/target/release");
    let mut measure = Command::new(built.join("examples/measure"));
    measure.env("SORTID", target()?.join("release/sortid")).env("SORTID_PYTHON", python);
    let text = stdout_of(measure.env("SORTID_ENGINE", built.join("sortid-engine")))?;
    println!("{text}");
    let records = markdown::records(&text)?;
    records.iter().zip(RECORDS).filter(|_| is_written).try_for_each(|(record, name)| record.write(name))
}
