//! Waiting on the thread for the next tick, and for the renewal of a reservation.

// A wait follows the clock, and looks again after at most a second: the clock may go back meanwhile, by more than the
// allowance. The whole wait has no limit. If the clock were set back twice, the limit would end a wait within the
// allowance.
//
// Asynchronous code sleeps for `GenerateError::retry_after` and calls `try_generate` again. So there is one policy, and no
// runtime is a dependency. No position is taken before a wait, so a future that is dropped meanwhile loses nothing.

use super::{Generator, micros};
use crate::{Clock, Entropy, GenerateError, GenerateErrorKind, Rules, error::create};
use core::time::Duration;

/// A call gives up when the clock was not later after this many of its waits. The limit is for a [`Clock`] whose
/// `wait` returns at once, and for a clock that goes back again and again.
const MOST_EARLY: u32 = 10_000;

/// The microseconds of the longest wait before a call looks again how far the clock is behind.
const LONGEST_WAIT: u64 = 1_000_000;

/// What a call remembers of its waits.
#[derive(Default)]
pub(super) struct Waits {
    /// What the clock read before the last wait; `None` before the first wait.
    from: Option<u64>,
    /// The number of waits after which the clock was not later.
    early: u32,
    /// The microseconds of the waits for a reservation.
    #[cfg(target_has_atomic = "ptr")]
    reservation: u64,
}

impl<R: Rules, C: Clock, E: Entropy> Generator<R, C, E> {
    /// Adds to the error of a used tick how long the next one takes.
    pub(super) fn with_retry_after(&self, error: GenerateError) -> GenerateError {
        let has_tick = |&until: &u64| until < u64::MAX && self.tick_of(Some(until)).is_ok();
        let Some(until) = error.until().filter(has_tick) else {
            return error;
        };
        // Without a valid time, the next attempt returns another error.
        let left = self.clock.unix_micros().map_or(0, |now| until.saturating_sub(now));
        create::with_retry_after(error, Duration::from_micros(left.min(LONGEST_WAIT)))
    }

    /// Waits on this thread after an attempt that failed with `error`. Returns the error if waiting does not help.
    #[cold]
    pub(super) fn wait(&self, error: GenerateError, waits: &mut Waits) -> Result<(), GenerateError> {
        let Some(left) = error.retry_after() else { return Err(error) };
        // Without a valid time, the next attempt returns the error of the clock.
        let Some(now) = self.clock.unix_micros() else { return Ok(()) };
        let is_too_long = match error.kind() {
            #[cfg(target_has_atomic = "ptr")]
            GenerateErrorKind::ReservationLate => {
                waits.reservation = waits.reservation.saturating_add(micros(left));
                waits.reservation > self.rules.fence().map_or(0, crate::Fence::patience)
            }
            _ => {
                waits.early += u32::from(waits.from.is_some_and(|from| now <= from));
                waits.from = Some(now);
                waits.early >= MOST_EARLY
            }
        };
        let until = error.until().unwrap_or(u64::MAX).min(now.saturating_add(micros(left)));
        if !is_too_long && self.clock.wait(until) { Ok(()) } else { Err(error) }
    }
}
