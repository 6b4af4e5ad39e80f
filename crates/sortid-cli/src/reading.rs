use crate::{encoding::push_hex, time::Time};
use sortid::Spec;

/// What an ID says of itself.
pub(crate) struct Reading {
    pub(crate) spec: Spec,
    pub(crate) text: String,
    pub(crate) bytes: Vec<u8>,
    pub(crate) time: Option<Time>,
    pub(crate) fields: Vec<Field>,
    /// What the picture says beyond the fields: a piece of the text, what it is, and its value.
    pub(crate) details: Vec<[String; 3]>,
}

pub(crate) struct Field {
    pub(crate) name: &'static str,
    pub(crate) value: Value,
    /// How many of the ID's bits the field takes, after those of the fields before it.
    pub(crate) bits: usize,
    /// Where the field is from, if it takes no bits.
    pub(crate) source: &'static str,
    /// The bits of an ID that are no field of the JSON contract.
    pub(crate) only_in_picture: bool,
}

pub(crate) enum Value {
    Null,
    /// Below 2^53, so a number in JSON too.
    Number(u64),
    /// Text, or an integer that JSON's readers could spoil.
    Text(String),
}

impl Field {
    pub(crate) fn new(name: &'static str, bits: usize, value: Value) -> Self {
        Self { name, value, bits, source: "no bits", only_in_picture: false }
    }

    /// Another reading of bits that are shown already, or something that the ID has not but its text.
    pub(crate) fn of(source: &'static str, name: &'static str, value: Value) -> Self {
        Self { source, ..Self::new(name, 0, value) }
    }

    pub(crate) fn only_in_picture(name: &'static str, bits: usize, value: u64) -> Self {
        Self { only_in_picture: true, ..Self::new(name, bits, Value::Number(value)) }
    }
}

impl<T: Into<Self>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}

impl From<u64> for Value {
    fn from(number: u64) -> Self {
        if number < 1 << 53 { Self::Number(number) } else { Self::Text(number.to_string()) }
    }
}

/// Bytes as lower-case hex.
pub(crate) fn hex(bytes: &[u8]) -> String {
    let mut text = Vec::with_capacity(2 * bytes.len());
    push_hex(bytes, &mut text);
    String::from_utf8(text).expect("hex digits are ASCII")
}
