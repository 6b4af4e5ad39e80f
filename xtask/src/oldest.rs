//! The tests of the libraries with the least version of Rust that they state, by Debian's compiler of that version.

use crate::{
    emulate::TESTKIT,
    shell::{self, Result, root},
    tools,
    workspace::{self, CORE, Package, packages},
};
use std::{fs, io, path::Path, process::Command};

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
    let version = &core.rust_version;
    // The other packages state a version of their own.
    let tested: Vec<_> = packages
        .iter()
        .filter(|it| {
            it.is_library() && it.rust_version == *version && (it.is_published || it.name == TESTKIT)
        })
        .collect();
    let folder = workspace::target()?.join("oldest");
    let rust = tools::debian_rust(version, &folder.join("rust"))?;
    let copy = folder.join("workspace");
    copy_workspace(&copy, &tested)?;
    let cargo = |args: &[&str]| {
        let mut command = rust.cargo();
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
    match fs::remove_dir_all(copy) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error.into()),
        _ => fs::create_dir_all(copy)?,
    }
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
