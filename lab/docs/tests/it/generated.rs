//! Committed files that `cargo xtask layouts` writes.

use std::{env, fs, path::PathBuf};

/// Compares a file of the repository with the text that it has to have. The chore writes this text instead.
#[track_caller]
pub(crate) fn check(path: &str, text: &str) {
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..").join(path);
    if env::var_os("SORTID_DRAW").is_some() {
        fs::write(file, text).unwrap();
    } else {
        let committed = fs::read_to_string(file).unwrap_or_default();
        assert!(committed == text, "{path} is not up to date: run cargo xtask layouts");
    }
}
