//! IDs in serde formats: the text in human-readable formats, the bytes in others.
//!
//! To select another form for a field, write `#[serde(with = "…")]` with the path of one of the forms below. The field may
//! be an ID or an `Option` of one. The type [`AsText`](crate::AsText) is the text in every format.
//!
//! What is written is read again, also in values that serde keeps in a buffer: tagged and untagged enums, and flattened
//! fields.
//!
//! # Schemas
//!
//! A form is also a type, with the JSON schema of what it writes. `schemars` finds it by itself, and says that the field
//! may be `null`, because it does not see the type of the field. With the type of the ID, the schema is exact:
//! `#[schemars(with = "euid::serde::hex<Euid>")]`. `utoipa` ignores `with`, so name the form:
//! `#[schema(value_type = euid::serde::hex<Euid>)]`, or `Option<euid::serde::hex<Euid>>`.

#![allow(non_camel_case_types, reason = "`with` takes the functions of a form for those of a module")]

use crate::integrations::serde::{
    Array, Bytes, Decimal, Field, Hex, Hyphenated, Integer, Text, TextOrHyphenated,
};
use ::serde::{Deserializer, Serializer};
use core::marker::PhantomData;

// `schemars` takes the path of `with` for a type, so a form is not a module.
/// A form, for a field of the type `T`.
#[derive(Debug)]
pub struct Form<F, T = AnyField>(PhantomData<(F, T)>);

/// An ID of any type, or an `Option` of one, for the schema of a field of which only the form is known.
#[derive(Debug)]
pub enum AnyField {}

impl<F, T: Field<F>> Form<F, T> {
    /// Serializes an ID, or an `Option` of one.
    ///
    /// # Errors
    ///
    /// Those of the format.
    pub fn serialize<S: Serializer>(id: &T, serializer: S) -> Result<S::Ok, S::Error> {
        id.serialize(serializer)
    }

    /// Deserializes an ID, or an `Option` of one.
    ///
    /// # Errors
    ///
    /// Those of the format, and an error for a value that is not an ID.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
        T::deserialize(deserializer)
    }
}

/// An array of as many bytes as the ID has, in every format. Bincode and Postcard write no length before it, and it fits
/// a column of ClickHouse of the type `FixedString`. JSON gets an array of numbers.
pub type array<T = AnyField> = Form<Array, T>;

/// The bytes in every format. Formats without a type for bytes, such as JSON, get an array of numbers.
pub type bytes<T = AnyField> = Form<Bytes, T>;

/// The decimal digits of the integer, as a string in human-readable formats, for IDs that convert to an integer. Otherwise
/// as [`integer`], which reads the same.
pub type decimal<T = AnyField> = Form<Decimal, T>;

/// The bytes as hex in every format. Writes lower case, reads either case.
pub type hex<T = AnyField> = Form<Hex, T>;

/// The form of a UUID, `621ce48c-99c0-0078-16e9-25e73ebf0fda`, in human-readable formats, and the bytes in others; for IDs
/// of 128 bits. Writes lower case, reads either case. The form has no prefix, so an ID of a type with a prefix is a plain
/// UUID for others.
pub type hyphenated<T = AnyField> = Form<Hyphenated, T>;

/// The integer, for IDs that convert to one. Reads an integer, or its decimal digits in a string, and refuses a float,
/// which may be another integer after rounding.
///
/// An integer of 128 bits is [`decimal`] in human-readable formats and the big-endian bytes in others, because serde's
/// buffer has no such integers. JavaScript rounds integers above 2^53: [`decimal`] writes a string for those of 64 bits,
/// too.
pub type integer<T = AnyField> = Form<Integer, T>;

/// The text in every format.
pub type text<T = AnyField> = Form<Text, T>;

/// Writes the text in human-readable formats, and the bytes in others, as without `with`. Reads [`hyphenated`] as well, so
/// others may still send the UUIDs that they know.
///
/// To write `hyphenated` and read both, name each function:
/// `#[serde(serialize_with = "…::hyphenated::serialize", deserialize_with = "…::text_or_hyphenated::deserialize")]`.
pub type text_or_hyphenated<T = AnyField> = Form<TextOrHyphenated, T>;
