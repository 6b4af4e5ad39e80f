//! `cargo xtask ci`: the test command of the README.

use crate::{
    no_std,
    shell::{self, Result, cargo, stdout_of},
};
use serde_json::Value;
use std::{
    collections::BTreeSet,
    process::Command,
    time::{Duration, Instant},
};

/// The most packages that a spec crate may bring to its user, itself included: with its default features, and with
/// none.
const MOST_PACKAGES: [(&[&str], usize); 2] = [(&[], 14), (&["--no-default-features"], 3)];

type Step = (&'static str, fn() -> Result);

const STEPS: &[Step] = &[
    ("toolchain", toolchain),
    ("format", || shell::run(&mut cargo(&["fmt", "--all", "--check"]))),
    ("lints", || {
        shell::run(
            cargo(&["clippy", "--locked", "--workspace", "--all-targets", "--all-features"]).args(DENY),
        )
    }),
    ("tests", || shell::run(&mut cargo(&["test", "--locked", "--workspace", "--all-features"]))),
    ("docs", docs),
    ("features", features),
    ("no_std", no_std::run),
    ("dependencies", dependencies),
];

const DENY: [&str; 3] = ["--", "--deny", "warnings"];

/// Runs all steps, also when one fails: who mends one wants to see the others.
pub(crate) fn run() -> Result {
    let results: Vec<_> = STEPS
        .iter()
        .map(|&(name, step)| {
            eprintln!("\n== {name}");
            let started = Instant::now();
            let result = step();
            if let Err(error) = &result {
                eprintln!("{name}: {error}");
            }
            (name, result.is_ok(), started.elapsed())
        })
        .collect();
    eprintln!();
    for (name, fine, took) in &results {
        eprintln!("{:<6} {name:<12} {:>4} s", if *fine { "ok" } else { "FAILED" }, took.as_secs());
    }
    let took: Duration = results.iter().map(|(_, _, took)| took).sum();
    let failed = results.iter().filter(|(_, fine, _)| !fine).count();
    println!("{} passed, {failed} failed", results.len() - failed);
    if failed == 0 {
        Ok(())
    } else {
        Err(format!("{failed} of {} steps failed, in {took:.0?}", results.len()).into())
    }
}

/// rustfmt and clippy, installed when they are missing.
fn toolchain() -> Result {
    for (probe, component) in [("fmt", "rustfmt"), ("clippy", "clippy")] {
        if stdout_of(&mut cargo(&[probe, "--version"])).is_err() {
            shell::run(Command::new("rustup").args(["component", "add", component]))?;
        }
    }
    Ok(())
}

fn docs() -> Result {
    shell::run(
        cargo(&["doc", "--locked", "--workspace", "--no-deps", "--all-features"])
            .env("RUSTDOCFLAGS", "-D warnings"),
    )
}

struct Package {
    name: String,
    /// Unlike the name, it is not that of the published crate too that a test compares with.
    id: String,
    features: Vec<String>,
    depends_on: BTreeSet<String>,
    is_library: bool,
    is_published: bool,
}

fn packages() -> Result<Vec<Package>> {
    let metadata = stdout_of(&mut cargo(&["metadata", "--locked", "--no-deps", "--format-version", "1"]))?;
    let metadata: Value = serde_json::from_str(&metadata)?;
    let strings = |value: &Value, of: &str| -> Vec<String> {
        let array = value.as_array().into_iter().flatten();
        array.filter_map(|item| item[of].as_str().map(str::to_owned)).collect()
    };
    let package = |package: &Value| Package {
        id: package["id"].as_str().unwrap_or_default().to_owned(),
        name: package["name"].as_str().unwrap_or_default().to_owned(),
        features: package["features"].as_object().into_iter().flat_map(|map| map.keys().cloned()).collect(),
        depends_on: strings(&package["dependencies"], "name").into_iter().collect(),
        is_library: package["targets"]
            .as_array()
            .into_iter()
            .flatten()
            .any(|target| target["kind"][0] == "lib"),
        // `publish = false` is an empty list of registries, no setting is null.
        is_published: package["publish"].is_null(),
    };
    Ok(metadata["packages"].as_array().into_iter().flatten().map(package).collect())
}

/// Each crate without features and with each of its features alone.
fn features() -> Result {
    for package in packages()?.iter().filter(|package| !package.features.is_empty()) {
        let alone = package.features.iter().filter(|feature| *feature != "default");
        for feature in [""].into_iter().chain(alone.map(String::as_str)) {
            // The libraries and binaries alone: tests may use what they like.
            shell::run(
                cargo(&["clippy", "--locked", "--package", &package.id, "--no-default-features"])
                    .args(["--features", feature])
                    .args(DENY),
            )?;
        }
    }
    Ok(())
}

/// What a user of one spec crate builds.
fn dependencies() -> Result {
    let packages = packages()?;
    let specs: Vec<_> = packages
        .iter()
        .filter(|package| {
            package.is_library && package.is_published && package.depends_on.contains("sortid-core")
        })
        .collect();
    if specs.is_empty() {
        return Err("there is no spec crate".into());
    }
    for spec in specs {
        for (features, most) in MOST_PACKAGES {
            let tree = [
                "tree",
                "--locked",
                "--edges",
                "normal,build",
                "--prefix",
                "none",
                "--format",
                "{p}",
                "--package",
            ];
            let tree = stdout_of(cargo(&tree).arg(&spec.id).args(features))?;
            let found: BTreeSet<_> = tree.lines().map(|line| line.trim_end_matches(" (*)")).collect();
            eprintln!("{} {}: {} packages, at most {most}", spec.name, features.join(" "), found.len());
            if found.len() > most {
                return Err(
                    format!("{} has {} packages, at most {most}:\n{tree}", spec.name, found.len()).into()
                );
            }
        }
    }
    Ok(())
}
