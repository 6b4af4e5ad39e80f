//! `Serialize` and `Deserialize`. The modules that users name are in [`crate::serde`].

use super::one;
use crate::{AsText, HEX, SortableId, hyphenated};
use ::serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{Error, SeqAccess, Unexpected, Visitor},
    ser::SerializeTuple,
};
use core::{fmt, marker::PhantomData};

/// A form of an ID. A form writes one of a text, bytes or an integer, and reads each of these that it may have written.
///
/// What a format wrote is not always read as what was asked for. Serde keeps tagged, flattened and untagged values in a
/// buffer, which always says that it is human-readable, and gives what the format has. The keys of `FlexBuffers` are
/// texts. So the reader of each form is the same in all formats, and a format only decides what to ask it for.
pub trait Form<I: SortableId>: Sized {
    /// Whether a sequence of numbers is bytes.
    const HAS_BYTES: bool = true;

    fn serialize<S: Serializer>(id: &I, serializer: S) -> Result<S::Ok, S::Error>;

    /// Asks for what [`serialize`](Self::serialize) writes.
    fn ask<'de, D: Deserializer<'de>>(deserializer: D, reader: Reader<I, Self>) -> Result<I, D::Error>;

    fn expecting(f: &mut fmt::Formatter<'_>) -> fmt::Result;

    fn of_text<E: Error>(text: &str) -> Result<I, E> {
        Err(E::invalid_type(Unexpected::Str(text), &Reader::<I, Self>(PhantomData)))
    }

    fn of_bytes<E: Error>(bytes: &[u8]) -> Result<I, E> {
        I::try_from(bytes).map_err(E::custom)
    }

    /// From an integer, if it is not negative.
    fn of_integer<E: Error>(_: Option<u128>, found: Unexpected<'_>) -> Result<I, E> {
        Err(E::invalid_type(found, &Reader::<I, Self>(PhantomData)))
    }
}

pub struct Reader<I, F>(PhantomData<(I, F)>);

impl<'de, I: SortableId, F: Form<I>> Visitor<'de> for Reader<I, F> {
    type Value = I;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        F::expecting(f)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<I, E> {
        F::of_text(text)
    }

    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<I, E> {
        F::of_bytes(bytes)
    }

    // Formats that have no bytes write numbers.
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<I, A::Error> {
        if !F::HAS_BYTES {
            return Err(A::Error::invalid_type(Unexpected::Seq, &self));
        }
        let mut bytes = I::Bytes::default();
        for (at, byte) in bytes.as_mut().iter_mut().enumerate() {
            *byte = seq.next_element()?.ok_or_else(|| A::Error::invalid_length(at, &self))?;
        }
        if seq.next_element::<u8>()?.is_some() {
            return Err(A::Error::invalid_length(size_of::<I>() + 1, &self));
        }
        I::try_from(bytes.as_ref()).map_err(A::Error::custom)
    }

    fn visit_u64<E: Error>(self, int: u64) -> Result<I, E> {
        F::of_integer(Some(int.into()), Unexpected::Unsigned(int))
    }

    fn visit_i64<E: Error>(self, int: i64) -> Result<I, E> {
        F::of_integer(int.try_into().ok(), Unexpected::Signed(int))
    }

    fn visit_u128<E: Error>(self, int: u128) -> Result<I, E> {
        F::of_integer(Some(int), Unexpected::Other("an integer of 128 bits"))
    }
}

pub fn deserialize<'de, I: SortableId, F: Form<I>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<I, D::Error> {
    F::ask(deserializer, Reader(PhantomData))
}

#[derive(Debug)]
pub struct Text;

#[derive(Debug)]
pub struct Bytes;

#[derive(Debug)]
pub struct Array;

#[derive(Debug)]
pub struct Hex;

#[derive(Debug)]
pub struct Integer;

#[derive(Debug)]
pub struct Decimal;

#[derive(Debug)]
pub struct Hyphenated;

#[derive(Debug)]
pub struct TextOrHyphenated;

#[derive(Debug)]
pub struct Natural;

impl<I: SortableId> Form<I> for Text {
    const HAS_BYTES: bool = false;

    fn serialize<S: Serializer>(id: &I, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&id.encode())
    }

    fn ask<'de, D: Deserializer<'de>>(deserializer: D, reader: Reader<I, Self>) -> Result<I, D::Error> {
        deserializer.deserialize_str(reader)
    }

    fn expecting(f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the text of {}", one::<I>())
    }

    fn of_text<E: Error>(text: &str) -> Result<I, E> {
        text.parse().map_err(E::custom)
    }

    // Some formats do not tell texts from bytes.
    fn of_bytes<E: Error>(bytes: &[u8]) -> Result<I, E> {
        I::parse_ascii(bytes).map_err(E::custom)
    }
}

impl<I: SortableId> Form<I> for Bytes {
    fn serialize<S: Serializer>(id: &I, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(id.as_ref())
    }

    fn ask<'de, D: Deserializer<'de>>(deserializer: D, reader: Reader<I, Self>) -> Result<I, D::Error> {
        deserializer.deserialize_bytes(reader)
    }

    fn expecting(f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the {} bytes of {}", size_of::<I>(), one::<I>())
    }
}

impl<I: SortableId> Form<I> for Array {
    fn serialize<S: Serializer>(id: &I, serializer: S) -> Result<S::Ok, S::Error> {
        let mut array = serializer.serialize_tuple(size_of::<I>())?;
        for byte in id.as_ref() {
            array.serialize_element(byte)?;
        }
        array.end()
    }

    fn ask<'de, D: Deserializer<'de>>(deserializer: D, reader: Reader<I, Self>) -> Result<I, D::Error> {
        deserializer.deserialize_tuple(size_of::<I>(), reader)
    }

    fn expecting(f: &mut fmt::Formatter<'_>) -> fmt::Result {
        <Bytes as Form<I>>::expecting(f)
    }
}

impl<I: SortableId> Form<I> for Hex {
    const HAS_BYTES: bool = false;

    fn serialize<S: Serializer>(id: &I, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("{id:x}"))
    }

    fn ask<'de, D: Deserializer<'de>>(deserializer: D, reader: Reader<I, Self>) -> Result<I, D::Error> {
        deserializer.deserialize_str(reader)
    }

    fn expecting(f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the {} hex digits of {}", 2 * size_of::<I>(), one::<I>())
    }

    fn of_text<E: Error>(text: &str) -> Result<I, E> {
        Self::of_bytes(text.as_bytes())
    }

    fn of_bytes<E: Error>(text: &[u8]) -> Result<I, E> {
        if text.len() != 2 * size_of::<I>() {
            return Err(E::invalid_length(text.len(), &Reader::<I, Self>(PhantomData)));
        }
        let mut bytes = I::Bytes::default();
        for (index, byte) in bytes.as_mut().iter_mut().enumerate() {
            let value = HEX.get(text, 2 * index, 2);
            *byte = value.ok_or_else(|| E::custom(HEX.bad_digit(text)))? as u8;
        }
        I::try_from(bytes.as_ref()).map_err(E::custom)
    }
}

/// An ID that is an integer.
pub trait AsInteger: SortableId + TryFrom<Self::Integer, Error: fmt::Display> {
    type Integer: From<Self> + TryFrom<u128> + Serialize + fmt::Display;
}

/// Whether serde's buffer has no integer for the ID. JSON of such an integer would be a float there, and CBOR an error.
const fn is_wide<I: SortableId>() -> bool {
    I::BYTES > size_of::<u64>()
}

impl<I: AsInteger> Form<I> for Integer {
    const HAS_BYTES: bool = is_wide::<I>();

    fn serialize<S: Serializer>(id: &I, serializer: S) -> Result<S::Ok, S::Error> {
        if is_wide::<I>() {
            Decimal::serialize(id, serializer)
        } else {
            I::Integer::from(*id).serialize(serializer)
        }
    }

    fn ask<'de, D: Deserializer<'de>>(deserializer: D, reader: Reader<I, Self>) -> Result<I, D::Error> {
        match deserializer.is_human_readable() {
            // Clients may send the digits in a string.
            true => deserializer.deserialize_any(reader),
            false if is_wide::<I>() => deserializer.deserialize_bytes(reader),
            false => deserializer.deserialize_i64(reader),
        }
    }

    fn expecting(f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the integer of {}, or its digits in a string", one::<I>())
    }

    fn of_bytes<E: Error>(bytes: &[u8]) -> Result<I, E> {
        if is_wide::<I>() {
            I::try_from(bytes).map_err(E::custom)
        } else {
            Err(E::invalid_type(Unexpected::Bytes(bytes), &Reader::<I, Self>(PhantomData)))
        }
    }

    fn of_text<E: Error>(digits: &str) -> Result<I, E> {
        let is_written = digits == "0" || !digits.starts_with(['0', '+']);
        Self::of_integer(digits.parse().ok().filter(|_| is_written), Unexpected::Str(digits))
    }

    fn of_integer<E: Error>(int: Option<u128>, found: Unexpected<'_>) -> Result<I, E> {
        let int = int.and_then(|int| int.try_into().ok());
        let int: I::Integer = int.ok_or_else(|| E::invalid_value(found, &Reader::<I, Self>(PhantomData)))?;
        I::try_from(int).map_err(E::custom)
    }
}

impl<I: AsInteger> Form<I> for Decimal {
    fn serialize<S: Serializer>(id: &I, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            serializer.collect_str(&I::Integer::from(*id))
        } else if is_wide::<I>() {
            Bytes::serialize(id, serializer)
        } else {
            I::Integer::from(*id).serialize(serializer)
        }
    }

    fn ask<'de, D: Deserializer<'de>>(deserializer: D, _: Reader<I, Self>) -> Result<I, D::Error> {
        deserialize::<I, Integer, D>(deserializer)
    }

    fn expecting(f: &mut fmt::Formatter<'_>) -> fmt::Result {
        <Integer as Form<I>>::expecting(f)
    }
}

impl<I: SortableId> Form<I> for Natural {
    fn serialize<S: Serializer>(id: &I, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            Text::serialize(id, serializer)
        } else {
            Bytes::serialize(id, serializer)
        }
    }

    fn ask<'de, D: Deserializer<'de>>(deserializer: D, reader: Reader<I, Self>) -> Result<I, D::Error> {
        text_or_bytes(deserializer, reader)
    }

    fn expecting(f: &mut fmt::Formatter<'_>) -> fmt::Result {
        <Text as Form<I>>::expecting(f)
    }

    fn of_text<E: Error>(text: &str) -> Result<I, E> {
        Text::of_text(text)
    }
}

fn text_or_bytes<'de, I: SortableId, F: Form<I>, D: Deserializer<'de>>(
    deserializer: D,
    reader: Reader<I, F>,
) -> Result<I, D::Error> {
    if deserializer.is_human_readable() {
        deserializer.deserialize_str(reader)
    } else {
        deserializer.deserialize_bytes(reader)
    }
}

impl<I: SortableId<Bytes = [u8; 16]>> Form<I> for Hyphenated {
    fn serialize<S: Serializer>(id: &I, serializer: S) -> Result<S::Ok, S::Error> {
        if !serializer.is_human_readable() {
            return Bytes::serialize(id, serializer);
        }
        serializer.serialize_str(&hyphenated::write(id.as_ref()))
    }

    fn ask<'de, D: Deserializer<'de>>(deserializer: D, reader: Reader<I, Self>) -> Result<I, D::Error> {
        text_or_bytes(deserializer, reader)
    }

    fn expecting(f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} in the form of a UUID with hyphens", one::<I>())
    }

    fn of_text<E: Error>(text: &str) -> Result<I, E> {
        parse_hyphenated(text)
    }
}

impl<I: SortableId<Bytes = [u8; 16]>> Form<I> for TextOrHyphenated {
    fn serialize<S: Serializer>(id: &I, serializer: S) -> Result<S::Ok, S::Error> {
        Natural::serialize(id, serializer)
    }

    fn ask<'de, D: Deserializer<'de>>(deserializer: D, reader: Reader<I, Self>) -> Result<I, D::Error> {
        text_or_bytes(deserializer, reader)
    }

    fn expecting(f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the text of {}, or one in the form of a UUID with hyphens", one::<I>())
    }

    fn of_text<E: Error>(text: &str) -> Result<I, E> {
        // A text has at most one hyphen, which is a sign.
        if text.bytes().filter(|&byte| byte == b'-').nth(1).is_some() {
            parse_hyphenated(text)
        } else {
            text.parse().map_err(E::custom)
        }
    }
}

fn parse_hyphenated<I: SortableId, E: Error>(text: &str) -> Result<I, E> {
    hyphenated::read(text.as_bytes()).and_then(|bytes| I::try_from_bytes(&bytes)).map_err(E::custom)
}

/// What a field can be in a form: an ID, or an `Option` of one.
pub trait Field<F>: Sized {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error>;

    fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error>;
}

impl<I: SortableId, F: Form<I>> Field<F> for I {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        F::serialize(self, serializer)
    }

    fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserialize::<I, F, D>(deserializer)
    }
}

impl<I: SortableId, F: Form<I>> Field<F> for Option<I> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Some(id) => serializer.serialize_some(&InForm(*id, PhantomData::<F>)),
            None => serializer.serialize_none(),
        }
    }

    fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let id = Option::<InForm<I, F>>::deserialize(deserializer)?;
        Ok(id.map(|InForm(id, _)| id))
    }
}

struct InForm<I, F>(I, PhantomData<F>);

impl<I: SortableId, F: Form<I>> Serialize for InForm<I, F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        F::serialize(&self.0, serializer)
    }
}

impl<'de, I: SortableId, F: Form<I>> Deserialize<'de> for InForm<I, F> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserialize::<I, F, D>(deserializer).map(|id| Self(id, PhantomData))
    }
}

impl<I: SortableId> Serialize for AsText<I> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Text::serialize(&self.0, serializer)
    }
}

impl<'de, I: SortableId> Deserialize<'de> for AsText<I> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserialize::<I, Text, D>(deserializer).map(Self)
    }
}

#[doc(hidden)]
#[macro_export]
macro_rules! __integrate_serde {
    ([$($cfg:tt)*] $id:ident $(, $integer:ty)?) => {
        $($cfg)*
        const _: () = {
            use $crate::__private::{
                dependencies::serde::{Deserialize, Deserializer, Serialize, Serializer},
                integrations::serde::{Form, Natural, deserialize},
                prelude::*,
            };

            /// The text in human-readable formats, the bytes in others.
            impl Serialize for $id {
                fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                    <Natural as Form<Self>>::serialize(self, serializer)
                }
            }

            impl<'de> Deserialize<'de> for $id {
                fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                    deserialize::<Self, Natural, D>(deserializer)
                }
            }

            $(impl $crate::__private::integrations::serde::AsInteger for $id {
                type Integer = $integer;
            })?
        };
    };
}
