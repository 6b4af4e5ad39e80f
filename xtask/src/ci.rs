//! `cargo xtask ci`: all checks that a change has to pass.

use crate::{
    bench, databases,
    figures::pictures,
    fuzz, instructions, model, no_std, package,
    shell::{self, Result, cargo, stdout_of},
    tools, unsafe_code,
    workspace::{CORE, Package, UMBRELLA, packages, target},
};
use std::{
    collections::BTreeSet,
    time::{Duration, Instant},
};

type Step = (&'static str, fn() -> Result);

const STEPS: &[Step] = &[
    ("format", format),
    ("unsafe code", unsafe_code::check),
    ("lints", lints),
    ("tests", tests),
    ("model", model::run),
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

const DENY_WARNINGS: [&str; 3] = ["--", "--deny", "warnings"];

/// Runs all steps, even if one fails, so that one run shows all failures.
pub(crate) fn run() -> Result {
    if let Some(announcement) = tools::announcement(&tools::CI) {
        eprintln!("{announcement}");
    }
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
    for (name, has_passed, took) in &results {
        eprintln!("{:<6} {name:<12} {:>4} s", if *has_passed { "ok" } else { "FAILED" }, took.as_secs());
    }
    let took: Duration = results.iter().map(|(_, _, took)| took).sum();
    let failed = results.iter().filter(|(_, has_passed, _)| !has_passed).count();
    println!("{} passed, {failed} failed", results.len() - failed);
    if failed == 0 {
        Ok(())
    } else {
        Err(format!("{failed} of {} steps failed, in {took:.0?}", results.len()).into())
    }
}

fn format() -> Result {
    tools::install(tools::FORMAT)?;
    shell::run(&mut cargo(&["fmt", "--all", "--check"]))
}

fn lints() -> Result {
    tools::install(tools::LINTS)?;
    let clippy = ["clippy", "--locked", "--workspace", "--all-targets", "--all-features"];
    shell::run(cargo(&clippy).args(DENY_WARNINGS))
}

/// All tests, those of the databases among them.
fn tests() -> Result {
    tools::install(tools::TESTS)?;
    databases::test(&["--workspace", "--all-features"])
}

/// The examples that show a crate without its default features.
const WITHOUT_FEATURES: [&str; 2] = ["no_std", "wasm"];

/// Runs the examples of each crate, and tests the packages that use the crates as users do.
fn examples() -> Result {
    tools::install(tools::EXAMPLES)?;
    for package in packages()?.iter().filter(|package| package.is_published) {
        for example in package.examples() {
            // With the profile of the tests, which have built most of the dependencies.
            let mut run = cargo(&["run", "--quiet", "--locked", "--profile", "test", "--example", example]);
            run.args(["--package", &package.id]);
            if WITHOUT_FEATURES.contains(&example) {
                run.arg("--no-default-features");
            }
            shell::run(&mut run)?;
        }
    }
    let test = ["test", "--locked", "--manifest-path", "examples/orders/Cargo.toml", "--target-dir"];
    shell::run(cargo(&test).arg(target()?.join("examples")))
}

fn docs() -> Result {
    let doc = ["doc", "--locked", "--workspace", "--no-deps", "--all-features"];
    shell::run(cargo(&doc).env("RUSTDOCFLAGS", "-D warnings"))
}

/// Features of the core that share no code. Each group counts as one feature when pairs of features are built: otherwise
/// there would be more than a hundred pairs.
const GROUPS_OF_CORE: [&str; 4] = [
    "arbitrary,bytemuck,proptest,schemars,serde",
    "chrono,jiff,time",
    "diesel-sqlite,rusqlite",
    "postgres-types,sqlx-postgres",
];

/// The same for the other crates. They have code of their own for `alloc`, `bytemuck`, `serde` and `std`, and forward the
/// rest to the core.
const GROUPS: [&str; 1] = [
    "arbitrary,chrono,diesel,diesel-sqlite,jiff,postgres-types,proptest,rusqlite,schemars,sqlx,sqlx-postgres,time,uuid",
];

/// The same for the umbrella crate, which forwards all features to the spec crates.
const GROUPS_OF_UMBRELLA: [&str; 2] = [
    "euid,ron-uid,scru160,ulid-flake",
    "arbitrary,bytemuck,chrono,diesel,diesel-sqlite,jiff,postgres-types,proptest,rusqlite,schemars,sqlx,sqlx-postgres,time,uuid",
];

/// Builds each crate without features, with each feature alone, and with each pair.
fn features() -> Result {
    tools::install(tools::FEATURES)?;
    for package in packages()?.iter().filter(|package| !package.features.is_empty()) {
        // Only libraries and programs: tests may use any feature.
        let hack = || {
            let mut command =
                cargo(&["hack", "clippy", "--quiet", "--locked", "--exclude-features", "default"]);
            command.arg("--manifest-path").arg(&package.manifest);
            command
        };
        if package.name != UMBRELLA {
            shell::run(hack().arg("--each-feature").args(DENY_WARNINGS))?;
        }
        let groups = match &*package.name {
            CORE => &GROUPS_OF_CORE[..],
            UMBRELLA => &GROUPS_OF_UMBRELLA,
            _ => &GROUPS,
        };
        shell::run(
            hack()
                .args(["--feature-powerset", "--depth", "2", "--ignore-unknown-features"])
                .args(groups.iter().flat_map(|group| ["--group-features", group]))
                .args(DENY_WARNINGS),
        )?;
    }
    Ok(())
}

/// The most packages that a spec crate may bring, itself included: with its default features, and without. The umbrella
/// crate brings the spec crates besides.
const MOST_PACKAGES: [(&[&str], usize); 2] = [(&[], 11), (&["--no-default-features"], 3)];

/// Counts the packages that a user of a spec crate builds.
fn dependencies() -> Result {
    let packages = packages()?;
    let libraries = packages.iter().filter(|package| package.is_library() && package.is_published);
    let ours: BTreeSet<_> = libraries.clone().map(|package| &package.name).collect();
    let (umbrellas, others): (Vec<_>, Vec<_>) = libraries.partition(|package| package.name == UMBRELLA);
    // A spec crate depends on the core, and on no other crate of the workspace.
    let is_spec =
        |package: &&&Package| package.depends_on.iter().filter(|name| ours.contains(name)).eq([CORE]);
    let specs: Vec<_> = others.iter().filter(is_spec).collect();
    if specs.is_empty() {
        return Err("found no spec crate".into());
    }
    let limits = specs.iter().map(|spec| (**spec, 0)).chain(umbrellas.iter().map(|it| (*it, specs.len())));
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
