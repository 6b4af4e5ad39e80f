//! `cargo xtask ci`: all checks that a change has to pass.

use crate::{
    bench, databases, engines,
    figures::pictures,
    fleet, fuzz, instructions, model, no_std, package,
    shell::{self, Result, cargo, stdout_of},
    sql, tools, unsafe_code, web,
    workspace::{CORE, FLEET, LEDGER, Package, SQL, UMBRELLA, packages, target},
};
use std::{
    collections::BTreeSet,
    env,
    process::Command,
    time::{Duration, Instant},
};

type Step = (&'static str, fn() -> Result);

const STEPS: &[Step] = &[
    ("format", format),
    ("unsafe code", unsafe_code::check),
    ("lints", lints),
    ("tests", tests),
    ("fleet", fleet::check),
    ("sql", sql::check),
    ("engines", engines::check),
    ("model", model::run),
    ("examples", examples),
    ("docs", docs),
    ("features", features),
    ("no_std", no_std::run),
    ("web", web::check),
    ("dependencies", dependencies),
    ("package", package::run),
    ("fuzz", fuzz::check),
    ("bench", bench::check),
    ("pictures", pictures::check),
    ("instructions", instructions::check),
];

const DENY_WARNINGS: [&str; 3] = ["--", "--deny", "warnings"];

/// The setting of cargo for incremental builds.
const INCREMENTAL: &str = "CARGO_INCREMENTAL";

/// Runs all steps, even if one fails, so that one run shows all failures.
pub(crate) fn run() -> Result {
    if env::var_os(INCREMENTAL).is_none() {
        // Incremental builds save time when the same folder builds a changed crate again. They take gigabytes.
        return shell::run(Command::new(env::current_exe()?).arg("ci").env(INCREMENTAL, "0"));
    }
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
    let target = target()?.join("examples");
    let test = |package: &str| {
        let mut test = cargo(&["test", "--locked", "--manifest-path"]);
        test.arg(format!("examples/{package}/Cargo.toml")).arg("--target-dir").arg(&target);
        // The debug information of the web framework and the database drivers takes a gigabyte.
        test.env("CARGO_PROFILE_DEV_DEBUG", "0");
        test
    };
    shell::run(&mut test("orders"))?;
    databases::with_postgres(|url| shell::run(test("service").env("SORTID_POSTGRES", url)))
}

fn docs() -> Result {
    let doc = ["doc", "--locked", "--workspace", "--no-deps", "--all-features"];
    shell::run(cargo(&doc).env("RUSTDOCFLAGS", "-D warnings"))
}

/// Features of the core that share no code. Each group counts as one feature when pairs of features are built: otherwise
/// there would be more than a hundred pairs.
const GROUPS_OF_CORE: [&str; 4] = [
    "arbitrary,async-graphql,borsh,bytemuck,defmt,proptest,redis,rkyv,schemars,serde,utoipa,zerocopy",
    "chrono,jiff,js,time",
    "diesel-sqlite,mysql_common,rusqlite,sea-orm",
    "postgres-types,sqlx-postgres",
];

/// The same for the other crates. They have code of their own for `alloc`, `bytemuck`, `serde`, `std` and `zerocopy`, and
/// forward the rest to the core.
const GROUPS: [&str; 1] = [
    "arbitrary,async-graphql,borsh,chrono,defmt,diesel,diesel-sqlite,jiff,js,mysql_common,postgres-types,proptest,redis,rkyv,rusqlite,schemars,sea-orm,sqlx,sqlx-postgres,time,utoipa,uuid",
];

/// The same for the umbrella crate, which forwards all features to the spec crates.
const GROUPS_OF_UMBRELLA: [&str; 2] = [
    "euid,ron-uid,scru160,ulid-flake",
    "arbitrary,async-graphql,borsh,bytemuck,chrono,defmt,diesel,diesel-sqlite,jiff,js,mysql_common,postgres-types,proptest,redis,rkyv,rusqlite,schemars,sea-orm,sqlx,sqlx-postgres,time,utoipa,uuid,zerocopy",
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

/// The most packages that a spec crate may bring, itself included.
const MOST: usize = 11;

/// The same without default features.
const MOST_WITHOUT_FEATURES: usize = 3;

/// What `evently-ledger` brings besides `evently-id`: itself, `crc32c`, the two packages that build `crc32c`, and
/// `simdutf8`, which has no dependencies.
const MORE_OF_LEDGER: usize = 5;

/// The most packages that `sortid-fleet` may bring, by features: TLS is most of a client.
const MOST_OF_FLEET: [(usize, &[&str]); 3] = [
    (FLEET_ALONE, &[]),
    (FLEET_ALONE + 24, &["--features", "etcd"]),
    (FLEET_ALONE + 71, &["--features", "postgres"]),
];
const FLEET_ALONE: usize = 25;

/// Counts the packages that a user of a library builds.
fn dependencies() -> Result {
    let packages = packages()?;
    let libraries: Vec<_> =
        packages.iter().filter(|package| package.is_library() && package.is_published).collect();
    // A spec crate depends on the core, and on no other crate of the workspace. So does the crate of fleets.
    let ours: BTreeSet<_> = libraries.iter().map(|library| &library.name).collect();
    let is_spec = |library: &Package| {
        library.name != FLEET && library.depends_on.iter().filter(|name| ours.contains(name)).eq([CORE])
    };
    let specs = libraries.iter().filter(|library| is_spec(library)).count();
    if specs == 0 {
        return Err("found no spec crate".into());
    }
    for library in libraries {
        let (most, without_features) = match &*library.name {
            UMBRELLA => (MOST + specs, Some(MOST_WITHOUT_FEATURES)),
            SQL => (1, None),
            // It has no default features.
            LEDGER => (MOST + MORE_OF_LEDGER, None),
            FLEET => {
                for (most, features) in MOST_OF_FLEET {
                    at_most(most, library, features)?;
                }
                continue;
            }
            _ if is_spec(library) => (MOST, Some(MOST_WITHOUT_FEATURES)),
            _ => continue,
        };
        at_most(most, library, &[])?;
        if let Some(most) = without_features {
            at_most(most, library, &["--no-default-features"])?;
        }
    }
    Ok(())
}

fn at_most(most: usize, library: &Package, features: &[&str]) -> Result {
    let tree = ["tree", "--locked", "--edges", "normal,build", "--prefix", "none", "--format", "{p}"];
    let tree = stdout_of(cargo(&tree).args(["--package", &library.id]).args(features))?;
    let found: BTreeSet<_> = tree.lines().map(|line| line.trim_end_matches(" (*)")).collect();
    let (name, found) = (&library.name, found.len());
    eprintln!("{name} {}: {found} packages, at most {most}", features.join(" "));
    if found > most {
        return Err(format!("{name} brings {found} packages, at most {most}:\n{tree}").into());
    }
    Ok(())
}
