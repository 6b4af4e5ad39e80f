//! Arrays out of Python objects.

use super::{Column, exception, list};
use crate::{
    error::wrong_type,
    id::{IdClass, PyId},
};
use arrow_array::{Array, ArrayRef, cast::AsArray};
use arrow_schema::{DataType, Field, FieldRef};
use pyo3::{
    exceptions::{PyRuntimeError, PyTypeError},
    intern,
    prelude::*,
    types::{PyByteArray, PyBytes, PyMapping, PyString},
};
use pyo3_arrow::{PyArray, PyArrayReader, ffi::ArrayReader};
use sortid_columns::arrow;
use std::{iter, sync::Arc};

/// The most rows that are computed at once: texts of so many IDs have the offsets of an array.
const MOST_ROWS: usize = i32::MAX as usize / 32;

/// With fewer rows, a call is done before another thread could take the interpreter.
const MANY_ROWS: usize = 4096;

/// The arrays of a column.
pub(crate) struct Input {
    field: FieldRef,
    source: Source,
    /// Whether each array is a structure of one column.
    is_table: bool,
}

enum Source {
    Arrays(std::vec::IntoIter<ArrayRef>),
    /// The next array may be computed when it is asked for.
    Stream(Box<dyn ArrayReader + Send>),
}

impl Input {
    /// Reads a column of IDs or texts.
    pub(super) fn ids<I: PyId>(column: &Bound<'_, PyAny>, class: &IdClass) -> PyResult<Self> {
        Self::arrow(column).unwrap_or_else(|| Self::list(column, |list| list::ids::<I>(list, class)))
    }

    /// Reads a column of times.
    pub(crate) fn times(column: &Bound<'_, PyAny>) -> PyResult<Self> {
        Self::arrow(column).unwrap_or_else(|| Self::list(column, list::times))
    }

    /// Reads what has the Arrow PyCapsule interface.
    fn arrow(column: &Bound<'_, PyAny>) -> Option<PyResult<Self>> {
        let py = column.py();
        if let Ok(column) = column.cast::<Column>() {
            return Some(Self::new(column.get().field().clone(), Source::Arrays(column.get().arrays())));
        }
        let has = |name| column.hasattr(name).unwrap_or(false);
        if has(intern!(py, "__arrow_c_array__")) {
            return Some(column.extract::<PyArray>().and_then(|array| {
                let (array, field) = array.into_inner();
                Self::new(field, Source::Arrays(vec![array].into_iter()))
            }));
        }
        has(intern!(py, "__arrow_c_stream__")).then(|| {
            let reader = column.extract::<PyArrayReader>()?.into_reader()?;
            Self::new(reader.field(), Source::Stream(reader))
        })
    }

    fn list(
        column: &Bound<'_, PyAny>,
        read: impl FnOnce(&Bound<'_, PyAny>) -> PyResult<ArrayRef>,
    ) -> PyResult<Self> {
        let is_scalar = column.is_instance_of::<PyString>()
            || column.is_instance_of::<PyBytes>()
            || column.is_instance_of::<PyByteArray>()
            || column.cast::<PyMapping>().is_ok();
        if is_scalar || !column.hasattr(intern!(column.py(), "__iter__"))? {
            return Err(wrong_type(
                "a column (an Arrow array or stream, a Series, a NumPy array or a list)",
                column,
            ));
        }
        let array = read(column)?;
        let field = Arc::new(Field::new("", array.data_type().clone(), true));
        Self::new(field, Source::Arrays(vec![array].into_iter()))
    }

    fn new(field: FieldRef, source: Source) -> PyResult<Self> {
        let DataType::Struct(columns) = field.data_type() else {
            return Ok(Self { field, source, is_table: false });
        };
        let [column] = &columns[..] else {
            let names: Vec<_> = columns.iter().map(|column| column.name().as_str()).collect();
            return Err(PyTypeError::new_err(format!(
                "expected one column, found {} ({}): select one of them",
                names.len(),
                names.join(", ")
            )));
        };
        Ok(Self { field: column.clone(), source, is_table: true })
    }

    pub(crate) fn data_type(&self) -> &DataType {
        self.field.data_type()
    }

    /// Whether the values have the extension type of UUIDs.
    pub(super) fn is_uuid(&self) -> bool {
        self.field.extension_type_name() == Some(super::column::UUID)
    }

    /// Computes each array. The row of an error is that of the column.
    pub(crate) fn map(
        mut self,
        py: Python<'_>,
        mut compute: impl FnMut(&ArrayRef) -> arrow::Result<ArrayRef> + Send,
    ) -> PyResult<Vec<ArrayRef>> {
        let mut results = Vec::new();
        let mut before = 0;
        while let Some(array) = self.next(py)? {
            for array in pieces(&array) {
                let compute = &mut compute;
                let result =
                    if array.len() < MANY_ROWS { compute(&array) } else { py.detach(|| compute(&array)) };
                results.push(result.map_err(|error| exception(py, error.map_row(|row| before + row)))?);
                before += array.len();
                py.check_signals()?;
            }
        }
        Ok(results)
    }

    fn next(&mut self, py: Python<'_>) -> PyResult<Option<ArrayRef>> {
        let next = match &mut self.source {
            Source::Arrays(arrays) => arrays.next(),
            // A stream may call Python in another thread, as the queries of DuckDB do.
            Source::Stream(reader) => py.detach(|| reader.next()).transpose().map_err(|error| {
                PyRuntimeError::new_err(format!("the stream of the column failed: {error}"))
            })?,
        };
        if !self.is_table {
            return Ok(next);
        }
        let column = |table: ArrayRef| {
            let column = table.as_struct().column(0);
            match table.nulls() {
                None => Ok(column.clone()),
                Some(nulls) => arrow::mask(column, nulls),
            }
        };
        next.map(column).transpose().map_err(|error| PyRuntimeError::new_err(error.to_string()))
    }
}

/// Splits an array of too many rows.
fn pieces(array: &ArrayRef) -> impl Iterator<Item = ArrayRef> {
    let mut rest = Some(array.clone());
    iter::from_fn(move || {
        let array = rest.take()?;
        if array.len() <= MOST_ROWS {
            return Some(array);
        }
        rest = Some(array.slice(MOST_ROWS, array.len() - MOST_ROWS));
        Some(array.slice(0, MOST_ROWS))
    })
}
