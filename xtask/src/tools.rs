//! The programs that chores need besides cargo and rustc, and how they are installed.

use crate::shell::{self, Result, cargo, program, stdout_of};
use sortid_servers::programs::{is_root, libfaketime, postgres};
use std::{
    io::{self, IsTerminal},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::atomic::{AtomicBool, Ordering},
};

/// A program, or a part of a toolchain.
pub(crate) struct Tool {
    /// The name of the package that has it.
    name: &'static str,
    source: Source,
    is_installed: fn(&str) -> bool,
    /// What `is_installed` looks for.
    sign: &'static str,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Source {
    Rustup,
    Debian,
    CratesIo,
}

const RUSTFMT: Tool = Tool { name: "rustfmt", source: Source::Rustup, is_installed: knows, sign: "fmt" };
const CLIPPY: Tool = Tool { name: "clippy", source: Source::Rustup, is_installed: knows, sign: "clippy" };
const RUST_SRC: Tool =
    Tool { name: "rust-src", source: Source::Rustup, is_installed: |_| has_rust_sources(), sign: "" };
const STRACE: Tool = debian("strace", "strace");
const CURL: Tool = debian("curl", "curl");
const POSTGRESQL: Tool =
    Tool { is_installed: |name| postgres(name).is_some(), ..debian("postgresql", "postgres") };
const ETCD: Tool = debian("etcd-server", "etcd");
const ETCDCTL: Tool = debian("etcd-client", "etcdctl");
const OPENSSL: Tool = debian("openssl", "openssl");
const MARIADB: Tool = debian("mariadb-server", "mariadbd");
/// Python makes environments, for packages of its own.
const PYTHON: Tool = Tool {
    is_installed: |modules| stdout_of(Command::new("python3").args(["-c", modules])).is_ok(),
    ..debian("python3-venv", "import ensurepip, venv")
};
const NPM: Tool = debian("npm", "npm");
const CHROMIUM: Tool = debian("chromium", "chromium");
const NODE: Tool = debian("nodejs", "node");
const REDIS: Tool = debian("redis-server", "redis-server");
const WRK: Tool = debian("wrk", "wrk");
const FAKETIME: Tool = Tool { is_installed: |_| libfaketime().is_some(), ..debian("faketime", "") };
const VALGRIND: Tool = debian("valgrind", "valgrind");
const QEMU: Tool = debian("qemu-user", "qemu-s390x");
/// What the kernel has to know to start a program with an emulator.
const BINFMT: Tool = file("qemu-user-binfmt", "/usr/lib/binfmt.d/qemu-aarch64.conf");
const GCC_AARCH64: Tool = debian("gcc-aarch64-linux-gnu", "aarch64-linux-gnu-gcc");
const LIBC_AARCH64: Tool = file("libc6-dev-arm64-cross", "/usr/aarch64-linux-gnu/lib/libc.a");
const GCC_S390X: Tool = debian("gcc-s390x-linux-gnu", "s390x-linux-gnu-gcc");
const LIBC_S390X: Tool = file("libc6-dev-s390x-cross", "/usr/s390x-linux-gnu/lib/libc.a");
const GCC_I686: Tool = debian("gcc-i686-linux-gnu", "i686-linux-gnu-gcc");
const LIBC_I686: Tool = file("libc6-dev-i386-cross", "/usr/i686-linux-gnu/lib/libc.a");
const MINGW: Tool = debian("gcc-mingw-w64-x86-64", "x86_64-w64-mingw32-gcc");
const WINE64: Tool = file("wine64", WINE);
const CARGO_HACK: Tool = crates_io("cargo-hack", "hack");
const CARGO_FUZZ: Tool = crates_io("cargo-fuzz", "fuzz");
const CARGO_DEB: Tool = crates_io("cargo-deb", "deb");
const CARGO_CYCLONEDX: Tool = crates_io("cargo-cyclonedx", "cyclonedx");
const CARGO_HTTP_REGISTRY: Tool = Tool {
    is_installed: |name| program(name).is_some(),
    ..crates_io("cargo-http-registry", "cargo-http-registry")
};
const CARGO_SEMVER_CHECKS: Tool = crates_io("cargo-semver-checks", "semver-checks");
const BUILDAH: Tool = debian("buildah", "buildah");
const HELP2MAN: Tool = debian("help2man", "help2man");
const CARGO_DENY: Tool = crates_io("cargo-deny", "deny");
/// Another version changes the code at other places.
const CARGO_MUTANTS: Tool = crates_io("cargo-mutants@27.1.0", "mutants");

/// A package of Debian with a program.
const fn debian(name: &'static str, sign: &'static str) -> Tool {
    Tool { name, source: Source::Debian, is_installed: |name| program(name).is_some(), sign }
}

/// A package of Debian with a file.
const fn file(name: &'static str, sign: &'static str) -> Tool {
    Tool { name, source: Source::Debian, is_installed: |path| Path::new(path).is_file(), sign }
}

/// A crate with a subcommand of cargo.
const fn crates_io(name: &'static str, sign: &'static str) -> Tool {
    Tool { name, source: Source::CratesIo, is_installed: knows, sign }
}

// What each chore needs, and each step of `cargo xtask ci`.
pub(crate) const FORMAT: &[Tool] = &[RUSTFMT];
pub(crate) const LINTS: &[Tool] = &[CLIPPY];
/// One test watches system calls.
pub(crate) const TESTS: &[Tool] = &[STRACE];
pub(crate) const DATABASES: &[Tool] = &[POSTGRESQL, ETCD, ETCDCTL, OPENSSL, MARIADB, REDIS];
/// The tools of the databases, and Python for its package.
pub(crate) const WHEEL: &[Tool] = &[POSTGRESQL, ETCD, ETCDCTL, OPENSSL, MARIADB, REDIS, PYTHON];
pub(crate) const CHAOS: &[Tool] = &[POSTGRESQL, ETCD, ETCDCTL, FAKETIME];
pub(crate) const CHAOS_IN_A_DIRECTORY: &[Tool] = &[FAKETIME];
/// The stores of fleets, the load of a server, and what it is compared with.
pub(crate) const MEASURE: &[Tool] = &[POSTGRESQL, ETCD, ETCDCTL, REDIS, WRK];
pub(crate) const SQL: &[Tool] = &[POSTGRESQL, MARIADB, PYTHON];
/// SQLite is in the program, and in Python. DuckDB and ClickHouse are packages of Python.
pub(crate) const SQL_WITHOUT_SERVERS: &[Tool] = &[PYTHON];
/// The solvers are packages of Python.
pub(crate) const PROVE: &[Tool] = &[PYTHON];
pub(crate) const ONLY_POSTGRES: &[Tool] = &[POSTGRESQL];
/// The tests of `examples/` send requests, and one of the services needs a database.
pub(crate) const EXAMPLES: &[Tool] = &[CURL, POSTGRESQL];
pub(crate) const FEATURES: &[Tool] = &[CLIPPY, CARGO_HACK];
pub(crate) const WEB: &[Tool] = &[RUST_SRC, NODE, NPM];
pub(crate) const WEB_TESTS: &[Tool] = &[CLIPPY, RUST_SRC, NODE, NPM, CHROMIUM];
pub(crate) const FUZZ: &[Tool] = &[CARGO_FUZZ];
pub(crate) const MUTANTS: &[Tool] = &[CARGO_MUTANTS];
pub(crate) const INSTRUCTIONS: &[Tool] = &[VALGRIND];
/// What else a release needs are packages of Python and of npm.
pub(crate) const RELEASE: &[Tool] = &[
    RUST_SRC,
    CARGO_DEB,
    CARGO_CYCLONEDX,
    CARGO_HTTP_REGISTRY,
    PYTHON,
    NODE,
    NPM,
    QEMU,
    BUILDAH,
    HELP2MAN,
    CURL,
];
/// Only if there was a release.
pub(crate) const SEMVER: &[Tool] = &[CARGO_SEMVER_CHECKS];
pub(crate) const WORKFLOWS: &[Tool] = &[NODE, NPM, PYTHON];
pub(crate) const DENY: &[Tool] = &[CARGO_DENY];
/// `ThreadSanitizer` needs the standard library from its sources.
pub(crate) const SANITIZE: &[Tool] = &[RUST_SRC];
pub(crate) const AARCH64: &[Tool] = &[RUST_SRC, QEMU, BINFMT, GCC_AARCH64, LIBC_AARCH64];
pub(crate) const S390X: &[Tool] = &[RUST_SRC, QEMU, GCC_S390X, LIBC_S390X];
pub(crate) const I686: &[Tool] = &[RUST_SRC, QEMU, GCC_I686, LIBC_I686];
pub(crate) const WINDOWS: &[Tool] = &[RUST_SRC, MINGW, WINE64];

/// Where Debian puts the program that runs programs of Windows.
pub(crate) const WINE: &str = "/usr/lib/wine/wine64";

/// Builds the standard library from its sources, for tests.
pub(crate) const BUILD_STD: &str = "-Zbuild-std=std,panic_abort,proc_macro,test";

/// Installs the tools that are missing, if the user [agrees](agree).
pub(crate) fn install(tools: &[Tool]) -> Result {
    agree(&[tools])?;
    missing(&[tools]).into_iter().try_for_each(|(source, names)| source.install(&names))
}

/// Says which tools are missing. Other projects may use the toolchain, so a user at a terminal is asked, once for all
/// tools. Without a terminal there is nobody to ask, and the tools are installed.
pub(crate) fn agree(tools: &[&[Tool]]) -> Result {
    static HAS_AGREED: AtomicBool = AtomicBool::new(false);
    let missing = missing(tools);
    if missing.is_empty() || HAS_AGREED.swap(true, Ordering::Relaxed) {
        return Ok(());
    }
    eprintln!("Missing tools, which will be installed before they are used:");
    for (source, names) in missing {
        eprintln!("  {}: {}", names.join(", "), source.explanation());
    }
    if io::stdin().is_terminal() && io::stderr().is_terminal() {
        eprint!("Install them? [y/N] ");
        let mut answer = String::new();
        io::stdin().read_line(&mut answer)?;
        if !matches!(answer.trim(), "y" | "Y" | "yes") {
            return Err("the tools above are missing; install them, or answer y".into());
        }
    }
    Ok(())
}

/// The names of the missing tools of each source, each once.
fn missing(tools: &[&[Tool]]) -> Vec<(Source, Vec<&'static str>)> {
    let mut missing: Vec<(Source, Vec<&str>)> = vec![];
    for tool in tools.iter().copied().flatten() {
        let is_known =
            |(source, names): &(Source, Vec<&str>)| *source == tool.source && names.contains(&tool.name);
        if missing.iter().any(is_known) || (tool.is_installed)(tool.sign) {
            continue;
        }
        match missing.iter_mut().find(|(source, _)| *source == tool.source) {
            Some((_, names)) => names.push(tool.name),
            None => missing.push((tool.source, vec![tool.name])),
        }
    }
    missing
}

impl Source {
    fn explanation(self) -> &'static str {
        match self {
            Self::Rustup => "by rustup component add, a few seconds",
            Self::Debian if can_use_apt() => "by apt-get install, about a minute",
            Self::Debian => {
                "Debian packages. Only root can install them, with apt-get, so install them first: \
                 until then, the steps that need them fail or are skipped"
            }
            Self::CratesIo => "by cargo install, which builds each in a few minutes",
        }
    }

    fn install(self, names: &[&str]) -> Result {
        match self {
            Self::Rustup => shell::run(Command::new("rustup").args(["component", "add"]).args(names)),
            Self::Debian if can_use_apt() => {
                apt_get(&["update", "--quiet"])?;
                apt_get(&[&["install", "--quiet", "--yes", "--no-install-recommends"], names].concat())
            }
            Self::Debian => Err(format!("install the packages {} (Debian's names)", names.join(", ")).into()),
            Self::CratesIo => shell::run(cargo(&["install", "--locked"]).args(names)),
        }
    }
}

/// Whether cargo has this subcommand.
fn knows(subcommand: &str) -> bool {
    stdout_of(&mut cargo(&[subcommand, "--version"])).is_ok()
}

pub(crate) fn can_use_apt() -> bool {
    program("apt-get").is_some() && is_root()
}

pub(crate) fn apt_get(args: &[&str]) -> Result {
    let mut command = Command::new("apt-get");
    shell::run(command.args(args).env("DEBIAN_FRONTEND", "noninteractive").stdin(Stdio::null()))
}

/// Whether the toolchain in use has the sources of the standard library.
fn has_rust_sources() -> bool {
    stdout_of(Command::new("rustc").args(["--print", "sysroot"]))
        .is_ok_and(|folder| PathBuf::from(folder.trim()).join("lib/rustlib/src/rust/library/std").is_dir())
}

#[test]
fn each_missing_tool_is_named_once() {
    let there = || Tool { is_installed: |_| true, ..crates_io("there", "") };
    let absent = || Tool { is_installed: |_| false, ..crates_io("absent", "") };
    let found = missing(&[&[absent(), there()], &[absent()]]);
    assert!(matches!(&found[..], [(Source::CratesIo, names)] if *names == ["absent"]));
}
