//! Canonical JSON against a second canonicaliser, and what is JSON against `serde_json`.

use crate::common::{
    canonical::written,
    json::{Noise, any_tree},
    reference::{self, Tree},
};
use evently_ledger::{JsonErrorKind, canonical_json};
use proptest::{prelude::*, sample::select};
use serde_json::value::RawValue;
use std::collections::BTreeMap;

/// The tree with the members of each object in order, and each key once.
fn in_order(tree: Tree) -> Tree {
    match tree {
        Tree::Array(values) => Tree::Array(values.into_iter().map(in_order).collect()),
        Tree::Object(members) => {
            let members: BTreeMap<_, _> = members.into_iter().collect();
            Tree::Object(members.into_iter().map(|(key, value)| (key, in_order(value))).collect())
        }
        leaf => leaf,
    }
}

/// Makes strings and keys longer by `lengths` in turn, so that the output is flushed in pieces.
fn lengthen(tree: Tree, lengths: &mut dyn Iterator<Item = usize>) -> Tree {
    let mut longer = |text: String| text + &"x".repeat(lengths.next().unwrap());
    match tree {
        Tree::Text(text) => Tree::Text(longer(text)),
        Tree::Array(values) => {
            Tree::Array(values.into_iter().map(|value| lengthen(value, lengths)).collect())
        }
        Tree::Object(members) => {
            let keys: Vec<_> = members.iter().map(|(key, _)| longer(key.clone())).collect();
            let values = members.into_iter().map(|(_, value)| lengthen(value, lengths));
            Tree::Object(keys.into_iter().zip(values).collect())
        }
        leaf => leaf,
    }
}

fn noise() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(any::<u8>(), 1..50)
}

proptest! {
    #[test]
    fn the_canonical_form_is_that_of_another_canonicaliser(tree in any_tree(), noise in noise()) {
        let (json, canonical) = (tree.print(&mut Noise::new(&noise)), reference::canonical(&tree));
        prop_assert_eq!(&canonical_json(&json).unwrap(), &canonical);
        prop_assert_eq!(&canonical_json(&canonical).unwrap(), &canonical);
        prop_assert_eq!(written(json.as_bytes()).unwrap().0, canonical);
    }

    #[test]
    fn the_canonical_form_of_a_long_text_is_that_of_another_canonicaliser(
        tree in any_tree(),
        noise in noise(),
        is_ordered: bool,
        lengths in prop::collection::vec(select(vec![0, 0, 1, 100, 20_000, 65_530, 65_536, 70_000]), 1..20),
    ) {
        let mut tree = lengthen(Tree::Array(vec![tree.clone(), tree]), &mut lengths.into_iter().cycle());
        if is_ordered {
            tree = in_order(tree);
        }
        let json = tree.print(&mut Noise::new(&noise));
        let canonical = reference::canonical(&tree);
        prop_assert!(canonical_json(&json).unwrap() == canonical);
        prop_assert!(written(json.as_bytes()).unwrap().0 == canonical);
    }

    #[test]
    fn a_damaged_text_is_json_exactly_when_another_reader_takes_it(
        tree in any_tree(),
        noise in noise(),
        damages in prop::collection::vec((any::<prop::sample::Index>(), 0..3, select(b"{}[]\",:\\ue0-+.1 \nt/\x01\x7f".to_vec())), 1..4),
    ) {
        let mut json = tree.print(&mut Noise::new(&noise)).into_bytes();
        for (index, damage, byte) in damages {
            let at = index.index(json.len() + 1);
            match damage {
                0 => json.insert(at, byte),
                1 if at < json.len() => json[at] = byte,
                _ if at < json.len() => drop(json.remove(at)),
                _ => {}
            }
        }
        let other: Result<&RawValue, _> = serde_json::from_slice(&json);
        match written(&json) {
            Ok((canonical, _)) => {
                prop_assert!(other.is_ok());
                prop_assert_eq!(canonical_json(&canonical).unwrap(), canonical);
            }
            // `serde_json` does not check these in a `RawValue`.
            Err(error) if matches!(error.kind(), JsonErrorKind::Escape | JsonErrorKind::Exponent) => {}
            Err(error) => prop_assert!(other.is_err(), "{}", error),
        }
    }
}
