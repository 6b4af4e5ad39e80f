//! Backfills: IDs for given times.

use crate::{
    clock::AnyEntropy,
    columns::{Column, Input, exception},
    error,
    id::{self, IdClass, PyId},
    time,
};
use arrow_array::ArrayRef;
use arrow_schema::ArrowError;
use pyo3::{exceptions::PyRuntimeError, prelude::*, types::PyList};
use sortid::{__with_options as with_options, AnyId, AnyOptions, BackfillError, Spec, UnixMicros};
use sortid_columns::arrow;
use sortid_core::{Backfill as Core, BackfillRules};
use std::sync::Mutex;

/// A backfill with random bytes of Python.
type Made<R> = Core<R, AnyEntropy>;

/// A backfill of any specification. Its methods run with a lock, and create no objects of Python: the finalizer of one that
/// is collected meanwhile may call the same backfill.
trait Engine: Send {
    fn generate(&mut self, time: UnixMicros) -> Result<AnyId, BackfillError>;
    fn generate_all(&mut self, times: Vec<UnixMicros>) -> Result<Vec<AnyId>, BackfillError>;
    /// Makes an ID for each time of an array.
    fn generate_array(&mut self, times: &ArrayRef) -> arrow::Result<ArrayRef>;
    fn resume_after(&mut self, id: AnyId) -> Result<(), BackfillError>;
}

impl<R> Engine for Made<R>
where
    R: BackfillRules<Id: PyId + Into<AnyId> + TryFrom<AnyId>> + Send,
{
    fn generate(&mut self, time: UnixMicros) -> Result<AnyId, BackfillError> {
        self.generate(time).map(Into::into)
    }

    fn generate_all(&mut self, times: Vec<UnixMicros>) -> Result<Vec<AnyId>, BackfillError> {
        Ok(self.generate_all(times)?.into_iter().map(Into::into).collect())
    }

    fn generate_array(&mut self, times: &ArrayRef) -> arrow::Result<ArrayRef> {
        arrow::backfill::<R::Id>(times, |time| self.generate(time))
    }

    fn resume_after(&mut self, id: AnyId) -> Result<(), BackfillError> {
        // The caller passes IDs of this specification only.
        id.try_into().map_or(Ok(()), |id| self.resume_after(id))
    }
}

/// Makes IDs for given times, such as those of existing rows. Each ID has the tick of its time. IDs of equal times are
/// in the order in which they were made.
///
/// ``Euid.backfill()`` and the like create it. All IDs of a backfill are distinct.
#[pyclass(frozen, generic, module = "sortid")]
pub(crate) struct Backfill {
    spec: Spec,
    ids: Mutex<Box<dyn Engine>>,
}

impl Backfill {
    pub(crate) fn new(
        options: AnyOptions,
        ascending: bool,
        spill: Option<&Bound<'_, PyAny>>,
        seed: Option<u64>,
    ) -> PyResult<Self> {
        let spill = spill.map(time::duration).transpose()?;
        let ids = with_options!(options, options => {
            let mut ids = Made::from_parts(options, AnyEntropy::new(seed));
            if ascending {
                ids = ids.ascending();
            }
            if let Some(at_most) = spill {
                ids = ids.spill(at_most);
            }
            Box::new(ids) as Box<dyn Engine>
        });
        Ok(Self { spec: options.spec(), ids: Mutex::new(ids) })
    }

    /// Calls the backfill. Objects of Python are made afterwards, without its lock.
    fn call<T>(
        &self,
        py: Python<'_>,
        call: impl FnOnce(&mut dyn Engine) -> Result<T, BackfillError>,
    ) -> PyResult<T> {
        let result = self.ids.lock().map(|mut ids| call(&mut **ids));
        let result = result.map_err(|_| PyRuntimeError::new_err("an earlier call panicked"))?;
        result.map_err(|error| error::backfill(py, &error))
    }
}

/// Makes an ID for each time of a column. `id_type` is the class of its IDs, if it is not that of the backfill.
#[pyfunction]
#[pyo3(signature = (ids, times, *, uuid=false, id_type=None))]
pub(crate) fn backfill_column(
    ids: &Bound<'_, Backfill>,
    times: &Bound<'_, PyAny>,
    uuid: bool,
    id_type: Option<&Bound<'_, PyAny>>,
) -> PyResult<Column> {
    let (py, times, backfill) = (ids.py(), Input::times(times)?, ids.get());
    arrow::check_moment(times.data_type()).map_err(|error| exception(py, error))?;
    // The lock is released before the call waits for the interpreter, so no other call can wait for both.
    let chunks = times.map(py, |times| match backfill.ids.lock() {
        Ok(mut ids) => ids.generate_array(times),
        Err(_) => Err(ArrowError::ComputeError("an earlier call panicked".into()).into()),
    })?;
    let class = id_type.map_or(Ok(IdClass::plain(backfill.spec)), IdClass::of)?;
    Column::of_ids(class, uuid, chunks)
}

#[pymethods]
impl Backfill {
    /// Makes an ID for this time.
    #[pyo3(signature = (time, /))]
    fn generate<'py>(&self, time: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let micros = time::micros(time)?;
        let id = self.call(time.py(), |ids| ids.generate(micros))?;
        id::wrap(time.py(), id)
    }

    /// Makes an ID for each time. The error of a time has its ``index``.
    #[pyo3(signature = (times, /))]
    fn generate_all<'py>(&self, times: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyList>> {
        let micros = times.try_iter()?.map(|time| time::micros(&time?)).collect::<PyResult<Vec<_>>>()?;
        let py = times.py();
        let list = PyList::empty(py);
        for id in self.call(py, |ids| ids.generate_all(micros))? {
            list.append(id::wrap(py, id)?)?;
        }
        Ok(list)
    }

    /// Continues after an ID of an earlier backfill: all later IDs of its tick are greater.
    #[pyo3(signature = (id, /))]
    fn resume_after(&self, id: &Bound<'_, PyAny>) -> PyResult<()> {
        let (py, id) = (id.py(), id::require_any(self.spec, id)?);
        self.call(py, |ids| ids.resume_after(id))
    }
}
