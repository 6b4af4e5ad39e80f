//! The programs: static, stripped, and the same from each folder that they are built in.

use super::{Release, compare, container, path_with};
use crate::{
    python,
    shell::{self, Result, cargo, root, sorted, stdout_of},
    workspace::target,
};
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

const TARGETS: [&str; 2] = ["x86_64-unknown-linux-musl", "aarch64-unknown-linux-musl"];

/// The packages, and their programs.
const PROGRAMS: [(&str, &str); 2] = [("sortid-cli", "sortid"), ("sortid-server", "sortid-server")];

/// The shells, and the files in which they look for completions of the program.
const SHELLS: [(&str, &str); 3] = [("bash", "sortid"), ("zsh", "_sortid"), ("fish", "sortid.fish")];

/// What is beside the programs in an archive.
const BESIDE: [&str; 4] = ["LICENSE-APACHE", "LICENSE-MIT", "CHANGELOG.md", "crates/sortid-server/deploy"];

/// The stores of fleets.
const FEATURES: [&str; 2] = ["--features", "sortid-cli/postgres,sortid-cli/etcd"];

const PROFILE: &str = "dist";

pub(super) fn rehearse(release: &Release) -> Result {
    let built = target()?.join("static");
    let again = release.clone("again")?;
    for triple in TARGETS {
        build(root(), &built, triple)?;
        build(&again, &again.join("target"), triple)?;
        for (_, program) in PROGRAMS {
            let path = folder_in(&built, triple).join(program);
            if fs::read(&path)? != fs::read(folder_in(&again.join("target"), triple).join(program))? {
                return Err(format!("{}: another folder makes another program", path.display()).into());
            }
            eprintln!("{triple}: two builds of {program} are equal, {} bytes", fs::metadata(path)?.len());
        }
    }
    let folders = TARGETS.map(|triple| folder_in(&built, triple));
    compare::run(&folders)?;
    for (triple, folder) in TARGETS.iter().zip(&folders) {
        pages(release, &folders[0], folder)?;
        archive(release, triple, folder)?;
        for (package, program) in PROGRAMS {
            debian(release, &built, triple, package, program)?;
            bill_of_materials(release, &again, triple, package, program)?;
        }
    }
    container::rehearse(&release.folder.join(name(release, TARGETS[0])))
}

fn folder_in(built: &Path, triple: &str) -> PathBuf {
    built.join(triple).join(PROFILE)
}

fn name(release: &Release, triple: &str) -> String {
    format!("sortid-{}-{triple}", release.version)
}

/// Builds both programs in a clone. Zig brings what a static program needs of C, and links.
fn build(clone: &Path, into: &Path, triple: &str) -> Result {
    let mut build = cargo(&["zigbuild", "--quiet", "--locked", "--profile", PROFILE, "--target", triple]);
    for (package, _) in PROGRAMS {
        build.args(["--package", package]);
    }
    build.args(FEATURES).args(["-Zbuild-std=std,panic_unwind", "-Ztrim-paths", "--target-dir"]).arg(into);
    build.env("RUSTC_BOOTSTRAP", "1").env("CARGO_PROFILE_DIST_TRIM_PATHS", "all");
    // The objects with which a program begins and ends come from Zig, too.
    build.env("RUSTFLAGS", "-Clink-self-contained=no");
    shell::run(build.env("PATH", path_with(&python::for_releases()?)?).current_dir(clone))
}

/// Writes the manual pages and the completions, as a program that runs here prints them.
fn pages(release: &Release, runs: &Path, folder: &Path) -> Result {
    let sortid = || {
        let mut command = Command::new(runs.join("sortid"));
        command.env("SOURCE_DATE_EPOCH", &release.time);
        command
    };
    let [man, server, completions] = ["man", "man-server", "completions"].map(|name| folder.join(name));
    for folder in [&man, &server, &completions] {
        shell::empty(folder)?;
    }
    shell::run(sortid().arg("man").arg("--dir").arg(&man))?;
    for (shell, file) in SHELLS {
        fs::write(completions.join(file), stdout_of(sortid().args(["completions", shell]))?)?;
    }
    let mut help2man = Command::new("help2man");
    help2man.args(["--no-info", "--no-discard-stderr", "--output"]).arg(server.join("sortid-server.1"));
    shell::run(help2man.arg(runs.join("sortid-server")).env("SOURCE_DATE_EPOCH", &release.time))
}

/// Packs what a user unpacks. The order, the owners and the times of its files are always the same.
fn archive(release: &Release, triple: &str, folder: &Path) -> Result {
    let name = name(release, triple);
    let packed = release.folder.join(&name);
    shell::empty(&packed)?;
    let man = packed.join("man");
    fs::create_dir(&man)?;
    let mut copy = Command::new("cp");
    copy.arg("--recursive").args(PROGRAMS.map(|(_, program)| folder.join(program)));
    copy.arg(folder.join("completions")).args(BESIDE.map(|path| root().join(path)));
    shell::run(copy.arg(root().join("crates/sortid-cli/README.md")).arg(&packed))?;
    let pages = ["man", "man-server"].map(|pages| sorted(&folder.join(pages), ".1"));
    for page in pages.into_iter().collect::<Result<Vec<_>>>()?.concat() {
        fs::copy(&page, man.join(page.file_name().unwrap_or_default()))?;
    }
    let mut tar = Command::new("tar");
    tar.args(["--sort=name", "--owner=0", "--group=0", "--numeric-owner", "--mode=u=rwX,go=rX"]);
    tar.arg(format!("--mtime=@{}", release.time)).arg("--use-compress-program=gzip -9n").arg("--create");
    tar.arg("--file").arg(release.files.join(format!("{name}.tar.gz"))).arg("--directory");
    shell::run(tar.arg(&release.folder).arg(name))
}

/// Makes a package of Debian, and tries the program in it.
fn debian(release: &Release, built: &Path, triple: &str, package: &str, program: &str) -> Result {
    let file = release.files.join(format!("{program}-{}-{triple}.deb", release.version));
    let mut deb = cargo(&["deb", "--quiet", "--locked", "--no-build", "--no-strip", "--target", triple]);
    deb.args(["--profile", PROFILE, "--package", package, "--output"]).arg(&file);
    shell::run(deb.env("CARGO_TARGET_DIR", built).env("SOURCE_DATE_EPOCH", &release.time))?;
    let unpacked = release.folder.join("debian");
    shell::empty(&unpacked)?;
    shell::run(Command::new("dpkg-deb").arg("--extract").arg(&file).arg(&unpacked))?;
    let packed = unpacked.join("usr/bin").join(program);
    if fs::read(&packed)? != fs::read(folder_in(built, triple).join(program))? {
        return Err(format!("{} has another program", file.display()).into());
    }
    shell::run(Command::new("dpkg-deb").arg("--info").arg(&file))?;
    shell::run(Command::new("dpkg-deb").arg("--contents").arg(&file))
}

/// Lists the packages that a program is built from, as `CycloneDX`.
fn bill_of_materials(release: &Release, clone: &Path, triple: &str, package: &str, program: &str) -> Result {
    let folder = clone.join("crates").join(package);
    let mut list = cargo(&["cyclonedx", "--quiet", "--format", "json", "--spec-version", "1.5"]);
    list.args(["--target", triple, "--override-filename", "sbom", "--all-features", "--manifest-path"]);
    list.arg(folder.join("Cargo.toml")).env("SOURCE_DATE_EPOCH", &release.time);
    shell::run(list.current_dir(clone))?;
    // Where it was built says nothing about the program.
    let text = fs::read_to_string(folder.join("sbom.json"))?;
    let text = text.replace(&format!("file://{}", clone.display()), "file://.");
    let count = text.matches("\"purl\"").count();
    if !text.contains("\"name\": \"ring\"") {
        return Err(format!("expected that the {count} packages of {program} have ring").into());
    }
    Ok(fs::write(release.files.join(format!("{program}-{}-{triple}.cdx.json", release.version)), text)?)
}
