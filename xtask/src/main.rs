//! The chores of the workspace: `cargo xtask --help` lists them.

#![forbid(unsafe_code)]

mod bench;
mod ci;
mod databases;
mod deny;
mod emulate;
mod engines;
mod figures;
mod fleet;
mod fuzz;
mod instructions;
mod interface;
mod model;
mod mutants;
mod no_std;
mod oldest;
mod once;
mod package;
mod prove;
mod python;
mod records;
mod sanitize;
mod serve;
mod shell;
mod soak;
mod sql;
mod tools;
mod unsafe_code;
mod web;
mod wheel;
mod workspace;

use clap::{Parser, Subcommand};
use figures::{collisions, cost, growth, index_sizes, layouts, performance, pictures};
use std::{env, path::PathBuf, process::ExitCode, time::Duration};

/// The chores of the sortid workspace
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Cli {
    #[command(subcommand)]
    chore: Chore,
}

#[derive(Subcommand)]
enum Chore {
    /// Run all checks that a change has to pass. Lists the tools that it will install first
    Ci(ci::Options),
    /// Measure beside the peers, and write the records, docs/performance.md and its chart. With a filter, only print
    Bench {
        /// Run only benchmarks whose name (`group/kind/name`) contains this text. Benchmarks of ledgers and of the
        /// program are chosen by group
        filter: Option<String>,
        /// Compare all outputs with the references, measure for a moment, and print
        #[arg(long)]
        quick: bool,
        /// Print a JSON object for each measurement, and write nothing
        #[arg(long)]
        json: bool,
        /// How often to run all benchmarks. The median of each counts
        #[arg(long, default_value_t = 5)]
        runs: u32,
        /// The minutes over which the runs are spread
        #[arg(long, default_value_t = 0)]
        minutes: u64,
    },
    /// Write the tables of docs/performance.md from the records, and draw its chart
    Charts,
    /// Compute how many IDs collide with a probability of one in a million, by specification and setting
    Collisions,
    /// Measure the cost of each crate as a dependency, and write the record and docs/performance.md
    Cost,
    /// Test the ID types against PostgreSQL, MariaDB, SQLite and Redis, and fleets against PostgreSQL and etcd
    Databases,
    /// Check licences, sources and banned crates with cargo-deny
    Deny {
        /// Check the advisories instead, and fetch their database
        #[arg(long)]
        advisories: bool,
    },
    /// Test the libraries on other machines: a big-endian one, and one with 32 bits. Takes an hour
    Emulate(emulate::Options),
    /// Lint and test the functions for DataFusion and Ballista, also on a cluster of processes
    Engines(engines::Options),
    /// Prove on real processes and servers, which are killed and stopped, that a fleet repeats no ID
    Fleet(fleet::Options),
    /// Fuzz some targets or all, and add the runs to records/fuzzing.json. Installs cargo-fuzz; the first build takes
    /// minutes
    Fuzz(fuzz::Options),
    /// Measure how times and memory grow with threads, batches and files, and write the records and docs/performance.md
    Growth {
        /// Use files of up to 10 GB instead of 1 GB
        #[arg(long)]
        long: bool,
    },
    /// Measure primary keys in PostgreSQL, and write the table of docs/choosing.md
    IndexSizes,
    /// Count the instructions of the hot paths with callgrind, and compare them with xtask/instructions.json
    Instructions {
        /// Write xtask/instructions.json
        #[arg(long)]
        update: bool,
    },
    /// List the public items of the published libraries in `crates/NAME/interface.txt`
    Interface,
    /// Draw the layouts in docs/layout/, and write the TypeScript of the fields, from the code; write the SQL of templates
    Layouts,
    /// Check the state that threads share in every interleaving, with loom
    Model,
    /// Change the code at one place after the other, and show which changes no test finds. Installs cargo-mutants; takes
    /// hours
    Mutants(mutants::Options),
    /// Link all spec crates into a program without std
    NoStd,
    /// Test the libraries with the least version of Rust that they state, by Debian's compiler
    Oldest,
    /// Run a test program, unless it is unchanged since it passed
    #[command(hide = true)]
    Once {
        passed: PathBuf,
        program: PathBuf,
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
    /// Package all published crates, build each package, and check its files
    Package,
    /// Draw the output of the program on a terminal as docs/inspect.svg
    Pictures {
        /// Write nothing, and fail if the committed picture differs
        #[arg(long)]
        check: bool,
    },
    /// Prove what the codecs, the generators and the fleets promise, for all inputs, on the machine code of a release build.
    /// Takes half an hour
    Prove(prove::Options),
    /// Build the wheel of the package for Python into target/wheels/, and test it with each Python that is there
    Python(wheel::Options),
    /// Print the records of measurements, fuzzing, mutants and other long runs. Without a name, list them
    Records {
        /// The beginnings of names
        names: Vec<String>,
    },
    /// Test the libraries with a sanitizer. Takes half an hour
    Sanitize {
        /// Use only this sanitizer
        #[arg(value_enum)]
        sanitizer: Option<sanitize::Sanitizer>,
    },
    /// Prove on servers that are killed and stopped that no ID is answered twice, or measure them beside Redis and PostgreSQL
    Serve(serve::Options),
    /// Make IDs for an hour in one process, while clocks step, threads come and go and the process forks, and check all
    Soak(soak::Options),
    /// Compare the SQL functions with the libraries, on real databases
    Sql(sql::Options),
    /// Check that only sortid-core has unsafe code, and only in one place
    UnsafeCode,
    /// Build the package for JavaScript and the inspector into target/web/, and test them in Node.js and Chromium
    Web(web::Options),
}

fn main() -> ExitCode {
    if let Some(libraries) = env::var_os(interface::LIBRARIES) {
        return exit(interface::rustdoc(&libraries));
    }
    exit(match Cli::parse().chore {
        Chore::Bench { filter, quick, json, runs, minutes } => {
            let spread_over = Duration::from_secs(60 * minutes);
            performance::run(&bench::Options { filter, is_quick: quick, runs, spread_over }, json)
        }
        Chore::Charts => performance::draw(),
        Chore::Ci(options) => ci::run(&options),
        Chore::Collisions => collisions::run(),
        Chore::Cost => cost::run(),
        Chore::Databases => databases::run(),
        Chore::Deny { advisories } => deny::run(advisories),
        Chore::Emulate(options) => emulate::run(&options),
        Chore::Engines(options) => engines::run(&options),
        Chore::Fleet(options) => fleet::run(&options),
        Chore::Fuzz(options) => fuzz::run(&options),
        Chore::Growth { long } => growth::run(long),
        Chore::IndexSizes => index_sizes::run(),
        Chore::Instructions { update } => instructions::run(update),
        Chore::Interface => interface::run(),
        Chore::Layouts => layouts::run(),
        Chore::Model => model::run(),
        Chore::Mutants(options) => mutants::run(&options),
        Chore::NoStd => no_std::run(),
        Chore::Oldest => oldest::run(),
        Chore::Once { passed, program, arguments } => once::run(&passed, &program, &arguments),
        Chore::Package => package::run(),
        Chore::Pictures { check: true } => pictures::check(),
        Chore::Pictures { .. } => pictures::run(),
        Chore::Prove(options) => prove::run(&options),
        Chore::Python(options) => wheel::run(options),
        Chore::Records { names } => records::run(&names),
        Chore::Sanitize { sanitizer } => sanitize::run(sanitizer),
        Chore::Serve(options) => serve::run(&options),
        Chore::Soak(options) => soak::run(&options),
        Chore::Sql(options) => sql::run(&options),
        Chore::UnsafeCode => unsafe_code::check(),
        Chore::Web(options) => web::run(options),
    })
}

fn exit(result: shell::Result) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error}");
            ExitCode::FAILURE
        }
    }
}
