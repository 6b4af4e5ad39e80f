//! Mutation testing: cargo-mutants changes the code at one place after the other, and a test should fail each time.
//!
//! `.cargo/mutants.toml` has the files, and leaves out the changes that no test can find.

use crate::{
    shell::{self, Result, cargo},
    tools,
    workspace::{CORE, FLEET, LEDGER, packages, target},
};
use std::{
    fs,
    process::Command,
    time::{SystemTime, UNIX_EPOCH},
};

#[derive(clap::Args)]
pub(crate) struct Options {
    /// The part of the code to test [default: all parts, one after the other]
    #[arg(value_parser = ["core", "generators", "ledger", "fleet"])]
    part: Option<String>,
    /// Test only the part K of N parts of the changes, counted from 0: 3/16 is the fourth of 16 parts
    #[arg(long, value_name = "K/N")]
    shard: Option<String>,
}

/// How many days `cargo xtask ci --all` takes for all changes.
const DAYS: u64 = 16;

/// One part of the changes, and each day another part, for `cargo xtask ci --all`.
pub(crate) fn check() -> Result {
    let day = SystemTime::now().duration_since(UNIX_EPOCH)?.as_secs() / (24 * 60 * 60);
    run(&Options { part: None, shard: Some(format!("{}/{DAYS}", day % DAYS)) })
}

/// The name of a part, the changed packages, the beginnings of the names of tests that take seconds, and the packages whose
/// tests run when those of the changed package found nothing.
type Part<'a> = (&'a str, &'a [&'a str], &'a [&'a str], &'a [&'a str]);

pub(crate) fn run(options: &Options) -> Result {
    tools::install(tools::MUTANTS)?;
    let packages = packages()?;
    let specs: Vec<_> = packages.iter().filter(|it| it.is_spec).map(|it| &*it.name).collect();
    let all: [Part<'_>; 4] = [
        (
            "core",
            &[CORE],
            &["a_child_never_repeats", "a_child_draws"],
            &[&[CORE, "sortid-testkit"], &*specs].concat(),
        ),
        ("generators", &specs, &["threads_generate_a_million"], &["sortid-testkit"]),
        ("ledger", &[LEDGER], &[], &["sortid-cli"]),
        ("fleet", &[FLEET], &[], &["fleet-model"]),
    ];
    let mut missed = String::new();
    for (name, changed, slow, second) in all {
        if options.part.as_deref().is_some_and(|part| part != name) {
            continue;
        }
        // Otherwise, the second round would leave out what earlier runs caught.
        let folder = target()?.join("mutants").join(name);
        shell::empty(&folder)?;
        let mutants = || {
            let mut mutants = cargo(&["mutants", "--cargo-arg=--locked", "--output"]);
            mutants.arg(&folder).args(changed.iter().flat_map(|package| ["--package", package]));
            mutants.args(options.shard.iter().flat_map(|shard| ["--shard", shard]));
            mutants.args((name == "ledger").then_some("--all-features"));
            // Each mutant is compiled and linked, and nobody debugs it. Most take longer to compile than to test.
            mutants.env("CARGO_PROFILE_TEST_DEBUG", "0").env("CARGO_PROFILE_DEV_DEBUG", "0");
            mutants.envs(
                ["core", "generators"].contains(&name).then_some(("CARGO_PROFILE_TEST_OPT_LEVEL", "0")),
            );
            mutants
        };
        let skipped = slow.iter().flat_map(|name| ["--skip", name]);
        run_mutants(mutants().args(["--", "--tests", "--"]).args(skipped))?;
        let found = || fs::read_to_string(folder.join("mutants.out/missed.txt"));
        if found()?.is_empty() {
            continue;
        }
        let more = second.iter().flat_map(|package| ["--test-package", package]);
        run_mutants(mutants().arg("--iterate").args(more).args(["--", "--tests"]))?;
        missed += &found()?;
    }
    if missed.is_empty() { Ok(()) } else { Err(format!("no test finds these changes:\n{missed}").into()) }
}

/// Runs cargo-mutants. The run succeeds even if tests miss a mutant, or a mutant does not end.
fn run_mutants(command: &mut Command) -> Result {
    const MISSED: i32 = 2;
    const TIMEOUT: i32 = 3;
    eprintln!("$ {}", shell::shown(command));
    match command.status()?.code() {
        Some(0 | MISSED | TIMEOUT) => Ok(()),
        code => Err(format!("cargo-mutants failed: {code:?}").into()),
    }
}
