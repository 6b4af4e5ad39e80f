use crate::time::Time;

/// What an ID says of itself.
pub(crate) struct Reading {
    pub(crate) spec: &'static str,
    pub(crate) text: String,
    pub(crate) bytes: Vec<u8>,
    pub(crate) time: Option<Time>,
    pub(crate) fields: Vec<Field>,
}

pub(crate) struct Field {
    pub(crate) name: &'static str,
    pub(crate) value: Value,
    /// How many of the ID's bits the field takes, after those of the fields before it. 0 where it is another
    /// reading of bits shown already.
    pub(crate) bits: usize,
    /// A field that only the picture shows, since its value is always the same.
    pub(crate) constant: bool,
}

pub(crate) enum Value {
    /// Below 2^53, so a number in JSON too.
    Number(u64),
    /// Text, or an integer that JSON's readers could spoil.
    Text(String),
}

impl Field {
    pub(crate) const fn new(name: &'static str, bits: usize, value: Value) -> Self {
        Self { name, value, bits, constant: false }
    }

    pub(crate) const fn constant(name: &'static str, bits: usize, value: u64) -> Self {
        Self { name, value: Value::Number(value), bits, constant: true }
    }
}

impl From<u64> for Value {
    fn from(number: u64) -> Self {
        if number < 1 << 53 { Self::Number(number) } else { Self::Text(number.to_string()) }
    }
}

/// Bytes as lower-case hex.
pub(crate) fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut text, byte| {
        write!(text, "{byte:02x}").expect("a String takes all");
        text
    })
}
