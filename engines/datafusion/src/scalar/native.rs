//! The Arrow types of the values of a column.

use datafusion::{
    arrow::{
        array::{Array, ArrayRef, AsArray, FixedSizeBinaryArray, Int64Array},
        buffer::{Buffer, NullBuffer},
        datatypes::{DataType, Int64Type},
    },
    common::{Result, ScalarValue, exec_datafusion_err},
};
use sortid_columns::Column;
use std::fmt::Write as _;
use std::sync::Arc;

/// An ID whose values Arrow has.
pub(super) trait ArrowId: Column<Value: Native> {}

impl<I: Column<Value: Native>> ArrowId for I {}

/// The name of the ID with its article, such as `an EUID`.
pub(super) fn one<I: ArrowId>() -> String {
    let article = if I::TITLE.starts_with('E') { "an" } else { "a" };
    format!("{article} {}", I::TITLE)
}

/// A value of a column: the bytes of an ID, or the integer of a Ulid-Flake.
pub(super) trait Native: Copy + Default {
    /// The type of a column of such values.
    const TYPE: DataType;

    /// Returns the values of an array of this type, including the values under NULLs.
    fn slice(array: &dyn Array) -> &[Self];

    /// Returns an array of this type.
    fn array(values: Vec<Self>, nulls: Option<NullBuffer>) -> Result<ArrayRef>;

    /// Returns the value as a literal of this type, or of another type that has the order of the bytes. `None` for other
    /// types.
    fn literal(self, data_type: &DataType) -> Option<ScalarValue>;

    /// Returns the value in a message.
    fn show(self) -> String;
}

impl<const N: usize> Native for [u8; N]
where
    Self: Default,
{
    const TYPE: DataType = DataType::FixedSizeBinary(N as i32);

    fn slice(array: &dyn Array) -> &[Self] {
        array.as_fixed_size_binary().value_data().as_chunks().0
    }

    fn array(values: Vec<Self>, nulls: Option<NullBuffer>) -> Result<ArrayRef> {
        let bytes = Buffer::from_vec(values.into_flattened());
        let array = FixedSizeBinaryArray::try_new(N as i32, bytes, nulls);
        Ok(Arc::new(array.map_err(|error| exec_datafusion_err!("{error}"))?))
    }

    fn literal(self, data_type: &DataType) -> Option<ScalarValue> {
        literal_bytes(&self, data_type)
    }

    fn show(self) -> String {
        show_bytes(&self)
    }
}

impl Native for i64 {
    const TYPE: DataType = DataType::Int64;

    fn slice(array: &dyn Array) -> &[Self] {
        array.as_primitive::<Int64Type>().values()
    }

    fn array(values: Vec<Self>, nulls: Option<NullBuffer>) -> Result<ArrayRef> {
        Ok(Arc::new(Int64Array::new(values.into(), nulls)))
    }

    fn literal(self, data_type: &DataType) -> Option<ScalarValue> {
        match data_type {
            DataType::Int64 => Some(ScalarValue::Int64(Some(self))),
            _ => literal_bytes(&self.to_be_bytes(), data_type),
        }
    }

    fn show(self) -> String {
        self.to_string()
    }
}

fn literal_bytes(bytes: &[u8], data_type: &DataType) -> Option<ScalarValue> {
    match data_type {
        DataType::FixedSizeBinary(size) if usize::try_from(*size) == Ok(bytes.len()) => {
            Some(ScalarValue::FixedSizeBinary(*size, Some(bytes.to_vec())))
        }
        DataType::Binary => Some(ScalarValue::Binary(Some(bytes.to_vec()))),
        DataType::LargeBinary => Some(ScalarValue::LargeBinary(Some(bytes.to_vec()))),
        DataType::BinaryView => Some(ScalarValue::BinaryView(Some(bytes.to_vec()))),
        _ => None,
    }
}

/// The greatest number of characters of a value in a message.
pub(super) const SHOWN: usize = 50;

/// Bytes as a literal in SQL. Long values are shortened.
pub(super) fn show_bytes(bytes: &[u8]) -> String {
    let shown = &bytes[..bytes.len().min(SHOWN / 2)];
    let mut text = "X'".to_owned();
    for byte in shown {
        // Writing to a string has no errors.
        let _ = write!(text, "{byte:02x}");
    }
    text.push_str(if shown.len() < bytes.len() { "…'" } else { "'" });
    text
}
