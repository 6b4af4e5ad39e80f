//! Runs other programs, from the root of the workspace.

use std::{error::Error, path::Path, process::Command};

/// Any error, for people.
pub type Result<T = (), E = Box<dyn Error + Send + Sync>> = std::result::Result<T, E>;

/// The root of the workspace.
#[must_use]
pub fn root() -> &'static Path {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    folder.ancestors().nth(2).unwrap_or(folder)
}

/// The cargo that runs this program.
#[must_use]
pub fn cargo(args: &[&str]) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(args).current_dir(root());
    command
}

/// Runs the command and passes its output through.
///
/// # Errors
///
/// If the command cannot be run, or fails.
pub fn run(command: &mut Command) -> Result {
    eprintln!("$ {}", shown(command));
    let status = command.status().map_err(|error| format!("cannot run {}: {error}", shown(command)))?;
    if status.success() { Ok(()) } else { Err(format!("{} failed: {status}", shown(command)).into()) }
}

/// Runs the command and returns what it prints on standard output.
///
/// # Errors
///
/// If the command cannot be run, or fails.
pub fn stdout_of(command: &mut Command) -> Result<String> {
    let output = command.output().map_err(|error| format!("cannot run {}: {error}", shown(command)))?;
    if !output.status.success() {
        let stderr = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{} failed: {}\n{stderr}", shown(command), output.status).into());
    }
    Ok(String::from_utf8(output.stdout)?)
}

/// The command as one would type it.
#[must_use]
pub fn shown(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_name().unwrap_or_default().to_string_lossy();
    let words = command.get_args().map(|arg| arg.to_string_lossy());
    let settings = command.get_envs().filter_map(|(name, value)| {
        Some(format!("{}='{}'", name.to_string_lossy(), value?.to_string_lossy()).into())
    });
    settings.chain([program]).chain(words).collect::<Vec<_>>().join(" ")
}
