//! No ID occurs twice, whatever happens to a generator.

use super::{MILLISECOND, NOW, SECOND, event, ron};
use proptest::prelude::*;
use ron_uid::Base64x64;
use sortid_core::{
    Clock, Entropy, EntropyError, GenerateErrorKind, Generator, NoEntropy, Rollback, Rules, ThreadEntropy,
    testing::{ManualClock, SeededEntropy},
};
use sortid_testkit::Chosen;
use std::{
    cell::{Cell, RefCell},
    collections::BTreeSet,
    fmt::Debug,
    time::{Duration, UNIX_EPOCH},
};

/// A clock that stands still and does not wait.
struct Frozen(Cell<Duration>);

impl Clock for Frozen {
    fn unix_micros(&self) -> Option<u64> {
        Some(self.0.get().as_micros() as u64)
    }

    fn wait(&self, _: u64) -> bool {
        false
    }
}

/// Everything that can be called on a generator, and that can happen to its clock.
#[derive(Clone, Debug)]
enum Act {
    Set(u64),
    Try,
    Generate,
    Fill(usize),
    ResumeAfterOwn,
    ResumeAfter(u64),
}

fn act() -> impl Strategy<Value = Act> {
    let around_now = || prop_oneof![0..5_000_u64, 0..30_000_000_u64, 0..1_000_000_000_u64];
    prop_oneof![
        around_now().prop_map(Act::Set),
        Just(Act::Try),
        Just(Act::Generate),
        (0..200_usize).prop_map(Act::Fill),
        Just(Act::ResumeAfterOwn),
        around_now().prop_map(Act::ResumeAfter),
    ]
}

/// A generator never makes an ID twice, whatever is called on it, and however its clock goes.
fn never_twice<R: Rules<Id: Ord + Debug> + Copy>(options: R) {
    let script = (proptest::option::of(0..20_000_u64), proptest::collection::vec(act(), 1..60));
    let config = ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() };
    proptest!(config, |((allowance, acts) in script)| {
        let clock = Frozen(Cell::new(NOW));
        let time = |micros| NOW + Duration::from_micros(micros);
        let mut policy = options.rollback_policy();
        if let Some(millis) = allowance {
            policy = policy.with_allowance(MILLISECOND * millis as u32);
        }
        let ids = Generator::from_parts(Chosen::new(options, policy), &clock, SeededEntropy::new(1));
        let placeholder = Generator::from_parts(options, &clock, SeededEntropy::new(2));
        let placeholder = placeholder.generate().unwrap();
        let mut seen = BTreeSet::new();
        let mut last = None;
        for act in acts {
            let made: Vec<_> = match act {
                Act::Set(micros) => {
                    clock.0.set(time(micros));
                    vec![]
                }
                Act::Try => ids.try_generate().into_iter().collect(),
                Act::Generate => ids.generate().into_iter().collect(),
                Act::Fill(count) => {
                    let mut many = vec![placeholder; count];
                    ids.fill(&mut many).map(|()| many).unwrap_or_default()
                }
                Act::ResumeAfterOwn => {
                    last.map_or(Ok(()), |last| ids.resume_after(last)).ok();
                    vec![]
                }
                Act::ResumeAfter(micros) => {
                    let other = Frozen(Cell::new(time(micros)));
                    let other = Generator::from_parts(options, &other, SeededEntropy::new(3));
                    let _ = ids.resume_after(other.generate().unwrap());
                    vec![]
                }
            };
            for id in made {
                prop_assert!(seen.insert(id), "{:?} occurs twice", id);
                last = Some(id);
            }
        }
    });
}

/// The clock goes back and forth again and again, by 1 s to 60 s, and no ID occurs twice: the generator continues, refuses,
/// or has random bits enough to be reset.
fn never_twice_on_a_clock_that_jumps<R: Rules<Id: Ord + Debug> + Copy>(options: R) {
    let clock = Frozen(Cell::new(NOW));
    let ids: Generator<R, _, _> = Generator::from_parts(options, &clock, SeededEntropy::new(1));
    let jumps = SeededEntropy::new(2);
    let mut seen = BTreeSet::new();
    for jump in 0..3000 {
        let [second, call] = jumps.draw().unwrap();
        clock.0.set(NOW + SECOND * (jump / 10 + u32::from(second % 61)));
        let first = if call % 2 == 0 { ids.generate() } else { ids.try_generate() };
        let Ok(first) = first else { continue };
        let mut made = [first; 20];
        let rest = ids.fill(&mut made[1..]);
        for id in &made[..if rest.is_ok() { 20 } else { 1 }] {
            assert!(seen.insert(*id), "{id:?} occurs twice");
        }
    }
    assert!(seen.len() >= 20, "{} IDs", seen.len());
    assert_eq!(ids.resets() > 0, options.on_rollback() == Rollback::Reset);
}

/// Calls the macro with each kind of options.
macro_rules! for_all_options {
    ($each:ident) => {
        $each(scru160::Options::new());
        $each(scru160::Options::with_micros_counter());
        $each(scru160::Options::new().counter_start_bits(0).unwrap().node(7, 16).unwrap());
        $each(scru160::Options::new().counter_start_bits(0).unwrap().counter_extension_bits(16).unwrap());
        $each(euid::Options::new());
        $each(euid::Options::new().extension(euid::Extension::new(5).unwrap()));
        $each(euid::Options::new().extension(euid::Extension::new(32_767).unwrap()));
        for bytes in 1..=3 {
            $each(ulid_flake::Options::new().entropy_bytes(bytes).unwrap());
        }
        for bytes in 1..=2 {
            $each(ulid_flake::scalable::Options::new(3).unwrap().entropy_bytes(bytes).unwrap());
        }
        $each(ron());
        $each(ron().session_digits(1).unwrap());
        $each(ron().session_digits(2).unwrap().min_length(5).unwrap());
        $each(ron().min_length(5).unwrap());
        $each(event());
    };
}

#[test]
fn no_call_lets_a_generator_make_an_id_twice() {
    for_all_options!(never_twice);
}

#[test]
fn a_clock_that_jumps_back_and_forth_by_a_minute_repeats_no_id() {
    for_all_options!(never_twice_on_a_clock_that_jumps);
}

#[test]
fn a_restarted_hybrid_clock_resumes_after_its_last_uid_however_far_ahead_it_was() {
    let clock = ManualClock::new(NOW);
    let first = Generator::from_parts(ron(), &clock, NoEntropy);
    let mut made = vec![ron_uid::RonUid::ZERO; 4_000_000];
    first.fill(&mut made).unwrap();
    assert_eq!(first.ahead(), Ok(MILLISECOND * (4_000_000 / 4096)));

    // The program restarts 5 milliseconds later. Without its last UID, the new generator repeats UIDs.
    clock.advance(5 * MILLISECOND);
    let forgetful = Generator::from_parts(ron(), &clock, NoEntropy);
    assert!(made.binary_search(&forgetful.generate().unwrap()).is_ok());
    let second = Generator::from_parts(ron(), &clock, NoEntropy);
    second.resume_after(made[made.len() - 1]).unwrap();
    assert!(second.generate().unwrap() > made[made.len() - 1]);

    // The last UID of the generator itself may be an hour ahead, with or without a clock.
    clock.advance(3600 * SECOND);
    let last = second.generate().unwrap();
    clock.set(Duration::MAX);
    let third = Generator::from_parts(ron(), &clock, NoEntropy);
    third.resume_after(last).unwrap();
    clock.set(NOW);
    assert!(third.generate().unwrap() > last);
    assert!(third.ahead().unwrap() > 3600 * SECOND);
    assert!(third.observe(ron_uid::RonUid::max_at(UNIX_EPOCH + NOW + 7200 * SECOND).unwrap()).is_err());
}

#[test]
fn one_wrong_reading_of_the_clock_shows_and_an_allowance_makes_it_an_error() {
    fn of_one<R: Rules<Id: Ord + Debug> + Copy>(options: R) {
        let year = 365 * 24 * 3600 * SECOND;
        let clock = ManualClock::new(NOW);
        let ids: Generator<_, _, _> = Generator::from_parts(options, &clock, NoEntropy);
        ids.generate().unwrap();
        clock.set(NOW + year);
        let wrong = ids.generate().unwrap();
        clock.set(NOW);
        assert!(ids.generate().unwrap() > wrong, "the order is kept");
        let ahead = ids.ahead().unwrap();
        assert!(ahead >= year && ahead < year + SECOND, "{ahead:?}");
        assert_eq!(ids.resets(), 0);

        let policy = options.rollback_policy().with_allowance(60 * SECOND);
        let ids = Generator::from_parts(Chosen::new(options, policy), &clock, NoEntropy);
        clock.set(NOW + year);
        let wrong = ids.generate().unwrap();
        clock.set(NOW);
        for result in [ids.try_generate(), ids.generate()] {
            let error = result.unwrap_err();
            assert_eq!(error.kind(), GenerateErrorKind::ClockRollback, "{error:?}");
            assert!(error.to_string().ends_with("or try again when it has caught up"), "{error}");
        }
        clock.set(NOW + year);
        assert!(ids.generate().unwrap() > wrong);
    }
    of_one(ron());
    of_one(event());
}

#[test]
fn a_hybrid_clock_with_sessions_comes_back_from_a_wrong_time_and_repeats_no_uid() {
    let clock = ManualClock::new(NOW);
    let options = ron().session_digits(1).unwrap().rollback_allowance(60 * SECOND);
    let ids = Generator::from_parts(options, &clock, NoEntropy);
    let mut made = vec![ids.generate().unwrap()];
    // Digits 1 to 63; the clock jumps between the same two times, so that only sessions tell the UIDs apart.
    for session in 1..=63 {
        clock.set(NOW + 3600 * SECOND);
        made.push(ids.generate().unwrap());
        clock.set(NOW);
        made.push(ids.generate().unwrap());
        assert_eq!(ids.ahead(), Ok(Duration::ZERO));
        assert_eq!((ids.resets(), made[made.len() - 1].origin().to_int() & 63), (session, session.into()));
    }
    clock.set(NOW + 3600 * SECOND);
    made.push(ids.generate().unwrap());
    clock.set(NOW);
    let error = ids.generate().unwrap_err();
    assert!(error.kind() == GenerateErrorKind::ClockRollback, "no session is left: {error}");
    // A restarted generator continues in the last session.
    let ids = Generator::from_parts(options.rollback_allowance(7200 * SECOND), &clock, NoEntropy);
    ids.resume_after(made[made.len() - 1]).unwrap();
    made.push(ids.generate().unwrap());
    assert_eq!(ids.resets(), 63);
    let count = made.len();
    made.sort_unstable();
    made.dedup();
    assert_eq!(made.len(), count);
}

#[test]
fn an_observed_uid_changes_neither_the_session_nor_the_precision_of_the_first_uid() {
    let clock = ManualClock::new(NOW);
    let of = |origin: &str| ron_uid::Options::new(Base64x64::parse(origin).unwrap());
    let ours = of("X001").session_digits(1).unwrap();
    let ids = Generator::from_parts(ours, &clock, NoEntropy);
    let theirs = Generator::from_parts(of("X002"), &clock, NoEntropy);
    ids.observe(theirs.generate().unwrap()).unwrap();
    assert_eq!((ids.generate().unwrap().origin().encode().as_str(), ids.resets()), ("X001", 0));

    for length in [5, 6, 7] {
        let options = of("X").min_length(length).unwrap();
        // A minute begins at this time.
        let clock = ManualClock::new(NOW);
        let generator = || Generator::from_parts(options, &clock, NoEntropy);
        let mut made: Vec<_> = [0, 1, 2].map(|_| generator().generate().unwrap()).to_vec();
        made.dedup();
        let earlier = generator();
        earlier.observe(ron_uid::RonUid::min_at(UNIX_EPOCH + NOW - SECOND).unwrap()).unwrap();
        for millis in [0, 1, 70, 1001] {
            clock.set(NOW + MILLISECOND * millis);
            made.push(earlier.generate().unwrap());
        }
        // The program restarts in the same minute, and first observes an earlier UID.
        for millis in [1002, 1070, 2000, 10_000] {
            clock.set(NOW + MILLISECOND * millis);
            let later = generator();
            later.observe(ron_uid::RonUid::min_at(UNIX_EPOCH + NOW - SECOND).unwrap()).unwrap();
            let uid = later.generate().unwrap();
            assert!(uid > made[made.len() - 1], "{uid} after {}", made[made.len() - 1]);
            made.push(uid);
        }
    }
}

/// Uses the generator while the generator reads it.
struct Reentrant<'g, R: Rules> {
    ids: &'g RefCell<Option<&'g dyn Fn() -> R::Id>>,
    made: RefCell<Vec<R::Id>>,
}

impl<R: Rules> Entropy for &Reentrant<'_, R> {
    fn fill(&self, bytes: &mut [u8]) -> Result<(), EntropyError> {
        // Once, or it would not end.
        if let Some(generate) = self.ids.take() {
            self.made.borrow_mut().push(generate());
        }
        ThreadEntropy.fill(bytes)
    }
}

#[test]
fn a_source_that_uses_the_generator_breaks_no_order() {
    fn of<R: Rules<Id: Ord + Debug> + Copy>(options: R) {
        let clock = ManualClock::new(NOW);
        for _ in 0..100 {
            let cell = RefCell::new(None);
            let entropy = Reentrant::<R> { ids: &cell, made: RefCell::new(vec![]) };
            let ids = Generator::from_parts(options, &clock, &entropy);
            let generate = || ids.try_generate().unwrap();
            let first = generate();
            cell.replace(Some(&generate));
            let outer = generate();
            let last = generate();
            let inner = entropy.made.borrow()[0];
            assert!(inner != outer && first < inner.min(outer) && inner.max(outer) < last);
        }
    }
    of(scru160::Options::new());
    of(euid::Options::new());
}
