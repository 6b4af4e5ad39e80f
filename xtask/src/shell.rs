//! Runs other programs from the root of the workspace.

use std::{
    path::{Path, PathBuf},
    process::Command,
    thread,
    time::{Duration, Instant},
};

pub(crate) type Result<T = ()> = std::result::Result<T, Box<dyn std::error::Error>>;

pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies in the root of the workspace")
}

/// The cargo that runs this program.
pub(crate) fn cargo(args: &[&str]) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(args).current_dir(root());
    command
}

/// Runs the command and passes its output through.
pub(crate) fn run(command: &mut Command) -> Result {
    eprintln!("$ {}", shown(command));
    let status = command.status().map_err(|error| format!("cannot run {}: {error}", shown(command)))?;
    if status.success() { Ok(()) } else { Err(format!("{} failed: {status}", shown(command)).into()) }
}

/// Like [`run`], but stops the command after this time.
pub(crate) fn run_within(limit: Duration, command: &mut Command) -> Result {
    eprintln!("$ {}", shown(command));
    let started = Instant::now();
    let mut child = command.spawn().map_err(|error| format!("cannot run {}: {error}", shown(command)))?;
    loop {
        match child.try_wait()? {
            Some(status) if status.success() => return Ok(()),
            Some(status) => return Err(format!("{} failed: {status}", shown(command)).into()),
            None if started.elapsed() > limit => {
                child.kill()?;
                child.wait()?;
                return Err(format!("{} took more than {limit:?}", shown(command)).into());
            }
            None => thread::sleep(Duration::from_millis(100)),
        }
    }
}

/// Runs the command and returns what it prints on standard output.
pub(crate) fn stdout_of(command: &mut Command) -> Result<String> {
    let output = command.output().map_err(|error| format!("cannot run {}: {error}", shown(command)))?;
    if !output.status.success() {
        let stderr = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{} failed: {}\n{stderr}", shown(command), output.status).into());
    }
    Ok(String::from_utf8(output.stdout)?)
}

/// The target of the compiler in use, which is this machine.
pub(crate) fn host() -> Result<String> {
    let version = stdout_of(Command::new("rustc").arg("-vV"))?;
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    Ok(host.ok_or("rustc does not print its host")?.to_owned())
}

/// The command as one would type it.
pub(crate) fn shown(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_name().unwrap_or_default().to_string_lossy();
    let words = command.get_args().map(|arg| arg.to_string_lossy());
    let settings = command.get_envs().filter_map(|(name, value)| {
        Some(format!("{}='{}'", name.to_string_lossy(), value?.to_string_lossy()).into())
    });
    settings.chain([program]).chain(words).collect::<Vec<_>>().join(" ")
}

/// A program on the search path, or in the folder where Debian puts servers.
pub(crate) fn program(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).chain([PathBuf::from("/usr/sbin")]);
    let name = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    folders.map(|folder| folder.join(&name)).find(|program| program.is_file())
}
