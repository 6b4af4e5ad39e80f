//! The rules that keep IDs in order, and the one step that follows them.
//!
//! A specification's ordering rules are [`Rules`]: pure functions from the last position and the clock's tick to the next
//! position. [`step`] adds the policy for a clock that goes back, which all specifications share. Both are free of clocks,
//! threads and atomics.

#[cfg(target_has_atomic = "ptr")]
use crate::Fence;
use crate::{ConfigError, Entropy, EntropyError, GenerateError, error::create, generator::micros};
use core::{ops::RangeInclusive, time::Duration};

/// A position in a generator's order: a tick of the specification's clock, and a count within the tick.
///
/// A *tick* is the smallest step of a specification's clock: a millisecond or a microsecond.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// Ticks since the specification's epoch.
    pub tick: u64,
    /// The order of the IDs of one tick, in [`COUNT_BITS`](Self::COUNT_BITS).
    pub count: u64,
}

impl Position {
    /// Bits of a count. The other 16 of the state's 128 bits hold the number of resets.
    pub const COUNT_BITS: u32 = 48;

    /// The greatest count.
    pub(crate) const LAST_COUNT: u64 = (1 << Self::COUNT_BITS) - 1;
}

/// How a specification orders its IDs. The spec crates' `Options` implement it.
///
/// ```
/// use core::{ops::RangeInclusive, time::Duration};
/// use sortid_core::{Entropy, EntropyError, Generator, NoEntropy, Position, Rules, testing::ManualClock};
///
/// /// Two IDs a second. An ID is the second, and 1 or 2.
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
///     fn id(&self, position: Position, _: u16, _: [u8; 0]) -> (u64, u64) {
///         (position.tick, position.count)
///     }
///
///     fn position(&self, (tick, count): (u64, u64)) -> Option<Position> {
///         Some(Position { tick, count })
///     }
/// }
///
/// let clock = ManualClock::new(Duration::from_secs(7));
/// let ids = Generator::from_parts(PerSecond, &clock, NoEntropy);
/// assert_eq!([ids.try_generate()?, ids.try_generate()?], [(7, 1), (7, 2)]);
/// assert!(ids.try_generate().is_err());
/// # Ok::<(), sortid_core::GenerateError>(())
/// ```
#[doc(hidden)]
pub trait Rules {
    /// The ID.
    type Id: Copy;

    /// The random bytes that an ID has in addition to its position: `[u8; N]`.
    type Random: RandomBytes;

    /// Returns what the user of the generator chose for a clock that goes back. The default is no choice.
    #[inline]
    fn rollback_policy(&self) -> RollbackPolicy {
        RollbackPolicy::new()
    }

    /// Returns what a generator does if its user did not choose. By default, it [resets](Rollback::Reset) if IDs have at least
    /// 64 [random bits](Self::random_bits), and [fails](Rollback::Fail) if not.
    #[inline]
    fn default_rollback(&self) -> Rollback {
        if self.random_bits() >= 64 { Rollback::Reset } else { Rollback::Fail }
    }

    /// Returns what a generator does after its clock was set back: what its user chose, or the default.
    // Who sets an allowance and nothing else wants a limit, which `Continue` does not have.
    fn on_rollback(&self) -> Rollback {
        let RollbackPolicy { rollback, allowance } = self.rollback_policy();
        rollback.unwrap_or_else(|| match self.default_rollback() {
            Rollback::Continue if allowance.is_some() => Rollback::Fail,
            rollback => rollback,
        })
    }

    /// Returns how far the clock may be behind the last ID, in microseconds.
    fn allowance(&self) -> u64 {
        match self.on_rollback() {
            Rollback::Continue => u64::MAX,
            Rollback::Fail | Rollback::Reset => {
                self.rollback_policy().allowance.unwrap_or(RollbackPolicy::DEFAULT_ALLOWANCE)
            }
        }
    }

    /// Returns how many bits of the first ID of a tick are random. The default is 0, which is always safe.
    ///
    /// An ID for a time that was used before can be an ID that was made before, and only random bits make that unlikely. So
    /// a generator [resets](Rollback::Reset) by default only with at least 64 of them. It resets at all, and a forked child
    /// uses the generator of its parent, only if there are any.
    #[inline]
    fn random_bits(&self) -> u32 {
        0
    }

    /// Returns the tick that contains a Unix time in microseconds; `None` before the epoch.
    fn tick(&self, unix_micros: u64) -> Option<u64>;

    /// Returns whether ticks are the milliseconds since 1970. The generator then reads the milliseconds of the clock,
    /// and does not call [`tick`](Self::tick), which returns the same number. The default is `false`, which is always
    /// right.
    // Only EUID overrides it, because a division by 1000 takes 0.7 of its 29 ns. SCRU160, whose ticks can be
    // microseconds, gained nothing in measurements. The ticks of Ulid-Flakes begin in 2024.
    #[inline]
    fn are_ticks_unix_millis(&self) -> bool {
        false
    }

    /// Returns the Unix time at which a tick starts, in microseconds. Saturates.
    fn tick_start(&self, tick: u64) -> u64;

    /// Returns the ticks that a generator may use.
    fn ticks(&self) -> RangeInclusive<u64>;

    /// Returns the first count of a new tick.
    ///
    /// # Errors
    ///
    /// If the source of random bytes fails.
    fn first_count(&self, tick: u64, entropy: &impl Entropy) -> Result<u64, EntropyError>;

    /// Returns the first position after `last` when the clock is at a later tick. The position is greater than `last`. Its
    /// tick is `tick`, or an earlier one if the rules drop a part of the clock's precision.
    ///
    /// # Errors
    ///
    /// If the source of random bytes fails.
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

    /// Returns the position after `last`; `None` if the tick is used up.
    ///
    /// # Errors
    ///
    /// If the source of random bytes fails.
    fn next_position(&self, last: Position, entropy: &impl Entropy)
    -> Result<Option<Position>, EntropyError>;

    /// Returns whether a generator that was reset `resets` times may be reset again. By default, it may if IDs have
    /// [random bits](Self::random_bits).
    #[inline]
    fn can_reset(&self, resets: u16) -> bool {
        let _ = resets;
        self.random_bits() > 0
    }

    /// Draws the random bytes of an ID. Rules that are a value may draw fewer of them.
    ///
    /// # Errors
    ///
    /// If the source of random bytes fails.
    #[inline]
    fn draw(&self, entropy: &impl Entropy) -> Result<Self::Random, EntropyError> {
        Self::Random::draw(entropy)
    }

    /// Draws the random bytes of many IDs, in one request.
    ///
    /// # Errors
    ///
    /// If the source of random bytes fails.
    #[inline]
    fn draw_all(&self, all: &mut [Self::Random], entropy: &impl Entropy) -> Result<(), EntropyError> {
        Self::Random::draw_all(all, entropy)
    }

    /// Returns the ID at a position, of a generator that was reset `resets` times.
    fn id(&self, position: Position, resets: u16, random: Self::Random) -> Self::Id;

    /// Returns the position after which all IDs are greater than `id`; `None` if no generator can continue from the ID.
    fn position(&self, id: Self::Id) -> Option<Position>;

    /// Returns the least number of times that a generator with these rules had been reset when it made `id`. The default
    /// is 0.
    #[inline]
    fn resets(&self, id: Self::Id) -> u16 {
        let _ = id;
        0
    }

    /// Returns the fence that all IDs are before; `None`, the default, if there is none. Only [`Fenced`](crate::Fenced)
    /// rules have one.
    #[cfg(target_has_atomic = "ptr")]
    #[inline]
    fn fence(&self) -> Option<&Fence> {
        None
    }
}

// The bytes are drawn before [`Rules::id`] makes the ID: drawing them can fail, and making an ID cannot. So an ID
// goes straight to its destination. In a `Result` whose error has other fields, it would go through memory, which
// takes as long as all the rest.
/// Random bytes whose number is known at compile time.
#[doc(hidden)]
pub trait RandomBytes: Copy {
    /// Bytes that are all zero, where random bytes are going to be.
    const ZERO: Self;

    /// Draws the bytes.
    ///
    /// # Errors
    ///
    /// If the source of random bytes fails.
    fn draw(entropy: &impl Entropy) -> Result<Self, EntropyError>;

    /// Draws the bytes of many IDs, in one request.
    ///
    /// # Errors
    ///
    /// If the source of random bytes fails.
    fn draw_all(all: &mut [Self], entropy: &impl Entropy) -> Result<(), EntropyError>;
}

impl<const N: usize> RandomBytes for [u8; N] {
    const ZERO: Self = [0; N];

    #[inline]
    fn draw(entropy: &impl Entropy) -> Result<Self, EntropyError> {
        if N == 0 { Ok([0; N]) } else { entropy.draw() }
    }

    #[inline]
    fn draw_all(all: &mut [Self], entropy: &impl Entropy) -> Result<(), EntropyError> {
        if N == 0 { Ok(()) } else { entropy.fill(all.as_flattened_mut()) }
    }
}

/// [`Rules`] of a hybrid logical clock: a generator that observed an ID of another generator generates greater IDs.
#[doc(hidden)]
pub trait HybridRules: Rules {
    /// Returns how far ahead of the clock an observed ID may be.
    fn future_bound(&self) -> Duration;
}

/// The options of a generator whose IDs can contain the node ID of a fleet's node: the `Options` of a specification. Only they implement it.
pub trait NodeOptions: crate::__private::Sealed {
    /// The type of the IDs.
    type Id: Copy + Ord + Send + Sync + 'static;

    /// The rules of the generator with the node ID.
    #[doc(hidden)]
    type Rules: Rules<Id = Self::Id> + Send + Sync + 'static;

    /// Returns the [name](crate::SortableId::NAME) of the specification: a node has one generator of each.
    #[doc(hidden)]
    fn spec(&self) -> &'static str;

    /// Returns the rules of the node with this node ID, in a fleet with the node IDs `0..size`. IDs with different node IDs
    /// always differ.
    ///
    /// # Errors
    ///
    /// If `node_id` is not below `size`, or the field for the node ID has no room for so many node IDs.
    #[doc(hidden)]
    fn with_node_id(self, node_id: u32, size: u32) -> Result<Self::Rules, ConfigError>;
}

/// The options of a generator that can observe the IDs of others: a hybrid logical clock, such as that of RON UIDs.
pub trait Hybrid: NodeOptions<Rules: HybridRules> {}

/// What a generator does when its clock is behind its last ID by more than the *rollback allowance*: after the clock was set
/// back. Within the allowance, it continues from its last ID.
///
/// The default depends on the specification, and on the number of random bits that the options leave:
/// `Options::rollback` says which one it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Rollback {
    /// Returns the error [`ClockRollback`](crate::GenerateErrorKind::ClockRollback) until the clock has caught up.
    Fail,
    /// Continues from the last ID, whatever the clock says. IDs then have the time of the last ID, or a later one, until the
    /// clock has caught up.
    Continue,
    /// Gives up the order: continues at the new, earlier time, so the next ID is less than the last one. `resets` of the
    /// generator counts this.
    ///
    /// IDs of the earlier time may have been made before, and only random bits make the new ones distinct. A generator whose
    /// IDs have none returns the error `ClockRollback` instead.
    Reset,
}

impl Rollback {
    /// All, from the least to the greatest freedom.
    #[doc(hidden)]
    pub const ALL: [Self; 3] = [Self::Fail, Self::Continue, Self::Reset];

    /// The name: `fail`, `continue` or `reset`.
    #[doc(hidden)]
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Fail => "fail",
            Self::Continue => "continue",
            Self::Reset => "reset",
        }
    }
}

/// What the user of a generator chose for a clock that goes back: the fields of `Options` that all specifications share.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RollbackPolicy {
    rollback: Option<Rollback>,
    /// In microseconds.
    allowance: Option<u64>,
}

impl RollbackPolicy {
    /// The allowance of a generator whose user did not choose one, in microseconds: 10 s.
    const DEFAULT_ALLOWANCE: u64 = 10_000_000;

    /// Creates the policy of a user who chose nothing.
    #[must_use]
    pub const fn new() -> Self {
        Self { rollback: None, allowance: None }
    }

    /// Returns the policy with this choice.
    #[must_use]
    pub const fn with_rollback(self, rollback: Rollback) -> Self {
        Self { rollback: Some(rollback), ..self }
    }

    /// Returns the policy with this allowance.
    #[must_use]
    pub const fn with_allowance(self, allowance: Duration) -> Self {
        Self { allowance: Some(micros(allowance)), ..self }
    }
}

/// Returns the position that follows `last` when the clock is at `tick`. If the clock is behind it by at most the rollback
/// allowance, the position continues from the last one.
pub(crate) fn step<R: Rules>(
    rules: &R,
    last: Option<Position>,
    tick: u64,
    entropy: &impl Entropy,
) -> Result<Position, GenerateError> {
    match last {
        Some(last) if tick <= last.tick => {
            if tick != last.tick {
                check_behind(rules, last.tick, tick)?;
            }
            let next = rules
                .next_position(last, entropy)?
                .ok_or_else(|| create::exhausted(rules.tick_start(last.tick.saturating_add(1))))?;
            if next.tick != last.tick {
                // RON UIDs and Event IDs carry into the next tick. If the generator were ahead of the clock by more
                // than the allowance, its next call would treat the clock as set back.
                let allowance = rules.allowance();
                if rules.tick_start(next.tick) - rules.tick_start(tick) > allowance {
                    return Err(create::exhausted(first_start(
                        rules,
                        rules.tick_start(next.tick) - allowance,
                    )));
                }
            }
            Ok(next)
        }
        _ => Ok(rules.first_position(last, tick, entropy)?),
    }
}

/// Returns an error if a clock at `tick` is too far behind the last ID.
#[cold]
#[inline(never)]
fn check_behind<R: Rules>(rules: &R, last: u64, tick: u64) -> Result<(), GenerateError> {
    let behind = rules.tick_start(last) - rules.tick_start(tick);
    let allowance = rules.allowance();
    if behind > allowance { Err(create::clock_rollback(behind, allowance)) } else { Ok(()) }
}

/// Returns the start of the first tick that starts at this time or later.
#[cold]
fn first_start<R: Rules>(rules: &R, time: u64) -> u64 {
    rules.tick(time.saturating_sub(1)).map_or(time, |tick| rules.tick_start(tick + 1))
}
