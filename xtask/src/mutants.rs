//! Mutation testing: cargo-mutants changes the code at one place after the other, and a test should fail each time.
//!
//! `.cargo/mutants.toml` leaves out the changes that no test can find, and says why.

use crate::{
    figures::page::revision,
    records::Record,
    shell::{self, Result, cargo, stdout_of},
    tools,
    workspace::{self, CORE, FLEET, LEDGER, packages},
};
use clap::{Parser, ValueEnum};
use std::{
    fs,
    path::Path,
    process::Command,
    time::{Instant, SystemTime, UNIX_EPOCH},
};

#[derive(Parser)]
pub(crate) struct Options {
    /// The part of the code to test [default: all parts, one after the other]
    #[arg(value_enum)]
    group: Option<Group>,
    /// Test only the part K of N parts of the changes, counted from 0: 3/16 is the fourth of 16 parts
    #[arg(long, value_name = "K/N", conflicts_with = "write")]
    shard: Option<String>,
    /// Write records/mutants-PART.json
    #[arg(long)]
    write: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Group {
    /// What all specifications share
    Core,
    /// The generators of the specifications
    Generators,
    /// The ledgers of events
    Ledger,
    /// The state machine of fleets, and the thread of a node
    Fleet,
}

const TESTKIT: &str = "sortid-testkit";

impl Group {
    const ALL: [Self; 4] = [Self::Core, Self::Generators, Self::Ledger, Self::Fleet];

    const fn shown(self) -> &'static str {
        match self {
            Self::Core => "core",
            Self::Generators => "generators of the specifications",
            Self::Ledger => "ledgers",
            Self::Fleet => "state machine of fleets",
        }
    }

    /// The name of the folder with the results, and of the record.
    const fn name(self) -> &'static str {
        match self {
            Self::Core => "core",
            Self::Generators => "generators",
            Self::Ledger => "ledger",
            Self::Fleet => "fleet",
        }
    }

    fn packages(self) -> Result<Vec<String>> {
        Ok(match self {
            Self::Core => vec![CORE.to_owned()],
            Self::Generators => specs()?,
            Self::Ledger => vec![LEDGER.to_owned()],
            Self::Fleet => vec![FLEET.to_owned()],
        })
    }

    /// The files, without the folders of their crates.
    const fn files(self) -> &'static [&'static str] {
        match self {
            Self::Core | Self::Ledger => &["**/*.rs"],
            Self::Generators => &["generator.rs", "extension.rs", "lamport.rs", "scalable.rs"],
            Self::Fleet => &[
                "clock.rs",
                "fleet.rs",
                "generator.rs",
                "node.rs",
                "node/*.rs",
                "outcome.rs",
                "protocol.rs",
                "record.rs",
            ],
        }
    }

    /// The files that are left out: integrations have tests with databases, and the others are tests.
    const fn others(self) -> &'static [&'static str] {
        match self {
            Self::Core => &["integrations/**", "serde.rs", "model.rs", "model/**", "generator/tests.rs"],
            Self::Generators | Self::Ledger | Self::Fleet => &[],
        }
    }

    /// Tests that take seconds, and are left to the second round. These are the beginnings of their names.
    const fn slow(self) -> &'static [&'static str] {
        match self {
            Self::Core => &["a_child_never_repeats", "a_child_draws"],
            Self::Generators => &["threads_generate_a_million"],
            Self::Ledger | Self::Fleet => &[],
        }
    }

    /// The packages whose tests run after those of the changed crate found nothing.
    fn second(self) -> Result<Vec<String>> {
        Ok(match self {
            Self::Core => [specs()?, vec![CORE.to_owned(), TESTKIT.to_owned()]].concat(),
            Self::Generators => vec![TESTKIT.to_owned()],
            Self::Ledger => vec!["sortid-cli".to_owned()],
            Self::Fleet => vec!["fleet-model".to_owned()],
        })
    }
}

/// The names of the crates of the specifications.
fn specs() -> Result<Vec<String>> {
    Ok(packages()?.into_iter().filter(|package| package.is_spec).map(|package| package.name).collect())
}

/// How many days `cargo xtask ci --all` takes for all changes.
const DAYS: u64 = 16;

/// One part of the changes, and each day another part, for `cargo xtask ci --all`.
pub(crate) fn check() -> Result {
    let day = SystemTime::now().duration_since(UNIX_EPOCH)?.as_secs() / (24 * 60 * 60);
    run(&Options { group: None, shard: Some(format!("{}/{DAYS}", day % DAYS)), write: false })
}

pub(crate) fn run(options: &Options) -> Result {
    if options.shard.is_none() {
        eprintln!("Each part takes an hour or two on two cores.");
    }
    tools::install(tools::MUTANTS)?;
    let mut missed = vec![];
    for group in options.group.map_or(Group::ALL.to_vec(), |group| vec![group]) {
        let begun = Instant::now();
        let outcome = test(group, options.shard.as_deref())?;
        let about = format!("Mutants: {}", group.shown());
        let mut record = Record::new(&about, &["what", "number"], outcome.rows())?;
        record.notes = vec![format!("Revision {}.", revision(&["crates"])?)];
        println!("{record}\n{} minutes", begun.elapsed().as_secs() / 60);
        if options.write {
            record.write(&format!("mutants-{}", group.name()))?;
        }
        missed.extend(outcome.missed);
    }
    if missed.is_empty() {
        return Ok(());
    }
    Err(format!("no test finds these changes:\n{}", missed.join("\n")).into())
}

/// What happened to the mutants.
#[derive(Debug, Default, PartialEq)]
struct Outcome {
    unviable: usize,
    caught: usize,
    /// A test did not end: most of these mutants loop without end.
    timeout: usize,
    missed: Vec<String>,
    equivalent: usize,
}

impl Outcome {
    /// Adds a round. It ran the mutants that the round before did not catch.
    fn add(&mut self, results: &Path) -> Result {
        let lines = |name: &str| -> Result<Vec<String>> {
            let text = fs::read_to_string(results.join(name).with_extension("txt"))?;
            Ok(text.lines().map(ToOwned::to_owned).collect())
        };
        self.unviable += lines("unviable")?.len();
        self.caught += lines("caught")?.len();
        self.timeout = lines("timeout")?.len();
        self.missed = lines("missed")?;
        Ok(())
    }

    fn rows(&self) -> Vec<Vec<String>> {
        let Self { unviable, caught, timeout, equivalent, .. } = self;
        let (found, missed) = (caught + timeout, self.missed.len());
        let viable = found + missed;
        let share = 100.0 * found as f64 / viable.max(1) as f64;
        let rows = [
            ("mutants", (viable + unviable).to_string()),
            ("not compiled", unviable.to_string()),
            ("caught", found.to_string()),
            ("of these, by the time limit", timeout.to_string()),
            ("missed", missed.to_string()),
            ("caught of the compiled", format!("{share:.1} %")),
            ("make no difference, left out", equivalent.to_string()),
        ];
        rows.map(|(name, number)| vec![name.to_owned(), number]).to_vec()
    }
}

/// Runs the tests of the changed crate, and then more tests for the mutants that are left.
fn test(group: Group, shard: Option<&str>) -> Result<Outcome> {
    let folder = workspace::target()?.join("mutants").join(group.name());
    // Otherwise, the second round would leave out what earlier runs caught.
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(&folder)?;
    let results = folder.join("mutants.out");
    let mut outcome = Outcome { equivalent: equivalent(group)?, ..Outcome::default() };

    let mut first = mutants(group)?;
    first.args(shard.map(|shard| format!("--shard={shard}")));
    first.arg("--output").arg(&folder).args(["--", "--tests", "--"]);
    run_mutants(first.args(group.slow().iter().flat_map(|name| ["--skip", name])))?;
    outcome.add(&results)?;
    if outcome.missed.is_empty() {
        return Ok(outcome);
    }
    let mut second = mutants(group)?;
    second.args(shard.map(|shard| format!("--shard={shard}")));
    second.arg("--output").arg(&folder).arg("--iterate");
    for package in group.second()? {
        second.args(["--test-package", &package]);
    }
    run_mutants(second.args(["--", "--tests"]))?;
    outcome.add(&results)?;
    Ok(outcome)
}

/// The command that changes the code of the group.
fn mutants(group: Group) -> Result<Command> {
    let mut mutants = cargo(&["mutants", "--cargo-arg=--locked"]);
    let packages = group.packages()?;
    for package in &packages {
        mutants.args(["--package", package]);
    }
    let paths = |names: &[&str]| {
        let of_package = |package| names.iter().map(move |name| format!("crates/{package}/src/{name}"));
        packages.iter().flat_map(of_package).collect::<Vec<_>>()
    };
    for file in paths(group.files()) {
        mutants.args(["--file", &file]);
    }
    for file in paths(group.others()) {
        mutants.args(["--exclude", &file]);
    }
    // Each mutant is compiled and linked, and nobody debugs it.
    mutants.env("CARGO_PROFILE_TEST_DEBUG", "0").env("CARGO_PROFILE_DEV_DEBUG", "0");
    if group == Group::Ledger {
        mutants.arg("--all-features");
    }
    if matches!(group, Group::Core | Group::Generators) {
        // Compiling takes longer than the tests do.
        mutants.env("CARGO_PROFILE_TEST_OPT_LEVEL", "0");
    }
    Ok(mutants)
}

/// The number of mutants that `.cargo/mutants.toml` leaves out.
fn equivalent(group: Group) -> Result<usize> {
    let count = |args: &[&str]| -> Result<usize> {
        Ok(stdout_of(mutants(group)?.arg("--list").args(args))?.lines().count())
    };
    Ok(count(&["--no-config"])? - count(&[])?)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_share_counts_the_mutants_that_compile() {
        let missed = vec!["x".into()];
        let rows = Outcome { unviable: 1, caught: 2, timeout: 1, missed, equivalent: 2 }.rows();
        let numbers: Vec<_> = rows.iter().map(|row| &*row[1]).collect();
        assert_eq!(numbers, ["5", "1", "3", "1", "1", "75.0 %", "2"]);
    }
}
