//! The state that keeps IDs in order, and the one step that advances it.
//!
//! A specification's ordering rules are [`Rules`]: pure functions from the last point and the clock's
//! tick to the next point. [`step`] adds what all specifications share, the policy for a clock that goes
//! back. Neither knows of clocks, threads or atomics; [`StateCell`] is where a point is kept.

use crate::{Entropy, EntropyError, GenerateError};
use core::{cell::Cell, ops::RangeInclusive, time::Duration};
#[cfg(target_has_atomic = "ptr")]
use portable_atomic::Ordering::Relaxed;

#[cfg(all(test, loom))]
use crate::model::AtomicU128;
#[cfg(all(target_has_atomic = "ptr", not(all(test, loom))))]
use portable_atomic::AtomicU128;

/// A place in a generator's order: a tick of the specification's clock, and a count within it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// Ticks since the specification's epoch.
    pub tick: u64,
    /// What orders the IDs of one tick, in [`COUNT_BITS`](Self::COUNT_BITS).
    pub count: u64,
}

impl Position {
    /// Bits of a count. 16 of a word of 128 are left to what else a [`SharedCell`](crate::SharedCell) state keeps.
    pub const COUNT_BITS: u32 = 48;
}

/// How a specification makes its next ID. Implemented by the spec crates' `Options`.
///
/// ```
/// use core::{ops::RangeInclusive, time::Duration};
/// use sortid_core::{Entropy, EntropyError, Generator, LocalCell, NoEntropy, Position, Rules, testing::ManualClock};
///
/// /// Two IDs a second: the second, and which of the two.
/// struct PerSecond;
///
/// impl Rules for PerSecond {
///     type Id = (u64, u64);
///     type Random = [u8; 0];
///
///     fn tick(&self, unix_micros: u64) -> Option<u64> {
///         Some(unix_micros / 1_000_000)
///     }
///
///     fn tick_start(&self, tick: u64) -> u64 {
///         tick.saturating_mul(1_000_000)
///     }
///
///     fn ticks(&self) -> RangeInclusive<u64> {
///         0..=u64::from(u32::MAX)
///     }
///
///     fn first_count(&self, _: u64, _: &impl Entropy) -> Result<u64, EntropyError> {
///         Ok(1)
///     }
///
///     fn next_position(&self, last: Position, _: &impl Entropy) -> Result<Option<Position>, EntropyError> {
///         Ok((last.count < 2).then_some(Position { count: last.count + 1, ..last }))
///     }
///
///     fn id(&self, point: Position, _: [u8; 0]) -> (u64, u64) {
///         (point.tick, point.count)
///     }
/// }
///
/// let clock = ManualClock::new(Duration::from_secs(7));
/// let ids = Generator::<_, LocalCell, _, _>::from_parts(PerSecond, &clock, NoEntropy);
/// assert_eq!([ids.try_generate()?, ids.try_generate()?], [(7, 1), (7, 2)]);
/// assert!(ids.try_generate().is_err());
/// # Ok::<(), sortid_core::GenerateError>(())
/// ```
pub trait Rules {
    /// The ID.
    type Id: Copy;

    /// What an ID takes of random bytes, besides those of its point: `[u8; N]`.
    type Random: RandomBytes;

    /// How far a clock may go back before it counts as set back, unless the generator is told otherwise.
    const ROLLBACK_ALLOWANCE: Duration = Duration::from_secs(10);

    /// The tick that a Unix time falls into; `None` before the epoch.
    fn tick(&self, unix_micros: u64) -> Option<u64>;

    /// The Unix time at which a tick begins, in microseconds. Saturates.
    fn tick_start(&self, tick: u64) -> u64;

    /// The ticks that a generator may use.
    fn ticks(&self) -> RangeInclusive<u64>;

    /// The first count of a new tick.
    ///
    /// # Errors
    ///
    /// When there is no entropy.
    fn first_count(&self, tick: u64, entropy: &impl Entropy) -> Result<u64, EntropyError>;

    /// The first point at a tick of the clock that is later than that of `last`: greater than `last`, and of
    /// this tick. Rules that do without a part of the clock's precision may return an earlier tick.
    ///
    /// # Errors
    ///
    /// When there is no entropy.
    #[inline]
    fn first_position(
        &self,
        last: Option<Position>,
        tick: u64,
        entropy: &impl Entropy,
    ) -> Result<Position, EntropyError> {
        let _ = last;
        Ok(Position { tick, count: self.first_count(tick, entropy)? })
    }

    /// The point after `last`, or `None` when its tick is used up.
    ///
    /// # Errors
    ///
    /// When there is no entropy.
    fn next_position(&self, last: Position, entropy: &impl Entropy)
    -> Result<Option<Position>, EntropyError>;

    /// The ID at a point.
    fn id(&self, point: Position, random: Self::Random) -> Self::Id;
}

/// A number of random bytes that is known to the compiler.
pub trait RandomBytes: Sized {
    /// Draws them.
    ///
    /// # Errors
    ///
    /// When there is no entropy.
    fn draw(entropy: &impl Entropy) -> Result<Self, EntropyError>;
}

impl<const N: usize> RandomBytes for [u8; N] {
    #[inline]
    fn draw(entropy: &impl Entropy) -> Result<Self, EntropyError> {
        if N == 0 { Ok([0; N]) } else { entropy.draw() }
    }
}

/// [`Rules`] of a hybrid logical clock: their generators take note of IDs that were made elsewhere, and make
/// greater ones.
pub trait HybridRules: Rules {
    /// The point after which all IDs are greater than `id`, within [`ticks`](Rules::ticks). `None` where no
    /// generator may go on from the ID.
    fn point(&self, id: Self::Id) -> Option<Position>;

    /// How far ahead of the clock an ID may be.
    fn future_bound(&self) -> Duration;
}

/// [`Rules`] that need no choice of the user's.
pub trait DefaultRules: Rules {
    /// The specification's defaults.
    const DEFAULT: Self;
}

/// The point that follows `last` at the time `tick`. A clock that is behind `last` by at most `allowance`
/// microseconds counts as standing still.
pub(crate) fn step<R: Rules>(
    rules: &R,
    last: Option<Position>,
    tick: u64,
    allowance: u64,
    entropy: &impl Entropy,
) -> Result<Position, GenerateError> {
    match last {
        Some(last) if tick <= last.tick => {
            let behind = rules.tick_start(last.tick) - rules.tick_start(tick);
            if behind > allowance {
                return Err(GenerateError::rollback(behind, allowance));
            }
            rules
                .next_position(last, entropy)?
                .ok_or_else(|| GenerateError::exhausted(rules.tick_start(last.tick.saturating_add(1))))
        }
        _ => Ok(rules.first_position(last, tick, entropy)?),
    }
}

/// What a generator did so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State {
    /// The last point; `None` when nothing was made yet.
    pub last: Option<Position>,
    /// How often the generator started over; after 65 535 from 0 again.
    pub rollbacks: u16,
}

impl State {
    const NEW: Self = Self { last: None, rollbacks: 0 };

    /// The history up to `point`.
    #[inline]
    #[must_use]
    pub const fn then(self, point: Position) -> Self {
        Self { last: Some(point), ..self }
    }
}

/// Where a generator keeps its [`State`]: [`LocalCell`] or [`SharedCell`]. Position and number of rollbacks are one: no thread
/// sees the one change before the other.
pub trait StateCell: private::Sealed {
    /// Nothing made yet.
    const NEW: Self;

    /// The history so far.
    fn history(&self) -> State;

    /// Moves on from `history` to `next`; `false`, and nothing happens, when `history` is out of date. May say so
    /// where it is not.
    fn replace(&self, history: State, next: State) -> bool;

    /// Makes `point` the last point, unless the last one is greater.
    fn raise(&self, point: Position) {
        let mut history = self.history();
        while history.last.is_none_or(|last| point > last) && !self.replace(history, history.then(point)) {
            history = self.history();
        }
    }
}

mod private {
    pub trait Sealed {}
}

/// The state of one owner.
#[derive(Debug)]
pub struct LocalCell(Cell<State>);

impl private::Sealed for LocalCell {}

impl StateCell for LocalCell {
    const NEW: Self = Self(Cell::new(State::NEW));

    #[inline]
    fn history(&self) -> State {
        self.0.get()
    }

    #[inline]
    fn replace(&self, _: State, next: State) -> bool {
        self.0.set(next);
        true
    }
}

/// The state of many threads: the history in one 128-bit word, changed by compare-and-exchange. Lock-free where
/// the processor can do that: x86-64 and 64-bit ARM among others; elsewhere `portable-atomic` takes a short
/// lock.
#[cfg(target_has_atomic = "ptr")]
#[derive(Debug)]
pub struct SharedCell(AtomicU128);

#[cfg(target_has_atomic = "ptr")]
impl SharedCell {
    /// The word of no point: no rules use the last tick of all.
    const NONE: u128 = u128::MAX;

    /// From the top: tick, rollbacks, count.
    #[inline]
    fn pack(history: State) -> u128 {
        let Some(Position { tick, count }) = history.last else { return Self::NONE };
        assert!(count >> Position::COUNT_BITS == 0, "a count has 48 bits");
        u128::from(tick) << 64 | u128::from(u64::from(history.rollbacks) << Position::COUNT_BITS | count)
    }

    #[inline]
    fn unpack(word: u128) -> State {
        if word == Self::NONE {
            return State::NEW;
        }
        let (tick, low) = ((word >> 64) as u64, word as u64);
        let count = low & ((1 << Position::COUNT_BITS) - 1);
        State { last: Some(Position { tick, count }), rollbacks: (low >> Position::COUNT_BITS) as u16 }
    }
}

#[cfg(target_has_atomic = "ptr")]
impl private::Sealed for SharedCell {}

// The order of the IDs is the order of changes to this one word, which all threads see as one. It publishes nothing
// else, so it needs no other order.
#[cfg(target_has_atomic = "ptr")]
impl StateCell for SharedCell {
    const NEW: Self = Self(AtomicU128::new(Self::NONE));

    #[inline]
    fn history(&self) -> State {
        Self::unpack(self.0.load(Relaxed))
    }

    #[inline]
    fn replace(&self, history: State, next: State) -> bool {
        self.0.compare_exchange_weak(Self::pack(history), Self::pack(next), Relaxed, Relaxed).is_ok()
    }
}
