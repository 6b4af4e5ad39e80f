//! `Serialize` and `Deserialize`. The modules that users name are in [`crate::serde`].

use super::one;
use crate::{AsText, HEX, SortableId, error::create as error};
use ::serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{DeserializeOwned, Error, SeqAccess, Visitor},
};
use core::{fmt, marker::PhantomData};

/// A form of an ID.
pub trait Form<I> {
    fn serialize<S: Serializer>(id: &I, serializer: S) -> Result<S::Ok, S::Error>;

    fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<I, D::Error>;
}

#[derive(Debug)]
pub struct Text;

#[derive(Debug)]
pub struct Bytes;

#[derive(Debug)]
pub struct Hex;

#[derive(Debug)]
pub struct Integer;

#[derive(Debug)]
pub struct Hyphenated;

#[derive(Debug)]
pub struct TextOrHyphenated;

#[derive(Debug)]
pub struct Natural;

impl<I: SortableId> Form<I> for Text {
    fn serialize<S: Serializer>(id: &I, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&id.encode())
    }

    fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<I, D::Error> {
        struct OfText<I>(PhantomData<I>);

        impl<I: SortableId> Visitor<'_> for OfText<I> {
            type Value = I;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "the text of {}", one::<I>())
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<I, E> {
                text.parse().map_err(E::custom)
            }
        }

        deserializer.deserialize_str(OfText(PhantomData))
    }
}

impl<I: SortableId> Form<I> for Bytes {
    fn serialize<S: Serializer>(id: &I, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(id.as_ref())
    }

    fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<I, D::Error> {
        struct OfBytes<I>(PhantomData<I>);

        impl<'de, I: SortableId> Visitor<'de> for OfBytes<I> {
            type Value = I;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "the {} bytes of {}", size_of::<I>(), one::<I>())
            }

            fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<I, E> {
                I::try_from(bytes).map_err(E::custom)
            }

            // Formats that have no bytes write numbers.
            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<I, A::Error> {
                let mut bytes = I::Bytes::default();
                for (at, byte) in bytes.as_mut().iter_mut().enumerate() {
                    *byte = seq.next_element()?.ok_or_else(|| A::Error::invalid_length(at, &self))?;
                }
                if seq.next_element::<u8>()?.is_some() {
                    return Err(A::Error::invalid_length(bytes.as_ref().len() + 1, &self));
                }
                self.visit_bytes(bytes.as_ref())
            }
        }

        deserializer.deserialize_bytes(OfBytes(PhantomData))
    }
}

impl<I: SortableId> Form<I> for Hex {
    fn serialize<S: Serializer>(id: &I, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("{id:x}"))
    }

    fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<I, D::Error> {
        struct OfHex<I>(PhantomData<I>);

        impl<I: SortableId> Visitor<'_> for OfHex<I> {
            type Value = I;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "the {} hex digits of {}", 2 * size_of::<I>(), one::<I>())
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<I, E> {
                let text = text.as_bytes();
                if text.len() != 2 * size_of::<I>() {
                    return Err(E::invalid_length(text.len(), &self));
                }
                let mut bytes = I::Bytes::default();
                for (index, byte) in bytes.as_mut().iter_mut().enumerate() {
                    let value = HEX.get(text, 2 * index, 2);
                    *byte = value.ok_or_else(|| E::custom(HEX.bad_digit(text)))? as u8;
                }
                I::try_from(bytes.as_ref()).map_err(E::custom)
            }
        }

        deserializer.deserialize_str(OfHex(PhantomData))
    }
}

/// An ID that is an integer.
pub trait AsInteger: SortableId + TryFrom<Self::Integer, Error: fmt::Display> {
    type Integer: From<Self> + Serialize + DeserializeOwned;
}

impl<I: AsInteger> Form<I> for Integer {
    fn serialize<S: Serializer>(id: &I, serializer: S) -> Result<S::Ok, S::Error> {
        I::Integer::from(*id).serialize(serializer)
    }

    fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<I, D::Error> {
        I::try_from(I::Integer::deserialize(deserializer)?).map_err(D::Error::custom)
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

    fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<I, D::Error> {
        if deserializer.is_human_readable() {
            Text::deserialize(deserializer)
        } else {
            Bytes::deserialize(deserializer)
        }
    }
}

impl<I: SortableId<Bytes = [u8; 16]>> Form<I> for Hyphenated {
    fn serialize<S: Serializer>(id: &I, serializer: S) -> Result<S::Ok, S::Error> {
        if !serializer.is_human_readable() {
            return Bytes::serialize(id, serializer);
        }
        let mut text = crate::Text::<36>::EMPTY;
        for (at, &digit) in crate::Text::<32>::hex(id.as_ref()).as_bytes().iter().enumerate() {
            if matches!(at, 8 | 12 | 16 | 20) {
                text.push(b'-');
            }
            text.push(digit);
        }
        serializer.serialize_str(&text)
    }

    fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<I, D::Error> {
        struct OfHyphenated<I>(PhantomData<I>);

        impl<I: SortableId<Bytes = [u8; 16]>> Visitor<'_> for OfHyphenated<I> {
            type Value = I;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{} in the form of a UUID with hyphens", one::<I>())
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<I, E> {
                parse_hyphenated(text)
            }
        }

        if deserializer.is_human_readable() {
            deserializer.deserialize_str(OfHyphenated(PhantomData))
        } else {
            Bytes::deserialize(deserializer)
        }
    }
}

impl<I: SortableId<Bytes = [u8; 16]>> Form<I> for TextOrHyphenated {
    fn serialize<S: Serializer>(id: &I, serializer: S) -> Result<S::Ok, S::Error> {
        Natural::serialize(id, serializer)
    }

    fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<I, D::Error> {
        struct OfBoth<I>(PhantomData<I>);

        impl<I: SortableId<Bytes = [u8; 16]>> Visitor<'_> for OfBoth<I> {
            type Value = I;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "the text of {}, or one in the form of a UUID with hyphens", one::<I>())
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<I, E> {
                // A text has at most one hyphen, which is a sign.
                if text.bytes().filter(|&byte| byte == b'-').nth(1).is_some() {
                    parse_hyphenated(text)
                } else {
                    text.parse().map_err(E::custom)
                }
            }
        }

        if deserializer.is_human_readable() {
            deserializer.deserialize_str(OfBoth(PhantomData))
        } else {
            Bytes::deserialize(deserializer)
        }
    }
}

fn parse_hyphenated<I: SortableId<Bytes = [u8; 16]>, E: Error>(text: &str) -> Result<I, E> {
    if text.len() != 36 {
        let expected = "the 36 characters of a UUID with hyphens";
        return Err(E::custom(error::text_length(expected, text.as_bytes())));
    }
    let mut bytes = [0; 16];
    let mut digits = 0;
    for (at, char) in text.char_indices() {
        match (matches!(at, 8 | 13 | 18 | 23), char.to_digit(16)) {
            (true, _) if char == '-' => {}
            (true, _) => {
                return Err(E::custom(format_args!("{char:?} at position {at}, expected a hyphen")));
            }
            (false, Some(value)) => {
                bytes[digits / 2] = bytes[digits / 2] << 4 | value as u8;
                digits += 1;
            }
            (false, None) => return Err(E::custom(error::character(text.as_bytes(), at, "hex"))),
        }
    }
    I::try_from_bytes(&bytes).map_err(E::custom)
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
        F::deserialize(deserializer)
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

impl<I, F: Form<I>> Serialize for InForm<I, F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        F::serialize(&self.0, serializer)
    }
}

impl<'de, I, F: Form<I>> Deserialize<'de> for InForm<I, F> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        F::deserialize(deserializer).map(|id| Self(id, PhantomData))
    }
}

impl<I: SortableId> Serialize for AsText<I> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Text::serialize(&self.0, serializer)
    }
}

impl<'de, I: SortableId> Deserialize<'de> for AsText<I> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Text::deserialize(deserializer).map(Self)
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
                integrations::serde::{Form, Natural},
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
                    <Natural as Form<Self>>::deserialize(deserializer)
                }
            }

            $(impl $crate::__private::integrations::serde::AsInteger for $id {
                type Integer = $integer;
            })?
        };
    };
}
