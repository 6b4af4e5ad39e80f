use super::{AnyId, Spec};
use core::fmt;
use sortid_core::{ParseError, RangeError, SortableId, Text, UnixTime};

impl AnyId {
    /// The number of characters of the longest text that [`encode`](Self::encode) returns.
    pub const TEXT_LEN: usize = crate::LONGEST_TEXT;

    /// Parses the text of an ID of this specification. If you do not know the specification, use
    /// [`detect`](crate::detect).
    ///
    /// # Errors
    ///
    /// Those of the ID type's `parse`.
    pub fn parse(spec: Spec, text: &str) -> Result<Self, ParseError> {
        Self::parse_ascii(spec, text.as_bytes())
    }

    /// Parses a text that may not be UTF-8.
    ///
    /// # Errors
    ///
    /// Those of [`parse`](Self::parse).
    pub fn parse_ascii(spec: Spec, text: &[u8]) -> Result<Self, ParseError> {
        with_type!(spec, Id => Id::parse_ascii(text).map(Self::from))
    }

    /// Returns the ID of this specification with these bytes.
    ///
    /// # Errors
    ///
    /// Those of [`SortableId::try_from_bytes`].
    pub fn try_from_bytes(spec: Spec, bytes: &[u8]) -> Result<Self, ParseError> {
        with_type!(spec, Id => <Id as SortableId>::try_from_bytes(bytes).map(Self::from))
    }

    /// Returns the bytes, most significant first.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        with_id!(self, id => id.as_ref())
    }

    /// Returns the text.
    #[must_use]
    pub fn encode(&self) -> Text<{ Self::TEXT_LEN }> {
        with_id!(self, id => {
            let mut text = Text::EMPTY;
            text.push_text(&id.encode());
            text
        })
    }

    /// Returns the bytes as a big-endian integer; `None` for IDs of more than 128 bits.
    #[must_use]
    pub fn to_u128(&self) -> Option<u128> {
        with_id!(self, id => SortableId::integer(id))
    }

    /// Returns when the ID was generated, in microseconds since 1970: see [`SortableId::unix_micros`].
    #[must_use]
    pub fn unix_micros(&self) -> Option<u64> {
        with_id!(self, id => SortableId::unix_micros(id))
    }

    /// Returns when the ID was generated: see [`SortableId::unix_micros`]. Also `None` if `SystemTime` cannot represent the
    /// time.
    #[cfg(feature = "std")]
    #[must_use]
    pub fn time(&self) -> Option<std::time::SystemTime> {
        std::time::UNIX_EPOCH.checked_add(core::time::Duration::from_micros(self.unix_micros()?))
    }

    /// Returns the least ID of the specification.
    #[must_use]
    pub fn min(spec: Spec) -> Self {
        with_type!(spec, Id => Id::MIN.into())
    }

    /// Returns the greatest ID of the specification.
    #[must_use]
    pub fn max(spec: Spec) -> Self {
        with_type!(spec, Id => Id::MAX.into())
    }

    /// Returns the least ID of the tick (the millisecond or microsecond) that contains `time`. With
    /// [`max_at`](Self::max_at), these are the bounds of a query by time.
    ///
    /// # Errors
    ///
    /// If `time` is outside [`Spec::times`].
    pub fn min_at(spec: Spec, time: impl UnixTime) -> Result<Self, RangeError> {
        with_type!(spec, Id => Id::min_at(time).map(Self::from))
    }

    /// Returns the greatest ID of the tick that contains `time`.
    ///
    /// # Errors
    ///
    /// If `time` is outside [`Spec::times`].
    pub fn max_at(spec: Spec, time: impl UnixTime) -> Result<Self, RangeError> {
        with_type!(spec, Id => Id::max_at(time).map(Self::from))
    }
}

impl fmt::Display for AnyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        with_id!(self, id => id.fmt(f))
    }
}

impl fmt::Debug for AnyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        with_id!(self, id => fmt::Debug::fmt(id, f))
    }
}

/// The bytes, two digits each.
impl fmt::LowerHex for AnyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        with_id!(self, id => fmt::LowerHex::fmt(id, f))
    }
}

/// The bytes, two digits each.
impl fmt::UpperHex for AnyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        with_id!(self, id => fmt::UpperHex::fmt(id, f))
    }
}

impl AsRef<[u8]> for AnyId {
    fn as_ref(&self) -> &[u8] {
        self.as_bytes()
    }
}
