//! Runs other programs from the root of the workspace.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    sync::Mutex,
    thread,
};

pub(crate) type Result<T = ()> = std::result::Result<T, Box<dyn std::error::Error>>;

/// The last arguments of Clippy.
pub(crate) const DENY_WARNINGS: [&str; 3] = ["--", "--deny", "warnings"];

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

/// Runs the command and returns what it prints on standard output.
pub(crate) fn stdout_of(command: &mut Command) -> Result<String> {
    let output = command.output().map_err(|error| format!("cannot run {}: {error}", shown(command)))?;
    if !output.status.success() {
        let stderr = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{} failed: {}\n{stderr}", shown(command), output.status).into());
    }
    Ok(String::from_utf8(output.stdout)?)
}

/// Runs a command that has to fail with this text among its errors, which it returns.
pub(crate) fn fails_with(text: &str, command: &mut Command) -> Result<String> {
    eprintln!("$ {}   (must fail)", shown(command));
    let output = command.output()?;
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    if output.status.success() || !stderr.contains(text) {
        return Err(format!("{} does not fail with {text:?}:\n{stderr}", shown(command)).into());
    }
    Ok(stderr)
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

/// The files of a folder whose names end with this, by name.
pub(crate) fn sorted(folder: &Path, end: &str) -> Result<Vec<PathBuf>> {
    let mut files: Vec<_> = fs::read_dir(folder)?.map(|file| Ok(file?.path())).collect::<Result<_>>()?;
    files.retain(|file| file.to_string_lossy().ends_with(end));
    files.sort();
    Ok(files)
}

/// Makes an empty folder, in place of what is there.
pub(crate) fn empty(folder: &Path) -> Result {
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    Ok(fs::create_dir_all(folder)?)
}

/// The files of Rust below a folder.
pub(crate) fn rust_files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files = vec![];
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            files.extend(rust_files(&path)?);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    Ok(files)
}

/// Works on several items at a time. The error has those of all items.
pub(crate) fn side_by_side<T: Send>(
    count: usize,
    items: Vec<T>,
    work: impl Fn(T) -> Result + Sync,
) -> Result {
    let (waiting, failed) = (Mutex::new(items.into_iter()), Mutex::new(vec![]));
    let next = || waiting.lock().expect("no thread panics").next();
    thread::scope(|scope| {
        for _ in 0..count {
            scope.spawn(|| {
                while let Some(item) = next() {
                    if let Err(error) = work(item) {
                        failed.lock().expect("no thread panics").push(error.to_string());
                    }
                }
            });
        }
    });
    let failed = failed.into_inner().expect("no thread panics");
    if failed.is_empty() { Ok(()) } else { Err(failed.join("\n").into()) }
}
