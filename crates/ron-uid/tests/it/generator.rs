//! The common scenarios, and the rules that only hybrid logical clocks have.

use proptest::prelude::*;
use ron_uid::{
    Base64x64, Calendar, Clock, GenerateErrorKind, Generator, LamportClock, NoEntropy, Options, RonUid,
    Scheme, ron_uid, testing::ManualClock,
};
use sortid_core::{NodeOptions as _, Rules as _};
use sortid_testkit::Chosen;
use std::{
    fmt::Debug,
    sync::Barrier,
    time::{Duration, UNIX_EPOCH},
};

/// 2016-05-27T20:50:13.001Z
const START: Duration = Duration::from_millis(1_464_382_213_001);
const MINUTE: Duration = Duration::from_secs(60);

/// The first millisecond after the last time.
const END: Duration = Duration::from_millis(11_865_398_400_000);

fn options() -> Options {
    Options::new(ron_uid!("Xgritzk0_D").value())
}

type Ids<'c> = sortid_core::Generator<Options, &'c ManualClock, NoEntropy>;

fn ids(options: Options, clock: &ManualClock) -> Ids<'_> {
    Ids::from_parts(options, clock, NoEntropy)
}

#[test]
fn each_length_passes_the_common_scenarios() {
    let start = Duration::from_secs(1_464_382_200); // the beginning of a minute
    for length in 5..=8 {
        sortid_testkit::scenarios(Chosen::common(options().min_length(length).unwrap()), start, 100_000);
    }
}

#[test]
fn the_backfill_passes_the_common_scenarios() {
    sortid_testkit::backfills(options(), START, 4096);
    sortid_testkit::backfills(options().session_digits(2).unwrap().min_length(5).unwrap(), START, 4096);
}

#[test]
fn threads_generate_a_million_uids_in_order() {
    static IDS: Generator = Options::new(Base64x64::ERROR).build();
    sortid_testkit::threads!(IDS, 2, 1_000_000);
    let short = options().min_length(5).unwrap().build();
    sortid_testkit::threads!(short, 5, 200_000);
}

#[test]
fn a_uid_is_an_event_with_the_calendar_time_and_the_origin() {
    let clock = ManualClock::new(START);
    let ids: Generator<_, _> = options().build_with(&clock, NoEntropy);
    let uid = ids.generate().unwrap();
    assert_eq!(uid, ron_uid!("1CQKnD0100-Xgritzk0_D"));
    assert_eq!(ids.generate().unwrap(), ron_uid!("1CQKnD0101-Xgritzk0_D"));
    clock.advance(Duration::from_micros(1_234_567));
    assert_eq!(ids.generate().unwrap(), ron_uid!("1CQKnE3g-Xgritzk0_D"));
    assert_eq!(uid.unix_millis(), Some(START.as_millis() as u64));
}

#[test]
fn the_default_clock_is_the_system_clock() {
    let ids = options().build();
    let uid = ids.generate().unwrap();
    let age = uid.time().unwrap().elapsed().unwrap();
    assert!(age < MINUTE);
}

#[test]
fn each_unit_carries_into_the_next_on_a_clock_that_stands() {
    for (last, next) in [
        ([2016, 5, 27, 20, 50, 13, 1], [2016, 5, 27, 20, 50, 13, 2]),
        ([2016, 5, 27, 20, 50, 13, 63], [2016, 5, 27, 20, 50, 13, 64]),
        ([2016, 5, 27, 20, 50, 13, 999], [2016, 5, 27, 20, 50, 14, 0]),
        ([2016, 5, 27, 20, 50, 59, 999], [2016, 5, 27, 20, 51, 0, 0]),
        ([2016, 5, 27, 20, 59, 59, 999], [2016, 5, 27, 21, 0, 0, 0]),
        ([2016, 5, 27, 23, 59, 59, 999], [2016, 5, 28, 0, 0, 0, 0]),
        ([2016, 5, 31, 23, 59, 59, 999], [2016, 6, 1, 0, 0, 0, 0]),
        ([2016, 6, 30, 23, 59, 59, 999], [2016, 7, 1, 0, 0, 0, 0]),
        ([2015, 2, 28, 23, 59, 59, 999], [2015, 3, 1, 0, 0, 0, 0]),
        ([2016, 2, 28, 23, 59, 59, 999], [2016, 2, 29, 0, 0, 0, 0]),
        ([2016, 2, 29, 23, 59, 59, 999], [2016, 3, 1, 0, 0, 0, 0]),
        ([2100, 2, 28, 23, 59, 59, 999], [2100, 3, 1, 0, 0, 0, 0]),
        ([2016, 12, 31, 23, 59, 59, 999], [2017, 1, 1, 0, 0, 0, 0]),
        ([2345, 11, 30, 23, 59, 59, 999], [2345, 12, 1, 0, 0, 0, 0]),
    ] {
        let [last, next] = [(last, 4095), (next, 0)].map(|([y, mo, d, h, mi, s, ms], sequence)| Calendar {
            year: y,
            month: mo as u8,
            day: d as u8,
            hour: h as u8,
            minute: mi as u8,
            second: s as u8,
            millis: ms,
            sequence,
        });
        let clock = ManualClock::new(Duration::from_millis(last.unix_millis().unwrap()));
        let ids = ids(options(), &clock);
        let mut made = [RonUid::ZERO; 4097];
        ids.fill(&mut made).unwrap();
        assert!(made.is_sorted_by(|a, b| a < b));
        assert_eq!(Calendar::from_value(made[4095].value()), Some(last));
        assert_eq!(Calendar::from_value(made[4096].value()), Some(next));
    }
}

#[test]
fn the_last_month_is_used_to_its_end_and_then_generators_fail() {
    let clock = ManualClock::new(END - Duration::from_millis(1));
    let ids = ids(options(), &clock);
    for _ in 0..4095 {
        ids.generate().unwrap();
    }
    let last = ids.generate().unwrap();
    assert_eq!(Calendar::from_value(last.value()), Some(Calendar::MAX));
    for _ in 0..2 {
        for error in [ids.try_generate().unwrap_err(), ids.generate().unwrap_err()] {
            assert_eq!(error.kind(), GenerateErrorKind::ClockOutOfRange, "{error}");
        }
    }
    clock.set(END);
    assert_eq!(ids.generate().unwrap_err().kind(), GenerateErrorKind::ClockOutOfRange);
    clock.set(START);
    assert!(ids.generate().is_err(), "the last UID was the last one");
}

#[test]
fn times_before_2010_are_refused() {
    let clock = ManualClock::new(Duration::from_micros(1_262_303_999_999_999));
    let ids = ids(options(), &clock);
    assert_eq!(ids.generate().unwrap_err().kind(), GenerateErrorKind::ClockOutOfRange);
    clock.advance(Duration::from_micros(1));
    assert_eq!(ids.generate().unwrap(), ron_uid!("-Xgritzk0_D"));
    assert_eq!(ids.generate().unwrap(), ron_uid!("0000000001-Xgritzk0_D"));
}

#[test]
fn a_clock_that_goes_back_by_years_does_not_disturb_the_order() {
    let clock = ManualClock::new(START);
    let ids = ids(options(), &clock);
    let mut last = ids.generate().unwrap();
    for back in [1, 1_000_000, 3_600_000_000, 200_000_000_000_000] {
        clock.set(START - Duration::from_micros(back));
        for uid in [ids.try_generate(), ids.generate()] {
            let uid = uid.unwrap();
            assert_eq!(uid.value().to_int(), last.value().to_int() + 1);
            last = uid;
        }
    }
    assert_eq!(ids.resets(), 0);
}

#[test]
fn a_uid_is_greater_than_all_observed_uids() {
    for text in [
        "1CQKnD-Y",
        "1CQKnD01-Y",
        "1CQKnD0107+Y",
        "1CQKnD01~~-Y",
        "1CQKnDFc~~-Y", // 13.999, 4095
        "1CQKnDFd-Y",   // 13.1000
        "1CQKnx-Y",     // second 60
        "1CQKn~-Y",     // second 63
        "1CQKoD00-Y",   // 60 s less 1 ms ahead
        "0-Y",
    ] {
        let clock = ManualClock::new(START);
        let ids = ids(options(), &clock);
        let seen = RonUid::parse(text).unwrap();
        ids.observe(seen).unwrap();
        let uid = ids.generate().unwrap();
        assert!(uid > seen && uid.value() > seen.value(), "{uid} after {seen}");
        assert!(uid.time().is_some());
        ids.observe(seen).unwrap();
        assert!(ids.generate().unwrap() > uid);
    }
}

#[test]
fn after_a_value_that_is_not_a_time_comes_the_next_time() {
    for (now, seen, next) in [
        ([2016, 5, 31, 23, 59], "1CV-Y", "1D-X"),          // 32 May
        ([2016, 6, 30, 23, 59], "1DU-Y", "1E-X"),          // 31 June
        ([2016, 12, 31, 23, 59], "1J~~~~~~~~-Y", "1K-X"),  // 64 December
        ([2015, 2, 28, 23, 59], "0yS5-Y", "0z-X"),         // 29 February 2015
        ([2016, 5, 27, 23, 59], "1CQO-Y", "1CR-X"),        // hour 24
        ([2016, 5, 27, 23, 59], "1CQe-Y", "1CR-X"),        // hour 40
        ([2016, 5, 27, 20, 59], "1CQKx-Y", "1CQL-X"),      // minute 60
        ([2016, 5, 27, 20, 50], "1CQKnDFd-Y", "1CQKnE-X"), // millisecond 1000
    ] {
        let [year, month, day, hour, minute] = now;
        let now = Calendar {
            year,
            month: month as u8,
            day: day as u8,
            hour: hour as u8,
            minute: minute as u8,
            second: 13,
            millis: 0,
            sequence: 0,
        };
        let clock = ManualClock::new(Duration::from_millis(now.unix_millis().unwrap()));
        let ids = ids(Options::new(ron_uid!("X").value()), &clock);
        ids.observe(RonUid::parse(seen).unwrap()).unwrap();
        assert_eq!(ids.generate().unwrap().encode(), next, "after {seen}");
    }
}

#[test]
fn a_uid_far_ahead_or_without_a_time_is_refused_and_changes_nothing() {
    let no_time =
        ["~", "~-Y", "~~~~~~~~~~", "~~~~~~~~~~+~~~~~~~~~~", "~000000001-Y", "inc", "1CQKnD$Y", "1CQKnD%Y"];
    // 60.001 s, more than a minute, 31 June, and a year ahead.
    let ahead = ["1CQKoD02-Y", "1CQKp-Y", "1DU-Y", "1OQKn-Y"];
    let clock = ManualClock::new(START);
    let ids = ids(options(), &clock);
    let mut last = ids.generate().unwrap();
    for text in no_time.into_iter().chain(ahead) {
        let error = ids.observe(RonUid::parse(text).unwrap()).unwrap_err();
        let is_right = match error.kind() {
            GenerateErrorKind::NoTime => no_time.contains(&text),
            GenerateErrorKind::Ahead => ahead.contains(&text),
            _ => false,
        };
        assert!(is_right, "{text}: {error}");
        let uid = ids.generate().unwrap();
        assert_eq!(uid.value().to_int(), last.value().to_int() + 1, "after {text}");
        last = uid;
    }
    clock.set(Duration::MAX);
    let error = ids.observe(ron_uid!("1CQKnE-Y")).unwrap_err();
    assert_eq!(error.kind(), GenerateErrorKind::ClockOutOfRange);
    clock.set(START);
    assert_eq!(ids.generate().unwrap().value().to_int(), last.value().to_int() + 1);
}

#[test]
fn the_future_bound_is_an_option() {
    let clock = ManualClock::new(START);
    let strict = ids(options().future_bound(Duration::ZERO), &clock);
    strict.observe(ron_uid!("1CQKnD01~~-Y")).unwrap();
    assert!(strict.observe(ron_uid!("1CQKnD02-Y")).is_err());

    let loose = ids(options().future_bound(Duration::MAX), &clock);
    let last = RonUid::max_at(UNIX_EPOCH + END - Duration::from_millis(1)).unwrap();
    let last = RonUid::from_fields(last.value(), last.origin(), Scheme::Event);
    loose.observe(last).unwrap();
    assert_eq!(loose.generate().unwrap_err().kind(), GenerateErrorKind::ClockOutOfRange);
    assert!(loose.observe(RonUid::NEVER).is_err());
}

#[test]
fn a_minimum_length_drops_the_digits_that_the_order_does_not_need() {
    let clock = ManualClock::new(START);
    let made = |options: Options, steps: &[u64]| -> Vec<String> {
        clock.set(START);
        let ids = ids(options, &clock);
        let mut made = vec![ids.generate().unwrap().value().to_string()];
        for &millis in steps {
            clock.advance(Duration::from_millis(millis));
            made.push(ids.generate().unwrap().value().to_string());
        }
        made
    };
    let options = |length| options().min_length(length).unwrap();
    let steps = [0, 1000, 200, 1, 60_000, 60_000, 0, 0, 0, 0];
    assert_eq!(
        made(options(5), &steps),
        // 13.001 | 13.001 | 14.001 | 14.201 | 14.202 | …
        [
            "1CQKnD01",
            "1CQKnD0101",
            "1CQKnE",
            "1CQKnE3",
            "1CQKnE3A",
            "1CQKo",
            "1CQKp",
            "1CQKpE",
            "1CQKpE3",
            "1CQKpE3A",
            "1CQKpE3A01"
        ]
    );
    assert_eq!(made(options(6), &steps[..3]), ["1CQKnD01", "1CQKnD0101", "1CQKnE", "1CQKnE3"]);
    assert_eq!(made(options(7), &steps[..3]), ["1CQKnD01", "1CQKnD0101", "1CQKnE", "1CQKnE3"]);
    for length in [8, 9, 10] {
        assert_eq!(made(options(length), &steps[..3]), ["1CQKnD01", "1CQKnD0101", "1CQKnE01", "1CQKnE39"]);
    }
}

#[test]
fn a_new_generator_continues_above_the_uids_of_an_earlier_one() {
    for length in 5..=10 {
        let clock = ManualClock::new(START);
        let mut last = RonUid::MIN;
        for _ in 0..100 {
            let uid = ids(options().min_length(length).unwrap(), &clock).generate().unwrap();
            assert!(uid > last, "{length} digits: {uid} after {last}");
            last = uid;
            clock.advance(Duration::from_millis(1));
        }
    }
}

#[test]
fn fill_and_generate_return_the_same_uids() {
    for length in 5..=10 {
        let options = options().min_length(length).unwrap();
        for step in
            [Duration::ZERO, Duration::from_millis(1), Duration::from_millis(70), Duration::from_secs(61)]
        {
            let clock = ManualClock::new(START);
            let (one, many) = (ids(options, &clock), ids(options, &clock));
            for count in [1, 7, 300] {
                let mut filled = vec![RonUid::ZERO; count];
                many.fill(&mut filled).unwrap();
                let generated: Vec<RonUid> = (0..count).map(|_| one.generate().unwrap()).collect();
                assert_eq!(filled, generated, "{length} digits, {step:?}");
                clock.advance(step);
            }
        }
    }
}

#[test]
fn option_errors_say_what_was_expected() {
    let messages = [
        options().min_length(4).unwrap_err(),
        options().min_length(11).unwrap_err(),
        LamportClock::new(Base64x64::ZERO, 0).unwrap_err(),
        LamportClock::new(Base64x64::ZERO, 11).unwrap_err(),
    ]
    .map(|error| error.to_string());
    assert_eq!(
        messages,
        [
            "minimum length: expected 5 to 10, found 4",
            "minimum length: expected 5 to 10, found 11",
            "length: expected 1 to 10, found 0",
            "length: expected 1 to 10, found 11",
        ]
    );
}

#[derive(Clone, Debug)]
enum Act {
    Set(u64),
    Forward(u64),
    Generate,
    Fill(usize),
    Observe(u64),
    ObserveAny(u64),
}

fn act() -> impl Strategy<Value = Act> {
    let near = 1_464_382_000_000_000..1_464_382_400_000_000_u64;
    prop_oneof![
        1 => near.prop_map(Act::Set),
        1 => (0..3_000_000_u64).prop_map(Act::Forward),
        3 => Just(Act::Generate),
        1 => (0..300_usize).prop_map(Act::Fill),
        // Values around those times, most of which are not times.
        3 => (0..64_u64, 0..64_u64, 0..1_u64 << 24)
            .prop_map(|(minute, second, rest)| {
                Act::Observe((1 << 18 | 12 << 12 | 26 << 6 | 20) << 36 | minute << 30 | second << 24 | rest)
            }),
        1 => (0..1_u64 << 60).prop_map(Act::ObserveAny),
    ]
}

proptest! {
    #[test]
    fn in_every_script_a_uid_is_greater_than_all_generated_or_observed(
        script in proptest::collection::vec(act(), 1..60), length in 5..=10_usize, derived in any::<bool>(),
    ) {
        let clock = ManualClock::new(START);
        let options = options().min_length(length).unwrap();
        let ids = ids(options, &clock);
        let mut greatest = RonUid::ZERO;
        for act in script {
            let mut made = vec![];
            match act {
                Act::Set(micros) => clock.set(Duration::from_micros(micros)),
                Act::Forward(micros) => clock.advance(Duration::from_micros(micros)),
                Act::Generate => {
                    made = vec![ids.generate().unwrap()];
                }
                Act::Fill(count) => {
                    made = vec![RonUid::ZERO; count];
                    ids.fill(&mut made).unwrap();
                }
                Act::Observe(value) | Act::ObserveAny(value) => {
                    let scheme = if derived { Scheme::Derived } else { Scheme::Event };
                    let value = Base64x64::try_from_int(value).unwrap();
                    let uid = RonUid::from_fields(value, Base64x64::ERROR, scheme);
                    if ids.observe(uid).is_ok() {
                        greatest = greatest.max(uid);
                    } else {
                        let now = Duration::from_micros(clock.unix_micros().unwrap());
                        prop_assert!(RonUid::min_at(UNIX_EPOCH + now + MINUTE).unwrap() < uid);
                    }
                }
            }
            for uid in made {
                prop_assert!(uid > greatest, "{} after {}", uid, greatest);
                prop_assert!(uid.time().is_some());
                greatest = uid;
            }
        }
    }
}

/// Two threads generate UIDs and observe each other's, first with one generator for both, then with a generator each.
#[test]
fn threads_observe_each_others_uids_and_exceed_them() {
    static ONE: Generator = Options::new(Base64x64::ZERO).build();
    let two = ["A", "B"].map(|origin| Options::new(Base64x64::parse(origin).unwrap()).build());
    for generators in [[&ONE, &ONE], [&two[0], &two[1]]] {
        let (barrier, newest) = (Barrier::new(2), std::sync::Mutex::new(RonUid::ZERO));
        std::thread::scope(|scope| {
            for ids in generators {
                let (barrier, newest) = (&barrier, &newest);
                scope.spawn(move || {
                    barrier.wait();
                    for _ in 0..50_000 {
                        let seen = *newest.lock().unwrap();
                        ids.observe(seen).unwrap();
                        let uid = ids.generate().unwrap();
                        assert!(uid.value() > seen.value(), "{uid} after {seen}");
                        let mut newest = newest.lock().unwrap();
                        *newest = uid.max(*newest);
                    }
                });
            }
        });
    }
}

#[test]
fn one_thread_observes_while_another_generates() {
    let clock = ManualClock::new(START);
    let ids: Generator<_, _> = options().build_with(&clock, NoEntropy);
    let made = std::thread::scope(|scope| {
        let made = scope.spawn(|| (0..100_000).map(|_| ids.generate().unwrap()).collect::<Vec<_>>());
        let observing = scope.spawn(|| {
            for millis in 0..50_000 {
                let seen = RonUid::max_at(UNIX_EPOCH + START + Duration::from_millis(millis)).unwrap();
                let seen = RonUid::from_fields(seen.value(), seen.origin(), Scheme::Event);
                ids.observe(seen).unwrap();
                assert!(ids.generate().unwrap() > seen);
            }
        });
        observing.join().unwrap();
        made.join().unwrap()
    });
    assert!(made.is_sorted_by(|a, b| a < b));
}

/// Every generator and clock can move to another thread, and the shared ones can be used by many.
#[test]
fn generators_are_send_and_shared_generators_are_sync() {
    fn send<T: Send + Debug>() {}
    fn sync<T: Send + Sync + Debug>() {}
    send::<Generator>();
    send::<LamportClock>();
    sync::<Generator>();
    sync::<LamportClock>();
}

#[test]
fn a_millisecond_of_a_backfill_has_4096_uids() {
    let error = options().backfill_with(NoEntropy).generate_all([UNIX_EPOCH + START; 4097]).unwrap_err();
    assert_eq!(error.index(), Some(4096));
    assert_eq!(error.kind(), GenerateErrorKind::Exhausted, "{error:?}");
}

#[test]
fn the_node_id_is_in_the_last_digits_of_the_origin() {
    let of = |origin: &str| Options::new(Base64x64::parse(origin).unwrap());
    let origin = |options: Options| {
        options.build_with(ManualClock::new(START), NoEntropy).generate().unwrap().origin().encode()
    };
    assert_eq!(origin(of("X").with_node_id(5, 64).unwrap()), "X000000005");
    assert_eq!(origin(of("X0000000a").with_node_id(5, 64).unwrap()), "X0000000a5", "only one digit is taken");
    assert_eq!(origin(of("X").with_node_id(64, 65).unwrap()), "X00000001");
    assert_eq!(origin(of("X").with_node_id(0, 1).unwrap()), "X");
    for (options, size) in [(of("X00000000a"), 2), (of("X0000000a"), 65)] {
        let error = options.with_node_id(0, size).unwrap_err();
        assert_eq!(error.option(), "digits of the origin that the node ID takes");
    }
    for (digits, most) in [(None, 1 << 18), (Some(1), 64), (Some(2), 4096)] {
        let options = digits.map_or(of("X"), |digits| of("X").session_digits(digits).unwrap());
        // The node ID is the session, so the IDs have no further sessions.
        let node = options.with_node_id(5, most).unwrap();
        assert_eq!(
            (origin(node), node.can_reset(0)),
            (origin(of("X").with_node_id(5, most).unwrap()), false)
        );
        assert_eq!(options.with_node_id(0, most + 1).unwrap_err().option(), "size of the space");
    }
}

#[test]
fn a_generator_is_reset_up_to_the_last_session_from_any_session() {
    for (digits, first) in [(1, 64 - 4), (2, 64 * 64 - 4)] {
        let from_first = Options::new(ron_uid!("X").value()).session_digits(digits).unwrap();
        let last = first as u16 + 3;
        assert!(from_first.can_reset(last - 1) && !from_first.can_reset(last));
        let origin = Base64x64::try_from_int(ron_uid!("X").value().to_int() + first).unwrap();
        let clock = ManualClock::new(START);
        let of_sessions = || {
            Options::new(origin)
                .session_digits(digits)
                .unwrap()
                .rollback_allowance(Duration::ZERO)
                .build_with(&clock, NoEntropy)
        };
        let uids = of_sessions();
        for session in 0..4 {
            clock.set(START - MINUTE * session);
            let uid = uids.generate().unwrap();
            assert_eq!(uid.origin().to_int() - origin.to_int(), u64::from(session));
            let resumed = of_sessions();
            resumed.resume_after(uid).unwrap();
            assert_eq!(u32::from(resumed.resets()), session);
        }
        clock.set(START - MINUTE * 4);
        assert!(uids.generate().is_err());
    }
}
