//! The results of functions for columns.

use crate::{
    error,
    id::{IdClass, PyId},
    time,
};
use arrow_array::{
    Array, ArrayRef,
    cast::AsArray,
    make_array, new_empty_array,
    types::{ArrowPrimitiveType, Int64Type, TimestampMicrosecondType, TimestampMillisecondType, UInt64Type},
};
use arrow_data::transform::MutableArrayData;
use arrow_schema::{
    DataType, Field, FieldRef, TimeUnit,
    extension::{EXTENSION_TYPE_METADATA_KEY, EXTENSION_TYPE_NAME_KEY},
};
use pyo3::{
    exceptions::{PyIndexError, PyRuntimeError, PyTypeError, PyValueError},
    prelude::*,
    types::{PyBytes, PyCapsule, PyDict, PyList, PySlice, PyTuple},
};
use pyo3_arrow::ffi::{ArrayIterator, to_array_pycapsules, to_schema_pycapsule, to_stream_pycapsule};
use sortid::{__with_type as with_type, Generate};
use sortid_columns::arrow::{self, ArrowId, Native};
use std::{
    fmt::Write,
    sync::atomic::{AtomicUsize, Ordering::Relaxed},
};

/// The name of the extension type of UUIDs.
pub(super) const UUID: &str = "arrow.uuid";

/// How many values `repr` shows.
const SHOWN: usize = 10;

/// A column: the result of a function of ``sortid.columns`` whose argument was not of a library that has a type of its
/// own for columns.
///
/// A column is a sequence of IDs, ``datetime``, ``int``, ``str``, ``bytes``, ``bool`` or ``dict``, and ``None``. Libraries
/// read it through the Arrow PyCapsule interface, without a copy: ``pyarrow.array(column)``, ``polars.Series(column)``.
#[pyclass(frozen, sequence, module = "sortid")]
pub(crate) struct Column {
    field: FieldRef,
    chunks: Vec<ArrayRef>,
    rows: usize,
    /// The class of the values, if they are IDs.
    class: Option<IdClass>,
}

impl Column {
    /// Returns a column of values that are not IDs.
    pub(super) fn new(data_type: DataType, chunks: Vec<ArrayRef>) -> PyResult<Self> {
        Self::of(Field::new("", data_type, true), chunks, None)
    }

    /// Returns a column of IDs. With `is_uuid`, they have the extension type of UUIDs.
    pub(crate) fn of_ids(class: IdClass, is_uuid: bool, chunks: Vec<ArrayRef>) -> PyResult<Self> {
        fn value_type<I: ArrowId>() -> (DataType, &'static str) {
            (I::Value::TYPE, I::TITLE)
        }
        let (data_type, title) = with_type!(class.spec, Id => value_type::<Id>());
        let mut field = Field::new("", data_type, true);
        if is_uuid {
            if *field.data_type() != DataType::FixedSizeBinary(16) {
                return Err(PyTypeError::new_err(format!(
                    "expected IDs of 16 bytes, which the type of UUIDs has, found {title}"
                )));
            }
            let metadata = [(EXTENSION_TYPE_NAME_KEY, UUID), (EXTENSION_TYPE_METADATA_KEY, "")];
            field = field.with_metadata(metadata.map(|(key, value)| (key.into(), value.into())).into());
        }
        Self::of(field, chunks, Some(class))
    }

    /// Generates a column. Other threads of Python run meanwhile.
    pub(crate) fn generate<I: PyId>(
        py: Python<'_>,
        class: IdClass,
        count: usize,
        is_uuid: bool,
        ids: &(impl Generate<Id = I> + Sync),
    ) -> PyResult<Self> {
        let array = arrow::generate(count, |run: &mut [I]| {
            py.detach(|| ids.fill(run)).map_err(|error| error::generate(py, &error))?;
            py.check_signals()
        })?;
        Self::of_ids(class, is_uuid, vec![array])
    }

    fn of(field: Field, chunks: Vec<ArrayRef>, class: Option<IdClass>) -> PyResult<Self> {
        let rows = chunks.iter().map(|chunk| chunk.len()).sum();
        Ok(Self { field: field.into(), chunks, rows, class })
    }

    pub(super) fn field(&self) -> &FieldRef {
        &self.field
    }

    pub(super) fn chunks(&self) -> &[ArrayRef] {
        &self.chunks
    }

    pub(super) fn arrays(&self) -> std::vec::IntoIter<ArrayRef> {
        self.chunks.clone().into_iter()
    }

    pub(super) fn rows(&self) -> usize {
        self.rows
    }

    /// Returns all chunks as one array.
    fn array(&self) -> PyResult<ArrayRef> {
        match &self.chunks[..] {
            [] => Ok(new_empty_array(self.field.data_type())),
            [chunk] => Ok(chunk.clone()),
            chunks => {
                let chunks: Vec<_> = chunks.iter().map(|chunk| chunk.to_data()).collect();
                let mut array = MutableArrayData::new(chunks.iter().collect(), false, self.rows);
                for (index, chunk) in chunks.iter().enumerate() {
                    let extended = array.try_extend(index, 0, chunk.len());
                    extended.map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
                }
                Ok(make_array(array.freeze()))
            }
        }
    }

    /// Returns the value of a row, which is less than the number of rows.
    fn value<'py>(&self, py: Python<'py>, mut row: usize) -> PyResult<Bound<'py, PyAny>> {
        for chunk in &self.chunks {
            if row < chunk.len() {
                return value(py, chunk, row, self.class.as_ref());
            }
            row -= chunk.len();
        }
        Err(PyIndexError::new_err("column index out of range"))
    }

    fn slice(&self, start: usize, len: usize) -> PyResult<Self> {
        let (mut skip, mut left) = (start, len);
        let mut chunks = Vec::new();
        for chunk in &self.chunks {
            let take = chunk.len().saturating_sub(skip).min(left);
            if take > 0 {
                chunks.push(chunk.slice(skip, take));
            }
            skip = skip.saturating_sub(chunk.len());
            left -= take;
        }
        Self::of(self.field.as_ref().clone(), chunks, self.class.clone())
    }
}

/// Returns the value of a row of an array as an object.
fn value<'py>(
    py: Python<'py>,
    array: &ArrayRef,
    row: usize,
    class: Option<&IdClass>,
) -> PyResult<Bound<'py, PyAny>> {
    fn id<'py, I: PyId>(
        py: Python<'py>,
        array: &dyn Array,
        row: usize,
        class: &IdClass,
    ) -> PyResult<Bound<'py, PyAny>> {
        let id = I::from_value(&I::Value::slice(array)[row]);
        class.wrap(py, id.map_err(|error| crate::error::parse(py, &error))?)
    }
    fn native<T: ArrowPrimitiveType>(array: &dyn Array, row: usize) -> T::Native {
        array.as_primitive::<T>().value(row)
    }
    if array.is_null(row) {
        return Ok(py.None().into_bound(py));
    }
    if let Some(class) = class {
        return with_type!(class.spec, Id => id::<Id>(py, array, row, class));
    }
    // The kernels write no times before 1970.
    let datetime = |micros: i64| time::datetime(py, micros.max(0) as u64);
    Ok(match array.data_type() {
        DataType::Timestamp(TimeUnit::Millisecond, _) => {
            datetime(native::<TimestampMillisecondType>(array, row).saturating_mul(1000))?
        }
        DataType::Timestamp(TimeUnit::Microsecond, _) => {
            datetime(native::<TimestampMicrosecondType>(array, row))?
        }
        DataType::Int64 => native::<Int64Type>(array, row).into_pyobject(py)?.into_any(),
        DataType::UInt64 => native::<UInt64Type>(array, row).into_pyobject(py)?.into_any(),
        DataType::Utf8 => array.as_string::<i32>().value(row).into_pyobject(py)?.into_any(),
        DataType::FixedSizeBinary(_) => PyBytes::new(py, array.as_fixed_size_binary().value(row)).into_any(),
        DataType::Boolean => array.as_boolean().value(row).into_pyobject(py)?.to_owned().into_any(),
        DataType::Struct(fields) => {
            let values = PyDict::new(py);
            for (field, column) in fields.iter().zip(array.as_struct().columns()) {
                values.set_item(field.name(), value(py, column, row, None)?)?;
            }
            values.into_any()
        }
        other => return Err(PyTypeError::new_err(format!("no object has the type {other}"))),
    })
}

#[pymethods]
impl Column {
    fn __len__(&self) -> usize {
        self.rows
    }

    fn __getitem__<'py>(this: &Bound<'py, Self>, index: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let (py, column) = (this.py(), this.get());
        if let Ok(slice) = index.cast::<PySlice>() {
            let indices = slice.indices(column.rows as isize)?;
            if indices.step != 1 {
                return Err(PyValueError::new_err(format!(
                    "expected a slice with the step 1, found {}",
                    indices.step
                )));
            }
            let slice = column.slice(indices.start as usize, indices.slicelength)?;
            return Ok(Bound::new(py, slice)?.into_any());
        }
        let index = index.extract::<isize>()?;
        let row = if index < 0 { index + column.rows as isize } else { index };
        match usize::try_from(row) {
            Ok(row) if row < column.rows => column.value(py, row),
            _ => Err(PyIndexError::new_err("column index out of range")),
        }
    }

    fn __iter__(this: Bound<'_, Self>) -> Rows {
        Rows { column: this.unbind(), row: AtomicUsize::new(0) }
    }

    fn __repr__(this: &Bound<'_, Self>) -> PyResult<String> {
        let (py, column) = (this.py(), this.get());
        let of = match &column.class {
            Some(class) => with_type!(class.spec, Id => class.name::<Id>(py)?),
            None => column.field.data_type().to_string(),
        };
        let mut text = format!("<sortid.Column of {} {of}", column.rows);
        for row in 0..column.rows.min(SHOWN) {
            // Writing to a string has no errors.
            let _ = write!(text, "{}{}", if row == 0 { ": " } else { ", " }, column.value(py, row)?.repr()?);
        }
        text.push_str(if column.rows > SHOWN { ", …>" } else { ">" });
        Ok(text)
    }

    /// Returns the values as a list.
    fn to_pylist<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let list = PyList::empty(py);
        for chunk in &self.chunks {
            for row in 0..chunk.len() {
                list.append(value(py, chunk, row, self.class.as_ref())?)?;
            }
        }
        Ok(list)
    }

    /// Returns the values as a NumPy array. Missing times are ``NaT``. If other values are missing, the array is masked.
    fn to_numpy<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        this.py().import("sortid.columns")?.call_method1("_to_numpy", (this,))
    }

    /// How many values are missing.
    #[getter]
    fn null_count(&self) -> usize {
        self.chunks.iter().map(|chunk| chunk.null_count()).sum()
    }

    /// The columns of a structure, and their names.
    #[getter]
    fn _columns(&self) -> PyResult<Vec<(String, Self)>> {
        let DataType::Struct(fields) = self.field.data_type() else { return Ok(Vec::new()) };
        let column = |(index, field): (usize, &FieldRef)| {
            let chunks = self.chunks.iter().map(|chunk| chunk.as_struct().column(index).clone()).collect();
            Ok((field.name().clone(), Self::of(field.as_ref().clone(), chunks, None)?))
        };
        fields.iter().enumerate().map(column).collect()
    }

    /// How many arrays a stream of the column has.
    #[getter]
    fn _num_chunks(&self) -> usize {
        self.chunks.len()
    }

    #[pyo3(signature = (dtype=None, copy=None))]
    fn __array__<'py>(
        this: &Bound<'py, Self>,
        dtype: Option<&Bound<'py, PyAny>>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if copy == Some(false) {
            return Err(PyValueError::new_err("a NumPy array of a column is a copy"));
        }
        let array = Self::to_numpy(this)?;
        match dtype {
            None => Ok(array),
            Some(dtype) => array.call_method1("astype", (dtype,)),
        }
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        Ok(to_schema_pycapsule(py, self.field.as_ref())?)
    }

    /// The column as one array. It has its own type, whatever the consumer asks for.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let _ = requested_schema;
        Ok(to_array_pycapsules(py, self.field.clone(), &self.array()?, None)?)
    }

    /// The column as a stream of arrays. They have their own type, whatever the consumer asks for.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema;
        let chunks = ArrayIterator::new(self.chunks.clone().into_iter().map(Ok), self.field.clone());
        Ok(to_stream_pycapsule(py, Box::new(chunks), None)?)
    }
}

/// The iterator of a column.
#[pyclass(frozen, module = "sortid._sortid")]
struct Rows {
    column: Py<Column>,
    row: AtomicUsize,
}

#[pymethods]
impl Rows {
    fn __iter__(this: Py<Self>) -> Py<Self> {
        this
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let (column, row) = (self.column.get(), self.row.fetch_add(1, Relaxed));
        if row < column.rows { column.value(py, row).map(Some) } else { Ok(None) }
    }
}
