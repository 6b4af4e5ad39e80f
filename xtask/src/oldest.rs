//! The tests of the libraries with the least version of Rust that they state, by Debian's compiler of that version.

use crate::{
    emulate::TESTKIT,
    shell::{self, Result, root, stdout_of},
    tools,
    workspace::{self, CORE, Package, packages},
};
use std::{env, fs, path::Path, process::Command};

/// Packages whose versions in Cargo.lock need a newer compiler, and the newest versions that do not. Only the tests need
/// `fork`. `idna_adapter` is older still: its newer versions bring seven packages, of which each would be a line here.
const OLDER: [(&str, &str); 5] = [
    ("fork", "0.8.0"),
    ("idna_adapter", "1.1.0"),
    ("proptest", "1.11.0"),
    ("time", "0.3.45"),
    ("uuid", "1.26.1"),
];

/// Features that need a package without a suitable version: none builds, or the feature supports none that builds.
const NEWER: [&str; 10] = [
    "async-graphql",
    "diesel",
    "diesel-sqlite",
    "mysql_common037",
    "postgres-types02",
    "redis",
    "sea-orm",
    "sqlx09",
    "sqlx09-postgres",
    "utoipa6",
];

pub(crate) fn run() -> Result {
    let packages = packages()?;
    let core = packages.iter().find(|package| package.name == CORE).ok_or("there is no core")?;
    let version = core.rust_version.as_deref().ok_or("the core states no version of Rust")?;
    // The other packages state a version of their own.
    let tested: Vec<_> = packages
        .iter()
        .filter(|it| {
            it.is_library()
                && it.rust_version.as_deref() == Some(version)
                && (it.is_published || it.name == TESTKIT)
        })
        .collect();
    let folder = workspace::target()?.join("oldest");
    let rust = folder.join("rust");
    install_rust(version, &rust)?;
    let copy = folder.join("workspace");
    copy_workspace(&copy, &tested)?;
    let cargo = |args: &[&str]| {
        let mut command = cargo_of(&rust);
        command.args(args).current_dir(&copy);
        command
    };
    for (package, version) in OLDER {
        shell::run(&mut cargo(&["update", "--quiet", "--package", package, "--precise", version]))?;
    }
    let features: Vec<_> = tested
        .iter()
        .flat_map(|package| package.features.keys().map(|feature| (&package.name, feature)))
        .filter(|(_, feature)| !NEWER.contains(&feature.as_str()))
        .map(|(package, feature)| format!("{package}/{feature}"))
        .collect();
    let features = features.join(",");
    let build = folder.join("build");
    let mut check = cargo(&["check", "--locked", "--workspace", "--features", &features]);
    shell::run(check.arg("--target-dir").arg(&build))?;
    // The test kit turns on most integrations.
    let mut test = cargo(&["test", "--locked", "--no-fail-fast", "--workspace", "--tests"]);
    shell::run(test.arg("--target-dir").arg(&build))
}

/// Makes a workspace of some packages of this workspace, with a Cargo.lock of its own.
fn copy_workspace(copy: &Path, members: &[&Package]) -> Result {
    shell::empty(copy)?;
    let mut link = Command::new("ln");
    link.arg("--symbolic");
    for entry in fs::read_dir(root())? {
        let path = entry?.path();
        if !["target", "Cargo.toml", "Cargo.lock"].map(Path::new).iter().any(|name| path.ends_with(name)) {
            link.arg(path);
        }
    }
    shell::run(link.arg(copy))?;
    let folder = |package: &&Package| {
        Some(Path::new(&package.manifest).parent()?.strip_prefix(root()).ok()?.to_owned())
    };
    let members = members.iter().map(folder).collect::<Option<Vec<_>>>().ok_or("a package lies elsewhere")?;
    let manifest = fs::read_to_string(root().join("Cargo.toml"))?;
    // The other keys of the first table list packages that the copy does not have.
    let start = manifest.find("\n[workspace.package]").ok_or("Cargo.toml has no [workspace.package]")?;
    let ours = format!("[workspace]\nresolver = \"3\"\nmembers = {members:?}\n{}", &manifest[start..]);
    fs::write(copy.join("Cargo.toml"), ours)?;
    fs::copy(root().join("Cargo.lock"), copy.join("Cargo.lock"))?;
    Ok(())
}

/// Unpacks Debian's Rust of this version into a folder, unless it is there. Debian 12 has 1.85 beside a newer one, as
/// packages that replace each other: to install them would change the compiler of this machine.
fn install_rust(version: &str, folder: &Path) -> Result {
    let begin = format!("cargo {version}.");
    let is_there = || stdout_of(cargo_of(folder).arg("--version")).is_ok_and(|line| line.starts_with(&begin));
    if is_there() {
        return Ok(());
    }
    eprintln!("Debian's Rust {version} is missing: apt-get downloads 100 MB, which take half a gigabyte");
    if tools::can_use_apt() {
        tools::apt_get(&["update", "--quiet"])?;
    }
    let packages = folder.join("packages");
    fs::create_dir_all(packages.join("partial"))?;
    let cache = format!("Dir::Cache::archives={}", packages.display());
    let download =
        ["install", "--download-only", "--quiet", "--yes", "--no-install-recommends", "--allow-downgrades"];
    let options = ["--option", &cache, "--option", "Debug::NoLocking=true"];
    let names = ["rustc-web", "cargo-web", "libstd-rust-web-dev"].map(|name| format!("{name}={version}.*"));
    tools::apt_get(&[&download[..], &options, &names.each_ref().map(|it| &**it)].concat())?;
    for package in shell::sorted(&packages, ".deb")? {
        shell::run(Command::new("dpkg").arg("--extract").arg(package).arg(folder))?;
    }
    fs::remove_dir_all(packages)?;
    if is_there() { Ok(()) } else { Err(format!("Debian's Rust {version} does not run").into()) }
}

/// Cargo of the Rust in a folder.
fn cargo_of(rust: &Path) -> Command {
    let lists = ["usr/lib", "lib"].map(|folder| fs::read_dir(rust.join(folder)));
    // Debian has the libraries in a folder of the architecture.
    let libraries = lists.into_iter().flatten().flatten().flatten().map(|folder| folder.path());
    let mut cargo = Command::new(rust.join("usr/bin/cargo"));
    cargo.env("RUSTC", rust.join("usr/bin/rustc"));
    cargo.env("LD_LIBRARY_PATH", env::join_paths(libraries).unwrap_or_default());
    cargo
}
