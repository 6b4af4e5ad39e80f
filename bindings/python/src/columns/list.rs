//! Lists of IDs, texts or times as arrays.

use crate::{
    error::wrong_type,
    id::{IdClass, PyId},
    time,
};
use arrow_array::{
    ArrayRef, NullArray, TimestampMicrosecondArray,
    builder::{LargeBinaryBuilder, LargeStringBuilder},
};
use arrow_buffer::NullBufferBuilder;
use pyo3::{
    exceptions::PyTypeError,
    prelude::*,
    types::{PyBool, PyByteArray, PyBytes, PyFloat, PyInt, PyString},
};
use sortid_columns::arrow::Native;
use std::sync::Arc;

/// The values of a list. The first that is not missing decides.
enum Values<I: PyId> {
    Missing(usize),
    Texts(LargeStringBuilder),
    Bytes(LargeBinaryBuilder),
    Ids(Vec<I::Value>, NullBufferBuilder),
}

/// A value of a list.
enum Value<'a, 'py, I: PyId> {
    Text(&'a Bound<'py, PyString>),
    Bytes(&'a [u8]),
    Id(I::Value),
}

/// Reads a list of texts, of bytes, or of IDs and the like.
pub(super) fn ids<I: PyId>(list: &Bound<'_, PyAny>, class: &IdClass) -> PyResult<ArrayRef> {
    let mut values = Values::<I>::Missing(0);
    for (row, object) in list.try_iter()?.enumerate() {
        let object = object?;
        if is_missing(&object) {
            values.push_missing();
            continue;
        }
        let bytes;
        let value = if let Ok(found) = object.cast::<PyString>() {
            Value::Text(found)
        } else if let Ok(found) = object.cast::<PyBytes>() {
            Value::Bytes(found.as_bytes())
        } else if let Ok(found) = object.cast::<PyByteArray>() {
            bytes = found.to_vec();
            Value::Bytes(&bytes)
        } else {
            Value::Id(id::<I>(&object, class).map_err(|error| at(row, object.py(), &error))?)
        };
        values.push(value).map_err(|expected| at(row, object.py(), &wrong_type(expected, &object)))?;
    }
    Ok(values.finish())
}

impl<I: PyId> Values<I> {
    fn push_missing(&mut self) {
        match self {
            Self::Missing(count) => *count += 1,
            Self::Texts(texts) => texts.append_null(),
            Self::Bytes(bytes) => bytes.append_null(),
            Self::Ids(ids, nulls) => {
                ids.push(I::Value::default());
                nulls.append_null();
            }
        }
    }

    /// Adds a value. Fails with what is expected instead.
    fn push(&mut self, value: Value<'_, '_, I>) -> Result<(), &'static str> {
        if let Self::Missing(count) = *self {
            *self = match value {
                Value::Text(_) => Self::Texts(LargeStringBuilder::new()),
                Value::Bytes(_) => Self::Bytes(LargeBinaryBuilder::new()),
                Value::Id(_) => Self::Ids(Vec::new(), NullBufferBuilder::new(0)),
            };
            for _ in 0..count {
                self.push_missing();
            }
        }
        match (self, value) {
            (Self::Texts(texts), Value::Text(text)) => match text.to_str() {
                Ok(text) => texts.append_value(text),
                // No text of an ID has a lone surrogate.
                Err(_) => texts.append_value(text.to_string_lossy()),
            },
            (Self::Bytes(bytes), Value::Bytes(value)) => bytes.append_value(value),
            (Self::Ids(ids, nulls), Value::Id(id)) => {
                ids.push(id);
                nulls.append_non_null();
            }
            (Self::Texts(_), _) => return Err("a str, as in the rows before"),
            (Self::Bytes(_), _) => return Err("bytes, as in the rows before"),
            (Self::Ids(..) | Self::Missing(_), _) => return Err("an ID, as in the rows before"),
        }
        Ok(())
    }

    fn finish(self) -> ArrayRef {
        match self {
            Self::Missing(count) => Arc::new(NullArray::new(count)),
            Self::Texts(mut texts) => Arc::new(texts.finish()),
            Self::Bytes(mut bytes) => Arc::new(bytes.finish()),
            Self::Ids(ids, mut nulls) => I::Value::array(ids, nulls.finish()),
        }
    }
}

/// Reads an ID, the integer of a Ulid-Flake, or a `uuid.UUID`.
fn id<I: PyId>(object: &Bound<'_, PyAny>, class: &IdClass) -> PyResult<I::Value> {
    if let Some(id) = class.id_of::<I>(object)? {
        return Ok(id.to_value());
    }
    let is_int = I::BYTES == 8 && object.is_instance_of::<PyInt>() && !object.is_instance_of::<PyBool>();
    let is_uuid = I::BYTES == 16 && object.is_instance(crate::id::uuid_class(object.py())?)?;
    let value = if is_int {
        // A negative integer is a value that is not an ID. So is a greater one, which has no place in a column.
        I::value_of_bytes(&object.extract::<i64>()?.to_be_bytes())
    } else if is_uuid {
        I::value_of_bytes(object.getattr("bytes")?.cast::<PyBytes>()?.as_bytes())
    } else {
        None
    };
    value.ok_or_else(|| {
        let name = class.name::<I>(object.py()).unwrap_or_else(|_| I::TITLE.into());
        let more = match I::BYTES {
            8 => "int or ",
            16 => "uuid.UUID or ",
            _ => "",
        };
        wrong_type(&format!("a str, bytes, {more}{name}, or None"), object)
    })
}

/// Reads a list of `datetime`s.
pub(super) fn times(list: &Bound<'_, PyAny>) -> PyResult<ArrayRef> {
    let mut times: Vec<Option<i64>> = Vec::new();
    for (row, object) in list.try_iter()?.enumerate() {
        let object = object?;
        times.push(if is_missing(&object) {
            None
        } else {
            let micros = time::micros(&object).map_err(|error| at(row, object.py(), &error))?;
            // All times of a `datetime` fit.
            Some(micros.0 as i64)
        });
    }
    Ok(Arc::new(TimestampMicrosecondArray::from(times).with_timezone(super::UTC)))
}

/// Whether a value is `None` or NaN.
fn is_missing(object: &Bound<'_, PyAny>) -> bool {
    object.is_none() || object.cast::<PyFloat>().is_ok_and(|float| float.value().is_nan())
}

/// Returns the exception of a row.
#[cold]
fn at(row: usize, py: Python<'_>, error: &PyErr) -> PyErr {
    let message = format!("row {row}: {}", error.value(py));
    match error.get_type(py).call1((&message,)) {
        Ok(exception) => PyErr::from_value(exception),
        Err(_) => PyTypeError::new_err(message),
    }
}
