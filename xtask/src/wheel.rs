//! The package for Python: builds its wheel into `target/wheels/`, and tests it with each Python that is there.

use crate::{
    databases,
    shell::{self, Result, cargo, program, root, stdout_of},
    tools,
    workspace::target,
};
use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

const FOLDER: &str = "bindings/python";

/// The most bytes of a wheel.
const LARGEST: u64 = 3_000_000;

/// The minor version of the Python 3 that checks the types.
const TYPED: u32 = 13;

/// The minor version of the first Python 3 that the wheel supports.
const FIRST: u32 = 11;

const BUILD: &str = "maturin>=1.16,<2";

#[derive(Clone, Copy, clap::Args)]
pub(crate) struct Options {
    /// Measure the package beside others instead of testing
    #[arg(long)]
    bench: bool,

    /// Build the wheel, and test nothing
    #[arg(long, conflicts_with = "bench")]
    build: bool,
}

pub(crate) fn check() -> Result {
    run(Options { bench: false, build: false })
}

pub(crate) fn run(options: Options) -> Result {
    tools::install(tools::WHEEL)?;
    let pythons = pythons()?;
    let versions: Vec<_> = pythons.keys().map(|minor| format!("3.{minor}")).collect();
    eprintln!("CPython {}. The first build of the wheel takes five minutes.", versions.join(", "));
    let newest =
        pythons.last_key_value().ok_or("expected CPython 3.11 or later, found none: install python3")?.1;
    if options.build {
        return build(newest).map(drop);
    }
    lints()?;
    let wheel = build(newest)?;
    if options.bench {
        let python = environment(newest, &wheel, "bench")?;
        for bench in sorted(&root().join(FOLDER).join("benches"), "py")? {
            shell::run(Command::new(&python).arg(bench))?;
        }
        return Ok(());
    }
    databases::with_all(|addresses| {
        for (minor, python) in &pythons {
            let python = environment(python, &wheel, &format!("3.{minor}"))?;
            let mut pytest = python_in(&python);
            shell::run(pytest.args(["-m", "pytest", "--quiet"]).envs(addresses.iter().copied()))?;
        }
        Ok(())
    })?;
    if pythons.contains_key(&TYPED) {
        return types(&environment(&pythons[&TYPED], &wheel, "types")?);
    }
    eprintln!("left out: the checks of types, which need Python 3.{TYPED}");
    Ok(())
}

/// Each Python that the wheel supports, by its minor version: those on the search path, and those of pyenv.
fn pythons() -> Result<BTreeMap<u32, PathBuf>> {
    let home = std::env::var_os("HOME").map(PathBuf::from).unwrap_or_default();
    let pyenv = fs::read_dir(home.join(".pyenv/versions")).into_iter().flatten().flatten();
    let mut candidates: Vec<_> = pyenv.map(|version| version.path().join("bin/python3")).collect();
    candidates.extend(program("python3"));
    candidates.extend((FIRST..FIRST + 10).filter_map(|minor| program(&format!("python3.{minor}"))));
    let minor = |python: &PathBuf| -> Option<u32> {
        let print = "import sys; print(sys.version_info[1] if sys.implementation.name == 'cpython' else 0)";
        stdout_of(Command::new(python).args(["-c", print])).ok()?.trim().parse().ok()
    };
    let found = candidates.into_iter().filter_map(|python| Some((minor(&python)?, python)));
    Ok(found.filter(|(minor, _)| *minor >= FIRST).collect())
}

fn lints() -> Result {
    let manifest = format!("{FOLDER}/Cargo.toml");
    shell::run(cargo(&["fmt", "--all", "--check", "--manifest-path", &manifest]).arg("--quiet"))?;
    shell::run(&mut cargo(&[
        "clippy",
        "--quiet",
        "--locked",
        "--manifest-path",
        &manifest,
        "--",
        "--deny",
        "warnings",
    ]))
}

/// Builds the wheel, which all versions of Python share.
fn build(python: &Path) -> Result<PathBuf> {
    let tools = fresh(python, "build")?;
    pip(&tools, &[BUILD])?;
    let wheels = target()?.join("wheels");
    if wheels.is_dir() {
        fs::remove_dir_all(&wheels)?;
    }
    let mut maturin = python_in(&tools);
    maturin
        .args(["-m", "maturin", "build", "--release", "--locked", "--compression-level", "9", "--out"])
        .arg(&wheels);
    shell::run(&mut maturin)?;
    let wheel = sorted(&wheels, "whl")?.pop().ok_or("maturin wrote no wheel")?;
    let size = fs::metadata(&wheel)?.len();
    eprintln!("{}: {size} bytes", wheel.display());
    if size > LARGEST {
        return Err(format!("expected a wheel of at most {LARGEST} bytes, found {size}").into());
    }
    Ok(wheel)
}

/// A new environment with the wheel, and with what the tests need.
fn environment(python: &Path, wheel: &Path, name: &str) -> Result<PathBuf> {
    let python = fresh(python, name)?;
    let wheel = wheel.to_str().ok_or("expected a path in UTF-8")?;
    pip(&python, &[wheel, "--requirement", "requirements-test.txt"])?;
    Ok(python)
}

/// A new environment of Python in the target folder.
fn fresh(python: &Path, name: &str) -> Result<PathBuf> {
    let folder = target()?.join("python-package").join(name);
    shell::run(Command::new(python).args(["-m", "venv", "--clear"]).arg(&folder))?;
    Ok(folder.join("bin/python"))
}

fn pip(python: &Path, packages: &[&str]) -> Result {
    let mut install = python_in(python);
    install.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]).args(packages);
    shell::run(&mut install)
}

fn python_in(python: &Path) -> Command {
    let mut command = Command::new(python);
    command.current_dir(root().join(FOLDER));
    command
}

/// The types of the package and of its tests, and the stubs beside the module.
fn types(python: &Path) -> Result {
    let path = python.to_str().ok_or("expected a path in UTF-8")?;
    for tool in [
        &["-m", "mypy"][..],
        &["-m", "pyright", "--pythonpath", path],
        &["-m", "mypy.stubtest", "sortid", "--allowlist", "stubtest.txt"],
    ] {
        shell::run(python_in(python).args(tool))?;
    }
    Ok(())
}

/// The files of a folder with this extension, by name.
fn sorted(folder: &Path, extension: &str) -> Result<Vec<PathBuf>> {
    let mut files: Vec<_> = fs::read_dir(folder)?.map(|file| Ok(file?.path())).collect::<Result<_>>()?;
    files.retain(|file| file.extension().is_some_and(|found| found == extension));
    files.sort();
    Ok(files)
}
