//! An argument that is a time.

use super::error;
use datafusion::{
    arrow::{
        array::{Array, ArrayRef},
        compute::{CastOptions, cast_with_options},
        datatypes::{DataType, TimeUnit},
        util::display::array_value_to_string,
    },
    common::Result,
};
use sortid_columns::arrow::{self, ArrowId, over_dictionary};

/// Computes the bounds of times or of their texts: the results of `min_at` or `max_at`.
pub(super) fn bounds<I: ArrowId>(
    function: &str,
    array: &ArrayRef,
    bound: impl Fn(&ArrayRef) -> arrow::Result<ArrayRef>,
) -> Result<ArrayRef> {
    over_dictionary(array, |array| {
        let times = if array.data_type().is_string() { &of_texts(function, array)? } else { array };
        bound(times).map_err(|error| error::of::<I>(function, array, error))
    })
}

/// Casts texts to times, as the engine does. Its own error does not name the function.
fn of_texts(function: &str, array: &ArrayRef) -> Result<ArrayRef> {
    let time = DataType::Timestamp(TimeUnit::Microsecond, Some("+00:00".into()));
    let times = cast_with_options(array, &time, &CastOptions { safe: true, ..CastOptions::default() })?;
    match (0..array.len()).find(|&row| times.is_null(row) && array.is_valid(row)) {
        None => Ok(times),
        Some(row) => Err(error::bad_time(function, &array_value_to_string(array, row)?)),
    }
}
