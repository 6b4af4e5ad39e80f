//! Runs the `console` blocks of the README and of `docs/`, each page in a folder of its own.
//!
//! A shell that finds `sortid` runs each `$ command`. The lines below it have to be what it prints on both of its
//! outputs. In these lines, `…` stands for any text, and a line with `…` alone for any lines. If no lines follow a
//! command, its output depends on the time and is not compared. Commands that begin with `cargo` are not run.
#![cfg(unix)]

use crate::shown::{Shown, are_like, commands, is_like};
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

#[test]
fn what_is_shown_is_compared() {
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    assert!(are_like(&["a", "b c d"], &lines("a\nb … d")));
    assert!(are_like(&["a", "b", "c"], &lines("a\n…\nc")) && are_like(&["a", "c"], &lines("a\n…\nc")));
    assert!(!are_like(&["a", "b"], &lines("a")) && !are_like(&["a"], &lines("a\nb")));
    assert!(!are_like(&["bcd"], &lines("b…c")) && is_like("bcdc", "b…c") && is_like("bcd", "b…"));
}

/// The README and each page of `docs/`.
fn pages() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let docs = fs::read_dir(root.join("docs")).unwrap().map(|entry| entry.unwrap().path());
    let mut pages: Vec<_> = docs.filter(|path| path.extension().is_some_and(|it| it == "md")).collect();
    pages.sort();
    pages.insert(0, root.join("README.md"));
    pages
}

#[test]
fn commands_print_what_the_pages_show() {
    let program = Path::new(env!("CARGO_BIN_EXE_sortid")).parent().unwrap();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap());
    let (mut ran, mut compared, mut wrong) = (0, 0, String::new());
    for page in pages() {
        let name = page.file_stem().unwrap().to_str().unwrap();
        if ["sql", "engines"].contains(&name) {
            continue; // `cargo xtask sql` and `cargo xtask engines` run these.
        }
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("docs-{name}"));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        for Shown { line, command, output } in commands(&fs::read_to_string(&page).unwrap()) {
            if command.starts_with("cargo ") {
                continue;
            }
            let done = Command::new("sh")
                .args(["-c", &format!("exec 2>&1\n{command}")])
                .current_dir(&folder)
                .env("PATH", &path)
                .env("COLUMNS", "80")
                .output()
                .unwrap();
            let found = String::from_utf8(done.stdout).unwrap();
            // A blank line ends what a command printed before the next one.
            let shown: Vec<String> = match output.split_last() {
                Some((last, rest)) if last.is_empty() => rest.to_vec(),
                _ => output,
            };
            // 1 means that something was invalid, which is fine if the page shows what.
            let is_fine = match done.status.code() {
                Some(0) => true,
                Some(1) => !shown.is_empty(),
                _ => false,
            };
            let is_as_shown = shown.is_empty() || are_like(&found.lines().collect::<Vec<_>>(), &shown);
            if !(is_fine && is_as_shown) {
                wrong += &format!("{name}.md, line {line}: {}\n$ {command}\n{found}\n", done.status);
            }
            ran += 1;
            compared += usize::from(!shown.is_empty());
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    assert!(ran > 10 && compared > 5, "{ran} commands, {compared} outputs");
}
