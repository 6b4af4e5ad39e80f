//! Arguments with names, of a function whose arguments depend on a class.

use pyo3::{exceptions::PyTypeError, prelude::*, types::PyDict};

/// Arguments with names.
pub(crate) struct Keywords<'py>(Bound<'py, PyDict>);

impl<'py> Keywords<'py> {
    pub(crate) fn new(py: Python<'py>, given: Option<&Bound<'py, PyDict>>) -> PyResult<Self> {
        given.map_or_else(|| Ok(PyDict::new(py)), |given| given.copy()).map(Self)
    }

    /// Takes an argument. `None` if it is not given, or is `None`.
    pub(crate) fn take<T>(&self, name: &str) -> PyResult<Option<T>>
    where
        T: for<'a> FromPyObject<'a, 'py, Error: Into<PyErr>>,
    {
        let Some(value) = self.0.get_item(name)? else { return Ok(None) };
        self.0.del_item(name)?;
        if value.is_none() { Ok(None) } else { value.extract().map(Some).map_err(Into::into) }
    }

    /// Fails if an argument is left.
    pub(crate) fn end(&self) -> PyResult<()> {
        match self.0.keys().get_item(0) {
            Ok(name) => Err(PyTypeError::new_err(format!(
                "generator() got an unexpected keyword argument {}",
                name.repr()?
            ))),
            Err(_) => Ok(()),
        }
    }
}
