//! Test programs that have passed, and what they were made of.
//!
//! After a change in one crate, cargo builds the test programs of a few others again, and runs all. A program with the
//! same bytes does the same, so its tests run only once, if nothing but the program and the folder of its package decides
//! what they see.

use crate::{
    shell::{self, Result},
    workspace::target,
};
use std::{
    collections::BTreeMap,
    env,
    ffi::OsString,
    fs,
    hash::{DefaultHasher, Hash as _, Hasher as _},
    io,
    path::{Path, PathBuf},
    process::Command,
    thread,
};

/// Lets cargo run tests through [`run`], each program with more tests at a time than there are cores: most tests of fleets
/// wait.
pub(crate) fn through_here(test: &mut Command) -> Result {
    let target = target()?;
    let this = target.join("debug").join(format!("xtask{}", env::consts::EXE_SUFFIX));
    let passed = target.join("passed");
    test.arg("--config").arg(format!("target.'cfg(all())'.runner = [{this:?}, 'once', {passed:?}]"));
    if env::var_os(THREADS).is_none() {
        test.env(THREADS, (4 * thread::available_parallelism()?.get()).to_string());
    }
    Ok(())
}

const THREADS: &str = "RUST_TEST_THREADS";

/// Runs a test program in the folder of its package, unless the same program has passed there with these arguments. `passed`
/// is the folder of what has passed.
pub(crate) fn run(passed: &Path, program: &Path, arguments: &[String]) -> Result {
    let mut test = Command::new(program);
    test.args(arguments);
    let Some(content) = content(program, &env::current_dir()?)? else { return shell::run(&mut test) };
    let mut hasher = DefaultHasher::new();
    (program, arguments, settings()).hash(&mut hasher);
    let record = passed.join(format!("{:016x}", hasher.finish()));
    if fs::read_to_string(&record).is_ok_and(|passed| passed == content) {
        println!("unchanged since its tests passed: {}", program.display());
        return Ok(());
    }
    shell::run(&mut test)?;
    fs::create_dir_all(passed)?;
    Ok(fs::write(record, content)?)
}

/// The variables of the environment that tests of this workspace read.
fn settings() -> BTreeMap<OsString, OsString> {
    env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("SORTID_")).collect()
}

/// A hash of the program and of the files of its package. `None` if its tests look for other files or other programs.
fn content(program: &Path, package: &Path) -> Result<Option<String>> {
    let mut hasher = DefaultHasher::new();
    fs::read(program)?.hash(&mut hasher);
    let mut files = vec![];
    find(package, &mut files)?;
    files.sort_unstable();
    for file in files {
        let bytes = fs::read(&file)?;
        let names = |text: &str| bytes.windows(text.len()).any(|window| window == text.as_bytes());
        if file.extension().is_some_and(|extension| extension == "rs")
            && (names("CARGO_MANIFEST_DIR") || names("CARGO_BIN_EXE"))
        {
            return Ok(None);
        }
        (file, bytes).hash(&mut hasher);
    }
    Ok(Some(format!("{:016x}", hasher.finish())))
}

/// The files below a folder.
fn find(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        // A link leads to a licence.
        match entry.file_type()? {
            kind if kind.is_dir() && entry.file_name() != "target" => find(&entry.path(), files)?,
            kind if kind.is_file() => files.push(entry.path()),
            _ => {}
        }
    }
    Ok(())
}
