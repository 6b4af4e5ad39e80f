use core::{
    fmt::{Debug, Display, LowerHex},
    hash::Hash,
    ops::{Deref, RangeInclusive},
    str::FromStr,
};
use sortid_core::{ParseError, UnixTime};

/// What the ID types of all specifications have, for generic code.
///
/// ```
/// use sortid::SortableId;
///
/// /// The key of an index that holds IDs of any one specification.
/// fn key<I: SortableId>(text: &str) -> Result<Vec<u8>, sortid::ParseError> {
///     Ok(I::parse(text)?.as_bytes().to_vec())
/// }
///
/// assert_eq!(key::<sortid::ulid_flake::UlidFlake>("00CMXB6TAK4SA")?.len(), 8);
/// assert_eq!(key::<sortid::euid::Euid>("C8EE934SR007G5Q94QKKXFRFV8B")?.len(), 16);
/// # Ok::<(), sortid::ParseError>(())
/// ```
///
/// The methods that the types have themselves do the same, but say more: `EventId::unix_micros` knows that there is a
/// time, `Euid::from_bytes` that every 16 bytes are an ID.
pub trait SortableId:
    Copy
    + Ord
    + Hash
    + Default
    + Debug
    + Display
    + LowerHex
    + FromStr<Err = ParseError>
    + AsRef<[u8]>
    + for<'a> TryFrom<&'a [u8], Error = ParseError>
    + Send
    + Sync
    + 'static
{
    /// The specification, by the name of its crate.
    const NAME: &'static str;

    /// Bytes of an ID.
    const BYTES: usize;

    /// Characters of the longest text that [`encode`](Self::encode) gives.
    const TEXT_LEN: usize;

    /// The least ID.
    const MIN: Self;

    /// The greatest ID.
    const MAX: Self;

    /// The times that IDs can have, in microseconds since 1970: what [`min_at`](Self::min_at) and
    /// [`max_at`](Self::max_at) take. Those of a Ulid-Flake are counted from the default epoch.
    const TIMES: RangeInclusive<u64>;

    /// The text, on the stack.
    type Text: Copy + Deref<Target = str> + AsRef<str> + AsRef<[u8]> + Display;

    /// The ID with these bytes.
    ///
    /// # Errors
    ///
    /// `Length` unless there are [`BYTES`](Self::BYTES); `Overflow` where these are no ID.
    fn try_from_bytes(bytes: &[u8]) -> Result<Self, ParseError> {
        Self::try_from(bytes)
    }

    /// The bytes, most significant first.
    fn as_bytes(&self) -> &[u8] {
        self.as_ref()
    }

    /// Reads the text.
    ///
    /// # Errors
    ///
    /// Where the type's own `parse` errs.
    fn parse(text: &str) -> Result<Self, ParseError> {
        Self::parse_ascii(text.as_bytes())
    }

    /// [`parse`](Self::parse) for a text that is not known to be UTF-8.
    ///
    /// # Errors
    ///
    /// As [`parse`](Self::parse).
    fn parse_ascii(text: &[u8]) -> Result<Self, ParseError>;

    /// The text.
    #[must_use]
    fn encode(&self) -> Self::Text;

    /// The integer that the bytes make in big-endian order. `None` where it can be longer than 128 bits.
    #[must_use]
    fn to_int(&self) -> Option<u128> {
        (Self::BYTES <= 16).then(|| self.as_bytes().iter().fold(0, |int, &byte| int << 8 | u128::from(byte)))
    }

    /// When the ID was made, in microseconds since 1970, as precisely as it says. `None` where the ID has no time, as
    /// the names of RON. A Ulid-Flake is taken to be made with the default epoch.
    #[must_use]
    fn unix_micros(&self) -> Option<u64>;

    /// The least ID of the tick that `time` is in. With [`max_at`](Self::max_at), the bounds of a query by time.
    ///
    /// # Errors
    ///
    /// `Overflow` outside of [`TIMES`](Self::TIMES).
    fn min_at(time: impl UnixTime) -> Result<Self, ParseError>;

    /// The greatest ID of the tick that `time` is in.
    ///
    /// # Errors
    ///
    /// `Overflow` outside of [`TIMES`](Self::TIMES).
    fn max_at(time: impl UnixTime) -> Result<Self, ParseError>;
}

/// Implements the trait from the methods that the type has itself. These have the same names, and go before those of
/// the trait.
macro_rules! sortable_id {
    ($feature:literal, $id:ty, $bytes:literal, $times:expr, |$this:ident| $unix_micros:expr) => {
        #[cfg(feature = $feature)]
        impl SortableId for $id {
            const NAME: &'static str = $feature;
            const BYTES: usize = $bytes;
            const TEXT_LEN: usize = Self::TEXT_LEN;
            const MIN: Self = Self::MIN;
            const MAX: Self = Self::MAX;
            const TIMES: RangeInclusive<u64> = $times;

            type Text = sortid_core::Text<{ Self::TEXT_LEN }>;

            #[inline]
            fn parse_ascii(text: &[u8]) -> Result<Self, ParseError> {
                Self::parse_ascii(text)
            }

            #[inline]
            fn encode(&self) -> Self::Text {
                self.encode()
            }

            #[inline]
            fn unix_micros(&self) -> Option<u64> {
                let $this = self;
                $unix_micros
            }

            fn min_at(time: impl UnixTime) -> Result<Self, ParseError> {
                Self::min_at(time)
            }

            fn max_at(time: impl UnixTime) -> Result<Self, ParseError> {
                Self::max_at(time)
            }
        }
    };
}

/// All microseconds of these milliseconds.
#[cfg(any(feature = "euid", feature = "ron-uid", feature = "scru160", feature = "ulid-flake"))]
const fn millis(first: u64, last: u64) -> RangeInclusive<u64> {
    first * 1000..=last * 1000 + 999
}

sortable_id!("evently-id", evently_id::EventId, 16, 0..=Self::MAX_TIMESTAMP, |id| Some(id.unix_micros()));
sortable_id!("euid", euid::Euid, 16, millis(0, Self::MAX_TIMESTAMP), |id| Some(id.unix_millis() * 1000));
sortable_id!("scru160", scru160::Scru160, 20, millis(0, Self::MAX_TIMESTAMP), |id| Some(
    id.unix_millis() * 1000
));
// From 2010 to the end of 2345.
sortable_id!("ron-uid", ron_uid::RonUid, 16, millis(1_262_304_000_000, 11_865_398_399_999), |id| {
    Some(id.unix_millis()? * 1000)
});
sortable_id!("ulid-flake", ulid_flake::UlidFlake, 8, since_2024(), |id| Some(id.unix_millis() * 1000));
sortable_id!("ulid-flake", ulid_flake::ScalableUlidFlake, 8, since_2024(), |id| Some(
    id.unix_millis() * 1000
));

#[cfg(feature = "ulid-flake")]
const fn since_2024() -> RangeInclusive<u64> {
    let epoch = ulid_flake::Epoch::DEFAULT.unix_millis();
    millis(epoch, epoch + ulid_flake::UlidFlake::MAX_TIMESTAMP)
}
