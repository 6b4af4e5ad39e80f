//! The types of arguments and results.

use super::{ArrowId, Error, Native, Result, one};
use crate::Read;
use arrow_schema::{DataType, Field, Fields, TimeUnit};
use std::sync::Arc;

/// Returns the type of the times of an ID.
#[must_use]
pub fn timestamp<I: ArrowId>(utc: &str) -> DataType {
    let unit = if I::MICROS == 1 { TimeUnit::Microsecond } else { TimeUnit::Millisecond };
    DataType::Timestamp(unit, Some(utc.into()))
}

/// Returns the type of a field.
#[must_use]
pub fn field_type<I: ArrowId>(read: Read<I>) -> DataType {
    match read {
        Read::Integers(_) => DataType::Int64,
        Read::Unsigned(_) => DataType::UInt64,
        Read::Texts(..) => DataType::Utf8,
        Read::Bytes(width, _) => DataType::FixedSizeBinary(width as i32),
    }
}

/// Returns the type of the result of [`fields`](super::fields()): a structure of all fields.
#[must_use]
pub fn fields_type<I: ArrowId>() -> DataType {
    DataType::Struct(fields_of::<I>())
}

pub(super) fn fields_of<I: ArrowId>() -> Fields {
    I::READS.iter().map(|field| Arc::new(Field::new(field.name, field_type(field.read), true))).collect()
}

/// Whether values of a type are IDs: integers of Ulid-Flakes, or bytes. A type of bytes of another size is not.
#[must_use]
pub fn is_id<I: ArrowId>(found: &DataType) -> bool {
    match found {
        DataType::FixedSizeBinary(size) => usize::try_from(*size) == Ok(I::BYTES),
        DataType::Binary | DataType::LargeBinary | DataType::BinaryView => true,
        other => *other == I::Value::TYPE,
    }
}

/// The type of the values of a dictionary, or the type itself.
fn plain(found: &DataType) -> &DataType {
    match found {
        DataType::Dictionary(_, values) => values,
        plain => plain,
    }
}

/// Checks that a type is that of IDs or texts, or of a dictionary of these.
///
/// # Errors
///
/// `Type`.
pub fn check_id<I: ArrowId>(found: &DataType) -> Result<()> {
    let plain = plain(found);
    if is_id::<I>(plain) || plain.is_string() || plain.is_null() {
        return Ok(());
    }
    let (size, one) = (I::BYTES, one::<I>());
    let integer = if I::Value::TYPE == DataType::Int64 { "Int64, " } else { "" };
    let expected = format!(
        "{one} ({integer}FixedSizeBinary({size}), Binary, LargeBinary or BinaryView) or its text (Utf8, LargeUtf8 or Utf8View)"
    );
    Err(Error::wrong_type(expected, found))
}

/// Checks that a type is that of texts, or of a dictionary of texts.
///
/// # Errors
///
/// `Type`.
pub fn check_text(found: &DataType) -> Result<()> {
    let plain = plain(found);
    if plain.is_string() || plain.is_null() { Ok(()) } else { Err(Error::wrong_type("a text", found)) }
}

/// Checks that a type is that of times, or of a dictionary of times.
///
/// # Errors
///
/// `Type`.
pub fn check_moment(found: &DataType) -> Result<()> {
    let is_moment = |found: &DataType| {
        matches!(found, DataType::Timestamp(..) | DataType::Date32 | DataType::Date64 | DataType::Null)
    };
    if is_moment(plain(found)) { Ok(()) } else { Err(Error::wrong_type("a timestamp or a date", found)) }
}
