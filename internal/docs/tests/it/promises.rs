//! The tests that the pages name exist.

use std::{collections::BTreeSet, fs, path::Path};

/// The names of all functions of the Rust files in a folder.
fn functions(folder: &Path, names: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() && name != "target" && !name.starts_with('.') {
            functions(&path, names);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).unwrap();
            let after = text.split("fn ").skip(1);
            names.extend(after.filter_map(|rest| Some(rest.split_once(['(', '<'])?.0.to_owned())));
        }
    }
}

#[test]
fn every_test_that_stands_for_a_guarantee_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut names = BTreeSet::new();
    for folder in ["crates", "examples", "internal", "fuzz"] {
        functions(&root.join(folder), &mut names);
    }
    let page = fs::read_to_string(root.join("SECURITY.md")).unwrap();
    let (_, table) = page.split_once("| guarantee | tests |\n").unwrap();
    let rows: Vec<_> = table.lines().skip(1).take_while(|line| line.starts_with('|')).collect();
    assert!(rows.len() > 10, "{} rows", rows.len());
    for row in rows {
        assert!(row.contains('`'), "a guarantee without a test: {row}");
    }
    // The names of tests are sentences. Other names in the page have fewer words.
    let quoted = page.split('`').skip(1).step_by(2);
    for name in quoted.filter(|name| name.split('_').count() > 4) {
        assert!(names.contains(name), "SECURITY.md names the test {name}, which does not exist");
    }
}
