//! Generators under a reservation: their IDs have times before `until`, which another part of the program raises.

// `until` limits the position of an ID, not the clock: RON UIDs carry into the next millisecond, so the time of
// an ID can be ahead of the clock. `Fenced` wraps the rules of a generator, and the generator checks the tick before
// it exchanges the state. Without a fence, the check is a constant that the compiler removes.

use crate::{
    Clock, Entropy, EntropyError, GenerateError, GenerateErrorKind, Generator, HybridRules, Position,
    Rollback, RollbackPolicy, Rules,
    error::{Refusal, create},
    state::State,
};
use core::{
    ops::{Deref, RangeInclusive},
    time::Duration,
};
use portable_atomic::Ordering::{Relaxed, SeqCst};

#[cfg(all(test, loom))]
use crate::model::{AtomicBool, AtomicU64};
#[cfg(not(all(test, loom)))]
use portable_atomic::{AtomicBool, AtomicU64};

/// The number of resets of a closed generator. A generator with a fence is not reset, so it counts none.
const CLOSED: u16 = u16::MAX;

/// The end of the times of a generator's IDs, `until`. The holder of a reservation raises it; the IDs of generators with
/// [`Fenced`] rules are before it.
///
/// A generator reads `until` once for each ID, or each batch, in a few instructions. A reading that is out of date is an
/// earlier `until`.
#[doc(hidden)]
#[derive(Debug)]
pub struct Fence {
    /// In microseconds since 1970.
    until: AtomicU64,
    is_ended: AtomicBool,
    /// How long a call waits for `until` to be raised, in microseconds.
    patience: u64,
    /// Whether a call of this thread may wait.
    may_wait: fn(&Self) -> bool,
}

impl Fence {
    /// Creates a fence whose `until` is 1970, before which there are no IDs. Calls that wait do so for at most `patience`.
    #[must_use]
    pub const fn new(patience: Duration) -> Self {
        Self {
            until: AtomicU64::new(0),
            is_ended: AtomicBool::new(false),
            patience: crate::generator::micros(patience),
            may_wait: |_| true,
        }
    }

    /// Sets which threads may wait. The thread that raises `until` would wait for itself.
    #[must_use]
    pub fn waiting_if(self, may_wait: fn(&Self) -> bool) -> Self {
        Self { may_wait, ..self }
    }

    /// Raises `until`, in microseconds since 1970. An earlier one changes nothing.
    pub fn raise(&self, until: u64) {
        self.until.fetch_max(until, SeqCst);
    }

    /// Returns `until`, in microseconds since 1970.
    #[must_use]
    pub fn until(&self) -> u64 {
        self.until.load(SeqCst)
    }

    /// Ends the reservation: `until` is not raised any more, so no call waits for it.
    pub fn end(&self) {
        self.is_ended.store(true, SeqCst);
    }

    /// Checks a tick that starts at this time. `resets` is the number of resets in the state of the generator.
    #[inline]
    pub(crate) fn check(&self, start: u64, resets: u16) -> Result<(), GenerateError> {
        // The number of resets is in the same word as the position: no thread sees one change without the other.
        if start < self.until.load(Relaxed) && resets != CLOSED { Ok(()) } else { Err(self.refused(resets)) }
    }

    /// Whether `until` is not raised any more.
    pub(crate) fn has_ended(&self) -> bool {
        self.is_ended.load(SeqCst)
    }

    #[cold]
    fn refused(&self, resets: u16) -> GenerateError {
        self.refusal(if resets == CLOSED || self.has_ended() { Refusal::Ended } else { Refusal::Late })
    }

    /// The error of a process that was forked from the one with the reservation.
    pub fn forked(&self) -> GenerateError {
        self.refusal(Refusal::Forked)
    }

    fn refusal(&self, refusal: Refusal) -> GenerateError {
        create::reservation(self.until(), refusal)
    }

    /// Replaces errors of the process and of the clock by those of a reservation. The error of a closed generator is
    /// always `Ended`, so that no call waits and no caller tries again.
    pub(crate) fn explain(&self, error: GenerateError, resets: u16) -> GenerateError {
        match (error.kind(), error.behind()) {
            (GenerateErrorKind::OtherProcess, _) => self.refusal(Refusal::Forked),
            _ if resets == CLOSED => self.refusal(Refusal::Ended),
            (_, Some(by)) => self.refusal(Refusal::ClockRollback { by }),
            _ => error,
        }
    }

    /// How long a call of this thread waits, in microseconds.
    pub(crate) fn patience(&self) -> u64 {
        if (self.may_wait)(self) { self.patience } else { 0 }
    }
}

/// [`Rules`] below a [`Fence`]. A generator with them is never reset, and a forked child cannot use it: both could
/// repeat IDs.
///
/// ```
/// use core::time::Duration;
/// use sortid_core::{Fence, Fenced, GenerateErrorKind, Generator, testing::ManualClock};
/// # use core::ops::RangeInclusive;
/// # use sortid_core::{Entropy, EntropyError, NoEntropy, Position, Rules};
/// # struct Seconds;
/// # impl Rules for Seconds {
/// #     type Id = (u64, u64);
/// #     type Random = [u8; 0];
/// #     fn tick(&self, unix_micros: u64) -> Option<u64> { Some(unix_micros / 1_000_000) }
/// #     fn tick_start(&self, tick: u64) -> u64 { tick.saturating_mul(1_000_000) }
/// #     fn ticks(&self) -> RangeInclusive<u64> { 0..=u64::from(u32::MAX) }
/// #     fn first_count(&self, _: u64, _: &impl Entropy) -> Result<u64, EntropyError> { Ok(0) }
/// #     fn next_position(&self, last: Position, _: &impl Entropy) -> Result<Option<Position>, EntropyError> {
/// #         Ok((last.count < 9).then_some(Position { count: last.count + 1, ..last }))
/// #     }
/// #     fn id(&self, at: Position, _: u16, _: [u8; 0]) -> (u64, u64) { (at.tick, at.count) }
/// #     fn position(&self, (tick, count): (u64, u64)) -> Option<Position> { Some(Position { tick, count }) }
/// # }
///
/// let fence = Fence::new(Duration::from_secs(10));
/// fence.raise(8_000_000); // before 00:00:08
/// let clock = ManualClock::new(Duration::from_secs(7));
/// // `Seconds` are rules whose IDs are a second and a count.
/// let ids = Generator::fenced(Fenced::new(Seconds, &fence), 0, &clock, NoEntropy)?;
/// assert_eq!(ids.try_generate()?, (7, 0));
///
/// clock.advance(Duration::from_secs(1));
/// let error = ids.try_generate().unwrap_err();
/// assert_eq!(error.kind(), GenerateErrorKind::ReservationLate);
/// # Ok::<(), sortid_core::GenerateError>(())
/// ```
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Fenced<R, F> {
    rules: R,
    fence: F,
}

impl<R: Rules, F: Deref<Target = Fence>> Fenced<R, F> {
    /// Puts rules below a fence.
    #[must_use]
    pub const fn new(rules: R, fence: F) -> Self {
        Self { rules, fence }
    }
}

impl<R: Rules, F: Deref<Target = Fence>, C, E> Generator<Fenced<R, F>, C, E> {
    /// Creates a generator of this process. Its IDs have times from `floor` on, in microseconds since 1970.
    ///
    /// # Errors
    ///
    /// `ClockOutOfRange` if no ID can have such a time.
    pub fn fenced(rules: Fenced<R, F>, floor: u64, clock: C, entropy: E) -> Result<Self, GenerateError>
    where
        C: Clock,
        E: Entropy,
    {
        let before_floor = match rules.tick(floor) {
            Some(tick) if tick > *rules.ticks().end() => {
                let (first, last) = crate::generator::range(&rules);
                return Err(create::clock_out_of_range(Some(floor), first, last));
            }
            // The last position before the floor: the first ID is after it, whatever the clock says.
            Some(tick @ 1..) => Some(Position { tick: tick - 1, count: Position::LAST_COUNT }),
            _ => None,
        };
        let ids = Self::from_parts(rules, clock, entropy);
        ids.claim()?;
        if let Some(position) = before_floor {
            ids.state().raise(position);
        }
        Ok(ids)
    }

    /// Checks that the program may make an ID of its own at this time, in microseconds since 1970. The time has to be from
    /// `floor` on, and below the fence. It may be earlier than the last one, because such IDs have no order. From then on,
    /// [`close`](Self::close) returns a later time.
    ///
    /// # Errors
    ///
    /// Those of a reservation; `ClockRollback` if the time is before `floor`.
    pub fn permit(&self, micros: u64, floor: u64) -> Result<(), GenerateError> {
        let Fenced { rules, fence } = self.rules();
        let tick = rules.tick(micros).unwrap_or(0);
        loop {
            let current = self.state().load();
            fence.check(micros, current.resets)?;
            if micros < floor {
                return Err(fence.refusal(Refusal::ClockRollback { by: floor - micros }));
            }
            let is_known = current.last.is_some_and(|last| last.tick >= tick);
            if is_known || self.state().replace(current, current.with_last(Position { tick, count: 0 })) {
                return Ok(());
            }
        }
    }

    /// Ends the generator: no later call makes an ID, in any thread. Returns the time at which the tick after the last ID
    /// starts, in microseconds since 1970, or the floor if there was no ID; `None` if there was neither.
    // A release lowers `until`, so it has to know the last ID. The mark of a closed generator is in the word that
    // each ID exchanges, so a thread that is about to make an ID fails to exchange it.
    pub fn close(&self) -> Option<u64> {
        loop {
            let current = self.state().load();
            let last = current.last.unwrap_or(Position { tick: 0, count: 0 });
            if self.state().replace(current, State { last: Some(last), resets: CLOSED }) {
                return current.last.map(|last| self.rules().tick_start(last.tick.saturating_add(1)));
            }
        }
    }
}

impl<R: Rules, F: Deref<Target = Fence>> Rules for Fenced<R, F> {
    type Id = R::Id;
    type Random = R::Random;

    /// With a greater allowance than 10 s, one ID that is far ahead of the clock would take the generator out of use, because
    /// its next ID has to be after that one and below the fence.
    fn rollback_policy(&self) -> RollbackPolicy {
        RollbackPolicy::new().with_rollback(Rollback::Fail)
    }

    #[inline]
    fn tick(&self, unix_micros: u64) -> Option<u64> {
        self.rules.tick(unix_micros)
    }

    #[inline]
    fn are_ticks_unix_millis(&self) -> bool {
        self.rules.are_ticks_unix_millis()
    }

    #[inline]
    fn tick_start(&self, tick: u64) -> u64 {
        self.rules.tick_start(tick)
    }

    #[inline]
    fn ticks(&self) -> RangeInclusive<u64> {
        self.rules.ticks()
    }

    #[inline]
    fn first_count(&self, tick: u64, entropy: &impl Entropy) -> Result<u64, EntropyError> {
        self.rules.first_count(tick, entropy)
    }

    #[inline]
    fn first_position(
        &self,
        last: Option<Position>,
        tick: u64,
        entropy: &impl Entropy,
    ) -> Result<Position, EntropyError> {
        self.rules.first_position(last, tick, entropy)
    }

    #[inline]
    fn next_position(
        &self,
        last: Position,
        entropy: &impl Entropy,
    ) -> Result<Option<Position>, EntropyError> {
        self.rules.next_position(last, entropy)
    }

    #[inline]
    fn draw(&self, entropy: &impl Entropy) -> Result<R::Random, EntropyError> {
        self.rules.draw(entropy)
    }

    #[inline]
    fn draw_all(&self, all: &mut [R::Random], entropy: &impl Entropy) -> Result<(), EntropyError> {
        self.rules.draw_all(all, entropy)
    }

    #[inline]
    fn id(&self, position: Position, _: u16, random: R::Random) -> R::Id {
        self.rules.id(position, 0, random)
    }

    #[inline]
    fn position(&self, id: R::Id) -> Option<Position> {
        self.rules.position(id)
    }

    #[inline]
    fn fence(&self) -> Option<&Fence> {
        Some(&self.fence)
    }
}

impl<R: HybridRules, F: Deref<Target = Fence>> HybridRules for Fenced<R, F> {
    fn future_bound(&self) -> Duration {
        self.rules.future_bound()
    }
}
