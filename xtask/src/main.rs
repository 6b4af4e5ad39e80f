//! The chores of the workspace: `cargo xtask --help` lists them.

#![forbid(unsafe_code)]

mod bench;
mod chaos;
mod ci;
mod databases;
mod deny;
mod emulate;
mod engines;
mod figures;
mod fuzz;
mod instructions;
mod interface;
mod model;
mod mutants;
mod no_std;
mod oldest;
mod package;
mod prove;
mod python;
#[cfg(unix)]
mod release;
mod sanitize;
mod shell;
mod sql;
mod tools;
mod unsafe_code;
mod web;
mod workflows;
mod workspace;

use clap::{Parser, Subcommand};
use std::{env, process::ExitCode};

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
    /// Measure beside the peers, with Criterion
    Bench(bench::Options),
    /// Prove on processes and servers that are killed and stopped, while clocks step, that no ID occurs twice; or measure them
    Chaos(chaos::Options),
    /// Test the ID types against PostgreSQL, MariaDB, SQLite and Redis, and fleets against PostgreSQL and etcd
    Databases,
    /// Check licences, sources and banned crates with cargo-deny
    Deny {
        /// Check the advisories instead, and fetch their database
        #[arg(long)]
        advisories: bool,
    },
    /// Test the libraries on other machines: a big-endian one, and one with 32 bits. Takes an hour
    Emulate {
        /// The machine [default: all machines, one after the other]
        #[arg(long, value_parser = emulate::MACHINES.map(|machine| machine.name))]
        target: Option<String>,
    },
    /// Lint and test the functions for DataFusion and Ballista, also on a cluster of processes
    Engines(engines::Options),
    /// Fuzz some targets or all. Installs cargo-fuzz; the first build takes minutes
    Fuzz(fuzz::Options),
    /// Count the instructions of the hot paths with callgrind, and compare them with xtask/instructions.json
    Instructions {
        /// Write xtask/instructions.json
        #[arg(long)]
        update: bool,
    },
    /// List the public items of the published libraries in `crates/NAME/interface.txt`
    Interface,
    /// Draw the layouts in docs/pictures/ and docs/inspect.svg, and write the TypeScript of the fields, from the code; write the SQL of templates
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
    /// Package all published crates, build each package, and check its files
    Package,
    /// Prove what the codecs, the positions of generators and the fleets promise, for all inputs, on the machine code of a release build.
    /// Takes half an hour
    Prove(prove::Options),
    /// Build the wheel of the package for Python into target/wheels/, and test it with each Python that is there
    Python(python::Options),
    /// Rehearse a release: build all its files, publish them to registries on this machine, and use them from there
    #[cfg(unix)]
    Release(release::Options),
    /// Test the libraries with a sanitizer. Takes half an hour
    Sanitize {
        /// Use only this sanitizer
        #[arg(value_parser = ["address", "thread"])]
        sanitizer: Option<String>,
    },
    /// Compare the SQL functions with the libraries, on real databases
    Sql(sql::Options),
    /// Build the package for JavaScript and the inspector into target/web/, and test them in Node.js and Chromium
    Web(web::Options),
    /// Lint the workflows of .github/
    Workflows,
}

fn main() -> ExitCode {
    if let Some(libraries) = env::var_os(interface::LIBRARIES) {
        return exit(interface::rustdoc(&libraries));
    }
    exit(match Cli::parse().chore {
        Chore::Bench(options) => bench::run(&options),
        Chore::Chaos(options) => chaos::run(&options),
        Chore::Ci(options) => ci::run(&options),
        Chore::Databases => databases::run(),
        Chore::Deny { advisories } => deny::run(advisories),
        Chore::Emulate { target } => emulate::run(target.as_deref()),
        Chore::Engines(options) => engines::run(&options),
        Chore::Fuzz(options) => fuzz::run(&options),
        Chore::Instructions { update } => instructions::run(update),
        Chore::Interface => interface::run(),
        Chore::Layouts => figures::layouts(),
        Chore::Model => model::run(),
        Chore::Mutants(options) => mutants::run(&options),
        Chore::NoStd => no_std::run(),
        Chore::Oldest => oldest::run(),
        Chore::Package => package::run(),
        Chore::Prove(options) => prove::run(&options),
        Chore::Python(options) => python::run(options),
        #[cfg(unix)]
        Chore::Release(options) => release::run(&options),
        Chore::Sanitize { sanitizer } => sanitize::run(sanitizer.as_deref()),
        Chore::Sql(options) => sql::run(&options),
        Chore::Web(options) => web::run(options),
        Chore::Workflows => workflows::check(),
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    /// Each line of a workflow that begins with this.
    fn lines<'a>(text: &'a str, start: &str) -> Vec<&'a str> {
        text.lines().filter_map(|line| line.strip_prefix(start)).collect()
    }

    #[test]
    fn the_workflows_run_chores_that_exist() {
        let folder = shell::root().join(".github/workflows");
        let mut count = 0;
        for workflow in shell::sorted(&folder, ".yml").unwrap() {
            let text = fs::read_to_string(&workflow).unwrap();
            for chore in lines(&text, "      - run: cargo xtask ") {
                // The jobs of a matrix are lines of a list.
                let (start, is_many) = match chore.split_once("${{") {
                    Some((start, _)) => (start, true),
                    None => (chore, false),
                };
                let jobs = if is_many { lines(&text, "          - ") } else { vec![""] };
                for job in jobs {
                    let words =
                        ["xtask"].into_iter().chain(start.split_whitespace()).chain(job.split_whitespace());
                    if let Err(error) = Cli::try_parse_from(words) {
                        panic!("{}: {start}{job}: {error}", workflow.display());
                    }
                    count += 1;
                }
            }
        }
        assert!(count > 20, "{count}");
    }
}
