//! The specifications: a file each, with the options of `sortid new` and the description of an ID.

pub(crate) mod euid;
pub(crate) mod evently_id;
mod id;
pub(crate) mod ron_uid;
pub(crate) mod scru160;
pub(crate) mod ulid_flake;

use crate::description::Description;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
pub(crate) use id::{DescribeOptions, Id};
use sortid::{AnyId, Spec, euid::Euid};
use std::ffi::OsStr;

/// A specification as an argument, also in other spellings than its name: `EUID`, `RON UID`, `event`.
pub(crate) fn by_name() -> impl TypedValueParser<Value = Spec> {
    ByName
}

#[derive(Clone)]
struct ByName;

impl ByName {
    fn names() -> PossibleValuesParser {
        PossibleValuesParser::new(Spec::ALL.iter().map(|spec| spec.name()))
    }
}

impl TypedValueParser for ByName {
    type Value = Spec;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<Spec, clap::Error> {
        match value.to_str().and_then(|name| name.parse().ok()) {
            Some(spec) => Ok(spec),
            // clap's error lists the names.
            None => Self::names().try_map(|name| name.parse()).parse_ref(command, argument, value),
        }
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(Spec::ALL.iter().map(|spec| PossibleValue::new(spec.name()))))
    }
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

/// `an EUID`, `a SCRU160`.
pub(crate) fn one(spec: Spec) -> String {
    let title = spec.title();
    let article = if title.starts_with('E') { "an" } else { "a" };
    format!("{article} {title}")
}

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
