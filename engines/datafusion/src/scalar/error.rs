//! Messages. Each names the function, what it expected, and what it found.

use datafusion::{
    arrow::{array::Array, util::display::array_value_to_string},
    common::{DataFusionError, exec_datafusion_err},
};
use sortid::__private::civil::rfc3339;
use sortid_columns::arrow::{ArrowId, Error, ErrorKind, Found};

/// The error of an array.
pub(super) fn of<I: ArrowId>(function: &str, array: &dyn Array, error: Error) -> DataFusionError {
    let row = error.row();
    match (error.into_kind(), row) {
        (ErrorKind::Arrow(error), _) => error.into(),
        (kind @ ErrorKind::Text { .. }, _) => {
            exec_datafusion_err!("{function}: {kind}. {}_try_parse gives NULL instead", I::PREFIX)
        }
        (kind @ ErrorKind::TypedText { .. }, _) => {
            exec_datafusion_err!("{function}: {kind}. {}_typed_try_parse gives NULL instead", I::PREFIX)
        }
        (ErrorKind::Time { unix_micros, first, last }, Some(row)) => {
            let [first, last] = [first, last].map(rfc3339);
            // Some times, such as those of unknown zones, have no text.
            let found = array_value_to_string(array, row)
                .unwrap_or_else(|_| format!("{unix_micros} microseconds since 1970"));
            exec_datafusion_err!("{function}: expected a time from {first} to {last}, found {found}")
        }
        // The alternate form has literals of SQL.
        (kind, _) => exec_datafusion_err!("{function}: {kind:#}"),
    }
}

/// The text is not a time.
pub(super) fn bad_time(function: &str, text: &str) -> DataFusionError {
    exec_datafusion_err!(
        "{function}: expected a time such as '2024-06-06', '2024-06-06 06:06:06.666' or '2024-06-06T06:06:06Z', found {}",
        Found::text(text)
    )
}
