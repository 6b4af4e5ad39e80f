//! The fields of an ID as attributes. Their names and meanings are those of columns and of the functions of SQL.

use crate::id::{PyId, require};
use pyo3::{
    exceptions::PyAttributeError,
    prelude::*,
    types::{PyBytes, PyDict, PyType},
};
use sortid::{__with_type as with_type, Spec};
use sortid_columns::{Column, Read};

/// The value of a field of an ID. `None` if the ID does not have the field.
fn value<I: Column>(py: Python<'_>, id: I, read: Read<I>) -> PyResult<Bound<'_, PyAny>> {
    let id = [id.to_value()];
    let none = || py.None().into_bound(py);
    Ok(match read {
        Read::Integers(kernel) => {
            let mut integer = [0];
            kernel(&id, &mut integer);
            if integer[0] < 0 { none() } else { integer[0].into_pyobject(py)?.into_any() }
        }
        Read::Unsigned(kernel) => {
            let mut integer = [0];
            kernel(&id, &mut integer);
            integer[0].into_pyobject(py)?.into_any()
        }
        Read::Texts(width, kernel) => {
            let mut text = vec![0; width];
            kernel(&id, &mut text);
            let len = text.iter().position(|&byte| byte == 0).unwrap_or(width);
            match str::from_utf8(&text[..len]) {
                Ok(text) if len > 0 => text.into_pyobject(py)?.into_any(),
                _ => none(),
            }
        }
        Read::Bytes(width, kernel) => {
            let mut bytes = vec![0; width];
            kernel(&id, &mut bytes);
            PyBytes::new(py, &bytes).into_any()
        }
    })
}

/// Returns all fields of an ID, in the order of the specification.
pub(crate) fn all<I: Column>(py: Python<'_>, id: I) -> PyResult<Bound<'_, PyDict>> {
    let fields = PyDict::new(py);
    for field in I::READS {
        fields.set_item(field.name, value(py, id, field.read)?)?;
    }
    Ok(fields)
}

// The attribute of a field. A comment for the documentation would hide the getter of `__doc__`.
#[pyclass(frozen, module = "sortid")]
struct Field {
    spec: Spec,
    index: usize,
}

#[pymethods]
impl Field {
    fn __get__<'py>(
        this: &Bound<'py, Self>,
        id: &Bound<'py, PyAny>,
        _class: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (py, field) = (this.py(), this.get());
        if id.is_none() {
            return Ok(this.clone().into_any());
        }
        with_type!(field.spec, Id => value(py, require::<Id>(id)?, Id::READS[field.index].read))
    }

    // With this method, `help()` and the checks of stubs take a field for what it is: a property.
    fn __set__(&self, _id: &Bound<'_, PyAny>, _value: &Bound<'_, PyAny>) -> PyResult<()> {
        let name = with_type!(self.spec, Id => Id::READS[self.index].name);
        Err(PyAttributeError::new_err(format!("{name} is read-only: an ID does not change")))
    }

    #[getter(__doc__)]
    fn doc(&self) -> &'static str {
        with_type!(self.spec, Id => Id::READS[self.index].about)
    }
}

/// Adds the fields to the classes of the specifications.
pub(crate) fn add(py: Python<'_>) -> PyResult<()> {
    fn of<I: Column + PyId>(class: &Bound<'_, PyType>, spec: Spec) -> PyResult<()> {
        for (index, field) in I::READS.iter().enumerate() {
            class.setattr(field.name, Field { spec, index })?;
        }
        Ok(())
    }
    for &spec in Spec::ALL {
        with_type!(spec, Id => of::<Id>(&Id::class(py), spec))?;
    }
    Ok(())
}
