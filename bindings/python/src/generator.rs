//! Generators.

use crate::{
    clock::{AnyClock, AnyEntropy},
    columns::Column,
    error,
    id::{IdClass, PyId, of_class, require},
    time,
};
use pyo3::{
    exceptions::PyTypeError,
    gc::{PyTraverseError, PyVisit},
    prelude::*,
    types::PyList,
};
use sortid::{
    __Typed as Typed, __with_options as with_options, AnyOptions, Generate, GenerateError, Rollback,
    SortableId as _,
};
use sortid_core::{Generator as Core, Rules};
use std::{sync::Arc, time::Duration};

/// How many IDs a call generates before it looks for signals.
const BATCH: usize = 4096;

/// The generator of the library, with a clock and random bytes of Python.
type Ids<R> = Core<R, Arc<AnyClock>, AnyEntropy>;

/// A generator of Rust, and those of its calls that are not of [`Generate`].
pub(crate) struct Made<G: Generate> {
    pub(crate) ids: G,
    pub(crate) resume_after: Continue<G>,
    /// `None` if the generator does not observe IDs.
    pub(crate) observe: Option<Continue<G>>,
    pub(crate) resets: fn(&G) -> u16,
    pub(crate) ahead: fn(&G) -> Result<Duration, GenerateError>,
    /// The clock, which may be a function of Python that refers to the generator.
    pub(crate) clock: Option<Arc<AnyClock>>,
}

/// How a generator continues after an ID.
pub(crate) type Continue<G> = fn(&G, <G as Generate>::Id) -> Result<(), GenerateError>;

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
    /// Returns the function of the clock.
    fn clock(&self) -> Option<&Py<PyAny>>;
}

impl<G: Generate<Id: PyId> + Send + Sync> Calls for Made<G> {
    #[inline]
    fn generate<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.ids.generate().map_err(|error| error::generate(py, &error))?.wrap(py)
    }

    fn try_generate<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.ids.try_generate().map_err(|error| error::generate(py, &error))?.wrap(py)
    }

    fn generate_many<'py>(&self, py: Python<'py>, count: usize) -> PyResult<Bound<'py, PyList>> {
        let list = PyList::empty(py);
        let mut ids = vec![G::Id::MIN; count.min(BATCH)];
        let mut left = count;
        while left > 0 {
            let ids = &mut ids[..left.min(BATCH)];
            self.ids.fill(ids).map_err(|error| error::generate(py, &error))?;
            for id in &*ids {
                list.append(id.wrap(py)?)?;
            }
            left -= ids.len();
            py.check_signals()?;
        }
        Ok(list)
    }

    fn generate_column(&self, py: Python<'_>, count: usize, is_uuid: bool) -> PyResult<Column> {
        let class = IdClass::plain(of_class(&G::Id::class(py))?);
        Column::generate(py, class, count, is_uuid, &self.ids)
    }

    fn resume_after(&self, id: &Bound<'_, PyAny>) -> PyResult<()> {
        let result = (self.resume_after)(&self.ids, require(id)?);
        result.map_err(|error| error::generate(id.py(), &error))
    }

    fn observe(&self, id: &Bound<'_, PyAny>) -> PyResult<()> {
        let required = require(id)?;
        match self.observe {
            Some(observe) => observe(&self.ids, required).map_err(|error| error::generate(id.py(), &error)),
            None => Err(PyTypeError::new_err(format!(
                "expected a generator of RON UIDs, found one of {}s, which does not observe IDs",
                G::Id::TITLE
            ))),
        }
    }

    fn resets(&self) -> u16 {
        (self.resets)(&self.ids)
    }

    fn ahead(&self, py: Python<'_>) -> PyResult<Duration> {
        (self.ahead)(&self.ids).map_err(|error| error::generate(py, &error))
    }

    fn clock(&self) -> Option<&Py<PyAny>> {
        self.clock.as_ref()?.function()
    }
}

fn rollback(py: Python<'_>, name: &str) -> PyResult<Rollback> {
    Rollback::ALL.into_iter().find(|known| known.name() == name).ok_or_else(|| {
        let names = Rollback::ALL.map(Rollback::name).join(", ");
        error::option(py, "rollback", format!("rollback: expected one of {names}, found {name:?}"))
    })
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
    /// Creates a generator with the options of its specification, and with those that all generators have.
    pub(crate) fn new(
        py: Python<'_>,
        mut options: AnyOptions,
        rollback: Option<&str>,
        rollback_allowance: Option<&Bound<'_, PyAny>>,
        clock: Option<&Bound<'_, PyAny>>,
        seed: Option<u64>,
    ) -> PyResult<Self> {
        if let Some(name) = rollback {
            options = options.rollback(self::rollback(py, name)?);
        }
        if let Some(allowance) = rollback_allowance {
            options = options.rollback_allowance(time::duration(allowance)?);
        }
        let (clock, entropy) = (Arc::new(AnyClock::new(clock)?), AnyEntropy::new(seed));
        if let Typed::RonUid(options) = options.typed() {
            return Ok(Self::with_rules(options, clock, entropy, Some(Core::observe)));
        }
        Ok(with_options!(options, options => Self::with_rules(options, clock, entropy, None)))
    }

    fn with_rules<R>(
        rules: R,
        clock: Arc<AnyClock>,
        entropy: AnyEntropy,
        observe: Option<Continue<Ids<R>>>,
    ) -> Self
    where
        R: Rules<Id: PyId> + Send + Sync + 'static,
    {
        Self::of(Made {
            ids: Ids::from_parts(rules, clock.clone(), entropy),
            resume_after: Core::resume_after,
            observe,
            resets: Core::resets,
            ahead: Core::ahead,
            clock: Some(clock),
        })
    }

    pub(crate) fn of(made: Made<impl Generate<Id: PyId> + Send + Sync + 'static>) -> Self {
        Self(Box::new(made))
    }

    /// Generates a column.
    pub(crate) fn column(&self, py: Python<'_>, count: usize, is_uuid: bool) -> PyResult<Column> {
        self.0.generate_column(py, count, is_uuid)
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
