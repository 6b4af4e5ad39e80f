//! After a fork, parent and child draw different bytes, at whatever moment the fork happens.
#![cfg(unix)]

use fork::{Fork, fork, waitpid};
use sortid_core::{__private::process, Entropy, ThreadEntropy};
// Ends the child at once: `std::process::exit` would wait for ever for a lock of the standard library, if a thread of the
// parent began or ended during the fork.
use signal_hook::low_level::exit;
use std::{
    sync::atomic::{AtomicBool, Ordering},
    thread,
};

const BLOCKS: usize = 1_000_000;

#[test]
fn a_child_never_repeats_its_parents_bytes() {
    ThreadEntropy.draw::<7>().unwrap(); // seeds the source; both processes have the bytes that are left
    let path = std::env::temp_dir().join(format!("sortid-core-fork-{}", std::process::id()));
    match fork().unwrap() {
        Fork::Child => {
            let drawn: Vec<u8> = (0..BLOCKS).flat_map(|_| ThreadEntropy.draw::<16>().unwrap()).collect();
            exit(i32::from(std::fs::write(&path, drawn).is_err()));
        }
        Fork::Parent(child) => {
            let mine: Vec<_> = (0..BLOCKS).map(|_| ThreadEntropy.draw::<16>().unwrap()).collect();
            waitpid(child).unwrap();
            let theirs = std::fs::read(&path).unwrap();
            std::fs::remove_file(&path).unwrap();
            assert_eq!(theirs.len(), 16 * BLOCKS);
            let mut blocks: Vec<_> = mine.iter().map(|block| &block[..]).chain(theirs.chunks(16)).collect();
            blocks.sort_unstable();
            blocks.dedup();
            assert_eq!(blocks.len(), 2 * BLOCKS);
        }
    }
}

#[test]
fn a_child_draws_its_own_bytes_while_other_threads_of_its_parent_draw() {
    ThreadEntropy.draw::<7>().unwrap();
    let path = std::env::temp_dir().join(format!("sortid-core-forks-{}", std::process::id()));
    let is_over = AtomicBool::new(false);
    let mut blocks = thread::scope(|scope| {
        let draw = || {
            let mut drawn = vec![];
            while !is_over.load(Ordering::Relaxed) {
                drawn.push(ThreadEntropy.draw::<16>().unwrap());
            }
            drawn
        };
        let others = [scope.spawn(draw), scope.spawn(draw)];
        let mut blocks = vec![];
        for _ in 0..50 {
            match fork().unwrap() {
                Fork::Child => {
                    let drawn: Vec<u8> = (0..100).flat_map(|_| ThreadEntropy.draw::<16>().unwrap()).collect();
                    exit(i32::from(std::fs::write(&path, drawn).is_err()));
                }
                Fork::Parent(child) => {
                    blocks.extend((0..100).map(|_| ThreadEntropy.draw::<16>().unwrap()));
                    waitpid(child).unwrap();
                    let theirs = std::fs::read(&path).unwrap();
                    assert_eq!(theirs.len(), 1600);
                    blocks.extend(theirs.chunks(16).map(|block| <[u8; 16]>::try_from(block).unwrap()));
                }
            }
        }
        is_over.store(true, Ordering::Relaxed);
        blocks.extend(others.into_iter().flat_map(|other| other.join().unwrap()));
        blocks
    });
    std::fs::remove_file(&path).unwrap();
    let count = blocks.len();
    blocks.sort_unstable();
    blocks.dedup();
    assert_eq!(blocks.len(), count);
}

/// Forks a child, which forks the next one, until there are as many generations. Returns whether each number is new. Only
/// some generations ask for their number before they fork.
fn numbers_differ(ancestors: &[u64], generations: usize, asks: fn(usize) -> bool) -> bool {
    let known = if asks(generations) { &[ancestors, &[process()]].concat()[..] } else { ancestors };
    if generations == 0 {
        return !ancestors.contains(&process());
    }
    match fork().unwrap() {
        Fork::Child => {
            let differ = numbers_differ(known, generations - 1, asks);
            exit(i32::from(!differ || known.contains(&process())))
        }
        Fork::Parent(child) => waitpid(child).unwrap() == 0,
    }
}

#[test]
fn eight_generations_of_forks_have_distinct_numbers() {
    assert!(numbers_differ(&[], 8, |_| true));
    assert!(numbers_differ(&[], 8, |generation| generation % 3 == 0));
}
