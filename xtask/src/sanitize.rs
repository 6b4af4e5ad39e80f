//! The tests of the libraries with a sanitizer, which finds what no test asserts: misuse of memory, and data races.

use crate::{
    shell::{self, Result, cargo, host},
    tools,
    workspace::{self, CORE, FLEET, LEDGER, packages},
};
use clap::ValueEnum;

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Sanitizer {
    /// `AddressSanitizer`
    Address,
    /// `ThreadSanitizer`. The standard library is also built with it. Otherwise the sanitizer would not see its locks
    Thread,
}

impl Sanitizer {
    const ALL: [Self; 2] = [Self::Address, Self::Thread];

    const fn name(self) -> &'static str {
        match self {
            Self::Address => "address",
            Self::Thread => "thread",
        }
    }
}

/// The packages besides the specifications that have threads, forks, locks or `unsafe` code, or test them.
const PACKAGES: [&str; 4] = [CORE, LEDGER, FLEET, "sortid-testkit"];

/// Runs the tests with one sanitizer, or with both.
pub(crate) fn run(sanitizer: Option<Sanitizer>) -> Result {
    tools::install(tools::SANITIZE)?;
    match sanitizer {
        Some(sanitizer) => test(sanitizer),
        None => Sanitizer::ALL.into_iter().try_for_each(test),
    }
}

fn test(sanitizer: Sanitizer) -> Result {
    let mut test = cargo(&["test", "--locked", "--no-fail-fast", "--tests"]);
    // With a target, build scripts and macros are built without the sanitizer.
    test.args(["--target", &host()?]).arg("--target-dir").arg(workspace::target()?.join(sanitizer.name()));
    for package in packages()?.iter().filter(|it| it.is_spec || PACKAGES.contains(&&*it.name)) {
        test.args(["--package", &package.id]);
    }
    if sanitizer == Sanitizer::Thread {
        test.arg(tools::BUILD_STD);
    }
    // Stable compilers have the sanitizers, too, if they are told that they may use them.
    test.env("RUSTC_BOOTSTRAP", "1").env("RUSTFLAGS", format!("-Zsanitizer={}", sanitizer.name()));
    // The child of a fork would report the memory of all threads that only its parent has.
    test.env("ASAN_OPTIONS", "detect_leaks=0");
    // Children of forks start threads in two tests. By default, ThreadSanitizer ends such a child.
    test.env("TSAN_OPTIONS", "die_after_fork=0");
    shell::run(&mut test)
}
