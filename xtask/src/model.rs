//! The loom model of the state that threads share.

use crate::{
    once,
    shell::{self, Result, cargo},
    workspace,
};

/// Runs the model in every interleaving. `--cfg loom` changes other crates too, so they are built into a folder of their
/// own.
pub(crate) fn run() -> Result {
    let mut test = cargo(&["test", "--locked", "--package", "sortid-core", "--lib", "--target-dir"]);
    test.arg(workspace::target()?.join("loom")).env("RUSTFLAGS", "--cfg loom");
    once::through_here(&mut test)?;
    shell::run(test.args(["model::", "--", "--nocapture"]))
}
