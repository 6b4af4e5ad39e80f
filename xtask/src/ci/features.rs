//! Each crate without features, with each feature alone, and with each pair.

use crate::{
    ci::DENY_WARNINGS,
    shell::{self, Result, cargo},
    tools,
    workspace::{Package, packages},
};
use std::{
    collections::{BTreeMap, BTreeSet},
    ffi::OsStr,
    fs,
    path::{Path, PathBuf},
};

/// Features of the language that others turn on. If two features share them, that is not a reason to build the two
/// together.
const BASE: [&str; 3] = ["alloc", "default", "std"];

/// Builds each crate without features, and with those that are on by default. The lints build it with all.
pub(super) fn least_and_default() -> Result {
    for package in packages()?.iter().filter(|package| package.is_published && !package.features.is_empty()) {
        for features in [&["--no-default-features"][..], &[]] {
            let mut clippy = cargo(&["clippy", "--quiet", "--locked", "--manifest-path", &package.manifest]);
            shell::run(clippy.args(features).args(DENY_WARNINGS))?;
        }
    }
    Ok(())
}

/// Builds each crate without features, with each feature alone, and with each pair of features. In pairs, the features
/// that meet no other count as one feature: otherwise there would be thousands of pairs.
pub(super) fn all_pairs() -> Result {
    tools::install(tools::FEATURES)?;
    for package in packages()?.iter().filter(|package| !package.features.is_empty()) {
        // Only libraries and programs: tests may use any feature.
        let hack = || {
            let mut command =
                cargo(&["hack", "clippy", "--quiet", "--locked", "--exclude-features", "default"]);
            command.arg("--manifest-path").arg(&package.manifest);
            command
        };
        shell::run(hack().arg("--each-feature").args(DENY_WARNINGS))?;
        let mut pairs = hack();
        pairs.args(["--feature-powerset", "--depth", "2"]);
        let alone = alone(package)?;
        if alone.len() > 1 {
            pairs.args(["--group-features", &alone.join(",")]);
        }
        shell::run(pairs.args(DENY_WARNINGS))?;
    }
    Ok(())
}

/// The features that meet no other: no condition in the sources names one of them beside another feature, and none of them
/// turns on another feature of the crate or is turned on by one.
fn alone(package: &Package) -> Result<Vec<&str>> {
    let mut meeting = BTreeSet::new();
    let folder = Path::new(&package.manifest).parent().ok_or("a manifest lies in a folder")?;
    for source in sources(&folder.join("src"))? {
        for condition in conditions(&fs::read_to_string(source)?) {
            let named: BTreeSet<_> = named(&condition).filter(|name| !BASE.contains(name)).collect();
            if named.len() > 1 {
                meeting.extend(named.into_iter().map(str::to_owned));
            }
        }
    }
    meeting.extend(neighbours(&package.features));
    let names = package.features.keys().map(String::as_str);
    Ok(names.filter(|name| !BASE.contains(name) && !meeting.contains(*name)).collect())
}

/// The features that turn on another feature of the crate, and the features that they turn on.
fn neighbours(features: &BTreeMap<String, Vec<String>>) -> BTreeSet<String> {
    let mut neighbours = BTreeSet::new();
    for (name, turned_on) in features.iter().filter(|(name, _)| !BASE.contains(&name.as_str())) {
        for other in turned_on.iter().filter(|other| !BASE.contains(&other.as_str())) {
            if features.contains_key(other) {
                neighbours.extend([name.clone(), other.clone()]);
            }
        }
    }
    neighbours
}

fn sources(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = vec![];
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            found.extend(sources(&path)?);
        } else if path.extension() == Some(OsStr::new("rs")) {
            found.push(path);
        }
    }
    Ok(found)
}

/// The insides of `cfg(…)` and `cfg_attr(…)`.
fn conditions(source: &str) -> Vec<String> {
    let mut conditions = vec![];
    for start in ["cfg(", "cfg_attr("] {
        for (at, _) in source.match_indices(start) {
            let mut depth = 0_i32;
            let inside = source[at + start.len()..].chars().take_while(|sign| {
                depth += i32::from(*sign == '(') - i32::from(*sign == ')');
                depth >= 0
            });
            conditions.push(inside.collect());
        }
    }
    conditions
}

/// The features that a condition names.
fn named(condition: &str) -> impl Iterator<Item = &str> {
    condition.split("feature = \"").skip(1).filter_map(|rest| rest.split('"').next())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_of_one_condition_meet() {
        let source = "#[cfg(any(feature = \"a\", feature = \"b\"))]\n#[cfg(feature = \"c\")]\nmod c;";
        let found: Vec<Vec<String>> =
            conditions(source).iter().map(|it| named(it).map(str::to_owned).collect()).collect();
        assert_eq!(found, [vec!["a", "b"], vec!["c"]]);
    }

    #[test]
    fn a_feature_meets_those_that_it_turns_on() {
        let features = [("a", vec!["b", "std"]), ("b", vec![]), ("c", vec!["std", "dep:c"]), ("std", vec![])];
        let features = features
            .map(|(name, on)| (name.to_owned(), on.into_iter().map(str::to_owned).collect()))
            .into_iter()
            .collect();
        assert_eq!(neighbours(&features), ["a", "b"].map(str::to_owned).into());
    }

    #[test]
    fn most_integrations_of_the_core_meet_no_other() {
        let packages = packages().unwrap();
        let core = packages.iter().find(|package| package.name == crate::workspace::CORE).unwrap();
        let alone = alone(core).unwrap();
        assert!(alone.contains(&"arbitrary") && alone.contains(&"rkyv08"), "{alone:?}");
        assert!(["sqlx09", "diesel", "chrono04"].iter().all(|name| !alone.contains(name)), "{alone:?}");
    }
}
