//! The checksum of an event, and the ledger ID (specification, "Event Checksum" and "Ledger ID").

use crc32c::crc32c_append;
use evently_id::{EventId, LedgerId};
use sortid_core::HEX;
use std::{fmt, str::FromStr};

/// The form of a ledger: which members its events have, and which of them the checksum covers, in which order.
///
/// The specification changed over the years, and ledgers of both forms are in use. The README's table
/// ["Checksums"](crate#checksums) lists what each checksum covers.
///
/// ```
/// use evently_ledger::{Event, Json, Profile};
///
/// assert_eq!(Event::new("opened").entity("shop").key("1").profile(), Some(Profile::Classic));
/// let entities = Json::parse(r#"{"shop": ["1"]}"#)?;
/// assert_eq!(Event::new("opened").entities(entities).profile(), Some(Profile::Entities));
/// assert_eq!("classic".parse(), Ok(Profile::Classic));
/// # Ok::<(), evently_ledger::JsonError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum Profile {
    /// An event is about one entity. It requires `event`, `entity` and `key`; `meta` and `data` are optional.
    Classic,
    /// An event is about any number of entities. It requires `event`, `entities`, `meta` and `data`. Evently writes this
    /// form since 2024.
    Entities,
}

impl Profile {
    /// Both profiles.
    pub const ALL: [Self; 2] = [Self::Classic, Self::Entities];

    /// The name: `classic` or `entities`. [`FromStr`] reads it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Classic => "classic",
            Self::Entities => "entities",
        }
    }

    pub(crate) const fn other(self) -> Self {
        match self {
            Self::Classic => Self::Entities,
            Self::Entities => Self::Classic,
        }
    }
}

impl fmt::Display for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Profile {
    type Err = UnknownProfile;

    fn from_str(name: &str) -> Result<Self, UnknownProfile> {
        Self::ALL
            .into_iter()
            .find(|profile| profile.name() == name)
            .ok_or_else(|| UnknownProfile(name.to_owned()))
    }
}

/// The error of a text that is not the [name](Profile::name) of a [`Profile`].
#[derive(Clone, PartialEq, Eq)]
pub struct UnknownProfile(String);

impl fmt::Display for UnknownProfile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected classic or entities, found {:?}", self.0)
    }
}

impl fmt::Debug for UnknownProfile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "UnknownProfile({self})")
    }
}

impl std::error::Error for UnknownProfile {}

/// The name of a member that the profile requires and that an event does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MissingMember(pub(crate) &'static str);

/// `the member "entity" of the profile classic`
impl fmt::Display for MissingMember {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let profile = match self.0 {
            "entity" | "key" => " of the profile classic",
            "entities" | "meta" | "data" => " of the profile entities",
            _ => "",
        };
        write!(f, "the member {:?}{profile}", self.0)
    }
}

/// The members that a checksum covers: strings without escapes, JSON in its canonical form.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Content<'a> {
    pub(crate) event: Option<&'a str>,
    pub(crate) entity: Option<&'a str>,
    pub(crate) key: Option<&'a str>,
    pub(crate) entities: Option<&'a str>,
    pub(crate) meta: Option<&'a str>,
    pub(crate) data: Option<&'a str>,
}

impl Content<'_> {
    /// The profile that has these members; `None` if both have them.
    pub(crate) fn profile(&self) -> Option<Profile> {
        if self.entities.is_some() {
            Some(Profile::Entities)
        } else if self.entity.is_some() || self.key.is_some() {
            Some(Profile::Classic)
        } else {
            None
        }
    }

    /// The profiles that the event can have, the likelier one first: that of its members, and of two profiles that whose
    /// members it has all. Only its ID shows which profile it has, because a profile ignores the members of the other one.
    pub(crate) fn profiles(&self) -> [Option<Profile>; 2] {
        let is_complete = |profile| self.checksum(profile, 0).is_ok();
        let likely = self.profile().map(|profile| match profile.other() {
            other if is_complete(other) && !is_complete(profile) => other,
            _ => profile,
        });
        [likely, likely.map(Profile::other)]
    }

    /// The checksum of the content alone: the rows of the README's table that are not in italics. The ledger ID is
    /// derived from it, and the checksum of the event continues it.
    #[inline]
    pub(crate) fn checksum(&self, profile: Profile, timestamp: u64) -> Result<u32, MissingMember> {
        let texts = match profile {
            Profile::Classic => [
                required("entity", self.entity)?,
                required("key", self.key)?,
                required("event", self.event)?,
                self.meta.unwrap_or_default(),
                self.data.unwrap_or_default(),
            ],
            Profile::Entities => [
                required("event", self.event)?,
                required("entities", self.entities)?,
                required("meta", self.meta)?,
                required("data", self.data)?,
                "",
            ],
        };
        let mut crc = Crc::new(0);
        texts.iter().for_each(|text| crc.append(text.as_bytes()));
        if profile == Profile::Entities {
            crc.append(&timestamp_digits(timestamp));
        }
        Ok(crc.value())
    }
}

#[inline]
fn required<'a>(name: &'static str, value: Option<&'a str>) -> Result<&'a str, MissingMember> {
    value.ok_or(MissingMember(name))
}

/// A CRC-32C of several pieces. Each computation takes time to begin, so short pieces are put together first.
struct Crc {
    crc: u32,
    /// The beginning of `pieces` that is in use.
    len: usize,
    pieces: Pieces,
}

/// The computation begins faster at a multiple of 8.
#[repr(align(8))]
struct Pieces([u8; 256]);

impl Crc {
    #[inline]
    const fn new(crc: u32) -> Self {
        Self { crc, len: 0, pieces: Pieces([0; 256]) }
    }

    #[inline]
    fn append(&mut self, piece: &[u8]) {
        if self.len + piece.len() > self.pieces.0.len() {
            self.crc = self.value();
            self.len = 0;
            if piece.len() > self.pieces.0.len() {
                self.crc = crc32c_append(self.crc, piece);
                return;
            }
        }
        self.pieces.0[self.len..self.len + piece.len()].copy_from_slice(piece);
        self.len += piece.len();
    }

    #[inline]
    fn value(&self) -> u32 {
        crc32c_append(self.crc, &self.pieces.0[..self.len])
    }
}

/// The timestamp as 16 hex digits.
#[inline]
fn timestamp_digits(timestamp: u64) -> [u8; 16] {
    let mut digits = [0; 16];
    HEX.put(timestamp, &mut digits, 0, 16);
    digits
}

/// Continues `crc` with the timestamp, as 16 hex digits.
pub(crate) fn append_timestamp(crc: u32, timestamp: u64) -> u32 {
    crc32c_append(crc, &timestamp_digits(timestamp))
}

/// The ID of an event. `content` is the checksum of its content, `previous` the ID of the event before it.
#[inline]
pub(crate) fn event_id(
    profile: Profile,
    content: u32,
    timestamp: u64,
    ledger_id: LedgerId,
    previous: EventId,
) -> EventId {
    let mut crc = Crc::new(content);
    crc.append(ledger_id.encode().as_bytes());
    if profile == Profile::Classic {
        crc.append(&timestamp_digits(timestamp));
    }
    crc.append(previous.encode().as_bytes());
    EventId::from_fields(timestamp, crc.value(), ledger_id)
}

/// The ID of the first event of a ledger. `content` is the checksum of its content.
pub(crate) fn genesis_id(profile: Profile, content: u32, timestamp: u64) -> EventId {
    let ledger_id = LedgerId::from_checksum(content);
    let previous = match profile {
        Profile::Classic => EventId::from_fields(0, 0, ledger_id),
        Profile::Entities => EventId::from_fields(timestamp, 0, ledger_id),
    };
    event_id(profile, content, timestamp, ledger_id, previous)
}

/// The ID of the first event of a ledger as Evently's PostgreSQL function computes it. `content` covers `meta` and `data`
/// as PostgreSQL prints its type `jsonb`. A decimal CRC-32C takes the place of the ID before.
pub(crate) fn deployed_genesis_id(content: u32, timestamp: u64) -> EventId {
    let ledger_id = LedgerId::from_checksum(content);
    let previous = crc32c_append(append_timestamp(0, timestamp), b"00000000");
    let previous = crc32c_append(previous, ledger_id.encode().as_bytes());
    let crc = crc32c_append(content, ledger_id.encode().as_bytes());
    let crc = crc32c_append(crc, previous.to_string().as_bytes());
    EventId::from_fields(timestamp, crc, ledger_id)
}

#[cfg(test)]
mod tests {
    use super::Crc;
    use crc32c::crc32c_append;

    #[test]
    fn the_crate_computes_crc_32c() {
        assert_eq!(crc32c::crc32c(b"123456789"), 0xe306_9283);
    }

    #[test]
    fn pieces_of_any_length_have_the_checksum_of_the_whole() {
        let bytes: Vec<u8> = (0..2000).map(|index| (index % 251) as u8).collect();
        for len in [0, 1, 7, 16, 100, 255, 256, 257, 600] {
            let mut crc = Crc::new(7);
            for piece in bytes.chunks(len.max(1)) {
                crc.append(&piece[..len.min(piece.len())]);
                crc.append(b"");
            }
            let whole = if len == 0 { &[][..] } else { &bytes };
            assert_eq!(crc.value(), crc32c_append(7, whole), "{len}");
        }
    }
}
