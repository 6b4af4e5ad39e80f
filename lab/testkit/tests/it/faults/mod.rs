//! Faults of clocks, threads and sources of random bytes as they happen in operation, for the generators of all
//! specifications.

mod clocks;
mod repeats;

use evently_id::LedgerId;
use ron_uid::Base64x64;
use sortid_core::{
    Clock, Entropy, EntropyError, Generator, Rules, SystemClock, ThreadEntropy,
    testing::{ManualClock, SeededEntropy},
};
use std::{
    fmt::Debug,
    panic::{self, AssertUnwindSafe},
    sync::atomic::{
        AtomicU32, AtomicUsize,
        Ordering::{self, SeqCst},
    },
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
    let clock = ManualClock::new(script[0]);
    let ids: Generator<R, _, _> = Generator::from_parts(options, &clock, SeededEntropy::new(1));
    let mut last = None;
    for &time in script {
        clock.set(time);
        for _ in 0..4 {
            let id = ids.try_generate().unwrap();
            assert!(last.is_none_or(|last| last < id), "{id:?} after {last:?}, at {time:?}");
            last = Some(id);
        }
    }
    assert_eq!(ids.resets(), 0);
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
        let ids: Generator<R, _, _> = Generator::from_parts(options, SystemClock, ThreadEntropy);
        sortid_testkit::threads!(ids, 64, 64 * 200);
        assert_eq!(ids.resets(), 0);
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
        assert!(self.0.fetch_add(1, Ordering::Relaxed) % 5 != 0, "this thread panics");
        ThreadEntropy.fill(bytes)
    }
}

#[test]
fn threads_that_panic_while_they_generate_do_not_break_the_order() {
    fn die<R: Rules<Id: Ord + Debug + Send> + Sync>(options: R) {
        let entropy = Panicking(AtomicU32::new(1));
        let ids: Generator<R, _, _> = Generator::from_parts(options, SystemClock, &entropy);
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

/// A slow source of random bytes, as in an operating system that has just started: a call waits until another thread
/// calls, too.
#[derive(Default)]
struct Slow {
    asking: AtomicUsize,
    /// How many threads asked at a time, at most.
    most: AtomicUsize,
}

impl Entropy for Slow {
    fn fill(&self, bytes: &mut [u8]) -> Result<(), EntropyError> {
        self.most.fetch_max(self.asking.fetch_add(1, SeqCst) + 1, SeqCst);
        let started = Instant::now();
        while self.most.load(SeqCst) < 2 && started.elapsed() < Duration::from_secs(60) {
            thread::sleep(Duration::from_millis(1));
        }
        self.asking.fetch_sub(1, SeqCst);
        ThreadEntropy.fill(bytes)
    }
}

#[test]
fn slow_entropy_does_not_block_other_threads_or_break_the_order() {
    let slow = Slow::default();
    let ids: Generator<_, _, _> = Generator::from_parts(euid::Options::new(), SystemClock, &slow);
    thread::scope(|scope| {
        for _ in 0..16 {
            scope.spawn(|| {
                let (first, second) = (ids.generate().unwrap(), ids.generate().unwrap());
                assert!(first < second);
            });
        }
    });
    // With a lock, one thread at a time would ask.
    assert!(slow.most.load(SeqCst) > 1);
}

#[test]
fn a_new_generator_in_the_same_millisecond_generates_other_ids() {
    fn restart<R: Rules<Id: Ord + Debug> + Copy>(options: R, times: u32) {
        let clock = ManualClock::new(NOW);
        let mut all = vec![];
        for _ in 0..times {
            let ids: Generator<R, _, _> = Generator::from_parts(options, &clock, ThreadEntropy);
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
