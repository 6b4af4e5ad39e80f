//! The package for JavaScript and the inspector: builds both into `target/web/`, and tests them in Node.js and Chromium.

use crate::{
    shell::{self, DENY_WARNINGS, Result, cargo, fails_with, root, sorted},
    tools,
};
use std::{
    fs,
    path::Path,
    process::{Command, Stdio},
};

const WASM_TARGET: &str = "wasm32-unknown-unknown";

/// The modules, with the features that each has: one for each entry of the package, and one with all for the inspector.
const MODULES: [(&str, &str); 4] =
    [("ids", "ids"), ("ledger", "ledger"), ("inspect", "inspect"), ("all", "ids,ledger,inspect")];

/// Builds into its own target directory, even if `CARGO_TARGET_DIR` is set.
const TARGET_DIR: [&str; 2] = ["--target-dir", "bindings/web/target"];

const OURS: [&str; 3] = ["--locked", "--manifest-path", "bindings/web/Cargo.toml"];

/// Without the places of panics and their messages, a module is a sixth smaller. A page shows neither.
const SMALL: &str = "-Zunstable-options -Cpanic=immediate-abort -Zlocation-detail=none";

#[derive(Clone, Copy, Default, clap::Args)]
#[group(multiple = false)]
pub(crate) struct Options {
    /// Build the package and the inspector, without their tests
    #[arg(long)]
    build: bool,
    /// Show the inspector in the browser instead of testing
    #[arg(long)]
    open: bool,
    /// Measure the package beside those of npm instead of testing
    #[arg(long)]
    bench: bool,
}

impl Options {
    pub(crate) fn build() -> Self {
        Self { build: true, ..Self::default() }
    }
}

pub(crate) fn run(options: Options) -> Result {
    eprintln!(
        "The first build for WebAssembly, and of the program that makes the JavaScript, takes a few minutes."
    );
    let is_tested = !(options.build || options.open || options.bench);
    tools::install(if is_tested { tools::WEB_TESTS } else { tools::WEB })?;
    build()?;
    if options.bench {
        return shell::run(node().arg("tests/package/bench.mjs"));
    }
    if options.open {
        open(&root().join("target/web/inspector/index.html"));
        return Ok(());
    }
    if !is_tested {
        return Ok(());
    }
    lints()?;
    counter_check()?;
    tests()
}

fn build() -> Result {
    shell::run(cargo(&["build"]).args(OURS).args(["--package", "sortid-glue"]).args(TARGET_DIR))?;
    let built = root().join(TARGET_DIR[1]);
    let module = built.join(WASM_TARGET).join("release/sortid_wasm.wasm");
    for (name, features) in MODULES {
        let mut build = cargo_for_wasm("build");
        shell::run(build.args(OURS).args(["--release", "--package", "sortid-wasm", "--features", features]))?;
        let folder = root().join("target/web/glue").join(name);
        shell::run(Command::new(built.join("debug/sortid-glue")).arg(&module).arg(folder))?;
    }
    install_packages()?;
    shell::run(node().arg("build.mjs"))
}

/// Installs the packages of npm, unless those of the lock file are there.
fn install_packages() -> Result {
    let changed = |path: &str| fs::metadata(root().join("bindings/web").join(path)).ok()?.modified().ok();
    if changed("node_modules/.package-lock.json") >= changed("package-lock.json") {
        return Ok(());
    }
    shell::run(Command::new("npm").arg("ci").current_dir(root().join("bindings/web")))
}

fn node() -> Command {
    let mut node = Command::new("node");
    node.current_dir(root().join("bindings/web"));
    node
}

/// The tests of the package, and those of the inspector. Two files at once: much of a test is waiting for the browser.
fn tests() -> Result {
    for folder in ["tests/package", "tests/inspector"] {
        let files = sorted(&root().join("bindings/web").join(folder), ".test.mjs")?;
        shell::run(node().args(["--test", "--test-concurrency=2"]).args(files))?;
    }
    Ok(())
}

fn open(page: &Path) {
    let program = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    let page = page.display().to_string();
    match Command::new(program).arg(&page).stderr(Stdio::null()).status() {
        Ok(status) if status.success() => println!("{page}"),
        _ => println!("No browser opened. Open this file, or copy it to a machine with a browser: {page}"),
    }
}

/// A command of cargo for the target, with a standard library that is built from its sources as small as possible. Stable
/// compilers build it, too, if they are told that they may.
fn cargo_for_wasm(command: &str) -> Command {
    let mut cargo = cargo(&[command, "--target", WASM_TARGET, "-Zbuild-std=std,panic_abort"]);
    cargo.arg("-Zbuild-std-features=optimize_for_size").env("RUSTC_BOOTSTRAP", "1").env("RUSTFLAGS", SMALL);
    cargo.args(TARGET_DIR);
    cargo
}

/// Lints the code that only this target has.
fn lints() -> Result {
    let core = ["--locked", "--manifest-path", "crates/sortid-core/Cargo.toml", "--features", "js"];
    shell::run(cargo_for_wasm("clippy").args(core).args(DENY_WARNINGS))?;
    for (_, features) in MODULES {
        let mut clippy = cargo_for_wasm("clippy");
        clippy.args(OURS).args(["--package", "sortid-wasm", "--features", features]);
        shell::run(clippy.args(DENY_WARNINGS))?;
    }
    shell::run(cargo(&["fmt", "--all", "--check", "--manifest-path", OURS[2]]).arg("--quiet"))
}

/// Without the feature `js`, the compiler has to say what is missing.
fn counter_check() -> Result {
    let mut command = cargo_for_wasm("check");
    command.args(["--quiet", "--locked", "--manifest-path", "crates/sortid-core/Cargo.toml"]);
    let errors = fails_with("turn on the feature `js`", &mut command)?;
    // The second error is cargo's.
    match errors.lines().filter(|line| line.starts_with("error")).count() {
        2 => Ok(()),
        _ => Err(format!("the compiler says more than to turn on the feature `js`:\n{errors}").into()),
    }
}
