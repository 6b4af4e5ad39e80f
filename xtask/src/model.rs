//! The loom model of the state that threads share.

use crate::{
    once,
    shell::{self, Result, cargo},
    workspace,
};
use std::process::Command;

/// Runs the model in every interleaving.
pub(crate) fn run() -> Result {
    shell::run(test()?.args(MODELS))
}

/// The same, unless the model has not changed since it passed, for `cargo xtask ci`.
pub(crate) fn check() -> Result {
    let mut test = test()?;
    once::through_here(&mut test)?;
    shell::run(test.args(MODELS))
}

const MODELS: [&str; 3] = ["model::", "--", "--nocapture"];

/// `--cfg loom` changes other crates too, so they are built into a folder of their own.
fn test() -> Result<Command> {
    let mut test = cargo(&["test", "--locked", "--package", "sortid-core", "--lib", "--target-dir"]);
    test.arg(workspace::target()?.join("loom")).env("RUSTFLAGS", "--cfg loom");
    // Millions of interleavings: they take longer to run than to build.
    test.env("CARGO_PROFILE_TEST_OPT_LEVEL", "3");
    Ok(test)
}
