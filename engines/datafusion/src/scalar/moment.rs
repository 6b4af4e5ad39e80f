//! An argument that is a time.

use super::{argument::each_text, error};
use datafusion::{
    arrow::{
        array::{Array, ArrayRef, AsArray},
        compute::{CastOptions, cast_with_options},
        datatypes::{
            ArrowPrimitiveType, DataType, Date32Type, Date64Type, TimeUnit, TimestampMicrosecondType,
            TimestampMillisecondType, TimestampNanosecondType, TimestampSecondType,
        },
    },
    common::{Result, internal_err},
};

const DAY: i128 = 86_400_000_000;

/// Returns the times of an array in microseconds since 1970, rounded down. A time without a zone is in UTC.
pub(super) fn micros(function: &str, array: &ArrayRef) -> Result<Vec<i128>> {
    Ok(match array.data_type() {
        DataType::Timestamp(TimeUnit::Second, _) => {
            values::<TimestampSecondType>(array, |value| value * 1_000_000)
        }
        DataType::Timestamp(TimeUnit::Millisecond, _) => {
            values::<TimestampMillisecondType>(array, |value| value * 1000)
        }
        DataType::Timestamp(TimeUnit::Microsecond, _) => {
            values::<TimestampMicrosecondType>(array, |value| value)
        }
        DataType::Timestamp(TimeUnit::Nanosecond, _) => {
            values::<TimestampNanosecondType>(array, |value| value.div_euclid(1000))
        }
        DataType::Date32 => values::<Date32Type>(array, |value| value * DAY),
        DataType::Date64 => values::<Date64Type>(array, |value| value * 1000),
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => {
            let times = of_texts(function, array)?;
            values::<TimestampMicrosecondType>(&times, |value| value)
        }
        other => return internal_err!("{function}: expected a time, found {other}"),
    })
}

fn values<T: ArrowPrimitiveType<Native: Into<i128>>>(
    array: &dyn Array,
    micros: impl Fn(i128) -> i128,
) -> Vec<i128> {
    array.as_primitive::<T>().values().iter().map(|&value| micros(value.into())).collect()
}

/// Casts texts to times, as the engine does. Its own error does not name the function.
fn of_texts(function: &str, array: &ArrayRef) -> Result<ArrayRef> {
    let time = DataType::Timestamp(TimeUnit::Microsecond, Some("+00:00".into()));
    let times = cast_with_options(array, &time, &CastOptions { safe: true, ..CastOptions::default() })?;
    if times.null_count() > array.null_count() {
        let mut row = 0;
        each_text(array, |text| {
            while array.is_null(row) {
                row += 1;
            }
            let is_time = times.is_valid(row);
            row += 1;
            if is_time { Ok(()) } else { Err(error::bad_time(function, text)) }
        })?;
    }
    Ok(times)
}
