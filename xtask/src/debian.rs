//! Programs of Debian's packages.

use crate::shell::{self, Result, stdout_of};
use std::{
    path::PathBuf,
    process::{Command, Stdio},
};

/// Installs the packages that are not there, where that is a matter of a command.
pub(crate) fn install(packages: &[(&str, bool)]) -> Result {
    let missing: Vec<_> =
        packages.iter().filter(|(_, is_there)| !is_there).map(|(package, _)| *package).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let by_hand = format!("expected the Debian package {}, found none: install it", missing.join(" and "));
    if program("apt-get").is_none() || !is_root()? {
        return Err(by_hand.into());
    }
    let apt = |args: &[&str]| {
        shell::run(
            Command::new("apt-get").args(args).env("DEBIAN_FRONTEND", "noninteractive").stdin(Stdio::null()),
        )
    };
    apt(&["update", "--quiet"])?;
    apt(&[&["install", "--quiet", "--yes", "--no-install-recommends"], &missing[..]].concat())
        .map_err(|error| format!("{by_hand}: {error}").into())
}

pub(crate) fn is_root() -> Result<bool> {
    Ok(stdout_of(Command::new("id").arg("-u"))?.trim() == "0")
}

/// A program on the search path, or where Debian puts servers.
pub(crate) fn program(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).chain([PathBuf::from("/usr/sbin")]);
    folders.map(|folder| folder.join(name)).find(|program| program.is_file())
}
