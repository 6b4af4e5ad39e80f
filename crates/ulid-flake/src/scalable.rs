//! The scalable version: the low 5 of the 20 random bits are a node ID instead.
//!
//! An ID does not store its version, so both versions have one type, [`UlidFlake`]. [`UlidFlake::scalable`] returns a view
//! with the fields of the scalable version.
//!
//! ```
//! use ulid_flake::scalable::{Generator, Options};
//!
//! let node = Options::new(7)?.build();
//! let id = node.generate()?;
//! assert_eq!(id.scalable().scalability(), 7);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

// A second ID type would repeat 250 lines of `UlidFlake`, and could not refuse an ID of the other version.

use crate::{Epoch, UlidFlake, id};
use core::ops::RangeInclusive;
use sortid_core::{
    __private::{error, option},
    BackfillRules, ConfigError, Configure, Entropy, EntropyError, Field, FieldValue, NodeOptions, OptionInfo,
    Position, RangeError, Role, RollbackPolicy, Rules, SortableId as _,
};

/// The fields in order. The last two are in the place of the stand-alone version's randomness (specification, "Scalability").
const LAYOUT: [Field; 5] = [
    id::LAYOUT[0],
    id::LAYOUT[1],
    id::LAYOUT[2],
    id::LAYOUT[3].with_bits(15),
    Field::new("scalability", 5, Role::Node, "the node ID of the generator, 0 to 31", "Scalability"),
];
const _: () = assert!(Field::bits_of(&LAYOUT) == Field::bits_of(&id::LAYOUT));

/// The bits of the randomness, and those of the scalability.
const RANDOMNESS: u32 = LAYOUT[3].bits;
const SCALABILITY: u32 = LAYOUT[4].bits;

/// A view of a [`UlidFlake`] as an ID of the scalable version. [`UlidFlake::scalable`] returns it.
///
/// The fields are meaningless if the ID has the stand-alone version.
///
/// ```
/// use ulid_flake::{scalable::Scalable, ulid_flake};
///
/// let id = ulid_flake!("00CMXB6TAK4SA");
/// assert_eq!((id.scalable().randomness(), id.scalable().scalability()), (19_609, 10));
/// assert_eq!(Scalable::try_from_fields(id.timestamp(), 19_609, 10), Ok(id));
/// # Ok::<(), ulid_flake::RangeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Scalable(UlidFlake);

impl Scalable {
    /// The fields of the scalable version: see [`SortableId::FIELDS`](sortid_core::SortableId::FIELDS).
    pub const FIELDS: &'static [Field] = &LAYOUT;

    /// Calls `each` with every field of the scalable version and its value: see
    /// [`SortableId::for_each_field`](sortid_core::SortableId::for_each_field).
    pub fn for_each_field(self, mut each: impl FnMut(Field, FieldValue)) {
        self.0.for_each_common_field(&mut each);
        each(LAYOUT[3], u64::from(self.randomness()).into());
        each(LAYOUT[4], u64::from(self.scalability()).into());
    }

    /// The greatest randomness, 2^15 − 1.
    pub const MAX_RANDOMNESS: u16 = (1 << RANDOMNESS) - 1;

    /// The greatest scalability, 2^5 − 1: node 31.
    pub const MAX_SCALABILITY: u8 = (1 << SCALABILITY) - 1;

    /// Returns the ID with these fields of the scalable version.
    ///
    /// # Errors
    ///
    /// If `timestamp` takes more than 43 bits, `randomness` more than 15, or `scalability` more than 5.
    pub const fn try_from_fields(
        timestamp: u64,
        randomness: u16,
        scalability: u8,
    ) -> Result<UlidFlake, RangeError> {
        if let Err(error) = error::check_range(
            randomness as i128,
            "scalable Ulid-Flake randomness",
            Self::MAX_RANDOMNESS as u64,
        ) {
            return Err(error);
        }
        if let Err(error) =
            error::check_range(scalability as i128, "Ulid-Flake scalability", Self::MAX_SCALABILITY as u64)
        {
            return Err(error);
        }
        UlidFlake::try_from_fields(timestamp, low_bits(randomness, scalability))
    }

    /// Returns field `randomness`, 15 bits.
    #[must_use]
    #[doc(alias = "sequence")]
    pub const fn randomness(self) -> u16 {
        (self.0.randomness() >> SCALABILITY) as u16
    }

    /// Returns field `scalability`, 5 bits: the node ID.
    #[must_use]
    #[doc(alias("machine_id", "worker_id"))]
    pub const fn scalability(self) -> u8 {
        self.0.randomness() as u8 & Self::MAX_SCALABILITY
    }
}

/// The scalable version (specification, "Scalability").
impl UlidFlake {
    /// Returns a view of the ID as one of the scalable version, with 15 bits of randomness and 5 of scalability.
    #[must_use]
    pub const fn scalable(self) -> Scalable {
        Scalable(self)
    }
}

/// The value of the stand-alone version's field `randomness`.
#[inline]
const fn low_bits(randomness: u16, scalability: u8) -> u32 {
    (randomness as u32) << SCALABILITY | scalability as u32
}

sortid_core::__private::generators! {
    options: Options,
    id: UlidFlake,
    rollback: fails,
    /// Generates scalable Ulid-Flakes. Threads can share it, without locks. Each ID is greater than all before it,
    /// whichever thread generated them.
    ///
    /// A *tick* is the smallest step of the specification's clock: a millisecond. The first ID of a millisecond has random
    /// bits, and each further ID is greater by a random step.
    ///
    /// # Situations
    ///
    /// | situation | what happens |
    /// |---|---|
    /// | all IDs of the millisecond are used, on average 128.7: the next step exceeds the randomness; with more [entropy bytes](Options::entropy_bytes), a millisecond has fewer IDs | waits until the clock reaches the next millisecond: up to 10 s if the clock was set back, and longer if it is set back again; error [`Exhausted`](crate::GenerateErrorKind::Exhausted) if the clock stands still for a second |
    /// | the clock is behind the last ID by at most the [rollback allowance](Options::rollback_allowance), 10 s by default | continues from the last ID, in its millisecond |
    /// | the clock is behind by more | what [`Options::rollback`] says: by default error [`ClockRollback`](crate::GenerateErrorKind::ClockRollback), because an ID of an earlier time could be a duplicate |
    /// | the time is unknown, before the [epoch](crate::Epoch) (2024), or more than 2^43 − 1 ms after it (September 2302) | error [`ClockOutOfRange`](crate::GenerateErrorKind::ClockOutOfRange) |
    /// | the source of random bytes fails | error [`Entropy`](crate::GenerateErrorKind::Entropy) |
    /// | the process is a fork of the one that used the generator before | continues from a later millisecond, with new random bits |
    ///
    /// An error does not break the order: the generator continues from its last ID when the cause is gone.
    ///
    /// A forked child has the node of its parent, and only 15 random bits. Give each process a node of its own: create the
    /// generators after the fork.
    ///
    /// ```
    /// use std::sync::LazyLock;
    /// use ulid_flake::scalable::{Generator, Options};
    ///
    /// // Lazy, since the program learns its node ID at run time.
    /// static IDS: LazyLock<Generator> = LazyLock::new(|| {
    ///     let node = std::env::var("NODE").map_or(7, |node| node.parse().expect("a number"));
    ///     Options::new(node).expect("0 to 31").build()
    /// });
    ///
    /// let (first, second) = (IDS.generate()?, IDS.generate()?);
    /// assert!(first < second);
    /// assert_eq!(second.scalable().scalability(), 7);
    /// # Ok::<(), ulid_flake::GenerateError>(())
    /// ```
    Generator,
    /// Makes scalable Ulid-Flakes for given times, such as those of existing rows. Each ID has the millisecond of its
    /// time. IDs of equal times are in the order in which they were made.
    ///
    /// A millisecond has few IDs. So that it holds many of them, its first ID has a random value in the lowest quarter, and
    /// random steps become smaller until they are 1. [`entropy_bytes`](Options::entropy_bytes) does not matter.
    ///
    /// All IDs of a backfill are distinct. A backfill does not know the IDs of another backfill, or of a generator that
    /// works at the same times: its IDs can repeat theirs, if they have the same node ID.
    ///
    /// # Situations
    ///
    /// | situation | [`generate`](Self::generate), [`generate_all`](Self::generate_all) |
    /// |---|---|
    /// | the times are in any order | remembers the last ID of each millisecond, in 16 to 40 bytes, and up to 60 while the table grows |
    /// | the times ascend, with [`ascending`](Self::ascending) | remembers only the last ID; error [`ClockRollback`](crate::GenerateErrorKind::ClockRollback) if a time is of an earlier millisecond than the one before |
    /// | all IDs of the millisecond are used: at least 20 480 | takes the next millisecond that is not full, if it is at most [`spill`](Self::spill) later: 0 by default; error [`Exhausted`](crate::GenerateErrorKind::Exhausted) if there is none |
    /// | the time is before the [epoch](crate::Epoch) (2024), or more than 2^43 − 1 ms after it (September 2302) | error [`ClockOutOfRange`](crate::GenerateErrorKind::ClockOutOfRange) |
    /// | the source of random bytes fails | error [`Entropy`](crate::GenerateErrorKind::Entropy) |
    ///
    /// An error leaves the backfill as it was.
    ///
    /// ```
    /// use std::time::Duration;
    /// use ulid_flake::{UnixMillis, scalable::{Backfill, Options}};
    ///
    /// let times = [1_717_653_966_666, 1_704_067_200_000, 1_717_653_966_666].map(UnixMillis);
    /// let ids = Options::new(7)?.backfill().generate_all(times)?;
    /// assert!(ids[1] < ids[0] && ids[0] < ids[2]);
    /// assert_eq!((ids[0].unix_millis(), ids[2].unix_millis()), (1_717_653_966_666, 1_717_653_966_666));
    ///
    /// // More rows of one millisecond than it has IDs: they take following milliseconds.
    /// let mut ids = Options::new(7)?.backfill().spill(Duration::from_millis(20));
    /// let ids = ids.generate_all(vec![UnixMillis(1_717_653_966_666); 100_000])?;
    /// assert!(ids[0].unix_millis() == 1_717_653_966_666 && ids[ids.len() - 1].unix_millis() > 1_717_653_966_666);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    Backfill,
}

/// The options of a generator of scalable IDs: the node, the epoch, and the size of random steps.
///
/// Nodes do not communicate. IDs of different machines, or of different processes on one machine, are unique only if
/// their node IDs differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    flake: crate::Options,
    node: u8,
    rollback: RollbackPolicy,
}

impl Options {
    /// Creates the options of the node `node`, 0 to 31, with the specification's defaults: the epoch 2024, and steps of one
    /// random byte.
    ///
    /// # Errors
    ///
    /// If `node` is above 31.
    pub const fn new(node: u8) -> Result<Self, ConfigError> {
        match error::check_option("node", node as u64, 0, Scalable::MAX_SCALABILITY as u64) {
            Ok(()) => Ok(Self { flake: crate::Options::new(), node, rollback: RollbackPolicy::new() }),
            Err(error) => Err(error),
        }
    }

    /// The options of the stand-alone version, for this node.
    ///
    /// # Errors
    ///
    /// If `node` is above 31, or the steps take three random bytes.
    #[doc(hidden)]
    pub fn of_node(flake: crate::Options, node: u8) -> Result<Self, ConfigError> {
        let Self { node, .. } = Self::new(node)?;
        let flake = flake.entropy_bytes_up_to(2, flake.entropy_bytes)?;
        Ok(Self { flake, node, rollback: flake.rollback })
    }

    /// Sets the epoch. IDs of different epochs do not sort together.
    #[must_use]
    pub const fn epoch(mut self, epoch: Epoch) -> Self {
        self.flake.epoch = epoch;
        self
    }

    /// Sets how many random bytes, 1 or 2, give the step to the next ID of the same millisecond. With more bytes, IDs are
    /// harder to guess, and a millisecond holds fewer of them: see the table in the [crate's documentation](crate#generators).
    ///
    /// # Errors
    ///
    /// If `bytes` is not 1 or 2.
    pub const fn entropy_bytes(self, bytes: usize) -> Result<Self, ConfigError> {
        match self.flake.entropy_bytes_up_to(2, bytes) {
            Ok(flake) => Ok(Self { flake, ..self }),
            Err(error) => Err(error),
        }
    }
}

impl Configure for Options {
    const OPTIONS: &'static [OptionInfo] = crate::generator::OPTIONS;

    fn set(self, name: &str, value: &str) -> Result<Self, ConfigError> {
        match name {
            "node" => {
                let Self { node, .. } = Self::new(option::number("node", value)?)?;
                Ok(Self { node, ..self })
            }
            "epoch" => Ok(self.epoch(Epoch::from_unix_millis(option::number("epoch", value)?)?)),
            "entropy_bytes" => self.entropy_bytes(option::number("entropy bytes", value)?),
            _ => Ok(Self {
                rollback: option::set_rollback(self.rollback, Self::OPTIONS, name, value)?,
                ..self
            }),
        }
    }
}

impl Rules for Options {
    type Id = UlidFlake;
    type Random = [u8; 0];

    #[inline]
    fn rollback_policy(&self) -> RollbackPolicy {
        self.rollback
    }

    #[inline]
    fn random_bits(&self) -> u32 {
        RANDOMNESS
    }

    #[inline]
    fn tick(&self, unix_micros: u64) -> Option<u64> {
        self.flake.tick(unix_micros)
    }

    #[inline]
    fn tick_start(&self, tick: u64) -> u64 {
        self.flake.tick_start(tick)
    }

    #[inline]
    fn ticks(&self) -> RangeInclusive<u64> {
        self.flake.ticks()
    }

    #[inline]
    fn first_count(&self, _: u64, entropy: &impl Entropy) -> Result<u64, EntropyError> {
        crate::Options::draw_first(RANDOMNESS, entropy)
    }

    #[inline]
    fn next_position(
        &self,
        last: Position,
        entropy: &impl Entropy,
    ) -> Result<Option<Position>, EntropyError> {
        self.flake.draw_next(RANDOMNESS, last, entropy)
    }

    #[inline]
    fn id(&self, position: Position, _: u16, _: [u8; 0]) -> UlidFlake {
        UlidFlake::pack(position.tick, low_bits(position.count as u16, self.node))
    }

    #[inline]
    fn position(&self, id: UlidFlake) -> Option<Position> {
        Some(Position { tick: id.timestamp(), count: id.scalable().randomness().into() })
    }
}

impl BackfillRules for Options {
    #[inline]
    fn backfill_first_count(&self, _: u64, entropy: &impl Entropy) -> Result<u64, EntropyError> {
        crate::Options::draw_low(RANDOMNESS, entropy)
    }

    #[inline]
    fn backfill_next_count(
        &self,
        last: Position,
        entropy: &impl Entropy,
    ) -> Result<Option<u64>, EntropyError> {
        crate::Options::draw_near(RANDOMNESS, last, entropy)
    }

    #[inline]
    fn backfill_capacity(&self) -> u64 {
        20_480
    }
}

/// The node ID is the scalability.
impl NodeOptions for Options {
    type Id = UlidFlake;
    type Rules = Self;

    fn spec(&self) -> &'static str {
        UlidFlake::NAME
    }

    fn with_node_id(self, node_id: u32, size: u32) -> Result<Self, ConfigError> {
        error::check_node_id(node_id, size, SCALABILITY)?;
        Ok(Self { node: node_id as u8, ..self })
    }
}

/// The generator makes scalable Ulid-Flakes, and the node ID is their scalability.
impl NodeOptions for crate::Options {
    type Id = UlidFlake;
    type Rules = Options;

    fn spec(&self) -> &'static str {
        UlidFlake::NAME
    }

    fn with_node_id(self, node_id: u32, size: u32) -> Result<Options, ConfigError> {
        Options::of_node(self, 0)?.with_node_id(node_id, size)
    }
}
