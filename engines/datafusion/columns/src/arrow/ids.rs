//! An argument that is an ID, or the text of one.

use super::{ArrowId, Error, Native, Result, Typed, typed::strip, types};
use arrow_array::{
    Array, BinaryViewArray, GenericBinaryArray, LargeStringArray, OffsetSizeTrait, StringArray,
    StringViewArray, cast::AsArray,
};
use arrow_buffer::{BooleanBufferBuilder, NullBuffer};
use arrow_data::ByteView;
use arrow_schema::DataType;
use std::borrow::Cow;

/// The values of an argument. The values under NULLs may be anything.
pub(super) struct Ids<'a, I: ArrowId> {
    pub(super) values: Cow<'a, [I::Value]>,
    pub(super) nulls: Option<NullBuffer>,
}

impl<'a, I: ArrowId> Ids<'a, I> {
    /// Reads an array that is not a dictionary. Its texts may be those of a typed ID.
    pub(super) fn read(array: &'a dyn Array, typed: Option<Typed<'_>>) -> Result<Self> {
        types::check_id::<I>(array.data_type())?;
        let nulls = array.logical_nulls();
        let values = if *array.data_type() == I::Value::TYPE {
            Cow::Borrowed(I::Value::slice(array))
        } else if let Some(texts) = Texts::of(array) {
            let (values, valid) = texts.parse::<I>(array, typed);
            let is_null = |row| nulls.as_ref().is_some_and(|nulls| nulls.is_null(row));
            for row in (0..valid.len()).filter(|row| !valid[*row] && !is_null(*row)) {
                let text = texts.at(row);
                match typed {
                    Some(typed) => typed.check::<I>(text),
                    None => match crate::parse::<I>(text.as_bytes()) {
                        Ok(_) => Ok(()),
                        Err(error) => Err(Error::text::<I>(text, error)),
                    },
                }
                .map_err(|error| error.at(row))?;
            }
            Cow::Owned(values)
        } else if let Some(values) = same_length::<I>(array) {
            values
        } else {
            let value = |bytes: &[u8]| I::value_of_bytes(bytes).ok_or_else(|| Error::length::<I>(bytes));
            Cow::Owned(each_value(array, value)?)
        };
        Ok(Self { values, nulls })
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

/// Returns the values, and which of them are IDs. A NULL is not an ID.
pub(super) fn valid<I: ArrowId>(
    array: &dyn Array,
    typed: Option<Typed<'_>>,
) -> Result<(Vec<I::Value>, Vec<bool>)> {
    types::check_id::<I>(array.data_type())?;
    let (values, mut valid): (Vec<_>, Vec<_>) = if let Some(texts) = Texts::of(array) {
        texts.parse::<I>(array, typed)
    } else {
        let value = |value: I::Value| Some(value).filter(|value| I::from_value(value).is_ok());
        let values = if *array.data_type() == I::Value::TYPE {
            I::Value::slice(array).iter().map(|found| value(*found)).collect()
        } else if let Some(values) = same_length::<I>(array) {
            values.iter().map(|found| value(*found)).collect()
        } else {
            each_value(array, |bytes| Ok(I::value_of_bytes(bytes).and_then(value)))?
        };
        values.into_iter().map(|value: Option<_>| (value.unwrap_or_default(), value.is_some())).unzip()
    };
    if let Some(nulls) = array.logical_nulls() {
        for (valid, is_valid) in valid.iter_mut().zip(&nulls) {
            *valid &= is_valid;
        }
    }
    Ok((values, valid))
}

/// An array of texts.
enum Texts<'a> {
    Utf8(&'a StringArray),
    LargeUtf8(&'a LargeStringArray),
    Utf8View(&'a StringViewArray),
}

impl<'a> Texts<'a> {
    fn of(array: &'a dyn Array) -> Option<Self> {
        match array.data_type() {
            DataType::Utf8 => Some(Self::Utf8(array.as_string())),
            DataType::LargeUtf8 => Some(Self::LargeUtf8(array.as_string())),
            DataType::Utf8View => Some(Self::Utf8View(array.as_string_view())),
            _ => None,
        }
    }

    fn at(&self, row: usize) -> &'a str {
        match self {
            Self::Utf8(array) => array.value(row),
            Self::LargeUtf8(array) => array.value(row),
            Self::Utf8View(array) => array.value(row),
        }
    }

    /// Returns the values, and which texts are IDs. A text under a NULL may be one.
    fn parse<I: ArrowId>(&self, array: &dyn Array, typed: Option<Typed<'_>>) -> (Vec<I::Value>, Vec<bool>) {
        let start = typed.map_or("", Typed::start);
        if let Some(nulls) = array.nulls().filter(|nulls| nulls.null_count() > nulls.len() / 4) {
            // A kernel takes as long for a NULL as for an ID, so it does not get them.
            let rows: Vec<usize> = nulls.valid_indices().collect();
            let (found, are_ids) = parse::<I>(rows.len(), |index| strip(self.at(rows[index]), start));
            let (mut values, mut valid) = (vec![I::Value::default(); array.len()], vec![false; array.len()]);
            for (index, row) in rows.into_iter().enumerate() {
                (values[row], valid[row]) = (found[index], are_ids[index]);
            }
            return (values, valid);
        }
        match self {
            Self::Utf8(array) => parse::<I>(array.len(), |row| strip(array.value(row), start)),
            Self::LargeUtf8(array) => parse::<I>(array.len(), |row| strip(array.value(row), start)),
            Self::Utf8View(array) => parse::<I>(array.len(), |row| strip(array.value(row), start)),
        }
    }
}

fn parse<'a, I: ArrowId>(len: usize, text: impl Fn(usize) -> &'a str) -> (Vec<I::Value>, Vec<bool>) {
    let (mut values, mut valid) = (vec![I::Value::default(); len], vec![false; len]);
    crate::parse_texts::<I>(|row| text(row).as_bytes(), &mut values, &mut valid);
    (values, valid)
}

/// Returns the values of bytes if each row has as many as an ID, also the NULLs. Most arrays have this form.
fn same_length<I: ArrowId>(array: &dyn Array) -> Option<Cow<'_, [I::Value]>> {
    fn side_by_side<O: OffsetSizeTrait>(array: &GenericBinaryArray<O>, width: usize) -> Option<&[u8]> {
        let offsets = array.value_offsets();
        let has_width = |[start, end]: &[O; 2]| (*end - *start).as_usize() == width;
        // Without a branch for each row, the loop works on many rows at once.
        let all = offsets.array_windows().fold(true, |all, row| all & has_width(row));
        let bytes = offsets[0].as_usize()..offsets[array.len()].as_usize();
        // An empty array of another library can have offsets without values.
        array.value_data().get(bytes).filter(|_| all)
    }
    fn each_view<V: Native>(array: &BinaryViewArray, width: usize) -> Option<Cow<'_, [V]>> {
        let buffers = array.data_buffers();
        let mut values = Vec::with_capacity(array.len());
        for view in array.views() {
            let view = ByteView::from(*view);
            let (buffer, start) = (buffers.get(view.buffer_index as usize)?, view.offset as usize);
            let bytes = buffer.get(start..start + width).filter(|_| view.length as usize == width)?;
            values.push(*V::of_bytes(bytes)?.first()?);
        }
        Some(values.into())
    }
    let borrowed = |bytes| I::Value::of_bytes(bytes).map(Cow::Borrowed);
    match array.data_type() {
        DataType::Binary => side_by_side(array.as_binary::<i32>(), I::BYTES).and_then(borrowed),
        DataType::LargeBinary => side_by_side(array.as_binary::<i64>(), I::BYTES).and_then(borrowed),
        // A shorter view has its bytes in itself.
        DataType::BinaryView if I::BYTES > 12 => each_view(array.as_binary_view(), I::BYTES),
        _ => None,
    }
}

/// Computes a result for each row of bytes, and the default for each NULL.
fn each_value<T: Default>(array: &dyn Array, bytes: impl FnMut(&[u8]) -> Result<T>) -> Result<Vec<T>> {
    match array.data_type() {
        DataType::FixedSizeBinary(_) => each(array.as_fixed_size_binary().iter(), bytes),
        DataType::Binary => each(array.as_binary::<i32>().iter(), bytes),
        DataType::LargeBinary => each(array.as_binary::<i64>().iter(), bytes),
        DataType::BinaryView => each(array.as_binary_view().iter(), bytes),
        // `Null`: the types are checked.
        _ => Ok((0..array.len()).map(|_| T::default()).collect()),
    }
}

fn each<'a, T: Default>(
    rows: impl ExactSizeIterator<Item = Option<&'a [u8]>>,
    mut result: impl FnMut(&[u8]) -> Result<T>,
) -> Result<Vec<T>> {
    let mut results = Vec::with_capacity(rows.len());
    for (row, value) in rows.enumerate() {
        results.push(match value {
            None => T::default(),
            Some(value) => result(value).map_err(|error| error.at(row))?,
        });
    }
    Ok(results)
}
