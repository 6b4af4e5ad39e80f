//! Each crate without features, with each feature alone, and with each pair.

use crate::{
    shell::{self, DENY_WARNINGS, Result, cargo},
    tools,
    workspace::{Package, packages},
};
use std::{collections::BTreeSet, fs, path::Path};

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
        let alone = alone(package)?.join(",");
        let pairs = ["--feature-powerset", "--depth", "2", "--group-features", &*alone];
        let pairs = &pairs[..if alone.contains(',') { 5 } else { 3 }];
        for builds in [&["--each-feature"], pairs] {
            // Only libraries and programs: tests may use any feature.
            let mut hack = cargo(&["hack", "clippy", "--quiet", "--locked", "--exclude-features", "default"]);
            hack.args(["--manifest-path", &package.manifest]);
            shell::run(hack.args(builds).args(DENY_WARNINGS))?;
        }
    }
    Ok(())
}

/// The features that meet no other: no condition in the sources names one of them beside another feature, and none of them
/// turns on another feature of the crate or is turned on by one.
fn alone(package: &Package) -> Result<Vec<&str>> {
    let is_base = |name: &str| BASE.contains(&name);
    let mut meeting = BTreeSet::new();
    for (name, turned_on) in package.features.iter().filter(|(name, _)| !is_base(name)) {
        for other in turned_on.iter().filter(|it| !is_base(it) && package.features.contains_key(*it)) {
            meeting.extend([name.clone(), other.clone()]);
        }
    }
    let folder = Path::new(&package.manifest).parent().ok_or("a manifest lies in a folder")?;
    for source in shell::rust_files(&folder.join("src"))? {
        // A condition ends before the end of its attribute.
        for condition in
            fs::read_to_string(source)?.split("cfg").skip(1).filter_map(|it| it.split(")]").next())
        {
            let named = condition.split("feature = \"").skip(1).filter_map(|rest| rest.split('"').next());
            let named: BTreeSet<_> = named.filter(|name| !is_base(name)).map(str::to_owned).collect();
            if named.len() > 1 {
                meeting.extend(named);
            }
        }
    }
    let names = package.features.keys().map(String::as_str);
    Ok(names.filter(|name| !is_base(name) && !meeting.contains(*name)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn most_integrations_of_the_core_meet_no_other() {
        let packages = packages().unwrap();
        let core = packages.iter().find(|package| package.name == crate::workspace::CORE).unwrap();
        let alone = alone(core).unwrap();
        assert!(alone.contains(&"arbitrary") && alone.contains(&"rkyv08"), "{alone:?}");
        assert!(["sqlx09", "diesel", "chrono04"].iter().all(|name| !alone.contains(name)), "{alone:?}");
    }
}
