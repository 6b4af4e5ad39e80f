//! What would be published: every package has what belongs to it, and builds without the workspace.

use crate::{
    ci::packages,
    shell::{self, Result, cargo, root, stdout_of, target},
};
use std::{fmt::Write as _, fs, process::Command};

/// Beside the code.
const FILES: [&str; 4] = ["CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT", "README.md"];

/// Folders, and what cargo adds.
const MAY: [&str; 6] =
    ["src/", "examples/", ".cargo_vcs_info.json", "Cargo.lock", "Cargo.toml", "Cargo.toml.orig"];

/// Cargo's own verification takes the packages that it unpacked first, also when they have changed since. So they are
/// unpacked here, into a workspace where each stands for the published one.
pub(crate) fn run() -> Result {
    let folder = target()?.join("package");
    let unpacked = folder.join("unpacked");
    if unpacked.exists() {
        fs::remove_dir_all(&unpacked)?;
    }
    fs::create_dir_all(&unpacked)?;
    fs::copy(root().join("Cargo.lock"), unpacked.join("Cargo.lock"))?;

    // Quiet, since cargo warns of each test that is left out. A change is checked before it is committed.
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
            return Err(format!("the package {} has no {missing}", of.name).into());
        }
        let is_expected =
            |file: &&str| FILES.contains(file) || MAY.iter().any(|start| file.starts_with(start));
        if let Some(file) = list.lines().find(|file| !is_expected(file)) {
            return Err(format!("the package {} has {file}, which is nothing for users", of.name).into());
        }
        let name = format!("{}-{}", of.name, of.version);
        // With the time of now: the times in a package are those of no change.
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
