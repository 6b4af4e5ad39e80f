//! `generate_async` and `fill_async` with the timers of runtimes. The testkit has the scenarios of each specification.

use sortid_core::{
    Clock, Entropy, EntropyError, GenerateErrorKind,
    testing::{ManualClock, SeededEntropy},
};
use sortid_testkit::asynchronous::block_on;
use std::{
    cell::Cell,
    future::{Future, poll_fn, ready},
    pin::pin,
    rc::Rc,
    task::{Context, Poll, Waker},
    time::Duration,
};
use ulid_flake::{UlidFlake, scalable};

const NOW: Duration = Duration::from_millis(1_717_653_966_666);
const MILLISECOND: Duration = Duration::from_millis(1);
const SECOND: Duration = Duration::from_secs(1);

/// The options with the fewest IDs a millisecond: 128.7 on average.
fn scalable() -> scalable::Options {
    scalable::Options::new(7).unwrap()
}

fn generator<C: Clock>(clock: C) -> scalable::Generator<C, SeededEntropy> {
    scalable::Generator::from_parts(scalable(), clock, SeededEntropy::new(1))
}

#[test]
fn other_tasks_of_a_thread_run_while_ids_wait() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    // The clock moves only while the timer waits, so the number of waits does not depend on the machine.
    let clock = Rc::new(ManualClock::new(NOW));
    let (waits, turns) = (Rc::new(Cell::new(0)), Rc::new(Cell::new(0)));
    let other = {
        let turns = turns.clone();
        async move {
            loop {
                turns.set(turns.get() + 1);
                tokio::task::yield_now().await;
            }
        }
    };
    let made = {
        let waits = waits.clone();
        async move {
            let ids = generator(&*clock);
            let sleep = async |time: Duration| {
                waits.set(waits.get() + 1);
                tokio::time::sleep(time).await;
                clock.advance(time);
            };
            let mut made = vec![];
            for _ in 0..10_000 {
                made.push(ids.generate_async(&sleep).await.unwrap());
            }
            made.resize(20_000, UlidFlake::MIN);
            ids.fill_async(&mut made[10_000..], &sleep).await.unwrap();
            made
        }
    };
    let made = tokio::task::LocalSet::new().block_on(&runtime, async {
        let other = tokio::task::spawn_local(other);
        let made = tokio::task::spawn_local(made).await.unwrap();
        other.abort();
        made
    });
    assert!(made.is_sorted_by(|a, b| a < b));
    assert!(waits.get() > 100 && turns.get() >= waits.get(), "{turns:?} turns in {waits:?} waits");
}

#[test]
fn tasks_of_many_threads_share_one_order() {
    static IDS: scalable::SharedGenerator = match scalable::Options::new(7) {
        Ok(options) => scalable::SharedGenerator::with_options(options),
        Err(_) => panic!(),
    };
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(4).enable_time().build().unwrap();
    let tasks: [_; 4] = std::array::from_fn(|_| {
        runtime.spawn(async {
            let mut made = [UlidFlake::MIN; 1000];
            for id in &mut made[..500] {
                *id = IDS.generate_async(tokio::time::sleep).await.unwrap();
            }
            IDS.fill_async(&mut made[500..], tokio::time::sleep).await.unwrap();
            assert!(made.is_sorted_by(|a, b| a < b));
            made
        })
    });
    let mut all: Vec<_> = tasks.into_iter().flat_map(|task| runtime.block_on(task).unwrap()).collect();
    all.sort_unstable();
    all.dedup();
    assert_eq!(all.len(), 4000);
}

#[test]
fn the_futures_of_every_shared_generator_can_change_threads() {
    fn is_send<T: Send>(_: T) {}
    macro_rules! check {
        ($generator:ty, $options:expr, $id:ty) => {{
            let ids = <$generator>::with_options($options);
            is_send(ids.generate_async(tokio::time::sleep));
            is_send(ids.generate_async(smol::Timer::after));
            is_send(ids.fill_async(&mut [<$id>::MIN; 2], tokio::time::sleep));
            let mut some = [<$id>::MIN; 2];
            smol::block_on(ids.fill_async(&mut some, smol::Timer::after)).unwrap();
            assert!(some[1] < smol::block_on(ids.generate_async(smol::Timer::after)).unwrap());
        }};
    }
    check!(scru160::SharedGenerator, scru160::Options::new(), scru160::Scru160);
    check!(euid::SharedGenerator, euid::Options::new(), euid::Euid);
    check!(ulid_flake::SharedGenerator, ulid_flake::Options::new(), UlidFlake);
    check!(scalable::SharedGenerator, scalable(), UlidFlake);
    let origin = ron_uid::ron_uid!("Xgritzk0_D").value();
    check!(ron_uid::SharedGenerator, ron_uid::Options::new(origin), ron_uid::RonUid);
    let ledger_id = evently_id::LedgerId::parse("c0331dd8").unwrap();
    check!(evently_id::SharedGenerator, evently_id::Options::new(ledger_id), evently_id::EventId);
}

#[test]
fn ids_wait_with_the_timer_of_smol() {
    let ids = scalable::Generator::with_options(scalable());
    let make = async || {
        let mut made = vec![];
        for _ in 0..1000 {
            made.push(ids.generate_async(smol::Timer::after).await.unwrap());
        }
        made
    };
    let executor = smol::LocalExecutor::new();
    let [first, second] = [executor.spawn(make()), executor.spawn(make())];
    let (first, second) = smol::block_on(executor.run(async { (first.await, second.await) }));
    assert!(first.is_sorted_by(|a, b| a < b) && second.is_sorted_by(|a, b| a < b));
    assert!(first.iter().all(|id| !second.contains(id)));
}

/// In a test with paused time, tokio's timer is ready at once, and the system's clock goes on.
#[tokio::test(start_paused = true)]
async fn the_paused_time_of_tokio_holds_nobody_up() {
    let ids = scalable::Generator::with_options(scalable());
    let mut made = [UlidFlake::MIN; 1000];
    ids.fill_async(&mut made, tokio::time::sleep).await.unwrap();
    assert!(made.is_sorted_by(|a, b| a < b));

    // A clock that stands still is given up after a second of tokio's time.
    let clock = ManualClock::new(NOW);
    let ids = generator(&clock);
    let started = tokio::time::Instant::now();
    let error = ids.fill_async(&mut made, tokio::time::sleep).await.unwrap_err();
    assert!(matches!(error.kind(), GenerateErrorKind::Exhausted { .. }), "{error:?}");
    let waited = started.elapsed();
    assert!((Duration::from_millis(900)..Duration::from_secs(10)).contains(&waited), "{waited:?}");
}

#[test]
fn a_timer_that_is_ready_at_once_lets_other_tasks_run() {
    let clock = ManualClock::new(NOW);
    let ids = generator(&clock);
    let waits = Cell::new(0);
    let sleep = |_| {
        waits.set(waits.get() + 1);
        // Each wait ends early: after a tenth of its time.
        clock.advance(MILLISECOND / 10);
        ready(())
    };
    let mut polls = 0;
    let mut future = pin!(async {
        for _ in 0..1000 {
            ids.generate_async(sleep).await.unwrap();
        }
    });
    while future.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending() {
        polls += 1;
    }
    assert!(polls > 50 && polls == waits.get(), "{polls} turns of others in {waits:?} waits");
}

/// A future that is pending once, and does not ask to be polled again.
fn pending_once() -> impl Future<Output = ()> {
    let mut polled = false;
    poll_fn(move |_| if std::mem::replace(&mut polled, true) { Poll::Ready(()) } else { Poll::Pending })
}

/// A source of random bytes with which each millisecond has one ID.
struct Ones;

impl Entropy for Ones {
    fn fill(&self, bytes: &mut [u8]) -> Result<(), EntropyError> {
        bytes.fill(255);
        Ok(())
    }
}

#[test]
fn a_dropped_future_uses_no_id() {
    let clock = ManualClock::new(NOW);
    let ids = scalable::Generator::from_parts(scalable(), &clock, Ones);
    let first = ids.try_generate().unwrap();
    for _ in 0..100 {
        let mut future = pin!(ids.generate_async(|_| pending_once()));
        assert!(future.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
    }
    clock.advance(MILLISECOND);
    let second = ids.try_generate().unwrap();
    assert_eq!(second.unix_millis(), first.unix_millis() + 1);
}

#[test]
fn ids_of_a_dropped_fill_are_not_generated_again() {
    let clock = ManualClock::new(NOW);
    let ids = generator(&clock);
    let mut some = [UlidFlake::MIN; 1000];
    {
        let mut future = pin!(ids.fill_async(&mut some, |_| pending_once()));
        assert!(future.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
    }
    let filled = some.iter().filter(|id| **id != UlidFlake::MIN).count();
    assert!(filled > 1 && some[..filled].is_sorted_by(|a, b| a < b));
    clock.advance(MILLISECOND);
    assert!(ids.try_generate().unwrap() > some[filled - 1]);
}

#[test]
fn a_generator_starts_over_when_the_clock_is_set_back_during_a_wait() {
    let clock = ManualClock::new(NOW);
    let ids = euid::Generator::from_parts(euid::Options::new(), &clock, Ones);
    let first = ids.try_generate().unwrap();
    let sleep = |_| {
        clock.set(NOW - Duration::from_secs(11));
        ready(())
    };
    let second = block_on(ids.generate_async(sleep)).unwrap();
    assert_eq!((ids.rollbacks(), second.unix_millis()), (1, first.unix_millis() - 11_000));
}

#[test]
fn a_long_wait_is_in_pieces_of_a_second_and_ends_when_the_clock_is_corrected() {
    let clock = ManualClock::new(NOW);
    let ids = scalable::Generator::from_parts(scalable(), &clock, Ones);
    let first = ids.try_generate().unwrap();
    clock.set(NOW - Duration::from_secs(9));
    let waits = Cell::new(0);
    let sleep = |time: Duration| {
        assert_eq!(time, Duration::from_secs(1));
        waits.set(waits.get() + 1);
        if waits.get() < 4 {
            clock.advance(time);
        } else {
            clock.set(NOW + MILLISECOND);
        };
        ready(())
    };
    let second = block_on(ids.generate_async(sleep)).unwrap();
    assert_eq!((waits.get(), second.unix_millis()), (4, first.unix_millis() + 1));
}

#[test]
fn a_clock_that_swings_is_given_up() {
    let clock = ManualClock::new(NOW);
    let ids = scalable::Generator::from_parts(scalable(), &clock, Ones);
    ids.try_generate().unwrap();
    let waits = Cell::new(0);
    let sleep = |_| {
        waits.set(waits.get() + 1);
        clock.set(NOW - MILLISECOND * (waits.get() % 2));
        ready(())
    };
    let error = block_on(ids.generate_async(sleep)).unwrap_err();
    assert!(matches!(error.kind(), GenerateErrorKind::Exhausted { .. }), "{error:?}");
    assert!((10_000..=20_000).contains(&waits.get()), "{waits:?} waits");
}

#[test]
fn a_timer_that_returns_early_does_not_exhaust_a_clock_that_is_seconds_behind() {
    let clock = ManualClock::new(NOW + 5 * SECOND);
    let ids = generator(&clock);
    ids.generate().unwrap();
    clock.set(NOW);
    let early = Cell::new(0);
    let sleep = |time| {
        early.set(early.get() + 1);
        if early.get() > 50 {
            clock.advance(time);
        }
        ready(())
    };
    let mut some = [UlidFlake::MIN; 1000];
    block_on(ids.fill_async(&mut some, sleep)).unwrap();
    assert!(some.is_sorted_by(|a, b| a < b));
    assert!(early.get() > 50);
}
