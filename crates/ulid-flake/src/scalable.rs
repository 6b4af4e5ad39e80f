//! The scalable version: of the 20 bits of randomness, the low 5 name a node.
//!
//! The bits of an ID do not tell the two versions apart, so they are two types, and a conversion between them
//! is written out: [`ScalableUlidFlake::from_flake`], [`ScalableUlidFlake::to_flake`].

use crate::{Epoch, UlidFlake};
use core::ops::RangeInclusive;
#[cfg(feature = "bytemuck")]
use sortid_core::integrations::dependencies::bytemuck;
use sortid_core::{
    DefaultClock, DefaultEntropy, Entropy, EntropyError, OptionError, ParseError, Position, Rules, Text,
    UnixTime,
};

/// Bits of the randomness and of the scalability, in the room of the other version's randomness
/// (specification, "Scalability").
const LAYOUT: [u32; 2] = [15, 5];
const _: () = assert!(LAYOUT[0] + LAYOUT[1] == UlidFlake::MAX_RANDOMNESS.trailing_ones());

/// A Ulid-Flake, scalable version.
///
/// ```
/// use ulid_flake::{ScalableUlidFlake, UlidFlake};
///
/// let id = ScalableUlidFlake::parse("00CMXB6TAK4SA")?;
/// assert_eq!((id.randomness(), id.scalability()), (19_609, 10));
/// assert_eq!(id.to_flake(), UlidFlake::parse("00CMXB6TAK4SA")?);
/// # Ok::<(), ulid_flake::ParseError>(())
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(
    feature = "bytemuck",
    derive(bytemuck::NoUninit, bytemuck::Zeroable),
    bytemuck(crate = "bytemuck")
)]
#[repr(transparent)]
pub struct ScalableUlidFlake(UlidFlake);

impl ScalableUlidFlake {
    /// The least ID: 0.
    pub const MIN: Self = Self(UlidFlake::MIN);

    /// The greatest ID: 2^63 − 1, `7ZZZZZZZZZZZZ`.
    pub const MAX: Self = Self(UlidFlake::MAX);

    /// The greatest timestamp, as [`UlidFlake::MAX_TIMESTAMP`].
    pub const MAX_TIMESTAMP: u64 = UlidFlake::MAX_TIMESTAMP;

    /// The greatest randomness, 2^15 − 1.
    pub const MAX_RANDOMNESS: u16 = (1 << LAYOUT[0]) - 1;

    /// The greatest scalability: node 31.
    pub const MAX_SCALABILITY: u8 = (1 << LAYOUT[1]) - 1;

    /// Characters of the text.
    pub const TEXT_LEN: usize = UlidFlake::TEXT_LEN;

    /// The same bits, read as the scalable version.
    #[must_use]
    pub const fn from_flake(id: UlidFlake) -> Self {
        Self(id)
    }

    /// The same bits, read as the stand-alone version.
    #[must_use]
    pub const fn to_flake(self) -> UlidFlake {
        self.0
    }

    #[inline]
    const fn pack(timestamp: u64, randomness: u16, scalability: u8) -> Self {
        Self(UlidFlake::pack(timestamp, (randomness as u32) << LAYOUT[1] | scalability as u32))
    }

    const fn read(flake: Result<UlidFlake, ParseError>) -> Result<Self, ParseError> {
        match flake {
            Ok(flake) => Ok(Self(flake)),
            Err(error) => Err(error),
        }
    }

    /// As [`UlidFlake::try_from_bytes`].
    ///
    /// # Errors
    ///
    /// `Overflow` when the top bit is 1.
    pub const fn try_from_bytes(bytes: [u8; 8]) -> Result<Self, ParseError> {
        Self::read(UlidFlake::try_from_bytes(bytes))
    }

    /// The bytes, most significant first.
    #[must_use]
    pub const fn to_bytes(self) -> [u8; 8] {
        self.0.to_bytes()
    }

    /// The bytes, most significant first.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; 8] {
        self.0.as_bytes()
    }

    /// As [`UlidFlake::try_from_int`].
    ///
    /// # Errors
    ///
    /// `Overflow` when it is negative.
    pub const fn try_from_int(int: i64) -> Result<Self, ParseError> {
        Self::read(UlidFlake::try_from_int(int))
    }

    /// The integer, 0 to 2^63 − 1: the natural key in a database.
    #[must_use]
    pub const fn to_int(self) -> i64 {
        self.0.to_int()
    }

    /// The text, as [`UlidFlake::encode`].
    #[inline]
    #[must_use]
    pub const fn encode(&self) -> Text<{ Self::TEXT_LEN }> {
        self.0.encode()
    }

    /// As [`UlidFlake::parse`].
    ///
    /// # Errors
    ///
    /// As [`UlidFlake::parse`].
    #[inline]
    pub const fn parse(text: &str) -> Result<Self, ParseError> {
        Self::read(UlidFlake::parse(text))
    }

    /// As [`UlidFlake::parse_ascii`].
    ///
    /// # Errors
    ///
    /// As [`UlidFlake::parse`].
    #[inline]
    pub const fn parse_ascii(text: &[u8]) -> Result<Self, ParseError> {
        Self::read(UlidFlake::parse_ascii(text))
    }

    /// The ID with these fields, each as the accessor of its name returns it.
    ///
    /// # Errors
    ///
    /// `Overflow` when `timestamp` takes more than 43 bits, `randomness` more than 15, or `scalability` more
    /// than 5.
    pub const fn try_from_fields(
        timestamp: u64,
        randomness: u16,
        scalability: u8,
    ) -> Result<Self, ParseError> {
        if let Err(error) =
            ParseError::check_range(timestamp as i128, "Ulid-Flake timestamp", Self::MAX_TIMESTAMP)
        {
            return Err(error);
        }
        if let Err(error) = ParseError::check_range(
            randomness as i128,
            "scalable Ulid-Flake randomness",
            Self::MAX_RANDOMNESS as u64,
        ) {
            return Err(error);
        }
        match ParseError::check_range(
            scalability as i128,
            "Ulid-Flake scalability",
            Self::MAX_SCALABILITY as u64,
        ) {
            Ok(_) => Ok(Self::pack(timestamp, randomness, scalability)),
            Err(error) => Err(error),
        }
    }

    /// Field `timestamp`: milliseconds since the epoch, 43 bits.
    #[must_use]
    pub const fn timestamp(&self) -> u64 {
        self.0.timestamp()
    }

    /// Field `randomness`, 15 bits.
    #[must_use]
    pub const fn randomness(&self) -> u16 {
        (self.0.randomness() >> LAYOUT[1]) as u16
    }

    /// Field `scalability`: the node, 5 bits.
    #[must_use]
    pub const fn scalability(&self) -> u8 {
        self.0.randomness() as u8 & Self::MAX_SCALABILITY
    }

    /// As [`UlidFlake::unix_millis`].
    #[must_use]
    pub const fn unix_millis(&self) -> u64 {
        self.0.unix_millis()
    }

    /// As [`UlidFlake::unix_millis_with`].
    #[must_use]
    pub const fn unix_millis_with(&self, epoch: Epoch) -> u64 {
        self.0.unix_millis_with(epoch)
    }

    /// As [`UlidFlake::time`].
    #[cfg(feature = "std")]
    #[must_use]
    pub fn time(&self) -> std::time::SystemTime {
        self.0.time()
    }

    /// As [`UlidFlake::min_at`].
    ///
    /// # Errors
    ///
    /// As [`UlidFlake::min_at`].
    pub fn min_at(time: impl UnixTime) -> Result<Self, ParseError> {
        UlidFlake::min_at(time).map(Self)
    }

    /// As [`UlidFlake::max_at`].
    ///
    /// # Errors
    ///
    /// As [`UlidFlake::min_at`].
    pub fn max_at(time: impl UnixTime) -> Result<Self, ParseError> {
        UlidFlake::max_at(time).map(Self)
    }

    /// As [`UlidFlake::min_at_with`].
    ///
    /// # Errors
    ///
    /// As [`UlidFlake::min_at`].
    pub fn min_at_with(epoch: Epoch, time: impl UnixTime) -> Result<Self, ParseError> {
        UlidFlake::min_at_with(epoch, time).map(Self)
    }

    /// As [`UlidFlake::max_at_with`].
    ///
    /// # Errors
    ///
    /// As [`UlidFlake::min_at`].
    pub fn max_at_with(epoch: Epoch, time: impl UnixTime) -> Result<Self, ParseError> {
        UlidFlake::max_at_with(epoch, time).map(Self)
    }
}

sortid_core::standard_traits!(ScalableUlidFlake, 8, try_from_bytes);

impl From<ScalableUlidFlake> for i64 {
    fn from(id: ScalableUlidFlake) -> Self {
        id.to_int()
    }
}

impl From<ScalableUlidFlake> for u64 {
    fn from(id: ScalableUlidFlake) -> Self {
        id.0.to_u63()
    }
}

/// Implements the readings that are those of the stand-alone version.
macro_rules! read_as_flake {
    ($($from:ty),*) => {
        $(impl TryFrom<$from> for ScalableUlidFlake {
            type Error = ParseError;

            fn try_from(value: $from) -> Result<Self, ParseError> {
                UlidFlake::try_from(value).map(Self)
            }
        })*
    };
}

read_as_flake!(i64, u64);

/// Makes scalable Ulid-Flakes for one owner.
///
/// Its methods, and what they do when a tick is used up or the clock goes back: [`sortid_core::Generator`].
///
/// ```
/// use ulid_flake::scalable::{Generator, Options};
///
/// let generator = Generator::with_options(Options::new(7)?);
/// let (first, second) = (generator.generate()?, generator.generate()?);
/// assert!(first < second);
/// assert_eq!(second.scalability(), 7);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type Generator<C = DefaultClock, E = DefaultEntropy> =
    sortid_core::Generator<Options, sortid_core::LocalCell, C, E>;

/// Makes scalable Ulid-Flakes for many threads, in one order, lock-free.
///
/// Its methods, and what they do when a tick is used up or the clock goes back: [`sortid_core::Generator`].
///
/// ```
/// use std::sync::LazyLock;
/// use ulid_flake::scalable::{Options, SharedGenerator};
///
/// // Lazy, since the number of the node is not known before the program runs.
/// static IDS: LazyLock<SharedGenerator> = LazyLock::new(|| {
///     let node = std::env::var("NODE").map_or(0, |node| node.parse().expect("a number"));
///     SharedGenerator::with_options(Options::new(node).expect("0 to 31"))
/// });
///
/// let before = IDS.generate()?;
/// let other = std::thread::spawn(|| IDS.generate()).join().unwrap()?;
/// assert!(before < other);
/// # Ok::<(), ulid_flake::GenerateError>(())
/// ```
#[cfg(target_has_atomic = "ptr")]
pub type SharedGenerator<C = DefaultClock, E = DefaultEntropy> =
    sortid_core::Generator<Options, sortid_core::SharedCell, C, E>;

/// The node, what its IDs count from, and how far apart those of one millisecond are.
///
/// Nodes share nothing: IDs of different machines, or of different processes on one, are unique only if their
/// node numbers differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    flake: crate::Options,
    node: u8,
}

impl Options {
    /// Node 0 to 31, and the specification's defaults: the epoch 2024, increments of one random byte.
    ///
    /// # Errors
    ///
    /// When `node` is above 31.
    pub const fn new(node: u8) -> Result<Self, OptionError> {
        match OptionError::check("node", node as u64, 0, ScalableUlidFlake::MAX_SCALABILITY as u64) {
            Ok(()) => Ok(Self { flake: crate::Options::new(), node }),
            Err(error) => Err(error),
        }
    }

    /// Another epoch. IDs of different epochs do not sort together.
    #[must_use]
    pub const fn epoch(mut self, epoch: Epoch) -> Self {
        self.flake.epoch = epoch;
        self
    }

    /// How many random bytes, 1 or 2, give the distance to the next ID of the same millisecond. More make IDs
    /// harder to guess, and leave fewer of them: see the table in the [crate's documentation](crate).
    ///
    /// # Errors
    ///
    /// When there are fewer or more.
    pub const fn entropy_bytes(self, bytes: usize) -> Result<Self, OptionError> {
        match self.flake.entropy_bytes_up_to(2, bytes) {
            Ok(flake) => Ok(Self { flake, ..self }),
            Err(error) => Err(error),
        }
    }
}

impl Rules for Options {
    type Id = ScalableUlidFlake;
    type Random = [u8; 0];

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
        crate::Options::draw_first(LAYOUT[0], entropy)
    }

    #[inline]
    fn next_position(
        &self,
        last: Position,
        entropy: &impl Entropy,
    ) -> Result<Option<Position>, EntropyError> {
        self.flake.draw_next(LAYOUT[0], last, entropy)
    }

    #[inline]
    fn id(&self, point: Position, _: [u8; 0]) -> ScalableUlidFlake {
        ScalableUlidFlake::pack(point.tick, point.count as u16, self.node)
    }
}
