//! The wheels: checked, uploaded to an index, and installed from there.

use super::{Release, path_with, quick_start, registry::Registry};
use crate::{
    emulate::AARCH64,
    python,
    shell::{self, Result, sorted, stdout_of},
};
use std::{fs, path::Path, process::Command};

pub(super) const PAGE: (&str, &str) = ("bindings/python/README.md", "python");

/// The targets, and the oldest systems that their wheels are for.
const WHEELS: [(&str, &str); 4] = [
    ("x86_64-unknown-linux-gnu", "manylinux_2_17"),
    ("aarch64-unknown-linux-gnu", "manylinux_2_17"),
    ("x86_64-unknown-linux-musl", "musllinux_1_2"),
    ("aarch64-unknown-linux-musl", "musllinux_1_2"),
];

pub(super) fn rehearse(release: &Release) -> Result<Registry> {
    for old in sorted(&release.files, ".whl")? {
        fs::remove_file(old)?;
    }
    for (target, system) in WHEELS {
        build(release, target, system)?;
    }
    check(release)?;
    let index = Registry::of_python()?;
    publish(release, Some(index.url()))?;
    use_on_arm(release, index.url())?;
    Ok(index)
}

/// Builds a wheel for a target and the systems of this tag. Zig links it to a C library that is old enough.
fn build(release: &Release, target: &str, systems: &str) -> Result {
    let programs = python::for_releases()?;
    let mut maturin = python::python_in(&programs.join("python"));
    maturin.args(["-m", "maturin", "build", "--release", "--locked", "--compression-level", "9", "--zig"]);
    maturin.args(["--target", target, "--compatibility", systems, "--out"]).arg(&release.files);
    // Not every machine has rustup, with which standard libraries could be installed.
    maturin.arg("-Zbuild-std=std,panic_unwind").env("RUSTC_BOOTSTRAP", "1");
    shell::run(maturin.env("PATH", path_with(&programs)?))
}

/// Each wheel uses only what its tags promise: of the C library, and of the stable interface of Python.
fn check(release: &Release) -> Result {
    let programs = python::for_releases()?;
    let nowhere = release.folder.join("nowhere");
    shell::empty(&nowhere)?;
    for wheel in sorted(&release.files, ".whl")? {
        let mut audit = Command::new(programs.join("abi3audit"));
        shell::run(audit.args(["--strict", "--summary"]).arg(&wheel))?;
        // Without the libraries of this machine: they are not those of the systems.
        let mut audit = Command::new(programs.join("auditwheel"));
        let found = stdout_of(audit.arg("show").arg("--ldpaths").arg(&nowhere).arg(&wheel))?;
        eprintln!("{found}");
        let name = wheel.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let tags = name.rsplit('-').next().unwrap_or_default();
        let is_kept = match tags.split('.').find(|tag| tag.starts_with("manylinux_")) {
            Some(tag) => found.contains(&format!("\"{tag}\"")),
            // auditwheel knows the C library of musl by its name in Alpine, and Zig by that of its project. The loader of
            // musl is the library, under both names.
            None => tags.starts_with("musllinux_") && found.contains("{\n    \"libc.so\": null\n}"),
        };
        if !is_kept {
            return Err(format!("{name}: expected that auditwheel finds what its tag promises").into());
        }
    }
    Ok(())
}

/// Uploads the wheels to `PyPI` or to another index.
pub(super) fn publish(release: &Release, index: Option<&str>) -> Result {
    let mut twine = Command::new(python::for_releases()?.join("twine"));
    twine.args(["upload", "--non-interactive", "--disable-progress-bar"]);
    if let Some(index) = index {
        twine.args(["--repository-url", index, "--username=none", "--password=none"]);
    }
    shell::run(twine.args(sorted(&release.files, ".whl")?))
}

/// The packages of Debian that Python needs.
const PYTHON: [&str; 8] = [
    "libc6",
    "libexpat1",
    "libffi8",
    "libgcc-s1",
    "libpython3.11-minimal",
    "libpython3.11-stdlib",
    "python3.11-minimal",
    "zlib1g",
];

/// The quick start with Debian's Python for ARM, and with the wheel that pip chooses for it.
fn use_on_arm(release: &Release, index: &str) -> Result {
    let folder = release.folder.join("user-on-arm");
    shell::empty(&folder)?;
    for name in ["lists/partial", "archives/partial", "debian", "system"] {
        fs::create_dir_all(folder.join(name))?;
    }
    fs::write(folder.join("status"), "")?;
    // Lists and packages of another architecture, beside those of this machine.
    let apt = |args: &[&str]| {
        let mut apt = Command::new("apt-get");
        apt.args([
            "--quiet",
            "--option",
            "APT::Architecture=arm64",
            "--option",
            "APT::Architectures::=arm64",
        ]);
        for (name, path) in [("State::Lists", "lists"), ("State::status", "status"), ("Cache", "")] {
            apt.args(["--option", &format!("Dir::{name}={}", folder.join(path).display())]);
        }
        shell::run(apt.args(args).current_dir(folder.join("debian")))
    };
    apt(&["update"])?;
    apt(&[&["download"], &PYTHON[..]].concat())?;
    for package in sorted(&folder.join("debian"), ".deb")? {
        shell::run(Command::new("dpkg-deb").arg("--extract").arg(package).arg(folder.join("system")))?;
    }
    let mut pip = Command::new("python3");
    pip.args(["-m", "pip", "install", "--quiet", "--target=packages", "--only-binary=:all:"]);
    pip.args(["--platform=manylinux_2_17_aarch64", "--python-version=3.11", "--index-url"]);
    shell::run(pip.args([&format!("{index}simple/"), "sortid"]).current_dir(&folder))?;
    fs::write(folder.join("quick_start.txt"), quick_start(PAGE.0, PAGE.1)?)?;
    let mut python = Command::new(AARCH64);
    python.args(["-L", "system", "system/usr/bin/python3.11", "-m", "doctest", "-v", "quick_start.txt"]);
    shell::run(python.env("PYTHONPATH", "packages").current_dir(&folder))
}

pub(super) fn use_as_stranger(folder: &Path, index: &str) -> Result {
    let index = format!("{index}simple/");
    let pip = |python: &str, args: &[&str]| {
        let mut pip = Command::new(python);
        pip.args(["-m", "pip"]).args(args).args(["--index-url", &index, "sortid"]).current_dir(folder);
        shell::run(&mut pip)
    };
    // What this machine cannot install, it can get.
    for platform in ["musllinux_1_2_x86_64", "musllinux_1_2_aarch64"] {
        pip("python3", &["download", "--quiet", "--only-binary=:all:", "--platform", platform])?;
    }
    shell::run(Command::new("python3").args(["-m", "venv", "venv"]).current_dir(folder))?;
    pip("venv/bin/python", &["install"])?;
    fs::write(folder.join("quick_start.txt"), quick_start(PAGE.0, PAGE.1)?)?;
    let mut doctest = Command::new("venv/bin/python");
    shell::run(doctest.args(["-m", "doctest", "-v", "quick_start.txt"]).current_dir(folder))
}
