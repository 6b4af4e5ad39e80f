//! The options that the specifications describe, in the packages and in the server. The program's test compares its help.

use crate::typescript::class;
use sortid::Spec;
use std::{collections::BTreeSet, fs, path::Path};

fn read(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)).unwrap()
}

/// The part of a text from one piece to the next occurrence of another.
fn between<'a>(text: &'a str, from: &str, to: &str) -> &'a str {
    let (_, rest) = text.split_once(from).unwrap_or_else(|| panic!("{from}"));
    rest.split_once(to).map_or(rest, |(part, _)| part)
}

/// `counter_start_bits` as `counterStartBits`.
fn camel_case(name: &str) -> String {
    let mut words = name.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |name, word| name + &word[..1].to_uppercase() + &word[1..])
}

/// Calls `has` with each option of each specification. It returns whether the face has the option. All but `left_out` must be
/// there, and none of these.
fn check(left_out: &[&str], has: impl Fn(Spec, &str) -> bool) {
    let mut unused: BTreeSet<_> = left_out.iter().copied().collect();
    for &spec in Spec::ALL {
        for option in spec.options() {
            let is_left_out = left_out.contains(&option.name);
            assert_ne!(has(spec, option.name), is_left_out, "{} of {spec}", option.name);
            unused.remove(option.name);
        }
    }
    assert_eq!(unused, BTreeSet::new(), "no specification has these options");
}

#[test]
fn python_has_each_option() {
    let stub = read("bindings/python/python/sortid/_sortid.pyi");
    check(&[], |spec, option| {
        let class = between(&stub, &format!("class {}(_Id)", class(spec)), "\nclass ");
        between(class, "def generator(", ") -> ").contains(&format!("{option}: "))
    });
}

#[test]
fn javascript_has_each_option() {
    let common = read("bindings/web/package/src/generator.ts");
    check(&[], |spec, option| {
        let own = read(&format!("bindings/web/package/src/specs/{}.ts", spec.name()));
        let name = if option == "micros" { "microsCounter".to_owned() } else { camel_case(option) };
        // The list of names that a constructor accepts, or its argument.
        let marks = [format!(" {name}: 0"), format!("constructor({name}: ")];
        marks.iter().any(|mark| own.contains(mark) || common.contains(mark))
    });
}

#[test]
fn the_server_has_the_options_that_a_request_may_choose() {
    // A request for IDs of a fleet has the options of the fleet, and the order of a server allows no others.
    let left_out = [
        "counter_start_bits",
        "counter_extension_bits",
        "node",
        "entropy_bytes",
        "session_digits",
        "min_length",
        "future_bound",
        "ledger_id",
        "rollback",
        "rollback_allowance",
    ];
    check(&left_out, |spec, option| {
        let path = format!("../../crates/sortid-server/src/specs/{}.rs", spec.name().replace('-', "_"));
        // A specification whose requests choose no option has no file.
        let source = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap_or_default();
        let name = if option == "micros" { "micros_counter" } else { option };
        source.contains(&name.to_uppercase()) || source.contains(&format!("settings.{name}"))
    });
}
