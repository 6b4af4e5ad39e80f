//! Fleets: generators whose IDs contain a node ID that no other process has.

use crate::{
    clock::{AnyClock, sleep},
    error,
    generator::{Continue, Generator, Made},
    id::{PyId, of_class},
    specs, time,
};
use pyo3::{
    create_exception,
    exceptions::{PyRuntimeError, PyTypeError},
    prelude::*,
    types::PyDict,
};
use sortid::{__Typed as Typed, AnyOptions, UnixMicros};
use sortid_core::NodeOptions;
use sortid_fleet::{Init, Store};
use std::{
    fmt::{Debug, Display},
    future::Future,
    pin::pin,
    sync::{Arc, Mutex},
    task::{Context, Poll, Waker},
    time::Duration,
};

create_exception!(
    sortid,
    FleetError,
    PyRuntimeError,
    "A fleet that cannot be joined, or a store that does not answer.\n\n\
     ``kind`` is ``'config'``, ``'no_fleet'``, ``'size'``, ``'taken'``, ``'clock_ahead'``, ``'clock_behind'`` or \
     ``'store'`` for a process that joins; ``'unavailable'``, ``'denied'``, ``'missing'``, ``'shape'``, ``'lost'``, \
     ``'later'`` or ``'config'`` for a store; ``'node'`` for a generator that a node does not have."
);

fn exception(py: Python<'_>, kind: &str, error: &impl Display) -> PyErr {
    error::with(py, PyErr::new::<FleetError, _>(error.to_string()), "kind", kind)
}

/// Returns the exception of an error whose kind is a variant without fields.
fn with_kind(py: Python<'_>, kind: impl Debug, error: &impl Display) -> PyErr {
    exception(py, &error::kind_name(&kind), error)
}

fn config(py: Python<'_>, error: &impl Display) -> PyErr {
    exception(py, "config", error)
}

/// The processes that share the node IDs of a store.
///
/// The store is a directory that all processes see (``dir:PATH``), PostgreSQL (``postgres://USER@HOST/DATABASE``), or etcd
/// (``etcd://HOST:PORT``).
///
/// ``space`` is the name of a set of node IDs in the store. A process with a ``name`` gets its old node ID back after a
/// crash. ``window`` is how far ahead a process reserves its node ID, 15 s by default. ``wait`` is how long ``join``
/// waits for a free node ID, 30 s by default.
#[pyclass(frozen, module = "sortid")]
pub(crate) struct Fleet {
    store: Arc<dyn Store>,
    space: String,
    fleet: sortid_fleet::Fleet,
}

#[pymethods]
impl Fleet {
    #[new]
    #[pyo3(signature = (nodes, /, *, space="default", name=None, window=None, wait=None))]
    fn __new__(
        py: Python<'_>,
        nodes: std::ffi::OsString,
        space: &str,
        name: Option<&str>,
        window: Option<&Bound<'_, PyAny>>,
        wait: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let Some(nodes) = nodes.to_str() else {
            return Err(config(py, &format!("expected a path or URL in UTF-8, found {nodes:?}")));
        };
        let opened = py.detach(|| sortid_fleet::open(nodes));
        let store = opened.map_err(|error| with_kind(py, error.kind(), &error))?;
        let fleet = sortid_fleet::Fleet::new(store.clone()).clock(AnyClock::System).space(space);
        let mut fleet = fleet.map_err(|error| config(py, &error))?;
        if let Some(name) = name {
            fleet = fleet.name(name).map_err(|error| config(py, &error))?;
        }
        if let Some(window) = window {
            fleet = fleet.window(time::duration(window)?).map_err(|error| config(py, &error))?;
        }
        if let Some(wait) = wait {
            fleet = fleet.wait(time::duration(wait)?);
        }
        Ok(Self { store, space: space.to_owned(), fleet })
    }

    /// Creates the fleet in its store, with the node IDs from 0 to ``size - 1``. Returns whether the fleet is new:
    /// ``False`` if it existed with this size.
    #[pyo3(signature = (size, /))]
    fn init(&self, py: Python<'_>, size: u32) -> PyResult<bool> {
        let result = py.detach(|| sortid_fleet::init(&*self.store, &self.space, size));
        let init = result.map_err(|error| with_kind(py, error.kind(), &error))?;
        Ok(!matches!(init, Init::Existed))
    }

    /// Takes a node ID, or this one, and reserves it as long as the node lives. Waits until a node ID is free, 30 s by
    /// default.
    #[pyo3(signature = (node_id=None))]
    fn join(&self, py: Python<'_>, node_id: Option<u32>) -> PyResult<Node> {
        let joined = match node_id {
            None => wait(py, self.fleet.join_async())?,
            Some(node_id) => wait(py, self.fleet.join_as_async(node_id))?,
        };
        let node = joined.map_err(|error| with_kind(py, error.kind(), &error))?;
        Ok(Node { id: node.id(), generation: node.generation(), node: Mutex::new(Some(node)) })
    }
}

/// Waits for the answer of a store, and lets other threads of Python run. Ends early if a signal raises an exception.
fn wait<T>(py: Python<'_>, future: impl Future<Output = T>) -> PyResult<T> {
    const PAUSE: Duration = Duration::from_millis(5);
    let mut future = pin!(future);
    loop {
        if let Poll::Ready(result) = future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            return Ok(result);
        }
        sleep(py, PAUSE)?;
    }
}

/// This process as a node of a fleet. ``Fleet.join`` creates it.
///
/// The reservation of its node ID lasts while the node or one of its generators exists. At the end of a ``with`` block,
/// the node releases its node ID.
#[pyclass(frozen, module = "sortid")]
pub(crate) struct Node {
    /// The node ID.
    #[pyo3(get)]
    id: u32,
    /// How many holders the node ID has had, this one included: a fencing token.
    #[pyo3(get)]
    generation: u64,
    node: Mutex<Option<sortid_fleet::Node>>,
}

impl Node {
    /// Calls the node. Objects of Python are made afterwards, without its lock: their finalizers may call the same node.
    fn with<T>(&self, py: Python<'_>, call: impl FnOnce(&sortid_fleet::Node) -> T) -> PyResult<T> {
        let result = self.node.lock().map(|node| node.as_ref().map(call));
        let result = result.map_err(|_| PyRuntimeError::new_err("an earlier call panicked"))?;
        result.ok_or_else(|| exception(py, "node", &"the node was released: join the fleet again"))
    }

    fn generator_of<O: NodeOptions<Id: PyId> + 'static>(
        &self,
        py: Python<'_>,
        options: O,
        observe: Option<Continue<sortid_fleet::Generator<O>>>,
    ) -> PyResult<Generator> {
        let ids = self.with(py, |node| node.generator(options))?;
        Ok(Generator::of(Made {
            ids: ids.map_err(|error| exception(py, "node", &error))?,
            resume_after: sortid_fleet::Generator::resume_after,
            observe,
            // A generator of a node is never reset.
            resets: |_| 0,
            ahead: sortid_fleet::Generator::ahead,
            clock: None,
        }))
    }
}

#[pymethods]
impl Node {
    /// Returns the generator of a class of IDs, whose IDs contain the node ID. The options are those of the class's
    /// ``generator``. A node has one generator for each class.
    #[pyo3(signature = (id_class, /, **options))]
    fn generator(
        &self,
        id_class: &Bound<'_, PyAny>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Generator> {
        let py = id_class.py();
        let options = specs::of_node(of_class(id_class)?, options.unwrap_or(&PyDict::new(py)))?;
        match options.map(AnyOptions::typed) {
            Some(Typed::Scru160(options)) => self.generator_of(py, options, None),
            Some(Typed::Euid(options)) => self.generator_of(py, options, None),
            Some(Typed::UlidFlake(options)) => self.generator_of(py, options, None),
            Some(Typed::Scalable(options)) => self.generator_of(py, options, None),
            Some(Typed::RonUid(options)) => {
                self.generator_of(py, options, Some(sortid_fleet::Generator::observe))
            }
            Some(Typed::EventlyId(_)) | None => Err(PyTypeError::new_err(
                "expected a class of IDs with a node ID, found sortid.EventId: an Event ID belongs to a ledger",
            )),
        }
    }

    /// Checks that this process may make an ID of its own with the node ID and this time, a ``datetime`` or milliseconds
    /// since 1970: no other holder of the node ID has this millisecond. Raises ``GenerateError`` if it may not.
    #[pyo3(signature = (time, /))]
    fn permits(&self, time: &Bound<'_, PyAny>) -> PyResult<()> {
        let py = time.py();
        let micros = match time.extract::<i64>() {
            Ok(millis) => UnixMicros(1000 * i128::from(millis)),
            Err(_) => time::micros(time)?,
        };
        self.with(py, |node| node.permits(micros))?.map_err(|error| error::generate(py, &error))
    }

    /// Returns what became of the reservation.
    #[getter]
    fn status<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let status = self.with(py, sortid_fleet::Node::status)?;
        let fields = PyDict::new(py);
        fields.set_item("state", error::kind_name(&status.state))?;
        fields.set_item("node_id", status.node_id)?;
        fields.set_item("generation", status.generation)?;
        fields.set_item("until", time::datetime_of(py, status.until)?)?;
        fields.set_item("renewals", status.renewals)?;
        fields.set_item("failures", status.failures)?;
        fields.set_item("last_error", status.last_error)?;
        fields.set_item("skew_ms", status.skew)?;
        fields.set_item("warning", status.warning)?;
        Ok(fields)
    }

    /// Releases the node ID, so that another process can take it. Its generators raise ``GenerateError`` from now on.
    fn release(&self, py: Python<'_>) -> PyResult<()> {
        let node = self.node.lock().map_err(|_| PyRuntimeError::new_err("an earlier call panicked"))?.take();
        let Some(node) = node else { return Ok(()) };
        py.detach(|| node.release()).map_err(|error| with_kind(py, error.kind(), &error))
    }

    fn __enter__(this: Py<Self>) -> Py<Self> {
        this
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, py: Python<'_>, _exception: &Bound<'_, pyo3::types::PyTuple>) -> PyResult<()> {
        self.release(py)
    }
}

/// Adds the exception to the module.
pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("FleetError", module.py().get_type::<FleetError>())
}
