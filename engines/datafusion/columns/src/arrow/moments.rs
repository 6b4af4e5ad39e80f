//! An argument that is a time.

use super::{Error, Result, types};
use arrow_array::{
    Array,
    cast::AsArray,
    types::{
        ArrowPrimitiveType, Date32Type, Date64Type, TimestampMicrosecondType, TimestampMillisecondType,
        TimestampNanosecondType, TimestampSecondType,
    },
};
use arrow_buffer::NullBuffer;
use arrow_schema::{DataType, TimeUnit};
use sortid::UnixMicros;
use std::borrow::Cow;

/// The times of an argument. The values under NULLs may be anything.
pub(super) struct Moments<'a> {
    values: Cow<'a, [i64]>,
    unit: Unit,
    pub(super) nulls: Option<NullBuffer>,
}

#[derive(Clone, Copy)]
enum Unit {
    /// This number of microseconds.
    Micros(i64),
    Nanos,
}

impl<'a> Moments<'a> {
    /// Reads an array that is not a dictionary. A time without a zone is in UTC.
    pub(super) fn read(array: &'a dyn Array) -> Result<Self> {
        types::check_moment(array.data_type())?;
        let (values, unit) = match array.data_type() {
            DataType::Timestamp(TimeUnit::Second, _) => {
                (of::<TimestampSecondType>(array), Unit::Micros(1_000_000))
            }
            DataType::Timestamp(TimeUnit::Millisecond, _) => {
                (of::<TimestampMillisecondType>(array), Unit::Micros(1000))
            }
            DataType::Timestamp(TimeUnit::Microsecond, _) => {
                (of::<TimestampMicrosecondType>(array), Unit::Micros(1))
            }
            DataType::Timestamp(TimeUnit::Nanosecond, _) => {
                (of::<TimestampNanosecondType>(array), Unit::Nanos)
            }
            DataType::Date32 => {
                let days = array.as_primitive::<Date32Type>().values();
                (Cow::Owned(days.iter().map(|&day| day.into()).collect()), Unit::Micros(86_400_000_000))
            }
            DataType::Date64 => (of::<Date64Type>(array), Unit::Micros(1000)),
            _ => (Cow::Owned(vec![0; array.len()]), Unit::Micros(1)),
        };
        Ok(Self { values, unit, nulls: array.logical_nulls() })
    }

    /// Computes a result for each time, and the default for each NULL.
    pub(super) fn each<T: Default>(&self, mut result: impl FnMut(UnixMicros) -> Result<T>) -> Result<Vec<T>> {
        let mut results = Vec::with_capacity(self.values.len());
        for (row, &value) in self.values.iter().enumerate() {
            if self.nulls.as_ref().is_some_and(|nulls| nulls.is_null(row)) {
                results.push(T::default());
                continue;
            }
            let micros = match self.unit {
                Unit::Micros(unit) => i128::from(value) * i128::from(unit),
                Unit::Nanos => value.div_euclid(1000).into(),
            };
            results.push(result(UnixMicros(micros)).map_err(|error: Error| error.at(row))?);
        }
        Ok(results)
    }
}

fn of<T: ArrowPrimitiveType<Native = i64>>(array: &dyn Array) -> Cow<'_, [i64]> {
    Cow::Borrowed(array.as_primitive::<T>().values())
}
