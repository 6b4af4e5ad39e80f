//! The table of `docs/integrations.md` agrees with the manifests: each feature, each library's version, and each ID type.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

/// The names of the specifications.
fn specs() -> impl Iterator<Item = &'static str> {
    sortid::Spec::ALL.iter().map(|spec| spec.name())
}

fn read(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)).unwrap()
}

/// Returns the lines of a section of a manifest, as a name and what is after the `=`.
fn section(manifest: &str, title: &str) -> BTreeMap<String, String> {
    let (_, section) = manifest.split_once(&format!("[{title}]\n")).unwrap();
    let lines = section.lines().take_while(|line| !line.starts_with('['));
    lines.filter_map(|line| line.split_once(" = ")).map(|(name, rest)| (name.into(), rest.into())).collect()
}

/// Returns the versions of `[workspace.dependencies]`.
fn versions() -> BTreeMap<String, String> {
    let dependencies = section(&read("Cargo.toml"), "workspace.dependencies");
    let version = |rest: &str| {
        let text = rest.split_once("version = ").map_or(rest, |(_, version)| version);
        text.split('"').nth(1).unwrap_or_default().to_owned()
    };
    dependencies.iter().map(|(name, rest)| (name.clone(), version(rest))).collect()
}

/// Returns the features of integrations.
fn integrations(spec: &str) -> BTreeSet<String> {
    let features = section(&read(&format!("crates/{spec}/Cargo.toml")), "features");
    features.into_keys().filter(|name| !["default", "std", "alloc", "js"].contains(&&**name)).collect()
}

/// Returns the features of the table of integrations, each with the version of its library.
fn table(page: &str) -> BTreeMap<String, String> {
    let (_, table) = page.split_once("| feature | library version |").unwrap();
    let mut rows = BTreeMap::new();
    for row in table.lines().skip(2).take_while(|line| line.starts_with('|')) {
        let cells: Vec<_> = row.split(" | ").map(|cell| cell.trim_matches(['|', ' '])).collect();
        let features: Vec<_> = cells[0].split(", ").map(|name| name.trim_matches('`')).collect();
        let versions: Vec<_> = cells[1].split(", ").collect();
        assert_eq!(features.len(), versions.len(), "{row}");
        rows.extend(features.into_iter().zip(versions).map(|(name, version)| (name.into(), version.into())));
    }
    rows
}

/// Whether the version of a table, such as `1` or `0.9`, has all versions that are compatible with the one of the manifest.
fn is_compatible_with(told: &str, version: &str) -> bool {
    let parts: Vec<_> = version.split('.').collect();
    let least = parts.iter().position(|&part| part != "0").unwrap_or(0) + 1;
    (least..=parts.len()).any(|count| parts[..count].join(".") == told)
}

#[test]
fn the_table_names_each_integration_with_the_version_of_its_library() {
    let versions = versions();
    let page = read("docs/integrations.md");
    let rows = table(&page);
    let expected: BTreeSet<_> = specs().flat_map(integrations).collect();
    assert_eq!(rows.keys().cloned().collect::<BTreeSet<_>>(), expected);
    for (feature, told) in rows {
        let library = feature.trim_end_matches("-postgres").trim_end_matches("-sqlite");
        assert!(!told.starts_with("0.") || library.ends_with(&told.replace('.', "")), "{feature} {told}");
        let without_version = library.trim_end_matches(char::is_numeric);
        let version = versions.get(library).unwrap_or_else(|| &versions[without_version]);
        assert!(is_compatible_with(&told, version), "{feature} {told} is not {version}");
    }
    // The two clients of MySQL, which are not dependencies of the crates.
    for client in ["mysql", "mysql_async"] {
        let (_, rest) = page.split_once(&format!("`{client}` ")).unwrap();
        let told = rest.split([' ', '|', ',']).next().unwrap();
        assert!(is_compatible_with(told, &versions[client]), "{client} {told}");
    }
}

/// A crate's README does not repeat the table, but says where it is.
#[test]
fn each_readme_names_the_page_of_the_integrations() {
    for name in specs().chain(["sortid"]) {
        let readme = read(&format!("crates/{name}/README.md"));
        assert!(readme.contains("`docs/integrations.md`"), "{name}");
    }
}

/// Each database has a column for each specification.
#[test]
fn the_table_of_columns_has_each_specification() {
    let page = read("docs/integrations.md");
    let (_, table) = page.split_once("\n| database |").unwrap();
    let head = table.lines().next().unwrap();
    for spec in sortid::Spec::ALL {
        let title = sortid::__with_type!(*spec, I => <I as sortid::SortableId>::TITLE);
        assert!(head.contains(title), "{title}: {head}");
    }
}

#[test]
fn every_integration_is_in_every_crate_and_tested_for_every_id_type() {
    let all = integrations("euid");
    assert!(all.len() > 20, "{all:?}");
    let tests = read("crates/sortid/tests/it/integrations.rs");
    let umbrella = section(&read("crates/sortid/Cargo.toml"), "features");
    for feature in &all {
        for spec in sortid::Spec::ALL {
            // 16 bytes are a UUID.
            let is_left_out = feature == "uuid" && spec.bytes() != 16;
            let spec = spec.name();
            let forwarded = umbrella[feature].contains(&format!("\"{spec}?/{feature}\""));
            assert_eq!(integrations(spec).contains(feature), !is_left_out, "{spec}: {feature}");
            assert_eq!(forwarded, !is_left_out, "sortid to {spec}: {feature}");
        }
        // Without the closing quote: the test of `sqlx09-postgres` is a test of `sqlx09`, too.
        assert!(tests.contains(&format!("\"{feature}")), "crates/sortid/tests/it/integrations.rs: {feature}");
    }
    for spec in specs() {
        assert_eq!(integrations(spec).difference(&all).next(), None, "{spec}");
    }
}
