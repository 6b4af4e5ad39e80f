//! The generators of all specifications.

use crate::monotonic::step;
use crate::{
    Clock, Entropy, GenerateError, GenerateErrorKind, HybridRules, Position, RandomBytes, Rules, State,
    StateCell, UnixTime,
};
#[cfg(feature = "std")]
use crate::{DefaultRules, SystemClock, ThreadEntropy};
use core::time::Duration;

/// Waiting ends after so many used-up ticks in a row. Other threads can take all IDs of a tick away, but
/// hardly of so many; a [`Clock`] whose `wait` does not wait can.
const MOST_WAITS: u32 = 10_000;

/// `fill` takes so many IDs with one reading of the clock and one change of the state. Few enough that a
/// timestamp is not stale and other threads are not held up.
const RUN: usize = 64;

/// Spins of a thread that has to try again. Of 1 to 64, on two cores, with 4 the threads took the least time together.
const PAUSE: usize = 4;

/// The clock of a generator that was not given one: [`SystemClock`]. Without std there is none.
#[cfg(feature = "std")]
pub type DefaultClock = SystemClock;

/// The clock of a generator that was not given one: without std there is none.
#[cfg(not(feature = "std"))]
pub type DefaultClock = core::convert::Infallible;

/// The entropy of a generator that was not given one: [`ThreadEntropy`]. Without std there is none.
#[cfg(feature = "std")]
pub type DefaultEntropy = ThreadEntropy;

/// The entropy of a generator that was not given one: without std there is none.
#[cfg(not(feature = "std"))]
pub type DefaultEntropy = core::convert::Infallible;

/// Makes IDs by the rules `R`, the last place in their order kept in `S`. Each is greater than the one
/// before.
///
/// A spec crate names two of these: its `Generator` keeps a [`LocalCell`](crate::LocalCell) state, for one owner;
/// its `SharedGenerator` a [`SharedCell`](crate::SharedCell) one, for many threads, lock-free: each ID is greater
/// than the one before, whichever thread made it.
///
/// | | [`try_generate`](Self::try_generate) | [`generate`](Self::generate), [`fill`](Self::fill) |
/// |---|---|---|
/// | the IDs of the tick are used up | error `Exhausted` | waits until the clock is past the tick (no longer than the allowance and a tick); error `Exhausted` when the clock stands still |
/// | clock back by up to the allowance | goes on from the last ID | goes on from the last ID |
/// | clock back by more | error `ClockRollback` | starts over at the new time and counts it: [`rollbacks`](Self::rollbacks) |
/// | time outside the timestamp field | error `ClockOutOfRange` | error `ClockOutOfRange` |
/// | no entropy | error `Entropy` | error `Entropy` |
///
/// An error never breaks the order: the generator goes on from the last ID when its cause is gone.
///
/// ```
/// # use core::ops::RangeInclusive;
/// # use sortid_core::{Entropy, EntropyError, Generator, LocalCell, NoEntropy, Position, Rules};
/// # struct PerSecond;
/// #
/// # impl Rules for PerSecond {
/// #     type Id = (u64, u64);
/// #     type Random = [u8; 0];
/// #
/// #     fn tick(&self, unix_micros: u64) -> Option<u64> {
/// #         Some(unix_micros / 1_000_000)
/// #     }
/// #
/// #     fn tick_start(&self, tick: u64) -> u64 {
/// #         tick.saturating_mul(1_000_000)
/// #     }
/// #
/// #     fn ticks(&self) -> RangeInclusive<u64> {
/// #         0..=u64::from(u32::MAX)
/// #     }
/// #
/// #     fn first_count(&self, _: u64, _: &impl Entropy) -> Result<u64, EntropyError> {
/// #         Ok(1)
/// #     }
/// #
/// #     fn next_position(&self, last: Position, _: &impl Entropy) -> Result<Option<Position>, EntropyError> {
/// #         Ok((last.count < 2).then_some(Position { count: last.count + 1, ..last }))
/// #     }
/// #
/// #     fn id(&self, point: Position, _: [u8; 0]) -> (u64, u64) {
/// #         (point.tick, point.count)
/// #     }
/// # }
/// use core::time::Duration;
/// use sortid_core::{GenerateErrorKind, testing::ManualClock};
///
/// // Two IDs a second: the second, and which of the two.
/// let clock = ManualClock::new(Duration::from_secs(7));
/// let ids = Generator::<_, LocalCell, _, _>::from_parts(PerSecond, &clock, NoEntropy);
/// let mut both = [(0, 0); 2];
/// ids.fill(&mut both)?;
/// assert_eq!(both, [(7, 1), (7, 2)]);
///
/// // Those of the second are used up.
/// let error = ids.try_generate().unwrap_err();
/// assert!(matches!(error.kind(), GenerateErrorKind::Exhausted { until: 8_000_000, .. }));
/// clock.advance(Duration::from_secs(1));
/// assert_eq!(ids.try_generate()?, (8, 1));
///
/// // The clock is set back, by less than 10 s, and by more.
/// clock.set(Duration::from_secs(3));
/// assert_eq!(ids.try_generate()?, (8, 2));
/// clock.set(Duration::from_secs(100));
/// assert_eq!(ids.generate()?, (100, 1));
/// clock.set(Duration::from_secs(50));
/// assert!(matches!(ids.try_generate().unwrap_err().kind(), GenerateErrorKind::ClockRollback { .. }));
/// assert_eq!((ids.generate()?, ids.rollbacks()), ((50, 1), 1));
/// # Ok::<(), sortid_core::GenerateError>(())
/// ```
#[derive(Debug)]
pub struct Generator<R, S, C, E> {
    rules: R,
    state: S,
    clock: C,
    entropy: E,
    allowance: u64,
}

#[derive(Clone, Copy, PartialEq)]
enum OnRollback {
    Fail,
    StartOver,
}

#[cfg(feature = "std")]
impl<R: DefaultRules, S: StateCell> Generator<R, S, SystemClock, ThreadEntropy> {
    /// A generator with the specification's defaults, the system's clock and entropy.
    #[must_use]
    pub const fn new() -> Self {
        Self::with_options(R::DEFAULT)
    }
}

#[cfg(feature = "std")]
impl<R: DefaultRules, S: StateCell> Default for Generator<R, S, SystemClock, ThreadEntropy> {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(feature = "std")]
impl<R: Rules, S: StateCell> Generator<R, S, SystemClock, ThreadEntropy> {
    /// A generator with the system's clock and entropy.
    #[must_use]
    pub const fn with_options(options: R) -> Self {
        Self::from_parts(options, SystemClock, ThreadEntropy)
    }
}

impl<R: Rules, S: StateCell, C, E> Generator<R, S, C, E> {
    /// A generator with a clock and an entropy of your own.
    #[must_use]
    pub const fn from_parts(options: R, clock: C, entropy: E) -> Self {
        Self { rules: options, state: S::NEW, clock, entropy, allowance: micros(R::ROLLBACK_ALLOWANCE) }
    }

    /// How far the clock may go back before it counts as set back. Unless told otherwise it is the specification's
    /// [`ALLOWANCE`](Rules::ALLOWANCE): 10 s, and without limit for hybrid logical clocks.
    ///
    /// While the clock is back, the IDs of one tick have to do; [`generate`](Self::generate) may wait this long for
    /// the next.
    #[must_use]
    pub const fn rollback_allowance(mut self, allowance: Duration) -> Self {
        self.allowance = micros(allowance);
        self
    }

    /// Starts behind this place in the order, instead of nowhere.
    #[doc(hidden)]
    #[must_use]
    pub fn resuming_after(self, last: Position) -> Self {
        self.state.raise(last);
        self
    }

    /// How often the generator started over because the clock was set back. IDs are in order between two
    /// calls that return the same number, whichever threads make them. After 65 535 it is 0 again.
    #[must_use]
    pub fn rollbacks(&self) -> u64 {
        self.state.history().rollbacks.into()
    }
}

impl<R: Rules, S: StateCell, C: Clock, E: Entropy> Generator<R, S, C, E> {
    /// The next ID, without waiting and without starting over.
    ///
    /// # Errors
    ///
    /// See the [table](Self).
    #[inline(always)]
    pub fn try_generate(&self) -> Result<R::Id, GenerateError> {
        let point = self.point(OnRollback::Fail)?;
        Ok(self.rules.id(point, self.random()?))
    }

    /// The next ID. Waits where the IDs of a tick are used up, and starts over where the clock was set back.
    ///
    /// # Errors
    ///
    /// See the [table](Self).
    #[inline(always)]
    pub fn generate(&self) -> Result<R::Id, GenerateError> {
        let point = self.point(OnRollback::StartOver)?;
        Ok(self.rules.id(point, self.random()?))
    }

    /// Fills `ids` with the next IDs, as [`generate`](Self::generate) would one by one, and faster. IDs of
    /// other threads may lie between them.
    ///
    /// # Errors
    ///
    /// See the [table](Self). What `ids` holds then is unspecified.
    pub fn fill(&self, ids: &mut [R::Id]) -> Result<(), GenerateError> {
        let mut points = [Position { tick: 0, count: 0 }; RUN];
        let mut rest = ids;
        while !rest.is_empty() {
            let taken = self.advance_waiting(rest.len().min(RUN), |index, next| points[index] = next)?;
            let (run, after) = rest.split_at_mut(taken);
            for (id, &point) in run.iter_mut().zip(&points) {
                *id = self.rules.id(point, self.random()?);
            }
            rest = after;
        }
        Ok(())
    }

    /// An ID for the time `time`, for records that are older than their IDs. It starts that tick anew: it is in no order
    /// with the other IDs of its tick, the generator does not go on from it, and it is as unique as its random bits
    /// are. Of a specification that has none, it is the same ID each time.
    ///
    /// # Errors
    ///
    /// `ClockOutOfRange` when the timestamp field has no room for `time`, or no entropy.
    pub fn generate_at(&self, time: impl UnixTime) -> Result<R::Id, GenerateError> {
        let tick = self.tick_of(u64::try_from(time.unix_micros()).ok())?;
        let point = Position { tick, count: self.rules.first_count(tick, &self.entropy)? };
        Ok(self.rules.id(point, self.random()?))
    }

    /// The point of one ID. Not the ID, which would be copied out of this function's result: where that has just
    /// been written in other pieces, processors wait.
    fn point(&self, on_rollback: OnRollback) -> Result<Position, GenerateError> {
        let mut point = Position { tick: 0, count: 0 };
        match on_rollback {
            OnRollback::Fail => self.advance(on_rollback, 1, |_, next| point = next)?,
            OnRollback::StartOver => self.advance_waiting(1, |_, next| point = next)?,
        };
        Ok(point)
    }

    #[inline]
    fn random(&self) -> Result<R::Random, GenerateError> {
        Ok(R::Random::draw(&self.entropy)?)
    }

    /// Takes up to `most` points, one after the other, in one change of the state, and says how many. `put`
    /// gets each with its index, and all of them again when another thread was faster.
    #[inline]
    fn advance(
        &self,
        on_rollback: OnRollback,
        most: usize,
        mut put: impl FnMut(usize, Position),
    ) -> Result<usize, GenerateError> {
        let Self { rules, state, entropy, allowance, .. } = self;
        let mut tick = self.tick()?;
        loop {
            let history = state.history();
            let mut rollbacks = history.rollbacks;
            let mut point = match step(rules, history.last, tick, *allowance, entropy) {
                Err(error) if is_rollback(&error) => {
                    let point;
                    (tick, point, rollbacks) = self.rolled_back(on_rollback, history)?;
                    point
                }
                first => first?,
            };
            put(0, point);
            let mut taken = 1;
            // More of the same tick. Whatever stands in the way of the next point: the next call says it.
            while taken < most
                && tick <= point.tick
                && let Ok(Some(next)) = rules.next_position(point, entropy)
                && next.tick == point.tick
            {
                point = next;
                put(taken, point);
                taken += 1;
            }
            if !self.holds(point.tick) {
                return Err(self.out_of_range(self.clock.unix_micros()));
            }
            if state.replace(history, State { last: Some(point), rollbacks }) {
                return Ok(taken);
            }
            // Another thread was faster. Left alone for a moment it makes its next ID, too, while it has the state in
            // its cache.
            for _ in 0..PAUSE {
                core::hint::spin_loop();
            }
        }
    }

    /// The first step of [`advance`](Self::advance) where the clock seems to have been set back: the tick, the point
    /// and the number of rollbacks.
    #[cold]
    fn rolled_back(
        &self,
        on_rollback: OnRollback,
        State { last, rollbacks }: State,
    ) -> Result<(u64, Position, u16), GenerateError> {
        // Since the clock was read, other threads may have moved on far: judge by a new reading.
        let tick = self.tick()?;
        match step(&self.rules, last, tick, self.allowance, &self.entropy) {
            Err(error) if is_rollback(&error) && on_rollback == OnRollback::StartOver => {
                let point = step(&self.rules, None, tick, self.allowance, &self.entropy)?;
                Ok((tick, point, rollbacks.wrapping_add(1)))
            }
            result => Ok((tick, result?, rollbacks)),
        }
    }

    /// [`advance`](Self::advance) that waits where a tick is used up.
    #[inline]
    fn advance_waiting(
        &self,
        most: usize,
        mut put: impl FnMut(usize, Position),
    ) -> Result<usize, GenerateError> {
        let mut waits = 0;
        loop {
            let result = self.advance(OnRollback::StartOver, most, &mut put);
            match result.as_ref().map_err(GenerateError::kind) {
                Err(GenerateErrorKind::Exhausted { until })
                    if waits < MOST_WAITS && self.clock.wait(*until) =>
                {
                    waits += 1;
                }
                _ => return result,
            }
        }
    }
}

impl<R: Rules, S: StateCell, C: Clock, E> Generator<R, S, C, E> {
    #[inline]
    fn tick(&self) -> Result<u64, GenerateError> {
        self.tick_of(self.clock.unix_micros())
    }

    #[inline]
    fn tick_of(&self, unix_micros: Option<u64>) -> Result<u64, GenerateError> {
        match unix_micros.and_then(|micros| self.rules.tick(micros)) {
            Some(tick) if self.holds(tick) => Ok(tick),
            _ => Err(self.out_of_range(unix_micros)),
        }
    }

    #[inline]
    fn holds(&self, tick: u64) -> bool {
        self.rules.ticks().contains(&tick)
    }

    #[cold]
    fn out_of_range(&self, now: Option<u64>) -> GenerateError {
        let ticks = self.rules.ticks();
        let after_last = ticks.end().checked_add(1).map_or(u64::MAX, |next| self.rules.tick_start(next));
        GenerateError::out_of_range(now, self.rules.tick_start(*ticks.start()), after_last.saturating_sub(1))
    }
}

impl<R: HybridRules, S: StateCell, C: Clock, E> Generator<R, S, C, E> {
    /// Takes note of an ID that was made elsewhere: all later IDs are greater. An ID that is not greater than
    /// the last one changes nothing.
    ///
    /// # Errors
    ///
    /// `NoTime` when no generator may go on from the ID; `Ahead` when it is further ahead of the clock than
    /// [`future_bound`](HybridRules::future_bound) or the [rollback allowance](Self::rollback_allowance);
    /// `ClockOutOfRange` when there is no time to compare it with. The generator is as it was before the call.
    pub fn observe(&self, id: R::Id) -> Result<(), GenerateError> {
        let Some(point) = self.rules.point(id) else { return Err(GenerateError::no_time()) };
        if self.state.history().last.is_some_and(|last| point <= last) {
            return Ok(());
        }
        let (seen, now) = (self.rules.tick_start(point.tick), self.rules.tick_start(self.tick()?));
        // What is further ahead than a rollback may be, the next ID would take for one.
        let bound = micros(self.rules.future_bound()).min(self.allowance);
        let ahead = seen.saturating_sub(now);
        if ahead > bound {
            return Err(GenerateError::ahead(ahead, bound));
        }
        self.state.raise(point);
        Ok(())
    }
}

/// Saturates.
const fn micros(duration: Duration) -> u64 {
    let micros = duration.as_micros();
    if micros > u64::MAX as u128 { u64::MAX } else { micros as u64 }
}

fn is_rollback(error: &GenerateError) -> bool {
    matches!(error.kind(), GenerateErrorKind::ClockRollback { .. })
}
