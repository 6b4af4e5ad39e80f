use super::{Spec, spec::with_type};
use core::fmt;
use sortid_core::SortableId;
use sortid_core::{ParseError, Text, UnixTime};

/// An ID of whichever specification. There is a variant for each one whose feature is on.
///
/// IDs of one specification are ordered as their types are; those of different ones by the specification, not by time.
///
/// ```
/// use sortid::{AnyId, Spec};
///
/// let id = AnyId::parse(Spec::UlidFlake, "00cmxb6tak4sa")?;
/// assert_eq!(id.spec().name(), "ulid-flake");
/// assert_eq!(id.to_string(), "00CMXB6TAK4SA");
/// assert_eq!(id.unix_micros(), Some(1_717_653_966_666_000));
/// assert_eq!(AnyId::try_from_bytes(id.spec(), id.as_bytes()), Ok(id));
/// # Ok::<(), sortid::ParseError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum AnyId {
    /// Evently Event ID.
    #[cfg(feature = "evently-id")]
    EventlyId(evently_id::EventId),
    /// SCRU160.
    #[cfg(feature = "scru160")]
    Scru160(scru160::Scru160),
    /// EUID.
    #[cfg(feature = "euid")]
    Euid(euid::Euid),
    /// Ulid-Flake. The bits do not tell the stand-alone version from the scalable one.
    #[cfg(feature = "ulid-flake")]
    UlidFlake(ulid_flake::UlidFlake),
    /// Swarm RON UID.
    #[cfg(feature = "ron-uid")]
    RonUid(ron_uid::RonUid),
}

/// `$body`, with the ID as `$id`.
macro_rules! with_id {
    ($any:expr, $id:ident => $body:expr) => {
        match $any {
            #[cfg(feature = "evently-id")]
            Self::EventlyId($id) => $body,
            #[cfg(feature = "scru160")]
            Self::Scru160($id) => $body,
            #[cfg(feature = "euid")]
            Self::Euid($id) => $body,
            #[cfg(feature = "ulid-flake")]
            Self::UlidFlake($id) => $body,
            #[cfg(feature = "ron-uid")]
            Self::RonUid($id) => $body,
        }
    };
}

impl AnyId {
    /// Characters of the longest text that [`encode`](Self::encode) gives.
    pub const TEXT_LEN: usize = 32;

    /// The specification.
    #[must_use]
    pub const fn spec(&self) -> Spec {
        match self {
            #[cfg(feature = "evently-id")]
            Self::EventlyId(_) => Spec::EventlyId,
            #[cfg(feature = "scru160")]
            Self::Scru160(_) => Spec::Scru160,
            #[cfg(feature = "euid")]
            Self::Euid(_) => Spec::Euid,
            #[cfg(feature = "ulid-flake")]
            Self::UlidFlake(_) => Spec::UlidFlake,
            #[cfg(feature = "ron-uid")]
            Self::RonUid(_) => Spec::RonUid,
        }
    }

    /// Reads the text as one of this specification. Which one that can be, [`detect`](crate::detect) says.
    ///
    /// # Errors
    ///
    /// Where the `parse` of the ID type errs.
    pub fn parse(spec: Spec, text: &str) -> Result<Self, ParseError> {
        Self::parse_ascii(spec, text.as_bytes())
    }

    /// [`parse`](Self::parse) for a text that is not known to be UTF-8.
    ///
    /// # Errors
    ///
    /// As [`parse`](Self::parse).
    pub fn parse_ascii(spec: Spec, text: &[u8]) -> Result<Self, ParseError> {
        with_type!(spec, Id => Id::parse_ascii(text).map(Self::from))
    }

    /// The ID of this specification with these bytes.
    ///
    /// # Errors
    ///
    /// As [`SortableId::try_from_bytes`].
    pub fn try_from_bytes(spec: Spec, bytes: &[u8]) -> Result<Self, ParseError> {
        with_type!(spec, Id => <Id as SortableId>::try_from_bytes(bytes).map(Self::from))
    }

    /// The bytes, most significant first.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        with_id!(self, id => id.as_ref())
    }

    /// The text.
    #[must_use]
    pub fn encode(&self) -> Text<{ Self::TEXT_LEN }> {
        with_id!(self, id => {
            let mut text = Text::EMPTY;
            text.push_text(&id.encode());
            text
        })
    }

    /// The integer that the bytes make in big-endian order. `None` where it can be longer than 128 bits.
    #[must_use]
    pub fn to_int(&self) -> Option<u128> {
        with_id!(self, id => SortableId::to_int(id))
    }

    /// When the ID was made, in microseconds since 1970, as [`SortableId::unix_micros`].
    #[must_use]
    pub fn unix_micros(&self) -> Option<u64> {
        with_id!(self, id => SortableId::unix_micros(id))
    }

    /// When the ID was made, as [`SortableId::unix_micros`]. `None` too where the system's time does not reach that far.
    #[cfg(feature = "std")]
    #[must_use]
    pub fn time(&self) -> Option<std::time::SystemTime> {
        std::time::UNIX_EPOCH.checked_add(core::time::Duration::from_micros(self.unix_micros()?))
    }

    /// The least ID of the specification.
    #[must_use]
    pub fn min(spec: Spec) -> Self {
        with_type!(spec, Id => Id::MIN.into())
    }

    /// The greatest ID of the specification.
    #[must_use]
    pub fn max(spec: Spec) -> Self {
        with_type!(spec, Id => Id::MAX.into())
    }

    /// The least ID of the tick that `time` is in, as [`SortableId::min_at`].
    ///
    /// # Errors
    ///
    /// `Overflow` outside of [`Spec::times`].
    pub fn min_at(spec: Spec, time: impl UnixTime) -> Result<Self, ParseError> {
        with_type!(spec, Id => Id::min_at(time).map(Self::from))
    }

    /// The greatest ID of the tick that `time` is in, as [`SortableId::max_at`].
    ///
    /// # Errors
    ///
    /// `Overflow` outside of [`Spec::times`].
    pub fn max_at(spec: Spec, time: impl UnixTime) -> Result<Self, ParseError> {
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

impl AsRef<[u8]> for AnyId {
    fn as_ref(&self) -> &[u8] {
        self.as_bytes()
    }
}

macro_rules! from {
    ($feature:literal, $variant:ident, $id:ty) => {
        #[cfg(feature = $feature)]
        impl From<$id> for AnyId {
            fn from(id: $id) -> Self {
                Self::$variant(id)
            }
        }
    };
}

from!("evently-id", EventlyId, evently_id::EventId);
from!("scru160", Scru160, scru160::Scru160);
from!("euid", Euid, euid::Euid);
from!("ulid-flake", UlidFlake, ulid_flake::UlidFlake);
from!("ron-uid", RonUid, ron_uid::RonUid);
