//! The policy that the generators of all specifications share.

#[cfg(all(test, not(loom)))]
mod tests;
mod waiting;

use crate::{
    Clock, Entropy, GenerateError, GenerateErrorKind, HybridRules, Position, RandomBytes, Rollback, Rules,
    error::create,
    monotonic::step,
    process::process,
    state::{NO_PROCESS, State, StateCell},
};
#[cfg(feature = "std")]
use crate::{SystemClock, ThreadEntropy};
use core::time::Duration;
use waiting::Waits;

/// `fill` takes up to this many IDs with one reading of the clock and one change of the state. With more, timestamps
/// would be stale, and other threads would wait longer.
const RUN: usize = 64;

/// A run of at most this many IDs needs little memory.
const FEW: usize = 4;

/// The number of spin-loop hints before a thread tries again. Of 1 to 64, 4 was the fastest for two threads on two cores.
const PAUSE: usize = 4;

/// The clock of a generator without a clock of its own: [`SystemClock`], with the feature `std`.
#[doc(hidden)]
#[cfg(feature = "std")]
pub type DefaultClock = SystemClock;

/// Without the feature `std` there is no default clock: pass your own to `build_with`.
#[doc(hidden)]
#[cfg(not(feature = "std"))]
pub type DefaultClock = core::convert::Infallible;

/// The random bytes of a generator without a source of its own: [`ThreadEntropy`], with the feature `std`.
#[doc(hidden)]
#[cfg(feature = "std")]
pub type DefaultEntropy = ThreadEntropy;

/// Without the feature `std` there is no default source of random bytes: pass your own to `build_with`.
#[doc(hidden)]
#[cfg(not(feature = "std"))]
pub type DefaultEntropy = core::convert::Infallible;

/// A generator of IDs by the rules `R`, which threads can share. Each ID is greater than the one before, unless the generator
/// [resets](Rollback::Reset) after the clock was set back: see the table.
///
/// The types `Generator` of the spec crates wrap this type, and document it in the units of their specification.
///
/// [`generate`](Self::generate) and [`fill`](Self::fill) wait where the table says so. [`try_generate`](Self::try_generate)
/// returns the error instead, and [`retry_after`](GenerateError::retry_after) of the error says how long to wait.
///
/// | situation | what happens |
/// |---|---|
/// | all IDs of the tick are used | waits for the next tick, while the clock is behind the last ID by at most the rollback allowance; error `Exhausted` if the clock stands still |
/// | the clock is behind the last ID by at most the rollback allowance | continues from the last ID |
/// | the clock is behind by more | the [`Rollback`] of the options: error `ClockRollback`, continues from the last ID, or resets, which [`resets`](Self::resets) counts |
/// | the process is a fork of the one that used the generator before | continues from a later tick, with new random bits; error `OtherProcess` if IDs have [no random bits](Rules::random_bits) |
/// | the time is outside the range of the timestamp | error `ClockOutOfRange` |
/// | the source of random bytes fails | error `Entropy` |
/// | the rules have a [`Fence`](crate::Fence), and the next ID has a later time | waits until the fence is raised, for as long as its patience; error `ReservationLate` or `ReservationEnded` |
///
/// An error does not break the order: the generator continues from the last ID when the cause is gone.
///
/// The example of [`Rules`] defines rules and generates IDs with them.
#[doc(hidden)]
#[derive(Debug)]
pub struct Generator<R, C, E> {
    rules: R,
    state: StateCell,
    clock: C,
    entropy: E,
}

impl<R, C, E> Generator<R, C, E> {
    /// Creates a generator with these rules, this clock and these random bytes.
    #[must_use]
    pub const fn from_parts(rules: R, clock: C, entropy: E) -> Self {
        Self { rules, state: StateCell::new(), clock, entropy }
    }

    /// Returns how often the generator was [reset](Rollback::Reset). After 65 535 the number continues from 0.
    #[must_use]
    pub fn resets(&self) -> u16 {
        self.state.load().resets
    }

    /// Returns the rules.
    pub(crate) const fn rules(&self) -> &R {
        &self.rules
    }

    /// Returns the cell of the state.
    pub(crate) const fn state(&self) -> &StateCell {
        &self.state
    }

    /// Makes this process the one that uses the generator.
    pub(crate) fn claim(&self) -> Result<(), GenerateError> {
        self.state.claim()
    }
}

impl<R: Rules, C: Clock, E: Entropy> Generator<R, C, E> {
    /// Generates the next ID. Does not wait.
    ///
    /// # Errors
    ///
    /// See the [table](Self).
    #[inline(always)]
    pub fn try_generate(&self) -> Result<R::Id, GenerateError> {
        let mut position = Position { tick: 0, count: 0 };
        let (_, resets) = self.advance(1, |_, next| position = next)?;
        Ok(self.rules.id(position, resets, self.random()?))
    }

    /// Generates the next ID. Waits where the [table](Self) says so.
    ///
    /// # Errors
    ///
    /// See the [table](Self).
    #[inline(always)]
    pub fn generate(&self) -> Result<R::Id, GenerateError> {
        let mut position = Position { tick: 0, count: 0 };
        let resets = match self.advance(1, |_, next| position = next) {
            Ok((_, resets)) => resets,
            Err(error) => {
                let resets;
                (position, resets) = self.advance_after(error)?;
                resets
            }
        };
        Ok(self.rules.id(position, resets, self.random()?))
    }

    /// Fills `ids` with the next IDs, as calls of [`generate`](Self::generate) do, but faster. IDs of other threads may
    /// lie between them.
    ///
    /// # Errors
    ///
    /// See the [table](Self). The content of `ids` is unspecified after an error.
    #[inline]
    pub fn fill(&self, ids: &mut [R::Id]) -> Result<(), GenerateError> {
        // One ID needs no memory for the positions of a run.
        if let [id] = ids {
            *id = self.generate()?;
            return Ok(());
        }
        self.fill_all(ids)
    }

    /// Fills the first of `ids` as far as it can without waiting, and returns how many: at least one, unless `ids` is empty.
    ///
    /// # Errors
    ///
    /// See the [table](Self): why there is not even one.
    pub fn try_fill(&self, ids: &mut [R::Id]) -> Result<usize, GenerateError> {
        let mut filled = 0;
        while filled < ids.len() {
            match self.fill_run(&mut ids[filled..]) {
                Ok(more) => filled += more,
                Err(_) if filled > 0 => break,
                Err(error) => return Err(error),
            }
        }
        Ok(filled)
    }

    fn fill_all(&self, ids: &mut [R::Id]) -> Result<(), GenerateError> {
        let mut rest = ids;
        let mut waits = Waits::default();
        while !rest.is_empty() {
            match self.fill_run(rest) {
                Ok(filled) => {
                    rest = &mut rest[filled..];
                    waits = Waits::default();
                }
                Err(error) => self.wait(error, &mut waits)?,
            }
        }
        Ok(())
    }

    /// Fills the first of `ids`, with one reading of the clock, and returns how many. Does not wait.
    fn fill_run(&self, ids: &mut [R::Id]) -> Result<usize, GenerateError> {
        // The memory for a long run is cleared first, which takes as long as an ID.
        if ids.len() <= FEW { self.fill_some::<FEW>(ids) } else { self.fill_some::<RUN>(ids) }
    }

    fn fill_some<const MOST: usize>(&self, ids: &mut [R::Id]) -> Result<usize, GenerateError> {
        let mut positions = [Position { tick: 0, count: 0 }; MOST];
        let (taken, resets) = self.advance(ids.len().min(MOST), |index, next| positions[index] = next)?;
        let mut random = [R::Random::ZERO; MOST];
        self.rules.draw_all(&mut random[..taken], &self.entropy)?;
        for ((id, &position), &random) in ids.iter_mut().zip(&positions).zip(&random).take(taken) {
            *id = self.rules.id(position, resets, random);
        }
        Ok(taken)
    }

    /// Waits after a first attempt that failed with `error`, and advances by one position. Returns it with the number of
    /// resets. The callers make the ID, because an ID that is copied just after it was written in other pieces stalls the
    /// processor.
    #[cold]
    fn advance_after(&self, mut error: GenerateError) -> Result<(Position, u16), GenerateError> {
        let mut waits = Waits::default();
        loop {
            self.wait(error, &mut waits)?;
            let mut position = Position { tick: 0, count: 0 };
            match self.advance(1, |_, next| position = next) {
                Ok((_, resets)) => return Ok((position, resets)),
                Err(next) => error = next,
            }
        }
    }

    #[inline]
    fn random(&self) -> Result<R::Random, GenerateError> {
        Ok(self.rules.draw(&self.entropy)?)
    }

    /// Takes up to `most` consecutive positions in one change of the state. Returns how many it took, and the number of
    /// resets. Passes each position to `put` with its index, and passes all of them again if another thread was faster.
    // Without it, the compiler calls a function for each ID, which takes 20 % longer. A WebAssembly module is downloaded, so it
    // must be small.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn advance(
        &self,
        most: usize,
        mut put: impl FnMut(usize, Position),
    ) -> Result<(usize, u16), GenerateError> {
        let Self { rules, state, entropy, .. } = self;
        let mut tick = self.tick()?;
        self.enter_process()?;
        loop {
            let current = state.load();
            let mut resets = current.resets;
            let mut position = match step(rules, current.last, tick, entropy) {
                Ok(first) => first,
                Err(error) => match self.retried(error, current) {
                    Ok((now, first, after_reset)) => {
                        (tick, resets) = (now, after_reset);
                        first
                    }
                    Err(error) if self.remembers(&error, current) => return Err(self.explained(error)),
                    Err(_) => continue,
                },
            };
            put(0, position);
            let mut taken = 1;
            self.check_tick(position.tick, current.resets)?;
            // More positions, as if the clock stood still. If there are no more, the next call returns the error.
            while taken < most && tick <= position.tick {
                match step(rules, Some(position), tick, entropy) {
                    Ok(next)
                        if next.tick == position.tick
                            || self.check_tick(next.tick, current.resets).is_ok() =>
                    {
                        position = next;
                    }
                    _ => break,
                }
                put(taken, position);
                taken += 1;
            }
            if state.replace(current, State { last: Some(position), resets }) {
                return Ok((taken, resets));
            }
            // Another thread was faster. During a pause it can generate its next ID, too, while it has the state in its
            // cache.
            for _ in 0..PAUSE {
                core::hint::spin_loop();
            }
        }
    }

    /// Tries the first step of [`advance`](Self::advance) again after an error, if the clock seems to have been set back.
    /// Returns the tick, the position and the number of resets.
    #[cold]
    fn retried(&self, error: GenerateError, current: State) -> Result<(u64, Position, u16), GenerateError> {
        if error.kind() != GenerateErrorKind::ClockRollback {
            return Err(error);
        }
        // Other threads may have moved far ahead since this thread read the clock, so read it again.
        let tick = self.tick()?;
        match step(&self.rules, current.last, tick, &self.entropy) {
            Err(error)
                if error.kind() == GenerateErrorKind::ClockRollback
                    && self.rules.on_rollback() == Rollback::Reset
                    && self.rules.can_reset(current.resets) =>
            {
                let position = self.rules.first_position(None, tick, &self.entropy)?;
                Ok((tick, position, current.resets.wrapping_add(1)))
            }
            Err(error) => Err(error),
            Ok(position) => Ok((tick, position, current.resets)),
        }
    }

    /// Makes the error `Exhausted` true for all later calls: a random step may be too great, and the next one small enough.
    /// Returns `false` if another thread was faster.
    #[cold]
    fn remembers(&self, error: &GenerateError, current: State) -> bool {
        match (error.kind(), current.last) {
            (GenerateErrorKind::Exhausted, Some(last)) if last.count < Position::LAST_COUNT => {
                let used_up = Position { count: Position::LAST_COUNT, ..last };
                self.state.replace(current, current.with_last(used_up))
            }
            _ => true,
        }
    }
}

impl<R: Rules, C: Clock, E: Entropy> Generator<R, C, E> {
    /// Continues after an ID of an earlier generator: all later IDs are greater. An ID that is not greater than the last
    /// one changes nothing.
    ///
    /// # Errors
    ///
    /// `NoTime` if no generator can continue from the ID; `Ahead` if the ID is further ahead of the clock than the rollback
    /// allowance, because the next call would treat the clock as set back; `ClockOutOfRange` if the clock has no time to
    /// compare the ID with. An error leaves the generator unchanged.
    pub fn resume_after(&self, id: R::Id) -> Result<(), GenerateError> {
        let position = self.position_within(id, self.rules.allowance())?;
        self.state.raise_both(position, self.rules.resets(id));
        Ok(())
    }

    /// Continues after an ID, however far it is ahead of the clock. The next call may treat the clock as set back.
    ///
    /// # Errors
    ///
    /// `NoTime` if no generator can continue from the ID; `OtherProcess`.
    pub fn starting_after(self, id: R::Id) -> Result<Self, GenerateError> {
        let position = self.position_within(id, u64::MAX)?;
        self.state.raise(position);
        Ok(self)
    }

    /// Returns how far the last ID is ahead of the clock. Zero if it is not ahead, and before the first ID.
    ///
    /// # Errors
    ///
    /// `ClockOutOfRange` if the time of the clock is unknown, or outside the range of the timestamp.
    pub fn ahead(&self) -> Result<Duration, GenerateError> {
        let now = self.tick()?;
        let last = self.state.load().last.map_or(now, |last| last.tick);
        Ok(Duration::from_micros(self.ahead_of(now, last)))
    }

    /// Returns the position of an ID. If it is after the last one, it must be ahead of the clock by at most `bound`
    /// microseconds.
    fn position_within(&self, id: R::Id, bound: u64) -> Result<Position, GenerateError> {
        self.enter_process()?;
        let Some(position) = self.rules.position(id) else { return Err(create::no_time()) };
        let is_ahead = self.state.load().last.is_none_or(|last| position > last);
        if is_ahead && bound < u64::MAX {
            let ahead = self.ahead_of(self.tick()?, position.tick);
            if ahead > bound {
                return Err(create::ahead(ahead, bound));
            }
        }
        Ok(position)
    }

    /// Makes this process the one that uses the generator. If it is a fork of the one that used the generator before, the
    /// next IDs would be those of its parent. So the generator leaves the last tick, which keeps the order.
    ///
    /// Several threads may do this at the same time. Each makes the last position greater, so no order is lost.
    #[inline]
    fn enter_process(&self) -> Result<(), GenerateError> {
        if self.state.process() == process() { Ok(()) } else { self.enter_first() }
    }

    /// The first call in this process.
    #[cold]
    fn enter_first(&self) -> Result<(), GenerateError> {
        if self.rules.random_bits() > 0 {
            return self.leave_tick_of_parent();
        }
        self.state.claim().map_err(|error| self.explained(error))
    }

    /// Adds to an error how long the next tick takes, or that it is about the reservation of the generator, if it has one.
    #[cold]
    fn explained(&self, error: GenerateError) -> GenerateError {
        let error = self.with_retry_after(error);
        #[cfg(target_has_atomic = "ptr")]
        if let Some(fence) = self.rules.fence() {
            return fence.explain(error, self.state.load().resets);
        }
        error
    }

    // The generator does not wait for the next tick of the clock: after a rollback, that could take 10 s. Without
    // random bits, nothing in an ID tells parent and child apart, so such a generator returns an error instead.
    // Constructors are `const`, so a generator that nobody has used does not know in which process it was made.
    fn leave_tick_of_parent(&self) -> Result<(), GenerateError> {
        let user = self.state.process();
        // Another thread may have entered meanwhile, even at the first use.
        let last = if user != NO_PROCESS && user != process() { self.state.load().last } else { None };
        if let Some(last) = last {
            let tick = last.tick.saturating_add(1).max(*self.rules.ticks().start());
            if !self.holds(tick) {
                return Err(self.out_of_range(self.clock.unix_micros()));
            }
            let now = self.tick()?;
            let (behind, ahead) = (self.ahead_of(now, last.tick), self.ahead_of(now, tick));
            let allowance = self.rules.allowance();
            if behind <= allowance && ahead > allowance {
                // Only now would the clock seem to have been set back.
                return Err(self.with_retry_after(create::exhausted(self.rules.tick_start(tick) - allowance)));
            }
            self.state.raise(self.rules.first_position(Some(last), tick, &self.entropy)?);
        }
        self.state.set_process(process());
        Ok(())
    }

    /// Returns by how many microseconds `tick` is after `now`; 0 if it is not.
    fn ahead_of(&self, now: u64, tick: u64) -> u64 {
        self.rules.tick_start(tick).saturating_sub(self.rules.tick_start(now))
    }

    #[inline]
    fn tick(&self) -> Result<u64, GenerateError> {
        if !self.rules.are_ticks_unix_millis() {
            return self.tick_of(self.clock.unix_micros());
        }
        match self.clock.unix_millis() {
            Some(tick) if self.holds(tick) => Ok(tick),
            millis => Err(self.out_of_range(millis.map(|millis| millis.saturating_mul(1000)))),
        }
    }

    #[inline]
    fn tick_of(&self, unix_micros: Option<u64>) -> Result<u64, GenerateError> {
        match unix_micros.and_then(|micros| self.rules.tick(micros)) {
            Some(tick) if self.holds(tick) => Ok(tick),
            _ => Err(self.out_of_range(unix_micros)),
        }
    }

    /// Returns an error if no ID may have this tick.
    #[inline]
    fn check_tick(&self, tick: u64, resets: u16) -> Result<(), GenerateError> {
        if !self.holds(tick) {
            return Err(self.out_of_range(self.clock.unix_micros()));
        }
        #[cfg(target_has_atomic = "ptr")]
        if let Some(fence) = self.rules.fence() {
            fence.check(self.rules.tick_start(tick), resets)?;
        }
        Ok(())
    }

    #[inline]
    fn holds(&self, tick: u64) -> bool {
        self.rules.ticks().contains(&tick)
    }

    #[cold]
    fn out_of_range(&self, now: Option<u64>) -> GenerateError {
        let (first, last) = range(&self.rules);
        create::clock_out_of_range(now, first, last)
    }
}

impl<R: HybridRules, C: Clock, E: Entropy> Generator<R, C, E> {
    /// Observes an ID of another generator: all later IDs are greater. An ID that is not greater than the last one
    /// changes nothing.
    ///
    /// # Errors
    ///
    /// `NoTime` if no generator can continue from the ID; `Ahead` if the ID is further ahead of the clock than
    /// [`future_bound`](HybridRules::future_bound) or the rollback allowance; `ClockOutOfRange` if the clock has no time to
    /// compare the ID with. An error leaves the generator unchanged.
    pub fn observe(&self, id: R::Id) -> Result<(), GenerateError> {
        // If an ID further ahead than the allowance were accepted, the next call would treat the clock as set back.
        let position =
            self.position_within(id, micros(self.rules.future_bound()).min(self.rules.allowance()))?;
        if self.state.load().last.is_none() {
            // The first ID keeps the precision that it has without the observation, because of earlier generators.
            self.state.raise(Position { tick: self.tick()?.saturating_sub(1), count: 0 });
        }
        self.state.raise(position);
        Ok(())
    }
}

/// Returns the first and the last time, in microseconds, that an ID can have.
pub(crate) fn range<R: Rules>(rules: &R) -> (u64, u64) {
    let ticks = rules.ticks();
    let after_last = ticks.end().checked_add(1).map(|next| rules.tick_start(next));
    (rules.tick_start(*ticks.start()), after_last.map_or(u64::MAX, |micros| micros.saturating_sub(1)))
}

/// Returns the microseconds of a duration, at most `u64::MAX`.
pub(crate) const fn micros(duration: Duration) -> u64 {
    let micros = duration.as_micros();
    if micros > u64::MAX as u128 { u64::MAX } else { micros as u64 }
}
