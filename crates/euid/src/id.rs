use crate::Extension;
#[cfg(feature = "bytemuck")]
use sortid_core::__private::dependencies::bytemuck;
#[cfg(feature = "zerocopy08")]
use sortid_core::__private::dependencies::zerocopy;
use sortid_core::{
    __private::{error, millis},
    Field, RangeError, Role, SortableId as _, UnixTime,
};

/// The number of bytes of an ID.
const BYTES: usize = 16;

/// The fields in order (specification, "Binary layout"). The extension takes bits of the field before it.
const LAYOUT: [Field; 7] = [
    Field::new(
        "timestamp_ms",
        45,
        Role::Time,
        "when the ID was made, in milliseconds since 1970",
        "Timestamps and Randomness",
    ),
    Field::new(
        "random_upper",
        15,
        Role::Rest,
        "the bits that the extension leaves free are random, and stay the same within a millisecond",
        "The Extension",
    ),
    Field::new(
        "extension",
        0,
        Role::Node,
        "a value of your own, such as a node or a tenant",
        "The Extension",
    ),
    Field::new(
        "extension_bits",
        4,
        Role::Kind,
        "how many bits the extension has; 0 means that there is none",
        "The Extension",
    ),
    Field::view(
        "check",
        "the text",
        Role::Check,
        "the ID modulo 127; it is a part of the text only, and shows mistyped characters",
        "Encoding, Decoding and Check-Mod Symbols",
    ),
    Field::new(
        "random_high",
        32,
        Role::Count,
        "random in the first ID of a millisecond; it goes up by one in each further ID",
        "Timestamps and Randomness",
    ),
    Field::new("random_low", 32, Role::Random, "random, and new in each ID", "Timestamps and Randomness"),
];
const _: () = assert!(Field::bits_of(&LAYOUT) == 8 * BYTES);

/// The bits of the field that random bits and the extension share, and those of the length of the extension.
const UPPER: u32 = LAYOUT[1].bits;
const LENGTH: u32 = LAYOUT[3].bits;
const _: () = assert!(UPPER == Extension::MAX_BITS as u32 && Extension::MAX_BITS < 1 << LENGTH);

/// An EUID: 128 bits, which are 16 bytes in big-endian order.
///
/// Every 128-bit value is an ID. [`Default`] is zero. IDs are ordered by their bytes. Their texts have
/// the same order, and one generator generates IDs in this order.
///
/// ```
/// use euid::{Euid, euid};
///
/// const ID: Euid = euid!("C8EE934SR007G5Q94QKKXFRFV8B");
/// assert_eq!(ID.unix_millis(), 13_484_529_128_248);
/// assert_eq!(ID.extension().map(|extension| (extension.value(), extension.bits())), Some((7, 8)));
/// assert_eq!(ID.check(), 11);
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
pub struct Euid([u8; BYTES]);

impl Euid {
    /// The least ID: all bits 0.
    #[doc(alias = "nil")]
    pub const MIN: Self = Self([0; BYTES]);

    /// The greatest ID: all bits 1.
    #[doc(alias = "max")]
    pub const MAX: Self = Self([0xff; BYTES]);

    /// The greatest timestamp, 2^45 − 1, in December 3084.
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

    /// Returns the ID with this integer.
    #[must_use]
    pub const fn from_u128(int: u128) -> Self {
        Self(int.to_be_bytes())
    }

    /// Returns the integer: the bytes in big-endian order.
    #[must_use]
    #[doc(alias = "as_u128")]
    pub const fn to_u128(self) -> u128 {
        u128::from_be_bytes(self.0)
    }

    /// Returns the ID with these fields, each as the method of its name returns it. The first is field `timestamp`.
    ///
    /// ```
    /// use euid::{Euid, Extension};
    ///
    /// let id = Euid::try_from_fields(13_484_529_128_248, 1, Some(Extension::with_bits(5, 8)?), 2, 3)?;
    /// assert_eq!((id.random_upper(), id.random_high(), id.random_low()), (1, 2, 3));
    /// assert_eq!(id.extension(), Some(Extension::with_bits(5, 8)?));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If `unix_millis` takes more than 45 bits, or `random_upper` more than 15 less the bits of the extension.
    #[doc(alias = "from_parts")]
    pub const fn try_from_fields(
        unix_millis: u64,
        random_upper: u16,
        extension: Option<Extension>,
        random_high: u32,
        random_low: u32,
    ) -> Result<Self, RangeError> {
        if let Err(error) = error::check_range(unix_millis as i128, "EUID timestamp", Self::MAX_TIMESTAMP) {
            return Err(error);
        }
        let greatest = Extension::MAX_VALUE >> length(extension);
        if let Err(error) = error::check_range(random_upper as i128, "EUID random_upper", greatest as u64) {
            return Err(error);
        }
        Ok(Self::pack(
            unix_millis,
            upper(random_upper, extension),
            length(extension),
            random_high,
            random_low,
        ))
    }

    #[inline]
    pub(crate) const fn pack(
        timestamp: u64,
        upper: u16,
        length: u8,
        random_high: u32,
        random_low: u32,
    ) -> Self {
        let head = timestamp << (UPPER + LENGTH) | (upper as u64) << LENGTH | length as u64;
        Self::from_u128((head as u128) << 64 | (random_high as u128) << 32 | random_low as u128)
    }

    /// Returns the first 64 bits: the timestamp, the 15-bit field and the length of the extension.
    const fn head(&self) -> u64 {
        (self.to_u128() >> 64) as u64
    }

    /// Returns the 15-bit field: random bits above, the extension below.
    pub(crate) const fn upper(&self) -> u16 {
        (self.head() >> LENGTH) as u16 & Extension::MAX_VALUE
    }

    /// Returns the random bits between the timestamp and the extension: 15 bits, less those of the extension.
    #[must_use]
    pub const fn random_upper(&self) -> u16 {
        self.upper() >> self.extension_bits()
    }

    /// Returns the extension, if the ID has one.
    #[must_use]
    pub const fn extension(&self) -> Option<Extension> {
        Extension::read(self.upper(), self.extension_bits())
    }

    /// The field `extension length`: the number of bits of the extension, 0 to 15.
    const fn extension_bits(&self) -> u8 {
        self.head() as u8 & 0xf
    }

    /// Returns field `random high`, 32 bits: random in the first ID of a millisecond, then one more in each ID.
    #[must_use]
    pub const fn random_high(&self) -> u32 {
        (self.to_u128() >> 32) as u32
    }

    /// Returns field `random low`, 32 bits: random in each ID.
    #[must_use]
    #[doc(alias = "random")]
    pub const fn random_low(&self) -> u32 {
        self.to_u128() as u32
    }

    /// Returns the check of the ID, which its text contains: the integer modulo 127, which is 0 to 126.
    #[must_use]
    pub const fn check(&self) -> u8 {
        // 2^56 is 1 modulo 127, so the sum of the 56-bit digits has the same remainder.
        const DIGIT: u128 = (1 << 56) - 1;
        let int = self.to_u128();
        let sum = (int & DIGIT) as u64 + (int >> 56 & DIGIT) as u64 + (int >> 112) as u64;
        (sum % 127) as u8
    }

    /// Returns when the ID was generated, in milliseconds since 1970: field `timestamp`, 45 bits.
    #[must_use]
    #[doc(alias("timestamp", "timestamp_ms", "timestamp_millis", "get_timestamp"))]
    pub const fn unix_millis(&self) -> u64 {
        self.head() >> (UPPER + LENGTH)
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
    /// use euid::{Euid, UnixMillis, euid};
    ///
    /// let id = euid!("C8EE934SR007G5Q94QKKXFRFV8B");
    /// let time = UnixMillis(13_484_529_128_248); // or a SystemTime
    /// assert!(Euid::min_at(time)? <= id && id <= Euid::max_at(time)?);
    /// # Ok::<(), euid::RangeError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If `time` is before 1970, or after 2^45 − 1 ms, in December 3084.
    pub fn min_at(time: impl UnixTime) -> Result<Self, RangeError> {
        Ok(Self::pack(Self::timestamp_at(time)?, 0, 0, 0, 0))
    }

    /// Returns the greatest ID of the millisecond that contains `time`.
    ///
    /// # Errors
    ///
    /// Those of [`min_at`](Self::min_at).
    pub fn max_at(time: impl UnixTime) -> Result<Self, RangeError> {
        Ok(Self::pack(
            Self::timestamp_at(time)?,
            Extension::MAX_VALUE,
            Extension::MAX_BITS,
            u32::MAX,
            u32::MAX,
        ))
    }

    fn timestamp_at(time: impl UnixTime) -> Result<u64, RangeError> {
        Ok(error::check_time(time.unix_micros(), &Self::TIMES)? / 1000)
    }
}

/// Returns the number of bits of the extension, or 0 without an extension.
pub(crate) const fn length(extension: Option<Extension>) -> u8 {
    match extension {
        Some(extension) => extension.bits(),
        None => 0,
    }
}

/// Returns the 15-bit field that has these random bits above this extension.
pub(crate) const fn upper(random: u16, extension: Option<Extension>) -> u16 {
    match extension {
        Some(extension) => random << extension.bits() | extension.value(),
        None => random,
    }
}

sortid_core::__private::sortable_id!(
    [cfg] Euid, BYTES, from_bytes,
    name: "euid",
    title: "EUID",
    times: millis(0, Self::MAX_TIMESTAMP),
    unix_micros: |id| Some(id.unix_millis() * 1000),
    fields: &LAYOUT,
    |id, each| {
        let bits = u32::from(id.extension_bits());
        each(LAYOUT[0], id.unix_millis().into());
        each(LAYOUT[1].with_bits(UPPER - bits), u64::from(id.random_upper()).into());
        each(LAYOUT[2].with_bits(bits), id.extension().map(|it| u64::from(it.value())).into());
        each(LAYOUT[3], u64::from(bits).into());
        each(LAYOUT[4], u64::from(id.check()).into());
        each(LAYOUT[5], u64::from(id.random_high()).into());
        each(LAYOUT[6], u64::from(id.random_low()).into());
    },
);

impl From<u128> for Euid {
    fn from(int: u128) -> Self {
        Self::from_u128(int)
    }
}

impl From<Euid> for u128 {
    fn from(id: Euid) -> Self {
        id.to_u128()
    }
}
