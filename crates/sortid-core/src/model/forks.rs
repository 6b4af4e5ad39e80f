//! Generators in the child of a fork. The parent used the generator. All threads belong to the child.

use super::{Few, Time, at, explore, few, hand_over, ids, process};
use crate::{
    Entropy, EntropyError, Fence, Fenced, GenerateError, GenerateErrorKind, Generator, NoEntropy, Position,
    Rules,
};
use core::{ops::RangeInclusive, time::Duration};
use loom::thread;
use std::{sync::Arc, vec::Vec};

/// [`Few`] IDs without random bits.
struct WithoutBits(Few);

impl Rules for WithoutBits {
    type Id = Position;
    type Random = [u8; 0];

    fn tick(&self, unix_micros: u64) -> Option<u64> {
        self.0.tick(unix_micros)
    }

    fn tick_start(&self, tick: u64) -> u64 {
        self.0.tick_start(tick)
    }

    fn ticks(&self) -> RangeInclusive<u64> {
        self.0.ticks()
    }

    fn first_count(&self, tick: u64, entropy: &impl Entropy) -> Result<u64, EntropyError> {
        self.0.first_count(tick, entropy)
    }

    fn next_position(
        &self,
        last: Position,
        entropy: &impl Entropy,
    ) -> Result<Option<Position>, EntropyError> {
        self.0.next_position(last, entropy)
    }

    fn id(&self, position: Position, _: u16, _: [u8; 0]) -> Position {
        position
    }

    fn position(&self, id: Position) -> Option<Position> {
        Some(id)
    }
}

/// Runs a model that begins in a process and goes on in its child.
fn explore_fork(name: &str, run: impl Fn(&dyn Fn()) + Send + Sync + 'static) {
    explore(name, move || {
        process::set(1);
        run(&|| process::set(process::process() + 1));
    });
}

#[test]
fn two_threads_of_a_child_leave_the_tick_of_their_parent() {
    explore_fork("child", |fork| {
        let (ids, _) = ids(few(4), 5, 10);
        assert_eq!(ids.try_generate().unwrap(), at(5, 0));
        fork();
        let other = thread::spawn({
            let ids = ids.clone();
            move || ids.try_generate().unwrap()
        });
        let ours = ids.try_generate().unwrap();
        let others = other.join().unwrap();
        assert!(ours != others && ours.tick > 5 && others.tick > 5, "{ours:?} {others:?}");
        assert!(ids.try_generate().unwrap() > ours.max(others));
        assert_eq!(ids.resets(), 0);
    });
}

#[test]
fn threads_of_a_grandchild_leave_the_tick_of_the_child_while_the_clock_moves() {
    explore_fork("grandchild", |fork| {
        let (ids, time) = ids(few(8), 5, 10);
        assert_eq!(ids.try_generate().unwrap(), at(5, 0));
        fork();
        let of_child = ids.try_generate().unwrap();
        fork();
        let other = thread::spawn({
            let ids = ids.clone();
            move || ids.try_generate().unwrap()
        });
        time.set(7);
        let ours = ids.try_generate().unwrap();
        let others = other.join().unwrap();
        assert!(ours != others && ours.tick > of_child.tick && others.tick > of_child.tick);
    });
}

#[test]
fn all_threads_of_a_child_are_refused_if_ids_have_no_random_bits() {
    fn is_of_parent(result: Result<Position, GenerateError>) -> bool {
        result.unwrap_err().kind() == GenerateErrorKind::OtherProcess
    }

    explore_fork("refused", |fork| {
        let time = Arc::new(Time::new(5));
        let ids = Generator::from_parts(WithoutBits(few(8)), time, NoEntropy);
        hand_over(&ids);
        let ids = Arc::new(ids);
        // The first use, by two threads of the parent.
        let other = thread::spawn({
            let ids = ids.clone();
            move || ids.try_generate().unwrap()
        });
        let mut made = [ids.try_generate().unwrap(), other.join().unwrap()];
        made.sort();
        assert_eq!(made, [at(5, 0), at(5, 1)]);
        fork();
        let other = thread::spawn({
            let ids = ids.clone();
            move || is_of_parent(ids.try_generate())
        });
        assert!(is_of_parent(ids.generate()));
        assert!(other.join().unwrap());
    });
}

#[test]
fn no_thread_of_a_child_has_the_reservation_of_its_parent() {
    explore_fork("reservation", |fork| {
        let fence = Arc::new(Fence::new(Duration::ZERO));
        fence.raise(100);
        assert!(!fence.has_ended());
        let time = Arc::new(Time::new(5));
        let rules = Fenced::new(few(8), fence.clone());
        let ids = Generator::fenced(rules, 3, time.clone(), NoEntropy).unwrap();
        hand_over(&ids);
        let ids = Arc::new(ids);
        fork();
        let is_forked = |result: Result<Position, GenerateError>| {
            let error = result.unwrap_err();
            error.kind() == GenerateErrorKind::OtherProcess
        };
        let others: Vec<_> = (0..2)
            .map(|_| {
                let ids = ids.clone();
                thread::spawn(move || is_forked(ids.try_generate()))
            })
            .collect();
        // The thread that renews does not exist in the child, but the child has the fence.
        fence.raise(200);
        time.set(150);
        assert!(others.into_iter().all(|other| other.join().unwrap()));
    });
}
