use crate::{Base64x64, Scheme, calendar};
use core::cmp::Ordering;
#[cfg(feature = "bytemuck")]
use sortid_core::__private::dependencies::bytemuck;
#[cfg(feature = "zerocopy08")]
use sortid_core::__private::dependencies::zerocopy;
use sortid_core::{
    __private::{error, millis},
    Field, FieldValue, ParseError, RangeError, Role, SortableId as _, UnixTime,
};

/// The number of bytes of a UID: two 64-bit integers in big-endian order.
const BYTES: usize = 16;

/// The fields in order. The specification puts the digits of a part into the lower 60 bits of a 64-bit integer. It defines
/// no bits for the scheme, so these bits are those of the later RON 2.1.
const LAYOUT: [Field; 7] = [
    Field::new("variety", 4, Role::Constant, "these bits are always 0", "Time part format"),
    Field::new(
        "value",
        60,
        Role::Time,
        "ten digits: a time by the calendar and a sequence number, or a name",
        "Time part format",
    ),
    Field::view(
        "value_int",
        "as an integer",
        Role::Time,
        "the 60 bits of the value as an integer",
        "Time part format",
    ),
    Field::new("zero", 2, Role::Constant, "these bits are always 0", "Origin part format"),
    Field::new(
        "scheme",
        2,
        Role::Kind,
        "what the UID is: a name, a hash, an event, or derived from an event",
        "Transcendent UID format",
    ),
    Field::new(
        "origin",
        60,
        Role::Node,
        "the replica that made the UID, or the scope of a name",
        "Origin part format",
    ),
    Field::view(
        "origin_int",
        "as an integer",
        Role::Node,
        "the 60 bits of the origin as an integer",
        "Origin part format",
    ),
];
const _: () = assert!(Field::bits_of(&LAYOUT) == 8 * BYTES);

/// The bits of the origin, which are the last ones.
const ORIGIN: u32 = LAYOUT[5].bits;

/// A Swarm RON UID: a value (a time or a name), an origin (a replica) and a scheme; 16 bytes.
///
/// UIDs are ordered by value, then by origin, then by scheme: event, derived, name, hash. The bytes of UIDs of one scheme
/// have the same order. Texts have the order of their values; among UIDs of one value, the order of the texts may differ.
///
/// [`Default`] is zero, the event `0`.
///
/// ```
/// use ron_uid::{Base64x64, RonUid, Scheme, ron_uid};
///
/// const ID: RonUid = ron_uid!("1CQKneD1-X~");
/// assert_eq!(ID.value(), Base64x64::parse("1CQKneD1")?);
/// assert_eq!(ID.origin(), Base64x64::parse("X~")?);
/// assert_eq!(ID.scheme(), Scheme::Event);
/// assert_eq!(RonUid::try_from_bytes(ID.to_bytes()), Ok(ID));
/// # Ok::<(), ron_uid::ParseError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
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
pub struct RonUid([u8; BYTES]);

impl RonUid {
    /// The least UID: the event `0`.
    #[doc(alias = "nil")]
    pub const MIN: Self = Self::from_fields(Base64x64::ZERO, Base64x64::ZERO, Scheme::Event);

    /// The greatest UID: `~~~~~~~~~~%~~~~~~~~~~`.
    #[doc(alias = "max")]
    pub const MAX: Self = Self::from_fields(Base64x64::ERROR, Base64x64::ERROR, Scheme::Hash);

    /// Zero, the event `0`: the context of a compressed UID that has no UID before it.
    pub const ZERO: Self = Self::MIN;

    /// Never, the event `~`.
    pub const NEVER: Self = Self::from_fields(Base64x64::NEVER, Base64x64::ZERO, Scheme::Event);

    /// Error, the event `~~~~~~~~~~`.
    pub const ERROR: Self = Self::from_fields(Base64x64::ERROR, Base64x64::ZERO, Scheme::Event);

    /// Returns the UID with these bytes.
    ///
    /// ```
    /// use ron_uid::RonUid;
    ///
    /// let error = RonUid::try_from_bytes([0xff; 16]).unwrap_err();
    /// assert_eq!(error.to_string(), "15 is above the greatest RON UID variety, 0");
    /// ```
    ///
    /// # Errors
    ///
    /// `Overflow` unless the four upper bits of the first byte and the two upper bits of the ninth byte are 0.
    #[doc(alias = "from_slice")]
    #[inline]
    pub const fn try_from_bytes(bytes: [u8; BYTES]) -> Result<Self, ParseError> {
        if let Err(error) = error::check_parsed((bytes[0] >> 4) as i128, "RON UID variety", 0) {
            return Err(error);
        }
        match error::check_parsed((bytes[8] >> 4) as i128, "RON UID scheme in bits", 0b11) {
            Ok(_) => Ok(Self(bytes)),
            Err(error) => Err(error),
        }
    }

    /// Returns the bytes, most significant first: the value in the low 60 bits of the first eight bytes, the scheme and the
    /// origin in the low 62 bits of the other eight.
    #[must_use]
    #[doc(alias = "into_bytes")]
    pub const fn to_bytes(self) -> [u8; BYTES] {
        self.0
    }

    /// Returns the bytes, most significant first, as [`to_bytes`](Self::to_bytes) does.
    #[must_use]
    #[doc(alias = "bytes")]
    pub const fn as_bytes(&self) -> &[u8; BYTES] {
        &self.0
    }

    /// Returns the UID with this integer, whose big-endian bytes are those of the UID.
    ///
    /// # Errors
    ///
    /// Those of [`try_from_bytes`](Self::try_from_bytes).
    #[doc(alias = "from_u128")]
    pub const fn try_from_u128(int: u128) -> Result<Self, ParseError> {
        Self::try_from_bytes(int.to_be_bytes())
    }

    /// Returns the integer: the bytes in big-endian order.
    #[inline]
    #[must_use]
    #[doc(alias = "as_u128")]
    pub const fn to_u128(self) -> u128 {
        u128::from_be_bytes(self.0)
    }

    /// Returns the UID with these fields. Every combination is a UID.
    #[inline]
    #[must_use]
    #[doc(alias = "from_parts")]
    pub const fn from_fields(value: Base64x64, origin: Base64x64, scheme: Scheme) -> Self {
        let (high, low) = (value.to_int(), scheme.bits() << ORIGIN | origin.to_int());
        Self(((high as u128) << 64 | low as u128).to_be_bytes())
    }

    /// Returns field `value`, 60 bits: a time, a name, or the first half of a hash.
    #[inline]
    #[must_use]
    pub const fn value(&self) -> Base64x64 {
        Base64x64::from_low_bits((self.to_u128() >> 64) as u64)
    }

    /// Returns field `origin`, 60 bits: a replica, the scope of a name, or the second half of a hash.
    #[inline]
    #[must_use]
    pub const fn origin(&self) -> Base64x64 {
        Base64x64::from_low_bits(self.to_u128() as u64)
    }

    /// Returns field `scheme`, 2 bits.
    #[inline]
    #[must_use]
    pub const fn scheme(&self) -> Scheme {
        Scheme::from_bits((self.to_u128() >> ORIGIN) as u64)
    }

    /// Returns whether this is a name with the origin 0, which means the same everywhere (specification, "Transcendent UID
    /// format").
    ///
    /// ```
    /// use ron_uid::ron_uid;
    ///
    /// assert!(ron_uid!("inc").is_transcendent());
    /// assert!(!ron_uid!("inc$X").is_transcendent()); // in the scope of X
    /// assert!(!ron_uid!("~").is_transcendent()); // an event: never
    /// ```
    #[must_use]
    pub const fn is_transcendent(&self) -> bool {
        matches!(self.scheme(), Scheme::Name) && self.origin().to_int() == 0
    }

    /// Returns whether the value is above [`NEVER`](Base64x64::NEVER): no time has such a value.
    ///
    /// ```
    /// use ron_uid::ron_uid;
    ///
    /// assert!(ron_uid!("~~~~~~~~~~").is_abnormal());
    /// assert!(!ron_uid!("~").is_abnormal());
    /// ```
    #[must_use]
    pub const fn is_abnormal(&self) -> bool {
        self.value().to_int() > Base64x64::NEVER.to_int()
    }

    /// Returns when the UID was generated, in milliseconds since 1970. A derived UID has the time of the event that it is
    /// derived from. `None` for names and hashes, and if the value is not a time.
    #[must_use]
    #[doc(alias("timestamp_ms", "timestamp_millis", "get_timestamp"))]
    pub const fn unix_millis(&self) -> Option<u64> {
        match self.scheme() {
            Scheme::Event | Scheme::Derived => self.value().unix_millis(),
            Scheme::Name | Scheme::Hash => None,
        }
    }

    /// Returns when the UID was generated, to the millisecond. `None` as for [`unix_millis`](Self::unix_millis).
    ///
    /// ```
    /// use core::time::Duration;
    /// use ron_uid::ron_uid;
    ///
    /// let time = std::time::UNIX_EPOCH + Duration::from_secs(1_464_382_200); // 2016-05-27T20:50:00Z
    /// assert_eq!(ron_uid!("1CQKn-X~").time(), Some(time));
    /// assert_eq!(ron_uid!("~").time(), None);
    /// assert_eq!(ron_uid!("inc").time(), None);
    /// ```
    #[cfg(feature = "std")]
    #[must_use]
    #[doc(alias = "datetime")]
    pub fn time(&self) -> Option<std::time::SystemTime> {
        let millis = self.unix_millis()?;
        Some(std::time::UNIX_EPOCH + core::time::Duration::from_millis(millis))
    }

    /// Returns the least UID of the millisecond that contains `time`: an event with the sequence number and the origin 0.
    /// With [`max_at`](Self::max_at), these are the bounds of a query by time that includes both ends:
    /// `WHERE id BETWEEN min_at(since) AND max_at(until)`.
    ///
    /// A column of bytes sorts by the scheme before the origin, names first. If the column also has names or hashes, add a
    /// condition on the scheme to the query.
    ///
    /// ```
    /// use ron_uid::{RonUid, UnixMillis, ron_uid};
    ///
    /// let id = ron_uid!("1CQKn-X~");
    /// let time = UnixMillis(1_464_382_200_000); // or a SystemTime
    /// assert!(RonUid::min_at(time)? <= id && id <= RonUid::max_at(time)?);
    /// # Ok::<(), ron_uid::RangeError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If `time` is before 2010 or after 2345.
    pub fn min_at(time: impl UnixTime) -> Result<Self, RangeError> {
        let milli = Self::milli_at(time)?;
        Ok(Self::from_fields(calendar::value_at(milli, 0), Base64x64::ZERO, Scheme::Event))
    }

    /// Returns the greatest UID of the millisecond that contains `time`: a derived UID with the sequence number 4095 and the
    /// greatest origin. Names and hashes have no time. Its bytes are the greatest, too.
    ///
    /// # Errors
    ///
    /// Those of [`min_at`](Self::min_at).
    pub fn max_at(time: impl UnixTime) -> Result<Self, RangeError> {
        let milli = Self::milli_at(time)?;
        Ok(Self::from_fields(
            calendar::value_at(milli, calendar::MAX_SEQUENCE),
            Base64x64::ERROR,
            Scheme::Derived,
        ))
    }
}

impl RonUid {
    fn milli_at(time: impl UnixTime) -> Result<u64, RangeError> {
        Ok(error::check_time(time.unix_micros(), &Self::TIMES)? / 1000 - calendar::BASE)
    }
}

impl Default for RonUid {
    fn default() -> Self {
        Self::ZERO
    }
}

impl Ord for RonUid {
    // This is not the order of the bytes: in them, the scheme stands before the origin, and names come first.
    fn cmp(&self, other: &Self) -> Ordering {
        let key = |uid: &Self| (uid.value(), uid.origin(), uid.scheme());
        key(self).cmp(&key(other))
    }
}

impl PartialOrd for RonUid {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

sortid_core::__private::sortable_id!(
    [cfg] RonUid, BYTES, try_from_bytes,
    name: "ron-uid",
    title: "RON UID",
    times: millis(calendar::BASE, calendar::BASE + calendar::LAST_MILLI),
    unix_micros: |uid| Some(uid.unix_millis()? * 1000),
    fields: &LAYOUT,
    |uid, each| {
        let (value, origin) = (uid.value(), uid.origin());
        each(LAYOUT[0], 0.into());
        each(LAYOUT[1], value.encode().into());
        each(LAYOUT[2], FieldValue::Integer(value.to_int()));
        each(LAYOUT[3], 0.into());
        each(LAYOUT[4], FieldValue::text(uid.scheme().name()));
        each(LAYOUT[5], origin.encode().into());
        each(LAYOUT[6], FieldValue::Integer(origin.to_int()));
    },
);

impl From<RonUid> for u128 {
    fn from(uid: RonUid) -> Self {
        uid.to_u128()
    }
}

impl TryFrom<u128> for RonUid {
    type Error = ParseError;

    fn try_from(int: u128) -> Result<Self, ParseError> {
        Self::try_from_u128(int)
    }
}
