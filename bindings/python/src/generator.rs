//! Generators.

use crate::{
    clock::{AnyClock, AnyEntropy},
    columns::Column,
    error,
    id::PyId,
    specs, time,
};
use pyo3::{
    exceptions::PyTypeError,
    gc::{PyTraverseError, PyVisit},
    prelude::*,
    types::PyList,
};
use sortid::{Generate, GenerateError, Rollback, SortableId as _};
use sortid_core::{Generator as Core, Rules};
use std::{sync::Arc, time::Duration};

/// How many IDs a call generates before it looks for signals.
const BATCH: usize = 4096;

/// The options that all generators have.
pub(crate) struct Common {
    pub(crate) rollback: Option<Rollback>,
    pub(crate) rollback_allowance: Option<Duration>,
    clock: AnyClock,
    entropy: AnyEntropy,
}

impl Common {
    pub(crate) fn new(
        py: Python<'_>,
        rollback: Option<&str>,
        rollback_allowance: Option<&Bound<'_, PyAny>>,
        clock: Option<&Bound<'_, PyAny>>,
        seed: Option<u64>,
    ) -> PyResult<Self> {
        Ok(Self {
            rollback: rollback.map(|name| self::rollback(py, name)).transpose()?,
            rollback_allowance: rollback_allowance.map(time::duration).transpose()?,
            clock: AnyClock::new(clock)?,
            entropy: AnyEntropy::new(seed),
        })
    }
}

fn rollback(py: Python<'_>, name: &str) -> PyResult<Rollback> {
    Rollback::ALL.into_iter().find(|known| known.name() == name).ok_or_else(|| {
        let names = Rollback::ALL.map(Rollback::name).join(", ");
        error::option(py, "rollback", format!("rollback: expected one of {names}, found {name:?}"))
    })
}

/// The calls of a generator of Rust.
pub(crate) trait Source: Send + Sync + 'static {
    type Id: PyId;

    fn ids(&self) -> &(impl Generate<Id = Self::Id> + Sync);

    fn resume_after(&self, id: Self::Id) -> Result<(), GenerateError>;

    /// Observes an ID of another generator. `None` if the generator does not observe IDs.
    fn observe(&self, id: Self::Id) -> Option<Result<(), GenerateError>>;

    fn resets(&self) -> u16;

    fn ahead(&self) -> Result<Duration, GenerateError>;

    /// Returns the function of the clock.
    fn clock(&self) -> Option<&Py<PyAny>> {
        None
    }
}

/// The generator of the library, with a clock and random bytes of Python.
type Ids<R> = Core<R, Arc<AnyClock>, AnyEntropy>;

/// How a generator observes an ID of another one.
pub(crate) type Observe<R> = fn(&Ids<R>, <R as Rules>::Id) -> Result<(), GenerateError>;

struct Made<R: Rules> {
    ids: Ids<R>,
    clock: Arc<AnyClock>,
    observe: Option<Observe<R>>,
}

impl<R> Source for Made<R>
where
    R: Rules<Id: PyId> + Send + Sync + 'static,
{
    type Id = R::Id;

    #[inline]
    fn ids(&self) -> &(impl Generate<Id = R::Id> + Sync) {
        &self.ids
    }

    fn resume_after(&self, id: R::Id) -> Result<(), GenerateError> {
        self.ids.resume_after(id)
    }

    fn observe(&self, id: R::Id) -> Option<Result<(), GenerateError>> {
        self.observe.map(|observe| observe(&self.ids, id))
    }

    fn resets(&self) -> u16 {
        self.ids.resets()
    }

    fn ahead(&self) -> Result<Duration, GenerateError> {
        self.ids.ahead()
    }

    fn clock(&self) -> Option<&Py<PyAny>> {
        self.clock.function()
    }
}

/// The calls of [`Generator`], for a generator of any specification.
trait Calls: Send + Sync {
    fn generate<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>>;
    fn try_generate<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>>;
    fn generate_many<'py>(&self, py: Python<'py>, count: usize) -> PyResult<Bound<'py, PyList>>;
    fn generate_column(&self, py: Python<'_>, count: usize, is_uuid: bool) -> PyResult<Column>;
    fn resume_after(&self, id: &Bound<'_, PyAny>) -> PyResult<()>;
    fn observe(&self, id: &Bound<'_, PyAny>) -> PyResult<()>;
    fn resets(&self) -> u16;
    fn ahead(&self, py: Python<'_>) -> PyResult<Duration>;
    fn clock(&self) -> Option<&Py<PyAny>>;
}

impl<S: Source> Calls for S {
    #[inline]
    fn generate<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.ids().generate().map_err(|error| error::generate(py, &error))?.wrap(py)
    }

    fn try_generate<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.ids().try_generate().map_err(|error| error::generate(py, &error))?.wrap(py)
    }

    fn generate_many<'py>(&self, py: Python<'py>, count: usize) -> PyResult<Bound<'py, PyList>> {
        let list = PyList::empty(py);
        let mut ids = vec![S::Id::MIN; count.min(BATCH)];
        let mut left = count;
        while left > 0 {
            let ids = &mut ids[..left.min(BATCH)];
            self.ids().fill(ids).map_err(|error| error::generate(py, &error))?;
            for id in &*ids {
                list.append(id.wrap(py)?)?;
            }
            left -= ids.len();
            py.check_signals()?;
        }
        Ok(list)
    }

    fn generate_column(&self, py: Python<'_>, count: usize, is_uuid: bool) -> PyResult<Column> {
        Column::generate(py, count, is_uuid, self.ids())
    }

    fn resume_after(&self, id: &Bound<'_, PyAny>) -> PyResult<()> {
        let result = Source::resume_after(self, specs::require(id)?);
        result.map_err(|error| error::generate(id.py(), &error))
    }

    fn observe(&self, id: &Bound<'_, PyAny>) -> PyResult<()> {
        match Source::observe(self, specs::require(id)?) {
            Some(result) => result.map_err(|error| error::generate(id.py(), &error)),
            None => Err(PyTypeError::new_err(format!(
                "expected a generator of RON UIDs, found one of {}s, which does not observe IDs",
                S::Id::TITLE
            ))),
        }
    }

    fn resets(&self) -> u16 {
        Source::resets(self)
    }

    fn ahead(&self, py: Python<'_>) -> PyResult<Duration> {
        Source::ahead(self).map_err(|error| error::generate(py, &error))
    }

    fn clock(&self) -> Option<&Py<PyAny>> {
        Source::clock(self)
    }
}

/// Generates IDs, each greater than the one before, for any number of threads.
///
/// ``Euid.generator()`` and the like create it. If the clock goes back by at most ``rollback_allowance``, 10 s by default,
/// the generator continues from its last ID. If the clock goes back by more, ``rollback`` says what happens:
/// ``'fail'`` raises ``GenerateError`` until the clock has caught up, ``'continue'`` continues from the last ID, and
/// ``'reset'`` continues at the new, earlier time, which ``resets`` counts. The default is ``'reset'`` for EUIDs and
/// SCRU160s, unless too few of their bits are random; ``'fail'`` for Ulid-Flakes, because an ID could be a duplicate; and
/// ``'continue'`` for RON UIDs and Event IDs, or ``'fail'`` if you set an allowance.
///
/// ``clock`` is a function that returns a ``datetime``. ``seed`` makes the random bits repeatable. Both are for tests.
#[pyclass(frozen, generic, module = "sortid")]
pub(crate) struct Generator(Box<dyn Calls>);

impl Generator {
    pub(crate) fn of(source: impl Source) -> Self {
        Self(Box::new(source))
    }

    /// Generates a column.
    pub(crate) fn column(&self, py: Python<'_>, count: usize, is_uuid: bool) -> PyResult<Column> {
        self.0.generate_column(py, count, is_uuid)
    }

    pub(crate) fn new<R>(options: R, common: Common, observe: Option<Observe<R>>) -> Self
    where
        R: Rules<Id: PyId> + Send + Sync + 'static,
    {
        let clock = Arc::new(common.clock);
        let ids = Ids::from_parts(options, clock.clone(), common.entropy);
        Self::of(Made { ids, clock, observe })
    }
}

#[pymethods]
impl Generator {
    /// The garbage collector frees a generator whose clock refers to it.
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.0.clock().map_or(Ok(()), |clock| visit.call(clock))
    }

    /// Generates the next ID. Waits when all IDs of a tick are used.
    fn generate<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.0.generate(py)
    }

    /// Generates the next ID. Does not wait: where ``generate`` does, it raises ``GenerateError``, whose ``retry_after`` says
    /// how long to wait.
    fn try_generate<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.0.try_generate(py)
    }

    /// Generates this many IDs.
    #[pyo3(signature = (count, /))]
    fn generate_many<'py>(&self, py: Python<'py>, count: usize) -> PyResult<Bound<'py, PyList>> {
        self.0.generate_many(py, count)
    }

    /// Generates the next ID in asynchronous code. Waits with ``asyncio.sleep``.
    fn generate_async<'py>(this: Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        this.py().import("sortid._asyncio")?.call_method1("generate", (this,))
    }

    fn __iter__(this: Py<Self>) -> Py<Self> {
        this
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.0.generate(py)
    }

    /// Continues after this ID: all later IDs are greater.
    #[pyo3(signature = (id, /))]
    fn resume_after(&self, id: &Bound<'_, PyAny>) -> PyResult<()> {
        self.0.resume_after(id)
    }

    /// Observes a RON UID of another generator: all later UIDs are greater.
    #[pyo3(signature = (id, /))]
    fn observe(&self, id: &Bound<'_, PyAny>) -> PyResult<()> {
        self.0.observe(id)
    }

    /// How many times the generator was reset, because the clock was set back.
    #[getter]
    fn resets(&self) -> u16 {
        self.0.resets()
    }

    /// How far the last ID is ahead of the clock.
    #[getter]
    fn ahead(&self, py: Python<'_>) -> PyResult<Duration> {
        self.0.ahead(py)
    }
}
