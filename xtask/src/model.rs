//! The loom model of the state that threads share.

use crate::{
    shell::{self, Result, cargo},
    workspace,
};

/// Runs the model in every interleaving. `--cfg loom` changes other crates too, so they are built into a folder of their
/// own.
pub(crate) fn run() -> Result {
    let mut test = cargo(&["test", "--locked", "--package", "sortid-core", "--lib", "--target-dir"]);
    test.arg(workspace::target()?.join("loom")).args(["model::", "--", "--nocapture"]);
    shell::run(test.env("RUSTFLAGS", "--cfg loom"))
}
