//! The specifications: what the libraries say of an ID, a text and a time.

use euid::Euid;
use evently_id::EventId;
use ron_uid::{RonUid, Scheme};
use scru160::Scru160;
use sortid_core::{SortableId, UnixTime};
use sortid_sql::Spec;
use std::ops::RangeInclusive;
use ulid_flake::UlidFlake;

/// What a function returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Id,
    Time,
    Text,
    Int,
    Bytes,
    Bool,
}

/// A value that a function has to return.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    Null,
    /// In microseconds since 1970.
    Time(u64),
    Text(String),
    Int(u64),
    Bytes(Vec<u8>),
}

/// A specification.
pub(crate) struct Subject {
    pub(crate) spec: Spec,
    /// The functions of an ID, without the prefix.
    pub(crate) functions: &'static [(&'static str, Kind)],
    /// The values of these functions. `None` if the bytes are not an ID.
    pub(crate) values: fn(&[u8]) -> Option<Vec<Value>>,
    pub(crate) parse: fn(&str) -> Option<Vec<u8>>,
    /// The least and the greatest ID of a time in microseconds since 1970. `None` if the time is out of range.
    pub(crate) bounds: fn(i128) -> Option<[Vec<u8>; 2]>,
    /// All microseconds that IDs can have.
    pub(crate) times: RangeInclusive<u64>,
    /// The bits of the fields, from the first.
    pub(crate) widths: &'static [u32],
    /// The bits that an ID can have, from the first byte.
    pub(crate) mask: &'static [u8],
    /// Whether times have digits for microseconds, not only for milliseconds.
    pub(crate) has_micros: bool,
    /// The files with vectors of the tests.
    pub(crate) vectors: &'static [&'static str],
}

/// The functions that all specifications have besides those of an ID, without the prefix.
pub(crate) const PARSE: &str = "parse";
pub(crate) const IS_VALID: &str = "is_valid";
pub(crate) const BOUNDS: [&str; 2] = ["min_at", "max_at"];

impl Subject {
    pub(crate) const fn prefix(&self) -> &'static str {
        self.spec.prefix()
    }

    /// The full name of a function.
    pub(crate) fn name(&self, function: &str) -> String {
        format!("{}_{function}", self.prefix())
    }

    /// Whether the ID is an integer in a database.
    pub(crate) const fn is_int(&self) -> bool {
        matches!(self.spec, Spec::UlidFlake)
    }

    /// Whether the ID is a UUID in databases whose UUIDs sort by their bytes.
    pub(crate) const fn is_uuid(&self) -> bool {
        matches!(self.spec, Spec::Euid | Spec::EventlyId)
    }

    pub(crate) const fn bytes(&self) -> usize {
        self.mask.len()
    }

    /// The ID as tables of samples have it: a decimal integer or lower-case hex.
    pub(crate) fn shown(&self, id: &[u8]) -> String {
        match <[u8; 8]>::try_from(id) {
            Ok(bytes) if self.is_int() => i64::from_be_bytes(bytes).to_string(),
            _ => hex(id),
        }
    }
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

pub(crate) static ALL: [Subject; 5] = [
    Subject {
        spec: Spec::Scru160,
        functions: &[
            ("time", Kind::Time),
            ("text", Kind::Text),
            ("timestamp_ms", Kind::Int),
            ("counter", Kind::Int),
            ("random16", Kind::Int),
            ("random80", Kind::Bytes),
        ],
        values: |id| {
            values::<Scru160>(id, |id| {
                vec![
                    Value::Int(id.timestamp()),
                    Value::Int(id.counter().into()),
                    Value::Int(id.random16().into()),
                    Value::Bytes(id.random80().to_vec()),
                ]
            })
        },
        parse: parse::<Scru160>,
        bounds: bounds::<Scru160>,
        times: Scru160::TIMES,
        widths: &[48, 16, 16, 80],
        mask: &[0xff; 20],
        has_micros: false,
        vectors: &[include_str!("../../../crates/scru160/tests/data/scru160.json")],
    },
    Subject {
        spec: Spec::Euid,
        functions: &[
            ("time", Kind::Time),
            ("text", Kind::Text),
            ("timestamp_ms", Kind::Int),
            ("random_upper", Kind::Int),
            ("extension", Kind::Int),
            ("extension_bits", Kind::Int),
            ("random_high", Kind::Int),
            ("random_low", Kind::Int),
            ("check", Kind::Int),
        ],
        values: |id| {
            values::<Euid>(id, |id| {
                vec![
                    Value::Int(id.timestamp()),
                    Value::Int(id.random_upper().into()),
                    id.extension().map_or(Value::Null, |extension| Value::Int(extension.value().into())),
                    Value::Int(id.extension_bits().into()),
                    Value::Int(id.random_high().into()),
                    Value::Int(id.random_low().into()),
                    Value::Int(id.check().into()),
                ]
            })
        },
        parse: parse::<Euid>,
        bounds: bounds::<Euid>,
        times: Euid::TIMES,
        widths: &[45, 15, 4, 32, 32],
        mask: &[0xff; 16],
        has_micros: false,
        vectors: &[include_str!("../../../crates/euid/tests/data/euid.json")],
    },
    Subject {
        spec: Spec::UlidFlake,
        functions: &[
            ("time", Kind::Time),
            ("text", Kind::Text),
            ("timestamp_ms", Kind::Int),
            ("randomness", Kind::Int),
            ("scalable_randomness", Kind::Int),
            ("scalability", Kind::Int),
        ],
        values: |id| {
            values::<UlidFlake>(id, |id| {
                vec![
                    Value::Int(id.timestamp()),
                    Value::Int(id.randomness().into()),
                    Value::Int(id.scalable().randomness().into()),
                    Value::Int(id.scalable().scalability().into()),
                ]
            })
        },
        parse: parse::<UlidFlake>,
        bounds: bounds::<UlidFlake>,
        times: UlidFlake::TIMES,
        widths: &[1, 43, 15, 5],
        mask: &[0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff],
        has_micros: false,
        vectors: &[include_str!("../../../crates/ulid-flake/tests/data/ulid_flake.json")],
    },
    Subject {
        spec: Spec::RonUid,
        functions: &[
            ("time", Kind::Time),
            ("text", Kind::Text),
            ("value", Kind::Text),
            ("origin", Kind::Text),
            ("value_int", Kind::Int),
            ("origin_int", Kind::Int),
            ("scheme", Kind::Text),
        ],
        values: |id| {
            values::<RonUid>(id, |id| {
                let scheme = match id.scheme() {
                    Scheme::Event => "event",
                    Scheme::Derived => "derived",
                    Scheme::Name => "name",
                    Scheme::Hash => "hash",
                };
                vec![
                    Value::Text(id.value().encode().to_string()),
                    Value::Text(id.origin().encode().to_string()),
                    Value::Int(id.value().to_int()),
                    Value::Int(id.origin().to_int()),
                    Value::Text(scheme.to_owned()),
                ]
            })
        },
        parse: parse::<RonUid>,
        bounds: bounds::<RonUid>,
        times: RonUid::TIMES,
        widths: &[4, 12, 6, 6, 6, 6, 12, 12, 2, 2, 60],
        mask: &[
            0x0f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x3f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
        ],
        has_micros: false,
        vectors: &[
            include_str!("../../../crates/ron-uid/tests/data/ron_uid.json"),
            include_str!("../../../crates/ron-uid/tests/data/zip.tsv"),
        ],
    },
    Subject {
        spec: Spec::EventlyId,
        functions: &[
            ("time", Kind::Time),
            ("text", Kind::Text),
            ("timestamp_us", Kind::Int),
            ("checksum", Kind::Text),
            ("ledger_id", Kind::Text),
            ("version", Kind::Int),
        ],
        values: |id| {
            values::<EventId>(id, |id| {
                vec![
                    Value::Int(id.timestamp()),
                    Value::Text(format!("{:08x}", id.checksum())),
                    Value::Text(id.ledger_id().encode().to_string()),
                    Value::Int(id.ledger_id().version().into()),
                ]
            })
        },
        parse: parse::<EventId>,
        bounds: bounds::<EventId>,
        times: EventId::TIMES,
        widths: &[64, 32, 30, 2],
        mask: &[0xff; 16],
        has_micros: true,
        vectors: &[],
    },
];

/// The time and the text of an ID, and then its fields.
fn values<I: SortableId>(id: &[u8], fields: fn(I) -> Vec<Value>) -> Option<Vec<Value>> {
    let id = I::try_from_bytes(id).ok()?;
    let mut values =
        vec![id.unix_micros().map_or(Value::Null, Value::Time), Value::Text(id.encode().to_string())];
    values.extend(fields(id));
    Some(values)
}

fn parse<I: SortableId>(text: &str) -> Option<Vec<u8>> {
    Some(I::parse(text).ok()?.as_bytes().to_vec())
}

fn bounds<I: SortableId>(micros: i128) -> Option<[Vec<u8>; 2]> {
    let bytes = |id: I| id.as_bytes().to_vec();
    Some([bytes(I::min_at(Micros(micros)).ok()?), bytes(I::max_at(Micros(micros)).ok()?)])
}

/// Microseconds since 1970.
struct Micros(i128);

impl UnixTime for Micros {
    fn unix_micros(self) -> i128 {
        self.0
    }
}
