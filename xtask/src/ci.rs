//! `cargo xtask ci`: the test command of the README.

use crate::{
    bench, databases, debian, fuzz, instructions, no_std, package, pictures,
    shell::{self, Result, cargo, root, stdout_of},
};
use serde_json::Value;
use std::{
    collections::BTreeSet,
    process::Command,
    time::{Duration, Instant},
};

/// The most packages that a spec crate may bring to its user, itself included: with its default features, and with
/// none. The umbrella brings the spec crates besides.
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
    ("model", crate::model),
    ("databases", databases::run),
    ("examples", examples),
    ("docs", docs),
    ("features", features),
    ("no_std", no_std::run),
    ("dependencies", dependencies),
    ("package", package::run),
    ("fuzz", fuzz::check),
    ("bench", bench::check),
    ("pictures", pictures::check),
    ("instructions", instructions::check),
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

/// rustfmt and clippy, and strace for one of the tests, installed when they are missing.
fn toolchain() -> Result {
    for (probe, component) in [("fmt", "rustfmt"), ("clippy", "clippy")] {
        if stdout_of(&mut cargo(&[probe, "--version"])).is_err() {
            shell::run(Command::new("rustup").args(["component", "add", component]))?;
        }
    }
    debian::install(&[("strace", debian::program("strace").is_some())])
}

/// Examples that show what is left without the default features.
const WITHOUT_FEATURES: [&str; 2] = ["no_std", "wasm"];

/// Those of each crate, run to their end, and packages of their own, as users would write them.
fn examples() -> Result {
    for package in packages()?.iter().filter(|package| package.is_published) {
        for example in &package.examples {
            let mut run =
                cargo(&["run", "--quiet", "--locked", "--package", &package.id, "--example", example]);
            if WITHOUT_FEATURES.contains(&example.as_str()) {
                run.arg("--no-default-features");
            }
            shell::run(&mut run)?;
        }
    }
    debian::install(&[("curl", debian::program("curl").is_some())])?;
    let target = root().join("target/examples");
    shell::run(
        cargo(&["test", "--locked", "--manifest-path", "examples/orders/Cargo.toml", "--target-dir"])
            .arg(target),
    )
}

fn docs() -> Result {
    shell::run(
        cargo(&["doc", "--locked", "--workspace", "--no-deps", "--all-features"])
            .env("RUSTDOCFLAGS", "-D warnings"),
    )
}

pub(crate) struct Package {
    pub(crate) name: String,
    pub(crate) version: String,
    /// Unlike the name, it is not that of the published crate too that a test compares with.
    pub(crate) id: String,
    manifest: String,
    features: Vec<String>,
    examples: Vec<String>,
    depends_on: BTreeSet<String>,
    is_library: bool,
    pub(crate) is_published: bool,
}

pub(crate) fn packages() -> Result<Vec<Package>> {
    let metadata = stdout_of(&mut cargo(&["metadata", "--locked", "--no-deps", "--format-version", "1"]))?;
    let metadata: Value = serde_json::from_str(&metadata)?;
    let strings = |value: &Value, of: &str| -> Vec<String> {
        let array = value.as_array().into_iter().flatten();
        array.filter_map(|item| item[of].as_str().map(str::to_owned)).collect()
    };
    let of_kind = |package: &Value, kind: &str| -> Vec<String> {
        let targets = package["targets"].as_array().into_iter().flatten();
        let targets = targets.filter(|target| target["kind"][0] == kind);
        targets.filter_map(|target| target["name"].as_str().map(str::to_owned)).collect()
    };
    let package = |package: &Value| Package {
        id: package["id"].as_str().unwrap_or_default().to_owned(),
        manifest: package["manifest_path"].as_str().unwrap_or_default().to_owned(),
        name: package["name"].as_str().unwrap_or_default().to_owned(),
        version: package["version"].as_str().unwrap_or_default().to_owned(),
        features: package["features"].as_object().into_iter().flat_map(|map| map.keys().cloned()).collect(),
        depends_on: strings(&package["dependencies"], "name").into_iter().collect(),
        examples: of_kind(package, "example"),
        is_library: !of_kind(package, "lib").is_empty(),
        // `publish = false` is an empty list of registries, no setting is null.
        is_published: package["publish"].is_null(),
    };
    Ok(metadata["packages"].as_array().into_iter().flatten().map(package).collect())
}

/// Features that share no code, in groups that stand for one feature where two are combined: all pairs of features
/// would be more than a hundred builds for each crate.
const GROUPS: [&str; 4] = [
    "arbitrary,bytemuck,proptest,schemars,serde",
    "chrono,jiff,time",
    "diesel-sqlite,rusqlite",
    "postgres-types,sqlx-postgres",
];

/// The same for the umbrella, which forwards: its specifications are alike, and so are its integrations.
const GROUPS_OF_UMBRELLA: [&str; 2] = [
    "euid,ron-uid,scru160,ulid-flake",
    "arbitrary,bytemuck,chrono,diesel,diesel-sqlite,jiff,postgres-types,proptest,rusqlite,schemars,sqlx,sqlx-postgres,time,uuid",
];

/// Each crate without features, with each of its features alone, and with every two.
fn features() -> Result {
    if stdout_of(&mut cargo(&["hack", "--version"])).is_err() {
        shell::run(&mut cargo(&["install", "--locked", "cargo-hack"]))?;
    }
    for package in packages()?.iter().filter(|package| !package.features.is_empty()) {
        // The libraries and binaries alone: tests may use what they like.
        let hack = |chore| {
            let mut command = cargo(&["hack", chore, "--quiet", "--locked", "--exclude-features", "default"]);
            command.arg("--manifest-path").arg(&package.manifest);
            command
        };
        let is_umbrella = package.name == UMBRELLA;
        if !is_umbrella {
            shell::run(hack("clippy").arg("--each-feature").args(DENY))?;
        }
        let groups = if is_umbrella { &GROUPS_OF_UMBRELLA[..] } else { &GROUPS };
        shell::run(
            hack("check")
                .args(["--feature-powerset", "--depth", "2", "--ignore-unknown-features"])
                .args(groups.iter().flat_map(|group| ["--group-features", group])),
        )?;
    }
    Ok(())
}

const UMBRELLA: &str = "sortid";

/// What a user of one spec crate builds.
fn dependencies() -> Result {
    let packages = packages()?;
    let (umbrellas, specs): (Vec<_>, Vec<_>) = packages
        .iter()
        .filter(|package| {
            package.is_library && package.is_published && package.depends_on.contains("sortid-core")
        })
        .partition(|package| package.name == UMBRELLA);
    if specs.is_empty() {
        return Err("there is no spec crate".into());
    }
    let limits = specs.iter().map(|spec| (spec, 0)).chain(umbrellas.iter().map(|it| (it, specs.len())));
    for (spec, more) in limits {
        for (features, most) in MOST_PACKAGES {
            let most = most + if features.is_empty() { more } else { 0 };
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
