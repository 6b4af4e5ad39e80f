//! What would be published: every package builds by itself, and has what belongs to it.

use crate::{
    ci::packages,
    shell::{self, Result, cargo, stdout_of},
};

/// Beside the code.
const FILES: [&str; 4] = ["CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT", "README.md"];

/// Folders, and what cargo adds.
const MAY: [&str; 6] =
    ["src/", "examples/", ".cargo_vcs_info.json", "Cargo.lock", "Cargo.toml", "Cargo.toml.orig"];

pub(crate) fn run() -> Result {
    // Quiet, since cargo warns of each test that is left out. A change is checked before it is committed.
    let mut package = cargo(&["package", "--quiet", "--locked", "--allow-dirty"]);
    for published in packages()?.iter().filter(|package| package.is_published) {
        package.args(["--package", &published.id]);
        let mut list = cargo(&["package", "--quiet", "--locked", "--allow-dirty", "--list", "--package"]);
        let list = stdout_of(list.arg(&published.id))?;
        if let Some(missing) = FILES.iter().find(|file| !list.lines().any(|line| line == **file)) {
            return Err(format!("the package {} has no {missing}", published.name).into());
        }
        let is_expected =
            |file: &&str| FILES.contains(file) || MAY.iter().any(|start| file.starts_with(start));
        if let Some(file) = list.lines().find(|file| !is_expected(file)) {
            return Err(
                format!("the package {} has {file}, which is nothing for users", published.name).into()
            );
        }
    }
    shell::run(&mut package)
}
