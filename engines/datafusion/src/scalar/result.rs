//! The arrays of results.

// Bounds are `FixedSizeBinary`, like a column of IDs. Beside a `Binary` or a `BinaryView`, the engine casts the literal
// and not the column, so row groups are pruned. If bounds were `Binary`, the engine would cast the columns of fixed
// size in joins.

use super::{
    argument::{Ids, each_text},
    error, moment,
    native::{ArrowId, Native},
};
use datafusion::{
    arrow::{
        array::{
            Array, ArrayRef, BooleanArray, FixedSizeBinaryArray, Int64Array, PrimitiveArray, StringArray,
            UInt64Array,
        },
        buffer::{Buffer, NullBuffer, OffsetBuffer},
        datatypes::{ArrowTimestampType, TimestampMicrosecondType, TimestampMillisecondType},
    },
    common::{Result, exec_datafusion_err},
};
use sortid::ParseError;
use sortid_columns::Read;
use std::sync::Arc;

/// The zone of all times.
pub(super) const UTC: &str = "+00:00";

pub(super) fn times<I: ArrowId>(function: &str, array: &dyn Array) -> Result<ArrayRef> {
    let ids = Ids::<I>::read(function, array)?;
    let mut times = vec![0; ids.values.len()];
    let nulls = if sortid_columns::times::<I>(&ids.values, &mut times) {
        ids.nulls
    } else {
        Some(ids.nulls_of_result(function, |row| times[row] < 0, true)?)
    };
    Ok(if I::MICROS == 1 {
        timestamps::<TimestampMicrosecondType>(times, nulls)
    } else {
        timestamps::<TimestampMillisecondType>(times, nulls)
    })
}

fn timestamps<T: ArrowTimestampType>(times: Vec<i64>, nulls: Option<NullBuffer>) -> ArrayRef {
    Arc::new(PrimitiveArray::<T>::new(times.into(), nulls).with_timezone(UTC))
}

pub(super) fn texts<I: ArrowId>(function: &str, array: &dyn Array) -> Result<ArrayRef> {
    let ids = Ids::<I>::read(function, array)?;
    strings(function, &ids, I::TEXT_LEN, sortid_columns::texts::<I>)
}

/// Computes texts of at most `width` bytes.
fn strings<I: ArrowId>(
    function: &str,
    ids: &Ids<'_, I>,
    width: usize,
    kernel: impl Fn(&[I::Value], &mut [u8]) -> bool,
) -> Result<ArrayRef> {
    let len = ids.values.len();
    // The offsets of texts have 32 bits.
    if i32::try_from(len * width).is_err() {
        return Err(exec_datafusion_err!(
            "{function}: expected a batch of at most {} rows, found {len}: make smaller batches",
            i32::MAX as usize / width
        ));
    }
    let mut texts = vec![0; len * width];
    let nulls = if kernel(&ids.values, &mut texts) {
        ids.nulls.clone()
    } else {
        Some(ids.nulls_of_result(function, |row| texts[row * width] == 0, false)?)
    };
    // Moves the texts together. Most are as long as their places, and stay.
    let mut offsets = Vec::with_capacity(len + 1);
    offsets.push(0);
    let mut end = 0;
    for start in (0..texts.len()).step_by(width) {
        let text = &texts[start..start + width];
        let text = text.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
        if end < start {
            texts.copy_within(start..start + text, end);
        }
        end += text;
        offsets.push(end as i32);
    }
    texts.truncate(end);
    let offsets = OffsetBuffer::new(offsets.into());
    Ok(Arc::new(StringArray::try_new(offsets, Buffer::from_vec(texts), nulls)?))
}

pub(super) fn fields<I: ArrowId>(function: &str, read: Read<I>, array: &dyn Array) -> Result<ArrayRef> {
    let ids = Ids::<I>::read(function, array)?;
    let len = ids.values.len();
    Ok(match read {
        Read::Integers(kernel) => {
            let mut integers = vec![0; len];
            let nulls = if kernel(&ids.values, &mut integers) {
                ids.nulls
            } else {
                Some(ids.nulls_of_result(function, |row| integers[row] < 0, false)?)
            };
            Arc::new(Int64Array::new(integers.into(), nulls))
        }
        Read::Unsigned(kernel) => {
            let mut integers = vec![0; len];
            kernel(&ids.values, &mut integers);
            Arc::new(UInt64Array::new(integers.into(), ids.nulls))
        }
        Read::Texts(width, kernel) => strings(function, &ids, width, kernel)?,
        Read::Bytes(width, kernel) => {
            let mut bytes = vec![0; len * width];
            kernel(&ids.values, &mut bytes);
            let bytes = Buffer::from_vec(bytes);
            Arc::new(FixedSizeBinaryArray::try_new(width as i32, bytes, ids.nulls)?)
        }
    })
}

pub(super) fn parsed<I: ArrowId>(function: &str, array: &dyn Array) -> Result<ArrayRef> {
    let ids = Ids::<I>::read(function, array)?;
    I::Value::array(ids.values.into_owned(), ids.nulls)
}

pub(super) fn try_parsed<I: ArrowId>(array: &dyn Array) -> Result<ArrayRef> {
    let found = each_text(array, |text| Ok(sortid_columns::parse::<I>(text.as_bytes()).ok()))?;
    let nulls = NullBuffer::from_iter(found.iter().map(Option::is_some));
    I::Value::array(found.into_iter().map(Option::unwrap_or_default).collect(), Some(nulls))
}

pub(super) fn are_valid<I: ArrowId>(array: &dyn Array) -> Result<ArrayRef> {
    let valid = each_text(array, |text| Ok(sortid_columns::is_valid::<I>(text.as_bytes())))?;
    Ok(Arc::new(BooleanArray::new(valid.into(), array.nulls().cloned())))
}

/// Computes the bounds of times: the results of `min_at` or `max_at`.
pub(super) fn bounds<I: ArrowId>(
    function: &str,
    array: &ArrayRef,
    bound: impl Fn(i128) -> Result<I::Value, ParseError>,
) -> Result<ArrayRef> {
    let values = moment::micros(function, array)?.into_iter().enumerate().map(|(row, micros)| {
        if array.is_null(row) {
            return Ok(I::Value::default());
        }
        bound(micros).map_err(|_| error::out_of_range::<I>(function, array, row, micros))
    });
    I::Value::array(values.collect::<Result<_>>()?, array.nulls().cloned())
}
