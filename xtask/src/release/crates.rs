//! The crates: published to a registry, added to a new program, and installed.

use super::{Release, git, path_with, quick_start, registry::Registry};
use crate::{
    shell::{self, Result, cargo},
    tools,
};
use std::{fs, path::Path, process::Command};

/// The page with the quick start, and its language.
pub(super) const PAGE: (&str, &str) = ("README.md", "rust");

/// The name of a registry, as cargo knows it.
const NAME: &str = "rehearsal";

/// On crates.io, another crate is called `euid`. So the package has a name of its own, and the library keeps its name. In the
/// repository, the package is called as its library until the owner of the name has answered: CONTRIBUTING.md.
const RENAMED: (&str, &str) = ("euid", "sortid-euid");

pub(super) fn rehearse(release: &Release) -> Result<Registry> {
    compare_with_last()?;
    let clone = release.clone("crates")?;
    let registry = Registry::of_crates()?;
    publish(&clone, Some(registry.url()))?;
    Ok(registry)
}

/// A change of the interface since the last release asks for a greater change of the version.
fn compare_with_last() -> Result {
    let Ok(last) = git(&["describe", "--tags", "--abbrev=0", "--match=v*", "HEAD^"]) else {
        eprintln!(
            "left out: the comparison of the interfaces with a release before this one, because there is none"
        );
        return Ok(());
    };
    tools::install(tools::SEMVER)?;
    shell::run(&mut cargo(&["semver-checks", "--workspace", "--baseline-rev", &last]))
}

/// Publishes all crates of a clone in the order in which they depend on each other, to crates.io or to another index.
pub(super) fn publish(clone: &Path, index: Option<&str>) -> Result {
    rename(clone)?;
    if index.is_some() {
        // Without the name of a registry, a dependency is one of crates.io.
        edit(&clone.join("Cargo.toml"), |line| match line.split_once(" = { ") {
            Some((_, rest)) if rest.contains("path = \"crates/") => {
                line.replacen(" = { ", &format!(" = {{ registry = \"{NAME}\", "), 1)
            }
            _ => line.to_owned(),
        })?;
    }
    let settings = settings(index, &clone.join("../cargo"));
    shell::run(cargo(&["update", "--quiet", "--workspace"]).current_dir(clone).envs(settings.clone()))?;
    // The names were changed after the commit.
    let mut publish = cargo(&["publish", "--workspace", "--locked", "--allow-dirty", "--target-dir"]);
    shell::run(publish.arg(clone.join("../published")).current_dir(clone).envs(settings))
}

/// Cargo with another registry in place of crates.io, where commands take one by default.
fn settings(index: Option<&str>, home: &Path) -> Vec<(&'static str, String)> {
    let Some(index) = index else { return vec![] };
    vec![
        // A stranger's cargo has seen nothing.
        ("CARGO_HOME", home.display().to_string()),
        ("CARGO_REGISTRIES_REHEARSAL_INDEX", format!("{index}git")),
        ("CARGO_REGISTRIES_REHEARSAL_TOKEN", "none".to_owned()),
        ("CARGO_REGISTRY_DEFAULT", NAME.to_owned()),
        ("CARGO_NET_GIT_FETCH_WITH_CLI", "true".to_owned()),
    ]
}

/// Gives a package its name on crates.io.
fn rename(clone: &Path) -> Result {
    let (library, package) = RENAMED;
    let start = format!("{library} = {{ ");
    let rename = |line: &str| match line.strip_prefix(&start) {
        Some(rest) => format!("{start}package = {package:?}, {rest}"),
        None if line == format!("name = {library:?}") => format!("name = {package:?}"),
        None => line.to_owned(),
    };
    edit(&clone.join("Cargo.toml"), rename)?;
    let manifest = clone.join("crates").join(library).join("Cargo.toml");
    edit(&manifest, rename)?;
    Ok(fs::write(&manifest, format!("{}\n[lib]\nname = {library:?}\n", fs::read_to_string(&manifest)?))?)
}

/// Changes the lines of a file.
fn edit(file: &Path, line: impl Fn(&str) -> String) -> Result {
    let text = fs::read_to_string(file)?;
    let changed: Vec<_> = text.lines().map(line).collect();
    if changed.iter().eq(text.lines()) {
        return Err(format!("found nothing to change in {}", file.display()).into());
    }
    Ok(fs::write(file, changed.join("\n") + "\n")?)
}

/// The quick start of the README in a new program, and the program.
pub(super) fn use_as_stranger(folder: &Path, index: &str) -> Result {
    let settings = settings(Some(index), &folder.join("home"));
    let hello = folder.join("hello");
    let in_hello = |args: &[&str]| {
        let mut command = cargo(args);
        command.current_dir(&hello).envs(settings.clone());
        command
    };
    shell::run(cargo(&["new", "--quiet", "--vcs", "none", "hello"]).current_dir(folder))?;
    fs::write(hello.join("src/main.rs"), quick_start(PAGE.0, PAGE.1)?)?;
    shell::run(&mut in_hello(&["add", "--quiet", RENAMED.1]))?;
    shell::run(&mut in_hello(&["run", "--quiet"]))?;
    let lock = fs::read_to_string(hello.join("Cargo.lock"))?;
    for package in lock.split("[[package]]").skip(1).filter(|it| !it.contains("name = \"hello\"")) {
        if !package.contains("source = \"registry+") {
            return Err(format!("expected a package of a registry, found{package}").into());
        }
    }
    let installed = folder.join("installed");
    let mut install = cargo(&["install", "--quiet", "--locked", "sortid-cli", "--root"]);
    shell::run(install.arg(&installed).current_dir(folder).envs(settings.clone()))?;
    let mut sortid = Command::new("sortid");
    sortid.env("PATH", path_with(&installed.join("bin"))?);
    shell::run(sortid.args(["new", "--all"]).current_dir(folder))
}
