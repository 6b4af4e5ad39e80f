//! Typed IDs: the prefix of their texts is found, or required, and mistakes behind it are named.

use proptest::prelude::*;
use sortid::{AnyId, ParseError, Spec, euid};
use sortid_inspect::{Options, Prefix, inspect, inspect_as};

euid::typed_id! {
    #[prefix = "order"]
    struct OrderId;
}

fn with(prefix: &str) -> Options {
    Options { prefix: Some(prefix.parse().unwrap()), ..Options::default() }
}

fn prefixes() -> impl Strategy<Value = String> {
    prop_oneof!["[a-z]", "[a-z][a-z_]{0,10}[a-z]", "[a-z]{63}"]
}

fn ids() -> impl Strategy<Value = AnyId> {
    let specs = prop::sample::select(Spec::ALL);
    (specs, any::<[u8; 20]>()).prop_filter_map("bytes of an ID", |(spec, bytes)| {
        AnyId::try_from_bytes(spec, &bytes[..spec.bytes()]).ok()
    })
}

proptest! {
    #[test]
    fn a_prefix_is_found_or_required(prefix in prefixes(), id in ids()) {
        let (spec, text) = (id.spec(), format!("{prefix}_{}", id.encode()));
        let read = |spec, options: &Options| {
            let inspection = inspect_as((&*text).into(), spec, None, options);
            inspection.candidates.iter().map(|it| it.description.clone()).collect::<Vec<_>>()
        };
        for (of, options) in [(Some(spec), with(&prefix)), (None, with(&prefix)), (Some(spec), Options::default())] {
            // In RON UIDs, `_` is a digit.
            if spec == Spec::RonUid && options.prefix.is_none() {
                continue;
            }
            let descriptions = read(of, &options);
            let found = descriptions.iter().find(|it| it.id == id).unwrap();
            prop_assert_eq!(found.prefix.as_ref().map(Prefix::as_str), Some(&*prefix));
            prop_assert_eq!(&*found.text, &*text);
        }
        prop_assert!(read(Some(spec), &with("other")).is_empty());
        prop_assert!(read(None, &with("other")).is_empty());
        let bare = id.encode();
        prop_assert!(inspect_as((&*bare).into(), Some(spec), None, &with(&prefix)).candidates.is_empty());
    }

    #[test]
    fn errors_are_those_of_the_library(text in "(order_|order|Order_|ord)?[0-9A-Zä]{0,30}") {
        let inspection = inspect_as((&*text).into(), Some(Spec::Euid), None, &with("order"));
        let found = inspection.refusals.first().map(|it| (it.kind, it.message.split("; ").next().unwrap().to_owned()));
        let expected = OrderId::parse(&text).err().map(|error: ParseError| (error.kind(), error.to_string()));
        prop_assert_eq!(found, expected);
    }
}

#[test]
fn a_mistake_behind_a_prefix_is_named_and_mended() {
    let inspection = inspect("order_1HZP2F3TARAH1VEXW8BDJPEKP45", &Options::default());
    let of_euid = inspection.refusals.iter().find(|it| it.spec == Spec::Euid).unwrap();
    assert_eq!(of_euid.message, "the check is 5, expected 4");
    let inspection = inspect("order_1HZP2F3TARAH1VEXW8BDJPEK4P4", &Options::default());
    assert_eq!(inspection.suggestions()[0].text, "order_1HZP2F3TARAH1VEXW8BDJPEKP44");
    let inspection = inspect("visit_00CMXB6TAK4SU", &Options::default());
    let of_ulid_flake = inspection.refusals.iter().find(|it| it.spec == Spec::UlidFlake).unwrap();
    assert_eq!(of_ulid_flake.position, Some("visit_00CMXB6TAK4S".len()));
    assert_eq!(inspection.suggestions()[0].text, "visit_00CMXB6TAK4SV");
}

#[test]
fn ids_of_others_stay_theirs() {
    for (text, note) in [
        ("user_01h455vb4pex5vsknk084sn02q", "it looks like a TypeID, which is another kind of ID"),
        ("01ARZ3NDEKTSV4RRFFQ69G5FAV", "it looks like a ULID, which is another kind of ID"),
    ] {
        let inspection = inspect(text, &Options::default());
        assert_eq!((inspection.candidates.len(), inspection.note().as_deref()), (0, Some(note)));
    }
    for word in ["some_word", "order_", "_", "a_b_c", "order__1HZP2F3TARAH1VEXW8BDJPEKP44"] {
        let specs: Vec<_> =
            inspect(word, &Options::default()).candidates.iter().map(|it| it.description.id.spec()).collect();
        assert!(specs.iter().all(|spec| *spec == Spec::RonUid), "{word}: {specs:?}");
    }
}

#[test]
fn an_integer_that_is_yet_to_come_may_be_a_snowflake() {
    let note = |integer| inspect(integer, &Options::default()).note();
    // IDs of the end of November 2026, by Twitter, Discord and Sonyflake.
    assert_eq!(
        note("2126365433635274752").unwrap(),
        "it may be a Snowflake: of 2026-11-27 with the epoch of Twitter"
    );
    assert_eq!(
        note("1575924164198400000").unwrap(),
        "it may be a Snowflake: of 2022-09-30 with the epoch of Twitter, of 2026-11-27 with that of Discord"
    );
    assert!(note("648054193520640000").unwrap().ends_with("of 2026-11-27 as a Sonyflake"));
    // A Ulid-Flake of 2024.
    assert_eq!(note("14246757444195114"), None);
}
