//! The options, generators and backfills of any specification.

use sortid::{
    AnyGenerator, AnyId, AnyOptions, OptionKind, Rollback, Spec, UnixMillis,
    testing::{ManualClock, SeededEntropy},
};
use sortid_core::{BackfillRules, Generator, NodeOptions as _, Rules};
use std::time::Duration;

const NOW: Duration = Duration::from_millis(1_717_653_966_666);

/// Values of all options of each specification.
const ALL: [(Spec, &[(&str, &str)]); 6] = [
    (Spec::EventlyId, &[("ledger_id", "c0331dd8"), ("rollback", "fail"), ("rollback_allowance", "1.5")]),
    (
        Spec::Scru160,
        &[
            ("micros", "true"),
            ("counter_start_bits", "4"),
            ("counter_extension_bits", "2"),
            ("node", "3:5"),
            ("rollback", "continue"),
            ("rollback_allowance", "1"),
        ],
    ),
    (Spec::Euid, &[("extension", "5:8"), ("rollback", "reset"), ("rollback_allowance", "0.000001")]),
    (Spec::UlidFlake, &[("epoch", "1577836800000"), ("entropy_bytes", "3"), ("rollback", "fail")]),
    (Spec::UlidFlake, &[("node", "7"), ("epoch", "0"), ("entropy_bytes", "2"), ("rollback_allowance", "0")]),
    (
        Spec::RonUid,
        &[
            ("origin", "Xgritzk0_D"),
            ("session_digits", "2"),
            ("min_length", "5"),
            ("future_bound", "5"),
            ("rollback", "fail"),
            ("rollback_allowance", "2"),
        ],
    ),
];

fn options(spec: Spec) -> Vec<(&'static str, &'static str)> {
    let required = spec.options().iter().filter(|option| option.is_required);
    required.map(|option| (option.name, if option.name == "origin" { "X" } else { "c0331dd8" })).collect()
}

fn error(spec: Spec, options: &[(&str, &str)]) -> String {
    AnyOptions::new(spec, options).unwrap_err().to_string()
}

/// The IDs that a generator of a specification makes while its clock goes on and back.
fn script<R: Rules<Id: Into<AnyId>> + Copy>(rules: R) -> (Vec<Option<AnyId>>, u16) {
    let clock = ManualClock::new(NOW);
    let ids = Generator::from_parts(rules, &clock, SeededEntropy::new(7));
    let mut made = vec![];
    for step in [0, 0, 1, 1000, 59_000, -5_000, -60_000, 0, 2] {
        let now = clock_time(&clock).saturating_add_signed(step);
        clock.set(Duration::from_millis(now));
        made.push(ids.try_generate().ok().map(Into::into));
    }
    (made, ids.resets())
}

fn clock_time(clock: &ManualClock) -> u64 {
    sortid::Clock::unix_micros(clock).unwrap() / 1000
}

fn backfilled<R: BackfillRules<Id: Into<AnyId>>>(rules: R) -> Vec<AnyId> {
    let mut ids =
        sortid_core::Backfill::from_parts(rules, SeededEntropy::new(7)).spill(Duration::from_millis(9));
    let times = [5, 3, 5, 5, 4].map(|milli| UnixMillis(NOW.as_millis() as i128 + milli));
    ids.generate_all(times).unwrap().into_iter().map(Into::into).collect()
}

/// Whether the value makes the same IDs as the type.
fn same<R: BackfillRules<Id: Into<AnyId>> + Copy + Into<AnyOptions>>(typed: R) {
    let any: AnyOptions = typed.into();
    assert_eq!(script(any), script(typed), "{any:?}");
    assert_eq!(backfilled(any), backfilled(typed), "{any:?}");
    assert_eq!(
        (any.random_bits(), any.on_rollback(), any.allowance(), any.backfill_spill()),
        (typed.random_bits(), typed.on_rollback(), typed.allowance(), typed.backfill_spill())
    );
}

#[test]
fn a_generator_of_any_specification_makes_the_ids_of_its_type() {
    use sortid::{
        euid::{self, Extension},
        evently_id::{self, LedgerId},
        ron_uid::{self, ron_uid},
        scru160,
        ulid_flake::{self, scalable},
    };

    let origin = ron_uid!("Xgritzk").value();
    for rollback in [None, Some(Rollback::Fail), Some(Rollback::Continue), Some(Rollback::Reset)] {
        macro_rules! each {
            ($($options:expr),* $(,)?) => {
                $(match rollback {
                    None => same($options),
                    Some(rollback) => same($options.rollback(rollback).rollback_allowance(Duration::from_secs(3))),
                })*
            };
        }
        each!(
            scru160::Options::new(),
            scru160::Options::with_micros_counter().node(3, 5).unwrap(),
            euid::Options::new(),
            euid::Options::new().extension(Extension::new(5).unwrap()),
            ulid_flake::Options::new(),
            ulid_flake::Options::new().entropy_bytes(2).unwrap(),
            scalable::Options::new(7).unwrap(),
            ron_uid::Options::new(origin),
            ron_uid::Options::new(origin).session_digits(2).unwrap(),
            evently_id::Options::new(LedgerId::MAX),
        );
    }
}

#[test]
fn options_by_name_are_those_of_the_type() {
    use sortid::{euid, evently_id, ron_uid, scru160, ulid_flake};

    let of = |index: usize| AnyOptions::new(ALL[index].0, ALL[index].1).unwrap();
    let seconds = Duration::from_secs;
    let ledger_id = evently_id::LedgerId::parse("c0331dd8").unwrap();
    let typed = evently_id::Options::new(ledger_id).rollback(Rollback::Fail);
    assert_eq!(of(0), typed.rollback_allowance(Duration::from_millis(1500)).into());
    let typed = scru160::Options::with_micros_counter().counter_start_bits(4).unwrap();
    let typed = typed.counter_extension_bits(2).unwrap().node(3, 5).unwrap().rollback(Rollback::Continue);
    assert_eq!(of(1), typed.rollback_allowance(seconds(1)).into());
    let typed = euid::Options::new().extension(euid::Extension::with_bits(5, 8).unwrap());
    let typed = typed.rollback(Rollback::Reset).rollback_allowance(Duration::from_micros(1));
    assert_eq!(of(2), typed.into());
    let epoch = |millis| ulid_flake::Epoch::from_unix_millis(millis).unwrap();
    let typed = ulid_flake::Options::new().epoch(epoch(1_577_836_800_000)).entropy_bytes(3).unwrap();
    assert_eq!(of(3), typed.rollback(Rollback::Fail).into());
    let typed = ulid_flake::scalable::Options::new(7).unwrap().epoch(epoch(0)).entropy_bytes(2).unwrap();
    assert_eq!(of(4), typed.rollback_allowance(Duration::ZERO).into());
    let typed = ron_uid::Options::new(ron_uid::Base64x64::parse("Xgritzk0_D").unwrap());
    let typed = typed.session_digits(2).unwrap().min_length(5).unwrap().future_bound(seconds(5));
    assert_eq!(of(5), typed.rollback(Rollback::Fail).rollback_allowance(seconds(2)).into());
}

#[test]
fn a_flag_can_be_taken_back() {
    let set = |values: &[&str]| {
        let plain = AnyOptions::new(Spec::Scru160, &[]).unwrap();
        values.iter().try_fold(plain, |options, value| options.set("micros", value)).unwrap()
    };
    assert_eq!(set(&["true", "false"]), set(&[]));
    assert_eq!(set(&["true", "false", "true"]), set(&["true"]));
    assert_ne!(set(&["true"]), set(&["false"]));
}

#[test]
fn the_order_of_the_names_does_not_matter() {
    for (spec, options) in ALL {
        let made = AnyOptions::new(spec, options).unwrap();
        let reversed: Vec<_> = options.iter().rev().copied().collect();
        assert_eq!(AnyOptions::new(spec, &reversed), Ok(made), "{spec}");
        assert_eq!(made.spec(), spec);
    }
}

/// Each option that is described can be set, and its range is the one that is described.
#[test]
fn each_option_does_what_its_description_says() {
    for &spec in Spec::ALL {
        let named =
            |name| ALL.iter().any(|(of, all)| *of == spec && all.iter().any(|(given, _)| *given == name));
        for option in spec.options() {
            let set = |value: &str| {
                let mut all = options(spec);
                all.push((option.name, value));
                AnyOptions::new(spec, &all)
            };
            assert!(named(option.name), "the test gives {} a value", option.name);
            assert!(!option.about.is_empty() && !option.about.ends_with('.'));
            match option.kind {
                OptionKind::Flag => {
                    assert!(set("true").is_ok() && set("false").is_ok());
                    assert!(
                        set("yes")
                            .unwrap_err()
                            .to_string()
                            .ends_with(": expected true or false, found \"yes\"")
                    );
                }
                OptionKind::Number { least, greatest } => {
                    for value in least..=greatest {
                        assert!(set(&value.to_string()).is_ok(), "{} {value}", option.name);
                    }
                    assert!(set(&(greatest + 1).to_string()).is_err());
                    assert!(least == 0 || set(&(least - 1).to_string()).is_err());
                    for wrong in ["", "+1", "-1", "1.0", "one", "99999999999999999999999"] {
                        let message = set(wrong).unwrap_err().to_string();
                        assert!(message.contains(": expected a "), "{message}");
                    }
                }
                OptionKind::Choice(words) => {
                    assert!(words.iter().all(|word| set(word).is_ok()));
                    assert!(set("sideways").is_err());
                }
                OptionKind::Text(form) => {
                    assert!(!form.is_empty());
                    let message = set("!").unwrap_err().to_string();
                    assert!(message.contains('!') || message.contains("expected"), "{message}");
                }
                OptionKind::Duration => {
                    assert!(["0", "10", "1.5", "0.000001"].iter().all(|value| set(value).is_ok()));
                    for wrong in ["", "1.", ".5", "1.0000001", "1s", "-1"] {
                        let message = set(wrong).unwrap_err().to_string();
                        assert!(message.contains(": expected seconds, with up to six"), "{message}");
                    }
                }
                _ => panic!("the test does not know {:?}", option.kind),
            }
        }
    }
}

#[test]
fn errors_say_what_was_expected() {
    for (spec, given, message) in [
        (Spec::RonUid, &[][..], "origin: expected a value, found none: the place where the UIDs are made"),
        (Spec::EventlyId, &[], "ledger_id: expected a value, found none: the ledger of the events"),
        (
            Spec::Euid,
            &[("n", "5")],
            "expected the option extension, rollback or rollback_allowance, found \"n\"",
        ),
        (Spec::Euid, &[("extension", "5:2")], "extension bits: expected 3 to 15, found 2"),
        (Spec::Euid, &[("extension", "32768")], "extension: expected 0 to 32767, found 32768"),
        (Spec::Euid, &[("extension", "70000")], "extension: expected a smaller number, found \"70000\""),
        (Spec::Euid, &[("rollback", "Fail")], "rollback: expected fail, continue or reset, found \"Fail\""),
        (
            Spec::Scru160,
            &[("micros", "true"), ("counter_start_bits", "6")],
            "counter start bits: expected 0 to 5, found 6",
        ),
        (
            Spec::UlidFlake,
            &[("node", "7"), ("entropy_bytes", "3")],
            "entropy bytes: expected 1 to 2, found 3",
        ),
        (Spec::Scru160, &[("node", "3")], "node: expected a node ID and its bits, such as 3:5, found \"3\""),
        (Spec::UlidFlake, &[("node", "32")], "node: expected 0 to 31, found 32"),
        (Spec::RonUid, &[("origin", "a!")], "origin: '!' at position 1 is not a Base64x64 digit"),
    ] {
        assert_eq!(error(spec, given), message);
    }
    let flake = AnyOptions::new(Spec::UlidFlake, &[("entropy_bytes", "3")]).unwrap();
    assert_eq!(flake.set("node", "7").unwrap_err().to_string(), "entropy bytes: expected 1 to 2, found 3");
}

#[test]
fn a_generator_refuses_ids_of_another_specification() {
    let ids: AnyGenerator = AnyOptions::new(Spec::Euid, &[]).unwrap().build();
    let other = AnyId::from(sortid::scru160::new());
    assert!(ids.resume_after(other).is_err() && ids.observe(other).is_err());
    let mut backfill = AnyOptions::new(Spec::Euid, &[]).unwrap().backfill();
    assert!(backfill.resume_after(other).is_err());
}

#[test]
fn only_a_generator_of_ron_uids_observes_what_is_ahead() {
    for &spec in Spec::ALL {
        let ids = AnyOptions::new(spec, &options(spec))
            .unwrap()
            .build_with(ManualClock::new(NOW), SeededEntropy::new(1));
        let ahead = AnyId::min_at(spec, UnixMillis(NOW.as_millis() as i128 + 30_000)).unwrap();
        assert_eq!(ids.observe(ahead).is_ok(), spec == Spec::RonUid, "{spec}");
        let now = ids.generate().unwrap();
        assert_eq!(now > ahead, spec == Spec::RonUid, "{spec}");
        ids.observe(now).unwrap();
    }
}

#[test]
fn each_specification_but_one_has_a_field_for_node_ids() {
    for &spec in Spec::ALL {
        let any = AnyOptions::new(spec, &options(spec)).unwrap();
        assert_eq!(sortid_core::NodeOptions::spec(&any), spec.name());
        let of = |node| any.with_node_id(node, 32).map(|rules| script(rules).0);
        if spec == Spec::EventlyId {
            let message = of(5).unwrap_err().to_string();
            assert!(message.starts_with("node ID: Event IDs have no field for it"), "{message}");
        } else {
            assert_ne!(of(5).unwrap(), of(6).unwrap(), "{spec}");
            assert!(of(32).is_err(), "{spec}");
        }
    }
}
