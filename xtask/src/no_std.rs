//! Checks that the spec crates work without `std`, and that the check would notice `std`.

use crate::shell::{self, Result, cargo, root, shown};
use std::process::Command;

/// Builds into its own target directory, even if `CARGO_TARGET_DIR` is set.
const BUILD: [&str; 6] = [
    "build",
    "--locked",
    "--manifest-path",
    "xtask/no-std/Cargo.toml",
    "--target-dir",
    "xtask/no-std/target",
];

pub(crate) fn run() -> Result {
    check()?;
    counter_check()
}

fn check() -> Result {
    shell::run(&mut cargo(&BUILD))?;
    shell::run(&mut Command::new(root().join("xtask/no-std/target/debug/no-std-check")))
}

/// With a spec crate that uses `std` the program must not build, because it then has two panic handlers.
fn counter_check() -> Result {
    let mut command = cargo(&BUILD);
    command.args(["--features", "std"]);
    eprintln!("$ {}   (must fail)", shown(&command));
    let output = command.output()?;
    let stderr = String::from_utf8_lossy(&output.stderr);
    if output.status.success() || !stderr.contains("found duplicate lang item `panic_impl`") {
        return Err(format!("the no_std check did not notice std:\n{stderr}").into());
    }
    Ok(())
}
