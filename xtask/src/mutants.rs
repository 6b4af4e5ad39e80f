//! Mutation testing: cargo-mutants changes the code at one place after the other, and a test should fail each time.
//!
//! `.cargo/mutants.toml` leaves out the changes that no test can find, and says why.

use crate::{
    figures::page::{Page, revision},
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
    /// The part of the code. Without one, all parts, one after the other
    #[arg(value_enum)]
    group: Option<Group>,
    /// Only one of so many parts of the changes, counted from 0: 3/16 is the fourth of 16
    #[arg(long, value_name = "K/N", conflicts_with = "write")]
    shard: Option<String>,
    /// Write the table of docs/reliability.md
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

/// The name of the part of the page.
const PART: &str = "mutants";

const HEAD: &str = "| code | mutants | not compiled | caught | of these, by the time limit | missed | caught of the compiled | \
                    equivalent, left out | revision |\n|---|---|---|---|---|---|---|---|---|\n";

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

    /// The begin of the row.
    fn head(self) -> String {
        format!("| {} |", self.shown())
    }

    /// The name of the folder with the results.
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

/// One part of the changes, another one each day, for `cargo xtask ci --all`.
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
        let row = outcome.row(group, &revision(&["crates"])?);
        print!("{HEAD}{row}");
        println!("{}: {} minutes", group.shown(), begun.elapsed().as_secs() / 60);
        if options.write {
            let mut page = Page::read("reliability.md")?;
            let rows = with_row(page.part(PART)?, group, &row);
            page.replace(PART, &format!("{HEAD}{rows}"))?;
            page.write()?;
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

    /// The row of the table.
    fn row(&self, group: Group, revision: &str) -> String {
        let Self { unviable, caught, timeout, equivalent, .. } = self;
        let (found, missed) = (caught + timeout, self.missed.len());
        let (viable, head) = (found + missed, group.head());
        let share = 100.0 * found as f64 / viable.max(1) as f64;
        let all = viable + unviable;
        format!(
            "{head} {all} | {unviable} | {found} | {timeout} | {missed} | {share:.1} % | {equivalent} | {revision} |\n"
        )
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

/// The rows of the table, with this row instead of that of the group.
fn with_row(table: &str, group: Group, row: &str) -> String {
    let rows = Group::ALL.map(|it| {
        let old = table.lines().find(|line| line.starts_with(&it.head())).map(|line| format!("{line}\n"));
        if it == group { row.to_owned() } else { old.unwrap_or_default() }
    });
    rows.concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_replaces_that_of_its_group_alone() {
        let outcome =
            |caught| Outcome { unviable: 1, caught, timeout: 1, equivalent: 2, ..Outcome::default() };
        let [fleet, old, new] = [
            outcome(1).row(Group::Fleet, "a"),
            outcome(2).row(Group::Core, "b"),
            Outcome { missed: vec!["x".into()], ..outcome(2) }.row(Group::Core, "c"),
        ];
        assert_eq!(new, "| core | 5 | 1 | 3 | 1 | 1 | 75.0 % | 2 | c |\n");
        let table = with_row(&with_row(HEAD, Group::Fleet, &fleet), Group::Core, &old);
        assert_eq!(table, format!("{old}{fleet}"));
        assert_eq!(with_row(&table, Group::Core, &new), format!("{new}{fleet}"));
    }
}
