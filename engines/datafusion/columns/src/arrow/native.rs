//! The Arrow types of the values of a column.

use crate::Column;
use arrow_array::{Array, ArrayRef, FixedSizeBinaryArray, Int64Array, cast::AsArray, types::Int64Type};
use arrow_buffer::{Buffer, NullBuffer};
use arrow_schema::DataType;
use std::sync::Arc;

/// An ID whose values Arrow has.
pub trait ArrowId: Column<Value: Native> {}

impl<I: Column<Value: Native>> ArrowId for I {}

/// A value of a column: the bytes of an ID, or the integer of a Ulid-Flake.
pub trait Native: Copy + Default + 'static {
    /// The type of a column of such values.
    const TYPE: DataType;

    /// Returns the values of an array of this type, including the values under NULLs.
    ///
    /// # Panics
    ///
    /// If the array has another type.
    fn slice(array: &dyn Array) -> &[Self];

    /// Returns an array of this type.
    ///
    /// # Panics
    ///
    /// If `nulls` has another length than `values`.
    fn array(values: Vec<Self>, nulls: Option<NullBuffer>) -> ArrayRef;

    /// Returns the values whose bytes are side by side. `None` if values have another form than their bytes.
    #[doc(hidden)]
    #[must_use]
    fn of_bytes(_bytes: &[u8]) -> Option<&[Self]> {
        None
    }

    /// Returns the value as an error shows it.
    #[doc(hidden)]
    fn found(self) -> super::Found;
}

impl<const N: usize> Native for [u8; N]
where
    Self: Default,
{
    const TYPE: DataType = DataType::FixedSizeBinary(N as i32);

    fn slice(array: &dyn Array) -> &[Self] {
        array.as_fixed_size_binary().value_data().as_chunks().0
    }

    fn array(values: Vec<Self>, nulls: Option<NullBuffer>) -> ArrayRef {
        let bytes = Buffer::from_vec(values.into_flattened());
        Arc::new(FixedSizeBinaryArray::new(N as i32, bytes, nulls))
    }

    fn of_bytes(bytes: &[u8]) -> Option<&[Self]> {
        Some(bytes.as_chunks().0)
    }

    fn found(self) -> super::Found {
        super::Found::bytes(&self)
    }
}

impl Native for i64 {
    const TYPE: DataType = DataType::Int64;

    fn slice(array: &dyn Array) -> &[Self] {
        array.as_primitive::<Int64Type>().values()
    }

    fn array(values: Vec<Self>, nulls: Option<NullBuffer>) -> ArrayRef {
        Arc::new(Int64Array::new(values.into(), nulls))
    }

    fn found(self) -> super::Found {
        super::Found::Int(self)
    }
}
