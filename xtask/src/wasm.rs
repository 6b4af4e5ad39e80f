//! Builds the crates for WebAssembly with the feature `js`, and runs them in Node.js.

use crate::{
    shell::{self, Result, cargo, root, shown},
    tools,
};
use std::process::Command;

/// Builds into its own target directory, even if `CARGO_TARGET_DIR` is set.
const TARGET_DIR: [&str; 2] = ["--target-dir", "xtask/wasm/target"];

pub(crate) fn run() -> Result {
    eprintln!(
        "The first build for WebAssembly, and of the program that makes the JavaScript, takes a few minutes."
    );
    tools::install(tools::WASM)?;
    lints()?;
    counter_check()?;
    let ours = ["--locked", "--manifest-path", "xtask/wasm/Cargo.toml"];
    shell::run(cargo_for_wasm("build").args(ours).args(["--package", "wasm-check"]))?;
    shell::run(cargo(&["build"]).args(ours).args(["--package", "wasm-glue"]).args(TARGET_DIR))?;
    let built = root().join("xtask/wasm/target");
    let module = built.join(tools::WASM_TARGET).join("debug/wasm_check.wasm");
    shell::run(Command::new(built.join("debug/wasm-glue")).arg(module).arg(built.join("glue")))?;
    shell::run(Command::new("node").arg("xtask/wasm/check.mjs").current_dir(root()))
}

/// A command of cargo for the target: with the toolchain in use if it has the target, else with that of Debian, which has
/// only the sources of the standard library.
fn cargo_for_wasm(command: &str) -> Command {
    let target = [command, "--target", tools::WASM_TARGET];
    let mut cargo = if tools::has_wasm_target() {
        cargo(&target)
    } else {
        let mut cargo = Command::new("/usr/bin/cargo");
        cargo.current_dir(root()).args(target).arg("-Zbuild-std=std,panic_abort");
        cargo.env("RUSTC", "/usr/bin/rustc").env("RUSTC_BOOTSTRAP", "1");
        cargo.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", "wasm-ld-19");
        cargo
    };
    cargo.args(TARGET_DIR);
    cargo
}

/// Lints the code that only this target has. Debian's toolchain has no clippy for it.
fn lints() -> Result {
    if !tools::has_wasm_target() {
        return Ok(());
    }
    let core = ["--locked", "--manifest-path", "crates/sortid-core/Cargo.toml", "--features", "js"];
    shell::run(cargo_for_wasm("clippy").args(core).args(["--", "--deny", "warnings"]))
}

/// Without the feature `js`, the compiler has to say what is missing.
fn counter_check() -> Result {
    let mut command = cargo_for_wasm("check");
    command.args(["--quiet", "--locked", "--manifest-path", "crates/sortid-core/Cargo.toml"]);
    eprintln!("$ {}   (must fail)", shown(&command));
    let output = command.output()?;
    let stderr = String::from_utf8_lossy(&output.stderr);
    let errors = stderr.lines().filter(|line| line.starts_with("error")).count();
    // The second is cargo's.
    if output.status.success() || errors != 2 || !stderr.contains("turn on the feature `js`") {
        return Err(format!("the compiler does not tell to turn on the feature `js`:\n{stderr}").into());
    }
    Ok(())
}
