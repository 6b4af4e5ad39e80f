//! `cargo xtask ci`: what every change has to pass. `cargo xtask ci --all`: everything there is.

mod features;
mod times;
mod versions;

use crate::{
    bench, databases, emulate, engines, figures, fleet, fuzz, instructions, interface, model, mutants,
    no_std, oldest, once, package, prove, sanitize, serve,
    shell::{self, Result, cargo, stdout_of},
    soak, sql,
    tools::{self, Tool},
    unsafe_code, web, wheel,
    workspace::{FLEET, LEDGER, Package, SQL, UMBRELLA, packages, target},
};
use clap::builder::PossibleValuesParser;
use std::{
    collections::BTreeSet,
    env,
    process::Command,
    time::{Duration, Instant},
};
use times::Times;

#[derive(clap::Args)]
pub(crate) struct Options {
    /// Run only these steps, each with the checks that a change has to pass, or whole if only `--all` runs it
    #[arg(value_name = "STEP", value_parser = PossibleValuesParser::new(STEPS.iter().map(|step| step.name)))]
    steps: Vec<String>,
    /// Run all steps whole: all databases, clusters, pairs of features, sanitizers and other machines. Takes hours
    #[arg(long)]
    all: bool,
}

/// A step, and the tools that it installs.
struct Step {
    name: &'static str,
    /// What a change has to pass. `None` if the step is left to `ci --all`.
    change: Option<Check>,
    /// Everything that the step can check.
    whole: Check,
}

#[derive(Clone, Copy)]
struct Check {
    run: fn() -> Result,
    tools: &'static [Tool],
}

/// The steps in the order in which they run: the quick ones first, and a step that uses what another one built after
/// that one.
const STEPS: &[Step] = &[
    Step::same("format", format, tools::FORMAT),
    Step::same("unsafe-code", unsafe_code::check, &[]),
    Step::same("lints", lints, tools::LINTS),
    Step::same("docs", interface::check, &[]),
    Step::both(
        "features",
        (features::least_and_default, tools::LINTS),
        (features::all_pairs, tools::FEATURES),
    ),
    Step::both("tests", (tests, tools::TESTS), (databases::test_all, tools::DATABASES)),
    Step::both("examples", (examples, &[]), (all_examples, tools::EXAMPLES)),
    Step::both("fleet", (fleet::check, tools::FLEET_IN_A_DIRECTORY), (fleet::check_all, tools::FLEET)),
    Step::both("serve", (serve::check, tools::FLEET_IN_A_DIRECTORY), (serve::check_all, tools::FLEET)),
    Step::both("sql", (sql::check, tools::SQL_WITHOUT_SERVERS), (sql::check_all, tools::SQL)),
    Step::both("model", (model::check, &[]), (model::run, &[])),
    Step::same("no_std", no_std::run, &[]),
    Step::same("dependencies", dependencies, &[]),
    Step::whole("figures", figures::check, &[]),
    Step::both("fuzz", (fuzz::replay, &[]), (fuzz::check, tools::FUZZ)),
    Step::whole("instructions", instructions::check, tools::INSTRUCTIONS),
    Step::whole("package", package::run, &[]),
    Step::whole("web", web::check, tools::WEB_TESTS),
    Step::whole("python", wheel::check, tools::WHEEL),
    Step::whole("engines", engines::check, tools::LINTS),
    Step::whole("bench", bench::check, &[]),
    Step::whole("sanitize", || sanitize::run(None), tools::SANITIZE),
    Step::whole("oldest", oldest::run, &[]),
    Step::whole("emulate", emulate::check, tools::S390X),
    Step::whole("soak", soak::check, &[]),
    Step::whole("prove", prove::check, tools::PROVE),
    Step::whole("mutants", mutants::check, tools::MUTANTS),
];

impl Step {
    const fn same(name: &'static str, run: fn() -> Result, tools: &'static [Tool]) -> Self {
        let check = Check { run, tools };
        Self { name, change: Some(check), whole: check }
    }

    const fn both(
        name: &'static str,
        (change, needed): (fn() -> Result, &'static [Tool]),
        (whole, tools): (fn() -> Result, &'static [Tool]),
    ) -> Self {
        Self { name, change: Some(Check { run: change, tools: needed }), whole: Check { run: whole, tools } }
    }

    const fn whole(name: &'static str, run: fn() -> Result, tools: &'static [Tool]) -> Self {
        Self { name, change: None, whole: Check { run, tools } }
    }
}

const DENY_WARNINGS: [&str; 3] = ["--", "--deny", "warnings"];

/// Tests that visit more states, or kill more processes, if this variable is set.
const LONG: &str = "SORTID_LONG";

/// Runs all steps, even if one fails, so that one run shows all failures.
pub(crate) fn run(options: &Options) -> Result {
    if options.all && env::var_os(LONG).is_none() {
        return shell::run(Command::new(env::current_exe()?).args(env::args_os().skip(1)).env(LONG, "1"));
    }
    let checks: Vec<_> = STEPS.iter().filter_map(|step| Some((step.name, options.check(step)?))).collect();
    let tools: Vec<_> = checks.iter().map(|(_, check)| check.tools).collect();
    tools::agree(&tools)?;
    let mut times = Times::read(if options.all { "all" } else { "change" })?;
    let mut results = vec![];
    for (name, check) in checks {
        eprintln!("\n== {name}");
        let started = Instant::now();
        let result = (check.run)();
        if let Err(error) = &result {
            eprintln!("{name}: {error}");
        }
        let (took, before) = (started.elapsed(), times.of(name));
        if result.is_ok() {
            times.keep(name, took)?;
        }
        results.push((name, result.is_ok(), took, before));
    }
    eprintln!("\n{:<20} {:>6} {:>6}", "", "now", "before");
    for (name, has_passed, took, before) in &results {
        let before = before.map_or_else(String::new, |before| format!("{} s", before.as_secs()));
        let state = if *has_passed { "ok" } else { "FAILED" };
        eprintln!("{state:<6} {name:<13} {:>4} s {before:>6}", took.as_secs());
    }
    let took: Duration = results.iter().map(|(_, _, took, _)| took).sum();
    let failed = results.iter().filter(|(_, has_passed, ..)| !has_passed).count();
    eprintln!("{:<20} {:>4} s", "", took.as_secs());
    println!("{} passed, {failed} failed", results.len() - failed);
    if failed == 0 { Ok(()) } else { Err(format!("{failed} of {} steps failed", results.len()).into()) }
}

impl Options {
    /// What to do for a step, if anything.
    fn check(&self, step: &Step) -> Option<Check> {
        if self.steps.is_empty() {
            return if self.all { Some(step.whole) } else { step.change };
        }
        let is_wanted = self.steps.iter().any(|name| name == step.name);
        let check = step.change.filter(|_| !self.all).unwrap_or(step.whole);
        is_wanted.then_some(check)
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

/// All tests that need no server.
fn tests() -> Result {
    tools::install(tools::TESTS)?;
    let tests = || cargo(&["test", "--locked", "--no-fail-fast", "--workspace", "--all-features"]);
    let mut programs = tests();
    once::through_here(&mut programs)?;
    let passed = shell::run(programs.args(["--lib", "--bins", "--tests"]));
    shell::run(tests().arg("--doc")).and(passed)
}

/// The examples that show a crate without its default features.
const WITHOUT_FEATURES: [&str; 2] = ["no_std", "wasm"];

/// Runs the examples of each crate.
fn examples() -> Result {
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
    Ok(())
}

/// The same, and tests the packages that use the crates as users do.
fn all_examples() -> Result {
    tools::install(tools::EXAMPLES)?;
    examples()?;
    versions::test()?;
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

/// The most packages that a spec crate may bring, itself included.
const MOST: usize = 10;

/// The same without default features.
const MOST_WITHOUT_FEATURES: usize = 3;

/// What `evently-ledger` brings besides `evently-id`: itself, `crc32c`, the two packages that build `crc32c`, and
/// `ryu-js` and `simdutf8`, which have no dependencies.
const MORE_OF_LEDGER: usize = 6;

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
    let specs = libraries.iter().filter(|library| library.is_spec).count();
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
            _ if library.is_spec => (MOST, Some(MOST_WITHOUT_FEATURES)),
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// The steps that the jobs of a workflow run.
    fn steps_of(workflow: &str) -> BTreeSet<&str> {
        let (_, matrix) = workflow.split_once("        steps:\n").unwrap();
        matrix
            .lines()
            .map_while(|line| line.strip_prefix("          - "))
            .flat_map(|job| job.split(' '))
            .collect()
    }

    #[test]
    fn the_workflows_run_each_step() {
        let changes = STEPS.iter().filter(|step| step.change.is_some()).map(|step| step.name).collect();
        assert_eq!(steps_of(include_str!("../../.github/workflows/ci.yml")), changes);
        let all = STEPS.iter().map(|step| step.name).collect();
        assert_eq!(steps_of(include_str!("../../.github/workflows/nightly.yml")), all);
    }
}
