//! Checks that unsafe code stays where it is. The lints of the workspace deny it, but any file could allow it.

use crate::{
    shell::{self, Result, root},
    workspace::{CORE, packages},
};
use std::fs;

const FORBID: &str = "#![forbid(unsafe_code)]";

/// The libraries that do not forbid unsafe code, or are outside the workspace, and how often each may use `unsafe`.
const USES: [(&str, usize); 6] = [
    ("crates/sortid-core/src", 2),
    ("bindings/python/src", 0),
    ("bindings/web/src", 0),
    ("engines/datafusion/src", 0),
    ("engines/datafusion/ballista/src", 0),
    ("engines/datafusion/columns/src", 1),
];

pub(crate) fn check() -> Result {
    let mut faults = vec![];
    for package in packages()?.iter().filter(|package| package.name != CORE) {
        for target in package.targets.iter().filter(|target| target.is_library() || target.is_program()) {
            if !fs::read_to_string(&target.src)?.lines().any(|line| line.trim_end() == FORBID) {
                faults.push(format!("{} lacks {FORBID}", target.src.display()));
            }
        }
    }
    for (folder, most) in USES {
        let mut uses = 0;
        for file in shell::rust_files(&root().join(folder))? {
            uses += uses_of_unsafe(&fs::read_to_string(file)?);
        }
        if uses > most {
            faults.push(format!("{folder}: expected at most {most} uses of unsafe, found {uses}"));
        }
    }
    if faults.is_empty() { Ok(()) } else { Err(faults.join("\n").into()) }
}

/// Counts the keyword. Comments do not count; in a string the word would.
fn uses_of_unsafe(code: &str) -> usize {
    let code = code.lines().map(|line| line.split("//").next().unwrap_or_default());
    let words = code.flat_map(|line| line.split(|c: char| !c.is_alphanumeric() && c != '_'));
    words.filter(|word| *word == "unsafe").count()
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
