//! Environments of Python in the target folder, for databases that are packages of Python, for proofs, and for the
//! package for Python, which `cargo xtask python` builds and tests.

use crate::{
    databases,
    shell::{self, Result, cargo, program, root, sorted, stdout_of},
    tools,
    workspace::target,
};
use sortid_sql::Database;
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

#[derive(Clone, Copy, Default, clap::Args)]
pub(crate) struct Options {
    /// Measure the package beside others instead of testing
    #[arg(long)]
    bench: bool,

    /// Build the wheel, and test nothing
    #[arg(long, conflicts_with = "bench")]
    build: bool,
}

/// A Python that has the packages of these databases.
pub(crate) fn with_databases(databases: &[Database]) -> Result<PathBuf> {
    let packages: Vec<_> = databases
        .iter()
        .filter_map(|database| match database {
            Database::Duckdb => Some("duckdb==2.0.0"),
            Database::Clickhouse => Some("chdb==4.4.0"),
            _ => None,
        })
        .collect();
    environment(Path::new("python3"), "python", &packages)
}

/// A Python that has the packages of `lab/prove/requirements.txt`.
pub(crate) fn for_proofs() -> Result<PathBuf> {
    environment(Path::new("python3"), "prove/python", &["--requirement", "../../lab/prove/requirements.txt"])
}

/// The folder with the programs that build, check and publish a release, and with their Python.
pub(crate) fn for_releases() -> Result<PathBuf> {
    let packages = ["--requirement", "../../xtask/release.txt"];
    let python = environment(Path::new("python3"), "release/python", &packages)?;
    Ok(python.with_file_name(""))
}

/// The Python of an environment in this folder of the target folder, with these packages. Pip downloads what is missing.
fn environment(python: &Path, folder: &str, packages: &[&str]) -> Result<PathBuf> {
    let folder = target()?.join(folder);
    let path = folder.join("bin/python");
    if !path.is_file() {
        shell::run(Command::new(python).args(["-m", "venv"]).arg(&folder))?;
    }
    if !packages.is_empty() {
        let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
        shell::run(python_in(&path).args(pip).args(packages))
            .map_err(|error| format!("{error}. Connect to the network, or install the packages"))?;
    }
    Ok(path)
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
        let python = with_wheel(newest, &wheel, "bench")?;
        let benches = sorted(&root().join(FOLDER).join("benches"), ".py")?;
        return benches.iter().try_for_each(|bench| shell::run(Command::new(&python).arg(bench)));
    }
    databases::with_all(|addresses| {
        for (minor, python) in &pythons {
            let python = with_wheel(python, &wheel, &format!("3.{minor}"))?;
            let mut pytest = python_in(&python);
            shell::run(pytest.args(["-m", "pytest", "--quiet"]).envs(addresses.iter().copied()))?;
        }
        Ok(())
    })?;
    if let Some(python) = pythons.get(&TYPED) {
        return types(&with_wheel(python, &wheel, "types")?);
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
    let manifest = ["--manifest-path", "bindings/python/Cargo.toml"];
    shell::run(cargo(&["fmt", "--all", "--check", "--quiet"]).args(manifest))?;
    shell::run(cargo(&["clippy", "--quiet", "--locked"]).args(manifest).args(shell::DENY_WARNINGS))
}

/// Builds the wheel, which all versions of Python share.
fn build(python: &Path) -> Result<PathBuf> {
    let tools = environment(python, "python-package/build", &["maturin>=1.16,<2"])?;
    let wheels = target()?.join("wheels");
    shell::empty(&wheels)?;
    let mut maturin = python_in(&tools);
    maturin.args(["-m", "maturin", "build", "--release", "--locked", "--compression-level", "9", "--out"]);
    shell::run(maturin.arg(&wheels))?;
    let wheel = sorted(&wheels, ".whl")?.pop().ok_or("maturin wrote no wheel")?;
    let size = fs::metadata(&wheel)?.len();
    eprintln!("{}: {size} bytes", wheel.display());
    if size > LARGEST {
        return Err(format!("expected a wheel of at most {LARGEST} bytes, found {size}").into());
    }
    Ok(wheel)
}

/// A new environment with the wheel, and with what the tests need.
fn with_wheel(python: &Path, wheel: &Path, name: &str) -> Result<PathBuf> {
    let folder = format!("python-package/{name}");
    shell::empty(&target()?.join(&folder))?;
    let wheel = wheel.to_str().ok_or("expected a path in UTF-8")?;
    environment(python, &folder, &[wheel, "--requirement", "requirements-test.txt"])
}

pub(crate) fn python_in(python: &Path) -> Command {
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
