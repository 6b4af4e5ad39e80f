//! The packages of the workspace, as cargo describes them.

use crate::shell::{self, Result, cargo, stdout_of};
use serde::Deserialize;
use std::{
    collections::{BTreeMap, BTreeSet},
    path::PathBuf,
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

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
    target_directory: PathBuf,
}

#[derive(Deserialize)]
pub(crate) struct Package {
    pub(crate) name: String,
    pub(crate) version: String,
    /// The least version of Rust.
    pub(crate) rust_version: Option<String>,
    /// Names the package to cargo. The name does not: a test depends on the published crate that is also called `euid`.
    pub(crate) id: String,
    #[serde(rename = "manifest_path")]
    pub(crate) manifest: String,
    /// Each feature, and what it turns on.
    pub(crate) features: BTreeMap<String, Vec<String>>,
    dependencies: Vec<Dependency>,
    pub(crate) targets: Vec<Target>,
    /// `publish = false` is an empty list of registries; without the setting, the value is null.
    publish: Option<Vec<String>>,
    #[serde(skip)]
    pub(crate) is_published: bool,
    /// Whether this is the crate of a specification: of our crates, it depends on the core alone.
    #[serde(skip)]
    pub(crate) is_spec: bool,
}

#[derive(Deserialize)]
struct Dependency {
    name: String,
    /// `None` in `[dependencies]`.
    kind: Option<String>,
}

/// A library, a program, an example, a test or a benchmark.
#[derive(Deserialize)]
pub(crate) struct Target {
    pub(crate) name: String,
    kind: Vec<String>,
    /// Whether users read its documentation. The library of the program has none.
    doc: bool,
    /// The root file.
    #[serde(rename = "src_path")]
    pub(crate) src: PathBuf,
}

impl Package {
    /// The library for users.
    pub(crate) fn library(&self) -> Option<&Target> {
        self.targets.iter().find(|target| target.is_library() && target.doc)
    }

    pub(crate) fn is_library(&self) -> bool {
        self.library().is_some()
    }

    pub(crate) fn examples(&self) -> impl Iterator<Item = &str> {
        self.targets.iter().filter(|target| target.kind[0] == "example").map(|target| &*target.name)
    }
}

impl Target {
    /// `lib`, or the crate type of a library that is not linked into Rust programs only.
    pub(crate) fn is_library(&self) -> bool {
        self.kind[0].ends_with("lib") || self.kind[0] == "proc-macro"
    }

    pub(crate) fn is_program(&self) -> bool {
        self.kind[0] == "bin"
    }
}

/// Reads `cargo metadata`, without dependencies.
fn metadata() -> Result<Metadata> {
    let args = ["metadata", "--locked", "--no-deps", "--format-version", "1"];
    Ok(serde_json::from_str(&stdout_of(&mut cargo(&args))?)?)
}

/// The folder that cargo builds into.
pub(crate) fn target() -> Result<PathBuf> {
    Ok(metadata()?.target_directory)
}

/// Builds a program as the tests do, so that little is left to build after them.
pub(crate) fn program_of_tests(name: &str) -> Result<PathBuf> {
    let build = ["build", "--quiet", "--locked", "--profile", "test", "--workspace", "--all-features"];
    shell::run(cargo(&build).args(["--bin", name]))?;
    Ok(target()?.join("debug").join(format!("{name}{}", std::env::consts::EXE_SUFFIX)))
}

/// Builds a program of this package with the profile of releases.
pub(crate) fn built(name: &str) -> Result<PathBuf> {
    shell::run(&mut cargo(&["build", "--quiet", "--locked", "--release", "--package", name]))?;
    Ok(target()?.join("release").join(name))
}

pub(crate) fn packages() -> Result<Vec<Package>> {
    let mut packages = metadata()?.packages;
    let ours: BTreeSet<_> = packages.iter().map(|package| package.name.clone()).collect();
    for package in &mut packages {
        let needed = package.dependencies.iter().filter(|it| it.kind.is_none() && ours.contains(&it.name));
        let needed: BTreeSet<_> = needed.map(|it| &*it.name).collect();
        package.is_published = package.publish.is_none();
        // The crate of fleets depends on the core alone, too.
        package.is_spec = package.is_published
            && package.is_library()
            && package.name != FLEET
            && needed.into_iter().eq([CORE]);
    }
    Ok(packages)
}

#[test]
fn each_example_has_a_name_of_its_own() {
    let packages = packages().unwrap();
    let mut names: Vec<_> = packages.iter().flat_map(Package::examples).collect();
    assert!(!names.is_empty());
    names.sort_unstable();
    assert!(names.is_sorted_by(|a, b| a < b), "{names:?}");
}
