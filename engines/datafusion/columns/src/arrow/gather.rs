//! Rows of an array in another order.

// The function `take` of the library `arrow-select` does the same for every type of Arrow and of indices. Its code is
// larger than all other code for columns in the Python package.

use super::Result;
use arrow_array::{
    Array, ArrayRef, BooleanArray, FixedSizeBinaryArray, PrimitiveArray, StringArray, StructArray,
    cast::AsArray,
    make_array,
    types::{ArrowPrimitiveType, Int64Type, TimestampMicrosecondType, TimestampMillisecondType, UInt64Type},
};
use arrow_buffer::{BooleanBuffer, Buffer, NullBuffer, OffsetBuffer};
use arrow_data::transform::MutableArrayData;
use arrow_schema::{ArrowError, DataType, TimeUnit};
use std::sync::Arc;

/// Which rows of an array to take.
pub(super) struct Places {
    /// Rows of the array. A row of a NULL can be any.
    pub(super) rows: Vec<usize>,
    pub(super) nulls: Option<NullBuffer>,
}

impl Places {
    pub(super) fn is_null(&self, index: usize) -> bool {
        self.nulls.as_ref().is_some_and(|nulls| nulls.is_null(index))
    }
}

/// Takes rows of an array. The types of results have code of their own.
pub(super) fn gather(array: &ArrayRef, places: &Places) -> Result<ArrayRef, ArrowError> {
    // All places of an empty array are NULL.
    if array.is_empty() {
        return each_row(array, places);
    }
    match array.data_type() {
        DataType::Int64 => Ok(primitive::<Int64Type>(array, places)),
        DataType::UInt64 => Ok(primitive::<UInt64Type>(array, places)),
        DataType::Timestamp(TimeUnit::Millisecond, _) => {
            Ok(primitive::<TimestampMillisecondType>(array, places))
        }
        DataType::Timestamp(TimeUnit::Microsecond, _) => {
            Ok(primitive::<TimestampMicrosecondType>(array, places))
        }
        DataType::Boolean => {
            let values = array.as_boolean().values();
            let bits =
                BooleanBuffer::collect_bool(places.rows.len(), |index| values.value(places.rows[index]));
            Ok(Arc::new(BooleanArray::new(bits, nulls(array, places))))
        }
        DataType::FixedSizeBinary(size) => {
            let (values, width) = (array.as_fixed_size_binary().value_data(), *size as usize);
            let mut bytes = Vec::with_capacity(places.rows.len() * width);
            for row in &places.rows {
                bytes.extend_from_slice(&values[row * width..][..width]);
            }
            let bytes = Buffer::from_vec(bytes);
            Ok(Arc::new(FixedSizeBinaryArray::try_new(*size, bytes, nulls(array, places))?))
        }
        DataType::Utf8 => texts(array, places),
        DataType::Struct(fields) => {
            let columns = array.as_struct().columns().iter().map(|column| gather(column, places));
            let columns = columns.collect::<Result<_, _>>()?;
            Ok(Arc::new(StructArray::try_new(fields.clone(), columns, nulls(array, places))?))
        }
        _ => each_row(array, places),
    }
}

fn nulls(array: &dyn Array, places: &Places) -> Option<NullBuffer> {
    let Some(nulls) = array.nulls() else { return places.nulls.clone() };
    let is_valid = |index: usize| !places.is_null(index) && nulls.is_valid(places.rows[index]);
    Some(NullBuffer::new(BooleanBuffer::collect_bool(places.rows.len(), is_valid)))
}

fn primitive<T: ArrowPrimitiveType>(array: &dyn Array, places: &Places) -> ArrayRef {
    let values = array.as_primitive::<T>().values();
    let values: Vec<T::Native> = places.rows.iter().map(|row| values[*row]).collect();
    let array_of = PrimitiveArray::<T>::new(values.into(), nulls(array, places));
    Arc::new(array_of.with_data_type(array.data_type().clone()))
}

fn texts(array: &dyn Array, places: &Places) -> Result<ArrayRef, ArrowError> {
    let array = array.as_string::<i32>();
    let (starts, values) = (array.value_offsets(), array.value_data());
    let text = |index: usize| {
        let row = places.rows[index];
        // The values under NULLs take no place.
        if places.is_null(index) || array.is_null(row) {
            0..0
        } else {
            starts[row] as usize..starts[row + 1] as usize
        }
    };
    let mut offsets = Vec::with_capacity(places.rows.len() + 1);
    let mut end = 0;
    offsets.push(0);
    for index in 0..places.rows.len() {
        end += text(index).len();
        offsets.push(i32::try_from(end).map_err(|_| ArrowError::OffsetOverflowError(end))?);
    }
    let mut bytes = Vec::with_capacity(end);
    for index in 0..places.rows.len() {
        bytes.extend_from_slice(&values[text(index)]);
    }
    let offsets = OffsetBuffer::new(offsets.into());
    Ok(Arc::new(StringArray::try_new(offsets, Buffer::from_vec(bytes), nulls(array, places))?))
}

/// Takes rows of an array of any type, one after the other.
fn each_row(array: &dyn Array, places: &Places) -> Result<ArrayRef, ArrowError> {
    let data = array.to_data();
    let mut rows = MutableArrayData::new(vec![&data], true, places.rows.len());
    for (index, &row) in places.rows.iter().enumerate() {
        if places.is_null(index) {
            rows.try_extend_nulls(1)?;
        } else {
            rows.try_extend(0, row, row + 1)?;
        }
    }
    Ok(make_array(rows.freeze()))
}

/// Returns the array with NULLs at the places that `nulls` has, besides its own.
///
/// # Errors
///
/// If the texts or the bytes have no place in an array.
///
/// # Panics
///
/// If `nulls` has another length than the array.
pub fn mask(array: &ArrayRef, nulls: &NullBuffer) -> Result<ArrayRef> {
    assert_eq!(array.len(), nulls.len(), "a bit for each row");
    Ok(gather(array, &Places { rows: (0..array.len()).collect(), nulls: Some(nulls.clone()) })?)
}
