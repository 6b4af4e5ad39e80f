//! Messages. Each names the function, what it expected, and what it found.

use super::native::{ArrowId, Native, SHOWN, one, show_bytes};
use datafusion::{
    arrow::{array::Array, util::display::array_value_to_string},
    common::{DataFusionError, exec_datafusion_err},
};
use sortid::{__private::civil::rfc3339, ParseError};

/// Quotes a text, and shortens a long one.
pub(super) fn show_text(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        None => format!("{text:?}"),
        Some((end, _)) => format!("{:?}", format!("{}…", &text[..end])),
    }
}

/// The text is not an ID.
pub(super) fn bad_text<I: ArrowId>(function: &str, text: &str, error: &ParseError) -> DataFusionError {
    let (shown, prefix, one) = (show_text(text), I::PREFIX, one::<I>());
    exec_datafusion_err!(
        "{function}: {shown} is not the text of {one}: {error}. {prefix}_try_parse gives NULL instead"
    )
}

/// The number of bytes is not the length of an ID.
pub(super) fn bad_length<I: ArrowId>(function: &str, bytes: &[u8]) -> DataFusionError {
    let (size, found, shown) = (I::BYTES, bytes.len(), show_bytes(bytes));
    exec_datafusion_err!("{function}: expected the {size} bytes of {}, found {found}: {shown}", one::<I>())
}

/// The value is not an ID.
pub(super) fn not_an_id<I: ArrowId>(function: &str, value: I::Value, error: &ParseError) -> DataFusionError {
    exec_datafusion_err!("{function}: expected {}, found {}: {error}", one::<I>(), value.show())
}

/// The time of the ID is above the last one of the result's type.
pub(super) fn late<I: ArrowId>(function: &str, value: I::Value, unix_micros: u64) -> DataFusionError {
    exec_datafusion_err!(
        "{function}: expected at most {} microseconds since 1970, the last time of a timestamp, found {unix_micros} in {}",
        i64::MAX,
        value.show()
    )
}

/// The text is not a time.
pub(super) fn bad_time(function: &str, text: &str) -> DataFusionError {
    exec_datafusion_err!(
        "{function}: expected a time such as '2024-06-06', '2024-06-06 06:06:06.666' or '2024-06-06T06:06:06Z', found {}",
        show_text(text)
    )
}

/// No ID of the specification has this time.
pub(super) fn out_of_range<I: ArrowId>(
    function: &str,
    array: &dyn Array,
    row: usize,
    micros: i128,
) -> DataFusionError {
    let [first, last] = [*I::TIMES.start(), *I::TIMES.end()].map(rfc3339);
    // Some times, such as those of unknown zones, have no text.
    let found =
        array_value_to_string(array, row).unwrap_or_else(|_| format!("{micros} microseconds since 1970"));
    exec_datafusion_err!("{function}: expected a time from {first} to {last}, found {found}")
}
