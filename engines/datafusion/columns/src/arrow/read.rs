//! The arrays of results.

use super::{
    ArrowId, Error, ErrorKind, Native, Result, Typed,
    dictionary::rows,
    ids::{Ids, valid},
    moments::Moments,
    types::fields_of,
};
use crate::Read;
use arrow_array::{
    Array, ArrayRef, BooleanArray, FixedSizeBinaryArray, Int64Array, PrimitiveArray, StringArray,
    StructArray, UInt64Array,
    types::{ArrowTimestampType, TimestampMicrosecondType, TimestampMillisecondType},
};
use arrow_buffer::{Buffer, NullBuffer, OffsetBuffer};
use sortid::{RangeError, UnixMicros};
use std::sync::Arc;

/// Returns the time of each ID: timestamps in milliseconds, or in microseconds if
/// [`Column::MICROS`](crate::Column::MICROS) is 1.
///
/// `utc` is the time zone of the type, a name of UTC. An ID without a time, such as a RON name, has the result NULL.
///
/// # Errors
///
/// `Type`; those of a value that is not an ID; `Late`.
pub fn times<I: ArrowId>(array: &ArrayRef, utc: &str) -> Result<ArrayRef> {
    rows(array, |array| {
        let ids = Ids::<I>::read(array, None)?;
        let mut times = vec![0; ids.values.len()];
        let nulls = if crate::times::<I>(&ids.values, &mut times) {
            ids.nulls
        } else {
            Some(ids.nulls_of_result(|row| times[row] < 0, true)?)
        };
        Ok(if I::MICROS == 1 {
            timestamps::<TimestampMicrosecondType>(times, nulls, utc)
        } else {
            timestamps::<TimestampMillisecondType>(times, nulls, utc)
        })
    })
}

fn timestamps<T: ArrowTimestampType>(times: Vec<i64>, nulls: Option<NullBuffer>, utc: &str) -> ArrayRef {
    Arc::new(PrimitiveArray::<T>::new(times.into(), nulls).with_timezone(utc))
}

/// Returns the text of each ID.
///
/// # Errors
///
/// `Type`; those of a value that is not an ID; `Rows`.
pub fn texts<I: ArrowId>(array: &ArrayRef) -> Result<ArrayRef> {
    texts_of::<I>(array, None)
}

pub(super) fn texts_of<I: ArrowId>(array: &ArrayRef, typed: Option<Typed<'_>>) -> Result<ArrayRef> {
    let start = typed.map_or("", Typed::start);
    rows(array, |array| strings(&Ids::<I>::read(array, typed)?, start, I::TEXT_LEN, crate::texts::<I>))
}

/// Computes texts of at most `width` bytes, and writes `start` before each.
fn strings<I: ArrowId>(
    ids: &Ids<'_, I>,
    start: &str,
    width: usize,
    kernel: impl Fn(&[I::Value], &mut [u8]) -> bool,
) -> Result<ArrayRef> {
    let len = ids.values.len();
    // The offsets of texts have 32 bits.
    let most = i32::MAX as usize / (start.len() + width);
    if len > most {
        return Err(ErrorKind::Rows { most, found: len }.into());
    }
    let mut texts = vec![0; len * width];
    let nulls = if kernel(&ids.values, &mut texts) {
        ids.nulls.clone()
    } else {
        Some(ids.nulls_of_result(|row| texts[row * width] == 0, false)?)
    };
    let mut offsets = Vec::with_capacity(len + 1);
    let mut end = 0;
    if !start.is_empty() {
        let mut typed = Vec::with_capacity(len * (start.len() + width));
        offsets.push(0);
        for (row, text) in texts.chunks_exact(width).enumerate() {
            if ids.nulls.as_ref().is_none_or(|nulls| nulls.is_valid(row)) {
                typed.extend_from_slice(start.as_bytes());
                typed.extend_from_slice(written(text));
            }
            offsets.push(typed.len() as i32);
        }
        (end, texts) = (typed.len(), typed);
    } else if texts.iter().skip(width - 1).step_by(width).all(|byte| *byte != 0) {
        // All texts have this length.
        end = texts.len();
        offsets.extend((0..=len).map(|row| (row * width) as i32));
    } else {
        // Moves the texts together.
        offsets.push(0);
        for start in (0..texts.len()).step_by(width) {
            let text = written(&texts[start..start + width]).len();
            texts.copy_within(start..start + text, end);
            end += text;
            offsets.push(end as i32);
        }
    }
    texts.truncate(end);
    let offsets = OffsetBuffer::new(offsets.into());
    Ok(Arc::new(StringArray::try_new(offsets, Buffer::from_vec(texts), nulls)?))
}

/// The bytes of a text before the zeros that follow it.
fn written(text: &[u8]) -> &[u8] {
    &text[..text.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1)]
}

/// Returns a field of each ID, which is [`Field::read`](crate::Field::read) of one of [`READS`](crate::Column::READS). A
/// field that an ID does not have is NULL.
///
/// # Errors
///
/// `Type`; those of a value that is not an ID.
pub fn field<I: ArrowId>(array: &ArrayRef, read: Read<I>) -> Result<ArrayRef> {
    rows(array, |array| field_of(&Ids::<I>::read(array, None)?, read))
}

/// Returns all fields of each ID: an array of [`fields_type`](super::fields_type).
///
/// # Errors
///
/// Those of [`field`].
pub fn fields<I: ArrowId>(array: &ArrayRef) -> Result<ArrayRef> {
    rows(array, |array| {
        let ids = Ids::<I>::read(array, None)?;
        let fields = I::READS.iter().map(|field| field_of(&ids, field.read)).collect::<Result<_>>()?;
        Ok(Arc::new(StructArray::try_new(fields_of::<I>(), fields, ids.nulls)?))
    })
}

fn field_of<I: ArrowId>(ids: &Ids<'_, I>, read: Read<I>) -> Result<ArrayRef> {
    let len = ids.values.len();
    Ok(match read {
        Read::Integers(kernel) => {
            let mut integers = vec![0; len];
            let nulls = if kernel(&ids.values, &mut integers) {
                ids.nulls.clone()
            } else {
                Some(ids.nulls_of_result(|row| integers[row] < 0, false)?)
            };
            Arc::new(Int64Array::new(integers.into(), nulls))
        }
        Read::Unsigned(kernel) => {
            let mut integers = vec![0; len];
            kernel(&ids.values, &mut integers);
            Arc::new(UInt64Array::new(integers.into(), ids.nulls.clone()))
        }
        Read::Texts(width, kernel) => strings(ids, "", width, kernel)?,
        Read::Bytes(width, kernel) => {
            let mut bytes = vec![0; len * width];
            kernel(&ids.values, &mut bytes);
            let bytes = Buffer::from_vec(bytes);
            Arc::new(FixedSizeBinaryArray::try_new(width as i32, bytes, ids.nulls.clone())?)
        }
    })
}

/// Returns the ID of each text. The array may have IDs, which stay as they are.
///
/// # Errors
///
/// `Type`; those of a value that is not an ID.
pub fn parse<I: ArrowId>(array: &ArrayRef) -> Result<ArrayRef> {
    parse_of::<I>(array, None)
}

pub(super) fn parse_of<I: ArrowId>(array: &ArrayRef, typed: Option<Typed<'_>>) -> Result<ArrayRef> {
    rows(array, |array| {
        let ids = Ids::<I>::read(array, typed)?;
        // The check of the IDs of most specifications has no code.
        if ids.values.iter().any(|value| I::from_value(value).is_err()) {
            ids.nulls_of_result(|_| true, false)?;
        }
        Ok(I::Value::array(ids.values.into_owned(), ids.nulls))
    })
}

/// Returns the ID of each text, and NULL for a value that is not an ID.
///
/// # Errors
///
/// `Type`.
pub fn try_parse<I: ArrowId>(array: &ArrayRef) -> Result<ArrayRef> {
    try_parse_of::<I>(array, None)
}

pub(super) fn try_parse_of<I: ArrowId>(array: &ArrayRef, typed: Option<Typed<'_>>) -> Result<ArrayRef> {
    rows(array, |array| {
        let (values, valid) = valid::<I>(array, typed)?;
        Ok(I::Value::array(values, Some(valid.into())))
    })
}

/// Returns whether [`parse`] accepts each value.
///
/// # Errors
///
/// `Type`.
pub fn is_valid<I: ArrowId>(array: &ArrayRef) -> Result<ArrayRef> {
    is_valid_of::<I>(array, None)
}

pub(super) fn is_valid_of<I: ArrowId>(array: &ArrayRef, typed: Option<Typed<'_>>) -> Result<ArrayRef> {
    rows(array, |array| {
        let (_, valid) = valid::<I>(array, typed)?;
        Ok(Arc::new(BooleanArray::new(valid.into(), array.logical_nulls())))
    })
}

/// Returns the least ID of the tick of each time.
///
/// # Errors
///
/// `Type`; `Time`.
pub fn min_at<I: ArrowId>(array: &ArrayRef) -> Result<ArrayRef> {
    bounds::<I>(array, I::min_at)
}

/// Returns the greatest ID of the tick of each time.
///
/// # Errors
///
/// `Type`; `Time`.
pub fn max_at<I: ArrowId>(array: &ArrayRef) -> Result<ArrayRef> {
    bounds::<I>(array, I::max_at)
}

fn bounds<I: ArrowId>(
    array: &ArrayRef,
    bound: impl Fn(UnixMicros) -> Result<I, RangeError>,
) -> Result<ArrayRef> {
    rows(array, |array| {
        let moments = Moments::read(array)?;
        let values =
            moments.each(|time| bound(time).map(I::to_value).map_err(|_| Error::time::<I>(time.0)))?;
        Ok(I::Value::array(values, moments.nulls))
    })
}
