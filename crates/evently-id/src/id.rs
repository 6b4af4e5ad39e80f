use crate::LedgerId;
#[cfg(feature = "bytemuck")]
use sortid_core::__private::dependencies::bytemuck;
#[cfg(feature = "zerocopy08")]
use sortid_core::__private::dependencies::zerocopy;
use sortid_core::{__private::error, Field, RangeError, Role, SortableId as _, Text, UnixTime};

/// The number of bytes of an ID.
const BYTES: usize = 16;

/// The fields in order (specification, "Event ID Composition").
const LAYOUT: [Field; 4] = [
    Field::new(
        "timestamp_us",
        64,
        Role::Time,
        "when the event happened, in microseconds since 1970",
        "Event ID Composition",
    ),
    Field::new(
        "checksum",
        32,
        Role::Check,
        "CRC-32C of the event and of the ID before it, which makes the ledger a chain",
        "Event Checksum",
    ),
    Field::new(
        "ledger_id",
        32,
        Role::Node,
        "the ledger: 30 bits from its first event, and a version of 2 bits",
        "Ledger ID",
    ),
    Field::view(
        "version",
        "bits 126–127",
        Role::Kind,
        "the version of the ledger ID, in its last two bits",
        "Versioned Ledger ID",
    ),
];
const _: () = assert!(Field::bits_of(&LAYOUT) == 8 * BYTES);

/// An Evently Event ID: 128 bits, which are 16 bytes in big-endian order.
///
/// Every 128-bit value is an ID. [`Default`] is zero. IDs are ordered by their bytes. Their texts have the same order, and
/// so do the events of a ledger.
///
/// ```
/// use evently_id::{EventId, event_id};
///
/// const ID: EventId = event_id!("0005cd755a43d79238c05790c0331dd8");
/// assert_eq!(ID.unix_micros(), 1_633_278_792_816_530);
/// assert_eq!(ID.checksum(), 0x38c0_5790);
/// assert_eq!(ID.ledger_id().encode(), "c0331dd8");
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
pub struct EventId([u8; BYTES]);

impl EventId {
    /// The least ID: all bits 0.
    #[doc(alias = "nil")]
    pub const MIN: Self = Self([0; BYTES]);

    /// The greatest ID: all bits 1.
    #[doc(alias = "max")]
    pub const MAX: Self = Self([0xff; BYTES]);

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

    /// Returns the ID with these fields, each as the method of its name returns it. The first is field `timestamp`. All values fit.
    ///
    /// ```
    /// use evently_id::{EventId, LedgerId};
    ///
    /// let ledger_id = LedgerId::parse("c0331dd8")?;
    /// let id = EventId::from_fields(1_633_278_792_816_530, 0x38c0_5790, ledger_id);
    /// assert_eq!(id.encode(), "0005cd755a43d79238c05790c0331dd8");
    /// # Ok::<(), evently_id::ParseError>(())
    /// ```
    #[must_use]
    #[doc(alias = "from_parts")]
    pub const fn from_fields(unix_micros: u64, checksum: u32, ledger_id: LedgerId) -> Self {
        let low = (checksum as u128) << LAYOUT[2].bits | ledger_id.to_int() as u128;
        Self::from_u128((unix_micros as u128) << (LAYOUT[1].bits + LAYOUT[2].bits) | low)
    }

    /// Returns the ID with this checksum in place of its own.
    #[must_use]
    pub const fn with_checksum(self, checksum: u32) -> Self {
        Self::from_fields(self.unix_micros(), checksum, self.ledger_id())
    }

    /// Returns field `checksum`, 32 bits: the CRC-32C of the event, the ledger ID, the timestamp and the event ID before
    /// it.
    #[must_use]
    pub const fn checksum(&self) -> u32 {
        (self.to_u128() >> LAYOUT[2].bits) as u32
    }

    /// Returns field `ledger ID`, 32 bits: the ledger of the event.
    #[must_use]
    pub const fn ledger_id(&self) -> LedgerId {
        LedgerId::from_int(self.to_u128() as u32)
    }

    /// Returns when the ID was generated, in microseconds since 1970: field `timestamp`, 64 bits. It is when the event was
    /// added to the ledger.
    #[must_use]
    #[doc(alias("timestamp", "get_timestamp"))]
    pub const fn unix_micros(&self) -> u64 {
        (self.to_u128() >> (LAYOUT[1].bits + LAYOUT[2].bits)) as u64
    }

    /// Returns when the ID was generated, to the microsecond. `None` if the time is out of range for the system's type: on
    /// Windows, after the year 30828.
    #[cfg(feature = "std")]
    #[must_use]
    #[doc(alias = "datetime")]
    pub fn time(&self) -> Option<std::time::SystemTime> {
        std::time::UNIX_EPOCH.checked_add(core::time::Duration::from_micros(self.unix_micros()))
    }

    /// Returns the least ID of the microsecond that contains `time`. With [`max_at`](Self::max_at), these are the bounds of
    /// a query by time that includes both ends: `WHERE id BETWEEN min_at(since) AND max_at(until)`.
    ///
    /// ```
    /// use evently_id::{EventId, UnixMicros, event_id};
    ///
    /// let id = event_id!("0005cd755a43d79238c05790c0331dd8");
    /// let time = UnixMicros(1_633_278_792_816_530); // or a SystemTime
    /// assert!(EventId::min_at(time)? <= id && id <= EventId::max_at(time)?);
    /// # Ok::<(), evently_id::RangeError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If `time` is before 1970, or after 2^64 − 1 µs, in the year 586524.
    pub fn min_at(time: impl UnixTime) -> Result<Self, RangeError> {
        Ok(Self::from_fields(Self::timestamp_at(time)?, 0, LedgerId::MIN))
    }

    /// Returns the greatest ID of the microsecond that contains `time`.
    ///
    /// # Errors
    ///
    /// Those of [`min_at`](Self::min_at).
    pub fn max_at(time: impl UnixTime) -> Result<Self, RangeError> {
        Ok(Self::from_fields(Self::timestamp_at(time)?, u32::MAX, LedgerId::MAX))
    }

    fn timestamp_at(time: impl UnixTime) -> Result<u64, RangeError> {
        error::check_time(time.unix_micros(), &Self::TIMES)
    }
}

sortid_core::__private::sortable_id!(
    [cfg] EventId, BYTES, from_bytes,
    name: "evently-id",
    title: "Event ID",
    times: 0..=u64::MAX,
    unix_micros: |id| Some(id.unix_micros()),
    fields: &LAYOUT,
    |id, each| {
        let ledger_id = id.ledger_id();
        each(LAYOUT[0], id.unix_micros().into());
        each(LAYOUT[1], Text::<20>::hex(&id.checksum().to_be_bytes()).into());
        each(LAYOUT[2], ledger_id.encode().into());
        each(LAYOUT[3], u64::from(ledger_id.version()).into());
    },
);

impl From<u128> for EventId {
    fn from(int: u128) -> Self {
        Self::from_u128(int)
    }
}

impl From<EventId> for u128 {
    fn from(id: EventId) -> Self {
        id.to_u128()
    }
}
