//! The state that keeps IDs in order, and the one step that advances it.
//!
//! A specification's ordering rules are [`Rules`]: pure functions from the last point and the clock's
//! tick to the next point. [`step`] adds what all specifications share, the policy for a clock that goes
//! back. Neither knows of clocks, threads or atomics; [`State`] is where a point is kept.

use crate::{Entropy, EntropyError, GenerateError};
use core::{cell::Cell, ops::RangeInclusive, time::Duration};
#[cfg(target_has_atomic = "ptr")]
use portable_atomic::{
    AtomicU64, AtomicU128,
    Ordering::{Acquire, Relaxed, Release},
};

/// A place in a generator's order: a tick of the specification's clock, and a count within it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Point {
    /// Ticks since the specification's epoch.
    pub tick: u64,
    /// What orders the IDs of one tick.
    pub count: u64,
}

/// How a specification makes its next ID. Implemented by the spec crates' `Options`.
pub trait Rules {
    /// The ID.
    type Id: Copy;

    /// How far a clock may go back before it counts as set back, unless the generator is told otherwise.
    const ALLOWANCE: Duration = Duration::from_secs(10);

    /// The tick that a Unix time falls into; `None` before the epoch.
    fn tick(&self, unix_micros: u64) -> Option<u64>;

    /// The Unix time at which a tick begins, in microseconds. Saturates.
    fn begins(&self, tick: u64) -> u64;

    /// The ticks that a generator may use.
    fn ticks(&self) -> RangeInclusive<u64>;

    /// The first count of a new tick.
    ///
    /// # Errors
    ///
    /// When there is no entropy.
    fn first(&self, tick: u64, entropy: &impl Entropy) -> Result<u64, EntropyError>;

    /// The first point at a tick of the clock that is later than that of `last`: greater than `last`, and of
    /// this tick. Rules that do without a part of the clock's precision may return an earlier tick.
    ///
    /// # Errors
    ///
    /// When there is no entropy.
    #[inline]
    fn begin(&self, last: Option<Point>, tick: u64, entropy: &impl Entropy) -> Result<Point, EntropyError> {
        let _ = last;
        Ok(Point { tick, count: self.first(tick, entropy)? })
    }

    /// The point after `last`, or `None` when its tick is used up.
    ///
    /// # Errors
    ///
    /// When there is no entropy.
    fn next(&self, last: Point, entropy: &impl Entropy) -> Result<Option<Point>, EntropyError>;

    /// The ID at a point.
    ///
    /// # Errors
    ///
    /// When there is no entropy.
    fn id(&self, point: Point, entropy: &impl Entropy) -> Result<Self::Id, EntropyError>;
}

/// [`Rules`] of a hybrid logical clock: their generators take note of IDs that were made elsewhere, and make
/// greater ones.
pub trait Hybrid: Rules {
    /// The point after which all IDs are greater than `id`, within [`ticks`](Rules::ticks). `None` where no
    /// generator may go on from the ID.
    fn point(&self, id: Self::Id) -> Option<Point>;

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
    last: Option<Point>,
    tick: u64,
    allowance: u64,
    entropy: &impl Entropy,
) -> Result<Point, GenerateError> {
    match last {
        Some(last) if tick <= last.tick => {
            let behind = rules.begins(last.tick) - rules.begins(tick);
            if behind > allowance {
                return Err(GenerateError::rollback(behind, allowance));
            }
            rules
                .next(last, entropy)?
                .ok_or_else(|| GenerateError::exhausted(rules.begins(last.tick.saturating_add(1))))
        }
        _ => Ok(rules.begin(last, tick, entropy)?),
    }
}

/// Where a generator keeps its last point and counts the rollbacks that it started over from:
/// [`Local`] or [`Shared`].
pub trait State: private::Sealed {
    /// Nothing made yet.
    const NEW: Self;

    /// The last point; `None` when nothing was made yet.
    fn last(&self) -> Option<Point>;

    /// Moves on from `last` to `next`; `false`, and nothing happens, when `last` is not the last point any
    /// more.
    fn replace(&self, last: Option<Point>, next: Point) -> bool;

    /// Makes `point` the last point, unless the last one is greater.
    fn raise(&self, point: Point) {
        let mut last = self.last();
        while last.is_none_or(|last| point > last) && !self.replace(last, point) {
            last = self.last();
        }
    }

    /// Counts one more.
    fn count_rollback(&self);

    /// How many were counted.
    fn rollbacks(&self) -> u64;
}

mod private {
    pub trait Sealed {}
}

/// The state of one owner.
#[derive(Debug)]
pub struct Local {
    last: Cell<Option<Point>>,
    rollbacks: Cell<u64>,
}

impl private::Sealed for Local {}

impl State for Local {
    const NEW: Self = Self { last: Cell::new(None), rollbacks: Cell::new(0) };

    #[inline]
    fn last(&self) -> Option<Point> {
        self.last.get()
    }

    #[inline]
    fn replace(&self, _: Option<Point>, next: Point) -> bool {
        self.last.set(Some(next));
        true
    }

    fn count_rollback(&self) {
        self.rollbacks.set(self.rollbacks.get() + 1);
    }

    fn rollbacks(&self) -> u64 {
        self.rollbacks.get()
    }
}

/// The state of many threads: the point in one 128-bit word, changed by compare-and-exchange. Lock-free where
/// the processor can do that: x86-64 and 64-bit ARM among others; elsewhere `portable-atomic` takes a short
/// lock.
#[cfg(target_has_atomic = "ptr")]
#[derive(Debug)]
pub struct Shared {
    last: AtomicU128,
    rollbacks: AtomicU64,
}

#[cfg(target_has_atomic = "ptr")]
impl Shared {
    /// The word of no point: no tick counts so far.
    const NONE: u128 = u128::MAX;

    #[inline]
    fn pack(point: Point) -> u128 {
        u128::from(point.tick) << 64 | u128::from(point.count)
    }
}

#[cfg(target_has_atomic = "ptr")]
impl private::Sealed for Shared {}

#[cfg(target_has_atomic = "ptr")]
impl State for Shared {
    const NEW: Self = Self { last: AtomicU128::new(Self::NONE), rollbacks: AtomicU64::new(0) };

    #[inline]
    fn last(&self) -> Option<Point> {
        match self.last.load(Acquire) {
            Self::NONE => None,
            word => Some(Point { tick: (word >> 64) as u64, count: word as u64 }),
        }
    }

    // The order of the IDs is the order of changes to this one word. It publishes the number of rollbacks, and
    // nothing else.
    #[inline]
    fn replace(&self, last: Option<Point>, next: Point) -> bool {
        let last = last.map_or(Self::NONE, Self::pack);
        self.last.compare_exchange_weak(last, Self::pack(next), Release, Relaxed).is_ok()
    }

    fn count_rollback(&self) {
        self.rollbacks.fetch_add(1, Relaxed);
    }

    fn rollbacks(&self) -> u64 {
        self.rollbacks.load(Relaxed)
    }
}
