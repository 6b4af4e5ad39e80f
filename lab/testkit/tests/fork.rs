//! After a `fork`, the child does not repeat the next IDs of its parent, for each specification, each kind of generator
//! and each clock.
#![cfg(unix)]

use evently_id::LedgerId;
use evently_ledger::{Event, Ledger, Profile};
use fork::{Fork, fork, waitpid, waitpid_nohang};
use ron_uid::{Base64x64, LamportClock};
use sortid_core::{
    Clock, Entropy, GenerateError, GenerateErrorKind, Generator, Rules, SystemClock, ThreadEntropy,
    testing::ManualClock,
};
// Ends the child at once: `std::process::exit` would wait for ever for a lock of the standard library, if a thread of the
// parent began or ended during the fork.
use signal_hook::low_level::exit;
use std::{
    collections::HashSet,
    fmt::Debug,
    hash::Hash,
    io::{Read as _, Write as _},
    os::unix::net::UnixStream,
    process::Command,
    sync::atomic::{AtomicBool, Ordering::Relaxed},
    thread,
    time::{Duration, Instant},
};

/// 2026-11-21T07:00:00Z
const NOW: Duration = Duration::from_secs(1_795_244_400);

/// Runs `work` in a forked child, and at the same time in this process. Returns the results of the child and of this
/// process.
fn in_both<const N: usize>(mut work: impl FnMut() -> Vec<[u8; N]>) -> [Vec<[u8; N]>; 2] {
    let (mut reader, mut writer) = UnixStream::pair().unwrap();
    match fork().unwrap() {
        Fork::Child => {
            drop(reader);
            let sent = writer.write_all(work().as_flattened());
            exit(i32::from(sent.is_err()))
        }
        Fork::Parent(child) => {
            drop(writer);
            let ours = work();
            let mut bytes = vec![];
            reader.read_to_end(&mut bytes).unwrap();
            waitpid(child).unwrap();
            let theirs = bytes.chunks(N).map(|id| id.try_into().unwrap()).collect();
            [theirs, ours]
        }
    }
}

fn bytes<I: AsRef<[u8]>, const N: usize>(ids: impl Iterator<Item = I>) -> Vec<[u8; N]> {
    ids.map(|id| id.as_ref().try_into().unwrap()).collect()
}

fn assert_distinct<T: Eq + Hash + Debug>(ids: impl IntoIterator<Item = T>) {
    let mut seen = HashSet::new();
    for id in ids {
        assert!(!seen.contains(&id), "{id:?} occurs twice");
        seen.insert(id);
    }
}

const ROUNDS: usize = 50;

/// Child and parent each make IDs in the tick in which the fork happens. All IDs are distinct, and the IDs of the child
/// continue the order of its parent.
fn at_a_fork<R, C, E, const N: usize>(rules: R, clock: C, entropy: E)
where
    R: Rules<Id: AsRef<[u8]> + Ord + Debug> + Copy,
    C: Clock + Copy,
    E: Entropy + Copy,
{
    for _ in 0..ROUNDS {
        let ids: Generator<R, _, _> = Generator::from_parts(rules, clock, entropy);
        let before: Vec<[u8; N]> = bytes((0..3).map(|_| ids.generate().unwrap()));
        let [theirs, ours] = in_both(|| bytes((0..20).map(|_| ids.generate().unwrap())));
        assert_eq!(theirs.len(), 20);
        for list in [&theirs, &ours] {
            assert!(before[2] < list[0] && list.is_sorted_by(|a, b| a < b), "{before:?}, then {list:?}");
        }
        assert_distinct(before.iter().chain(&theirs).chain(&ours));
    }
}

/// The same on a clock that stands still and on the system's clock.
fn with_random_bits<R, const N: usize>(rules: R)
where
    R: Rules<Id: AsRef<[u8]> + Ord + Debug> + Copy,
{
    at_a_fork::<R, _, _, N>(rules, &ManualClock::new(NOW), ThreadEntropy);
    at_a_fork::<R, _, _, N>(rules, SystemClock, ThreadEntropy);
}

#[test]
fn a_child_makes_other_scru160s() {
    with_random_bits::<_, 20>(scru160::Options::new());
    with_random_bits::<_, 20>(scru160::Options::new().counter_start_bits(0).unwrap().node(7, 16).unwrap());
}

#[test]
fn a_child_makes_other_euids() {
    with_random_bits::<_, 16>(euid::Options::new());
    with_random_bits::<_, 16>(euid::Options::new().extension(euid::Extension::new(5).unwrap()));
}

/// A Ulid-Flake has 20 random bits, and a scalable one has 15. So the IDs of two processes in one millisecond are only
/// probably distinct. This clock stands still, so that the child makes its IDs in a later millisecond than its parent.
/// A millisecond can be used up after any ID.
#[test]
fn a_child_makes_other_ulid_flakes() {
    fn at_a_fork<R: Rules<Id = ulid_flake::UlidFlake> + Copy>(rules: R) {
        let mut made_by_children = 0;
        for _ in 0..ROUNDS {
            let ids: Generator<R, _, _> = Generator::from_parts(rules, ManualClock::new(NOW), ThreadEntropy);
            let before = ids.generate().unwrap();
            let [theirs, ours] = in_both::<8>(|| bytes((0..20).map_while(|_| ids.try_generate().ok())));
            assert!(theirs.is_sorted_by(|a, b| a < b));
            assert!(theirs.iter().all(|id| *id > before.to_bytes()));
            assert_distinct(theirs.iter().chain(&ours));
            made_by_children += theirs.len();
        }
        assert!(made_by_children > 10 * ROUNDS, "{made_by_children}");
    }
    at_a_fork(ulid_flake::Options::new());
    at_a_fork(ulid_flake::scalable::Options::new(3).unwrap());
}

#[test]
fn the_process_wide_generators_make_other_ids_in_each_child_and_grandchild() {
    // Two lines of descent: a grandchild is forked from a child, which has used the generators or not.
    let generations = |is_used_between: bool| {
        let make = || {
            let mut made: Vec<[u8; 20]> = bytes((0..200).map(|_| scru160::new()));
            made.extend((0..200).map(|_| {
                let mut padded = [0; 20];
                padded[..16].copy_from_slice(euid::new().as_ref());
                padded
            }));
            made
        };
        let between = || if is_used_between { make() } else { vec![] };
        let [theirs, ours] = in_both(|| [between(), in_both(make).concat()].concat());
        [theirs, ours].concat()
    };
    let made = [generations(false), generations(true)].concat();
    assert_eq!(made.len(), (4 + 6) * 400);
    assert_distinct(made);
}

#[test]
fn threads_of_a_child_share_its_generator_in_order() {
    for _ in 0..20 {
        let clock = ManualClock::new(NOW);
        let ids: Generator<_, _, _> = Generator::from_parts(scru160::Options::new(), &clock, ThreadEntropy);
        let before: [u8; 20] = ids.generate().unwrap().into();
        let [theirs, ours] = in_both(|| {
            let work = || (0..100).map(|_| ids.generate().unwrap().into()).collect::<Vec<[u8; 20]>>();
            thread::scope(|scope| {
                let threads = [(); 4].map(|()| scope.spawn(work));
                threads
                    .into_iter()
                    .flat_map(|thread| {
                        let made = thread.join().unwrap();
                        assert!(before < made[0] && made.is_sorted_by(|a, b| a < b));
                        made
                    })
                    .collect()
            })
        });
        assert_eq!((theirs.len(), ours.len()), (400, 400));
        assert_distinct(theirs.iter().chain(&ours));
    }
}

/// Runs `work` in a forked child. Returns `false` if it fails, or has not ended after a minute.
fn succeeds_in_child(work: impl FnOnce() -> bool) -> bool {
    let child = match fork().unwrap() {
        Fork::Child => exit(i32::from(!work())),
        Fork::Parent(child) => child,
    };
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_secs(60) {
        if let Some(status) = waitpid_nohang(child).unwrap() {
            return status == 0;
        }
        thread::sleep(Duration::from_millis(1));
    }
    Command::new("kill").args(["-KILL", &child.to_string()]).status().unwrap();
    waitpid(child).unwrap();
    false
}

#[test]
fn a_child_makes_ids_while_threads_of_its_parent_use_the_generator() {
    let ids: Generator<_, _, _> = Generator::from_parts(scru160::Options::new(), SystemClock, ThreadEntropy);
    let is_over = AtomicBool::new(false);
    let failed_at = thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while !is_over.load(Relaxed) {
                    ids.generate().unwrap();
                }
            });
        }
        let makes_ids = || (0..10).map(|_| ids.generate().unwrap()).is_sorted_by(|a, b| a < b);
        let failed_at = (0..500).position(|_| !succeeds_in_child(makes_ids));
        is_over.store(true, Relaxed);
        failed_at
    });
    assert_eq!(failed_at, None);
}

#[test]
fn a_child_whose_allowance_is_less_than_a_tick_waits_for_the_next_one() {
    for _ in 0..20 {
        let ids = ulid_flake::Options::new().rollback_allowance(Duration::ZERO).build();
        let before = ids.generate().unwrap().to_bytes();
        let [theirs, _] = in_both(|| {
            let mut made: Vec<[u8; 8]> = bytes((0..3).map(|_| ids.generate().unwrap()));
            made.push(u64::from(ids.resets()).to_be_bytes());
            made
        });
        // A clock that is stepped back meanwhile is not a fault of the generator.
        if theirs[3] == [0; 8] {
            assert!(before < theirs[0] && theirs[..3].is_sorted_by(|a, b| a < b));
        }
        let frozen = ManualClock::new(NOW);
        let options = scru160::Options::new().rollback_allowance(Duration::ZERO);
        let ids = options.build_with(&frozen, ThreadEntropy);
        ids.generate().unwrap();
        let parent = std::process::id();
        let [theirs, _] = in_both(|| {
            let is_exhausted =
                |result: Result<_, GenerateError>| result.unwrap_err().kind() == GenerateErrorKind::Exhausted;
            vec![[u8::from(std::process::id() == parent || is_exhausted(ids.try_generate()))]]
        });
        assert_eq!(theirs, [[1]]);
    }
}

#[test]
fn a_child_uses_a_generator_that_resumed_after_the_least_id() {
    let options = scru160::Options::with_micros_counter();
    let ids: Generator<_, _, _> = Generator::from_parts(options, SystemClock, ThreadEntropy);
    ids.resume_after(scru160::Scru160::MIN).unwrap();
    let [theirs, ours] = in_both::<20>(|| bytes((0..3).map(|_| ids.generate().unwrap())));
    assert_distinct(theirs.iter().chain(&ours));
}

fn is_of_parent<T: Debug>(result: Result<T, GenerateError>) -> bool {
    result.unwrap_err().kind() == GenerateErrorKind::OtherProcess
}

/// IDs without random bits would repeat: the child gets an error, always, and the parent continues.
fn without_random_bits<R>(rules: R)
where
    R: Rules<Id: Ord + Debug> + Copy,
{
    let ids: Generator<R, _, _> = Generator::from_parts(rules, SystemClock, ThreadEntropy);
    let before = ids.generate().unwrap();
    let parent = std::process::id();
    let [theirs, ours] = in_both(|| {
        if std::process::id() == parent {
            return vec![];
        }
        let refusals = [
            is_of_parent(ids.generate()),
            is_of_parent(ids.try_generate()),
            is_of_parent(ids.fill(&mut [before; 3])),
            is_of_parent(ids.resume_after(before)),
            // A generator that began in the child is the child's.
            Generator::from_parts(rules, SystemClock, ThreadEntropy).generate().is_ok(),
        ];
        vec![refusals.map(u8::from)]
    });
    assert_eq!(theirs, [[1; 5]]);
    assert_eq!(ours.len(), 0);
    assert!(ids.generate().unwrap() > before);
}

#[test]
fn a_child_gets_an_error_from_generators_without_random_bits() {
    let ron = ron_uid::Options::new(Base64x64::parse("X").unwrap());
    let event = evently_id::Options::new(LedgerId::MIN);
    without_random_bits(ron);
    without_random_bits(event);
}

#[test]
fn a_child_gets_an_error_from_a_generator_that_resumed_and_made_no_id_yet() {
    let ron = ron_uid::Options::new(Base64x64::parse("X").unwrap());
    let last = Generator::from_parts(ron, SystemClock, ThreadEntropy).generate().unwrap();
    for resume in [Generator::resume_after, Generator::observe] {
        let ids: Generator<_, _, _> = Generator::from_parts(ron, SystemClock, ThreadEntropy);
        resume(&ids, last).unwrap();
        let [theirs, ours] = in_both(|| vec![[u8::from(ids.generate().is_ok())]]);
        assert_eq!((theirs, ours), (vec![[0]], vec![[1]]));
    }
}

#[test]
fn a_child_gets_an_error_from_the_ledger_of_its_parent() {
    let mut ledger = Ledger::new(Profile::Classic);
    let event = || Event::new("opened").entity("shop").key("1");
    let mut batch = ledger.batch();
    let last = batch.append(&mut event()).unwrap();
    batch.commit();
    let [theirs, ours] = in_both(|| {
        let result = ledger.batch().append(&mut event());
        let resumed = Ledger::resume(Profile::Classic, last).batch().append(&mut event());
        vec![[u8::from(result.is_ok()), u8::from(resumed.is_ok_and(|id| id > last))]]
    });
    assert_eq!((theirs, ours), (vec![[0, 1]], vec![[1, 1]]));
}

#[test]
fn a_child_gets_an_error_from_logical_clocks() {
    let origin = Base64x64::parse("X").unwrap();
    let clock = LamportClock::new(origin, 5).unwrap();
    clock.generate().unwrap();
    let [theirs, ours] = in_both(|| vec![[clock.generate().map_or(0, |_| 1)]]);
    assert_eq!((theirs, ours), (vec![[0]], vec![[1]]));
}
