//! All files of a release, and its rehearsal: they are published to registries of this machine, and used from there as a
//! stranger uses them.

mod compare;
mod container;
mod crates;
mod javascript;
mod programs;
mod python;
mod registry;

use crate::{
    shell::{self, Result, root, stdout_of},
    tools,
    workspace::{UMBRELLA, packages, target},
};
use clap::ValueEnum;
use sortid_servers::servers::Folder;
use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

#[derive(clap::Args)]
pub(crate) struct Options {
    /// Rehearse only these parts
    parts: Vec<Part>,

    /// Publish what was rehearsed for this commit, with the tokens of the registries in the environment
    #[arg(long, conflicts_with = "parts")]
    publish: bool,
}

/// A part of the release, in the order in which all are rehearsed.
#[derive(Clone, Copy, ValueEnum)]
enum Part {
    /// Static programs, in archives and packages of Debian, and in a container
    Programs,
    /// The crates
    Crates,
    /// The package for Python
    Python,
    /// The package for JavaScript
    Javascript,
}

/// The commit that is released.
struct Release {
    version: String,
    commit: String,
    /// The time of the commit, in Unix seconds: no file of the release has another time.
    time: String,
    /// Where this chore works.
    folder: PathBuf,
    /// What is uploaded.
    files: PathBuf,
}

pub(crate) fn run(options: &Options) -> Result {
    let release = Release::new()?;
    if options.publish {
        return release.publish();
    }
    eprintln!(
        "The rehearsal builds each program and wheel for several systems. This takes an hour on two cores."
    );
    tools::install(tools::RELEASE)?;
    if options.parts.is_empty() {
        shell::empty(&release.files)?;
    }
    let parts = if options.parts.is_empty() { Part::value_variants() } else { &options.parts };
    let mut strangers = vec![];
    for part in parts {
        let (registry, (page, _), stranger): (_, _, fn(&Path, &str) -> Result) = match part {
            Part::Programs => {
                programs::rehearse(&release)?;
                continue;
            }
            Part::Crates => (crates::rehearse(&release)?, crates::PAGE, crates::use_as_stranger),
            Part::Python => (python::rehearse(&release)?, python::PAGE, python::use_as_stranger),
            Part::Javascript => {
                (javascript::rehearse(&release)?, javascript::PAGE, javascript::use_as_stranger)
            }
        };
        strangers.push((registry, page, stranger));
    }
    // Of a part alone, other files can be of another commit.
    if options.parts.is_empty() {
        release.sums()?;
    }
    // At the end, where a reader looks.
    for (registry, page, stranger) in &strangers {
        eprintln!("\n== the quick start of {page}, from {}", registry.url());
        // Outside of the repository: within it, cargo makes a new program a member of its workspace.
        stranger(&Folder::new("stranger")?, registry.url())?;
    }
    println!(
        "{} at {} is rehearsed; its files are in {}",
        release.tag(),
        release.commit,
        release.files.display()
    );
    Ok(())
}

impl Release {
    fn new() -> Result<Self> {
        let changes = git(&["status", "--porcelain"])?;
        if !changes.is_empty() {
            return Err(format!("expected that all changes are committed, found\n{changes}").into());
        }
        let umbrella = packages()?.into_iter().find(|package| package.name == UMBRELLA);
        let version = umbrella.ok_or("there is no umbrella")?.version;
        let changelog = fs::read_to_string(root().join(CHANGELOG))?;
        if !changelog.contains(&format!("\n## {version}, ")) {
            return Err(
                format!("expected `## {version}, ` and a date in {CHANGELOG}, found none: add it").into()
            );
        }
        let folder = target()?.join("rehearsal");
        let files = folder.join("files");
        fs::create_dir_all(&files)?;
        let [commit, time] = [git(&["rev-parse", "HEAD"])?, git(&["log", "-1", "--format=%ct"])?];
        Ok(Self { version, commit, time, folder, files })
    }

    fn tag(&self) -> String {
        format!("v{}", self.version)
    }

    /// Clones the commit into a folder with this name, and tags it there.
    fn clone(&self, name: &str) -> Result<PathBuf> {
        let folder = self.folder.join(name);
        if folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
        shell::run(Command::new("git").args(["clone", "--quiet", "--no-tags"]).args([root(), &folder]))?;
        shell::run(Command::new("git").arg("-C").arg(&folder).args(["tag", &self.tag()]))?;
        Ok(folder)
    }

    /// Writes the checksums of the files, behind the commit.
    fn sums(&self) -> Result {
        let _ = fs::remove_file(self.files.join(SUMS));
        let files = shell::sorted(&self.files, "")?;
        let names = files.iter().filter_map(|file| file.file_name());
        let sums = stdout_of(Command::new("sha256sum").arg("--").args(names).current_dir(&self.files))?;
        println!("{sums}");
        Ok(fs::write(self.files.join(SUMS), format!("# {}\n{sums}", self.commit))?)
    }

    /// Publishes what was rehearsed: the same commands, and the registries of everyone.
    fn publish(&self) -> Result {
        let tags = git(&["tag", "--points-at", "HEAD"])?;
        if !tags.lines().any(|tag| tag == self.tag()) {
            return Err(format!("expected the tag {} at {}, found {tags:?}", self.tag(), self.commit).into());
        }
        let unreleased = format!("\n## {}, unreleased\n", self.version);
        if fs::read_to_string(root().join(CHANGELOG))?.contains(&unreleased) {
            return Err(format!("expected a date in {CHANGELOG}, found{unreleased}").into());
        }
        let sums = fs::read_to_string(self.files.join(SUMS)).unwrap_or_default();
        if !sums.starts_with(&format!("# {}\n", self.commit)) {
            let folder = self.files.display();
            return Err(
                format!("expected the files of {} in {folder}: rehearse it first", self.commit).into()
            );
        }
        shell::run(Command::new("sha256sum").args(["--check", SUMS]).current_dir(&self.files))?;
        crates::publish(&self.clone("crates")?, None)?;
        python::publish(self, None)?;
        javascript::publish(self, None)?;
        let mut github = Command::new("gh");
        github.args(["release", "create", &self.tag(), "--verify-tag", "--notes-file", CHANGELOG]);
        shell::run(github.args(shell::sorted(&self.files, "")?).current_dir(root()))
    }
}

const SUMS: &str = "SHA256SUMS";

const CHANGELOG: &str = "CHANGELOG.md";

fn git(args: &[&str]) -> Result<String> {
    Ok(stdout_of(Command::new("git").args(args).current_dir(root()))?.trim().to_owned())
}

/// The first block of code in this language on a page: what a stranger tries.
fn quick_start(page: &str, language: &str) -> Result<String> {
    let text = fs::read_to_string(root().join(page))?;
    let block = text.split_once(&format!("```{language}\n")).and_then(|(_, rest)| rest.split_once("```"));
    Ok(block.ok_or_else(|| format!("{page} has no code in {language}"))?.0.to_owned())
}

/// The search path, with the programs of this folder first.
fn path_with(folder: &Path) -> Result<std::ffi::OsString> {
    let path = env::var_os("PATH").unwrap_or_default();
    Ok(env::join_paths([folder.to_owned()].into_iter().chain(env::split_paths(&path)))?)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The packages outside of the workspace repeat the version.
    #[test]
    fn all_packages_have_one_version() {
        let version = packages().unwrap().into_iter().find(|it| it.name == UMBRELLA).unwrap().version;
        for (file, line) in [
            ("bindings/python/Cargo.toml", format!("version = \"{version}\"")),
            ("bindings/web/Cargo.toml", format!("version = \"{version}\"")),
            ("bindings/web/package/package.json", format!("  \"version\": \"{version}\",")),
            ("engines/datafusion/Cargo.toml", format!("version = \"{version}\"")),
        ] {
            let text = fs::read_to_string(root().join(file)).unwrap();
            assert!(text.lines().any(|it| it == line), "{file} lacks {line}");
        }
        for package in packages().unwrap().iter().filter(|it| it.is_published) {
            assert_eq!(package.version, version, "{}", package.name);
        }
    }

    #[test]
    fn each_quick_start_is_found() {
        for (page, language) in [crates::PAGE, python::PAGE, javascript::PAGE] {
            assert!(!quick_start(page, language).unwrap().is_empty());
        }
    }
}
