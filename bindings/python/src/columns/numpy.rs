//! The values of NumPy arrays, as their bytes.
//!
//! `sortid/columns.py` copies an array to `bytes`, and makes an array of a `bytearray`. So no other code can change a
//! buffer that is read here, and neither side needs more than the interface of Python.

use super::Column;
use arrow_array::{
    Array, ArrayRef, FixedSizeBinaryArray, PrimitiveArray,
    builder::LargeStringBuilder,
    cast::AsArray,
    types::{
        ArrowPrimitiveType, ArrowTimestampType, Int64Type, TimestampMicrosecondType,
        TimestampMillisecondType, TimestampNanosecondType, TimestampSecondType, UInt64Type,
    },
};
use arrow_buffer::{ArrowNativeType, Buffer, NullBuffer, ScalarBuffer};
use arrow_schema::{DataType, TimeUnit};
use bytes::Bytes;
use pyo3::{
    exceptions::{PyTypeError, PyValueError},
    prelude::*,
    pybacked::PyBackedBytes,
    types::PyByteArray,
};
use std::sync::Arc;

/// Integers of NumPy that mean "not a time".
const NAT: i64 = i64::MIN;

/// Returns a column of the bytes of a NumPy array. `kind` is `V` for bytes, `S` or `U` for texts of `width` bytes or
/// characters, `i8` for integers, and `s`, `ms`, `us` or `ns` for times. `mask` has a byte for each row that is not 0 if the
/// row is missing.
#[pyfunction]
#[pyo3(signature = (data, kind, width, mask=None))]
pub(crate) fn from_numpy(
    data: PyBackedBytes,
    kind: &str,
    width: usize,
    mask: Option<PyBackedBytes>,
) -> PyResult<Column> {
    let data = Bytes::from_owner(data);
    let nulls = mask.map(|mask| mask.iter().map(|&is_missing| is_missing == 0).collect::<NullBuffer>());
    let array: ArrayRef = match kind {
        "V" => {
            let width = i32::try_from(width).ok().filter(|width| *width > 0);
            let width = width.ok_or_else(|| PyValueError::new_err("expected values of at least one byte"))?;
            let array = FixedSizeBinaryArray::try_new(width, data.into(), nulls);
            Arc::new(array.map_err(|error| PyValueError::new_err(error.to_string()))?)
        }
        "S" => texts(&data, width, nulls.as_ref(), |slot, text| text.extend_from_slice(slot)),
        "U" => texts(&data, 4 * width, nulls.as_ref(), |slot, text| {
            for char in slot.as_chunks().0 {
                match char::from_u32(u32::from_ne_bytes(*char)).unwrap_or(char::REPLACEMENT_CHARACTER) {
                    char if char.is_ascii() => text.push(char as u8),
                    char => text.extend_from_slice(char.encode_utf8(&mut [0; 4]).as_bytes()),
                }
            }
        }),
        "i8" => primitive::<Int64Type>(integers(data), nulls)?,
        "s" => times::<TimestampSecondType>(data, nulls)?,
        "ms" => times::<TimestampMillisecondType>(data, nulls)?,
        "us" => times::<TimestampMicrosecondType>(data, nulls)?,
        "ns" => times::<TimestampNanosecondType>(data, nulls)?,
        other => return Err(PyValueError::new_err(format!("no kind {other:?}"))),
    };
    Column::new(array.data_type().clone(), vec![array])
}

/// Reads texts of a fixed number of bytes, with zeros after each.
fn texts(
    data: &[u8],
    width: usize,
    nulls: Option<&NullBuffer>,
    read: impl Fn(&[u8], &mut Vec<u8>),
) -> ArrayRef {
    let mut texts = LargeStringBuilder::new();
    let mut text = Vec::new();
    for (row, slot) in data.chunks_exact(width.max(1)).enumerate() {
        if nulls.is_some_and(|nulls| row >= nulls.len() || nulls.is_null(row)) {
            texts.append_null();
        } else {
            text.clear();
            read(slot, &mut text);
            texts.append_value(String::from_utf8_lossy(&text).trim_end_matches('\0'));
        }
    }
    Arc::new(texts.finish())
}

fn integers(data: Bytes) -> ScalarBuffer<i64> {
    let len = data.len() / 8;
    if data.as_ptr().align_offset(align_of::<i64>()) == 0 {
        return ScalarBuffer::new(Buffer::from(data), 0, len);
    }
    let ints = data.as_chunks().0.iter();
    ints.map(|int| i64::from_ne_bytes(*int)).collect::<Vec<_>>().into()
}

fn times<T: ArrowTimestampType>(data: Bytes, nulls: Option<NullBuffer>) -> PyResult<ArrayRef> {
    let times = integers(data);
    let nat = times.contains(&NAT).then(|| times.iter().map(|&time| time != NAT).collect::<NullBuffer>());
    let nulls = match (nulls, nat) {
        // A mask of another length is an error below.
        (Some(nulls), Some(nat)) if nulls.len() == nat.len() => NullBuffer::union(Some(&nulls), Some(&nat)),
        (nulls, nat) => nulls.or(nat),
    };
    primitive::<T>(times, nulls)
}

fn primitive<T: ArrowPrimitiveType>(
    values: ScalarBuffer<T::Native>,
    nulls: Option<NullBuffer>,
) -> PyResult<ArrayRef> {
    match PrimitiveArray::<T>::try_new(values, nulls) {
        Ok(array) => Ok(Arc::new(array)),
        Err(error) => Err(PyValueError::new_err(error.to_string())),
    }
}

/// The type of a NumPy array, its bytes, and a byte for each row that is 1 if the row is missing.
type Values<'py> = (String, Bound<'py, PyByteArray>, Option<Bound<'py, PyByteArray>>);

/// Returns a column as the type and the bytes of a NumPy array. The column is not a structure.
#[pyfunction]
pub(crate) fn to_numpy<'py>(py: Python<'py>, column: &Column) -> PyResult<Values<'py>> {
    let chunks = column.chunks();
    let has_nulls = chunks.iter().any(|chunk| chunk.null_count() > 0);
    let fill = |width: usize, write: &dyn Fn(&ArrayRef, &mut [u8])| {
        PyByteArray::new_with(py, column.rows() * width, |mut rest| {
            for chunk in chunks {
                let (own, after) = rest.split_at_mut(chunk.len() * width);
                write(chunk, own);
                rest = after;
            }
            Ok(())
        })
    };
    let mut mask = None;
    if has_nulls && !matches!(column.field().data_type(), DataType::Timestamp(..)) {
        mask = Some(fill(1, &|chunk, mask| {
            for (row, is_null) in mask.iter_mut().enumerate() {
                *is_null = chunk.is_null(row).into();
            }
        })?);
    }
    let (kind, values) = match column.field().data_type() {
        DataType::FixedSizeBinary(width) => {
            let values = fill(*width as usize, &|chunk, values| {
                values.copy_from_slice(chunk.as_fixed_size_binary().value_data());
            })?;
            (format!("V{width}"), values)
        }
        DataType::Int64 => (
            "=i8".into(),
            fill(8, &|chunk, out| {
                copy(chunk.as_primitive::<Int64Type>().values(), out);
            })?,
        ),
        DataType::UInt64 => (
            "=u8".into(),
            fill(8, &|chunk, out| {
                copy(chunk.as_primitive::<UInt64Type>().values(), out);
            })?,
        ),
        DataType::Timestamp(TimeUnit::Millisecond, _) => {
            ("=M8[ms]".into(), fill(8, &copy_times::<TimestampMillisecondType>)?)
        }
        DataType::Timestamp(TimeUnit::Microsecond, _) => {
            ("=M8[us]".into(), fill(8, &copy_times::<TimestampMicrosecondType>)?)
        }
        DataType::Boolean => (
            "?".into(),
            fill(1, &|chunk, out| {
                for (value, out) in chunk.as_boolean().values().iter().zip(out) {
                    *out = value.into();
                }
            })?,
        ),
        DataType::Utf8 => {
            let lens = |chunk: &ArrayRef| chunk.as_string::<i32>().offsets().lengths().max();
            let width = chunks.iter().filter_map(lens).max().unwrap_or_default().max(1);
            let values = fill(width, &|chunk, out| {
                for (text, out) in chunk.as_string::<i32>().iter().zip(out.chunks_exact_mut(width)) {
                    let text = text.unwrap_or_default().as_bytes();
                    out[..text.len()].copy_from_slice(text);
                }
            })?;
            (format!("S{width}"), values)
        }
        other => return Err(PyTypeError::new_err(format!("no NumPy array has the type {other}"))),
    };
    Ok((kind, values, mask))
}

fn copy<T: ArrowNativeType>(values: &ScalarBuffer<T>, out: &mut [u8]) {
    out.copy_from_slice(values.inner().as_slice());
}

fn copy_times<T: ArrowTimestampType>(chunk: &ArrayRef, out: &mut [u8]) {
    copy(chunk.as_primitive::<T>().values(), out);
    if let Some(nulls) = chunk.nulls() {
        for (time, is_valid) in out.as_chunks_mut().0.iter_mut().zip(nulls) {
            if !is_valid {
                *time = NAT.to_ne_bytes();
            }
        }
    }
}
