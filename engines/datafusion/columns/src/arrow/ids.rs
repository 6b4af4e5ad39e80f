//! An argument that is an ID, or the text of one.

use super::{ArrowId, Error, Native, Result, types};
use arrow_array::{Array, cast::AsArray};
use arrow_buffer::{BooleanBufferBuilder, NullBuffer};
use arrow_schema::DataType;
use std::borrow::Cow;

/// The values of an argument. The values under NULLs may be anything.
pub(super) struct Ids<'a, I: ArrowId> {
    pub(super) values: Cow<'a, [I::Value]>,
    pub(super) nulls: Option<NullBuffer>,
}

impl<'a, I: ArrowId> Ids<'a, I> {
    /// Reads an array that is not a dictionary.
    pub(super) fn read(array: &'a dyn Array) -> Result<Self> {
        types::check_id::<I>(array.data_type())?;
        let values = if *array.data_type() == I::Value::TYPE {
            Cow::Borrowed(I::Value::slice(array))
        } else {
            Cow::Owned(each_value(
                array,
                |bytes| I::value_of_bytes(bytes).ok_or_else(|| Error::length::<I>(bytes)),
                |text| crate::parse::<I>(text.as_bytes()).map_err(|error| Error::text::<I>(text, error)),
            )?)
        };
        Ok(Self { values, nulls: array.logical_nulls() })
    }

    /// Returns the NULLs of a result: the NULLs of the argument, and the IDs without a result. `is_missing` returns
    /// whether the kernel could not compute a row. Fails if such a value is not an ID, or has a time that does not fit.
    pub(super) fn nulls_of_result(
        &self,
        is_missing: impl Fn(usize) -> bool,
        is_time: bool,
    ) -> Result<NullBuffer> {
        let mut valid = BooleanBufferBuilder::new(self.values.len());
        for (row, value) in self.values.iter().enumerate() {
            let is_null = self.nulls.as_ref().is_some_and(|nulls| nulls.is_null(row));
            let is_missing = !is_null && is_missing(row);
            if is_missing {
                let id = I::from_value(value).map_err(|error| Error::value::<I>(*value, error).at(row))?;
                if let Some(micros) = id.unix_micros().filter(|_| is_time) {
                    return Err(Error::late::<I>(*value, micros).at(row));
                }
            }
            valid.append(!is_null && !is_missing);
        }
        Ok(NullBuffer::new(valid.finish()))
    }
}

/// Returns the values that are IDs, and `None` for NULLs and other values.
pub(super) fn valid<I: ArrowId>(array: &dyn Array) -> Result<Vec<Option<I::Value>>> {
    types::check_id::<I>(array.data_type())?;
    let valid = |value: I::Value| I::from_value(&value).is_ok().then_some(value);
    if *array.data_type() == I::Value::TYPE {
        let rows = I::Value::slice(array).iter().enumerate();
        return Ok(rows.map(|(row, &value)| if array.is_null(row) { None } else { valid(value) }).collect());
    }
    each_value(
        array,
        |bytes| Ok(I::value_of_bytes(bytes).and_then(valid)),
        |text| Ok(crate::parse::<I>(text.as_bytes()).ok()),
    )
}

/// Computes a result for each row of bytes or texts, and the default for each NULL.
fn each_value<T: Default>(
    array: &dyn Array,
    bytes: impl FnMut(&[u8]) -> Result<T>,
    text: impl FnMut(&str) -> Result<T>,
) -> Result<Vec<T>> {
    match array.data_type() {
        DataType::FixedSizeBinary(_) => each(array.as_fixed_size_binary().iter(), bytes),
        DataType::Binary => each(array.as_binary::<i32>().iter(), bytes),
        DataType::LargeBinary => each(array.as_binary::<i64>().iter(), bytes),
        DataType::BinaryView => each(array.as_binary_view().iter(), bytes),
        DataType::Utf8 => each(array.as_string::<i32>().iter(), text),
        DataType::LargeUtf8 => each(array.as_string::<i64>().iter(), text),
        DataType::Utf8View => each(array.as_string_view().iter(), text),
        // `Null`: the types are checked.
        _ => Ok((0..array.len()).map(|_| T::default()).collect()),
    }
}

fn each<R: AsRef<V>, V: ?Sized, T: Default>(
    rows: impl ExactSizeIterator<Item = Option<R>>,
    mut result: impl FnMut(&V) -> Result<T>,
) -> Result<Vec<T>> {
    let mut results = Vec::with_capacity(rows.len());
    for (row, value) in rows.enumerate() {
        results.push(match value {
            None => T::default(),
            Some(value) => result(value.as_ref()).map_err(|error| error.at(row))?,
        });
    }
    Ok(results)
}
