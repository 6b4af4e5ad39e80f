//! The specifications: what the libraries say of an ID, a text and a time.

use sortid::{
    __with_type as with_type, Field, FieldValue, Role, SortableId, UnixMicros,
    ulid_flake::{UlidFlake, scalable::Scalable},
};
use sortid_sql::Spec;
use std::{ops::RangeInclusive, sync::LazyLock};

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
    Bool(bool),
}

impl Value {
    fn kind(&self) -> Kind {
        match self {
            Self::Null => unreachable!("the ID has every field"),
            Self::Time(_) => Kind::Time,
            Self::Text(_) => Kind::Text,
            Self::Int(_) => Kind::Int,
            Self::Bytes(_) => Kind::Bytes,
            Self::Bool(_) => Kind::Bool,
        }
    }
}

type Values = dyn Fn(&[u8]) -> Option<Vec<Value>> + Send + Sync;

/// A specification.
pub(crate) struct Subject {
    pub(crate) id: sortid::Spec,
    pub(crate) spec: Spec,
    /// The functions of an ID, without the prefix.
    pub(crate) functions: Vec<(&'static str, Kind)>,
    /// The values of these functions. `None` if the bytes are not an ID.
    pub(crate) values: Box<Values>,
    pub(crate) parse: fn(&str) -> Option<Vec<u8>>,
    /// The least and the greatest ID of a time in microseconds since 1970. `None` if the time is out of range.
    pub(crate) bounds: fn(i128) -> Option<[Vec<u8>; 2]>,
    /// All microseconds that IDs can have.
    pub(crate) times: RangeInclusive<u64>,
    /// The bits of the fields, from the first.
    pub(crate) widths: Vec<u32>,
    /// The bits that an ID can have, from the first byte.
    pub(crate) mask: Vec<u8>,
    /// Whether times have digits for microseconds, not only for milliseconds.
    pub(crate) has_micros: bool,
    /// The strings in the conformance vectors.
    pub(crate) vectors: Vec<String>,
}

/// The functions that all specifications have besides the functions of an ID, without the prefix.
pub(crate) const PARSE: &str = "parse";
pub(crate) const TRY_PARSE: &str = "try_parse";
pub(crate) const IS_VALID: &str = "is_valid";
pub(crate) const TEXT_TIME: &str = "text_time";
pub(crate) const BOUNDS: [&str; 2] = ["min_at", "max_at"];

/// The functions of ID types with a prefix, which is their first argument.
pub(crate) const TYPED_TEXT: &str = "typed_text";
pub(crate) const TYPED_PARSE: &str = "typed_parse";
pub(crate) const TYPED_TRY_PARSE: &str = "typed_try_parse";

/// A function of an ID that may be a UUID of version 7, where a column can have both.
pub(crate) const UUID7_TIME: &str = "or_uuid7_time";

/// The least UUID of version 7 of a time, where a query names the range of these UUIDs.
pub(crate) const UUID7_MIN_AT: &str = "uuid7_min_at";

/// 2000-01-01 in milliseconds since 1970. In a column of EUIDs and UUIDs of version 7, no EUID is before this time. In
/// a column of Event IDs and such UUIDs, no UUID is.
pub(crate) const YEAR_2000: u64 = 946_684_800_000;

impl Subject {
    fn new(spec: sortid::Spec) -> Self {
        with_type!(spec, Id => Self::of(spec, fields::<Id>))
    }

    fn of<I: SortableId + 'static>(id: sortid::Spec, fields: fn(I) -> Vec<(&'static str, Value)>) -> Self {
        let spec = Spec::named(id.name()).expect("each specification has SQL");
        let functions = move |id: I| {
            let time = id.unix_micros().map_or(Value::Null, Value::Time);
            let text = Value::Text(id.encode().to_string());
            let mut all = vec![("time", time.clone()), ("text", text)];
            all.extend(fields(id));
            if is_uuid(spec) {
                let uuid7 = uuid7(spec, id.as_bytes());
                all.push(("is_uuid7", Value::Bool(uuid7.is_some())));
                all.push((UUID7_TIME, uuid7.map_or(time, Value::Time)));
            }
            all
        };
        // The greatest ID has every field.
        let greatest = I::max_at(UnixMicros(i128::from(*I::TIMES.end()))).expect("the time is in range");
        let widths = widths(I::FIELDS);
        Self {
            id,
            spec,
            functions: functions(greatest).into_iter().map(|(name, value)| (name, value.kind())).collect(),
            values: Box::new(move |id| {
                let id = I::try_from_bytes(id).ok()?;
                Some(functions(id).into_iter().map(|(_, value)| value).collect())
            }),
            parse: parse::<I>,
            bounds: bounds::<I>,
            times: I::TIMES,
            mask: packed(&widths, &masks(I::FIELDS)),
            widths,
            has_micros: false,
            vectors: vectors(id),
        }
    }

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
        is_uuid(self.spec)
    }

    /// The functions of a text, without the prefix.
    pub(crate) const TEXT_FUNCTIONS: [(&str, Kind); 4] =
        [(PARSE, Kind::Id), (TRY_PARSE, Kind::Id), (IS_VALID, Kind::Bool), (TEXT_TIME, Kind::Time)];

    /// The functions of ID types, without the prefix of the specification.
    pub(crate) const TYPED_FUNCTIONS: [(&str, Kind); 3] =
        [(TYPED_TEXT, Kind::Text), (TYPED_PARSE, Kind::Id), (TYPED_TRY_PARSE, Kind::Id)];

    /// The tick of a time, in microseconds. `uuid7` is the time if the ID is a UUID of version 7.
    pub(crate) const fn tick(&self, uuid7: Option<u64>) -> u64 {
        if self.has_micros && uuid7.is_none() { 1 } else { 1000 }
    }

    pub(crate) fn bytes(&self) -> usize {
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
    let digits = bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    digits.map(|digit| char::from_digit(digit.into(), 16).expect("four bits are a digit")).collect()
}

pub(crate) static ALL: LazyLock<Vec<Subject>> = LazyLock::new(|| {
    let subject = |&spec: &sortid::Spec| match spec {
        sortid::Spec::UlidFlake => Subject {
            widths: widths(Scalable::FIELDS),
            ..Subject::of::<UlidFlake>(spec, |id| {
                let mut all = fields(id);
                all.push(("scalable_randomness", Value::Int(id.scalable().randomness().into())));
                all.push(("scalability", Value::Int(id.scalable().scalability().into())));
                all
            })
        },
        // The value has the digits of a time.
        sortid::Spec::RonUid => {
            Subject { widths: vec![4, 12, 6, 6, 6, 6, 12, 12, 2, 2, 60], ..Subject::new(spec) }
        }
        // The ledger ID has the version.
        sortid::Spec::EventlyId => {
            Subject { widths: vec![64, 32, 30, 2], has_micros: true, ..Subject::new(spec) }
        }
        _ => Subject::new(spec),
    };
    sortid::Spec::ALL.iter().map(subject).collect()
});

// A fuzz target includes this file, so no path begins at the folder of the package.
const VECTORS: [&str; 5] = [
    include_str!("../../../vectors/scru160.json"),
    include_str!("../../../vectors/euid.json"),
    include_str!("../../../vectors/ulid-flake.json"),
    include_str!("../../../vectors/ron-uid.json"),
    include_str!("../../../vectors/evently-id.json"),
];

/// All strings in the vectors of the specification: texts, wrong ones among them, hex digits and integers.
fn vectors(spec: sortid::Spec) -> Vec<String> {
    let mut files = VECTORS.map(|file| serde_json::from_str(file).expect("vectors are JSON")).into_iter();
    let file = files.find(|file: &serde_json::Value| file["specification"] == spec.name());
    let mut strings = vec![];
    push_strings(file.expect("each specification has vectors"), &mut strings);
    strings
}

fn push_strings(json: serde_json::Value, strings: &mut Vec<String>) {
    match json {
        serde_json::Value::String(text) => strings.push(text),
        serde_json::Value::Array(items) => {
            items.into_iter().for_each(|item| push_strings(item, strings));
        }
        serde_json::Value::Object(members) => {
            members.into_iter().for_each(|(_, item)| push_strings(item, strings));
        }
        _ => {}
    }
}

/// The fields of an ID, without the whole ID, and without bits that are 0 in all IDs.
fn fields<I: SortableId>(id: I) -> Vec<(&'static str, Value)> {
    let mut fields = vec![];
    id.for_each_field(|field, value| {
        if matches!(field.role, Role::Whole | Role::Constant) {
            return;
        }
        let value = match value {
            FieldValue::Null => Value::Null,
            FieldValue::Number(int) | FieldValue::Integer(int) => Value::Int(int),
            // What an integer cannot hold is bytes in a database.
            FieldValue::Text(text) if field.bits > 64 => Value::Bytes(unhex(&text)),
            FieldValue::Text(text) => Value::Text(text.to_string()),
        };
        fields.push((field.name, value));
    });
    fields
}

fn unhex(text: &str) -> Vec<u8> {
    let byte = |at| u8::from_str_radix(&text[at..at + 2], 16).expect("two hex digits");
    (0..text.len()).step_by(2).map(byte).collect()
}

/// Whether the ID is a UUID in databases whose UUIDs sort by their bytes.
const fn is_uuid(spec: Spec) -> bool {
    matches!(spec, Spec::Euid | Spec::EventlyId)
}

/// The time in microseconds since 1970 of an ID that is a UUID of version 7, in a column that has both.
///
/// Read as 48 bits of milliseconds, the first bits of an EUID of 2000 or later are a time in 2210 or later, and the
/// first bits of an Event ID of before 3936 are a time before 2000.
pub(crate) fn uuid7(spec: Spec, id: &[u8]) -> Option<u64> {
    let bits = u128::from_be_bytes(id.try_into().ok()?);
    let millis = (bits >> 80) as u64;
    let has_version = bits >> 76 & 15 == 7 && bits >> 62 & 3 == 2;
    let can_be = if spec == Spec::Euid { millis < 8 * YEAR_2000 } else { millis >= YEAR_2000 };
    (has_version && can_be).then_some(millis * 1000)
}

/// The least UUID of version 7 of a time in microseconds since 1970. `None` before 1970.
pub(crate) fn uuid7_min_at(micros: i128) -> Option<Vec<u8>> {
    let millis = u128::try_from(micros).ok()? / 1000;
    Some((millis << 80).to_be_bytes().to_vec())
}

/// The bits of the fields, without views.
fn widths(fields: &[Field]) -> Vec<u32> {
    fields.iter().map(|field| field.bits).filter(|bits| *bits > 0).collect()
}

/// The bits of each of these fields that an ID can have.
fn masks(fields: &[Field]) -> Vec<u128> {
    let with_bits = fields.iter().filter(|field| field.bits > 0);
    with_bits.map(|field| if field.role == Role::Constant { 0 } else { u128::MAX }).collect()
}

/// The bytes of fields of these widths.
pub(crate) fn packed(widths: &[u32], values: &[u128]) -> Vec<u8> {
    let bits = widths
        .iter()
        .zip(values)
        .flat_map(|(width, value)| (0..*width).rev().map(move |bit| (value >> bit & 1) as u8));
    let bits: Vec<_> = bits.collect();
    bits.chunks(8).map(|byte| byte.iter().fold(0, |all, bit| all << 1 | bit)).collect()
}

fn parse<I: SortableId>(text: &str) -> Option<Vec<u8>> {
    Some(I::parse(text).ok()?.as_bytes().to_vec())
}

fn bounds<I: SortableId>(micros: i128) -> Option<[Vec<u8>; 2]> {
    let bytes = |id: I| id.as_bytes().to_vec();
    Some([bytes(I::min_at(UnixMicros(micros)).ok()?), bytes(I::max_at(UnixMicros(micros)).ok()?)])
}
