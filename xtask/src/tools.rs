//! The programs that chores need besides cargo and rustc, and how they are installed.

use crate::shell::{self, Result, cargo, program, stdout_of};
use std::{
    env, fs,
    io::{self, IsTerminal},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

/// WebAssembly in a browser or another JavaScript host.
pub(crate) const WASM_TARGET: &str = "wasm32-unknown-unknown";

/// Debian's Rust for [`WASM_TARGET`]: the compiler, cargo, the sources of the standard library, and a linker.
const DEBIAN_WASM: [&str; 4] = ["rustc-web", "cargo-web", "rust-web-src", "lld-19"];

pub(crate) struct Tool {
    /// The name of the package that has it.
    name: &'static str,
    source: Source,
    is_installed: fn() -> bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Source {
    Rustup,
    WasmStd,
    Debian,
    CratesIo,
}

const RUSTFMT: Tool = Tool::new("rustfmt", Source::Rustup, || knows("fmt"));
const CLIPPY: Tool = Tool::new("clippy", Source::Rustup, || knows("clippy"));
const WASM_STD: Tool = Tool::new("rust-src", Source::WasmStd, || has_rust_sources() || has_debian_wasm());
const RUST_SRC: Tool = Tool::new("rust-src", Source::Rustup, has_rust_sources);
const STRACE: Tool = Tool::new("strace", Source::Debian, || program("strace").is_some());
const CURL: Tool = Tool::new("curl", Source::Debian, || program("curl").is_some());
const POSTGRESQL: Tool = Tool::new("postgresql", Source::Debian, || postgres("postgres").is_some());
const ETCD: Tool = Tool::new("etcd-server", Source::Debian, || program("etcd").is_some());
const ETCDCTL: Tool = Tool::new("etcd-client", Source::Debian, || program("etcdctl").is_some());
const OPENSSL: Tool = Tool::new("openssl", Source::Debian, || program("openssl").is_some());
const MARIADB: Tool = Tool::new("mariadb-server", Source::Debian, || program("mariadbd").is_some());
const PYTHON: Tool = Tool::new("python3-venv", Source::Debian, has_venv);
const NPM: Tool = Tool::new("npm", Source::Debian, || program("npm").is_some());
const CHROMIUM: Tool = Tool::new("chromium", Source::Debian, || program("chromium").is_some());
const NODE: Tool = Tool::new("nodejs", Source::Debian, || program("node").is_some());
const REDIS: Tool = Tool::new("redis-server", Source::Debian, || program("redis-server").is_some());
const WRK: Tool = Tool::new("wrk", Source::Debian, || program("wrk").is_some());
const FAKETIME: Tool = Tool::new("faketime", Source::Debian, || libfaketime().is_some());
const VALGRIND: Tool = Tool::new("valgrind", Source::Debian, || program("valgrind").is_some());
const QEMU: Tool = Tool::new("qemu-user", Source::Debian, || program("qemu-s390x").is_some());
const GCC_S390X: Tool =
    Tool::new("gcc-s390x-linux-gnu", Source::Debian, || program("s390x-linux-gnu-gcc").is_some());
const LIBC_S390X: Tool = Tool::new("libc6-dev-s390x-cross", Source::Debian, || has_libc("s390x-linux-gnu"));
const GCC_I686: Tool =
    Tool::new("gcc-i686-linux-gnu", Source::Debian, || program("i686-linux-gnu-gcc").is_some());
const LIBC_I686: Tool = Tool::new("libc6-dev-i386-cross", Source::Debian, || has_libc("i686-linux-gnu"));
const MINGW: Tool =
    Tool::new("gcc-mingw-w64-x86-64", Source::Debian, || program("x86_64-w64-mingw32-gcc").is_some());
const WINE64: Tool = Tool::new("wine64", Source::Debian, || Path::new(WINE).is_file());
const CARGO_HACK: Tool = Tool::new("cargo-hack", Source::CratesIo, || knows("hack"));
const CARGO_FUZZ: Tool = Tool::new("cargo-fuzz", Source::CratesIo, || knows("fuzz"));
const CARGO_DENY: Tool = Tool::new("cargo-deny", Source::CratesIo, || knows("deny"));
/// Another version changes the code at other places.
const CARGO_MUTANTS: Tool = Tool::new("cargo-mutants@27.1.0", Source::CratesIo, || knows("mutants"));

// What each chore needs, and each step of `cargo xtask ci`.
pub(crate) const FORMAT: &[Tool] = &[RUSTFMT];
pub(crate) const LINTS: &[Tool] = &[CLIPPY];
/// One test watches system calls.
pub(crate) const TESTS: &[Tool] = &[STRACE];
pub(crate) const DATABASES: &[Tool] = &[POSTGRESQL, ETCD, ETCDCTL, OPENSSL, MARIADB, REDIS];
/// The tools of the databases, and Python for its package.
pub(crate) const WHEEL: &[Tool] = &[POSTGRESQL, ETCD, ETCDCTL, OPENSSL, MARIADB, REDIS, PYTHON];
pub(crate) const FLEET: &[Tool] = &[POSTGRESQL, ETCD, ETCDCTL, FAKETIME];
/// The load of a server, and what it is compared with.
pub(crate) const SERVE: &[Tool] = &[POSTGRESQL, REDIS, WRK];
pub(crate) const FLEET_IN_A_DIRECTORY: &[Tool] = &[FAKETIME];
pub(crate) const SQL: &[Tool] = &[POSTGRESQL, MARIADB, PYTHON];
/// SQLite is in the program, and in Python. DuckDB and ClickHouse are packages of Python.
pub(crate) const SQL_WITHOUT_SERVERS: &[Tool] = &[PYTHON];
/// The solvers are packages of Python.
pub(crate) const PROVE: &[Tool] = &[PYTHON];
pub(crate) const ONLY_POSTGRES: &[Tool] = &[POSTGRESQL];
/// The tests of `examples/` send requests, and one of the services needs a database.
pub(crate) const EXAMPLES: &[Tool] = &[CURL, POSTGRESQL];
pub(crate) const FEATURES: &[Tool] = &[CLIPPY, CARGO_HACK];
pub(crate) const WEB: &[Tool] = &[WASM_STD, NODE, NPM];
pub(crate) const WEB_TESTS: &[Tool] = &[CLIPPY, WASM_STD, NODE, NPM, CHROMIUM];
pub(crate) const FUZZ: &[Tool] = &[CARGO_FUZZ];
pub(crate) const MUTANTS: &[Tool] = &[CARGO_MUTANTS];
pub(crate) const INSTRUCTIONS: &[Tool] = &[VALGRIND];
pub(crate) const DENY: &[Tool] = &[CARGO_DENY];
/// `ThreadSanitizer` needs the standard library from its sources.
pub(crate) const SANITIZE: &[Tool] = &[RUST_SRC];
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
    for source in Source::ALL {
        let names = missing(&[tools], source);
        if !names.is_empty() {
            source.install(&names)?;
        }
    }
    Ok(())
}

/// Says which tools are missing. Other projects may use the toolchain, so a user at a terminal is asked, once for all
/// tools. Without a terminal there is nobody to ask, and the tools are installed.
pub(crate) fn agree(tools: &[&[Tool]]) -> Result {
    static HAS_AGREED: AtomicBool = AtomicBool::new(false);
    let Some(announcement) = announcement(tools) else { return Ok(()) };
    if HAS_AGREED.swap(true, Ordering::Relaxed) {
        return Ok(());
    }
    eprintln!("{announcement}");
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

/// What [`install`] would install, in words. `None` if nothing is missing.
fn announcement(tools: &[&[Tool]]) -> Option<String> {
    let mut lines = String::new();
    for source in Source::ALL {
        let names = missing(tools, source);
        if !names.is_empty() {
            lines.push_str(&format!("  {}: {}\n", names.join(", "), source.explanation(names.len())));
        }
    }
    (!lines.is_empty())
        .then(|| format!("Missing tools, which will be installed before they are used:\n{lines}"))
}

/// The names of the missing tools of this source, each once.
fn missing(tools: &[&[Tool]], source: Source) -> Vec<&'static str> {
    let mut names = vec![];
    for tool in tools.iter().copied().flatten() {
        if tool.source == source && !names.contains(&tool.name) && !(tool.is_installed)() {
            names.push(tool.name);
        }
    }
    names
}

impl Tool {
    const fn new(name: &'static str, source: Source, is_installed: fn() -> bool) -> Self {
        Self { name, source, is_installed }
    }
}

impl Source {
    const ALL: [Self; 4] = [Self::Rustup, Self::WasmStd, Self::Debian, Self::CratesIo];

    fn explanation(self, count: usize) -> String {
        match self {
            Self::Rustup => "by rustup component add, a few seconds".to_owned(),
            Self::WasmStd => {
                "by rustup component add, a few seconds; if that fails, the target of rustup or Debian's rustc-web"
                    .to_owned()
            }
            Self::Debian if can_use_apt() => "by apt-get install, about a minute".to_owned(),
            Self::Debian => {
                "Debian packages. Only root can install them, with apt-get, so install them first: \
                 until then, the steps that need them fail or are skipped"
                    .to_owned()
            }
            Self::CratesIo if count == 1 => "by cargo install, which builds it: a few minutes".to_owned(),
            Self::CratesIo => "by cargo install, which builds them: a few minutes each".to_owned(),
        }
    }

    fn install(self, names: &[&str]) -> Result {
        match self {
            Self::Rustup => shell::run(Command::new("rustup").args(["component", "add"]).args(names)),
            Self::WasmStd => {
                let rustup = |args: &[&str]| {
                    shell::run_within(Duration::from_secs(120), Command::new("rustup").args(args))
                };
                rustup(&["component", "add", "rust-src"])
                    .or_else(|error| {
                        eprintln!("{error}. The target has the standard library, too");
                        if has_wasm_target() { Ok(()) } else { rustup(&["target", "add", WASM_TARGET]) }
                    })
                    .or_else(|error| {
                        eprintln!("{error}. Debian's packages have the sources, too");
                        Self::Debian.install(&DEBIAN_WASM)
                    })
            }
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

fn can_use_apt() -> bool {
    program("apt-get").is_some() && is_root()
}

fn apt_get(args: &[&str]) -> Result {
    let mut command = Command::new("apt-get");
    shell::run(command.args(args).env("DEBIAN_FRONTEND", "noninteractive").stdin(Stdio::null()))
}

pub(crate) fn is_root() -> bool {
    stdout_of(Command::new("id").arg("-u")).is_ok_and(|id| id.trim() == "0")
}

/// The standard library for [`WASM_TARGET`].
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum WasmStd {
    /// The sources of the toolchain in use, from which it is built as small as possible.
    Sources,
    /// Debian's compiler, which has only the sources.
    Debian,
    /// The standard library of rustup's target, which is larger.
    Ready,
}

/// The best of these that is installed.
pub(crate) fn wasm_std() -> WasmStd {
    match (has_rust_sources(), has_debian_wasm()) {
        (true, _) => WasmStd::Sources,
        (false, true) => WasmStd::Debian,
        (false, false) => WasmStd::Ready,
    }
}

/// Rust of an older version, in a folder.
pub(crate) struct DebianRust(PathBuf);

/// Unpacks Debian's Rust of this version into a folder, unless it is there. Debian 12 has 1.85 beside a newer one, as
/// packages that replace each other: to install them would change the compiler of this machine.
pub(crate) fn debian_rust(version: &str, folder: &Path) -> Result<DebianRust> {
    let rust = DebianRust(folder.to_owned());
    let begin = format!("cargo {version}.");
    let is_there = || stdout_of(rust.cargo().arg("--version")).is_ok_and(|line| line.starts_with(&begin));
    if is_there() {
        return Ok(rust);
    }
    eprintln!("Debian's Rust {version} is missing: apt-get downloads 100 MB, which take half a gigabyte");
    if can_use_apt() {
        apt_get(&["update", "--quiet"])?;
    }
    let packages = folder.join("packages");
    fs::create_dir_all(packages.join("partial"))?;
    let settings =
        [format!("Dir::Cache::archives={}", packages.display()), "Debug::NoLocking=true".to_owned()];
    let names = ["rustc-web", "cargo-web", "libstd-rust-web-dev"].map(|name| format!("{name}={version}.*"));
    let download =
        ["install", "--download-only", "--quiet", "--yes", "--no-install-recommends", "--allow-downgrades"];
    let options = settings.iter().flat_map(|setting| ["--option", setting]);
    apt_get(
        &download.into_iter().chain(options).chain(names.iter().map(String::as_str)).collect::<Vec<_>>(),
    )?;
    for package in fs::read_dir(&packages)? {
        let package = package?.path();
        if package.extension().is_some_and(|it| it == "deb") {
            shell::run(Command::new("dpkg").arg("--extract").arg(package).arg(folder))?;
        }
    }
    fs::remove_dir_all(packages)?;
    if is_there() { Ok(rust) } else { Err(format!("Debian's Rust {version} does not run").into()) }
}

impl DebianRust {
    pub(crate) fn cargo(&self) -> Command {
        let programs = self.0.join("usr/bin");
        let lists = ["usr/lib", "lib"].map(|folder| fs::read_dir(self.0.join(folder)));
        // Debian has the libraries in a folder of the architecture.
        let libraries = lists.into_iter().flatten().flatten().flatten().map(|folder| folder.path());
        let mut cargo = Command::new(programs.join("cargo"));
        cargo.env("RUSTC", programs.join("rustc"));
        cargo.env("LD_LIBRARY_PATH", env::join_paths(libraries).unwrap_or_default());
        cargo
    }
}

/// Whether the toolchain in use has the sources of the standard library.
fn has_rust_sources() -> bool {
    stdout_of(Command::new("rustc").args(["--print", "sysroot"]))
        .is_ok_and(|folder| PathBuf::from(folder.trim()).join("lib/rustlib/src/rust/library/std").is_dir())
}

/// Whether the C library of another machine can be linked.
fn has_libc(machine: &str) -> bool {
    PathBuf::from("/usr").join(machine).join("lib/libc.a").is_file()
}

/// Whether the toolchain in use has the standard library for [`WASM_TARGET`].
pub(crate) fn has_wasm_target() -> bool {
    stdout_of(Command::new("rustc").args(["--print", "target-libdir", "--target", WASM_TARGET]))
        .is_ok_and(|folder| PathBuf::from(folder.trim()).is_dir())
}

fn has_debian_wasm() -> bool {
    let is_installed = |name: &&str| {
        let status = stdout_of(Command::new("dpkg-query").args(["--show", "--showformat=${Status}", name]));
        status.is_ok_and(|status| status.ends_with(" installed"))
    };
    DEBIAN_WASM.iter().all(is_installed)
}

/// Whether Python can make environments, for packages of its own.
fn has_venv() -> bool {
    stdout_of(Command::new("python3").args(["-c", "import ensurepip, venv"])).is_ok()
}

/// A program of the newest PostgreSQL. Debian installs several versions side by side, outside the search path.
pub(crate) fn postgres(name: &str) -> Option<PathBuf> {
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    versions
        .filter_map(|version| Some((version.file_name().to_str()?.parse::<u32>().ok()?, version.path())))
        .map(|(version, folder)| (version, folder.join("bin").join(name)))
        .filter(|(_, program)| program.is_file())
        .max()
        .map(|(_, program)| program)
        .or_else(|| program(name))
}

/// Installs the extension `pg_partman` of the newest PostgreSQL, whose package has the version in its name.
pub(crate) fn install_partman() -> Result {
    let versions = fs::read_dir("/usr/share/postgresql").into_iter().flatten().flatten();
    let newest = versions.filter_map(|it| it.file_name().to_str()?.parse::<u32>().ok()).max();
    let Some(version) = newest else { return Ok(()) };
    let control = format!("/usr/share/postgresql/{version}/extension/pg_partman.control");
    if fs::exists(control)? {
        return Ok(());
    }
    Source::Debian.install(&[&format!("postgresql-{version}-partman")])
}

/// The library that gives a process another clock. Debian has it in a folder of the architecture.
pub(crate) fn libfaketime() -> Option<PathBuf> {
    let architectures = fs::read_dir("/usr/lib").into_iter().flatten().flatten();
    architectures
        .map(|folder| folder.path().join("faketime/libfaketimeMT.so.1"))
        .find(|library| library.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    const THERE: Tool = Tool::new("there", Source::CratesIo, || true);
    const ABSENT: Tool = Tool::new("absent", Source::CratesIo, || false);

    #[test]
    fn each_missing_tool_is_announced_once() {
        let said = announcement(&[&[ABSENT, THERE], &[ABSENT]]).unwrap();
        assert!(said.ends_with("  absent: by cargo install, which builds it: a few minutes\n"), "{said}");
    }

    #[test]
    fn nothing_is_announced_if_nothing_is_missing() {
        assert_eq!(announcement(&[&[THERE]]), None);
    }
}
