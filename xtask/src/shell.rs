//! Runs other programs from the root of the workspace.

pub(crate) use sortid_servers::{
    programs::program,
    shell::{Result, cargo, root, run, shown, stdout_of},
};
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    sync::Mutex,
    thread,
};

/// The last arguments of Clippy.
pub(crate) const DENY_WARNINGS: [&str; 3] = ["--", "--deny", "warnings"];

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
