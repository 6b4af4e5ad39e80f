//! The laws that hold for the IDs of every specification.

use proptest::prelude::*;
use sortid::{
    __with_type as with_type, AnyId, SortableId, Spec, UnexpectedSpec, UnixMicros, detect, detect_bytes,
};
use std::{
    collections::BTreeSet,
    time::{Duration, UNIX_EPOCH},
};

/// Runs `$body` for each ID type, as `$id`.
macro_rules! for_all {
    ($id:ident => $body:expr) => {
        for &spec in Spec::ALL {
            with_type!(spec, $id => $body);
        }
    };
}

/// Returns the ID with these bytes, after setting the bits that all IDs share.
fn id<I: SortableId>(mut bytes: [u8; 20]) -> I {
    bytes[0] &= 0x7f;
    for (byte, (least, greatest)) in bytes.iter_mut().zip(I::MIN.as_bytes().iter().zip(I::MAX.as_bytes())) {
        *byte = least | *byte & (least ^ greatest);
    }
    I::try_from_bytes(&bytes[..I::BYTES]).unwrap()
}

fn round_trips<I: SortableId>(bytes: [u8; 20]) {
    let id: I = id(bytes);
    let text = id.encode();
    assert_eq!(I::parse(&text), Ok(id));
    assert_eq!(I::parse_ascii(text.as_ref()), Ok(id));
    assert_eq!(id.to_string(), *text);
    assert!(text.len() <= I::TEXT_LEN);
    assert_eq!(I::try_from_bytes(id.as_bytes()), Ok(id));
    assert_eq!(id.as_bytes().len(), I::BYTES);
    assert!(I::MIN <= id && id <= I::MAX);
    assert!(I::try_from_bytes(&[0; 21]).is_err() && I::parse("").is_err());
    let hex = format!("{id:x}");
    assert_eq!(format!("{id:X}"), hex.to_uppercase());
    assert_eq!(format!("{id:#X}"), format!("0x{}", hex.to_uppercase()));
    assert_eq!(id.integer(), u128::from_str_radix(&hex, 16).ok().filter(|_| I::BYTES <= 16));
    if let Some(micros) = id.unix_micros() {
        let time = Duration::from_micros(micros);
        assert!(I::TIMES.contains(&micros));
        assert!(I::min_at(UNIX_EPOCH + time).unwrap() <= id && id <= I::max_at(UNIX_EPOCH + time).unwrap());
    }
}

fn any_id_is_the_same<I: SortableId + Into<AnyId> + TryFrom<AnyId, Error = UnexpectedSpec>>(bytes: [u8; 20]) {
    let id: I = id(bytes);
    let any: AnyId = id.into();
    for other in Spec::ALL.iter().map(|&spec| AnyId::min(spec)) {
        let result = I::try_from(other).map_err(|error| (error.expected(), error.found()));
        assert_eq!(
            result,
            if other.spec() == any.spec() { Ok(I::MIN) } else { Err((any.spec(), other.spec())) }
        );
    }
    assert_eq!(I::try_from(any), Ok(id));
    let spec: Spec = I::NAME.parse().unwrap();
    assert_eq!((any.spec(), spec.name(), spec.bytes()), (spec, I::NAME, I::BYTES));
    assert_eq!(any.to_string(), id.to_string());
    assert_eq!(any.encode(), *id.to_string());
    assert_eq!(format!("{any:?} {any:x} {any:#X}"), format!("{id:?} {id:x} {id:#X}"));
    assert_eq!(
        (any.as_bytes(), any.to_u128(), any.unix_micros()),
        (id.as_bytes(), id.integer(), id.unix_micros())
    );
    assert_eq!(AnyId::parse(spec, &any.encode()), Ok(any));
    assert_eq!(AnyId::try_from_bytes(spec, any.as_bytes()), Ok(any));
    assert!(AnyId::min(spec) <= any && any <= AnyId::max(spec));
    let found = detect(any.encode()).find(|candidate| candidate.id().spec() == spec).unwrap();
    assert_eq!(found.id(), any);
    let found = detect_bytes(any).find(|candidate| candidate.id().spec() == spec).unwrap();
    assert_eq!(found.id(), any);
}

proptest! {
    #[test]
    fn text_bytes_and_bounds_of_an_id_lead_back_to_it(bytes: [u8; 20]) {
        for_all!(Id => round_trips::<Id>(bytes));
    }

    #[test]
    fn an_any_id_agrees_with_the_id_in_it(bytes: [u8; 20]) {
        for_all!(Id => any_id_is_the_same::<Id>(bytes));
    }

    /// The texts include some that are nearly IDs.
    #[test]
    fn the_candidates_are_the_specifications_that_parse_the_text_by_weight(
        text in prop_oneof![
            any::<Vec<u8>>(),
            "[0-9a-fA-F]{30,42}".prop_map(String::into_bytes),
            "[0-9A-Za-z_~+$%(){}\\[\\]-]{0,41}".prop_map(String::into_bytes),
        ],
    ) {
        let candidates: Vec<_> = detect(&text).collect();
        prop_assert_eq!(detect(&text).len(), candidates.len());
        prop_assert!(candidates.is_sorted_by_key(|candidate| std::cmp::Reverse(candidate.weight())));
        let specs: BTreeSet<_> = candidates.iter().map(|candidate| candidate.id().spec()).collect();
        prop_assert_eq!(specs.len(), candidates.len());
        for candidate in &candidates {
            let id = candidate.id();
            prop_assert_eq!(AnyId::parse_ascii(id.spec(), &text), Ok(id));
            prop_assert!(candidate.reasons().count() > 0);
        }
        for spec in Spec::ALL.iter().filter(|spec| !specs.contains(spec)) {
            prop_assert!(AnyId::parse_ascii(*spec, &text).is_err());
        }
    }

    #[test]
    fn the_candidates_of_bytes_are_the_specifications_that_have_them_by_weight(
        bytes in prop_oneof![
            any::<[u8; 8]>().prop_map(Vec::from),
            any::<[u8; 16]>().prop_map(Vec::from),
            any::<[u8; 20]>().prop_map(Vec::from),
            any::<Vec<u8>>(),
        ],
    ) {
        let candidates: Vec<_> = detect_bytes(&bytes).collect();
        prop_assert!(candidates.is_sorted_by_key(|candidate| std::cmp::Reverse(candidate.weight())));
        let found: BTreeSet<_> = candidates.iter().map(sortid::Candidate::id).collect();
        let expected = Spec::ALL.iter().filter_map(|&spec| AnyId::try_from_bytes(spec, &bytes).ok()).collect();
        prop_assert_eq!(found, expected);
    }
}

#[test]
fn the_bytes_of_an_id_of_our_days_are_most_likely_that_id() {
    use sortid::Entropy as _;

    let entropy = sortid::testing::SeededEntropy::new(1);
    for millis in [1_577_836_800_000, 1_717_653_966_666, 1_893_456_000_000] {
        let at = Duration::from_millis(millis);
        for &spec in Spec::ALL {
            // A Ulid-Flake has no time before 2024.
            let Ok(least) = AnyId::min_at(spec, UNIX_EPOCH + at) else { continue };
            let greatest = AnyId::max_at(spec, UNIX_EPOCH + at).unwrap();
            let mut compared = 0;
            while compared < 200 {
                let mut bytes = entropy.draw::<20>().unwrap();
                let bytes = &mut bytes[..spec.bytes()];
                for (byte, (least, greatest)) in
                    bytes.iter_mut().zip(least.as_bytes().iter().zip(greatest.as_bytes()))
                {
                    *byte = least | (*byte & (least ^ greatest));
                }
                let id = AnyId::try_from_bytes(spec, bytes).ok();
                let is_usual = |id: &AnyId| (least..=greatest).contains(id) && id.unix_micros().is_some();
                if let Some(id) = id.filter(is_usual) {
                    assert_eq!(detect_bytes(&*bytes).next().unwrap().id(), id, "{id:?}");
                    compared += 1;
                }
            }
        }
    }
}

#[test]
fn all_times_have_bounds_and_no_others_do() {
    fn check<I: SortableId>() {
        let (first, last) = (*I::TIMES.start(), *I::TIMES.end());
        for micros in [first, last] {
            let time = UnixMicros(micros.into());
            assert!(I::min_at(time).unwrap() <= I::max_at(time).unwrap(), "{}", I::NAME);
        }
        if let Some(before) = first.checked_sub(1) {
            assert!(I::min_at(UnixMicros(before.into())).is_err(), "{}", I::NAME);
        }
        if let Some(after) = last.checked_add(1) {
            assert!(I::max_at(UnixMicros(after.into())).is_err(), "{}", I::NAME);
        }
    }
    for_all!(Id => check::<Id>());
}

#[test]
fn ids_of_different_specifications_are_ordered_by_specification() {
    let mut ids: Vec<_> = Spec::ALL.iter().map(|&spec| AnyId::min(spec)).collect();
    ids.extend(Spec::ALL.iter().map(|&spec| AnyId::max(spec)));
    ids.sort();
    let specs: Vec<_> = ids.iter().map(AnyId::spec).collect();
    assert!(specs.is_sorted());
    assert_eq!(*specs, Spec::ALL.iter().flat_map(|&spec| [spec, spec]).collect::<Vec<_>>());
}

#[test]
fn the_error_of_an_unknown_name_lists_the_specifications() {
    let error = "scru128".parse::<Spec>().unwrap_err();
    let names: Vec<_> = Spec::ALL.iter().map(|spec| spec.name()).collect();
    let (last, others) = names.split_last().unwrap();
    let expected = format!("expected {} or {last}", others.join(", "));
    assert!(expected.starts_with("expected evently-id, scru160, euid, "), "{expected}");
    assert_eq!(error.to_string(), format!("{expected}, found \"scru128\""));
    let error = "ä".repeat(100).parse::<Spec>().unwrap_err();
    assert_eq!(error.to_string(), format!("{expected}, found \"{}\"…", "ä".repeat(12)));
    let error = format!("x{}", "ä".repeat(100)).parse::<Spec>().unwrap_err();
    assert_eq!(error.to_string(), format!("{expected}, found \"x{}\"…", "ä".repeat(11)));
    for name in ["", "-", "id", "ulid", "uid", "scru", "eu-id2", "e\u{fc}id", "ron.uid", "flake"] {
        assert!(name.parse::<Spec>().is_err(), "{name}");
    }
}

#[test]
fn names_of_specifications_are_read_as_people_write_them() {
    for &spec in Spec::ALL {
        let (name, title) = (spec.name(), spec.title());
        for name in [name, title, &name.replace('-', "_"), &name.replace('-', ""), &name.to_uppercase()] {
            assert_eq!(name.parse(), Ok(spec), "{name}");
            assert_eq!(format!(" {name}\n").trim().parse(), Ok(spec));
        }
    }
    for (name, spec) in [
        ("Evently Event ID", Spec::EventlyId),
        ("event", Spec::EventlyId),
        ("Evently", Spec::EventlyId),
        ("Swarm RON UID", Spec::RonUid),
        ("RON", Spec::RonUid),
        ("UlidFlake", Spec::UlidFlake),
        ("Scru-160", Spec::Scru160),
    ] {
        assert_eq!(name.parse(), Ok(spec), "{name}");
    }
}

/// Nobody sees a blank that was copied with an ID.
#[test]
fn white_space_around_a_text_is_named() {
    for_all!(Id => {
        let text = Id::MAX.to_string();
        for wrong in [format!(" {text}"), format!("{text}\n"), format!("{text}\t"), format!("\r\n{text} ")] {
            let error = Id::parse(&wrong).unwrap_err().to_string();
            let is_named = error.ends_with(" with white space around it") || error.contains("at position");
            assert!(is_named, "{error}");
        }
        let short = Id::parse("").unwrap_err().to_string();
        assert!(!short.contains("white space"), "{short}");
    });
}
