//! A clock that is set while the threads read it.

use fastrand::Rng;
use sortid_core::{Clock, SystemClock};
use std::{
    sync::atomic::{AtomicI64, Ordering::Relaxed},
    thread,
    time::Duration,
};

const SECOND: i64 = 1_000_000;

/// The system's clock, and an offset that changes in steps.
#[derive(Debug, Default)]
pub(crate) struct SteppedClock {
    /// In microseconds.
    offset: AtomicI64,
}

impl SteppedClock {
    /// Sets the clock, and returns what happened. Most steps stay within the rollback allowance of 10 s, forward or back. After
    /// some steps, the clock is up to an hour from the time, which is beyond the allowance: then it is right again after a
    /// second.
    pub(crate) fn step(&self, random: &mut Rng) -> &'static str {
        let is_great = random.u8(0..20) == 0;
        let most = if is_great { 3600 * SECOND } else { 4 * SECOND };
        self.offset.store(random.i64(-most..=most), Relaxed);
        thread::sleep(Duration::from_millis(random.u64(20..1000)));
        if !is_great {
            return "steps of the clock within the allowance";
        }
        self.offset.store(0, Relaxed);
        "steps of the clock by up to an hour"
    }
}

impl Clock for &SteppedClock {
    fn unix_micros(&self) -> Option<u64> {
        SystemClock.unix_micros()?.checked_add_signed(self.offset.load(Relaxed))
    }

    /// Sleeps for a moment. A step may come meanwhile, and the caller then decides again.
    fn wait(&self, until: u64) -> bool {
        let left = self.unix_micros().map_or(0, |now| until.saturating_sub(now));
        thread::sleep(Duration::from_micros(left.min(2000)));
        true
    }
}
