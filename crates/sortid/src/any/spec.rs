use core::{fmt, ops::RangeInclusive, str::FromStr};
use sortid_core::{__private::error::Start, SortableId};

/// A specification. The enum has a variant for each specification whose feature is on.
///
/// ```
/// use sortid::Spec;
///
/// assert_eq!("euid".parse(), Ok(Spec::Euid));
/// assert_eq!(Spec::Euid.name(), "euid");
/// assert_eq!(Spec::ALL.len(), 5);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Spec {
    /// Evently Event ID: 128 bits.
    #[cfg(feature = "evently-id")]
    EventlyId,
    /// SCRU160: 160 bits.
    #[cfg(feature = "scru160")]
    Scru160,
    /// EUID: 128 bits, with a check in the text.
    #[cfg(feature = "euid")]
    Euid,
    /// Ulid-Flake: 63 bits, an integer.
    #[cfg(feature = "ulid-flake")]
    UlidFlake,
    /// Swarm RON UID: 128 bits, a time, a name or a hash.
    #[cfg(feature = "ron-uid")]
    RonUid,
}

/// Evaluates `$body` with the ID type of a specification as `$id`.
macro_rules! with_type {
    ($spec:expr, $id:ident => $body:expr) => {
        match $spec {
            #[cfg(feature = "evently-id")]
            $crate::Spec::EventlyId => {
                type $id = evently_id::EventId;
                $body
            }
            #[cfg(feature = "scru160")]
            $crate::Spec::Scru160 => {
                type $id = scru160::Scru160;
                $body
            }
            #[cfg(feature = "euid")]
            $crate::Spec::Euid => {
                type $id = euid::Euid;
                $body
            }
            #[cfg(feature = "ulid-flake")]
            $crate::Spec::UlidFlake => {
                type $id = ulid_flake::UlidFlake;
                $body
            }
            #[cfg(feature = "ron-uid")]
            $crate::Spec::RonUid => {
                type $id = ron_uid::RonUid;
                $body
            }
        }
    };
}

pub(super) use with_type;

impl Spec {
    /// All specifications whose feature is on, in their order.
    pub const ALL: &'static [Self] = &[
        #[cfg(feature = "evently-id")]
        Self::EventlyId,
        #[cfg(feature = "scru160")]
        Self::Scru160,
        #[cfg(feature = "euid")]
        Self::Euid,
        #[cfg(feature = "ulid-flake")]
        Self::UlidFlake,
        #[cfg(feature = "ron-uid")]
        Self::RonUid,
    ];

    /// Returns the name, which is also that of the crate and of the feature: `evently-id`, `scru160`, `euid`, `ulid-flake` or `ron-uid`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        with_type!(self, Id => <Id as SortableId>::NAME)
    }

    /// Returns the name for people: `Event ID`, `SCRU160`, `EUID`, `Ulid-Flake` or `RON UID`.
    #[must_use]
    pub const fn title(self) -> &'static str {
        with_type!(self, Id => <Id as SortableId>::TITLE)
    }

    /// Returns the names that [`from_str`](Self::from_str) accepts, without the signs between words.
    const fn names(self) -> &'static [&'static str] {
        match self {
            #[cfg(feature = "evently-id")]
            Self::EventlyId => &["eventlyid", "evently", "eventid", "event", "eventlyeventid"],
            #[cfg(feature = "scru160")]
            Self::Scru160 => &["scru160"],
            #[cfg(feature = "euid")]
            Self::Euid => &["euid"],
            #[cfg(feature = "ulid-flake")]
            Self::UlidFlake => &["ulidflake"],
            #[cfg(feature = "ron-uid")]
            Self::RonUid => &["ronuid", "ron", "swarmronuid"],
        }
    }

    /// Returns the number of bytes of an ID.
    #[must_use]
    pub const fn bytes(self) -> usize {
        with_type!(self, Id => <Id as SortableId>::BYTES)
    }

    /// Returns the times that IDs can have, in microseconds since 1970: see [`SortableId::TIMES`].
    #[must_use]
    pub const fn times(self) -> RangeInclusive<u64> {
        with_type!(self, Id => <Id as SortableId>::TIMES)
    }
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Parses the [name](Spec::name), the [title](Spec::title), or what people write instead: `Evently`, `Event`, `RON`.
/// Ignores case, spaces, hyphens and underscores.
///
/// ```
/// use sortid::Spec;
///
/// for name in ["ron-uid", "RON UID", "RonUid", "ron_uid", "ron"] {
///     assert_eq!(name.parse(), Ok(Spec::RonUid));
/// }
/// let error = "ulid".parse::<Spec>().unwrap_err();
/// assert_eq!(error.to_string(), "expected evently-id, scru160, euid, ulid-flake or ron-uid, found \"ulid\"");
/// ```
impl FromStr for Spec {
    type Err = UnknownSpec;

    fn from_str(name: &str) -> Result<Self, UnknownSpec> {
        let is_name = |spec: &&Self| {
            spec.names().iter().any(|candidate| letters(name.as_bytes()).eq(candidate.bytes()))
        };
        Self::ALL.iter().find(is_name).copied().ok_or_else(|| UnknownSpec(Start::of(name.as_bytes())))
    }
}

/// Returns the letters and digits of a name, in lower case. The signs between words are left out, others are not.
fn letters(name: &[u8]) -> impl Iterator<Item = u8> {
    name.iter().filter(|byte| !b" -_".contains(byte)).map(u8::to_ascii_lowercase)
}

/// The error of a name that is not a specification whose feature is on. The message lists the names, and quotes the one
/// that was found, at most its first 24 bytes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct UnknownSpec(Start);

/// Writes a sentence such as `expected euid or scru160, found "ulid"`.
impl fmt::Display for UnknownSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected ")?;
        for (index, spec) in Spec::ALL.iter().enumerate() {
            let before = match index {
                0 => "",
                _ if index + 1 == Spec::ALL.len() => " or ",
                _ => ", ",
            };
            write!(f, "{before}{spec}")?;
        }
        let found = str::from_utf8(self.0.as_bytes()).unwrap_or_default();
        write!(f, ", found {found:?}{}", if self.0.is_all() { "" } else { "…" })
    }
}

impl fmt::Debug for UnknownSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "UnknownSpec({self})")
    }
}

impl core::error::Error for UnknownSpec {}

/// The error of an [`AnyId`](crate::AnyId) that has another specification than the type that it was converted to.
///
/// ```
/// use sortid::{AnyId, Spec, euid::Euid, scru160::Scru160};
///
/// let id = AnyId::parse(Spec::Euid, "C8EE934SR007G5Q94QKKXFRFV8B")?;
/// assert_eq!(Euid::try_from(id)?.timestamp(), 13_484_529_128_248);
/// let error = Scru160::try_from(id).unwrap_err();
/// assert_eq!(error.to_string(), "expected an ID of the specification SCRU160, found one of EUID");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnexpectedSpec {
    pub(super) expected: Spec,
    pub(super) found: Spec,
}

impl UnexpectedSpec {
    /// Returns the specification of the type.
    #[must_use]
    pub const fn expected(&self) -> Spec {
        self.expected
    }

    /// Returns the specification of the ID.
    #[must_use]
    pub const fn found(&self) -> Spec {
        self.found
    }
}

impl fmt::Display for UnexpectedSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [expected, found] = [self.expected, self.found].map(Spec::title);
        write!(f, "expected an ID of the specification {expected}, found one of {found}")
    }
}

impl core::error::Error for UnexpectedSpec {}
