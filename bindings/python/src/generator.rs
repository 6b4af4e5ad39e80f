//! Generators, and the waits of their calls.
//!
//! A call first tries without a wait, which takes as long as in Rust. Only a call that has to wait lets other threads of
//! Python run, and it ends if a signal raises an exception.

use crate::{
    clock::{AnyClock, AnyEntropy},
    columns::Column,
    id::PyId,
    specs, time,
};
use pyo3::{
    exceptions::{PyRuntimeError, PyTypeError},
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

/// A generator with a clock and random bytes of Python.
pub(crate) type Made<R> = Core<R, SharedCell, Arc<AnyClock>, AnyEntropy>;

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

/// Polls a future until it is ready. While it waits, other threads of Python run.
pub(crate) fn block_on<T>(py: Python<'_>, timer: &Timer, future: impl Future<Output = T>) -> PyResult<T> {
    let mut future = pin!(future);
    loop {
        if let Poll::Ready(result) = poll(future.as_mut()) {
            return Ok(result);
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
fn sleep(py: Python<'_>, duration: Duration) -> PyResult<()> {
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

/// A generator of any specification.
pub(crate) trait Engine: Send + Sync {
    fn generate<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>>;
    fn try_generate<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>>;
    fn generate_many<'py>(&self, py: Python<'py>, count: usize) -> PyResult<Bound<'py, PyList>>;
    fn generate_column(&self, py: Python<'_>, count: usize, is_uuid: bool) -> PyResult<Column>;
    fn pending(&self) -> Pending;
    fn resume_after(&self, id: &Bound<'_, PyAny>) -> PyResult<()>;
    fn observe(&self, id: &Bound<'_, PyAny>) -> PyResult<()>;
    fn rollbacks(&self) -> u16;
    fn ahead(&self, py: Python<'_>) -> PyResult<Duration>;
}

/// What observes an ID of another generator. Only generators of RON UIDs do.
pub(crate) type Observe<R> = fn(&Made<R>, <R as Rules>::Id) -> Result<(), GenerateError>;

struct Of<R: Rules> {
    ids: Arc<Made<R>>,
    clock: Arc<AnyClock>,
    observe: Option<Observe<R>>,
}

/// An ID that is being generated without blocking the thread.
type Future_ = Pin<Box<dyn Future<Output = Result<AnyId, GenerateError>> + Send>>;

impl<R: Rules<Id: PyId + Into<AnyId>> + Send + Sync + 'static> Engine for Of<R>
where
    R::Random: Send + Sync,
{
    #[inline]
    fn generate<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match self.ids.try_generate() {
            Ok(id) => id.wrap(py),
            Err(_) => {
                let timer = Timer::default();
                let id = block_on(py, &timer, self.ids.generate_async(|duration| timer.sleep(duration)))?;
                id.map_err(|error| self.clock.exception_or(py, &error))?.wrap(py)
            }
        }
    }

    fn try_generate<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.ids.try_generate().map_err(|error| self.clock.exception_or(py, &error))?.wrap(py)
    }

    fn generate_many<'py>(&self, py: Python<'py>, count: usize) -> PyResult<Bound<'py, PyList>> {
        let list = PyList::empty(py);
        let mut ids = vec![R::Id::MIN; count.min(BATCH)];
        let mut left = count;
        while left > 0 {
            let ids = &mut ids[..left.min(BATCH)];
            let timer = Timer::default();
            block_on(py, &timer, self.ids.fill_async(ids, |duration| timer.sleep(duration)))?
                .map_err(|error| self.clock.exception_or(py, &error))?;
            for id in &*ids {
                list.append(id.wrap(py)?)?;
            }
            left -= ids.len();
            py.check_signals()?;
        }
        Ok(list)
    }

    fn generate_column(&self, py: Python<'_>, count: usize, is_uuid: bool) -> PyResult<Column> {
        Column::generate::<R::Id>(py, count, is_uuid, |ids| {
            let timer = Timer::default();
            let filled =
                block_on_detached(py, &timer, self.ids.fill_async(ids, |duration| timer.sleep(duration)))?;
            filled.map_err(|error| self.clock.exception_or(py, &error))
        })
    }

    fn pending(&self) -> Pending {
        let (ids, timer) = (self.ids.clone(), Timer::default());
        let asked = timer.clone();
        let future: Future_ =
            Box::pin(
                async move { ids.generate_async(|duration| asked.sleep(duration)).await.map(Into::into) },
            );
        Pending { future: Mutex::new(Some(future)), timer, clock: self.clock.clone() }
    }

    fn resume_after(&self, id: &Bound<'_, PyAny>) -> PyResult<()> {
        let result = self.ids.resume_after(specs::require(id)?);
        result.map_err(|error| self.clock.exception_or(id.py(), &error))
    }

    fn observe(&self, id: &Bound<'_, PyAny>) -> PyResult<()> {
        let Some(observe) = self.observe else {
            return Err(PyTypeError::new_err(format!(
                "expected a generator of RON UIDs, found one of {}: other generators do not observe IDs",
                R::Id::TITLE
            )));
        };
        let result = observe(&self.ids, specs::require(id)?);
        result.map_err(|error| self.clock.exception_or(id.py(), &error))
    }

    fn rollbacks(&self) -> u16 {
        self.ids.rollbacks()
    }

    fn ahead(&self, py: Python<'_>) -> PyResult<Duration> {
        self.ids.ahead().map_err(|error| self.clock.exception_or(py, &error))
    }
}

/// Generates IDs, each greater than the one before, for any number of threads.
///
/// ``Euid.generator()`` and the like create it. After the clock was set back by more than the rollback allowance, the
/// generator starts over: it continues at the new, earlier time.
#[pyclass(frozen, generic, module = "sortid")]
pub(crate) struct Generator(pub(crate) Box<dyn Engine>);

impl Generator {
    pub(crate) fn new<R>(options: R, common: Common, observe: Option<Observe<R>>) -> Self
    where
        R: Rules<Id: PyId + Into<AnyId>, Random: Send + Sync> + Send + Sync + 'static,
    {
        let clock = Arc::new(common.clock);
        let mut ids = Made::from_parts(options, clock.clone(), common.entropy);
        if let Some(allowance) = common.rollback_allowance {
            ids.set_rollback_allowance(allowance);
        }
        Self(Box::new(Of { ids: Arc::new(ids), clock, observe }))
    }
}

#[pymethods]
impl Generator {
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
        py.import("sortid._asyncio")?.call_method1("generate", (self.0.pending(),))
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
    clock: Arc<AnyClock>,
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
            Poll::Pending => Ok(self.timer.take().as_secs_f64().into_pyobject(py)?.into_any()),
            Poll::Ready(result) => {
                *future = None;
                specs::wrap(py, result.map_err(|error| self.clock.exception_or(py, &error))?)
            }
        }
    }
}
