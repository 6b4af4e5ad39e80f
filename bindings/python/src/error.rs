//! The exceptions, and the errors of Rust as exceptions.

use pyo3::{
    create_exception,
    exceptions::{PyRuntimeError, PyTypeError, PyValueError},
    prelude::*,
};
use std::{cell::RefCell, fmt};

create_exception!(
    sortid,
    ParseError,
    PyValueError,
    "A value that is not an ID.\n\n\
     ``kind`` is ``'length'``, ``'character'``, ``'overflow'``, ``'check'``, ``'sign'`` or ``'prefix'``. ``position`` is \
     the index of the wrong character in the text, or ``None``. ``row`` is the row of a column, or ``None``."
);

create_exception!(
    sortid,
    GenerateError,
    PyRuntimeError,
    "A generator cannot generate.\n\n\
     ``kind`` is ``'exhausted'``, ``'clock_rollback'``, ``'clock_out_of_range'``, ``'ahead'``, ``'no_time'``, \
     ``'entropy'``, ``'other_process'``, ``'reservation_late'`` or ``'reservation_ended'``. ``retry_after`` is how many \
     seconds to wait before another call can succeed, or ``None`` if waiting does not help."
);

create_exception!(
    sortid,
    BackfillError,
    PyValueError,
    "A time for which a backfill cannot make an ID.\n\n\
     ``kind`` is ``'full'``, ``'descending'``, ``'out_of_range'``, ``'no_time'`` or ``'entropy'``. ``index`` is the index \
     of the time, or ``None``."
);

create_exception!(
    sortid,
    ConfigError,
    PyValueError,
    "An option whose value is not allowed. ``option`` is its name."
);

thread_local! {
    /// The exception that a clock or a signal raised in this thread. It ends the call of the generator.
    pub(crate) static RAISED: RefCell<Option<PyErr>> = const { RefCell::new(None) };
}

/// Adds the exceptions to the module.
pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    py.get_type::<ParseError>().setattr("row", py.None())?;
    py.get_type::<GenerateError>().setattr("retry_after", py.None())?;
    module.add("ParseError", py.get_type::<ParseError>())?;
    module.add("GenerateError", py.get_type::<GenerateError>())?;
    module.add("BackfillError", py.get_type::<BackfillError>())?;
    module.add("ConfigError", py.get_type::<ConfigError>())
}

/// Returns the exception with an attribute.
pub(crate) fn with<'py, T: IntoPyObject<'py>>(py: Python<'py>, error: PyErr, name: &str, value: T) -> PyErr {
    match error.value(py).setattr(name, value) {
        Ok(()) => error,
        Err(other) => other,
    }
}

/// Returns the name of a variant as Python writes it: `clock_rollback` for `ClockRollback { … }`.
pub(crate) fn kind_name(kind: &impl fmt::Debug) -> String {
    let variant = format!("{kind:?}");
    let variant = variant.split(|letter: char| !letter.is_alphanumeric()).next().unwrap_or_default();
    let mut name = String::new();
    for letter in variant.chars() {
        if letter.is_uppercase() && !name.is_empty() {
            name.push('_');
        }
        name.push(letter.to_ascii_lowercase());
    }
    name
}

/// Returns the exception of a value that is not an ID.
pub(crate) fn not_an_id(
    py: Python<'_>,
    kind: &'static str,
    position: Option<usize>,
    message: String,
) -> PyErr {
    let error = PyErr::new::<ParseError, _>(message);
    with(py, with(py, error, "kind", kind), "position", position)
}

#[cold]
pub(crate) fn parse(py: Python<'_>, error: &sortid::ParseError) -> PyErr {
    not_an_id(py, error.kind().name(), error.position(), error.to_string())
}

/// Returns the exception of a call of a generator: the one that its clock or a signal raised, or that of the error.
#[cold]
pub(crate) fn generate(py: Python<'_>, error: &sortid::GenerateError) -> PyErr {
    RAISED.take().unwrap_or_else(|| {
        let exception = PyErr::new::<GenerateError, _>(error.to_string());
        let exception = with(py, exception, "kind", kind_name(&error.kind()));
        with(py, exception, "retry_after", error.retry_after().map(|wait| wait.as_secs_f64()))
    })
}

#[cold]
pub(crate) fn backfill(py: Python<'_>, error: &sortid::BackfillError) -> PyErr {
    backfill_at(py, error, error.index(), error.to_string())
}

/// The exception of a time with this index.
pub(crate) fn backfill_at(
    py: Python<'_>,
    error: &sortid::BackfillError,
    index: Option<usize>,
    message: String,
) -> PyErr {
    let kind = kind_name(error.obstacle());
    let exception = PyErr::new::<BackfillError, _>(message);
    with(py, with(py, exception, "kind", kind), "index", index)
}

#[cold]
pub(crate) fn option(py: Python<'_>, name: &str, message: String) -> PyErr {
    with(py, PyErr::new::<ConfigError, _>(message), "option", name)
}

/// Returns the exception of a value of the wrong type.
#[cold]
pub(crate) fn wrong_type(expected: &str, found: &Bound<'_, PyAny>) -> PyErr {
    let name = found.get_type().fully_qualified_name();
    let name = name.as_ref().map_or_else(|_| "?".into(), |name| name.to_string_lossy());
    PyTypeError::new_err(format!("expected {expected}, found {name}"))
}
