//! `cargo xtask engines`: the workspace `engines/datafusion`.

use crate::{
    figures::{markdown, performance},
    shell::{self, Result, cargo, root, stdout_of},
    sql, tools,
    workspace::target,
};
use clap::Parser;
use std::process::Command;

const MANIFEST: [&str; 2] = ["--manifest-path", "engines/datafusion/Cargo.toml"];

/// Builds into its own target directory, even if `CARGO_TARGET_DIR` is set: The commands in README use this directory,
/// too.
const TARGET_DIR: [&str; 2] = ["--target-dir", "engines/datafusion/target"];

/// The records of what is measured, in the order of the tables that are printed.
const RECORDS: [&str; 4] = ["engines-kernels", "engines-sql", "engines-ledger", "engines-ledgers"];

#[derive(Parser)]
pub(crate) struct Options {
    /// Measure beside the peers, and test nothing. The first release build takes half an hour
    #[arg(long)]
    measure: bool,
    /// Write the records, and docs/performance.md
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
    let mut test = cargo(&["test", "--quiet", "--locked", "--workspace", "--all-targets"]);
    // Clippy as the compiler of this workspace's packages. `cargo clippy` would compile all dependencies a second time.
    let clippy =
        [("RUSTC_WORKSPACE_WRAPPER", "clippy-driver"), ("CLIPPY_ARGS", "-Dwarnings__CLIPPY_HACKERY__")];
    shell::run(test.args(MANIFEST).args(TARGET_DIR).envs(clippy))?;
    let mut doc_test = cargo(&["test", "--quiet", "--locked", "--workspace", "--doc"]);
    shell::run(doc_test.args(MANIFEST).args(TARGET_DIR).envs(clippy))
}

fn measure(is_written: bool) -> Result {
    let python = sql::python_with_duckdb()?;
    shell::run(&mut cargo(&["build", "--quiet", "--release", "--locked", "--package", "sortid-cli"]))?;
    let program = target()?.join("release/sortid");
    let build = ["build", "--quiet", "--release", "--locked", "--workspace", "--bins", "--examples"];
    shell::run(cargo(&build).args(MANIFEST).args(TARGET_DIR))?;
    let built = root().join("engines/datafusion/target/release");
    let mut measure = Command::new(built.join("examples/measure"));
    measure
        .env("SORTID", program)
        .env("SORTID_PYTHON", python)
        .env("SORTID_ENGINE", built.join("sortid-engine"));
    let text = stdout_of(&mut measure)?;
    println!("{text}");
    if !is_written {
        return Ok(());
    }
    for (record, name) in markdown::records(&text)?.iter().zip(RECORDS) {
        record.write(name)?;
    }
    performance::write()
}
