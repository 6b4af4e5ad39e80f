//! The entries that each specification has outside its crate and that the compiler does not ask for. The test fails for
//! a new specification until each of these files has an entry for it.

use sortid::Spec;
use std::{fs, path::Path};

/// A file, and a text that it has for each specification. In both, `NAME` stands for the name of the specification, and
/// `CRATE` for the name of its crate in Rust.
const PLACES: &[(&str, &str)] = &[
    ("README.md", "](crates/NAME/README.md)"),
    ("crates/sortid/README.md", "`NAME`"),
    ("docs/choosing.md", "](../crates/NAME/README.md"),
    ("bindings/web/package/src/specs/NAME.ts", "static override readonly spec = 'NAME'"),
    ("engines/datafusion/tests/scalar/specs.rs", " CRATE::"),
    ("vectors/NAME.json", "\"specification\": \"NAME\""),
    ("lab/testkit/src/specs.rs", "sortid::CRATE::Options::new("),
];

fn read(path: &str) -> String {
    // A file that is missing has no entry.
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)).unwrap_or_default()
}

#[test]
fn every_specification_has_its_entry_in_each_place() {
    let mut missing = vec![];
    for (path, entry) in PLACES {
        for spec in Spec::ALL {
            let of = |text: &str| {
                text.replace("NAME", spec.name()).replace("CRATE", &spec.name().replace('-', "_"))
            };
            let (path, entry) = (of(path), of(entry));
            if !read(&path).contains(&entry) {
                missing.push(format!("{path} has no {entry:?}"));
            }
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}

/// The compiler does not notice a list of features that lacks a specification.
#[test]
fn a_list_of_features_of_specifications_has_each() {
    let lib = read("crates/sortid/src/lib.rs");
    let lists = lib.split("#[cfg(any(").skip(1).filter_map(|rest| rest.split("))]").next());
    // A macro that has all specifications writes some of the lists.
    let lists: Vec<_> = lists.filter(|list| !list.contains('$')).collect();
    assert!(!lists.is_empty());
    for spec in Spec::ALL {
        let feature = format!("feature = \"{}\"", spec.name());
        for list in &lists {
            assert!(list.contains(&feature), "crates/sortid/src/lib.rs: a list without {feature}");
        }
    }
    let manifest = read("crates/sortid/Cargo.toml");
    for list in manifest.lines().filter(|line| line.contains("\"evently-id\", \"euid\"")) {
        for spec in Spec::ALL {
            assert!(list.contains(&format!("\"{}\"", spec.name())), "crates/sortid/Cargo.toml: {list}");
        }
    }
}

/// `cargo run` and `cargo test` at the root build no HTTP server.
#[test]
fn the_default_members_are_all_crates_but_the_server() {
    let manifest = read("Cargo.toml");
    let (_, list) = manifest.split_once("default-members = [").unwrap();
    let list = list.split(']').next().unwrap();
    let crates = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../crates")).unwrap();
    for name in crates.map(|entry| entry.unwrap().file_name().into_string().unwrap()) {
        let is_member = list.contains(&format!("\"crates/{name}\""));
        assert_eq!(is_member, name != "sortid-server", "{name}");
    }
}

/// A README that is the front page of a crate's documentation is read where the files beside it are not.
#[test]
fn a_front_page_has_no_link_to_a_file() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../crates");
    let mut pages = 0;
    for folder in fs::read_dir(crates).unwrap().map(|entry| entry.unwrap().path()) {
        let text = |path: &str| fs::read_to_string(folder.join(path)).unwrap_or_default();
        if !text("src/lib.rs").contains("include_str!(\"../README.md\")") {
            continue;
        }
        pages += 1;
        let readme = text("README.md");
        let links = readme.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        let files: Vec<_> = links
            .filter(|link| link.contains("../") || link.ends_with(".md") || link.contains(".md#"))
            .collect();
        assert!(files.iter().all(|link| link.starts_with("https://")), "{}: {files:?}", folder.display());
    }
    assert!(pages >= 5, "{pages}");
}
