//! Times as `datetime.datetime`, and durations as `datetime.timedelta`.

use crate::error::wrong_type;
use pyo3::{
    exceptions::PyValueError,
    prelude::*,
    sync::PyOnceLock,
    types::{PyDateTime, PyDelta, PyDeltaAccess, PyDict, PyTzInfo, PyTzInfoAccess},
};
use sortid::{UnixMicros, UnixTime};
use std::time::Duration;

const SECONDS_OF_DAY: i128 = 86_400;

/// 1970 in UTC.
fn epoch(py: Python<'_>) -> PyResult<&Bound<'_, PyDateTime>> {
    static EPOCH: PyOnceLock<Py<PyDateTime>> = PyOnceLock::new();
    let epoch = EPOCH.get_or_try_init(py, || {
        let utc = PyTzInfo::utc(py)?;
        Ok::<_, PyErr>(PyDateTime::new(py, 1970, 1, 1, 0, 0, 0, 0, Some(&utc))?.unbind())
    })?;
    Ok(epoch.bind(py))
}

/// Returns the `datetime` in UTC of these microseconds since 1970.
pub(crate) fn datetime(py: Python<'_>, micros: u64) -> PyResult<Bound<'_, PyAny>> {
    // After the year 9999 a `timedelta` still has the days, and the addition fails.
    let (seconds, rest) = (i128::from(micros / 1_000_000), (micros % 1_000_000) as i32);
    let (days, seconds) = ((seconds / SECONDS_OF_DAY) as i32, (seconds % SECONDS_OF_DAY) as i32);
    let since = PyDelta::new(py, days, seconds, rest, false)?;
    epoch(py)?.add(since).map_err(|_| {
        PyValueError::new_err(format!(
            "expected a time before the year 10000, which `datetime` can hold, found {micros} microseconds since 1970: \
             use `unix_micros`"
        ))
    })
}

/// Returns the `datetime` in UTC of a time of the system.
pub(crate) fn datetime_of(py: Python<'_>, time: std::time::SystemTime) -> PyResult<Bound<'_, PyAny>> {
    datetime(py, u64::try_from(time.unix_micros()).unwrap_or(0))
}

/// Reads a `datetime`. Without a time zone, it is in UTC, as in a column.
pub(crate) fn micros(value: &Bound<'_, PyAny>) -> PyResult<UnixMicros> {
    let py = value.py();
    let Ok(time) = value.cast::<PyDateTime>() else {
        return Err(wrong_type("a datetime", value));
    };
    let since = if time.get_tzinfo().is_none() || time.call_method0("utcoffset")?.is_none() {
        let utc = PyDict::new(py);
        utc.set_item("tzinfo", PyTzInfo::utc(py)?)?;
        time.call_method("replace", (), Some(&utc))?.sub(epoch(py)?)?
    } else {
        time.sub(epoch(py)?)?
    };
    Ok(UnixMicros(delta_micros(since.cast::<PyDelta>()?)))
}

fn delta_micros(delta: &Bound<'_, PyDelta>) -> i128 {
    let seconds = i128::from(delta.get_days()) * SECONDS_OF_DAY + i128::from(delta.get_seconds());
    seconds * 1_000_000 + i128::from(delta.get_microseconds())
}

/// Reads a `timedelta` that is not negative.
pub(crate) fn duration(value: &Bound<'_, PyAny>) -> PyResult<Duration> {
    let Ok(delta) = value.cast::<PyDelta>() else {
        return Err(wrong_type("a timedelta", value));
    };
    match u64::try_from(delta_micros(delta)) {
        Ok(micros) => Ok(Duration::from_micros(micros)),
        Err(_) => Err(PyValueError::new_err(format!(
            "expected a timedelta that is not negative, found {}",
            delta.str()?
        ))),
    }
}
