use super::{AtomicProcess, AtomicU128, Relaxed, stopping::stop_after};
use std::{collections::HashSet, thread};

const FIRST: u128 = 0x0123_4567_89ab_cdef_1112_1314_1516_1718;

#[test]
fn a_child_finds_a_whole_word_wherever_its_parent_and_grandparent_stopped() {
    let mut found = HashSet::new();
    for of_grandparent in 0.. {
        let mut has_ended = [false; 2];
        for of_parent in 0.. {
            let word = AtomicU128::new(FIRST);
            let change_in = |process, steps| {
                stop_after(steps, || {
                    let current = word.load_in(process);
                    word.exchange_in(process, current, !(current << 1)).unwrap();
                })
            };
            has_ended = [change_in(1, of_grandparent), change_in(2, of_parent)];
            let last = word.load_in(3);
            assert_eq!(word.exchange_in(3, !last, 7), Err(last));
            assert_eq!(word.exchange_in(3, last, 7), Ok(last));
            assert_eq!(word.load_in(3), 7);
            found.insert(last);
            if has_ended[1] {
                break;
            }
        }
        if has_ended[0] {
            break;
        }
    }
    let second = !(FIRST << 1);
    assert_eq!(found, HashSet::from([FIRST, second, !(second << 1)]));
}

#[test]
fn threads_that_change_a_word_lose_no_change() {
    let word = AtomicU128::new(u128::MAX - 30_000);
    let add = || {
        for _ in 0..30_000 {
            let mut last = word.load(Relaxed);
            while let Err(other) =
                word.compare_exchange_weak(last, last.wrapping_add(1 << 32 | 1), Relaxed, Relaxed)
            {
                last = other;
            }
        }
    };
    thread::scope(|scope| [(); 4].map(|()| scope.spawn(add)).map(|thread| thread.join().unwrap()));
    assert_eq!(word.load(Relaxed), (u128::MAX - 30_000).wrapping_add(120_000 << 32 | 120_000));
}

#[test]
fn the_number_of_a_process_fits_its_word() {
    let number = AtomicProcess::new(0);
    for process in [crate::process::process(), crate::process::BY_PROCESS_ID | 4_194_304] {
        number.store(process, Relaxed);
        assert_eq!(number.load(Relaxed), process);
    }
}
