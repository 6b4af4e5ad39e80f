//! `cargo xtask ci`: what every change has to pass. `cargo xtask ci --all`: everything there is.

mod features;
mod versions;

use crate::{
    bench, chaos, databases, emulate, engines, fuzz, instructions, interface, model, mutants, no_std, oldest,
    package, prove, python, sanitize,
    shell::{self, DENY_WARNINGS, Result, cargo, stdout_of},
    sql,
    tools::{self, Tool},
    unsafe_code, web, workflows,
    workspace::{FLEET, LEDGER, Package, SQL, UMBRELLA, packages, target},
};
use clap::builder::PossibleValuesParser;
use std::{collections::BTreeSet, env, process::Command, thread, time::Instant};

#[derive(clap::Args)]
pub(crate) struct Options {
    /// Run only these steps, each with the checks that a change has to pass, or whole if only `--all` runs it
    #[arg(value_name = "STEP", value_parser = PossibleValuesParser::new(STEPS.iter().map(|step| step.name)))]
    steps: Vec<String>,
    /// Run all steps whole: all databases, clusters, pairs of features, sanitizers and other machines. Takes hours
    #[arg(long)]
    all: bool,
}

struct Step {
    name: &'static str,
    /// What a change has to pass. `None` if the step is left to `ci --all`.
    change: Option<Check>,
    /// Everything that the step can check.
    whole: Check,
}

/// A function, and the tools that it installs.
type Check = (fn() -> Result, &'static [Tool]);

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
    Step::both("chaos", (chaos::check, tools::CHAOS_IN_A_DIRECTORY), (chaos::check_all, tools::CHAOS)),
    Step::both("sql", (sql::check, tools::SQL_WITHOUT_SERVERS), (sql::check_all, tools::SQL)),
    Step::same("model", model::run, &[]),
    Step::same("no_std", no_std::run, &[]),
    Step::same("dependencies", dependencies, &[]),
    Step::both("fuzz", (fuzz::replay, &[]), (fuzz::check, tools::FUZZ)),
    Step::whole("instructions", instructions::check, tools::INSTRUCTIONS),
    Step::whole("package", package::run, &[]),
    Step::whole("web", || web::run(web::Options::default()), tools::WEB_TESTS),
    Step::whole("python", || python::run(python::Options::default()), tools::WHEEL),
    Step::whole("engines", engines::check, tools::LINTS),
    Step::whole("bench", bench::check, &[]),
    Step::whole("sanitize", || sanitize::run(None), tools::SANITIZE),
    Step::whole("workflows", workflows::check, tools::WORKFLOWS),
    Step::whole("oldest", oldest::run, &[]),
    Step::whole("emulate", || emulate::run(None), tools::AARCH64),
    Step::whole("prove", prove::check, tools::PROVE),
    Step::whole("mutants", mutants::check, tools::MUTANTS),
];

impl Step {
    const fn same(name: &'static str, run: fn() -> Result, tools: &'static [Tool]) -> Self {
        Self::both(name, (run, tools), (run, tools))
    }

    const fn both(name: &'static str, change: Check, whole: Check) -> Self {
        Self { name, change: Some(change), whole }
    }

    const fn whole(name: &'static str, run: fn() -> Result, tools: &'static [Tool]) -> Self {
        Self { name, change: None, whole: (run, tools) }
    }
}

/// Tests that visit more states, or kill more processes, if this variable is set.
const LONG: &str = "SORTID_LONG";

/// Runs all steps, even if one fails, so that one run shows all failures.
pub(crate) fn run(options: &Options) -> Result {
    if options.all && env::var_os(LONG).is_none() {
        return shell::run(Command::new(env::current_exe()?).args(env::args_os().skip(1)).env(LONG, "1"));
    }
    let checks: Vec<_> = STEPS.iter().filter_map(|step| Some((step.name, options.check(step)?))).collect();
    tools::agree(&checks.iter().map(|(_, (_, tools))| *tools).collect::<Vec<_>>())?;
    let mut results = vec![];
    for (name, (run, _)) in checks {
        eprintln!("\n== {name}");
        let started = Instant::now();
        let result = run();
        if let Err(error) = &result {
            eprintln!("{name}: {error}");
        }
        results.push((name, result.is_ok(), started.elapsed().as_secs()));
    }
    eprintln!();
    for (name, has_passed, took) in &results {
        eprintln!("{:<6} {name:<13} {took:>4} s", if *has_passed { "ok" } else { "FAILED" });
    }
    let failed = results.iter().filter(|(_, has_passed, _)| !has_passed).count();
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
    shell::run(&mut all_tests()?)
}

/// All tests of the workspace, each program with more tests at a time than there are cores: most tests of fleets wait.
pub(crate) fn all_tests() -> Result<Command> {
    const THREADS: &str = "RUST_TEST_THREADS";
    let mut tests = cargo(&["test", "--locked", "--no-fail-fast", "--workspace", "--all-features"]);
    if env::var_os(THREADS).is_none() {
        tests.env(THREADS, (4 * thread::available_parallelism()?.get()).to_string());
    }
    Ok(tests)
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

/// The most packages that a user of a library builds, itself included, by the features that the user turns on or off.
/// `SPECS` stands for each crate of a specification. Of the 16 packages of ledgers, 10 are those of `evently-id`; the
/// others are `crc32c`, two packages that build it, `ryu-js` and `simdutf8`. TLS is most of a client of fleets.
const MOST: [(&str, &str, usize); 9] = [
    (SPECS, "", 10),
    (SPECS, "--no-default-features", 3),
    (UMBRELLA, "", 15),
    (UMBRELLA, "--no-default-features", 3),
    (SQL, "", 1),
    (LEDGER, "", 16),
    (FLEET, "", 25),
    (FLEET, "--features=etcd", 49),
    (FLEET, "--features=postgres", 96),
];
const SPECS: &str = "SPECS";

/// Counts the packages that a user of a library builds.
fn dependencies() -> Result {
    let packages = packages()?;
    for (name, features, most) in MOST {
        let is_meant = |it: &&Package| if name == SPECS { it.is_spec } else { it.name == name };
        let mut libraries = packages.iter().filter(is_meant).peekable();
        libraries.peek().ok_or_else(|| format!("found no {name}"))?;
        libraries.try_for_each(|library| at_most(most, library, features))?;
    }
    Ok(())
}

fn at_most(most: usize, library: &Package, features: &str) -> Result {
    let mut tree =
        cargo(&["tree", "--locked", "--edges", "normal,build", "--prefix", "none", "--format", "{p}"]);
    tree.args(["--package", &library.id]).args((!features.is_empty()).then_some(features));
    let tree = stdout_of(&mut tree)?;
    let found: BTreeSet<_> = tree.lines().map(|line| line.trim_end_matches(" (*)")).collect();
    let (name, found) = (&library.name, found.len());
    eprintln!("{name} {features}: {found} packages, at most {most}");
    if found > most {
        return Err(format!("{name} brings {found} packages, at most {most}:\n{tree}").into());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

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
