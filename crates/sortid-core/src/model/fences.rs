//! Generators below a fence that another thread raises.

use super::{Few, Time, at, explore, few, hand_over};
use crate::{Fence, Fenced, GenerateError, GenerateErrorKind, Generator, NoEntropy, Position};
use core::time::Duration;
use loom::{sync::atomic::Ordering::Relaxed, thread};
use std::{
    sync::{Arc, atomic::AtomicUsize as Counter},
    vec::Vec,
};

type Ids = Generator<Fenced<Few, Arc<Fence>>, Arc<Time>, NoEntropy>;

/// A generator with the clock at `now` and the bound at `until`.
fn ids(rules: Few, now: u64, until: u64, patience: u64) -> (Arc<Ids>, Arc<Fence>, Arc<Time>) {
    let time = Arc::new(Time::new(now));
    let fence = Arc::new(Fence::new(Duration::from_micros(patience)));
    let ids = reserved(rules, &fence, 3, &time);
    // Hands the words to loom, before there are threads.
    fence.raise(until);
    assert!(!fence.has_ended());
    (Arc::new(ids), fence, time)
}

fn reserved(rules: Few, fence: &Arc<Fence>, floor: u64, time: &Arc<Time>) -> Ids {
    let ids = Ids::fenced(Fenced::new(rules, fence.clone()), floor, time.clone(), NoEntropy).unwrap();
    hand_over(&ids);
    ids
}

/// Counts the IDs and the refusals, of which a model has to see both.
struct Seen {
    made: Counter,
    refused: Counter,
}

impl Seen {
    const fn new() -> Self {
        Self { made: Counter::new(0), refused: Counter::new(0) }
    }

    fn count(&self, results: &[Result<Position, GenerateError>]) {
        let made = results.iter().flatten().count();
        self.made.fetch_add(made, Relaxed);
        self.refused.fetch_add(results.len() - made, Relaxed);
    }

    fn assert_both(&self) {
        assert!(self.made.load(Relaxed) > 0 && self.refused.load(Relaxed) > 0);
    }
}

#[test]
fn no_thread_makes_an_id_after_the_last_one_that_close_tells() {
    static SEEN: Seen = Seen::new();

    explore("closed", || {
        let (ids, _, time) = ids(few(2), 5, 100, 0);
        let other = thread::spawn({
            let ids = ids.clone();
            move || [ids.try_generate(), ids.try_generate()]
        });
        time.set(6);
        let after_last = ids.close().unwrap();
        let made = other.join().unwrap();
        for id in made.iter().flatten() {
            assert!(id.tick < after_last, "{id:?} {after_last}");
        }
        SEEN.count(&made);
        assert!(ids.try_generate().is_err());
    });
    SEEN.assert_both();
}

#[test]
fn ids_are_below_the_fence_while_another_thread_raises_it() {
    static SEEN: Seen = Seen::new();

    explore("raised", || {
        let (ids, fence, time) = ids(few(8), 5, 6, 0);
        let make = |ids: &Ids, fence: &Fence| {
            let made = ids.try_generate();
            match &made {
                Ok(id) => assert!(id.tick < fence.until(), "{id:?}"),
                Err(error) => assert_eq!(error.kind(), GenerateErrorKind::ReservationLate),
            }
            made
        };
        let other = thread::spawn({
            let (ids, fence) = (ids.clone(), fence.clone());
            move || [make(&ids, &fence), make(&ids, &fence)]
        });
        time.set(6);
        fence.raise(7);
        // A thread sees the bound that it raised itself.
        let ours = ids.try_generate().unwrap();
        time.set(7);
        assert_eq!(ids.try_generate().unwrap_err().kind(), GenerateErrorKind::ReservationLate);
        let made = other.join().unwrap();
        let others: Vec<_> = made.iter().flatten().collect();
        assert!(others.is_sorted_by(|a, b| a < b) && !others.contains(&&ours));
        SEEN.count(&made);
    });
    SEEN.assert_both();
}

#[test]
fn a_call_that_waits_for_the_fence_gets_an_id_below_it_or_the_refusal() {
    static SEEN: Seen = Seen::new();

    explore("renewed", || {
        let (ids, fence, _) = ids(few(2), 6, 6, 10_000);
        let other = thread::spawn({
            let fence = fence.clone();
            move || {
                fence.raise(20_000);
                fence.end();
            }
        });
        // The wait lasts until 10 006.
        let made = ids.generate();
        match &made {
            Ok(id) => assert!([at(6, 0), at(10_006, 0)].contains(id), "{id:?}"),
            Err(error) => assert_ne!(error.kind(), GenerateErrorKind::OtherProcess),
        }
        other.join().unwrap();
        SEEN.count(&[made]);
        assert!(ids.try_generate().is_ok());
    });
    SEEN.assert_both();
}

#[test]
fn the_next_holder_repeats_no_id_of_threads_that_were_at_work_when_its_generator_was_closed() {
    static SEEN: Seen = Seen::new();

    explore("next holder", || {
        let (ids, fence, time) = ids(few(2), 5, 6, 0);
        let other = thread::spawn({
            let ids = ids.clone();
            move || [ids.try_generate(), ids.try_generate(), ids.try_generate()]
        });
        time.set(6);
        fence.raise(7);
        fence.end();
        let after_last = ids.close().unwrap();
        assert!(after_last <= fence.until());
        // The next holder has a fence of its own.
        let theirs = Arc::new(Fence::new(Duration::ZERO));
        theirs.raise(9);
        let next = reserved(few(8), &theirs, after_last, &time);
        time.set(8);
        let first = next.try_generate().unwrap();
        time.set(4);
        let made = other.join().unwrap();
        assert!(first.tick >= after_last);
        assert!(made.iter().flatten().all(|id| id.tick < after_last), "{made:?} {after_last}");
        assert!(next.try_generate().unwrap() > first);
        SEEN.count(&made);
    });
    SEEN.assert_both();
}
