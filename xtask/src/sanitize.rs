//! The tests of the libraries with a sanitizer, which finds what no test asserts: misuse of memory, and data races.

use crate::{
    shell::{self, Result, cargo, host},
    tools,
    workspace::{CORE, FLEET, LEDGER, packages, target},
};

/// The packages besides the specifications that have threads, forks, locks or `unsafe` code, or test them.
const PACKAGES: [&str; 4] = [CORE, LEDGER, FLEET, "sortid-testkit"];

/// Runs the tests with one sanitizer, or with both.
pub(crate) fn run(sanitizer: Option<&str>) -> Result {
    tools::install(tools::SANITIZE)?;
    let all =
        ["address", "thread"].into_iter().filter(|it| sanitizer.is_none_or(|sanitizer| *it == sanitizer));
    for sanitizer in all {
        let mut test = cargo(&["test", "--locked", "--no-fail-fast", "--tests"]);
        // With a target, build scripts and macros are built without the sanitizer.
        test.args(["--target", &host()?]).arg("--target-dir").arg(target()?.join(sanitizer));
        for package in packages()?.iter().filter(|it| it.is_spec || PACKAGES.contains(&&*it.name)) {
            test.args(["--package", &package.id]);
        }
        // Otherwise ThreadSanitizer would not see the locks of the standard library.
        test.args((sanitizer == "thread").then_some(tools::BUILD_STD));
        // Stable compilers have the sanitizers, too, if they are told that they may use them.
        test.env("RUSTC_BOOTSTRAP", "1").env("RUSTFLAGS", format!("-Zsanitizer={sanitizer}"));
        // The child of a fork would report the memory of all threads that only its parent has.
        test.env("ASAN_OPTIONS", "detect_leaks=0");
        // Children of forks start threads in two tests. By default, ThreadSanitizer ends such a child.
        shell::run(test.env("TSAN_OPTIONS", "die_after_fork=0"))?;
    }
    Ok(())
}
