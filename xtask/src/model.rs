//! The loom model of the state that threads share.

use crate::{
    shell::{self, Result, cargo},
    workspace::target,
};

/// Runs the model in every interleaving. `--cfg loom` changes other crates too, so they are built into a folder of their
/// own.
pub(crate) fn run() -> Result {
    let mut test = cargo(&["test", "--locked", "--package", "sortid-core", "--lib", "--target-dir"]);
    test.arg(target()?.join("loom")).env("RUSTFLAGS", "--cfg loom");
    // Millions of interleavings: they take longer to run than to build.
    test.env("CARGO_PROFILE_TEST_OPT_LEVEL", "3");
    shell::run(test.args(["model::", "--", "--nocapture"]))
}
