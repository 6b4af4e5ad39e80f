//! Checks that the spec crates work without `std`, and that the check would notice `std`.

use crate::shell::{self, Result, cargo, fails_with, root};
use std::process::Command;

/// Builds into its own target directory, even if `CARGO_TARGET_DIR` is set.
pub(crate) fn run() -> Result {
    let build = || {
        let mut build = cargo(&["build", "--locked", "--manifest-path", "lab/no-std/Cargo.toml"]);
        build.args(["--target-dir", "lab/no-std/target"]);
        build
    };
    shell::run(&mut build())?;
    shell::run(&mut Command::new(root().join("lab/no-std/target/debug/no-std-check")))?;
    // With a spec crate that uses `std` the program must not build, because it then has two panic handlers.
    fails_with("found duplicate lang item `panic_impl`", build().args(["--features", "std"])).map(drop)
}
