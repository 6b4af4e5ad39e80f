//! The 128-bit word of processors that cannot exchange it at once.

use super::{interleavings, process};
use crate::word::locked::{AtomicU128, stopping::stop_after};
use loom::{
    sync::atomic::{AtomicBool, Ordering::Relaxed},
    thread,
};
use std::{
    println,
    sync::{Arc, atomic::AtomicBool as Flag},
};

/// A change of every part of the word. Each one makes a word that was not there before.
const CHANGE: u128 = 1 << 96 | 1 << 64 | 1 << 32 | 1;

fn change(word: &AtomicU128) {
    let mut current = word.load(Relaxed);
    while let Err(other) = word.compare_exchange_weak(current, current + CHANGE, Relaxed, Relaxed) {
        current = other;
    }
}

/// Explores the model for each number of steps after which a thread of the parent stopped in its change, until it was
/// complete.
fn explore_stops(name: &str, run: fn(usize) -> bool) {
    let is_complete = Arc::new(Flag::new(false));
    let mut count = 0;
    for steps in 0.. {
        let of_model = is_complete.clone();
        count += interleavings(move || of_model.store(run(steps), Relaxed));
        if is_complete.load(Relaxed) {
            break;
        }
    }
    println!("{name}: {count} interleavings");
}

/// A word that was changed twice, so that loom has both copies before there are threads.
fn word() -> Arc<AtomicU128> {
    process::set(1);
    let word = AtomicU128::new(0);
    for _ in 0..2 {
        change(&word);
    }
    Arc::new(word)
}

#[test]
fn two_threads_of_a_child_lose_no_change_wherever_a_thread_of_their_parent_stopped() {
    explore_stops("lock of a parent", |steps| {
        let word = word();
        let is_complete = stop_after(steps, || change(&word));
        process::set(2);
        let other = thread::spawn({
            let word = word.clone();
            move || change(&word)
        });
        change(&word);
        other.join().unwrap();
        let changes = if is_complete { 5..=5 } else { 4..=5 };
        assert!(changes.map(|count| count * CHANGE).any(|sum| sum == word.load(Relaxed)));
        is_complete
    });
}

#[test]
fn a_child_finds_a_whole_word_even_if_it_sees_the_steps_of_its_parent_in_another_order() {
    explore_stops("copies", |steps| {
        let word = word();
        let has_stopped = Arc::new(AtomicBool::new(false));
        let left_behind = thread::spawn({
            let (word, has_stopped) = (word.clone(), has_stopped.clone());
            move || {
                let is_complete = stop_after(steps, || change(&word));
                has_stopped.store(true, Relaxed);
                is_complete
            }
        });
        while !has_stopped.load(Relaxed) {
            thread::yield_now();
        }
        process::set(2);
        let found = word.load(Relaxed);
        assert!([2 * CHANGE, 3 * CHANGE].contains(&found), "{found:x}");
        left_behind.join().unwrap()
    });
}
