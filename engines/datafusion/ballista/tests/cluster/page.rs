//! Runs the `console` blocks of `docs/engines.md`.

#[path = "../../../../../crates/sortid-cli/tests/it/shown/mod.rs"]
mod shown;

use crate::{start_executor, start_scheduler};
use shown::{Shown, are_like, commands};
use std::{fs, path::Path, process::Command};

#[test]
fn commands_print_what_the_page_shows() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
    let page = fs::read_to_string(root.join("docs/engines.md")).expect("the page");
    let dir = tempfile::tempdir().expect("directory");
    // The page shows the default port.
    let (_scheduler, port) = start_scheduler(dir.path());
    let _executors = ["one", "two"].map(|name| start_executor(dir.path(), name, port));
    let engine = Path::new(env!("CARGO_BIN_EXE_sortid-engine")).parent().expect("a folder");
    let program = root.join("target/debug");
    let path = format!("{}:{}:{}", engine.display(), program.display(), std::env::var("PATH").expect("PATH"));

    let mut build = Command::new(env!("CARGO"));
    build.args(["build", "--quiet", "--locked", "--package", "sortid-cli", "--target-dir", "target"]);
    build.current_dir(&root).env_remove("RUSTC_WORKSPACE_WRAPPER");
    assert!(build.status().expect("cargo").success());

    let mut wrong = String::new();
    let mut ran = 0;
    for Shown { line, command, mut output } in commands(&page) {
        let command = command.replace("50050", &port.to_string());
        if command.starts_with("sortid-engine scheduler") || command.starts_with("sortid-engine executor") {
            continue; // The test has started these.
        }
        let done = Command::new("sh")
            .args(["-c", &format!("exec 2>&1\n{command}")])
            .current_dir(dir.path())
            .env("PATH", &path)
            .output()
            .expect("sh");
        let found = String::from_utf8(done.stdout).expect("UTF-8");
        // A blank line ends what a command printed before the next one.
        output.pop_if(|line| line.is_empty());
        if !are_like(&found.lines().collect::<Vec<_>>(), &output) {
            wrong += &format!("line {line}: {}\n$ {command}\n{found}\n", done.status);
        }
        ran += 1;
    }
    assert!(wrong.is_empty(), "{wrong}");
    assert!(ran > 5, "{ran} commands");
}
