//! The package for JavaScript and the inspector: builds both into `target/web/`, and tests them in Node.js and Chromium.

use crate::{
    shell::{self, Result, cargo, root, shown},
    tools::{self, WasmStd},
};
use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

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

pub(crate) fn check() -> Result {
    run(Options::default())
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
    if is_tested {
        lints()?;
        counter_check()?;
        tests()?;
    }
    Ok(())
}

fn build() -> Result {
    shell::run(cargo(&["build"]).args(OURS).args(["--package", "sortid-glue"]).args(TARGET_DIR))?;
    let built = root().join(TARGET_DIR[1]);
    let module = built.join(tools::WASM_TARGET).join("release/sortid_wasm.wasm");
    for (name, features) in MODULES {
        let mut build = cargo_for_wasm("build", tools::wasm_std());
        shell::run(build.args(OURS).args(["--release", "--package", "sortid-wasm", "--features", features]))?;
        let folder = root().join("target/web/glue").join(name);
        shell::run(Command::new(built.join("debug/sortid-glue")).arg(&module).arg(folder))?;
    }
    install_packages()?;
    let mut build = node();
    if tools::wasm_std() == WasmStd::Ready {
        eprintln!("The ready-made standard library makes the modules larger than in a release.");
        build.env("SORTID_ANY_SIZE", "1");
    }
    shell::run(build.arg("build.mjs"))
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

/// The tests of the package, and those of the inspector.
fn tests() -> Result {
    for folder in ["tests/package", "tests/inspector"] {
        let mut files: Vec<PathBuf> = fs::read_dir(root().join("bindings/web").join(folder))
            .into_iter()
            .flatten()
            .filter_map(|file| Some(file.ok()?.path()))
            .filter(|path| path.to_string_lossy().ends_with(".test.mjs"))
            .collect();
        files.sort();
        if !files.is_empty() {
            // Two files at once: much of a test is waiting for the browser.
            shell::run(node().args(["--test", "--test-concurrency=2"]).args(files))?;
        }
    }
    Ok(())
}

fn open(page: &Path) {
    let program = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    let opened = shell::program(program)
        .and_then(|program| Command::new(program).arg(page).stderr(Stdio::null()).status().ok())
        .is_some_and(|status| status.success());
    let page = page.display();
    if opened {
        println!("{page}");
    } else {
        println!("No browser opened. Open this file, or copy it to a machine with a browser: {page}");
    }
}

/// A command of cargo for the target.
fn cargo_for_wasm(command: &str, std: WasmStd) -> Command {
    let mut target = vec![command, "--target", tools::WASM_TARGET];
    if std != WasmStd::Ready {
        target.extend(["-Zbuild-std=std,panic_abort", "-Zbuild-std-features=optimize_for_size"]);
    }
    let mut cargo = match std {
        WasmStd::Debian => {
            let mut cargo = Command::new("/usr/bin/cargo");
            cargo.current_dir(root()).args(target).env("RUSTC", "/usr/bin/rustc");
            cargo.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", "wasm-ld-19");
            cargo
        }
        WasmStd::Sources | WasmStd::Ready => cargo(&target),
    };
    if std != WasmStd::Ready {
        // Stable compilers build the standard library, too, if they are told that they may.
        cargo.env("RUSTC_BOOTSTRAP", "1").env("RUSTFLAGS", SMALL);
    }
    cargo.args(TARGET_DIR);
    cargo
}

/// Lints the code that only this target has. Debian's toolchain has no clippy for it.
fn lints() -> Result {
    if !tools::has_wasm_target() {
        return Ok(());
    }
    let core = ["--locked", "--manifest-path", "crates/sortid-core/Cargo.toml", "--features", "js"];
    let deny = ["--", "--deny", "warnings"];
    shell::run(cargo_for_wasm("clippy", WasmStd::Ready).args(core).args(deny))?;
    for (_, features) in MODULES {
        let mut clippy = cargo_for_wasm("clippy", WasmStd::Ready);
        shell::run(clippy.args(OURS).args(["--package", "sortid-wasm", "--features", features]).args(deny))?;
    }
    shell::run(cargo(&["fmt", "--all", "--check", "--manifest-path", OURS[2]]).arg("--quiet"))
}

/// Without the feature `js`, the compiler has to say what is missing.
fn counter_check() -> Result {
    let std = if tools::has_wasm_target() { WasmStd::Ready } else { tools::wasm_std() };
    let mut command = cargo_for_wasm("check", std);
    command.args(["--quiet", "--locked", "--manifest-path", "crates/sortid-core/Cargo.toml"]);
    eprintln!("$ {}   (must fail)", shown(&command));
    let output = command.output()?;
    let stderr = String::from_utf8_lossy(&output.stderr);
    let errors = stderr.lines().filter(|line| line.starts_with("error")).count();
    // The second error is cargo's.
    if output.status.success() || errors != 2 || !stderr.contains("turn on the feature `js`") {
        return Err(format!("the compiler does not tell to turn on the feature `js`:\n{stderr}").into());
    }
    Ok(())
}
