//! IDs in serde formats: the text in human-readable formats, the bytes in others.
//!
//! `#[serde(with = "…")]` with one of these modules selects another form for a field, which may also be an `Option`. The
//! type [`AsText`](crate::AsText) is the text in every format.

use crate::integrations::serde::{Bytes, Field, Hex, Integer, Text};
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
            /// The errors of the format.
            pub fn serialize<T: Field<$form>, S: Serializer>(id: &T, serializer: S) -> Result<S::Ok, S::Error> {
                id.serialize(serializer)
            }

            /// Deserializes an ID, or an `Option` of one.
            ///
            /// # Errors
            ///
            /// The errors of the format, and an error for a value that is not an ID.
            pub fn deserialize<'de, T: Field<$form>, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
                T::deserialize(deserializer)
            }
        }
    };
}

form! {
    /// The bytes in every format. Formats without bytes, such as JSON, have an array of numbers.
    bytes, Bytes
}

form! {
    /// The bytes as hex in every format: written in lower case, read in either case.
    hex, Hex
}

form! {
    /// The integer in every format, for IDs that convert to one. Some readers, such as JavaScript's, cannot represent
    /// integers of so many bits.
    integer, Integer
}

form! {
    /// The text in every format.
    text, Text
}
