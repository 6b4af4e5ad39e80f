//! Generators, and the waits of their calls.
//!
//! A call first tries without a wait, which takes as long as in Rust. Only a call that has to wait lets other threads of
//! Python run, and it ends if a signal raises an exception.

use crate::{
    clock::{AnyClock, AnyEntropy},
    columns::Column,
    error,
    id::PyId,
    specs, time,
};
use pyo3::{
    exceptions::{PyRuntimeError, PyTypeError},
    gc::{PyTraverseError, PyVisit},
    prelude::*,
    types::PyList,
};
use sortid::{AnyId, GenerateError, SortableId as _};
use sortid_core::{Generator as Core, Rules, SharedCell};
use std::{
    future::poll_fn,
    pin::{Pin, pin},
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    task::{Context, Poll, Waker},
    thread,
    time::{Duration, Instant},
};

/// The longest sleep before a call looks for signals.
const LONGEST_SLEEP: Duration = Duration::from_millis(50);

/// How many IDs a call generates before it looks for signals.
const BATCH: usize = 4096;

/// The options that all generators have.
pub(crate) struct Common {
    pub(crate) rollback_allowance: Option<Duration>,
    pub(crate) clock: AnyClock,
    pub(crate) entropy: AnyEntropy,
}

impl Common {
    pub(crate) fn new(
        rollback_allowance: Option<&Bound<'_, PyAny>>,
        clock: Option<&Bound<'_, PyAny>>,
        seed: Option<u64>,
    ) -> PyResult<Self> {
        Ok(Self {
            rollback_allowance: rollback_allowance.map(time::duration).transpose()?,
            clock: AnyClock::new(clock)?,
            entropy: AnyEntropy::new(seed),
        })
    }
}

/// A timer that notes how long it was asked to wait. Who polls the future waits.
#[derive(Clone, Default)]
pub(crate) struct Timer(Arc<AtomicU64>);

impl Timer {
    pub(crate) fn sleep(&self, duration: Duration) -> impl Future<Output = ()> + Send + use<> {
        let asked = self.0.clone();
        let mut has_waited = false;
        poll_fn(move |_| {
            if has_waited {
                return Poll::Ready(());
            }
            has_waited = true;
            asked.store(duration.as_micros().try_into().unwrap_or(u64::MAX), Relaxed);
            Poll::Pending
        })
    }

    fn take(&self) -> Duration {
        Duration::from_micros(self.0.swap(0, Relaxed))
    }
}

fn poll<T>(future: Pin<&mut (impl Future<Output = T> + ?Sized)>) -> Poll<T> {
    future.poll(&mut Context::from_waker(Waker::noop()))
}

/// Polls a future until it is ready. While it waits, other threads of Python run. Ends early if `raised` returns an
/// exception.
pub(crate) fn block_on<T>(
    py: Python<'_>,
    timer: &Timer,
    raised: impl Fn() -> Option<PyErr>,
    future: impl Future<Output = T>,
) -> PyResult<T> {
    let mut future = pin!(future);
    loop {
        if let Poll::Ready(result) = poll(future.as_mut()) {
            return Ok(result);
        }
        if let Some(exception) = raised() {
            return Err(exception);
        }
        sleep(py, timer.take())?;
    }
}

/// The same for work that takes longer: other threads of Python run at all times.
pub(crate) fn block_on_detached<T: Send>(
    py: Python<'_>,
    timer: &Timer,
    future: impl Future<Output = T> + Send,
) -> PyResult<T> {
    let mut future = pin!(future);
    loop {
        if let Poll::Ready(result) = py.detach(|| poll(future.as_mut())) {
            py.check_signals()?;
            return Ok(result);
        }
        sleep(py, timer.take())?;
    }
}

/// Sleeps without the interpreter. Ends early if a signal raises an exception.
pub(crate) fn sleep(py: Python<'_>, duration: Duration) -> PyResult<()> {
    let end = Instant::now() + duration;
    loop {
        let left = end.saturating_duration_since(Instant::now());
        py.detach(|| thread::sleep(left.min(LONGEST_SLEEP)));
        py.check_signals()?;
        if left <= LONGEST_SLEEP {
            return Ok(());
        }
    }
}

/// The calls of a generator of Rust.
pub(crate) trait Source: Send + Sync + 'static {
    type Id: PyId + Into<AnyId>;

    fn try_generate(&self) -> Result<Self::Id, GenerateError>;

    fn generate_async(&self, timer: &Timer) -> impl Future<Output = Result<Self::Id, GenerateError>> + Send;

    fn fill_async(
        &self,
        ids: &mut [Self::Id],
        timer: &Timer,
    ) -> impl Future<Output = Result<(), GenerateError>> + Send;

    fn resume_after(&self, id: Self::Id) -> Result<(), GenerateError>;

    /// Observes an ID of another generator. `None` if the generator does not observe IDs.
    fn observe(&self, id: Self::Id) -> Option<Result<(), GenerateError>>;

    fn rollbacks(&self) -> u16;

    fn ahead(&self) -> Result<Duration, GenerateError>;

    /// Returns the exception that the clock raised. It comes before the error that it caused, and ends a call that could
    /// read the clock again: it may be a `KeyboardInterrupt`.
    fn raised(&self) -> Option<PyErr> {
        None
    }

    /// Returns the function of the clock.
    fn clock(&self) -> Option<&Py<PyAny>> {
        None
    }

    /// Returns the exception of an error.
    fn exception(&self, py: Python<'_>, error: &GenerateError) -> PyErr {
        self.raised().unwrap_or_else(|| error::generate(py, error))
    }
}

/// The generator of the library, with a clock and random bytes of Python.
type Ids<R> = Core<R, SharedCell, Arc<AnyClock>, AnyEntropy>;

/// How a generator observes an ID of another one.
pub(crate) type Observe<R> = fn(&Ids<R>, <R as Rules>::Id) -> Result<(), GenerateError>;

struct Made<R: Rules> {
    ids: Ids<R>,
    clock: Arc<AnyClock>,
    observe: Option<Observe<R>>,
}

impl<R> Source for Made<R>
where
    R: Rules<Id: PyId + Into<AnyId>> + Send + Sync + 'static,
{
    type Id = R::Id;

    #[inline]
    fn try_generate(&self) -> Result<R::Id, GenerateError> {
        self.ids.try_generate()
    }

    fn generate_async(&self, timer: &Timer) -> impl Future<Output = Result<R::Id, GenerateError>> + Send {
        self.ids.generate_async(|duration| timer.sleep(duration))
    }

    fn fill_async(
        &self,
        ids: &mut [R::Id],
        timer: &Timer,
    ) -> impl Future<Output = Result<(), GenerateError>> + Send {
        self.ids.fill_async(ids, |duration| timer.sleep(duration))
    }

    fn resume_after(&self, id: R::Id) -> Result<(), GenerateError> {
        self.ids.resume_after(id)
    }

    fn observe(&self, id: R::Id) -> Option<Result<(), GenerateError>> {
        self.observe.map(|observe| observe(&self.ids, id))
    }

    fn rollbacks(&self) -> u16 {
        self.ids.rollbacks()
    }

    fn ahead(&self) -> Result<Duration, GenerateError> {
        self.ids.ahead()
    }

    fn raised(&self) -> Option<PyErr> {
        self.clock.exception()
    }

    fn clock(&self) -> Option<&Py<PyAny>> {
        self.clock.function()
    }
}

/// An ID that is being generated without blocking the thread.
type Future_ = Pin<Box<dyn Future<Output = Result<AnyId, GenerateError>> + Send>>;

/// The calls of [`Generator`], for a generator of any specification.
trait Calls: Send + Sync {
    fn generate<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>>;
    fn try_generate<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>>;
    fn generate_many<'py>(&self, py: Python<'py>, count: usize) -> PyResult<Bound<'py, PyList>>;
    fn generate_column(&self, py: Python<'_>, count: usize, is_uuid: bool) -> PyResult<Column>;
    fn begin(self: Arc<Self>, timer: Timer) -> Future_;
    fn resume_after(&self, id: &Bound<'_, PyAny>) -> PyResult<()>;
    fn observe(&self, id: &Bound<'_, PyAny>) -> PyResult<()>;
    fn rollbacks(&self) -> u16;
    fn ahead(&self, py: Python<'_>) -> PyResult<Duration>;
    fn raised(&self) -> Option<PyErr>;
    fn exception(&self, py: Python<'_>, error: &GenerateError) -> PyErr;
    fn clock(&self) -> Option<&Py<PyAny>>;
}

impl<S: Source> Calls for S {
    #[inline]
    fn generate<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        if let Ok(id) = Source::try_generate(self) {
            return id.wrap(py);
        }
        if let Some(exception) = Source::raised(self) {
            return Err(exception);
        }
        let timer = Timer::default();
        let id = block_on(py, &timer, || Source::raised(self), self.generate_async(&timer))?;
        id.map_err(|error| Source::exception(self, py, &error))?.wrap(py)
    }

    fn try_generate<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Source::try_generate(self).map_err(|error| Source::exception(self, py, &error))?.wrap(py)
    }

    fn generate_many<'py>(&self, py: Python<'py>, count: usize) -> PyResult<Bound<'py, PyList>> {
        let list = PyList::empty(py);
        let mut ids = vec![S::Id::MIN; count.min(BATCH)];
        let (mut left, timer) = (count, Timer::default());
        while left > 0 {
            let ids = &mut ids[..left.min(BATCH)];
            block_on(py, &timer, || Source::raised(self), self.fill_async(ids, &timer))?
                .map_err(|error| Source::exception(self, py, &error))?;
            for id in &*ids {
                list.append(id.wrap(py)?)?;
            }
            left -= ids.len();
            py.check_signals()?;
        }
        Ok(list)
    }

    fn generate_column(&self, py: Python<'_>, count: usize, is_uuid: bool) -> PyResult<Column> {
        let timer = Timer::default();
        Column::generate(py, count, is_uuid, |ids| {
            let filled = block_on_detached(py, &timer, self.fill_async(ids, &timer))?;
            filled.map_err(|error| Source::exception(self, py, &error))
        })
    }

    fn begin(self: Arc<Self>, timer: Timer) -> Future_ {
        Box::pin(async move { self.generate_async(&timer).await.map(Into::into) })
    }

    fn resume_after(&self, id: &Bound<'_, PyAny>) -> PyResult<()> {
        let result = Source::resume_after(self, specs::require(id)?);
        result.map_err(|error| Source::exception(self, id.py(), &error))
    }

    fn observe(&self, id: &Bound<'_, PyAny>) -> PyResult<()> {
        match Source::observe(self, specs::require(id)?) {
            Some(result) => result.map_err(|error| Source::exception(self, id.py(), &error)),
            None => Err(PyTypeError::new_err(format!(
                "expected a generator of RON UIDs, found one of {}s, which does not observe IDs",
                S::Id::TITLE
            ))),
        }
    }

    fn rollbacks(&self) -> u16 {
        Source::rollbacks(self)
    }

    fn ahead(&self, py: Python<'_>) -> PyResult<Duration> {
        Source::ahead(self).map_err(|error| Source::exception(self, py, &error))
    }

    fn raised(&self) -> Option<PyErr> {
        Source::raised(self)
    }

    fn exception(&self, py: Python<'_>, error: &GenerateError) -> PyErr {
        Source::exception(self, py, error)
    }

    fn clock(&self) -> Option<&Py<PyAny>> {
        Source::clock(self)
    }
}

/// Generates IDs, each greater than the one before, for any number of threads.
///
/// ``Euid.generator()`` and the like create it. After the clock was set back by more than ``rollback_allowance``, 10 s
/// by default, the generator starts over: it continues at the new, earlier time. A generator of Ulid-Flakes raises
/// ``GenerateError`` instead, because an ID could be a duplicate. By default, the IDs of a generator of RON UIDs or Event
/// IDs ascend, however far the clock goes back.
///
/// ``clock`` is a function that returns a ``datetime``. ``seed`` makes the random bits repeatable. Both are for tests.
#[pyclass(frozen, generic, module = "sortid")]
pub(crate) struct Generator(Arc<dyn Calls>);

impl Generator {
    pub(crate) fn of(source: impl Source) -> Self {
        Self(Arc::new(source))
    }

    /// Generates a column.
    pub(crate) fn column(&self, py: Python<'_>, count: usize, is_uuid: bool) -> PyResult<Column> {
        self.0.generate_column(py, count, is_uuid)
    }

    pub(crate) fn new<R>(options: R, common: Common, observe: Option<Observe<R>>) -> Self
    where
        R: Rules<Id: PyId + Into<AnyId>> + Send + Sync + 'static,
    {
        let clock = Arc::new(common.clock);
        let mut ids = Ids::from_parts(options, clock.clone(), common.entropy);
        if let Some(allowance) = common.rollback_allowance {
            ids.set_rollback_allowance(allowance);
        }
        Self::of(Made { ids, clock, observe })
    }
}

#[pymethods]
impl Generator {
    /// The garbage collector frees a generator whose clock refers to it. While an ID is pending, both have the clock, and
    /// neither reports it.
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        match self.0.clock() {
            Some(clock) if Arc::strong_count(&self.0) == 1 => visit.call(clock),
            _ => Ok(()),
        }
    }

    /// Generates the next ID. Waits when all IDs of a tick are used.
    fn generate<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.0.generate(py)
    }

    /// Generates the next ID. Does not wait, and does not start over: it raises ``GenerateError`` instead.
    fn try_generate<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.0.try_generate(py)
    }

    /// Generates this many IDs.
    #[pyo3(signature = (count, /))]
    fn generate_many<'py>(&self, py: Python<'py>, count: usize) -> PyResult<Bound<'py, PyList>> {
        self.0.generate_many(py, count)
    }

    /// Generates the next ID in asynchronous code. Waits with ``asyncio.sleep``.
    fn generate_async<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let timer = Timer::default();
        let future = self.0.clone().begin(timer.clone());
        let pending = Pending { future: Mutex::new(Some(future)), timer, ids: self.0.clone() };
        py.import("sortid._asyncio")?.call_method1("generate", (pending,))
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

    /// How many times the generator started over.
    #[getter]
    fn rollbacks(&self) -> u16 {
        self.0.rollbacks()
    }

    /// How far the last ID is ahead of the clock.
    #[getter]
    fn ahead(&self, py: Python<'_>) -> PyResult<Duration> {
        self.0.ahead(py)
    }
}

/// An ID that is being generated. `_asyncio.py` polls it.
#[pyclass(frozen, module = "sortid._sortid")]
pub(crate) struct Pending {
    future: Mutex<Option<Future_>>,
    timer: Timer,
    ids: Arc<dyn Calls>,
}

#[pymethods]
impl Pending {
    /// Returns the ID, or how many seconds to wait before the next call.
    fn poll<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let mut future =
            self.future.lock().map_err(|_| PyRuntimeError::new_err("an earlier call panicked"))?;
        let Some(pending) = future.as_mut() else {
            return Err(PyRuntimeError::new_err(
                "expected an ID that is pending, found one that is generated",
            ));
        };
        match poll(pending.as_mut()) {
            Poll::Pending => match self.ids.raised() {
                Some(exception) => Err(exception),
                None => Ok(self.timer.take().as_secs_f64().into_pyobject(py)?.into_any()),
            },
            Poll::Ready(result) => {
                *future = None;
                specs::wrap(py, result.map_err(|error| self.ids.exception(py, &error))?)
            }
        }
    }
}
