//! Checks the packages that would be published: each has the right files, and builds outside of the workspace.

use crate::{
    shell::{self, Result, cargo, root, stdout_of},
    workspace::{packages, target},
};
use std::{fmt::Write as _, fs, process::Command};

/// The files that every package must have besides code.
const FILES: [&str; 3] = ["LICENSE-APACHE", "LICENSE-MIT", "README.md"];

/// What a package may have: folders, and the files that cargo adds.
const MAY: [&str; 7] =
    ["src/", "examples/", "sql/", ".cargo_vcs_info.json", "Cargo.lock", "Cargo.toml", "Cargo.toml.orig"];

/// Cargo's own verification reuses packages that it unpacked earlier, even if they have changed. So this function
/// unpacks the packages itself, into a workspace that uses them in place of the published ones.
pub(crate) fn run() -> Result {
    let folder = target()?.join("package");
    let unpacked = folder.join("unpacked");
    shell::empty(&unpacked)?;
    fs::copy(root().join("Cargo.lock"), unpacked.join("Cargo.lock"))?;

    // Quiet, because cargo warns about each test that is not packaged. Dirty, because changes are checked before a commit.
    let package = ["package", "--quiet", "--locked", "--allow-dirty"];
    let mut pack = cargo(&package);
    pack.arg("--no-verify");
    let published: Vec<_> = packages()?.into_iter().filter(|package| package.is_published).collect();
    for package in &published {
        pack.args(["--package", &package.id]);
    }
    shell::run(&mut pack)?;

    let mut workspace = "[workspace]\nresolver = \"3\"\nmembers = [\"*\"]\n\n[patch.crates-io]\n".to_owned();
    for of in &published {
        let list = stdout_of(cargo(&package).args(["--list", "--package", &of.id]))?;
        if let Some(missing) = FILES.iter().find(|file| !list.lines().any(|line| line == **file)) {
            return Err(format!("the package {} lacks {missing}", of.name).into());
        }
        let is_expected =
            |file: &&str| FILES.contains(file) || MAY.iter().any(|start| file.starts_with(start));
        if let Some(file) = list.lines().find(|file| !is_expected(file)) {
            return Err(format!("the package {} has {file}, which users do not need", of.name).into());
        }
        let name = format!("{}-{}", of.name, of.version);
        // With the current time: the times in a package say nothing about changes.
        let mut unpack = Command::new("tar");
        unpack.args(["-xzmf"]).arg(folder.join(format!("{name}.crate"))).arg("-C").arg(&unpacked);
        shell::run(&mut unpack)?;
        writeln!(workspace, "{} = {{ path = {name:?} }}", of.name)?;
    }
    fs::write(unpacked.join("Cargo.toml"), workspace)?;
    let mut check =
        cargo(&["check", "--quiet", "--workspace", "--lib", "--bins", "--examples", "--manifest-path"]);
    check.arg(unpacked.join("Cargo.toml")).arg("--target-dir").arg(folder.join("target"));
    shell::run(&mut check)
}
