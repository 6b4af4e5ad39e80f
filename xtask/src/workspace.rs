//! The packages of the workspace, as cargo describes them.

use crate::shell::{self, Result, cargo, stdout_of};
use serde_json::Value;
use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};

/// The crate that the spec crates are built on. It may have two `unsafe` blocks.
pub(crate) const CORE: &str = "sortid-core";

/// The umbrella crate, which re-exports the spec crates.
pub(crate) const UMBRELLA: &str = "sortid";

/// Ledgers of events.
pub(crate) const LEDGER: &str = "evently-ledger";

/// Numbers for the processes of a fleet.
pub(crate) const FLEET: &str = "sortid-fleet";

/// Functions in SQL.
pub(crate) const SQL: &str = "sortid-sql";

pub(crate) struct Package {
    pub(crate) name: String,
    pub(crate) version: String,
    /// The least version of Rust.
    pub(crate) rust_version: String,
    /// Names the package to cargo. The name does not: a test depends on the published crate that is also called `euid`.
    pub(crate) id: String,
    pub(crate) manifest: String,
    /// Each feature, and what it turns on.
    pub(crate) features: BTreeMap<String, Vec<String>>,
    /// The names of the packages in `[dependencies]`.
    pub(crate) depends_on: BTreeSet<String>,
    pub(crate) targets: Vec<Target>,
    pub(crate) is_published: bool,
    /// Whether this is the crate of a specification: of our crates, it depends on the core alone.
    pub(crate) is_spec: bool,
}

/// A library, a program, an example, a test or a benchmark.
pub(crate) struct Target {
    pub(crate) name: String,
    kind: String,
    /// Whether users read its documentation. The library of the program has none.
    has_docs: bool,
    /// The root file.
    pub(crate) src: PathBuf,
}

impl Package {
    /// The library for users.
    pub(crate) fn library(&self) -> Option<&Target> {
        self.targets.iter().find(|target| target.is_library() && target.has_docs)
    }

    pub(crate) fn is_library(&self) -> bool {
        self.library().is_some()
    }

    pub(crate) fn examples(&self) -> impl Iterator<Item = &str> {
        self.targets.iter().filter(|target| target.kind == "example").map(|target| &*target.name)
    }
}

impl Target {
    /// `lib`, or the crate type of a library that is not linked into Rust programs only.
    pub(crate) fn is_library(&self) -> bool {
        self.kind.ends_with("lib") || self.kind == "proc-macro"
    }

    pub(crate) fn is_program(&self) -> bool {
        self.kind == "bin"
    }
}

/// Reads `cargo metadata`, without dependencies.
fn metadata() -> Result<Value> {
    let args = ["metadata", "--locked", "--no-deps", "--format-version", "1"];
    Ok(serde_json::from_str(&stdout_of(&mut cargo(&args))?)?)
}

/// The folder that cargo builds into.
pub(crate) fn target() -> Result<PathBuf> {
    Ok(metadata()?["target_directory"].as_str().ok_or("cargo names no target directory")?.into())
}

/// Builds a program as the tests do, so that little is left to build after them.
pub(crate) fn program_of_tests(name: &str) -> Result<PathBuf> {
    let build = ["build", "--quiet", "--locked", "--profile", "test", "--workspace", "--all-features"];
    shell::run(cargo(&build).args(["--bin", name]))?;
    Ok(target()?.join("debug").join(format!("{name}{}", std::env::consts::EXE_SUFFIX)))
}

pub(crate) fn packages() -> Result<Vec<Package>> {
    let mut packages: Vec<_> = array(&metadata()?["packages"]).map(package).collect();
    let ours: BTreeSet<_> = packages.iter().map(|package| package.name.clone()).collect();
    for package in &mut packages {
        // The crate of fleets depends on the core alone, too.
        package.is_spec = package.is_published
            && package.is_library()
            && package.name != FLEET
            && package.depends_on.iter().filter(|name| ours.contains(*name)).eq([CORE]);
    }
    Ok(packages)
}

fn package(package: &Value) -> Package {
    let target = |target: &Value| Target {
        name: string(&target["name"]),
        kind: string(&target["kind"][0]),
        has_docs: target["doc"] == true,
        src: Path::new(&string(&target["src_path"])).to_owned(),
    };
    Package {
        name: string(&package["name"]),
        version: string(&package["version"]),
        rust_version: string(&package["rust_version"]),
        id: string(&package["id"]),
        manifest: string(&package["manifest_path"]),
        features: package["features"]
            .as_object()
            .into_iter()
            .flatten()
            .map(|(name, turned_on)| (name.clone(), array(turned_on).map(string).collect()))
            .collect(),
        depends_on: array(&package["dependencies"])
            .filter(|it| it["kind"].is_null())
            .map(|it| string(&it["name"]))
            .collect(),
        targets: array(&package["targets"]).map(target).collect(),
        // `publish = false` is an empty list of registries; without the setting, the value is null.
        is_published: package["publish"].is_null(),
        is_spec: false,
    }
}

fn array(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn string(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_example_has_a_name_of_its_own() {
        let packages = packages().unwrap();
        let mut names = BTreeSet::new();
        for package in &packages {
            for name in package.examples() {
                assert!(names.insert(name), "{}: another package has an example {name}", package.name);
            }
        }
        assert!(!names.is_empty());
    }
}
