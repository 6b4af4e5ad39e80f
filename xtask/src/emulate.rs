//! The tests of the libraries on other machines: with the other order of bytes, with 32 bits, and with Windows, whose
//! functions Wine has.
//!
//! rustup has no standard library for some of them, and not every machine has rustup, so it is built from its sources.

use crate::{
    records::Record,
    shell::{self, Result, cargo},
    tools::{self, Tool},
    workspace::{self, packages},
};
use clap::{Parser, ValueEnum};
use std::{
    fs,
    io::{BufRead as _, BufReader},
    path::PathBuf,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

#[derive(Parser)]
pub(crate) struct Options {
    /// The machine [default: all machines, one after the other]
    #[arg(long, value_enum)]
    target: Option<Target>,
    /// Write records/emulation.json
    #[arg(long, conflicts_with = "target")]
    write: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Target {
    /// 64 bits, the most significant byte first
    S390x,
    /// 32 bits, the least significant byte first
    I686,
    /// Windows
    Windows,
}

impl Target {
    const ALL: [Self; 3] = [Self::S390x, Self::I686, Self::Windows];

    const fn triple(self) -> &'static str {
        match self {
            Self::S390x => "s390x-unknown-linux-gnu",
            Self::I686 => "i686-unknown-linux-gnu",
            Self::Windows => "x86_64-pc-windows-gnu",
        }
    }

    const fn linker(self) -> &'static str {
        match self {
            Self::S390x => "s390x-linux-gnu-gcc",
            Self::I686 => "i686-linux-gnu-gcc",
            Self::Windows => "x86_64-w64-mingw32-gcc",
        }
    }

    /// The emulator; `None` if this processor runs the programs itself.
    const fn emulator(self) -> Option<&'static str> {
        match self {
            Self::S390x => Some("qemu-s390x"),
            Self::I686 if cfg!(target_arch = "x86_64") => None,
            Self::I686 => Some("qemu-i386"),
            Self::Windows => Some(tools::WINE),
        }
    }

    const fn tools(self) -> &'static [Tool] {
        match self {
            Self::S390x => tools::S390X,
            Self::I686 => tools::I686,
            Self::Windows => tools::WINDOWS,
        }
    }

    const fn shown(self) -> &'static str {
        match self {
            Self::S390x => "s390x: 64 bits, big-endian",
            Self::I686 => "i686: 32 bits, little-endian",
            Self::Windows => "x86_64 with Windows, for programs of GNU",
        }
    }
}

/// What Wine 8 lacks: the source of random bytes that the standard library of Rust uses on Windows.
const RANDOM_BYTES: &str = "\
#include <windows.h>
BOOLEAN NTAPI SystemFunction036(PVOID, ULONG);
__declspec(dllexport) BOOL ProcessPrng(PBYTE bytes, SIZE_T length) { return SystemFunction036(bytes, length); }
";

/// The package with tests for all specifications. It is not published.
pub(crate) const TESTKIT: &str = "sortid-testkit";

/// Tests that try each of many thousand cases, and take minutes on an emulator. The names are those of functions.
const SLOW: [&str; 3] = [
    "one_changed_character_is_found_at_its_line_whichever_it_is",
    "one_changed_character_is_no_cascade_of_faults_in_the_whole_ledger",
    "a_truncated_line_is_found_wherever_it_ends",
];

/// Tests that start their own program, some of them under strace. An emulator does not start programs.
const STARTING: [&str; 2] = ["crashes::", "processes::"];

/// Tests whose child of a fork starts a thread. QEMU 7.2 then ends with a failed assertion of its own.
const FORKING: [&str; 2] = [
    "a_child_makes_no_ids_and_releases_nothing_and_can_join_itself",
    "threads_of_a_child_share_its_generator_in_order",
];

/// Tests that Wine cannot pass.
///
/// Dozens of threads wait for one lock, each for at most 3 s. Under Wine, a turn takes too long.
const FAILING_ON_WINE: [&str; 2] = [
    "each_round_has_one_winner_among_8_threads_in_each_of_8_processes",
    "of_forty_that_begin_a_fleet_at_once_with_two_sizes_one_size_wins",
];

/// The cases of each property, instead of 256.
const CASES: &str = "32";

/// All machines, for `cargo xtask ci --all`.
pub(crate) fn check() -> Result {
    run(&Options { target: None, write: false })
}

pub(crate) fn run(options: &Options) -> Result {
    eprintln!(
        "Each machine takes a few minutes to build. On an emulator, its tests then take half an hour on two cores."
    );
    let targets = options.target.map_or(Target::ALL.to_vec(), |target| vec![target]);
    let mut rows = vec![];
    let mut failed = vec![];
    for target in targets {
        let Outcome { passed, failures, has_passed, took } = test(target)?;
        println!("{}: {passed} passed, {failures} failed, {} s", target.shown(), took.as_secs());
        let how = target.emulator().unwrap_or("the processor itself");
        rows.push([target.shown(), how, &passed.to_string(), &failures.to_string()].map(Into::into).to_vec());
        if !has_passed {
            failed.push(target.triple());
        }
    }
    if !failed.is_empty() {
        return Err(format!("tests failed for {}", failed.join(", ")).into());
    }
    if options.write {
        let columns = ["machine", "run by", "tests that passed", "tests that failed"];
        Record::new("Tests of the libraries on other machines", &columns, rows)?.write("emulation")?;
    }
    Ok(())
}

struct Outcome {
    passed: u64,
    failures: u64,
    /// Whether all tests were built and ran to their end.
    has_passed: bool,
    took: Duration,
}

fn test(target: Target) -> Result<Outcome> {
    tools::install(target.tools())?;
    let begun = Instant::now();
    let mut command = command(target)?;
    eprintln!("$ {}", shell::shown(&command));
    let mut child = command.stdout(Stdio::piped()).spawn()?;
    let out = child.stdout.take().ok_or("cargo has no output")?;
    let (mut passed, mut failures) = (0, 0);
    for line in BufReader::new(out).lines() {
        let line = line?;
        println!("{line}");
        if let Some((more, others)) = counts(&line) {
            passed += more;
            failures += others;
        }
    }
    Ok(Outcome { passed, failures, has_passed: child.wait()?.success(), took: begun.elapsed() })
}

fn command(target: Target) -> Result<Command> {
    let triple = target.triple();
    let mut test =
        cargo(&["test", "--locked", "--no-fail-fast", "--tests", "--target", triple, tools::BUILD_STD]);
    test.arg("--target-dir").arg(workspace::target()?.join("emulate"));
    // The tests of the program start it, which QEMU cannot. On Windows, some of its output has messages of the system.
    let is_chosen = |package: &&workspace::Package| {
        package.is_published && package.is_library() || package.name == TESTKIT
    };
    for package in packages()?.iter().filter(is_chosen) {
        test.args(["--package", &package.id]);
    }
    // Stable compilers build the standard library, too, if they are told that they may.
    test.env("RUSTC_BOOTSTRAP", "1").env("PROPTEST_CASES", CASES);
    let setting = |name| format!("CARGO_TARGET_{}_{name}", triple.to_uppercase().replace('-', "_"));
    test.env(setting("LINKER"), target.linker());
    if let Some(emulator) = target.emulator() {
        test.env(setting("RUNNER"), emulator);
    }
    let skipped = match (target, target.emulator()) {
        (Target::Windows, _) => FAILING_ON_WINE.to_vec(),
        (_, Some(_)) => [&SLOW[..], &STARTING, &FORKING].concat(),
        (_, None) => vec![],
    };
    test.arg("--").args(skipped.iter().flat_map(|name| ["--skip", name]));
    if target == Target::Windows {
        test.env("WINEPREFIX", wine()?).env("WINEDEBUG", "-all");
    } else {
        // No library of the other machine is needed to run the tests.
        test.env(setting("RUSTFLAGS"), "-Ctarget-feature=+crt-static");
    }
    Ok(test)
}

/// Creates what Wine takes for the disk of Windows.
fn wine() -> Result<PathBuf> {
    let folder = workspace::target()?.join("emulate/wine");
    let library = folder.join("drive_c/windows/system32/bcryptprimitives.dll");
    if !library.is_file() {
        // Wine makes only the last folder of the path.
        fs::create_dir_all(&folder)?;
        let mut boot = Command::new(tools::WINE);
        shell::run(boot.args(["wineboot", "--init"]).env("WINEPREFIX", &folder).env("WINEDEBUG", "-all"))?;
        let source = folder.join("random_bytes.c");
        fs::write(&source, RANDOM_BYTES)?;
        let mut compile = Command::new(Target::Windows.linker());
        compile.args(["-shared", "-o"]).args([&library, &source]).arg("-ladvapi32");
        shell::run(&mut compile)?;
    }
    Ok(folder)
}

/// Reads `test result: ok. 3 passed; 0 failed; …`.
fn counts(line: &str) -> Option<(u64, u64)> {
    let (_, counts) = line.strip_prefix("test result: ")?.split_once(". ")?;
    let mut numbers = counts.split("; ").map(|part| part.split(' ').next()?.parse().ok());
    Some((numbers.next()??, numbers.next()??))
}

#[cfg(test)]
mod tests {
    use super::counts;

    #[test]
    fn the_counts_of_a_test_program_are_read() {
        let line = "test result: FAILED. 12 passed; 3 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.12s";
        assert_eq!(counts(line), Some((12, 3)));
        assert_eq!(counts("test a_test ... ok"), None);
    }
}
