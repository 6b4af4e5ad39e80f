//! Waiting for the next tick: on the thread with the clock, or in asynchronous code with a timer of the caller.

// A wait follows the clock, and looks again after at most a second: the clock may go back meanwhile, by more than the
// allowance. The whole wait has no limit. If the clock were set back twice, the limit would end a wait within the
// allowance.
//
// Asynchronous calls have the same policy. Only the wait differs: it is a future of the caller, so no runtime is a
// dependency. A timer may return early or at once, as in tests with paused time. So patience counts the durations
// that the timer was asked for, and not those that passed. No position is taken before a wait, so a dropped future
// loses nothing.

use super::{Generator, OnRollback};
#[cfg(target_has_atomic = "ptr")]
use crate::Refusal;
use crate::{Clock, Entropy, GenerateError, GenerateErrorKind, Position, Rules, StateCell};
use core::{
    future::{Future, poll_fn},
    mem,
    task::Poll,
    time::Duration,
};

/// A call gives up when the clock was not later after this many of its waits. The limit is for a [`Clock`] whose
/// `wait` returns at once, and for a clock that goes back again and again.
const MOST_EARLY: u32 = 10_000;

/// The microseconds of the longest wait before a call looks again how far the clock is behind.
const LONGEST_WAIT: u64 = 1_000_000;

/// The microseconds that the waits of a timer count, in sum, before the call gives up on a clock that stands still.
const PATIENCE: u64 = 1_000_000;

/// The microseconds that each wait counts at least. The shortest sleep of most timers is a millisecond.
const SHORTEST_WAIT: u64 = 1000;

/// The microseconds that each wait counts at most. The timer may have returned early, so many waits have to show that the
/// clock stands still.
const MOST_OF_A_WAIT: u64 = 10_000;

/// The microseconds before a call looks again whether its reservation was renewed. Timers round up to a millisecond or
/// more. With short waits, the sum of the roundings would be much of the call's patience.
#[cfg(target_has_atomic = "ptr")]
const RENEWAL_WAIT: u64 = 10_000;

/// What a call remembers of its waits.
#[derive(Default)]
pub(super) struct Waits {
    /// What the clock read before the last wait; `None` before the first wait.
    from: Option<u64>,
    /// The number of waits after which the clock was not later.
    early: u32,
    /// The microseconds that the waits of a timer count while the clock stood still.
    still: u64,
    /// The microseconds of the waits for a reservation.
    reservation: u64,
}

impl<R: Rules, S: StateCell, C: Clock, E: Entropy> Generator<R, S, C, E> {
    /// Decides whether a call that failed with `error` waits, and returns from when and until when. A wait is not long: the
    /// clock may go back meanwhile, by more than the allowance, so the caller has to try again. Returns the error if waiting
    /// does not help.
    fn next_wait(&self, error: GenerateError, waits: &mut Waits) -> Result<(u64, u64), GenerateError> {
        #[cfg(target_has_atomic = "ptr")]
        if let GenerateErrorKind::Reservation { refusal: Refusal::Late, .. } = error.kind() {
            if let (Some(fence), Some(now)) = (self.rules.fence(), self.clock.unix_micros()) {
                waits.reservation = waits.reservation.saturating_add(RENEWAL_WAIT);
                let can_wait = waits.reservation <= fence.patience();
                return if can_wait { Ok((now, now.saturating_add(RENEWAL_WAIT))) } else { Err(error) };
            }
        }
        let GenerateErrorKind::Exhausted { until } = *error.kind() else { return Err(error) };
        // Without a valid time, the next attempt returns another error.
        let now = self.clock.unix_micros().unwrap_or(until);
        let is_early = waits.from.is_some_and(|from| now <= from);
        waits.early += u32::from(is_early);
        if waits.from != Some(now) {
            waits.still = 0;
        }
        waits.from = Some(now);
        if until == u64::MAX
            || self.tick_of(Some(until)).is_err()
            || waits.early >= MOST_EARLY
            || waits.still >= PATIENCE
        {
            return Err(error);
        }
        Ok((now, until.min(now.saturating_add(LONGEST_WAIT))))
    }

    /// Waits on this thread after an attempt that failed with `error`. Returns the error if waiting does not help.
    #[cold]
    pub(super) fn wait(&self, error: GenerateError, waits: &mut Waits) -> Result<(), GenerateError> {
        let (_, until) = self.next_wait(error.clone(), waits)?;
        if self.clock.wait(until) { Ok(()) } else { Err(error) }
    }

    /// Returns how long a timer has to wait after an attempt that failed with `error`. Returns the error if waiting does not
    /// help.
    fn next_sleep(&self, error: GenerateError, waits: &mut Waits) -> Result<Duration, GenerateError> {
        let (now, until) = self.next_wait(error, waits)?;
        let left = until.saturating_sub(now);
        let count = left.clamp(SHORTEST_WAIT, MOST_OF_A_WAIT);
        // Once the clock seems to stand still, a wait takes no longer than it counts, so the call does not take much longer
        // than its patience.
        let sleep = if waits.still == 0 { left } else { left.min(count) };
        waits.still += count;
        Ok(Duration::from_micros(sleep))
    }

    /// Generates the next ID, as [`generate`](Self::generate) does. Waits with `sleep`, a timer of the caller, instead of
    /// blocking the thread.
    ///
    /// It gives up on a clock that stands still during 100 to 1000 waits. A timer may return early: then other tasks run
    /// before the next wait.
    ///
    /// A future that is dropped while it waits has used no ID.
    ///
    /// # Errors
    ///
    /// See the [table](Self).
    pub async fn generate_async<F: Future>(
        &self,
        sleep: impl Fn(Duration) -> F,
    ) -> Result<R::Id, GenerateError> {
        let mut waits = Waits::default();
        loop {
            let mut position = Position { tick: 0, count: 0 };
            match self.advance(OnRollback::StartOver, 1, |_, next| position = next) {
                Ok((_, rollbacks)) => return Ok(self.rules.id(position, rollbacks, self.random()?)),
                Err(error) => wait_with(sleep(self.next_sleep(error, &mut waits)?)).await,
            }
        }
    }

    /// Fills `ids` with the next IDs, as calls of [`generate_async`](Self::generate_async) do, but faster. IDs of other
    /// threads and tasks may lie between them. It does not yield to other tasks while it need not wait, so fill at most some
    /// 100 000 IDs at a time.
    ///
    /// # Errors
    ///
    /// See the [table](Self). The content of `ids` is unspecified after an error, and when the future is dropped before it
    /// is complete. No ID is generated twice.
    pub async fn fill_async<F: Future>(
        &self,
        ids: &mut [R::Id],
        sleep: impl Fn(Duration) -> F,
    ) -> Result<(), GenerateError> {
        let mut rest = ids;
        let mut waits = Waits::default();
        while !rest.is_empty() {
            match self.fill_run(rest) {
                Ok(filled) => {
                    rest = &mut rest[filled..];
                    waits = Waits::default();
                }
                Err(error) => wait_with(sleep(self.next_sleep(error, &mut waits)?)).await,
            }
        }
        Ok(())
    }
}

/// Waits for the timer. Then lets other tasks run once, because a timer may be ready at once, and the clock may not be.
async fn wait_with(timer: impl Future) {
    timer.await;
    let mut has_yielded = false;
    poll_fn(|context| {
        if mem::replace(&mut has_yielded, true) {
            return Poll::Ready(());
        }
        context.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}
