//! Checks that unsafe code stays where it is: `sortid-core` has two `unsafe` blocks, `sortid-columns` has one, and all other
//! libraries and programs have none.

use crate::{
    shell::{Result, root},
    workspace::{CORE, Package, packages},
};
use std::{
    fs,
    path::{Path, PathBuf},
};

const FORBID: &str = "#![forbid(unsafe_code)]";

/// The libraries outside the workspace, and how often each may use `unsafe`.
const OUTSIDE: [(&str, usize); 5] = [
    ("bindings/python/src", 0),
    ("bindings/web/src", 0),
    ("engines/datafusion/src", 0),
    ("engines/datafusion/ballista/src", 0),
    ("engines/datafusion/columns/src", 1),
];

pub(crate) fn check() -> Result {
    let mut faults = vec![];
    for package in packages()? {
        faults.extend(faults_of(&package)?);
    }
    for (folder, most) in OUTSIDE {
        faults.extend(more_than(most, &root().join(folder))?);
    }
    if faults.is_empty() { Ok(()) } else { Err(faults.join("\n").into()) }
}

fn faults_of(package: &Package) -> Result<Vec<String>> {
    let mut faults = vec![];
    for target in package.targets.iter().filter(|target| target.is_library() || target.is_program()) {
        if package.name == CORE {
            faults.extend(more_than(2, target.src.parent().unwrap_or(Path::new(".")))?);
        } else if !forbids_unsafe(&fs::read_to_string(&target.src)?) {
            faults.push(format!("{} lacks {FORBID}", target.src.display()));
        }
    }
    Ok(faults)
}

/// The fault of a folder that uses `unsafe` more often than this.
fn more_than(most: usize, folder: &Path) -> Result<Option<String>> {
    let mut uses = 0;
    for file in rust_files(folder)? {
        uses += uses_of_unsafe(&fs::read_to_string(file)?);
    }
    let fault = || format!("{}: expected at most {most} uses of unsafe, found {uses}", folder.display());
    Ok((uses > most).then(fault))
}

fn forbids_unsafe(root_file: &str) -> bool {
    root_file.lines().any(|line| line.trim_end() == FORBID)
}

/// Counts the keyword. Comments do not count; in a string the word would.
fn uses_of_unsafe(code: &str) -> usize {
    let code = code.lines().map(|line| line.split("//").next().unwrap_or_default());
    let words = code.flat_map(|line| line.split(|c: char| !c.is_alphanumeric() && c != '_'));
    words.filter(|word| *word == "unsafe").count()
}

fn rust_files(folder: &Path) -> Result<Vec<PathBuf>> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_attribute_itself_forbids_unsafe() {
        assert!(forbids_unsafe("//! Docs\n#![no_std]\n#![forbid(unsafe_code)]\nmod a;\n"));
        assert!(forbids_unsafe("#![forbid(unsafe_code)]\r\n"));
        for without in [
            "",
            "// #![forbid(unsafe_code)]",
            "#![deny(unsafe_code)]",
            "#![cfg_attr(x, forbid(unsafe_code))]",
        ] {
            assert!(!forbids_unsafe(without), "{without}");
        }
    }

    #[test]
    fn blocks_functions_and_impls_are_counted_but_comments_and_lint_names_are_not() {
        let code = "
            #![allow(unsafe_code)] // unsafe
            /// unsafe { }
            let a = unsafe { b };
            unsafe fn c() {}
            unsafe impl Send for D {}
        ";
        assert_eq!(uses_of_unsafe(code), 3);
    }
}
