//! The specifications: a file each, with the description of an ID.

mod euid;
mod evently_id;
mod ron_uid;
mod scru160;
mod ulid_flake;

use crate::description::{Description, Options};
use sortid::{AnyId, SortableId, Spec, euid::Euid};

/// What inspection needs of an ID besides what the library has.
pub trait Describe: SortableId {
    /// Appends the text that the description has.
    fn push_text(&self, _: &Options, out: &mut Vec<u8>) {
        let text = self.encode();
        let bytes: &[u8] = text.as_ref();
        out.extend_from_slice(bytes);
    }

    /// Takes the ID apart.
    fn describe(&self, options: &Options) -> Description;

    /// Returns rows that are shown below the fields. Each row has a piece of the text, a name and a value.
    fn details(&self, _: &Options) -> Vec<[String; 3]> {
        vec![]
    }
}

/// `$body`, with the ID of whichever specification as `$id`.
///
/// [`AnyId`] is non-exhaustive, so the compiler asks for an arm that is never reached. The assertion below does not compile
/// if the arm of a specification is missing.
macro_rules! with_id {
    ($any:expr, $id:ident => $body:expr) => {
        match $any {
            AnyId::EventlyId($id) => $body,
            AnyId::Scru160($id) => $body,
            AnyId::Euid($id) => $body,
            AnyId::UlidFlake($id) => $body,
            AnyId::RonUid($id) => $body,
            _ => unreachable!("`with_id` has an arm for each specification"),
        }
    };
}

const _: () = assert!(Spec::ALL.len() == 5, "`with_id` lacks a specification");

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

/// Returns what is worth showing below the fields of an ID: a piece of the text, what it is, and its value. The digits of a RON
/// UID's time, and the parts of its origin.
#[must_use]
pub fn details(id: AnyId, options: &Options) -> Vec<[String; 3]> {
    with_id!(id, id => id.details(options))
}

/// Describes an ID that was read from this text, which can contain more than the ID.
pub(crate) fn describe_text(id: AnyId, text: &[u8], options: &Options) -> Description {
    match id {
        AnyId::Euid(id) => {
            euid::describe_with_check(id, Euid::parse_with_check(text).ok().and_then(|(_, check)| check))
        }
        id => describe(id, options),
    }
}
