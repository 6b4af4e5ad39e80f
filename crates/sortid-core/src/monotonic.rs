//! The state that keeps IDs in order, and the one step that advances it.
//!
//! A specification's ordering rules are [`Rules`]: pure functions from the last position and the clock's tick to the next
//! position. [`step`] adds the policy for a clock that goes back, which all specifications share. Both are free of clocks,
//! threads and atomics. A [`StateCell`] stores the [`State`].

use crate::{Entropy, EntropyError, GenerateError, OptionError, SortableId, error::create, process::process};
#[cfg(target_has_atomic = "ptr")]
use crate::{
    Fence,
    word::{AtomicProcess, AtomicU128},
};
use core::{cell::Cell, ops::RangeInclusive, time::Duration};
#[cfg(target_has_atomic = "ptr")]
use portable_atomic::Ordering::{Acquire, Relaxed, Release};

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
    /// Bits of a count. The other 16 of a [`SharedCell`]'s 128 bits hold the number of rollbacks.
    pub const COUNT_BITS: u32 = 48;

    /// The greatest count.
    pub(crate) const LAST_COUNT: u64 = (1 << Self::COUNT_BITS) - 1;
}

/// How a specification orders its IDs. The spec crates' `Options` implement it.
///
/// ```
/// use core::{ops::RangeInclusive, time::Duration};
/// use sortid_core::{
///     Entropy, EntropyError, Generator, LocalCell, NoEntropy, Position, Rules, testing::ManualClock,
/// };
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
/// let ids = Generator::<_, LocalCell, _, _>::from_parts(PerSecond, &clock, NoEntropy);
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

    /// How far the clock may go back before the generator treats it as set back, unless the generator's user sets
    /// another allowance.
    const ROLLBACK_ALLOWANCE: Duration = Duration::from_secs(10);

    /// Returns how many bits of the first ID of a tick are random. The default is 0, which is always safe.
    ///
    /// An ID for a time that was used before can be an ID that was made before, and only random bits make that unlikely. So
    /// a generator starts over only with at least 64 of them, and a forked child uses the generator of its parent only if
    /// there are any.
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

    /// Returns whether a generator that has started over `rollbacks` times may start over again, after its clock was
    /// set back by more than the allowance. By default, it may if IDs have at least 64 [random bits](Self::random_bits).
    #[inline]
    fn starts_over(&self, rollbacks: u16) -> bool {
        let _ = rollbacks;
        self.random_bits() >= 64
    }

    /// Returns the ID at a position, of a generator that has started over `rollbacks` times.
    fn id(&self, position: Position, rollbacks: u16, random: Self::Random) -> Self::Id;

    /// Returns the position after which all IDs are greater than `id`; `None` if no generator can continue from the ID.
    fn position(&self, id: Self::Id) -> Option<Position>;

    /// Returns the least number of times that a generator with these rules had started over when it made `id`. The
    /// default is 0.
    #[inline]
    fn rollbacks(&self, id: Self::Id) -> u16 {
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

/// The options of a generator whose IDs can contain the node ID of a fleet's node: the `Options` of a specification.
pub trait NodeOptions {
    /// The type of the IDs.
    type Id: SortableId;

    /// The rules of the generator with the node ID.
    #[doc(hidden)]
    type Rules: Rules<Id = Self::Id> + Send + Sync + 'static;

    /// Returns the rules of the node with this node ID, in a fleet with the node IDs `0..size`. IDs with different node IDs
    /// always differ.
    ///
    /// # Errors
    ///
    /// If `node_id` is not below `size`, or the field for the node ID has no room for so many node IDs.
    #[doc(hidden)]
    fn with_node_id(self, node_id: u32, size: u32) -> Result<Self::Rules, OptionError>;
}

/// The options of a generator that can observe the IDs of others: a hybrid logical clock, such as that of RON UIDs.
pub trait Hybrid: NodeOptions<Rules: HybridRules> {}

/// [`Rules`] that have defaults.
#[doc(hidden)]
pub trait DefaultRules: Rules {
    /// The specification's defaults.
    const DEFAULT: Self;
}

/// Returns the position that follows the last one when the clock is at `tick`. If the clock is behind it by at most
/// `allowance` microseconds, the position continues from the last one.
pub(crate) fn step<R: Rules>(
    rules: &R,
    State { last, rollbacks }: State,
    tick: u64,
    allowance: u64,
    entropy: &impl Entropy,
) -> Result<Position, GenerateError> {
    match last {
        Some(last) if tick <= last.tick => {
            if tick != last.tick {
                let behind = rules.tick_start(last.tick) - rules.tick_start(tick);
                if behind > allowance {
                    return Err(create::clock_rollback(behind, allowance, rules.starts_over(rollbacks)));
                }
            }
            let next = rules
                .next_position(last, entropy)?
                .ok_or_else(|| create::exhausted(rules.tick_start(last.tick.saturating_add(1))))?;
            if next.tick != last.tick && rules.tick_start(next.tick) - rules.tick_start(tick) > allowance {
                // RON UIDs and Event IDs carry into the next tick. If the generator were ahead of the clock by more
                // than the allowance, its next call would treat the clock as set back.
                return Err(create::exhausted(first_start(rules, rules.tick_start(next.tick) - allowance)));
            }
            Ok(next)
        }
        _ => Ok(rules.first_position(last, tick, entropy)?),
    }
}

/// Returns the start of the first tick that starts at this time or later.
#[cold]
fn first_start<R: Rules>(rules: &R, time: u64) -> u64 {
    rules.tick(time.saturating_sub(1)).map_or(time, |tick| rules.tick_start(tick + 1))
}

/// In place of the number of a process: nobody has used the state.
pub(crate) const NO_PROCESS: u64 = 0;

/// The state of a generator.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State {
    /// The last position; `None` before the first ID.
    pub last: Option<Position>,
    /// How often the generator started over. After 65 535 the number continues from 0.
    pub rollbacks: u16,
}

impl State {
    const NEW: Self = Self { last: None, rollbacks: 0 };

    /// Returns this state with another last position.
    #[inline]
    #[must_use]
    pub const fn with_last(self, position: Position) -> Self {
        Self { last: Some(position), ..self }
    }
}

/// A cell in which a generator stores its [`State`]: [`LocalCell`] or [`SharedCell`]. The last position and the number of
/// rollbacks change together, so no thread sees one change without the other.
#[doc(hidden)]
pub trait StateCell: private::Sealed {
    /// A cell with the state before the first ID.
    const NEW: Self;

    /// Returns the current state.
    fn load(&self) -> State;

    /// Replaces `current` with `next`. Returns `false` and changes nothing if the state is not `current` any more; may
    /// fail spuriously.
    fn replace(&self, current: State, next: State) -> bool;

    /// Returns the number of the process that used the state before; 0 before the first use.
    fn process(&self) -> u64;

    /// Changes the number of the process. A thread that reads the number sees all earlier changes of the state.
    fn set_process(&self, process: u64);

    /// Makes this process the only one that uses the state.
    ///
    /// # Errors
    ///
    /// `OtherProcess` if this process is a fork of the one that uses the state.
    #[inline]
    fn claim(&self) -> Result<(), GenerateError> {
        match self.process() {
            NO_PROCESS => self.set_process(process()),
            user if user == process() => {}
            _ => return Err(create::other_process()),
        }
        Ok(())
    }

    /// Makes `position` the last position, unless the last position is greater.
    fn raise(&self, position: Position) {
        self.raise_both(position, 0);
    }

    /// Raises the last position, and the number of rollbacks. Neither goes back.
    fn raise_both(&self, position: Position, rollbacks: u16) {
        loop {
            let state = self.load();
            let next = State {
                last: Some(state.last.map_or(position, |last| last.max(position))),
                rollbacks: state.rollbacks.max(rollbacks),
            };
            if next == state || self.replace(state, next) {
                return;
            }
        }
    }
}

mod private {
    pub trait Sealed {}
}

/// The state of a generator with one owner.
#[doc(hidden)]
#[derive(Debug)]
pub struct LocalCell {
    state: Cell<State>,
    process: Cell<u64>,
}

impl private::Sealed for LocalCell {}

impl StateCell for LocalCell {
    const NEW: Self = Self { state: Cell::new(State::NEW), process: Cell::new(NO_PROCESS) };

    #[inline]
    fn load(&self) -> State {
        self.state.get()
    }

    #[inline]
    fn replace(&self, current: State, next: State) -> bool {
        // A clock or a source of random bytes may have used the generator meanwhile.
        let is_current = self.state.get() == current;
        if is_current {
            self.state.set(next);
        }
        is_current
    }

    #[inline]
    fn process(&self) -> u64 {
        self.process.get()
    }

    fn set_process(&self, process: u64) {
        self.process.set(process);
    }
}

// The word has 128 bits. Most specifications need at most 64, but SCRU160 with an extended counter needs 48 + 32
// bits, and EUID would need a keyed function for its random start. In 128 bits, each position fits unchanged. Stable
// Rust has no atomic of 128 bits, so `portable-atomic` is a dependency, the only one when the default features are
// off. The price on two x86-64 cores: a load and an exchange take 6.4 ns instead of 2.4. With a reading of the clock
// before each, as in a generator, that is 30 ns instead of 28 on one thread, and 25 instead of 26 on two.
//
// The number of rollbacks is in the same word. In another word, a thread could read it a moment before the order
// breaks.
/// The state of a generator for many threads, in one 128-bit word that changes by compare-and-exchange. Lock-free on
/// x86-64, 64-bit ARM and s390x. Other processors, such as those of 32 bits, take a short lock. With the feature `std`, the
/// child of a fork takes over a lock that a thread of its parent held.
#[doc(hidden)]
#[cfg(target_has_atomic = "ptr")]
#[derive(Debug)]
pub struct SharedCell {
    word: AtomicU128,
    process: AtomicProcess,
}

#[cfg(target_has_atomic = "ptr")]
impl SharedCell {
    /// The word before the first ID. No state uses it: it would be the greatest count of the last tick.
    const NONE: u128 = u128::MAX;

    /// Packs tick, rollbacks and count, from the top.
    #[inline]
    fn pack(state: State) -> u128 {
        let Some(Position { tick, count }) = state.last else { return Self::NONE };
        assert!(count >> Position::COUNT_BITS == 0, "a count has 48 bits");
        u128::from(tick) << 64 | u128::from(u64::from(state.rollbacks) << Position::COUNT_BITS | count)
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

// The order of the IDs is the order of changes to this one word, which is the same for all threads. The word publishes
// nothing else, so it needs no other memory order.
#[cfg(target_has_atomic = "ptr")]
impl StateCell for SharedCell {
    const NEW: Self = Self { word: AtomicU128::new(Self::NONE), process: AtomicProcess::new(NO_PROCESS) };

    #[inline]
    fn load(&self) -> State {
        Self::unpack(self.word.load(Relaxed))
    }

    #[inline]
    fn replace(&self, current: State, next: State) -> bool {
        self.word.compare_exchange_weak(Self::pack(current), Self::pack(next), Relaxed, Relaxed).is_ok()
    }

    // A thread that reads the number of its process must not exchange a word from before the fork.
    #[inline]
    fn process(&self) -> u64 {
        self.process.load(Acquire)
    }

    fn set_process(&self, process: u64) {
        self.process.store(process, Release);
    }
}
