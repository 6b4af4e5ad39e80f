//! The benchmarks beside the peers. Criterion measures and reports.

use crate::shell::{self, Result, cargo};

#[derive(clap::Args)]
pub(crate) struct Options {
    /// Run only benchmarks whose name (`group/kind/name`) contains this text. Benchmarks of ledgers and of the program
    /// are chosen by group
    filter: Option<String>,
    /// Compare all outputs with the references, and measure for a moment, built with the profile of the tests
    #[arg(long)]
    quick: bool,
}

/// Compares the outputs of all benchmarks with the references.
pub(crate) fn check() -> Result {
    run(&Options { filter: None, quick: true })
}

pub(crate) fn run(options: &Options) -> Result {
    let mut bench = if options.quick {
        // They reuse the build of the tests.
        let mut quick =
            cargo(&["test", "--locked", "--workspace", "--all-features", "--bench", "main", "--", "--bench"]);
        quick.env("SORTID_BENCH_QUICK", "1");
        quick
    } else {
        cargo(&["bench", "--locked", "--package", "xtask", "--bench", "main", "--"])
    };
    shell::run(bench.args(&options.filter))
}
