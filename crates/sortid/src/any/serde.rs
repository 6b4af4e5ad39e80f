//! `AnyId` as a struct with the members `spec` and `id`. The `id` is the text in human-readable formats, the bytes in
//! others.

use super::{AnyId, Spec};
use core::{fmt, str};
use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{self, IgnoredAny, MapAccess, SeqAccess, Visitor},
    ser::SerializeStruct,
};

/// Serializes the [name](Spec::name).
#[cfg_attr(docsrs, doc(cfg(feature = "serde")))]
impl Serialize for Spec {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

#[cfg_attr(docsrs, doc(cfg(feature = "serde")))]
impl<'de> Deserialize<'de> for Spec {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Name;

        impl Visitor<'_> for Name {
            type Value = Spec;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the name of a specification")
            }

            fn visit_str<E: de::Error>(self, name: &str) -> Result<Spec, E> {
                name.parse().map_err(E::custom)
            }
        }

        deserializer.deserialize_str(Name)
    }
}

/// Serializes the ID with its specification: `{"spec":"euid","id":"C8EE934SR007G5Q94QKKXFRFV8B"}`. In formats that are
/// not human-readable, `id` is the bytes.
#[cfg_attr(docsrs, doc(cfg(feature = "serde")))]
impl Serialize for AnyId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let is_human_readable = serializer.is_human_readable();
        let mut members = serializer.serialize_struct("AnyId", 2)?;
        members.serialize_field("spec", &self.spec())?;
        if is_human_readable {
            members.serialize_field("id", self.encode().as_str())?;
        } else {
            members.serialize_field("id", &Bytes(self.as_bytes()))?;
        }
        members.end()
    }
}

struct Bytes<'a>(&'a [u8]);

impl Serialize for Bytes<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(self.0)
    }
}

/// Deserializes the members in either order, and ignores other members.
#[cfg_attr(docsrs, doc(cfg(feature = "serde")))]
impl<'de> Deserialize<'de> for AnyId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Members;

        impl<'de> Visitor<'de> for Members {
            type Value = AnyId;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an ID and its specification")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<AnyId, A::Error> {
                let spec = seq.next_element()?.ok_or_else(|| de::Error::invalid_length(0, &self))?;
                let id: Unread = seq.next_element()?.ok_or_else(|| de::Error::invalid_length(1, &self))?;
                id.read(spec)
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<AnyId, A::Error> {
                let (mut spec, mut id) = (None, None::<Unread>);
                while let Some(member) = map.next_key()? {
                    match member {
                        Member::Spec if spec.is_some() => return Err(de::Error::duplicate_field("spec")),
                        Member::Spec => spec = Some(map.next_value()?),
                        Member::Id if id.is_some() => return Err(de::Error::duplicate_field("id")),
                        Member::Id => id = Some(map.next_value()?),
                        Member::Other => {
                            map.next_value::<IgnoredAny>()?;
                        }
                    }
                }
                let spec = spec.ok_or_else(|| de::Error::missing_field("spec"))?;
                id.ok_or_else(|| de::Error::missing_field("id"))?.read(spec)
            }
        }

        deserializer.deserialize_struct("AnyId", &["spec", "id"], Members)
    }
}

enum Member {
    Spec,
    Id,
    Other,
}

impl<'de> Deserialize<'de> for Member {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Name;

        impl Visitor<'_> for Name {
            type Value = Member;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the name of a member")
            }

            fn visit_str<E: de::Error>(self, name: &str) -> Result<Member, E> {
                Ok(match name {
                    "spec" => Member::Spec,
                    "id" => Member::Id,
                    _ => Member::Other,
                })
            }
        }

        deserializer.deserialize_identifier(Name)
    }
}

/// Text or bytes that are parsed when the specification is known.
struct Unread {
    bytes: [u8; Self::LONGEST],
    len: usize,
    is_text: bool,
}

impl Unread {
    /// The longest text that is an ID: a SCRU160 in hex.
    const LONGEST: usize = 40;

    fn new<E: de::Error>(found: &[u8], is_text: bool) -> Result<Self, E> {
        let mut bytes = [0; Self::LONGEST];
        match bytes.get_mut(..found.len()) {
            Some(room) => room.copy_from_slice(found),
            None => return Err(E::invalid_length(found.len(), &"an ID of at most 40 characters")),
        }
        Ok(Self { bytes, len: found.len(), is_text })
    }

    fn read<E: de::Error>(&self, spec: Spec) -> Result<AnyId, E> {
        let bytes = &self.bytes[..self.len];
        let read = if self.is_text { AnyId::parse_ascii } else { AnyId::try_from_bytes };
        read(spec, bytes).map_err(|error| E::custom(format_args!("invalid {spec}: {error}")))
    }
}

impl<'de> Deserialize<'de> for Unread {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Any;

        impl<'de> Visitor<'de> for Any {
            type Value = Unread;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an ID")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Unread, E> {
                Unread::new(text.as_bytes(), true)
            }

            fn visit_bytes<E: de::Error>(self, bytes: &[u8]) -> Result<Unread, E> {
                Unread::new(bytes, false)
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Unread, A::Error> {
                let mut unread = Unread::new(&[], false)?;
                while let Some(byte) = seq.next_element()? {
                    match unread.bytes.get_mut(unread.len) {
                        Some(place) => *place = byte,
                        None => return Err(de::Error::invalid_length(unread.len + 1, &self)),
                    }
                    unread.len += 1;
                }
                Ok(unread)
            }
        }

        if deserializer.is_human_readable() {
            deserializer.deserialize_str(Any)
        } else {
            deserializer.deserialize_bytes(Any)
        }
    }
}
