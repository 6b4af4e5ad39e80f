//! The description of an ID. A specification has a file if its fields alone do not describe it.

mod euid;
mod ron_uid;
mod ulid_flake;

use crate::{
    Prefix,
    description::{Description, Field, Options, rfc3339},
    reader::Found,
};
use sortid::{__with_id as with_id, AnyId, SortableId, Text, euid::Euid};

/// What inspection needs of an ID. What the fields alone do not say is in the file of the specification.
pub trait Describe: SortableId + Into<AnyId> + TryFrom<AnyId> {
    /// Appends the text that the description has.
    fn push_text(&self, options: &Options, out: &mut Vec<u8>) {
        if let Some(prefix) = &options.prefix {
            out.extend_from_slice(prefix.start().as_bytes());
        }
        if let AnyId::Euid(id) = (*self).into() {
            return out.extend_from_slice(euid::text(id, options).as_bytes());
        }
        let text = self.encode();
        let bytes: &[u8] = text.as_ref();
        out.extend_from_slice(bytes);
    }

    /// Returns the time of the ID in microseconds since 1970.
    fn unix_micros_with(&self, options: &Options) -> Option<u64> {
        match (*self).into() {
            AnyId::UlidFlake(id) => Some(ulid_flake::unix_micros(id, options)),
            _ => self.unix_micros(),
        }
    }

    /// Takes the ID apart.
    fn describe(&self, options: &Options) -> Description {
        let description = match (*self).into() {
            AnyId::Euid(id) => euid::describe(id, options),
            AnyId::UlidFlake(id) => ulid_flake::describe(id, options),
            _ => Description::of(self, fields(self)),
        };
        description.typed(options.prefix)
    }
}

impl<I: SortableId + Into<AnyId> + TryFrom<AnyId>> Describe for I {}

/// The fields of the ID, and their values.
fn fields<I: SortableId>(id: &I) -> Vec<Field> {
    let mut fields = vec![];
    id.for_each_field(|field, value| fields.push((field, value).into()));
    fields
}

/// Takes an ID apart.
///
/// ```
/// use sortid::euid::euid;
/// use sortid_inspect::{Value, describe};
///
/// let description = describe(euid!("C8EE934SR007G5Q94QKKXFRFV8B").into(), &Default::default());
/// let timestamp = &description.fields[0];
/// assert_eq!((timestamp.name, timestamp.bits), ("timestamp_ms", 45));
/// assert_eq!(timestamp.value, Value::Number(13_484_529_128_248));
/// ```
#[must_use]
pub fn describe(id: AnyId, options: &Options) -> Description {
    with_id!(id, id => id.describe(options))
}

/// Returns what [`Description::time`] does, without the description.
#[must_use]
pub fn time(id: AnyId, options: &Options) -> Option<Text<30>> {
    let micros = with_id!(id, id => id.unix_micros_with(options))?;
    Some(rfc3339(id.spec(), micros))
}

/// Returns what is worth showing below the fields of an ID: a piece of the text, what it is, and its value. The digits of a RON
/// UID's time, and the parts of its origin.
#[must_use]
pub fn details(id: AnyId, options: &Options) -> Vec<[String; 3]> {
    match id {
        AnyId::RonUid(id) => ron_uid::details(id, options),
        _ => vec![],
    }
}

/// Describes an ID that was read from this text, which can contain more than the ID: a check, and a prefix before it.
pub(crate) fn describe_text(found: Found, text: &[u8], options: &Options) -> Description {
    let (start, text) = text.split_at(found.prefix_len);
    let prefix = (!start.is_empty()).then(|| Prefix::of_start(start));
    match found.id {
        AnyId::Euid(id) => {
            let text = std::str::from_utf8(text).ok();
            let check = text.and_then(|text| Euid::parse_with_check(text).ok()).map(|id| id.check());
            euid::describe_with_check(id, check).typed(prefix)
        }
        id => describe(id, &Options { prefix, ..*options }),
    }
}
