//! IDs in serde formats: the text in human-readable formats, the bytes in others.
//!
//! To select another form for a field, write `#[serde(with = "…")]` with the path of one of these modules. The field may
//! be an ID or an `Option` of one. The type [`AsText`](crate::AsText) is the text in every format.

use crate::integrations::serde::{Bytes, Field, Hex, Hyphenated, Integer, Text, TextOrHyphenated};
use ::serde::{Deserializer, Serializer};

macro_rules! form {
    ($(#[$doc:meta])* $module:ident, $form:ident) => {
        $(#[$doc])*
        pub mod $module {
            use super::{Deserializer, Field, $form, Serializer};

            /// Serializes an ID, or an `Option` of one.
            ///
            /// # Errors
            ///
            /// Those of the format.
            pub fn serialize<T: Field<$form>, S: Serializer>(id: &T, serializer: S) -> Result<S::Ok, S::Error> {
                id.serialize(serializer)
            }

            /// Deserializes an ID, or an `Option` of one.
            ///
            /// # Errors
            ///
            /// Those of the format, and an error for a value that is not an ID.
            pub fn deserialize<'de, T: Field<$form>, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
                T::deserialize(deserializer)
            }
        }
    };
}

form! {
    /// The bytes in every format. Formats without a type for bytes, such as JSON, get an array of numbers.
    bytes, Bytes
}

form! {
    /// The bytes as hex in every format. Writes lower case, reads either case.
    hex, Hex
}

form! {
    /// The form of a UUID, `621ce48c-99c0-0078-16e9-25e73ebf0fda`, in human-readable formats, and the bytes in others; for IDs
    /// of 128 bits. Writes lower case, reads either case. The form has no prefix, so an ID of a type with a prefix is a plain
    /// UUID for others.
    hyphenated, Hyphenated
}

form! {
    /// The integer in every format, for IDs that convert to one. Some readers, such as JavaScript, cannot represent
    /// large integers exactly.
    integer, Integer
}

form! {
    /// The text in every format.
    text, Text
}

form! {
    /// Writes the text in human-readable formats, and the bytes in others, as without `with`. Reads [`hyphenated`] as well, so
    /// others may still send the UUIDs that they know.
    ///
    /// To write `hyphenated` and read both, name each function:
    /// `#[serde(serialize_with = "…::hyphenated::serialize", deserialize_with = "…::text_or_hyphenated::deserialize")]`.
    text_or_hyphenated, TextOrHyphenated
}
