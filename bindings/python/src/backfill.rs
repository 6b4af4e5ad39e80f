//! Backfills: IDs for given times.

use crate::{
    clock::AnyEntropy,
    columns::{Column, Input},
    error,
    id::PyId,
    specs, time,
};
use arrow_array::ArrayRef;
use arrow_schema::ArrowError;
use pyo3::{
    exceptions::PyRuntimeError,
    prelude::*,
    types::{PyList, PyType},
};
use sortid_columns::arrow;
use sortid_core::{Backfill as Core, BackfillRules};
use std::{
    sync::{Mutex, MutexGuard},
    time::Duration,
};

/// A backfill with random bytes of Python.
type Made<R> = Core<R, AnyEntropy>;

/// A backfill of any specification.
pub(crate) trait Engine: Send {
    fn generate<'py>(&mut self, py: Python<'py>, time: time::Micros) -> PyResult<Bound<'py, PyAny>>;
    fn generate_all<'py>(
        &mut self,
        py: Python<'py>,
        times: Vec<time::Micros>,
    ) -> PyResult<Bound<'py, PyList>>;
    /// Makes an ID for each time of an array.
    fn generate_array(&mut self, times: &ArrayRef) -> arrow::Result<ArrayRef>;
    fn resume_after(&mut self, id: &Bound<'_, PyAny>) -> PyResult<()>;
    /// The class of the IDs.
    fn class<'py>(&self, py: Python<'py>) -> Bound<'py, PyType>;
}

impl<R: BackfillRules<Id: PyId> + Send> Engine for Made<R> {
    fn generate<'py>(&mut self, py: Python<'py>, time: time::Micros) -> PyResult<Bound<'py, PyAny>> {
        self.generate(time).map_err(|error| error::backfill(py, &error))?.wrap(py)
    }

    fn generate_all<'py>(
        &mut self,
        py: Python<'py>,
        times: Vec<time::Micros>,
    ) -> PyResult<Bound<'py, PyList>> {
        let ids = self.generate_all(times).map_err(|error| error::backfill(py, &error))?;
        let list = PyList::empty(py);
        for id in ids {
            list.append(id.wrap(py)?)?;
        }
        Ok(list)
    }

    fn generate_array(&mut self, times: &ArrayRef) -> arrow::Result<ArrayRef> {
        arrow::backfill::<R::Id>(times, |time| self.generate(time))
    }

    fn class<'py>(&self, py: Python<'py>) -> Bound<'py, PyType> {
        R::Id::class(py)
    }

    fn resume_after(&mut self, id: &Bound<'_, PyAny>) -> PyResult<()> {
        self.resume_after(specs::require(id)?).map_err(|error| error::backfill(id.py(), &error))
    }
}

/// Makes IDs for given times, such as those of existing rows. Each ID has the tick of its time. IDs of equal times are
/// in the order in which they were made.
///
/// ``Euid.backfill()`` and the like create it. All IDs of a backfill are distinct.
#[pyclass(frozen, generic, module = "sortid")]
pub(crate) struct Backfill(Mutex<Box<dyn Engine>>);

impl Backfill {
    pub(crate) fn new<R>(options: R, ascending: bool, borrow: Option<Duration>, seed: Option<u64>) -> Self
    where
        R: BackfillRules<Id: PyId> + Send + 'static,
    {
        let mut ids = Made::from_parts(options, AnyEntropy::new(seed));
        if ascending {
            ids = ids.ascending();
        }
        if let Some(at_most) = borrow {
            ids = ids.borrow(at_most);
        }
        Self(Mutex::new(Box::new(ids)))
    }

    /// Makes an ID for each time of a column.
    pub(crate) fn column(&self, py: Python<'_>, times: Input, is_uuid: bool) -> PyResult<Column> {
        let spec = specs::of_class(&self.lock()?.class(py))?;
        // The lock is released before the call waits for the interpreter, so no other call can wait for both.
        let chunks = times.map(py, |times| match self.0.lock() {
            Ok(mut ids) => ids.generate_array(times),
            Err(_) => Err(ArrowError::ComputeError("an earlier call panicked".into()).into()),
        })?;
        Column::of_ids(spec, is_uuid, chunks)
    }

    fn lock(&self) -> PyResult<MutexGuard<'_, Box<dyn Engine>>> {
        self.0.lock().map_err(|_| PyRuntimeError::new_err("an earlier call panicked"))
    }
}

#[pymethods]
impl Backfill {
    /// Makes an ID for this time.
    #[pyo3(signature = (time, /))]
    fn generate<'py>(&self, time: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let micros = time::micros(time)?;
        self.lock()?.generate(time.py(), micros)
    }

    /// Makes an ID for each time. The error of a time has its ``index``.
    #[pyo3(signature = (times, /))]
    fn generate_all<'py>(&self, times: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyList>> {
        let micros = times.try_iter()?.map(|time| time::micros(&time?)).collect::<PyResult<Vec<_>>>()?;
        self.lock()?.generate_all(times.py(), micros)
    }

    /// Continues after an ID of an earlier backfill: all later IDs of its tick are greater.
    #[pyo3(signature = (id, /))]
    fn resume_after(&self, id: &Bound<'_, PyAny>) -> PyResult<()> {
        self.lock()?.resume_after(id)
    }
}
