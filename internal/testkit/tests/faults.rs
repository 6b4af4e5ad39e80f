//! Faults of clocks, threads and sources of random bytes as they happen in operation, for the generators of all
//! specifications.

use evently_id::LedgerId;
use proptest::prelude::*;
use ron_uid::Base64x64;
use sortid_core::{
    Clock, Entropy, EntropyError, GenerateErrorKind, Generator, LocalCell, NoEntropy, Rules, SharedCell,
    StateCell, SystemClock, ThreadEntropy,
    testing::{ManualClock, SeededEntropy},
};
use std::{
    cell::{Cell, RefCell},
    collections::{BTreeSet, VecDeque},
    fmt::Debug,
    panic::{self, AssertUnwindSafe},
    sync::atomic::{AtomicU32, Ordering},
    thread,
    time::{Duration, Instant},
};

const SECOND: Duration = Duration::from_secs(1);
const MILLISECOND: Duration = Duration::from_millis(1);

/// 2026-11-21T07:00:00Z
const NOW: Duration = Duration::from_secs(1_795_244_400);

fn ron() -> ron_uid::Options {
    ron_uid::Options::new(Base64x64::parse("X").unwrap())
}

fn event() -> evently_id::Options {
    evently_id::Options::new(LedgerId::MIN)
}

/// Sets the clock to each time of the script and generates four IDs there. All IDs are in one order.
fn in_one_order<R: Rules<Id: Ord + Debug> + Copy>(options: R, script: &[Duration]) {
    fn of_one_state<R: Rules<Id: Ord + Debug> + Copy, S: StateCell>(options: R, script: &[Duration]) {
        let clock = ManualClock::new(script[0]);
        let ids: Generator<R, S, _, _> = Generator::from_parts(options, &clock, SeededEntropy::new(1));
        let mut last = None;
        for &time in script {
            clock.set(time);
            for _ in 0..4 {
                let id = ids.try_generate().unwrap();
                assert!(last.is_none_or(|last| last < id), "{id:?} after {last:?}, at {time:?}");
                last = Some(id);
            }
        }
        assert_eq!(ids.rollbacks(), 0);
    }
    of_one_state::<R, LocalCell>(options, script);
    of_one_state::<R, SharedCell>(options, script);
}

fn of_all_specifications(script: &[Duration]) {
    in_one_order(scru160::Options::new(), script);
    in_one_order(scru160::Options::with_micros_counter(), script);
    in_one_order(euid::Options::new(), script);
    in_one_order(ulid_flake::Options::new(), script);
    in_one_order(ulid_flake::scalable::Options::new(3).unwrap(), script);
    in_one_order(ron(), script);
    in_one_order(event(), script);
}

#[test]
fn ntp_steps_the_clock_back_and_forward() {
    of_all_specifications(&[
        NOW,
        NOW - 128 * MILLISECOND,
        NOW - 100 * MILLISECOND,
        NOW + SECOND,
        NOW + 60 * SECOND,
        NOW + 55 * SECOND,
        NOW + 61 * SECOND,
    ]);
}

/// A clock of which no time passes but in `wait`. After so many microseconds of waiting, it makes each of these steps.
struct Stepping {
    now: Cell<u64>,
    waited: Cell<u64>,
    steps: RefCell<VecDeque<(u64, i64)>>,
}

impl Stepping {
    fn new(steps: impl IntoIterator<Item = (Duration, i64)>) -> Self {
        let steps = steps.into_iter().map(|(after, by)| (after.as_micros() as u64, by)).collect();
        Self { now: Cell::new(NOW.as_micros() as u64), waited: Cell::new(0), steps: RefCell::new(steps) }
    }

    fn waited(&self) -> Duration {
        Duration::from_micros(self.waited.get())
    }
}

impl Clock for Stepping {
    fn unix_micros(&self) -> Option<u64> {
        Some(self.now.get())
    }

    fn wait(&self, until: u64) -> bool {
        const MOMENT: u64 = 1000;
        while self.now.get() < until {
            self.waited.update(|waited| waited + MOMENT);
            self.now.update(|now| now + MOMENT);
            let mut steps = self.steps.borrow_mut();
            if let Some(&(after, by)) = steps.front()
                && after <= self.waited.get()
            {
                steps.pop_front();
                self.now.update(|now| now.saturating_add_signed(by));
                if by < 0 {
                    break;
                }
            }
        }
        true
    }
}

const SECONDS: i64 = 1_000_000;

/// Lets a generator whose milliseconds hold few IDs wait for this clock, and returns the clock and the number of rollbacks.
fn waits(steps: impl IntoIterator<Item = (Duration, i64)>) -> (Duration, u16) {
    let clock = Stepping::new(steps);
    let options = ulid_flake::scalable::Options::new(0).unwrap();
    let ids = ulid_flake::scalable::Generator::from_parts(options, &clock, SeededEntropy::new(1));
    let mut last = ids.generate().unwrap();
    let mut rollbacks = 0;
    // 200 milliseconds, after all steps.
    for _ in 0..200 * 129 {
        let id = ids.generate().expect("the clock moves");
        assert!(id > last || ids.rollbacks() != rollbacks, "{id} after {last}");
        (last, rollbacks) = (id, ids.rollbacks());
    }
    assert!(clock.steps.borrow().is_empty(), "the test waits for all steps");
    (clock.waited(), ids.rollbacks())
}

#[test]
fn a_generator_waits_as_long_as_a_clock_that_goes_back_again_and_again_stays_within_the_allowance() {
    let at = |millis| MILLISECOND * millis;
    let (waited, rollbacks) = waits([(at(3), -2 * SECONDS), (at(1000), -6 * SECONDS)]);
    assert!(waited > 8 * SECOND && waited < 9 * SECOND, "{waited:?}");
    assert_eq!(rollbacks, 0);

    // The clock is behind by 9.9 s, then by 17.8 s.
    let (waited, rollbacks) = waits([(at(3), -9_900_000), (at(2003), -9_900_000)]);
    assert!(waited < 3 * SECOND, "{waited:?}");
    assert_eq!(rollbacks, 1);

    // One second back each second, for a minute: never behind by more than a few seconds.
    let (waited, rollbacks) = waits((0..60).map(|second| (at(3) + SECOND * second, -SECONDS)));
    assert!(waited > 60 * SECOND && waited < 63 * SECOND, "{waited:?}");
    assert_eq!(rollbacks, 0);
}

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

/// A generator never makes an ID twice, whatever is called on it, and however its clock goes. The exception is one with few
/// random bits that starts over: then only the IDs between two new starts are distinct.
fn never_twice<R: Rules<Id: Ord + Debug> + Copy, S: StateCell>(options: R, has_few_random_bits: bool) {
    let script = (proptest::option::of(0..20_000_u64), proptest::collection::vec(act(), 1..60));
    let config = ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() };
    proptest!(config, |((allowance, acts) in script)| {
        let clock = Frozen(Cell::new(NOW));
        let time = |micros| NOW + Duration::from_micros(micros);
        let mut ids: Generator<R, S, _, _> = Generator::from_parts(options, &clock, SeededEntropy::new(1));
        if let Some(millis) = allowance {
            ids.set_rollback_allowance(MILLISECOND * millis as u32);
        }
        let placeholder = Generator::<R, LocalCell, _, _>::from_parts(options, &clock, SeededEntropy::new(2));
        let placeholder = placeholder.generate().unwrap();
        let mut seen = BTreeSet::new();
        let (mut last, mut rollbacks) = (None, 0);
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
                    let other = Generator::<R, LocalCell, _, _>::from_parts(options, &other, SeededEntropy::new(3));
                    let _ = ids.resume_after(other.generate().unwrap());
                    vec![]
                }
            };
            if ids.rollbacks() != rollbacks {
                rollbacks = ids.rollbacks();
                if has_few_random_bits {
                    seen.clear();
                }
            }
            for id in made {
                prop_assert!(seen.insert(id), "{:?} occurs twice", id);
                last = Some(id);
            }
        }
    });
}

#[test]
fn no_call_lets_a_generator_make_an_id_twice() {
    fn both<R: Rules<Id: Ord + Debug> + Copy>(options: R, has_few_random_bits: bool) {
        never_twice::<R, LocalCell>(options, has_few_random_bits);
        never_twice::<R, SharedCell>(options, has_few_random_bits);
    }
    both(scru160::Options::new(), false);
    both(scru160::Options::with_micros_counter(), false);
    both(euid::Options::new(), false);
    both(euid::Options::new().extension(euid::Extension::new(5).unwrap()), false);
    both(ulid_flake::Options::new(), true);
    both(ulid_flake::scalable::Options::new(3).unwrap(), true);
    both(ron(), false);
    both(ron().session_digits(1).unwrap(), false);
    both(ron().session_digits(2).unwrap().min_length(5).unwrap(), false);
    both(ron().min_length(5).unwrap(), false);
    both(event(), false);
}

#[test]
fn a_restarted_hybrid_clock_resumes_after_its_last_uid_however_far_ahead_it_was() {
    let clock = ManualClock::new(NOW);
    let first = Generator::<_, LocalCell, _, _>::from_parts(ron(), &clock, NoEntropy);
    let mut made = vec![ron_uid::RonUid::ZERO; 4_000_000];
    first.fill(&mut made).unwrap();
    assert_eq!(first.ahead(), Ok(MILLISECOND * (4_000_000 / 4096)));

    // The program restarts 5 milliseconds later. Without its last UID, the new generator repeats UIDs.
    clock.advance(5 * MILLISECOND);
    let forgetful = Generator::<_, LocalCell, _, _>::from_parts(ron(), &clock, NoEntropy);
    assert!(made.binary_search(&forgetful.generate().unwrap()).is_ok());
    let second = Generator::<_, LocalCell, _, _>::from_parts(ron(), &clock, NoEntropy);
    second.resume_after(made[made.len() - 1]).unwrap();
    assert!(second.generate().unwrap() > made[made.len() - 1]);

    // Not even an hour ahead is too far for the own last UID, with or without a clock.
    clock.advance(3600 * SECOND);
    let last = second.generate().unwrap();
    clock.break_down();
    let third = Generator::<_, LocalCell, _, _>::from_parts(ron(), &clock, NoEntropy);
    third.resume_after(last).unwrap();
    clock.set(NOW);
    assert!(third.generate().unwrap() > last);
    assert!(third.ahead().unwrap() > 3600 * SECOND);
    assert!(third.observe(ron_uid::RonUid::max_at(NOW + 7200 * SECOND).unwrap()).is_err());
}

#[test]
fn one_wrong_reading_of_the_clock_shows_and_an_allowance_makes_it_an_error() {
    fn of_one<R: Rules<Id: Ord + Debug> + Copy>(options: R) {
        let year = 365 * 24 * 3600 * SECOND;
        let clock = ManualClock::new(NOW);
        let ids: Generator<_, LocalCell, _, _> = Generator::from_parts(options, &clock, NoEntropy);
        ids.generate().unwrap();
        clock.set(NOW + year);
        let wrong = ids.generate().unwrap();
        clock.set(NOW);
        assert!(ids.generate().unwrap() > wrong, "the order is kept");
        let ahead = ids.ahead().unwrap();
        assert!(ahead >= year && ahead < year + SECOND, "{ahead:?}");
        assert_eq!(ids.rollbacks(), 0);

        let ids = ids.rollback_allowance(60 * SECOND);
        for result in [ids.try_generate(), ids.generate()] {
            let error = result.unwrap_err();
            assert!(matches!(error.kind(), GenerateErrorKind::ClockRollback { .. }), "{error:?}");
            assert!(error.to_string().ends_with("create a generator with an origin or a ledger of its own"));
        }
        clock.set(NOW + year);
        assert!(ids.generate().unwrap() > wrong);
    }
    of_one(ron());
    of_one(event());
}

#[test]
fn a_hybrid_clock_with_sessions_comes_back_from_a_wrong_time_and_repeats_no_uid() {
    fn of_one_state<S: StateCell>() {
        let clock = ManualClock::new(NOW);
        let options = ron().session_digits(1).unwrap();
        let generator = || Generator::<_, S, _, _>::from_parts(options, &clock, NoEntropy);
        let ids = generator().rollback_allowance(60 * SECOND);
        let mut made = vec![ids.generate().unwrap()];
        // Digits 1 to 63; the clock jumps between the same two times, so that only sessions tell the UIDs apart.
        for session in 1..=63 {
            clock.set(NOW + 3600 * SECOND);
            made.push(ids.generate().unwrap());
            clock.set(NOW);
            assert!(matches!(
                ids.try_generate().unwrap_err().kind(),
                GenerateErrorKind::ClockRollback { .. }
            ));
            made.push(ids.generate().unwrap());
            assert_eq!(ids.ahead(), Ok(Duration::ZERO));
            assert_eq!(
                (ids.rollbacks(), made[made.len() - 1].origin().to_int() & 63),
                (session, session.into())
            );
        }
        clock.set(NOW + 3600 * SECOND);
        made.push(ids.generate().unwrap());
        clock.set(NOW);
        let error = ids.generate().unwrap_err();
        assert!(
            matches!(error.kind(), GenerateErrorKind::ClockRollback { .. }),
            "no session is left: {error}"
        );
        // A restarted generator continues in the last session.
        let ids = generator();
        ids.resume_after(made[made.len() - 1]).unwrap();
        made.push(ids.generate().unwrap());
        assert_eq!(ids.rollbacks(), 63);
        let count = made.len();
        made.sort_unstable();
        made.dedup();
        assert_eq!(made.len(), count);
    }
    of_one_state::<LocalCell>();
    of_one_state::<SharedCell>();
}

#[test]
fn an_observed_uid_changes_neither_the_session_nor_the_precision_of_the_first_uid() {
    let clock = ManualClock::new(NOW);
    let of = |origin: &str| ron_uid::Options::new(Base64x64::parse(origin).unwrap());
    let ours = of("X001").session_digits(1).unwrap();
    let ids = Generator::<_, LocalCell, _, _>::from_parts(ours, &clock, NoEntropy);
    let theirs = Generator::<_, LocalCell, _, _>::from_parts(of("X002"), &clock, NoEntropy);
    ids.observe(theirs.generate().unwrap()).unwrap();
    assert_eq!((ids.generate().unwrap().origin().encode().as_str(), ids.rollbacks()), ("X001", 0));

    for length in [5, 6, 7] {
        let options = of("X").min_length(length).unwrap();
        // A minute begins at this time.
        let clock = ManualClock::new(NOW);
        let generator = || Generator::<_, LocalCell, _, _>::from_parts(options, &clock, NoEntropy);
        let mut made: Vec<_> = [0, 1, 2].map(|_| generator().generate().unwrap()).to_vec();
        made.dedup();
        let earlier = generator();
        earlier.observe(ron_uid::RonUid::min_at(NOW - SECOND).unwrap()).unwrap();
        for millis in [0, 1, 70, 1001] {
            clock.set(NOW + MILLISECOND * millis);
            made.push(earlier.generate().unwrap());
        }
        // The program restarts in the same minute, and first observes an earlier UID.
        for millis in [1002, 1070, 2000, 10_000] {
            clock.set(NOW + MILLISECOND * millis);
            let later = generator();
            later.observe(ron_uid::RonUid::min_at(NOW - SECOND).unwrap()).unwrap();
            let uid = later.generate().unwrap();
            assert!(uid > made[made.len() - 1], "{uid} after {}", made[made.len() - 1]);
            made.push(uid);
        }
    }
}

#[test]
fn a_busy_generator_is_not_taken_for_one_whose_clock_was_set_back() {
    fn busy<R: Rules<Id: Ord + Debug> + Copy>(options: R, allowance: Duration) {
        let clock = Stepping::new([]);
        let ids = Generator::<_, LocalCell, _, _>::from_parts(options, &clock, NoEntropy);
        let ids = ids.rollback_allowance(allowance);
        let first = ids.generate().unwrap();
        let mut made = vec![first; 100_000];
        ids.fill(&mut made).unwrap();
        assert!(first < made[0] && made.is_sorted_by(|a, b| a < b));
        assert!(ids.ahead().unwrap() <= allowance && ids.rollbacks() == 0);
    }
    for allowance in [Duration::ZERO, MILLISECOND, 10 * MILLISECOND] {
        busy(ron(), allowance);
        busy(ron().session_digits(1).unwrap(), allowance);
        busy(event(), allowance);
    }
    let clock = ManualClock::new(NOW);
    let ids = Generator::<_, LocalCell, _, _>::from_parts(event(), &clock, NoEntropy);
    let ids = ids.rollback_allowance(2 * MILLISECOND);
    let error = (0..3000).find_map(|_| ids.try_generate().err()).unwrap();
    assert!(matches!(error.kind(), GenerateErrorKind::Exhausted { .. }), "{error}");
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
            let ids = Generator::<R, LocalCell, _, _>::from_parts(options, &clock, &entropy);
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

#[test]
fn a_generator_waits_as_long_as_its_clock_moves_and_not_for_a_tick_that_does_not_exist() {
    // Three hours, in steps of a second.
    let clock = Stepping::new([(MILLISECOND * 3, -3 * 3600 * SECONDS)]);
    let options = ulid_flake::scalable::Options::new(0).unwrap();
    let ids = ulid_flake::scalable::Generator::from_parts(options, &clock, SeededEntropy::new(1));
    let ids = ids.rollback_allowance(4 * 3600 * SECOND);
    for _ in 0..2000 {
        ids.generate().unwrap();
    }
    assert!(clock.waited() > 3 * 3600 * SECOND);

    let clock = Stepping::new([]);
    let ids = Generator::<_, LocalCell, _, _>::from_parts(event(), &clock, NoEntropy);
    ids.resume_after(evently_id::EventId::MAX).unwrap();
    assert!(matches!(ids.generate().unwrap_err().kind(), GenerateErrorKind::Exhausted { .. }));
    assert_eq!(clock.waited(), Duration::ZERO);
}

#[test]
fn a_virtual_machine_stands_still_and_resumes_after_an_hour() {
    of_all_specifications(&[NOW, NOW, NOW, NOW + 3600 * SECOND, NOW + 3600 * SECOND + MILLISECOND]);
}

#[test]
fn a_leap_second_is_smeared_or_repeated() {
    // From 2030-12-31T23:59:50Z on, seconds are 12 ppm longer. Then a second is repeated.
    let before = Duration::from_secs(1_924_991_990);
    let smeared = (0..20).map(|second| before + second * Duration::from_micros(1_000_000 - 12));
    of_all_specifications(&smeared.collect::<Vec<_>>());
    let midnight = before + 10 * SECOND;
    of_all_specifications(&[midnight - MILLISECOND, midnight - SECOND, midnight - MILLISECOND, midnight]);
}

#[test]
fn seconds_outgrow_31_and_32_bits() {
    for bits in [31, 32] {
        let end = Duration::from_secs(1 << bits);
        of_all_specifications(&[end - SECOND, end - MILLISECOND, end, end + MILLISECOND, end + SECOND]);
    }
}

#[test]
fn sixty_four_threads_share_one_generator() {
    fn share<R: Rules<Id: Ord + Debug + Send> + Sync>(options: R) {
        let ids: Generator<R, SharedCell, _, _> = Generator::from_parts(options, SystemClock, ThreadEntropy);
        sortid_testkit::threads!(ids, 64, 64 * 200);
        assert_eq!(ids.rollbacks(), 0);
    }
    share(scru160::Options::new());
    share(euid::Options::new());
    share(ulid_flake::Options::new());
    share(ron());
    share(event());
}

/// A source that panics one time in five.
struct Panicking(AtomicU32);

impl Entropy for Panicking {
    fn fill(&self, bytes: &mut [u8]) -> Result<(), EntropyError> {
        assert!(!self.0.fetch_add(1, Ordering::Relaxed).is_multiple_of(5), "this thread panics");
        ThreadEntropy.fill(bytes)
    }
}

#[test]
fn threads_that_panic_while_they_generate_do_not_break_the_order() {
    fn die<R: Rules<Id: Ord + Debug + Send> + Sync>(options: R) {
        let entropy = Panicking(AtomicU32::new(1));
        let ids: Generator<R, SharedCell, _, _> = Generator::from_parts(options, SystemClock, &entropy);
        let generate = || panic::catch_unwind(AssertUnwindSafe(|| ids.generate().unwrap())).ok();
        let mut all: Vec<_> = thread::scope(|scope| {
            let work = || (0..50).map(|_| generate()).collect::<Vec<_>>();
            let threads: Vec<_> = (0..8).map(|_| scope.spawn(work)).collect();
            threads.into_iter().flat_map(|thread| thread.join().unwrap()).flatten().collect()
        });
        assert!((100..400).contains(&all.len()), "{}", all.len());
        let last = (0..9).find_map(|_| generate()).unwrap();
        all.sort_unstable();
        assert!(all.is_sorted_by(|a, b| a < b) && all[all.len() - 1] < last);
    }
    let quiet = panic::take_hook();
    panic::set_hook(Box::new(|_| ()));
    die(scru160::Options::new());
    die(euid::Options::new());
    die(ulid_flake::Options::new());
    panic::set_hook(quiet);
}

/// A slow source, such as that of an operating system that has just started.
struct Slow;

impl Entropy for Slow {
    fn fill(&self, bytes: &mut [u8]) -> Result<(), EntropyError> {
        thread::sleep(Duration::from_millis(30));
        ThreadEntropy.fill(bytes)
    }
}

#[test]
fn slow_entropy_does_not_block_other_threads_or_break_the_order() {
    let ids: Generator<_, SharedCell, _, _> = Generator::from_parts(euid::Options::new(), SystemClock, Slow);
    let started = Instant::now();
    thread::scope(|scope| {
        for _ in 0..16 {
            scope.spawn(|| {
                let (first, second) = (ids.generate().unwrap(), ids.generate().unwrap());
                assert!(first < second);
            });
        }
    });
    // With a lock, each of the 32 IDs would wait for those before it.
    assert!(started.elapsed() < Duration::from_millis(32 * 30), "{:?}", started.elapsed());
}

#[test]
fn a_new_generator_in_the_same_millisecond_generates_other_ids() {
    fn restart<R: Rules<Id: Ord + Debug> + Copy>(options: R, times: u32) {
        let clock = ManualClock::new(NOW);
        let mut all = vec![];
        for _ in 0..times {
            let ids: Generator<R, LocalCell, _, _> = Generator::from_parts(options, &clock, ThreadEntropy);
            all.extend((0..10).map(|_| ids.generate().unwrap()));
        }
        all.sort_unstable();
        assert!(all.is_sorted_by(|a, b| a < b));
    }
    // Only specifications with enough random bits: see docs/reliability.md.
    restart(scru160::Options::new(), 10_000);
    restart(euid::Options::new(), 1000);
}

#[test]
fn a_manual_clock_reads_the_old_or_the_new_time_while_it_is_set() {
    let clock = ManualClock::new(NOW);
    thread::scope(|scope| {
        scope.spawn(|| (0..10_000_u32).for_each(|step| clock.set(NOW + SECOND * (step % 2))));
        for _ in 0..10_000 {
            let read = clock.unix_micros().unwrap();
            assert!([NOW, NOW + SECOND].map(|time| time.as_micros() as u64).contains(&read));
        }
    });
}
