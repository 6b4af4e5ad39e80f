use crate::time::Time;
use sortid::{AnyId, Text};
use std::fmt::{self, Display, Write as _};

/// An ID, taken apart: what `inspect` shows and JSON objects contain.
pub(crate) struct Description {
    pub(crate) id: AnyId,
    pub(crate) text: Text<{ AnyId::TEXT_LEN }>,
    pub(crate) time: Option<Time>,
    pub(crate) fields: Vec<Field>,
}

pub(crate) struct Field {
    pub(crate) name: &'static str,
    pub(crate) value: Value,
    /// How many of the ID's bits the field takes. They follow the bits of the fields before it.
    pub(crate) bits: usize,
    /// Where the field comes from if it takes no bits.
    pub(crate) source: &'static str,
    /// Whether JSON objects leave the field out.
    pub(crate) only_in_picture: bool,
}

pub(crate) enum Value {
    Null,
    /// Below 2^53, so that every reader of JSON gets the exact number.
    Number(u64),
    /// Text, or an integer that can be greater.
    Text(Text<20>),
}

impl Value {
    /// What `value` prints: at most 20 ASCII characters.
    pub(crate) fn text(value: impl Display) -> Self {
        struct Writer(Text<20>);

        impl fmt::Write for Writer {
            fn write_str(&mut self, text: &str) -> fmt::Result {
                text.bytes().for_each(|byte| self.0.push(byte));
                Ok(())
            }
        }

        let mut writer = Writer(Text::EMPTY);
        write!(writer, "{value}").expect("pushing to a Text panics rather than fails");
        Self::Text(writer.0)
    }
}

impl Field {
    pub(crate) fn new(name: &'static str, bits: usize, value: Value) -> Self {
        Self { name, value, bits, source: "no bits", only_in_picture: false }
    }

    /// A field without bits of its own: other fields' bits in another way, or what only the text contains.
    pub(crate) fn without_bits(source: &'static str, name: &'static str, value: Value) -> Self {
        Self { source, ..Self::new(name, 0, value) }
    }

    /// Bits that are not a field in JSON objects.
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

/// The same text in a type with room for more characters.
pub(crate) fn widened<const N: usize, const M: usize>(text: &Text<N>) -> Text<M> {
    let mut wide = Text::EMPTY;
    wide.push_text(text);
    wide
}
