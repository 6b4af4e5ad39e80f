//! Words for processors that cannot exchange 128 bits at once. The child of a fork can use them, whatever the threads of its
//! parent did at that moment.

#[cfg(test)]
pub(crate) mod stopping;
#[cfg(all(test, not(loom)))]
mod tests;

use crate::process::process;
use core::{
    array,
    sync::atomic::Ordering::{self, Acquire, Relaxed, Release},
};

#[cfg(all(test, loom))]
use loom::{hint, thread};
#[cfg(not(all(test, loom)))]
use std::{hint, thread};

#[cfg(not(test))]
use core::sync::atomic::AtomicU32;
#[cfg(test)]
use stopping::AtomicU32;

/// In place of the number of a process: no thread holds the lock.
const FREE: u32 = 0;

/// How often a thread tries to take the lock before it lets other threads run.
const TRIES: u32 = 64;

/// A word of 128 bits behind a lock. The lock is the number of the process whose thread holds it. The child of a fork
/// has another number, so it knows that this thread was left behind, and takes the lock over.
///
/// That thread may have stopped anywhere. So the word has two copies: a change writes the one that is not current, and then
/// makes it current in one step.
#[derive(Debug)]
pub(crate) struct AtomicU128 {
    holder: AtomicU32,
    /// The index of the current copy.
    current: AtomicU32,
    /// The least significant 32 bits first.
    copies: [[AtomicU32; 4]; 2],
}

impl AtomicU128 {
    pub(crate) const fn new(word: u128) -> Self {
        const fn copy(word: u128) -> [AtomicU32; 4] {
            [
                AtomicU32::new(word as u32),
                AtomicU32::new((word >> 32) as u32),
                AtomicU32::new((word >> 64) as u32),
                AtomicU32::new((word >> 96) as u32),
            ]
        }
        Self { holder: AtomicU32::new(FREE), current: AtomicU32::new(0), copies: [copy(word), copy(word)] }
    }

    /// Loads the word. The lock orders all uses of the word, whatever the memory order.
    pub(crate) fn load(&self, _: Ordering) -> u128 {
        self.load_in(process() as u32)
    }

    /// Replaces `current` with `new`. Returns the word from before, as an error if it is not `current`.
    pub(crate) fn compare_exchange_weak(
        &self,
        current: u128,
        new: u128,
        _: Ordering,
        _: Ordering,
    ) -> Result<u128, u128> {
        self.exchange_in(process() as u32, current, new)
    }

    fn load_in(&self, process: u32) -> u128 {
        self.lock(process);
        let (_, word) = self.read();
        self.unlock();
        word
    }

    fn exchange_in(&self, process: u32, current: u128, new: u128) -> Result<u128, u128> {
        self.lock(process);
        let (index, word) = self.read();
        if word == current {
            let other = 1 - index;
            for (part, shift) in self.copies[other as usize].iter().zip((0..).step_by(32)) {
                part.store((new >> shift) as u32, Relaxed);
            }
            // If the holder stops after this step, the copy is whole.
            self.current.store(other, Release);
        }
        self.unlock();
        if word == current { Ok(word) } else { Err(word) }
    }

    /// Returns the index of the current copy, and the word.
    fn read(&self) -> (u32, u128) {
        let index = self.current.load(Acquire);
        let parts: [_; 4] = array::from_fn(|at| self.copies[index as usize][at].load(Relaxed));
        (index, parts.iter().rev().fold(0, |word, &part| word << 32 | u128::from(part)))
    }

    /// Takes the lock if it is free, or if a thread of another process holds it. Only a thread of a parent can.
    fn lock(&self, process: u32) {
        let (mut expected, mut tries) = (FREE, 0);
        while let Err(holder) = self.holder.compare_exchange_weak(expected, process, Acquire, Relaxed) {
            if holder != process {
                expected = holder;
                continue;
            }
            expected = FREE;
            tries += 1;
            if tries < TRIES {
                hint::spin_loop();
            } else {
                thread::yield_now();
            }
        }
    }

    fn unlock(&self) {
        self.holder.store(FREE, Release);
    }
}

/// The number of a process. Not every processor has a load of 64 bits.
#[cfg(not(all(test, loom)))]
#[derive(Debug)]
pub(crate) struct AtomicProcess(AtomicU32);

#[cfg(not(all(test, loom)))]
impl AtomicProcess {
    pub(crate) const fn new(process: u64) -> Self {
        Self(AtomicU32::new(process as u32))
    }

    pub(crate) fn load(&self, order: Ordering) -> u64 {
        self.0.load(order).into()
    }

    pub(crate) fn store(&self, process: u64, order: Ordering) {
        self.0.store(process as u32, order);
    }
}
