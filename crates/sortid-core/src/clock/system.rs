//! The clock of an operating system.

use super::{Clock, wait_with};
use core::time::Duration;
use std::{
    thread,
    time::{Instant, SystemTime, UNIX_EPOCH},
};

#[inline]
pub(super) fn unix_micros() -> Option<u64> {
    let since_1970 = SystemTime::now().duration_since(UNIX_EPOCH).ok()?;
    // `as_micros` computes with 128 bits, which costs as much as the rest.
    let micros = since_1970.as_secs().checked_mul(1_000_000)?;
    micros.checked_add(since_1970.subsec_micros().into())
}

#[inline]
pub(super) fn unix_millis() -> Option<u64> {
    let since_1970 = SystemTime::now().duration_since(UNIX_EPOCH).ok()?;
    let millis = since_1970.as_secs().checked_mul(1000)?;
    millis.checked_add(since_1970.subsec_millis().into())
}

pub(super) fn wait(clock: &impl Clock, until: u64) -> bool {
    sleep_until(clock, until, Duration::from_secs(1))
}

/// [`Clock::wait`], with sleeps. Gives up on a clock that stands still for `patience`.
pub(super) fn sleep_until(clock: &impl Clock, until: u64, patience: Duration) -> bool {
    let mut moved = Instant::now();
    wait_with(clock, until, |has_moved| {
        // The times are compared before the sleep, because the process may be stopped in it.
        if has_moved {
            moved = Instant::now();
        } else if moved.elapsed() >= patience {
            return false;
        }
        // Short sleeps notice a clock that leaps.
        let left = clock.unix_micros().map_or(0, |now| until.saturating_sub(now));
        thread::sleep(Duration::from_micros(left.min(10_000)));
        true
    })
}
