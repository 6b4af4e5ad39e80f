//! The tests on other machines: ARM, with the other order of bytes, with 32 bits, and with Windows, whose functions Wine
//! has.
//!
//! rustup has no standard library for some of them, and not every machine has rustup, so it is built from its sources.

use crate::{
    shell::{self, Result, cargo},
    tools::{self, Tool},
    workspace::{Package, packages, target},
};
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// A machine: ARM, a big-endian one with 64 bits, a little-endian one with 32 bits, and Windows.
pub(crate) struct Machine {
    pub(crate) name: &'static str,
    triple: &'static str,
    linker: &'static str,
    /// The emulator; `None` if this processor runs the programs itself.
    emulator: Option<&'static str>,
    tools: &'static [Tool],
    /// Whether the programs are tested, too.
    has_programs: bool,
    /// The tests that are left out.
    skipped: &'static [&'static [&'static str]],
}

pub(crate) const MACHINES: [Machine; 4] = [
    Machine {
        name: "aarch64",
        triple: "aarch64-unknown-linux-gnu",
        linker: "aarch64-linux-gnu-gcc",
        emulator: Some(AARCH64),
        tools: tools::AARCH64,
        has_programs: true,
        skipped: &[&SLOW, &FORKING, &MEASURED],
    },
    Machine {
        name: "s390x",
        triple: "s390x-unknown-linux-gnu",
        linker: "s390x-linux-gnu-gcc",
        emulator: Some("qemu-s390x"),
        tools: tools::S390X,
        has_programs: false,
        skipped: ON_QEMU,
    },
    Machine {
        name: "i686",
        triple: "i686-unknown-linux-gnu",
        linker: "i686-linux-gnu-gcc",
        emulator: if HAS_I686 { None } else { Some("qemu-i386") },
        tools: tools::I686,
        has_programs: false,
        skipped: if HAS_I686 { &[] } else { ON_QEMU },
    },
    Machine {
        name: "windows",
        triple: "x86_64-pc-windows-gnu",
        linker: MINGW,
        emulator: Some(tools::WINE),
        tools: tools::WINDOWS,
        has_programs: false,
        skipped: &[&FAILING_ON_WINE],
    },
];

/// The emulator of ARM.
pub(crate) const AARCH64: &str = "qemu-aarch64";

const HAS_I686: bool = cfg!(target_arch = "x86_64");
const MINGW: &str = "x86_64-w64-mingw32-gcc";
const ON_QEMU: &[&[&str]] = &[&SLOW, &STARTING, &FORKING];

/// What Wine 8 lacks: the source of random bytes that the standard library of Rust uses on Windows.
const RANDOM_BYTES: &str = "\
#include <windows.h>
BOOLEAN NTAPI SystemFunction036(PVOID, ULONG);
__declspec(dllexport) BOOL ProcessPrng(PBYTE bytes, SIZE_T length) { return SystemFunction036(bytes, length); }
";

/// The package with tests for all specifications. It is not published.
pub(crate) const TESTKIT: &str = "sortid-testkit";

/// Tests that try each of many thousand cases, and take minutes on an emulator. The names are those of functions.
const SLOW: [&str; 4] = [
    "a_half_written_last_line_is_cut_off",
    "one_changed_character_is_found_at_its_line_whichever_it_is",
    "one_changed_character_is_no_cascade_of_faults_in_the_whole_ledger",
    "a_truncated_line_is_found_wherever_it_ends",
];

/// Tests that start their own program, some of them under strace. QEMU does not, unless the kernel
/// [knows it](is_known).
const STARTING: [&str; 2] = ["crashes::", "processes::"];

/// Tests whose child of a fork starts a thread. QEMU 7.2 then ends with a failed assertion of its own.
const FORKING: [&str; 2] = [
    "a_child_makes_no_ids_and_releases_nothing_and_can_join_itself",
    "threads_of_a_child_share_its_generator_in_order",
];

/// Tests of what a program uses: memory, files, and time. With QEMU it is more; a server has `/dev/urandom` open.
const MEASURED: [&str; 7] = [
    "a_broken_request_does_no_harm",
    "a_limit_of_files_is_an_error_and_leaves_only_what_is_acknowledged",
    "any_number_of_nuls_behind_an_event_needs_little_memory",
    "batches_need_little_memory",
    "connections_that_send_nothing_do_not_stop_others_and_leave_nothing_behind",
    "random_requests_do_no_harm",
    "slow_readers_are_cut_off_and_answers_have_a_limit",
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

/// Runs the tests on one machine, or on all, one after the other.
pub(crate) fn run(name: Option<&str>) -> Result {
    eprintln!(
        "Each machine takes a few minutes to build. On an emulator, its tests then take half an hour on two cores."
    );
    let machines = MACHINES.iter().filter(|it| name.is_none_or(|name| it.name == name)).collect();
    shell::side_by_side(1, machines, |machine| {
        tools::install(machine.tools)?;
        shell::run(&mut command(machine)?)
    })
}

/// Whether the kernel of this machine starts the programs of another one with this emulator. Linux does once the emulator
/// is registered.
fn is_known(emulator: &str) -> bool {
    let registry = Path::new("/proc/sys/fs/binfmt_misc");
    if !registry.join("register").exists() {
        let mount = ["-t", "binfmt_misc", "binfmt_misc", "/proc/sys/fs/binfmt_misc"];
        let _ = shell::run(Command::new("mount").args(mount));
    }
    if !registry.join(emulator).exists() {
        // What Debian's package would write when the machine starts.
        if let Ok(rule) = fs::read(format!("/usr/lib/binfmt.d/{emulator}.conf")) {
            let _ = fs::write(registry.join("register"), rule.trim_ascii());
        }
    }
    registry.join(emulator).exists()
}

fn command(machine: &Machine) -> Result<Command> {
    let triple = machine.triple;
    let mut test =
        cargo(&["test", "--locked", "--no-fail-fast", "--tests", "--target", triple, tools::BUILD_STD]);
    test.arg("--target-dir").arg(target()?.join("emulate"));
    // On Windows, some output of the programs has messages of the system.
    let starts = machine.has_programs && machine.emulator.is_some_and(is_known);
    let left_out = if machine.has_programs && !starts {
        eprintln!(
            "left out: the programs, and other tests that start one, because only root can register QEMU"
        );
        &STARTING[..]
    } else {
        &[]
    };
    let is_chosen = |it: &&Package| it.is_published && (it.is_library() || starts) || it.name == TESTKIT;
    for package in packages()?.iter().filter(is_chosen) {
        test.args(["--package", &package.id]);
    }
    // Stable compilers build the standard library, too, if they are told that they may.
    test.env("RUSTC_BOOTSTRAP", "1").env("PROPTEST_CASES", CASES);
    let setting = |name| format!("CARGO_TARGET_{}_{name}", triple.to_uppercase().replace('-', "_"));
    test.env(setting("LINKER"), machine.linker);
    test.envs(machine.emulator.map(|emulator| (setting("RUNNER"), emulator)));
    let skipped = machine.skipped.iter().copied().flatten().chain(left_out);
    test.arg("--").args(skipped.flat_map(|name| ["--skip", name]));
    if machine.linker == MINGW {
        test.env("WINEPREFIX", wine()?).env("WINEDEBUG", "-all");
    } else {
        // No library of the other machine is needed to run the tests.
        test.env(setting("RUSTFLAGS"), "-Ctarget-feature=+crt-static");
    }
    Ok(test)
}

/// Creates what Wine takes for the disk of Windows.
fn wine() -> Result<PathBuf> {
    let folder = target()?.join("emulate/wine");
    let library = folder.join("drive_c/windows/system32/bcryptprimitives.dll");
    if !library.is_file() {
        // Wine makes only the last folder of the path.
        fs::create_dir_all(&folder)?;
        let mut boot = Command::new(tools::WINE);
        shell::run(boot.args(["wineboot", "--init"]).env("WINEPREFIX", &folder).env("WINEDEBUG", "-all"))?;
        let source = folder.join("random_bytes.c");
        fs::write(&source, RANDOM_BYTES)?;
        let mut compile = Command::new(MINGW);
        compile.args(["-shared", "-o"]).args([&library, &source]).arg("-ladvapi32");
        shell::run(&mut compile)?;
    }
    Ok(folder)
}
