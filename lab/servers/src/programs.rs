//! Where programs and libraries are that other packages bring.

use crate::shell::{Result, stdout_of};
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// A program on the search path, or in the folder where Debian puts servers.
#[must_use]
pub fn program(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).chain([PathBuf::from("/usr/sbin")]);
    let name = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    folders.map(|folder| folder.join(&name)).find(|program| program.is_file())
}

/// The program, or an error that names it.
///
/// # Errors
///
/// If it is not installed.
pub fn installed(name: &str) -> Result<PathBuf> {
    program(name).or_else(|| postgres(name)).ok_or_else(|| format!("{name} is not installed").into())
}

/// Whether this process belongs to root.
#[must_use]
pub fn is_root() -> bool {
    stdout_of(Command::new("id").arg("-u")).is_ok_and(|id| id.trim() == "0")
}

/// A program of the newest PostgreSQL. Debian installs several versions side by side, outside the search path.
#[must_use]
pub fn postgres(name: &str) -> Option<PathBuf> {
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    versions
        .filter_map(|version| Some((version.file_name().to_str()?.parse::<u32>().ok()?, version.path())))
        .map(|(version, folder)| (version, folder.join("bin").join(name)))
        .filter(|(_, program)| program.is_file())
        .max()
        .map(|(_, program)| program)
        .or_else(|| program(name))
}

/// The library that gives a process another clock. Debian has it in a folder of the architecture.
#[must_use]
pub fn libfaketime() -> Option<PathBuf> {
    let architectures = fs::read_dir("/usr/lib").into_iter().flatten().flatten();
    architectures
        .map(|folder| folder.path().join("faketime/libfaketimeMT.so.1"))
        .find(|library| library.is_file())
}

/// Gives a process a clock that is ahead by the seconds in this file.
///
/// # Errors
///
/// If libfaketime is not installed.
pub fn with_clock(command: &mut Command, clock: &Path) -> Result {
    let library = libfaketime().ok_or("libfaketime is not installed")?;
    command.env("LD_PRELOAD", library).env("FAKETIME_TIMESTAMP_FILE", clock);
    command.env("FAKETIME_NO_CACHE", "1").env("NO_FAKE_STAT", "1");
    command.env("DONT_FAKE_MONOTONIC", "1").env("FAKETIME_DONT_FAKE_MONOTONIC", "1");
    Ok(())
}

/// Removes what libfaketime leaves of a process that was killed.
pub fn tidy(process: u32) {
    for name in [format!("faketime_shm_{process}"), format!("sem.faketime_sem_{process}")] {
        let _ = fs::remove_file(Path::new("/dev/shm").join(name));
    }
}

/// The resident memory of a process, in KiB, on Linux.
///
/// # Errors
///
/// If the system does not tell it.
pub fn memory(process: u32) -> Result<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status"))?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    Ok(line.ok_or("the status of the process has no VmRSS")?.trim().trim_end_matches(" kB").parse()?)
}
