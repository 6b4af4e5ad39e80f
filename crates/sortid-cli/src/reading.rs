use crate::time::Time;
use sortid::{AnyId, Text};
use std::fmt::{self, Display, Write as _};

/// What an ID says of itself.
pub(crate) struct Reading {
    pub(crate) id: AnyId,
    pub(crate) text: Text<{ AnyId::TEXT_LEN }>,
    pub(crate) time: Option<Time>,
    pub(crate) fields: Vec<Field>,
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
    Text(Text<20>),
}

impl Value {
    /// Of what prints as up to 20 ASCII characters.
    pub(crate) fn text(value: impl Display) -> Self {
        struct Writer(Text<20>);

        impl fmt::Write for Writer {
            fn write_str(&mut self, text: &str) -> fmt::Result {
                text.bytes().for_each(|byte| self.0.push(byte));
                Ok(())
            }
        }

        let mut writer = Writer(Text::EMPTY);
        write!(writer, "{value}").expect("a Text takes all, or panics");
        Self::Text(writer.0)
    }
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
        if number < 1 << 53 { Self::Number(number) } else { Self::text(number) }
    }
}

/// Bytes as lower-case hex, two digits each, of which there are no more than `N`.
pub(crate) fn hex<const N: usize>(bytes: &[u8]) -> Text<N> {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let mut text = Text::EMPTY;
    for &byte in bytes {
        text.push(DIGITS[usize::from(byte >> 4)]);
        text.push(DIGITS[usize::from(byte & 0xf)]);
    }
    text
}

/// A text with room for more.
pub(crate) fn widened<const N: usize, const M: usize>(text: &Text<N>) -> Text<M> {
    let mut wide = Text::EMPTY;
    wide.push_text(text);
    wide
}
