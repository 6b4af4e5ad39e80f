//! An argument that is an ID, or the text of one.

use super::{
    error,
    native::{ArrowId, Native},
};
use datafusion::{
    arrow::{
        array::{AnyDictionaryArray, Array, ArrayRef, AsArray, BooleanArray, BooleanBufferBuilder},
        buffer::NullBuffer,
        compute::{nullif, take},
        datatypes::DataType,
    },
    common::{Result, internal_err},
};
use std::borrow::Cow;

/// The values of an argument. The values under NULLs may be anything.
pub(super) struct Ids<'a, I: ArrowId> {
    pub(super) values: Cow<'a, [I::Value]>,
    pub(super) nulls: Option<NullBuffer>,
}

impl<'a, I: ArrowId> Ids<'a, I> {
    /// Reads an array whose type `types::check_id` allows.
    pub(super) fn read(function: &str, array: &'a dyn Array) -> Result<Self> {
        let values = match array.data_type() {
            data_type if *data_type == I::Value::TYPE => Cow::Borrowed(I::Value::slice(array)),
            DataType::FixedSizeBinary(_) => of_bytes::<I>(function, array.as_fixed_size_binary().iter())?,
            DataType::Binary => of_bytes::<I>(function, array.as_binary::<i32>().iter())?,
            DataType::LargeBinary => of_bytes::<I>(function, array.as_binary::<i64>().iter())?,
            DataType::BinaryView => of_bytes::<I>(function, array.as_binary_view().iter())?,
            _ => Cow::Owned(each_text(array, |text| {
                sortid_columns::parse::<I>(text.as_bytes())
                    .map_err(|error| error::bad_text::<I>(function, text, &error))
            })?),
        };
        Ok(Self { values, nulls: array.nulls().cloned() })
    }

    /// Returns the NULLs of a result: the NULLs of the argument, and the IDs without a result. `is_missing` returns
    /// whether the kernel could not compute a row. Fails if such a value is not an ID, or has a time that does not fit.
    pub(super) fn nulls_of_result(
        &self,
        function: &str,
        is_missing: impl Fn(usize) -> bool,
        is_time: bool,
    ) -> Result<NullBuffer> {
        let mut valid = BooleanBufferBuilder::new(self.values.len());
        for (row, value) in self.values.iter().enumerate() {
            let is_null = self.nulls.as_ref().is_some_and(|nulls| nulls.is_null(row));
            let is_missing = !is_null && is_missing(row);
            if is_missing {
                let id =
                    I::from_value(value).map_err(|error| error::not_an_id::<I>(function, *value, &error))?;
                if let Some(micros) = id.unix_micros().filter(|_| is_time) {
                    return Err(error::late::<I>(function, *value, micros));
                }
            }
            valid.append(!is_null && !is_missing);
        }
        Ok(NullBuffer::new(valid.finish()))
    }
}

fn of_bytes<'a, I: ArrowId>(
    function: &str,
    rows: impl Iterator<Item = Option<&'a [u8]>>,
) -> Result<Cow<'a, [I::Value]>> {
    let value = |bytes: Option<&[u8]>| match bytes {
        None => Ok(I::Value::default()),
        Some(bytes) => I::value_of_bytes(bytes).ok_or_else(|| error::bad_length::<I>(function, bytes)),
    };
    rows.map(value).collect::<Result<Vec<_>>>().map(Cow::Owned)
}

/// Computes a result for each text of an array, and the default for each NULL.
pub(super) fn each_text<T: Default>(
    array: &dyn Array,
    mut result: impl FnMut(&str) -> Result<T>,
) -> Result<Vec<T>> {
    let result = |text: Option<&str>| text.map_or_else(|| Ok(T::default()), &mut result);
    match array.data_type() {
        DataType::Utf8 => array.as_string::<i32>().iter().map(result).collect(),
        DataType::LargeUtf8 => array.as_string::<i64>().iter().map(result).collect(),
        DataType::Utf8View => array.as_string_view().iter().map(result).collect(),
        other => internal_err!("expected an array of texts, found {other}"),
    }
}

/// Computes the results of an array. The results of a dictionary are computed once for each of its values that a row uses.
pub(super) fn over_dictionary(
    array: &ArrayRef,
    compute: impl FnOnce(&ArrayRef) -> Result<ArrayRef>,
) -> Result<ArrayRef> {
    let Some(dictionary) = array.as_any_dictionary_opt() else {
        return compute(array);
    };
    let (keys, values) = (dictionary.keys(), dictionary.values());
    if values.len() > keys.len() {
        return compute(&take(values, keys, None)?);
    }
    // The values that no row uses may be anything, so they become NULL.
    let unused = unused(dictionary);
    let values = if unused.true_count() == 0 { values.clone() } else { nullif(values, &unused)? };
    Ok(take(&compute(&values)?, keys, None)?)
}

/// Which values of a dictionary no row uses.
fn unused(dictionary: &dyn AnyDictionaryArray) -> BooleanArray {
    let mut unused = vec![true; dictionary.values().len()];
    if !unused.is_empty() {
        for (row, key) in dictionary.normalized_keys().into_iter().enumerate() {
            unused[key] &= dictionary.keys().is_null(row);
        }
    }
    unused.into()
}
