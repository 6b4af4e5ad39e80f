use crate::Epoch;
#[cfg(feature = "bytemuck")]
use sortid_core::__private::dependencies::bytemuck;
#[cfg(feature = "zerocopy08")]
use sortid_core::__private::dependencies::zerocopy;
use sortid_core::{
    __private::{error, millis},
    Field, FieldValue, ParseError, RangeError, Role, UnixTime,
};

/// The number of bytes of an ID. (The specification says "16 octets" by mistake: its fields add up to 64 bits.)
const BYTES: usize = 8;

/// The fields of the stand-alone version, in order (specification, "Components").
pub(crate) const LAYOUT: [Field; 4] = [
    Field::view(
        "int",
        "all bits",
        Role::Whole,
        "all 64 bits as one integer, for a BIGINT column",
        "Optional Long Int Representation",
    ),
    Field::new("sign", 1, Role::Constant, "always 0, so that the integer is never negative", "Timestamp"),
    Field::new(
        "timestamp_ms",
        43,
        Role::Time,
        "when the ID was made, in milliseconds since the epoch, which is 2024-01-01 by default",
        "Timestamp",
    ),
    Field::new(
        "randomness",
        20,
        Role::Count,
        "random in the first ID of a millisecond; a random step is added in each further ID",
        "Randomness",
    ),
];
const _: () = assert!(Field::bits_of(&LAYOUT) == 8 * BYTES);

/// A Ulid-Flake: a non-negative `i64`, 8 bytes in big-endian order.
///
/// The fields are those of the stand-alone version. [`scalable`](Self::scalable) reads those of the scalable version.
/// [`Default`] is zero. IDs are ordered by their integers. Their bytes and texts have the same order.
///
/// ```
/// use ulid_flake::{UlidFlake, ulid_flake};
///
/// const ID: UlidFlake = ulid_flake!("00CMXB6TAK4SA");
/// assert_eq!(ID.to_int(), 14_246_757_444_195_114);
/// assert_eq!(ID.timestamp(), 13_586_766_666);
/// assert_eq!(ID.randomness(), 627_498);
/// assert_eq!(UlidFlake::try_from(14_246_757_444_195_114_i64), Ok(ID));
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(
    feature = "bytemuck",
    derive(bytemuck::NoUninit, bytemuck::Zeroable),
    bytemuck(crate = "bytemuck")
)]
#[cfg_attr(
    feature = "zerocopy08",
    derive(zerocopy::Immutable, zerocopy::IntoBytes, zerocopy::KnownLayout, zerocopy::Unaligned),
    zerocopy(crate = "sortid_core::__private::dependencies::zerocopy")
)]
#[repr(transparent)]
pub struct UlidFlake([u8; BYTES]);

impl UlidFlake {
    /// The least ID: all bits 0.
    #[doc(alias = "nil")]
    pub const MIN: Self = Self([0; BYTES]);

    /// The greatest ID: 2^63 − 1, or `7ZZZZZZZZZZZZ`.
    #[doc(alias = "max")]
    pub const MAX: Self = Self::from_u63(i64::MAX as u64);

    /// The greatest timestamp, 2^43 − 1: in September 2302 with the default epoch.
    pub const MAX_TIMESTAMP: u64 = (1 << LAYOUT[2].bits) - 1;

    /// The greatest randomness, 2^20 − 1.
    pub const MAX_RANDOMNESS: u32 = (1 << LAYOUT[3].bits) - 1;

    /// `value` must be below 2^63.
    #[inline]
    pub(crate) const fn from_u63(value: u64) -> Self {
        Self(value.to_be_bytes())
    }

    #[inline]
    pub(crate) const fn to_u63(self) -> u64 {
        u64::from_be_bytes(self.0)
    }

    /// Returns the ID with these bytes.
    ///
    /// # Errors
    ///
    /// `Overflow` if the top bit is 1.
    #[doc(alias = "from_slice")]
    pub const fn try_from_bytes(bytes: [u8; BYTES]) -> Result<Self, ParseError> {
        Self::try_from_integer(u64::from_be_bytes(bytes) as i128)
    }

    /// Returns the bytes, most significant first.
    #[must_use]
    #[doc(alias = "into_bytes")]
    pub const fn to_bytes(self) -> [u8; BYTES] {
        self.0
    }

    /// Returns the bytes, most significant first.
    #[must_use]
    #[doc(alias = "bytes")]
    pub const fn as_bytes(&self) -> &[u8; BYTES] {
        &self.0
    }

    /// Returns the ID with this integer.
    ///
    /// # Errors
    ///
    /// `Overflow` if `int` is negative.
    #[doc(alias = "from_raw")]
    #[inline]
    pub const fn try_from_int(int: i64) -> Result<Self, ParseError> {
        Self::try_from_integer(int as i128)
    }

    #[inline]
    const fn try_from_integer(integer: i128) -> Result<Self, ParseError> {
        match error::check_parsed(integer, "Ulid-Flake", i64::MAX as u64) {
            Ok(value) => Ok(Self::from_u63(value)),
            Err(error) => Err(error),
        }
    }

    /// Returns the integer, 0 to 2^63 − 1: the natural key in a database.
    #[must_use]
    #[doc(alias = "to_raw")]
    pub const fn to_int(self) -> i64 {
        self.to_u63() as i64
    }

    /// Returns the ID with these fields, each as the method of its name returns it.
    ///
    /// ```
    /// use ulid_flake::UlidFlake;
    ///
    /// let id = UlidFlake::try_from_fields(13_586_766_666, 627_498)?;
    /// assert_eq!(id.encode(), "00CMXB6TAK4SA");
    /// let error = UlidFlake::try_from_fields(0, 1 << 20).unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "1048576 is above the greatest Ulid-Flake randomness, 1048575"
    /// );
    /// # Ok::<(), ulid_flake::RangeError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If `timestamp` takes more than 43 bits, or `randomness` more than 20.
    #[doc(alias("from_components", "from_parts"))]
    pub const fn try_from_fields(timestamp: u64, randomness: u32) -> Result<Self, RangeError> {
        if let Err(error) = error::check_range(timestamp as i128, "Ulid-Flake timestamp", Self::MAX_TIMESTAMP)
        {
            return Err(error);
        }
        match error::check_range(randomness as i128, "Ulid-Flake randomness", Self::MAX_RANDOMNESS as u64) {
            Ok(_) => Ok(Self::pack(timestamp, randomness)),
            Err(error) => Err(error),
        }
    }

    #[inline]
    pub(crate) const fn pack(timestamp: u64, randomness: u32) -> Self {
        Self::from_u63(timestamp << LAYOUT[3].bits | randomness as u64)
    }

    /// Returns field `timestamp`: milliseconds since the epoch, 43 bits.
    #[must_use]
    pub const fn timestamp(&self) -> u64 {
        self.to_u63() >> LAYOUT[3].bits
    }

    /// Returns field `randomness`, 20 bits.
    #[must_use]
    pub const fn randomness(&self) -> u32 {
        self.to_u63() as u32 & Self::MAX_RANDOMNESS
    }

    /// Returns when the ID was generated, in milliseconds since 1970, if its epoch is the default.
    #[must_use]
    #[doc(alias("timestamp_ms", "timestamp_millis", "get_timestamp"))]
    pub const fn unix_millis(&self) -> u64 {
        self.unix_millis_with(Epoch::DEFAULT)
    }

    /// Returns when the ID was generated, in milliseconds since 1970, if its epoch is `epoch`.
    #[must_use]
    pub const fn unix_millis_with(&self, epoch: Epoch) -> u64 {
        epoch.unix_millis() + self.timestamp()
    }

    /// Returns when the ID was generated, to the millisecond, if its epoch is the default.
    #[cfg(feature = "std")]
    #[must_use]
    #[doc(alias = "datetime")]
    pub fn time(&self) -> std::time::SystemTime {
        std::time::UNIX_EPOCH + core::time::Duration::from_millis(self.unix_millis())
    }

    /// Returns the least ID of the millisecond that contains `time`, with the default epoch. With
    /// [`max_at`](Self::max_at), these are the bounds of a query by time that includes both ends:
    /// `WHERE id BETWEEN min_at(since) AND max_at(until)`.
    ///
    /// ```
    /// use ulid_flake::{UlidFlake, UnixMillis, ulid_flake};
    ///
    /// let id = ulid_flake!("00CMXB6TAK4SA");
    /// let time = UnixMillis(1_717_653_966_666); // or a SystemTime
    /// assert!(UlidFlake::min_at(time)? <= id && id <= UlidFlake::max_at(time)?);
    /// # Ok::<(), ulid_flake::RangeError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If `time` is before the epoch or more than [`MAX_TIMESTAMP`](Self::MAX_TIMESTAMP) milliseconds after
    /// it.
    pub fn min_at(time: impl UnixTime) -> Result<Self, RangeError> {
        Self::min_at_with(Epoch::DEFAULT, time)
    }

    /// Returns the greatest ID of the millisecond that contains `time`, with the default epoch.
    ///
    /// # Errors
    ///
    /// Those of [`min_at`](Self::min_at).
    pub fn max_at(time: impl UnixTime) -> Result<Self, RangeError> {
        Self::max_at_with(Epoch::DEFAULT, time)
    }

    /// Returns the least ID of the millisecond that contains `time`, with this epoch.
    ///
    /// # Errors
    ///
    /// Those of [`min_at`](Self::min_at).
    pub fn min_at_with(epoch: Epoch, time: impl UnixTime) -> Result<Self, RangeError> {
        Ok(Self::pack(Self::timestamp_at(epoch, time)?, 0))
    }

    /// Returns the greatest ID of the millisecond that contains `time`, with this epoch.
    ///
    /// # Errors
    ///
    /// Those of [`min_at`](Self::min_at).
    pub fn max_at_with(epoch: Epoch, time: impl UnixTime) -> Result<Self, RangeError> {
        Ok(Self::pack(Self::timestamp_at(epoch, time)?, Self::MAX_RANDOMNESS))
    }

    fn timestamp_at(epoch: Epoch, time: impl UnixTime) -> Result<u64, RangeError> {
        let epoch = epoch.unix_millis();
        let times = millis(epoch, epoch + Self::MAX_TIMESTAMP);
        Ok(error::check_time(time.unix_micros(), &times)? / 1000 - epoch)
    }
}

sortid_core::__private::sortable_id!(
    [cfg] UlidFlake, BYTES, try_from_bytes,
    name: "ulid-flake",
    title: "Ulid-Flake",
    times: millis(Epoch::DEFAULT.unix_millis(), Epoch::DEFAULT.unix_millis() + Self::MAX_TIMESTAMP),
    unix_micros: |id| Some(id.unix_millis() * 1000),
    fields: &LAYOUT,
    |id, each| {
        id.for_each_common_field(&mut each);
        each(LAYOUT[3], u64::from(id.randomness()).into());
    },
);

impl UlidFlake {
    /// Calls `each` with the fields that both versions have.
    pub(crate) fn for_each_common_field(self, each: &mut impl FnMut(Field, FieldValue)) {
        each(LAYOUT[0], FieldValue::Integer(self.to_u63()));
        each(LAYOUT[1], 0.into());
        each(LAYOUT[2], self.timestamp().into());
    }
}

impl From<UlidFlake> for i64 {
    fn from(id: UlidFlake) -> Self {
        id.to_int()
    }
}

impl From<UlidFlake> for u64 {
    fn from(id: UlidFlake) -> Self {
        id.to_u63()
    }
}

impl TryFrom<i64> for UlidFlake {
    type Error = ParseError;

    fn try_from(int: i64) -> Result<Self, ParseError> {
        Self::try_from_int(int)
    }
}

impl TryFrom<u64> for UlidFlake {
    type Error = ParseError;

    fn try_from(int: u64) -> Result<Self, ParseError> {
        Self::try_from_integer(i128::from(int))
    }
}
