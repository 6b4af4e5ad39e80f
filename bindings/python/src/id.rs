//! What the classes of IDs have in common.

use crate::{
    error::{self, wrong_type},
    time,
};
use pyo3::{
    exceptions::PyOverflowError,
    prelude::*,
    sync::PyOnceLock,
    types::{PyBool, PyByteArray, PyBytes, PyInt, PyMemoryView, PyString, PyType},
};
use sortid::{__with_id as with_id, __with_type as with_type, AnyId, SortableId, Spec, UnixMicros};
use sortid_columns::arrow::{self, ArrowId};
use std::{ops::RangeInclusive, sync::Arc};

/// The natural column of a database, the lengths of texts, and their pattern.
pub(crate) type Description = (&'static str, RangeInclusive<usize>, &'static str);

/// An ID type with a class in Python.
pub(crate) trait PyId: ArrowId {
    /// What other libraries have to know of the ID.
    const DESCRIPTION: Description;

    /// The class.
    fn class(py: Python<'_>) -> Bound<'_, PyType>;

    /// Returns the ID of an instance of the class. `None` for another object.
    fn of(object: &Bound<'_, PyAny>) -> Option<Self>;

    /// Returns an instance of the class.
    fn wrap(self, py: Python<'_>) -> PyResult<Bound<'_, PyAny>>;
}

/// Returns the specification of a class.
pub(crate) fn of_class(class: &Bound<'_, PyAny>) -> PyResult<Spec> {
    let py = class.py();
    let is_of = |spec: &Spec| with_type!(*spec, Id => class.is(Id::class(py)));
    Spec::ALL
        .iter()
        .copied()
        .find(is_of)
        .ok_or_else(|| wrong_type("a class of IDs, such as sortid.Euid", class))
}

/// A class of IDs, or of typed IDs.
#[derive(Clone)]
pub(crate) struct IdClass {
    pub(crate) spec: Spec,
    typed: Option<Arc<TypedClass>>,
}

struct TypedClass {
    class: Py<PyAny>,
    /// The prefix and its `_`, or nothing.
    start: String,
    /// The name with its article.
    one: String,
}

impl IdClass {
    pub(crate) fn plain(spec: Spec) -> Self {
        Self { spec, typed: None }
    }

    /// Reads a class.
    pub(crate) fn of(class: &Bound<'_, PyAny>) -> PyResult<Self> {
        static TYPED: PyOnceLock<Py<PyType>> = PyOnceLock::new();
        let py = class.py();
        let base = TYPED.import(py, "sortid._typed", "TypedId")?;
        match class.cast::<PyType>() {
            Ok(typed) if typed.is_subclass(base)? => {
                let plain = py.import("sortid._typed")?.call_method1("class_of", (typed,))?;
                let name = typed.name()?.to_string();
                let article = if name.starts_with(['A', 'E', 'I', 'O', 'U']) { "an" } else { "a" };
                let typed = TypedClass {
                    class: class.clone().unbind(),
                    start: typed.getattr("_start")?.extract()?,
                    one: format!("{article} {name}"),
                };
                Ok(Self { spec: of_class(&plain)?, typed: Some(Arc::new(typed)) })
            }
            _ => of_class(class).map(Self::plain),
        }
    }

    /// How texts with a prefix are written. `None` if the texts are those of the IDs.
    pub(crate) fn typed(&self) -> Option<arrow::Typed<'_>> {
        let typed = self.typed.as_ref().filter(|typed| !typed.start.is_empty())?;
        Some(arrow::Typed::new(&typed.start, &typed.one))
    }

    pub(crate) fn name<I: PyId>(&self, py: Python<'_>) -> PyResult<String> {
        match &self.typed {
            Some(typed) => typed.class.bind(py).getattr("__name__")?.extract(),
            None => Ok(I::class(py).name()?.to_string()),
        }
    }

    /// Returns the ID of an instance of the class, or of the class of its IDs.
    pub(crate) fn id_of<I: PyId>(&self, object: &Bound<'_, PyAny>) -> PyResult<Option<I>> {
        match &self.typed {
            Some(typed) if object.get_type().is(&typed.class) => Ok(I::of(&object.getattr("id")?)),
            _ => Ok(I::of(object)),
        }
    }

    /// Returns an instance of the class.
    pub(crate) fn wrap<'py, I: PyId>(&self, py: Python<'py>, id: I) -> PyResult<Bound<'py, PyAny>> {
        let id = id.wrap(py)?;
        match &self.typed {
            Some(typed) => typed.class.bind(py).call1((id,)),
            None => Ok(id),
        }
    }
}

/// Returns the ID of an object of the class, or an exception.
pub(crate) fn require<I: PyId>(object: &Bound<'_, PyAny>) -> PyResult<I> {
    I::of(object).ok_or_else(|| match I::class(object.py()).fully_qualified_name() {
        Ok(name) => wrong_type(&name.to_string_lossy(), object),
        Err(error) => error,
    })
}

/// Returns the ID of an object of the specification's class, or an exception.
pub(crate) fn require_any(spec: Spec, object: &Bound<'_, PyAny>) -> PyResult<AnyId> {
    with_type!(spec, Id => require::<Id>(object).map(Into::into))
}

/// Returns the object of an ID.
pub(crate) fn wrap(py: Python<'_>, id: AnyId) -> PyResult<Bound<'_, PyAny>> {
    with_id!(id, id => id.wrap(py))
}

/// Reads the argument of a class's constructor.
pub(crate) fn read<I: PyId>(value: &Bound<'_, PyAny>) -> PyResult<I> {
    let py = value.py();
    if let Ok(text) = value.cast::<PyString>() {
        return read_text(text);
    }
    if let Ok(bytes) = value.cast::<PyBytes>() {
        return of_bytes(py, bytes.as_bytes());
    }
    if let Some(id) = I::of(value) {
        return Ok(id);
    }
    if let Ok(bytes) = value.cast::<PyByteArray>() {
        return of_bytes(py, &bytes.to_vec());
    }
    if value.is_instance_of::<PyMemoryView>() {
        return of_bytes(py, value.call_method0("tobytes")?.cast::<PyBytes>()?.as_bytes());
    }
    if I::BYTES == 16 && value.is_instance(uuid_class(py)?)? {
        return of_bytes(py, value.getattr("bytes")?.cast::<PyBytes>()?.as_bytes());
    }
    if let Some(int) = index(value)? {
        return of_int(&int);
    }
    let uuid = if I::BYTES == 16 { " uuid.UUID," } else { "" };
    let class = I::class(py).name()?;
    Err(wrong_type(&format!("a str, bytes, int,{uuid} or {class}"), value))
}

/// Returns the integer of an object with `__index__`. `None` for a `bool`, and for another object.
fn index<'py>(value: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
    static INDEX: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    // Python looks for the method in the class: `int` itself has it, but is not an integer.
    if value.is_instance_of::<PyBool>() || !value.get_type().hasattr("__index__")? {
        return Ok(None);
    }
    INDEX.import(value.py(), "operator", "index")?.call1((value,)).map(Some)
}

fn read_text<I: SortableId>(text: &Bound<'_, PyString>) -> PyResult<I> {
    let py = text.py();
    match text.to_str() {
        Ok(found) => I::parse(found).map_err(|error| error::parse(py, &error)),
        // The text has surrogates without their other halves.
        Err(error) => {
            let at = error.value(py).getattr("start")?.extract::<usize>()?;
            let message =
                format!("expected the digits of {}, found a lone surrogate at position {at}", I::TITLE);
            Err(error::not_an_id(py, "character", Some(at), message))
        }
    }
}

pub(crate) fn of_bytes<I: SortableId>(py: Python<'_>, bytes: &[u8]) -> PyResult<I> {
    I::try_from_bytes(bytes).map_err(|error| error::parse(py, &error))
}

/// Reads a big-endian integer of Python's type.
fn of_int<I: SortableId>(int: &Bound<'_, PyAny>) -> PyResult<I> {
    let py = int.py();
    match int.call_method1("to_bytes", (I::BYTES, "big")) {
        Ok(bytes) => of_bytes(py, bytes.cast::<PyBytes>()?.as_bytes()),
        Err(error) if error.is_instance_of::<PyOverflowError>(py) => {
            let bits = int.call_method0("bit_length")?.extract::<u64>()?;
            // Python refuses to print integers of thousands of digits.
            let found =
                if bits <= 256 { int.str()?.to_string() } else { format!("an integer of {bits} bits") };
            // The first bit of a Ulid-Flake is always 0.
            let most = if I::BYTES == 8 { 63 } else { 8 * I::BYTES };
            let message = format!("expected an integer from 0 to 2^{most} − 1, found {found}");
            Err(error::not_an_id(py, "overflow", None, message))
        }
        Err(error) => Err(error),
    }
}

/// Returns the bytes as Python's integer.
pub(crate) fn int<'py>(py: Python<'py>, bytes: &[u8]) -> PyResult<Bound<'py, PyAny>> {
    py.get_type::<PyInt>().call_method1("from_bytes", (PyBytes::new(py, bytes), "big"))
}

pub(crate) fn uuid_class(py: Python<'_>) -> PyResult<&Bound<'_, PyType>> {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    CLASS.import(py, "uuid", "UUID")
}

/// Returns the bytes as a `uuid.UUID`.
pub(crate) fn uuid<'py>(py: Python<'py>, bytes: &[u8]) -> PyResult<Bound<'py, PyAny>> {
    uuid_class(py)?.call1((py.None(), PyBytes::new(py, bytes)))
}

/// Returns what other libraries have to know of a class of IDs: the name of the specification, the prefix of
/// its functions, the natural column, the numbers of bytes and of characters, the lengths of the texts that the constructor accepts, their pattern, and an
/// example.
#[pyfunction]
#[pyo3(signature = (class_, /))]
pub(crate) fn describe(class_: &Bound<'_, PyAny>) -> PyResult<Described> {
    fn of<I: PyId>() -> Described {
        let (column, lengths, pattern) = I::DESCRIPTION;
        let example = I::min_at(UnixMicros(1_717_653_966_666_000)).unwrap_or(I::MAX);
        (
            I::TITLE,
            I::PREFIX,
            column,
            I::BYTES,
            I::TEXT_LEN,
            lengths.into_inner(),
            pattern,
            example.to_string(),
        )
    }
    Ok(with_type!(of_class(class_)?, Id => of::<Id>()))
}

type Described =
    (&'static str, &'static str, &'static str, usize, usize, (usize, usize), &'static str, String);

/// Formats an ID: `x` and `X` are for hex digits, and all else is for the text.
pub(crate) fn format(py: Python<'_>, id: &impl SortableId, spec: &str) -> PyResult<String> {
    match spec {
        "" => Ok(id.to_string()),
        "x" => Ok(format!("{id:x}")),
        "X" => Ok(format!("{id:X}")),
        spec => PyString::new(py, &id.encode()).call_method1("__format__", (spec,))?.extract(),
    }
}

/// Returns the least or the greatest ID of the tick that contains a `datetime`.
pub(crate) fn bound<I: SortableId>(
    value: &Bound<'_, PyAny>,
    bound: impl Fn(UnixMicros) -> Result<I, sortid::RangeError>,
) -> PyResult<I> {
    bound(time::micros(value)?).map_err(|error| error::parse(value.py(), &error.into()))
}

/// Writes the class of an ID type. With `uuid`, an ID is also a `uuid.UUID`. The block has the methods that only this class has.
/// If all options of its generators have defaults, the rest are the generator of the process, and how the arguments of
/// `generator`, which are those of `backfill`, become options.
macro_rules! id_class {
    (
        $(#[$doc:meta])* $class:ident($module:ident::$id:ident) $name:literal $($uuid:ident)? { $($own:tt)* }
        $(
            shared $shared:ident
            $(#[$generator:meta])*
            generator($py:ident, $($option:ident: $type:ty = $default:tt),* $(,)?) $options:block
        )?
    ) => {
        $(#[$doc])*
        #[pyo3::pyclass(frozen, eq, ord, hash, module = "sortid", name = $name)]
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub(crate) struct $class(pub(crate) $module::$id);

        impl $crate::id::PyId for $module::$id {
            const DESCRIPTION: $crate::id::Description =
                sortid::$module::__describe!(description!);

            fn class(py: Python<'_>) -> Bound<'_, PyType> {
                py.get_type::<$class>()
            }

            fn of(object: &Bound<'_, PyAny>) -> Option<Self> {
                object.cast_exact::<$class>().ok().map(|id| id.get().0)
            }

            fn wrap(self, py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
                Ok(Bound::new(py, $class(self))?.into_any())
            }
        }

        #[pymethods]
        impl $class {
            /// The least ID.
            #[classattr]
            const MIN: Self = Self(<$module::$id>::MIN);

            /// The greatest ID.
            #[classattr]
            const MAX: Self = Self(<$module::$id>::MAX);

            #[new]
            #[pyo3(signature = (value, /))]
            fn __new__(value: &Bound<'_, PyAny>) -> PyResult<Self> {
                $crate::id::read(value).map(Self)
            }

            fn __str__<'py>(&self, py: Python<'py>) -> Bound<'py, PyString> {
                PyString::new(py, &self.0.encode())
            }

            fn __repr__(&self) -> String {
                format!(concat!($name, "('{}')"), self.0)
            }

            fn __format__(&self, py: Python<'_>, format_spec: &str) -> PyResult<String> {
                $crate::id::format(py, &self.0, format_spec)
            }

            fn __bytes__(&self) -> &[u8] {
                self.0.as_bytes()
            }

            fn __int__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
                $crate::id::int(py, self.0.as_bytes())
            }

            fn __reduce__<'py>(this: &Bound<'py, Self>) -> (Bound<'py, PyType>, (Bound<'py, PyBytes>,)) {
                (this.get_type(), (PyBytes::new(this.py(), this.get().0.as_bytes()),))
            }

            fn __copy__(this: Py<Self>) -> Py<Self> {
                this
            }

            fn __deepcopy__(this: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
                this
            }

            #[classmethod]
            fn __get_pydantic_core_schema__<'py>(
                class: &Bound<'py, PyType>,
                _source: &Bound<'py, PyAny>,
                _handler: &Bound<'py, PyAny>,
            ) -> PyResult<Bound<'py, PyAny>> {
                class.py().import("sortid._pydantic")?.call_method1("core_schema", (class,))
            }

            #[classmethod]
            fn __get_pydantic_json_schema__<'py>(
                class: &Bound<'py, PyType>,
                _schema: &Bound<'py, PyAny>,
                _handler: &Bound<'py, PyAny>,
            ) -> PyResult<Bound<'py, PyAny>> {
                class.py().import("sortid._pydantic")?.call_method1("json_schema", (class,))
            }

            /// The bytes, most significant first.
            #[getter]
            fn bytes(&self) -> &[u8] {
                self.0.as_bytes()
            }

            /// The bytes as a big-endian integer.
            #[getter]
            fn int<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
                $crate::id::int(py, self.0.as_bytes())
            }

            /// The bytes as hex digits.
            #[getter]
            fn hex(&self) -> String {
                format!("{:x}", self.0)
            }

            $(
                /// The bytes as a ``uuid.UUID``, for columns of that type. Its version has no meaning.
                #[getter]
                fn $uuid<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
                    $crate::id::uuid(py, self.0.as_bytes())
                }
            )?

            /// The time of the ID in UTC, or ``None`` if the ID has no time.
            #[getter]
            fn time<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
                SortableId::unix_micros(&self.0).map(|micros| $crate::time::datetime(py, micros)).transpose()
            }

            /// The time of the ID in microseconds since 1970, or ``None`` if the ID has no time.
            #[getter]
            fn unix_micros(&self) -> Option<u64> {
                SortableId::unix_micros(&self.0)
            }

            /// Returns the fields of the specification, and their values.
            fn fields<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
                field::all(py, self.0)
            }

            /// Returns whether the text is an ID.
            #[staticmethod]
            #[pyo3(signature = (text, /))]
            fn is_valid(text: &Bound<'_, PyString>) -> bool {
                text.to_str().is_ok_and(|text| <$module::$id>::parse(text).is_ok())
            }

            /// Returns the least ID of the tick that contains the time: the lower bound of a query by time.
            #[staticmethod]
            #[pyo3(signature = (time, /))]
            fn min_at(time: &Bound<'_, PyAny>) -> PyResult<Self> {
                $crate::id::bound(time, |time| <$module::$id>::min_at(time)).map(Self)
            }

            /// Returns the greatest ID of the tick that contains the time: the upper bound of a query by time.
            #[staticmethod]
            #[pyo3(signature = (time, /))]
            fn max_at(time: &Bound<'_, PyAny>) -> PyResult<Self> {
                $crate::id::bound(time, |time| <$module::$id>::max_at(time)).map(Self)
            }

            $(
                /// Generates an ID with the generator that the whole process shares.
                // Unlike a static method, it has a module: Django writes it into migrations.
                #[classmethod]
                fn new(class: &Bound<'_, PyType>) -> PyResult<Self> {
                    $shared.generate().map(Self).map_err(|error| $crate::error::generate(class.py(), &error))
                }

                $(#[$generator])*
                #[staticmethod]
                #[pyo3(signature = (
                    *, $($option = $default,)* rollback=None, rollback_allowance=None, clock=None, seed=None
                ))]
                #[allow(clippy::too_many_arguments, reason = "they are the options")]
                fn generator(
                    $py: Python<'_>,
                    $($option: $type,)*
                    rollback: Option<&str>,
                    rollback_allowance: Option<&Bound<'_, PyAny>>,
                    clock: Option<&Bound<'_, PyAny>>,
                    seed: Option<u64>,
                ) -> PyResult<Generator> {
                    let options = Self::options($py, $($option),*)?;
                    Generator::new($py, options, rollback, rollback_allowance, clock, seed)
                }

                /// Creates a backfill, which makes IDs for given times.
                #[staticmethod]
                #[pyo3(signature = (*, $($option = $default,)* ascending=false, spill=None, seed=None))]
                #[allow(clippy::too_many_arguments, reason = "they are the options")]
                fn backfill(
                    $py: Python<'_>,
                    $($option: $type,)*
                    ascending: bool,
                    spill: Option<&Bound<'_, PyAny>>,
                    seed: Option<u64>,
                ) -> PyResult<Backfill> {
                    Backfill::new(Self::options($py, $($option),*)?, ascending, spill, seed)
                }
            )?

            $($own)*
        }

        $(
            impl $class {
                fn options($py: Python<'_>, $($option: $type),*) -> PyResult<AnyOptions> $options
            }
        )?
    };
}
pub(crate) use id_class;
