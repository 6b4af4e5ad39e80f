//! Wrappers of rules forward all of them. If a wrapper does not forward a method with a default, no compiler notices.

use std::{collections::BTreeSet, fs, path::Path};

/// The files with a wrapper, the line at which its implementation starts, and what it changes on purpose by not having it.
const WRAPPERS: [(&str, &str, &[&str]); 3] = [
    (
        "crates/sortid-core/src/fence.rs",
        "impl<R: Rules, F: Deref<Target = Fence>> Rules for Fenced<R, F> {",
        // A fenced generator is never reset and serves no forked child, whatever its rules would do: its IDs ascend across
        // processes.
        &["allowance", "can_reset", "default_rollback", "on_rollback", "random_bits", "resets"],
    ),
    (
        "lab/testkit/src/lib.rs",
        "impl<R: Rules> Rules for Chosen<R> {",
        &["allowance", "fence", "on_rollback"],
    ),
    (
        "crates/sortid/src/any/options.rs",
        "impl Rules for AnyOptions {",
        // No options have a fence: a fleet puts one around them.
        &["allowance", "fence", "on_rollback"],
    ),
];

/// The methods of the block that starts with this line.
fn methods(path: &str, line: &str) -> BTreeSet<String> {
    let source = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)).unwrap();
    let (_, block) = source.split_once(line).unwrap_or_else(|| panic!("{path}: {line}"));
    let (block, _) = block.split_once("\n}\n").unwrap();
    let names = block.lines().filter_map(|line| line.strip_prefix("    fn ")?.split(['(', '<']).next());
    names.map(str::to_owned).collect()
}

#[test]
fn no_search_for_a_function_that_makes_ids_ends_at_the_bounds_of_a_time() {
    for spec in ["euid", "evently-id", "ron-uid", "scru160", "ulid-flake"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../crates").join(spec).join("src/id.rs");
        let source = fs::read_to_string(path).unwrap();
        for item in source
            .split("\n\n")
            .filter(|item| item.contains("pub fn min_at") || item.contains("pub fn max_at"))
        {
            assert!(!item.contains("doc(alias"), "{spec}: {item}");
        }
    }
}

#[test]
fn every_wrapper_has_every_rule_or_leaves_it_out_on_purpose() {
    let rules = methods("crates/sortid-core/src/monotonic.rs", "pub trait Rules {");
    assert!(rules.contains("first_position") && rules.len() > 10, "{rules:?}");
    for (path, line, left_out) in WRAPPERS {
        let left_out: BTreeSet<_> = left_out.iter().map(|&name| name.to_owned()).collect();
        let missing: BTreeSet<_> = rules.difference(&methods(path, line)).cloned().collect();
        assert_eq!(missing, left_out, "{path}");
    }
    let rules = methods("crates/sortid-core/src/backfill.rs", "pub trait BackfillRules: Rules {");
    assert_eq!(methods("crates/sortid/src/any/options.rs", "impl BackfillRules for AnyOptions {"), rules);
}
