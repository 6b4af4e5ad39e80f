//! IDs for given times: the policy that the backfills of all specifications share.

// A generator cannot make IDs for given times. It has one last position, so in a specification without random bits
// its IDs would repeat, and the rows of one tick would have no order. A backfill keeps the last count of each tick.
// It has no clock, and does not wait.
//
// Without `alloc`, times have to ascend. After `ascending()`, they have to ascend in every build. So a program that
// calls it behaves the same when another crate turns `alloc` on.

use crate::{
    BackfillError, Entropy, EntropyError, Position, Rules, UnixTime,
    error::{BackfillObstacle, create},
    generator::{micros, range},
};
#[cfg(feature = "std")]
#[cfg(feature = "alloc")]
use alloc::vec::Vec;
#[cfg(feature = "alloc")]
use core::cmp::Ordering;
use core::time::Duration;

#[cfg(all(feature = "alloc", not(feature = "std")))]
use alloc::collections::BTreeMap as Map;
// Its hash has a random key, so nobody can choose times that collide.
#[cfg(feature = "std")]
use std::collections::HashMap as Map;

/// [`Rules`] for given times. These methods are in a trait of their own: a wrapper of [`Rules`] that does not forward
/// them cannot be the rules of a [`Backfill`].
#[doc(hidden)]
pub trait BackfillRules: Rules {
    /// Returns the first count of a tick in a [`Backfill`]. The default is [`Rules::first_count`]. A lower count
    /// leaves room for more IDs: a generator can wait for the next tick, and a row cannot.
    ///
    /// # Errors
    ///
    /// If the source of random bytes fails.
    #[inline]
    fn backfill_first_count(&self, tick: u64, entropy: &impl Entropy) -> Result<u64, EntropyError> {
        self.first_count(tick, entropy)
    }

    /// Returns the count after `last` in a [`Backfill`]; `None` if the tick is full. The default is the count of
    /// [`Rules::next_position`].
    ///
    /// # Errors
    ///
    /// If the source of random bytes fails.
    #[inline]
    fn backfill_next_count(
        &self,
        last: Position,
        entropy: &impl Entropy,
    ) -> Result<Option<u64>, EntropyError> {
        let next = self.next_position(last, entropy)?.filter(|next| next.tick == last.tick);
        Ok(next.map(|next| next.count))
    }

    /// Returns the least number of IDs for which a tick of a [`Backfill`] has room. The default is 1.
    #[inline]
    fn backfill_capacity(&self) -> u64 {
        1
    }

    /// Returns how much later than its time an ID of a [`Backfill`] may be, unless the user sets another limit. The
    /// default is zero, because an exact time is the purpose of a backfill. If a tick is a microsecond, 999 µs are
    /// right: columns mostly hold milliseconds, and the ID stays in its millisecond.
    #[inline]
    fn backfill_spill(&self) -> Duration {
        Duration::ZERO
    }
}

/// Makes IDs for given times by the rules `R`. An ID has the tick of its time, and IDs of one tick are in the order in
/// which they were made.
///
/// The types `Backfill` of the spec crates wrap this type, and document it in the units of their specification.
///
/// | situation | [`generate`](Self::generate) |
/// |---|---|
/// | the times are in any order | remembers the last count of each tick: 16 to 40 bytes for each, and up to 60 while the table grows |
/// | the times ascend, with [`ascending`](Self::ascending) | remembers only the last ID; error `Descending` if a time is before the last one |
/// | a tick is full | takes the next tick that is not, at most [`spill`](Self::spill) later than the time; error `Full` if there is none |
/// | the time is outside the range of the timestamp | error `OutOfRange` |
/// | the source of random bytes fails | error `Entropy` |
///
/// An error leaves the backfill as it was.
///
/// ```
/// use core::{ops::RangeInclusive, time::Duration};
/// use sortid_core::{Backfill, BackfillRules, UnixMillis, Entropy, EntropyError, NoEntropy, Position, Rules};
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
/// impl BackfillRules for PerSecond {
///     fn backfill_capacity(&self) -> u64 {
///         2
///     }
/// }
///
/// let mut ids = Backfill::from_parts(PerSecond, NoEntropy);
/// assert_eq!(ids.generate_all([7000, 5000, 7000].map(UnixMillis))?, [(7, 1), (5, 1), (7, 2)]);
/// let error = ids.generate(UnixMillis(7000)).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "no ID is left for 1970-01-01T00:00:07.000000Z: its tick is full, with room for at least 2 IDs; \
///      let IDs take later ticks with `spill`, or make the times differ"
/// );
/// let mut ids = ids.spill(Duration::from_secs(1));
/// assert_eq!(ids.generate(UnixMillis(7000))?, (8, 1));
/// # Ok::<(), sortid_core::BackfillError>(())
/// ```
#[doc(hidden)]
#[derive(Debug)]
pub struct Backfill<R, E> {
    rules: R,
    entropy: E,
    /// How much later than its time an ID may be, in microseconds.
    spill: u64,
    memory: Memory,
}

#[derive(Debug)]
enum Memory {
    /// The last tick for which an ID was made, and the position of the last ID, which is in this tick or later.
    Last { asked: u64, position: Option<Position> },
    #[cfg(feature = "alloc")]
    All(Ticks),
}

impl<R: BackfillRules, E> Backfill<R, E> {
    /// Creates a backfill with these options, and with random bytes of your own. Without the feature `alloc`, its times
    /// have to ascend, as with [`ascending`](Self::ascending).
    #[must_use]
    pub fn from_parts(options: R, entropy: E) -> Self {
        let spill = micros(options.backfill_spill());
        #[cfg(feature = "alloc")]
        let memory = Memory::All(Ticks::default());
        #[cfg(not(feature = "alloc"))]
        let memory = Memory::Last { asked: 0, position: None };
        Self { rules: options, entropy, spill, memory }
    }

    /// Expects times that ascend or repeat. Then the backfill remembers only the last ID, and all IDs ascend.
    ///
    /// Call it before the first ID: it forgets the IDs of other times.
    #[must_use]
    pub fn ascending(self) -> Self {
        let (asked, position) = match &self.memory {
            Memory::Last { asked, position } => (*asked, *position),
            #[cfg(feature = "alloc")]
            Memory::All(ticks) => (0, ticks.last()),
        };
        Self { memory: Memory::Last { asked, position }, ..self }
    }

    /// Lets the IDs of a full tick take following ticks. An ID is at most `at_most` later than its time.
    #[must_use]
    pub fn spill(mut self, at_most: Duration) -> Self {
        self.spill = micros(at_most);
        self
    }
}

impl<R: BackfillRules, E: Entropy> Backfill<R, E> {
    /// Makes an ID for this time.
    ///
    /// # Errors
    ///
    /// See the [table](Self).
    #[inline]
    pub fn generate(&mut self, time: impl UnixTime) -> Result<R::Id, BackfillError> {
        let time = time.unix_micros();
        self.generate_at(time).map_err(|kind| create::backfill(kind, time))
    }

    /// Makes an ID for each time.
    ///
    /// # Errors
    ///
    /// See the [table](Self). The IDs of the times before the wrong one are lost, and the backfill continues after
    /// them.
    #[cfg(feature = "alloc")]
    pub fn generate_all<T: UnixTime>(
        &mut self,
        times: impl IntoIterator<Item = T>,
    ) -> Result<Vec<R::Id>, BackfillError> {
        times
            .into_iter()
            .enumerate()
            .map(|(index, time)| self.generate(time).map_err(|error| error.at(index)))
            .collect()
    }

    /// Continues after an ID of an earlier backfill: all later IDs of its tick are greater. With
    /// [`ascending`](Self::ascending), all later IDs are greater. The options have to be the same as before.
    ///
    /// # Errors
    ///
    /// `NoTime` if no ID can follow this one. The error leaves the backfill as it was.
    pub fn resume_after(&mut self, id: R::Id) -> Result<(), BackfillError> {
        let Some(position) = self.rules.position(id) else {
            return Err(create::backfill(BackfillObstacle::NoTime, 0));
        };
        match &mut self.memory {
            Memory::Last { position: last, .. } => *last = (*last).max(Some(position)),
            #[cfg(feature = "alloc")]
            Memory::All(ticks) => ticks.raise(position),
        }
        Ok(())
    }

    #[inline]
    fn generate_at(&mut self, time: i128) -> Result<R::Id, BackfillObstacle> {
        let tick = tick_at(&self.rules, time)?;
        // What can fail comes first, so an error changes nothing.
        let random = self.rules.draw(&self.entropy)?;
        let position = self.position_from(tick)?;
        Ok(self.rules.id(position, 0, random))
    }

    /// Takes the first free position of this tick, or of a following one within what may be spilled into.
    #[inline]
    fn position_from(&mut self, tick: u64) -> Result<Position, BackfillObstacle> {
        let Self { rules, entropy, spill, memory } = self;
        match memory {
            Memory::Last { asked, position } => {
                let next = after(rules, entropy, *spill, *asked, *position, tick)?;
                (*asked, *position) = (tick, Some(next));
                Ok(next)
            }
            #[cfg(feature = "alloc")]
            Memory::All(ticks) => {
                if ticks.is_after_all(tick) {
                    let count = rules.backfill_first_count(tick, entropy)?;
                    ticks.latest.push((tick, Slot::last(count)));
                    return Ok(Position { tick, count });
                }
                ticks.take(rules, entropy, *spill, tick)
            }
        }
    }
}

/// Makes one ID for this time. It has as many random bits as the first ID of a tick, and no order among others of the tick.
///
/// # Errors
///
/// `ClockOutOfRange` if no ID has the time; `Entropy` if the source of random bytes fails.
pub fn one_at<R: Rules>(
    rules: &R,
    entropy: &impl Entropy,
    time: impl UnixTime,
) -> Result<R::Id, BackfillError> {
    let time = time.unix_micros();
    let make = || {
        let tick = tick_at(rules, time)?;
        let position = Position { tick, count: rules.first_count(tick, entropy)? };
        Ok(rules.id(position, 0, rules.draw(entropy)?))
    };
    make().map_err(|kind| create::backfill(kind, time))
}

/// Returns the tick of a time in microseconds since 1970, if an ID can have it.
#[inline]
fn tick_at<R: Rules>(rules: &R, time: i128) -> Result<u64, BackfillObstacle> {
    let tick = u64::try_from(time).ok().and_then(|micros| rules.tick(micros));
    tick.filter(|tick| rules.ticks().contains(tick)).ok_or_else(|| {
        let (first, last) = range(rules);
        BackfillObstacle::OutOfRange { first, last }
    })
}

/// Returns the position that follows the last one, for a time in `tick`. `asked` is the tick of the time before.
fn after<R: BackfillRules>(
    rules: &R,
    entropy: &impl Entropy,
    spill: u64,
    asked: u64,
    last: Option<Position>,
    tick: u64,
) -> Result<Position, BackfillObstacle> {
    let Some(last) = last.filter(|last| last.tick >= tick) else {
        return Ok(Position { tick, count: rules.backfill_first_count(tick, entropy)? });
    };
    let ahead = distance(rules, tick, last.tick);
    if tick < asked {
        let (by, last) = (distance(rules, tick, asked), rules.tick_start(asked));
        return Err(BackfillObstacle::Descending { by, last, is_resumed: false });
    }
    if ahead > spill {
        let last = rules.tick_start(last.tick);
        return Err(BackfillObstacle::Descending { by: ahead, last, is_resumed: true });
    }
    if let Some(count) = rules.backfill_next_count(last, entropy)? {
        return Ok(Position { count, ..last });
    }
    let tick = within(rules, spill, tick, last.tick.checked_add(1))?;
    Ok(Position { tick, count: rules.backfill_first_count(tick, entropy)? })
}

/// Returns the microseconds from the start of one tick to the start of a later one.
fn distance<R: Rules>(rules: &R, from: u64, to: u64) -> u64 {
    rules.tick_start(to).saturating_sub(rules.tick_start(from))
}

/// Returns `next` if an ID of a time in `tick` may have it.
fn within<R: BackfillRules>(
    rules: &R,
    spill: u64,
    tick: u64,
    next: Option<u64>,
) -> Result<u64, BackfillObstacle> {
    let next = next.filter(|next| rules.ticks().contains(next));
    next.filter(|next| distance(rules, tick, *next) <= spill).ok_or_else(|| BackfillObstacle::Full {
        capacity: rules.backfill_capacity(),
        spill,
        is_end: next.is_none(),
    })
}

/// The count of the last ID of a tick; or, for a full tick, the distance to a later tick. All ticks between the two
/// are full.
#[cfg(feature = "alloc")]
#[derive(Clone, Copy, Debug)]
struct Slot(u64);

#[cfg(feature = "alloc")]
impl Slot {
    /// Counts and distances are less.
    const FULL: u64 = 1 << 63;

    const fn last(count: u64) -> Self {
        Self(count)
    }

    const fn full(distance: u64) -> Self {
        Self(Self::FULL | distance)
    }

    /// The last count; `Err` with the distance if the tick is full.
    const fn get(self) -> Result<u64, u64> {
        if self.0 & Self::FULL == 0 { Ok(self.0) } else { Err(self.0 & !Self::FULL) }
    }
}

/// All ticks that have IDs.
#[cfg(feature = "alloc")]
#[derive(Debug, Default)]
struct Ticks {
    /// The ticks that were later than all ticks before them. They are sorted, and ascending times only append to them.
    latest: Vec<(u64, Slot)>,
    /// The other ticks.
    others: Map<u64, Slot>,
}

#[cfg(feature = "alloc")]
impl Ticks {
    #[inline]
    fn is_after_all(&self, tick: u64) -> bool {
        self.latest.last().is_none_or(|(last, _)| tick > *last)
    }

    /// The place of a tick, if the tick is known.
    #[inline]
    fn find(&mut self, tick: u64) -> Option<&mut Slot> {
        let end = self.latest.len().checked_sub(1)?;
        let found = match tick.cmp(&self.latest[end].0) {
            Ordering::Greater => return None,
            Ordering::Equal => Ok(end),
            Ordering::Less => self.latest.binary_search_by_key(&tick, |(tick, _)| *tick),
        };
        match found {
            Ok(at) => Some(&mut self.latest[at].1),
            Err(_) => self.others.get_mut(&tick),
        }
    }

    fn insert(&mut self, tick: u64, slot: Slot) {
        if self.is_after_all(tick) {
            self.latest.push((tick, slot));
        } else {
            self.others.insert(tick, slot);
        }
    }

    /// The last position; `None` if there is none. If its tick is full, the position is at the tick's end.
    fn last(&self) -> Option<Position> {
        let (tick, slot) = self.latest.last()?;
        Some(Position { tick: *tick, count: slot.get().unwrap_or(Position::LAST_COUNT) })
    }

    fn raise(&mut self, position: Position) {
        let Position { tick, count } = position;
        match self.find(tick) {
            None => self.insert(tick, Slot::last(count)),
            Some(slot) => {
                if let Ok(last) = slot.get() {
                    *slot = Slot::last(last.max(count));
                }
            }
        }
    }

    /// Takes the first free position of `tick`, or of a following one within what may be spilled into.
    ///
    /// On its way, it lets each full tick point to the place to which the next one points. So the way is short the
    /// next time, and a million rows of one full tick take little longer than other rows.
    fn take<R: BackfillRules>(
        &mut self,
        rules: &R,
        entropy: &impl Entropy,
        spill: u64,
        tick: u64,
    ) -> Result<Position, BackfillObstacle> {
        let mut at = tick;
        let mut before = None;
        loop {
            let Some(slot) = self.find(at) else {
                let count = rules.backfill_first_count(at, entropy)?;
                self.insert(at, Slot::last(count));
                return Ok(Position { tick: at, count });
            };
            let distance = match slot.get() {
                Ok(last) => {
                    if let Some(count) =
                        rules.backfill_next_count(Position { tick: at, count: last }, entropy)?
                    {
                        *slot = Slot::last(count);
                        return Ok(Position { tick: at, count });
                    }
                    // The tick stays full. A smaller random step could still fit later, but its ID would come before
                    // the one that spills into it now.
                    *slot = Slot::full(1);
                    1
                }
                Err(distance) => distance,
            };
            let next = within(rules, spill, tick, at.checked_add(distance))?;
            if let Some(before) = before {
                if let Some(slot) = self.find(before) {
                    *slot = Slot::full(next - before);
                }
            }
            (before, at) = (Some(at), next);
        }
    }
}
