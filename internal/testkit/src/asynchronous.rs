//! The scenarios of `generate_async` and `fill_async`: the same situations as for `generate` and `fill`.

use super::{Fallible, HOUR, MILLISECOND, SECOND};
use sortid_core::{
    GenerateErrorKind, Generator, Rules, StateCell,
    testing::{ManualClock, SeededEntropy},
};
use std::{
    cell::Cell,
    fmt::Debug,
    future::{Future, ready},
    pin::pin,
    task::{Context, Poll, Waker},
    time::Duration,
};

/// Polls a future until it is ready. Nothing else runs meanwhile.
pub fn block_on<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            return output;
        }
    }
}

pub(super) fn of_one_state<R, S>(options: R, start: Duration)
where
    R: Rules<Id: Ord + Debug> + Copy + Debug,
    S: StateCell,
{
    timer_moves_the_clock::<R, S>(options, start);
    clock_stands_still::<R, S>(options, start);
    other_situations::<R, S>(options, start);
}

/// 10 000 IDs are in order on a clock that moves only while the timer waits.
fn timer_moves_the_clock<R: Rules<Id: Ord + Debug> + Copy, S: StateCell>(options: R, start: Duration) {
    let clock = ManualClock::new(start);
    let ids = super::generator::<R, S>(options, &clock);
    let sleep = |time| {
        clock.advance(time);
        ready(())
    };
    let mut last = block_on(ids.generate_async(sleep)).unwrap();
    for _ in 0..50 {
        let mut some = [last; 100];
        block_on(ids.fill_async(&mut some, sleep)).unwrap();
        assert!(last < some[0] && some.is_sorted_by(|a, b| a < b));
        last = some[99];
        for _ in 0..100 {
            let id = block_on(ids.generate_async(sleep)).unwrap();
            assert!(id > last, "{id:?} after {last:?}");
            last = id;
        }
    }
    assert_eq!(ids.rollbacks(), 0);
}

/// On a clock that never moves, the call fails after a bounded number of waits, and later calls continue.
fn clock_stands_still<R: Rules<Id: Ord + Debug> + Copy, S: StateCell>(options: R, start: Duration) {
    let clock = ManualClock::new(start);
    let ids = super::generator::<R, S>(options, &clock);
    let (waits, waited) = (Cell::new(0), Cell::new(Duration::ZERO));
    let sleep = |time: Duration| {
        waits.set(waits.get() + 1);
        waited.set(waited.get() + time);
        ready(())
    };
    let mut last = None;
    for _ in 0..100_000 {
        match block_on(ids.generate_async(sleep)) {
            Ok(id) => last = Some(id),
            Err(error) => {
                assert!(matches!(error.kind(), GenerateErrorKind::Exhausted { .. }), "{error:?}");
                assert!((1..=1000).contains(&waits.get()), "{waits:?} waits");
                assert!(waited.get() <= SECOND, "{waited:?}");
                clock.advance(MILLISECOND);
                assert!(Some(block_on(ids.generate_async(sleep)).unwrap()) > last);
                return;
            }
        }
        waits.set(0);
        waited.set(Duration::ZERO);
    }
}

/// Errors that a wait cannot cure are returned without a wait, and `generate_async` starts over if `generate` does.
fn other_situations<R: Rules<Id: Ord + Debug> + Copy, S: StateCell>(options: R, start: Duration) {
    let clock = ManualClock::new(start);
    let entropy = Fallible { bytes: SeededEntropy::new(1), fails: Cell::new(false) };
    let ids: Generator<R, S, _, _> = Generator::from_parts(options, &clock, &entropy);
    let no_sleep = |_| -> std::future::Ready<()> { panic!("waits") };
    let first = block_on(ids.generate_async(no_sleep)).unwrap();

    entropy.fails.set(true);
    let error = block_on(ids.generate_async(no_sleep)).unwrap_err();
    assert!(matches!(error.kind(), GenerateErrorKind::Entropy(_)), "{error:?}");
    entropy.fails.set(false);

    clock.break_down();
    for result in [
        block_on(ids.generate_async(no_sleep)),
        block_on(ids.fill_async(&mut [first; 2], no_sleep)).map(|()| first),
    ] {
        assert!(matches!(result.unwrap_err().kind(), GenerateErrorKind::ClockOutOfRange { now: None, .. }));
    }

    clock.set(start - HOUR);
    let result = block_on(ids.generate_async(no_sleep));
    if options.starts_over(0) {
        let restarted = result.unwrap();
        assert!(restarted < first && ids.rollbacks() == 1, "{restarted:?} is an hour before {first:?}");
    } else {
        let error = result.unwrap_err();
        assert!(matches!(error.kind(), GenerateErrorKind::ClockRollback { .. }), "{error:?}");
    }
}
