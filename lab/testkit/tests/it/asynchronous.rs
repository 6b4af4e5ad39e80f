//! The loop with `retry_after` and the timers of runtimes. The testkit has the scenarios of each specification.

use sortid_core::{
    Clock, Entropy, EntropyError, Generate, GenerateError, Rollback,
    testing::{ManualClock, SeededEntropy},
};
use std::{
    future::{Future, pending},
    pin::pin,
    task::{Context, Waker},
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
    scalable().build_with(clock, SeededEntropy::new(1))
}

/// The loop of the documentation of `retry_after`.
async fn generate<I, F: Future>(
    ids: &(impl Generate<Id = I> + ?Sized),
    sleep: impl Fn(Duration) -> F,
) -> Result<I, GenerateError> {
    loop {
        match ids.try_generate() {
            Ok(id) => return Ok(id),
            Err(error) => sleep(error.retry_after().ok_or(error)?).await,
        };
    }
}

/// The same for many IDs.
async fn fill<I, F: Future>(
    ids: &impl Generate<Id = I>,
    mut batch: &mut [I],
    sleep: impl Fn(Duration) -> F,
) -> Result<(), GenerateError> {
    while !batch.is_empty() {
        match ids.try_fill(batch) {
            Ok(filled) => batch = &mut batch[filled..],
            Err(error) => _ = sleep(error.retry_after().ok_or(error)?).await,
        }
    }
    Ok(())
}

#[test]
fn tasks_of_many_threads_share_one_order() {
    static IDS: scalable::Generator = match scalable::Options::new(7) {
        Ok(options) => options.build(),
        Err(_) => panic!(),
    };
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(4).enable_time().build().unwrap();
    let tasks: [_; 4] = std::array::from_fn(|_| {
        runtime.spawn(async {
            let mut made = [UlidFlake::MIN; 1000];
            for id in &mut made[..500] {
                *id = generate(&IDS, tokio::time::sleep).await.unwrap();
            }
            fill(&IDS, &mut made[500..], tokio::time::sleep).await.unwrap();
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
fn tasks_of_one_thread_wait_with_the_timer_of_smol() {
    let ids: Box<dyn Generate<Id = UlidFlake>> = Box::new(scalable().build());
    let make = async || {
        let mut made = vec![];
        for _ in 0..1000 {
            made.push(generate(&*ids, smol::Timer::after).await.unwrap());
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
    let ids = scalable().build();
    let mut made = [UlidFlake::MIN; 1000];
    fill(&ids, &mut made, tokio::time::sleep).await.unwrap();
    assert!(made.is_sorted_by(|a, b| a < b));
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
    let ids = scalable().build_with(&clock, Ones);
    let first = ids.try_generate().unwrap();
    for _ in 0..100 {
        let mut future = pin!(generate(&ids, |_| pending::<()>()));
        assert!(future.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
    }
    clock.advance(MILLISECOND);
    let second = ids.try_generate().unwrap();
    assert_eq!(second.unix_millis(), first.unix_millis() + 1);
}

#[test]
fn try_fill_returns_how_many_ids_it_made_and_an_error_only_if_there_is_none() {
    let clock = ManualClock::new(NOW);
    let ids = generator(&clock);
    assert_eq!(ids.try_fill(&mut []), Ok(0));
    let mut some = [UlidFlake::MIN; 1000];
    let filled = ids.try_fill(&mut some).unwrap();
    assert!((64..1000).contains(&filled) && some[..filled].is_sorted_by(|a, b| a < b));
    assert!(some[filled..].iter().all(|&id| id == UlidFlake::MIN));
    assert_eq!(ids.try_fill(&mut some).unwrap_err().retry_after(), Some(MILLISECOND));
    clock.advance(MILLISECOND);
    assert!(ids.try_generate().unwrap() > some[filled - 1]);
    // The default implementation does the same.
    struct Singly<'g, G>(&'g G);
    impl<G: Generate> Generate for Singly<'_, G> {
        type Id = G::Id;

        fn generate(&self) -> Result<G::Id, GenerateError> {
            self.0.generate()
        }

        fn try_generate(&self) -> Result<G::Id, GenerateError> {
            self.0.try_generate()
        }
    }
    let filled = Singly(&ids).try_fill(&mut some).unwrap();
    assert!((1..1000).contains(&filled) && some[..filled].is_sorted_by(|a, b| a < b));
    assert_eq!(Singly(&ids).try_fill(&mut some).unwrap_err().retry_after(), Some(MILLISECOND));
}

#[test]
fn a_clock_that_is_set_back_during_a_wait_resets_the_generator_if_it_may() {
    let clock = ManualClock::new(NOW);
    let first = |rollback| {
        let ids = euid::Options::new().rollback(rollback).build_with(&clock, Ones);
        clock.set(NOW);
        let first = ids.try_generate().unwrap();
        let wait = ids.try_generate().unwrap_err().retry_after();
        assert_eq!(wait, Some(MILLISECOND));
        clock.set(NOW - 11 * SECOND);
        (first, ids.try_generate(), ids.resets())
    };
    let (before, after, resets) = first(Rollback::Reset);
    assert_eq!((after.unwrap().unix_millis(), resets), (before.unix_millis() - 11_000, 1));
    let (_, after, resets) = first(Rollback::Fail);
    assert_eq!((after.unwrap_err().retry_after(), resets), (None, 0));
}

#[test]
fn a_long_wait_is_in_pieces_of_a_second_and_ends_when_the_clock_is_corrected() {
    let clock = ManualClock::new(NOW);
    let ids = scalable().build_with(&clock, Ones);
    let first = ids.try_generate().unwrap();
    clock.set(NOW - 9 * SECOND);
    for _ in 0..3 {
        assert_eq!(ids.try_generate().unwrap_err().retry_after(), Some(SECOND));
        clock.advance(SECOND);
    }
    clock.set(NOW + MILLISECOND);
    assert_eq!(ids.try_generate().unwrap().unix_millis(), first.unix_millis() + 1);
}
