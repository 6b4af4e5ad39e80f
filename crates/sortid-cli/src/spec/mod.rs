//! The specifications: a file each, with the options of `sortid new` and the description of an ID.

pub(crate) mod euid;
pub(crate) mod evently_id;
mod id;
pub(crate) mod ron_uid;
pub(crate) mod scru160;
pub(crate) mod ulid_flake;

use crate::description::Description;
use clap::builder::{PossibleValuesParser, TypedValueParser};
pub(crate) use id::{DescribeOptions, Id};
use sortid::{AnyId, Spec, euid::Euid};

/// A specification as an argument.
pub(crate) fn by_name() -> impl TypedValueParser<Value = Spec> {
    let names = Spec::ALL.iter().map(|spec| spec.name());
    PossibleValuesParser::new(names).try_map(|name| name.parse::<Spec>())
}

/// `$body`, with the ID of whichever specification as `$id`.
///
/// [`AnyId`] is non-exhaustive, so the compiler asks for an arm that is never reached. The assertion below makes it
/// report a specification that has no arm of its own.
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

pub(crate) fn describe(id: AnyId, options: DescribeOptions) -> Description {
    with_id!(id, id => id.describe(options))
}

/// What `inspect` shows below the fields, as [`Id::details`].
pub(crate) fn details(id: AnyId, options: DescribeOptions) -> Vec<[String; 3]> {
    with_id!(id, id => id.details(options))
}

/// Describes an ID that was read from this text, which can contain more than the ID.
pub(crate) fn describe_text(id: AnyId, text: &[u8], options: DescribeOptions) -> Description {
    match id {
        AnyId::Euid(id) => {
            euid::describe_with_check(id, Euid::parse_with_check(text).ok().and_then(|(_, check)| check))
        }
        id => describe(id, options),
    }
}
