//! The `no_std` check, and the check of the check.

use crate::shell::{self, Result, cargo, root, shown};
use std::process::Command;

/// Its own target directory, also where `CARGO_TARGET_DIR` names another.
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

/// The same program, but with a spec crate that pulls std in, has to fail, and for that reason.
fn counter_check() -> Result {
    let mut command = cargo(&BUILD);
    command.args(["--features", "std"]);
    eprintln!("$ {}   (has to fail)", shown(&command));
    let output = command.output()?;
    let stderr = String::from_utf8_lossy(&output.stderr);
    if output.status.success() || !stderr.contains("found duplicate lang item `panic_impl`") {
        return Err(format!("the no_std check does not notice std:\n{stderr}").into());
    }
    Ok(())
}
