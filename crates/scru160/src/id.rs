#[cfg(feature = "bytemuck")]
use sortid_core::__private::dependencies::bytemuck;
#[cfg(feature = "zerocopy08")]
use sortid_core::__private::dependencies::zerocopy;
use sortid_core::{
    __private::{error, millis},
    Field, RangeError, Role, SortableId as _, Text, UnixTime,
};

/// The number of bytes of an ID.
const BYTES: usize = 20;

/// The fields in order (specification, "Binary Layout and Byte Order").
const LAYOUT: [Field; 4] = [
    Field::new(
        "timestamp_ms",
        48,
        Role::Time,
        "when the ID was made, in milliseconds since 1970",
        "Binary Layout and Byte Order",
    ),
    Field::new(
        "counter",
        16,
        Role::Count,
        "orders the IDs of one millisecond: it starts at a random value, and goes up by one",
        "Default counter usage",
    ),
    Field::new(
        "random16",
        16,
        Role::Random,
        "random, unless the generator keeps a node ID or more bits of the counter here",
        "Binary Layout and Byte Order",
    ),
    Field::new("random80", 80, Role::Random, "random, and new in each ID", "Quality of random values"),
];
const _: () = assert!(Field::bits_of(&LAYOUT) == 8 * BYTES);

/// A SCRU160 ID: 160 bits, which are 20 bytes in big-endian order.
///
/// Every 160-bit value is an ID. [`Default`] is zero. IDs are ordered by their bytes. The texts of one
/// form have the same order, and one generator generates IDs in this order.
///
/// ```
/// use scru160::{Scru160, scru160};
///
/// const ID: Scru160 = scru160!("05TTUP1HNCPNA1QHTDHRTCU3V32PD7C6");
/// assert_eq!(ID.unix_millis(), 1_631_540_490_683);
/// assert_eq!(ID.counter(), 13_173);
/// assert_eq!(ID.random16(), 1_873);
/// assert_eq!(ID.random80(), [0xeb, 0x63, 0xbe, 0xb3, 0xc3, 0xf8, 0xc5, 0x96, 0x9d, 0x86]);
/// assert_eq!(format!("{ID:x}"), "017bdf6431bb33750751eb63beb3c3f8c5969d86");
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "bytemuck", derive(bytemuck::Pod, bytemuck::Zeroable), bytemuck(crate = "bytemuck"))]
#[cfg_attr(
    feature = "zerocopy08",
    derive(
        zerocopy::FromBytes,
        zerocopy::Immutable,
        zerocopy::IntoBytes,
        zerocopy::KnownLayout,
        zerocopy::Unaligned
    ),
    zerocopy(crate = "sortid_core::__private::dependencies::zerocopy")
)]
#[repr(transparent)]
pub struct Scru160([u8; BYTES]);

impl Scru160 {
    /// The least ID: all bits 0. No generator generates it.
    #[doc(alias = "nil")]
    pub const MIN: Self = Self([0; BYTES]);

    /// The greatest ID: all bits 1. No generator generates it.
    #[doc(alias = "max")]
    pub const MAX: Self = Self([0xff; BYTES]);

    /// The greatest timestamp, 2^48 − 1, in the year 10889.
    pub(crate) const MAX_TIMESTAMP: u64 = (1 << LAYOUT[0].bits) - 1;

    /// Returns the ID with these bytes.
    #[must_use]
    #[doc(alias = "from_slice")]
    pub const fn from_bytes(bytes: [u8; BYTES]) -> Self {
        Self(bytes)
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

    /// Returns the ID with these fields, each as the method of its name returns it. The first is field `timestamp`.
    ///
    /// ```
    /// use scru160::Scru160;
    ///
    /// let id = Scru160::try_from_fields(1_631_540_490_683, 13_173, 1_873, [7; 10])?;
    /// assert_eq!((id.unix_millis(), id.random80()), (1_631_540_490_683, [7; 10]));
    /// let error = Scru160::try_from_fields(1 << 48, 0, 0, [0; 10]).unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "281474976710656 is above the greatest SCRU160 timestamp, 281474976710655"
    /// );
    /// # Ok::<(), scru160::RangeError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If `unix_millis` takes more than 48 bits.
    #[doc(alias = "from_parts")]
    pub const fn try_from_fields(
        unix_millis: u64,
        counter: u16,
        random16: u16,
        random80: [u8; 10],
    ) -> Result<Self, RangeError> {
        match error::check_range(unix_millis as i128, "SCRU160 timestamp", Self::MAX_TIMESTAMP) {
            Ok(_) => Ok(Self::pack(unix_millis, counter, random16, random80)),
            Err(error) => Err(error),
        }
    }

    #[inline]
    pub(crate) const fn pack(timestamp: u64, counter: u16, random16: u16, random80: [u8; 10]) -> Self {
        let [_, _, t0, t1, t2, t3, t4, t5] = timestamp.to_be_bytes();
        let ([c0, c1], [r0, r1]) = (counter.to_be_bytes(), random16.to_be_bytes());
        let [a, b, c, d, e, f, g, h, i, j] = random80;
        Self([t0, t1, t2, t3, t4, t5, c0, c1, r0, r1, a, b, c, d, e, f, g, h, i, j])
    }

    /// Returns the first 128 bits and the last 32.
    #[inline]
    pub(crate) const fn split(&self) -> (u128, u32) {
        let (high, low) = self.0.split_first_chunk().expect("20 bytes are more than 16");
        (u128::from_be_bytes(*high), u32::from_be_bytes(*low.first_chunk().expect("4 bytes are left")))
    }

    /// Returns the ID whose [`split`](Self::split) returns these bits.
    #[inline]
    pub(crate) const fn join(high: u128, low: u32) -> Self {
        let mut bytes = [0; BYTES];
        let (first, rest) = bytes.split_first_chunk_mut().expect("20 bytes are more than 8");
        let (second, last) = rest.split_first_chunk_mut().expect("12 bytes are more than 8");
        *first = ((high >> 64) as u64).to_be_bytes();
        *second = (high as u64).to_be_bytes();
        *last.first_chunk_mut().expect("4 bytes are left") = low.to_be_bytes();
        Self(bytes)
    }

    /// Returns field `counter`, 16 bits: the order of the IDs of a millisecond.
    #[must_use]
    pub const fn counter(&self) -> u16 {
        u16::from_be_bytes([self.0[6], self.0[7]])
    }

    /// Returns field `random16`, 16 bits: random, unless the [`Options`](crate::Options) of the generator use them.
    #[must_use]
    pub const fn random16(&self) -> u16 {
        u16::from_be_bytes([self.0[8], self.0[9]])
    }

    /// Returns field `random80`, 80 bits: random in each ID.
    #[must_use]
    #[doc(alias("payload", "random"))]
    pub const fn random80(&self) -> [u8; 10] {
        let [.., a, b, c, d, e, f, g, h, i, j] = self.0;
        [a, b, c, d, e, f, g, h, i, j]
    }

    /// Returns when the ID was generated, in milliseconds since 1970: field `timestamp`, 48 bits.
    #[must_use]
    #[doc(alias("timestamp", "timestamp_ms", "timestamp_millis", "get_timestamp"))]
    pub const fn unix_millis(&self) -> u64 {
        let [t0, t1, t2, t3, t4, t5, ..] = self.0;
        u64::from_be_bytes([0, 0, t0, t1, t2, t3, t4, t5])
    }

    /// Returns when the ID was generated, to the millisecond.
    #[cfg(feature = "std")]
    #[must_use]
    #[doc(alias = "datetime")]
    pub fn time(&self) -> std::time::SystemTime {
        std::time::UNIX_EPOCH + core::time::Duration::from_millis(self.unix_millis())
    }

    /// Returns the least ID of the millisecond that contains `time`. With [`max_at`](Self::max_at), these are the bounds of
    /// a query by time that includes both ends: `WHERE id BETWEEN min_at(since) AND max_at(until)`.
    ///
    /// ```
    /// use scru160::{Scru160, UnixMillis, scru160};
    ///
    /// let id = scru160!("05TTUP1HNCPNA1QHTDHRTCU3V32PD7C6");
    /// let time = UnixMillis(1_631_540_490_683); // or a SystemTime
    /// assert!(Scru160::min_at(time)? <= id && id <= Scru160::max_at(time)?);
    /// # Ok::<(), scru160::RangeError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If `time` is before 1970, or after 2^48 − 1 ms, in the year 10889.
    pub fn min_at(time: impl UnixTime) -> Result<Self, RangeError> {
        Ok(Self::pack(Self::timestamp_at(time)?, 0, 0, [0; 10]))
    }

    /// Returns the greatest ID of the millisecond that contains `time`.
    ///
    /// # Errors
    ///
    /// Those of [`min_at`](Self::min_at).
    pub fn max_at(time: impl UnixTime) -> Result<Self, RangeError> {
        Ok(Self::pack(Self::timestamp_at(time)?, u16::MAX, u16::MAX, [0xff; 10]))
    }

    fn timestamp_at(time: impl UnixTime) -> Result<u64, RangeError> {
        Ok(error::check_time(time.unix_micros(), &Self::TIMES)? / 1000)
    }
}

sortid_core::__private::sortable_id!(
    [cfg] Scru160, BYTES, from_bytes,
    name: "scru160",
    title: "SCRU160",
    times: millis(0, Self::MAX_TIMESTAMP),
    unix_micros: |id| Some(id.unix_millis() * 1000),
    fields: &LAYOUT,
    |id, each| {
        each(LAYOUT[0], id.unix_millis().into());
        each(LAYOUT[1], u64::from(id.counter()).into());
        each(LAYOUT[2], u64::from(id.random16()).into());
        each(LAYOUT[3], Text::<20>::hex(&id.random80()).into());
    },
);
