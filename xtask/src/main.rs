//! Every chore of the workspace: `cargo xtask --help`.

mod bench;
mod ci;
mod collisions;
mod cost;
mod databases;
mod debian;
mod docs;
mod fuzz;
mod growth;
mod instructions;
mod no_std;
mod package;
mod page;
mod pictures;
mod shell;
mod svg;

use clap::{Parser, Subcommand};
use shell::{Result, cargo};
use std::process::ExitCode;

/// The chores of the sortid workspace.
#[derive(Parser)]
#[command(name = "cargo xtask")]
struct Cli {
    #[command(subcommand)]
    chore: Chore,
}

#[derive(Subcommand)]
enum Chore {
    /// Everything that has to hold before a change lands: format, lints, tests, models, databases,
    /// examples, docs, features, `no_std`, dependencies, packages, fuzzing, benchmarks, pictures, instructions
    Ci,
    /// Benchmarks beside the peers, cost and growth: writes docs/performance.md and its charts. With a filter it only prints
    Bench {
        /// Only those whose name, `group/kind/name`, contains this; of ledgers and the program those whose group does
        filter: Option<String>,
        /// Compares all outputs with the references, measures for a moment, prints, and writes nothing
        #[arg(long)]
        quick: bool,
        /// Prints an object for each measurement, and writes nothing
        #[arg(long)]
        json: bool,
        /// All benchmarks so many times; of each the least median counts
        #[arg(long, default_value_t = 2)]
        rounds: u32,
    },
    /// What it costs to depend on a crate: packages, seconds to build, bytes of a program. Writes its part of docs/performance.md
    Cost,
    /// Tests the ID types against PostgreSQL, MariaDB and SQLite
    Databases,
    /// Birthday bounds: how many IDs make a collision one in a million, by specification and setting
    Collisions,
    /// Licences, sources and banned crates, by cargo-deny
    Deny {
        /// Also the advisories, whose database is fetched
        #[arg(long)]
        advisories: bool,
    },
    /// Fuzzes one target or all: with `AddressSanitizer` where there is a nightly toolchain, without it elsewhere
    Fuzz {
        /// Only this one
        target: Option<String>,
        /// For each target
        #[arg(long, default_value_t = 60)]
        seconds: u32,
        /// By the toolchain in use, without `AddressSanitizer`: several times the executions
        #[arg(long)]
        no_sanitizer: bool,
        /// Makes the committed corpus of what was found here, and fuzzes nothing
        #[arg(long)]
        pack: bool,
    },
    /// The state that threads share, in every interleaving, by loom
    Model,
    /// How times and memory grow with threads, batches and files. Writes its part of docs/performance.md, and a chart
    Growth {
        /// Files of up to 10 GB instead of 1 GB
        #[arg(long)]
        long: bool,
    },
    /// Instructions of the hot paths, by callgrind, beside the baseline in xtask/instructions.json
    Instructions {
        /// Makes them the baseline
        #[arg(long)]
        update: bool,
    },
    /// Draws the layouts in docs/ from what the code does
    Layouts,
    /// Measures primary keys in PostgreSQL, for the table of docs/choosing.md
    IndexSizes,
    /// What the program shows on a terminal, as SVG: writes docs/inspect.svg
    Pictures {
        /// Writes nothing, and fails where the committed picture is another one
        #[arg(long)]
        check: bool,
    },
    /// Links all spec crates into a program without std
    NoStd,
    /// Packages all crates that are published, builds each package, and looks for what is missing or too much
    Package,
}

fn main() -> ExitCode {
    let result = match Cli::parse().chore {
        Chore::Bench { filter, quick, json, rounds } => {
            bench::run(&bench::Options { filter, is_quick: quick, is_json: json, rounds })
        }
        Chore::Ci => ci::run(),
        Chore::Cost => cost::run(),
        Chore::Databases => databases::run(),
        Chore::Collisions => collisions::run(),
        Chore::Deny { advisories } => deny(advisories),
        Chore::Fuzz { pack: true, .. } => fuzz::pack(),
        Chore::Fuzz { target, seconds, no_sanitizer, .. } => {
            fuzz::run(target.as_deref(), seconds, no_sanitizer)
        }
        Chore::Model => model(),
        Chore::Growth { long } => growth::run(long),
        Chore::Instructions { update } => instructions::run(update),
        Chore::Layouts => docs::layouts(),
        Chore::IndexSizes => docs::index_sizes(),
        Chore::Pictures { check: true } => pictures::check(),
        Chore::Pictures { .. } => pictures::run(),
        Chore::NoStd => no_std::run(),
        Chore::Package => package::run(),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Not a step of `ci`: installing cargo-deny takes longer than all of them. Advisories need the network.
fn deny(advisories: bool) -> Result {
    if shell::stdout_of(&mut cargo(&["deny", "--version"])).is_err() {
        shell::run(&mut cargo(&["install", "--locked", "cargo-deny"]))?;
    }
    let checks: &[&str] = if advisories { &["advisories"] } else { &["licenses", "bans", "sources"] };
    for package in [".", "fuzz", "examples/orders", "xtask/no-std"] {
        let mut deny =
            cargo(&["deny", "--locked", "--workspace", "--config", "deny.toml", "--manifest-path"]);
        shell::run(deny.args([&format!("{package}/Cargo.toml"), "check"]).args(checks))?;
    }
    Ok(())
}

/// The cfg changes what is built of other crates too: hence a target directory of its own.
fn model() -> Result {
    let mut test = cargo(&["test", "--locked", "--package", "sortid-core", "--lib", "--target-dir"]);
    test.arg(shell::root().join("target/loom")).args(["model::", "--", "--nocapture"]);
    shell::run(test.env("RUSTFLAGS", "--cfg loom"))
}
