//! The specifications, as the program sees them: one file each, with the options of `sortid new` and the reading of
//! an ID.

pub(crate) mod euid;
pub(crate) mod evently_id;
pub(crate) mod ron_uid;
pub(crate) mod scru160;
pub(crate) mod ulid_flake;

use crate::reading::Reading;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use sortid::{
    AnyId, ParseError, SortableId, Spec,
    euid::Euid,
    ron_uid::ReplicaScheme,
    ulid_flake::{Epoch, ScalableUlidFlake},
};

/// A specification as an argument.
pub(crate) fn by_name() -> impl TypedValueParser<Value = Spec> {
    let names = Spec::ALL.iter().map(|spec| spec.name());
    PossibleValuesParser::new(names).try_map(|name| name.parse::<Spec>())
}

pub(crate) fn read(spec: Spec, text: &[u8], options: ReadOptions) -> Result<Reading, ParseError> {
    AnyId::parse_ascii(spec, text).map(|id| reading_of(id, text, options))
}

/// Of an ID that was read from this text.
pub(crate) fn reading_of(id: AnyId, text: &[u8], options: ReadOptions) -> Reading {
    match id {
        // The check is one of the text.
        AnyId::Euid(id) => euid::reading(id, Euid::parse_with_check(text).ok().and_then(|(_, check)| check)),
        AnyId::UlidFlake(id) if options.scalable => ScalableUlidFlake::from_flake(id).reading(options),
        id => reading(id, options),
    }
}

pub(crate) fn reading(id: AnyId, options: ReadOptions) -> Reading {
    match id {
        AnyId::EventlyId(id) => id.reading(options),
        AnyId::Scru160(id) => id.reading(options),
        AnyId::Euid(id) => id.reading(options),
        AnyId::UlidFlake(id) => id.reading(options),
        AnyId::RonUid(id) => id.reading(options),
        _ => unreachable!("{} is new", id.spec()),
    }
}

/// What the picture says beyond the fields: a piece of the text, what it is, and its value.
pub(crate) fn details(id: AnyId, options: ReadOptions) -> Vec<[String; 3]> {
    match id {
        AnyId::RonUid(id) => ron_uid::details(id, options),
        _ => vec![],
    }
}

/// What an ID does not say, and whoever shows it has to know.
#[derive(Clone, Copy, Default)]
pub(crate) struct ReadOptions {
    pub(crate) no_check: bool,
    pub(crate) replica_scheme: Option<ReplicaScheme>,
    pub(crate) scalable: bool,
    pub(crate) epoch: Epoch,
}

/// What the program needs of an ID besides.
pub(crate) trait Id: SortableId {
    fn push_text(&self, _: ReadOptions, out: &mut Vec<u8>) {
        let text = self.encode();
        let bytes: &[u8] = text.as_ref();
        out.extend_from_slice(bytes);
    }

    fn reading(&self, options: ReadOptions) -> Reading;
}
